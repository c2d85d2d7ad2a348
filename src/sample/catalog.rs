//! Texts that list kinds of files: `= name weight` begins each of them, and words behind these two
//! are a description.

/// One kind of file.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) weight: usize,
    /// Its lines.
    pub(super) text: &'static str,
}

/// Returns the entries of a text.
pub(super) fn entries(text: &'static str) -> Vec<Entry> {
    let entry = |paragraph: &'static str| {
        let (head, text) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let mut words = head.split(' ');
        Entry {
            name: words.next().unwrap_or_default(),
            weight: number(words.next().unwrap_or_default()),
            text: text.trim_end_matches('\n'),
        }
    };
    let paragraphs = text.trim_start_matches("= ").split("\n= ");
    paragraphs.map(entry).collect()
}

/// Returns the number that stands in such a text.
pub(super) fn number(digits: &str) -> usize {
    digits.parse().expect("a number")
}
