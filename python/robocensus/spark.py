"""Archives to a dataset on a Spark cluster, byte for byte the one that a single machine writes.

The driver lists the archives once. Each task of Spark is a unit of 20 to 100 of them, in whole
parts of the dataset, and calls the program on its unit. Names and bytes of a part depend on its
archives alone, and its manifest is published last and once, so tasks that fail, are repeated or
run twice change nothing, and a driver that was killed continues when it is started again::

    python -m robocensus.spark --crawl CC-MAIN-2025-05 --out s3://bucket/census

All options but ``--archives-per-task`` and ``--program`` are those of ``robocensus run``. Driver
and executors must reach inputs and output by the same paths or URLs; files that options name, such
as ``--agents``, are sent to the executors. Spark is configured as usual, by ``spark-defaults.conf``
or by ``spark-submit`` with a script, here ``census.py``, of two lines::

    from robocensus.spark import main
    main()

Executors need Python of the driver's version and the package, but not its dependencies. A wheel is
a zip file, which Spark unpacks for them if it is named like one::

    make wheel && cp target/wheels/robocensus-*.whl robocensus.zip
    spark-submit --archives robocensus.zip#packages --conf spark.executorEnv.PYTHONPATH=packages \\
        census.py --crawl CC-MAIN-2025-05 --out s3://bucket/census
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error, Note
from .options import Inputs, PathOption, Words, input_words
from .program import PROGRAM_VARIABLE, execute

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["main", "run"]

#: Archives of a task, at least and at most: with fewer, starting tasks would cost more than they
#: do; with more, a task that fails would lose much.
_ARCHIVES_PER_TASK = (20, 100)
#: Tasks for each core, so that none waits long for the last.
_TASKS_PER_CORE = 4
#: Options that choose archives, which is done before there are tasks.
_OF_INPUTS = ("crawl", "subset", "crawl-base", "limit", "sample", "seed")
#: The other options of ``robocensus run`` that have a value.
_OF_RUN = (
    *("agents", "urls", "dialects", "verdicts", "tables", "redirect-window", "threads"),
    *("part-size", "max-body", "max-header", "max-member", "downloads", "prefetch"),
)
#: Options of ``robocensus run`` that a run of many tasks does not have.
_OF_ONE_PROCESS = ("shard", "summary-json", "print-matrix", "print-plan")
#: The words of options that name files.
_OF_FILES = ("--agents", "--urls", "--dialects")
#: What stands for the folder of a task in its words, and is in no word.
_FOLDER = "\0"
_ESCAPE = re.compile(r"\\([tn\\]|u\{([0-9a-f]+)\})")
#: A part in the words of Spark.
_SCHEMA = "part string, archives long, captures long, files long, bytes long"


class _Damage(Note):
    """Archives that are damaged or were skipped."""


def run(
    spark: SparkSession,
    inputs: Inputs = (),
    *,
    out: PathOption,
    archives_per_task: int | None = None,
    program: PathOption | None = None,
    no_finish: bool = False,
    **options: Any,
) -> DataFrame:
    """Parses archives on the executors and writes a dataset.

    Args:
        spark: The session.
        inputs: Files, folders, patterns, URLs and ``@list``, as for :func:`robocensus.run`.
        out: The folder or URL of the dataset. One of the same options is continued.
        archives_per_task: Archives of a task at most, unless one part has more; by default 20 to
            100, by the number of archives and cores.
        program: The executable of the program on driver and executors, in the place of that of the
            package.
        no_finish: Leaves out the tables redirects, hosts and page_robots.
        options: The other options of ``robocensus run``, such as ``crawl="CC-MAIN-2025-05"``,
            ``pages=True`` or ``part_size="256M"``.

    Returns:
        The parts of the dataset by their manifests: ``part``, ``archives``, ``captures``, ``files``
        and ``bytes``. Archives that are damaged or were skipped are a warning.

    Raises:
        Error: The program refused, on the driver or in a task, or the dataset does not verify.
            Complete parts remain, and the same call continues.

    Example:
        >>> parts = run(spark, crawl="CC-MAIN-2025-05", out="/data/census")  # doctest: +SKIP
        >>> parts.groupBy().sum("captures").show()  # doctest: +SKIP
    """
    if program is None:
        program = os.environ.get(PROGRAM_VARIABLE)
    out = _absolute(os.fspath(out))
    context = spark.sparkContext
    options = {name.replace("_", "-"): value for name, value in options.items()}
    for name in _OF_ONE_PROCESS:
        if options.get(name):
            raise Error(f"--{name}: this option is for one process, not for the tasks of a cluster")
    options.setdefault("threads", context.getConf().get("spark.task.cpus", "1"))
    with Words("run", "--join", "--no-finish", "--quiet") as words:
        words.option("out", out)
        _add(words, {name: options[name] for name in options if name not in _OF_INPUTS})
        of_task = _with_files(words.words)
        _add(words, {name: options[name] for name in options if name in _OF_INPUTS})
        words.words += ["--list-inputs", "--prepare", "--", *_words_of(inputs)]
        listed = execute(words.words, program=program).stdout
    units = _units(_parts(listed.decode("utf-8", "surrogateescape")), archives_per_task, context)
    call = partial(_call, *of_task, program)
    try:
        damage = context.parallelize(units, len(units)).flatMap(call).collect()
    except Exception as error:
        refusal = re.search(r"^robocensus\.errors\.Error: (.+)$", str(error), re.MULTILINE)
        if refusal is None:
            raise
        raise Error(refusal[1]) from error
    if damage:
        warnings.warn(_Damage("damaged or skipped: " + "; ".join(damage)), stacklevel=2)
    if not no_finish and _is_to_finish(options):
        execute(["finish", "--quiet", "--", out], program=program)
    verified = json.loads(execute(["verify", "--json", "--", out], program=program).stdout)
    for finding in verified["findings"]:
        raise Error(f"{out}: {finding['path']}: {finding['message']}", exit_code=1)
    return spark.createDataFrame(verified["manifests"], _SCHEMA)


def main() -> None:
    """Runs the command line of this process in a session of Spark, and ends the process."""
    sys.exit(_exit_code(sys.argv[1:]))


def _exit_code(arguments: Sequence[str]) -> int:
    options, unknown = _parser().parse_known_intermixed_args(arguments)
    # The program says what is wrong with these.
    for word in unknown:
        name, is_set, value = word.lstrip("-").partition("=")
        setattr(options, name, value if is_set else True)
    try:
        spark = _session()
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always", Note)
            try:
                parts = run(spark, **vars(options)).collect()
            finally:
                spark.stop()
                for note in notes:
                    print(f"robocensus: note: {note.message}", file=sys.stderr)
    except Error as error:
        print(f"robocensus: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("robocensus: interrupted; the same command continues", file=sys.stderr)
        return 130
    counts = {name: sum(part[name] for part in parts) for name in ("archives", "captures", "bytes")}
    print(f"{options.out}: parts {len(parts)}, " + ", ".join(f"{k} {n}" for k, n in counts.items()))
    return int(any(issubclass(note.category, _Damage) for note in notes))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m robocensus.spark",
        description="Parse archives on a Spark cluster, and write the dataset of robocensus run",
        epilog='The other options, and all inputs, are those of "robocensus run --help".',
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("inputs", nargs="*", metavar="INPUT", help="files, folders, patterns, URLs or @lists")
    add("--out", "-o", required=True, metavar="DIR", help="folder or URL of the dataset")
    add(
        "--archives-per-task",
        type=int,
        metavar="N",
        help="archives of a task at most, unless one part has more [default: 20 to 100]",
    )
    add("--program", metavar="FILE", help="executable of the program on driver and executors")
    add("--no-finish", action="store_true", help="leave out redirects, hosts and page_robots")
    add("--pages", action="store_true", help=argparse.SUPPRESS)
    add("--crawl", action="append", help=argparse.SUPPRESS)
    for name in (*_OF_INPUTS[1:], *_OF_RUN):
        add(f"--{name}", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def _session() -> SparkSession:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise Error(
            "expected PySpark, but it is not installed: pip install 'pyspark>=4,<5'"
        ) from None
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        raise Error(
            "expected Java 17 or later, which Spark runs on, but there is neither a program java nor"
            " JAVA_HOME; Debian has it as openjdk-17-jre-headless"
        )
    return SparkSession.builder.appName("robocensus").getOrCreate()


def _absolute(path: str) -> str:
    """Returns a path that executors can use too; a URL stays as it is."""
    return path if "://" in path else os.path.abspath(path)


def _words_of(inputs: Inputs) -> list[str]:
    words = input_words(inputs)
    if "-" in words:
        raise Error("-: expected inputs that executors can read too, but this is standard input")
    return words


def _add(words: Words, options: Mapping[str, Any]) -> None:
    """Adds options of ``robocensus run``; which there are, the program knows."""
    for name, value in options.items():
        if name in ("agents", "urls"):
            words.list(name, value)
        elif name == "tables":
            words.names(name, value)
        elif name == "dialects" and value is not None:
            words.dialects(name, value)
        elif isinstance(value, bool):
            words.flag(name, value)
        else:
            for each in value if isinstance(value, (list, tuple)) else [value]:
                words.option(name, each)


def _is_to_finish(options: Mapping[str, Any]) -> bool:
    """Returns whether a table is written that is made of all parts."""
    tables = options.get("tables")
    names = tables.split(",") if isinstance(tables, str) else tables
    finished = {"redirects", "hosts"} | ({"page_robots"} if options.get("pages") else set())
    return names is None or not finished.isdisjoint(names)


def _with_files(words: Sequence[str]) -> tuple[list[str], dict[str, bytes]]:
    """Returns words for a task, and the files that they name in its folder, with their bytes."""
    sent, files = [], {}
    for word in words:
        option, _, value = word.partition("=")
        if option in _OF_FILES:
            names = []
            for name in value.split(",") if option == "--dialects" else [value]:
                if option != "--dialects" or name.endswith(".toml"):
                    # A dialect has the name of its file.
                    copy = f"{option.strip('-')}/{os.path.basename(name)}"
                    files[copy] = _bytes_of(name)
                    name = f"{_FOLDER}/{copy}"
                names.append(name)
            word = f"{option}={','.join(names)}"
        sent.append(word)
    return sent, files


def _bytes_of(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Error(f"{path}: cannot read: {error.strerror}") from error


def _parts(listing: str) -> list[list[str]]:
    """Returns the locations of the archives of each part, in their order."""
    header, *lines = listing.rstrip("\n").split("\n")
    names = header.split("\t")
    rows = [dict(zip(names, map(_unescaped, line.split("\t")))) for line in lines]
    for row in rows:
        location = row["location"] = _absolute(row["location"])
        # A task names its archives by paths, and the names in the tables follow from them.
        _, folder, below = location.partition("crawl-data/")
        if row["name"] != (folder + below or location.rpartition("/")[2]):
            raise Error(
                f"{location}: expected an archive whose name in the tables is that of its file or"
                f" begins with crawl-data/, but found {row['name']}; give each folder of archives"
                " as an input of its own"
            )
    parts = groupby(rows, key=lambda row: row["part"])
    return [[row["location"] for row in part] for _, part in parts]


def _unescaped(text: str) -> str:
    """Returns a cell of ``--list-inputs`` as it is without escapes."""
    simple = {"t": "\t", "n": "\n", "\\": "\\"}
    return _ESCAPE.sub(lambda found: simple.get(found[1]) or chr(int(found[2], 16)), text)


def _units(parts: list[list[str]], most: int | None, context: Any) -> list[list[str]]:
    """Returns the archives of each task: those of parts that follow each other.

    The program cuts these into the same parts again, since a part ends where the next archive would
    be too much for it.
    """
    if most is None:
        tasks = _TASKS_PER_CORE * context.defaultParallelism
        least, most = _ARCHIVES_PER_TASK
        most = min(max(sum(map(len, parts)) // tasks, least), most)
    units: list[list[str]] = []
    for part in parts:
        if units and len(units[-1]) + len(part) <= most:
            units[-1].extend(part)
        else:
            units.append(list(part))
    return units


def _call(
    words: Sequence[str],
    files: Mapping[str, bytes],
    program: PathOption | None,
    archives: Sequence[str],
) -> tuple[str, ...]:
    """Runs the program on archives, in a task, and returns a line for each that is damaged."""
    with Words() as call:
        for name, content in files.items():
            path = call.path(name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        listed = call.path("archives.txt")
        listed.write_text("".join(f"{path}\n" for path in archives), "utf-8", "surrogateescape")
        call.words += [word.replace(_FOLDER, str(listed.parent)) for word in words]
        call.words += ["--", f"@{listed}"]
        return execute(call.words, program=program).damage


if __name__ == "__main__":
    main()
