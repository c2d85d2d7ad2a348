"""robots.txt: a parser that answers as Google's does, and archives of files as Parquet tables.

One file::

    >>> import robocensus
    >>> robots = robocensus.Robots("User-agent: GPTBot\\nDisallow: /private\\n")
    >>> decision = robots.decide("GPTBot", "https://example.com/private/a")
    >>> decision.verdict, decision.rule_line, bool(decision)
    ('disallow', 2, False)

Many files, in arrays of Arrow: :func:`decide_many`, :func:`decide_rows`, :func:`read`; in SQL:
:func:`register`. Archives to a dataset and its figures: :func:`run`, :func:`open`,
:func:`compare`. In the place of another parser: :mod:`robocensus.robotparser` for that of the
standard library, :mod:`robocensus.protego` for Protego, :mod:`robocensus.scrapy` in Scrapy.

A text of a robots.txt is `bytes`, or a `str` in which U+DC80 to U+DCFF are the bytes that are not
UTF-8 (the error handler ``surrogateescape``); texts are returned as such a `str`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

try:
    from . import _native
except ImportError as error:
    # CPython's own sentence on an interpreter within an interpreter names no module.
    if "subinterpreter" in str(error):
        raise ImportError(
            "robocensus: expected the main interpreter of the process, but this is a"
            " sub-interpreter, which the extension module does not support; use a process"
        ) from error
    raise
from ._native import (
    DIALECTS,
    AgentLine,
    Batch,
    CaptureReader,
    Decision,
    Dialect,
    Finding,
    Group,
    Record,
    Robots,
    Rule,
    Signal,
    applies_to,
    decide_access,
    decide_many,
    decide_rows,
    read,
)
from .agents import product_token
from .errors import Error, Note

if TYPE_CHECKING:
    from .datasets import Comparison, Dataset, open, queries, query
    from .runs import compare, run, sample
    from .sql import register

__version__: str = _native.__version__

__all__ = [
    "DIALECTS",
    "AgentLine",
    "Batch",
    "CaptureReader",
    "Comparison",
    "Dataset",
    "Decision",
    "Dialect",
    "Error",
    "Finding",
    "Group",
    "Note",
    "Record",
    "Robots",
    "Rule",
    "Signal",
    "applies_to",
    "compare",
    "decide_access",
    "decide_many",
    "decide_rows",
    "open",
    "product_token",
    "queries",
    "query",
    "read",
    "register",
    "run",
    "sample",
]

# Imported when they are used, so that a crawler which only parses waits for nothing else.
_MODULES = {
    "Comparison": "datasets",
    "Dataset": "datasets",
    "compare": "runs",
    "open": "datasets",
    "queries": "datasets",
    "query": "datasets",
    "run": "runs",
    "sample": "runs",
    "register": "sql",
}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
