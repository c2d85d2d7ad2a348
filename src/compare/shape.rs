//! The shape of lines and URLs: what is left of them when names and numbers do not count. Flips
//! that nothing explains are grouped by it.

use super::{found::Direction, side::CellAnswer};
use crate::digest::{hex, sha1_of_list};

/// The longest shape of a text, in bytes; what follows does not count.
const MAX_SHAPE: usize = 64;

/// Returns the fingerprint of a smallest example: twelve hexadecimal digits.
///
/// Examples that differ in names and numbers alone have one fingerprint.
pub(super) fn fingerprint(direction: Direction, body: &[u8], agent: &str, url: &str) -> String {
    let lines = body.split(|byte| matches!(byte, b'\r' | b'\n'));
    let lines: Vec<String> = lines.map(line_shape).collect();
    let others = [
        direction.as_str().to_owned(),
        shape(agent.as_bytes()),
        shape(path(url)),
    ];
    let texts = others.iter().chain(&lines).map(String::as_str);
    hex(&sha1_of_list(texts))[..12].to_owned()
}

/// Returns a number that flips have in common which are probably of one cause: their direction, the
/// shapes of the lines that decided, and the special characters of the path.
pub(super) fn rough(
    direction: Direction,
    body: &[u8],
    url: &str,
    baseline: &CellAnswer,
    candidate: &CellAnswer,
) -> u64 {
    let line = |answer: &CellAnswer| match answer.line {
        Some(number @ 1..) => {
            let mut lines = body.split(|byte| *byte == b'\n');
            lines
                .nth(number as usize - 1)
                .map_or_else(String::new, line_shape)
        }
        Some(0) => "none".to_owned(),
        None => String::new(),
    };
    let special: String = ["%", "?", "$", "*", "//", ";"]
        .into_iter()
        .filter(|special| url.get(8..).unwrap_or(url).contains(special))
        .collect();
    let texts = [
        direction.as_str().to_owned(),
        line(baseline),
        line(candidate),
        special,
    ];
    let digest = sha1_of_list(texts.iter().map(String::as_str));
    u64::from_le_bytes(digest[..8].try_into().unwrap_or_default())
}

/// Returns the path of an absolute URL, or all of another text.
fn path(url: &str) -> &[u8] {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let slash = rest.find('/').unwrap_or(0);
    &rest.as_bytes()[slash..]
}

/// Returns the shape of a line, whose key counts in lower case.
fn line_shape(line: &[u8]) -> String {
    match line.iter().position(|&byte| byte == b':') {
        Some(colon) if colon <= 16 => {
            let key = String::from_utf8_lossy(&line[..colon]).to_lowercase();
            format!("{}:{}", key.trim(), shape(line[colon + 1..].trim_ascii()))
        }
        _ => shape(line.trim_ascii()),
    }
}

/// Returns a text with each run of letters, digits and other bytes than ASCII as one letter.
fn shape(text: &[u8]) -> String {
    let mut shape = String::new();
    for &byte in text {
        let class = match byte {
            b'A'..=b'Z' | b'a'..=b'z' => 'a',
            b'0'..=b'9' => '0',
            0x80.. => 'u',
            other => char::from(other),
        };
        let repeats = shape.ends_with(class) && class.is_ascii_alphanumeric();
        if !repeats {
            shape.push(class);
        }
        if shape.len() >= MAX_SHAPE {
            break;
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &str, url: &str) -> String {
        let url = format!("https://example.com{url}");
        fingerprint(Direction::DisallowToAllow, body.as_bytes(), "Foo", &url)
    }

    #[test]
    fn names_and_numbers_do_not_count() {
        let one = of("User-agent: *\nDisallow: /shop/12", "/shop/1");
        assert_eq!(one, of("user-agent:*\nDisallow:/x/9", "/y/345"));
        assert_eq!(one.len(), 12);
    }

    #[test]
    fn special_characters_and_keys_count() {
        let one = of("User-agent: *\nDisallow: /a*b", "/ab");
        assert_ne!(one, of("User-agent: *\nDisallow: /ab", "/ab"));
        assert_ne!(one, of("User-agent: *\nAllow: /a*b", "/ab"));
        assert_ne!(one, of("User-agent: *\nDisallow: /a*b", "/a%62"));
    }
}
