//! A histogram of sizes over powers of two, with a limit across it.

use maud::{Markup, html};

use super::{
    bars::{percent, scale_end, scale_label},
    words,
};

/// The height of the columns, in pixels, and that of the SVG.
const PLOT: f64 = 250.0;
const HEIGHT: f64 = PLOT + 24.0;

/// Returns the histogram; `None` if there are no columns. A column is the first number of bytes
/// that it counts (0, 1, 2, 4, ..) and its share of the files, from 0 to 1; `limit` is in bytes.
pub fn draw(columns: &[(u64, f64)], limit: u64) -> Option<Markup> {
    let last = columns.iter().map(|&(from, _)| power(from)).max()?;
    // The limit is in the chart even where no file is near it.
    let end = last.max(power(limit)) + 2;
    let x = |power: f64| (power + 1.0) / f64::from(end + 1);
    let top = scale_end(columns.iter().map(|&(_, share)| share));
    let height = |share: f64| share / top * PLOT;
    let limit_x = percent(x((limit as f64).log2()));
    Some(html! {
        svg.histogram width="100%" height=(HEIGHT) aria-hidden="true" {
            @for half in [0.0, 0.5, 1.0] {
                @let y = PLOT - half * PLOT;
                line.rule x1="0" x2="100%" y1=(y) y2=(y) {}
                text x="-8" y=(y) text-anchor="end" { (scale_label(top * half)) }
            }
            @for &(from, share) in columns {
                @let at = f64::from(power(from));
                // A gap between the columns tells them apart without color.
                rect.strong x=(percent(x(at + 0.08))) width=(percent(x(0.92) - x(0.08)))
                    y=(format!("{:.1}", PLOT - height(share))) height=(format!("{:.1}", height(share))) {}
            }
            line.axis x1="0" x2="100%" y1=(PLOT) y2=(PLOT) {}
            text x=(percent(x(-0.5))) y=(PLOT + 14.0) { "0" }
            @for at in (0..end).step_by(2) {
                // A narrow window shows a third of them, the first far enough from 0.
                text.minor[at % 6 != 4] x=(percent(x(f64::from(at)))) y=(PLOT + 14.0) { (words::bytes(1 << at)) }
            }
            line.limit x1=(limit_x) x2=(limit_x) y1="0" y2=(PLOT) {}
            text.limit x=(limit_x) dx="-6" y="8" text-anchor="end" { (words::bytes(limit)) }
        }
    })
}

/// Returns the power of two that a number of bytes begins with; -1 for none, so that empty files
/// are left of those of one byte.
fn power(bytes: u64) -> i32 {
    bytes.checked_ilog2().map_or(-1, |power| power as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_in_the_chart_even_where_no_file_is_near_it() {
        let svg = draw(&[(0, 0.25), (64, 0.75)], 512_000).unwrap();
        let svg = svg.into_string();
        assert!(svg.contains(">500 KiB</text>"), "{svg}");
        // From the column of empty files to the one after the limit: 21 of them.
        let at = 100.0 * (512_000_f64.log2() + 1.0) / 21.0;
        let line = format!("<line class=\"limit\" x1=\"{at:.2}%\"");
        assert!(svg.contains(&line), "{line}: {svg}");
        assert!(draw(&[], 512_000).is_none());
    }

    #[test]
    fn a_column_is_as_high_as_its_share_of_the_scale() {
        let svg = draw(&[(0, 0.25), (64, 0.75)], 512_000)
            .unwrap()
            .into_string();
        let heights: Vec<_> = svg
            .split("<rect")
            .skip(1)
            .map(|rect| {
                rect.split(" height=\"")
                    .nth(1)
                    .unwrap()
                    .split('"')
                    .next()
                    .unwrap()
            })
            .collect();
        assert_eq!(heights, ["78.1", "234.4"], "of 250 pixels for 80 %");
    }

    #[test]
    fn a_narrow_window_has_space_between_0_and_the_next_mark() {
        let svg = draw(&[(0, 0.25), (64, 0.75)], 512_000).unwrap();
        let svg = svg.into_string();
        let below = svg
            .split("<text ")
            .filter(|text| text.contains(" y=\"264\""));
        let shown: Vec<_> = below
            .filter(|text| !text.starts_with("class=\"minor\""))
            .filter_map(|text| text.split(['>', '<']).nth(1))
            .collect();
        assert_eq!(shown, ["0", "16 B", "1 KiB", "64 KiB"], "{svg}");
    }

    #[test]
    fn columns_are_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 512_000].map(power), [-1, 0, 1, 1, 2, 18]);
    }
}
