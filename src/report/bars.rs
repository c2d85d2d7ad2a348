//! Bar charts: groups of horizontal bars, each of one segment or of several, on a common scale of
//! shares.
//!
//! Labels and figures are text of the page, and positions along the bars are percentages, so that
//! one drawing fits every window: the style sheet places labels next to the bars or above them.

use maud::{Markup, html};

use super::{style::Color, words};

/// The bars of one label.
#[derive(Debug)]
pub struct BarGroup {
    label: String,
    bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug)]
pub struct Bar {
    /// The figure in words.
    note: String,
    /// From left to right; their shares add up to 1 at most.
    segments: Vec<(Color, f64)>,
    /// Two shares, the lower first, between which a line is drawn over the bar.
    interval: Option<[f64; 2]>,
}

/// The ends that a scale may have.
const ENDS: [f64; 17] = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6,
    0.8, 1.0,
];
/// The least length of a segment that is not empty, as a part of the scale: it stays visible.
const LEAST: f64 = 0.0025;
/// Characters of a label.
const MOST_LABEL: usize = 60;

impl BarGroup {
    /// Returns a group of bars from top to bottom.
    pub fn new(label: impl Into<String>, bars: impl Into<Vec<Bar>>) -> Self {
        Self {
            label: label.into(),
            bars: bars.into(),
        }
    }

    /// Returns a group whose shares would be of too few.
    pub fn too_few(label: impl Into<String>) -> Self {
        Self::new(label, [Bar::too_few()])
    }
}

impl Bar {
    /// Returns what stands in place of a share of too few.
    fn too_few() -> Self {
        Self {
            note: "too few".to_owned(),
            segments: Vec::new(),
            interval: None,
        }
    }

    /// Returns a bar of one segment: `n` of `whole`.
    pub fn new(n: u64, whole: u64, color: Color) -> Self {
        Self::stacked(n, whole, &[(color, n)])
    }

    /// Returns a bar of several segments, each a count out of `whole`; the figure is that of `n`.
    pub fn stacked(n: u64, whole: u64, segments: &[(Color, u64)]) -> Self {
        let share = |&(color, n): &(Color, u64)| (color, fraction(n, whole));
        Self {
            note: format!("{} \u{b7} {}", words::share(n, whole), words::count(n)),
            segments: segments.iter().map(share).collect(),
            interval: None,
        }
    }

    /// Returns the bar with an interval.
    pub fn with_interval(self, interval: Option<[f64; 2]>) -> Self {
        Self { interval, ..self }
    }

    /// Returns the share at which the bar, or its interval, ends.
    fn end(&self) -> f64 {
        let sum = self.segments.iter().map(|(_, share)| share).sum();
        self.interval.map_or(sum, |[_, high]| high.max(sum))
    }

    fn draw(&self, end: f64) -> Markup {
        let mut sum = 0.0;
        let segments = self.segments.iter().map(|&(color, share)| {
            let from = sum / end;
            sum += share;
            (color, from, (share / end).max(LEAST))
        });
        let visible = segments.zip(&self.segments).filter(|(_, of)| of.1 > 0.0);
        html! {
            span.note { (self.note) }
            svg height="20" aria-hidden="true" {
                // Beyond the SVG, so that the lines of all bars join.
                @for at in ["50%", "100%"] { line.rule x1=(at) x2=(at) y1="-3" y2="23" {} }
                @for ((color, from, length), _) in visible {
                    rect class=(color.class()) x=(percent(from)) y="3" width=(percent(length)) height="14" {}
                }
                @if let Some(interval) = self.interval {
                    @let [low, high] = interval.map(|share| percent(share / end));
                    // A halo in the color of the page makes the line visible on a dark bar.
                    @for class in ["halo", "interval"] {
                        g class=(class) {
                            line x1=(low) x2=(high) y1="10" y2="10" {}
                            @for at in [&low, &high] { line x1=(at) x2=(at) y1="6" y2="14" {} }
                        }
                    }
                }
                line.axis x1="0" x2="0" y1="1" y2="19" {}
            }
        }
    }
}

/// Returns a bar chart; `None` if there are no bars. The legend is empty where there is one color.
pub fn draw(legend: &[(Color, &str)], groups: &[BarGroup]) -> Option<Markup> {
    let end = scale_end(groups.iter().flat_map(|group| &group.bars).map(Bar::end));
    (!groups.is_empty()).then(|| {
        html! {
            @if !legend.is_empty() {
                ul.legend {
                    @for (color, words) in legend {
                        li {
                            svg width="14" height="14" aria-hidden="true" {
                                rect class=(color.class()) width="14" height="14" {}
                            }
                            (words)
                        }
                    }
                }
            }
            @for group in groups {
                div.bars {
                    span.label { (words::label(&group.label, MOST_LABEL)) }
                    @for bar in &group.bars { (bar.draw(end)) }
                }
            }
            div.bars {
                div.scale {
                    @for half in [0.0, 0.5, 1.0] { span { (scale_label(end * half)) } }
                }
            }
        }
    })
}

/// Returns the end of a scale: the first of [`ENDS`] that is no less than the shares.
pub fn scale_end(shares: impl Iterator<Item = f64>) -> f64 {
    let longest = shares.fold(0.0, f64::max);
    let found = ENDS.into_iter().find(|&end| longest <= end);
    found.unwrap_or(1.0)
}

/// Returns a share of a scale as its label.
pub fn scale_label(share: f64) -> String {
    // Ends of the scale are short decimals; rounding removes what binary fractions add to them.
    format!("{}\u{a0}%", (share * 1e6).round() / 1e4)
}

/// Returns a share as a length of SVG.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
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
    use super::{super::style::CSS, *};

    /// Returns position and width of each segment of a bar.
    fn segments(bar: &Bar, end: f64) -> Vec<[String; 2]> {
        let svg = bar.draw(end).into_string();
        let value = |tag: &str, name: &str| {
            let rest = tag.split(&format!(" {name}=\"")).nth(1)?;
            rest.split('"').next().map(str::to_owned)
        };
        let tags = svg.split("<rect").skip(1);
        tags.filter_map(|tag| Some([value(tag, "x")?, value(tag, "width")?]))
            .collect()
    }

    #[test]
    fn a_bar_is_as_long_as_its_share_of_the_scale() {
        let bar = Bar::new(1, 4, Color::Strong);
        assert_eq!(segments(&bar, 0.5), [["0.00%", "50.00%"]]);
        let counts = [(Color::Strong, 1), (Color::Middle, 2)];
        assert_eq!(
            segments(&Bar::stacked(1, 4, &counts), 1.0),
            [["0.00%", "25.00%"], ["25.00%", "50.00%"]]
        );
    }

    #[test]
    fn what_exists_is_visible_and_what_does_not_is_not_drawn() {
        let counts = [(Color::Strong, 1), (Color::Middle, 0)];
        let bar = Bar::stacked(1, 1_000_000, &counts);
        assert_eq!(segments(&bar, 1.0), [["0.00%", "0.25%"]]);
    }

    #[test]
    fn the_scale_ends_at_the_first_end_that_is_long_enough() {
        let end = |shares: &[f64]| scale_end(shares.iter().copied());
        assert_eq!(end(&[0.03, 0.04]), 0.05);
        assert_eq!(end(&[0.05]), 0.05);
        assert_eq!(end(&[1.0]), 1.0);
        assert_eq!(end(&[]), 0.0001);
        assert_eq!(scale_label(0.0005), "0.05\u{a0}%");
        assert_eq!(scale_label(0.375), "37.5\u{a0}%");
    }

    #[test]
    fn an_interval_is_drawn_over_its_bar_and_inside_the_scale() {
        let bar = Bar::new(1, 2, Color::Strong).with_interval(Some([0.25, 0.75]));
        let end = scale_end([bar.end()].into_iter());
        assert_eq!(end, 0.8);
        let svg = bar.draw(end).into_string();
        let line = "<line x1=\"31.25%\" x2=\"93.75%\" y1=\"10\" y2=\"10\">";
        assert_eq!(svg.matches(line).count(), 2, "{svg}");
        let halo = svg.find("class=\"halo\"").unwrap();
        assert!(svg.find("<rect").unwrap() < halo);
        assert!(halo < svg.find("class=\"interval\"").unwrap());
    }

    #[test]
    fn the_halo_of_an_interval_is_seen_on_both_sides_of_its_line() {
        let width = |class: &str| {
            let rule = CSS.split(&format!("\n.{class}{{")).nth(1).unwrap();
            let width = rule.split("stroke-width:").nth(1).unwrap();
            let width = width.split(['}', ';']).next().unwrap();
            width.parse::<f64>().unwrap()
        };
        assert!(width("interval") >= 2.0 && width("halo") >= width("interval") + 4.0);
    }

    #[test]
    fn text_of_files_is_escaped_and_cut() {
        let hostile = format!("</span><script>{}", "x".repeat(100));
        let group = BarGroup::new(hostile, [Bar::new(1, 2, Color::Strong)]);
        let chart = draw(&[], &[group]).unwrap().into_string();
        assert!(!chart.contains("<script"), "{chart}");
        assert!(chart.contains("&lt;/span&gt;&lt;script&gt;x"), "{chart}");
        assert!(chart.contains("x\u{2026}</span>"), "{chart}");
        assert!(draw(&[], &[]).is_none());
    }

    #[test]
    fn a_share_of_nothing_is_nothing() {
        assert_eq!(fraction(0, 0), 0.0);
        assert_eq!(Bar::new(0, 0, Color::Strong).note, "- \u{b7} 0");
    }
}
