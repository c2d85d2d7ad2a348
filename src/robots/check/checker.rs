//! The checker: decisions with their evidence, and the rules that matched without deciding.

use std::borrow::Cow;

use crate::{
    named::named,
    robots::{
        dialect::{
            Access, Agent, Basis, Decision, Dialect, FetchOutcome, Precedence, PreparedPath, Rule,
            RuleKind, RuleSet, Selection, SelectionKind, Verdict,
        },
        lines::{RobotsTxt, parse},
    },
    url::Location,
};

/// The request of a crawler for a URL.
#[derive(Clone, Copy, Debug)]
pub struct Request<'q> {
    /// The crawler's tokens, the most specific first.
    pub chain: &'q [Cow<'q, [u8]>],
    /// The URL, or only its path.
    pub url: &'q [u8],
    /// How the fetch of the robots.txt ended; `None` where its lines are all that counts.
    pub outcome: Option<FetchOutcome>,
    /// The URL of the robots.txt; `None` where its location does not count.
    pub robots_url: Option<&'q [u8]>,
}

/// A decision and what it is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The decision.
    pub decision: Decision,
    /// Whether the robots.txt applies to the URL; `None` where the request has no `robots_url`, or
    /// one of the two is no absolute URL.
    pub is_in_scope: Option<bool>,
    /// What the outcome of the fetch decides; `None` where the request has none.
    pub access: Option<Access>,
    /// The reason why the groups apply; `None` where the lines did not decide.
    pub selection: Option<SelectionKind>,
    /// The first line of the group of the decision.
    pub group_line: Option<u32>,
}

named! {
    /// The reason why a rule that matched did not decide.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LossReason {
        /// Its pattern is shorter.
        Shorter = "shorter",
        /// Its pattern is as long, and an allow wins over a disallow.
        AllowWins = "allow_wins",
        /// Its pattern is as long, and an earlier line wins.
        Later = "later",
        /// The first match in the file wins.
        NotFirst = "not_first",
        /// The dialect does not decide between it and the other.
        Undecided = "undecided",
    }
}

impl LossReason {
    /// Returns the reason in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Shorter => "shorter",
            Self::AllowWins => "as long, and an allow wins",
            Self::Later => "as long, and an earlier line wins",
            Self::NotFirst => "not the first to match",
            Self::Undecided => "the dialect does not decide between the two",
        }
    }
}

/// Answers requests about one file at a time; reusable.
#[derive(Debug, Default)]
pub struct Checker {
    robots: RobotsTxt,
    rules: RuleSet,
    selection: Selection,
    path: Option<PreparedPath>,
    robots_location: Location,
    location: Location,
}

impl Checker {
    /// Returns a checker without a file.
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Parses a body; [`Checker::compile`] must follow before a request.
    pub fn parse(&mut self, body: &[u8]) {
        parse(body, &mut self.robots);
    }

    /// Compiles the body that was parsed last under a dialect.
    pub fn compile(&mut self, dialect: &Dialect, body: &[u8]) {
        self.rules.compile(dialect, body, &self.robots);
    }

    /// Answers a request under the dialect that was compiled last.
    ///
    /// A robots.txt that does not apply to the URL disallows nothing, so that the verdict is then
    /// `allow`, with the basis `out_of_scope`.
    pub fn ask(&mut self, dialect: &Dialect, request: &Request<'_>) -> Evidence {
        let is_in_scope = request
            .robots_url
            .and_then(|robots_url| self.is_in_scope(robots_url, request.url));
        let access = request
            .outcome
            .map(|outcome| dialect.access.decide(outcome));
        self.path = None;
        let settled = |verdict, basis| Some(Decision::without_rule(verdict, basis, None));
        let decided = match access {
            _ if is_in_scope == Some(false) => settled(Verdict::Allow, Basis::OutOfScope),
            // The target of the redirect is unknown here.
            Some(Access::Redirect) => settled(Verdict::Undefined, Basis::Access),
            Some(access) => access.decision(),
            None => None,
        };
        let (decision, selection) = match decided {
            Some(decision) => (decision, None),
            None => {
                let agent = Agent::new(dialect, request.chain);
                self.rules.select(&agent, &mut self.selection);
                let path = PreparedPath::from_url(dialect, request.url);
                let decision = self.rules.decide(&self.selection, &path);
                self.path = Some(path);
                (decision, Some(self.selection.kind()))
            }
        };
        let group = decision
            .group_index
            .and_then(|index| self.rules.groups().get(index as usize));
        Evidence {
            decision,
            is_in_scope,
            access,
            selection,
            group_line: group.map(|group| group.line_first),
        }
    }

    /// Returns the line model of the body that was parsed last.
    pub fn robots(&self) -> &RobotsTxt {
        &self.robots
    }

    /// Returns the rules of the dialect that was compiled last.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the groups that applied to the last request; none where the lines did not decide.
    pub fn groups(&self) -> &[u32] {
        match self.path {
            Some(_) => self.selection.groups(),
            None => &[],
        }
    }

    /// Returns the rules that matched the last request and did not decide, in the order of the
    /// file, each with the reason. `dialect` must be the dialect of that request.
    pub fn lost(&self, dialect: &Dialect, decision: &Decision) -> Vec<(Rule, LossReason)> {
        let Some(path) = &self.path else {
            return Vec::new();
        };
        let matching: Vec<&Rule> = self.rules.matching(&self.selection, path).collect();
        let is_winner = |rule: &&&Rule| Some(rule.line) == decision.rule_line;
        let Some(winner) = matching.iter().find(is_winner) else {
            return Vec::new();
        };
        matching
            .iter()
            .filter(|rule| rule.line != winner.line)
            .map(|&rule| (*rule, loss(dialect, decision.verdict, winner, rule)))
            .collect()
    }

    fn is_in_scope(&mut self, robots_url: &[u8], url: &[u8]) -> Option<bool> {
        let is_read =
            self.robots_location.parse(robots_url).is_ok() && self.location.parse(url).is_ok();
        is_read.then(|| self.robots_location.applies_to(&self.location))
    }
}

fn loss(dialect: &Dialect, verdict: Verdict, winner: &Rule, loser: &Rule) -> LossReason {
    let is_other_kind = winner.kind != loser.kind;
    match dialect.precedence {
        Precedence::FirstInFile => LossReason::NotFirst,
        Precedence::LongestPattern if is_other_kind && verdict == Verdict::Undefined => {
            LossReason::Undecided
        }
        Precedence::LongestPattern if loser.pattern.len() < winner.pattern.len() => {
            LossReason::Shorter
        }
        Precedence::LongestPattern if is_other_kind && winner.kind == RuleKind::Allow => {
            LossReason::AllowWins
        }
        Precedence::LongestPattern => LossReason::Later,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::Dialect;

    const BODY: &[u8] = b"User-agent: *\nDisallow: /a\nAllow: /a/b\nAllow: /a\nDisallow: /a/*/c\n";

    fn ask(
        dialect: &str,
        url: &str,
        change: impl Fn(&mut Request<'_>),
    ) -> (Evidence, Vec<(u32, LossReason)>) {
        let dialect = Dialect::named(dialect).expect("the dialect is built in");
        let mut checker = Checker::new();
        checker.parse(BODY);
        checker.compile(&dialect, BODY);
        let mut request = Request {
            chain: &[Cow::Borrowed(b"x")],
            url: url.as_bytes(),
            outcome: None,
            robots_url: None,
        };
        change(&mut request);
        let answer = checker.ask(&dialect, &request);
        let lost = checker.lost(&dialect, &answer.decision);
        (
            answer,
            lost.into_iter()
                .map(|(rule, loss)| (rule.line, loss))
                .collect(),
        )
    }

    #[test]
    fn rules_that_lost_are_listed_with_the_reason() {
        let (answer, lost) = ask("google", "http://a/a/x", |_| {});
        assert_eq!(answer.decision.rule_line, Some(4));
        assert_eq!(answer.group_line, Some(1));
        assert_eq!(lost, [(2, LossReason::AllowWins)]);
        let (answer, lost) = ask("google", "http://a/a/b/c", |_| {});
        assert_eq!(answer.decision.rule_line, Some(5));
        assert_eq!(
            lost,
            [
                (2, LossReason::Shorter),
                (3, LossReason::Shorter),
                (4, LossReason::Shorter)
            ]
        );
        let (_, lost) = ask("baidu", "/a", |_| {});
        assert_eq!(lost, [(4, LossReason::NotFirst)]);
        let (answer, lost) = ask("google-2019", "/a/b/c", |_| {});
        assert_eq!(answer.decision.verdict, Verdict::Undefined);
        assert!(lost.contains(&(3, LossReason::Undecided)));
    }

    #[test]
    fn the_fetch_decides_before_the_lines() {
        let (answer, lost) = ask("google", "/a", |request| {
            request.outcome = Some(FetchOutcome::Status(503));
        });
        assert_eq!(answer.decision.basis, Basis::Access);
        assert_eq!(answer.access, Some(Access::FullDisallow));
        assert_eq!((answer.selection, lost.len()), (None, 0));
        let (answer, _) = ask("google", "/a", |request| {
            request.outcome = Some(FetchOutcome::Status(301));
        });
        assert_eq!(answer.decision.verdict, Verdict::Undefined);
        let (answer, _) = ask("google", "/a", |request| {
            request.outcome = Some(FetchOutcome::Status(200));
        });
        assert_eq!(answer.decision.basis, Basis::Rule);
    }

    #[test]
    fn a_file_at_another_origin_does_not_apply() {
        let decide = |robots_url: &'static str, url| {
            ask("google", url, |request| {
                request.robots_url = Some(robots_url.as_bytes());
            })
            .0
        };
        let answer = decide("https://a.example/robots.txt", "http://a.example/a/x");
        assert_eq!(answer.is_in_scope, Some(false));
        assert_eq!(answer.decision.basis, Basis::OutOfScope);
        assert_eq!(answer.decision.verdict, Verdict::Allow);
        let answer = decide("https://a.example/robots.txt", "https://A.example:443/a/x");
        assert_eq!(
            (answer.is_in_scope, answer.decision.basis),
            (Some(true), Basis::Rule)
        );
        // A path alone has no origin.
        let answer = decide("https://a.example/robots.txt", "/a/x");
        assert_eq!(
            (answer.is_in_scope, answer.decision.basis),
            (None, Basis::Rule)
        );
    }
}
