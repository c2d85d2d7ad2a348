//! Numbers, and text of robots.txt files, as a reader sees them. The templates escape them for
//! HTML.

use crate::share;
pub use crate::share::thousands as count;

/// Returns a clause as a sentence.
pub fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars.clone()).chain(['.']).collect()
}

/// Returns `n` as a share of `whole`, in percent, by the rule of [`share::share`], with no-break
/// spaces.
pub fn share(n: u64, whole: u64) -> String {
    unbroken(&share::share(n, whole))
}

/// Returns a rounded share from 0 to 1 in percent, by the same rule; a query rounds to 6 decimals,
/// and only nothing is 0 there and only all is 1.
pub fn rounded_share(share: f64) -> String {
    const PARTS: f64 = 1_000_000.0;
    let parts = (share.clamp(0.0, 1.0) * PARTS).round();
    unbroken(&share::share(parts as u64, PARTS as u64))
}

fn unbroken(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// Returns `n` of `whole` hosts with their share.
pub fn hosts(n: u64, whole: u64) -> String {
    part(n, whole, "hosts")
}

/// Returns `n` of `whole` registered domains with their share.
pub fn domains(n: u64, whole: u64) -> String {
    part(n, whole, "registered domains")
}

fn part(n: u64, whole: u64, what: &str) -> String {
    let (of, share) = (count(whole), share(n, whole));
    format!("{} of {of} {what} ({share})", count(n))
}

/// Returns crawls, given their names separated by commas; of many the first, the last and how many.
pub fn crawls(names: &str) -> String {
    const MOST: usize = 8;
    match names.split(", ").collect::<Vec<_>>()[..] {
        [first, .., last] if names.matches(", ").count() >= MOST => {
            let n = names.matches(", ").count() + 1;
            plain(&format!("{n} crawls, {first} to {last}"))
        }
        _ => plain(names),
    }
}

/// Returns a number of bytes in the unit that suits it.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = usize::from(unit > 0 && value.fract() != 0.0);
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// Returns text of a file with U+FFFD in place of control characters and of those that change the
/// direction of text.
pub fn plain(text: &str) -> String {
    let is_control = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    text.replace(is_control, "\u{fffd}")
}

/// Returns text of a file as a label of at most `most` characters, with an ellipsis for the rest.
pub fn label(text: &str, most: usize) -> String {
    let text = plain(text);
    if text.chars().count() <= most {
        return text;
    }
    let begin: String = text.chars().take(most - 1).collect();
    format!("{}\u{2026}", begin.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 999, 1000, 12_345, 1_234_567].map(count);
        assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn a_share_has_the_form_of_the_summary_and_no_break() {
        assert_eq!(share(9_997, 10_000), ">\u{a0}99.9\u{a0}%");
        assert_eq!(share(0, 0), "-");
        assert_eq!(hosts(1, 4), "1 of 4 hosts (25.0\u{a0}%)");
        let rounded = [0.0, 0.000001, 0.1291, 0.828475, 0.999999, 1.0].map(rounded_share);
        let wanted = ["0 %", "< 0.1 %", "12.9 %", "82.8 %", "> 99.9 %", "100 %"].map(unbroken);
        assert_eq!(rounded, wanted);
    }

    #[test]
    fn bytes_are_powers_of_1024() {
        assert_eq!(
            [0, 1023, 1024, 1536, 512_000].map(bytes),
            ["0 B", "1023 B", "1 KiB", "1.5 KiB", "500 KiB"]
        );
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(
            plain("a\u{1b}[31m\u{202e}b\0\n"),
            "a\u{fffd}[31m\u{fffd}b\u{fffd}\u{fffd}"
        );
        assert_eq!(plain("h\u{f6}st <b>"), "h\u{f6}st <b>");
    }

    #[test]
    fn a_long_label_ends_with_an_ellipsis() {
        assert_eq!(label("0123456789", 10), "0123456789");
        assert_eq!(label("0123 456789", 6), "0123\u{2026}");
    }
}
