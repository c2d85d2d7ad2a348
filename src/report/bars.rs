//! Horizontal bars, each of one part or of several, on a common scale of shares.
//!
//! Enters: labels, notes, shares. Leaves: SVG for a width. In a wide window a label stands left of
//! its bar, in a narrow one above it.

use super::{
    canvas::{Area, FONT, Side, Width, draw, line, rectangle, text, text_width},
    ink::Ink,
    words,
};

/// A picture of bars.
#[derive(Debug, Default)]
pub struct Bars {
    /// What the inks say; nothing where there is but one.
    pub legend: Vec<(Ink, &'static str)>,
    /// The bars from top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug)]
pub struct Bar {
    /// What it is about; empty in a bar that belongs to the one above.
    pub label: String,
    /// The figure in words.
    pub note: String,
    /// The parts from left to right: shares, which add up to 1 at most.
    pub parts: Vec<(Ink, f64)>,
    /// The interval that is drawn over the bar: two shares, the lower first.
    pub interval: Option<[f64; 2]>,
}

/// The ends that a scale may have.
const ENDS: [f64; 17] = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6,
    0.8, 1.0,
];
const BAR: i32 = 14;
const LABELS: i32 = 292;
const NOTES: i32 = 152;
const LEGEND_LINE: i32 = 22;
const BELOW_LEGEND: i32 = 6;
const SCALE: i32 = 30;

/// Where things stand in a width.
struct Layout {
    width: i32,
    /// Where the bars begin, and how long one of the whole scale is.
    left: i32,
    length: i32,
    /// Room above a bar with a label, and above one that belongs to the bar before.
    above_first: i32,
    above_next: i32,
}

impl Layout {
    fn of(width: Width) -> Self {
        let pixels = width.pixels();
        match width {
            Width::Wide => Self {
                width: pixels,
                left: LABELS,
                length: pixels - LABELS - NOTES,
                above_first: 11,
                above_next: 4,
            },
            Width::Narrow => Self {
                width: pixels,
                left: 0,
                length: pixels,
                above_first: 30,
                above_next: 22,
            },
        }
    }

    /// Returns how many characters of a label find room: left of the bar, or above it beside the
    /// note.
    fn most(&self, bar: &Bar) -> usize {
        let room = match self.left {
            0 => self.width - text_width(&bar.note),
            left => left,
        };
        // A guess as well; the note is taken for wider than it is, so a label that is wider than
        // this guess still does not meet it.
        ((room - FONT) / (FONT / 2)).max(1) as usize
    }

    fn above(&self, bar: &Bar) -> i32 {
        match bar.label.is_empty() {
            true => self.above_next,
            false => self.above_first,
        }
    }
}

impl Bars {
    /// Returns the picture.
    pub fn draw(&self, width: Width) -> String {
        let layout = Layout::of(width);
        let legend = self.legend_places(layout.width);
        let legend_height = |(_, y): &(i32, i32)| y + LEGEND_LINE + BELOW_LEGEND;
        let top = legend.last().map_or(0, legend_height);
        let step = |bar: &Bar| layout.above(bar) + BAR;
        let bars_height: i32 = self.bars.iter().map(step).sum();
        draw(width, top + bars_height + SCALE, |area| {
            for ((ink, words), (x, y)) in self.legend.iter().zip(&legend) {
                rectangle(area, (*x, y + 4), (BAR, BAR), *ink);
                text(
                    area,
                    (x + BAR + 6, y + 4 + BAR / 2),
                    words,
                    Side::Right,
                    Ink::Text,
                );
            }
            let end = self.end();
            draw_scale(area, &layout, top + bars_height, top, end);
            let mut y = top;
            for bar in &self.bars {
                draw_bar(area, &layout, bar, y, end);
                y += step(bar);
            }
        })
    }

    /// Returns the end of the scale: the first that is long enough.
    fn end(&self) -> f64 {
        let sum = |bar: &Bar| bar.parts.iter().map(|(_, share)| share).sum::<f64>();
        let high = |bar: &Bar| bar.interval.map_or(0.0, |[_, high]| high);
        let longest = self.bars.iter().map(|bar| sum(bar).max(high(bar)));
        let longest = longest.fold(0.0, f64::max);
        let found = ENDS.into_iter().find(|&end| longest <= end);
        found.unwrap_or(1.0)
    }

    /// Returns the corner of each entry of the legend; those that find no room begin a new line.
    fn legend_places(&self, width: i32) -> Vec<(i32, i32)> {
        let (mut x, mut y) = (0, 0);
        let mut places = Vec::new();
        for (_, words) in &self.legend {
            let needed = BAR + 6 + text_width(words);
            if x > 0 && x + needed > width {
                x = 0;
                y += LEGEND_LINE;
            }
            places.push((x, y));
            x += needed + 12;
        }
        places
    }
}

fn draw_bar(area: &Area<'_>, layout: &Layout, bar: &Bar, top: i32, end: f64) {
    let bar_top = top + layout.above(bar);
    let is_beside = layout.left > 0;
    let middle = if is_beside {
        bar_top + BAR / 2
    } else {
        bar_top - FONT / 2 - 4
    };
    let label = words::label(&bar.label, layout.most(bar));
    text(area, (0, middle), &label, Side::Right, Ink::Text);
    text(
        area,
        (layout.width, middle),
        &bar.note,
        Side::Left,
        Ink::Muted,
    );
    let pixel = |share: f64| (share / end * f64::from(layout.length)).round() as i32;
    let mut share_before = 0.0;
    for &(ink, share) in &bar.parts {
        let (from, to) = (pixel(share_before), pixel(share_before + share));
        share_before += share;
        // What is there is seen, be it ever so little.
        let width = if share > 0.0 { (to - from).max(1) } else { 0 };
        if width > 0 {
            rectangle(area, (layout.left + from, bar_top), (width, BAR), ink);
        }
    }
    if let Some([low, high]) = bar.interval {
        let ends = (layout.left + pixel(low), layout.left + pixel(high));
        draw_interval(area, ends, bar_top + BAR / 2);
    }
    line(
        area,
        (layout.left, bar_top - 2),
        (layout.left, bar_top + BAR + 2),
        Ink::Muted,
    );
}

/// Draws an interval between two points at a height: a line with ends, and an edge of the page's
/// color around it, without which it could not be seen on a bar.
fn draw_interval(area: &Area<'_>, (from, to): (i32, i32), y: i32) {
    let strokes = [
        ((from, y), (to - from, 1)),
        ((from, y - 3), (1, 7)),
        ((to, y - 3), (1, 7)),
    ];
    for ((x, y), (width, height)) in strokes {
        rectangle(area, (x - 1, y - 1), (width + 2, height + 2), Ink::OnStrong);
    }
    for (corner, size) in strokes {
        rectangle(area, corner, size, Ink::Text);
    }
}

/// Draws the scale: thin lines behind the bars at its quarters, and numbers below.
fn draw_scale(area: &Area<'_>, layout: &Layout, y: i32, top: i32, end: f64) {
    let is_beside = layout.left > 0;
    for quarter in [0, 2, 4] {
        let share = end * f64::from(quarter) / 4.0;
        let x = layout.left + layout.length * quarter / 4;
        if is_beside && quarter > 0 {
            line(area, (x, top), (x, y + 6), Ink::Rule);
        }
        let side = match (quarter, is_beside) {
            (0, false) => Side::Right,
            (4, false) => Side::Left,
            _ => Side::Middle,
        };
        text(area, (x, y + 18), &percent(share), side, Ink::Muted);
    }
}

fn percent(share: f64) -> String {
    // Ends of the scale are short decimals; rounding takes away what binary fractions add to them.
    let percent = (share * 1e6).round() / 1e4;
    format!("{percent} %")
}

/// Returns a bar of one part: `n` of `whole`.
pub fn simple(label: String, n: u64, whole: u64, ink: Ink) -> Bar {
    Bar {
        label,
        note: note(n, whole),
        parts: vec![(ink, fraction(n, whole))],
        interval: None,
    }
}

/// Returns a figure in words: its share, and the number itself.
pub fn note(n: u64, whole: u64) -> String {
    format!("{} \u{b7} {}", words::share(n, whole), words::count(n))
}

/// Returns `n` as a part of `whole`, from 0 to 1.
pub fn fraction(n: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        n as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(shares: &[f64]) -> Bars {
        let bars = shares.iter().map(|&share| Bar {
            label: "one".to_owned(),
            note: String::new(),
            parts: vec![(Ink::Strong, share)],
            interval: None,
        });
        Bars {
            legend: vec![
                (Ink::Strong, "a rather long word of the legend"),
                (Ink::Middle, "another one of the same length"),
            ],
            bars: bars.collect(),
        }
    }

    /// The widths of the rectangles of an ink, as they are written into SVG.
    fn widths(svg: &str, digits: &str) -> Vec<i32> {
        let of_ink = |tag: &&str| tag.starts_with("<rect") && tag.contains(digits);
        let width = |tag: &str| {
            let begin = tag.split(" width=\"").nth(1)?;
            begin.split('"').next()?.parse().ok()
        };
        svg.lines().filter(of_ink).filter_map(width).collect()
    }

    #[test]
    fn a_bar_is_as_long_as_its_share_of_the_scale() {
        let svg = bars(&[0.5, 0.25]).draw(Width::Narrow);
        assert_eq!(widths(&svg, "#163E64"), [BAR, 328, 164]);
    }

    #[test]
    fn the_scale_ends_at_the_first_end_that_is_long_enough() {
        assert_eq!(bars(&[0.03, 0.04]).end(), 0.05);
        assert_eq!(bars(&[0.05]).end(), 0.05);
        assert_eq!(bars(&[1.0]).end(), 1.0);
        assert_eq!(bars(&[]).end(), 0.0001);
        assert_eq!(percent(0.0005), "0.05 %");
        assert_eq!(percent(0.375), "37.5 %");
    }

    #[test]
    fn an_interval_stands_over_its_bar_and_inside_the_scale() {
        let mut one = bars(&[0.5]);
        one.bars[0].interval = Some([0.25, 0.75]);
        assert_eq!(one.end(), 0.8);
        let length = Layout::of(Width::Narrow).length;
        let [from, to] = [0.25, 0.75].map(|share| (share / 0.8 * f64::from(length)).round() as i32);
        let svg = one.draw(Width::Narrow);
        let lines = widths(&svg, "#1B1F24");
        assert_eq!(lines, [to - from, 1, 1], "{svg}");
        assert_eq!(widths(&svg, "#FFFFFE"), [to - from + 2, 3, 3]);
    }

    #[test]
    fn what_is_there_is_drawn_be_it_ever_so_little() {
        let svg = bars(&[1.0, 0.000_01, 0.0]).draw(Width::Wide);
        let length = Layout::of(Width::Wide).length;
        assert_eq!(widths(&svg, "#163E64"), [BAR, length, 1]);
    }

    #[test]
    fn a_legend_without_room_goes_on_in_the_next_line() {
        let places = bars(&[0.5]).legend_places(Width::Narrow.pixels());
        assert_eq!(places[1], (0, LEGEND_LINE));
        let places = bars(&[0.5]).legend_places(Width::Wide.pixels());
        assert_eq!(places[1].1, 0);
    }

    #[test]
    fn a_label_leaves_room_for_the_figure() {
        let bar = |note: &str| Bar {
            label: String::new(),
            note: note.to_owned(),
            parts: Vec::new(),
            interval: None,
        };
        let narrow = Layout::of(Width::Narrow);
        assert!(narrow.most(&bar("1.0 % \u{b7} 1,000,000")) < narrow.most(&bar("1")));
        let wide = Layout::of(Width::Wide);
        assert_eq!(wide.most(&bar("1,000,000")), wide.most(&bar("1")));
    }

    #[test]
    fn a_part_of_nothing_is_nothing() {
        assert_eq!(fraction(0, 0), 0.0);
        assert_eq!(note(0, 0), "- \u{b7} 0");
    }
}
