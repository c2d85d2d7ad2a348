//! The colors of the page, by what they say.
//!
//! The drawing library writes colors into its pictures as six digits. Each ink has digits of its
//! own, so that the style sheet can find them and put those of a dark page, or a hatching, in their
//! place. Steps of one scale differ in lightness first, so they stay apart without color.

use std::fmt::Write;

use plotters::style::RGBColor;

/// What is drawn or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text.
    Text,
    /// Text of less weight.
    Muted,
    /// Thin lines.
    Rule,
    /// What a picture is about.
    Strong,
    /// The same, in a second way; hatched.
    StrongHatched,
    /// What comes second.
    Middle,
    /// The same, in a second way; hatched.
    MiddleHatched,
    /// The rest.
    Faint,
    /// A limit.
    Limit,
    /// A step of five, the least first.
    Heat(u8),
    /// Text on what is strong.
    OnStrong,
}

/// All inks: the name of the variable in the style sheet, and the colors on a light page and on a
/// dark one.
const INKS: [(Ink, &str, u32, u32); 15] = [
    (Ink::Text, "text", 0x1b1f24, 0xe6eaee),
    (Ink::Muted, "muted", 0x57606a, 0x9aa4af),
    (Ink::Rule, "rule", 0xd0d7de, 0x3a434d),
    (Ink::Strong, "strong", 0x163e64, 0xb5d8f7),
    (Ink::StrongHatched, "strong-hatched", 0x163e65, 0xb5d8f7),
    (Ink::Middle, "middle", 0x6ba0cb, 0x4a82b3),
    (Ink::MiddleHatched, "middle-hatched", 0x6ba0cc, 0x4a82b3),
    (Ink::Faint, "faint", 0xe1ebf3, 0x22303d),
    (Ink::Limit, "limit", 0xa81c14, 0xff9a8f),
    (Ink::Heat(0), "heat-0", 0xf1f6fa, 0x18222c),
    (Ink::Heat(1), "heat-1", 0xcfe1ef, 0x233c52),
    (Ink::Heat(2), "heat-2", 0x9cc3e1, 0x2f5d82),
    (Ink::Heat(3), "heat-3", 0x356fa0, 0x7fb6e0),
    (Ink::Heat(4), "heat-4", 0x163e66, 0xc9e4fb),
    (Ink::OnStrong, "on-strong", 0xfffffe, 0x0d1117),
];

/// Inks of which the fill is a pattern of the page, by its identifier.
const HATCHED: [(Ink, &str); 2] = [
    (Ink::StrongHatched, "hatch-strong"),
    (Ink::MiddleHatched, "hatch-middle"),
];

impl Ink {
    /// Returns the color as the library is given it, which is that on a light page.
    pub fn color(self) -> RGBColor {
        let (_, _, light, _) = self.row();
        let [_, red, green, blue] = light.to_be_bytes();
        RGBColor(red, green, blue)
    }

    /// Returns the step of a share from 0 to 1.
    pub fn heat(share: f64) -> Self {
        let steps = [0.1, 0.25, 0.5, 0.75];
        Self::Heat(steps.iter().filter(|&&step| share >= step).count() as u8)
    }

    /// Returns the ink of text on a step of heat, or on another ground.
    pub fn on_heat(self) -> Self {
        match self {
            Self::Heat(3..) | Self::Strong => Self::OnStrong,
            _ => Self::Text,
        }
    }

    fn row(self) -> &'static (Self, &'static str, u32, u32) {
        INKS.iter()
            .find(|(ink, ..)| *ink == self)
            .expect("every ink has a row, and there are five steps of heat")
    }
}

/// Returns the variables of a light page, or of a dark one.
pub fn variables(is_dark: bool) -> String {
    let mut css = String::new();
    for (_, name, light, dark) in INKS {
        let color = if is_dark { dark } else { light };
        let _ = write!(css, "--{name}:#{color:06x};");
    }
    css
}

/// Returns the rules that find the inks in the pictures.
pub fn rules() -> String {
    let mut css = String::new();
    for (ink, name, light, _) in INKS {
        let hatch = HATCHED.iter().find(|(hatched, _)| *hatched == ink);
        let fill = hatch.map_or_else(|| format!("var(--{name})"), |(_, id)| format!("url(#{id})"));
        let _ = writeln!(css, "svg [fill=\"#{light:06X}\"]{{fill:{fill}}}");
        let _ = writeln!(css, "svg [stroke=\"#{light:06X}\"]{{stroke:var(--{name})}}");
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_inks_are_found_by_the_same_digits() {
        let mut digits: Vec<_> = INKS.iter().map(|(_, _, light, _)| light).collect();
        digits.sort_unstable();
        digits.dedup();
        assert_eq!(digits.len(), INKS.len());
    }

    /// Relative luminance (WCAG 2.2), from 0 to 1.
    fn luminance(color: u32) -> f64 {
        let [_, red, green, blue] = color.to_be_bytes().map(|byte| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: u32, other: u32) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn what_stands_side_by_side_is_told_apart_without_color() {
        for (one, other) in [
            (Ink::Strong, Ink::Middle),
            (Ink::Middle, Ink::Faint),
            (Ink::Strong, Ink::Faint),
        ] {
            let (one, other) = (one.row(), other.row());
            assert!(contrast(one.2, other.2) > 2.0, "{one:?} {other:?}");
            assert!(contrast(one.3, other.3) > 2.0, "{one:?} {other:?}");
        }
    }

    #[test]
    fn text_can_be_read_on_what_it_stands_on() {
        let page = (0xffffff, 0x0f1419);
        for ink in [Ink::Text, Ink::Muted, Ink::Limit] {
            let row = ink.row();
            assert!(contrast(row.2, page.0) > 4.5 && contrast(row.3, page.1) > 4.5);
        }
        for step in 0..5 {
            let (ground, ink) = (Ink::Heat(step).row(), Ink::Heat(step).on_heat().row());
            assert!(contrast(ground.2, ink.2) > 4.5, "{ground:?}");
            assert!(contrast(ground.3, ink.3) > 4.5, "{ground:?}");
        }
    }

    #[test]
    fn a_share_has_its_step() {
        let steps = [0.0, 0.09, 0.1, 0.5, 0.74, 1.0].map(Ink::heat);
        assert_eq!(steps, [0, 0, 1, 3, 3, 4].map(Ink::Heat));
    }
}
