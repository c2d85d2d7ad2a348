//! Charts as PNG files.

use anyhow::{Context, anyhow};
use resvg::{
    render,
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

/// The family of the font in the program.
const FAMILY: &str = "DejaVu Sans";
/// Pixels of the file for one of the drawing, so that it is sharp on paper and on dense screens.
const SCALE: u32 = 2;

/// Returns an SVG drawing as a PNG file. Its text is in the font of the program: the file does not
/// depend on the fonts of a machine.
pub fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut options = Options {
        font_family: FAMILY.to_owned(),
        ..Options::default()
    };
    let fonts = options.fontdb_mut();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family(FAMILY);
    let tree = Tree::from_str(svg, &options).context("cannot draw the chart as PNG")?;
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
