//! The table `page_policies`: one row for each answer that a page states, dialect and agent.

use std::{borrow::Cow, ops::Range};

use super::{CaptureKey, Int32, KnownName, Name, PageKeys, as_i32, table};
use crate::{
    page::{Decided, ImagePreview, PageDialect, PagePolicy},
    robots::matrix::{Matrix, MatrixAgent},
};

/// The source of the answers.
const SPEC: &str = "Google, robots meta tag; Baidu, help page";

table! {
    /// one answer that a page states about itself as a whole, dialect of pages and agent; what has
    /// no row is not stated, so that the page may be in an index, its links be followed, and so on
    "page_policies": pub struct PagePoliciesBuilder {
        page: PageKeys,
        /// whose interpretation: google (every directive, in elements of head, body and noscript
        /// and in fields), baidu (nofollow and noarchive in elements of the head, for robots and
        /// Baiduspider)
        dialect: KnownName<PageDialect> [source(SPEC)],
        /// crawler of the matrix: the first product token of its chain
        agent: KnownName,
        /// what is stated: may_index (the page may be in an index), may_follow (its links may be
        /// followed), may_archive (a cached copy may be shown), may_snippet (text of it may be
        /// shown), max_snippet (most characters of text), max_image_preview (largest image),
        /// max_video_preview (most seconds of a video), unavailable_after (time after which the
        /// page must not be in an index)
        directive: KnownName [source(SPEC)],
        /// true or false; a number, -1 for any; none, standard or large; the time in microseconds
        /// since 1970, UTC
        value: Name [source(SPEC)],
        /// statement that decided, by its number in page_directives
        statement: Int32,
    }
}

/// The values of `directive`, in the order of [`answers`].
const DIRECTIVES: [&str; 8] = [
    "may_index",
    "may_follow",
    "may_archive",
    "may_snippet",
    "max_snippet",
    "max_image_preview",
    "max_video_preview",
    "unavailable_after",
];

impl PagePoliciesBuilder {
    /// Returns a builder without rows for the agents of a matrix.
    pub fn new(matrix: &Matrix) -> Self {
        Self {
            agent: KnownName::new(matrix.agents.iter().map(MatrixAgent::name)),
            directive: KnownName::new(DIRECTIVES),
            ..Self::default()
        }
    }

    /// Appends what is stated for agents that are adjacent in the matrix, the same for each. The
    /// key of the page is like that of a capture.
    pub fn append(
        &mut self,
        key: CaptureKey<'_>,
        dialect: PageDialect,
        agents: Range<usize>,
        policy: &PagePolicy,
    ) {
        let answers = answers(policy);
        for agent in agents {
            for (directive, (statement, value)) in answers.iter().enumerate() {
                let Some(statement) = statement else {
                    continue;
                };
                self.page.append(key);
                self.dialect.append(dialect);
                self.agent.append(agent);
                self.directive.append(directive);
                self.value.append(value);
                self.statement.append(as_i32(statement + 1));
            }
        }
    }
}

/// Returns the answers of a page as texts, in the order of [`DIRECTIVES`], each with the statement
/// that decided.
fn answers(policy: &PagePolicy) -> [(Option<usize>, Cow<'static, str>); 8] {
    let flag = |of: Decided<bool>| (of.statement, if of.value { "true" } else { "false" }.into());
    let number = |of: Decided<Option<i64>>| {
        let text = of.value.map(|n| n.to_string()).unwrap_or_default();
        (of.statement, text.into())
    };
    let size = policy.max_image_preview;
    let preview = size.value.map_or("", ImagePreview::as_str);
    [
        flag(policy.may_index),
        flag(policy.may_follow),
        flag(policy.may_archive),
        flag(policy.may_snippet),
        number(policy.max_snippet),
        (size.statement, preview.into()),
        number(policy.max_video_preview),
        number(policy.unavailable_after),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_has_the_order_of_its_enum() {
        for (index, dialect) in PageDialect::ALL.into_iter().enumerate() {
            assert_eq!(dialect as usize, index);
        }
    }
}
