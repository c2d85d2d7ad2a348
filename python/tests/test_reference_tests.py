"""The tests of the parsers that the drop-ins stand for, run against the drop-ins.

They are CPython's ``test.test_robotparser``, which the installed Python may lack, and those of the
source distribution of Protego. Where a drop-in answers otherwise on purpose, ``differences.txt``
lists the test with the reason; a test that is listed and passes fails here.
"""

from __future__ import annotations

import functools
import io
import os
import subprocess
import sys
import tarfile
import unittest
import urllib.robotparser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from robocensus.robotparser import RobotFileParser

FOLDER = Path(__file__).parent
PROTEGO = FOLDER.parents[1] / "target" / "protego-tests"

# Puts the drop-in in the place of the package, for the modules of tests that are imported after it.
PLUGIN = """
import sys
import robocensus.protego
import protego._utils
sys.modules["protego"] = robocensus.protego
"""


def listed(suite: str, dialect: str) -> set[str]:
    """Returns the tests that are listed as different, each of which has a reason."""
    lines = (FOLDER / "differences.txt").read_text("utf-8").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    tests = set()
    for entry in entries:
        head, separator, reason = entry.partition(": ")
        of_suite, of_dialect, test = head.split(" ", 2)
        assert separator and reason, entry
        if (of_suite, of_dialect) == (suite, dialect):
            assert test not in tests, entry
            tests.add(test)
    return tests


@pytest.mark.parametrize("dialect", ["google", "python"])
def test_the_tests_of_cpython_pass_but_for_the_listed_differences(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not find_spec("test") or not find_spec("test.test_robotparser"):
        pytest.skip("the installed Python comes without its own tests")
    theirs = urllib.robotparser.RobotFileParser()
    theirs.parse(["User-agent: *", "Disallow: /a", "User-agent: *", "Disallow: /b"])
    if not theirs.can_fetch("x", "/b"):
        pytest.skip("the installed Python joins groups: it is later than the dialect python")
    monkeypatch.setattr(import_module("test.support"), "use_resources", ())  # no network
    module = import_module("test.test_robotparser")
    parser = functools.partial(RobotFileParser, dialect=dialect)
    monkeypatch.setattr(urllib.robotparser, "RobotFileParser", parser)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(io.StringIO()).run(suite)
    # A subtest counts as its test.
    failed = [getattr(test, "test_case", test) for test, _ in result.failures + result.errors]
    names = {test.id().removeprefix("test.test_robotparser.") for test in failed}
    assert result.testsRun >= 60 and names == listed("cpython", dialect)


def test_the_tests_of_protego_pass_but_for_the_listed_differences(tmp_path: Path) -> None:
    archives = list(PROTEGO.glob("*.tar.gz"))
    if not archives and os.environ.get("CI") != "true":
        pytest.skip("the sources of Protego cannot be downloaded; make test-python tries it")
    [archive] = archives
    with tarfile.open(archive) as sources:
        for member in sources:
            name = Path(member.name).name
            if name in ("test_protego.py", "test_on_google_spec.py"):
                (tmp_path / name).write_bytes(sources.extractfile(member).read())  # type: ignore[union-attr]
    (tmp_path / "dropin.py").write_text(PLUGIN, "utf-8")
    words = [sys.executable, "-m", "pytest", "-p", "dropin", "-p", "no:cacheprovider"]
    words += ["-W", "ignore", "-q", "--tb=no", "-rf", "--rootdir", str(tmp_path), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "300"}
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    failed = [line.split(" - ")[0] for line in done.stdout.splitlines() if "FAILED" in line]
    names = {line.removeprefix("FAILED ").rpartition("::")[2] for line in failed}
    assert done.returncode == 1 and names == listed("protego", "google"), done.stdout
