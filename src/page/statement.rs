//! What a page states: the statements, and what is unusual about each.

use crate::named::named;
use std::ops::Range;

named! {
    /// The kind of text that has a statement.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum StatementSource {
        /// A `meta` element.
        Meta = "meta",
        /// A field of the response.
        Header = "header",
        /// The `rel` of an `a`, `area`, `form` or `link` element.
        Link = "link",
        /// Another attribute of an element.
        Attribute = "attribute",
    }
}

named! {
    /// Where a statement is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Place {
        /// In the head of the page.
        Head = "head",
        /// In its body.
        Body = "body",
        /// In a `noscript` element of head or body.
        Noscript = "noscript",
        /// In the header of the response.
        Header = "header",
    }
}

named! {
    /// A directive whose meaning is known.
    ///
    /// Those on indexing are of Google's "Robots meta tag, data-nosnippet, and X-Robots-Tag
    /// specifications", Bing's webmaster guidelines and Baidu's help page.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Directive {
        /// No restrictions: `index` and `follow`.
        All = "all",
        /// `noindex` and `nofollow`.
        None = "none",
        /// The page may be in an index.
        Index = "index",
        /// The page must not be in an index.
        Noindex = "noindex",
        /// The links may be followed.
        Follow = "follow",
        /// The links of the page, or this link, must not be followed.
        Nofollow = "nofollow",
        /// A cached copy may be shown.
        Archive = "archive",
        /// No cached copy may be shown.
        Noarchive = "noarchive",
        /// The same as `noarchive`.
        Nocache = "nocache",
        /// No text of the page may be shown.
        Nosnippet = "nosnippet",
        /// The images of the page must not be in an index.
        Noimageindex = "noimageindex",
        /// No translation may be offered.
        Notranslate = "notranslate",
        /// The page may be in an index where another page embeds it.
        Indexifembedded = "indexifembedded",
        /// No search box for the site may be shown.
        Nositelinkssearchbox = "nositelinkssearchbox",
        /// The directory DMOZ, now closed, must not describe the page.
        Noodp = "noodp",
        /// The directory of Yahoo, now closed, must not describe the page.
        Noydir = "noydir",
        /// The page must not train models.
        Noai = "noai",
        /// The images of the page must not train models.
        Noimageai = "noimageai",
        /// Most characters of text that may be shown; -1: any number, 0: none.
        MaxSnippet = "max-snippet",
        /// Largest image that may be shown: `none`, `standard` or `large`.
        MaxImagePreview = "max-image-preview",
        /// Most seconds of a video that may be shown; -1: any number.
        MaxVideoPreview = "max-video-preview",
        /// The page must not be in an index after a time.
        UnavailableAfter = "unavailable_after",
        /// Whether rights to text and data mining are reserved: 1 or 0 (TDM Reservation Protocol).
        TdmReservation = "tdm-reservation",
        /// The URL of a policy for text and data mining (TDM Reservation Protocol).
        TdmPolicy = "tdm-policy",
        /// The URL of a license (RSL 1.0).
        License = "license",
        /// The link was written by a user.
        Ugc = "ugc",
        /// The link is paid for.
        Sponsored = "sponsored",
        /// The text of the element must not be shown.
        DataNosnippet = "data-nosnippet",
    }
}

impl Directive {
    /// Returns the directive of a list that has this name, which is in lower case.
    pub(super) fn of_list(name: &[u8]) -> Option<Directive> {
        let directive = Self::from_name(std::str::from_utf8(name).ok()?)?;
        // Those of lists are declared in front of all others.
        ((directive as u8) < Self::TdmReservation as u8).then_some(directive)
    }

    /// Returns true if and only if it is followed by a colon and a value.
    pub(super) fn takes_value(self) -> bool {
        matches!(
            self,
            Self::MaxSnippet
                | Self::MaxImagePreview
                | Self::MaxVideoPreview
                | Self::UnavailableAfter
        )
    }
}

named! {
    /// Something unusual about a statement.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum StatementFinding {
        /// No crawler is known to support a directive of this name.
        UnknownDirective = "unknown_directive",
        /// The value that the directive needs is missing.
        ValueMissing = "value_missing",
        /// The value is not of the form that the directive needs.
        ValueInvalid = "value_invalid",
        /// The directive takes no value, but has one.
        ValueUnexpected = "value_unexpected",
        /// The attribute is longer than is recorded and is cut within this statement.
        ValueTooLong = "value_too_long",
        /// The date has no time zone; UTC is assumed.
        DateWithoutZone = "date_without_zone",
        /// White space alone separates it from the directive before it; specifications have commas.
        BlankSeparated = "blank_separated",
    }
}

/// One statement. Its texts are in the page: see [`Page::text`](super::Page::text).
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What has it.
    pub source: StatementSource,
    /// Where it is.
    pub place: Place,
    /// The name of the crawler that it is for, as written; empty where none is written.
    pub agent_raw: TextRange,
    /// The same in lower case; `*` where it is for all crawlers.
    pub agent_token: TextRange,
    /// The name of the directive in lower case.
    pub directive_name: TextRange,
    /// The directive, if its name is known.
    pub directive: Option<Directive>,
    /// The item of the list as written, with its value.
    pub written: TextRange,
    /// The value as written.
    pub value: Option<TextRange>,
    /// The value, where it is a number.
    pub number: Option<i64>,
    /// The value, where it is a time: microseconds since 1970, UTC.
    pub time: Option<i64>,
    /// Offset of the `<` of the element in the bytes of the page, or of the value of the field.
    pub byte_offset: u64,
    /// Line of that offset, from 1; 0 in a field of the response.
    pub line: u32,
    /// Its column in characters, from 1; 0 in a field of the response.
    pub column: u32,
    /// Whether the statement has the form of its vocabulary; one that has not states nothing.
    pub is_valid: bool,
    /// What is unusual about it.
    pub finding: Option<StatementFinding>,
}

/// A part of the texts of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextRange {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl TextRange {
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

named! {
    /// Something unusual about a page.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum PageFinding {
        /// The label of its encoding is unknown, so another encoding is assumed.
        UnknownEncoding = "unknown_encoding",
        /// It has more statements than are recorded.
        TooManyStatements = "too_many_statements",
        /// Its elements are nested deeper than is recorded.
        NestedTooDeep = "nested_too_deep",
        /// It ends within a tag, which counts as text.
        EndsInTag = "ends_in_tag",
        /// An attribute that may hold or name a statement is longer than is recorded.
        AttributeTooLong = "attribute_too_long",
        /// A frameset took the place of the body, so the statements of the body do not count.
        BodyRemoved = "body_removed",
    }
}

/// A set of findings on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageFindings(u8);

impl PageFindings {
    /// Adds a finding.
    pub(super) fn insert(&mut self, finding: PageFinding) {
        self.0 |= 1 << finding as u8;
    }

    /// Returns true if and only if `finding` is among them.
    pub fn contains(self, finding: PageFinding) -> bool {
        self.0 >> finding as u8 & 1 == 1
    }

    /// Returns the findings, in the order in which they are declared.
    pub fn iter(self) -> impl Iterator<Item = PageFinding> {
        let all = PageFinding::ALL.into_iter();
        all.filter(move |&finding| self.contains(finding))
    }
}
