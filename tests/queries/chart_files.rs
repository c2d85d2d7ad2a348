//! Charts as PDF and PNG files, which need the feature `chart-files`.

use std::{collections::BTreeSet, fs, io::Read};

use flate2::read::ZlibDecoder;
use roxmltree::Document;

use super::charts::{draw, sample};
use crate::util::{Dir, or_skip, query};

#[test]
fn a_png_is_the_drawing_at_twice_its_size() {
    let dir = Dir::new();
    let svg = or_skip!(draw(sample(), "compare-hosts-by-crawl", &[]));
    let document = Document::parse(&svg).unwrap();
    let root = document.root_element();
    let length = |name| root.attribute(name).unwrap().parse::<u32>().unwrap();
    let file = dir.word("chart.PNG");
    let words = ["compare-hosts-by-crawl", "--chart", &file];
    query(sample(), &words).succeed();
    let png = fs::read(file).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    let sizes = ["width", "height"].map(|name| 2 * length(name));
    assert_eq!([number(16), number(20)], sizes);
    let mut data = Vec::new();
    let mut at = 8;
    while at < png.len() {
        let n_bytes = number(at) as usize;
        if &png[at + 4..at + 8] == b"IDAT" {
            data.extend_from_slice(&png[at + 8..at + 8 + n_bytes]);
        }
        at += 12 + n_bytes;
    }
    // Edges of letters have many shades; a blank page has one.
    let mut pixels = Vec::new();
    let mut decoder = ZlibDecoder::new(&data[..]);
    decoder.read_to_end(&mut pixels).unwrap();
    let values: BTreeSet<_> = pixels.into_iter().collect();
    assert!(values.len() > 100, "{}", values.len());
}

#[test]
fn a_pdf_is_a_page_of_the_size_of_the_drawing() {
    let dir = Dir::new();
    let file = dir.word("chart.pdf");
    let words = ["compare-hosts-by-crawl", "--chart-width", "3.2in"];
    let asked = query(sample(), &words).words(&["--chart", &file]);
    assert_eq!(or_skip!(asked.end_in_duckdb()).code, 0);
    let pdf = fs::read(file).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    // 3.2 inches are 307 pixels, and 230.25 points of 72 an inch.
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.contains("/MediaBox [0 0 230.25 "), "{text}");
    assert!(text.contains("/FontFile"), "the font is in the file");
}
