//! Archives whose records and their offsets are known, without asking a reader.

use std::{io::Write, ops::Range};

use flate2::{
    Compression,
    write::{GzEncoder, ZlibEncoder},
};

use robocensus::sample::random::Random;

use super::super::zstd_frame as zstd;
use crate::util::{answered, gzip};

/// A record of an archive.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number in the undamaged archive.
    pub id: usize,
    /// All of it, the line ends behind the block included.
    pub bytes: Vec<u8>,
    /// Whether it is a capture; others are a description, a request and the like.
    pub is_capture: bool,
    /// Length of its header, the blank line included.
    pub header: usize,
}

/// The framing of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    Plain,
    /// A gzip member for each record.
    Members,
    /// One gzip member for all.
    OneMember,
    /// Gzip members of this many bytes each, cut regardless of records.
    Blocks(usize),
    /// A zstd frame with a checksum for each record.
    Frames,
    /// Gzip members and zstd frames of one or two records.
    Mixed,
}

impl Framing {
    pub const ALL: [Self; 8] = [
        Self::Plain,
        Self::Members,
        Self::OneMember,
        Self::Blocks(65_280),
        Self::Frames,
        Self::Mixed,
        Self::Blocks(700),
        Self::Blocks(9_000),
    ];

    pub fn name(self) -> String {
        match self {
            Self::Blocks(size) => format!("blocks-of-{size}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }
}

/// A part of the file that is compressed by itself.
#[derive(Clone, Debug)]
pub struct Piece {
    pub bytes: Vec<u8>,
    /// The records of which it has bytes, by their positions in the archive.
    pub records: Range<usize>,
    pub format: PieceFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceFormat {
    Plain,
    Gzip,
    /// A segment of one gzip member: what is damaged in it damages all that follow.
    Segment,
    Zstd,
}

/// Names that differ in more than a few bits.
const NAMES: [&str; 12] = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett",
    "kilo", "lima",
];

/// The host of a record.
pub fn host(id: usize) -> String {
    format!("{}.example", NAMES[id])
}

/// The record of a host.
pub fn id_of(host: &str) -> Option<usize> {
    let name = host.strip_suffix(".example")?;
    NAMES.iter().position(|known| *known == name)
}

/// The host of records inside bodies, which never are captures.
pub const EVIL: &str = "evil.example";

/// Returns the record of a fetch of `/robots.txt`.
pub fn response(host: &str, http: &[u8]) -> Vec<u8> {
    answered(&format!("http://{host}/robots.txt"), http)
}

/// Returns the records of an undamaged archive.
pub fn records(random: &mut Random) -> Vec<Record> {
    (0..NAMES.len()).map(|id| record(id, random)).collect()
}

fn record(id: usize, random: &mut Random) -> Record {
    let host = host(id);
    let mut file = format!("# {host} {}\nUser-agent: *\n", random.bits());
    for _ in 0..random.below(20) {
        file.push_str(&format!("Disallow: /{:x}\n", random.bits()));
    }
    file.push_str("User-agent: GPTBot\nDisallow: /\nCrawl-delay: 3\nSitemap: http://a.example/\n");
    let ok = |field: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{field}\r\n");
        [head.as_bytes(), body].concat()
    };
    let http = match id {
        2 => ok("Content-Encoding: gzip\r\n", &gzip(file.as_bytes())),
        3 => {
            let body = format!("{:x}\r\n{file}\r\n0\r\n\r\n", file.len());
            ok("Transfer-Encoding: chunked\r\n", body.as_bytes())
        }
        4 => format!("HTTP/1.1 404 Not Found\r\n\r\n{file}").into_bytes(),
        5 => b"HTTP/1.1 301 Moved\r\nLocation: /other.txt\r\n\r\n".to_vec(),
        8 => {
            // Comments that do not deflate, so that members are of any length.
            let n = 200 + random.below(900);
            let noise = (0..n).map(|_| format!("# {:x}{:x}\n", random.bits(), random.bits()));
            ok("", (noise.collect::<String>() + &file).as_bytes())
        }
        9 => ok("", b""),
        10 => {
            let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
            zlib.write_all(file.as_bytes()).unwrap();
            ok("Content-Encoding: deflate\r\n", &zlib.finish().unwrap())
        }
        _ => ok("", file.as_bytes()),
    };
    let mut bytes = response(&host, &http);
    // Two are no captures, for their type alone.
    let kind = match id {
        0 => "warcinfo",
        6 => "request",
        _ => "response",
    };
    let at = memchr::memmem::find(&bytes, b"response").unwrap();
    bytes.splice(at..at + b"response".len(), kind.bytes());
    let header = memchr::memmem::find(&bytes, b"\r\n\r\n").unwrap() + 4;
    Record {
        id,
        bytes,
        is_capture: !matches!(id, 0 | 6),
        header,
    }
}

/// Frames records.
pub fn frame(records: &[Record], framing: Framing, random: &mut Random) -> Vec<Piece> {
    let one = |at: usize, format: PieceFormat, bytes: Vec<u8>| Piece {
        bytes,
        records: at..at + 1,
        format,
    };
    let each = || records.iter().enumerate();
    let packed = |format: PieceFormat, pack: fn(&[u8]) -> Vec<u8>| {
        let pieces = each().map(|(at, record)| one(at, format, pack(&record.bytes)));
        pieces.collect()
    };
    match framing {
        Framing::Plain => packed(PieceFormat::Plain, <[u8]>::to_vec),
        Framing::Members => packed(PieceFormat::Gzip, gzip),
        Framing::Frames => packed(PieceFormat::Zstd, zstd),
        Framing::Mixed => {
            let mut pieces = Vec::new();
            let mut at = 0;
            while at < records.len() {
                let end = records.len().min(at + 1 + random.below(2));
                let bytes: Vec<_> = records[at..end].iter().map(|r| &r.bytes[..]).collect();
                let (format, bytes) = match random.below(2) {
                    0 => (PieceFormat::Gzip, gzip(&bytes.concat())),
                    _ => (PieceFormat::Zstd, zstd(&bytes.concat())),
                };
                pieces.push(Piece {
                    bytes,
                    records: at..end,
                    format,
                });
                at = end;
            }
            pieces
        }
        Framing::OneMember => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            let mut pieces = Vec::new();
            for (at, record) in each() {
                encoder.write_all(&record.bytes).unwrap();
                encoder.flush().unwrap();
                let bytes = std::mem::take(encoder.get_mut());
                pieces.push(one(at, PieceFormat::Segment, bytes));
            }
            let rest = encoder.finish().unwrap();
            pieces.last_mut().unwrap().bytes.extend(rest);
            pieces
        }
        Framing::Blocks(size) => {
            let mut ends = Vec::new();
            let mut all = Vec::new();
            for record in records {
                all.extend(&record.bytes);
                ends.push(all.len());
            }
            let position = |at: usize| ends.partition_point(|&end| end <= at);
            let blocks = (0..all.len()).step_by(size).map(|start| {
                let end = all.len().min(start + size);
                Piece {
                    bytes: gzip(&all[start..end]),
                    records: position(start)..position(end - 1) + 1,
                    format: PieceFormat::Gzip,
                }
            });
            blocks.collect()
        }
    }
}
