"""Datasets of a cluster whose executors die: file by file those of a single process.

Each test starts its own driver, with two executors of one core, on the loopback address. They run
with ``make test-spark``, since they need Java and PySpark.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from robocensus import runs
from robocensus.program import command

pytestmark = pytest.mark.spark

#: Make a part, and a task, of each archive.
OPTIONS = ("--part-size=600K", "--archives-per-task=1")
CONF = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.python.task.killTimeout": "100ms",
}
#: The number of an archive that takes longer than others.
LARGE = 5
#: What only the command line of a task's program has.
PROGRAM_OF_TASK = "/archives.txt"
#: Seconds in which a job ends, or something happens.
PATIENCE = 100


class Cluster:
    """Starts drivers, each by default with two executors of one core of its own."""

    def __init__(self, archives: Path, work: Path) -> None:
        self.archives = archives
        self.work = work
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(
        self,
        out: Path | str,
        *words: str,
        start: tuple[str, ...] = (),
        master: str = "local-cluster[2,1,1024]",
        **conf: str,
    ) -> subprocess.Popen[bytes]:
        """Starts a driver; `start` is its command without options."""
        settings = [f"--conf={name}={value}" for name, value in (CONF | conf).items()]
        submit = ["--master", master, *settings]
        command = [sys.executable, "-m", "robocensus.spark"]
        if start:
            command = [start[0], *submit, *start[1:]]
        command += [str(self.archives), f"--out={out}", *OPTIONS, *words]
        return self.spawn(command, PYSPARK_SUBMIT_ARGS=" ".join([*submit, "pyspark-shell"]))

    def spawn(self, command: list[str], **environment: str) -> subprocess.Popen[bytes]:
        """Starts a process of a session of its own."""
        environment["SPARK_LOCAL_IP"] = "127.0.0.1"
        environment["PYSPARK_PYTHON"] = sys.executable
        with self.log(len(self.processes)).open("wb") as log:
            process = subprocess.Popen(
                command,
                env=os.environ | environment,
                stdout=log,
                stderr=log,
                cwd=self.work,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def daemon(self, name: str, *words: str, **options: object) -> None:
        """Starts the master or a worker of a cluster that is not of one driver."""
        command = [f"{home_of_spark()}/bin/spark-class", f"org.apache.spark.deploy.{name}"]
        for option, value in {**options, "webui_port": 0}.items():
            command += [f"--{option.replace('_', '-')}", str(value)]
        self.spawn([*command, *words])

    def log(self, number: int) -> Path:
        """Returns the file of what a process says."""
        return self.work / f"{number}.log"

    def finish(self, driver: subprocess.Popen[bytes], exit_code: int = 0) -> str:
        """Waits for the end of a driver and returns what it said."""
        try:
            found = driver.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            found = None
        said = read(self.log(self.processes.index(driver)))
        assert found == exit_code, said[-8000:]
        return said

    def close(self) -> None:
        """Kills what has not ended."""
        for process in self.processes:
            for pid in descendants(process.pid):
                kill(pid)
            # Processes of a driver that was killed are of its group still.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of archives that keep two executors busy for some seconds."""
    folder = tmp_path_factory.mktemp("many")
    for seed in range(24):
        runs.sample(
            folder / f"a{seed:02}.warc.gz", captures=9000 if seed == LARGE else 900, seed=seed
        )
    return folder


@pytest.fixture(scope="session")
def whole(many: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files of the dataset of a single process."""
    out = tmp_path_factory.mktemp("whole") / "census"
    runs.run(many, out, part_size=OPTIONS[0].partition("=")[2], progress=False)
    return files(out)


@pytest.fixture
def cluster(many: Path, tmp_path: Path) -> Iterator[Cluster]:
    """Starts drivers over the archives of `many`."""
    cluster = Cluster(many, tmp_path)
    yield cluster
    cluster.close()
    # Where the workers of a local cluster keep what executors write.
    shutil.rmtree(home_of_spark() / "work", ignore_errors=True)


def home_of_spark() -> Path:
    """Returns the folder of the Spark that PySpark has."""
    package = find_spec("pyspark")
    assert package is not None and package.origin is not None
    return Path(package.origin).parent


def files(folder: Path) -> dict[str, str]:
    """Returns the digests of all files below a folder."""
    return {
        str(path.relative_to(folder)): digest(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def digest(content: bytes) -> str:
    """Returns the SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()


def read(path: Path) -> str:
    """Returns the text of a file, which is empty if there is none."""
    return path.read_text("utf-8", "replace") if path.exists() else ""


def manifests(out: Path) -> dict[str, tuple[int, int]]:
    """Returns the identities of the manifests that are published."""
    found = {}
    for path in (out / "_manifest").glob("*.json"):
        state = path.stat()
        found[path.name] = (state.st_ino, state.st_mtime_ns)
    return found


def wait_until(is_so: Callable[[], object]) -> None:
    """Waits until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def wait_for_parts(out: Path, number: int) -> None:
    """Waits until so many parts are published."""
    wait_until(lambda: len(manifests(out)) >= number)


def descendants(pid: int, words: str = "") -> list[int]:
    """Returns the processes below one whose command has these words."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        children.setdefault(parent, []).append(int(status.parent.name))
    found = []
    below = [pid]
    while below:
        below = [child for each in below for child in children.get(each, [])]
        found += [each for each in below if words in command_of(each)]
    return found


def command_of(pid: int) -> str:
    """Returns the command line of a process, which is empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def kill(pid: int) -> None:
    """Sends SIGKILL to a process, which may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_a_cluster_writes_the_dataset_of_one_process(
    cluster: Cluster, whole: dict[str, str], tmp_path: Path
) -> None:
    # As the documentation of the module says; nothing of the package is installed for executors.
    script = tmp_path / "census.py"
    script.write_text("from robocensus.spark import main\nmain()\n")
    package = Path(runs.__file__).parent
    with zipfile.ZipFile(tmp_path / "robocensus.zip", "w") as wheel:
        for path in package.glob("*"):
            if path.is_file():
                wheel.write(path, f"robocensus/{path.name}")
    bare = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
    packages = {
        "spark.archives": f"{tmp_path}/robocensus.zip#packages",
        "spark.executorEnv.PYTHONPATH": "packages",
        "spark.pyspark.python": str(bare),
        "spark.pyspark.driver.python": sys.executable,
    }
    out = tmp_path / "census"
    start = (f"{home_of_spark()}/bin/spark-submit", str(script))
    said = cluster.finish(cluster.start(out, start=start, **packages))
    assert files(out) == whole
    assert f"{out}: parts {len(manifests(out))}, archives 24, captures " in said


def kill_executors(driver: subprocess.Popen[bytes]) -> None:
    """Kills both executors while a task runs, with which its program ends."""
    wait_until(lambda: descendants(driver.pid, PROGRAM_OF_TASK))
    programs = descendants(driver.pid, PROGRAM_OF_TASK)
    for pid in descendants(driver.pid, "CoarseGrainedExecutorBackend"):
        kill(pid)
    wait_until(lambda: not any(PROGRAM_OF_TASK in command_of(pid) for pid in programs))


def test_executors_that_are_killed_change_nothing(
    cluster: Cluster, whole: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "census"
    driver = cluster.start(out)
    for number in (1, 12):
        wait_for_parts(out, number)
        kill_executors(driver)
    cluster.finish(driver)
    assert files(out) == whole


def test_an_attempt_that_publishes_late_changes_nothing(
    cluster: Cluster, whole: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "census"
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable}\n{textwrap.dedent(STRAGGLER)}", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    speculation = {
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.multiplier": "1.1",
    }
    (tmp_path / "command").write_text("\n".join(command()))
    # An attempt is repeated on another host only, which the workers of a local cluster have not.
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    master = f"spark://127.0.0.1:{port}"
    cluster.daemon("master.Master", host="127.0.0.1", port=port)
    for host in ("127.0.0.2", "127.0.0.3"):
        cluster.daemon("worker.Worker", master, host=host, cores=1, memory="1g", work_dir=tmp_path)
    driver = cluster.start(out, f"--program={program}", master=master, **speculation)
    cluster.finish(driver)
    published = manifests(out)
    (tmp_path / "continue").touch()
    wait_until(lambda: read(tmp_path / "ended"))
    assert read(tmp_path / "ended") == "0"
    assert manifests(out) == published
    assert files(out) == whole


#: The program, but the first attempt of one unit begins it in a process of its own, stops that in
#: the middle, and sleeps. The process continues when it is told to.
STRAGGLER = """
    import os, pathlib, subprocess, sys, time

    work = pathlib.Path(__file__).parent
    out = next(pathlib.Path(word[6:]) for word in [*sys.argv, "--out="] if word[:6] == "--out=")
    program = (work / "command").read_text().split("\\n")
    lists = [pathlib.Path(word[1:]) for word in sys.argv if word[:1] == "@"]
    if not any("a05.warc.gz" in path.read_text() for path in lists) or (work / "first").exists():
        os.execvp(program[0], [*program, *sys.argv[1:]])
    (work / "first").touch()
    parent = os.getppid()
    if os.fork():
        while os.getppid() == parent:
            time.sleep(0.1)
        sys.exit(1)
    os.setsid()
    copy = work / "archives.txt"
    copy.write_text(lists[0].read_text())
    os.environ.pop("ROBOCENSUS_PARENT", None)
    child = subprocess.Popen([*program, *sys.argv[1:-1], f"@{copy}"])
    while not list(out.glob(f"_tmp/{child.pid}.*/robocensus-owner")):
        time.sleep(0.01)
    time.sleep(0.3)
    child.send_signal(19)
    assert not list(out.glob("_manifest/a05-*"))
    end = time.monotonic() + 100
    while not (work / "continue").exists() and time.monotonic() < end:
        time.sleep(0.1)
    child.send_signal(18)
    (work / "ended").write_text(str(child.wait()))
"""


def test_a_driver_that_is_killed_continues(
    cluster: Cluster, whole: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "census"
    driver = cluster.start(out)
    wait_for_parts(out, 3)
    driver.kill()
    published = manifests(out)
    assert len(published) < 24
    cluster.finish(cluster.start(out))
    assert published.items() <= manifests(out).items()
    assert files(out) == whole


def test_a_dataset_in_s3_is_that_of_a_folder(
    cluster: Cluster, whole: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    s3 = boto3.client("s3", region_name="us-east-1")
    s3.create_bucket(Bucket="datasets")
    try:
        cluster.finish(cluster.start("s3://datasets/census"))
        pages = s3.get_paginator("list_objects_v2").paginate(Bucket="datasets", Prefix="census/")
        keys = [each["Key"] for page in pages for each in page["Contents"]]
        bodies = {key: s3.get_object(Bucket="datasets", Key=key)["Body"].read() for key in keys}
    finally:
        server.stop()
    digests = {key[len("census/") :]: digest(body) for key, body in bodies.items()}
    assert digests == whole


def test_a_refusal_is_one_sentence_before_any_task(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "census"
    said = cluster.finish(cluster.start(out, "--no-such-option=1"), exit_code=2)
    assert "robocensus: unexpected argument '--no-such-option' found" in said
    assert "Traceback" not in said
    assert not out.exists()
