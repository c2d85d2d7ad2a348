//! What stands around every chart: title, n, legend, notes and source.

use super::{
    style::RULE,
    svg::{Anchor, Font, Svg},
    text::{cut, width, wrap},
};

/// The least width of a file, in pixels.
pub const WIDTH: f64 = 760.0;
/// The space around everything.
pub const MARGIN: f64 = 24.0;
/// Text of labels and figures.
pub const TEXT_SIZE: f64 = 12.0;
/// What stands in place of shares of too few.
pub const TOO_FEW: &str = "too few";

const TITLE: Font = Font {
    is_bold: true,
    ..Font::new(16.0)
};
const N: Font = Font::new(TEXT_SIZE).muted();
const NOTE: Font = Font::new(11.0).muted();
const SOURCE: Font = Font::new(10.0).muted();
const MOST_TITLE_LINES: usize = 3;
const MOST_LINES: usize = 6;
/// The side of the square that shows a color in a legend.
pub const SWATCH: f64 = 11.0;

/// A chart that grows from top to bottom.
#[derive(Debug)]
pub struct Frame {
    title: String,
    n: String,
    /// Without a source, title and n are those of the page around the chart.
    source: Option<String>,
    /// What the drawing is made on.
    pub svg: Svg,
    /// Where the next part begins.
    pub y: f64,
}

impl Frame {
    /// Returns a frame whose width may grow.
    pub fn new(title: &str, n: &str, source: Option<&str>) -> Self {
        Self {
            title: title.to_owned(),
            n: n.to_owned(),
            source: source.map(str::to_owned),
            svg: Svg::new(WIDTH),
            y: MARGIN,
        }
    }

    /// Writes title and n, and makes the file as wide as the drawing needs.
    pub fn begin(&mut self, least_width: f64) {
        self.svg = Svg::new(least_width.max(WIDTH).ceil());
        if self.source.is_some() {
            self.paragraph(&self.title.clone(), TITLE, MOST_TITLE_LINES);
            self.y += 2.0;
            self.paragraph(&self.n.clone(), N, MOST_LINES);
            self.y += 12.0;
        }
    }

    /// Writes what there is in place of a drawing.
    pub fn say(&mut self, text: &str) {
        self.begin(WIDTH);
        self.y += 28.0;
        let middle = self.svg.width() / 2.0;
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
        let end = self.svg.width() - MARGIN;
        let mut x = MARGIN;
        for (index, name) in names.iter().enumerate() {
            let name = cut(name, TEXT_SIZE, end - MARGIN - SWATCH - 8.0);
            let needed = SWATCH + 6.0 + width(&name, TEXT_SIZE);
            if x > MARGIN && x + needed > end {
                x = MARGIN;
                self.y += 18.0;
            }
            draw(&mut self.svg, [x, self.y], index);
            let base = self.y + SWATCH - 1.0;
            self.svg
                .text([x + SWATCH + 6.0, base], Font::new(TEXT_SIZE), &name);
            x += needed + 20.0;
        }
        self.y += SWATCH + 14.0;
    }

    /// Writes notes and source, and returns the element `svg`.
    pub fn finish(mut self, notes: &[String]) -> String {
        self.y += 14.0;
        for note in notes {
            self.paragraph(note, NOTE, MOST_LINES);
        }
        let mut description = self.n.clone();
        if let Some(source) = self.source.take() {
            self.y += 6.0;
            let end = self.svg.width() - MARGIN;
            self.svg.line([MARGIN, self.y], [end, self.y], RULE, 1.0);
            self.y += 8.0;
            self.paragraph(&source, SOURCE, MOST_LINES);
            description = format!("{description}. {source}");
        }
        let height = self.y + MARGIN - 8.0;
        self.svg.finish(height, &self.title, &description)
    }

    fn paragraph(&mut self, text: &str, font: Font, most_lines: usize) {
        let most = self.svg.width() - 2.0 * MARGIN;
        for line in wrap(text, font.size, font.is_bold, most, most_lines) {
            self.y += (font.size * 1.35).round();
            self.svg
                .text([MARGIN, self.y - 0.35 * font.size], font, &line);
        }
    }
}
