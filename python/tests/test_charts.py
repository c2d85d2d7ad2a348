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
    assert {"Hosts by agent", "n = 313 hosts\nSource: robocensus"} <= texts(axes)


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


def test_years_are_whole_numbers_and_times_have_their_distance() -> None:
    made = specification("line")
    made["encoding"]["x"] = {"field": "year", "type": "quantitative", "axis": {"format": "d"}}
    axes = drawn(made)
    assert [line.get_xdata().tolist() for line in axes.lines] == [[2024, 2025, 2026]] * 3
    assert axes.xaxis.get_major_formatter()(2024.0) == "2024"
    made["encoding"]["x"] = {"field": "day", "type": "temporal", "sort": None}
    for row, day in zip(made["data"]["values"], ["2026-01-03", "2026-01-01", "2026-01-02"] * 3):
        row["day"] = day
    (first, second, third) = drawn(made).lines[0].get_xdata()
    assert (second - first, third - second) == (1, 1)
    for row in made["data"]["values"]:
        row["day"] = "CC-MAIN-" + row["day"]
    assert drawn(made).get_xticklabels()[0].get_text() == "CC-MAIN-2026-01-03"


def test_intervals_are_lines_over_bars_and_points() -> None:
    for mark in ("bar", "line"):
        made = specification(mark)
        made["data"]["values"][0].update(low=0.05, high=0.35)
        made["data"]["values"][1].update(low=None, high=0.3)
        drawn_lines = [line.get_xydata().tolist() for line in drawn(made).lines]
        whole = [[0.05, 0.0], [0.35, 0.0]] if mark == "bar" else [[0.0, 0.05], [0.0, 0.35]]
        assert whole in drawn_lines
        assert len(drawn_lines) == (1 if mark == "bar" else 4)


def test_intervals_have_a_light_edge_and_long_titles_of_axes_are_wrapped() -> None:
    made = specification("bar")
    made["data"]["values"][0].update(low=0.05, high=0.35)
    (interval,) = drawn(made).lines
    assert interval.get_path_effects()
    made = specification("line")
    made["encoding"]["y"]["title"] = "share of registered domains that have a robots.txt"
    for size in ((3.2, 2.6), (6.4, 4.0), (10, 7)):
        axes = drawn(made, size=size)
        label = axes.yaxis.label.get_window_extent()
        assert label.y0 >= 0 and label.y1 <= axes.figure.bbox.height


def test_colors_are_those_of_the_specification() -> None:
    made = specification("line")
    made["encoding"]["color"]["scale"] = {"domain": AGENTS, "range": ["#111111", "#222222"]}
    lines = {line.get_label(): line.get_color() for line in drawn(made).lines}
    assert (lines["GPTBot"], lines["CCBot"]) == ("#111111", "#222222")
    assert lines["Googlebot"].startswith("#") and lines["Googlebot"] not in ("#111111", "#222222")
    made = specification("rect")
    scale = {"type": "threshold", "domain": [0.1, 0.3], "range": ["#000000", "#888888", "#ffffff"]}
    made["encoding"]["color"]["scale"] = scale
    (image,) = drawn(made).images
    shades = [round(float(image.to_rgba(value)[0]), 2) for value in (0.05, 0.1, 0.29, 0.3, 1.0)]
    assert shades == [0.0, 0.53, 0.53, 1.0, 1.0]


def test_a_channel_without_a_title_has_none() -> None:
    made = specification("bar")
    made["encoding"]["x"]["title"] = None
    assert drawn(made).get_xlabel() == ""


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
    assert axes.get_title(loc="left") == "Hosts by agent"
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


@pytest.mark.parametrize(
    ("query", "mark"),
    [
        ("compare-restriction-by-agent", "bar"),
        ("compare-agents-by-top-level-domain", "rect"),
        ("compare-hosts-by-crawl", "bar"),
    ],
)
def test_stored_queries_are_drawn(census: Dataset, query: str, mark: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = census.query(query)
    made = result.vega_lite()
    assert made["mark"] == mark and len(made["title"]["subtitle"]) == 2
    axes = result.chart().axes[0]
    image: Any = axes.images[0].get_array() if axes.images else None
    drawn_values = len(axes.patches) or int(image.count())
    assert drawn_values == len(made["data"]["values"])


def test_a_query_without_a_shape_is_refused_in_a_sentence(census: Dataset) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = census.query("list-provenance")
    with pytest.raises(Error) as error:
        result.chart()
    assert error.value.exit_code == 2 and "list-provenance" in str(error.value)


def test_rows_of_sql_have_no_chart(census: Dataset) -> None:
    result = census.sql("SELECT 1 AS one")
    assert result is not None
    with pytest.raises(Error, match=r"rows of sql\(\) have no chart"):
        result.chart()
