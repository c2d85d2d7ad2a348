//! One zstd frame in, its bytes out, checked; and the frames that hold no data but a dictionary, or
//! nothing for us (RFC 8878).
//!
//! Archives follow the WARC specification's proposal for Zstandard (IIPC, "Zstandard Compression
//! for WARC Files 1.0"): frames as gzip has members, and perhaps a dictionary for all of them in a
//! skippable frame in front. This file refuses to know what the content means.

use zstd::zstd_safe::{
    DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, find_frame_compressed_size,
    get_error_name,
};

use super::inflate::{Step, Whole};

/// What begins a frame of data (RFC 8878, 3.1.1).
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// What begins a skippable frame with a dictionary, as the proposal has it.
const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Bytes of a skippable frame in front of its content: magic and size (RFC 8878, 3.1.2).
const SKIPPABLE_HEADER: usize = 8;
/// The longest skippable frame that is believed, in bytes: more than any dictionary (most have 100
/// KiB) and than the index of a million frames.
const MOST_SKIPPABLE: usize = 16 * 1024 * 1024;
/// Room for a dictionary that is compressed itself, at first, in bytes.
const FIRST_DICTIONARY: usize = 1024 * 1024;
/// The largest window, as a power of two: what the zstd library grants by itself, and all that its
/// levels use. It is the memory that a long frame may ask for; a frame at hand as a whole needs
/// none.
const WINDOW_LOG: u32 = 27;
/// Bytes with which every frame begins and that tell how many the decoder wants next.
const FIRST_WANTED: usize = 5;
/// What the library says of an output that is too small; it has no other name for it in this crate.
const TOO_SMALL: &str = "Destination buffer is too small";

/// A reusable decompressor of frames, with the dictionary of the archive.
pub(super) struct Frames {
    context: DCtx<'static>,
    wanted: usize,
    cost: u64,
    error: Option<&'static str>,
}

impl Frames {
    pub(super) fn new() -> Self {
        let mut context = DCtx::create();
        context
            .set_parameter(DParameter::WindowLogMax(WINDOW_LOG))
            .expect("the window is one that the library knows");
        Self {
            context,
            wanted: FIRST_WANTED,
            cost: 0,
            error: None,
        }
    }

    /// Decompresses the frame at the start of `input` into `output` in one call. Whatever its
    /// window, that takes no memory.
    pub(super) fn whole(&mut self, input: &[u8], output: &mut [u8]) -> Whole {
        let Ok(read) = find_frame_compressed_size(input) else {
            return Whole::Refused;
        };
        match self.context.decompress(output, &input[..read]) {
            Ok(written) => Whole::Done { read, written },
            Err(code) if get_error_name(code) == TOO_SMALL => Whole::MoreSpace,
            Err(_) => Whole::Refused,
        }
    }

    /// Begins a frame that is decompressed piece by piece.
    pub(super) fn begin(&mut self) {
        self.context
            .reset(ResetDirective::SessionOnly)
            .expect("a session can be ended at any time");
        self.wanted = FIRST_WANTED;
        self.cost = 0;
        self.error = None;
    }

    /// Returns how many bytes of input the next step takes: with fewer it cannot go on, and of more
    /// it leaves the rest.
    ///
    /// So a step takes a block (RFC 8878, 3.1.1.2) at a time, and all in front of a broken one has
    /// come out before that shows.
    pub(super) fn wanted(&self) -> usize {
        self.wanted
    }

    /// Feeds `input` and fills `output`; `Going { 0, 0 }` means that more input is needed.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let mut input = InBuffer::around(&input[..input.len().min(self.wanted)]);
        let mut output = OutBuffer::around(output);
        let result = self.context.decompress_stream(&mut output, &mut input);
        let (read, written) = (input.pos(), output.pos());
        self.cost += (read + written) as u64;
        match result {
            Ok(0) => Step::End { read, written },
            Ok(wanted) => {
                self.wanted = wanted;
                Step::Going { read, written }
            }
            Err(code) => {
                self.error = Some(get_error_name(code));
                Step::Broken { read, written }
            }
        }
    }

    /// Returns the bytes that went in and came out of the frame so far.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns what the library says of the frame that broke.
    pub(super) fn error(&self) -> Option<&'static str> {
        self.error
    }

    /// Takes the content of a skippable frame as the dictionary of the frames behind it.
    ///
    /// # Errors
    ///
    /// A few words on why it cannot be one.
    pub(super) fn learn(&mut self, content: &[u8]) -> Result<(), &'static str> {
        self.forget();
        let unpacked;
        let dictionary = if content.starts_with(&MAGIC) {
            unpacked = self.unpacked(content)?;
            &unpacked
        } else {
            content
        };
        match self.context.load_dictionary(dictionary) {
            Ok(_) => Ok(()),
            Err(code) => {
                self.forget();
                Err(get_error_name(code))
            }
        }
    }

    /// Returns what the frame holds of which `content` is all.
    fn unpacked(&mut self, content: &[u8]) -> Result<Vec<u8>, &'static str> {
        let mut room = FIRST_DICTIONARY;
        while room <= MOST_SKIPPABLE {
            let mut unpacked = vec![0; room];
            match self.whole(content, &mut unpacked) {
                Whole::Done { read, written } if read == content.len() => {
                    unpacked.truncate(written);
                    return Ok(unpacked);
                }
                Whole::MoreSpace => room *= 4,
                Whole::Done { .. } | Whole::Refused => return Err("it does not decompress"),
            }
        }
        Err("it is too long")
    }

    fn forget(&mut self) {
        self.begin();
        self.context
            .disable_dictionary()
            .expect("between frames a dictionary can be taken away");
    }
}

/// Returns true if and only if `bytes` begin like a frame of any kind.
pub(super) fn is_start(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || is_skippable(bytes)
}

/// Returns true if and only if `bytes` begin like a frame that holds no data.
pub(super) fn is_skippable(bytes: &[u8]) -> bool {
    bytes.len() >= MAGIC.len() && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == DICTIONARY_MAGIC[1..]
}

/// Returns true if and only if `bytes` begin like a frame that holds a dictionary.
pub(super) fn is_dictionary(bytes: &[u8]) -> bool {
    bytes.starts_with(&DICTIONARY_MAGIC)
}

/// Returns the dictionary at the start of `bytes`, if it is there as a whole and says what it is
/// (RFC 8878, 5).
pub(super) fn dictionary(bytes: &[u8]) -> Option<&[u8]> {
    let content = skippable_content(bytes).filter(|_| is_dictionary(bytes))?;
    let is_said = content.starts_with(&MAGIC) || content.starts_with(&[0x37, 0xa4, 0x30, 0xec]);
    is_said.then_some(content)
}

/// Returns the content of the skippable frame at the start of `bytes`, if it is there as a whole.
pub(super) fn skippable_content(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(SKIPPABLE_HEADER..skippable_length(bytes)?)
}

/// Returns the length of the skippable frame that begins with `bytes`; `None` if they do not say,
/// or if it is too long to be believed.
pub(super) fn skippable_length(bytes: &[u8]) -> Option<usize> {
    let size = bytes.get(4..SKIPPABLE_HEADER)?.try_into().ok()?;
    let length = SKIPPABLE_HEADER + usize::try_from(u32::from_le_bytes(size)).ok()?;
    (length <= MOST_SKIPPABLE).then_some(length)
}

/// The first bytes of what is searched for behind damage: a frame of data, a dictionary.
pub(super) const FIRST_BYTES: [u8; 2] = [MAGIC[0], DICTIONARY_MAGIC[0]];

/// Returns true if and only if `bytes` begin like a frame of data or a dictionary.
pub(super) fn is_found(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&DICTIONARY_MAGIC)
}

/// Returns the length of the frame at the start of `bytes` by the sizes of its blocks, be their
/// content right or not; `None` if it does not end in them.
pub(super) fn extent(bytes: &[u8]) -> Option<usize> {
    find_frame_compressed_size(bytes).ok()
}
