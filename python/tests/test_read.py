"""Captures of archives as batches."""

from __future__ import annotations

import gzip
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from datetime import timezone
from pathlib import Path

import pytest
import robocensus

ARCHIVES = Path(__file__).parents[2] / "data-sample" / "archives"


def test_captures_are_those_of_a_dataset(census) -> None:  # type: ignore[no-untyped-def]
    batches = list(robocensus.read(ARCHIVES))
    rows = [row for batch in batches for row in zip(*batch.to_pydict().values())]
    names = batches[0].column_names
    assert all(batch.column_names == names and len(batch) <= 1024 for batch in batches)
    columns = [name for name in names if name not in ("body", "is_truncated")]
    wanted = census.connection.sql(
        f"SELECT {', '.join(columns)} FROM captures ORDER BY warc_filename, warc_record_offset"
    ).fetchall()
    keys = [names.index(name) for name in columns]
    found = [tuple(row[key] for key in keys) for row in rows]
    time = columns.index("fetch_time")

    def naive(row: tuple) -> tuple:  # type: ignore[type-arg]
        value = row[time]
        if value is not None and value.tzinfo is not None:
            value = value.astimezone(timezone.utc).replace(tzinfo=None)
        return (*row[:time], value, *row[time + 1 :])

    order = columns.index("warc_filename"), columns.index("warc_record_offset")
    found.sort(key=lambda row: tuple(row[n] for n in order))
    assert [naive(row) for row in found] == [naive(row) for row in wanted]
    assert any(row[names.index("body")] for row in rows)


def test_a_damaged_archive_is_listed(tmp_path: Path) -> None:
    archive = tmp_path / "cut.warc.gz"
    source = next(ARCHIVES.glob("sample-2026.warc.gz")).read_bytes()
    archive.write_bytes(source[: len(source) // 2])
    reader = robocensus.read([str(archive)])
    assert sum(len(batch) for batch in reader) > 0
    [(name, fault)] = reader.damaged
    assert name == "cut.warc.gz" and fault


def test_a_reader_ends_early(tmp_path: Path) -> None:
    with robocensus.read(ARCHIVES) as reader:
        assert len(next(reader)) > 0
    assert next(reader, None) is None
    reader = robocensus.read(ARCHIVES)
    del reader


def test_bodies_are_cut(tmp_path: Path) -> None:
    lengths = [
        len(body or b"")
        for batch in robocensus.read(ARCHIVES, max_body=100)
        for body in batch["body"].to_pylist()
    ]
    assert max(lengths) == 100


def test_inputs_that_are_none() -> None:
    with pytest.raises(robocensus.Error, match="no/such/archive"):
        robocensus.read("no/such/archive.warc.gz")
    with pytest.raises(TypeError, match="archives: expected a str or a path"):
        robocensus.read(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_body: expected a number of bytes"):
        robocensus.read(ARCHIVES, max_body=0)


def test_garbage_gives_no_rows(tmp_path: Path) -> None:
    archive = tmp_path / "garbage.warc.gz"
    archive.write_bytes(gzip.compress(b"WARC/1.0\r\n" * 1000) + b"\xff" * 5000)
    reader = robocensus.read(archive)
    assert sum(len(batch) for batch in reader) == 0 and reader.damaged


def test_threads_share_a_reader() -> None:
    wanted = sum(len(batch) for batch in robocensus.read(ARCHIVES))
    for _ in range(20):
        with robocensus.read(ARCHIVES) as reader, ThreadPoolExecutor(4) as pool:
            found = pool.map(lambda batches: sum(map(len, batches)), [reader] * 4)
            assert sum(found) == wanted


def test_a_reader_does_not_pass_to_a_fork() -> None:
    script = f"""
        import os, robocensus
        reader = robocensus.read({str(ARCHIVES)!r})
        child = os.fork()
        if child == 0:
            try:
                next(reader)
            except RuntimeError as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(sum(map(len, reader)) > 0)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "the process that called read()" in done.stdout and done.stdout.endswith("True\n"), done
