//! Physical lines as offsets.

use super::{Directive, Field, Span};
use crate::named::named;

/// What ends a physical line (RFC 9309 section 2.2: CR, LF or CR LF).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// A line feed.
    Lf,
    /// A carriage return that no line feed follows.
    Cr,
    /// A carriage return and a line feed, which together end one line.
    CrLf,
    /// The end of the body: only the last line has it, and the last line always has it.
    None,
}

impl Terminator {
    /// Returns the number of bytes, 0 to 2.
    pub fn len(self) -> u32 {
        match self {
            Terminator::Lf | Terminator::Cr => 1,
            Terminator::CrLf => 2,
            Terminator::None => 0,
        }
    }
}

named! {
    /// The line ends of a whole body.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum LineEnding {
        /// Every line end is a line feed.
        Lf = "lf",
        /// Every line end is CR LF.
        CrLf = "crlf",
        /// Every line end is a lone carriage return.
        Cr = "cr",
        /// The body has at least two kinds of line ends.
        Mixed = "mixed",
        /// The body has no line end.
        #[default]
        None = "none",
    }
}

/// One physical line: its offsets, its terminator and its directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line without its terminator; of the first line, with its byte order mark.
    pub text: Span,
    /// The directive of the line when all its bytes count (a leading byte order mark, whole or in
    /// part, does not).
    pub directive: Directive,
    /// How the line ends.
    pub terminator: Terminator,
    /// The field whose exact name the key is, in any letter case.
    pub field: Field,
    /// Whether the line has a NUL byte.
    pub has_nul: bool,
    /// Whether the line has a byte above 0x7F.
    pub has_non_ascii: bool,
}

impl Line {
    /// Returns the line with its terminator. These spans, joined, are the body.
    pub fn full(&self) -> Span {
        Span::new(self.text.start, self.text.end + self.terminator.len())
    }

    /// Returns the text without comment, trimmed of ASCII white space.
    pub fn content(&self) -> Span {
        self.directive.content()
    }

    /// Returns the comment from its `#` to the end of the line, if there is one.
    pub fn comment(&self) -> Option<Span> {
        let start = self.directive.comment()?;
        Some(Span::new(start, self.text.end))
    }

    /// Returns the offset of the first colon before any comment.
    pub fn separator(&self) -> Option<u32> {
        self.directive.separator()
    }

    /// Returns the trimmed bytes before the separator; empty when there is no separator.
    pub fn key(&self) -> Span {
        self.directive.key()
    }

    /// Returns the trimmed bytes after the separator; empty when there is no separator.
    pub fn value(&self) -> Span {
        self.directive.value()
    }

    /// Returns true if and only if the line has only white space and no comment.
    pub fn is_blank(&self) -> bool {
        self.directive.content().is_empty() && self.directive.comment().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_beyond_the_body_is_empty_and_not_a_panic() {
        let span = Span::new(3, 9);
        assert_eq!(span.of(b"abc"), b"");
        assert_eq!(span.of(b"abcdefghij"), b"defghi");
        assert_eq!((span.len(), span.is_empty()), (6, false));
    }

    #[test]
    fn a_line_stays_small() {
        // A body of nothing but line ends costs one line per byte.
        assert!(size_of::<Line>() <= 40, "{}", size_of::<Line>());
    }
}
