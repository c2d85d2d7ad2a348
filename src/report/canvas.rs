//! A sheet to draw on, in one of two widths.
//!
//! Pictures are drawn by plotters, which knows coordinates, axes and elements and writes SVG. The
//! other candidate, charts-rs, draws whole charts with labels where it wants them and a font of its
//! own; here labels stand above their bars in a narrow window, and that asks for the parts rather
//! than for the whole. A picture that only shrinks could not be read on a telephone, so each is
//! drawn twice, and the style sheet shows one.

use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::ink::Ink;

/// Size of the text, in pixels.
pub const FONT: i32 = 14;
/// The library writes sizes into SVG divided by this number.
const FONT_FACTOR: f64 = 1.24;

/// An area of a picture, in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The window that a picture is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// A desk: labels stand beside what they name.
    Wide,
    /// A telephone: labels stand above.
    Narrow,
}

impl Width {
    /// Returns the width in pixels.
    pub fn pixels(self) -> i32 {
        match self {
            Self::Wide => 1000,
            Self::Narrow => 328,
        }
    }

    /// Returns a name for classes and identifiers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }
}

/// Where text stands as seen from its point.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    /// It begins there.
    Right,
    /// It ends there.
    Left,
    /// Its middle is there.
    Middle,
}

/// Draws a picture of a width and height, and returns it as SVG.
pub fn draw(width: Width, height: i32, content: impl FnOnce(&Area<'_>)) -> String {
    let mut svg = String::new();
    {
        let size = (width.pixels() as u32, height.max(1) as u32);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        content(&area);
        drawn(area.present());
    }
    svg
}

/// Draws a filled rectangle from a corner, of a width and a height.
pub fn rectangle(area: &Area<'_>, (x, y): (i32, i32), (width, height): (i32, i32), ink: Ink) {
    let corners = [(x, y), (x + width, y + height)];
    drawn(area.draw(&Rectangle::new(corners, ink.color().filled())));
}

/// Draws a thin line.
pub fn line(area: &Area<'_>, from: (i32, i32), to: (i32, i32), ink: Ink) {
    drawn(area.draw(&PathElement::new(vec![from, to], ink.color())));
}

/// Writes a line of text whose middle is at the height of the point.
pub fn text(area: &Area<'_>, at: (i32, i32), text: &str, side: Side, ink: Ink) {
    drawn(area.draw_text(text, &style(ink, side), at));
}

/// Returns the style of text.
pub fn style(ink: Ink, side: Side) -> TextStyle<'static> {
    let h_pos = match side {
        Side::Right => HPos::Left,
        Side::Left => HPos::Right,
        Side::Middle => HPos::Center,
    };
    TextStyle {
        font: ("sans-serif", f64::from(FONT) * FONT_FACTOR).into_font(),
        color: ink.color().to_backend_color(),
        pos: Pos::new(h_pos, VPos::Center),
    }
}

/// Returns about how many pixels a text is wide: the page has no fonts of its own, so nobody knows.
pub fn text_width(text: &str) -> i32 {
    (text.chars().count() as f64 * f64::from(FONT) * 0.55).ceil() as i32
}

/// Takes what the library says of a picture: in memory it cannot fail.
pub fn drawn<T, E: std::error::Error + Send + Sync>(
    result: Result<T, DrawingAreaErrorKind<E>>,
) -> T {
    result.unwrap_or_else(|e| unreachable!("a picture in memory takes everything: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        let svg = draw(Width::Narrow, 20, |area| {
            text(
                area,
                (0, 10),
                "</text><script>alert(1)</script>&",
                Side::Right,
                Ink::Text,
            );
        });
        assert!(!svg.contains("<script"), "{svg}");
        assert!(
            svg.contains("&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"),
            "{svg}"
        );
    }

    #[test]
    fn text_has_the_size_that_it_is_given() {
        let svg = draw(Width::Wide, 20, |area| {
            text(area, (0, 10), "a", Side::Middle, Ink::Muted);
        });
        assert!(svg.contains(&format!("font-size=\"{FONT}\"")), "{svg}");
        assert!(svg.contains("fill=\"#57606A\""), "{svg}");
    }
}
