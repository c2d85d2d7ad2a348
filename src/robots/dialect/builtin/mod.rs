//! The built-in dialects: one file for each, with the source of every answer.
//!
//! A new dialect is a file of answers and a line of `dialects!`.

use super::definition::{Choice, Dialect};

/// Defines one dialect: its name and the work that it follows, then for each choice the answer and
/// its source in that work. Where the work leaves something open, `our interpretation: ` begins
/// what this program takes it to mean; `not stated; our interpretation: ` where it has nothing on
/// the choice. A dialect that differs from another one has the answers of that one, and their
/// sources, where it states none. `citing` has how a citation of the work begins, which the tests
/// check.
macro_rules! built_in {
    (
        $name:literal follows $work:literal, citing $passages:expr;
        $($field:ident: $value:expr, $source:literal;)+
        [access]
        $($part:ident: $part_value:expr, $part_source:literal;)+
    ) => {
        pub(super) const NAME: &str = $name;
        #[cfg(test)]
        pub(super) const PASSAGES: &[&str] = $passages;
        pub(super) const DIALECT: Dialect = Dialect {
            name: std::borrow::Cow::Borrowed($name),
            $($field: $value,)+
            access: AccessPolicy { $($part: $part_value,)+ },
        };
        pub(super) const SOURCES: super::DialectSources = super::DialectSources {
            work: $work,
            of_choices: &[
                $((stringify!($field), $source),)+
                $((concat!("access.", stringify!($part)), $part_source),)+
            ],
            of_others: &[],
        };
    };
    (
        $name:literal follows $work:literal, differs from $base:ident, citing $passages:expr;
        $($field:ident: $value:expr, $source:literal;)+
        $(
            [access]
            $($part:ident: $part_value:expr, $part_source:literal;)+
        )?
    ) => {
        pub(super) const NAME: &str = $name;
        #[cfg(test)]
        pub(super) const PASSAGES: &[&str] = $passages;
        pub(super) const DIALECT: Dialect = {
            let mut dialect = super::$base::DIALECT;
            // A constant cannot drop the name that it replaces.
            let name = std::borrow::Cow::Borrowed($name);
            std::mem::forget(std::mem::replace(&mut dialect.name, name));
            $(dialect.$field = $value;)+
            $($(dialect.access.$part = $part_value;)+)?
            dialect
        };
        pub(super) const SOURCES: super::DialectSources = super::DialectSources {
            work: $work,
            of_choices: &[
                $((stringify!($field), $source),)+
                $($((concat!("access.", stringify!($part)), $part_source),)+)?
            ],
            of_others: super::$base::SOURCES.of_choices,
        };
    };
}
use built_in;

/// Where the answers of one dialect come from.
struct DialectSources {
    work: &'static str,
    /// The name of each choice, with the source of its answer.
    of_choices: &'static [(&'static str, &'static str)],
    /// The same of the dialect from which it differs.
    of_others: &'static [(&'static str, &'static str)],
}

/// Lists the dialects: the constant of each, and its file, which this makes a module.
macro_rules! dialects {
    ($($(#[$doc:meta])+ $constant:ident in $file:ident;)+) => {
        $(pub(super) mod $file;)+

        /// How many dialects are built in.
        const COUNT: usize = [$($file::NAME),+].len();

        /// The names of the built-in dialects; the reference dialect is the first.
        pub const NAMES: [&str; COUNT] = [$($file::NAME),+];

        /// The sources of each dialect, in the order of [`NAMES`].
        const SOURCES: [DialectSources; COUNT] = [$($file::SOURCES),+];

        /// How a citation of each work begins, in the order of [`NAMES`].
        #[cfg(test)]
        const PASSAGES: [&[&str]; COUNT] = [$($file::PASSAGES),+];

        /// The built-in dialects.
        impl Dialect {
            $($(#[$doc])+ pub const $constant: Dialect = $file::DIALECT;)+

            /// All built-in dialects, in the order of [`NAMES`].
            pub const BUILT_IN: [&'static Dialect; COUNT] = [$(&Self::$constant),+];
        }
    };
}

dialects! {
    /// `google`: Google's open-source parser and matcher, bit for bit.
    GOOGLE in google;
    /// `rfc9309`: the standard, RFC 9309.
    RFC9309 in rfc9309;
    /// `google-2019`: Google's published specification from July 2019.
    GOOGLE_2019 in google_2019;
    /// `google-legacy`: Google's published specification before July 2019.
    GOOGLE_LEGACY in google_legacy;
    /// `baidu`: Baidu's published rules.
    BAIDU in baidu;
    /// `baidu-table`: Baidu's published table of examples, which contradicts its rules.
    BAIDU_TABLE in baidu_table;
    /// `original-1994`: the original standard of 1994, with the percent escapes of the 1996 draft.
    ORIGINAL_1994 in original_1994;
    /// `python`: CPython's `urllib.robotparser`.
    PYTHON in python;
}

/// The dialect in which tables without a dialect column are written by default.
pub const REFERENCE: &str = NAMES[0];

impl Dialect {
    /// Returns the built-in dialect called `name`, which is compared byte by byte.
    pub fn named(name: &str) -> Option<Dialect> {
        index_of(name).map(|index| Self::BUILT_IN[index].clone())
    }
}

/// Returns the work that a built-in dialect follows; `None` for any other name.
pub fn work(dialect: &str) -> Option<&'static str> {
    index_of(dialect).map(|index| SOURCES[index].work)
}

/// Returns the passage of the [`work`] of a built-in dialect from which its answer to a choice
/// comes, and what is stated there; `None` for any other name.
///
/// Where the work leaves something open, `our interpretation: ` begins what this program takes it
/// to mean, and where it has nothing on the choice, the text begins with
/// `not stated; our interpretation: `.
pub fn source(dialect: &str, choice: &Choice) -> Option<&'static str> {
    let sources = &SOURCES[index_of(dialect)?];
    let mut sources = sources.of_choices.iter().chain(sources.of_others);
    let (_, source) = sources.find(|(name, _)| *name == choice.name)?;
    Some(source)
}

fn index_of(name: &str) -> Option<usize> {
    NAMES.iter().position(|&known| known == name)
}

/// A set of built-in dialects, as bits over [`NAMES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DialectSet(u32);

impl DialectSet {
    /// The set without members.
    pub const NONE: DialectSet = DialectSet(0);

    /// The set of all built-in dialects.
    pub const ALL: DialectSet = DialectSet(u32::MAX >> (u32::BITS as usize - NAMES.len()));

    /// Returns the set of the built-in dialects whose answers satisfy `accepts`.
    pub fn accepting(accepts: impl Fn(&Dialect) -> bool) -> DialectSet {
        let dialects = (0..).zip(Dialect::BUILT_IN);
        let bits = dialects.map(|(index, dialect)| u32::from(accepts(dialect)) << index);
        DialectSet(bits.sum())
    }

    /// Returns the names of the members in the order of [`NAMES`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let is_member = move |&(index, _): &(usize, &str)| self.0 >> index & 1 == 1;
        let members = NAMES.into_iter().enumerate().filter(is_member);
        members.map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::CHOICES;

    const NOT_STATED: &str = "not stated; our interpretation: ";

    #[test]
    fn every_name_leads_to_its_own_answers() {
        for (name, dialect) in NAMES.into_iter().zip(Dialect::BUILT_IN) {
            assert_eq!(dialect.name, name);
            assert_eq!(Dialect::named(name).as_ref(), Some(dialect));
        }
        assert_eq!(Dialect::named("Google"), None);
        assert_eq!(REFERENCE, "google");
    }

    #[test]
    fn a_set_names_its_members() {
        let has_none = |dialect: &Dialect| dialect.byte_limit.is_none();
        let set = DialectSet::accepting(has_none);
        let all = Dialect::BUILT_IN.into_iter().filter(|one| has_none(one));
        assert!(set.names().eq(all.map(|dialect| &*dialect.name)));
        assert_eq!(DialectSet::NONE.names().count(), 0);
        assert_eq!(DialectSet::ALL, DialectSet::accepting(|_| true));
    }

    #[test]
    fn every_answer_has_a_citation_or_a_marked_interpretation() {
        for choice in CHOICES {
            for (dialect, passages) in NAMES.into_iter().zip(PASSAGES) {
                let text = source(dialect, choice).expect("the dialect is built in");
                let is_passage = |start: &&str| text.starts_with(start) && text.len() > start.len();
                let interpretation = text.strip_prefix(NOT_STATED);
                assert!(
                    passages.iter().any(is_passage)
                        || interpretation.is_some_and(|text| !text.is_empty()),
                    "{} {dialect}: {text}",
                    choice.name
                );
            }
            assert_eq!(source("mine", choice), None);
        }
        assert!(NAMES.iter().all(|name| work(name).is_some()));
        assert_eq!(work("mine"), None);
    }

    #[test]
    fn what_no_page_states_is_not_cited() {
        let text = |dialect: &str, name: &str| {
            let choice = CHOICES.iter().find(|choice| choice.name == name);
            source(dialect, choice.expect("it is a choice")).expect("the dialect is built in")
        };
        for (dialect, names) in [
            ("rfc9309", "byte_order_mark agent_chain"),
            ("google-2019", "leading_slash percent"),
            ("google-legacy", "percent"),
            (
                "baidu",
                "percent agent_cut access.max_hops access.redirect access.unauthorized \
                 access.too_many_requests access.server_error",
            ),
            ("original-1994", "access.too_many_requests"),
        ] {
            for name in names.split(' ') {
                assert!(
                    text(dialect, name).starts_with(NOT_STATED),
                    "{dialect} {name}"
                );
            }
        }
        for (dialect, names) in [
            ("rfc9309", "leading_slash agent_cut empty_pattern"),
            ("google-2019", "agent_cut agent_match access.max_hops"),
            ("baidu", "agent_match access.client_error"),
        ] {
            for name in names.split(' ') {
                assert!(
                    text(dialect, name).contains("; our interpretation: "),
                    "{dialect} {name}"
                );
            }
        }
    }
}
