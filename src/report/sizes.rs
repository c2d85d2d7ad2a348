//! Columns over a scale of bytes, each step of which is twice the one before, and a limit across
//! it.
//!
//! Enters: counts by power of two. Leaves: SVG for a width.

use plotters::prelude::*;

use super::{
    canvas::{self, FONT, Side, Width, drawn},
    ink::Ink,
    words,
};

/// A picture of sizes.
#[derive(Debug)]
pub struct Sizes {
    /// For each column: the first number of bytes that it holds (0, 1, 2, 4, ..), and the share of
    /// files, from 0 to 1.
    pub columns: Vec<(u64, f64)>,
    /// The limit, in bytes.
    pub limit: u64,
}

const HEIGHT: i32 = 300;

impl Sizes {
    /// Returns the picture.
    pub fn draw(&self, width: Width) -> String {
        let last = self.columns.iter().map(|&(from, _)| place(from)).max();
        // The limit is in the picture even where no file comes near it.
        let end = (last.unwrap_or(0).max(place(self.limit)) + 2).max(20);
        let highest = self.columns.iter().map(|&(_, share)| share);
        let highest = highest.fold(0.0, f64::max).max(0.001) * 1.15;
        let (labels, n_labels) = match width {
            Width::Wide => (56, 12),
            Width::Narrow => (48, 5),
        };
        canvas::draw(width, HEIGHT, |area| {
            let mut chart = drawn(
                ChartBuilder::on(area)
                    .x_label_area_size(FONT * 2)
                    .y_label_area_size(labels)
                    .margin_top(FONT)
                    .margin_right(8)
                    .build_cartesian_2d(-1.0..f64::from(end), 0.0..highest),
            );
            drawn(
                chart
                    .configure_mesh()
                    .disable_x_mesh()
                    .light_line_style(TRANSPARENT)
                    .bold_line_style(Ink::Rule.color())
                    .axis_style(Ink::Muted.color())
                    .x_labels(n_labels)
                    .y_labels(4)
                    .x_label_formatter(&|&at| power(at))
                    .y_label_formatter(&|&share| format!("{:.0} %", 100.0 * share))
                    .label_style(canvas::style(Ink::Muted, Side::Middle))
                    .draw(),
            );
            drawn(chart.draw_series(self.columns.iter().map(|&(from, share)| {
                let at = f64::from(place(from));
                // A gap between the columns tells them apart without color.
                Rectangle::new(
                    [(at + 0.08, 0.0), (at + 0.92, share)],
                    Ink::Strong.color().filled(),
                )
            })));
            let limit = (self.limit as f64).log2();
            drawn(chart.draw_series(DashedLineSeries::new(
                [(limit, 0.0), (limit, highest)],
                6,
                4,
                Ink::Limit.color().stroke_width(2),
            )));
            let label = words::bytes(self.limit);
            drawn(chart.draw_series([Text::new(
                label,
                (limit - 0.25, highest * 0.97),
                canvas::style(Ink::Limit, Side::Left),
            )]));
        })
    }
}

/// Returns the place of a number of bytes on the scale: empty files stand left of those of one
/// byte.
fn place(bytes: u64) -> i32 {
    bytes.checked_ilog2().map_or(-1, |power| power as i32)
}

fn power(at: f64) -> String {
    if at < 0.0 {
        return "0".to_owned();
    }
    words::bytes(at.exp2().round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_stands_in_the_picture_even_where_no_file_comes_near_it() {
        let sizes = Sizes {
            columns: vec![(0, 0.25), (64, 0.75)],
            limit: 512_000,
        };
        for width in [Width::Wide, Width::Narrow] {
            let svg = sizes.draw(width);
            assert!(svg.contains("500 KiB"), "{svg}");
            assert!(svg.contains("stroke=\"#A81C14\""), "{svg}");
            assert_eq!(svg.matches("fill=\"#163E64\"").count(), 2, "{svg}");
        }
    }

    #[test]
    fn the_scale_is_of_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 512_000].map(place), [-1, 0, 1, 1, 2, 18]);
        assert_eq!(
            [-1.0, 0.0, 10.0, 20.0].map(power),
            ["0", "1 B", "1 KiB", "1 MiB"]
        );
    }
}
