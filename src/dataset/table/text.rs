//! Bytes of a file as the text of a row: cut to a length, and in UTF-8.

use std::borrow::Cow;

use bstr::ByteSlice;

/// Returns the beginning of a text as UTF-8 of at most `max` bytes, cut between characters.
pub(super) fn shortened(text: &[u8], max: usize) -> Cow<'_, str> {
    if text.len() <= max
        && let Ok(text) = text.to_str()
    {
        return text.into();
    }
    let mut short = text[..text.len().min(max)].to_str_lossy().into_owned();
    while short.len() > max || text.len() > max && short.ends_with('\u{fffd}') {
        short.pop();
    }
    short.into()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened(b"short", 200), "short");
        assert_eq!(shortened("ä".repeat(200).as_bytes(), 200), "ä".repeat(100));
        assert_eq!(
            shortened(&[b"x".as_slice(), "ä".repeat(200).as_bytes()].concat(), 200).len(),
            199
        );
        assert!(shortened(&[0xff; 300], 200).len() <= 200);
    }
}
