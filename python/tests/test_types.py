"""Programs of users pass `mypy --strict`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import robocensus
from robocensus.protego import Protego

census = robocensus.open("census")
hosts = census.hosts().filter("is_primary").fetchall()
reveal_type(census)
reveal_type(robocensus.open("flips", robocensus.Comparison))
flips: int = robocensus.open("flips", robocensus.Comparison).summary["totals"]["flips"]

agents: Sequence[str] = ("GPTBot", "CCBot")
answers: Mapping[str, object] = MappingProxyType({"base": "google"})
made = robocensus.run("crawl", "census", agents=agents, dialects=[answers, "rfc9309"])
rows = made.query("compare-hosts-by-crawl", agent="CCBot").rows()
result = made.sql("SELECT getvariable('agents') AS agents", agents=agents)
if result is not None:
    print(result.columns)

dialect = robocensus.Dialect("google")
robocensus.run("crawl", "census", dialects=dialect)
robocensus.run("crawl", "census", dialects=[dialect])
compared = robocensus.compare("crawl", "flips", baseline=dialect, candidate="exec:parser")
again = robocensus.compare("crawl", "2", baseline=dialect, candidate="python", only=compared)

robots = robocensus.Robots(b"User-agent: *")
decision = robots.decide(agents, "/", dialect)
verdict: str = decision.verdict
names: list[str] = robocensus.decide_rows([b""], "GPTBot", ["/"])["verdict"].to_pylist()
may: bool = Protego.parse("").can_fetch("/", robocensus.product_token(b"GPTBot/1.0"))
"""


def test_a_program_of_a_user_passes_mypy_strict(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "program.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Success: no issues found" in done.stdout, done.stdout + done.stderr
    revealed = [line.split('"')[1] for line in done.stdout.splitlines() if "Revealed" in line]
    assert revealed == ["robocensus.datasets.Dataset", "robocensus.datasets.Comparison"]
