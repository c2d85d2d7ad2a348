//! The counts of a run, of a part or of a task.

use std::{collections::BTreeMap, ops::AddAssign};

/// What was found; the sum of two is what was found in both together.
///
/// Rows of a table that is not written are counted as if it were, but for those of
/// `verdict_sets`, which are not computed then.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Archives read.
    pub archives: u64,
    /// Archives of which records may be missing.
    pub archives_incomplete: u64,
    /// Archives without a row of `captures`.
    pub archives_without_captures: u64,
    /// Bytes of archives read.
    pub bytes_in: u64,
    /// Bytes of members, or of the records of plain archives, that were read.
    pub member_bytes: u64,
    /// Bytes of archives from which nothing was read.
    pub bytes_skipped: u64,
    /// Bytes after inflating.
    pub bytes_inflated: u64,
    /// Records of any type.
    pub records: u64,
    /// Rows of `captures`.
    pub captures: u64,
    /// Captures by class of status: `2xx` and so on, `none` without a status, `other` outside 100
    /// to 599.
    pub status: BTreeMap<&'static str, u64>,
    /// Captures by access under the reference dialect.
    pub access: BTreeMap<&'static str, u64>,
    /// Records that are no captures, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Rows of `groups`.
    pub groups: u64,
    /// Rows of `agents`.
    pub agents: u64,
    /// Rows of `rules`.
    pub rules: u64,
    /// Rows of `directives`.
    pub directives: u64,
    /// Answers of all captures, each of which the rows of `verdict_sets` have once.
    pub verdicts: u64,
    /// Rows of `errors`, by code.
    pub errors: BTreeMap<&'static str, u64>,
    /// Rows of `response_errors`, by code.
    pub response_errors: BTreeMap<&'static str, u64>,
    /// Rows of `pages`.
    pub pages: u64,
    /// Those that are no captures: they are among the records skipped for their path.
    pub pages_of_other_paths: u64,
    /// Pages with a statement on the page as a whole.
    pub pages_with_policy: u64,
    /// Rows of `page_directives`.
    pub page_statements: u64,
}

macro_rules! add_fields {
    ($to:expr, $from:expr; $($field:ident)+) => {
        $($to.$field += $from.$field;)+
    };
}

impl AddAssign<&Self> for Counts {
    fn add_assign(&mut self, other: &Self) {
        add_fields!(
            self, other; archives archives_incomplete archives_without_captures bytes_in member_bytes
            bytes_skipped bytes_inflated records captures groups agents rules directives verdicts
            pages pages_of_other_paths pages_with_policy page_statements
        );
        for (ours, theirs) in [
            (&mut self.status, &other.status),
            (&mut self.access, &other.access),
            (&mut self.skipped, &other.skipped),
            (&mut self.errors, &other.errors),
            (&mut self.response_errors, &other.response_errors),
        ] {
            for (&key, n) in theirs {
                *ours.entry(key).or_default() += n;
            }
        }
    }
}

impl Counts {
    /// Returns the class of a status code.
    pub(crate) fn status_class(status: Option<u16>) -> &'static str {
        match status {
            None => "none",
            Some(100..=199) => "1xx",
            Some(200..=299) => "2xx",
            Some(300..=399) => "3xx",
            Some(400..=499) => "4xx",
            Some(500..=599) => "5xx",
            Some(_) => "other",
        }
    }

    /// Returns the number of rows of `errors`.
    pub fn n_errors(&self) -> u64 {
        self.errors.values().sum()
    }

    /// Returns the number of rows of `response_errors`.
    pub fn n_response_errors(&self) -> u64 {
        self.response_errors.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_holds_what_either_side_found() {
        let mut a = Counts {
            captures: 2,
            ..Counts::default()
        };
        a.status.insert("2xx", 2);
        let mut b = Counts {
            captures: 1,
            rules: 5,
            ..Counts::default()
        };
        b.status.insert("2xx", 1);
        b.status.insert("none", 4);
        a += &b;
        assert_eq!((a.captures, a.rules), (3, 5));
        assert_eq!(a.status, BTreeMap::from([("2xx", 3), ("none", 4)]));
    }
}
