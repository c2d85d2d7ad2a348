//! The 61 kinds of damage, each with a name: what is done to an archive, which records may be lost
//! or changed by it, and whether a fault must be reported.
//!
//! A kind changes the records before they are framed ([`Draft`]), or the pieces of the framed
//! archive ([`Framed`]).

use std::collections::BTreeSet;

use robocensus::sample::random::Random;

use super::{
    super::{zstd_frame as zstd, zstd_frame_with},
    archive::{EVIL, Piece, PieceFormat, Record, host, response},
};
use crate::util::gzip;

/// Whether the archive must have a row in `archive_errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    Required,
    /// The archive is well-formed.
    Forbidden,
    /// Bytes were hit that may or may not matter.
    Either,
}

/// The records of an archive before they are framed.
pub struct Draft {
    pub records: Vec<Record>,
    /// The position of the record that is changed.
    pub at: usize,
    /// Identifiers of records that may be lost or changed.
    pub exempt: BTreeSet<usize>,
    /// Whether the start of the record is not recognizable any more. After a record that begins its
    /// member, it may be the rest of a block whose Content-Length is too small, so that the record
    /// before it may be read as cut.
    pub is_start_hidden: bool,
    pub report: Report,
}

/// A framed archive in pieces.
pub struct Framed {
    pub pieces: Vec<Piece>,
    /// The number of the piece that is changed.
    pub at: usize,
    /// Positions of records that may be lost or changed.
    pub exempt: BTreeSet<usize>,
    pub report: Report,
}

/// The stage at which a kind changes an archive.
pub enum Stage {
    Draft(fn(&mut Draft, &mut Random)),
    Framed(fn(&mut Framed, &mut Random)),
}

pub struct Kind {
    pub name: &'static str,
    pub stage: Stage,
}

macro_rules! kinds {
    ($($name:literal $stage:ident $apply:expr;)+) => {
        pub const KINDS: &[Kind] = &[$(Kind { name: $name, stage: Stage::$stage($apply) },)+];
    };
}

kinds! {
    // Headers of records.
    "header-cut-in-a-line" Draft |draft, random| {
        let cut = 1 + random.below(draft.record().header - 6);
        draft.lose(|record| record.bytes.truncate(cut));
    };
    "header-cut-between-lines" Draft |draft, random| {
        let header = draft.record().header;
        let lines = memchr::memchr_iter(b'\n', &draft.record().bytes[..header - 2]);
        let ends: Vec<_> = lines.collect();
        let cut = ends[random.below(ends.len() - 1)] + 1;
        draft.lose(|record| record.bytes.truncate(cut));
    };
    "header-without-its-blank-line" Draft |draft, _| {
        // The HTTP head behind it is taken for more fields; whether a fault follows depends on it.
        draft.lose(|record| drop(record.bytes.drain(record.header - 2..record.header)));
        draft.report = Report::Either;
    };
    "header-beyond-the-limit" Draft |draft, random| {
        let long = "x".repeat(140_000 + random.below(100_000));
        draft.lose(|record| record.insert_field(&format!("X-Long: {long}")));
    };
    "header-of-60-kilobytes" Draft |draft, _| draft.keep(|record| record.insert_field(&format!("X-Long: {}", "x".repeat(60_000))));
    "header-with-line-feeds-alone" Draft |draft, _| draft.keep(|record| {
        let header = String::from_utf8_lossy(&record.bytes[..record.header]).replace("\r\n", "\n");
        record.bytes.splice(..record.header, header.into_bytes());
    });
    "header-with-a-folded-line" Draft |draft, _| draft.keep(|record| record.insert_field("X-Folded: one\r\n two\r\n\tthree"));
    "header-with-zero-bytes" Draft |draft, _| draft.keep(|record| record.insert_field("X-\0: \0\0"));
    "header-with-bytes-that-are-no-text" Draft |draft, _| draft.keep(|record| {
        let line = b"X-Latin: \xe9\xff\r\n";
        record.bytes.splice(10..10, *line);
    });
    "header-line-without-a-colon" Draft |draft, _| draft.keep(|record| record.insert_field("no colon here"));
    "header-with-a-second-length" Draft |draft, _| draft.keep(|record| {
        let end = record.header - 2;
        record.bytes.splice(end..end, *b"Content-Length: 5\r\n");
    });
    "version-line-missing" Draft |draft, _| {
        draft.lose(|record| drop(record.bytes.drain(..10)));
        draft.is_start_hidden = true;
    };
    "version-in-lower-case" Draft |draft, _| {
        draft.lose(|record| record.bytes[..4].copy_from_slice(b"warc"));
        draft.is_start_hidden = true;
    };
    "version-of-the-future" Draft |draft, _| draft.keep(|record| drop(record.bytes.splice(5..8, *b"27.3")));
    "target-missing" Draft |draft, _| {
        draft.lose(|record| record.edit("WARC-Target-URI:", "X-Target:"));
        draft.report = Report::Forbidden;
    };
    "target-that-is-no-url" Draft |draft, _| {
        draft.lose(|record| record.edit("http://", "\u{1}:/\u{7f}"));
        draft.report = Report::Forbidden;
    };
    "type-missing" Draft |draft, _| {
        draft.lose(|record| record.edit("WARC-Type:", "X-Type:"));
        draft.report = Report::Forbidden;
    };
    // Lengths of blocks.
    "length-a-little-too-large" Draft |draft, random| {
        let more = 5 + random.below(100) as i64;
        draft.lose(|record| record.set_length(&(record.block() as i64 + more).to_string()));
    };
    "length-too-small" Draft |draft, random| {
        let less = 1 + random.below(draft.record().block());
        let block = &draft.record().bytes[draft.record().header..][..draft.record().block()];
        let is_blank = block[block.len() - less..].trim_ascii().is_empty();
        draft.lose(|record| record.set_length(&(record.block() - less).to_string()));
        if is_blank {
            // Line ends may follow any record.
            draft.report = Report::Forbidden;
        }
    };
    "length-missing" Draft |draft, _| draft.lose(|record| record.edit("Content-Length:", "X-Length:"));
    "length-negative" Draft |draft, _| draft.lose(|record| record.set_length("-5"));
    "length-beyond-the-archive" Draft |draft, _| draft.lose(|record| record.set_length("900000000000"));
    "length-beyond-64-bits" Draft |draft, _| draft.lose(|record| record.set_length("99999999999999999999"));
    "length-that-is-no-number" Draft |draft, _| draft.lose(|record| record.set_length("0x12 bytes"));
    "length-that-takes-in-the-next-record" Draft |draft, _| {
        // A well-formed archive of one record less: nothing can tell that the block was not
        // archived like that.
        if draft.at + 1 < draft.records.len() {
            let next = &draft.records[draft.at + 1];
            let (id, more) = (next.id, next.bytes.len());
            draft.lose(|record| record.set_length(&(record.block() + more).to_string()));
            draft.exempt.insert(id);
            draft.report = Report::Forbidden;
        }
    };
    "block-cut" Draft |draft, random| {
        draft.lose(|record| {
            let cut = record.header + random.below(record.block());
            record.bytes.truncate(cut);
        });
    };
    // Around records.
    "no-line-ends-behind-a-record" Draft |draft, _| draft.keep(|record| record.bytes.truncate(record.bytes.len() - 4));
    "blank-lines-in-front-of-a-record" Draft |draft, _| draft.keep(|record| drop(record.bytes.splice(..0, *b"\r\n\n\r\n \t\r\n")));
    "byte-order-mark-in-front-of-a-record" Draft |draft, _| draft.keep(|record| drop(record.bytes.splice(..0, *b"\xef\xbb\xbf")));
    "line-behind-a-record" Draft |draft, _| draft.lose(|record| record.bytes.extend(b"some line\r\n"));
    "line-without-an-end-behind-a-record" Draft |draft, _| draft.lose(|record| record.bytes.extend(b"some words"));
    "record-twice" Draft |draft, _| {
        let copy = draft.record().clone();
        draft.records.insert(draft.at, copy);
        draft.report = Report::Forbidden;
    };
    "records-exchanged" Draft |draft, random| {
        let other = random.below(draft.records.len());
        draft.records.swap(draft.at, other);
        draft.report = Report::Forbidden;
    };
    // What a site may answer. The archive is well-formed, and all but the answer is as it was.
    "body-that-is-a-record" Draft |draft, _| draft.answer(b"", &response(EVIL, b"HTTP/1.1 200 OK\r\n\r\n"));
    "body-of-line-ends-and-a-record" Draft |draft, random| {
        let ends = b"\r\n".repeat(random.below(2_000));
        let body = [&ends[..], &response(EVIL, b"HTTP/1.1 200 OK\r\n\r\n"), &ends].concat();
        draft.answer(b"", &body);
    };
    "body-that-is-an-archive-in-members" Draft |draft, random| {
        let noise = random.bytes(20_000);
        let evil = gzip(&response(EVIL, b"HTTP/1.1 200 OK\r\n\r\n"));
        draft.answer(b"", &[&noise[..], &evil, &noise].concat());
    };
    "body-with-damaged-chunks" Draft |draft, _| draft.answer(b"Transfer-Encoding: chunked\r\n", b"5\r\nUser-\r\nfffffffffffffffff\r\nagent");
    "body-that-is-not-coded-as-said" Draft |draft, random| {
        let coding: &[u8] = match random.below(4) {
            0 => b"gzip",
            1 => b"br",
            2 => b"zstd",
            _ => b"deflate, gzip, x-unknown",
        };
        let body = random.bytes(300);
        draft.answer(&[b"Content-Encoding: ", coding, b"\r\n"].concat(), &body);
    };
    "body-that-inflates-to-twelve-megabytes" Draft |draft, _| draft.answer(b"Content-Encoding: gzip\r\n", &gzip(&b"Disallow: /abc\n".repeat(800_000)));
    "body-of-many-line-ends" Draft |draft, _| draft.answer(b"", &b"\n".repeat(300_000));
    "body-of-one-line" Draft |draft, _| draft.answer(b"", &[&b"User-agent: *\nDisallow: /"[..], &b"*a".repeat(100_000)].concat());
    "body-of-zero-bytes" Draft |draft, _| draft.answer(b"", &[0; 5_000]);
    "body-of-bytes-that-are-no-text" Draft |draft, random| {
        let body = random.bytes(3_000);
        draft.answer(b"", &body);
    };
    "body-of-byte-order-marks" Draft |draft, _| draft.answer(b"", &b"\xef\xbb\xbfAllow: /\n".repeat(500));
    "response-head-cut" Draft |draft, _| draft.block(b"HTTP/1.1 200 OK\r\nContent-Type: te");
    "response-without-a-status" Draft |draft, _| draft.block(b"\0\0 no status line \r\n\r\nUser-agent: *\nDisallow: /\n");
    "response-head-of-90-kilobytes" Draft |draft, _| draft.answer(&[b"X: ", &b"x".repeat(90_000)[..], b"\r\n"].concat(), b"User-agent: *\n");
    // The bytes of the file.
    "piece-cut" Framed Framed::cut;
    "file-cut" Framed |framed, random| {
        framed.cut(random);
        framed.exempt.extend(framed.piece().records.start..100);
        framed.pieces.truncate(framed.at + 1);
    };
    "checksum-changed" Framed |framed, random| {
        // The CRC or size of a gzip member, the checksum of a zstd frame, otherwise any byte.
        let last = framed.at + 1 == framed.pieces.len();
        let (format, length) = (framed.piece().format, framed.piece().bytes.len());
        let trailer = match format {
            PieceFormat::Gzip => 8,
            PieceFormat::Zstd => 4,
            PieceFormat::Segment if last => 8,
            PieceFormat::Segment | PieceFormat::Plain => length,
        };
        framed.damage(|bytes| bytes[length - 1 - random.below(trailer)] ^= 1 << random.below(8));
        if trailer < length {
            framed.report = Report::Required;
        }
    };
    "bit-flipped" Framed |framed, random| framed.damage(|bytes| {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    });
    "bytes-overwritten" Framed |framed, random| framed.damage(|bytes| {
        let at = random.below(bytes.len());
        let end = bytes.len().min(at + 1 + random.below(200));
        let noise = random.bytes(end - at);
        bytes[at..end].copy_from_slice(&noise);
    });
    "bytes-deleted" Framed |framed, random| framed.damage(|bytes| {
        let at = random.below(bytes.len());
        let end = bytes.len().min(at + 1 + random.below(100));
        bytes.drain(at..end);
    });
    "bytes-inserted" Framed |framed, random| framed.damage(|bytes| {
        let at = 1 + random.below(bytes.len() - 1);
        let n = 1 + random.below(100);
        bytes.splice(at..at, random.bytes(n));
    });
    "garbage-between-pieces" Framed |framed, random| {
        let n = 1 + random.below(3_000);
        let garbage = random.bytes(n);
        framed.insert(garbage);
        framed.report = Report::Required;
    };
    "garbage-that-looks-like-a-header" Framed |framed, random| {
        let mut noise = b"\x1f\x8b\x08".to_vec();
        noise.push(1 << random.below(5) | 1 << random.below(5));
        noise.extend(b"\0\0\0\0\0\xff");
        let n = random.below(40);
        // Any length of an extra field, and names without end.
        noise.extend(random.bytes(n).iter().map(|byte| byte | 1));
        framed.insert(noise);
        framed.report = Report::Required;
    };
    "garbage-around-the-archive" Framed |framed, random| {
        let (front, behind) = (random.below(5_000), 1 + random.below(5_000));
        let (front, behind) = (random.bytes(front), random.bytes(behind));
        framed.pieces[0].bytes.splice(..0, front);
        framed.pieces.last_mut().unwrap().bytes.extend(behind);
        framed.report = Report::Required;
    };
    "pieces-that-hold-nothing" Framed |framed, random| {
        let nothing = match (framed.piece().format, random.below(3)) {
            (PieceFormat::Plain, _) => b"\r\n\r\n".to_vec(),
            (_, 0) => gzip(b""),
            (_, 1) => zstd(b""),
            _ => [&b"\x5a\x2a\x4d\x18\x05\0\0\0"[..], b"index"].concat(),
        };
        if framed.piece().format == PieceFormat::Segment {
            framed.insert(nothing);
        } else {
            let at = framed.at;
            framed.pieces[at].bytes.splice(..0, nothing);
            framed.report = Report::Forbidden;
        }
    };
    "gzip-header-with-fields" Framed |framed, random| framed.header(random, true);
    "gzip-header-with-a-wrong-crc" Framed |framed, random| framed.header(random, false);
    "frame-with-a-dictionary-that-is-missing" Framed |framed, _| {
        // Whoever packs without zstd has the reserved flags of gzip set instead.
        let content = match framed.piece().format {
            PieceFormat::Zstd => zstd::decode_all(&framed.piece().bytes[..]).unwrap(),
            PieceFormat::Gzip => return framed.ruin(|bytes| bytes[3] |= 0x80),
            PieceFormat::Plain | PieceFormat::Segment => return framed.report = Report::Forbidden,
        };
        let samples: Vec<_> = (0..400).map(|n| response(&format!("a{n}.example"), b"HTTP/1.1 200 OK\r\n\r\n")).collect();
        let dictionary = zstd::dict::from_samples(&samples, 2_000).unwrap();
        framed.ruin(|bytes| *bytes = zstd_frame_with(&dictionary, &content));
    };
}

impl Draft {
    pub fn record(&self) -> &Record {
        &self.records[self.at]
    }

    /// Changes the record in a way that costs it; a fault must tell.
    fn lose(&mut self, change: impl FnOnce(&mut Record)) {
        let record = &mut self.records[self.at];
        self.exempt.insert(record.id);
        change(record);
        self.report = Report::Required;
    }

    /// Changes the record in a way that changes nothing of what it says.
    fn keep(&mut self, change: impl FnOnce(&mut Record)) {
        change(&mut self.records[self.at]);
        self.report = Report::Forbidden;
    }

    /// Replaces the answer of the record's host.
    fn answer(&mut self, fields: &[u8], body: &[u8]) {
        self.block(&[b"HTTP/1.1 200 OK\r\n", fields, b"\r\n", body].concat());
    }

    fn block(&mut self, block: &[u8]) {
        let record = &mut self.records[self.at];
        self.exempt.insert(record.id);
        record.bytes = response(&host(record.id), block);
        self.report = Report::Forbidden;
    }
}

impl Record {
    /// Returns the length of its block.
    fn block(&self) -> usize {
        self.bytes.len() - self.header - 4
    }

    fn insert_field(&mut self, field: &str) {
        let line = format!("{field}\r\n").into_bytes();
        self.bytes.splice(10..10, line);
    }

    fn edit(&mut self, from: &str, to: &str) {
        let at = memchr::memmem::find(&self.bytes[..self.header], from.as_bytes());
        let at = at.expect("the header has what is replaced");
        self.bytes.splice(at..at + from.len(), to.bytes());
    }

    fn set_length(&mut self, length: &str) {
        let right = format!("Content-Length: {}\r\n", self.block());
        self.edit(&right, &format!("Content-Length: {length}\r\n"));
    }
}

impl Framed {
    fn piece(&self) -> &Piece {
        &self.pieces[self.at]
    }

    /// Changes the bytes of the piece. What it holds may be lost; in one member for all, so may be
    /// the record in front, which is known to be whole by what follows it, and all behind.
    fn damage(&mut self, change: impl FnOnce(&mut Vec<u8>)) {
        change(&mut self.pieces[self.at].bytes);
        let piece = self.piece();
        let records = match piece.format {
            PieceFormat::Segment => piece.records.start.saturating_sub(1)..100,
            _ => piece.records.clone(),
        };
        self.exempt.extend(records);
        self.report = Report::Either;
    }

    /// Damages the piece in a way that must be reported.
    fn ruin(&mut self, change: impl FnOnce(&mut Vec<u8>)) {
        self.damage(change);
        self.report = Report::Required;
    }

    /// Cuts the piece, not only in its trailer.
    fn cut(&mut self, random: &mut Random) {
        let most = self.piece().bytes.len().saturating_sub(6).max(1);
        self.ruin(|bytes| bytes.truncate(1 + random.below(most)));
    }

    /// Inserts bytes before the piece. A record on both sides may be lost, and so may all later
    /// records of one member.
    fn insert(&mut self, bytes: Vec<u8>) {
        let piece = &mut self.pieces[self.at];
        piece.bytes.splice(..0, bytes);
        let records = piece.records.clone();
        if self.at == 0 {
            return;
        }
        if piece.format == PieceFormat::Segment {
            self.exempt.extend(records.start - 1..100);
        } else if self.pieces[self.at - 1].records.end > records.start {
            self.exempt.insert(records.start);
        }
    }

    /// Gives a gzip member a header with other fields, whose CRC16 is right or wrong.
    fn header(&mut self, random: &mut Random, is_right: bool) {
        let is_first = self.at == 0;
        let is_header = match self.piece().format {
            PieceFormat::Gzip => true,
            PieceFormat::Segment => is_first,
            PieceFormat::Plain | PieceFormat::Zstd => false,
        };
        if !is_header {
            self.report = Report::Forbidden;
            return;
        }
        let mut header = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
        let text = |n: usize| [&b"x".repeat(n)[..], b"\0"].concat();
        let flags = random.below(32) as u8 | if is_right { 0 } else { 2 };
        header[3] = flags;
        if flags & 4 != 0 {
            let n = [0, 1, 300, 65_535][random.below(4)];
            header.extend((n as u16).to_le_bytes());
            header.extend(random.bytes(n));
        }
        for flag in [8, 16] {
            if flags & flag != 0 {
                header.extend(text([0, 1, 300, 4_096][random.below(4)]));
            }
        }
        if flags & 2 != 0 {
            let mut crc = flate2::Crc::new();
            crc.update(&header);
            let right = crc.sum() as u16;
            let wrong = if is_right { 0 } else { 1 << random.below(16) };
            header.extend((right ^ wrong).to_le_bytes());
        }
        let change = |bytes: &mut Vec<u8>| drop(bytes.splice(..10, header));
        if is_right {
            change(&mut self.pieces[self.at].bytes);
            self.report = Report::Forbidden;
        } else {
            self.ruin(change);
        }
    }
}
