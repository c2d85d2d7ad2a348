//! The registered domain of a host name.
//!
//! What enters is a name in ASCII and lower case, what leaves is the part of it that somebody
//! registered. This file refuses to know addresses.

use psl::Type;

/// Returns the label in front of the public suffix, together with the suffix.
///
/// Only suffixes of the ICANN section of the public suffix list count, because cc-index fills
/// `url_host_registered_domain` so and keeps the private section for columns of its own. A name
/// under a suffix that the list does not know has none.
pub(super) fn registered_domain(name: &str) -> Option<&str> {
    let suffix_len = icann_suffix(name)?.len();
    let before = name[..name.len() - suffix_len].strip_suffix('.')?;
    let label = before
        .rsplit('.')
        .next()
        .filter(|label| !label.is_empty())?;
    Some(&name[before.len() - label.len()..])
}

/// Returns the longest suffix that the ICANN section lists.
///
/// The list is asked for the longest suffix of both sections. If that is a private one, the ICANN
/// suffix is shorter by at least a label, and the question is asked again of what remains.
fn icann_suffix(name: &str) -> Option<&str> {
    let mut rest = name;
    loop {
        let suffix = psl::suffix(rest.as_bytes())?;
        let text = &rest[rest.len() - suffix.as_bytes().len()..];
        match suffix.typ()? {
            Type::Icann => return Some(text),
            Type::Private => rest = text.split_once('.')?.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! domain {
        ($name:ident, $host:expr, $want:expr) => {
            #[test]
            fn $name() {
                assert_eq!(registered_domain($host), $want);
            }
        };
    }

    domain!(simple_suffix, "www.example.com", Some("example.com"));
    domain!(the_domain_itself, "example.com", Some("example.com"));
    domain!(
        suffix_of_two_labels,
        "a.b.example.co.uk",
        Some("example.co.uk")
    );
    domain!(wildcard_rule, "a.b.c.ck", Some("b.c.ck"));
    domain!(exception_rule, "a.www.ck", Some("www.ck"));
    domain!(
        private_suffix_does_not_count,
        "a.example.github.io",
        Some("github.io")
    );
    domain!(
        deep_private_suffix,
        "b.s3.dualstack.us-east-1.amazonaws.com",
        Some("amazonaws.com")
    );
    domain!(private_suffix_itself, "github.io", Some("github.io"));
    domain!(
        punycode_suffix,
        "a.example.xn--p1ai",
        Some("example.xn--p1ai")
    );
    domain!(suffix_alone, "co.uk", None);
    domain!(tld_alone, "com", None);
    domain!(unknown_tld, "a.example.notatld", None);
    domain!(single_label, "localhost", None);
    domain!(number, "1.2.3.256", None);
    domain!(empty_label, ".com", None);
    domain!(empty, "", None);
}
