//! Charts as PDF and PNG files. Their text is in the font of the program: a file does not depend on
//! the fonts of a machine.

use anyhow::{Context, anyhow};
use resvg::{
    render,
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};
use svg2pdf::{ConversionOptions, PageOptions, to_pdf};

/// The family of the font in the program.
const FAMILY: &str = "DejaVu Sans";
/// Pixels of the file for one of the drawing, so that it is sharp on paper and on dense screens.
const SCALE: u32 = 2;

/// Pixels of a drawing in an inch, as CSS has it.
const PIXELS_PER_INCH: f32 = 96.0;

fn tree(svg: &str) -> anyhow::Result<Tree> {
    let mut options = Options {
        font_family: FAMILY.to_owned(),
        ..Options::default()
    };
    let fonts = options.fontdb_mut();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family(FAMILY);
    Tree::from_str(svg, &options).context("cannot draw the chart")
}

/// Returns an SVG drawing as a PDF file of one page of its size.
pub fn pdf(svg: &str) -> anyhow::Result<Vec<u8>> {
    let page = PageOptions {
        dpi: PIXELS_PER_INCH,
    };
    to_pdf(&tree(svg)?, ConversionOptions::default(), page)
        .map_err(|e| anyhow!("cannot write the chart as PDF: {e}"))
}

/// Returns an SVG drawing as a PNG file.
pub fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let tree = tree(svg)?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width() * SCALE, size.height() * SCALE);
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| anyhow!("cannot draw a PNG of {width} x {height} pixels"))?;
    let scale = SCALE as f32;
    render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels.encode_png().context("cannot write the chart as PNG")
}
