//! One interface for the two formats of compressed archives: gzip members and zstd frames, both
//! called members here.

use flate2::Decompress;
use memchr::{memchr3_iter, memmem};

use super::{
    frame::{self, Frames},
    gzip::{GzipHeader, read_header},
    inflate::{InflateStep, OneShot, OneShotInflater, StepEnd, inflate_step},
};

/// The three bytes that begin every gzip member (RFC 1952, 2.3): magic and method.
const GZIP_MAGIC: &[u8] = b"\x1f\x8b\x08";
/// The longest of all magics, in bytes.
pub(super) const MAX_MAGIC: usize = 4;
/// Raw bytes from which the first bytes of a gzip member's content must decompress.
const GZIP_HEAD: usize = 4 * 1024;
/// The same for a zstd frame, of which nothing is written before the end of its first block (at
/// most 128 KiB).
const ZSTD_HEAD: usize = 132 * 1024;
/// The longer of the two.
pub(super) const MAX_HEAD: usize = ZSTD_HEAD;
/// The largest window of deflate, as a power of two.
const GZIP_WINDOW_LOG: u8 = 15;
/// The largest window of a frame, as a power of two: the default of the zstd library, which all its
/// levels observe.
const ZSTD_WINDOW_LOG: u32 = 27;

/// The format of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberFormat {
    Gzip,
    Zstd,
}

impl MemberFormat {
    /// Returns the format whose magic `bytes` begin with.
    pub(super) fn detect(bytes: &[u8]) -> Option<Self> {
        // The upper three flag bits are reserved and must be zero (RFC 1952, 2.3.1.2).
        let is_gzip =
            bytes.starts_with(GZIP_MAGIC) && bytes.get(3).is_none_or(|flags| flags & 0xe0 == 0);
        if is_gzip {
            return Some(Self::Gzip);
        }
        frame::is_start(bytes).then_some(Self::Zstd)
    }

    /// Returns the name of a member of this format.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Gzip => "gzip member",
            Self::Zstd => "zstd frame",
        }
    }
}

/// Returns the first offset in `bytes` at which a member of either format seems to begin.
pub(super) fn find(bytes: &[u8]) -> Option<usize> {
    let [gzip, frame, dictionary] = [GZIP_MAGIC[0], frame::FIRST_BYTES[0], frame::FIRST_BYTES[1]];
    memchr3_iter(gzip, frame, dictionary, bytes)
        .find(|&at| bytes[at..].starts_with(GZIP_MAGIC) || frame::is_found(&bytes[at..]))
}

/// A reusable decompressor of members of either format.
pub(super) struct Codec {
    /// The format of the next member. A dictionary remains if it changes: gzip members may separate
    /// frames.
    pub(super) format: MemberFormat,
    one_shot: OneShotInflater,
    stream: Option<Decompress>,
    /// Created for the first frame of an archive and dropped after it: its window may be large.
    frames: Option<Box<Frames>>,
    /// The bytes read and written for the member begun last.
    pub(super) cost: u64,
}

impl Codec {
    pub(super) fn new() -> Self {
        Self {
            format: MemberFormat::Gzip,
            one_shot: OneShotInflater::new(),
            stream: None,
            frames: None,
            cost: 0,
        }
    }

    /// Returns how many bytes were examined to reject the member at the start of `bytes` by its
    /// header; `None` if the header is accepted.
    pub(super) fn wrong_header(&self, bytes: &[u8]) -> Option<usize> {
        match (self.format, read_header(bytes)) {
            (MemberFormat::Gzip, GzipHeader::Wrong(n)) => Some(n),
            _ => None,
        }
    }

    /// Decompresses the member at the start of `input` in one call.
    pub(super) fn one_shot(&mut self, input: &[u8], output: &mut [u8]) -> OneShot {
        match self.format {
            MemberFormat::Gzip => self.one_shot.inflate(input, output),
            MemberFormat::Zstd => self.frames().one_shot(input, output),
        }
    }

    /// Begins a member that is streamed.
    pub(super) fn begin(&mut self) {
        self.cost = 0;
        match self.format {
            MemberFormat::Gzip => self.stream = None,
            MemberFormat::Zstd => self.frames().begin(),
        }
    }

    /// Returns how many bytes of input the next step needs.
    pub(super) fn wanted(&mut self) -> usize {
        match self.format {
            MemberFormat::Gzip => 1,
            MemberFormat::Zstd => self.frames().wanted,
        }
    }

    /// Decompresses from `input` to `output`; a step inside that moves nothing needs more of one.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> InflateStep {
        let step = match self.format {
            MemberFormat::Gzip => {
                let new = || Decompress::new_gzip(GZIP_WINDOW_LOG);
                inflate_step(self.stream.get_or_insert_with(new), input, output)
            }
            MemberFormat::Zstd => self.frames().step(input, output),
        };
        self.cost += (step.read + step.written) as u64;
        step
    }

    /// Returns the length of the damaged member at the start of `bytes`, if its structure gives it.
    pub(super) fn extent(&self, bytes: &[u8]) -> Option<usize> {
        match self.format {
            MemberFormat::Gzip => None,
            MemberFormat::Zstd => frame::extent(bytes),
        }
    }

    /// Returns one sentence on the damaged member.
    pub(super) fn error_message(&mut self) -> String {
        match self.format {
            MemberFormat::Gzip => {
                "expected a gzip member with a correct CRC and size, but it does not decompress to one"
                    .to_owned()
            }
            MemberFormat::Zstd => format!(
                "expected a zstd frame with valid blocks and checksum, but it does not decompress: {}",
                self.frames().error.unwrap_or("it is damaged")
            ),
        }
    }

    /// Uses the content of a skippable frame as the dictionary of the frames after it.
    ///
    /// # Errors
    ///
    /// A few words on why it cannot be a dictionary.
    pub(super) fn learn(&mut self, content: &[u8]) -> Result<(), &'static str> {
        self.frames().learn(content)
    }

    /// Returns true if and only if `bytes` begin with a complete frame that is a valid dictionary,
    /// which is then used.
    pub(super) fn is_dictionary(&mut self, bytes: &[u8]) -> bool {
        self.format == MemberFormat::Zstd
            && frame::dictionary(bytes).is_some_and(|content| self.learn(content).is_ok())
    }

    /// Returns true if and only if the first `most` bytes of the member at the start of `bytes`
    /// decompress to white space and `text`. Only a few bytes are decompressed; the member begun
    /// last cannot be continued.
    pub(super) fn begins_with(&mut self, bytes: &[u8], text: &[u8], most: usize) -> bool {
        let most = most.min(match self.format {
            MemberFormat::Gzip => GZIP_HEAD,
            MemberFormat::Zstd => ZSTD_HEAD,
        });
        let mut head = [0; 32];
        let filled = self.inflate_head(&bytes[..bytes.len().min(most)], &mut head);
        head[..filled].trim_ascii_start().starts_with(text)
    }

    /// Returns true if and only if the first block (of BGZF or zstd) of the member at the start of
    /// `bytes` decompresses to something that contains `text`. The member begun last cannot be
    /// continued.
    pub(super) fn contains(&mut self, bytes: &[u8], text: &[u8]) -> bool {
        let mut block = vec![0; ZSTD_HEAD];
        let filled = self.inflate_head(&bytes[..bytes.len().min(ZSTD_HEAD)], &mut block);
        memmem::find(&block[..filled], text).is_some()
    }

    /// Decompresses the member at the start of `bytes` until `out` is full or the member ends;
    /// returns the number of bytes written.
    fn inflate_head(&mut self, bytes: &[u8], out: &mut [u8]) -> usize {
        let (mut filled, mut fed) = (0, 0);
        self.begin();
        while filled < out.len() {
            let step = self.step(&bytes[fed..], &mut out[filled..]);
            (fed, filled) = (fed + step.read, filled + step.written);
            if step.end != StepEnd::Inside || step.read + step.written == 0 {
                break;
            }
        }
        filled
    }

    fn frames(&mut self) -> &mut Frames {
        let new = || Box::new(Frames::new(ZSTD_WINDOW_LOG));
        self.frames.get_or_insert_with(new)
    }
}
