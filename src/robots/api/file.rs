//! A robots.txt that owns its body.

use std::sync::OnceLock;

use super::{AgentRules, FindingRef, GroupRef, ProductTokens, RecordRef, RuleRef, SignalRef};
use crate::robots::{
    dialect::{Agent, Anomaly, AnomalyFinder, Decision, Dialect, RuleSet, Selection},
    lines::{self, Field, Line, RobotsTxt},
    signal::{self, Vocabulary},
};

/// One robots.txt file, ready to decide under any dialect.
///
/// A file is bytes: nothing needs to be UTF-8. No content is an error, and none makes a method
/// panic; what no crawler understands is a [finding](Robots::findings).
///
/// # Cost
///
/// [`Robots::parse`] splits the body into lines once, in one pass. The first call for a dialect
/// interprets those lines as groups and rules, in one pass too; later calls with an equal dialect
/// share the result, from any thread. Memory is the body, at most 40 bytes a line, and the groups
/// and rules of each dialect that was used; it is freed with the value.
///
/// # Example
///
/// ```
/// use robocensus::{Dialect, Robots, Verdict};
///
/// let robots = Robots::parse("User-agent: *\nDisallow: /*.pdf$\n");
/// let url = "https://example.com/report.pdf";
/// // RFC 9309 has wildcards, the standard of 1994 compares prefixes.
/// let decision = robots.decide(&Dialect::RFC9309, "GPTBot", url);
/// assert_eq!(decision.verdict, Verdict::Disallow);
/// let line = decision.rule_line.and_then(|line| robots.line(line));
/// assert_eq!(line, Some(&b"Disallow: /*.pdf$"[..]));
/// let decision = robots.decide(&Dialect::ORIGINAL_1994, "GPTBot", url);
/// assert_eq!(decision.verdict, Verdict::Allow);
/// ```
#[derive(Clone, Debug)]
pub struct Robots {
    body: Vec<u8>,
    lines: RobotsTxt,
    compiled: OnceLock<Box<Compiled>>,
    findings: OnceLock<Vec<Anomaly>>,
}

/// The rules under one dialect, and a link to those of the dialect that was used next.
///
/// A list that only grows returns references that live as long as the file, without a lock. It
/// is as long as the number of dialects that the caller uses, so it is searched from its start.
#[derive(Clone, Debug)]
struct Compiled {
    dialect: Dialect,
    rules: RuleSet,
    next: OnceLock<Box<Compiled>>,
}

impl Robots {
    /// Parses the body of a robots.txt, with transfer and content codings removed.
    ///
    /// Never fails. A `String` or `Vec<u8>` is moved, a borrowed body is copied once. Bytes
    /// beyond 4 GiB are not parsed, and of the rest a dialect may read less: `google` reads
    /// 500 KiB.
    pub fn parse(body: impl Into<Vec<u8>>) -> Robots {
        let body = body.into();
        let mut lines = RobotsTxt::new();
        lines::parse(&body, &mut lines);
        Robots {
            body,
            lines,
            compiled: OnceLock::new(),
            findings: OnceLock::new(),
        }
    }

    /// Decides whether a crawler may fetch a URL, and names the line that decided.
    ///
    /// `agent` is a product token such as `"GPTBot"`, or several ([`ProductTokens`]). `url` is an
    /// absolute URL or its path with the query; it is compared as it is given, so a text that is no
    /// URL gets a decision too. Scheme and host are not compared: that the file applies to them
    /// ([`applies_to`](crate::applies_to)) and was fetched with success
    /// ([`AccessPolicy::decide`](crate::robots::dialect::AccessPolicy::decide)) is up to the caller.
    ///
    /// Costs a pass over the user-agent lines and one over the rules of the groups that apply to
    /// the crawler; a rule whose literal beginning matches costs at most the product of the lengths
    /// of pattern and path. For one crawler and many URLs, [`Robots::rules_for`] saves the first.
    pub fn decide<'a>(
        &self,
        dialect: &Dialect,
        agent: impl Into<ProductTokens<'a>>,
        url: impl AsRef<[u8]>,
    ) -> Decision {
        self.rules_for(dialect, agent).decide(url)
    }

    /// Returns the rules that apply to a crawler, for decisions about many URLs.
    pub fn rules_for<'a>(
        &self,
        dialect: &Dialect,
        agent: impl Into<ProductTokens<'a>>,
    ) -> AgentRules<'_> {
        let Compiled { dialect, rules, .. } = self.compiled(dialect);
        let agent = Agent::new(dialect, agent.into().as_slice());
        let mut selection = Selection::new();
        rules.select(&agent, &mut selection);
        AgentRules {
            body: &self.body,
            dialect,
            rules,
            selection,
        }
    }

    /// Returns the groups, in the order of the file. [`Decision::group_index`] counts them from 0.
    pub fn groups<'r>(
        &'r self,
        dialect: &Dialect,
    ) -> impl ExactSizeIterator<Item = GroupRef<'r>> + use<'r> {
        let rules = self.rule_set(dialect);
        (0..rules.groups().len()).map(|index| GroupRef::new(&self.body, rules, index as u32))
    }

    /// Returns the allow and disallow lines, in the order of the file, those outside any group too.
    pub fn rules<'r>(
        &'r self,
        dialect: &Dialect,
    ) -> impl ExactSizeIterator<Item = RuleRef<'r>> + use<'r> {
        let rules = self.rule_set(dialect);
        let view = |rule| RuleRef::new(&self.body, rules, rule);
        rules.rules().iter().map(view)
    }

    /// Returns the lines with any other field, such as `Sitemap` and `Crawl-delay`, in the order
    /// of the file (RFC 9309, section 2.2.4).
    pub fn records<'r>(
        &'r self,
        dialect: &Dialect,
    ) -> impl ExactSizeIterator<Item = RecordRef<'r>> + use<'r> {
        let records = self.rule_set(dialect).records();
        records
            .iter()
            .map(|record| RecordRef::new(&self.body, record))
    }

    /// Returns the values of the sitemap lines as they are written, in the order of the file.
    pub fn sitemaps<'r>(&'r self, dialect: &Dialect) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        let is_sitemap = |record: &RecordRef<'_>| record.field == Field::Sitemap;
        self.records(dialect)
            .filter(is_sitemap)
            .map(|record| record.value)
    }

    /// Returns the statements on use and license, such as those of `Content-Signal`, in the order
    /// of the file.
    pub fn signals(&self, dialect: &Dialect) -> Vec<SignalRef<'_>> {
        let mut signals = Vec::new();
        for record in self.records(dialect) {
            if let Some(vocabulary) = Vocabulary::of(record.field) {
                let statements = signal::read(vocabulary, record.value).into_iter();
                let of_line = |statement| SignalRef::new(&record, vocabulary, statement);
                signals.extend(statements.map(of_line));
            }
        }
        signals
    }

    /// Returns what is wrong or unusual in the file: what concerns the whole file first, then by
    /// line.
    ///
    /// Findings compare the interpretations of all built-in dialects, so they depend on none. The
    /// first call costs a pass over the lines and a sort of the rules; later ones share the result.
    pub fn findings(&self) -> impl ExactSizeIterator<Item = FindingRef<'_>> {
        let findings = self.anomalies().iter();
        findings.map(|anomaly| FindingRef::new(&self.body, anomaly))
    }

    /// Returns the findings as offsets into the body.
    #[doc(hidden)]
    pub fn anomalies(&self) -> &[Anomaly] {
        self.findings.get_or_init(|| {
            let mut findings = Vec::new();
            let reference = self.rule_set(&Dialect::GOOGLE);
            AnomalyFinder::new().find(&self.body, &self.lines, reference, &mut findings);
            findings
        })
    }

    /// Returns the body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns a line without its terminator, by its number from 1; `None` where the file has none
    /// of that number. CR, LF and CR LF end a line.
    pub fn line(&self, number: u32) -> Option<&[u8]> {
        let index = number.checked_sub(1)?;
        let line = self.lines.lines().get(index as usize)?;
        Some(line.text.of(&self.body))
    }

    /// Returns the lines as offsets into the body.
    #[doc(hidden)]
    pub fn lines(&self) -> &[Line] {
        self.lines.lines()
    }

    /// Returns the rules under a dialect, which the first call for it compiles.
    #[doc(hidden)]
    pub fn rule_set(&self, dialect: &Dialect) -> &RuleSet {
        &self.compiled(dialect).rules
    }

    fn compiled(&self, dialect: &Dialect) -> &Compiled {
        let mut link = &self.compiled;
        loop {
            let compiled = link.get_or_init(|| {
                let mut rules = RuleSet::new();
                rules.compile(dialect, &self.body, &self.lines);
                Box::new(Compiled {
                    dialect: dialect.clone(),
                    rules,
                    next: OnceLock::new(),
                })
            });
            if compiled.dialect == *dialect {
                return compiled;
            }
            link = &compiled.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::Verdict;

    #[test]
    fn each_dialect_is_compiled_once() {
        let robots = Robots::parse("user-agent: *\ndisallow: /\n");
        let first = Dialect::BUILT_IN.map(|dialect| std::ptr::from_ref(robots.compiled(dialect)));
        let second = Dialect::BUILT_IN.map(|dialect| std::ptr::from_ref(robots.compiled(dialect)));
        assert_eq!(first, second);
        for (index, compiled) in first.iter().enumerate() {
            assert!(!first[..index].contains(compiled));
        }
    }

    #[test]
    fn dialects_of_one_name_and_other_answers_are_told_apart() {
        let robots = Robots::parse("user-agent: *\nallow: /\ndisallow: /a\n");
        let [longest, first] = ["longest", "first"].map(|precedence| {
            let text = format!("base = \"google\"\nprecedence = \"{precedence}\"\n");
            let dialect = Dialect::from_toml(&text);
            dialect.unwrap_or_else(|error| panic!("{error}"))
        });
        assert_eq!(longest.name, first.name);
        let verdict = |dialect| robots.decide(dialect, "a", "/a").verdict;
        for _ in 0..2 {
            assert_eq!(verdict(&longest), Verdict::Disallow);
            assert_eq!(verdict(&first), Verdict::Allow);
        }
    }
}
