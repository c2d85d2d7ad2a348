//! What flips that nothing explains have in common: the form of lines and URLs, without the names
//! and numbers in them.

use std::collections::{BTreeSet, HashMap};

use memchr::{memchr, memmem::find};

use super::{
    decider::Decider,
    example::{is_agent_line, lines},
    found::Direction,
    record::FlippingFile,
};
use crate::{
    digest::{hex, sha1_of_list},
    robots::dialect::Dialect,
};

/// The longest form of a line, in bytes; what follows does not count.
const MAX_FORM: usize = 256;
/// The longest key of a line, in bytes.
const MAX_KEY: usize = 24;

/// Returns the fingerprint of a smallest example and of what both sides answer around it: twelve
/// hexadecimal digits.
///
/// Examples that differ in names and numbers alone have one fingerprint. All else counts: blanks,
/// the case of keys, the ends of lines, which escapes there are, and whether a name is that of
/// another place, in the same case or in another one.
pub(super) fn fingerprint(
    direction: Direction,
    body: &[u8],
    agent: &str,
    url: &str,
    answers: &str,
) -> String {
    let (mut agents, mut paths) = (Names::default(), Names::default());
    let mut texts = vec![
        direction.as_str().to_owned(),
        answers.to_owned(),
        form(agent.as_bytes(), Some(&mut agents)),
        form(path(url), Some(&mut paths)),
    ];
    for line in lines(body) {
        let (key, value) = line.split_at(key_length(line));
        let names = if is_agent_line(key) {
            &mut agents
        } else {
            &mut paths
        };
        let key = String::from_utf8_lossy(key);
        texts.push(format!("{key}{}", form(value, Some(names))));
    }
    hex(&sha1_of_list(texts.iter().map(String::as_str)))[..12].to_owned()
}

/// Returns for each of the flips of these indexes a number that those have in common which are
/// probably of one cause: by the lines that the sides name, or else those that decide for
/// `readers`, the dialects that are most like them, or else the rule that the query is most like.
/// The decider has parsed the file.
pub(super) fn kinds_of_flips(
    decider: &mut Decider,
    file: &FlippingFile,
    readers: [&Dialect; 2],
    flips: &[usize],
) -> Vec<u64> {
    if flips.is_empty() {
        return Vec::new();
    }
    let written = Written::new(&file.body);
    let queries = file.queries.subset(flips.iter().copied());
    let decisions = readers.map(|dialect| decider.decisions(dialect, &file.body, &queries));
    let kinds = flips.iter().enumerate().map(|(number, &index)| {
        let flip = &file.flips[index];
        let line = |side: usize| {
            let named = flip.answers[side].line.filter(|&line| line > 0);
            named.or(decisions[side][number].rule_line).unwrap_or(0)
        };
        let (agent, url) = file.queries.get(index);
        match [line(0), line(1)] {
            // One side has a rule that its reader does not see.
            [0, 0] => {
                let special = special(url) + &unusual(url);
                written.kind(flip.direction(), special, &[written.rule_like(agent, url)])
            }
            lines => written.kind(flip.direction(), special(url), &lines),
        }
    });
    kinds.collect()
}

/// The lines of a file in which flips are to be told apart by the way in which they are written.
struct Written<'b> {
    lines: Vec<&'b [u8]>,
    /// The kinds of all lines that are not plain, for flips of which no line is known.
    all: String,
}

impl<'b> Written<'b> {
    fn new(body: &'b [u8]) -> Written<'b> {
        let lines: Vec<&[u8]> = lines(body).collect();
        let mut traits: Vec<String> = lines.iter().map(|line| traits(line)).collect();
        traits.sort_unstable();
        traits.dedup();
        Written {
            lines,
            all: traits.join(";"),
        }
    }

    /// Returns a number for the direction of a flip, the special characters of the path, and the
    /// forms of the lines that decide for one or the other reader, 0 for none: their blanks, the
    /// case of keys and the ends of lines too.
    fn kind(&self, direction: Option<Direction>, special: String, decided: &[u32]) -> u64 {
        let direction = direction.map_or("", Direction::as_str);
        let mut texts = vec![direction.to_owned(), special];
        for &number in decided {
            let Some(line) = (number as usize).checked_sub(1) else {
                texts.push(String::new());
                continue;
            };
            let before = self.lines.get(..line).unwrap_or_default().iter();
            let is_agent = |line: &&&[u8]| is_agent_line(&line[..key_length(line)]);
            let agent = before.rev().find(is_agent).copied();
            let both = [agent, self.lines.get(line).copied()].into_iter().flatten();
            texts.extend(both.map(|line| characters(&kind_of_line(line)) + &traits(line)));
        }
        if decided.iter().all(|&number| number == 0) {
            texts.push(self.all.clone());
        }
        let digest = sha1_of_list(texts.iter().map(String::as_str));
        u64::from_le_bytes(digest[..8].try_into().unwrap_or_default())
    }

    /// Returns the number of the rule whose value begins with most of the URL's path, of equal ones
    /// that in the group whose last user agent is most like this one; 0 where none is alike.
    fn rule_like(&self, agent: &str, url: &str) -> u32 {
        let path = without_slash(path(url));
        let agent = agent.to_ascii_lowercase();
        let mut likeness_of_agent = 0;
        let mut best = ((0, 0), 0);
        for (number, line) in (1..).zip(&self.lines) {
            let (key, value) = line.split_at(key_length(line));
            let value = &value[..value.len().min(MAX_FORM)];
            if is_agent_line(key) {
                likeness_of_agent = match find(&value.to_ascii_lowercase(), agent.as_bytes()) {
                    Some(_) => agent.len(),
                    None => usize::from(value.contains(&b'*')),
                };
            } else if is_rule(key) {
                let value = value.strip_prefix(b":").unwrap_or(value).trim_ascii();
                let pairs = without_slash(value).iter().zip(path);
                let same = pairs.take_while(|(one, other)| one.eq_ignore_ascii_case(other));
                let likeness = (same.count(), likeness_of_agent);
                if likeness > best.0 {
                    best = (likeness, number);
                }
            }
        }
        best.1
    }
}

/// Returns the special characters of a URL's path, or that it has none.
pub(super) fn special(url: &str) -> String {
    let path = url.get(8..).unwrap_or(url);
    if !path.contains('/') {
        return "none".to_owned();
    }
    let special = ["%", "?", "$", "*", "//", ";"].into_iter();
    special.filter(|special| path.contains(special)).collect()
}

/// Returns the characters of a URL's path that few paths have, each once; of one without a name the
/// slash.
fn unusual(url: &str) -> String {
    let path = String::from_utf8_lossy(path(url));
    if path == "/" {
        return path.into_owned();
    }
    let unusual = path
        .chars()
        .filter(|c| !c.is_ascii_alphanumeric() && !"-._/".contains(*c));
    let distinct: BTreeSet<char> = unusual
        .map(|c| if c.is_ascii() { c } else { 'u' })
        .collect();
    distinct.into_iter().collect()
}

/// Returns the path of an absolute URL, or all of another text.
fn path(url: &str) -> &[u8] {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let slash = rest.find('/').unwrap_or(0);
    &rest.as_bytes()[slash..]
}

fn without_slash(path: &[u8]) -> &[u8] {
    path.strip_prefix(b"/").unwrap_or(path)
}

/// Returns true if and only if a key may be that of a rule.
fn is_rule(key: &[u8]) -> bool {
    let start = key.trim_ascii_start().get(..3).unwrap_or_default();
    start.eq_ignore_ascii_case(b"all") || start.eq_ignore_ascii_case(b"dis")
}

/// Returns where the key of a line ends: at its colon, or without one behind its first word if that
/// begins as the name of a field does; 0 where it has none.
fn key_length(line: &[u8]) -> usize {
    let most = &line[..line.len().min(MAX_KEY)];
    if let Some(colon) = most.iter().position(|&byte| byte == b':') {
        return colon;
    }
    let blanks = most.len() - most.trim_ascii_start().len();
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b'-';
    let word = blanks + most[blanks..].iter().take_while(is_letter).count();
    let name = most[blanks..word].to_ascii_lowercase();
    let is_field = [&b"user"[..], b"allow", b"dis", b"sitemap", b"crawl"]
        .iter()
        .any(|field| name.starts_with(field));
    if is_field { word } else { 0 }
}

/// Returns the kind of a line: its key in lower case, and the form of its value without the names
/// in it.
fn kind_of_line(line: &[u8]) -> String {
    let (key, value) = line.split_at(key_length(line));
    let key = key.trim_ascii().to_ascii_lowercase();
    let value = form(value.trim_ascii(), None);
    format!("{}{value}", String::from_utf8_lossy(&key))
}

/// Returns the characters of a text, each once, and the last of them.
fn characters(text: &str) -> String {
    let distinct: BTreeSet<char> = text.chars().collect();
    distinct.into_iter().chain(text.chars().last()).collect()
}

/// What a line is like, whatever the names and numbers in it.
pub(super) struct LineShape {
    /// Its key in lower case and the form of its value.
    pub kind: String,
    /// The same key, and how the line is written.
    pub field: String,
}

/// Returns the shapes of the lines of a body, without their comments.
pub(super) fn shapes(body: &[u8]) -> Vec<LineShape> {
    let shapes = lines(body).map(|line| {
        let (text, comment) = line.split_at(memchr(b'#', line).unwrap_or(line.len()));
        let key = text[..key_length(text)].trim_ascii().to_ascii_lowercase();
        let key = String::from_utf8_lossy(&key);
        let comment = if comment.starts_with(b"#") {
            " comment"
        } else {
            ""
        };
        LineShape {
            field: format!("{key} {}{comment}", traits(line)),
            kind: kind_of_line(text),
        }
    });
    shapes.collect()
}

/// Returns what is particular in the way a line is written.
fn traits(line: &[u8]) -> String {
    let text = line.trim_ascii_end();
    let key = &text[..key_length(text)];
    let name = key.trim_ascii();
    let is_lower = !name.iter().any(u8::is_ascii_uppercase);
    let is_after = |at: usize| at == 0 || !name[at - 1].is_ascii_alphabetic();
    let starts = |(at, byte): (usize, &u8)| !byte.is_ascii_uppercase() || is_after(at);
    let mut traits = String::from(match name.iter().enumerate().all(starts) {
        _ if is_lower => "lower",
        true => "starts",
        false => "other",
    });
    if text.first().is_some_and(u8::is_ascii_whitespace) {
        traits.push_str(" indented");
    }
    if key.last().is_some_and(u8::is_ascii_whitespace) {
        traits.push_str(" blank before colon");
    }
    if line.ends_with(b"\r") {
        traits.push_str(" CR");
    }
    if line.ends_with(b"\r\n") {
        traits.push_str(" CR LF");
    }
    traits
}

/// The names that have been met in a text, each a run of letters, which count by their order.
#[derive(Default)]
struct Names {
    /// The number of a name by its lower case, and as it was written first.
    numbers: HashMap<Vec<u8>, (usize, Vec<u8>)>,
}

impl Names {
    fn push(&mut self, name: &[u8], out: &mut String) {
        let next = self.numbers.len();
        let known = self.numbers.entry(name.to_ascii_lowercase());
        let (number, first) = known.or_insert_with(|| (next, name.to_vec()));
        out.push_str(&format!("a{number}"));
        if first != name {
            out.push('\'');
        }
    }
}

/// Returns a text with each run of letters as a name, each run of digits as one, each escape as its
/// kind, and each run of a blank or another byte as two of it at most. Without `names` each name
/// counts as any other.
fn form(text: &[u8], mut names: Option<&mut Names>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(&first) = rest.first()
        && out.len() < MAX_FORM
    {
        let run = |is_in: fn(&u8) -> bool| rest.iter().take_while(|byte| is_in(byte)).count();
        let n = match first {
            b'A'..=b'Z' | b'a'..=b'z' => {
                let n = run(u8::is_ascii_alphabetic);
                match &mut names {
                    Some(names) => names.push(&rest[..n], &mut out),
                    None => out.push('a'),
                }
                n
            }
            b'0'..=b'9' => {
                out.push('0');
                run(u8::is_ascii_digit)
            }
            0x80.. => {
                out.push('u');
                run(|byte| !byte.is_ascii())
            }
            b'%' => push_escape_form(rest, &mut out),
            other => {
                let n = rest.iter().take_while(|&&byte| byte == other).count();
                (0..n.min(2)).for_each(|_| out.push(char::from(other)));
                n
            }
        };
        rest = &rest[n..];
    }
    out
}

/// Appends the kind of the escape that a text begins with, and returns its length: which reserved
/// byte it is, or that it is a letter, a digit or another byte; and whether its own letters are
/// small.
fn push_escape_form(text: &[u8], out: &mut String) -> usize {
    let digits = text.get(1..3).and_then(|hex| std::str::from_utf8(hex).ok());
    let value = digits.and_then(|hex| Some((hex, u8::from_str_radix(hex, 16).ok()?)));
    let Some((hex, value)) = value else {
        out.push('%');
        return 1;
    };
    match value {
        _ if value.is_ascii_alphanumeric() => out.push_str("%l"),
        0x80.. => out.push_str("%u"),
        _ => out.push_str(&format!("%{value:02X}")),
    }
    if hex.bytes().any(|byte| byte.is_ascii_lowercase()) {
        out.push('\'');
    }
    3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &str, url: &str) -> String {
        let url = format!("https://example.com{url}");
        fingerprint(Direction::DisallowToAllow, body.as_bytes(), "Foo", &url, "")
    }

    #[test]
    fn names_and_numbers_do_not_count() {
        let one = of("User-agent:*\nDisallow:/shop/12", "/shop/1");
        assert_eq!(one, of("User-agent:*\nDisallow:/x/9", "/x/345"));
        assert_eq!(one.len(), 12);
        let escaped = of("User-agent:*\nDisallow:/%61", "/a");
        assert_eq!(escaped, of("User-agent:*\nDisallow:/%62", "/b"));
        let named = |name: &str| {
            let body = format!("User-agent:{name}\nDisallow:/");
            let direction = Direction::DisallowToAllow;
            fingerprint(direction, body.as_bytes(), name, "https://example.com/", "")
        };
        assert_eq!(named("GPTBot"), named("Foo"));
    }

    #[test]
    fn all_else_counts() {
        let bodies = [
            "User-agent:*\nDisallow:/a",
            "User-agent:*\nAllow:/a",
            "User-agent:*\nDisallow:/a*b",
            "User-agent:*\rDisallow:/a",
            "User-agent:*\r\nDisallow:/a",
            " User-agent:*\nDisallow:/a",
            "User-agent:*\n Disallow:/a",
            "User-agent :*\nDisallow:/a",
            "User-agent:*\nDisallow :/a",
            "User-agent:*\nDisallow: /a",
            "User-agent:*\nDisallow:\t/a",
            "User-agent:*\nDisallow:/a ",
            "user-agent:*\nDisallow:/a",
            "User-agent:*\ndisallow:/a",
            "User-agent:*\nDISALLOW:/a",
            "User-agent:*\nDisallow /a",
            "User-agent:*\nDisallow:/A",
            "User-agent:*\nDisallow:/b",
            "User-agent:*\nDisallow:/%61",
            "User-agent:*\nDisallow:/%2F",
            "User-agent:*\nDisallow:/%2f",
            "User-agent:*\nDisallow:/\u{e4}",
            "User-agent:Foo\nDisallow:/a",
            "User-agent:foo\nDisallow:/a",
            "User-agent:bar\nDisallow:/a",
        ];
        let mut found: HashMap<String, &str> = HashMap::new();
        for body in bodies {
            let earlier = found.insert(of(body, "/a"), body);
            assert_eq!(earlier, None, "{body:?}");
        }
        assert_ne!(of(bodies[0], "/a"), of(bodies[0], "/a%62"));
        assert_ne!(of(bodies[0], "/a"), of(bodies[0], "/ab"));
    }

    #[test]
    fn kinds_of_flips_are_told_apart_by_how_lines_are_written() {
        let kind = |body: &str, decided: &[u32]| {
            let written = Written::new(body.as_bytes());
            let direction = Some(Direction::DisallowToAllow);
            written.kind(direction, String::new(), decided)
        };
        let bodies = [
            "User-agent: *\nDisallow: /a\n",
            "User-agent: *\rDisallow: /a\r",
            " User-agent: *\nDisallow: /a\n",
            "User-agent : *\nDisallow: /a\n",
            "USER-AGENT: *\nDisallow: /a\n",
        ];
        for decided in [2, 0] {
            let kinds = bodies.map(|body| kind(body, &[decided]));
            let distinct: std::collections::HashSet<_> = kinds.iter().collect();
            assert_eq!(distinct.len(), bodies.len(), "line {decided}: {kinds:?}");
            assert_eq!(kinds[0], kind("User-agent: *\nDisallow: /b\n", &[decided]));
        }
        assert_eq!(special("https://example.com/"), "");
        assert_eq!(special("https://example.com"), "none");
        assert_eq!(unusual("https://example.com/"), "/");
        assert_eq!(unusual("https://example.com/a.b-0/<é{é<"), "<u{");
    }

    #[test]
    fn a_query_is_like_the_rule_that_it_is_made_of() {
        let body = "User-agent: *\nSitemap: /a/bc\nDisallow: /a\n\nUser-agent: Foo Bar\n\
                    Disallow: /A/b*.php$\n\nUser-agent: Bar/\nDisallow:a/b\nAllow:\n";
        let written = Written::new(body.as_bytes());
        for (agent, path, number) in [
            ("x", "/a/bx.php", 6),
            ("x", "/a/b", 6),
            ("bar/", "/a/b", 9),
            ("x", "/a", 3),
            ("x", "/", 3),
            ("foo", "/", 6),
            ("x", "", 3),
        ] {
            let url = format!("https://example.com{path}");
            assert_eq!(written.rule_like(agent, &url), number, "{agent} {path}");
        }
        let without = Written::new(b"User-agent: a\nDisallow: /b\n");
        assert_eq!(without.rule_like("x", "https://example.com/"), 0);
    }
}
