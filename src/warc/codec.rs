//! The two ways in which archives are compressed, with one face: gzip members and zstd frames, both
//! called members here.
//!
//! Enters: bytes of a file. Leaves: inflated bytes, and whether they were checked. This file
//! refuses to know where in the file they stand.

use memchr::{memchr3_iter, memmem};

use super::{
    frame::{self, Frames},
    gzip::{GzipHeader, read_header},
    inflate::{Step, Streaming, Whole, WholeMember},
};

/// The three bytes that begin every gzip member (RFC 1952, 2.3): magic and method.
const GZIP_MAGIC: &[u8] = b"\x1f\x8b\x08";
/// The longest of all magics, in bytes.
pub(super) const MOST_MAGIC: usize = 4;
/// Raw bytes in which the first bytes of a gzip member's content must come out.
const GZIP_HEAD: usize = 4 * 1024;
/// The same for a zstd frame, which gives nothing before the end of its first block (at most 128
/// KiB).
const ZSTD_HEAD: usize = 132 * 1024;
/// The longer of the two.
pub(super) const MOST_HEAD: usize = ZSTD_HEAD;

/// Which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Zstd,
}

impl Coding {
    /// Returns the coding whose magic stands at the start of `bytes`.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        [Self::Gzip, Self::Zstd]
            .into_iter()
            .find(|coding| coding.is_start(bytes))
    }

    /// What a member is called.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Gzip => "gzip member",
            Self::Zstd => "zstd frame",
        }
    }

    /// Returns true if and only if `bytes` begin like a member.
    fn is_start(self, bytes: &[u8]) -> bool {
        match self {
            // The upper three flag bits are reserved and must be zero (RFC 1952, 2.3.1.2).
            Self::Gzip => {
                bytes.starts_with(GZIP_MAGIC) && bytes.get(3).is_none_or(|flags| flags & 0xe0 == 0)
            }
            Self::Zstd => frame::is_start(bytes),
        }
    }
}

/// Returns the first place in `bytes` where a member of either coding seems to begin.
pub(super) fn find(bytes: &[u8]) -> Option<usize> {
    let [gzip, frame, dictionary] = [GZIP_MAGIC[0], frame::FIRST_BYTES[0], frame::FIRST_BYTES[1]];
    memchr3_iter(gzip, frame, dictionary, bytes)
        .find(|&at| bytes[at..].starts_with(GZIP_MAGIC) || frame::is_found(&bytes[at..]))
}

/// Inflates members of either coding; all its memory serves for many of them.
pub(super) struct Codec {
    coding: Coding,
    whole: WholeMember,
    stream: Option<Streaming>,
    /// Made when the first archive in zstd comes, and given back behind it: its window may be
    /// large.
    frames: Option<Box<Frames>>,
}

impl Codec {
    pub(super) fn new() -> Self {
        Self {
            coding: Coding::Gzip,
            whole: WholeMember::new(),
            stream: None,
            frames: None,
        }
    }

    /// Takes up another archive, without any dictionary.
    pub(super) fn clear(&mut self) {
        self.coding = Coding::Gzip;
        self.stream = None;
        self.frames = None;
    }

    /// Takes up a member of this coding. A dictionary stays known: frames may stand behind others
    /// in gzip.
    pub(super) fn set(&mut self, coding: Coding) {
        self.coding = coding;
    }

    pub(super) fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns how many bytes were looked at to see that the member at the start of `bytes` is none
    /// by its header; `None` if it can be one.
    pub(super) fn wrong_header(&self, bytes: &[u8]) -> Option<usize> {
        match (self.coding, read_header(bytes)) {
            (Coding::Gzip, GzipHeader::Wrong(n)) => Some(n),
            _ => None,
        }
    }

    /// Inflates the member at the start of `input` in one call.
    pub(super) fn whole(&mut self, input: &[u8], output: &mut [u8]) -> Whole {
        match self.coding {
            Coding::Gzip => self.whole.inflate(input, output),
            Coding::Zstd => self.frames().whole(input, output),
        }
    }

    /// Begins a member that is inflated piece by piece.
    pub(super) fn begin(&mut self) {
        match self.coding {
            Coding::Gzip => self.stream = Some(Streaming::new()),
            Coding::Zstd => self.frames().begin(),
        }
    }

    /// Returns how many bytes of input the next step needs to go on.
    pub(super) fn wanted(&mut self) -> usize {
        match self.coding {
            Coding::Gzip => 1,
            Coding::Zstd => self.frames().wanted(),
        }
    }

    /// Feeds `input` and fills `output`; `Going { 0, 0 }` means that more of one of them is needed.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        match self.coding {
            Coding::Gzip => self
                .stream
                .get_or_insert_with(Streaming::new)
                .step(input, output),
            Coding::Zstd => self.frames().step(input, output),
        }
    }

    /// Returns the bytes that went in and came out of the member begun last: what it has cost.
    pub(super) fn cost(&mut self) -> u64 {
        match self.coding {
            Coding::Gzip => self.stream.as_ref().map_or(0, Streaming::cost),
            Coding::Zstd => self.frames().cost(),
        }
    }

    /// Returns the length of the broken member at the start of `bytes`, as far as its structure
    /// tells it.
    pub(super) fn extent(&self, bytes: &[u8]) -> Option<usize> {
        match self.coding {
            Coding::Gzip => None,
            Coding::Zstd => frame::extent(bytes),
        }
    }

    /// Returns one sentence on the member that broke.
    pub(super) fn complaint(&mut self) -> String {
        match self.coding {
            Coding::Gzip => {
                "expected a gzip member with a right CRC and size, but it does not inflate to one"
                    .to_owned()
            }
            Coding::Zstd => format!(
                "expected a zstd frame with right blocks and checksum, but it does not decompress: {}",
                self.frames().error().unwrap_or("it is damaged")
            ),
        }
    }

    /// Takes the content of a skippable frame as the dictionary of what follows.
    ///
    /// # Errors
    ///
    /// A few words on why it cannot be one.
    pub(super) fn learn(&mut self, content: &[u8]) -> Result<(), &'static str> {
        self.frames().learn(content)
    }

    /// Returns true if and only if a frame with a dictionary, and surely with one, stands at the
    /// start of `bytes` as a whole.
    pub(super) fn teaches(&mut self, bytes: &[u8]) -> bool {
        self.coding == Coding::Zstd
            && frame::dictionary(bytes).is_some_and(|content| self.learn(content).is_ok())
    }

    /// Returns true if and only if the first `most` bytes of the member at the start of `bytes`
    /// inflate to something that begins with `text`, blanks aside. Only a few bytes are inflated;
    /// the member begun last is forgotten.
    pub(super) fn begins_with(&mut self, bytes: &[u8], text: &[u8], most: usize) -> bool {
        let most = most.min(match self.coding {
            Coding::Gzip => GZIP_HEAD,
            Coding::Zstd => ZSTD_HEAD,
        });
        let mut head = [0; 32];
        let filled = self.inflate_head(&bytes[..bytes.len().min(most)], &mut head);
        head[..filled].trim_ascii_start().starts_with(text)
    }

    /// Returns true if and only if `text` stands in what the first block of the member at the start
    /// of `bytes` inflates to: one of BGZF, or one of zstd. The member begun last is forgotten.
    pub(super) fn holds(&mut self, bytes: &[u8], text: &[u8]) -> bool {
        let mut block = vec![0; ZSTD_HEAD];
        let filled = self.inflate_head(&bytes[..bytes.len().min(ZSTD_HEAD)], &mut block);
        memmem::find(&block[..filled], text).is_some()
    }

    /// Inflates the member at the start of `bytes` until `out` is full or no more comes out;
    /// returns how many bytes came.
    fn inflate_head(&mut self, bytes: &[u8], out: &mut [u8]) -> usize {
        let (mut filled, mut fed) = (0, 0);
        self.begin();
        while filled < out.len() {
            match self.step(&bytes[fed..], &mut out[filled..]) {
                Step::Going { read, written } if read + written > 0 => {
                    (fed, filled) = (fed + read, filled + written);
                }
                Step::Going { written, .. }
                | Step::End { written, .. }
                | Step::Broken { written, .. }
                | Step::Mismatch { written, .. } => {
                    filled += written;
                    break;
                }
            }
        }
        filled
    }

    fn frames(&mut self) -> &mut Frames {
        self.frames.get_or_insert_with(|| Box::new(Frames::new()))
    }
}
