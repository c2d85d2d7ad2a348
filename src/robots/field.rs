//! Names of fields.
//!
//! Enters: the key of a line. Leaves: the field that has exactly this name, letter case aside. No
//! misspelling is accepted here; tolerance belongs to a dialect.

use super::scan::{lower, short_word};

macro_rules! fields {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal $(| $alias:literal)*,)+) => {
        /// The fields that stand in robots.txt files: those of RFC 9309 sections 2.2.1 to 2.2.4,
        /// and the others that people write there.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Field {
            $($(#[$doc])+ $variant,)+
            /// Any other key, or none.
            Unknown,
        }

        impl Field {
            /// All fields but [`Field::Unknown`].
            pub const KNOWN: &[Field] = &[$(Field::$variant,)+];

            /// Returns the canonical name in lower case, or an empty string for
            /// [`Field::Unknown`].
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Field::$variant => $name,)+
                    Field::Unknown => "",
                }
            }

            /// Returns the field whose whole name, letter case aside, is `key`.
            pub fn from_key(key: &[u8]) -> Field {
                // The first eight bytes, compared as a number, tell most keys apart.
                let word = lower(key.first_chunk().map_or_else(
                    || short_word(key),
                    |&bytes| u64::from_le_bytes(bytes),
                ));
                $(if word == const { name_word($name) } && is_name(key, $name) {
                    return Field::$variant;
                })+
                $($(if word == const { name_word($alias) } && is_name(key, $alias) {
                    return Field::$variant;
                })*)+
                Field::Unknown
            }
        }
    };
}

fields! {
    /// Names a crawler and starts a group (RFC 9309 section 2.2.1).
    UserAgent = "user-agent",
    /// Forbids paths (RFC 9309 section 2.2.2).
    Disallow = "disallow",
    /// Permits paths (RFC 9309 section 2.2.2).
    Allow = "allow",
    /// Points to a sitemap and belongs to no group (sitemaps.org; RFC 9309 section 2.2.4).
    Sitemap = "sitemap",
    /// Asks for seconds between fetches.
    CrawlDelay = "crawl-delay",
    /// Asks for a rate, `n/t[s|m|h] [HHMM-HHMM]`.
    RequestRate = "request-rate",
    /// Asks for a time of day, `HHMM-HHMM`.
    VisitTime = "visit-time",
    /// Names parameters that do not change a page, `p0[&p1] [path]`.
    CleanParam = "clean-param",
    /// Names the preferred mirror.
    Host = "host",
    /// Asks that paths stay out of an index.
    Noindex = "noindex" | "no-index",
    /// Asks that links on paths are not followed.
    Nofollow = "nofollow",
    /// Asks that copies of paths are not shown.
    Noarchive = "noarchive",
    /// States uses, a list of `key=yes` or `key=no`.
    ContentSignal = "content-signal",
    /// States uses, `[path-pattern SP]` and an RFC 9651 dictionary (IETF AIPREF attach draft).
    ContentUsage = "content-usage",
    /// Points to a licence for the whole file (RSL 1.0).
    License = "license",
    /// Forbids training on paths.
    DisallowAiTraining = "disallowaitraining",
    /// Permits training on paths.
    AllowAiTraining = "allowaitraining",
    /// Points to a policy for language models.
    LlmPolicy = "llm-policy",
    /// Names the version of the 1996 extension that a record follows.
    RobotVersion = "robot-version",
    /// Holds text for people.
    Comment = "comment",
    /// Asks for a visit after so many days.
    RevisitAfter = "revisit-after",
    /// Names a host.
    Domain = "domain",
}

impl Field {
    /// Returns true if and only if the field has a name of its own.
    pub fn is_known(self) -> bool {
        self != Field::Unknown
    }
}

/// Returns the first eight bytes of a name in the form in which keys are compared.
const fn name_word(name: &str) -> u64 {
    let mut bytes = [0; 8];
    let mut index = 0;
    while index < name.len() && index < bytes.len() {
        bytes[index] = name.as_bytes()[index];
        index += 1;
    }
    u64::from_le_bytes(bytes)
}

/// Returns true if and only if `key`, whose first eight bytes are those of `name`, is all of it. A
/// NUL in a key looks like the end of a short name there, so the length is asked too.
fn is_name(key: &[u8], name: &str) -> bool {
    key.len() == name.len()
        && (key.len() <= 8 || key[8..].eq_ignore_ascii_case(&name.as_bytes()[8..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_field_in_any_case() {
        for &field in Field::KNOWN {
            assert_eq!(Field::from_key(field.as_str().as_bytes()), field);
            let upper = field.as_str().to_ascii_uppercase();
            assert_eq!(Field::from_key(upper.as_bytes()), field);
        }
        assert_eq!(Field::from_key(b"No-Index"), Field::Noindex);
    }

    #[test]
    fn nothing_but_a_whole_name_is_a_field() {
        for key in [
            &b""[..],
            b"allo",
            b"allowed",
            b"useragent",
            b" allow",
            b"allow\0",
            b"user-agenx",
        ] {
            assert_eq!(Field::from_key(key), Field::Unknown, "{key:?}");
        }
        assert!(!Field::Unknown.is_known());
    }
}
