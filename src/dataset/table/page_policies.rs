//! The table `page_policies`: one row for each page with a statement on the page, dialect and
//! agent.

use super::{
    as_i32,
    column::{Bool, CaptureKey, Int32, Int64, KnownName, PageKeys, Time},
    schema::table,
};
use crate::{
    page::{Decided, ImagePreview, PageDialect, PagePolicy},
    robots::matrix::{Matrix, MatrixAgent},
};

/// The source of the answers.
const SPEC: &str = "Google, robots meta tag; Baidu, help page";

table! {
    /// one page of which a statement is about the page as a whole, dialect of pages and agent: what
    /// the page states for the agent; the view page_policies adds what robots.txt states
    "page_policies": pub struct PagePoliciesBuilder {
        page: PageKeys,
        /// whose interpretation: google (every directive, in elements of head, body and noscript
        /// and in fields), baidu (nofollow and noarchive in elements of the head, for robots and
        /// Baiduspider)
        dialect: KnownName [source(SPEC)],
        /// crawler of the matrix: the first product token of its chain
        agent: KnownName,
        /// whether the page may be in an index
        may_index: Bool [source(SPEC)],
        /// statement that decided, by its number in page_directives; NULL: nothing is stated, here
        /// and below
        may_index_statement: Int32 [nullable],
        /// whether its links may be followed
        may_follow: Bool [source(SPEC)],
        /// statement that decided
        may_follow_statement: Int32 [nullable],
        /// whether a cached copy may be shown
        may_archive: Bool [source(SPEC)],
        /// statement that decided
        may_archive_statement: Int32 [nullable],
        /// whether text of it may be shown
        may_snippet: Bool [source(SPEC)],
        /// statement that decided
        may_snippet_statement: Int32 [nullable],
        /// most characters of text that may be shown, -1 for any number; NULL: no limit is stated
        max_snippet: Int64 [nullable, unit("characters"), source(SPEC)],
        /// statement that decided
        max_snippet_statement: Int32 [nullable],
        /// largest image that may be shown: none, standard or large; NULL: none is stated
        max_image_preview: KnownName [nullable, source(SPEC)],
        /// statement that decided
        max_image_preview_statement: Int32 [nullable],
        /// most seconds of a video that may be shown, -1 for any number; NULL: no limit is stated
        max_video_preview: Int64 [nullable, unit("seconds"), source(SPEC)],
        /// statement that decided
        max_video_preview_statement: Int32 [nullable],
        /// time after which the page must not be in an index; NULL: none is stated
        unavailable_after: Time [nullable, unit("UTC, microseconds"), source(SPEC)],
        /// statement that decided
        unavailable_after_statement: Int32 [nullable],
    }
}

/// The values of `max_image_preview`, in the order of the enum.
const PREVIEWS: [ImagePreview; 3] = [
    ImagePreview::None,
    ImagePreview::Standard,
    ImagePreview::Large,
];

impl PagePoliciesBuilder {
    /// Returns a builder without rows for the agents of a matrix.
    pub fn new(matrix: &Matrix) -> Self {
        Self {
            dialect: KnownName::new(PageDialect::ALL.map(PageDialect::as_str)),
            agent: KnownName::new(matrix.agents.iter().map(MatrixAgent::name)),
            max_image_preview: KnownName::new(PREVIEWS.map(ImagePreview::as_str)),
            ..Self::default()
        }
    }

    /// Appends the same answers for agents that are adjacent in the matrix. The key of the page is
    /// like that of a capture.
    pub fn append(
        &mut self,
        key: CaptureKey<'_>,
        dialect: PageDialect,
        agents: std::ops::Range<usize>,
        policy: &PagePolicy,
    ) {
        let n = agents.len();
        self.page.append_n(key, n);
        self.dialect.append_n(Some(dialect as usize), n);
        self.agent.extend(agents);
        for (answer, statement, decided) in [
            (
                &mut self.may_index,
                &mut self.may_index_statement,
                policy.may_index,
            ),
            (
                &mut self.may_follow,
                &mut self.may_follow_statement,
                policy.may_follow,
            ),
            (
                &mut self.may_archive,
                &mut self.may_archive_statement,
                policy.may_archive,
            ),
            (
                &mut self.may_snippet,
                &mut self.may_snippet_statement,
                policy.may_snippet,
            ),
        ] {
            answer.append_n(decided.value, n);
            statement.append_n(number(decided), n);
        }
        self.max_snippet.append_n(policy.max_snippet.value, n);
        self.max_snippet_statement
            .append_n(number(policy.max_snippet), n);
        let preview = policy.max_image_preview;
        self.max_image_preview
            .append_n(preview.value.map(|preview| preview as usize), n);
        self.max_image_preview_statement
            .append_n(number(preview), n);
        self.max_video_preview
            .append_n(policy.max_video_preview.value, n);
        self.max_video_preview_statement
            .append_n(number(policy.max_video_preview), n);
        self.unavailable_after
            .append_n(policy.unavailable_after.value, n);
        self.unavailable_after_statement
            .append_n(number(policy.unavailable_after), n);
    }
}

/// Returns the number of the statement that decided, from 1.
fn number<T>(decided: Decided<T>) -> Option<i32> {
    decided.statement.map(|index| as_i32(index + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionaries_have_the_order_of_their_enums() {
        for (index, preview) in PREVIEWS.into_iter().enumerate() {
            assert_eq!(preview as usize, index);
        }
        for (index, dialect) in PageDialect::ALL.into_iter().enumerate() {
            assert_eq!(dialect as usize, index);
        }
    }
}
