//! The registered domain of a host name in ASCII and lower case.

use psl::Type;

/// Returns the label before the public suffix, with the suffix.
///
/// Only suffixes of the ICANN section of the public suffix list count, as in the column
/// `url_host_registered_domain` of cc-index, which has other columns for the private section. A
/// name under no listed suffix has none.
pub(super) fn registered_domain(name: &str) -> Option<&str> {
    let suffix_len = icann_suffix(name)?.len();
    let before = name[..name.len() - suffix_len].strip_suffix('.')?;
    let label = before
        .rsplit('.')
        .next()
        .filter(|label| !label.is_empty())?;
    Some(&name[before.len() - label.len()..])
}

/// Returns the longest suffix of the ICANN section.
///
/// A look-up returns the longest suffix of both sections. If that is a private one, the ICANN
/// suffix is shorter by at least one label, and the rest is looked up again.
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
        ($($name:ident, $host:expr, $want:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(registered_domain($host), $want);
                }
            )+
        };
    }

    domain! {
        simple_suffix, "www.example.com", Some("example.com");
        the_domain_itself, "example.com", Some("example.com");
        suffix_of_two_labels, "a.b.example.co.uk", Some("example.co.uk");
        wildcard_rule, "a.b.c.ck", Some("b.c.ck");
        exception_rule, "a.www.ck", Some("www.ck");
        private_suffix_does_not_count, "a.example.github.io", Some("github.io");
        deep_private_suffix, "b.s3.dualstack.us-east-1.amazonaws.com", Some("amazonaws.com");
        private_suffix_itself, "github.io", Some("github.io");
        punycode_suffix, "a.example.xn--p1ai", Some("example.xn--p1ai");
        suffix_alone, "co.uk", None;
        tld_alone, "com", None;
        unknown_tld, "a.example.notatld", None;
        single_label, "localhost", None;
        number, "1.2.3.256", None;
        empty_label, ".com", None;
        empty, "", None;
    }
}
