//! SVG as text: shapes with their colors as attributes, which every program that reads SVG knows.

use std::fmt::Write;

use super::{
    style::{MUTED, PAGE, TEXT},
    text::{clean, cut, width},
};

/// Families of fonts; the last of those named is that of the font by which text is measured.
const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// A drawing; its height is known at the end.
#[derive(Debug)]
pub struct Svg {
    body: String,
    /// In pixels.
    pub width: f64,
}

/// How text is set.
#[derive(Clone, Copy, Debug)]
pub struct Font {
    /// In pixels.
    pub size: f64,
    /// The color.
    pub fill: &'static str,
    /// Where the text is, seen from its position.
    pub anchor: Anchor,
    /// Whether it is bold.
    pub is_bold: bool,
}

/// Where text is, seen from its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

impl Font {
    /// Returns regular text that begins at its position.
    pub const fn new(size: f64) -> Self {
        Self {
            size,
            fill: TEXT,
            anchor: Anchor::Start,
            is_bold: false,
        }
    }

    /// Returns the same in the color of what is less important.
    pub const fn muted(self) -> Self {
        Self {
            fill: MUTED,
            ..self
        }
    }

    /// Returns the same with another anchor.
    pub const fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}

impl Svg {
    /// Returns a drawing of a width.
    pub fn new(width: f64) -> Self {
        Self {
            body: String::new(),
            width,
        }
    }

    /// Draws a rectangle.
    pub fn rect(&mut self, [x, y]: [f64; 2], size: [f64; 2], fill: &str) {
        let (x, y, [width, height]) = (Px(x), Px(y), size.map(Px));
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        ));
    }

    /// Draws a line.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], stroke: &str, width: f64) {
        let ([x1, y1], [x2, y2], width) = (from.map(Px), to.map(Px), Px(width));
        self.push(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>"
        ));
    }

    /// Draws lines from point to point.
    pub fn polyline(&mut self, points: &[[f64; 2]], stroke: &str, dash: &str) {
        let mut attributes = format!("points=\"{}\"", joined(points));
        if !dash.is_empty() {
            attributes.push_str(&format!(" stroke-dasharray=\"{dash}\""));
        }
        self.push(format_args!(
            "<polyline {attributes} fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
        ));
    }

    /// Draws a closed shape with an edge in the color of the page.
    pub fn polygon(&mut self, points: &[[f64; 2]], fill: &str) {
        self.push(format_args!(
            "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{PAGE}\" stroke-width=\"1\"/>",
            joined(points)
        ));
    }

    /// Draws a circle with an edge in the color of the page.
    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, fill: &str) {
        let (x, y, radius) = (Px(x), Px(y), Px(radius));
        self.push(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{PAGE}\" stroke-width=\"1\"/>"
        ));
    }

    /// Draws text on its base line.
    pub fn text(&mut self, at: [f64; 2], font: Font, text: &str) {
        self.turned_text(at, 0.0, font, text, text);
    }

    /// Draws text that begins at its position over the lines behind it.
    pub fn text_over_lines(&mut self, [x, y]: [f64; 2], font: Font, text: &str) {
        let size = [width(text, font.size) + 4.0, font.size];
        self.rect([x - 2.0, y - 0.8 * font.size], size, PAGE);
        self.text([x, y], font, text);
    }

    /// Draws text and what stands behind it, in a width to which the text is cut.
    pub fn shortened(&mut self, at: [f64; 2], font: Font, text: &str, behind: &str, most: f64) {
        let short = cut(text, font.size, most - width(behind, font.size)) + behind;
        self.turned_text(at, 0.0, font, &short, &format!("{text}{behind}"));
    }

    /// Draws text that is rotated around its position, in degrees, clockwise. Where it is not
    /// whole, all of it is shown to who points at it.
    pub fn turned_text(
        &mut self,
        [x, y]: [f64; 2],
        degrees: f64,
        font: Font,
        text: &str,
        whole: &str,
    ) {
        let (x, y, size, degrees) = (Px(x), Px(y), Px(font.size), Px(degrees));
        let mut more = match font.anchor {
            Anchor::Start => String::new(),
            Anchor::Middle => " text-anchor=\"middle\"".to_owned(),
            Anchor::End => " text-anchor=\"end\"".to_owned(),
        };
        if font.is_bold {
            more.push_str(" font-weight=\"bold\"");
        }
        if degrees.0 != 0.0 {
            more.push_str(&format!(" transform=\"rotate({degrees} {x} {y})\""));
        }
        let (fill, mut content) = (font.fill, escaped(text));
        if whole != text {
            content.push_str(&format!("<title>{}</title>", escaped(whole)));
        }
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{more}>{content}</text>"
        ));
    }

    /// Returns the element, which may be wider than the drawing: a title and a description for
    /// those who do not see it, and the drawing.
    pub fn finish(self, height: f64, file_width: f64, title: &str, description: &str) -> String {
        let zoom = file_width / self.width;
        let (width, height) = (Px(self.width), Px(height.ceil()));
        let (wide, high) = (Px(file_width), Px((height.0 * zoom).ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAGE}\"/>\n{}</svg>\n",
            escaped(title),
            escaped(description),
            self.body
        )
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.body, "{element}");
    }
}

/// A length in hundredths of a pixel at most.
struct Px(f64);

impl std::fmt::Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The integer has no sign where it is 0.
        let hundredths = (self.0 * 100.0).round() as i64;
        write!(f, "{}", hundredths as f64 / 100.0)
    }
}

fn joined(points: &[[f64; 2]]) -> String {
    let points = points.iter().map(|&[x, y]| format!("{},{}", Px(x), Px(y)));
    points.collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    let text = clean(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short_decimals() {
        let texts = [0.0, 1.5, -0.004, 12.345, -3.05, 7.0].map(|length| Px(length).to_string());
        assert_eq!(texts, ["0", "1.5", "0", "12.35", "-3.05", "7"]);
    }

    #[test]
    fn text_stays_text() {
        let mut svg = Svg::new(10.0);
        svg.text([0.0, 0.0], Font::new(9.0), "</text><script>&\u{1b}\u{ffff}");
        let file = svg.finish(5.0, 10.0, "<a>", "&");
        assert!(file.contains("&lt;/text&gt;&lt;script&gt;&amp;\u{fffd}\u{fffd}</text>"));
        assert!(file.contains("<title>&lt;a&gt;</title>\n<desc>&amp;</desc>"));
        assert_eq!(file.matches("<script").count(), 0);
    }
}
