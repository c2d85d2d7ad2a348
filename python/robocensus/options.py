"""Python values as words of the command line; lists and dialects become temporary files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from . import _native
from .errors import Error

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "Dialect",
    "Dialects",
    "Inputs",
    "ListOption",
    "PathOption",
    "Words",
    "input_words",
    "refuse_url",
]

PathOption = str | os.PathLike[str]
#: A file, folder, pattern or ``@list`` of paths, or several.
Inputs = PathOption | Iterable[PathOption]
#: A file (str or PathLike), or a list: lines, or tuples of the columns of a line. A column that is
#: a list is joined by commas: ``(["GPTBot", "OpenAI"], "ai-training")``.
ListOption = PathOption | Iterable[str | Sequence[object]] | None
#: A name, a TOML file, TOML text (a str with a line break), a `robocensus.Dialect`, or a dict of
#: answers with ``base``, and ``name`` (default: custom).
Dialect = str | os.PathLike[str] | Mapping[str, object] | _native.Dialect
#: One dialect, names separated by commas, or a list of dialects.
Dialects = Dialect | Iterable[Dialect]

_DEFAULT_NAME = "custom"


class Words:
    """Words of a command line, and a folder of the files that they name until it is closed."""

    def __init__(self, *words: str) -> None:
        self.words = list(words)
        self._folder = tempfile.TemporaryDirectory(prefix="robocensus-")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def path(self, name: str) -> Path:
        """Returns the path of a temporary file."""
        return Path(self._folder.name) / name

    def flag(self, name: str, is_set: bool) -> None:
        """Adds a flag without a value."""
        if is_set:
            self.words.append(f"--{name}")

    def option(self, name: str, value: object) -> None:
        """Adds a flag with a value; None leaves it out."""
        if isinstance(value, timedelta):
            value = f"{round(value.total_seconds())}s"
        if value is not None:
            text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
            self.words.append(f"--{name}={text}")

    def names(self, name: str, value: str | Iterable[str] | None) -> None:
        """Adds a flag with a name, or several."""
        self.option(name, value if value is None or isinstance(value, str) else ",".join(value))

    def list(self, name: str, value: ListOption) -> None:
        """Adds a list as the file that the command line reads."""
        if value is None or isinstance(value, (str, os.PathLike)):
            self.option(name, value)
            return
        path = self.path(f"{name}.tsv")
        lines = [_line(name, entry) for entry in value]
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8", "surrogateescape")
        self.option(name, path)

    def dialect(self, name: str, dialect: Dialect) -> str:
        """Returns the word for a dialect, after writing what is no file yet.

        Raises:
            TypeError: The dialect, or an answer of it, is of no known type.
            ValueError: The name cannot be that of a file.
        """
        if isinstance(dialect, os.PathLike):
            return os.fspath(dialect)
        if isinstance(dialect, str):
            if "\n" not in dialect:
                return dialect
            own, text = _DEFAULT_NAME, dialect
        elif isinstance(dialect, _native.Dialect):
            if dialect.name in _native.DIALECTS and dialect == _native.Dialect(dialect.name):
                return dialect.name
            own, text = dialect.name, dialect.to_toml()
        elif isinstance(dialect, Mapping):
            own = str(dialect.get("name", _DEFAULT_NAME))
            text = _toml({key: value for key, value in dialect.items() if key != "name"})
        else:
            raise TypeError(f"{name}: expected a name, a file or a dict, but got {dialect!r}")
        if not own or not all(c.isalnum() or c in "-_." for c in own):
            raise ValueError(f"{name}: expected letters, digits, -, _ or . in the name {own!r}")
        path = self.path(f"{own}.toml")
        if path.exists():
            raise ValueError(f"{name}: two dialects are called {own}")
        path.write_text(text, "utf-8")
        return str(path)

    def dialects(self, name: str, dialects: Dialects) -> None:
        """Adds dialects, separated by commas."""
        if isinstance(dialects, (str, os.PathLike, Mapping, _native.Dialect)):
            dialects = [dialects]
        words = [self.dialect(name, dialect) for dialect in dialects]
        for dialect, word in zip(dialects, words):
            if "," in word and not isinstance(dialect, str):
                raise ValueError(f"{name}: the path of a dialect has a comma: {word}")
        self.option(name, ",".join(words))


def input_words(inputs: Inputs) -> list[str]:
    """Returns the words for inputs.

    Example:
        >>> input_words(["a.warc.gz", Path("@b")])
        ['a.warc.gz', './@b']
    """
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    return [_input(word) for word in inputs]


def _input(word: PathOption) -> str:
    if isinstance(word, str):
        return word
    path = os.fspath(word)
    # A path object is a path, whatever it begins with.
    return os.path.join(".", path) if path.startswith(("@", "-")) else path


def _line(name: str, entry: object) -> str:
    if isinstance(entry, str):
        line = entry
    elif isinstance(entry, Sequence) and not isinstance(entry, (bytes, bytearray)):
        columns = [
            ",".join(str(token) for token in column)
            if isinstance(column, Sequence) and not isinstance(column, (str, bytes))
            else str(column)
            for column in entry
        ]
        if any("\t" in column for column in columns):
            raise ValueError(f"{name}: expected columns without tabs, but got {entry!r}")
        line = "\t".join(columns)
    else:
        raise TypeError(f"{name}: expected strings or tuples of columns, but got {entry!r}")
    if "\n" in line or "\r" in line:
        raise ValueError(f"{name}: expected one line for each entry, but got {entry!r}")
    return line


def _toml(answers: Mapping[str, object]) -> str:
    """Returns answers as TOML: values first, then the tables."""
    tables = {key: value for key, value in answers.items() if isinstance(value, Mapping)}
    lines = [f"{_key(k)} = {_value(k, v)}" for k, v in answers.items() if k not in tables]
    for name, table in tables.items():
        lines.append(f"[{_key(name)}]")
        lines += [f"{_key(k)} = {_value(k, v)}" for k, v in table.items()]
    return "".join(f"{line}\n" for line in lines)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"expected answers with names, but got the name {key!r}")
    return _quoted(key)


def _value(key: object, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(key, each) for each in value) + "]"
    raise TypeError(f"{key}: expected a string, a number or a boolean, but got {value!r}")


def _quoted(text: str) -> str:
    def escaped(c: str) -> str:
        if c in '"\\':
            return "\\" + c
        return f"\\u{ord(c):04X}" if ord(c) < 0x20 or ord(c) == 0x7F else c

    return '"' + "".join(map(escaped, text)) + '"'


def refuse_url(folder: PathOption) -> None:
    """Refuses the URL of a dataset: results are opened as folders."""
    given = os.fspath(folder)
    if "://" in given:
        raise Error(
            f"{given}: expected a folder; datasets in S3 are written and read by the commands "
            "robocensus run, query and report"
        )
