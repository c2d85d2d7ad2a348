//! A heat map of shares: a row and a column of names, and a share where they meet.

use super::{
    bars::TOO_FEW,
    frame::{Frame, MARGIN, TEXT_SIZE, WIDTH},
    grid::Grid,
    scale::{Scale, mark},
    style::{self, HEAT, RULE},
    svg::{Anchor, Font},
    text::{cut, width},
};
use crate::report::heatmap::whole_percent;

const MOST_ROW_NAME: f64 = 220.0;
const MOST_COLUMN_NAME: f64 = 150.0;
const ROW: f64 = 20.0;
/// The least width of a cell, and the greatest.
const CELL: [f64; 2] = [30.0, 64.0];
const DEGREES: f64 = -45.0;
const SMALL: Font = Font::new(11.0).muted();

/// Draws the chart.
pub fn draw(grid: &Grid, frame: &mut Frame) {
    let names: Vec<_> = grid
        .labels
        .iter()
        .map(|label| {
            let n = label.n_in_words();
            let most = MOST_ROW_NAME - width(&n, TEXT_SIZE);
            cut(&label.text, TEXT_SIZE, most) + &n
        })
        .collect();
    let of_names = names.iter().map(|name| width(name, TEXT_SIZE));
    let name_width = of_names.fold(width(&grid.label_title, SMALL.size), f64::max);
    let left = MARGIN + name_width + 10.0;
    let columns: Vec<_> = grid
        .series
        .iter()
        .map(|name| cut(name, SMALL.size, MOST_COLUMN_NAME))
        .collect();
    let longest = columns.iter().map(|name| width(name, SMALL.size));
    // Rotated by 45 degrees, a name is as high as it is wide.
    let slanted = longest.fold(0.0, f64::max) * (-DEGREES).to_radians().sin();
    let n_columns = columns.len() as f64;
    let cell = ((WIDTH - MARGIN - slanted - left) / n_columns).clamp(CELL[0], CELL[1]);
    frame.begin(left + cell * n_columns + slanted + MARGIN);

    let end = end(grid);
    draw_scale(frame, grid, end);
    frame.y += slanted + 10.0;
    let base = frame.y;
    for (index, name) in columns.iter().enumerate() {
        let x = left + cell * (index as f64 + 0.5);
        frame.svg.turned_text([x, base], DEGREES, SMALL, name);
    }
    let font = SMALL.anchored(Anchor::End);
    frame.svg.text([left - 10.0, base], font, &grid.label_title);
    frame.y += 8.0;
    let rows = names.iter().zip(&grid.labels).zip(&grid.points);
    for ((name, label), points) in rows {
        let middle = frame.y + ROW / 2.0 + 4.0;
        let font = Font::new(TEXT_SIZE).anchored(Anchor::End);
        frame.svg.text([left - 10.0, middle], font, name);
        if label.is_few {
            frame.svg.text([left + 6.0, middle], SMALL, TOO_FEW);
            frame.y += ROW;
            continue;
        }
        for (index, point) in points.iter().enumerate() {
            let x = left + cell * index as f64;
            let Some(point) = point else {
                let y = frame.y + ROW / 2.0;
                let middle = x + cell / 2.0;
                frame
                    .svg
                    .line([middle - 3.0, y], [middle + 3.0, y], RULE, 1.0);
                continue;
            };
            let (fill, color) = style::heat(point.value / end);
            frame.svg.rect([x, frame.y], [cell - 2.0, ROW - 2.0], fill);
            let font = Font {
                size: 10.0,
                fill: color,
                ..SMALL.anchored(Anchor::Middle)
            };
            let text = whole_percent(point.value);
            frame
                .svg
                .text([x + cell / 2.0 - 1.0, middle - 1.0], font, &text);
        }
        frame.y += ROW;
    }
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
    let title = &grid.value_title;
    let most = frame.svg.width() - 2.0 * MARGIN;
    frame.y += 10.0;
    frame
        .svg
        .text([MARGIN, frame.y], SMALL, &cut(title, SMALL.size, most));
    frame.y += 8.0;
    for (index, (from, fill, _)) in HEAT.into_iter().enumerate() {
        let x = MARGIN + STEP * index as f64;
        frame.svg.rect([x, frame.y], [STEP, 10.0], fill);
        frame
            .svg
            .text([x, frame.y + 22.0], SMALL, &mark(from * end, true));
    }
    let x = MARGIN + STEP * HEAT.len() as f64;
    let font = SMALL.anchored(Anchor::Start);
    frame.svg.text([x, frame.y + 22.0], font, &mark(end, true));
    frame.y += 26.0;
}
