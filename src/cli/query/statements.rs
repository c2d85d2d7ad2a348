//! The statements of SQL: which of them are run, and which one has the rows.
//!
//! DuckDB would write to the files that it may read (`COPY`), so nothing but questions and
//! definitions is run. SQL without a semicolon is run within CREATE TABLE ... AS, which nothing but
//! a question can follow. In other SQL the parser of DuckDB finds the question; in what stands
//! before it, every semicolon counts as the end of a statement, even one within a text, so that no
//! way to write a text or a comment hides a statement.

use anyhow::bail;

use super::super::duckdb;

/// What asks for rows.
const ASKS: [&str; 10] = [
    "select",
    "from",
    "with",
    "values",
    "table",
    "pivot",
    "unpivot",
    "describe",
    "summarize",
    "show",
];
/// What is made in the memory of DuckDB and ends with it.
const MADE: [&str; 6] = ["table", "view", "macro", "function", "type", "sequence"];
/// What stands before that.
const MADE_HOW: [&str; 5] = ["or", "replace", "temp", "temporary", "recursive"];
/// What changes that.
const CHANGES: [&str; 5] = ["insert", "update", "delete", "drop", "alter"];
/// Functions that write files, and the beginnings of names with escapes, which could hide them.
const REFUSED: [&str; 4] = ["enable_profiling", "enable_logging", "u&\"", "u&'"];
/// Words of a statement that decide whether it is run.
const MOST_WORDS: usize = 6;
/// Places where the question may begin, in SQL with more semicolons than anybody writes.
const MOST_BEGINNINGS: usize = 100;

/// SQL as it is run.
#[derive(Clone, Copy, Debug)]
pub struct Statements<'s> {
    /// The definitions before the question, with their semicolons.
    pub before: &'s str,
    /// The question, without its semicolon.
    pub question: &'s str,
    /// Whether it shows a plan and has no rows.
    pub is_plan: bool,
}

impl<'s> Statements<'s> {
    /// Returns a query of this program, which is one question.
    pub fn new(question: &'s str) -> Self {
        Self {
            before: "",
            question: end_trimmed(question),
            is_plan: false,
        }
    }
}

/// Returns SQL without the semicolons at its end and the comments behind them.
fn end_trimmed(mut sql: &str) -> &str {
    loop {
        sql = sql.trim_end_matches(|c: char| c.is_ascii_whitespace() || c == ';');
        match sql.rsplit_once(';') {
            Some((before, behind)) if is_comment(behind) => sql = before,
            _ => return sql,
        }
    }
}

/// Returns true if and only if each line is a comment that cannot be a part of a text.
fn is_comment(sql: &str) -> bool {
    let mut lines = sql.lines().map(str::trim_start);
    !sql.contains(['\'', '"', '$']) && lines.all(|line| line.is_empty() || line.starts_with("--"))
}

/// Returns the statements of SQL.
///
/// # Errors
///
/// SQL that is not run; `name` is that of the query.
pub fn statements<'s>(name: &str, sql: &'s str) -> anyhow::Result<Statements<'s>> {
    check_lines(name, sql)?;
    let lower = sql.to_ascii_lowercase();
    if let Some(refused) = REFUSED.iter().find(|refused| lower.contains(**refused)) {
        bail!("{name}: {refused} is not run, since it may write files or hide what is run");
    }
    let sql = end_trimmed(sql);
    // Words are compared in lower case, and at the same places.
    let lower = &lower[..sql.len()];
    if !sql.contains(';') {
        let is_plan = is_question(name, lower)?;
        return Ok(Statements {
            is_plan,
            ..Statements::new(sql)
        });
    }
    let begin = beginning_of_question(name, sql, lower)?;
    let (before, question) = sql.split_at(begin);
    for piece in lower[..begin].split_terminator(';') {
        if !is_definition(piece) {
            bail!("{}", refusal(name, piece));
        }
    }
    Ok(Statements {
        before,
        question,
        is_plan: false,
    })
}

/// Refuses lines that are commands of DuckDB's shell.
fn check_lines(name: &str, sql: &str) -> anyhow::Result<()> {
    // The two bytes of an end of a line as on Windows are one end.
    let text = sql.replace("\r\n", "\n");
    let mut lines = text.split(['\n', '\r']);
    if let Some(line) = lines.position(|line| line.starts_with('.')) {
        bail!(
            "{name}: line {} begins with a dot, as commands of DuckDB's shell do, which are not run; expected SQL (a blank before the dot continues a statement)",
            line + 1
        );
    }
    if sql.contains('\0') {
        bail!("{name}: expected SQL without the character NUL");
    }
    Ok(())
}

/// Refuses a statement that is no question, and returns true if and only if it asks for a plan.
fn is_question(name: &str, lower: &str) -> anyhow::Result<bool> {
    match first_words(lower)[..] {
        ["explain", "analyze", asks, ..] | ["explain", asks, ..] if ASKS.contains(&asks) => {
            Ok(true)
        }
        [first, ..] if ASKS.contains(&first) => Ok(false),
        _ => bail!("{}", refusal(name, lower)),
    }
}

fn is_definition(lower: &str) -> bool {
    match first_words(lower)[..] {
        ["create", ref rest @ ..] => {
            let what = rest.iter().find(|word| !MADE_HOW.contains(word));
            what.is_some_and(|what| MADE.contains(what))
        }
        ["set" | "reset", "variable", ..] => true,
        [first, ..] => CHANGES.contains(&first),
        // Between two semicolons.
        [] => lower
            .trim_matches(|c: char| c.is_ascii_whitespace())
            .is_empty(),
    }
}

fn refusal(name: &str, lower: &str) -> String {
    let what = match first_words(lower).first() {
        Some(word) if ASKS.contains(word) => {
            return format!(
                "{name}: expected one statement with rows, and definitions before it; ask each question in a query of its own"
            );
        }
        Some(word) => word.to_uppercase(),
        None => "a statement that begins with no word".to_owned(),
    };
    format!(
        "{name}: {what} is not run, since a query writes no files and changes no settings; expected SELECT, FROM or CREATE TEMP VIEW (--format csv > FILE writes rows; chr(59) is a semicolon within a text)"
    )
}

/// Returns where the question begins: the first place from which the rest is one question.
fn beginning_of_question(name: &str, sql: &str, lower: &str) -> anyhow::Result<usize> {
    let behind = sql.match_indices(';').map(|(at, _)| at + 1);
    let may_begin = behind.filter(|at| {
        let words = first_words(&lower[*at..]);
        words.first().is_some_and(|word| ASKS.contains(word))
    });
    let mut places: Vec<_> = may_begin.collect();
    places.drain(..places.len().saturating_sub(MOST_BEGINNINGS));
    places.insert(0, 0);
    let rows = places
        .iter()
        .map(|at| format!("({at}, {})", duckdb::quoted(&sql[*at..])));
    let rows: Vec<_> = rows.collect();
    let parsed = duckdb::rows(&format!(
        "SELECT place::VARCHAR AS place, found->>'error_message' AS message, found->>'error_type' AS type, found->>'position' AS position, json_array_length(found->'statements')::VARCHAR AS n \
         FROM (SELECT place, json_serialize_sql(part) AS found FROM (VALUES {}) AS parts(place, part)) AS found_in ORDER BY found_in.place;\n",
        rows.join(", ")
    ))?;
    let whole = &parsed[0];
    let is_several = |n: &str| n != "0" && n != "1";
    if let Some(n) = whole["n"].as_str().filter(|n| is_several(n)) {
        bail!(
            "{name}: expected one statement with rows, but found {n}; ask each in a query of its own"
        );
    }
    if let Some(one) = parsed.iter().find(|row| row["n"] == "1") {
        let at = one["place"].as_str().unwrap_or_default();
        return Ok(at.parse()?);
    }
    if whole["type"] == "parser" {
        let position = whole["position"].as_str().unwrap_or_default();
        let position: usize = position.parse().unwrap_or_default();
        let lines = sql.bytes().take(position).filter(|byte| *byte == b'\n');
        bail!(
            "DuckDB: Parser Error: {}, in line {}",
            whole["message"].as_str().unwrap_or_default(),
            lines.count() + 1
        );
    }
    if whole["n"] == "0" {
        bail!("{name}: expected SQL, but found no statement");
    }
    let is_refused = |piece: &&str| !is_definition(piece) && is_question(name, piece).is_err();
    match lower.split(';').find(is_refused) {
        Some(piece) => bail!("{}", refusal(name, piece)),
        None => bail!("{name}: expected the statement with rows to be the last one"),
    }
}

/// Returns the first words of a statement, behind parentheses and comments; none where something
/// else stands before the first one.
fn first_words(mut sql: &str) -> Vec<&str> {
    let mut words = Vec::new();
    while words.len() < MOST_WORDS {
        sql = sql.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '(');
        if let Some(comment) = sql.strip_prefix("--") {
            sql = &comment[comment.find(['\n', '\r']).unwrap_or(comment.len())..];
        } else if let Some(rest) = sql.strip_prefix("/*").and_then(behind_comment) {
            sql = rest;
        } else {
            let is_inside = |c: char| c.is_alphanumeric() || c == '_';
            let end = sql.find(|c| !is_inside(c)).unwrap_or(sql.len());
            if end == 0 {
                break;
            }
            words.push(&sql[..end]);
            sql = &sql[end..];
        }
    }
    words
}

/// Returns what is behind a comment; `None` for one with comments in it, which ends later.
fn behind_comment(sql: &str) -> Option<&str> {
    let (comment, rest) = sql.split_once("*/")?;
    (!comment.contains("/*") && !comment.ends_with('/')).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(sql: &str) -> String {
        let refused = statements("q", sql);
        refused.expect_err(sql).to_string()
    }

    #[test]
    fn commands_of_the_shell_are_refused_wherever_a_line_begins() {
        for sql in [
            ".shell touch x",
            "SELECT 1;\n.shell touch x",
            "SELECT 1;\r.shell touch x",
            "SELECT 1;\r\n.output x\nSELECT 2",
            "SELECT '\n.once |cat\n'",
            "/*\n.read x\n*/ SELECT 1",
        ] {
            assert!(refused(sql).contains("begins with a dot"), "{sql}");
        }
        let lines = "SELECT 1,\r\n2;\r\n.shell touch x";
        assert!(refused(lines).contains("q: line 3 begins"));
        for sql in [" .shell x", "\t.shell x"] {
            assert!(refused(sql).contains("is not run"), "{sql}");
        }
        assert!(statements("q", "SELECT 'a'\n  .upper()").is_ok());
    }

    #[test]
    fn what_writes_files_or_changes_settings_is_refused() {
        for sql in [
            "COPY (SELECT 1) TO 'x'",
            "EXPLAIN ANALYZE COPY (SELECT 1) TO 'x'",
            "EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1",
            "EXPORT DATABASE 'x'",
            "ATTACH 'x'",
            "INSTALL httpfs",
            "SET threads = 1",
            "PRAGMA profiling_output = 'x'",
            "CALL enable_profiling(save_location := 'x.json')",
            "FROM enable_logging(storage_path = 'x')",
            "SELECT U&\"enable_profilin\\0067\"",
            "-- a\rCOPY (SELECT 1) TO 'x'",
            "SELECT 1 \0",
        ] {
            assert!(refused(sql).starts_with("q: "), "{sql}");
        }
    }

    #[test]
    fn a_definition_is_known_by_its_first_words() {
        for sql in [
            "CREATE TEMP MACRO f() AS 1",
            " -- a ; b\nCREATE OR REPLACE TEMP VIEW x AS FROM y",
            "/* a */ SET VARIABLE x = 1",
            "",
        ] {
            assert!(is_definition(&sql.to_ascii_lowercase()), "{sql}");
        }
        for sql in [
            "CREATE PERSISTENT SECRET s (TYPE s3)",
            "SET threads = 1",
            "/* /* */ SET VARIABLE */ COPY x TO 'y'",
            "/* a /*/ SET VARIABLE */ */ COPY x TO 'y'",
            "\u{a0}COPY x TO 'y'",
            "'",
            "SELECT 1",
        ] {
            assert!(!is_definition(&sql.to_ascii_lowercase()), "{sql}");
        }
    }
}
