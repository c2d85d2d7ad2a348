"""Charts of ``robocensus query --format vega-lite``, drawn with matplotlib.

The program says what a chart shows, as a Vega-Lite specification with the rows in it: one mark (bar,
line or rect) over the channels x, y and color. Notebooks that know Vega-Lite show it as it is;
``draw`` draws the same with matplotlib, for a paper.
"""

from __future__ import annotations

import importlib
import io
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .errors import Error

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["VegaLite", "draw"]

#: The media type of a Vega-Lite specification in notebooks.
_MEDIA_TYPE = "application/vnd.vegalite.v5+json"
#: Inches of a figure, of a category in it and around the categories; dots per inch.
_SIZE = (6.4, 4.0)
_CATEGORY = 0.22
_MARGIN = 1.4
_RESOLUTION = 150
#: Characters of a label.
_LONGEST_LABEL = 40
#: Characters of a title, and of a line below the chart.
_LONGEST_TEXT = 240
#: Characters on an inch, of the title and below the chart.
_TITLE_CHARACTERS = 11
_SMALL_CHARACTERS = 16
#: Categories for which a figure grows.
_MOST_CATEGORIES = 200
#: Cells of a heat map up to which each shows its value.
_MOST_VALUES = 200
#: Colors that people with a color vision deficiency can tell apart (Okabe and Ito, 2008).
_COLORS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#000000",
    "#f0e442",
)

Row = Mapping[str, Any]


class VegaLite(dict[str, Any]):
    """A Vega-Lite specification: a dict that notebooks show as a chart."""

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        return {_MEDIA_TYPE: dict(self), "text/plain": f"<robocensus.VegaLite: {_title(self)[0]}>"}


def draw(
    specification: Mapping[str, Any],
    *,
    size: tuple[float, float] | None = None,
    axes: Axes | None = None,
) -> Figure:
    """Draws a specification of ``robocensus query --format vega-lite``.

    Args:
        specification: One mark (bar, line or rect) with the rows in ``data.values``.
        size: Width and height in inches; by default high enough for the categories.
        axes: Where to draw, instead of a figure of its own.

    Returns:
        The figure: ``savefig("chart.pdf")`` writes it. It is none of pyplot, so it need not be
        closed.

    Raises:
        Error: The specification is none that this function draws.
        ImportError: matplotlib is not installed.

    Example:
        >>> draw(open("census").query("compare-hosts-by-crawl").vega_lite())  # doctest: +SKIP
    """
    try:
        importlib.import_module("matplotlib")
    except ImportError as error:
        raise ImportError("chart() needs matplotlib: pip install matplotlib") from error
    chart = _Chart(specification)
    figure: Figure
    is_own = axes is None
    if axes is None:
        figure = _figure_type()(figsize=size or chart.size(), dpi=_RESOLUTION, layout="constrained")
        axes = figure.add_subplot()
    else:
        figure = axes.get_figure(root=True)  # type: ignore[assignment, unused-ignore]
    {"bar": chart.bars, "line": chart.lines, "rect": chart.cells}[chart.mark](axes)
    title, below = _title(specification)
    width = figure.get_size_inches()[0]
    title = _wrapped(title, width * _TITLE_CHARACTERS)
    text = "\n".join(_wrapped(line, width * _SMALL_CHARACTERS) for line in below)
    style: dict[str, Any] = {"fontsize": "x-small", "color": "#555555", "parse_math": False}
    if is_own:
        figure.suptitle(title, x=0.01, ha="left", fontsize="medium", parse_math=False)
        figure.supxlabel(text, x=0.01, ha="left", **style)
    else:
        axes.set_title(title, loc="left", fontsize="medium", parse_math=False)
        axes.annotate(
            text,
            (0, 0),
            (0, -34),
            xycoords="axes fraction",
            textcoords="offset points",
            va="top",
            annotation_clip=False,
            **style,
        )
    return figure


class _Channel:
    """A channel of the encoding: the field that it shows, and how."""

    def __init__(self, name: str, channel: Mapping[str, Any]) -> None:
        self.name = name
        self.field = str(channel["field"])
        self.kind = str(channel.get("type", "nominal"))
        self.sort = channel.get("sort", "ascending")
        self.stacks = channel.get("stack", "zero") not in (None, False)
        axis = channel.get("axis") or channel.get("legend") or {}
        title = channel.get("title", axis.get("title", self.field))
        self.title = "" if title is None else str(title)
        self.is_percent = "%" in str(axis.get("format", ""))
        self.is_whole = str(axis.get("format", "")) == "d"
        scale = channel.get("scale") or {}
        self.is_threshold = scale.get("type") == "threshold"
        domain, colors = scale.get("domain"), scale.get("range")
        self.domain: list[Any] = list(domain) if isinstance(domain, (list, tuple)) else []
        self.colors: list[str] = list(colors) if isinstance(colors, (list, tuple)) else []

    @property
    def is_quantity(self) -> bool:
        return self.kind == "quantitative"

    @property
    def limits(self) -> list[float]:
        """The ends of the axis, if they are given."""
        is_pair = self.is_quantity and len(self.domain) == 2 and not self.is_threshold
        return [float(end) for end in self.domain] if is_pair else []

    def value(self, row: Row) -> float:
        value = row.get(self.field)
        return float("nan") if value is None else float(value)

    def color(self, index: int, name: Any) -> str:
        """Returns the color of a series."""
        if name in self.domain and self.domain.index(name) < len(self.colors):
            return self.colors[self.domain.index(name)]
        return _COLORS[index % len(_COLORS)]

    def categories(self, rows: Sequence[Row], others: Mapping[str, _Channel]) -> list[Any]:
        """Returns the distinct values in their order, as Vega-Lite has it."""
        found = list(dict.fromkeys(row.get(self.field) for row in rows))
        sort = self.sort
        if isinstance(sort, list):
            known = {value: index for index, value in enumerate(sort)}
            return sorted(found, key=lambda value: known.get(value, len(known)))
        if sort is None:
            return found
        by = others.get(str(sort).lstrip("-")) if isinstance(sort, str) else None
        if by is not None:
            sums = {value: 0.0 for value in found}
            for row in rows:
                value = by.value(row)
                sums[row.get(self.field)] += 0.0 if math.isnan(value) else value
            return sorted(found, key=lambda value: sums[value], reverse=str(sort)[0] == "-")
        is_descending = sort == "descending"
        return sorted(found, key=_order, reverse=is_descending)


class _Chart:
    """A specification, checked."""

    def __init__(self, specification: Mapping[str, Any]) -> None:
        try:
            mark = specification["mark"]
            self.mark = str(mark["type"] if isinstance(mark, Mapping) else mark)
            self.rows: list[Row] = list(specification["data"]["values"])
            encoding = specification["encoding"]
            self.x = _Channel("x", encoding["x"])
            self.y = _Channel("y", encoding["y"])
            color = encoding.get("color")
            self.color = _Channel("color", color) if color and "field" in color else None
            self.is_grouped = "xOffset" in encoding or "yOffset" in encoding
        except (KeyError, TypeError, AttributeError) as error:
            raise Error(f"expected a Vega-Lite specification with one mark, but {error}") from error
        if self.mark not in ("bar", "line", "rect"):
            raise Error(f"expected the mark bar, line or rect, but the chart has {self.mark!r}")
        if self.mark == "rect" and self.color is None:
            raise Error("expected a color for the cells of a heat map, but the chart has none")
        if not self.rows:
            raise Error("expected rows to draw, but the query has none")

    def size(self) -> tuple[float, float]:
        """Returns the width and height at which the names of the categories do not overlap."""
        width, height = _SIZE
        if self.mark == "rect" or not self.y.is_quantity:
            names = {row.get(self.y.field) for row in self.rows}
            height = max(height, _CATEGORY * min(len(names), _MOST_CATEGORIES) + _MARGIN)
        return width, height

    def channels(self) -> dict[str, _Channel]:
        channels = {"x": self.x, "y": self.y}
        return channels if self.color is None else {**channels, "color": self.color}

    def series(self) -> list[tuple[Any, list[Row]]]:
        """Returns the rows of each color."""
        color = self.color
        if color is None:
            return [(None, self.rows)]
        names = color.categories(self.rows, self.channels())
        return [
            (name, [row for row in self.rows if row.get(color.field) == name]) for name in names
        ]

    def bars(self, axes: Any) -> None:
        is_lying = self.x.is_quantity and not self.y.is_quantity
        along, length = (self.y, self.x) if is_lying else (self.x, self.y)
        names = along.categories(self.rows, self.channels())
        position = {name: index for index, name in enumerate(names)}
        series = self.series()
        is_stacked = length.stacks and not self.is_grouped
        width = 0.8 if is_stacked else 0.8 / len(series)
        base = [0.0] * len(names)
        for index, (name, rows) in enumerate(series):
            shift = 0.0 if is_stacked else (index - (len(series) - 1) / 2) * width
            style = {"color": self._color(index, name), "label": _label(name)}
            places, lengths, bases = [], [], []
            for row in rows:
                at, value = position[row.get(along.field)], length.value(row)
                places.append(at + shift)
                lengths.append(value)
                bases.append(base[at] if is_stacked else 0.0)
                base[at] += 0.0 if math.isnan(value) else value
            if is_lying:
                axes.barh(places, lengths, width, left=bases, **style)
            else:
                axes.bar(places, lengths, width, bottom=bases, **style)
            if not is_stacked or len(series) == 1:
                _show_intervals(axes, places, rows, is_lying)
        if is_lying:
            axes.invert_yaxis()
        _show_names(axes, "y" if is_lying else "x", names)
        self._finish(axes, series)

    def lines(self, axes: Any) -> None:
        position, names = self._positions(axes)
        series = self.series()
        for index, (name, rows) in enumerate(series):
            rows = sorted(rows, key=lambda row: position(row))
            xs = [position(row) for row in rows]
            ys = [self.y.value(row) for row in rows]
            color = self._color(index, name)
            axes.plot(xs, ys, marker="o", markersize=4, color=color, label=_label(name))
            _show_intervals(axes, xs, rows, False, color)
        if names:
            _show_names(axes, "x", names)
        if not self.y.limits:
            axes.set_ylim(bottom=0)
        self._finish(axes, series)

    def _positions(self, axes: Any) -> tuple[Callable[[Row], float], list[Any]]:
        """Returns where rows lie on the axis x, and its names if it has some."""
        if self.x.is_quantity:
            return self.x.value, []
        names = self.x.categories(self.rows, self.channels())
        if self.x.kind == "temporal":
            try:
                times = {name: datetime.fromisoformat(str(name)) for name in names}
            except ValueError:
                pass
            else:
                dates = importlib.import_module("matplotlib.dates")
                axes.xaxis_date()
                return (lambda row: float(dates.date2num(times[row.get(self.x.field)]))), []
        index = {name: float(at) for at, name in enumerate(names)}
        return (lambda row: index[row.get(self.x.field)]), names

    def _color(self, index: int, name: Any) -> str:
        return _COLORS[0] if self.color is None else self.color.color(index, name)

    def cells(self, axes: Any) -> None:
        color = self.color
        assert color is not None
        columns = self.x.categories(self.rows, self.channels())
        lines = self.y.categories(self.rows, self.channels())
        values = [[float("nan")] * len(columns) for _ in lines]
        for row in self.rows:
            line, column = lines.index(row.get(self.y.field)), columns.index(row.get(self.x.field))
            values[line][column] = color.value(row)
        colors = importlib.import_module("matplotlib.colors")
        known = [value for line_of in values for value in line_of if not math.isnan(value)]
        if color.is_threshold and len(color.colors) == len(color.domain) + 1:
            scheme = colors.ListedColormap(color.colors)
            ends = [min([0.0, *known, *color.domain]), max([1.0, *known, *color.domain])]
            norm = colors.BoundaryNorm(sorted({*ends, *color.domain}), scheme.N)
        else:
            scheme = importlib.import_module("matplotlib").colormaps["cividis"]
            norm = colors.Normalize(*(color.limits or (0, max(known, default=1))))
        scheme = scheme.with_extremes(bad="#eeeeee")
        image = axes.imshow(values, cmap=scheme, norm=norm, aspect="auto")
        _show_names(axes, "x", columns)
        _show_names(axes, "y", lines)
        bar = axes.figure.colorbar(image, ax=axes)
        bar.set_label(_label(color.title), parse_math=False)
        if color.is_percent:
            bar.ax.yaxis.set_major_formatter(_percent())
        if len(columns) * len(lines) <= _MOST_VALUES:
            for y, line_of in enumerate(values):
                for x, value in enumerate(line_of):
                    if not math.isnan(value):
                        red, green, blue, _ = image.to_rgba(value)
                        is_dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
                        axes.text(
                            x,
                            y,
                            f"{value:.0%}" if color.is_percent else f"{value:,.3g}",
                            ha="center",
                            va="center",
                            fontsize="x-small",
                            color="white" if is_dark else "black",
                        )
        _name_axis(axes, "x", self.x)
        _name_axis(axes, "y", self.y)

    def _finish(self, axes: Any, series: Sequence[tuple[Any, list[Row]]]) -> None:
        _name_axis(axes, "x", self.x)
        _name_axis(axes, "y", self.y)
        axes.spines[["top", "right"]].set_visible(False)
        if self.color is not None and len(series) > 1:
            legend = axes.legend(fontsize="x-small", frameon=False, title=_label(self.color.title))
            for text in (*legend.get_texts(), legend.get_title()):
                text.set_parse_math(False)


def _figure_type() -> type[Figure]:
    base = importlib.import_module("matplotlib.figure").Figure

    class ChartFigure(base):  # type: ignore[misc, valid-type]
        """A figure that notebooks show, whether or not pyplot was imported."""

        def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
            image = io.BytesIO()
            self.savefig(image, format="png", bbox_inches="tight")
            return {"image/png": image.getvalue(), "text/plain": repr(self)}

    figure: type[Figure] = ChartFigure
    return figure


def _title(specification: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Returns the title and the lines below the chart."""
    title = specification.get("title") or ""
    if not isinstance(title, Mapping):
        return str(title), []
    below = title.get("subtitle") or []
    lines = [below] if isinstance(below, str) else [str(line) for line in below]
    text = title.get("text") or ""
    return (text if isinstance(text, str) else " ".join(map(str, text))), lines


def _show_intervals(
    axes: Any, places: Sequence[float], rows: Sequence[Row], is_lying: bool, color: str = ""
) -> None:
    """Draws the intervals of rows that have ``low`` and ``high``."""
    effects = importlib.import_module("matplotlib.patheffects")
    # A dark line on a dark bar shows only with a light edge.
    # Over the points of lines it would hide them.
    halo = [] if color else [effects.withStroke(linewidth=3, foreground="white")]
    for place, row in zip(places, rows):
        low, high = row.get("low"), row.get("high")
        if low is not None and high is not None:
            ends, places_of = [float(low), float(high)], [place, place]
            along = (ends, places_of) if is_lying else (places_of, ends)
            axes.plot(*along, color=color or "#333333", linewidth=1, path_effects=halo)


def _show_names(axes: Any, which: str, names: Sequence[Any]) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_ticks(range(len(names)), [_label(name) for name in names], fontsize="small")
    is_long = sum(len(_label(name)) for name in names) > 60
    for label in axis.get_ticklabels():
        # A name of a host or an agent is text, whatever characters it has.
        label.set_parse_math(False)
        if which == "x" and is_long:
            label.set_rotation(40)
            label.set_horizontalalignment("right")


def _name_axis(axes: Any, which: str, channel: _Channel) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
    width, height = axes.get_window_extent().size / axes.figure.dpi
    length = width if which == "x" else height
    title = _wrapped(_label(channel.title, 2 * _LONGEST_LABEL), length * _TITLE_CHARACTERS)
    axis.set_label_text(title, parse_math=False)
    if channel.is_quantity:
        if channel.is_percent:
            axis.set_major_formatter(_percent())
        if channel.is_whole:
            ticker = importlib.import_module("matplotlib.ticker")
            axis.set_major_locator(ticker.MaxNLocator(integer=True))
            axis.set_major_formatter(ticker.FormatStrFormatter("%d"))
        if channel.limits:
            (axes.set_xlim if which == "x" else axes.set_ylim)(*channel.limits)


def _percent() -> Any:
    return importlib.import_module("matplotlib.ticker").PercentFormatter(1.0)


def _order(value: Any) -> tuple[int, float, str]:
    """Returns a key by which values of several types have an order; None is last."""
    if isinstance(value, (int, float)):
        return (0, float(value), "")
    return (2, 0.0, "") if value is None else (1, 0.0, str(value))


def _wrapped(text: str, width: float) -> str:
    """Returns text in lines of so many characters."""
    return "\n".join(textwrap.wrap(_label(text, _LONGEST_TEXT), max(int(width), 1)))


def _label(value: object, longest: int = _LONGEST_LABEL) -> str:
    """Returns a value as one line of text that is not too long."""
    if value is None:
        return "(none)"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))
    return text if len(text) <= longest else text[: longest - 1] + "\N{HORIZONTAL ELLIPSIS}"
