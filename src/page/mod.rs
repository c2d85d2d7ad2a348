//! What a page states about itself: `meta` elements, X-Robots-Tag, `rel`, `data-nosnippet`, TDM
//! reservations and RSL licenses.
//!
//! Bytes of a page and the fields of its response go in, a [`Page`] comes out: its statements with
//! their positions, and counts of its links. [`Page::policy`] says what holds for a crawler. There
//! is no I/O here, and no content is an error.
//!
//! # How a page is read
//!
//! The encoding is that of the standard's prescan (`encoding.rs`), and a page that is not UTF-8 is
//! decoded first (`decode.rs`). One pass finds where tags, comments and scripts begin and end
//! (`scan.rs`) and reads the attributes that matter (`tokens.rs`, `attributes.rs`); `tree/` follows
//! the insertion modes of the HTML Standard without a tree and determines where each element is.
//! Elements and fields become statements (`collect.rs`, `directive.rs`, `date.rs`), and names of
//! elements crawlers (`crawlers.rs`); the rules for crawlers are in `policy.rs`.
//!
//! # The tokenizer
//!
//! Most of a page has no effect on what it states: text, scripts, comments, and attributes such as
//! `class`. To find their ends needs a few bytes of each, so the scan searches for these bytes and
//! skips the rest. html5gum reads what consists of more than its bytes: doctypes, tags with a
//! character reference, CR or U+0000 in a value that matters, and text that begins with a reference
//! that may be white space (`references.rs`).
//!
//! html5gum was chosen of three. On 1,715 real pages of 51 kB, in MB per second of CPU time of one
//! thread, where libdeflate inflates 616: html5gum 357, lol_html 153 with a selector for the
//! elements that matter here, html5ever 54. html5gum takes bytes, asks which text follows a tag,
//! and has no dependencies. lol_html decides that by tag names alone, holds a tag in memory, and
//! links a parser of selectors. html5ever takes decoded text and collects all attributes of a tag.
//! But html5gum splits all of a page, which with tree construction came to 164. With the scan in
//! front of it, all of this module reads 2.4 times as many bytes per second: 439 where libdeflate
//! inflates 725, on 6,511 real pages with a tag every 58 bytes, and 582 where it inflates 478, on
//! generated pages of 35 kB.

mod attributes;
mod collect;
mod crawlers;
mod date;
mod decode;
mod directive;
mod encoding;
mod policy;
mod quirks;
mod references;
mod scan;
mod statement;
mod tag;
mod tokens;
mod tree;

#[cfg(test)]
mod differential;
#[cfg(test)]
#[path = "../../tests/html_tree.rs"]
mod html_tree;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod suite;
#[cfg(test)]
pub(crate) mod testing;

use attributes::Attributes;
use collect::Collector;
pub use collect::{MAX_LINK_STATEMENTS, MAX_STATEMENTS, MAX_TEXT};
use crawlers::CrawlerNames;
use decode::Locator;
pub use directive::ImagePreview;
pub use encoding::EncodingSource;
pub use policy::{Decided, PageDialect, PagePolicy};
pub use statement::{Directive, PageFinding, Statement, StatementSource};
pub(crate) use statement::{PageFindings, Place, StatementFinding, TextRange};
use tree::Tree;

/// The links of a page, and its elements whose text must not be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// `a` and `area` elements with an `href`, and elements counted below.
    pub links: u64,
    /// `a`, `area` and `form` elements whose `rel` has `nofollow`.
    pub nofollow_links: u64,
    /// Those whose `rel` has `ugc`.
    pub ugc_links: u64,
    /// Those whose `rel` has `sponsored`.
    pub sponsored_links: u64,
    /// `span`, `div` and `section` elements with `data-nosnippet`.
    pub nosnippets: u64,
}

/// What a page states. It can be read into again: its memory is reused.
#[derive(Clone, Debug)]
pub struct Page {
    encoding: &'static str,
    encoding_source: EncodingSource,
    counts: PageCounts,
    statements: Vec<Statement>,
    text: String,
    findings: PageFindings,
}

impl Default for Page {
    fn default() -> Page {
        Page {
            encoding: encoding_rs::WINDOWS_1252.name(),
            encoding_source: EncodingSource::Default,
            counts: PageCounts::default(),
            statements: Vec::new(),
            text: String::new(),
            findings: PageFindings::default(),
        }
    }
}

impl Page {
    /// Returns a page without statements.
    pub fn new() -> Page {
        Page::default()
    }

    /// Returns the name of the encoding, as in the Encoding Standard.
    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// Returns what named the encoding.
    pub fn encoding_source(&self) -> EncodingSource {
        self.encoding_source
    }

    /// Returns the counts of links and elements, outside of templates.
    pub fn counts(&self) -> PageCounts {
        self.counts
    }

    /// Returns the statements: those of the fields of the response, then those of elements, in
    /// order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Returns the text of a part of a statement, in which bytes that are not valid in the encoding
    /// of the page are U+FFFD.
    pub fn text(&self, range: TextRange) -> &str {
        self.text.get(range.range()).unwrap_or_default()
    }

    /// Returns what is unusual about the page as a whole.
    pub fn findings(&self) -> PageFindings {
        self.findings
    }

    fn clear(&mut self) {
        self.counts = PageCounts::default();
        self.statements.clear();
        self.text.clear();
        self.findings = PageFindings::default();
    }

    fn push_text(&mut self, bytes: &[u8]) -> TextRange {
        let position = |text: &String| u32::try_from(text.len()).unwrap_or(u32::MAX);
        let start = position(&self.text);
        for chunk in bytes.utf8_chunks() {
            self.text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        let end = position(&self.text);
        TextRange { start, end }
    }
}

/// Reads pages. Its memory is reused from page to page.
///
/// Memory is bounded by the page: its text in UTF-8, where it is in another encoding, which has
/// at most three bytes for one, twice its longest tag or text with character references, and limits
/// on what is recorded ([`MAX_STATEMENTS`], [`MAX_LINK_STATEMENTS`], [`MAX_TEXT`]). Time is linear
/// in the page.
#[derive(Debug)]
pub struct PageReader {
    crawlers: CrawlerNames,
    tree: Tree,
    attributes: Attributes,
    decoded: String,
}

impl Default for PageReader {
    fn default() -> PageReader {
        PageReader::new()
    }
}

impl PageReader {
    /// Returns a reader that knows the names of common crawlers.
    pub fn new() -> PageReader {
        PageReader::with_crawlers::<&[u8]>([])
    }

    /// Returns a reader that knows the product tokens `crawlers` too: a `meta` element with one of
    /// these names is a statement for that crawler, whatever its content. One with the name of a
    /// crawler that is not known is a statement where its content can be meant for crawlers alone
    /// (`crawlers.rs`).
    pub(crate) fn with_crawlers<T: AsRef<[u8]>>(
        crawlers: impl IntoIterator<Item = T>,
    ) -> PageReader {
        PageReader {
            crawlers: CrawlerNames::with(crawlers),
            tree: Tree::new(),
            attributes: Attributes::default(),
            decoded: String::new(),
        }
    }

    /// Reads an HTML page and the fields of its response, as names and values, into `page`.
    ///
    /// `body` has no transfer or content codings. The encoding that the field Content-Type names is
    /// considered. Cannot fail.
    pub fn read<'f>(
        &mut self,
        body: &[u8],
        fields: impl IntoIterator<Item = (&'f [u8], &'f [u8])>,
        page: &mut Page,
    ) {
        page.clear();
        let mut collector = Collector::new(page, &self.crawlers);
        let content_type = read_fields(fields, &mut collector);
        let found = encoding::detect(body, content_type);
        let decoded = decode::decode(body, &found, &mut self.decoded);
        let mut locator = Locator::new(&decoded, found.bom_len);
        self.tree.clear();
        let ends_in_tag = tokens::elements(
            decoded.text,
            &mut self.tree,
            &mut self.attributes,
            &mut |found| collector.found(found, &mut locator),
        );
        page.encoding = found.encoding.name();
        page.encoding_source = found.source;
        for (finding, is_found) in [
            (PageFinding::UnknownEncoding, found.has_unknown_label),
            (PageFinding::NestedTooDeep, self.tree.is_too_deep()),
            (PageFinding::EndsInTag, ends_in_tag),
        ] {
            if is_found {
                page.findings.insert(finding);
            }
        }
    }

    /// Reads the fields of a response whose body is not HTML.
    pub fn read_fields<'f>(
        &mut self,
        fields: impl IntoIterator<Item = (&'f [u8], &'f [u8])>,
        page: &mut Page,
    ) {
        page.clear();
        page.encoding = encoding_rs::WINDOWS_1252.name();
        page.encoding_source = EncodingSource::Default;
        read_fields(fields, &mut Collector::new(page, &self.crawlers));
    }
}

/// Reads the statements of fields, and returns the value of the first field Content-Type.
fn read_fields<'f>(
    fields: impl IntoIterator<Item = (&'f [u8], &'f [u8])>,
    collector: &mut Collector<'_>,
) -> Option<&'f [u8]> {
    let mut content_type = None;
    for (name, value) in fields {
        if name.eq_ignore_ascii_case(b"content-type") {
            content_type.get_or_insert(value);
        } else {
            collector.field(name, value);
        }
    }
    content_type
}
