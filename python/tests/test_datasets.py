"""Datasets from Python: made, opened, queried, compared, and what is wrong with them."""

from __future__ import annotations

import gc
import html
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest
import robocensus
from robocensus import datasets, duckdb_cli, program, runs
from robocensus.datasets import Comparison, Dataset
from robocensus.errors import Error, Note
from robocensus.options import Dialect

HOSTILE = [
    "'; DROP VIEW hosts; --",
    '"quoted"',
    "a'b",
    "$$x$$",
    "line\nbreak",
    "\N{SNOWMAN}",
    "--format=csv",
    "=x",
    "",
]


def test_importing_does_not_import_the_libraries_of_results() -> None:
    code = (
        "import sys, robocensus.datasets, robocensus.results, robocensus.program\n"
        "heavy = {'duckdb', 'pyarrow', 'pandas', 'polars', 'numpy', 'tqdm'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_run_has_the_figures_of_its_summary(census: Dataset) -> None:
    assert census.exit_code == 0 and census.damage == ()
    assert census.summary is not None
    assert census.summary["captures"] == 606
    assert census.description["options"]["dialects"] == "google,rfc9309"
    assert census.table("captures").aggregate("count(*)").fetchall() == [(606,)]
    assert census.verify()
    assert "captures" in census.tables and "_manifest" not in census.tables


def test_what_is_opened_is_what_was_made(census: Dataset, comparison: Comparison) -> None:
    opened = datasets.open(census.folder)
    assert isinstance(opened, Dataset) and opened.summary is None
    assert opened.description == census.description
    again = datasets.open(str(comparison.folder), Comparison)
    assert isinstance(again, Comparison) and again.summary == comparison.summary
    assert eval(repr(again), {"robocensus": datasets}).folder == comparison.folder
    with pytest.raises(Error, match=r"is a comparison; robocensus.open\(folder, robocensus.Comp"):
        datasets.open(comparison.folder)
    assert eval(repr(opened), {"robocensus": datasets}).folder == census.folder


def test_a_dataset_stays_open_when_the_working_directory_changes(
    census: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(census.folder.parent)
    opened = Dataset(census.folder.name)
    monkeypatch.chdir(tmp_path)
    assert opened.hosts().aggregate("count(*)").fetchall()[0][0] > 0


def test_lists_may_be_files_or_python_lists(archives: Path, tmp_path: Path) -> None:
    agents = tmp_path / "agents.tsv"
    agents.write_text("GPTBot\nOpenAI,GPTBot\tai\n")
    urls = tmp_path / "urls.txt"
    urls.write_text("/\n/a?b=c\n")
    files = runs.run(archives, tmp_path / "files", agents=agents, urls=str(urls))
    lists = runs.run(
        [archives],
        tmp_path / "lists",
        agents=["GPTBot", (["OpenAI", "GPTBot"], "ai")],
        urls=("/", "/a?b=c"),
    )
    text = "SELECT agent, tokens, agent_category FROM matrix_agents ORDER BY agent_index"
    rows = [dataset.query(text).rows() for dataset in (files, lists)]
    assert rows[0] == rows[1] and [row["tokens"] for row in rows[0]] == ["GPTBot", "OpenAI,GPTBot"]
    text = "SELECT DISTINCT url FROM verdicts ORDER BY url"
    assert [row["url"] for row in lists.query(text).rows()] == ["/", "/a?b=c"]
    assert files.description["options"] == lists.description["options"]


@pytest.mark.parametrize(
    "dialect",
    [
        {"name": "mine", "base": "google", "agent_case": "sensitive", "access": {"max_hops": 3}},
        'base = "google"\nagent_case = "sensitive"\n[access]\nmax_hops = 3\n',
        robocensus.Dialect(
            {"name": "mine", "base": "google", "agent_case": "sensitive", "access": {"max_hops": 3}}
        ),
    ],
    ids=["dict", "TOML", "Dialect"],
)
def test_dialects_may_be_names_files_dicts_or_toml(
    dialect: Dialect, archives: Path, tmp_path: Path
) -> None:
    file = tmp_path / "own.toml"
    file.write_text('base = "python"\n')
    dialects: list[Dialect] = ["rfc9309", file, dialect]
    census = runs.run(archives / "plain.warc", tmp_path / "census", dialects=dialects)
    rows = census.query("SELECT * FROM dialects ORDER BY dialect_index").rows()
    name = "custom" if isinstance(dialect, str) else "mine"
    assert [row["dialect"] for row in rows] == ["rfc9309", "own", name]
    assert rows[2]["max_hops"] == 3 and 'agent_case = "sensitive"' in rows[2]["definition"]


def test_dialects_of_the_parser_are_those_of_the_program(archives: Path, tmp_path: Path) -> None:
    census = runs.run(
        archives / "plain.warc", tmp_path / "census", dialects=robocensus.Dialect("rfc9309")
    )
    assert census.description["options"]["dialects"] == "rfc9309"
    flips = runs.compare(
        archives / "plain.warc",
        tmp_path / "flips",
        baseline=robocensus.Dialect("google"),
        candidate=robocensus.Dialect({"name": "mine", "base": "google"}),
        reference=robocensus.Dialect({"name": "third", "base": "python"}),
    )
    assert flips.exit_code == 0 and flips.summary["sides"] == ["google", "mine", "third"]


def test_every_option_of_the_command_line_is_a_keyword() -> None:
    own = {"help", "version", "progress", "quiet", "data"}
    own |= {"list-inputs", "prepare", "print-matrix", "print-plan"}
    for function, name in [(runs.run, "run"), (runs.compare, "compare")]:
        text = program.execute([name, "--help"]).stdout.decode()
        options = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", text, re.MULTILINE)) - own
        keywords = {name.replace("_", "-") for name in function.__annotations__}
        assert options <= keywords, options - keywords
        assert len(options) > 10


def test_options_reach_the_program(archives: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.json"
    census = runs.run(
        str(archives / "*.warc"),
        tmp_path / "census",
        no_finish=True,
        redirect_window=timedelta(hours=36),
        threads=1,
        part_size="1M",
        max_body=1 << 20,
        max_header="64K",
        max_member="1G",
        summary_json=summary,
    )
    assert census.description["options"]["redirect_window"] == "129600 s"
    assert census.description["options"]["max_body"] == "1048576"
    assert json.loads(summary.read_text()) == census.summary
    assert "redirects" not in census.tables


def test_tables_are_chosen_and_others_say_that_they_were_not(
    archives: Path, tmp_path: Path
) -> None:
    plain = archives / "plain.warc"
    census = runs.run(plain, tmp_path / "census", tables=["captures", "verdict_sets"])
    assert census.description["options"]["tables"] == "captures,verdict_sets"
    tables = [
        "archive_errors",
        "archive_skips",
        "archives",
        "captures",
        "cohort",
        "dialects",
        "matrix_agents",
    ]
    assert census.tables == [*tables, "verdict_sets"]
    opened = robocensus.open(census.folder)
    counted = opened.connection.sql("SELECT count(*) FROM verdicts").fetchall()
    assert census.summary and counted == [(census.summary["verdicts"],)] != [(0,)]
    sentence = "expected the table rules, but .* was written without it, with --tables captures,"
    with pytest.raises(Error, match=sentence):
        opened.query("SELECT count(*) AS n FROM rules")
    with pytest.raises(Error, match="Table with name rules does not exist"):
        opened.sql("SELECT count(*) AS n FROM rules")
    with pytest.raises(Error, match="expected the tables? .*hosts, but "):
        opened.query("count-hosts-by-status")
    assert opened.verify()
    with pytest.raises(Error, match='no table is called "rule"'):
        runs.run(plain, tmp_path / "other", tables="rule")


def test_a_crawl_is_read_by_its_name(archives: Path, tmp_path: Path) -> None:
    name = "crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt/{}.warc"
    names = [name.format(number) for number in range(3)]
    for path in names:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(archives / "plain.warc", tmp_path / path)
    (tmp_path / "crawl-data/CC-MAIN-2026-05/robotstxt.paths.gz").write_text("\n".join(names))
    census = runs.run(
        None,
        tmp_path / "census",
        crawl=["CC-MAIN-2026-05"],
        subset="robotstxt",
        crawl_base=tmp_path,
        limit=2,
        sample="100%",
        seed=7,
        shard="1/1",
        downloads=2,
        prefetch="64M",
    )
    words = "2 of 3 archives of CC-MAIN-2026-05 robotstxt, seed 7"
    assert census.description["options"]["choice"] == words
    assert "redirects" not in census.tables


def test_existing_datasets_are_replaced_only_if_asked(archives: Path, tmp_path: Path) -> None:
    out = tmp_path / "census"
    plain = archives / "plain.warc"
    runs.run(plain, out)
    with pytest.raises(Error, match="already holds a dataset"):
        runs.run(plain, out)
    runs.run(plain, out, overwrite=True)
    with pytest.raises(Error, match="'--overwrite' cannot be used with '--resume'"):
        runs.run(plain, out, overwrite=True, resume=True)


@pytest.mark.parametrize(
    ("keywords", "error", "sentence"),
    [
        ({"dialects": "bing"}, Error, '--dialects: .*"bing"'),
        ({"dialects": 7}, TypeError, "'int' object is not iterable"),
        ({"dialects": [7]}, TypeError, "dialects: expected a name, a file or a dict"),
        ({"dialects": {"name": "../x"}}, ValueError, "in the name '../x'"),
        ({"dialects": {"base": "google", "x": 1.5}}, TypeError, "x: expected a string"),
        ({"dialects": [{"base": "google"}, {"base": "python"}]}, ValueError, "called custom"),
        ({"dialects": {"base": "google", "agent_cse": "x"}}, Error, "agent_cse"),
        ({"agents": ["a\nb"]}, ValueError, "agents: expected one line for each entry"),
        ({"agents": [("a\tb", "c")]}, ValueError, "agents: expected columns without tabs"),
        ({"agents": [7]}, TypeError, "agents: expected strings or tuples"),
        ({"agents": [b"GPTBot"]}, TypeError, "agents: expected strings or tuples"),
        ({"agents": "absent.tsv"}, Error, "^absent.tsv: cannot read"),
        ({"threads": 0}, Error, "--threads"),
        ({"part_size": "big"}, Error, "--part-size"),
        ({"agent": ["GPTBot"]}, TypeError, "unexpected keyword argument 'agent'"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_written(
    keywords: dict[str, object],
    error: type[Exception],
    sentence: str,
    archives: Path,
    tmp_path: Path,
) -> None:
    with pytest.raises(error, match=sentence):
        runs.run(archives, tmp_path / "census", **keywords)  # type: ignore[arg-type]
    assert not (tmp_path / "census").exists()


def test_datasets_in_s3_are_for_the_commands(archives: Path) -> None:
    url = "s3://bucket/census"
    for refused in (lambda: runs.run(archives, url), lambda: datasets.open(url)):
        with pytest.raises(Error, match=f"^{url}: expected a folder; datasets in S3"):
            refused()


def test_inputs_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(Error, match="^absent.warc.gz: cannot read: No such file"):
        runs.run("absent.warc.gz", tmp_path / "census")
    with pytest.raises(Error, match="NPUT"):
        runs.run([], tmp_path / "census")


def test_a_path_is_a_path_whatever_it_begins_with(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("@plain.warc", "-plain.warc", "--out=x"):
        shutil.copy(archives / "plain.warc", name)
        assert runs.run(Path(name), "census", overwrite=True).exit_code == 0
    with pytest.raises(Error, match="@|cannot read|no file"):
        runs.run("@plain.warc", "census", overwrite=True)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX")
def test_a_folder_that_cannot_be_written_is_refused(archives: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Error, match="file"):
        runs.run(archives, tmp_path / "file" / "census")
    assert (tmp_path / "file").read_text() == "mine"
    if os.geteuid() == 0:
        return
    locked = tmp_path / "locked"
    locked.mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(Error, match="locked"):
        runs.run(archives, locked / "census")


def test_folders_that_are_no_dataset_are_refused(
    census: Dataset, comparison: Comparison, tmp_path: Path
) -> None:
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(Error, match="expected the folder of a dataset") as error:
            datasets.open(folder)
        assert str(error.value).startswith(f"{folder}: ") and error.value.exit_code == 2
    (tmp_path / "_dataset.json").write_text("{")
    with pytest.raises(Error, match="cannot read _dataset.json"):
        datasets.open(tmp_path)
    (tmp_path / "_dataset.json").write_text("[]")
    with pytest.raises(Error, match="expected an object in _dataset.json"):
        datasets.open(tmp_path)
    (tmp_path / "_dataset.json").write_text("{}")
    with pytest.raises(Error, match="expected a dataset of version .*, but found null with null"):
        datasets.open(tmp_path).sql("FROM hosts")
    shutil.copy(census.folder / "_dataset.json", tmp_path)
    with pytest.raises(Error, match="the table archives is missing: the dataset is not finished"):
        datasets.open(tmp_path).sql("FROM hosts")
    with pytest.raises(Error, match="this is a comparison"):
        Dataset(comparison.folder)
    with pytest.raises(Error, match="expected a comparison"):
        Comparison(census.folder)


def test_rows_have_the_types_of_the_query(census: Dataset) -> None:
    result = census.query(
        "SELECT 1::UTINYINT AS small, sum(1) AS counted, 0.5::DOUBLE AS share, true AS yes, "
        "'\N{SNOWMAN}' AS text, NULL::INTEGER AS nothing, max(fetch_time) AS time, "
        "[1, 2] AS list, {'a': 1} AS struct, DATE '2026-01-05' AS day FROM captures"
    )
    assert result.rows() == [
        {
            "small": 1,
            "counted": 606,
            "share": 0.5,
            "yes": True,
            "text": "\N{SNOWMAN}",
            "nothing": None,
            "time": datetime(2026, 1, 5, 0, 0, 24, tzinfo=timezone.utc),
            "list": [1, 2],
            "struct": {"a": 1},
            "day": datetime(2026, 1, 5).date(),
        }
    ]
    assert type(result.rows()[0]["counted"]) is int
    assert (len(result), result.columns[0], result.types[1]) == (1, "small", "BIGINT")


def test_rows_reach_every_library(census: Dataset) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    pytest.importorskip("pandas")
    result = census.query(
        "SELECT fetch_status, count(*) AS n FROM captures GROUP BY ALL ORDER BY 1"
    )
    expected = result.rows()
    assert sum(row["n"] for row in expected) == 606
    assert result.arrow().to_pylist() == expected
    assert result.polars().to_dicts() == expected
    assert result.pandas().to_dict("records") == expected
    assert result.df().equals(result.pandas())
    assert result.relation().order("fetch_status").fetchall() == [(*r.values(),) for r in expected]
    for table in (pyarrow.table(result), polars.DataFrame(result)):
        rows = table.to_pylist() if hasattr(table, "to_pylist") else table.to_dicts()
        assert rows == expected


def test_rows_outlive_the_result_that_gave_them(census: Dataset) -> None:
    result = census.sql("FROM captures")
    assert result is not None
    path = result._path
    stream, relation = result.__arrow_c_stream__(), result.relation()
    del result
    gc.collect()
    assert not path.exists()
    assert relation.aggregate("count(*)").fetchall() == [(606,)]
    assert stream is not None


def test_a_library_that_is_not_installed_is_named(
    census: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = census.sql("SELECT 1 AS one")
    assert result is not None
    for method, module, package in [
        ("arrow", "pyarrow.parquet", "pyarrow"),
        ("polars", "polars", "polars"),
        ("pandas", "pandas", "pandas"),
    ]:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=rf"{method}\(\) needs {package}: pip install"):
            getattr(result, method)()


def test_sums_that_no_integer_holds_are_decimals(census: Dataset) -> None:
    result = census.sql("SELECT 170141183460469231731687303715884105727 // 2 AS huge, sum(1) AS n")
    assert result is not None
    assert result.rows()[0]["huge"] == Decimal(85070591730234615865843651857942052863)


def test_sums_in_lists_and_structs_are_integers(census: Dataset) -> None:
    result = census.sql(
        "SELECT list(n) AS ns, {'size': 1, 'HUGEINT': sum(n), 'a': [sum(n)]} AS s, map {'k': sum(n)} AS m, "
        "array_value(sum(n), 1) AS pair "
        "FROM (SELECT sum(9007199254740993) AS n)"
    )
    assert result is not None
    n = 9007199254740993
    assert result.rows() == [
        {"ns": [n], "s": {"size": 1, "HUGEINT": n, "a": [n]}, "m": {"k": n}, "pair": [n, 1]}
    ]
    assert result.types[0] == "BIGINT[]"
    huge = census.sql("SELECT [170141183460469231731687303715884105727 // 2] AS huge")
    assert huge is not None
    assert huge.rows()[0]["huge"] == [Decimal(85070591730234615865843651857942052863)]


@pytest.mark.parametrize(
    "name",
    [
        "count-hosts-blocking-gptbot",
        "compare-hosts-by-crawl",
        "compare-restriction-by-agent",
        "count-flips-between-dialects",
        "rank-errors-by-domains",
        "list-coverage",
    ],
)
def test_both_versions_of_duckdb_give_the_same_rows(census: Dataset, name: str) -> None:
    """``query`` runs the executable, ``sql`` the module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_words, **_flags: None)
        queried = census.query(name)
    here = census.sql(program.execute(["query", "--print", name]).stdout.decode())
    assert here is not None and len(here) > 0
    assert (queried.columns, queried.types) == (here.columns, here.types)
    assert queried.rows() == here.rows()


def test_queries_have_names_and_sentences(census: Dataset, tmp_path: Path) -> None:
    names = datasets.queries()
    files = {file.stem for file in (Path(__file__).parents[2] / "queries").glob("*.sql")}
    assert set(names) == files - {"views", "page-views"}
    assert names["count-captures-by-status"].endswith("?")
    assert not any(words.startswith("Chart") for words in names.values())
    file = tmp_path / "mine.sql"
    file.write_text("-- Mine\nSELECT getvariable('x') AS x")
    assert census.query(file, x="a").rows() == [{"x": "a"}]
    assert census.query("-- first\nSELECT 1 AS one").rows() == [{"one": 1}]
    long = "SELECT 1 AS one -- " + "x" * 200_000
    assert census.query(long).rows() == [{"one": 1}]


@pytest.mark.parametrize(
    ("query", "variables", "sentence"),
    [
        ("count-hosts-blocking", {}, "one is called count-hosts-blocking-gptbot"),
        ("hosts", {}, '"hosts" is a view, not a query'),
        ("absent.sql", {}, "absent.sql: cannot read"),
        ("", {}, "found no statement"),
        ("SELECT no_such FROM hosts", {}, "^DuckDB: .*no_such"),
        ("SELECT getvariable('agent') AS a", {"agent": "GPTBott"}, "did you mean GPTBot"),
        ("SELECT getvariable('dialect') AS a", {"dialect": "rfc9308"}, "did you mean rfc9309"),
        ("SELECT 1 AS one", {"data": "x"}, "--set data"),
    ],
)
def test_wrong_queries_are_refused_with_the_sentence_of_the_command_line(
    census: Dataset, query: str, variables: dict[str, str], sentence: str
) -> None:
    with pytest.raises(Error, match=sentence) as error:
        census.query(query, **variables)
    assert "\n" not in str(error.value) and not str(error.value).startswith("robocensus: ")


def test_an_unknown_agent_of_a_stored_query_is_refused_with_the_nearest(census: Dataset) -> None:
    with pytest.raises(Error, match='has no agent "GPTBott"; did you mean GPTBot?'):
        census.query("count-hosts-blocking-gptbot", agent="GPTBott")


def test_notes_of_the_command_line_are_warnings(census: Dataset) -> None:
    with pytest.warns(Note, match="no user-agent line can name MJ12bot") as record:
        result = census.query("count-hosts-blocking-gptbot", agent="MJ12bot")
    assert {warning.filename for warning in record} == {__file__}
    assert result.notes == tuple(str(warning.message) for warning in record)
    assert all(html.escape(note) in result._repr_html_() for note in result.notes)


@pytest.mark.parametrize("value", HOSTILE)
def test_values_of_variables_stay_values(census: Dataset, value: str) -> None:
    text = "SELECT getvariable('x') AS x, getvariable('x') = '' AS is_empty"
    by_module = census.sql(text, x=value)
    assert by_module is not None and by_module.rows()[0]["x"] == value
    assert census.query(text, x=value).rows() == by_module.rows()
    unset = census.sql("SELECT getvariable('x') AS x")
    assert unset is not None and unset.rows() == [{"x": None}]
    assert census.hosts().limit(1).aggregate("count(*)").fetchall() == [(1,)]


def test_names_of_variables_are_checked(census: Dataset) -> None:
    for name in ("a b", "x = 1; --", "1a", ""):
        with pytest.raises(ValueError, match="in the variable"):
            census.sql("SELECT 1 AS one", **{name: "y"})
    with pytest.raises(TypeError, match="agent: expected a string, a number or a list"):
        census.query("SELECT 1 AS one", agent=b"GPTBot")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="null"):
        census.query("SELECT getvariable('x') AS x", x="a\0b")


def test_variables_may_be_numbers_lists_or_none(census: Dataset) -> None:
    text = "SELECT getvariable('a') AS a, getvariable('b') AS b, getvariable('c') AS c"
    expected = [{"a": "7", "b": "x,y", "c": None}]
    result = census.sql(text, a=7, b=["x", "y"], c=None)
    assert result is not None and result.rows() == expected
    assert census.query(text, a=7, b=["x", "y"], c=None).rows() == expected


def test_the_variable_of_the_dataset_is_not_the_callers(census: Dataset) -> None:
    for name in ("data", "Data"):
        with pytest.raises(ValueError, match=f"^{name}: the variable by which the views find"):
            census.sql("SELECT 1 AS one", **{name: "elsewhere"})
    result = census.sql("SELECT count(*) AS n FROM captures")
    assert result is not None and result.rows() == [{"n": 606}]
    text = "SELECT getvariable('text') || getvariable('query') || getvariable('self') AS x"
    names = {"text": "a", "query": "b", "self": "c"}
    result = census.sql(text, **names)
    assert result is not None and result.rows() == [{"x": "abc"}]
    assert census.query(text, **names).rows() == [{"x": "abc"}]


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX")
@pytest.mark.parametrize("name", ["out?x", "out*x", "out[1]x"])
def test_a_path_is_no_pattern(
    name: str, archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = name.translate(str.maketrans("?*", "11")).replace("[1]", "1")
    runs.run(archives / "sample-2026.warc.gz", tmp_path / other)
    census = runs.run(archives / "plain.warc", tmp_path / name)
    assert census.summary is not None
    expected = census.summary["captures"]
    assert census.table("captures").aggregate("count(*)").fetchall() == [(expected,)]
    folder = tmp_path / f"{name}-temporary"
    folder.mkdir()
    (tmp_path / f"{other}-temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    result = census.sql("SELECT count(*) AS n FROM captures")
    assert result is not None and result.rows() == [{"n": expected}]
    assert result.relation().fetchall() == [(expected,)]


def test_sql_and_variables_longer_than_an_argument(census: Dataset) -> None:
    long = "/*" + "\N{SNOWMAN}" * 60_000 + "*/ SELECT 'a' AS who, 1 AS n"
    result = census.query(long)
    assert result.rows() == [{"who": "a", "n": 1}]
    assert result.chart().vega_lite["data"]["values"] == [{"label": "a", "value": 1}]
    with pytest.raises(ValueError, match="^hosts: expected at most 100,000 bytes, but got"):
        census.query("SELECT getvariable('hosts') AS x", hosts=["a.example"] * 12_000)
    rows = census.sql("SELECT length(getvariable('hosts')) AS n", hosts=["a.example"] * 12_000)
    assert rows is not None and rows.rows() == [{"n": 119_999}]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks of POSIX")
def test_rows_outlive_a_child_that_was_forked(census: Dataset) -> None:
    code = (
        "import os, sys\nfrom robocensus import datasets\n"
        "result = datasets.open(sys.argv[1]).sql('SELECT 1 AS one')\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    sys.exit(0)\n"
        "os.waitpid(pid, 0)\n"
        "print(result._path, result.rows())\n"
    )
    words = [sys.executable, "-c", code, str(census.folder)]
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    path, _, rows = printed.strip().partition(" ")
    assert rows == "[{'one': 1}]" and not Path(path).exists()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_sql_and_leaves_the_connection_usable(census: Dataset) -> None:
    with Dataset(census.folder) as opened:
        assert opened.connection is not None
        timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            opened.sql(
                "SELECT sum(hash(a.range * b.range * getvariable('x')::BIGINT) % 7) AS n "
                "FROM range(1000000) a, range(1000000) b",
                x=1,
            )
        timer.join()
        result = opened.sql("SELECT count(*) AS n, getvariable('x') AS x FROM captures")
        assert result is not None and result.rows() == [{"n": 606, "x": None}]


def test_of_several_statements_the_rows_of_the_last_are_returned(census: Dataset) -> None:
    assert not census.sql("SET threads = 2")
    census.sql("CREATE OR REPLACE TEMP TABLE mine AS SELECT 1 AS one")
    result = census.sql("INSERT INTO mine VALUES (2); FROM mine ORDER BY one")
    assert result is not None and result.rows() == [{"one": 1}, {"one": 2}]


def test_a_connection_that_is_closed_is_named(census: Dataset) -> None:
    with Dataset(census.folder) as opened:
        assert opened.sql("SELECT 1 AS one") is not None
        opened.connection.close()
        for work in (
            lambda: opened.sql("SELECT 1 AS one"),
            lambda: opened.hosts(),
            lambda: opened.table("captures"),
        ):
            with pytest.raises(Error, match="the connection is closed; robocensus.open"):
                work()
        assert opened.query("SELECT 1 AS one").rows() == [{"one": 1}]


def test_sql_that_duckdb_refuses_is_one_sentence(census: Dataset) -> None:
    with pytest.raises(Error, match="^DuckDB: Parser Error: .*; LINE 1: SELECT FROM WHERE$"):
        census.sql("SELECT FROM WHERE")
    with pytest.raises(Error, match="^expected two dialects$"):
        census.sql("SELECT error('expected two dialects') AS x")
    assert census.sql("SELECT 1 AS one") is not None


@pytest.mark.skipif(os.name == "nt", reason="a script of POSIX")
@pytest.mark.parametrize(
    ("script", "sentence"),
    [("kill -9 $$", "."), ("exit 3", "DuckDB"), ("echo no >&2; exit 1", "no")],
)
def test_an_executable_of_duckdb_that_dies_is_an_exception(
    census: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, sentence: str
) -> None:
    dead = tmp_path / "duckdb"
    dead.write_text(f"#!/bin/sh\n{script}\n")
    dead.chmod(0o755)
    monkeypatch.setenv(duckdb_cli.VARIABLE, str(dead))
    with pytest.raises(Error, match=sentence):
        census.query("SELECT 1 AS one")
    monkeypatch.setenv(duckdb_cli.VARIABLE, str(tmp_path / "absent"))
    with pytest.raises(Error, match="absent: no such file"):
        census.query("SELECT 1 AS one")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_query_and_its_duckdb(
    census: Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_gone: Callable[[Path], bool],
) -> None:
    slow, pid = tmp_path / "duckdb", tmp_path / "pid"
    slow.write_text(f"#!/bin/sh\necho $$ > {pid}.new; mv {pid}.new {pid}\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv(duckdb_cli.VARIABLE, str(slow))
    code = (
        "import os, pathlib, signal, sys, threading, time\n"
        "from robocensus import datasets\n"
        "def interrupt():\n"
        "    while not os.path.exists(sys.argv[2]):\n"
        "        time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=interrupt).start()\n"
        "datasets.open(sys.argv[1]).query('FROM hosts')\n"
    )
    words = [sys.executable, "-c", code, str(census.folder), str(pid)]
    ran = subprocess.run(words, check=False, capture_output=True, timeout=60)
    assert b"KeyboardInterrupt" in ran.stderr
    # The process is a child of init by now, which reaps it.
    begun = time.monotonic()
    while not is_gone(pid) and time.monotonic() - begun < 10:
        time.sleep(0.05)
    assert is_gone(pid) or ran.returncode == -signal.SIGINT


def test_an_unknown_table_is_refused_with_the_nearest(census: Dataset) -> None:
    with pytest.raises(Error, match="no table 'capture'; did you mean captures?"):
        census.table("capture")
    with pytest.raises(Error, match="no table '../x'; it has"):
        census.table("../x")


def test_hosts_are_those_of_the_command_line(census: Dataset) -> None:
    hosts = census.hosts().filter("is_primary").aggregate("count(*) AS n").fetchall()
    assert hosts == [
        (census.query("SELECT count(*) AS n FROM hosts WHERE is_primary").rows()[0]["n"],)
    ]
    columns = census.hosts().columns
    assert {"url_host_name", "domain", "is_primary_of_domain", "access"} <= set(columns)


def test_a_verdict_is_explained_by_its_file(census: Dataset, archives: Path) -> None:
    text = census.check("tonovala-example.com", archives, agent="GPTBot", url="/")
    assert text.startswith("verdict   disallow\n") and "line 9" in text
    with pytest.raises(Error, match="absent.example"):
        census.check("absent.example", archives)


def test_several_datasets_are_asked_as_one(tmp_path: Path) -> None:
    made = []
    for crawl in ["CC-MAIN-2026-05", "CC-MAIN-2026-09"]:
        path = f"crawl-data/{crawl}/segments/1.1/robotstxt/1.warc.gz"
        archive = tmp_path / crawl / path
        archive.parent.mkdir(parents=True)
        runs.sample(archive, captures=100, seed=len(made))
        made.append(runs.run(tmp_path / crawl, tmp_path / f"of-{crawl}", tables="+bodies"))
    sql = "SELECT count(*) AS n FROM captures"
    alone = [census.query(sql).rows()[0]["n"] for census in made]
    both = robocensus.query(sql, made[0], str(made[1].folder))
    assert both.rows() == [{"n": sum(alone)}] and min(alone) > 0
    with pytest.raises(Error, match="it has the crawl CC-MAIN-2026-05, and so has"):
        robocensus.query(sql, made[0], made[0])
    flips = runs.compare(
        None, tmp_path / "flips", data=made[0], baseline="google", candidate="google"
    )
    assert flips.exit_code == 0 and flips.summary["totals"]["files"] > 0


def test_changes_between_two_datasets(census: Dataset, tmp_path: Path) -> None:
    archive = runs.sample(tmp_path / "other.warc.gz", captures=300, seed=7)
    other = runs.run(archive, tmp_path / "other", dialects=["google", "rfc9309"])
    changes = census.changes(other)
    counted = changes.count(agent="CCBot")
    assert {"change", "pairs", "tighter"} <= set(counted.columns) and len(counted) > 0
    assert "change" in changes.hosts().columns
    by_path = census.query("count-changes", before=str(other.folder), agent="CCBot")
    assert by_path.rows() == counted.rows()
    with pytest.raises(Error, match="--before: .* reads no earlier dataset"):
        census.query("count-captures-by-status", before=other)
    with pytest.raises(Error, match="expected the folder of a dataset"):
        census.changes(tmp_path / "absent")


def test_files_that_are_damaged_are_found(archives: Path, tmp_path: Path) -> None:
    census = runs.run(archives / "plain.warc", tmp_path / "census")
    assert census.verify().is_sound and census.verify().findings == []
    file = next((census.folder / "captures").rglob("*.parquet"))
    file.write_bytes(file.read_bytes()[:-1])
    verification = census.verify()
    assert not verification and len(verification.findings) == 1
    assert repr(verification) == "<robocensus.Verification: 1 findings>"


def test_a_report_is_shown_in_a_frame_and_escaped(census: Dataset, tmp_path: Path) -> None:
    title = "\"'<script>alert(1)</script>&amp;"
    report = census.report(title=title)
    shown = report._repr_html_()
    assert shown.count("<") == 2 and shown.startswith("<iframe sandbox srcdoc=")
    source = re.search(r'srcdoc="([^"]*)"', shown)
    assert source is not None and html.unescape(source[1]) == report.html
    assert "<script" not in report.html
    path = report.save(tmp_path / "report.html")
    assert path.read_text("utf-8") == report.html
    with pytest.raises(OSError, match="absent"):
        report.save(tmp_path / "absent" / "report.html")
    with pytest.raises(Error, match="--title"):
        census.report(title=" ")


def test_rows_are_shown_escaped_and_in_part(census: Dataset) -> None:
    result = census.sql(
        "SELECT '<b>' || i AS \"<i>\", repeat('x', 1000) AS long, NULL AS none FROM range(50) t(i)"
    )
    assert result is not None
    shown = result._repr_html_()
    assert "&lt;b&gt;19" in shown and "&lt;b&gt;20" not in shown and "<b>" not in shown
    assert "&lt;i&gt;" in shown and "<i>" not in shown and "50 rows, 3 columns" in shown
    assert "x" * 200 not in shown and "NULL" in shown
    assert "50 rows" in repr(result)


def test_a_comparison_has_its_tables_and_totals(comparison: Comparison, archives: Path) -> None:
    assert comparison.exit_code == 1 and comparison.summary["sides"] == ["google", "rfc9309"]
    assert comparison.tables == ["causes", "flips", "parser_faults", "timings"]
    flips = comparison.sql("SELECT count(*) AS n FROM flips")
    assert flips is not None and flips.rows() == [{"n": comparison.summary["totals"]["flips"]}]
    assert comparison.query("SELECT count(*) AS n FROM flips").rows() == flips.rows()
    assert "<title>" in comparison.report().html
    with pytest.raises(Error, match="expected a dataset of robocensus run"):
        comparison.query("count-hosts-blocking-gptbot")
    out = comparison.folder.parent / "none"
    same = runs.compare(archives, out, baseline="google", candidate={"base": "google"})
    assert same.exit_code == 0 and same.summary["totals"]["flips"] == 0


def test_pages_have_their_views(tmp_path: Path) -> None:
    archive = runs.sample(tmp_path / "pages.warc.gz", captures=60, pages=40, seed=3)
    census = runs.run(archive, tmp_path / "census", pages=True)
    counted = census.sql("SELECT count(*) AS n FROM page_policies")
    assert counted is not None and counted.rows()[0]["n"] > 0
    assert len(census.query("count-pages-by-directive")) > 0
