//! Horizontal bars: one below another for each figure of a row.

use super::{
    frame::{Frame, MARGIN, SWATCH, TEXT_SIZE, TOO_FEW, WIDTH},
    grid::{Grid, Label, Point},
    scale::{Scale, mark, value},
    style::{self, MUTED, PAGE, RULE, TEXT},
    svg::{Anchor, Font},
    text::{cut, width},
};
use crate::report::words;

/// The most width of labels.
const MOST_LABEL: f64 = 330.0;
/// The least length of a bar whose figure is not 0: it stays visible.
const LEAST: f64 = 1.0;
/// Widths of the line of an interval and of its halo, in the color of the page, which makes it
/// visible on a dark bar; and half the height of the lines at its ends.
const INTERVAL: [(&str, f64); 2] = [(PAGE, 4.0), (TEXT, 1.5)];
const CAP: f64 = 3.0;
/// The space between labels and bars.
const BESIDE: f64 = 12.0;
const SMALL: Font = Font::new(11.0).muted();

/// Where bars are.
struct Layout {
    label_width: f64,
    left: f64,
    right: f64,
    scale: Scale,
    /// The height of a bar.
    bar: f64,
    /// From a bar to the next one of its row.
    pitch: f64,
    /// Between rows.
    gap: f64,
}

/// Draws the chart.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    frame.begin(WIDTH);
    let n_series = grid.series.len();
    frame.legend(&grid.series, |svg, at, series| {
        svg.rect(at, [SWATCH, SWATCH], style::bar(series, n_series));
    });
    let layout = Layout::new(grid, frame.svg.width());
    frame.y += 10.0;
    let title = cut(&grid.axis, SMALL.size, layout.label_width);
    let font = SMALL.anchored(Anchor::End);
    frame
        .svg
        .text([layout.left - BESIDE, frame.y], font, &title);
    frame.y += 8.0;
    let of_row = layout.pitch * n_series as f64;
    let row = of_row + layout.gap;
    let top = frame.y;
    let bottom = top + row * grid.labels.len() as f64 + layout.gap;
    for &at in layout.scale.marks() {
        let x = layout.x(at);
        frame.svg.line([x, top], [x, bottom], RULE, 1.0);
    }
    for (index, (label, points)) in grid.labels.iter().zip(&grid.points).enumerate() {
        let y = top + layout.gap + row * index as f64;
        let base = y + of_row / 2.0 + 4.0;
        draw_label(frame, [layout.left - BESIDE, base], label, &layout);
        if label.is_few {
            let at = [layout.x(0.0) + 6.0, base];
            frame.svg.text(at, SMALL, TOO_FEW);
        }
        for (series, point) in points.iter().enumerate() {
            if let Some(point) = point {
                let y = y + layout.pitch * series as f64;
                layout.draw_bar(frame, point, style::bar(series, n_series), y);
                let end = layout.x(point.ends()[1]).max(layout.x(0.0)) + 6.0;
                let base = y + layout.bar / 2.0 + 4.0;
                frame.svg.text([end, base], SMALL, &in_words(point, grid));
            }
        }
    }
    let zero = layout.x(0.0);
    frame.svg.line([zero, top], [zero, bottom], MUTED, 1.0);
    frame.y = bottom + 15.0;
    draw_scale(grid, frame, &layout);
}

/// Writes the marks of the scale, and what the figures are.
fn draw_scale(grid: &Grid, frame: &mut Frame, layout: &Layout) {
    let mut free = f64::MIN;
    for &at in layout.scale.marks() {
        let text = mark(at, grid.is_share);
        let (x, half) = (layout.x(at), width(&text, SMALL.size) / 2.0);
        // Marks of long numbers are named where there is space between them.
        if x - half >= free {
            let font = SMALL.anchored(Anchor::Middle);
            frame.svg.text([x, frame.y], font, &text);
            free = x + half + 4.0;
        }
    }
    if !grid.value_title.is_empty() {
        frame.y += 17.0;
        let most = frame.svg.width() - 2.0 * MARGIN;
        let title = cut(&grid.value_title, SMALL.size, most);
        // Below the bars, or where it is longer, up to the right end.
        let end = frame.svg.width() - MARGIN - width(&title, SMALL.size);
        let x = layout.left.min(end);
        frame.svg.text([x, frame.y], SMALL, &title);
    }
}

impl Layout {
    fn new(grid: &Grid, file_width: f64) -> Self {
        let mut label_width = width(&grid.axis, SMALL.size);
        for label in &grid.labels {
            label_width = label_width.max(width(&label.with_n(), TEXT_SIZE));
        }
        label_width = label_width.min(MOST_LABEL);
        let mut value_width = width(TOO_FEW, SMALL.size);
        for point in grid.all_points() {
            value_width = value_width.max(width(&in_words(&point, grid), SMALL.size));
        }
        let [bar, pitch, gap] = if grid.series.len() > 1 {
            [13.0, 14.5, 9.0]
        } else {
            [16.0, 16.0, 6.0]
        };
        Self {
            label_width,
            left: MARGIN + label_width + BESIDE,
            right: file_width - MARGIN - value_width - 10.0,
            scale: Scale::new(
                grid.all_points().flat_map(|point| point.ends()),
                grid.is_share,
            ),
            bar,
            pitch,
            gap,
        }
    }

    fn x(&self, figure: f64) -> f64 {
        self.left + self.scale.at(figure) * (self.right - self.left)
    }

    fn draw_bar(&self, frame: &mut Frame, point: &Point, fill: &str, y: f64) {
        let (from, to) = (self.x(point.value.min(0.0)), self.x(point.value.max(0.0)));
        if point.value != 0.0 {
            let size = [(to - from).max(LEAST), self.bar];
            frame.svg.rect([from, y], size, fill);
        }
        let Some([low, high]) = point
            .interval
            .map(|bounds| bounds.map(|bound| self.x(bound)))
        else {
            return;
        };
        let middle = y + self.bar / 2.0;
        for (color, stroke) in INTERVAL {
            // The halo reaches beyond the ends by as much as above and below.
            let beyond = (stroke - INTERVAL[1].1) / 2.0;
            let (from, to) = ([low - beyond, middle], [high + beyond, middle]);
            frame.svg.line(from, to, color, stroke);
            let cap = CAP + beyond;
            for at in [low, high] {
                let (from, to) = ([at, middle - cap], [at, middle + cap]);
                frame.svg.line(from, to, color, stroke);
            }
        }
    }
}

fn draw_label(frame: &mut Frame, at: [f64; 2], label: &Label, layout: &Layout) {
    let n = label.n_in_words();
    let most = layout.label_width - width(&n, TEXT_SIZE);
    let text = cut(&label.text, TEXT_SIZE, most);
    let font = Font::new(TEXT_SIZE).anchored(Anchor::End);
    frame.svg.text(at, font, &format!("{text}{n}"));
}

fn in_words(point: &Point, grid: &Grid) -> String {
    let text = value(point.value, grid.is_share);
    match point.count {
        Some(count) if grid.is_share => format!("{text} ({})", words::count(count)),
        _ => text,
    }
}
