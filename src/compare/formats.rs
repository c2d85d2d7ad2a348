//! The causes of a comparison in the formats of other programs, which templates lay out.
//!
//! [Markdown](Gate::to_markdown) is for a comment on a pull request. Text of robots.txt files is
//! content of others: it is in code spans and fenced blocks that it cannot end, and control
//! characters and bytes that are not UTF-8 are escaped.
//!
//! Continuous integration shows [JUnit XML](Gate::to_junit) as tests. Each cause is a test case: it
//! passes if it is accepted, and fails with its smallest example if it is not. So is each fault of
//! a parser. An accepted cause that was not found is skipped. One more test case stands for the
//! comparison as a whole. There is a failure if and only if the exit code is 1. The schema is that
//! of the xunit plugin of Jenkins, `junit-10.xsd`.
//!
//! Code scanning shows [SARIF](Gate::to_sarif) at the lines of files. Each cause is a rule, whose
//! identifier is the cause's key, and a result at the line that decides in its smallest example.
//! Accepted causes are suppressed results. Faults of parsers, and what is wrong with the comparison
//! as a whole, are notifications of the run.
//!
//! The [list](to_toml) that accepts what was found is TOML.

use std::collections::BTreeMap;

use minijinja::{AutoEscape, Environment};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    expect::OTHER,
    external::UsageRatio,
    found::{FoundCause, FoundFault, Totals},
    gate::{ACCEPTED, BEYOND_LIMITS, COMBINATION, Gate},
};
use crate::dataset::summary::share;

/// What a comment says first: how much flips, and whether the comparison passes.
const COMMENT: &str = include_str!("templates/comment.md.j2");
/// The head of a table of causes in a comment, a row of it, and a smallest case below it.
const TABLE: &str = include_str!("templates/comment-table.md.j2");
const ROW: &str = include_str!("templates/comment-row.md.j2");
const CASE: &str = include_str!("templates/comment-case.md.j2");
const JUNIT: &str = include_str!("templates/junit.xml.j2");
const SARIF: &str = include_str!("templates/sarif.json.j2");
const LIST: &str = include_str!("templates/accepted.toml.j2");

/// Characters of a comment, below the 65,536 that forges take.
const MAX_COMMENT: usize = 60_000;
/// Characters of the sentence on what is left out, and of what ends a fold.
const RESERVED: usize = 400;
/// Causes that are shown; the others are folded.
const MOST_SHOWN: usize = 10;
/// Lines of a smallest case that are shown; an unreduced one may have thousands.
const MAX_LINES: usize = 40;
/// Characters of a line, an agent or a URL that are shown.
const MAX_CHARS: usize = 300;

impl Gate<'_> {
    /// Returns whether the comparison passes, and a table of the causes in Markdown, those that are
    /// not accepted first, new ones before their combinations, with the smallest case of each below
    /// it; the last are folded.
    pub fn to_markdown(&self) -> String {
        let facts = self.facts();
        let mut comment = Comment::new(rendered(COMMENT, &facts));
        let mut causes: Vec<&FoundCause> = self.comparison.causes.iter().collect();
        causes.sort_by_key(|cause| match self.state(cause).0 {
            ACCEPTED => 2,
            COMBINATION => 1,
            _ => 0,
        });
        let causes: Vec<Value> = causes
            .into_iter()
            .map(|cause| self.facts_of(cause))
            .collect();
        let (shown, folded) = causes.split_at(causes.len().min(MOST_SHOWN));
        comment.add_causes(&facts, shown);
        if !folded.is_empty() {
            let n = folded.len();
            let head = format!("\n<details><summary>{n} more causes</summary>\n");
            comment.text.push_str(&head);
            comment.add_causes(&facts, folded);
            comment.text.push_str("\n</details>\n");
        }
        let [rows, cases] = comment.left_out;
        if cases > 0 {
            comment.text.push_str(&format!(
                "\nLeft out, since a comment has at most {MAX_COMMENT} characters: {rows} causes, and the smallest files of {cases}. \
                 The table `causes` and the folder `cases` have all.\n"
            ));
        }
        comment.text
    }

    /// Returns the causes as tests, in JUnit XML.
    pub fn to_junit(&self) -> String {
        rendered(JUNIT, self.facts())
    }

    /// Returns the causes as results of code scanning, in SARIF 2.1.0.
    pub fn to_sarif(&self) -> String {
        let text = rendered(SARIF, self.facts());
        let log: Value = serde_json::from_str(&text).expect("the template is of JSON");
        format!("{log:#}\n")
    }

    /// Returns what the templates are filled with.
    fn facts(&self) -> Value {
        let (comparison, assessment) = (self.comparison, &self.assessment);
        let (causes, faults, totals) = (&comparison.causes, &comparison.faults, &comparison.totals);
        let directions = totals.directions.keys().map(ToString::to_string);
        let stances = totals
            .stances
            .iter()
            .map(|(stance, n)| (stance.to_string(), n));
        let kinds = directions.chain(stances.clone().map(|(stance, _)| stance));
        let usage = UsageRatio::between(comparison.usage).into_iter().map(|taken| {
            json!({"name": taken.name, "ratio": format!("{:.2}", taken.ratio), "amounts": taken.amounts})
        });
        let tests = 1 + causes.len() + faults.len() + assessment.unmatched.len();
        let is_failure = |cause: &&FoundCause| self.state(cause).0 != ACCEPTED;
        let failures = usize::from(!self.problems.is_empty())
            + causes.iter().filter(is_failure).count()
            + assessment.new_faults.len();
        let of_fault = |fault: &FoundFault| {
            let is_new = assessment.new_faults.contains(&fault);
            json!({"key": fault.key(), "sentence": fault.sentence, "is_new": is_new})
        };
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "sides": comparison.sides,
            "reference": comparison.reference,
            "totals": totals,
            "flips": totals.flips(),
            "kinds": kinds.collect::<Vec<_>>(),
            "stances": stances.collect::<Vec<_>>(),
            "usage": usage.collect::<Vec<_>>(),
            "has_list": self.has_list,
            "reasons": self.reasons(),
            "problems": self.problems,
            "tests": tests,
            "failures": failures,
            "causes": causes.iter().map(|cause| self.facts_of(cause)).collect::<Vec<_>>(),
            "faults": faults.iter().map(of_fault).collect::<Vec<_>>(),
            "unmatched": assessment.unmatched,
        })
    }

    fn facts_of(&self, cause: &FoundCause) -> Value {
        let totals = &self.comparison.totals;
        let flips = counts(&totals.directions, &cause.directions);
        let flips = flips.chain(counts(&totals.stances, &cause.stances));
        let mut found = format!("{} flips on {} hosts", cause.cells, cause.hosts);
        let (state, note) = self.state(cause);
        match state {
            COMBINATION => found = format!("{state}, {note}; {found}"),
            BEYOND_LIMITS => found = format!("{note}; {found}"),
            _ => {}
        }
        let mut lines = cause.answers.iter().rev().filter_map(|answer| answer.line);
        json!({
            "key": cause.key,
            "id": cause.id,
            "changes": cause.changes,
            "state": state,
            "note": note,
            "found": found,
            "hosts": cause.hosts,
            "files": cause.files,
            "cells": cause.cells,
            "flips": flips.collect::<Vec<_>>(),
            "agent": cause.example.agent,
            "url": cause.example.url,
            "answers": cause.answers.map(|answer| answer.to_string()),
            "line": lines.find(|&line| line > 0),
            "block": block(&cause.example.body),
        })
    }
}

/// Returns the counts of a cause for each kind of flips that a comparison has.
fn counts<'c, K: Ord>(
    all: &'c BTreeMap<K, u64>,
    of_cause: &'c BTreeMap<K, u64>,
) -> impl Iterator<Item = u64> {
    all.keys()
        .map(|kind| of_cause.get(kind).copied().unwrap_or(0))
}

/// Returns the list that accepts what was found, for
/// [`AcceptedCauses::from_toml`](super::expect::AcceptedCauses::from_toml), with limits proposed in
/// comments.
pub fn to_toml(causes: &[FoundCause], faults: &[FoundFault], totals: &Totals) -> String {
    let causes = causes.iter().map(|cause| {
        // Without a limit any flip that is too rare to be reduced would be accepted. Other archives
        // of this size have more hosts by chance: hardly by three standard deviations.
        let is_limited = cause.fingerprints.contains(OTHER);
        let by_chance = if is_limited {
            3 * cause.hosts.isqrt()
        } else {
            0
        };
        // Rounded up, so that it holds for this comparison.
        let share = 1e6 * cause.cells as f64 / totals.cells.max(1) as f64;
        json!({
            "changes": cause.changes,
            "fingerprints": cause.fingerprints,
            "is_limited": is_limited,
            "max_hosts": cause.hosts + by_chance,
            "share": format!("{:.6}", share.ceil() / 1e6),
        })
    });
    let faults = faults.iter().map(|fault| {
        json!({
            "kind": fault.kind.as_str(),
            "content_digest": fault.content_digest,
            "faults": fault.faults,
            "sentence": fault.sentence.replace(char::is_control, " "),
        })
    });
    let (causes, faults) = (Vec::from_iter(causes), Vec::from_iter(faults));
    rendered(LIST, json!({"causes": causes, "faults": faults}))
}

/// Returns a template filled with facts.
fn rendered(template: &str, facts: impl Serialize) -> String {
    let mut templates = Environment::new();
    templates.set_trim_blocks(true);
    templates.set_lstrip_blocks(true);
    templates.set_keep_trailing_newline(true);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.add_filter("code", |text: String| code(&text));
    templates.add_filter("fence", |text: String| {
        "`".repeat(3.max(longest_run(&text) + 1))
    });
    templates.add_filter("message", |text: String| message(&text));
    templates.add_filter("printable", |text: String| printable(text.as_bytes()));
    templates.add_filter("quoted", |text: String| format!("{text:?}"));
    templates.add_filter("share", share);
    templates.add_filter("whole", |n: f64| format!("{n:.0}"));
    templates.add_filter("xml", |text: String| xml(&printable(text.as_bytes())));
    templates.add_filter("xml_block", |text: String| xml(&block(text.as_bytes())));
    let own = "the templates are part of this program";
    templates.render_str(template, facts).expect(own)
}

/// A comment that is being written, up to its limit.
struct Comment {
    text: String,
    /// Characters that may follow; 0 once something did not fit, so that the rest is left out.
    left: usize,
    /// Rows of the table, and smallest cases, that did not fit.
    left_out: [usize; 2],
}

impl Comment {
    fn new(head: String) -> Self {
        Self {
            left: (MAX_COMMENT - RESERVED).saturating_sub(head.chars().count()),
            text: head,
            left_out: [0; 2],
        }
    }

    /// Adds a text if it fits; returns the number of texts that did not.
    fn add(&mut self, text: &str) -> usize {
        match self.left.checked_sub(text.chars().count()) {
            Some(left) => {
                self.left = left;
                self.text.push_str(text);
                0
            }
            None => {
                self.left = 0;
                1
            }
        }
    }

    /// Adds a table of causes, and their smallest cases.
    fn add_causes(&mut self, facts: &Value, causes: &[Value]) {
        if causes.is_empty() {
            return;
        }
        self.add(&rendered(TABLE, facts));
        for cause in causes {
            self.left_out[0] += self.add(&rendered(ROW, cause));
        }
        for cause in causes {
            self.left_out[1] += self.add(&rendered(CASE, cause));
        }
    }
}

/// Returns the first lines of a file, each as [`printable`] has it.
fn block(body: &[u8]) -> String {
    let lines: Vec<_> = body.split_inclusive(|&byte| byte == b'\n').collect();
    let shown = &lines[..lines.len().min(MAX_LINES)];
    let mut block: String = shown.iter().map(|line| printable(line) + "\n").collect();
    if shown.len() < lines.len() {
        block.push_str(&format!("[{} more lines]\n", lines.len() - shown.len()));
    }
    block
}

/// Returns a code span that the text cannot end, nor the cell of a table that it is in.
fn code(text: &str) -> String {
    let text = printable(text.as_bytes()).replace('|', "\\|");
    let ticks = "`".repeat(longest_run(&text) + 1);
    // A blank on both sides is removed again, and separates backticks of the text from those
    // around.
    let blank = if text.contains('`') { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|char| char != '`').map(str::len);
    runs.max().unwrap_or_default()
}

/// Returns a line without its end, cut to [`MAX_CHARS`], in which every control character and every
/// byte that is not UTF-8 is escaped.
fn printable(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '\t' => text.push(char),
                char if is_hidden(char) => text.extend(char.escape_default()),
                char => text.push(char),
            }
        }
        text.push_str(&chunk.invalid().escape_ascii().to_string());
    }
    match text.char_indices().nth(MAX_CHARS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Returns true for characters that are not seen, or change the direction of others.
fn is_hidden(char: char) -> bool {
    char.is_control()
        // XML has no such characters.
        || matches!(char, '\u{fffe}' | '\u{ffff}')
        || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns text of printable characters as XML has it, between quotes and between elements.
fn xml(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a message of SARIF, in which brackets are no links and braces are no arguments.
fn message(text: &str) -> String {
    let mut escaped = String::new();
    for char in printable(text.as_bytes()).chars() {
        match char {
            '\\' | '[' | ']' => escaped.extend(['\\', char]),
            '{' | '}' => escaped.extend([char, char]),
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{
        found::Stance,
        testing::{comparison, config, found_cause},
    };

    const PERCENT: &str = "[[cause]]\nchanges = \"percent=normalized\"\nreason = \"x\"\n";

    fn written(sides: [&str; 2], causes: Vec<FoundCause>, list: Option<&str>) -> String {
        let (comparison, config) = (comparison(sides, causes), config(list));
        comparison.gate(&config).to_markdown()
    }

    #[test]
    fn causes_are_a_table_with_the_smallest_case_of_each_and_new_ones_come_first() {
        let causes = vec![
            found_cause("percent=normalized", 7, 30),
            found_cause("unexplained:5c1f8a20", 2, 10),
        ];
        assert_eq!(
            written(["google", "protego 0.7.0"], causes, Some(PERCENT)),
            "**`google` → `protego 0.7.0`**: 40 of 4000 cells flip (1.0 %), on 9 of 30 hosts, in 3 of 20 files.\n\
             \n\
             **Failed:**\n\
             \n\
             - `causes not accepted: 1`\n\
             \n\
             | cause | | hosts | files | flips | disallow to allow |\n\
             |---|---|--:|--:|--:|--:|\n\
             | `unexplained:5c1f8a20` | new | 2 | 2 | 10 | 10 |\n\
             | `percent=normalized` | accepted: `x` | 7 | 7 | 30 | 30 |\n\
             \n\
             `unexplained:5c1f8a20`: `GPTBot` asks for `https://example.com/a`: disallow by line 2 becomes allow.\n\
             \n\
             ```text\nUser-agent: *\nDisallow: /a\n```\n\
             \n\
             `percent=normalized`: `GPTBot` asks for `https://example.com/a`: disallow by line 2 becomes allow.\n\
             \n\
             ```text\nUser-agent: *\nDisallow: /a\n```\n"
        );
    }

    #[test]
    fn a_combination_with_a_new_cause_is_not_counted_as_one() {
        let causes = ["percent=normalized precedence=first", "precedence=first"];
        let causes = causes.map(|key| found_cause(key, 7, 30));
        let (comparison, config) = (comparison(["a", "b"], causes.into()), config(Some(PERCENT)));
        let gate = comparison.gate(&config);
        let text = gate.to_markdown();
        for says in [
            "\n- `causes not accepted: 1`\n- `combinations of causes not accepted: 1`\n",
            "| `precedence=first` | new | 7 | 7 | 30 | 30 |\n\
             | `percent=normalized precedence=first` | combination, `accepted once precedence=first is` | 7 |",
        ] {
            assert!(text.contains(says), "{says}: {text}");
        }
        assert_eq!(gate.to_junit().matches("<failure ").count(), 2);
        let sarif = gate.to_sarif();
        assert!(
            sarif.contains("combination, accepted once precedence=first is; 30 flips"),
            "{sarif}"
        );
        assert_eq!(sarif.matches("\"suppressions\": []").count(), 2);
    }

    #[test]
    fn flips_towards_the_reference_and_away_are_counted_in_the_head_and_by_cause() {
        let stances = |counts: &[(Stance, u64)]| counts.iter().copied().collect();
        let (towards, away) = (Stance::TowardsReference, Stance::AwayFromReference);
        let mut causes = [("percent=normalized", 30), ("unexplained:5c1f8a20", 10)]
            .map(|(key, cells)| found_cause(key, 7, cells));
        causes[0].stances = stances(&[(towards, 30)]);
        causes[1].stances = stances(&[(towards, 2), (away, 8)]);
        let mut comparison = comparison(["python", "google"], causes.into());
        comparison.reference = Some("rfc`9309".to_owned());
        comparison.totals.stances = stances(&[(towards, 32), (away, 8)]);
        let text = comparison.gate(&config(None)).to_markdown();
        for says in [
            "\n\nReference `` rfc`9309 ``: of 40 flips, 32 towards reference (80.0 %), 8 away from reference (20.0 %).\n\n",
            "| disallow to allow | towards reference | away from reference |\n|---|---|--:|--:|--:|--:|--:|--:|\n",
            "| 30 | 30 | 30 | 0 |\n",
            "| 10 | 10 | 2 | 8 |\n",
        ] {
            assert!(text.contains(says), "{says}: {text}");
        }
    }

    #[test]
    fn a_case_can_end_neither_its_block_nor_its_cell() {
        let mut cause = found_cause("percent=normalized", 1, 1);
        cause.example.body = b"````\n|</details>\x1b[2J\xff\r\n\xe2\x80\xaeDisallow: /\n".to_vec();
        cause.example.agent = "a``b|c\nd".to_owned();
        let text = written(["a|b", "`"], vec![cause], None);
        assert!(text.starts_with("**`a\\|b` → `` ` ``**: "), "{text}");
        assert!(
            text.contains(
                "\n`````text\n````\n|</details>\\u{1b}[2J\\xff\\r\n\\u{202e}Disallow: /\n`````\n"
            ),
            "{text}"
        );
        assert!(text.contains("``` a``b\\|c\\nd ```"), "{text}");
    }

    #[test]
    fn a_long_case_is_cut_and_says_so() {
        let mut cause = found_cause("percent=normalized", 1, 1);
        cause.example.body = b"#\n".repeat(MAX_LINES + 2);
        cause.example.url = "x".repeat(MAX_CHARS + 1);
        let text = written(["a", "b"], vec![cause], None);
        assert_eq!(text.matches("\n#").count(), MAX_LINES);
        assert!(text.contains("\n[2 more lines]\n```"), "{text}");
        assert!(text.contains("xx…`"), "{text}");
    }

    #[test]
    fn without_a_flip_there_is_no_table() {
        assert_eq!(
            written(["a", "a"], Vec::new(), None),
            "**`a` → `a`**: 0 of 4000 cells flip (0 %), on 9 of 30 hosts, in 3 of 20 files.\n\n**Passed.**\n"
        );
    }

    #[test]
    fn of_many_causes_the_first_are_shown_and_the_others_folded() {
        let causes = (0..40).map(|n| found_cause(&format!("unexplained:{n:08}"), 50 - n, 1));
        let text = written(["a", "b"], causes.collect(), None);
        let (shown, folded) = text
            .split_once("<details><summary>30 more causes</summary>\n\n")
            .unwrap();
        assert_eq!(shown.matches("| `unexplained:").count(), MOST_SHOWN);
        assert_eq!(folded.matches("| `unexplained:").count(), 30);
        assert_eq!(text.matches("```text").count(), 40);
        assert!(text.ends_with("\n</details>\n"), "{text}");
    }

    #[test]
    fn a_comment_has_a_limit_and_says_what_it_leaves_out() {
        // A character of two bytes counts once.
        let line = "é".repeat(2 * MAX_CHARS) + "\n";
        let causes = (0..500).map(|n| {
            let mut cause = found_cause(&format!("unexplained:{n:08}"), 1, 1);
            cause.example.body = line.repeat(MAX_LINES).into();
            cause
        });
        let text = written(["a", "b"], causes.collect(), None);
        let n = text.chars().count();
        assert!((40_000..=MAX_COMMENT).contains(&n), "{n}");
        let shown = text.matches("```text").count();
        assert_eq!(shown, 4);
        let says = format!(
            "characters: 490 causes, and the smallest files of {}.",
            500 - shown
        );
        assert!(text.contains(&says), "{}", &text[text.len() - 300..]);
    }
}
