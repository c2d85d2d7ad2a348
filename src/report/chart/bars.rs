//! Horizontal bars: one below another for each figure of a row, or one behind another as its parts.

use super::{
    frame::{Frame, MARGIN, SWATCH, TEXT_SIZE, WIDTH},
    grid::{Grid, Label, Point},
    scale::{Scale, mark, value},
    shape::Kind,
    style::{self, MUTED, PAGE, RULE, TEXT},
    svg::{Anchor, Font},
    text::{cut, width},
};
use crate::report::words;

/// The most width of labels.
const MOST_LABEL: f64 = 270.0;
/// The height of a bar that is alone in its row, and of one of several.
const BAR: [f64; 2] = [16.0, 11.0];
/// The least length of a bar whose figure is not 0: it stays visible.
const LEAST: f64 = 1.0;
/// Widths of the line of an interval and of its halo, in the color of the page, which makes it
/// visible on a dark bar; and half the height of the lines at its ends.
const INTERVAL: [(&str, f64); 2] = [(PAGE, 5.0), (TEXT, 1.75)];
const CAP: f64 = 4.0;
/// What stands in place of shares of too few.
pub const TOO_FEW: &str = "too few";
const VALUE: Font = Font::new(11.0).muted();
const AXIS: Font = Font::new(11.0).muted();

/// Draws the chart.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    let is_stacked = grid.kind == Kind::Stacked;
    frame.begin(WIDTH);
    let n_series = grid.series.len();
    let fill = |index| match is_stacked {
        true => style::part(index, n_series),
        false => style::bar(index, n_series),
    };
    frame.legend(&grid.series, |svg, at, series| {
        svg.rect(at, [SWATCH, SWATCH], fill(series));
    });

    let of_labels = grid
        .labels
        .iter()
        .map(|label| width(&label.text, TEXT_SIZE) + width(&label.n_in_words(), TEXT_SIZE));
    let of_title = width(&grid.label_title, AXIS.size);
    let label_width = of_labels.fold(of_title, f64::max).min(MOST_LABEL);
    let left = MARGIN + label_width + 12.0;
    let of_bars: Vec<_> = match is_stacked {
        true => {
            let rows = grid.points.iter();
            rows.map(|points| parts_in_words(points, grid)).collect()
        }
        false => grid
            .all_points()
            .map(|point| in_words(&point, grid))
            .collect(),
    };
    let widths = of_bars.iter().map(|text| width(text, VALUE.size));
    let value_width = widths.fold(width(TOO_FEW, VALUE.size), f64::max) + 10.0;
    let right = frame.svg.width() - MARGIN - value_width;
    let scale = match is_stacked {
        true => Scale::new(grid.points.iter().map(|points| sum(points)), grid.is_share),
        false => Scale::new(grid.all_points().flat_map(ends), grid.is_share),
    };
    let x = |figure: f64| left + scale.at(figure) * (right - left);

    let font = AXIS.anchored(Anchor::End);
    frame.y += 10.0;
    let title = cut(&grid.label_title, AXIS.size, label_width);
    frame.svg.text([left - 12.0, frame.y], font, &title);
    frame.y += 8.0;
    let bars_of_row = if is_stacked { 1 } else { n_series };
    let bar = BAR[usize::from(bars_of_row > 1)];
    let pitch = if bars_of_row > 1 { bar + 1.5 } else { bar };
    let gap = if bars_of_row > 1 { 9.0 } else { 6.0 };
    let row_height = pitch * bars_of_row as f64 + gap;
    let (top, bottom) = (
        frame.y,
        frame.y + row_height * grid.labels.len() as f64 + gap,
    );
    for &at in scale.marks() {
        frame.svg.line([x(at), top], [x(at), bottom], RULE, 1.0);
    }
    for (index, (label, points)) in grid.labels.iter().zip(&grid.points).enumerate() {
        let y = top + gap + row_height * index as f64;
        let middle = y + (pitch * bars_of_row as f64) / 2.0;
        draw_label(frame, [left - 12.0, middle + 4.0], label, label_width);
        if label.is_few {
            let at = [x(0.0) + 6.0, middle + 4.0];
            frame.svg.text(at, VALUE, TOO_FEW);
            continue;
        }
        if is_stacked {
            draw_parts(frame, points, grid, y, &x);
            continue;
        }
        for (series, point) in points.iter().enumerate() {
            let y = y + pitch * series as f64;
            if let Some(point) = point {
                draw_bar(frame, point, fill(series), [y, bar], grid, &x);
            }
        }
    }
    frame.svg.line([x(0.0), top], [x(0.0), bottom], MUTED, 1.0);
    frame.y = bottom + 15.0;
    let mut free = f64::MIN;
    for &at in scale.marks() {
        let text = mark(at, grid.is_share);
        let half = width(&text, AXIS.size) / 2.0;
        // Marks of long numbers are named where there is space between them.
        if x(at) - half >= free {
            let font = AXIS.anchored(Anchor::Middle);
            frame.svg.text([x(at), frame.y], font, &text);
            free = x(at) + half + 4.0;
        }
    }
    if !grid.value_title.is_empty() {
        frame.y += 17.0;
        let title = cut(
            &grid.value_title,
            AXIS.size,
            frame.svg.width() - left - MARGIN,
        );
        frame.svg.text([left, frame.y], AXIS, &title);
    }
}

fn draw_label(frame: &mut Frame, at: [f64; 2], label: &Label, most: f64) {
    let n = label.n_in_words();
    let text = cut(&label.text, TEXT_SIZE, most - width(&n, TEXT_SIZE));
    let font = Font::new(TEXT_SIZE).anchored(Anchor::End);
    frame.svg.text(at, font, &format!("{text}{n}"));
}

fn draw_bar(
    frame: &mut Frame,
    point: &Point,
    fill: &str,
    [y, height]: [f64; 2],
    grid: &Grid,
    x: &impl Fn(f64) -> f64,
) {
    let (from, to) = (x(point.value.min(0.0)), x(point.value.max(0.0)));
    if point.value != 0.0 {
        frame
            .svg
            .rect([from, y], [(to - from).max(LEAST), height], fill);
    }
    let middle = y + height / 2.0;
    if let Some([low, high]) = point.interval.map(|bounds| bounds.map(x)) {
        for (color, stroke) in INTERVAL {
            // The halo reaches beyond the ends by as much as above and below.
            let beyond = (stroke - INTERVAL[1].1) / 2.0;
            let from = [low - beyond, middle];
            frame.svg.line(from, [high + beyond, middle], color, stroke);
            let cap = CAP + beyond.min(height / 2.0 - CAP);
            for at in [low, high] {
                frame
                    .svg
                    .line([at, middle - cap], [at, middle + cap], color, stroke);
            }
        }
    }
    let end = ends(*point).into_iter().map(x).fold(to, f64::max);
    let text = in_words(point, grid);
    frame.svg.text([end + 6.0, middle + 4.0], VALUE, &text);
}

fn draw_parts(
    frame: &mut Frame,
    points: &[Option<Point>],
    grid: &Grid,
    y: f64,
    x: &impl Fn(f64) -> f64,
) {
    let mut so_far = 0.0;
    for (index, point) in points.iter().enumerate() {
        let Some(point) = point.filter(|point| point.value > 0.0) else {
            continue;
        };
        let (from, to) = (x(so_far), x(so_far + point.value));
        so_far += point.value;
        // A gap between parts tells them apart without color.
        let length = (to - from - 1.0).max(LEAST);
        let fill = style::part(index, points.len());
        frame.svg.rect([from, y], [length, BAR[0]], fill);
    }
    let text = parts_in_words(points, grid);
    frame.svg.text([x(so_far) + 6.0, y + 12.0], VALUE, &text);
}

/// Returns the figures of the parts of a bar, in their order.
fn parts_in_words(points: &[Option<Point>], grid: &Grid) -> String {
    let figures = points.iter().flatten();
    let texts: Vec<_> = figures
        .map(|point| value(point.value, grid.is_share))
        .collect();
    // The sign of the last figure is that of all.
    let sign = "\u{a0}%";
    let all_have_it = texts.iter().all(|text| text.ends_with(sign));
    match texts.split_last() {
        Some((last, others)) if all_have_it => {
            let others = others.iter().map(|text| text.trim_end_matches(sign));
            others
                .chain([last.as_str()])
                .collect::<Vec<_>>()
                .join(" \u{b7} ")
        }
        _ => texts.join(" \u{b7} "),
    }
}

/// Returns the figures at which a bar and its interval end.
fn ends(point: Point) -> Vec<f64> {
    let interval = point.interval.into_iter().flatten();
    interval.chain([point.value]).collect()
}

fn sum(points: &[Option<Point>]) -> f64 {
    let sum: f64 = points.iter().flatten().map(|point| point.value).sum();
    // Shares are rounded, so that parts of the whole may add up to more than that.
    if (1.0..1.01).contains(&sum) { 1.0 } else { sum }
}

fn in_words(point: &Point, grid: &Grid) -> String {
    let text = value(point.value, grid.is_share);
    match point.count {
        Some(count) if grid.is_share => format!("{text} ({})", words::count(count)),
        _ => text,
    }
}
