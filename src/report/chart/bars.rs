//! Horizontal bars: one below another for each figure of a row.

use super::{
    frame::{Frame, SMALL, SWATCH, TEXT_SIZE, TOO_FEW},
    grid::{Grid, Label, Point},
    scale::{Scale, mark, value},
    style::{self, MUTED, PAGE, RULE, TEXT},
    svg::{Anchor, Font},
    text::{cut, widest, width, wrap},
};
use crate::report::words;

/// The least part of a file that bars with their labels beside them have; with less, labels are
/// above their bars.
const LEAST_PART: f64 = 0.4;
/// The least length of a bar whose figure is not 0: it stays visible.
const LEAST: f64 = 1.0;
/// Widths of the line of an interval and of its halo, in the color of the page, which makes it
/// visible on a dark bar; and half the height of the lines at its ends.
const INTERVAL: [(&str, f64); 2] = [(PAGE, 4.0), (TEXT, 1.5)];
const CAP: f64 = 3.0;
/// The height of a bar, from it to the next one of its row, and between rows.
const BAR: f64 = 13.0;
const PITCH: f64 = 14.5;
const GAP: f64 = 9.0;
/// The space between labels and bars.
const BESIDE: f64 = 12.0;
/// The height of a line of labels above bars.
const ABOVE: f64 = 16.0;

/// Where bars are.
struct Layout {
    is_above: bool,
    /// The width of the chart without its margins.
    whole: f64,
    left: f64,
    right: f64,
    scale: Scale,
}

/// Draws the chart.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    let n_series = grid.series.len();
    frame.legend(&grid.series, |svg, at, series| {
        svg.rect(at, [SWATCH, SWATCH], style::bar(series, n_series));
    });
    let layout = Layout::new(grid, frame);
    if layout.is_above {
        frame.paragraph(frame.left, SMALL, &grid.axis);
        frame.y += 4.0;
    } else {
        frame.y += 10.0;
        let at = [layout.left - BESIDE, frame.y];
        frame.svg.text(at, SMALL.anchored(Anchor::End), &grid.axis);
        frame.y += 8.0;
    }
    // A row of which nothing is drawn is as high as one bar.
    let n_bars = |label: &Label| if label.is_few { 1 } else { n_series };
    let height = |label| layout.above(label) + PITCH * n_bars(label) as f64 + GAP;
    let top = frame.y;
    let bottom = top + grid.labels.iter().map(height).sum::<f64>() + GAP;
    for &at in &layout.scale.marks {
        let x = layout.x(at);
        frame.svg.line([x, top], [x, bottom], RULE, 1.0);
    }
    for (label, points) in grid.labels.iter().zip(&grid.points) {
        let first = frame.y + GAP + layout.above(label);
        let base = first + PITCH * n_bars(label) as f64 / 2.0 + 4.0;
        draw_label(frame, base, label, &layout);
        if label.is_few {
            let at = [layout.x(0.0) + 6.0, base];
            frame.svg.text_over_lines(at, SMALL, TOO_FEW);
        }
        for (series, point) in points.iter().enumerate() {
            if let Some(point) = point {
                let y = first + PITCH * series as f64;
                layout.draw_bar(frame, point, style::bar(series, n_series), y);
                let end = layout.x(point.ends()[1]).max(layout.x(0.0)) + 6.0;
                let at = [end, y + BAR / 2.0 + 4.0];
                frame.svg.text_over_lines(at, SMALL, &in_words(point, grid));
            }
        }
        frame.y += height(label);
    }
    let zero = layout.x(0.0);
    frame.svg.line([zero, top], [zero, bottom], MUTED, 1.0);
    frame.y = bottom + 15.0;
    let marks = layout.scale.marks.iter();
    let marks = marks.map(|&at| (layout.x(at), mark(at, grid.is_share)));
    frame.marks(marks);
    frame.y += 6.0;
    frame.paragraph(layout.left, SMALL, &grid.value_title);
}

impl Layout {
    fn new(grid: &Grid, frame: &Frame) -> Self {
        let labels = grid.labels.iter().map(Label::with_n);
        let label_width = width(&grid.axis, SMALL.size).max(widest(labels, TEXT_SIZE));
        let values = grid.all_points().map(|point| in_words(&point, grid));
        let value_width = width(TOO_FEW, SMALL.size).max(widest(values, SMALL.size));
        let beside = frame.left + label_width + BESIDE;
        let right = frame.right - value_width - 10.0;
        let is_above = right - beside < LEAST_PART * frame.svg.width;
        Self {
            is_above,
            whole: frame.right - frame.left,
            left: if is_above { frame.left } else { beside },
            right,
            scale: grid.scale(),
        }
    }

    /// Returns the height of a label above its bars.
    fn above(&self, label: &Label) -> f64 {
        ABOVE * self.lines(label).len() as f64
    }

    /// Returns the lines of a label above its bars; none where it is beside them.
    fn lines(&self, label: &Label) -> Vec<String> {
        if !self.is_above {
            return Vec::new();
        }
        let n = label.n_in_words().replace(" = ", "\u{a0}=\u{a0}");
        let most = 2.0 * self.whole - width(&n, TEXT_SIZE);
        let text = cut(&label.text, TEXT_SIZE, most) + &n;
        wrap(&text, TEXT_SIZE, false, self.whole, usize::MAX)
    }

    fn x(&self, figure: f64) -> f64 {
        self.left + self.scale.at(figure) * (self.right - self.left)
    }

    fn draw_bar(&self, frame: &mut Frame, point: &Point, fill: &str, y: f64) {
        let (from, to) = (self.x(point.value.min(0.0)), self.x(point.value.max(0.0)));
        if point.value != 0.0 {
            let size = [(to - from).max(LEAST), BAR];
            frame.svg.rect([from, y], size, fill);
        }
        let Some(bounds) = point.interval else {
            return;
        };
        let [low, high] = bounds.map(|bound| self.x(bound));
        let middle = y + BAR / 2.0;
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

/// Writes a label beside its bars, whose middle is `base`, or above the first one.
fn draw_label(frame: &mut Frame, base: f64, label: &Label, layout: &Layout) {
    let font = Font::new(TEXT_SIZE);
    if layout.is_above {
        for (index, line) in layout.lines(label).iter().enumerate() {
            let y = frame.y + GAP + ABOVE * (index + 1) as f64 - 4.0;
            let (at, whole) = ([frame.left, y], label.with_n());
            frame.svg.turned_text(at, 0.0, font, line, &whole);
        }
    } else {
        let at = [layout.left - BESIDE, base];
        let font = font.anchored(Anchor::End);
        frame.svg.text(at, font, &label.with_n());
    }
}

fn in_words(point: &Point, grid: &Grid) -> String {
    let text = value(point.value, grid.is_share);
    match point.count {
        Some(count) if grid.is_share => format!("{text} ({})", words::count(count)),
        _ => text,
    }
}
