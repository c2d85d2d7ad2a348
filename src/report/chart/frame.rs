//! What stands around every chart: title, n, legend, notes and source.

use super::{
    style::RULE,
    svg::{Anchor, Font, Svg},
    text::{width, wrap},
};

/// The width of a file that no other one is asked for, in pixels.
pub const WIDTH: f64 = 760.0;
/// A drawing is wide enough for all that is written in it; a wider file shows it larger, so that
/// its text can be read from afar.
const MOST_WIDTH: f64 = 1000.0;
/// Below this width text has more lines and less space around it, and is as large as before.
const NARROW: f64 = 500.0;
/// Text of labels and figures.
pub const TEXT_SIZE: f64 = 12.0;
/// What stands in place of shares of too few.
pub const TOO_FEW: &str = "too few";

/// Text of axes, values and notes.
pub const SMALL: Font = Font::new(11.0).muted();

const N: Font = Font::new(TEXT_SIZE).muted();
const SOURCE: Font = Font::new(10.0).muted();
/// Lines of a paragraph at [`WIDTH`]; a narrow one has more.
const MOST_LINES: f64 = 6.0;
/// The side of the square that shows a color in a legend.
pub const SWATCH: f64 = 11.0;

/// A chart that grows from top to bottom.
#[derive(Debug)]
pub struct Frame {
    title: String,
    n: String,
    /// Without a source, title and n are those of the page around the chart.
    source: Option<String>,
    /// The width of the file.
    file_width: f64,
    /// What the drawing is made on.
    pub svg: Svg,
    /// Where the drawing begins and ends, from left to right.
    pub left: f64,
    pub right: f64,
    /// Where the next part begins.
    pub y: f64,
}

impl Frame {
    /// Returns a frame with title and n in it, of a file of this width.
    pub fn new(title: &str, n: &str, source: Option<&str>, file_width: f64) -> Self {
        let width = file_width.min(MOST_WIDTH);
        let margin = (width / 30.0).clamp(12.0, 24.0);
        let mut frame = Self {
            title: title.to_owned(),
            n: n.to_owned(),
            source: source.map(str::to_owned),
            file_width,
            svg: Svg::new(width),
            left: margin,
            right: width - margin,
            y: margin,
        };
        if frame.source.is_some() {
            let font = Font {
                is_bold: true,
                ..Font::new(if frame.is_narrow() { 13.0 } else { 16.0 })
            };
            frame.paragraph(frame.left, font, title);
            frame.y += 2.0;
            frame.paragraph(frame.left, N, n);
            frame.y += 12.0;
        }
        frame
    }

    /// Returns whether it has little space from left to right.
    pub fn is_narrow(&self) -> bool {
        self.svg.width < NARROW
    }

    /// Writes what there is in place of a drawing.
    pub fn say(&mut self, text: &str) {
        self.y += 28.0;
        let middle = self.svg.width / 2.0;
        let font = Font::new(14.0).muted().anchored(Anchor::Middle);
        self.svg.text([middle, self.y], font, text);
        self.y += 28.0;
    }

    /// Writes names, each beside what `draw` draws of its color in a square; none where there is
    /// only one.
    pub fn legend(&mut self, names: &[String], draw: impl Fn(&mut Svg, [f64; 2], usize)) {
        if names.len() < 2 {
            return;
        }
        const BESIDE: f64 = SWATCH + 6.0;
        let font = Font::new(TEXT_SIZE);
        let mut x = self.left;
        for (index, name) in names.iter().enumerate() {
            let most = self.right - self.left - BESIDE;
            let needed = BESIDE + width(name, TEXT_SIZE).min(most);
            if x > self.left && x + needed > self.right {
                x = self.left;
                self.y += 18.0;
            }
            draw(&mut self.svg, [x, self.y], index);
            let at = [x + BESIDE, self.y + SWATCH - 1.0];
            self.svg.shortened(at, font, name, "", most);
            x += needed + 20.0;
        }
        self.y += SWATCH + 14.0;
    }

    /// Writes the names of the marks of a scale, from left to right: of long ones those that have
    /// space.
    pub fn marks(&mut self, marks: impl IntoIterator<Item = (f64, String)>) {
        let mut free = 0.0;
        for (x, text) in marks {
            let half = width(&text, SMALL.size) / 2.0;
            // The first name may be longer than what is before it.
            let x = if free == 0.0 { x.max(half) } else { x };
            if x - half >= free {
                let font = SMALL.anchored(Anchor::Middle);
                self.svg.text([x, self.y], font, &text);
                free = x + half + 4.0;
            }
        }
    }

    /// Writes notes and source, and returns the element `svg`.
    pub fn finish(mut self, notes: &[String]) -> String {
        self.y += 14.0;
        for note in notes {
            self.paragraph(self.left, SMALL, note);
        }
        let mut description = self.n.clone();
        if let Some(source) = self.source.take() {
            self.y += 6.0;
            let [from, to] = [self.left, self.right].map(|x| [x, self.y]);
            self.svg.line(from, to, RULE, 1.0);
            self.y += 8.0;
            self.paragraph(self.left, SOURCE, &source);
            description = format!("{description}. {source}");
        }
        let height = self.y + self.left.min(16.0);
        self.svg
            .finish(height, self.file_width, &self.title, &description)
    }

    /// Writes text in lines from `x` to the right end.
    pub fn paragraph(&mut self, x: f64, font: Font, text: &str) {
        let most_lines = (MOST_LINES * WIDTH / self.svg.width).ceil() as usize;
        for line in wrap(text, font.size, font.is_bold, self.right - x, most_lines) {
            self.y += (font.size * 1.35).round();
            self.svg.text([x, self.y - 0.35 * font.size], font, &line);
        }
    }
}
