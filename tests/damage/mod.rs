//! Damaged and hostile archives: every record that is whole is read, every loss is reported, and
//! nothing costs more than its bytes.
//!
//! | module | what it tests |
//! |---|---|
//! | [`reader`] | `warc::Reader` on small archives: a table of damage, cuts, lengths, limits |
//! | [`attack`] | the program on archives with one known change each: 61 kinds in 8 framings |
//! | [`quirks`] | the program on the archives of `../shared/quirks` |
//! | [`reframed`] | real archives in other framings give the same rows |
//! | [`sums`] | bytes, records and faults of a dataset add up |
//! | [`responses`] | whole records with damaged responses |
//! | [`bodies`] | bodies and option files that are made to cost time or memory |
//!
//! A new kind of damage is a row of `reader/table.rs` if one small archive shows it, and a kind of
//! `attack/kinds.rs` if it can be done to any archive. What must hold of any bytes at all is in
//! `properties/`, which the fuzz targets share.

use std::io::Write as _;

use flate2::bufread::GzDecoder;
use robocensus::{Config, Progress};

use crate::util::{Census, Dir, Held, gzip};

mod attack;
mod bodies;
mod quirks;
mod reader;
mod reframed;
mod responses;
pub mod sums;

/// Returns the dataset of an archive with one gzip member for each record.
fn census_of(dir: &Dir, records: &[Vec<u8>], change: impl FnOnce(&mut Config)) -> Census {
    let bytes = records.iter().flat_map(|record| gzip(record)).collect();
    let mut config = Config::new(dir.path("census"));
    change(&mut config);
    let archive = Held::new("a.warc.gz", bytes).source();
    let summary = robocensus::run(&config, &[archive], &Progress::default()).unwrap();
    let census = Census(dir.path("census"));
    census.assert_counts(&summary.counts);
    census
}

/// Returns the bytes as one zstd frame with a checksum.
fn zstd_frame(bytes: &[u8]) -> Vec<u8> {
    zstd_frame_with(b"", bytes)
}

/// Returns the same with a dictionary.
pub fn zstd_frame_with(dictionary: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a frame that is skipped, or holds a dictionary where `kind` is 13 (magic 0x184D2A5D).
pub fn skippable(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_le_bytes();
    [&[0x50 | kind, 0x2a, 0x4d, 0x18], &length[..], content].concat()
}

/// A member for each of the pieces.
pub fn members(pieces: &[Vec<u8>]) -> Vec<u8> {
    pieces.iter().flat_map(|piece| gzip(piece)).collect()
}

/// A zstd frame for each of the pieces.
fn frames(pieces: &[Vec<u8>]) -> Vec<u8> {
    pieces.iter().flat_map(|piece| zstd_frame(piece)).collect()
}

/// Bytes in members of `size` bytes each, regardless of records (BGZF).
pub fn blocks(bytes: &[u8], size: usize) -> Vec<u8> {
    bytes.chunks(size).flat_map(gzip).collect()
}

/// The same records plain, in a member each, in one member, in blocks of `size` bytes and in
/// frames, each with its name.
pub fn framed(records: &[Vec<u8>], size: usize) -> [(&'static str, Vec<u8>); 6] {
    let all = records.concat();
    [
        ("plain", all.clone()),
        ("members", members(records)),
        ("one member", gzip(&all)),
        ("blocks", blocks(&all, size)),
        ("frames", frames(records)),
        ("one frame", zstd_frame(&all)),
    ]
}

/// Returns the content of each gzip member; `None` if one is damaged or not gzip.
pub fn contents_of_members(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut contents = Vec::new();
    while !bytes.is_empty() {
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut GzDecoder::new(&mut bytes), &mut content).ok()?;
        contents.push(content);
    }
    Some(contents)
}
