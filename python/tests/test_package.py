"""What an installation contains, and what importing it costs."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
import robocensus

ROOT = Path(__file__).parents[2]


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )


def test_importing_imports_nothing_large() -> None:
    done = run(
        "import sys, robocensus; robocensus.Robots('').decide('a', '/');"
        "print(sorted({'duckdb', 'pyarrow', 'pandas', 'polars', 'numpy', 'tqdm',"
        " 'asyncio', 'subprocess', 'urllib.request'} & set(sys.modules)))"
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_every_name_is_there_and_documented() -> None:
    for name in robocensus.__all__:
        value = getattr(robocensus, name)
        assert name == "DIALECTS" or (value.__doc__ or "").strip(), name
    assert set(robocensus.__all__) <= set(dir(robocensus))
    for name in ("Robots", "Decision", "Batch", "CaptureReader"):
        for method, value in vars(getattr(robocensus, name)).items():
            if not method.startswith("_"):
                assert (value.__doc__ or "").strip(), f"{name}.{method}"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        robocensus.nonsense  # noqa: B018


def test_the_distribution_has_its_parts() -> None:
    files = {str(file) for file in distribution("robocensus").files or []}
    assert {"robocensus/py.typed", "robocensus/_native.pyi"} <= files
    assert robocensus.__version__ == distribution("robocensus").version
    assert any("LICENSE-MIT" in name for name in files)


def test_the_stubs_are_those_of_the_module() -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "robocensus._native", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_sub_interpreter_is_refused_in_a_sentence() -> None:
    done = run(
        """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import robocensus
one = interpreters.create()
script = '''
try:
    import robocensus
    print("robocensus works:", robocensus.Robots("").can_fetch("a", "/"))
except ImportError as error:
    print(error)
'''
result = interpreters.run_string(one, script)
print(robocensus.Robots("").can_fetch("a", "/"))
"""
    )
    # What the other one prints may come last, when it ends.
    said, true = sorted(done.stdout.strip().splitlines(), key=lambda line: line == "True")
    assert "robocensus" in said and done.returncode == 0, done.stdout + done.stderr
    assert true == "True"


def test_the_session_of_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An installation alone brings none of these.
    for library in ("numpy", "pandas", "polars", "pyarrow", "tqdm"):
        monkeypatch.setitem(sys.modules, library, None)
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    [session] = re.findall(r"^```pycon\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "data-sample").symlink_to(ROOT / "data-sample")
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(session, {}, "python.md", None, None)
    runner = doctest.DocTestRunner()
    runner.run(test, clear_globs=False)
    assert runner.summarize().failed == 0
    assert runner.tries == 13
    assert len(test.globs["rows"]) > 0 and test.globs["hosts"][0][0] > 100


def test_the_page_names_what_is_there() -> None:
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    names = re.findall(r"`from (robocensus\.\w+) import (\w+)`", page)
    assert len(names) == 2
    for module, name in names:
        assert hasattr(importlib.import_module(module), name)
    setting = re.search(r'ROBOTSTXT_PARSER = "(robocensus\.\w+)\.(\w+)"', page)
    assert setting and hasattr(importlib.import_module(setting[1]), setting[2])
    assert "pip install ." in page and (ROOT / "python" / "notebooks").is_dir()
