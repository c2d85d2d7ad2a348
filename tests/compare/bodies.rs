//! Files that show what each answer of a dialect changes.

use std::collections::BTreeMap;

/// Returns the bodies: the short files, some that are not UTF-8, and some beyond the limits of
/// lines.
pub fn bodies() -> Vec<Vec<u8>> {
    let short = include_str!("../testdata/compare-bodies.toml");
    let mut short: BTreeMap<String, Vec<String>> = toml::from_str(short).unwrap();
    let short = short.remove("bodies").unwrap();
    let mut bodies: Vec<_> = short.into_iter().map(String::into_bytes).collect();
    bodies.push(b"\xEF\xBBUser-agent: *\nDisallow: /\n".to_vec());
    bodies.push(b"User-agent: *\nDisallow: /\xE4\n".to_vec());
    for length in [9_000, 17_000] {
        // The rule is behind the limit of a line.
        let blanks = " ".repeat(length);
        bodies.push(format!("User-agent: *\nDisallow:{blanks}/a\n").into_bytes());
    }
    bodies.push(rule_behind(9_000));
    bodies
}

/// Returns a file with a rule behind comments of this many bytes.
pub fn rule_behind(length: usize) -> Vec<u8> {
    let comments = "# a comment\n".repeat(length / 12);
    format!("User-agent: *\n{comments}Disallow: /a\n").into_bytes()
}
