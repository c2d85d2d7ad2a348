//! The colors of charts.
//!
//! Series differ in lightness or are a palette that people with each kind of color blindness
//! distinguish (Okabe and Ito, Color Universal Design, 2008).

/// The background.
pub const PAGE: &str = "#ffffff";
/// Text.
pub const TEXT: &str = "#1b1f24";
/// Text that is less important.
pub const MUTED: &str = "#57606a";
/// Lines behind the data.
pub const RULE: &str = "#d0d7de";

const STRONG: &str = "#163e64";
const MIDDLE: &str = "#6ba0cb";

/// Colors of series.
const OF_SERIES: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7f7f7f",
];
/// The most series that have colors of their own.
pub const MOST_SERIES: usize = OF_SERIES.len();
/// Lengths of dashes and gaps of the lines of series.
const DASHES: [&str; MOST_SERIES] = ["", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3"];

/// The steps of a heat map: the part of its scale from which each is used, its color and that of
/// text on it.
pub const HEAT: [(f64, &str, &str); 5] = [
    (0.0, "#f1f6fa", TEXT),
    (0.1, "#cfe1ef", TEXT),
    (0.25, "#9cc3e1", TEXT),
    (0.5, "#356fa0", PAGE),
    (0.75, STRONG, PAGE),
];

/// Returns the color of a series of bars, of which there are `n`.
pub fn bar(index: usize, n: usize) -> &'static str {
    if n <= 2 {
        return [STRONG, MIDDLE][index];
    }
    OF_SERIES[index % MOST_SERIES]
}

/// Returns the color and the dashes of a line.
pub fn line(index: usize) -> (&'static str, &'static str) {
    (OF_SERIES[index % MOST_SERIES], DASHES[index % MOST_SERIES])
}

/// Returns the color of a cell and that of text on it, by where it is on the scale, from 0 to 1.
pub fn heat(part: f64) -> (&'static str, &'static str) {
    let step = HEAT.iter().rev().find(|(from, ..)| part >= *from);
    let (_, fill, text) = step.unwrap_or(&HEAT[0]);
    (fill, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.2), from 0 to 1.
    fn luminance(color: &str) -> f64 {
        let digits = u32::from_str_radix(&color[1..], 16).expect("six digits");
        let [_, red, green, blue] = digits.to_be_bytes().map(|byte| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn text_is_legible_on_its_background() {
        let of_cells = HEAT.map(|(_, fill, text)| (fill, text));
        for (fill, text) in of_cells.into_iter().chain([(PAGE, TEXT), (PAGE, MUTED)]) {
            assert!(contrast(fill, text) > 4.5, "{fill} {text}");
        }
    }

    #[test]
    fn two_bars_of_a_row_differ_in_lightness() {
        assert!(contrast(bar(0, 2), bar(1, 2)) > 2.0);
    }
}
