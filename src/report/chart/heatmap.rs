//! A heat map of shares: a row and a column of names, and a share where they meet.

use super::{
    frame::{Frame, SMALL, TEXT_SIZE, TOO_FEW},
    grid::{Grid, Label, Point},
    scale::{Scale, mark, whole_percent},
    style::{self, HEAT, RULE},
    svg::{Anchor, Font},
    text::{cut, widest, width},
};

/// The most part of a file that names of rows have.
const MOST_PART: f64 = 0.4;
const MOST_COLUMN_NAME: f64 = 150.0;
const ROW: f64 = 20.0;
/// The least width of a cell, and the greatest.
const CELL: [f64; 2] = [22.5, 64.0];
/// How far names of columns are rotated, also in a narrow file.
const DEGREES: [f64; 2] = [-45.0, -90.0];

/// Draws the chart: where its columns have no space beside each other, in blocks, one below
/// another.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    let end = end(grid);
    draw_scale(frame, grid, end);
    let labels = grid.labels.iter().map(Label::with_n);
    let name_width = width(&grid.axis, SMALL.size).max(widest(labels, TEXT_SIZE));
    let name_width = name_width.min(MOST_PART * frame.svg.width);
    let degrees = DEGREES[usize::from(frame.is_narrow())];
    let (sin, cos) = (-degrees).to_radians().sin_cos();
    let longest = widest(&grid.series, SMALL.size).min(MOST_COLUMN_NAME);
    let left = frame.left + name_width + 10.0;
    // The last name leads to the right from the middle of its cell.
    let space = frame.right - left - longest * cos;
    let n_columns = grid.series.len();
    let in_block = ((space / CELL[0]) as usize).max(1);
    let in_block = n_columns.div_ceil(n_columns.div_ceil(in_block));
    let cell = (space / in_block as f64).clamp(CELL[0], CELL[1]);
    let has_figures = grid.labels.iter().any(|label| !label.is_few);
    for first in (0..n_columns).step_by(in_block) {
        if first > 0 && !has_figures {
            break;
        }
        let columns = first..n_columns.min(first + in_block);
        frame.y += longest * sin + 10.0;
        for (index, name) in grid.series[columns.clone()].iter().enumerate() {
            // What stands upright has its base line to the right of the middle.
            let middle = left + cell * (index as f64 + 0.5) + 4.0 * (sin - cos);
            let at = [middle, frame.y];
            let short = cut(name, SMALL.size, MOST_COLUMN_NAME);
            frame.svg.turned_text(at, degrees, SMALL, &short, name);
        }
        let end_of_names = Font::new(TEXT_SIZE).anchored(Anchor::End);
        let axis = SMALL.anchored(Anchor::End);
        let at = [left - 10.0, frame.y];
        frame.svg.shortened(at, axis, &grid.axis, "", name_width);
        frame.y += 8.0;
        for (label, points) in grid.labels.iter().zip(&grid.points) {
            if label.is_few && first > 0 {
                continue;
            }
            let at = [left - 10.0, frame.y + ROW / 2.0 + 4.0];
            let n = label.n_in_words();
            let text = &label.text;
            frame.svg.shortened(at, end_of_names, text, &n, name_width);
            if label.is_few {
                frame.svg.text([left + 6.0, at[1]], SMALL, TOO_FEW);
            } else {
                for (index, point) in points[columns.clone()].iter().enumerate() {
                    draw_cell(frame, left + cell * index as f64, cell, *point, end);
                }
            }
            frame.y += ROW;
        }
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
        size: 9.5,
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
    scale.marks.last().copied().unwrap_or(1.0)
}

/// Draws what the colors mean.
fn draw_scale(frame: &mut Frame, grid: &Grid, end: f64) {
    frame.paragraph(frame.left, SMALL, &grid.value_title);
    frame.y += 2.0;
    let step = ((frame.right - frame.left - 24.0) / HEAT.len() as f64).min(56.0);
    let mut marks = Vec::new();
    let mut x = frame.left;
    for (from, fill, _) in HEAT {
        frame.svg.rect([x, frame.y], [step, 10.0], fill);
        marks.push((x, mark(from * end, true)));
        x += step;
    }
    marks.push((x, mark(end, true)));
    frame.y += 22.0;
    frame.marks(marks);
    frame.y += 4.0;
}
