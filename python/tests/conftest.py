"""Datasets that several tests read."""

from __future__ import annotations

import os
import signal
import stat
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from robocensus import datasets, program, runs

SAMPLE = Path(__file__).parents[2] / "data-sample"

# Shells ignore it in what they start in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def archives() -> Path:
    """The folder of the archives of the sample."""
    return SAMPLE / "archives"


@pytest.fixture(scope="session")
def census(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> datasets.Dataset:
    """The dataset of the sample, under two dialects."""
    out = tmp_path_factory.mktemp("sample") / "census"
    return runs.run(archives, out, dialects=["google", "rfc9309"], progress=False)


@pytest.fixture(scope="session")
def comparison(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> datasets.Comparison:
    """The comparison of the same dialects."""
    out = tmp_path_factory.mktemp("sample") / "flips"
    return runs.compare(archives, out, baseline="google", candidate="rfc9309", progress=False)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes a script in Python the program; its process id is in the returned file."""

    def make(script: str) -> Path:
        path = tmp_path / "program"
        pid = tmp_path / "pid"
        head = f"#!{sys.executable}\nimport os, pathlib, signal, subprocess, sys, time\n"
        head += f"pathlib.Path({str(pid)!r}).write_text(str(os.getpid()))\n"
        path.write_text(head + textwrap.dedent(script), "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv(program.PROGRAM_VARIABLE, str(path))
        return pid

    return make


@pytest.fixture
def is_gone() -> Callable[[Path], bool]:
    """Whether the process of a file with its id is gone, and no zombie."""

    def gone(pid: Path) -> bool:
        try:
            os.kill(int(pid.read_text()), 0)
        except ProcessLookupError:
            return True
        return False

    return gone
