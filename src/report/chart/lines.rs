//! Lines over years, days or crawls, with a mark at each figure.

use super::{
    bars::TOO_FEW,
    frame::{Frame, MARGIN, WIDTH},
    grid::{Grid, Label, Point},
    scale::{Scale, mark, value},
    style::{self, MUTED, RULE},
    svg::{Anchor, Font, Svg},
    text::{cut, width},
};
use crate::report::words;

const PLOT: f64 = 300.0;
const AXIS: Font = Font::new(11.0).muted();
/// The size of names beside the ends of lines.
const NAME: f64 = 11.5;
/// The most width of such a name; with longer ones there is a legend in their place.
const MOST_NAME: f64 = 190.0;
/// The least distance of their base lines.
const NAME_HEIGHT: f64 = 14.0;
/// The most figures of a line that have marks: more of them would hide the line.
const MOST_MARKS: usize = 30;
/// The radius of marks.
const RADIUS: f64 = 3.5;
/// The most width of a label below the axis that is written across.
const MOST_LABEL: f64 = 150.0;
/// The size of the n below labels.
const BELOW: f64 = 9.5;
/// How far inside its ends the axis has its first label and its last one.
const INSET: [f64; 2] = [14.0, 8.0];
/// How far labels are rotated that have no space next to each other.
const DEGREES: f64 = -40.0;

/// Draws the chart.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    frame.begin(WIDTH);
    let ends: Vec<_> = (0..grid.series.len())
        .map(|series| end_of(grid, series))
        .collect();
    let name_width = ends.iter().map(|end| width(end, NAME)).fold(0.0, f64::max);
    let is_named_at_end = name_width <= MOST_NAME;
    if !is_named_at_end {
        frame.legend(&grid.series, |svg, [x, y], series| {
            draw_mark(svg, [x + 5.5, y + 5.5], series, style::line(series).0);
        });
    }
    let scale = Scale::new(
        grid.all_points().flat_map(|point| {
            let interval = point.interval.into_iter().flatten();
            interval.chain([point.value])
        }),
        grid.is_share,
    );
    let marks = scale.marks().iter().map(|&at| mark(at, grid.is_share));
    let mark_width = marks
        .map(|text| width(&text, AXIS.size))
        .fold(0.0, f64::max);
    let left = MARGIN + mark_width + 10.0;
    let right = match is_named_at_end {
        true => frame.svg.width() - MARGIN - name_width - 14.0,
        false => frame.svg.width() - MARGIN - 20.0,
    };
    let labels = Labels::new(grid);
    let order = order(grid);
    let (left, right, is_rotated) = labels.fit(grid, &order, left, right, frame.svg.width());
    let title = cut(
        &grid.value_title,
        AXIS.size,
        frame.svg.width() - 2.0 * MARGIN,
    );
    frame.y += 10.0;
    frame.svg.text([MARGIN, frame.y], AXIS, &title);
    frame.y += 14.0;
    let top = frame.y;
    let y = |figure: f64| top + PLOT - scale.at(figure) * PLOT;
    let positions = positions(grid, left + INSET[0], right - INSET[1]);
    for &at in scale.marks() {
        let color = if at == 0.0 { MUTED } else { RULE };
        frame.svg.line([left, y(at)], [right, y(at)], color, 1.0);
        let text = mark(at, grid.is_share);
        let font = AXIS.anchored(Anchor::End);
        frame.svg.text([left - 8.0, y(at) + 4.0], font, &text);
    }
    for series in 0..grid.series.len() {
        draw_line(frame, grid, series, &order, &positions, &y);
    }
    if is_named_at_end {
        draw_names(frame, grid, &ends, &order, right + 10.0, &y);
    }
    frame.y = top + PLOT;
    labels.draw(frame, grid, &order, &positions, is_rotated);
    frame.y += 18.0;
    let mut title = grid.label_title.clone();
    if grid.labels.iter().any(|label| label.n.is_some()) {
        title.push_str("; below it n");
    }
    let font = AXIS.anchored(Anchor::Middle);
    frame
        .svg
        .text([(left + right) / 2.0, frame.y], font, &title);
}

/// Returns the times of labels, or their numbers where one has none.
fn times(grid: &Grid) -> Vec<f64> {
    let times: Option<Vec<f64>> = grid.labels.iter().map(|label| label.at).collect();
    times.unwrap_or_else(|| (0..grid.labels.len()).map(|at| at as f64).collect())
}

/// Returns indexes of labels from left to right.
fn order(grid: &Grid) -> Vec<usize> {
    let times = times(grid);
    let mut order: Vec<_> = (0..times.len()).collect();
    order.sort_by(|&one, &other| times[one].total_cmp(&times[other]));
    order
}

/// Returns where labels are: by their time, or one after another.
fn positions(grid: &Grid, left: f64, right: f64) -> Vec<f64> {
    let times = times(grid);
    let first = times.iter().copied().fold(f64::MAX, f64::min);
    let last = times.iter().copied().fold(f64::MIN, f64::max);
    let of_one = |time: &f64| match last - first {
        0.0 => (left + right) / 2.0,
        range => left + (time - first) / range * (right - left),
    };
    times.iter().map(of_one).collect()
}

fn draw_line(
    frame: &mut Frame,
    grid: &Grid,
    series: usize,
    order: &[usize],
    positions: &[f64],
    y: &impl Fn(f64) -> f64,
) {
    let (color, dash) = style::line(series);
    let of_label = |&label: &usize| Some((positions[label], grid.points[label][series]?));
    let points: Vec<_> = order.iter().filter_map(of_label).collect();
    let corner = |(x, point): (f64, Point)| [x, y(point.value)];
    let corners: Vec<_> = points.iter().copied().map(corner).collect();
    // No line leads across a label whose figure is not known.
    for part in order.split(|&label| grid.labels[label].is_few) {
        let part: Vec<_> = part.iter().filter_map(of_label).map(corner).collect();
        if part.len() > 1 {
            frame.svg.polyline(&part, color, dash);
        }
    }
    for (x, Point { interval, .. }) in &points {
        let Some([low, high]) = interval.map(|bounds| bounds.map(y)) else {
            continue;
        };
        frame.svg.line([*x, low], [*x, high], color, 1.25);
        for at in [low, high] {
            frame.svg.line([x - 3.0, at], [x + 3.0, at], color, 1.25);
        }
    }
    if corners.len() <= MOST_MARKS {
        for at in corners {
            draw_mark(&mut frame.svg, at, series, color);
        }
    }
}

/// Draws a mark whose form differs from that of the next series.
fn draw_mark(svg: &mut Svg, [x, y]: [f64; 2], series: usize, color: &str) {
    let r = RADIUS;
    match series % 4 {
        0 => svg.circle([x, y], r, color),
        1 => svg.polygon(
            &[
                [x - r, y - r],
                [x + r, y - r],
                [x + r, y + r],
                [x - r, y + r],
            ],
            color,
        ),
        2 => svg.polygon(
            &[[x, y - r - 1.0], [x + r + 1.0, y + r], [x - r - 1.0, y + r]],
            color,
        ),
        _ => svg.polygon(
            &[
                [x, y - r - 1.5],
                [x + r + 1.5, y],
                [x, y + r + 1.5],
                [x - r - 1.5, y],
            ],
            color,
        ),
    }
}

/// Returns the name of a line with its last figure.
fn end_of(grid: &Grid, series: usize) -> String {
    let last = grid.points.iter().rev().find_map(|points| points[series]);
    let figure = last.map_or_else(String::new, |point| value(point.value, grid.is_share));
    format!("{} {figure}", grid.series[series])
}

/// Writes the names of lines beside their ends, one below another where these are close.
fn draw_names(
    frame: &mut Frame,
    grid: &Grid,
    names: &[String],
    order: &[usize],
    x: f64,
    y: &impl Fn(f64) -> f64,
) {
    let mut ends = Vec::new();
    for series in 0..grid.series.len() {
        let last = order
            .iter()
            .rev()
            .find_map(|&label| grid.points[label][series]);
        ends.extend(last.map(|point| (y(point.value), series)));
    }
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let lowest = y(0.0).max(ends.last().map_or(0.0, |end| end.0));
    let mut free = f64::MIN;
    for (at, _) in &mut ends {
        *at = at.max(free);
        free = *at + NAME_HEIGHT;
    }
    // Names that were moved below the chart are moved up again.
    let mut most = lowest;
    for (at, _) in ends.iter_mut().rev() {
        *at = at.min(most);
        most = *at - NAME_HEIGHT;
    }
    for (at, series) in ends {
        let color = style::line(series).0;
        draw_mark(&mut frame.svg, [x, at], series, color);
        let font = Font::new(NAME);
        frame.svg.text([x + 8.0, at + 4.0], font, &names[series]);
    }
}

/// The labels below the axis.
struct Labels {
    texts: Vec<String>,
    widths: Vec<f64>,
}

impl Labels {
    fn new(grid: &Grid) -> Self {
        let labels = grid.labels.iter();
        let texts: Vec<_> = labels
            .map(|label| cut(&label.text, AXIS.size, MOST_LABEL))
            .collect();
        let mut widths = Vec::new();
        for (label, text) in grid.labels.iter().zip(&texts) {
            let below = below(label);
            let below = below.iter().map(|line| width(line, BELOW));
            widths.push(below.fold(width(text, AXIS.size), f64::max));
        }
        Self { texts, widths }
    }

    /// Returns the ends of the axis between which no label leaves the file, and whether labels are
    /// rotated: those that have no space next to each other, and are no times.
    fn fit(
        &self,
        grid: &Grid,
        order: &[usize],
        left: f64,
        right: f64,
        width: f64,
    ) -> (f64, f64, bool) {
        let half = |label: Option<&usize>| label.map_or(0.0, |&label| self.widths[label] / 2.0);
        let across = [
            left.max(MARGIN + half(order.first()) - INSET[0]),
            right.min(width - MARGIN - half(order.last()) + INSET[1]),
        ];
        let positions = positions(grid, across[0] + INSET[0], across[1] - INSET[1]);
        let fits = order.windows(2).all(|pair| {
            let between = positions[pair[1]] - positions[pair[0]];
            (self.widths[pair[0]] + self.widths[pair[1]]) / 2.0 + 8.0 <= between
        });
        let is_time = grid.labels.iter().all(|label| label.at.is_some());
        if fits || is_time {
            return (across[0], across[1], false);
        }
        let longest = (0..self.texts.len()).map(|label| self.rotated(grid, label).1);
        let reach = longest.fold(0.0, f64::max) * DEGREES.to_radians().cos();
        (left.max(MARGIN + reach - INSET[0]), right, true)
    }

    /// Returns a label as it is written where labels are rotated, and its length.
    fn rotated(&self, grid: &Grid, label: usize) -> (String, f64) {
        let mut text = self.texts[label].clone();
        let below = below(&grid.labels[label]);
        if !below.is_empty() {
            text.push_str(&format!(" ({})", below.join(", ")));
        }
        let length = width(&text, AXIS.size);
        (text, length)
    }

    /// Writes labels: all of them where there is space, else some.
    fn draw(
        &self,
        frame: &mut Frame,
        grid: &Grid,
        order: &[usize],
        positions: &[f64],
        is_rotated: bool,
    ) {
        let y = frame.y + 16.0;
        let mut free = f64::MIN;
        let mut depth: f64 = 0.0;
        for &label in order {
            let x = positions[label];
            let half = match is_rotated {
                true => 6.0,
                false => self.widths[label] / 2.0,
            };
            frame.svg.line([x, frame.y], [x, frame.y + 4.0], MUTED, 1.0);
            if x - half < free {
                continue;
            }
            free = x + half + 6.0;
            if is_rotated {
                let (text, length) = self.rotated(grid, label);
                let font = AXIS.anchored(Anchor::End);
                frame.svg.turned_text([x + 4.0, y], DEGREES, font, &text);
                depth = depth.max(length * (-DEGREES).to_radians().sin());
                continue;
            }
            let font = AXIS.anchored(Anchor::Middle);
            frame.svg.text([x, y], font, &self.texts[label]);
            let font = Font {
                size: BELOW,
                ..font
            };
            for (index, line) in below(&grid.labels[label]).iter().enumerate() {
                let down = 13.0 * (index + 1) as f64;
                frame.svg.text([x, y + down], font, line);
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
    use crate::report::chart::shape::Kind;

    #[test]
    fn a_year_of_too_few_is_named_and_not_drawn() {
        let mut grid = Grid {
            kind: Kind::Lines,
            label_title: "year".to_owned(),
            labels: Vec::new(),
            series: vec!["share".to_owned()],
            points: Vec::new(),
            is_share: true,
            value_title: "share".to_owned(),
        };
        for (year, n) in [(2022, 40), (2023, 30), (2024, 29), (2025, 50), (2026, 60)] {
            grid.labels.push(Label {
                n: Some(n),
                ..Label::new(year.to_string(), Some(f64::from(year)))
            });
            grid.points.push(vec![Some(Point::new(0.5, None))]);
        }
        let note = grid.withhold(30).unwrap();
        assert!(note.ends_with("is not drawn: 2024 (n = 29)."), "{note}");
        let mut frame = Frame::new("title", "n");
        draw(&grid, &mut frame);
        let svg = frame.finish(&[], "source");
        // No line leads across it, and four marks are left beside the one of the name.
        assert_eq!(svg.matches("<polyline").count(), 2, "{svg}");
        assert_eq!(svg.matches("<circle").count(), 5, "{svg}");
        for text in [">2024</text>", ">29</text>", ">too few</text>"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }
}
