//! The style sheet of the page, and the classes by which charts choose their colors in it.

/// The style sheet: layout, and the colors on a light and on a dark page.
pub const CSS: &str = include_str!("page.css");

/// The color of a part of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// What a chart is about.
    Strong,
    /// The same, in a second way.
    StrongHatched,
    /// What comes second.
    Middle,
    /// The same, in a second way.
    MiddleHatched,
    /// The rest.
    Faint,
}

impl Color {
    /// Returns the class.
    pub fn class(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::StrongHatched => "strong-hatched",
            Self::Middle => "middle",
            Self::MiddleHatched => "middle-hatched",
            Self::Faint => "faint",
        }
    }
}

/// Returns the class of a cell of a heatmap, by its share from 0 to 1.
pub fn heat(share: f64) -> &'static str {
    match share {
        ..0.1 => "heat-0",
        ..0.25 => "heat-1",
        ..0.5 => "heat-2",
        ..0.75 => "heat-3",
        _ => "heat-4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a color of the light page and of the dark one.
    fn colors(name: &str) -> [u32; 2] {
        let of_name = format!("--{name}:#");
        let digits = CSS.split(&of_name).skip(1).map(|rest| &rest[..6]);
        let colors: Vec<_> = digits
            .map(|digits| u32::from_str_radix(digits, 16).expect("six digits"))
            .collect();
        colors.try_into().expect("a color for each page")
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

    /// Asserts the contrast ratio (WCAG 2.2) of two colors, on the light page and on the dark one.
    #[track_caller]
    fn assert_contrast(one: &str, other: &str, least: f64) {
        for (one, other) in colors(one).into_iter().zip(colors(other)) {
            let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
            let ratio = one.max(other) / one.min(other);
            assert!(ratio > least, "{ratio}");
        }
    }

    #[test]
    fn adjacent_colors_differ_in_lightness() {
        assert_contrast("strong", "middle", 2.0);
        assert_contrast("middle", "faint", 2.0);
        assert_contrast("strong", "faint", 2.0);
    }

    #[test]
    fn text_is_legible_on_its_background() {
        for text in ["text", "muted", "limit"] {
            assert_contrast(text, "page", 4.5);
        }
        for (step, text) in ["text", "text", "text", "on-strong", "on-strong"]
            .iter()
            .enumerate()
        {
            let class = format!("heat-{step}");
            assert_contrast(&class, text, 4.5);
            let rule = format!(".{class}{{background:var(--{class});color:var(--{text})}}");
            assert!(CSS.contains(&rule), "{rule}");
        }
    }

    #[test]
    fn every_color_has_a_rule() {
        for color in [
            Color::Strong,
            Color::StrongHatched,
            Color::Middle,
            Color::MiddleHatched,
            Color::Faint,
        ] {
            assert!(CSS.contains(&format!("\n.{}{{fill:", color.class())));
        }
    }

    #[test]
    fn heat_has_five_steps() {
        let steps = [0.0, 0.09, 0.1, 0.25, 0.5, 0.74, 1.0].map(heat);
        let wanted = [
            "heat-0", "heat-0", "heat-1", "heat-2", "heat-3", "heat-3", "heat-4",
        ];
        assert_eq!(steps, wanted);
    }
}
