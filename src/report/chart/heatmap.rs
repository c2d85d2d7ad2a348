//! A heat map of shares: a row and a column of names, and a share where they meet.

use super::{
    frame::{Frame, MARGIN, TEXT_SIZE, TOO_FEW, WIDTH},
    grid::{Grid, Point},
    scale::{Scale, mark, whole_percent},
    style::{self, HEAT, RULE},
    svg::{Anchor, Font},
    text::{cut, width},
};

const MOST_ROW_NAME: f64 = 220.0;
const MOST_COLUMN_NAME: f64 = 150.0;
const ROW: f64 = 20.0;
/// The least width of a cell, and the greatest.
const CELL: [f64; 2] = [30.0, 64.0];
const DEGREES: f64 = -45.0;
const SMALL: Font = Font::new(11.0).muted();

/// Draws the chart.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    let mut names = Vec::new();
    let mut name_width = width(&grid.axis, SMALL.size);
    for label in &grid.labels {
        let n = label.n_in_words();
        let most = MOST_ROW_NAME - width(&n, TEXT_SIZE);
        names.push(cut(&label.text, TEXT_SIZE, most) + &n);
        name_width = name_width.max(width(&names[names.len() - 1], TEXT_SIZE));
    }
    let left = MARGIN + name_width + 10.0;
    let mut columns = Vec::new();
    let mut slanted: f64 = 0.0;
    for name in &grid.series {
        let name = cut(name, SMALL.size, MOST_COLUMN_NAME);
        // Rotated by 45 degrees, a name is as high as it is wide.
        let height = width(&name, SMALL.size) * (-DEGREES).to_radians().sin();
        slanted = slanted.max(height);
        columns.push(name);
    }
    let n_columns = columns.len() as f64;
    let cell = ((WIDTH - MARGIN - slanted - left) / n_columns).clamp(CELL[0], CELL[1]);
    frame.begin(left + cell * n_columns + slanted + MARGIN);
    let end = end(grid);
    draw_scale(frame, grid, end);
    frame.y += slanted + 10.0;
    for (index, name) in columns.iter().enumerate() {
        let x = left + cell * (index as f64 + 0.5);
        frame.svg.turned_text([x, frame.y], DEGREES, SMALL, name);
    }
    let font = SMALL.anchored(Anchor::End);
    frame.svg.text([left - 10.0, frame.y], font, &grid.axis);
    frame.y += 8.0;
    for ((name, label), points) in names.iter().zip(&grid.labels).zip(&grid.points) {
        let base = frame.y + ROW / 2.0 + 4.0;
        let font = Font::new(TEXT_SIZE).anchored(Anchor::End);
        frame.svg.text([left - 10.0, base], font, name);
        if label.is_few {
            frame.svg.text([left + 6.0, base], SMALL, TOO_FEW);
        } else {
            for (index, point) in points.iter().enumerate() {
                draw_cell(frame, left + cell * index as f64, cell, *point, end);
            }
        }
        frame.y += ROW;
    }
}

fn draw_cell(frame: &mut Frame, x: f64, width: f64, point: Option<Point>, end: f64) {
    let middle = x + width / 2.0;
    let Some(point) = point else {
        let y = frame.y + ROW / 2.0;
        let (from, to) = ([middle - 3.0, y], [middle + 3.0, y]);
        frame.svg.line(from, to, RULE, 1.0);
        return;
    };
    let (fill, color) = style::heat(point.value / end);
    frame.svg.rect([x, frame.y], [width - 2.0, ROW - 2.0], fill);
    let font = Font {
        size: 10.0,
        fill: color,
        ..SMALL.anchored(Anchor::Middle)
    };
    let at = [middle - 1.0, frame.y + ROW / 2.0 + 3.0];
    frame.svg.text(at, font, &whole_percent(point.value));
}

/// Returns the share at which the scale of colors ends: that of the largest figure, rounded.
pub fn end(grid: &Grid) -> f64 {
    let figures = grid.all_points().map(|point| point.value);
    let scale = Scale::new(figures, true);
    scale.marks().last().copied().unwrap_or(1.0)
}

/// Draws what the colors mean.
fn draw_scale(frame: &mut Frame, grid: &Grid, end: f64) {
    const STEP: f64 = 56.0;
    let most = frame.svg.width() - 2.0 * MARGIN;
    frame.y += 10.0;
    for line in super::text::wrap(&grid.value_title, SMALL.size, false, most, 2) {
        frame.svg.text([MARGIN, frame.y], SMALL, &line);
        frame.y += 14.0;
    }
    frame.y -= 6.0;
    let mut x = MARGIN;
    for (from, fill, _) in HEAT {
        frame.svg.rect([x, frame.y], [STEP, 10.0], fill);
        let at = [x, frame.y + 22.0];
        frame.svg.text(at, SMALL, &mark(from * end, true));
        x += STEP;
    }
    frame.svg.text([x, frame.y + 22.0], SMALL, &mark(end, true));
    frame.y += 26.0;
}
