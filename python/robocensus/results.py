"""Rows of a query, and reports, as Python, notebooks and other libraries take them."""

from __future__ import annotations

import functools
import html
import importlib
import os
import re
import tempfile
import weakref
from collections.abc import Callable, Sequence
from datetime import timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error
from .options import PathOption

if TYPE_CHECKING:
    import duckdb

__all__ = ["Chart", "Report", "Result"]

#: Rows that a notebook shows.
_SHOWN_ROWS = 20
#: Characters of a cell that a notebook shows.
_SHOWN_CHARACTERS = 120
#: Height of a report in a notebook, in pixels.
_REPORT_HEIGHT = 640


class Result:
    """Rows with names and types, independent of the connection that made them.

    The rows are in a temporary Parquet file, which is removed with the object. Integers are
    integers: sums, which are HUGEINT in DuckDB, are int64 (decimal128 beyond). Times are in UTC.

    Attributes:
        notes: Sentences without which the figures may mislead; they were warnings as well.

    Example:
        >>> result = open("census").query("count-captures-by-status")  # doctest: +SKIP
        >>> result.pandas()  # doctest: +SKIP
    """

    notes: tuple[str, ...]

    def __init__(
        self,
        path: Path,
        notes: Sequence[str] = (),
        chart: Callable[[], Chart] | None = None,
    ) -> None:
        self.notes = tuple(notes)
        self._path = path
        self._chart = chart
        self._relation: duckdb.DuckDBPyRelation | None = None
        self._remove = weakref.finalize(self, _remove, path, os.getpid())

    def relation(self) -> duckdb.DuckDBPyRelation:
        """Returns the rows as a DuckDB relation on a connection of their own, in memory."""
        connection = importlib.import_module("duckdb").connect()
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(
            f"CREATE TABLE result AS FROM read_parquet({literal(pattern(self._path))})"
        )
        relation: duckdb.DuckDBPyRelation = connection.table("result")
        return relation

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._shape().columns)

    @property
    def types(self) -> list[str]:
        """The types of the columns, in the words of DuckDB."""
        return [str(kind) for kind in self._shape().types]

    def _shape(self) -> duckdb.DuckDBPyRelation:
        if self._relation is None:
            self._relation = self._own()
        return self._relation

    def _own(self) -> duckdb.DuckDBPyRelation:
        """Returns a relation that reads the file, which is gone when the object is."""
        connection = importlib.import_module("duckdb").connect()
        relation: duckdb.DuckDBPyRelation = connection.read_parquet(pattern(self._path))
        return relation

    def __len__(self) -> int:
        row = self._own().aggregate("count(*)").fetchall()[0]
        return int(row[0])

    def arrow(self) -> Any:
        """Returns a ``pyarrow.Table``.

        Raises:
            ImportError: pyarrow is not installed.
        """
        parquet = _needed("pyarrow.parquet", "pyarrow", "arrow()")
        return parquet.ParquetFile(self._path).read()

    def pandas(self) -> Any:
        """Returns a ``pandas.DataFrame``; integers with NULL are floats in pandas.

        Raises:
            ImportError: pandas is not installed.
        """
        _needed("pandas", "pandas", "pandas()")
        return self._own().df()

    df = pandas

    def polars(self) -> Any:
        """Returns a ``polars.DataFrame``.

        Raises:
            ImportError: polars is not installed.
        """
        polars = _needed("polars", "polars", "polars()")
        return polars.read_parquet(self._path, hive_partitioning=False)

    def rows(self) -> list[dict[str, Any]]:
        """Returns a dict for each row, of Python's own types; times are in UTC, NULL is None."""
        return self._first(None)

    def _first(self, count: int | None) -> list[dict[str, Any]]:
        relation = self._own()
        if count is not None:
            relation = relation.limit(count)
        names = list(relation.columns)
        is_time = [str(kind) == "TIMESTAMP WITH TIME ZONE" for kind in relation.types]
        # As times without zone, DuckDB needs no pytz for them.
        cells = [
            f"{quoted(name)} AT TIME ZONE 'UTC' AS {quoted(name)}" if of_time else quoted(name)
            for name, of_time in zip(names, is_time)
        ]
        found = relation.project(", ".join(cells)).fetchall()
        return [
            {
                name: cell.replace(tzinfo=timezone.utc) if of_time and cell is not None else cell
                for name, of_time, cell in zip(names, is_time, row)
            }
            for row in found
        ]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Gives the rows to any library that takes Arrow streams (PyCapsule interface)."""
        return self.relation().__arrow_c_stream__(requested_schema)

    def chart(self) -> Chart:
        """Returns the chart of the query, as ``robocensus query --chart`` draws it.

        Raises:
            Error: The query has no chart, or the rows are those of ``sql()``.
        """
        if self._chart is None:
            raise Error("rows of sql() have no chart: query() takes SQL too, and draws it")
        return self._chart()

    def __repr__(self) -> str:
        return f"<robocensus.Result: {self._size()}: {', '.join(self.columns)}>"

    def _size(self) -> str:
        rows, columns = len(self), len(self.columns)
        return f"{rows:,} row{'s' * (rows != 1)}, {columns} column{'s' * (columns != 1)}"

    def _repr_html_(self) -> str:
        head = "".join(
            f"<th>{html.escape(name)}<br><small>{html.escape(kind)}</small></th>"
            for name, kind in zip(self.columns, self.types)
        )
        body = "".join(
            "<tr>" + "".join(_cell(cell) for cell in row.values()) + "</tr>"
            for row in self._first(_SHOWN_ROWS)
        )
        notes = "".join(f"<p><em>{html.escape(note)}</em></p>" for note in self.notes)
        size = self._size() + (f"; the first {_SHOWN_ROWS}" if len(self) > _SHOWN_ROWS else "")
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p><small>{size}</small></p>{notes}"
        )


class Chart:
    """A chart, which a notebook shows.

    Attributes:
        svg: The chart as a file of SVG.
    """

    def __init__(self, svg: str, specification: Callable[[], dict[str, Any]]) -> None:
        self.svg = svg
        self._specification = specification

    @functools.cached_property
    def vega_lite(self) -> dict[str, Any]:
        """The chart as a specification of Vega-Lite 5, with its rows."""
        return self._specification()

    def save(self, path: PathOption) -> Path:
        """Writes the SVG and returns its path; an existing file is replaced.

        Raises:
            Error: The name does not end with ``.svg``.
            OSError: The file cannot be written.
        """
        path = Path(path)
        if path.suffix.lower() != ".svg":
            raise Error(f"{path}: expected the name of a file that ends with .svg")
        path.write_text(self.svg, "utf-8")
        return path

    def __repr__(self) -> str:
        return f"<robocensus.Chart: {len(self.svg):,} characters>"

    def _repr_svg_(self) -> str:
        return self.svg


class Report:
    """A report as a page of HTML, without scripts.

    Attributes:
        html: The page, as ``robocensus report`` writes it.
    """

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: PathOption) -> Path:
        """Writes the page and returns its path; an existing file is replaced.

        Raises:
            OSError: The file cannot be written.
        """
        path = Path(path)
        path.write_text(self.html, "utf-8")
        return path

    def __repr__(self) -> str:
        return f"<robocensus.Report: {len(self.html):,} characters>"

    def _repr_html_(self) -> str:
        # In a frame the styles of the page and of the notebook do not meet; sandbox without a value
        # denies scripts, forms and access to the notebook.
        return (
            f'<iframe sandbox srcdoc="{html.escape(self.html, quote=True)}" '
            f'style="width: 100%; height: {_REPORT_HEIGHT}px; border: 0"></iframe>'
        )


def temporary_parquet() -> Path:
    """Returns the path of an empty temporary file."""
    handle, path = tempfile.mkstemp(prefix="robocensus-", suffix=".parquet")
    os.close(handle)
    return Path(path)


def quoted(name: str) -> str:
    """Returns a name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Returns text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def pattern(path: Path) -> str:
    """Returns the pattern of DuckDB's readers that a path alone matches."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _without_huge(kind: Any, other: str) -> str | None:
    """Returns a type with another one for integers of 128 bits in it; None if it has none."""
    if kind.id in ("hugeint", "uhugeint"):
        return other
    if kind.id not in ("list", "array", "struct", "map"):
        return None
    # The second of an array is its size.
    children = kind.children[:1] if kind.id == "array" else kind.children
    types = [_without_huge(child, other) for _, child in children]
    if not any(types):
        return None
    names = [each or str(child) for each, (_, child) in zip(types, children)]
    if kind.id == "struct":
        fields = (f"{quoted(name)} {each}" for (name, _), each in zip(children, names))
        return f"STRUCT({', '.join(fields)})"
    if kind.id == "map":
        return f"MAP({', '.join(names)})"
    size = kind.children[1][1] if kind.id == "array" else ""
    return f"{names[0]}[{size}]"


def write_relation(relation: duckdb.DuckDBPyRelation, path: Path) -> None:
    """Writes rows as Parquet, without HUGEINT: Parquet has no such type, and DuckDB rounds it."""
    duckdb = importlib.import_module("duckdb")
    for other in ("BIGINT", "DECIMAL(38, 0)"):
        casts = ", ".join(
            f"CAST({quoted(name)} AS {type_}) AS {quoted(name)}"
            for name, kind in zip(relation.columns, relation.types)
            if (type_ := _without_huge(kind, other))
        )
        cast = relation.project(f"* REPLACE ({casts})") if casts else relation
        try:
            cast.write_parquet(str(path))
            return
        except duckdb.ConversionException:
            if not casts or other != "BIGINT":
                raise


def _cell(cell: object) -> str:
    if cell is None:
        return '<td style="opacity: 0.5">NULL</td>'
    text = str(cell)
    if len(text) > _SHOWN_CHARACTERS:
        text = text[: _SHOWN_CHARACTERS - 1] + "\N{HORIZONTAL ELLIPSIS}"
    is_number = isinstance(cell, (int, float)) and not isinstance(cell, bool)
    align = "right" if is_number else "left"
    return f'<td style="text-align: {align}">{html.escape(text)}</td>'


def _needed(module: str, package: str, what: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{what} needs {package}: pip install {package}") from error


def _remove(path: Path, process: int) -> None:
    # A child that was forked has the object too, and ends before its parent reads the file.
    if os.getpid() == process:
        path.unlink(missing_ok=True)
