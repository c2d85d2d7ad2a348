"""Functions of DuckDB and expressions of polars."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import robocensus
from robocensus import Robots

BODIES = ["User-agent: *\nDisallow: /a\n", r"User-agent: *\nDisallow: /\x41", None, ""]


@pytest.fixture
def connection():  # type: ignore[no-untyped-def]
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    robocensus.register(connection)
    connection.execute("CREATE TABLE files (id INTEGER, body VARCHAR, url VARCHAR)")
    rows = [(n, BODIES[n % 4], "/a" if n % 3 else None) for n in range(10_000)]
    connection.executemany("INSERT INTO files VALUES (?, ?, ?)", rows[:40])
    connection.execute(
        "INSERT INTO files SELECT id + 40 * n, body, url FROM files, range(1, 250) AS r(n)"
    )
    return connection


def test_functions_decide_in_sql(connection) -> None:  # type: ignore[no-untyped-def]
    rows = connection.sql(
        "SELECT body, url, can_fetch(body, 'GPTBot', url), robots_verdict(body, 'GPTBot', url),"
        " robots_rule_line(body, 'GPTBot', url) FROM files"
    ).fetchall()
    assert len(rows) == 10_000
    for body, url, may, verdict, line in rows:
        if body is None or url is None:
            assert (may, verdict, line) == (None, None, None)
        else:
            decision = Robots(body).decide("GPTBot", url)
            assert (may, verdict, line) == (
                bool(decision),
                decision.verdict,
                decision.rule_line,
            )


def test_dialects_and_blobs_and_columns_of_agents(connection) -> None:  # type: ignore[no-untyped-def]
    robocensus.register(connection)
    body = b"User-agent: *\nDisallow: /caf\xe9\n"
    connection.execute("CREATE TABLE raw AS SELECT ?::BLOB AS body", [body])
    query = "SELECT robots_rule_line(body, 'x', '/caf%E9', dialect := 'rfc9309') FROM raw"
    assert connection.sql(query).fetchall() == [
        (Robots(body).decide("x", "/caf%E9", "rfc9309").rule_line,)
    ]
    mixed = connection.sql(
        "SELECT d, robots_verdict('User-agent: *\nDisallow: /*x', 'a', '/ax', dialect := d) AS v"
        " FROM (VALUES ('google'), ('original-1994'), (NULL)) AS t(d) ORDER BY d NULLS LAST"
    ).fetchall()
    assert mixed == [("google", "disallow"), ("original-1994", "allow"), (None, None)]


def test_cursors_and_further_connections_get_the_functions(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    query = "SELECT can_fetch('User-agent: *\nDisallow: /a', 'x', '/a')"
    first = duckdb.connect(str(tmp_path / "a.db"))
    robocensus.register(first)
    cursor, second = first.cursor(), duckdb.connect(str(tmp_path / "a.db"))
    for connection in (cursor, second, first, cursor):
        robocensus.register(connection)
        assert connection.sql(query).fetchall() == [(False,)]
    # Cursors may close with their connection.
    first.close()
    assert second.sql(query).fetchall() == [(False,)]
    second.close()
    again = duckdb.connect(str(tmp_path / "a.db"))
    robocensus.register(again)
    assert again.sql(query).fetchall() == [(False,)]


def test_a_wrong_dialect_is_an_error_of_the_query(connection) -> None:  # type: ignore[no-untyped-def]
    duckdb = pytest.importorskip("duckdb")
    with pytest.raises(duckdb.Error, match="expected one of google"):
        connection.sql("SELECT can_fetch('', 'a', '/', dialect := 'bing')").fetchall()


def test_functions_work_without_pyarrow() -> None:
    script = """
import sys
sys.modules["pyarrow"] = None
import duckdb, robocensus
connection = duckdb.connect()
robocensus.register(connection)
print(connection.execute(
    "SELECT list(can_fetch(b, 'x', '/a')) FROM"
    " (VALUES (chr(10) || 'User-agent: *' || chr(10) || 'Disallow: /a'), (''), (NULL)) AS t(b)"
).fetchall())
"""
    pytest.importorskip("duckdb")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.strip() == "[([False, True, None],)]", done.stderr


def test_expressions_decide_in_polars() -> None:
    pl = pytest.importorskip("polars")
    import robocensus.polars  # noqa: F401

    frame = pl.DataFrame(
        {"body": [b"User-agent: *\nDisallow: /a\n", None, b""], "url": ["/a", "/a", "/b"]}
    )
    found = frame.select(
        may=pl.col("body").robots.can_fetch("GPTBot", pl.col("url")),
        verdict=pl.col("body").robots.verdict("GPTBot", "/a", "rfc9309"),
        line=pl.col("body").robots.rule_line("GPTBot", pl.col("url")),
    )
    assert found.to_dict(as_series=False) == {
        "may": [False, None, True],
        "verdict": ["disallow", None, "allow"],
        "line": [2, None, None],
    }
    assert frame.clear().select(pl.col("body").robots.can_fetch("a", "/")).height == 0
    with pytest.raises(Exception, match="expected one of google"):
        frame.select(pl.col("body").robots.verdict("GPTBot", "/a", "bing"))
