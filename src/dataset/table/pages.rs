//! The table `pages`: one row for each page, in a run that reads pages.

use super::{Bool, FetchColumns, Int32, Int64, Name, Provenance, as_i32, as_i64, table};
use crate::{
    archive::capture::Capture,
    page::{Page, PageFinding},
};

/// The source of the columns on encodings.
const ENCODING: &str = "Encoding Standard, HTML Standard 13.2.3";

table! {
    /// one HTML page as browsers detect it, or a response of another type whose header has a
    /// statement (X-Robots-Tag, TDM-Reservation, TDM-Policy) or is cut (is_header_cut); a
    /// robots.txt is no page, and a page to which the redirect of a robots.txt leads has a row of
    /// captures too; only of runs that read pages
    "pages": pub struct PagesBuilder {
        /// key of the page, made as capture_id is: of a page that is a capture too they are equal
        page_id: Int64 [delta],
        fetch: FetchColumns,
        /// whether the body is HTML for a browser, by its first bytes or, where these only show
        /// text, by Content-Type, so that its elements are read; of others only the header is
        is_html: Bool,
        /// encoding in which the page is read; NULL: not HTML
        encoding: Name [nullable, source(ENCODING)],
        /// a and area elements with href, and those counted in the next three columns
        link_count: Int64 [unit("elements")],
        /// a, area and form elements whose rel has nofollow
        nofollow_link_count: Int64 [unit("elements")],
        /// those whose rel has ugc
        ugc_link_count: Int64 [unit("elements")],
        /// those whose rel has sponsored
        sponsored_link_count: Int64 [unit("elements")],
        /// rows of this page in page_directives
        statement_count: Int32 [unit("rows"), dictionary],
        /// whether a statement of an element or of the header is about the page as a whole and can
        /// be read; page_policies has rows of such pages only
        has_policy: Bool,
        /// whether the header is longer than is read, 64 KiB, so that statements in fields beyond
        /// may be missing
        is_header_cut: Bool,
        /// whether a label of an encoding is unknown, so that another encoding is assumed
        has_unknown_encoding: Bool,
        /// whether the page has more statements than are recorded: 1,000 on the page, 1,000 on
        /// links and elements, or 1 MiB of text
        has_too_many_statements: Bool,
        /// whether elements are nested deeper than is recorded
        is_nested_too_deep: Bool,
        /// whether an attribute that may hold or name a statement is longer than is recorded, 8
        /// KiB, so that statements may be missing
        has_attribute_too_long: Bool,
    }
}

impl PagesBuilder {
    /// Appends the row of a page that was read.
    pub fn append(
        &mut self,
        page_id: i64,
        provenance: &Provenance<'_>,
        capture: &Capture<'_>,
        page: &Page,
        has_policy: bool,
    ) {
        self.page_id.append(page_id);
        self.fetch.append(provenance, capture);
        let is_html = capture.is_html_page();
        self.is_html.append(is_html);
        self.encoding.append(is_html.then_some(page.encoding()));
        let counts = page.counts();
        self.link_count.append(as_i64(counts.links));
        self.nofollow_link_count
            .append(as_i64(counts.nofollow_links));
        self.ugc_link_count.append(as_i64(counts.ugc_links));
        self.sponsored_link_count
            .append(as_i64(counts.sponsored_links));
        self.statement_count.append(as_i32(page.statements().len()));
        self.has_policy.append(has_policy);
        self.is_header_cut.append(capture.is_head_cut());
        let has = |finding| page.findings().contains(finding);
        self.has_unknown_encoding
            .append(has(PageFinding::UnknownEncoding));
        self.has_too_many_statements
            .append(has(PageFinding::TooManyStatements));
        self.is_nested_too_deep
            .append(has(PageFinding::NestedTooDeep));
        self.has_attribute_too_long
            .append(has(PageFinding::AttributeTooLong));
    }
}
