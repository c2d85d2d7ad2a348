//! Lines over years, days or crawls, with a mark at each figure.

use super::{
    frame::{Frame, SMALL, TOO_FEW},
    grid::{Grid, Label, Point},
    scale::{Scale, mark, time_marks, value},
    style::{self, MUTED, RULE},
    svg::{Anchor, Font, Svg},
    text::{cut, widest, width},
};
use crate::report::words;

/// The height of the plot, which is less than this only where its file is narrow.
const PLOT: f64 = 300.0;
/// The size of names beside the ends of lines.
const NAME: f64 = 11.5;
/// The most part of a file that such names have; with longer ones there is a legend in their place.
const MOST_PART: f64 = 0.25;
/// The least distance of their base lines.
const NAME_HEIGHT: f64 = 14.0;
/// The most figures of a line that have marks: more of them would hide the line.
const MOST_MARKS: usize = 30;
/// The radius of marks.
const RADIUS: f64 = 3.5;
/// How far intervals at one label are from each other, so that none hides another one.
const BESIDE: f64 = 4.0;
/// The most width of a label below the axis.
const MOST_LABEL: f64 = 180.0;
/// The size of the n below labels.
const BELOW: f64 = 9.5;
/// How far inside its ends the axis has its first label and its last one.
const INSET: f64 = 20.0;
/// The least width of the mark of a year or month.
const MARK_WIDTH: f64 = 60.0;
/// How far labels are rotated that have no space next to each other, also in a narrow file.
const DEGREES: [f64; 2] = [-40.0, -65.0];

/// Where figures are.
struct Plot<'a> {
    grid: &'a Grid,
    scale: Scale,
    /// The times of labels, or their numbers where one has none.
    times: Vec<f64>,
    /// Indexes of labels from left to right.
    order: Vec<usize>,
    left: f64,
    right: f64,
    top: f64,
    height: f64,
}

/// Draws the chart.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    let names = (0..grid.series.len()).map(|series| name_of(grid, series));
    let names: Vec<_> = names.collect();
    let name_width = widest(&names, NAME);
    let is_named_at_end = name_width <= MOST_PART * frame.svg.width;
    if !is_named_at_end {
        frame.legend(&grid.series, |svg, [x, y], series| {
            draw_mark(svg, [x + 5.5, y + 5.5], series);
        });
    }
    let scale = grid.scale();
    let marks = scale.marks.iter().map(|&at| mark(at, grid.is_share));
    let marks: Vec<_> = marks.collect();
    let beside = if is_named_at_end {
        name_width + 14.0
    } else {
        20.0
    };
    frame.paragraph(frame.left, SMALL, &grid.value_title);
    frame.y += if grid.mark.is_some() { 24.0 } else { 10.0 };
    let times: Option<Vec<f64>> = grid.labels.iter().map(|label| label.at).collect();
    let times = times.unwrap_or_else(|| (0..grid.labels.len()).map(|at| at as f64).collect());
    let mut order: Vec<_> = (0..times.len()).collect();
    order.sort_by(|&one, &other| times[one].total_cmp(&times[other]));
    let mut plot = Plot {
        grid,
        scale,
        times,
        order,
        left: frame.left + widest(&marks, SMALL.size) + 10.0,
        right: frame.right - beside,
        top: frame.y,
        height: PLOT.min(0.6 * frame.svg.width),
    };
    let labels = Labels::new(&mut plot, frame);
    for (&at, text) in plot.scale.marks.iter().zip(&marks) {
        let color = if at == 0.0 { MUTED } else { RULE };
        let y = plot.y(at);
        frame.svg.line([plot.left, y], [plot.right, y], color, 1.0);
        let font = SMALL.anchored(Anchor::End);
        frame.svg.text([plot.left - 8.0, y + 4.0], font, text);
    }
    if let Some((at, name)) = &grid.mark {
        plot.draw_mark_of_time(frame, *at, name);
    }
    for series in 0..grid.series.len() {
        plot.draw_line(&mut frame.svg, series);
    }
    if is_named_at_end {
        plot.draw_names(&mut frame.svg, &names);
    }
    frame.y = plot.top + plot.height;
    let mut title = grid.axis.clone();
    match &labels {
        Some(labels) => {
            labels.draw(frame, &plot);
            if grid.labels.iter().any(|label| label.n.is_some()) {
                title.push_str("; below it n");
            }
        }
        None => plot.draw_time_axis(frame),
    }
    frame.y += 6.0;
    frame.paragraph(plot.left, SMALL, &title);
}

/// Returns the name of a line with its last figure.
fn name_of(grid: &Grid, series: usize) -> String {
    let last = grid.points.iter().rev().find_map(|points| points[series]);
    let figure = last.map_or_else(String::new, |point| value(point.value, grid.is_share));
    format!("{} {figure}", grid.series[series])
}

impl Plot<'_> {
    fn y(&self, figure: f64) -> f64 {
        self.top + (1.0 - self.scale.at(figure)) * self.height
    }

    /// Returns where labels are: by their time, or one after another.
    fn positions(&self) -> Vec<f64> {
        self.times.iter().map(|&at| self.x(at)).collect()
    }

    /// Returns the first and the last of the times.
    fn ends(&self) -> [f64; 2] {
        let times = || self.times.iter().copied();
        [
            times().fold(f64::MAX, f64::min),
            times().fold(f64::MIN, f64::max),
        ]
    }

    /// Returns where a time is.
    fn x(&self, time: f64) -> f64 {
        let [first, last] = self.ends();
        let (from, to) = (self.left + INSET, self.right - INSET);
        if first == last {
            return (from + to) / 2.0;
        }
        from + (time - first) / (last - first) * (to - from)
    }

    /// Writes years, or months where there are few of them, below the plot.
    fn draw_time_axis(&self, frame: &mut Frame) {
        let [first, last] = self.ends();
        let most = ((self.right - self.left) / MARK_WIDTH) as usize;
        let (y, font) = (frame.y, SMALL.anchored(Anchor::Middle));
        for (at, text) in time_marks(first, last, most) {
            let x = self.x(at);
            frame.svg.line([x, y], [x, y + 4.0], MUTED, 1.0);
            frame.svg.text([x, y + 16.0], font, &text);
        }
        frame.y += 16.0;
    }

    /// Draws a line at a time in the plot, with its name beside it.
    fn draw_mark_of_time(&self, frame: &mut Frame, at: f64, name: &str) {
        let [first, last] = self.ends();
        if !(first..=last).contains(&at) {
            return;
        }
        let x = self.x(at);
        let (top, bottom) = ([x, self.top - 16.0], [x, self.top + self.height]);
        frame.svg.line(top, bottom, MUTED, 1.0);
        let is_left = x < (self.left + self.right) / 2.0;
        let (anchor, beside) = if is_left {
            (Anchor::Start, 4.0)
        } else {
            (Anchor::End, -4.0)
        };
        let font = SMALL.anchored(anchor);
        // Above the plot no line passes through it.
        frame.svg.text([x + beside, self.top - 6.0], font, name);
    }

    fn draw_line(&self, svg: &mut Svg, series: usize) {
        let (color, dash) = style::line(series);
        let positions = self.positions();
        let mut beside = 0.0;
        if self.order.len() <= MOST_MARKS && self.grid.all_points().any(|p| p.interval.is_some()) {
            // Those of one label stay apart from those of the next one.
            let n_series = self.grid.series.len() as f64;
            let pitch = (self.right - self.left - 2.0 * INSET) / self.order.len() as f64;
            beside = BESIDE.min(0.8 * pitch / n_series) * (series as f64 - (n_series - 1.0) / 2.0);
        }
        let point = |&label: &usize| -> Option<(f64, Point)> {
            Some((positions[label] + beside, self.grid.points[label][series]?))
        };
        // No line leads across a label whose figure is not known.
        let is_unknown = |&label: &usize| self.grid.points[label][series].is_none();
        for part in self.order.split(is_unknown) {
            let part = part.iter().filter_map(point);
            let corners: Vec<_> = part.map(|(x, point)| [x, self.y(point.value)]).collect();
            if corners.len() > 1 {
                svg.polyline(&corners, color, dash);
            }
        }
        for (x, point) in self.order.iter().filter_map(point) {
            if let Some([low, high]) = point.interval.map(|bounds| bounds.map(|at| self.y(at))) {
                svg.line([x, low], [x, high], color, 1.25);
                for at in [low, high] {
                    svg.line([x - 3.0, at], [x + 3.0, at], color, 1.25);
                }
            }
            if self.order.len() <= MOST_MARKS {
                draw_mark(svg, [x, self.y(point.value)], series);
            }
        }
    }

    /// Writes the names of lines beside their ends, one below another where these are close.
    fn draw_names(&self, svg: &mut Svg, names: &[String]) {
        let mut ends = Vec::new();
        for series in 0..names.len() {
            let mut from_last = self.order.iter().rev();
            let last = from_last.find_map(|&label| self.grid.points[label][series]);
            ends.extend(last.map(|point| (self.y(point.value), series)));
        }
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut most = self.y(0.0).max(ends.last().map_or(0.0, |end| end.0));
        let mut free = f64::MIN;
        for (at, _) in &mut ends {
            *at = at.max(free);
            free = *at + NAME_HEIGHT;
        }
        // Names that were moved below the chart are moved up again.
        for (at, _) in ends.iter_mut().rev() {
            *at = at.min(most);
            most = *at - NAME_HEIGHT;
        }
        let x = self.right + 10.0;
        for (at, series) in ends {
            draw_mark(svg, [x, at], series);
            svg.text([x + 8.0, at + 4.0], Font::new(NAME), &names[series]);
        }
    }
}

/// Draws a mark whose form differs from that of the next series.
fn draw_mark(svg: &mut Svg, [x, y]: [f64; 2], series: usize) {
    const R: f64 = RADIUS;
    const FAR: f64 = RADIUS + 1.5;
    let (color, _) = style::line(series);
    let corners: &[[f64; 2]] = match series % 4 {
        0 => return svg.circle([x, y], R, color),
        1 => &[[-R, -R], [R, -R], [R, R], [-R, R]],
        2 => &[[0.0, -FAR], [FAR, R], [-FAR, R]],
        _ => &[[0.0, -FAR], [FAR, 0.0], [0.0, FAR], [-FAR, 0.0]],
    };
    let corners = corners.iter().map(|[right, down]| [x + right, y + down]);
    svg.polygon(&corners.collect::<Vec<_>>(), color);
}

/// The labels below the axis.
struct Labels {
    texts: Vec<String>,
    widths: Vec<f64>,
    /// How far they are rotated, or 0.
    degrees: f64,
}

impl Labels {
    /// Returns the labels, and moves the ends of the axis so that none leaves the file. Labels that
    /// have no space next to each other are rotated; `None` where years and months stand in their
    /// place.
    fn new(plot: &mut Plot<'_>, frame: &Frame) -> Option<Self> {
        let of_grid = || plot.grid.labels.iter();
        let width_with_n = |label: &Label| {
            let width = width(&label.text, SMALL.size).min(MOST_LABEL);
            width.max(widest(below(label), BELOW))
        };
        let mut labels = Self {
            texts: of_grid().map(|label| label.text.clone()).collect(),
            widths: of_grid().map(width_with_n).collect(),
            degrees: 0.0,
        };
        let (left, right) = (plot.left, plot.right);
        let half = |label: Option<&usize>| label.map_or(0.0, |&label| labels.widths[label] / 2.0);
        plot.left = left.max(frame.left - INSET + half(plot.order.first()));
        plot.right = right.min(frame.right + INSET - half(plot.order.last()));
        let positions = plot.positions();
        let fits = plot.order.windows(2).all(|pair| {
            let needed = (labels.widths[pair[0]] + labels.widths[pair[1]]) / 2.0 + 8.0;
            needed <= positions[pair[1]] - positions[pair[0]]
        });
        if !fits && plot.grid.has_time_axis {
            (plot.left, plot.right) = (left, right);
            return None;
        }
        let is_time = plot.grid.labels.iter().all(|label| label.at.is_some());
        if !fits && !is_time {
            labels.degrees = DEGREES[usize::from(frame.is_narrow())];
            for (text, label) in labels.texts.iter_mut().zip(&plot.grid.labels) {
                let below = below(label);
                if !below.is_empty() {
                    text.push_str(&format!(" ({})", below.join(", ")));
                }
            }
            let longest = widest(&labels.texts, SMALL.size).min(MOST_LABEL);
            let reach = longest * labels.degrees.to_radians().cos();
            plot.left = left.max(frame.left + reach - INSET);
            plot.right = right;
        }
        Some(labels)
    }

    /// Writes labels: all of them where there is space, else some.
    fn draw(&self, frame: &mut Frame, plot: &Plot<'_>) {
        let y = frame.y + 16.0;
        let positions = plot.positions();
        let sine = -self.degrees.to_radians().sin();
        let (mut free, mut depth) = (f64::MIN, 0.0_f64);
        for &label in &plot.order {
            let (x, text) = (positions[label], &self.texts[label]);
            let half = match self.degrees {
                0.0 => self.widths[label] / 2.0 + 3.0,
                // Half the height of a line, along the axis.
                _ => 0.55 * SMALL.size / sine,
            };
            frame.svg.line([x, frame.y], [x, frame.y + 4.0], MUTED, 1.0);
            if x - half < free {
                continue;
            }
            free = x + half;
            let short = cut(text, SMALL.size, MOST_LABEL);
            if self.degrees != 0.0 {
                let (at, font) = ([x + 4.0, y], SMALL.anchored(Anchor::End));
                frame.svg.turned_text(at, self.degrees, font, &short, text);
                depth = depth.max(width(&short, SMALL.size) * sine);
                continue;
            }
            let font = SMALL.anchored(Anchor::Middle);
            frame.svg.turned_text([x, y], 0.0, font, &short, text);
            let small = Font {
                size: BELOW,
                ..font
            };
            for (index, line) in below(&plot.grid.labels[label]).iter().enumerate() {
                let down = 13.0 * (index + 1) as f64;
                frame.svg.text([x, y + down], small, line);
                depth = depth.max(down);
            }
        }
        frame.y = y + depth;
    }
}

/// Returns what is written below a label: its n, and whether that is too few.
fn below(label: &Label) -> Vec<String> {
    let few = label.is_few.then(|| TOO_FEW.to_owned());
    label.n.map(words::count).into_iter().chain(few).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{chart::shape::Shape, result::ResultSet};

    #[test]
    fn crawls_lie_at_their_times_and_an_announcement_is_marked() {
        let shape =
            "lines label={crawl} time=at mark=announced of=x value=share_x each=n n=\"each: y\"";
        let shape = Shape::parse(shape).expect("a shape");
        let row = |crawl, at, n| {
            format!(
                "{{\"crawl\":\"{crawl}\",\"at\":\"{at} 01:00:00+00\",\"announced\":\"2024-01-01 00:00:00+00\",\"share_x\":0.5,\"n\":{n}}}"
            )
        };
        let rows = [
            row("a", "2023-01-01", 50),
            row("b", "2023-03-01", 40),
            row("c", "2025-01-01", 60),
        ];
        let rows = ResultSet::from_json(&format!("[{}]", rows.join(","))).expect("rows");
        let totals = super::super::Totals::default();
        let chart =
            super::super::Chart::new(&shape, "title", &[], &rows, &totals).expect("a chart");
        assert_eq!(chart.n, "n = 40 to 60 y");
        let svg = chart.element();
        for text in [">a</text>", ">60</text>", ">announced 2024-01-01</text>"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let circles: Vec<_> = svg.split("<circle cx=\"").skip(1).collect();
        let at: Vec<f64> = circles
            .iter()
            .map(|text| text.split('"').next().unwrap().parse().unwrap())
            .collect();
        // Two months are a twelfth of the two years.
        let part = (at[1] - at[0]) / (at[2] - at[0]);
        assert!((part - 59.0 / 731.0).abs() < 0.001, "{part}");
        let y = |text: &str| -> f64 {
            let before = svg.split(text).next().unwrap().rsplit(" y=\"").next();
            before.unwrap().split('"').next().unwrap().parse().unwrap()
        };
        assert!(
            y(">announced") < y(">60\u{a0}%<"),
            "a line may cross the name"
        );
    }

    #[test]
    fn a_year_of_too_few_is_named_and_not_drawn() {
        let shape = Shape::parse("lines label={year} of=x value=share_x each=n").expect("a shape");
        let mut rows = Vec::new();
        for (year, n) in [(2022, 40), (2023, 30), (2024, 29), (2025, 50), (2026, 60)] {
            rows.push(format!("{{\"year\":{year},\"share_x\":0.5,\"n\":{n}}}"));
        }
        let rows = ResultSet::from_json(&format!("[{}]", rows.join(","))).expect("rows");
        let mut grid = Grid::new(&shape, rows.rows()).expect("a grid");
        let note = grid.withhold(30).expect("a note");
        assert!(note.ends_with("is not drawn: 1 of 5."), "{note}");
        let mut frame = Frame::new("title", "n", None, super::super::frame::WIDTH);
        draw(&grid, &mut frame);
        let svg = frame.finish(&[]);
        // No line leads across it, and four marks are left beside the one of the name.
        assert_eq!(svg.matches("<polyline").count(), 2, "{svg}");
        assert_eq!(svg.matches("<circle").count(), 5, "{svg}");
        for text in [">2024</text>", ">29</text>", ">too few</text>"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }
}
