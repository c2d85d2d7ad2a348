"""The program as a subprocess: messages, progress, Ctrl-C, pipes."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from robocensus import datasets, duckdb_cli, program, runs
from robocensus.errors import Error, Note

Fake = Callable[[str], Path]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and scripts of POSIX")


def interrupt_soon(pid: Path, times: int = 1) -> threading.Thread:
    """Sends SIGINT to this process once the program runs, and again where it goes on."""

    def work() -> None:
        while not (pid.exists() and pid.read_text()):
            time.sleep(0.01)
        for _ in range(times):
            time.sleep(0.4)
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=work)
    thread.start()
    return thread


@contextmanager
def endless(archive: bytes) -> Iterator[IO[bytes]]:
    """A pipe from which an archive comes, then blank lines until no process reads it."""
    reader, writer = os.pipe()

    def write() -> None:
        try:
            rest = memoryview(archive)
            while rest:
                rest = rest[os.write(writer, rest) :]
            while True:
                os.write(writer, b"\r\n" * 4096)
        except BrokenPipeError:
            pass
        finally:
            os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    with os.fdopen(reader, "rb") as file:
        yield file
    thread.join(timeout=30)
    assert not thread.is_alive(), "a process still reads"


def test_the_program_is_that_of_the_interpreter_unless_a_variable_names_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(program.PROGRAM_VARIABLE, raising=False)
    assert program.command()[:2] == [sys.executable, "-c"]
    monkeypatch.setenv(program.PROGRAM_VARIABLE, "/opt/robocensus")
    assert program.command() == ["/opt/robocensus"]


def test_a_refusal_is_an_exception_with_the_sentence_of_the_command_line() -> None:
    with pytest.raises(
        Error, match="^NAME: no table and no view is called nonsense; expected one of"
    ) as error:
        program.execute(["tables", "nonsense"])
    assert error.value.exit_code == 2
    with pytest.raises(Error, match="^unexpected argument '--nonsense' found"):
        program.execute(["run", "--nonsense"])
    with pytest.raises(Error, match=r"'xml'.*\[possible values: auto, json\]$"):
        program.execute(["run", "a", "--out=b", "--progress=xml"])


def test_a_program_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(program.PROGRAM_VARIABLE, "/absent/robocensus")
    with pytest.raises(Error, match="^/absent/robocensus: cannot run the program: No such file"):
        program.execute(["--version"])


def test_notes_are_warnings_at_the_line_of_the_caller(fake: Fake) -> None:
    fake("print('robocensus: note: first', file=sys.stderr)\nsys.exit(1)")
    with pytest.warns(Note) as record:
        ended = program.execute([])
    assert [(str(note.message), note.filename) for note in record] == [("first", __file__)]
    assert ended.notes == ("first",)
    assert ended.exit_code == 1


def test_a_warning_that_is_an_error_ends_the_program(
    fake: Fake, is_gone: Callable[[Path], bool]
) -> None:
    pid = fake("""
        print('robocensus: note: first', file=sys.stderr, flush=True)
        time.sleep(60)
    """)
    begun = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        with pytest.raises(Note, match="first"):
            program.execute([])
    assert is_gone(pid) and time.monotonic() - begun < 20


def test_damaged_archives_are_a_warning_and_no_exception(tmp_path: Path, archives: Path) -> None:
    with pytest.warns(Note, match="^damaged or skipped: .*truncated-member.*offset 671") as record:
        census = runs.run(archives.parent / "damaged", tmp_path / "census", progress=False)
    assert len(record) == 1 and record[0].filename == __file__
    assert census.exit_code == 1
    assert [line.split(":")[0] for line in census.damage] == [
        "corrupt-member.warc.gz",
        "truncated-member.warc.gz",
    ]


def test_pipes_that_are_full_do_not_block(fake: Fake) -> None:
    fake("""
        sys.stderr.write(('{"progress":{"bytes":1}}' + chr(10)) * 100_000)
        sys.stdout.write('x' * 5_000_000)
        sys.stderr.write('y' * 5_000_000)
    """)
    figures: list[program.Progress] = []
    ended = program.execute([], progress=figures.append)
    assert (len(figures), len(ended.stdout)) == (100_000, 5_000_000)


def test_a_process_that_stays_behind_does_not_hold_the_caller(fake: Fake) -> None:
    fake("""
        subprocess.Popen(['sleep', '8'])
        print('robocensus: note: done', file=sys.stderr)
    """)
    begun = time.monotonic()
    with pytest.warns(Note, match="done"):
        assert program.execute([], stdout=subprocess.DEVNULL).exit_code == 0  # type: ignore[arg-type]
    assert time.monotonic() - begun < 7


def test_lines_that_are_no_progress_do_no_harm(fake: Fake) -> None:
    fake(r"""
        for line in ('{"progress": 7}', '{"progress":', '{"progress":[1]}', chr(0), '\ud800'):
            sys.stderr.buffer.write(line.encode('utf-8', 'surrogatepass') + b'\n')
        sys.stderr.buffer.write(b'\xff no line end')
    """)
    figures: list[program.Progress] = []
    assert program.execute([], progress=figures.append).exit_code == 0
    assert figures == []


def test_a_program_that_is_killed_is_an_exception(fake: Fake) -> None:
    fake("os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(Error, match="^the program was ended by the signal SIGKILL$") as error:
        program.execute([])
    assert error.value.exit_code == -signal.SIGKILL


def test_a_program_that_fails_without_a_sentence_shows_its_last_line(fake: Fake) -> None:
    fake("print('Traceback', file=sys.stderr)\nprint('E: why', file=sys.stderr)\nsys.exit(101)")
    with pytest.raises(Error, match="^the program ended with exit code 101: E: why$"):
        program.execute([])


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        ("raise LookupError('no such thing')", "LookupError: no such thing"),
        ("raise SystemExit('shadow')", "shadow"),
        ("raise SystemExit(1)", ""),
    ],
)
def test_an_interpreter_that_fails_at_import_is_an_exception(
    module: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(program.PROGRAM_VARIABLE, raising=False)
    (tmp_path / "signal.py").write_text(module, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    expected = f"^the program ended with exit code 1{sentence and f': {sentence}'}$"
    with pytest.raises(Error, match=expected):
        program.execute(["--version"])


def test_an_interpreter_that_cannot_start_is_an_exception(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(program.PROGRAM_VARIABLE, raising=False)
    monkeypatch.setenv("PYTHONHOME", "/absent")
    with pytest.raises(Error, match="^the program ended with exit code 1: "):
        program.execute(["--version"])


def test_a_named_program_that_ends_with_1_and_nothing_of_its_own_is_an_exception(
    fake: Fake,
) -> None:
    fake("raise LookupError('no such thing')")
    with pytest.raises(Error, match="^the program ended with exit code 1: LookupError: no such"):
        program.execute([])
    fake("print('{}')\nsys.exit(1)")
    assert program.execute([]).exit_code == 1


def test_damage_keeps_exit_code_1(tmp_path: Path, archives: Path) -> None:
    with pytest.warns(Note, match="damaged"):
        ended = program.execute(
            ["run", f"--out={tmp_path / 'census'}", str(archives.parent / "damaged")]
        )
    assert ended.exit_code == 1 and len(ended.damage) == 2


def test_a_file_without_descriptor_is_refused_by_its_type(tmp_path: Path) -> None:
    expected = "^stdin: expected a binary file with a descriptor, .*, but got BytesIO$"
    with pytest.raises(TypeError, match=expected):
        runs.run("-", tmp_path / "census", stdin=io.BytesIO(b""), progress=False)
    assert not (tmp_path / "census").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_query_ends_with_the_process_that_began_it(
    number: signal.Signals,
    census: datasets.Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def runs() -> bool:
        # A zombie has ended: no one may be there to reap it.
        words = ["ps", "-o", "stat=", "-p", pid.read_text().strip()]
        state = subprocess.run(words, check=False, capture_output=True).stdout.strip()
        return bool(state) and not state.startswith(b"Z")

    slow, pid = tmp_path / "duckdb", tmp_path / "pid"
    slow.write_text(f"#!/bin/sh\necho $$ > {pid}.new; mv {pid}.new {pid}\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv(duckdb_cli.VARIABLE, str(slow))
    code = "import sys; from robocensus import datasets; datasets.open(sys.argv[1]).query('FROM x')"
    driver = subprocess.Popen([sys.executable, "-c", code, str(census.folder)])
    begun = time.monotonic()
    while not pid.exists():
        assert driver.poll() is None and time.monotonic() - begun < 60
        time.sleep(0.01)
    driver.send_signal(number)
    driver.wait()
    begun = time.monotonic()
    try:
        while runs():
            assert time.monotonic() - begun < 15, "DuckDB still runs"
            time.sleep(0.05)
    finally:
        if runs():
            os.kill(int(pid.read_text()), signal.SIGKILL)


def test_the_program_is_told_the_process_with_which_it_ends(fake: Fake) -> None:
    fake("print(os.environ['ROBOCENSUS_PARENT'], os.getppid())")
    assert program.execute([]).stdout.split() == [str(os.getpid()).encode()] * 2


def test_an_exception_of_the_callback_ends_the_program(
    fake: Fake, is_gone: Callable[[Path], bool]
) -> None:
    pid = fake("""
        print('{"progress":{"bytes":1}}', file=sys.stderr, flush=True)
        time.sleep(60)
    """)

    def fail(figures: program.Progress) -> None:
        raise LookupError(figures["bytes"])

    with pytest.raises(LookupError, match="1"):
        program.execute([], progress=fail)
    assert is_gone(pid)


def test_ctrl_c_waits_for_an_orderly_end(fake: Fake, is_gone: Callable[[Path], bool]) -> None:
    pid = fake("""
        def end(*_):
            time.sleep(0.5)
            print('robocensus: interrupted; parts remain', file=sys.stderr)
            sys.exit(2)
        signal.signal(signal.SIGINT, end)
        time.sleep(60)
    """)
    thread = interrupt_soon(pid)
    with pytest.raises(KeyboardInterrupt, match="^interrupted; parts remain$"):
        program.execute([])
    thread.join()
    assert is_gone(pid)


def test_a_second_ctrl_c_kills(fake: Fake, is_gone: Callable[[Path], bool]) -> None:
    pid = fake("""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(60)
    """)
    thread = interrupt_soon(pid, times=2)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        program.execute([])
    thread.join()
    assert is_gone(pid) and time.monotonic() - begun < 20


def test_a_run_that_is_interrupted_can_be_resumed(tmp_path: Path) -> None:
    out = tmp_path / "census"
    folder = tmp_path / "archives"
    folder.mkdir()
    first = runs.sample(folder / "0.warc.gz", captures=500)
    for number in range(1, 9):
        shutil.copy(first, folder / f"{number}.warc.gz")

    def parts() -> dict[str, int]:
        return {file.name: file.stat().st_mtime_ns for file in (out / "_manifest").glob("*")}

    def interrupt(_figures: program.Progress) -> None:
        if parts():
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="^interrupted; complete parts remain in"):
        runs.run(folder, out, threads=1, part_size=1, progress=interrupt)
    published = parts()
    assert 0 < len(published) < 9
    with pytest.raises(Error, match="the table redirects is missing; robocensus finish"):
        datasets.open(out).sql("FROM captures")
    census = runs.run(folder, out, threads=1, part_size=1, resume=True, progress=False)
    assert census.exit_code == 0 and census.verify().is_sound
    assert len(parts()) == 9 and published.items() <= parts().items()
    assert census.table("captures").aggregate("count(*)").fetchall() == [(4_500,)]


def test_ctrl_c_on_a_terminal_interrupts_once(tmp_path: Path, archives: Path) -> None:
    """A terminal signals the whole group of processes; a signal too many would kill the run."""
    code = (
        "import sys\nfrom robocensus import runs\n"
        "runs.run([sys.argv[1], '-'], sys.argv[2], stdin=sys.stdin.buffer, part_size=1)\n"
    )
    out = tmp_path / "census"
    with endless(b"") as stdin:
        driver = subprocess.Popen(
            [sys.executable, "-c", code, str(archives / "plain.warc"), str(out)],
            stdin=stdin,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        stdin.close()
        while not any((out / "_manifest").glob("*")):
            assert driver.poll() is None
            time.sleep(0.01)
        os.killpg(driver.pid, signal.SIGINT)
        message = driver.communicate(timeout=60)[1].decode()
    assert "KeyboardInterrupt: interrupted; complete parts remain in" in message
    assert driver.returncode != 0


def test_a_run_ends_with_the_process_that_began_it(tmp_path: Path, archives: Path) -> None:
    code = (
        "import sys\nfrom robocensus import runs\n"
        "runs.run([sys.argv[1], '-'], sys.argv[2], stdin=sys.stdin.buffer, part_size=1)\n"
    )
    out = tmp_path / "census"
    with endless(b"") as stdin:
        driver = subprocess.Popen(
            [sys.executable, "-c", code, str(archives / "plain.warc"), str(out)], stdin=stdin
        )
        stdin.close()
        while not any((out / "_manifest").glob("*")):
            assert driver.poll() is None
            time.sleep(0.01)
        driver.kill()
        driver.wait()
        # Leaving the block asserts that no process reads the input any more.


def test_progress_only_grows(tmp_path: Path, archives: Path) -> None:
    reader, writer = os.pipe()
    body = (archives / "sample-2026.warc.gz").read_bytes()

    def write() -> None:
        for begin in range(0, len(body), 100_000):
            os.write(writer, body[begin : begin + 100_000])
            time.sleep(0.15)
        os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    figures: list[program.Progress] = []
    with os.fdopen(reader, "rb") as stdin:
        runs.run("-", tmp_path / "census", stdin=stdin, progress=figures.append)
    thread.join()
    read = [each for each in figures if "bytes" in each]
    assert len(read) >= 4
    for name in ("bytes", "archives", "captures"):
        values = [each[name] for each in read]
        assert values == sorted(values)
    assert {each["total_bytes"] for each in read} == {None}
    assert read[-1]["captures"] == 600


def test_the_bar_of_tqdm_shows_archives_and_steps(
    fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    fake("""
        for line in (
            '{"progress":{"bytes":50,"total_bytes":100,"archives":1,"total_archives":2,"captures":3}}',
            '{"progress":{"bytes":100,"total_bytes":100,"archives":2,"total_archives":2,"captures":9}}',
            '{"progress":{"step":"files explained","done":4,"total":4}}',
        ):
            print(line, file=sys.stderr)
    """)
    program.execute([], progress=True)
    shown = capsys.readouterr().err
    assert "archives: 100%" in shown and "captures=9" in shown and "2/2" in shown
    assert "files explained: 100%" in shown


def test_a_bar_that_is_asked_for_needs_tqdm(monkeypatch: pytest.MonkeyPatch, fake: Fake) -> None:
    pid = fake("")
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="^progress=True needs tqdm: pip install tqdm$"):
        program.execute([], progress=True)
    assert not pid.exists()


def test_no_bar_is_shown_where_nobody_looks(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake("""print('{"progress":{"bytes":1,"total_bytes":1}}', file=sys.stderr)""")
    program.execute([], progress=None)
    program.execute([], progress=False)
    assert capsys.readouterr().err == ""


def test_other_lines_are_shown_if_asked_for(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake("print('plan: 1 part', file=sys.stderr)")
    program.execute([], verbose=True)
    program.execute([])
    assert capsys.readouterr().err == "plan: 1 part\n"


@pytest.mark.parametrize("name", ["robocensus", "signal", "duckdb_cli"])
def test_modules_of_the_working_folder_are_not_those_of_the_program(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(program.PROGRAM_VARIABLE, raising=False)
    (tmp_path / f"{name}.py").write_text("raise SystemExit('the module of the user')", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert program.execute(["--version"]).stdout.startswith(b"robocensus ")
