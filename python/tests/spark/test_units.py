"""What the driver of a cluster prepares, without a cluster."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from robocensus import Error, options, spark

HEADER = "part\tbytes\tname\tlocation\n"


def listing(*rows: tuple[str, str, str]) -> str:
    """Returns what ``--list-inputs`` prints of parts, names and locations."""
    return HEADER + "".join(f"{part}\t9\t{name}\t{location}\n" for part, name, location in rows)


def test_archives_are_grouped_by_part_and_have_locations_that_executors_can_use() -> None:
    crawl = "crawl-data/CC-MAIN-2025-05/x.warc.gz"
    text = listing(
        ("p1", "a.warc.gz", "folder/a.warc.gz"),
        ("p1", "b\\\\\\u{7}c.warc.gz", "/b\\\\\\u{7}c.warc.gz"),
        ("p2", crawl, f"s3://bucket/{crawl}"),
    )
    local = str(Path("folder/a.warc.gz").absolute())
    assert spark._parts(text) == [[local, "/b\\\ac.warc.gz"], [f"s3://bucket/{crawl}"]]


def test_a_name_that_a_path_alone_does_not_give_is_refused() -> None:
    with pytest.raises(Error, match=r"/data/x/a\.warc: expected .* but found x/a\.warc; give each"):
        spark._parts(listing(("p", "x/a.warc", "/data/x/a.warc")))


@pytest.mark.parametrize(
    ("most", "lengths"),
    [(1, [30, 90, 120, 30, 30]), (60, [30, 90, 120, 60]), (120, [120, 120, 60])],
)
def test_a_unit_is_whole_parts_that_follow_each_other(most: int, lengths: list[int]) -> None:
    parts = [
        [f"{part}.{n}" for n in range(size)] for part, size in enumerate([30, 90, 120, 30, 30])
    ]
    units = spark._units(parts, most, None)
    assert list(map(len, units)) == lengths
    assert [each for unit in units for each in unit] == [each for part in parts for each in part]


@pytest.mark.parametrize(("cores", "most"), [(1, 100), (5, 50), (1000, 20)])
def test_units_have_20_to_100_archives_by_the_number_of_cores(cores: int, most: int) -> None:
    parts = [[str(part)] for part in range(1000)]
    units = spark._units(parts, None, SimpleNamespace(defaultParallelism=cores))
    assert max(map(len, units)) == most


def test_files_that_options_name_are_sent(tmp_path: Path) -> None:
    dialect = tmp_path / "my.toml"
    dialect.write_text('base = "google"\n')
    with options.Words("run") as words:
        values = {
            "agents": ["GPTBot"],
            "dialects": f"google,{dialect}",
            "tables": ["rules", "captures"],
            "pages": True,
            "sample": None,
        }
        spark._add(words, values)
        sent, files = spark._with_files(words.words)
    assert files == {"agents/agents.tsv": b"GPTBot\n", "dialects/my.toml": b'base = "google"\n'}
    assert [word.replace(spark._FOLDER, "DIR") for word in sent] == [
        "run",
        "--agents=DIR/agents/agents.tsv",
        "--dialects=google,DIR/dialects/my.toml",
        "--tables=rules,captures",
        "--pages",
    ]


def test_a_file_that_cannot_be_sent_is_named() -> None:
    with pytest.raises(Error, match="/no/such/file: cannot read: No such file or directory"):
        spark._with_files(["--urls=/no/such/file"])


@pytest.mark.parametrize("name", ["shard", "summary_json", "print_matrix", "print_plan"])
def test_an_option_of_one_process_is_refused(name: str) -> None:
    with pytest.raises(Error, match=f"--{name.replace('_', '-')}: this option is for one process"):
        spark.run(SimpleNamespace(sparkContext=None), "a.warc", out="census", **{name: "1"})


@pytest.mark.parametrize(
    ("options", "is_to_finish"),
    [
        ({}, True),
        ({"tables": "captures,verdict_sets"}, False),
        ({"tables": ["captures", "hosts"]}, True),
        ({"tables": "pages,bodies,page_robots", "pages": True}, True),
        ({"tables": "pages,bodies,page_robots"}, False),
        ({"tables": None}, True),
    ],
)
def test_only_tables_that_are_written_are_finished(options: dict, is_to_finish: bool) -> None:
    assert spark._is_to_finish(options) == is_to_finish


def test_standard_input_is_refused() -> None:
    with pytest.raises(Error, match="-: expected inputs that executors can read too"):
        spark._words_of(["a.warc.gz", "-"])


@pytest.mark.parametrize("is_installed", [False, True])
def test_what_is_missing_is_one_sentence(
    is_installed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = SimpleNamespace(SparkSession=None) if is_installed else None
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(sql=session))
    monkeypatch.setitem(sys.modules, "pyspark.sql", session)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    assert spark._exit_code(["a.warc.gz", "--out=census"]) == 2
    said = capsys.readouterr().err
    missing = "Java 17 or later, which Spark runs on" if is_installed else "PySpark"
    assert said.startswith(f"robocensus: expected {missing}, but ") and said.count("\n") == 1
