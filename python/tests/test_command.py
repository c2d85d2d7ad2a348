"""The program as the wheel installs it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import robocensus

ROOT = Path(__file__).parents[2]
SCRIPT = Path(sys.executable).with_name("robocensus")


def run(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SCRIPT), *words], capture_output=True, text=True, timeout=300, check=False, **options
    )  # type: ignore[call-overload, no-any-return]


def test_the_command_and_the_module_are_one_program() -> None:
    assert run("--version").stdout == f"robocensus {robocensus.__version__}\n"
    module = subprocess.run(
        [sys.executable, "-m", "robocensus", "dialects", "--json"], capture_output=True, check=True
    )
    assert module.stdout.decode() == run("dialects", "--json").stdout


def test_the_package_can_be_compared_with_another_version(archives: Path, tmp_path: Path) -> None:
    adapter = ROOT / "parsers" / "python" / "robocensus_parser.py"
    for candidate, code in [("google-legacy", 0), ("google", 1)]:
        ran = run(
            *("compare", str(archives), "--out", str(tmp_path / candidate), "--quiet"),
            *("--baseline", f"exec:{sys.executable} {adapter} google-legacy"),
            *("--candidate", candidate),
        )
        assert ran.returncode == code, ran.stdout + ran.stderr


def test_exit_codes_and_messages_are_those_of_the_program() -> None:
    wrong = run("nonsense")
    assert wrong.returncode == 2 and "nonsense" in wrong.stderr and not wrong.stdout
    missing = run("run", "no/such/file", "--out", "x")
    assert missing.returncode == 2 and "no/such/file" in missing.stderr
    assert "Traceback" not in missing.stderr
    robots = "User-agent: *\nDisallow: /\n"
    words = ["check", "-", "--agent", "x", "--url", "https://a/b", "--exit-code"]
    assert run(*words, input=robots).returncode == 1


def test_a_reader_that_closes_the_pipe_is_success() -> None:
    process = subprocess.Popen(
        [str(SCRIPT), "tables", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait(60) == 0 and process.stderr.read() == b""
    process.stderr.close()


def test_queries_need_nothing_else(tmp_path: Path) -> None:
    census = tmp_path / "census"
    archives = str(ROOT / "data-sample" / "archives")
    made = run("run", archives, "--out", str(census), "--quiet")
    assert made.returncode in (0, 1), made.stderr
    # Neither a DuckDB of the user nor one of the build tree.
    environment = {"PATH": "/nowhere", "HOME": str(tmp_path)}
    asked = run(
        "query",
        "count-hosts-blocking-gptbot",
        "--data",
        str(census),
        "--format",
        "csv",
        env=environment,
    )
    assert asked.returncode == 0, asked.stderr
    assert len(asked.stdout.splitlines()) > 1


def sleeper(tmp_path: Path) -> list[str]:
    pipe = tmp_path / "endless.warc"
    os.mkfifo(pipe)
    return [str(SCRIPT), "run", str(pipe), "--out", str(tmp_path / "census"), "--quiet"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_ctrl_c_ends_a_run(tmp_path: Path) -> None:
    process = subprocess.Popen(sleeper(tmp_path), stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=30)
    assert process.returncode == 2 and "Traceback" not in message, message


def test_ctrl_c_ends_what_does_not_handle_it(tmp_path: Path) -> None:
    # Standard input never ends, and `check` only reads.
    process = subprocess.Popen(
        [str(SCRIPT), "check", "-", "--agent", "a", "--url", "/"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(1.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT


def test_completions_and_manual_pages(tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = run("completions", shell)
        assert script.returncode == 0 and "summary-json" in script.stdout
        if shutil.which(shell):
            subprocess.run([shell, "-n"], input=script.stdout, text=True, check=True)
    folder = tmp_path / "man1"
    assert run("man", str(folder)).returncode == 0
    pages = {page.name: page.read_text() for page in folder.iterdir()}
    assert {"robocensus.1", "robocensus-run.1", "robocensus-query.1"} <= set(pages)
    for name, page in pages.items():
        assert page.startswith((".ie", ".TH")) and ".SH SYNOPSIS" in page, name
    assert "\\-\\-part\\-size" in pages["robocensus-run.1"]
    (tmp_path / "file").write_text("")
    refused = run("man", str(tmp_path / "file" / "man1"))
    assert refused.returncode == 2 and "cannot create the folder" in refused.stderr
