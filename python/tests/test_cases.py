"""The case files of the Rust tests: answers in Python are those of the library."""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import robocensus

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "cases"
OWN = ROOT / "tests" / "conformance"

FILES = [
    (OWN / "google.jsonl.gz", 115_142),
    (OWN / "python.jsonl.gz", 40_442),
    (SHARED / "access.jsonl", 1),
    (SHARED / "google-real.jsonl.gz", 80_000),
    (SHARED / "google-suite.jsonl", 100),
    (SHARED / "python-suite.jsonl", 50),
    (SHARED / "scope.jsonl", 30),
    (SHARED / "verdicts.jsonl", 300),
]


def cases(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        message = f"{path.name}: this file is not part of the repository"
        assert os.environ.get("CI") != "true", message
        pytest.skip(message)
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in text.splitlines():
        yield json.loads(line)


def queries(case: dict[str, Any]) -> list[dict[str, Any]]:
    return case.get("queries", [case])


@pytest.mark.parametrize("path, at_least", FILES, ids=lambda value: getattr(value, "name", ""))
def test_cases_have_the_answers_of_the_library(path: Path, at_least: int) -> None:
    asked, wrong = 0, []
    for case in cases(path):
        dialect = case.get("dialect", "google")
        if "robots" in case or "robots_b64" in case:
            body = case.get("robots")
            robots = robocensus.Robots(
                base64.b64decode(case["robots_b64"]) if body is None else body
            )
            for query in queries(case):
                decision = robots.decide(
                    query.get("agents") or query["agent"], query["url"], dialect
                )
                asked += 1
                found = {"expect": decision.verdict, "line": decision.rule_line or 0}
                if any(query[key] != value for key, value in found.items() if key in query):
                    wrong.append((case["id"], query, decision))
        elif "robots_url" in case:
            asked += 1
            if robocensus.applies_to(case["robots_url"], case["url"]) != case["applies"]:
                wrong.append(case)
        else:
            asked += 1
            access = robocensus.decide_access(
                case.get("status", 302),
                dialect,
                redirect_hops=case.get("redirect_hops", 0),
                redirect_loop=case.get("redirect_loop", False),
            )
            if access != case["expect"]:
                wrong.append((case, access))
    assert not wrong, wrong[:5]
    assert asked >= at_least


def test_columns_have_the_answers_of_the_library() -> None:
    bodies, agents, urls, expected = [], [], [], []
    for case in cases(OWN / "google.jsonl.gz"):
        body = case.get("robots")
        body = base64.b64decode(case["robots_b64"]) if body is None else body
        for query in queries(case):
            if "agent" in query:
                bodies.append(body)
                agents.append(query["agent"])
                urls.append(query["url"])
                expected.append((query["expect"], query["line"]))
    for threads in (1, 3):
        batch = robocensus.decide_rows(bodies, agents, urls, threads=threads)
        lines = [line or 0 for line in batch["rule_line"].to_pylist()]
        assert list(zip(batch["verdict"].to_pylist(), lines)) == expected
