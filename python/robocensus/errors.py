"""What goes wrong, as Python exceptions and warnings."""

from __future__ import annotations

__all__ = ["Error", "Note"]


class Error(Exception):
    """The program, or the dataset it reads, cannot do what was asked.

    The text is the sentence that the command line prints, without its prefix.

    Attributes:
        exit_code: The exit code of the command line; 2 where no program was run.

    Example:
        >>> raise Error("census: expected the folder of a dataset")
        Traceback (most recent call last):
        robocensus.errors.Error: census: expected the folder of a dataset
    """

    exit_code: int

    def __init__(self, sentence: str, exit_code: int = 2) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


class Note(UserWarning):
    """A fact without which figures may mislead, such as an agent that no user-agent line can name.

    Notes are warnings: ``warnings.simplefilter("error", Note)`` turns them into exceptions, and
    ``"ignore"`` silences them. A result also holds its own in ``Result.notes``.
    """
