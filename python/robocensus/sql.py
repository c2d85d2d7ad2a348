"""Decisions in SQL: functions for DuckDB.

>>> import duckdb  # doctest: +SKIP
>>> connection = duckdb.connect()  # doctest: +SKIP
>>> register(connection)  # doctest: +SKIP
>>> connection.sql("SELECT can_fetch('User-agent: *', 'GPTBot', '/')").fetchall()  # doctest: +SKIP
[(True,)]
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from ._native import decide_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]

_TYPES = ["BLOB", "VARCHAR", "VARCHAR", "VARCHAR"]

# A text is bytes to the parser; a cast of VARCHAR to BLOB would interpret backslashes.
_BODY = "CASE typeof(body) WHEN 'BLOB' THEN body::BLOB ELSE encode(body::VARCHAR) END"

_MACROS = f"""
CREATE OR REPLACE TEMP MACRO robots_verdict(body, agent, url, dialect := 'google') AS
    robocensus_verdict({_BODY}, agent, url, dialect);
CREATE OR REPLACE TEMP MACRO can_fetch(body, agent, url, dialect := 'google') AS
    robocensus_verdict({_BODY}, agent, url, dialect) = 'allow';
CREATE OR REPLACE TEMP MACRO robots_rule_line(body, agent, url, dialect := 'google') AS
    robocensus_rule_line({_BODY}, agent, url, dialect);
"""


def register(connection: DuckDBPyConnection) -> None:
    """Adds functions on robots.txt to a connection of DuckDB.

    ``can_fetch(body, agent, url)`` is a BOOLEAN, ``robots_verdict(body, agent, url)`` is ``'allow'``,
    ``'disallow'`` or ``'undefined'``, and ``robots_rule_line(body, agent, url)`` the INTEGER number
    of the line that decided, NULL where none did. Each takes ``dialect := 'rfc9309'``. A body is a
    BLOB or a VARCHAR; NULL gives NULL.

    With pyarrow installed the functions get columns, without it a row at a time, which is slower.
    Calling it again does no harm. A cursor, and another connection to the same database, need a call
    of their own: ``register(connection.cursor())``.
    """
    kind: Literal["arrow", "native"] = "arrow" if find_spec("pyarrow") else "native"
    functions: list[tuple[str, Callable[..., Any], str]] = [
        ("robocensus_verdict", _verdicts if kind == "arrow" else _verdict, "VARCHAR"),
        ("robocensus_rule_line", _lines if kind == "arrow" else _line, "INTEGER"),
    ]
    for name, function, result in functions:
        # A function is of the database, and may be that of an earlier call on any of its connections.
        if not _exists(connection, name):
            # DuckDB takes the names of its enumerations, of which the types do not know.
            connection.create_function(  # type: ignore[call-overload]
                name, function, _TYPES, result, type=kind, null_handling="special"
            )
    # Macros are of the connection: in the database, they would be written to its file.
    connection.execute(_MACROS)


def _exists(connection: DuckDBPyConnection, name: str) -> bool:
    query = "SELECT count(*) FROM duckdb_functions() WHERE function_name = ?"
    # All rows, since a result that is not read to its end blocks the connection.
    ((found,),) = connection.execute(query, [name]).fetchall()
    return bool(found)


def _columns(bodies: Any, agents: Any, urls: Any, dialects: Any, column: str) -> Any:
    """Returns a column of decisions; the rows of a dialect are decided together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pc.unique(dialects).to_pylist()
    if len(names) == 1 and names[0] is not None:
        return _decoded(decide_rows(bodies, agents, urls, names[0]), column)
    results: list[Any] = [None] * len(dialects)
    for name in names:
        if name is None:
            continue
        rows = pc.indices_nonzero(pc.equal(dialects, name))
        of_rows = [pc.take(values, rows) for values in (bodies, agents, urls)]
        decided = decide_rows(of_rows[0], of_rows[1], of_rows[2], name)[column].to_pylist()
        for row, value in zip(rows.to_pylist(), decided, strict=True):
            results[row] = value
    return pa.array(results, pa.int32() if column == "rule_line" else pa.string())


def _decoded(batch: Any, column: str) -> Any:
    import pyarrow as pa

    values = pa.array(batch[column])
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def _verdicts(bodies: Any, agents: Any, urls: Any, dialects: Any) -> Any:
    return _columns(bodies, agents, urls, dialects, "verdict")


def _lines(bodies: Any, agents: Any, urls: Any, dialects: Any) -> Any:
    return _columns(bodies, agents, urls, dialects, "rule_line")


def _row(body: Any, agent: Any, url: Any, dialect: Any, column: str) -> Any:
    if dialect is None:
        return None
    return decide_rows([body], [agent], [url], dialect)[column].to_pylist()[0]


def _verdict(body: Any, agent: Any, url: Any, dialect: Any) -> Any:
    return _row(body, agent, url, dialect, "verdict")


def _line(body: Any, agent: Any, url: Any, dialect: Any) -> Any:
    return _row(body, agent, url, dialect, "rule_line")
