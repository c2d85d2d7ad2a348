//! The built-in dialects by name, and sets of them.
//!
//! Enters: a name. Leaves: its answers, or a set as bits over [`NAMES`].

use super::{
    baidu, google, google_2019, google_legacy, original_1994, python, rfc9309, spec::DialectSpec,
};

/// The names of the built-in dialects; the reference dialect is the first.
pub const NAMES: [&str; 8] = [
    "google",
    "rfc9309",
    "google-2019",
    "google-legacy",
    "baidu",
    "baidu-table",
    "original-1994",
    "python",
];

/// The dialect in which tables without a dialect column are written.
pub const REFERENCE: &str = NAMES[0];

/// The built-in dialects.
impl DialectSpec {
    /// `google`: Google's open-source parser and matcher, bit for bit.
    pub const GOOGLE: DialectSpec = google::SPEC;

    /// `rfc9309`: the standard, RFC 9309.
    pub const RFC9309: DialectSpec = rfc9309::SPEC;

    /// `google-2019`: Google's published specification from July 2019.
    pub const GOOGLE_2019: DialectSpec = google_2019::SPEC;

    /// `google-legacy`: Google's published specification before July 2019.
    pub const GOOGLE_LEGACY: DialectSpec = google_legacy::SPEC;

    /// `baidu`: Baidu's published rules.
    pub const BAIDU: DialectSpec = baidu::SPEC;

    /// `baidu-table`: Baidu's published table of examples, which contradicts its rules.
    pub const BAIDU_TABLE: DialectSpec = baidu::TABLE_SPEC;

    /// `original-1994`: the original standard of 1994, with the percent escapes of the 1996 draft.
    pub const ORIGINAL_1994: DialectSpec = original_1994::SPEC;

    /// `python`: CPython's `urllib.robotparser`.
    pub const PYTHON: DialectSpec = python::SPEC;

    /// All built-in dialects, in the order of [`NAMES`].
    pub const BUILT_IN: [&'static DialectSpec; 8] = [
        &google::SPEC,
        &rfc9309::SPEC,
        &google_2019::SPEC,
        &google_legacy::SPEC,
        &baidu::SPEC,
        &baidu::TABLE_SPEC,
        &original_1994::SPEC,
        &python::SPEC,
    ];

    /// Returns the built-in dialect called `name`, which is compared byte by byte.
    pub fn named(name: &str) -> Option<DialectSpec> {
        let index = NAMES.iter().position(|&known| known == name)?;
        Some(Self::BUILT_IN[index].clone())
    }
}

/// Returns the built-in dialect called `name`, as [`DialectSpec::named`] does.
pub fn builtin(name: &str) -> Option<DialectSpec> {
    DialectSpec::named(name)
}

/// A set of built-in dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DialectSet(u8);

impl DialectSet {
    /// The set without members.
    pub const NONE: DialectSet = DialectSet(0);

    /// The set of all built-in dialects.
    pub const ALL: DialectSet = DialectSet(u8::MAX >> (u8::BITS as usize - NAMES.len()));

    /// Returns the set of the built-in dialects whose answers satisfy `accepts`.
    pub fn of(accepts: impl Fn(&DialectSpec) -> bool) -> DialectSet {
        let bits = DialectSpec::BUILT_IN
            .iter()
            .enumerate()
            .map(|(index, spec)| u8::from(accepts(spec)) << index);
        DialectSet(bits.sum())
    }

    /// Returns true if and only if the dialect called `name` is a member.
    pub fn contains(self, name: &str) -> bool {
        self.names().any(|member| member == name)
    }

    /// Returns the names of the members in the order of [`NAMES`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let is_member = move |&(index, _): &(usize, &str)| self.0 >> index & 1 == 1;
        NAMES
            .into_iter()
            .enumerate()
            .filter(is_member)
            .map(|(_, name)| name)
    }

    /// Returns true if and only if the set has no member.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_own_answers() {
        for (name, spec) in NAMES.into_iter().zip(DialectSpec::BUILT_IN) {
            assert_eq!(spec.name, name);
            assert_eq!(builtin(name).as_ref(), Some(spec));
        }
        assert_eq!(builtin("Google"), None);
        assert_eq!(REFERENCE, "google");
    }

    #[test]
    fn a_set_names_its_members() {
        let set = DialectSet::of(|spec| spec.byte_limit.is_none());
        let names: Vec<_> = set.names().collect();
        assert_eq!(names, ["baidu", "baidu-table", "original-1994", "python"]);
        assert!(set.contains("python") && !set.contains("google") && !set.contains(""));
        assert!(DialectSet::NONE.is_empty() && !set.is_empty());
        assert_eq!(DialectSet::ALL, DialectSet::of(|_| true));
    }
}
