"""The program as a subprocess: its progress, its messages, its end.

The program is that of this package, in the running interpreter. The environment variable
``ROBOCENSUS_PROGRAM`` names an executable to run instead, such as a build of another version.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from . import duckdb_cli
from .errors import Error, Note

__all__ = ["PROGRAM_VARIABLE", "Ended", "Progress", "ProgressOption", "command", "execute"]

#: The environment variable that names the executable of the program.
PROGRAM_VARIABLE = "ROBOCENSUS_PROGRAM"

#: The figures of ``--progress json``: ``bytes``, ``total_bytes`` (None if unknown), ``archives``,
#: ``total_archives`` and ``captures`` while archives are read, then ``step``, ``done``, ``total``.
Progress = Mapping[str, Any]
#: None: a bar on a terminal or in a notebook, if tqdm is installed. True: a bar. False: nothing.
#: A callable gets each ``Progress``.
ProgressOption = bool | Callable[[Progress], object] | None

_PREFIX = "robocensus: "
_NOTE = "note: "
#: The beginning of a refusal of the flags; an empty line ends it.
_USAGE = "error: "
_DAMAGE = "Damaged or skipped:"
#: Seconds between two looks at whether the program has ended.
_TICK = 0.2
#: Seconds that an interrupted program has to end when no one is there to interrupt it again.
_PATIENCE = 30.0
_PACKAGE = str(Path(__file__).parent)
#: What an interpreter ends with instead of the program's 1, which is also that of an exception.
_FINISHED_WITH_DAMAGE = 71
#: What the interpreter runs. With ``-m`` a module of the working folder, such as a script called
#: robocensus.py, would come before the package and the standard library.
_START = (
    "import sys; del sys.path[0]; sys.path.append(sys.argv.pop(1)); "
    "from robocensus.__main__ import exit_code; code = exit_code(); "
    f"sys.exit({_FINISHED_WITH_DAMAGE} if code == 1 else code)"
)
#: Names to the program the process with which it ends.
_PARENT_VARIABLE = "ROBOCENSUS_PARENT"


@dataclass(frozen=True)
class Ended:
    """What became of a program that was not refused.

    Attributes:
        exit_code: 0, or 1 where the work is finished but something is damaged or does not hold.
        stdout: Standard output, unless it went to a file.
        notes: The sentences on standard error, without prefix.
        damage: A line for each archive that is damaged or was skipped.
    """

    exit_code: int
    stdout: bytes
    notes: tuple[str, ...]
    damage: tuple[str, ...]


def command() -> list[str]:
    """Returns the words that run the program, without arguments.

    Example:
        >>> subprocess.run([*command(), "--version"])  # doctest: +SKIP
    """
    named = os.environ.get(PROGRAM_VARIABLE)
    if named:
        return [named]
    return [sys.executable, "-c", _START, str(Path(_PACKAGE).parent)]


def execute(
    words: Sequence[str],
    *,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | None = None,
    progress: ProgressOption = False,
    verbose: bool = False,
    program: str | os.PathLike[str] | None = None,
) -> Ended:
    """Runs the program to its end.

    Notes become warnings of the class :class:`Note`, as they come. Ctrl-C is passed on: the program
    ends as it does on a terminal, so that a run can be resumed, and ``KeyboardInterrupt`` is raised
    with the last sentence of the program; a second Ctrl-C kills it. No process is left behind.

    Args:
        words: The words behind the name of the program.
        stdin: A file that the program reads; it must have a file descriptor.
        stdout: A file that standard output is written to; by default it is returned.
        progress: Who is told the figures of ``--progress json``; the words must have that flag.
        verbose: Whether lines that are no message are printed on ``sys.stderr``.
        program: An executable in the place of that of :func:`command`.

    Raises:
        Error: The program refused, or did not end by itself; the sentence is the program's.
        ImportError: ``progress=True``, but tqdm is not installed.
        TypeError: ``stdin`` has no file descriptor.
    """
    _check_descriptor(stdin)
    display = _display(progress)
    messages = _Messages(display, verbose)
    start = command() if program is None else [os.fspath(program)]
    try:
        child = subprocess.Popen(
            [*start, *words],
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=subprocess.PIPE if stdout is None else stdout,
            stderr=subprocess.PIPE,
            env=_environment(),
            # Ctrl-C reaches a whole group: in one of its own, the program gets it once, from here.
            **_OWN_GROUP,
        )
    except OSError as error:
        raise Error(f"{start[0]}: cannot run the program: {error.strerror}") from error
    running = _Running(child, messages)
    try:
        running.pump()
        running.wait()
    except BaseException as error:
        running.interrupt(patience=None if isinstance(error, KeyboardInterrupt) else _PATIENCE)
        if isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt(*messages.sentences[-1:]) from None
        raise
    finally:
        output = running.close()
        display.close()
    exit_code = child.returncode
    if exit_code == _FINISHED_WITH_DAMAGE and len(start) > 1:
        return messages.ended(1, output)
    if exit_code == 1 and (len(start) > 1 or not (output or messages.has_own)):
        raise Error(messages.refusal(exit_code), exit_code)
    return messages.ended(exit_code, output)


def _check_descriptor(stdin: object) -> None:
    if stdin is not None:
        try:
            stdin.fileno()  # type: ignore[attr-defined]
        except (AttributeError, OSError):
            raise TypeError(
                "stdin: expected a binary file with a descriptor, such as open(path, 'rb') or "
                f"sys.stdin.buffer, but got {type(stdin).__name__}"
            ) from None


class _Running:
    """A child, and the threads that empty its pipes so that it never waits for a reader."""

    def __init__(self, child: subprocess.Popen[bytes], messages: _Messages) -> None:
        self.child = child
        self.messages = messages
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.output: list[bytes] = []
        self.threads = [threading.Thread(target=self._read_errors, daemon=True)]
        if child.stdout is not None:
            self.threads.append(threading.Thread(target=self._read_output, daemon=True))
        for thread in self.threads:
            thread.start()

    def _read_errors(self) -> None:
        assert self.child.stderr is not None
        try:
            for line in self.child.stderr:
                self.lines.put(line)
        finally:
            self.lines.put(None)

    def _read_output(self) -> None:
        assert self.child.stdout is not None
        while block := self.child.stdout.read(1 << 16):
            self.output.append(block)

    def pump(self) -> None:
        """Handles lines until there are no more."""
        has_ended = False
        while True:
            try:
                line = self.lines.get(timeout=_TICK)
            except queue.Empty:
                if has_ended:
                    return
                has_ended = self.child.poll() is not None
                if has_ended:
                    # The last lines may not be read yet. There is a limit, since a process that the
                    # program left behind may hold its end of the pipe.
                    self.threads[0].join(timeout=2)
                continue
            if line is None:
                return
            self.messages.take(line.decode("utf-8", "replace").rstrip("\r\n"))

    def interrupt(self, patience: float | None) -> None:
        """Asks the program to end, and kills it on a second Ctrl-C or after some seconds."""
        self.messages.is_silent = True
        try:
            self._signal(_INTERRUPT)
            self.wait(patience)
            self.pump()
        except (KeyboardInterrupt, subprocess.TimeoutExpired):
            self._signal(_KILL)
            self.wait()

    def wait(self, patience: float | None = None) -> None:
        """Waits for the end of the program; raises ``TimeoutExpired`` after so many seconds."""
        end = None if patience is None else time.monotonic() + patience
        while True:
            # A signal that another thread takes does not wake this one, so it wakes by itself.
            try:
                self.child.wait(_TICK)
                return
            except subprocess.TimeoutExpired:
                if end is not None and time.monotonic() > end:
                    raise

    def _signal(self, number: int) -> None:
        if self.child.poll() is None:
            _signal_group(self.child, number)

    def close(self) -> bytes:
        """Closes the pipes and returns standard output."""
        for thread in self.threads:
            thread.join(timeout=2)
        for thread, pipe in zip(self.threads, (self.child.stderr, self.child.stdout)):
            if pipe is not None and not thread.is_alive():
                pipe.close()
        return b"".join(self.output)


class _Messages:
    """The lines of standard error, by kind."""

    def __init__(self, display: _Display, verbose: bool) -> None:
        self.display = display
        self.verbose = verbose
        self.is_silent = False
        self.notes: list[str] = []
        self.sentences: list[str] = []
        self.damage: list[str] = []
        self.others: list[str] = []
        self.is_damage = False
        self.is_usage = False
        self.has_figures = False

    @property
    def has_own(self) -> bool:
        """Whether anything is in the form that the program writes."""
        return bool(self.has_figures or self.notes or self.sentences or self.damage)

    def take(self, line: str) -> None:
        figures = _figures(line)
        if figures is not None:
            self.has_figures = True
            if not self.is_silent:
                self.display.show(figures)
        elif line.startswith(_PREFIX + _NOTE):
            self.notes.append(line[len(_PREFIX + _NOTE) :])
            self._warn(self.notes[-1])
        elif line.startswith(_PREFIX):
            self.sentences.append(line[len(_PREFIX) :])
        elif line.startswith(_USAGE):
            self.sentences.append(line[len(_USAGE) :])
            self.is_usage = True
        elif self.is_usage and line:
            self.sentences[-1] += f" {line.strip()}"
        elif line == _DAMAGE:
            self.is_damage = True
        elif not line:
            self.is_usage = False
        elif self.is_damage:
            self.damage.append(line.strip())
        else:
            self.others.append(line)
            if self.verbose and not self.is_silent:
                print(line, file=sys.stderr)

    def ended(self, exit_code: int, stdout: bytes) -> Ended:
        """Returns what became of the program; raises if it was refused."""
        if exit_code not in (0, 1):
            raise Error(self.refusal(exit_code), exit_code)
        for sentence in self.sentences:
            self._warn(sentence)
        if self.damage:
            self._warn("damaged or skipped: " + "; ".join(self.damage))
        return Ended(exit_code, stdout, (*self.notes, *self.sentences), tuple(self.damage))

    def refusal(self, exit_code: int) -> str:
        """Returns the sentence for a program that did not finish."""
        if self.sentences:
            return self.sentences[-1]
        if exit_code < 0:
            try:
                name = signal.Signals(-exit_code).name
            except ValueError:
                name = str(-exit_code)
            return f"the program was ended by the signal {name}"
        last = f": {self.others[-1]}" if self.others else ""
        return f"the program ended with exit code {exit_code}{last}"

    def _warn(self, text: str) -> None:
        if not self.is_silent:
            warnings.warn(Note(text), stacklevel=_levels_up())


def _figures(line: str) -> Progress | None:
    if not line.startswith('{"progress":'):
        return None
    try:
        figures = json.loads(line)["progress"]
    except ValueError:
        return None
    return figures if isinstance(figures, dict) else None


def _levels_up() -> int:
    """Returns the level of the caller of this package, at which a warning is shown."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level


class _Display(Protocol):
    def show(self, figures: Progress) -> None: ...

    def close(self) -> None: ...


class _Callback:
    """Progress that a function is told; None tells nobody."""

    def __init__(self, function: Callable[[Progress], object] | None) -> None:
        self.function = function

    def show(self, figures: Progress) -> None:
        if self.function is not None:
            self.function(figures)

    def close(self) -> None:
        pass


class _Bar:
    """A bar of tqdm for the archives, and one for each step that follows."""

    def __init__(self, tqdm: Any) -> None:
        self.tqdm = tqdm
        self.bar: Any = None
        self.step: str | None = None

    def show(self, figures: Progress) -> None:
        step = figures.get("step")
        if self.bar is None or step != self.step:
            self.close()
            self.step = step
            if step is None:
                total = figures.get("total_bytes")
                self.bar = self.tqdm(total=total, unit="B", unit_scale=True, desc="archives")
            else:
                self.bar = self.tqdm(total=figures.get("total"), desc=step)
        if step is None:
            archives = f"{figures.get('archives')}/{figures.get('total_archives')}"
            self.bar.set_postfix(archives=archives, captures=figures.get("captures"), refresh=False)
        position = figures.get("bytes" if step is None else "done", 0)
        self.bar.update(max(position - self.bar.n, 0))

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def _display(progress: ProgressOption) -> _Display:
    if callable(progress):
        return _Callback(progress)
    if progress is None:
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        if not (is_terminal or _is_notebook()) or importlib.util.find_spec("tqdm") is None:
            return _Callback(None)
    elif not progress:
        return _Callback(None)
    try:
        with warnings.catch_warnings():
            # Without ipywidgets tqdm draws in text, and says so at every import.
            warnings.simplefilter("ignore")
            return _Bar(importlib.import_module("tqdm.auto").tqdm)
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from error


def _is_notebook() -> bool:
    """Returns whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def _environment() -> dict[str, str]:
    """Returns the environment of the program.

    It names the DuckDB that PyPI's duckdb-cli brings, and this process, with which the program ends
    even where this process has no time to end it, as after SIGTERM or SIGKILL.
    """
    # Kernels of notebooks ask for colors, which are escape sequences in a string.
    environment = {**os.environ, "NO_COLOR": "1"}
    duckdb_cli.name_in(environment)
    if os.name == "posix":
        environment[_PARENT_VARIABLE] = str(os.getpid())
    return environment


_OWN_GROUP: dict[str, Any]
if sys.platform == "win32":
    _OWN_GROUP = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    _INTERRUPT, _KILL = signal.CTRL_BREAK_EVENT, signal.SIGTERM

    def _signal_group(child: subprocess.Popen[bytes], number: int) -> None:
        child.send_signal(number)
else:
    _OWN_GROUP = {"start_new_session": True}
    _INTERRUPT, _KILL = signal.SIGINT, signal.SIGKILL

    def _signal_group(child: subprocess.Popen[bytes], number: int) -> None:
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            pass
