"""Captures of archives as batches."""

from __future__ import annotations

import gzip
import subprocess
import sys
import textwrap
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

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


SAMPLE = (ARCHIVES / "sample-2026.warc.gz").read_bytes()
HALF = len(SAMPLE) // 2
# Archives that are damaged, by the cause in their names.
DAMAGED = {
    "truncated.warc.gz": SAMPLE[:HALF],
    "damaged.warc.gz": SAMPLE[:HALF] + b"\xff" * 100 + SAMPLE[HALF + 100 :],
    "no-warc.warc.gz": b"hello " * 1000,
    "garbage.warc.gz": gzip.compress(b"WARC/1.0\r\n" * 1000) + b"\xff" * 5000,
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Serves the damaged archives, and one whose connection ends early and whose rest is gone."""

    class Handler(BaseHTTPRequestHandler):
        cuts = 0

        def do_HEAD(self) -> None:
            name = self.path[1:]
            body = {**DAMAGED, "cut.warc.gz": SAMPLE}.get(name)
            if name == "cut.warc.gz":
                Handler.cuts = 0 if self.command == "HEAD" else Handler.cuts + 1
                body = body if Handler.cuts < 2 else None
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            if self.command == "GET" and body:
                self.wfile.write(body[:HALF] if name == "cut.warc.gz" else body)
                self.close_connection = True

        do_GET = do_HEAD

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


REMOTE = [*DAMAGED, "cut.warc.gz", "gone.warc.gz", "refused.warc.gz"]


@pytest.mark.parametrize(
    "place, name", [("file", n) for n in DAMAGED] + [("url", n) for n in REMOTE]
)
def test_an_archive_that_is_damaged_or_not_there_warns_or_raises(
    place: str, name: str, tmp_path: Path, server: str
) -> None:
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(SAMPLE)
    damaged = tmp_path / name
    damaged.write_bytes(DAMAGED.get(name, b""))
    folder = "http://127.0.0.1:9" if name == "refused.warc.gz" else server
    archive = f"{folder}/{name}" if place == "url" else str(damaged)
    reader = robocensus.read([archive, str(whole)])
    with pytest.warns(robocensus.Note) as notes:
        rows = sum(map(len, reader))
    [(found, fault)] = reader.damaged
    assert found == name and [str(note.message) for note in notes] == [f"{name}: {fault}"]
    assert notes[0].filename == __file__
    # The other archive is read too, and with an exception what comes before the damage.
    n_whole = sum(map(len, robocensus.read(whole, errors="raise")))
    assert rows >= n_whole > 0
    reader, rows_before = robocensus.read(archive, errors="raise"), 0
    with pytest.raises(robocensus.Error, match=f"^{name}: "):
        for batch in reader:
            rows_before += len(batch)
    assert rows_before == rows - n_whole and next(reader, None) is None
    assert (rows_before > 0) is (name in ("truncated.warc.gz", "damaged.warc.gz"))


def test_a_warning_that_is_an_exception_ends_no_reading(tmp_path: Path) -> None:
    archive = tmp_path / "cut.warc.gz"
    archive.write_bytes(SAMPLE[:HALF])
    reader = robocensus.read([archive, ARCHIVES / "sample-2026.warc.gz"])
    with warnings.catch_warnings(), pytest.raises(robocensus.Note):
        warnings.simplefilter("error")
        for _ in reader:
            pass
    assert sum(map(len, reader)) == sum(map(len, robocensus.read(ARCHIVES / "sample-2026.warc.gz")))


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
    with pytest.raises(ValueError, match='errors: expected "warn" or "raise", but found "ignore"'):
        robocensus.read(ARCHIVES, errors="ignore")  # type: ignore[arg-type]


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
