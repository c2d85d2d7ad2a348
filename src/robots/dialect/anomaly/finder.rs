//! The finder of anomalies.
//!
//! Three rules bound the list:
//! - Invalid UTF-8, NUL bytes, byte order marks inside and lone carriage returns are reported once
//!   for a file, at the first occurrence and with their number.
//! - Blank lines inside a group are reported once for the group, at the first.
//! - Of each code of a line at most [`MAX_PER_CODE`] are reported; the last counts the rest.
//!
//! In a body that is not text (an HTML page, an image), only the lines are examined that the
//! reference dialect interprets as user-agent line, rule or known field.

use memchr::{memchr_iter, memmem};

use super::{code::AnomalyCode, finding::Anomaly, group, line};
use crate::robots::{
    dialect::{
        builtin::{DialectSet, google, google_legacy},
        definition::{ByteOrderMark, Dialect, TextModel},
        ruleset::RuleSet,
    },
    lines::{
        BYTE_ORDER_MARK, BodyKind, Line, LineEnding, MAX_BODY_LEN, MAX_LINES, RobotsTxt, Span,
        Terminator,
    },
};

/// The most anomalies of one code that are listed for one file.
pub const MAX_PER_CODE: usize = 1_000;

/// Finds anomalies; reuses its memory from file to file.
#[derive(Clone, Debug, Default)]
pub struct AnomalyFinder {
    order: Vec<u64>,
    last_of_code: Vec<(usize, u32)>,
}

impl AnomalyFinder {
    /// Returns a finder.
    pub fn new() -> AnomalyFinder {
        AnomalyFinder::default()
    }

    /// Replaces the content of `anomalies` by the findings about `body`, in the order of its lines;
    /// those about the whole file come first.
    ///
    /// `robots` must be the line model of `body`, and `reference` its rules under the dialect
    /// `google`. Costs a sort of the rules and a pass over the lines.
    pub fn find(
        &mut self,
        body: &[u8],
        robots: &RobotsTxt,
        reference: &RuleSet,
        anomalies: &mut Vec<Anomaly>,
    ) {
        anomalies.clear();
        find_kind(body, robots, anomalies);
        find_marks(body, robots, anomalies);
        // In what is not text, no byte is unusual.
        if matches!(
            robots.kind(),
            BodyKind::Text | BodyKind::Html | BodyKind::Xml
        ) {
            find_octets(body, robots, anomalies);
            find_lone_returns(robots, anomalies);
        }
        find_excess(body, anomalies);
        find_further_lines(body, robots, anomalies);
        if robots.kind() == BodyKind::Text {
            group::find(body, robots, reference, anomalies);
        }
        line::find(&mut self.order, body, robots, reference, anomalies);
        anomalies.sort_by_key(|anomaly| (anomaly.line, anomaly.code));
        self.cap(anomalies);
    }

    /// Drops the anomalies beyond [`MAX_PER_CODE`] and adds their number to the last of their code.
    fn cap(&mut self, anomalies: &mut Vec<Anomaly>) {
        if anomalies.len() <= MAX_PER_CODE {
            return;
        }
        // For each code: the index of its last listed anomaly, and the number found.
        let seen = &mut self.last_of_code;
        seen.clear();
        seen.resize(AnomalyCode::ALL.len(), (0, 0));
        let mut n_listed = 0;
        for index in 0..anomalies.len() {
            let anomaly = anomalies[index];
            let (last, count) = &mut seen[anomaly.code as usize];
            *count += 1;
            if *count as usize > MAX_PER_CODE {
                anomalies[*last].count += anomaly.count;
            } else {
                *last = n_listed;
                anomalies[n_listed] = anomaly;
                n_listed += 1;
            }
        }
        anomalies.truncate(n_listed);
    }
}

fn find_kind(body: &[u8], robots: &RobotsTxt, anomalies: &mut Vec<Anomaly>) {
    let code = match robots.kind() {
        BodyKind::Text => return,
        BodyKind::Html => AnomalyCode::HtmlBody,
        BodyKind::Xml => AnomalyCode::XmlBody,
        BodyKind::Gzip => AnomalyCode::GzipBody,
        BodyKind::Image => AnomalyCode::ImageBody,
        BodyKind::Pdf => AnomalyCode::PdfBody,
        BodyKind::Utf16Le | BodyKind::Utf16Be => AnomalyCode::Utf16,
    };
    anomalies.push(Anomaly::new(
        code,
        None,
        Span::from_indexes(0..body.len().min(200)),
    ));
}

fn find_marks(body: &[u8], robots: &RobotsTxt, anomalies: &mut Vec<Anomaly>) {
    if robots.is_ascii() {
        return;
    }
    let mark = |start: usize| Span::from_indexes(start..start + BYTE_ORDER_MARK.len());
    let mut from = 0;
    if robots.has_bom() {
        let skips = |dialect: &Dialect| dialect.byte_order_mark != ByteOrderMark::Retained;
        let anomaly = Anomaly::new(AnomalyCode::ByteOrderMark, None, mark(0));
        anomalies.push(anomaly.accepted_where(skips));
        from = BYTE_ORDER_MARK.len();
        if body[from..].starts_with(BYTE_ORDER_MARK) {
            let code = AnomalyCode::RepeatedByteOrderMark;
            anomalies.push(Anomaly::new(code, 1, mark(from)));
            from += BYTE_ORDER_MARK.len();
        }
    }
    let inside = memmem::find_iter(&body[from..], BYTE_ORDER_MARK).map(|at| from + at);
    let code = AnomalyCode::ByteOrderMarkInside;
    anomalies.extend(first_of(code, robots, BYTE_ORDER_MARK.len(), inside));
}

fn find_octets(body: &[u8], robots: &RobotsTxt, anomalies: &mut Vec<Anomaly>) {
    // Most bodies are valid, which is tested much faster than their chunks are found.
    if !robots.is_ascii()
        && let Err(error) = std::str::from_utf8(body)
    {
        let start = error.valid_up_to();
        let len = error.error_len().unwrap_or(body.len() - start);
        let chunks = body[start..].utf8_chunks();
        let faults = chunks.filter(|chunk| !chunk.invalid().is_empty());
        // Of further faults only the number counts.
        let found = first_of(AnomalyCode::InvalidUtf8, robots, len, faults.map(|_| start));
        let reads = |dialect: &Dialect| dialect.text != TextModel::PythonStr;
        anomalies.extend(found.map(|anomaly| anomaly.accepted_where(reads)));
    }
    if robots.has_nul() {
        let found = first_of(AnomalyCode::NulByte, robots, 1, memchr_iter(0, body));
        let reads = |dialect: &Dialect| dialect.text != TextModel::OctetsToNul;
        anomalies.extend(found.map(|anomaly| anomaly.accepted_where(reads)));
    }
}

fn find_lone_returns(robots: &RobotsTxt, anomalies: &mut Vec<Anomaly>) {
    if !matches!(robots.line_ending(), LineEnding::Cr | LineEnding::Mixed) {
        return;
    }
    let lines = robots.lines().iter();
    let lone = lines.filter(|line| line.terminator == Terminator::Cr);
    let offsets = lone.map(|line| line.text.end as usize);
    let found = first_of(AnomalyCode::CrLineEnds, robots, 1, offsets);
    anomalies.extend(found.map(|anomaly| anomaly.accepted_by(DialectSet::ALL)));
}

/// Returns the finding about the first of some texts, whose length is `len`, with the number of
/// all.
fn first_of(
    code: AnomalyCode,
    robots: &RobotsTxt,
    len: usize,
    mut offsets: impl Iterator<Item = usize>,
) -> Option<Anomaly> {
    let first = offsets.next()?;
    let span = Span::from_indexes(first..first + len);
    let count = 1 + offsets.count() as u32;
    let anomaly = Anomaly::new(code, line_of(robots, first), span);
    Some(Anomaly { count, ..anomaly })
}

/// Reports a body that exceeds the byte limit of some dialect. The span begins at the lowest limit.
fn find_excess(body: &[u8], anomalies: &mut Vec<Anomaly>) {
    let least = google_legacy::BYTE_LIMIT.min(google::BYTE_LIMIT) as usize;
    if body.len() > least {
        let span = Span::from_indexes(least..body.len().min(u32::MAX as usize));
        let anomaly = Anomaly::new(AnomalyCode::BeyondSizeLimit, None, span);
        let reads_to = |limit: u32| body.len() <= limit as usize;
        anomalies.push(anomaly.accepted_where(|dialect| dialect.byte_limit.is_none_or(reads_to)));
    }
}

/// Reports a body that has more lines than are parsed.
fn find_further_lines(body: &[u8], robots: &RobotsTxt, anomalies: &mut Vec<Anomaly>) {
    let parsed = robots.parsed_len() as usize;
    if robots.line_count() as usize > MAX_LINES {
        let span = Span::from_indexes(parsed..body.len().min(MAX_BODY_LEN));
        anomalies.push(Anomaly::new(AnomalyCode::TooManyLines, None, span));
    }
}

/// Returns the number of the line that contains the byte at `offset`; `None` beyond the lines that
/// are parsed.
fn line_of(robots: &RobotsTxt, offset: usize) -> Option<u32> {
    let starts_before = |line: &Line| line.text.start as usize <= offset;
    (offset < robots.parsed_len() as usize)
        .then(|| robots.lines().partition_point(starts_before) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        robots::{
            dialect::testing::{compile, text},
            lines::parse,
        },
        sample::random::Random,
    };

    fn find(body: &[u8]) -> Vec<Anomaly> {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        let rules = compile("google", body);
        let mut anomalies = Vec::new();
        AnomalyFinder::new().find(body, &robots, &rules, &mut anomalies);
        for anomaly in &anomalies {
            assert!(anomaly.span.start <= anomaly.span.end, "{anomaly:?}");
            assert!(anomaly.span.end as usize <= body.len(), "{anomaly:?}");
            let count = robots.lines().len() as u32;
            assert!(
                anomaly.line.is_none_or(|line| (1..=count).contains(&line)),
                "{anomaly:?}"
            );
        }
        anomalies
    }

    fn codes(body: &[u8]) -> Vec<(&'static str, Option<u32>)> {
        find(body)
            .iter()
            .map(|anomaly| (anomaly.code.as_str(), anomaly.line))
            .collect()
    }

    #[test]
    fn every_example_shows_its_code() {
        for &code in AnomalyCode::ALL {
            let found = match code {
                AnomalyCode::BeyondSizeLimit => find(&b"#".repeat(500_001)),
                AnomalyCode::TooManyLines => find(&b"\n".repeat(MAX_LINES + 1)),
                _ => find(code.example()),
            };
            assert!(
                found.iter().any(|anomaly| anomaly.code == code),
                "{code:?}: {found:?}"
            );
        }
    }

    #[test]
    fn an_example_shows_little_else() {
        for &code in AnomalyCode::ALL {
            let found = find(code.example());
            assert!(found.len() <= 2, "{code:?}: {found:?}");
        }
    }

    #[test]
    fn an_ordinary_file_has_none() {
        let body = "# hello\nUser-agent: Googlebot\nUser-agent: bingbot\nAllow: /a/%C3%A9*$\n\
            Disallow: /\n\nUser-agent: *\nCrawl-delay: 1.5\nDisallow:\nContent-Signal: search=yes\n\
            Sitemap: https://example.com/sitemap.xml\r\n";
        assert_eq!(codes(body.as_bytes()), []);
        assert_eq!(codes(b""), []);
    }

    #[test]
    fn a_page_is_one_anomaly() {
        let page = ["<html>", &"<p>a: b</p>\nx y\n".repeat(5_000), "</html>"].concat();
        assert_eq!(codes(page.as_bytes()), [("html_body", None)]);
        let with_rule = [&page, "\nDisallow: x\n"].concat();
        let line = Some(10_002);
        assert_eq!(
            codes(with_rule.as_bytes()),
            [
                ("html_body", None),
                ("rule_before_user_agent", line),
                ("path_without_slash", line)
            ]
        );
    }

    #[test]
    fn a_comment_inside_a_word_cuts_a_path() {
        let cut = Some(2);
        for (rule, is_cut) in [
            ("Disallow: /a#b", true),
            ("Allow: /x/#/?*", true),
            ("Disallow: /a # b", false),
            ("Disallow: /a# b", false),
            ("Disallow: /a#", false),
            ("Disallow: #/a", false),
            ("Sitemap: https://a.example/#b", false),
        ] {
            let body = format!("user-agent: *\n{rule}\n");
            let found = codes(body.as_bytes());
            assert_eq!(
                found.contains(&("comment_cuts_path", cut)),
                is_cut,
                "{rule}"
            );
        }
    }

    #[test]
    fn a_path_alone_on_its_line_is_no_prose() {
        for (line, is_path) in [
            ("/play/activities/", true),
            ("  /a*.pdf$ # b", true),
            ("/a b", false),
            ("// a-remark", false),
            ("//remark", false),
            ("play/activities/", false),
        ] {
            let body = format!("user-agent: *\ndisallow:\n{line}\n");
            let found = codes(body.as_bytes());
            assert_eq!(
                found.contains(&("path_without_field", Some(3))),
                is_path,
                "{line}"
            );
        }
        assert_eq!(codes(b"<html>\n/a\n</html>"), [("html_body", None)]);
    }

    #[test]
    fn what_is_alike_at_its_ends_only_is_not_said_twice() {
        let rules = ["/12345678a/87654321", "/12345678b/87654321", "/1", "/2"];
        let lines = |last: &str| {
            let lines = rules.iter().chain([&last]);
            let lines: String = lines.map(|rule| format!("disallow: {rule}\n")).collect();
            codes(["user-agent: *\n", &lines].concat().as_bytes())
        };
        assert_eq!(lines("/12345678c/87654321"), []);
        for rule in rules {
            assert_eq!(lines(rule), [("shadowed_rule", Some(6))], "{rule}");
        }
    }

    #[test]
    fn a_rule_that_a_limit_cuts_is_not_called_equal_to_another() {
        let shadowed = |body: &[u8]| {
            let found = codes(body).into_iter();
            let found = found.filter(|(code, _)| *code == "shadowed_rule");
            found.map(|(_, line)| line).collect::<Vec<_>>()
        };
        // The first 512,000 bytes end behind /abc.
        let limit = google::BYTE_LIMIT as usize;
        let mut body = b"User-agent: *\nDisallow: /abc\n".to_vec();
        body.resize(limit - b"\nDisallow: /abc".len(), b'\n');
        body.extend_from_slice(b"\nDisallow: /abc");
        let line = body.split(|&byte| byte == b'\n').count() as u32;
        assert_eq!(shadowed(&body), [Some(line)]);
        for (rest, lines) in [
            (&b"\nDisallow: /z\n"[..], vec![Some(line)]),
            (b" # the same\n", vec![Some(line)]),
            (b"def\n", vec![]),
        ] {
            assert_eq!(shadowed(&[&body, rest].concat()), lines, "{rest:?}");
        }
        // Google reads neither to its end.
        let long = "x".repeat(google::LINE_LIMIT as usize);
        let body = format!("User-agent: *\nDisallow: /{long}a\nDisallow: /{long}b\n");
        assert_eq!(shadowed(body.as_bytes()), []);
    }

    #[test]
    fn an_agent_is_named_twice_by_its_whole_name() {
        let twice = |name: &str| {
            let body = format!(
                "user-agent: MJ12bot\nallow:\nuser-agent: MJ13bot\nallow:\nuser-agent: {name}\nallow:\n"
            );
            let found = codes(body.as_bytes()).into_iter();
            found
                .filter(|&(code, _)| code == "duplicate_group")
                .collect::<Vec<_>>()
        };
        assert_eq!(twice("MJ14bot"), []);
        assert_eq!(twice("MJ"), []);
        assert_eq!(twice("mj12BOT/1.0"), [("duplicate_group", Some(5))]);
    }

    #[test]
    fn octets_are_reported_once_with_their_number() {
        let found = find(b"a: b\n# \xff\xff \xe9\nc: \0\0");
        let counts: Vec<_> = found
            .iter()
            .filter(|anomaly| anomaly.code != AnomalyCode::UnknownField)
            .map(|anomaly| {
                (
                    anomaly.code.as_str(),
                    anomaly.line,
                    anomaly.span.start,
                    anomaly.count,
                )
            })
            .collect();
        assert_eq!(
            counts,
            [
                ("invalid_utf8", Some(2), 7, 3),
                ("nul_byte", Some(3), 15, 2)
            ]
        );
    }

    #[test]
    fn bytes_of_what_is_no_text_are_not_odd() {
        assert_eq!(codes(b"\xff\xfe\r\0\n\0"), [("utf16", None)]);
        assert_eq!(codes(b"\x1f\x8b\x08\0\r\xff"), [("gzip_body", None)]);
    }

    #[test]
    fn invisible_characters_are_found() {
        for space in ["\u{200b}", "\u{200e}", "\u{200f}", "\u{2060}"] {
            let body = format!("user-agent: *\nallow: {space}/x");
            let found = find(body.as_bytes());
            let code = AnomalyCode::ZeroWidthSpace;
            let anomaly = found.iter().find(|anomaly| anomaly.code == code);
            let span = anomaly.expect("the anomaly is found").span;
            assert_eq!(span.of(body.as_bytes()), space.as_bytes());
        }
        assert!(codes("user-agent: *\nallow: /\u{2010}\u{2061}".as_bytes()).is_empty());
    }

    #[test]
    fn repeated_codes_are_capped_and_counted() {
        let body = b"color: blue\n".repeat(MAX_PER_CODE + 500);
        let found = find(&body);
        assert_eq!(found.len(), MAX_PER_CODE);
        assert_eq!(found[MAX_PER_CODE - 1].count, 501);
        assert_eq!(
            found.iter().map(|anomaly| anomaly.count).sum::<u32>(),
            1_500
        );
    }

    #[test]
    fn acceptance_names_the_dialects() {
        let accepted = |body: &[u8], code| {
            let found = find(body);
            let anomaly = found.iter().find(|anomaly| anomaly.code == code);
            let set = anomaly.expect("the anomaly is found").accepted_by;
            set.names().collect::<Vec<_>>()
        };
        let google = ["google"];
        assert_eq!(accepted(b"Disalow: /", AnomalyCode::MisspeltField), google);
        assert_eq!(accepted(b"Disallow /", AnomalyCode::MissingColon), google);
        assert_eq!(
            accepted(b"Disallow / x", AnomalyCode::MissingColon),
            [""; 0]
        );
        assert_eq!(accepted(b"Dsalow: /", AnomalyCode::MisspeltField), [""; 0]);
        assert_eq!(
            accepted(b"user-agent: *\nallow: x", AnomalyCode::PathWithoutSlash),
            ["google-legacy", "baidu", "baidu-table"]
        );
        let agent = AnomalyCode::AgentNotAProductToken;
        assert!(!accepted(b"user-agent: MJ12bot", agent).contains(&"google"));
        assert!(accepted(b"user-agent: MJ12bot", agent).contains(&"python"));
        assert!(accepted(b"user-agent: Googlebot/2.1", agent).contains(&"google"));
        assert!(!accepted(b"user-agent: Googlebot/2.1", agent).contains(&"python"));
    }

    #[test]
    fn arbitrary_bytes_are_no_panic() {
        let words =
            "user-agent|disallow|allow|:| |\n|\r|*|$|/a|%2|\u{feff}|\u{a0}|\u{ff1a}|\0|sitemap";
        let words: Vec<_> = words.split('|').map(str::as_bytes).collect();
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            find(&text(&mut random, 24, &words));
        }
    }
}
