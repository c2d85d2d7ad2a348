"""Decisions over columns of several libraries, and columns that are none."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
import threading
from typing import Any

import pytest
import robocensus
from robocensus import Robots, decide_many, decide_rows

pa = pytest.importorskip("pyarrow")

BODIES = ["User-agent: *\nDisallow: /a\n", "", None, "User-agent: GPTBot\nDisallow: /\n", "\udcff"]
AGENTS = ["GPTBot", "Googlebot"]
URLS = ["/a", "/b"]


def expected(dialect: str = "google") -> list[str | None]:
    return [
        None if body is None else Robots(body).decide(agent, url, dialect).verdict
        for body in BODIES
        for agent in AGENTS
        for url in URLS
    ]


def as_bytes(values: list[Any]) -> list[bytes | None]:
    return [v if v is None else v.encode("utf-8", "surrogateescape") for v in values]


def producers() -> list[Any]:
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    body = as_bytes(BODIES)
    binary = pa.array(body, pa.binary())
    table = pa.table({"body": binary})
    return [
        ("list", BODIES),
        ("tuple of bytes", tuple(body)),
        ("binary", binary),
        ("large_binary", pa.array(body, pa.large_binary())),
        ("binary_view", pa.array(body, pa.binary_view())),
        ("dictionary", binary.dictionary_encode()),
        ("sliced", pa.array([b"x", *body, b"y"], pa.binary()).slice(1, len(body))),
        ("chunked", pa.chunked_array([body[:2], [], body[2:]], pa.binary())),
        ("table", table),
        ("batch", table.to_batches()[0]),
        ("polars series", polars.Series(body, dtype=polars.Binary)),
        ("polars frame", polars.DataFrame({"body": body})),
        ("pandas", pandas.Series(body, dtype=pandas.ArrowDtype(pa.binary()))),
        ("duckdb", duckdb.connect().from_arrow(table)),
    ]


@pytest.mark.parametrize("index", range(14))
def test_every_producer_gives_the_same(index: int) -> None:
    name, bodies = producers()[index]
    batch = decide_many(bodies, AGENTS, URLS)
    assert batch["verdict"].to_pylist() == expected(), name
    assert batch.num_rows == len(batch) == 20


def test_columns_of_the_product_are_in_order() -> None:
    batch = decide_many(BODIES, AGENTS, URLS, ["google", "rfc9309"])
    rows = pa.table(batch).to_pylist()
    assert [row["body_index"] for row in rows] == sorted(row["body_index"] for row in rows)
    assert [(r["dialect"], r["agent"], r["url"]) for r in rows[:8]] == [
        (dialect, agent, url)
        for dialect in ("google", "rfc9309")
        for agent in AGENTS
        for url in URLS
    ]
    for row in rows:
        body = BODIES[row["body_index"]]
        if body is None:
            assert row["verdict"] is row["basis"] is row["rule_line"] is row["group_line"] is None
            continue
        decision = Robots(body).decide(row["agent"], row["url"], row["dialect"])
        for key in ("verdict", "basis", "group_line", "rule_line"):
            assert row[key] == getattr(decision, key)
    assert batch.column_names == list(pa.table(batch).column_names)
    assert batch.to_pydict() == pa.table(batch).to_pydict()


def test_a_chain_is_a_list_in_the_list() -> None:
    body = "User-agent: Googlebot-News\nDisallow: /\n"
    batch = decide_many([body], [["Googlebot-News", "Googlebot"], "Googlebot"], "/")
    assert batch["agent"].to_pylist() == ["Googlebot-News,Googlebot", "Googlebot"]
    assert batch["verdict"].to_pylist() == ["disallow", "allow"]


def test_texts_that_are_not_utf8_stay_bytes() -> None:
    batch = decide_many(["User-agent: *\nDisallow: /\udce9\n"], ["x"], ["/\udce9", "/b"], "rfc9309")
    assert batch["url"].to_pylist() == [b"/\xe9", b"/b"]
    assert batch["verdict"].to_pylist() == ["disallow", "allow"]


def test_rows_are_decided_one_by_one() -> None:
    count = 5000
    bodies = [BODIES[n // 700 % 5] for n in range(count)]
    agents = pa.array([None if n % 11 == 0 else AGENTS[n % 2] for n in range(count)])
    urls = pa.array(
        [None if n % 13 == 0 else URLS[n % 2] for n in range(count)]
    ).dictionary_encode()
    one, many = (decide_rows(bodies, agents, urls, threads=n).to_pydict() for n in (1, 4))
    assert one == many
    for row in range(0, count, 37):
        texts = (bodies[row], agents[row].as_py(), urls[row].as_py())
        if None in texts:
            assert one["verdict"][row] is None
        else:
            decision = Robots(texts[0]).decide(*texts[1:])
            assert one["verdict"][row] == decision.verdict
            assert one["rule_line"][row] == decision.rule_line


def test_a_text_is_for_all_rows() -> None:
    batch = decide_rows(BODIES[0], "GPTBot", ["/a", "/b"])
    assert batch["verdict"].to_pylist() == ["disallow", "allow"]
    assert decide_rows(BODIES[0], "GPTBot", "/a")["verdict"].to_pylist() == ["disallow"]
    assert len(decide_rows([], "GPTBot", "/a")) == 0
    assert len(decide_many([], AGENTS, URLS)) == len(decide_many(BODIES, [], URLS)) == 0
    assert decide_rows(pa.nulls(2), "GPTBot", "/a")["verdict"].to_pylist() == [None, None]


def numpy(values: list[Any]) -> Any:
    return pytest.importorskip("numpy").array(values, dtype=object)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (
            lambda: decide_rows(BODIES, ["a", "b"], "/"),
            ValueError,
            "agents: expected 5 values, as many as bodies has, but found 2",
        ),
        (lambda: decide_many(BODIES, ["a", None], URLS), TypeError, "agents[1]: expected str"),
        (
            lambda: decide_many(BODIES, pa.array(["a", None]), URLS),
            ValueError,
            "agents[1]: expected a text, but found null",
        ),
        (lambda: decide_many(BODIES, AGENTS, [None]), ValueError, "urls[0]: expected a text"),
        (lambda: decide_many(None, AGENTS, URLS), TypeError, "bodies: expected str, bytes, a list"),
        (lambda: decide_many([1], AGENTS, URLS), TypeError, "bodies[0]: expected str or bytes"),
        (lambda: decide_many({}, AGENTS, URLS), TypeError, "but found dict"),
        (lambda: decide_rows(numpy(BODIES), "a", "/"), TypeError, "but found ndarray"),
        (lambda: decide_rows("", "a", numpy(URLS)), TypeError, "but found ndarray"),
        (
            lambda: decide_many(pa.array([1]), AGENTS, URLS),
            TypeError,
            "bodies: expected an Arrow array of strings or binary values, but found Int64",
        ),
        (
            lambda: decide_many(pa.table({"a": ["x"], "b": ["y"]}), AGENTS, URLS),
            ValueError,
            "bodies: expected an array or a table of one column, but found 2 columns",
        ),
        (lambda: decide_many(BODIES, AGENTS, URLS, "Google"), ValueError, "expected one of google"),
        (lambda: decide_many(BODIES, AGENTS, URLS, threads=0), ValueError, "zero"),
        (
            lambda: decide_many([""] * 70_000, ["a"] * 200, ["/"] * 200),
            ValueError,
            "expected at most 2147483647 decisions, but found 70000 bodies x 1 dialects x 200 agents",
        ),
        (lambda: decide_many([""], AGENTS, URLS)["no"], KeyError, "expected one of the columns"),
    ],
)
def test_wrong_columns_have_a_sentence(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=re.escape(says)):
        call()


class Fake:
    """An object whose capsules are what the test wants."""

    def __init__(self, array: Any = None, stream: Any = None) -> None:
        if array is not None:
            self.__arrow_c_array__ = lambda requested_schema=None: array()
        if stream is not None:
            self.__arrow_c_stream__ = lambda requested_schema=None: stream()


def swapped() -> Any:
    schema, array = pa.array(["x"]).__arrow_c_array__()
    return array, schema


def foreign_schema() -> Any:
    return pa.array([1.5]).__arrow_c_array__()[0], pa.array(["x", "y"]).__arrow_c_array__()[1]


def consumed() -> Any:
    pair = pa.array(["x"]).__arrow_c_array__()
    decide_rows(Fake(array=lambda: pair), "a", "/")
    return pair


def offsets(values: list[int]) -> Any:
    buffers = [None, pa.array(values, pa.int32()).buffers()[1], pa.py_buffer(b"User-agent: *")]
    return pa.Array.from_buffers(pa.string(), len(values) - 1, buffers)


@pytest.mark.parametrize(
    "bodies",
    [
        Fake(array=lambda: None),
        Fake(array=lambda: (1, 2)),
        Fake(array=lambda: (1, 2, 3)),
        Fake(array=swapped),
        Fake(array=foreign_schema),
        Fake(array=consumed),
        Fake(stream=lambda: "no capsule"),
        Fake(stream=lambda: pa.array(["x"]).__arrow_c_array__()[0]),
        offsets([0, 9, 4, 13]),
        pa.DictionaryArray.from_arrays(pa.array([0, 7]), pa.array(["x"]), safe=False),
        pa.DictionaryArray.from_arrays(pa.array([0, -1]), pa.array(["x"]), safe=False),
        pa.array([["x"]]),
        pa.array([{"a": "x", "b": 1}]),
        pa.chunked_array([[1], [2]]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_hostile_arrays_raise(bodies: Any) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        decide_many(bodies, AGENTS, URLS)


def test_a_producer_that_raises_is_heard() -> None:
    def fails() -> Any:
        raise RuntimeError("the producer fails")

    with pytest.raises(RuntimeError, match="the producer fails"):
        decide_many(Fake(stream=fails), AGENTS, URLS)

    def batches() -> Any:
        yield pa.record_batch({"body": ["x"]})
        raise RuntimeError("the second batch fails")

    schema = pa.schema({"body": pa.string()})
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(ValueError, match="the second batch fails"):
        decide_many(reader, AGENTS, URLS)


def test_threads_decide_at_once() -> None:
    bodies = [body or "" for body in BODIES] * 200
    wanted = decide_many(bodies, AGENTS, URLS)["verdict"].to_pylist()
    found: list[Any] = []

    def decide() -> None:
        found.append(decide_many(bodies, AGENTS, URLS, threads=2)["verdict"].to_pylist())

    threads = [threading.Thread(target=decide) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 8


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_forked_processes_decide() -> None:
    done = run(
        """
        import multiprocessing, robocensus
        def work(n):
            bodies = ["User-agent: *\\nDisallow: /a\\n"] * 500
            return len(robocensus.decide_many(bodies, ["x"], ["/a"], threads=4))
        work(0)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map(work, range(4)))
        """
    )
    assert done.stdout.strip() == "[500, 500, 500, 500]", done.stderr


@pytest.mark.parametrize(("bodies", "urls"), [(400, 9_000), (1, 400_000)])
def test_ctrl_c_ends_a_long_call(bodies: int, urls: int) -> None:
    done = run(
        f"""
        import os, signal, threading, time, robocensus
        body = "User-agent: *\\n" + "".join(f"Disallow: /*{{n}}*a*b*c$\\n" for n in range(2000))
        urls = ["/" + "1a2b" * 200 + str(n) for n in range({urls})]
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            robocensus.decide_many([body] * {bodies}, ["a"], urls)
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start < 60)
        """
    )
    assert done.stdout.strip() == "interrupted True", (done.stdout, done.stderr)


@pytest.mark.parametrize("threads", [1, 3])
def test_parts_of_a_body_are_decided_as_the_whole(threads: int) -> None:
    agents = ["bot" + "x" * n for n in range(41)]
    urls = [f"/{n}" for n in range(1_031)]
    bodies = ["User-agent: *\nDisallow: /1\n\nUser-agent: botxxx\nDisallow: /2\n", None, ""]
    batch = decide_many(bodies, agents, urls, ["google", "rfc9309"], threads=threads)
    assert len(batch) == 3 * 2 * 41 * 1_031
    columns = ["body_index", "dialect", "agent", "url", "verdict", "group_line", "rule_line"]
    cells = zip(*(batch[name].to_pylist() for name in columns))
    for body, dialect, agent, url, verdict, group_line, rule_line in cells:
        first, rule = (4, "/2") if agent == "botxxx" else (1, "/1")
        is_disallowed = url.startswith(rule)
        wanted: tuple[Any, ...] = (None, None, None)
        if body == 0:
            line = first + 1 if is_disallowed else None
            wanted = ("disallow" if is_disallowed else "allow", first, line)
        elif body == 2:
            wanted = ("allow", None, None)
        assert (verdict, group_line, rule_line) == wanted, (body, dialect, agent, url)


def test_a_batch_goes_to_every_library() -> None:
    batch = decide_many([BODIES[0]], AGENTS, URLS)
    wanted = ["disallow", "allow"] * 2
    assert pa.table(batch)["verdict"].to_pylist() == wanted
    assert pa.array(batch["verdict"]).to_pylist() == wanted
    assert pytest.importorskip("polars").DataFrame(batch)["verdict"].to_list() == wanted
    duckdb = pytest.importorskip("duckdb")
    assert [row[0] for row in duckdb.sql("SELECT verdict FROM batch").fetchall()] == wanted
    assert isinstance(batch, robocensus.Batch)
    assert list(batch) == batch.column_names and "verdict" in batch
