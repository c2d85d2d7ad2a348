//! The entry for library users: the same decisions as `check`, with their evidence.

use std::borrow::Cow;

use robocensus::{
    AnomalyCode, Dialect, Field, FindingRef, ProductTokens, Robots, RuleKind, SelectionKind,
    Severity, Verdict, robots::check::Checker,
};

use crate::{
    conformance::suite::cases,
    util::{assert_begins, evidence},
};

const BODY: &str = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /private\nAllow: /private/a\n\
    Crawl-delay: 5\n\nUser-agent: *\nDisallow:\n\nSitemap: https://example.com/sitemap.xml\n\
    Content-Signal: search=yes, ai-train=no\nDisalow: /x\n";

#[test]
fn the_api_decides_as_check_does_in_every_dialect() {
    let mut checker = Checker::new();
    let mut n_rules = 0;
    let cases = cases();
    for case in &cases {
        let robots = Robots::parse(case.robots.as_slice());
        checker.parse(&case.robots);
        for dialect in Dialect::BUILT_IN {
            checker.compile(dialect, &case.robots);
            for other in cases.iter().step_by(7).chain([case]) {
                let chain = [other.agent.as_bytes(), b"Other"].map(Cow::Borrowed);
                for chain in [&chain[..1], &chain[..]] {
                    let url = other.url.as_bytes();
                    let answer = evidence(&mut checker, dialect, chain, url);
                    let tokens = ProductTokens::new(chain.iter().map(|token| &**token));
                    let decision = robots.decide(dialect, tokens.clone(), &other.url);
                    assert_eq!(decision, answer.decision, "{}: {}", dialect.name, case.name);
                    let rules = robots.rules_for(dialect, tokens);
                    assert_eq!(rules.decide(&other.url), decision);
                    assert_eq!(Some(rules.selected_by()), answer.selection);
                    let groups: Vec<_> = rules.groups().map(|group| group.index()).collect();
                    assert_eq!(groups, checker.groups());
                    let matching = rules.matching(&other.url);
                    let lines: Vec<_> = matching.iter().map(|rule| rule.line).collect();
                    if let Some(line) = decision.rule_line {
                        assert!(lines.contains(&line), "{}: {}", dialect.name, case.name);
                        n_rules += 1;
                    }
                }
            }
        }
    }
    assert!(n_rules > 1_000, "{n_rules}");
}

#[test]
fn a_decision_leads_to_its_group_and_line() {
    let robots = Robots::parse(BODY);
    let google = Dialect::GOOGLE;
    let decision = robots.decide(&google, "CCBot", "https://example.com/private/b");
    assert_eq!(decision.verdict, Verdict::Disallow);
    let line = decision.rule_line.and_then(|line| robots.line(line));
    assert_eq!(line, Some(&b"Disallow: /private"[..]));
    let index = decision.group_index.unwrap() as usize;
    let group = robots.groups(&google).nth(index).unwrap();
    assert_eq!((group.line_first(), group.line_last()), (1, 5));
    let agents: Vec<_> = group.agents().map(|agent| agent.value).collect();
    assert_eq!(agents, [&b"GPTBot"[..], b"CCBot"]);
    let rules = group.rules().map(|rule| (rule.kind, rule.pattern));
    let expected = [
        (RuleKind::Disallow, &b"/private"[..]),
        (RuleKind::Allow, b"/private/a"),
    ];
    assert!(rules.eq(expected));
    let selected_by = robots.rules_for(&google, "a").selected_by();
    assert_eq!(selected_by, SelectionKind::Wildcard);
}

#[test]
fn lines_besides_rules_are_parsed_too() {
    let robots = Robots::parse(BODY);
    let google = Dialect::GOOGLE;
    let sitemaps: Vec<_> = robots.sitemaps(&google).collect();
    assert_eq!(sitemaps, [b"https://example.com/sitemap.xml"]);
    let mut records = robots.records(&google);
    let delay = records.find(|record| record.field == Field::CrawlDelay);
    let delay = delay.map(|delay| (delay.value, delay.line, delay.group_index));
    assert_eq!(delay, Some((&b"5"[..], 5, Some(0))));
    let signals = robots.signals(&google);
    let keys: Vec<_> = signals.iter().map(|signal| signal.key.as_deref()).collect();
    assert_eq!(keys, [Some(&b"search"[..]), Some(b"ai-train")]);
    let mut signals = signals.iter();
    assert!(signals.all(|signal| signal.is_valid && signal.line == 11));
    let is_misspelt = |finding: &FindingRef<'_>| finding.code == AnomalyCode::MisspeltField;
    let finding = robots.findings().find(is_misspelt).unwrap();
    assert_eq!((finding.line, finding.text), (Some(12), &b"Disalow"[..]));
    assert_eq!(finding.meant, Some(Field::Disallow));
    assert_eq!(finding.code.severity(), Severity::Error);
    assert!(finding.accepted_by().eq(["google"]));
}

#[test]
fn tokens_are_one_name_or_a_chain() {
    let robots = Robots::parse("User-agent: Googlebot\nDisallow: /\n");
    let url = "https://example.com/a";
    let owned = ["Googlebot-News", "Googlebot"].map(String::from);
    for (tokens, is_named) in [
        ("Googlebot-News".into(), false),
        (["Googlebot-News", "Googlebot"].into(), true),
        (owned.as_slice().into(), true),
        ((&owned[1]).into(), true),
        (b"Googlebot".into(), true),
        (ProductTokens::new::<str>([]), false),
    ] {
        let shown = format!("{tokens:?}");
        let verdict = robots.decide(&Dialect::RFC9309, tokens, url).verdict;
        assert_eq!(verdict == Verdict::Disallow, is_named, "{shown}");
    }
}

#[test]
fn any_bytes_are_a_file() {
    for body in [
        &b""[..],
        b"\xff\xfe\0",
        b":",
        b"\xef\xbb\xbfUser-agent: *\rDisallow: /\xff",
    ] {
        let robots = Robots::parse(body);
        assert_eq!(robots.body(), body);
        assert_eq!((robots.line(0), robots.line(99)), (None, None));
        for dialect in Dialect::BUILT_IN {
            robots.decide(dialect, "GPTBot", "\u{0}");
            assert_eq!(robots.rules(dialect).len(), usize::from(body.len() > 10));
        }
        for finding in robots.findings() {
            let start = finding.byte_offset as usize;
            assert_eq!(body[start..][..finding.text.len()], *finding.text);
        }
    }
}

#[test]
fn a_file_is_shared_by_threads_and_outlives_the_dialect() {
    let robots = Robots::parse(BODY);
    let verdicts: Vec<_> = std::thread::scope(|scope| {
        let ask =
            |_| scope.spawn(|| Dialect::BUILT_IN.map(|d| robots.decide(d, "CCBot", "/private")));
        let threads = [0; 4].map(ask).into_iter();
        threads.map(|thread| thread.join().unwrap()).collect()
    });
    assert!(verdicts.iter().all(|of_thread| *of_thread == verdicts[0]));
    let rules = {
        let dialect = Dialect::from_toml("base = \"google\"").unwrap();
        robots.rules_for(&dialect, "CCBot")
    };
    assert_eq!(rules.decide("/private").verdict, Verdict::Disallow);
}

#[test]
fn a_dialect_that_does_not_name_itself_is_custom_and_an_error_names_its_line() {
    let read = Dialect::from_toml(&Dialect::PYTHON.to_toml()).unwrap();
    assert_eq!(read.name, "custom");
    let error = Dialect::from_toml("base = \"goggle\"").unwrap_err();
    assert_begins(&error.to_string(), "line 1: base: expected one of google");
}
