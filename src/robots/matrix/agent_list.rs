//! A list of agents that a user gives: a crawler a line.

use std::collections::{HashMap, HashSet};

use crate::robots::agents::{MatrixAgent, read_agent};

/// Numbers of lines that a message names.
const MOST_LINES: usize = 20;

/// Reads agents from a text of lines. `note` gets a sentence on each that is not as it was written,
/// or is a near miss of a known one.
///
/// A line is what [`read_agent`] reads, and after a tab, if wanted, a category. Lines that are
/// empty or begin with `#` are ignored. If the first line names columns (`token` or `agent`,
/// `category`), the columns with those names are read, in any order.
///
/// # Errors
///
/// One sentence with the line's number, 1 for the first: a line without a token, a line of a
/// robots.txt file, a token named twice, or no agent at all. Of several lines without a token all
/// numbers are named.
pub fn read_agents(text: &str, note: &mut dyn FnMut(String)) -> Result<Vec<MatrixAgent>, String> {
    let mut agents: Vec<MatrixAgent> = Vec::new();
    let mut refused: Vec<(usize, String)> = Vec::new();
    let mut indexes: HashMap<String, usize> = HashMap::new();
    let mut reduced: HashSet<usize> = HashSet::new();
    for row in rows_of_list(text, &["token", "agent"], "category", 1) {
        let (number, cell) = (row.line, row.name);
        if let Some(message) = directive(cell) {
            return Err(format!("line {number}: {message}"));
        }
        let named = match read_agent(cell) {
            Ok(named) => named,
            Err(message) => {
                refused.push((number, message));
                continue;
            }
        };
        let is_reduced = named.chain.join(",") != cell;
        for text in named.notes {
            note(format!("line {number}: {text}"));
        }
        let chain = named.chain;
        if let Some(&index) = indexes.get(&chain[0]) {
            let first = &agents[index];
            // A public list may have a token and a header with it.
            if first.chain == chain && (is_reduced || reduced.contains(&index)) {
                note(format!(
                    "line {number}: {} is in this list already",
                    first.name()
                ));
                continue;
            }
            return Err(format!(
                "line {number}: the agent {} is in this list already",
                first.name()
            ));
        }
        if is_reduced {
            reduced.insert(agents.len());
        }
        indexes.insert(chain[0].clone(), agents.len());
        agents.push(MatrixAgent {
            chain,
            category: row.other.map(str::to_owned),
        });
    }
    if let Some(message) = refusal(&refused) {
        return Err(message);
    }
    if agents.is_empty() {
        return Err("expected at least one agent, but found none".to_owned());
    }
    Ok(agents)
}

/// A line of a list.
pub(crate) struct ListRow<'t> {
    /// The number of the line, from 1.
    pub line: usize,
    /// What it names; may be empty.
    pub name: &'t str,
    /// What it states about that, if anything.
    pub other: Option<&'t str>,
}

/// Returns the lines of a list, whose columns are separated by tabs: a name in the first and the
/// other value in the column `default`; or, below a first line that has one of `heads`, the name in
/// that column and the other value in the one called `other`. Lines that are empty or begin with
/// `#` are ignored.
pub(crate) fn rows_of_list<'t>(
    text: &'t str,
    heads: &[&str],
    other: &str,
    default: usize,
) -> impl Iterator<Item = ListRow<'t>> {
    let is_row = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
    let mut rows = (1..).zip(text.lines()).filter(is_row).peekable();
    let position = |cells: &str, is_it: &dyn Fn(&str) -> bool| {
        cells.split('\t').map(str::trim).position(is_it)
    };
    let head = rows.peek().map_or("", |(_, line)| line);
    let mut columns = (0, default);
    if let Some(at) = position(head, &|cell| heads.contains(&cell)) {
        let of_other = position(head, &|cell| cell == other);
        columns = (at, of_other.unwrap_or(usize::MAX));
        rows.next();
    }
    rows.map(move |(line, text)| {
        let cell = |column: usize| text.split('\t').nth(column).map(str::trim);
        ListRow {
            line,
            name: cell(columns.0).unwrap_or_default(),
            other: cell(columns.1).filter(|cell| !cell.is_empty()),
        }
    })
}

/// Returns the message on lines that name no crawler: the first of them, and the numbers of some
/// others.
fn refusal(refused: &[(usize, String)]) -> Option<String> {
    let ((first, message), others) = refused.split_first()?;
    let shown: Vec<String> = (others.iter().take(MOST_LINES))
        .map(|(number, _)| number.to_string())
        .collect();
    let more = match others.len() {
        0 => String::new(),
        n if n > MOST_LINES => format!(
            ", and so are lines {} and {} more",
            shown.join(", "),
            n - MOST_LINES
        ),
        1 => format!(", and so is line {}", shown[0]),
        _ => format!(", and so are lines {}", shown.join(", ")),
    };
    Some(format!("line {first}: {message}{more}"))
}

/// Returns an error message for a cell that is a line of a robots.txt file, given instead of a
/// list.
fn directive(cell: &str) -> Option<String> {
    let (key, value) = cell.split_once(':')?;
    let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
    let instead = match key.as_str() {
        "user-agent" | "useragent" | "user agent" if !value.is_empty() => {
            format!("write just the token: {value}")
        }
        "user-agent" | "useragent" | "user agent" | "allow" | "disallow" | "sitemap" => {
            "write a token a line".to_owned()
        }
        _ => return None,
    };
    Some(format!(
        "expected a product token, but found {cell:?}, a line of a robots.txt file; {instead}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<MatrixAgent>, String> {
        read_agents(text, &mut |note| panic!("{note}"))
    }

    #[test]
    fn a_list_may_have_chains_categories_and_comments() {
        let agents = read("# mine\nGPTBot\tai-training\nGooglebot-News, Googlebot\n\n").unwrap();
        assert_eq!(agents[0].category.as_deref(), Some("ai-training"));
        assert_eq!(agents[1].chain, ["Googlebot-News", "Googlebot"]);
        assert_eq!(agents[1].category, None);
        assert_eq!(agents.len(), 2);
    }

    #[test]
    fn named_columns_are_found_in_any_order() {
        let agents =
            read("operator\ttoken\tnote\tcategory\nOpenAI\tGPTBot\t\tai-training\n").unwrap();
        assert_eq!(agents[0].name(), "GPTBot");
        assert_eq!(agents[0].category.as_deref(), Some("ai-training"));
    }

    #[test]
    fn what_is_no_list_of_agents_is_named_by_its_line() {
        assert!(
            read("A\nB\nA\n")
                .unwrap_err()
                .starts_with("line 3: the agent A")
        );
        assert!(
            read("A,,B\n")
                .unwrap_err()
                .starts_with("line 1: expected a product token")
        );
        assert!(read("# nothing\n").unwrap_err().contains("found none"));
    }

    #[test]
    fn a_line_of_a_robots_txt_is_no_agent_and_the_token_in_it_is_named() {
        let says = |text| read(text).unwrap_err();
        assert_eq!(
            says("# pasted\nUser-agent: GPTBot\nDisallow: /\n"),
            "line 2: expected a product token, but found \"User-agent: GPTBot\", a line of a robots.txt file; write just the token: GPTBot"
        );
        assert!(says("GPTBot\nuser-agent : CCBot\tai\n").ends_with("write just the token: CCBot"));
        assert!(says("Disallow: /\n").ends_with("write a token a line"));
    }

    #[test]
    fn headers_are_reduced_and_lines_without_a_token_are_named_together() {
        let mut notes = Vec::new();
        let text = "GPTBott\nCCBot/2.0 (https://commoncrawl.org/faq/)\tarchiver\n";
        let agents = read_agents(text, &mut |note| notes.push(note)).unwrap();
        assert_eq!(agents[1].name(), "CCBot");
        assert!(
            notes[0].starts_with("line 1: GPTBott is none of"),
            "{notes:?}"
        );
        assert!(notes[1].starts_with("line 2: ") && notes[1].ends_with("token, CCBot"));
        for text in ["CCBot\nCCBot/2.0\n", "CCBot/2.0\nCCBot\n"] {
            notes.clear();
            let twice = read_agents(text, &mut |note| notes.push(note)).unwrap();
            assert_eq!((twice.len(), notes.len()), (1, 2));
            let last = notes.pop().unwrap();
            assert_eq!(last, "line 2: CCBot is in this list already");
        }
        let says = |text| read(text).unwrap_err();
        assert_eq!(
            says("Kangaroo Bot\nCCBot\nTerra Cotta\n"),
            "line 1: expected a product token, such as GPTBot, but found \"Kangaroo Bot\"; a token has no blanks, and so is line 3"
        );
        let many = says(&"Terra Cotta\n".repeat(30));
        assert!(many.ends_with("20, 21 and 9 more"), "{many}");
    }
}
