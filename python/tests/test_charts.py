"""Charts of queries: drawn by the program, shown by notebooks."""

from __future__ import annotations

import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest
from robocensus.datasets import Dataset
from robocensus.errors import Error
from robocensus.results import Chart


def chart(census: Dataset, query: str) -> Chart:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return census.query(query).chart()


@pytest.mark.parametrize(
    ("query", "mark"),
    [
        ("compare-restriction-by-agent", "bar"),
        ("compare-agents-by-top-level-domain", "rect"),
        ("SELECT DATE '2026-01-01' + i::INTEGER AS day, i AS n FROM range(3) t(i)", "line"),
    ],
)
def test_queries_are_drawn_by_the_program(
    census: Dataset, tmp_path: Path, query: str, mark: str
) -> None:
    drawn = chart(census, query)
    assert drawn._repr_svg_() == drawn.svg
    root = ElementTree.fromstring(drawn.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "Source: " in drawn.svg and "n = " in drawn.svg
    made = drawn.vega_lite
    assert made["mark"] == mark and len(made["title"]["subtitle"]) == 2
    assert drawn.save(tmp_path / "chart.svg").read_text("utf-8") == drawn.svg
    with pytest.raises(Error, match=r"expected the name of a file that ends with \.svg"):
        drawn.save(tmp_path / "chart.pdf")


def test_a_chart_repeats_no_note_of_its_rows(census: Dataset) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = census.query("rank-agents-by-domains")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert result.chart().vega_lite["data"]["values"]


def test_a_query_without_a_chart_is_refused_in_a_sentence(census: Dataset) -> None:
    with pytest.raises(Error) as error:
        chart(census, "list-provenance")
    assert error.value.exit_code == 2 and "list-provenance" in str(error.value)


def test_rows_of_sql_have_no_chart(census: Dataset) -> None:
    result = census.sql("SELECT 1 AS one")
    assert result is not None
    with pytest.raises(Error, match=r"rows of sql\(\) have no chart"):
        result.chart()
