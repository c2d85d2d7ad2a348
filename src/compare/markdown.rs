//! The causes of a comparison as Markdown, to paste into an issue.
//!
//! Text of robots.txt files is content of others: it is in code spans and fenced blocks that it
//! cannot end, and control characters and bytes that are not UTF-8 are escaped.

use super::found::{Direction, FoundCause, ReducedCase, Totals};
use crate::dataset::summary::share;

/// Lines of a smallest case that are shown; an unreduced one may have thousands.
const MAX_LINES: usize = 40;
/// Characters of a line, an agent or a URL that are shown.
const MAX_CHARS: usize = 300;

/// Returns a table of the causes, in their order, with the smallest case of each below it.
/// `baseline` and `candidate` name the sides.
pub fn markdown(baseline: &str, candidate: &str, causes: &[FoundCause], totals: &Totals) -> String {
    let mut text = format!(
        "**{} → {}**: {} of {} cells flip ({}), on {} of {} hosts, in {} of {} files.\n",
        code(baseline),
        code(candidate),
        totals.flips(),
        totals.cells,
        share(totals.flips(), totals.cells),
        totals.flipping_hosts,
        totals.hosts,
        totals.flipping_files,
        totals.files,
    );
    if causes.is_empty() {
        return text;
    }
    let directions: Vec<_> = Direction::ALL
        .into_iter()
        .filter(|direction| totals.directions.contains_key(direction))
        .collect();
    let names: String = directions.iter().map(|name| format!(" {name} |")).collect();
    let rule = "--:|".repeat(directions.len());
    text.push_str(&format!(
        "\n| cause | hosts | files | flips |{names}\n|---|--:|--:|--:|{rule}\n"
    ));
    for cause in causes {
        let FoundCause {
            key,
            hosts,
            files,
            cells,
            ..
        } = cause;
        let flips = directions.iter().map(|name| cause.directions.get(name));
        let flips: String = flips.map(|n| format!(" {} |", n.unwrap_or(&0))).collect();
        let key = code(key);
        text.push_str(&format!("| {key} | {hosts} | {files} | {cells} |{flips}\n"));
    }
    for cause in causes {
        text.push_str(&format!("\n{}: ", code(&cause.key)));
        append_case(&mut text, &cause.example);
    }
    text
}

fn append_case(text: &mut String, case: &ReducedCase) {
    text.push_str(&format!(
        "{} asks for {}: {} becomes {}.\n\n",
        code(&case.agent),
        code(&case.url),
        case.baseline,
        case.candidate
    ));
    let lines: Vec<_> = case.body.split_inclusive(|&byte| byte == b'\n').collect();
    let shown = &lines[..lines.len().min(MAX_LINES)];
    let mut block: String = shown.iter().map(|line| printable(line) + "\n").collect();
    if shown.len() < lines.len() {
        block.push_str(&format!("[{} more lines]\n", lines.len() - shown.len()));
    }
    let fence = "`".repeat(3.max(longest_run(&block) + 1));
    text.push_str(&format!("{fence}text\n{block}{fence}\n"));
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
        || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::compare::testing::found_cause;

    fn totals() -> Totals {
        Totals {
            files: 20,
            hosts: 30,
            cells: 4_000,
            flipping_files: 3,
            flipping_hosts: 9,
            directions: BTreeMap::from([(Direction::DisallowToAllow, 40)]),
            ..Totals::default()
        }
    }

    #[test]
    fn causes_are_a_table_in_their_order_with_the_smallest_case_of_each() {
        let causes = [
            found_cause("percent=normalized", 7, 30),
            found_cause("unexplained:5c1f8a20", 2, 10),
        ];
        assert_eq!(
            markdown("google", "protego 0.7.0", &causes, &totals()),
            "**`google` → `protego 0.7.0`**: 40 of 4000 cells flip (1.0 %), on 9 of 30 hosts, in 3 of 20 files.\n\
             \n\
             | cause | hosts | files | flips | disallow to allow |\n\
             |---|--:|--:|--:|--:|\n\
             | `percent=normalized` | 7 | 7 | 30 | 30 |\n\
             | `unexplained:5c1f8a20` | 2 | 2 | 10 | 10 |\n\
             \n\
             `percent=normalized`: `GPTBot` asks for `https://example.com/a`: disallow by line 2 becomes allow.\n\
             \n\
             ```text\nUser-agent: *\nDisallow: /a\n```\n\
             \n\
             `unexplained:5c1f8a20`: `GPTBot` asks for `https://example.com/a`: disallow by line 2 becomes allow.\n\
             \n\
             ```text\nUser-agent: *\nDisallow: /a\n```\n"
        );
    }

    #[test]
    fn a_case_can_end_neither_its_block_nor_its_cell() {
        let mut cause = found_cause("percent=normalized", 1, 1);
        cause.example.body = b"````\n|</details>\x1b[2J\xff\r\n\xe2\x80\xaeDisallow: /\n".to_vec();
        cause.example.agent = "a``b|c\nd".to_owned();
        let text = markdown("a|b", "`", &[cause], &totals());
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
        let text = markdown("a", "b", &[cause], &totals());
        assert_eq!(text.matches("\n#").count(), MAX_LINES);
        assert!(text.contains("\n[2 more lines]\n```"), "{text}");
        assert!(text.contains("xx…`"), "{text}");
    }

    #[test]
    fn without_a_flip_there_is_no_table() {
        let text = markdown("a", "a", &[], &Totals::default());
        assert_eq!(
            text,
            "**`a` → `a`**: 0 of 0 cells flip (-), on 0 of 0 hosts, in 0 of 0 files.\n"
        );
    }
}
