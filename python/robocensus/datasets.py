"""Datasets and comparisons: opened, queried, checked.

Example:
    >>> census = open("census")  # doctest: +SKIP
    >>> census.query("count-hosts-blocking-gptbot", agent="CCBot").pandas()  # doctest: +SKIP
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from .errors import Error
from .options import Dialect, Inputs, PathOption, Words, input_words, refuse_url
from .program import Ended, execute
from .results import (
    Chart,
    Report,
    Result,
    literal,
    pattern,
    temporary_parquet,
    write_relation,
)

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Self

__all__ = [
    "Changes",
    "Comparison",
    "Dataset",
    "Verification",
    "open",
    "queries",
    "query",
]

#: The value of a variable of SQL; None leaves it unset, and a list is joined by commas.
Variable = str | int | float | Sequence[str] | None

_DESCRIPTION = "_dataset.json"
_TOTALS = "_comparison.json"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
#: Seconds between two looks at whether SQL has ended.
_TICK = 0.1
#: Bytes of the longest argument: Linux takes 128 KiB in one.
_LONGEST_ARGUMENT = 100_000


@overload
def open(folder: PathOption, kind: type[Dataset] = ...) -> Dataset: ...
@overload
def open(folder: PathOption, kind: type[Comparison]) -> Comparison: ...
def open(
    folder: PathOption, kind: type[Dataset | Comparison] | None = None
) -> Dataset | Comparison:
    """Opens the folder of a dataset; with ``kind=Comparison`` that of a comparison.

    Raises:
        Error: There is none in the folder, or one of the other kind.

    Example:
        >>> open("absent")
        Traceback (most recent call last):
        robocensus.errors.Error: absent: expected the folder of a dataset, such as robocensus run \
writes, but found none
        >>> open("flips", Comparison).summary["totals"]  # doctest: +SKIP
    """
    return (kind or Dataset)(folder)


def queries() -> dict[str, str]:
    """Returns the names of the stored queries, each with what it answers.

    Example:
        >>> queries()["count-captures-by-status"]  # doctest: +SKIP
        'How many captures, by status?'
    """
    found: dict[str, str] = {}
    name = ""
    for line in execute(["query", "--list"]).stdout.decode("utf-8").splitlines():
        if not line.startswith(" "):
            name = line
        else:
            # A line on its chart may follow.
            found.setdefault(name, line.strip())
    return found


def query(
    query: PathOption,
    /,
    *data: PathOption | Dataset,
    before: PathOption | Dataset | None = None,
    **variables: Variable,
) -> Result:
    """Runs a query over several datasets as one, such as those of different crawls.

    Args:
        query: As for ``Dataset.query``.
        data: Datasets, or their folders, with the same options and each with crawls of its own.
        before: An earlier dataset, for queries that compare two.
        variables: The variables of the query.

    Raises:
        Error: Two datasets have a crawl in common, or other options; or the query is refused.

    Example:
        >>> query("compare-hosts-by-crawl", "may", "june", agent="CCBot").rows()  # doctest: +SKIP
    """
    folders = [one.folder if isinstance(one, Dataset) else one for one in data]
    return _query(folders, query, before, variables)


def _query(
    data: Sequence[PathOption],
    query: PathOption,
    before: PathOption | Dataset | None,
    variables: Mapping[str, Variable],
) -> Result:
    with _query_words("--format=parquet", data, query, before, variables) as words:
        path = temporary_parquet()
        try:
            with path.open("wb") as rows:
                ended = execute(words.words, stdout=rows)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    chart = functools.partial(_chart, data, query, before, dict(variables))
    return Result(path, ended.notes, chart)


def _chart(
    data: Sequence[PathOption],
    query: PathOption,
    before: PathOption | Dataset | None,
    variables: Mapping[str, Variable],
) -> Chart:
    with _query_words("--chart=", data, query, before, variables) as words:
        file = words.path("chart.svg")
        words.words[1] += str(file)
        _execute_again(words)
        svg = file.read_text("utf-8")

    def specification() -> dict[str, Any]:
        with _query_words("--format=vega-lite", data, query, before, variables) as words:
            made: dict[str, Any] = json.loads(_execute_again(words).stdout)
        return made

    return Chart(svg, specification)


def _query_words(
    flag: str,
    data: Sequence[PathOption],
    query: PathOption,
    before: PathOption | Dataset | None,
    variables: Mapping[str, Variable],
) -> Words:
    words = Words("query", flag)
    for folder in data:
        words.option("data", folder)
    words.option("before", before.folder if isinstance(before, Dataset) else before)
    for name, value in _texts(variables):
        word = f"--set={name}={value}"
        size = len(os.fsencode(word))
        if size > _LONGEST_ARGUMENT:
            raise ValueError(
                f"{name}: expected at most {_LONGEST_ARGUMENT:,} bytes, but got {size:,}, which "
                "is more than a process takes; sql() has no limit, and SQL can read a file"
            )
        words.words.append(word)
    sql = os.fspath(query)
    if len(os.fsencode(sql)) > _LONGEST_ARGUMENT:
        file = words.path("query.sql")
        file.write_text(sql, "utf-8", "surrogateescape")
        sql = str(file)
    words.words += ["--", sql]
    return words


class _Tables:
    """A folder of tables and a DuckDB connection on it."""

    #: What the program writes into the folder, for messages.
    _what: str

    def __init__(self, folder: PathOption, ended: Ended | None = None) -> None:
        refuse_url(folder)
        self._given = os.fspath(folder)
        #: The folder, absolute.
        self.folder = Path(os.path.abspath(folder))
        #: The object in ``_dataset.json``: options and versions.
        self.description: dict[str, Any] = _description(folder)
        #: 0, or 1 where the work is finished but something is damaged or does not hold.
        self.exit_code = ended.exit_code if ended else 0
        #: The sentences of the command that made it; they were warnings as well.
        self.notes: tuple[str, ...] = ended.notes if ended else ()
        #: A line for each archive that is damaged or was skipped.
        self.damage: tuple[str, ...] = ended.damage if ended else ()
        self._connection: duckdb.DuckDBPyConnection | None = None

    def __repr__(self) -> str:
        return f"robocensus.open({self._given!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; the folder can be opened again."""
        if self._connection is not None:
            self._connection.close()

    def _views(self) -> str:
        """Returns SQL that makes the views; the variable data is set."""
        words = ["query", f"--data={self.folder}", "--print", "views"]
        return execute(words).stdout.decode("utf-8")

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The DuckDB connection with all views; made at the first use, in memory.

        Raises:
            Error: A table is missing, or DuckDB cannot read the path.
            ImportError: duckdb is not installed.
        """
        if self._connection is None:
            path = str(self.folder)
            if os.sep == "/" and ("\\" in path or path != path.encode(errors="replace").decode()):
                raise Error(
                    f"{path!r}: DuckDB cannot read a folder whose path has a backslash or is not "
                    "UTF-8; rename it, or use a symbolic link"
                )
            views = self._views()
            connection = _duckdb().connect()
            with self._errors():
                connection.execute(_setting("data", path))
                connection.execute(views)
            self._connection = connection
        return self._connection

    def sql(self, text: str, /, **variables: Variable) -> Result | None:
        """Runs SQL over the views in this process, and returns its rows.

        Quicker than ``query`` for small questions, but without its checks and notes.

        Args:
            text: SQL; of several statements the last one's rows are returned.
            variables: Variables for ``getvariable('name')``, as text; unset afterwards. ``data`` is
                taken: by it the views find the dataset.

        Returns:
            The rows, or None where the last statement has none.

        Raises:
            Error: DuckDB refuses the SQL, or the connection is closed.
            KeyboardInterrupt: Ctrl-C ended the SQL; the connection can be used as before.
            ValueError: A variable is called ``data``.

        Example:
            >>> census.sql("SELECT count(*) AS n FROM hosts").rows()  # doctest: +SKIP
            [{'n': 414}]
        """
        texts = _texts(variables)
        # Names of variables are the same in upper and lower case.
        if taken := next((name for name, _ in texts if name.lower() == "data"), None):
            raise ValueError(
                f"{taken}: the variable by which the views find the dataset; use another name"
            )
        connection = self.connection
        settings = [_setting(name, value) for name, value in texts]
        with self._errors():
            try:
                for setting in settings:
                    connection.execute(setting)
                return _interruptible(connection, functools.partial(_rows, connection, text))
            finally:
                with contextlib.suppress(_duckdb().Error):
                    for name, _ in texts:
                        connection.execute(f"RESET VARIABLE {name}")

    @property
    def tables(self) -> list[str]:
        """The names of the tables in the folder, sorted."""
        folders = (entry for entry in self.folder.iterdir() if not entry.name.startswith("_"))
        return sorted(entry.name for entry in folders if next(entry.rglob("*.parquet"), None))

    def table(self, name: str) -> duckdb.DuckDBPyRelation:
        """Returns a table as a DuckDB relation on ``connection``, as it is in the folder.

        Raises:
            Error: There is no such table; the sentence names the nearest.

        Example:
            >>> census.table("captures").filter("fetch_status = 200").df()  # doctest: +SKIP
        """
        tables = self.tables
        if name not in tables:
            near = difflib.get_close_matches(name, tables, 1)
            has = f"did you mean {near[0]}?" if near else f"it has {', '.join(tables)}"
            raise Error(f"{self._given}: the dataset has no table {name!r}; {has}")
        files = [pattern(file) for file in sorted((self.folder / name).rglob("*.parquet"))]
        with self._errors():
            return self.connection.read_parquet(files, hive_partitioning=False)

    def report(self, title: str | None = None) -> Report:
        """Returns the report of ``robocensus report``, which a notebook shows inline.

        Args:
            title: The title of the page.

        Raises:
            Error: The report cannot be made.

        Example:
            >>> census.report(title="My census").save("report.html")  # doctest: +SKIP
        """
        with Words("report") as words:
            page = words.path("report.html")
            words.option("data", self.folder)
            words.option("out", page)
            words.option("title", title)
            execute(words.words)
            return Report(page.read_text("utf-8"))

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Turns errors of DuckDB into sentences."""
        duckdb = _duckdb()
        try:
            yield
        except duckdb.Error as error:
            if isinstance(error, duckdb.ConnectionException):
                raise Error(
                    f"{self._given}: the connection is closed; robocensus.open gives another"
                ) from error
            raise Error(_in_one_line(error)) from error
        except RuntimeError as error:
            # What DuckDB makes of Ctrl-C.
            if "Query interrupted" not in str(error):
                raise
            raise KeyboardInterrupt("the SQL was interrupted") from error


class Dataset(_Tables):
    """A dataset: tables, views, queries, a report.

    Made by ``run`` and ``open``.

    Attributes:
        summary: The figures of ``robocensus run --summary-json``; None for a dataset that was
            opened: they are known at the end of a run only.
    """

    def __init__(
        self,
        folder: PathOption,
        ended: Ended | None = None,
        summary: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(folder, ended)
        self.summary = summary
        if _kind(self.description) == "comparison":
            raise Error(
                f"{self._given}: expected a dataset of robocensus run, but this is a comparison; "
                "robocensus.open(folder, robocensus.Comparison) opens it"
            )

    def query(
        self,
        query: PathOption,
        /,
        *,
        before: PathOption | Dataset | None = None,
        **variables: Variable,
    ) -> Result:
        """Runs a stored query, a file of SQL or SQL, with the checks of the command line.

        Values that the dataset does not have are refused with the nearest that it has, and what
        figures alone would hide becomes a warning (:class:`Note`) and ``Result.notes``. The rows
        are those of ``robocensus query``, run by the DuckDB executable.

        Args:
            query: A name of ``queries()``, a path that ends with .sql, or SQL.
            before: An earlier dataset, for queries that compare two.
            variables: The variables of the query, such as ``agent="CCBot"``.

        Raises:
            Error: There is no such query, variable or value, or DuckDB refuses the SQL.

        Example:
            >>> census.query("compare-hosts-by-crawl", agent="CCBot").chart()  # doctest: +SKIP
        """
        return _query([self.folder], query, before, variables)

    def hosts(self) -> duckdb.DuckDBPyRelation:
        """Returns the view ``hosts`` as a DuckDB relation on ``connection``.

        One row for each origin (scheme, host and port) that was asked for its robots.txt;
        ``filter("is_primary")`` has one for each host name, and ``is_primary_of_domain`` one for
        each registered domain. ``table("hosts")`` has the rows of all crawls. "robocensus help
        history" describes it.

        Example:
            >>> census.hosts().filter("is_primary").aggregate("count(*)")  # doctest: +SKIP
        """
        with self._errors():
            return self.connection.sql("FROM hosts")

    def changes(self, other: PathOption | Dataset) -> Changes:
        """Returns what changed since an earlier dataset."""
        return Changes(self, other if isinstance(other, Dataset) else Dataset(other))

    def check(
        self,
        host: str,
        archives: Inputs,
        *,
        agent: str | None = None,
        url: str | None = None,
        dialect: Dialect = "google",
    ) -> str:
        """Returns the verdict on a host with its evidence, as text: the lines and why they decide.

        The robots.txt is read from its archive; redirects are followed.

        Args:
            host: A host name, or an origin such as ``"https://example.com:8443"``.
            archives: Where the archives are, as for ``run``.
            agent: Product tokens, separated by commas; ``*`` by default.
            url: A URL of the host, or its path; ``/`` by default.
            dialect: A dialect, or ``"all"``.

        Raises:
            Error: The dataset has no fetch of the host, or an archive cannot be read.

        Example:
            >>> print(census.check("example.com", "crawl", agent="GPTBot"))  # doctest: +SKIP
        """
        with Words("check") as words:
            words.option("data", self.folder)
            for archive in input_words(archives):
                words.option("archives", archive)
            words.option("host", host)
            words.option("agent", agent)
            words.option("url", url)
            words.option("dialect", words.dialect("dialect", dialect))
            return execute(words.words).stdout.decode("utf-8")

    def verify(self) -> Verification:
        """Checks the files against the manifests; findings are no exception.

        Raises:
            Error: The folder cannot be checked.
        """
        ended = execute(["verify", "--json", "--", str(self.folder)])
        return Verification(json.loads(ended.stdout))


class Comparison(_Tables):
    """What flips between two parsers: tables, totals, a report.

    Made by ``compare`` and ``open``.

    Attributes:
        summary: The object in ``_comparison.json``: sides and totals.
    """

    def __init__(self, folder: PathOption, ended: Ended | None = None) -> None:
        super().__init__(folder, ended)
        if _kind(self.description) != "comparison":
            raise Error(
                f"{self._given}: expected a comparison, but this is a dataset of robocensus run"
            )
        self.summary: dict[str, Any] = _json(self.folder / _TOTALS, self._given)

    def __repr__(self) -> str:
        return f"robocensus.open({self._given!r}, robocensus.Comparison)"

    def query(self, query: PathOption, /, **variables: Variable) -> Result:
        """Runs SQL, or a file of SQL, over the tables flips, causes, parser_faults and timings.

        Raises:
            Error: DuckDB refuses the SQL, or a stored query was named: those need a dataset.
        """
        return _query([self.folder], query, None, variables)


@dataclass(frozen=True)
class Changes:
    """What changed between two datasets.

    Attributes:
        dataset: The later one.
        before: The earlier one.
    """

    dataset: Dataset
    before: Dataset

    def count(self, **variables: Variable) -> Result:
        """Returns the rows of ``count-changes``: a row for each kind of change."""
        return self.dataset.query("count-changes", before=self.before, **variables)

    def hosts(self, **variables: Variable) -> Result:
        """Returns the rows of ``list-hosts-that-changed``."""
        return self.dataset.query("list-hosts-that-changed", before=self.before, **variables)


class Verification:
    """What ``robocensus verify`` found.

    Attributes:
        figures: Its JSON object: archives, bytes, captures, files, parts and findings.
    """

    def __init__(self, figures: dict[str, Any]) -> None:
        self.figures = figures

    @property
    def is_sound(self) -> bool:
        """Whether the files are as they were published."""
        return bool(self.figures["is_sound"])

    @property
    def findings(self) -> list[Any]:
        """What is wrong, an entry for each finding."""
        return list(self.figures["findings"])

    def __bool__(self) -> bool:
        return self.is_sound

    def __repr__(self) -> str:
        sound = "sound" if self.is_sound else f"{len(self.findings)} findings"
        return f"<robocensus.Verification: {sound}>"


def _description(folder: PathOption) -> dict[str, Any]:
    path = Path(folder) / _DESCRIPTION
    if not path.is_file():
        raise Error(
            f"{os.fspath(folder)}: expected the folder of a dataset, such as robocensus run writes, "
            "but found none"
        )
    return _json(path, os.fspath(folder))


def _kind(description: Mapping[str, Any]) -> object:
    options = description.get("options")
    return options.get("kind") if isinstance(options, dict) else None


def _json(path: Path, folder: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise Error(f"{folder}: cannot read {path.name}: {error}") from error
    if not isinstance(value, dict):
        raise Error(f"{folder}: expected an object in {path.name}")
    return value


def _texts(variables: Mapping[str, Variable]) -> list[tuple[str, str]]:
    """Returns the variables that are set, as text."""
    texts = []
    for name, value in variables.items():
        if not _NAME.match(name):
            raise ValueError(f"expected letters, digits and _ in the variable {name!r}")
        if isinstance(value, bool):
            texts.append((name, str(value).lower()))
        elif isinstance(value, (str, int, float)):
            texts.append((name, str(value)))
        elif isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
            texts.append((name, ",".join(value)))
        elif value is not None:
            raise TypeError(f"{name}: expected a string, a number or a list, but got {value!r}")
    return texts


def _setting(name: str, value: str) -> str:
    return f"SET VARIABLE {name} = {literal(value)}"


def _duckdb() -> Any:
    try:
        return importlib.import_module("duckdb")
    except ImportError as error:
        raise ImportError("the connection of a dataset needs duckdb: pip install duckdb") from error


def _in_one_line(error: Exception) -> str:
    """Returns the message of DuckDB as the command line prints it."""
    message = str(error)
    _, expected, sentence = message.partition("Invalid Input Error: expected ")
    if expected:
        return f"expected {sentence.splitlines()[0]}"
    lines = (line.strip() for line in message.splitlines())
    return "DuckDB: " + "; ".join(line for line in lines if line and not line.startswith("^"))


def _execute_again(words: Words) -> Ended:
    """Runs a query whose rows came with their notes already."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return execute(words.words)


def _rows(connection: duckdb.DuckDBPyConnection, text: str) -> Result | None:
    """Returns the rows of the last statement of a text, or None where it has none."""
    relation = connection.sql(text)
    if relation is None:
        return None
    path = temporary_parquet()
    try:
        write_relation(relation, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Result(path)


def _interruptible(
    connection: duckdb.DuckDBPyConnection, work: Callable[[], Result | None]
) -> Result | None:
    """Does work with a connection, which Ctrl-C ends.

    DuckDB looks for signals between tasks only, and writing a file may be one long task. So the
    work has a thread of its own, and this one interrupts the connection.
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while not wait([future], _TICK).done:
                pass
        except BaseException:
            # The work may not have come to DuckDB yet, which forgets an interrupt between queries.
            while not future.done():
                connection.interrupt()
                wait([future], _TICK)
            raise
        return future.result()
