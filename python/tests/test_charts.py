"""Charts: Vega-Lite specifications of the program, drawn with matplotlib."""

from __future__ import annotations

import copy
import io
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from robocensus import charts
from robocensus.datasets import Dataset
from robocensus.errors import Error
from robocensus.results import Result

matplotlib = pytest.importorskip("matplotlib")

AGENTS = ["GPTBot", "CCBot", "Googlebot"]


def specification(mark: str, **changes: Any) -> dict[str, Any]:
    """A specification as ``robocensus query --format vega-lite`` prints it."""
    made: dict[str, Any] = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": "Hosts by agent", "subtitle": ["n = 313 hosts", "Source: robocensus"]},
        "mark": {"type": mark},
        "data": {
            "values": [
                {"agent": agent, "year": year, "share": (index + year - 2024) / 10}
                for index, agent in enumerate(AGENTS)
                for year in (2024, 2025, 2026)
            ]
        },
    }
    quantity = {"field": "share", "type": "quantitative", "title": "share of hosts"}
    quantity["axis"] = {"format": ".0%"}  # type: ignore[assignment]
    agent = {"field": "agent", "type": "nominal"}
    year = {"field": "year", "type": "ordinal"}
    made["encoding"] = {
        "bar": {"x": quantity, "y": {**agent, "sort": None}},
        "line": {"x": year, "y": quantity, "color": agent},
        "rect": {"x": year, "y": agent, "color": {**quantity, "legend": quantity["axis"]}},
    }[mark]
    if mark == "bar":
        made["data"]["values"] = [row for row in made["data"]["values"] if row["year"] == 2026]
    return {**made, **changes}


def drawn(made: dict[str, Any], **options: Any) -> Any:
    """Draws, renders and returns the axes."""
    figure = charts.draw(made, **options)
    with warnings.catch_warnings():
        # A font of this machine may lack the characters of a test.
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Glyph")
        figure.savefig(io.BytesIO(), format="png")
        figure.savefig(io.BytesIO(), format="svg")
    return figure.axes[0]


def texts(axes: Any) -> set[str]:
    return {text.get_text() for text in axes.figure.findobj(matplotlib.text.Text)}


@pytest.mark.parametrize("mark", ["bar", "line", "rect"])
def test_a_chart_has_its_title_its_n_and_its_source(mark: str) -> None:
    axes = drawn(specification(mark))
    assert axes.get_title(loc="left") == "Hosts by agent"
    assert "n = 313 hosts\nSource: robocensus" in texts(axes)


def test_bars_lie_in_the_order_of_the_rows() -> None:
    axes = drawn(specification("bar"))
    assert [round(bar.get_width(), 3) for bar in axes.patches] == [0.2, 0.3, 0.4]
    assert [label.get_text() for label in axes.get_yticklabels()] == AGENTS
    assert axes.yaxis_inverted() and axes.get_xlabel() == "share of hosts"
    assert axes.xaxis.get_major_formatter()(0.25).endswith("%")


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (None, ["GPTBot", "CCBot", "Googlebot"]),
        ("ascending", ["CCBot", "GPTBot", "Googlebot"]),
        ("descending", ["Googlebot", "GPTBot", "CCBot"]),
        (["Googlebot"], ["Googlebot", "GPTBot", "CCBot"]),
        ("x", ["GPTBot", "CCBot", "Googlebot"]),
        ("-x", ["Googlebot", "CCBot", "GPTBot"]),
    ],
)
def test_categories_are_sorted_as_in_vega_lite(sort: Any, expected: list[str]) -> None:
    made = specification("bar")
    made["encoding"]["y"]["sort"] = sort
    assert [label.get_text() for label in drawn(made).get_yticklabels()] == expected
    del made["encoding"]["y"]["sort"]
    assert [label.get_text() for label in drawn(made).get_yticklabels()] == sorted(AGENTS)


def test_bars_of_several_colors_are_stacked_or_side_by_side() -> None:
    made = {**specification("line"), "mark": "bar"}
    axes = drawn(made)
    tops = [round(bar.get_y() + bar.get_height(), 3) for bar in axes.patches]
    assert tops == [0.1, 0.2, 0.3, 0.1, 0.3, 0.5, 0.3, 0.6, 0.9]
    made["encoding"]["xOffset"] = {"field": "agent"}
    axes = drawn(made)
    assert {bar.get_y() for bar in axes.patches} == {0.0}
    assert len({round(bar.get_x(), 3) for bar in axes.patches}) == 9


def test_lines_have_a_legend_and_begin_at_zero() -> None:
    axes = drawn(specification("line"))
    assert len(axes.lines) == 3 and axes.get_ylim()[0] == 0
    assert [text.get_text() for text in axes.get_legend().get_texts()] == sorted(AGENTS)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2024", "2025", "2026"]


def test_a_heat_map_has_a_cell_for_each_row_and_none_where_there_is_none() -> None:
    made = specification("rect")
    made["data"]["values"] = made["data"]["values"][1:]
    made["data"]["values"][0]["share"] = None
    axes = drawn(made)
    (image,) = axes.images
    assert image.get_array().shape == (3, 3)
    assert image.get_array().mask.sum() == 2
    assert "40%" in texts(axes)


def test_text_is_text_whatever_characters_it_has() -> None:
    hostile = ["$\\frac{1}{$", "a\nb\x1b[31m", "x" * 500, "<script>", "", "_hidden"]
    for mark in ("bar", "line", "rect"):
        made = specification(mark)
        made["title"] = {"text": "$\\frac{$" + "t" * 500, "subtitle": "$\\sqrt$"}
        made["data"]["values"] = [
            {"agent": name, "year": 2026, "share": 0.5, "none": None} for name in hostile
        ]
        shown = "".join(texts(drawn(made)))
        assert "\x1b" not in shown and "x" * 100 not in shown and "$\\frac" in shown


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"mark": "area"}, "expected the mark bar, line or rect, but the chart has 'area'"),
        ({"mark": "rect"}, "expected a color for the cells of a heat map"),
        ({"data": {"values": []}}, "expected rows to draw, but the query has none"),
        ({"data": {}}, "expected a Vega-Lite specification with one mark, but 'values'"),
        ({"encoding": {"x": {"field": "a"}}}, "expected a Vega-Lite specification"),
        ({"encoding": None}, "expected a Vega-Lite specification"),
    ],
)
def test_what_cannot_be_drawn_is_an_exception(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Error, match=sentence):
        charts.draw({**specification("bar"), **changes})


def test_a_chart_is_drawn_into_axes_or_a_figure_of_a_size() -> None:
    own = matplotlib.figure.Figure()
    axes = own.add_subplot()
    assert charts.draw(specification("bar"), axes=axes) is own and axes.patches
    figure = charts.draw(specification("bar"), size=(3, 2))
    assert tuple(figure.get_size_inches()) == (3, 2)


def test_drawing_changes_neither_the_specification_nor_pyplot() -> None:
    made = specification("line")
    before = copy.deepcopy(made)
    code_before = "matplotlib.pyplot" in sys.modules
    charts.draw(made)
    assert made == before
    assert ("matplotlib.pyplot" in sys.modules) == code_before


def test_a_notebook_shows_figure_and_specification() -> None:
    made = charts.VegaLite(specification("bar"))
    bundle = made._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v5+json"] == made and json.dumps(made)
    assert "Hosts by agent" in bundle["text/plain"]
    figure: Any = charts.draw(made)
    assert figure._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")


def test_drawing_needs_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"^chart\(\) needs matplotlib: pip install matplotlib$"):
        charts.draw(specification("bar"))


def test_a_result_draws_the_specification_of_its_query(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.touch()
    result = Result(path, (), lambda: specification("bar"))
    assert result.vega_lite()["title"]["text"] == "Hosts by agent"
    assert len(result.chart(size=(4, 2)).axes[0].patches) == 3


def test_rows_of_sql_have_no_chart(census: Dataset) -> None:
    result = census.sql("SELECT 1 AS one")
    assert result is not None
    with pytest.raises(Error, match=r"rows of sql\(\) have no chart"):
        result.chart()
