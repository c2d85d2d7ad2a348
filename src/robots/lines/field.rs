//! Names of fields, compared exactly in any letter case. Misspellings are tolerated by dialects
//! only.

use super::scan::{first_word, lower};

macro_rules! fields {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal $(| $alias:literal)*,)+) => {
        /// The fields of robots.txt files: those of RFC 9309 sections 2.2.1 to 2.2.4,
        /// and others in common use.
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

            /// Returns the field whose whole name is `key`, in any letter case.
            pub fn from_key(key: &[u8]) -> Field {
                // The first eight bytes, compared as a number, distinguish most keys.
                let word = lower(first_word(key));
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
    /// Disallows paths (RFC 9309 section 2.2.2).
    Disallow = "disallow",
    /// Allows paths (RFC 9309 section 2.2.2).
    Allow = "allow",
    /// Points to a sitemap and belongs to no group (sitemaps.org; RFC 9309 section 2.2.4).
    Sitemap = "sitemap",
    /// Requests a number of seconds between fetches.
    CrawlDelay = "crawl-delay",
    /// Requests a rate, `n/t[s|m|h] [HHMM-HHMM]`.
    RequestRate = "request-rate",
    /// Requests a time of day, `HHMM-HHMM`.
    VisitTime = "visit-time",
    /// Names parameters that do not change a page, `p0[&p1] [path]`.
    CleanParam = "clean-param",
    /// Names the preferred mirror.
    Host = "host",
    /// Requests that paths are not indexed.
    Noindex = "noindex" | "no-index",
    /// Requests that links on paths are not followed.
    Nofollow = "nofollow",
    /// Requests that copies of paths are not shown.
    Noarchive = "noarchive",
    /// States uses, a list of `key=yes` or `key=no`.
    ContentSignal = "content-signal",
    /// States uses, `[path-pattern SP]` and an RFC 9651 dictionary (IETF AIPREF attach draft).
    ContentUsage = "content-usage",
    /// Points to a license for the whole file (RSL 1.0).
    License = "license",
    /// Disallows training on paths.
    DisallowAiTraining = "disallowaitraining",
    /// Allows training on paths.
    AllowAiTraining = "allowaitraining",
    /// Points to a policy for language models.
    LlmPolicy = "llm-policy",
    /// Names the version of the 1996 extension that a record follows.
    RobotVersion = "robot-version",
    /// Contains text for people.
    Comment = "comment",
    /// Requests a visit after a number of days.
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
/// NUL in a key looks like the end of a short name there, so the length is compared too.
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
