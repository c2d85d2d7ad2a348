//! A file under one dialect, ready to decide.
//!
//! A rule set is compiled from a body, its line model and a dialect. It has the groups, rules and
//! records for tables, and decides about agents and paths. It owns its patterns and does not borrow
//! the body.

use super::{
    agent::{Agent, AgentIndex, Selection, cut},
    decision::{Basis, Decision, Verdict},
    definition::{Dialect, GroupEnd, Percent, Precedence, RobotsTxtItself, WildcardConflict},
    digest::{Meaning, SemanticDigester},
    group::{AgentLine, Group, OtherRecord, Rule, RuleKind, Structure, StructureBuilder},
    interpret::interpret,
    matcher::{Matcher, set_pattern},
    path::PreparedPath,
    python,
};
use crate::robots::lines::{RobotsTxt, Span};

/// The groups, rules and other records of one file under one dialect, reusable for the next.
///
/// Its vectors are cleared and reused, so that compiling a file of the usual size allocates
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    structure: Structure,
    agents: AgentIndex,
    /// The normalized patterns of all rules, end to end.
    patterns: Vec<u8>,
    matchers: Vec<Matcher>,
    /// For each group, its matchers.
    group_matchers: Vec<Span>,
    over_limit_bytes: u32,
    settings: Option<Settings>,
}

/// The answers of the dialect that decisions need.
#[derive(Clone, Copy, Debug)]
struct Settings {
    precedence: Precedence,
    wildcard_conflict: WildcardConflict,
    robots_txt_itself: RobotsTxtItself,
    has_rooted_paths: bool,
}

impl RuleSet {
    /// Returns an empty rule set, which allows everything until a file is compiled.
    pub fn new() -> RuleSet {
        RuleSet::default()
    }

    /// Compiles `body` under `dialect`, replacing what was compiled before. `robots` must be the
    /// line model of the same body.
    pub fn compile(&mut self, dialect: &Dialect, body: &[u8], robots: &RobotsTxt) {
        let patterns = &mut self.patterns;
        patterns.clear();
        // A new rule set allocates once for the rules of a file of the usual size.
        let n_usual = robots.lines().len().min(64);
        patterns.reserve(16 * n_usual);
        self.structure.rules.clear();
        self.structure.rules.reserve(n_usual);
        let mut builder = StructureBuilder::new(&mut self.structure, dialect.group_end);
        interpret(dialect, body, robots, |line| {
            if dialect.group_end == GroupEnd::PythonStates
                && builder.has_group()
                && python::raises(line.field, line.value.of(body))
            {
                return builder.abandon();
            }
            builder.add(
                line,
                |value| cut(dialect, body, value),
                |rule| set_pattern(dialect, body, rule, patterns),
            )
        });
        builder.finish();
        self.agents.rebuild(dialect, body, &self.structure);
        self.compile_matchers(dialect);
        let limit = dialect.byte_limit.unwrap_or(u32::MAX);
        let n_read = limit.min(robots.parsed_len()) as usize;
        self.over_limit_bytes = body.len().saturating_sub(n_read) as u32;
        self.settings = Some(Settings {
            precedence: dialect.precedence,
            wildcard_conflict: dialect.wildcard_conflict,
            robots_txt_itself: dialect.robots_txt_itself,
            has_rooted_paths: dialect.percent != Percent::PythonQuoted,
        });
    }

    /// Returns the groups in the order of the file; their index is the `group_index` of tables.
    pub fn groups(&self) -> &[Group] {
        &self.structure.groups
    }

    /// Returns the user-agent lines in the order of the file.
    pub fn agents(&self) -> &[AgentLine] {
        &self.structure.agents
    }

    /// Returns the allow and disallow lines in the order of the file, those without effect too.
    pub fn rules(&self) -> &[Rule] {
        &self.structure.rules
    }

    /// Returns every directive that is neither user-agent, allow nor disallow, in the order of the
    /// file.
    pub fn records(&self) -> &[OtherRecord] {
        &self.structure.records
    }

    /// Returns the normalized pattern of one of this rule set's rules.
    pub fn pattern(&self, rule: &Rule) -> &[u8] {
        rule.pattern.of(&self.patterns)
    }

    /// Returns how many bytes of the body are beyond the byte limit of the dialect, or beyond the
    /// lines that are parsed ([`MAX_LINES`](crate::robots::lines::MAX_LINES)).
    pub fn over_limit_bytes(&self) -> u32 {
        self.over_limit_bytes
    }

    /// Returns for each of [`RuleSet::agents`] the hash of what is compared with a crawler's token.
    pub(super) fn token_hashes(&self) -> &[u32] {
        &self.agents.hashes
    }

    /// Finds the groups that apply to `agent`, which must be prepared for the same dialect.
    pub fn select(&self, agent: &Agent, selection: &mut Selection) {
        self.agents.select(agent, selection);
    }

    /// Decides about one path for the agents of one selection of this file.
    ///
    /// Costs one comparison of numbers for each rule, and more only for those whose first bytes
    /// match.
    pub fn decide(&self, selection: &Selection, path: &PreparedPath) -> Decision {
        let Some(settings) = self.settings else {
            return Decision::without_rule(Verdict::Allow, Basis::NoGroup, None);
        };
        if path.is_robots_txt && settings.robots_txt_itself == RobotsTxtItself::AlwaysAllowed {
            return Decision::without_rule(Verdict::Allow, Basis::RobotsTxtItself, None);
        }
        let group_index = selection.groups().first().copied();
        let basis = match group_index {
            Some(_) => Basis::NoRuleMatched,
            None => Basis::NoGroup,
        };
        if !path.is_readable {
            return Decision::without_rule(Verdict::Undefined, basis, group_index);
        }
        let decided = match settings.precedence {
            Precedence::LongestPattern => {
                self.decide_by_length(selection, path, settings.wildcard_conflict)
            }
            Precedence::FirstInFile => self.decide_by_order(selection, path),
        };
        let Some((verdict, matcher)) = decided else {
            return Decision::without_rule(Verdict::Allow, basis, group_index);
        };
        let rule = &self.structure.rules[matcher.rule as usize];
        Decision {
            verdict,
            basis: Basis::Rule,
            group_index: rule.group_index,
            rule_line: Some(rule.line),
        }
    }

    /// Returns the rules of a selection that match `path`, in the order of the file, the one that
    /// decides among them. A rule without effect in this dialect matches nothing.
    pub fn matching<'r>(
        &'r self,
        selection: &'r Selection,
        path: &'r PreparedPath,
    ) -> impl Iterator<Item = &'r Rule> {
        let matches = move |matcher: &&Matcher| matcher.matches(&self.patterns, path);
        // The two matchers of an index page are adjacent.
        let mut last = None;
        self.matchers_of(selection)
            .filter(matches)
            .filter(move |matcher| last.replace(matcher.rule) != Some(matcher.rule))
            .map(|matcher| &self.structure.rules[matcher.rule as usize])
    }

    /// Returns a digest of what the file decides under the dialect of the last
    /// [`RuleSet::compile`].
    ///
    /// Files with equal digests get the same verdict for every agent and every URL, unless SHA-1
    /// collides, though other lines may decide. Different digests do not prove that a verdict
    /// differs: rules that can change none are left out as far as the literal prefixes of their
    /// patterns decide it (see the source of `digest`). Other records, such as sitemaps, do not
    /// count.
    pub fn semantic_digest(&self) -> [u8; 20] {
        self.semantic_digest_by(&mut SemanticDigester::default())
    }

    /// Returns [`RuleSet::semantic_digest`], computed in the memory of `digester`.
    pub(crate) fn semantic_digest_by(&self, digester: &mut SemanticDigester) -> [u8; 20] {
        let precedence = self.settings.map(|settings| settings.precedence);
        let conflict = self.settings.map(|settings| settings.wildcard_conflict);
        digester.digest(Meaning {
            agents: &self.agents,
            matchers: &self.matchers,
            group_matchers: &self.group_matchers,
            patterns: &self.patterns,
            is_first_rule_decisive: precedence == Some(Precedence::FirstInFile),
            may_be_undefined: conflict != Some(WildcardConflict::Decided),
            has_rooted_paths: self
                .settings
                .is_some_and(|settings| settings.has_rooted_paths),
        })
    }

    fn decide_by_order(
        &self,
        selection: &Selection,
        path: &PreparedPath,
    ) -> Option<(Verdict, &Matcher)> {
        let matcher = self
            .matchers_of(selection)
            .find(|matcher| matcher.matches(&self.patterns, path))?;
        let verdict = match matcher.kind {
            RuleKind::Allow => Verdict::Allow,
            RuleKind::Disallow => Verdict::Disallow,
        };
        Some((verdict, matcher))
    }

    fn decide_by_length(
        &self,
        selection: &Selection,
        path: &PreparedPath,
        wildcard_conflict: WildcardConflict,
    ) -> Option<(Verdict, &Matcher)> {
        let mut allow: Option<&Matcher> = None;
        let mut disallow: Option<&Matcher> = None;
        // Most patterns are excluded by their first bytes alone.
        let candidates = self.matchers_of(selection);
        for matcher in candidates.filter(|matcher| matcher.may_match(path)) {
            let best = match matcher.kind {
                RuleKind::Allow => &mut allow,
                RuleKind::Disallow => &mut disallow,
            };
            if best.is_none_or(|best| matcher.outranks(best, wildcard_conflict))
                && matcher.matches(&self.patterns, path)
            {
                *best = Some(matcher);
            }
        }
        let priority = |best: Option<&Matcher>| best.map_or(-1, |best| i64::from(best.priority));
        let is_disallow = priority(disallow) > priority(allow);
        let winner = if is_disallow { disallow } else { allow }?;
        if let (Some(allow), Some(disallow)) = (allow, disallow)
            && (wildcard_conflict == WildcardConflict::Undefined
                || (wildcard_conflict == WildcardConflict::LeastRestrictive && is_disallow))
            && (allow.has_wildcard || disallow.has_wildcard)
        {
            return Some((Verdict::Undefined, winner));
        }
        // An empty pattern matches with priority 0, and disallows nothing.
        let verdict = if is_disallow && winner.priority > 0 {
            Verdict::Disallow
        } else {
            Verdict::Allow
        };
        Some((verdict, winner))
    }

    fn matchers_of(&self, selection: &Selection) -> impl Iterator<Item = &Matcher> {
        selection.groups().iter().flat_map(|&group| {
            let range = self.group_matchers.get(group as usize);
            range.map_or(&[][..], |range| range.of(&self.matchers))
        })
    }

    fn compile_matchers(&mut self, dialect: &Dialect) {
        self.matchers.clear();
        self.matchers.reserve(self.structure.rules.len());
        self.group_matchers.clear();
        self.group_matchers.reserve(self.structure.groups.len());
        for group in &self.structure.groups {
            let start = self.matchers.len();
            for index in group.rules.start..group.rules.end {
                let rule = &self.structure.rules[index as usize];
                let Some(matcher) = Matcher::from_rule(dialect, index, rule, &self.patterns) else {
                    continue;
                };
                self.matchers.push(matcher);
                let directory = matcher.of_directory(dialect, &mut self.patterns);
                self.matchers.extend(directory);
            }
            let range = start..self.matchers.len();
            self.group_matchers.push(Span::from_indexes(range));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        naive,
        robots::{
            dialect::{
                Dialect,
                testing::{compile, decide, text},
            },
            lines::parse,
        },
        sample::random::Random,
    };

    macro_rules! decides {
        ($($name:ident: $dialect:literal, $body:literal,
            $($agent:literal $url:literal => $verdict:ident $basis:ident $group:expr, $line:expr);+;)+) => {
            $(
                #[test]
                fn $name() {
                    $(
                        let expected = Decision {
                            verdict: Verdict::$verdict,
                            basis: Basis::$basis,
                            group_index: $group,
                            rule_line: $line,
                        };
                        let body = $body.as_bytes();
                        assert_eq!(decide($dialect, body, $agent, $url), expected, "{} {}", $agent, $url);
                    )+
                }
            )+
        };
    }

    decides! {
        evidence_names_the_rule_and_its_group: "google",
            "user-agent: a\nallow: /x\nuser-agent: *\ndisallow: /\nuser-agent: a\ndisallow: /x/y",
            "a" "/x/y" => Disallow Rule Some(2), Some(6);
            "a" "/x" => Allow Rule Some(0), Some(2);
            "a" "/z" => Allow NoRuleMatched Some(0), None;
            "b" "/z" => Disallow Rule Some(1), Some(4);
        without_a_group_everything_is_allowed: "google",
            "user-agent: a\ndisallow: /", "b" "/" => Allow NoGroup None, None;
        google_keeps_the_first_of_equals_and_prefers_the_allow: "google",
            "user-agent: *\ndisallow: /x\nallow: /x\nallow: /x",
            "a" "/x" => Allow Rule Some(0), Some(3);
        google_shows_an_empty_rule_that_matches: "google",
            "user-agent: *\ndisallow:", "a" "/x" => Allow Rule Some(0), Some(2);
        google_allows_the_directory_of_an_index_page: "google",
            "user-agent: *\nallow: /d/index.html\ndisallow: /d",
            "a" "/d/" => Allow Rule Some(0), Some(2);
            "a" "/d/index.html" => Allow Rule Some(0), Some(2);
            "a" "/d/x" => Disallow Rule Some(0), Some(3);
        google_prefers_a_longer_disallow_to_a_directory: "google",
            "user-agent: *\nallow: /d/index.htm\ndisallow: /d/**",
            "a" "/d/" => Disallow Rule Some(0), Some(3);
        google_treats_robots_txt_as_any_path: "google",
            "user-agent: *\ndisallow: /", "a" "/robots.txt" => Disallow Rule Some(0), Some(2);
        rfc9309_always_allows_robots_txt: "rfc9309",
            "user-agent: *\ndisallow: /", "a" "/robots.txt" => Allow RobotsTxtItself None, None;
        rfc9309_needs_a_slash_or_a_star: "rfc9309",
            "user-agent: *\ndisallow: x\ndisallow: *y",
            "a" "/x" => Allow NoRuleMatched Some(0), None;
            "a" "/y" => Disallow Rule Some(0), Some(3);
        google_legacy_supplies_the_slash: "google-legacy",
            "user-agent: *\ndisallow: x", "a" "/x" => Disallow Rule Some(0), Some(2);
        google_2019_ignores_an_empty_rule: "google-2019",
            "user-agent: *\ndisallow:", "a" "/x" => Allow NoRuleMatched Some(0), None;
        google_2019_does_not_decide_between_wildcards: "google-2019",
            "user-agent: *\nallow: /*b\ndisallow: /abc",
            "a" "/abc" => Undefined Rule Some(0), Some(3);
            "a" "/ab" => Allow Rule Some(0), Some(2);
        google_2019_allows_what_the_longer_and_the_least_restrictive_rule_allow: "google-2019",
            "user-agent: *\nallow: /*bc\ndisallow: /ab",
            "a" "/abc" => Allow Rule Some(0), Some(2);
            "a" "/abd" => Disallow Rule Some(0), Some(3);
        google_legacy_decides_no_conflict_with_a_wildcard: "google-legacy",
            "user-agent: *\nallow: /*bc\ndisallow: /ab",
            "a" "/abc" => Undefined Rule Some(0), Some(2);
        google_2019_drops_stars_at_the_end: "google-2019",
            "user-agent: *\nallow: /f\ndisallow: /**\ndisallow: /fg**",
            "a" "/f" => Allow Rule Some(0), Some(2);
            "a" "/fg" => Disallow Rule Some(0), Some(4);
            "a" "/" => Disallow Rule Some(0), Some(3);
        google_legacy_drops_stars_at_the_end: "google-legacy",
            "user-agent: *\nallow: /f\ndisallow: *\ndisallow: /*g*",
            "a" "/f" => Allow Rule Some(0), Some(2);
            "a" "/fg" => Undefined Rule Some(0), Some(4);
            "a" "/" => Disallow Rule Some(0), Some(3);
        google_2019_reads_a_lone_star_as_a_slash: "google-2019",
            "user-agent: *\ndisallow: **",
            "a" "/x" => Disallow Rule Some(0), Some(2);
        google_2019_decides_by_the_plainer_of_equals: "google-2019",
            "user-agent: *\nallow: /a*c\nallow: /abc\ndisallow: /abcd",
            "a" "/abcd" => Disallow Rule Some(0), Some(4);
        baidu_takes_the_first_match: "baidu",
            "user-agent: *\ndisallow: /a\nallow: /a/b",
            "a" "/a/b" => Disallow Rule Some(0), Some(2);
        baidu_lets_an_empty_disallow_allow_everything: "baidu",
            "user-agent: *\ndisallow:\ndisallow: /a", "a" "/a" => Allow Rule Some(0), Some(2);
        python_forbids_everything_by_a_lone_question_mark: "python",
            "user-agent: *\ndisallow: ?", "a" "/a" => Disallow Rule Some(0), Some(2);
        python_fails_on_some_urls: "python",
            "user-agent: *\ndisallow: /", "a" "//[" => Undefined NoRuleMatched Some(0), None;
    }

    /// Returns the verdict of one allow and one disallow as the specification defines it.
    fn stated(dialect: &str, allow: &str, disallow: &str, path: &str) -> Verdict {
        let [allows, disallows] =
            [allow, disallow].map(|pattern| naive::matches(pattern.as_bytes(), path.as_bytes()));
        let [allow, disallow] = [allow, disallow].map(|pattern| pattern.trim_end_matches('*'));
        let has_star = allow.contains('*') || disallow.contains('*');
        let is_longer = disallow.len() > allow.len();
        match (allows, disallows) {
            (_, false) => Verdict::Allow,
            (false, true) => Verdict::Disallow,
            _ if has_star && (dialect == "google-legacy" || is_longer) => Verdict::Undefined,
            _ if is_longer => Verdict::Disallow,
            _ => Verdict::Allow,
        }
    }

    #[test]
    fn every_conflict_is_decided_as_the_specification_states() {
        let patterns = [
            "/", "/*", "/a", "/a*", "/ab", "/ab**", "/*b", "/*b*", "/a*b", "/*b$", "/a*b$", "/ab$",
            "/*a*b", "/abab", "/a*$",
        ];
        let paths = ["/", "/a", "/ab", "/b", "/aab", "/abab", "/aba", "/bab"];
        let mut n_undefined = 0;
        for dialect in ["google-2019", "google-legacy"] {
            for (allow, disallow) in patterns.iter().flat_map(|a| patterns.map(|d| (*a, d))) {
                let body = format!("user-agent: *\ndisallow: {disallow}\nallow: {allow}\n");
                for path in paths {
                    let found = decide(dialect, body.as_bytes(), "a", path).verdict;
                    let expected = stated(dialect, allow, disallow, path);
                    assert_eq!(found, expected, "{dialect} {body} {path}");
                    n_undefined += u32::from(found == Verdict::Undefined);
                }
            }
        }
        assert!(n_undefined > 100, "{n_undefined}");
    }

    #[test]
    fn rules_show_their_pattern() {
        let body = "user-agent: *\nallow: /\u{e9}%2f*$\ndisallow: x";
        let shown = |dialect| {
            let rules = compile(dialect, body.as_bytes());
            let patterns: Vec<_> = rules
                .rules()
                .iter()
                .map(|rule| String::from_utf8_lossy(rules.pattern(rule)).into_owned())
                .collect();
            let first = rules.rules()[0];
            (
                patterns,
                first.pattern.len(),
                first.has_wildcard,
                first.has_anchor,
            )
        };
        let google = vec!["/%C3%A9%2F*$".to_owned(), "x".to_owned()];
        assert_eq!(shown("google"), (google, 12, true, true));
        assert_eq!(shown("google-legacy").0[1], "/x");
        assert_eq!(shown("baidu").0[1], "*x");
        assert!(!shown("original-1994").2);
    }

    #[test]
    fn what_is_beyond_the_limit_is_counted_and_not_read() {
        let mut body = b"user-agent: *\n".to_vec();
        body.resize(500_000, b'#');
        body.extend_from_slice(b"\ndisallow: /\n");
        assert_eq!(compile("google-legacy", &body).over_limit_bytes(), 13);
        assert!(compile("google-legacy", &body).rules().is_empty());
        assert_eq!(compile("google", &body).over_limit_bytes(), 0);
        assert_eq!(compile("google", &body).rules().len(), 1);
    }

    #[test]
    fn a_rule_set_can_be_reused_and_asked_before_it_is_filled() {
        let empty = RuleSet::new();
        let dialect = Dialect::GOOGLE;
        let path = PreparedPath::from_url(&dialect, b"/");
        assert_eq!(empty.decide(&Selection::new(), &path).basis, Basis::NoGroup);

        let first = b"user-agent: a\ndisallow: /\nsitemap: x";
        let mut reused = compile("google", first);
        let second = b"user-agent: *\nallow: /";
        let mut robots = RobotsTxt::new();
        parse(second, &mut robots);
        reused.compile(&dialect, second, &robots);
        let fresh = compile("google", second);
        assert_eq!(reused.rules(), fresh.rules());
        assert_eq!(reused.agents(), fresh.agents());
        assert!(reused.records().is_empty());
        assert_eq!(reused.semantic_digest(), fresh.semantic_digest());
    }

    #[test]
    fn arbitrary_bytes_are_no_panic_and_decisions_do_not_depend_on_order() {
        let words = "user-agent|disallow|allow|crawl-delay|:|:| |\n|\n|\r|*|$|/|/a|a|%2|%2F|%|\u{feff}|\u{e9}|\
            \0|//[|\u{b}|/index.htm";
        let words: Vec<_> = words.split('|').map(str::as_bytes).collect();
        let mut random = Random::new(1);
        let mut robots = RobotsTxt::new();
        let mut rules = RuleSet::new();
        let mut selection = Selection::new();
        for _ in 0..6_000 {
            let [body, agent] = [30, 3].map(|n| text(&mut random, n, &words));
            let urls = [
                text(&mut random, 5, &words),
                text(&mut random, 5, &words),
                b"/a".to_vec(),
            ];
            parse(&body, &mut robots);
            for dialect in Dialect::BUILT_IN {
                rules.compile(dialect, &body, &robots);
                rules.semantic_digest();
                rules.select(&Agent::new(dialect, &[&agent[..], b"a"]), &mut selection);
                let paths = urls
                    .each_ref()
                    .map(|url| PreparedPath::from_url(dialect, url));
                let decisions = paths.each_ref().map(|path| rules.decide(&selection, path));
                for (path, decision) in paths.iter().zip(&decisions).rev() {
                    assert_eq!(rules.decide(&selection, path), *decision);
                }
                for decision in decisions {
                    assert_eq!(decision.rule_line.is_some(), decision.basis == Basis::Rule);
                    let count = robots.lines().len() as u32;
                    assert!(decision.rule_line.is_none_or(|line| line <= count));
                }
                for rule in rules.rules() {
                    assert_eq!(rules.pattern(rule).len(), rule.pattern.len() as usize);
                }
            }
        }
    }
}
