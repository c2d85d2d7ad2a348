//! The causes of a comparison as Markdown, for a comment on a pull request.
//!
//! Text of robots.txt files is content of others: it is in code spans and fenced blocks that it
//! cannot end, and control characters and bytes that are not UTF-8 are escaped.

use super::{
    external::UsageRatio,
    found::{Estimate, FoundCause},
    gate::{CauseState, Gate},
};
use crate::dataset::summary::share;

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
        let mut causes: Vec<&FoundCause> = self.comparison.causes.iter().collect();
        causes.sort_by_key(|cause| match self.state(cause) {
            CauseState::Accepted(_) => 2,
            CauseState::Combined(_) => 1,
            _ => 0,
        });
        let mut comment = Comment::new(head(self));
        let (shown, folded) = causes.split_at(causes.len().min(MOST_SHOWN));
        comment.add_causes(self, shown);
        if !folded.is_empty() {
            let n = folded.len();
            comment
                .text
                .push_str(&format!("\n<details><summary>{n} more causes</summary>\n"));
            comment.add_causes(self, folded);
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
}

/// Returns how much flips, and whether the comparison passes.
fn head(gate: &Gate<'_>) -> String {
    let (sides, totals) = (&gate.comparison.sides, &gate.comparison.totals);
    let mut text = format!(
        "**{} → {}**: {} of {} cells flip ({}), on {} of {} hosts, in {} of {} files.\n",
        code(&sides[0]),
        code(&sides[1]),
        totals.flips(),
        totals.cells,
        share(totals.flips(), totals.cells),
        totals.flipping_hosts,
        totals.hosts,
        totals.flipping_files,
        totals.files,
    );
    if let Some(reference) = &gate.comparison.reference
        && !totals.stances.is_empty()
    {
        let parts = totals.stances.iter();
        let parts =
            parts.map(|(stance, &n)| format!("{n} {stance} ({})", share(n, totals.flips())));
        let parts: Vec<String> = parts.collect();
        let (reference, parts) = (code(reference), parts.join(", "));
        let flips = totals.flips();
        text.push_str(&format!(
            "\nReference {reference}: of {flips} flips, {parts}.\n"
        ));
    }
    if let Some(sample) = &totals.sample
        && totals.not_asked > 0
    {
        let Estimate { value, low, high } = sample.flipping_files;
        text.push_str(&format!(
            "\n{} of {} files were not asked, since the time was over. Estimated for all files: \
             {value:.0} flip ({low:.0} to {high:.0} with 95 % confidence).\n",
            totals.not_asked, sample.files,
        ));
    }
    if totals.not_asked_again > 0 {
        text.push_str(&format!(
            "\nOf {} files that flip no parser was asked again, nor the reference, since the time was over.\n",
            totals.not_asked_again
        ));
    }
    for taken in UsageRatio::between(gate.comparison.usage) {
        let (name, amounts) = (taken.name, taken.amounts);
        text.push_str(&format!("\n{name}: {:.2} times, {amounts}.\n", taken.ratio));
    }
    if totals.kinds_not_reduced > 0 {
        text.push_str(&format!(
            "\n{} kinds of unexplained flips were too many to be told apart: they are `unexplained:other`.\n",
            totals.kinds_not_reduced
        ));
    }
    let reasons = gate.reasons();
    if reasons.is_empty() {
        text.push_str("\n**Passed.**\n");
    } else {
        text.push_str("\n**Failed:**\n\n");
    }
    for reason in &reasons {
        text.push_str(&format!("- {}\n", code(reason)));
    }
    text
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
    fn add_causes(&mut self, gate: &Gate<'_>, causes: &[&FoundCause]) {
        if causes.is_empty() {
            return;
        }
        let totals = &gate.comparison.totals;
        let (directions, stances) = (&totals.directions, &totals.stances);
        let names = directions.keys().map(|name| format!(" {name} |"));
        let names = names.chain(stances.keys().map(|name| format!(" {name} |")));
        let names: String = names.collect();
        let rule = "--:|".repeat(directions.len() + stances.len());
        self.add(&format!(
            "\n| cause | | hosts | files | flips |{names}\n|---|---|--:|--:|--:|{rule}\n"
        ));
        for cause in causes {
            let (hosts, files, cells) = (cause.hosts, cause.files, cause.cells);
            let flips = directions.keys().map(|name| cause.directions.get(name));
            let flips = flips.chain(stances.keys().map(|name| cause.stances.get(name)));
            let flips: String = flips.map(|n| format!(" {} |", n.unwrap_or(&0))).collect();
            let state = match gate.state(cause) {
                CauseState::Combined(waits) => format!("combination, {}", code(waits)),
                CauseState::Accepted(reasons) => format!("accepted: {}", code(reasons)),
                state => state.name().to_owned(),
            };
            let key = code(&cause.key);
            self.left_out[0] += self.add(&format!(
                "| {key} | {state} | {hosts} | {files} | {cells} |{flips}\n"
            ));
        }
        for cause in causes {
            self.left_out[1] += self.add(&smallest_case(cause));
        }
    }
}

fn smallest_case(cause: &FoundCause) -> String {
    let (example, [baseline, candidate]) = (&cause.example, cause.answers);
    let block = block(&example.body);
    let fence = "`".repeat(3.max(longest_run(&block) + 1));
    format!(
        "\n{}: {} asks for {}: {baseline} becomes {candidate}.\n\n{fence}text\n{block}{fence}\n",
        code(&cause.key),
        code(&example.agent),
        code(&example.url)
    )
}

/// Returns the first lines of a file, each as [`printable`] has it.
pub(super) fn block(body: &[u8]) -> String {
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
pub(super) fn printable(line: &[u8]) -> String {
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
