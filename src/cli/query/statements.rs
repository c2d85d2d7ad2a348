//! The statements of SQL: which of them are run, and which one has the rows.
//!
//! The shell of DuckDB takes a line that begins with a dot for a command of its own, `COPY` writes
//! files, and `SET` may make DuckDB write some, so nothing but questions and definitions is run.

use anyhow::bail;

use super::references::{Lexed, Token, lex};

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
/// Functions that write files, or run SQL of a text.
const REFUSED_FUNCTIONS: [&str; 4] = [
    "query",
    "enable_profiling",
    "enable_logging",
    "json_execute_serialized_sql",
];

/// SQL as it is run.
#[derive(Clone, Copy, Debug)]
pub struct Statements<'s> {
    /// The statements before the last one, with their semicolons.
    pub before: &'s str,
    /// The last one, without its semicolon.
    pub last: &'s str,
    /// What the last one is.
    pub kind: Kind,
}

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has rows.
    Rows,
    /// It has rows, and is read as a table: `DESCRIBE`.
    Description,
    /// It shows a plan.
    Plan,
    /// It has no rows.
    Definition,
}

/// Returns the statements of SQL.
///
/// # Errors
///
/// SQL that is not run; `name` is that of the query.
pub fn statements<'s>(name: &str, sql: &'s str) -> anyhow::Result<Statements<'s>> {
    // The two bytes of an end of a line as on Windows are one end.
    let text = sql.replace("\r\n", "\n");
    let lines = text.split(['\n', '\r']);
    if let Some(line) = lines.clone().position(|line| line.starts_with('.')) {
        bail!(
            "{name}: line {} begins with a dot, as commands of DuckDB's shell do, which are not run; expected SQL (a blank before the dot continues a statement)",
            line + 1
        );
    }
    let Lexed { tokens, doubt } = lex(sql);
    if let Some(instead) = doubt {
        bail!("{name}: cannot tell where a statement ends; write {instead}");
    }
    let mut found: Vec<(usize, usize, Kind)> = Vec::new();
    let mut begin = 0;
    let is_end = |(_, token): &(usize, Token)| *token == Token::Sign(';');
    for statement in tokens.split_inclusive(is_end) {
        let Some((at, last)) = statement.last() else {
            continue;
        };
        let (end, content) = match last {
            Token::Sign(';') => (*at, &statement[..statement.len() - 1]),
            _ => (sql.len(), statement),
        };
        if !content.is_empty() {
            let words: Vec<_> = content.iter().map(|(_, token)| token).collect();
            found.push((begin, end, kind(name, &words)?));
        }
        begin = end + 1;
    }
    let n_answers = found
        .iter()
        .filter(|found| found.2 != Kind::Definition)
        .count();
    let Some((begin, end, kind)) = found.pop() else {
        bail!("{name}: expected SQL, but found no statement");
    };
    if n_answers > 1 {
        bail!(
            "{name}: expected one statement with rows, but found {n_answers}; ask each in a query of its own"
        );
    }
    if n_answers == 1 && kind == Kind::Definition {
        bail!("{name}: expected the statement with rows to be the last one");
    }
    Ok(Statements {
        before: &sql[..begin],
        last: &sql[begin..end],
        kind,
    })
}

fn kind(name: &str, tokens: &[&Token]) -> anyhow::Result<Kind> {
    for call in tokens.windows(2) {
        if let [Token::Word(function), Token::Sign('(')] = call
            && REFUSED_FUNCTIONS.contains(&function.as_str())
        {
            bail!(
                "{name}: the function {function} is not run, since it may write files or hide what is run"
            );
        }
    }
    let words = tokens.iter().map(|token| match token {
        Token::Word(word) => word.as_str(),
        Token::Sign('(') => "(",
        _ => "",
    });
    let words: Vec<_> = words.collect();
    let first = words.iter().find(|word| **word != "(").copied();
    let second = words.get(1).copied().unwrap_or_default();
    Ok(match first.unwrap_or_default() {
        "describe" | "summarize" | "show" => Kind::Description,
        ask if ASKS.contains(&ask) => Kind::Rows,
        "explain" => {
            let explained = tokens[1..].iter().position(
                |token| matches!(token, Token::Word(word) if ASKS.contains(&word.as_str())),
            );
            match explained {
                Some(0) => Kind::Plan,
                Some(1) if second == "analyze" => Kind::Plan,
                _ => bail!("{name}: expected a question after EXPLAIN"),
            }
        }
        "create" if is_made_in_memory(&words) => Kind::Definition,
        "set" | "reset" if second == "variable" => Kind::Definition,
        change if CHANGES.contains(&change) => Kind::Definition,
        other => bail!(
            "{name}: {} is not run, since a query writes no files and changes no settings; expected SELECT, FROM or CREATE TEMP VIEW (--format csv > FILE writes rows)",
            match other {
                "" => "a statement that begins with no word".to_owned(),
                word => word.to_uppercase(),
            }
        ),
    })
}

fn is_made_in_memory(words: &[&str]) -> bool {
    let what = words[1..].iter().find(|word| !MADE_HOW.contains(word));
    what.is_some_and(|what| MADE.contains(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(sql: &str) -> String {
        let refused = statements("q", sql);
        refused.expect_err(sql).to_string()
    }

    #[test]
    fn the_last_statement_is_found_behind_quotes_and_comments() {
        for (sql, last) in [
            ("SELECT 1", "SELECT 1"),
            ("SELECT ';' -- ;", "SELECT ';' -- ;"),
            ("SET VARIABLE x = 1;\nSELECT 2;\n-- end;\n", "\nSELECT 2"),
            ("FROM hosts;;/*;*/;", "FROM hosts"),
            ("CREATE VIEW a AS FROM b; (SELECT 1)", " (SELECT 1)"),
        ] {
            let found = statements("q", sql).expect(sql);
            assert_eq!(found.last, last, "{sql}");
            assert!(sql.starts_with(found.before));
        }
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
            assert!(refusal(sql).contains("begins with a dot"), "{sql}");
        }
        let lines = "SELECT 1,\r\n2;\r\n.shell touch x";
        assert!(refusal(lines).contains("q: line 3 begins"));
        for sql in [
            " .shell x",
            "\t.shell x",
            "SELECT 1; .shell x",
            "SELECT 1;\n .shell x",
        ] {
            assert!(refusal(sql).contains("is not run"), "{sql}");
        }
        assert!(statements("q", "SELECT 'a'\n  .upper()").is_ok());
    }

    #[test]
    fn what_writes_files_or_changes_settings_is_refused() {
        for sql in [
            "COPY (SELECT 1) TO 'x'",
            "copy captures to 'x'; SELECT 1",
            "EXPLAIN ANALYZE COPY (SELECT 1) TO 'x'",
            "EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1",
            "EXPORT DATABASE 'x'",
            "ATTACH 'x'",
            "INSTALL httpfs",
            "LOAD 'x'",
            "SET threads = 1",
            "PRAGMA profiling_output = 'x'",
            "CALL enable_profiling(save_location := 'x.json')",
            "FROM enable_logging(storage_path = 'x')",
            "FROM \"query\"('COPY x')",
            "PREPARE x AS COPY (SELECT 1) TO 'x'",
            "CREATE PERSISTENT SECRET s (TYPE s3)",
            "CREATE SECRET s (TYPE s3)",
            "-- a\rCOPY (SELECT 1) TO 'x'",
        ] {
            assert!(refusal(sql).contains("q: "), "{sql}");
        }
        for sql in [
            "SELECT $$;$$; COPY (SELECT $$ ' $$) TO 'x'",
            "SELECT e'\\'; COPY x TO y; --'",
            "SELECT U&\"quer\\0079\"",
            "SELECT 1 /* /* */ ; COPY x TO 'y'; */",
            "SELECT 'open",
            "SELECT 1 /* open",
            "SELECT 1 \0",
        ] {
            assert!(refusal(sql).contains("cannot tell"), "{sql}");
        }
    }

    #[test]
    fn one_statement_has_rows() {
        for sql in ["SELECT 1; SELECT 2", "SELECT 1; SET VARIABLE x = 1"] {
            assert!(refusal(sql).contains("statement with rows"), "{sql}");
        }
        let kind = |sql| statements("q", sql).expect(sql).kind;
        assert_eq!(kind("CREATE TEMP MACRO f() AS 1"), Kind::Definition);
        assert_eq!(kind("DESCRIBE captures"), Kind::Description);
        assert_eq!(kind("EXPLAIN ANALYZE FROM captures"), Kind::Plan);
    }
}
