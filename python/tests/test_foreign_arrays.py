"""Arrays of producers that break the rules of the Arrow C data interface, or use its liberties."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import textwrap
from typing import Any

import pyarrow as pa
import pytest
from robocensus import decide_many, decide_rows

# The C structures of the interface.
_ADDRESSES = ("children", "dictionary", "release", "private")


class Schema(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_char_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in _ADDRESSES),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        *(
            (name, ctypes.c_int64)
            for name in ("length", "null_count", "offset", "n_buffers", "n_children")
        ),
        ("buffers", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in _ADDRESSES),
    ]


class Stream(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_void_p)
        for name in ("get_schema", "get_next", "get_last_error", "release", "private")
    ]


FILL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
MESSAGE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
#: Whatever a structure points to lives as long as the tests.
ALIVE: list[Any] = []


def address(value: Any) -> int:
    ALIVE.append(value)
    found = ctypes.cast(value, ctypes.c_void_p).value
    assert found is not None
    return found


def capsule(structure: Any, name: bytes) -> Any:
    ALIVE.append((structure, name))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(structure), name, None)


def keep(_: int | None) -> None:
    """Releases nothing."""


def structures(
    kind: bytes = b"u",
    offsets: tuple[int, ...] = (0, 3, 6),
    pointers: tuple[bool, ...] = (False, True, True),
    **fields: int,
) -> tuple[Schema, Array]:
    """Returns an array of two texts, with other fields, and without some of its buffers."""
    values = (None, address((ctypes.c_int32 * len(offsets))(*offsets)), address(b"abcdef"))
    shown = [value if is_shown else None for value, is_shown in zip(values, pointers)]
    buffers = (ctypes.c_void_p * len(shown))(*shown)
    release = address(RELEASE(keep))
    schema = Schema(format=kind, name=b"", flags=2, release=release)
    array = {"length": 2, "n_buffers": len(shown), "buffers": address(buffers), **fields}
    return schema, Array(release=release, **array)


class OfArray:
    """A producer of one array."""

    def __init__(self, **change: Any) -> None:
        self.structures = structures(**change)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        schema, array = self.structures
        return capsule(schema, b"arrow_schema"), capsule(array, b"arrow_array")


class OfStream:
    """A producer of a stream of the same array, which may end with an error."""

    def __init__(self, message: bytes | None = None, status: int = 0, **change: Any) -> None:
        self.left = [structures(**change)[1]]
        self.schema = structures(**change)[0]
        self.message, self.status = message, status

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        def get_schema(_: int, out: int) -> int:
            ctypes.memmove(out, ctypes.addressof(self.schema), ctypes.sizeof(Schema))
            return 0

        def get_next(_: int, out: int) -> int:
            array = self.left.pop() if self.left else Array()
            ctypes.memmove(out, ctypes.addressof(array), ctypes.sizeof(Array))
            return self.status

        def last_error(_: int) -> int | None:
            return None if self.message is None else address(self.message)

        stream = Stream(
            get_schema=address(FILL(get_schema)),
            get_next=address(FILL(get_next)),
            get_last_error=address(MESSAGE(last_error)),
            release=address(RELEASE(keep)),
        )
        return capsule(stream, b"arrow_array_stream")


@pytest.mark.parametrize("producer", [OfArray, OfStream])
def test_structures_of_these_tests_are_read(producer: Any) -> None:
    found = decide_rows(producer(), "a", "/")
    assert found["verdict"].to_pylist() == ["allow", "allow"]


@pytest.mark.parametrize("producer", [OfArray, OfStream])
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"offsets": (0, 3, -6)}, "expected offsets from 0, but found -6"),
        ({"length": -2}, "expected lengths from 0"),
        ({"offset": -1}, "expected lengths from 0"),
        ({"length": 2**63 - 1, "offset": 2}, "expected lengths from 0"),
        ({"offsets": (0, 5, 3)}, "expected a valid Arrow array|bodies: "),
        ({"kind": b"zzz"}, "expected a valid Arrow array"),
        ({"kind": b"\xff"}, "expected a valid Arrow array"),
        ({"kind": b"+s", "n_children": 1}, "expected a valid Arrow array"),
        ({"kind": b"+w:99999999999"}, "expected a valid Arrow array"),
        ({"pointers": ()}, "expected a valid Arrow array"),
        ({"n_buffers": 2}, "expected a valid Arrow array"),
        ({"n_children": -1, "kind": b"+s"}, "expected a valid Arrow array"),
    ],
    ids=str,
)
def test_malformed_arrays_are_refused(producer: Any, change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        decide_many(producer(**change), ["a"], ["/"])


def test_the_error_of_a_stream_is_told() -> None:
    with pytest.raises(ValueError, match="no such table"):
        decide_many(OfStream(status=5, message=b"no such table"), ["a"], ["/"])
    with pytest.raises(ValueError, match="the stream ended with the error 5"):
        decide_many(OfStream(status=5), ["a"], ["/"])


@pytest.mark.parametrize("producer", [OfArray, OfStream])
def test_an_array_without_rows_needs_no_buffers(producer: Any) -> None:
    empty = producer(length=0, pointers=(False, False, False))
    assert len(decide_rows(empty, "a", "/")) == 0


def test_a_column_of_nulls_has_no_decisions() -> None:
    polars = pytest.importorskip("polars")
    for column in (pa.nulls(2), polars.Series([None, None]), polars.DataFrame({"b": [None, None]})):
        assert decide_rows(column, "a", "/")["verdict"].to_pylist() == [None, None]


def test_a_row_that_is_null_has_no_decision() -> None:
    texts = pa.array(["User-agent: *\nDisallow: /"] * 3 + [None])
    mask = pa.array([False, True, False, False])
    for column in (texts, texts.dictionary_encode(), texts.cast(pa.large_binary())):
        rows = pa.StructArray.from_arrays([column], ["body"], mask=mask)
        for some, wanted in [
            (rows, ["disallow", None, "disallow", None]),
            (rows[1:], [None, "disallow", None]),
        ]:
            assert decide_rows(some, "a", "/x")["verdict"].to_pylist() == wanted


def test_too_little_memory_is_an_exception() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            textwrap.dedent(
                """
                import resource, robocensus
                bodies, texts = ["User-agent: *"] * 5_000, [f"/{n}" for n in range(100)]
                for gigabytes in (0.125, 0.25, 0.5, 0.75, 1):
                    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
                    limit = used + int(gigabytes * 2**30)
                    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
                    try:
                        robocensus.decide_many(bodies, texts, texts)
                    except MemoryError as error:
                        print(error)
                """
            ),
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout.splitlines() == ["no memory for 50000000 decisions"] * 5
