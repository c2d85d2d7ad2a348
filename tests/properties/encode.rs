//! Encoders that fuzz targets have too.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

pub fn gzip(data: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(data).expect("a vector takes all bytes");
    encoder.finish().expect("a vector takes all bytes")
}

/// A frame of raw blocks with a window of 1 KiB (RFC 8878, 3.1.1).
pub fn zstd(data: &[u8]) -> Vec<u8> {
    let mut frame = b"\x28\xb5\x2f\xfd\0\0".to_vec();
    for block in data.chunks(1_000) {
        frame.extend(&((block.len() as u32) << 3).to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame.extend(b"\x01\0\0");
    frame
}
