//! A decompressor of zstd frames, and skippable frames with or without a dictionary (RFC 8878).
//!
//! Archives follow the WARC specification's proposal for Zstandard (IIPC, "Zstandard Compression
//! for WARC Files 1.0"): one frame for each record, and possibly a dictionary for all of them in a
//! skippable frame at the start.

use zstd::zstd_safe::{
    DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, find_frame_compressed_size,
    get_error_name,
};

use super::inflate::{InflateStep, OneShot, StepEnd};

/// The magic number of a frame of data (RFC 8878, 3.1.1).
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The magic number of a skippable frame with a dictionary, by the proposal.
const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Bytes of a skippable frame before its content: magic and size (RFC 8878, 3.1.2).
const SKIPPABLE_HEADER: usize = 8;
/// The longest skippable frame that is accepted, in bytes: more than any dictionary (most have 100
/// KiB) and more than the index of a million frames.
const MAX_SKIPPABLE: usize = 16 * 1024 * 1024;
/// The first capacity for a dictionary that is itself compressed, in bytes.
const FIRST_DICTIONARY: usize = 1024 * 1024;
/// The first bytes of a frame, from which the decoder knows how many it needs next.
const FIRST_WANTED: usize = 5;
/// The library's message for an output buffer that is too small; its bindings export no constant.
const TOO_SMALL: &str = "Destination buffer is too small";

/// A reusable decompressor of frames, with the dictionary of the archive.
pub(in crate::archive) struct Frames {
    context: DCtx<'static>,
    /// How many bytes of input the next step takes: it cannot continue with fewer, and takes no
    /// more.
    ///
    /// So each step takes one block (RFC 8878, 3.1.1.2), and all blocks before a damaged one have
    /// been written when the damage is detected.
    pub(in crate::archive) wanted: usize,
    /// The library's message for the damaged frame.
    pub(super) error: Option<&'static str>,
}

impl Frames {
    /// Returns a decompressor of frames whose windows have at most 2^`window_log` bytes, which is
    /// the memory that a streamed frame may require; one decompressed in one call requires none.
    pub(in crate::archive) fn new(window_log: u32) -> Self {
        let mut context = DCtx::create();
        context
            .set_parameter(DParameter::WindowLogMax(window_log))
            .expect("the window is one that the library knows");
        Self {
            context,
            wanted: FIRST_WANTED,
            error: None,
        }
    }

    /// Decompresses the frame at the start of `input` into `output` in one call, which takes no
    /// memory whatever its window is.
    pub(super) fn one_shot(&mut self, input: &[u8], output: &mut [u8]) -> OneShot {
        let Ok(read) = find_frame_compressed_size(input) else {
            return OneShot::Refused;
        };
        match self.context.decompress(output, &input[..read]) {
            Ok(written) => OneShot::Done { read, written },
            Err(code) if get_error_name(code) == TOO_SMALL => OneShot::MoreSpace,
            Err(_) => OneShot::Refused,
        }
    }

    /// Begins a frame that is streamed.
    pub(in crate::archive) fn begin(&mut self) {
        self.context
            .reset(ResetDirective::SessionOnly)
            .expect("a session can be ended at any time");
        self.wanted = FIRST_WANTED;
        self.error = None;
    }

    /// Decompresses from `input` to `output`; a step inside that moves nothing needs more input.
    pub(in crate::archive) fn step(&mut self, input: &[u8], output: &mut [u8]) -> InflateStep {
        let mut input = InBuffer::around(&input[..input.len().min(self.wanted)]);
        let mut output = OutBuffer::around(output);
        let result = self.context.decompress_stream(&mut output, &mut input);
        let (read, written) = (input.pos(), output.pos());
        let end = match result {
            Ok(0) => StepEnd::Whole,
            Ok(wanted) => {
                self.wanted = wanted;
                StepEnd::Inside
            }
            Err(code) => {
                self.error = Some(get_error_name(code));
                StepEnd::Broken
            }
        };
        InflateStep { read, written, end }
    }

    /// Uses the content of a skippable frame as the dictionary of the frames after it.
    ///
    /// # Errors
    ///
    /// A few words on why it cannot be a dictionary.
    pub(super) fn learn(&mut self, content: &[u8]) -> Result<(), &'static str> {
        self.remove_dictionary();
        let decompressed;
        let dictionary = if content.starts_with(&MAGIC) {
            decompressed = self.decompressed(content)?;
            &decompressed
        } else {
            content
        };
        match self.context.load_dictionary(dictionary) {
            Ok(_) => Ok(()),
            Err(code) => {
                self.remove_dictionary();
                Err(get_error_name(code))
            }
        }
    }

    /// Returns the decompressed content of the frame that `content` is.
    fn decompressed(&mut self, content: &[u8]) -> Result<Vec<u8>, &'static str> {
        let mut capacity = FIRST_DICTIONARY;
        while capacity <= MAX_SKIPPABLE {
            let mut out = vec![0; capacity];
            match self.one_shot(content, &mut out) {
                OneShot::Done { read, written } if read == content.len() => {
                    out.truncate(written);
                    return Ok(out);
                }
                OneShot::MoreSpace => capacity *= 4,
                OneShot::Done { .. } | OneShot::Refused => return Err("it does not decompress"),
            }
        }
        Err("it is too long")
    }

    fn remove_dictionary(&mut self) {
        self.begin();
        self.context
            .disable_dictionary()
            .expect("a dictionary can be removed between frames");
    }
}

/// Returns true if and only if `bytes` begin like a frame of any kind (RFC 8878, 3.1).
pub(in crate::archive) fn is_start(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || is_skippable(bytes)
}

/// Returns true if and only if `bytes` begin like a skippable frame.
pub(super) fn is_skippable(bytes: &[u8]) -> bool {
    bytes.len() >= MAGIC.len() && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == DICTIONARY_MAGIC[1..]
}

/// Returns true if and only if `bytes` begin like a frame with a dictionary.
pub(super) fn is_dictionary(bytes: &[u8]) -> bool {
    bytes.starts_with(&DICTIONARY_MAGIC)
}

/// Returns the dictionary at the start of `bytes`, if it is complete and has a magic number (RFC
/// 8878, 5).
pub(super) fn dictionary(bytes: &[u8]) -> Option<&[u8]> {
    let content = skippable_content(bytes).filter(|_| is_dictionary(bytes))?;
    let has_magic = content.starts_with(&MAGIC) || content.starts_with(&[0x37, 0xa4, 0x30, 0xec]);
    has_magic.then_some(content)
}

/// Returns the content of the skippable frame at the start of `bytes`, if it is complete.
pub(super) fn skippable_content(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(SKIPPABLE_HEADER..skippable_length(bytes)?)
}

/// Returns the length of the skippable frame that begins with `bytes`; `None` if they are too few
/// or the length is beyond [`MAX_SKIPPABLE`].
pub(super) fn skippable_length(bytes: &[u8]) -> Option<usize> {
    let size = bytes.get(4..SKIPPABLE_HEADER)?.try_into().ok()?;
    let length = SKIPPABLE_HEADER + usize::try_from(u32::from_le_bytes(size)).ok()?;
    (length <= MAX_SKIPPABLE).then_some(length)
}

/// The first bytes of what is searched for after damage: a frame of data, a dictionary.
pub(super) const FIRST_BYTES: [u8; 2] = [MAGIC[0], DICTIONARY_MAGIC[0]];

/// Returns true if and only if `bytes` begin like a frame of data or a dictionary.
pub(super) fn is_found(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&DICTIONARY_MAGIC)
}

/// Returns the length of the frame at the start of `bytes` by the sizes of its blocks, whether or
/// not their content is valid; `None` if it does not end within `bytes`.
pub(super) fn extent(bytes: &[u8]) -> Option<usize> {
    find_frame_compressed_size(bytes).ok()
}
