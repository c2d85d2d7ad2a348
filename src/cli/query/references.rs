//! The views and variables that a query references, as far as its text shows, with the defaults of
//! variables.
//!
//! SQL is split into words, strings and other characters and not parsed further, so that any syntax
//! of DuckDB is accepted.

use std::collections::{BTreeMap, BTreeSet};

/// The names that a query references, itself or through views and macros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// Names of variables, each with the default that a `coalesce` gives it.
    pub variables: BTreeMap<String, Option<String>>,
    /// Names of views and macros.
    pub views: BTreeSet<String>,
    /// Names of tables that it reads through views and macros.
    pub tables: BTreeSet<String>,
    /// All words of the query itself, without those of views, in lower case.
    pub words: BTreeSet<String>,
    /// Whether a variable is read whose name is an expression, so that it could be any.
    pub is_open: bool,
}

/// Returns what `sql` references; `views` are statements that create views and macros.
pub fn references(sql: &str, views: &str) -> References {
    let definitions = definitions(views);
    let tokens = tokens(sql);
    let mut found = References::default();
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.clone()),
        _ => None,
    });
    found.words.extend(words);
    let mut waiting = vec![&tokens];
    while let Some(tokens) = waiting.pop() {
        found.add_variables(tokens);
        found.add_tables(tokens);
        for name in used(tokens) {
            let Some((name, definition)) = definitions.get_key_value(name) else {
                continue;
            };
            if found.views.insert(name.clone()) {
                waiting.push(definition);
            }
        }
    }
    found
}

impl References {
    fn add_variables(&mut self, tokens: &[Token]) {
        for (index, pair) in tokens.windows(2).enumerate() {
            let is_call = pair == [Token::word("getvariable"), Token::Sign('(')];
            if !is_call {
                continue;
            }
            let Some(Token::Text(name)) = tokens.get(index + 2) else {
                self.is_open = true;
                continue;
            };
            let is_in_coalesce = index >= 2
                && tokens[index - 2..index] == [Token::word("coalesce"), Token::Sign('(')];
            let default = match tokens.get(index + 3..index + 6) {
                Some([Token::Sign(')'), Token::Sign(','), Token::Text(default)])
                    if is_in_coalesce =>
                {
                    Some(default.clone())
                }
                _ => None,
            };
            let known = self.variables.entry(name.clone()).or_default();
            *known = known.take().or(default);
        }
    }

    fn add_tables(&mut self, tokens: &[Token]) {
        for (index, token) in tokens.iter().enumerate() {
            // `table_of(getvariable('data'), 'rules')` and `both_of('rules')`.
            let name = match token {
                Token::Word(word) if word == "table_of" => index + 7,
                Token::Word(word) if word == "both_of" => index + 2,
                _ => continue,
            };
            if let Some(Token::Text(name)) = tokens.get(name) {
                self.tables.insert(name.clone());
            }
        }
    }
}

/// A token of SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name or a keyword, in lower case.
    Word(String),
    /// A string.
    Text(String),
    /// Any other character; of a number, its first digit.
    Sign(char),
}

impl Token {
    fn word(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

/// Splits SQL into the statements before the last one and the last one, which has no semicolon.
pub fn last_statement(sql: &str) -> (&str, &str) {
    let mut begin = 0;
    // The first and the last semicolon after a statement.
    let mut ends = None;
    for (at, token) in located_tokens(sql) {
        match (ends, token) {
            (None, Token::Sign(';')) => ends = Some((at, at)),
            (Some((first, _)), Token::Sign(';')) => ends = Some((first, at)),
            (Some((_, last)), _) => {
                begin = last + 1;
                ends = None;
            }
            (None, _) => {}
        }
    }
    let end = ends.map_or(sql.len(), |(first, _)| first);
    (&sql[..begin], &sql[begin..end])
}

/// Splits SQL into tokens, without comments and white space.
fn tokens(sql: &str) -> Vec<Token> {
    let tokens = located_tokens(sql).into_iter();
    tokens.map(|(_, token)| token).collect()
}

/// Returns the tokens of SQL with their offsets.
fn located_tokens(sql: &str) -> Vec<(usize, Token)> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let at = sql.len() - rest.len();
        let length = if let Some(comment) = rest.strip_prefix("--") {
            2 + comment.find('\n').unwrap_or(comment.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if matches!(first, '\'' | '"') {
            let (text, length) = quoted(rest, first);
            let token = match first {
                '"' => Token::Word(text.to_lowercase()),
                _ => Token::Text(text),
            };
            tokens.push((at, token));
            length
        } else if first.is_alphanumeric() || first == '_' {
            let is_inside = |c: char| c.is_alphanumeric() || c == '_';
            let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
            let token = match first.is_ascii_digit() {
                true => Token::Sign(first),
                false => Token::Word(rest[..length].to_lowercase()),
            };
            tokens.push((at, token));
            length
        } else {
            if !first.is_whitespace() {
                tokens.push((at, Token::Sign(first)));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the text between the quotes at the beginning of `sql`, and its length with them. A
/// doubled quote stands for one.
fn quoted(sql: &str, quote: char) -> (String, usize) {
    let mut text = String::new();
    let mut at = 1;
    while let Some(end) = sql[at..].find(quote) {
        text.push_str(&sql[at..at + end]);
        at += end + 1;
        if !sql[at..].starts_with(quote) {
            return (text, at);
        }
        text.push(quote);
        at += 1;
    }
    text.push_str(&sql[at..]);
    (text, sql.len())
}

/// Returns the views and macros that SQL creates, by name.
fn definitions(sql: &str) -> BTreeMap<String, Vec<Token>> {
    let tokens = tokens(sql);
    let statements = tokens.split(|token| *token == Token::Sign(';'));
    let named = statements.filter_map(|statement| {
        let kind = statement
            .iter()
            .take(5)
            .position(|token| [Token::word("view"), Token::word("macro")].contains(token))?;
        match (statement.first()?, statement.get(kind + 1)?) {
            (Token::Word(create), Token::Word(name)) if create == "create" => {
                Some((name.clone(), statement[kind + 2..].to_vec()))
            }
            _ => None,
        }
    });
    named.collect()
}

/// Returns names where SQL expects a table, and names of functions.
fn used(tokens: &[Token]) -> impl Iterator<Item = &str> {
    const TABLE_FOLLOWS: &[&str] = &["from", "join", "pivot", "unpivot", "summarize", "describe"];
    const LIST_ENDS: &[&str] = &[
        "where",
        "group",
        "order",
        "limit",
        "having",
        "qualify",
        "on",
        "using",
        "union",
        "window",
        "select",
        "except",
        "intersect",
        "offset",
    ];
    let (mut is_expected, mut is_list) = (false, false);
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        let Token::Word(word) = token else {
            is_expected = is_list && *token == Token::Sign(',');
            is_list &= matches!(token, Token::Sign('.' | ','));
            return None;
        };
        let is_call = tokens.get(index + 1) == Some(&Token::Sign('('));
        let is_table = std::mem::take(&mut is_expected);
        if TABLE_FOLLOWS.contains(&word.as_str()) {
            (is_expected, is_list) = (true, true);
            return None;
        }
        is_list &= !LIST_ENDS.contains(&word.as_str());
        (is_table || is_call).then_some(word.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWS: &str = "-- getvariable('not')\n\
        CREATE OR REPLACE TEMP MACRO table_of(dataset, name) AS TABLE FROM read_parquet(dataset || name);\n\
        CREATE OR REPLACE TEMP VIEW captures AS FROM table_of(getvariable('data'), 'captures');\n\
        CREATE OR REPLACE TEMP VIEW hosts AS SELECT * FROM captures WHERE crawl = getvariable('crawl');\n\
        CREATE OR REPLACE TEMP MACRO asked() AS coalesce(getvariable('dialect'), 'a; ''b''');";

    fn variables(sql: &str) -> Vec<String> {
        references(sql, VIEWS).variables.into_keys().collect()
    }

    #[test]
    fn the_last_statement_is_found_behind_quotes_and_comments() {
        for (sql, last) in [
            ("SELECT 1", "SELECT 1"),
            ("SELECT ';' -- ;", "SELECT ';' -- ;"),
            ("SET x = 1;\nSELECT 2;\n-- end;\n", "\nSELECT 2"),
            ("SELECT 1;;/*;*/ FROM hosts;;", "/*;*/ FROM hosts"),
            (";", ""),
        ] {
            let (before, found) = last_statement(sql);
            assert_eq!(found, last, "{sql}");
            assert!(sql.starts_with(before));
        }
    }

    #[test]
    fn variables_are_those_of_the_text_and_of_the_views_it_uses() {
        assert_eq!(variables("SELECT 1"), [""; 0]);
        assert_eq!(variables("FROM captures"), ["data"]);
        assert_eq!(variables("FROM a, Hosts AS h"), ["crawl", "data"]);
        assert_eq!(variables("SELECT asked()"), ["dialect"]);
        assert_eq!(
            variables("SELECT 1 WHERE GetVariable( 'agent' ) = 2"),
            ["agent"]
        );
        assert_eq!(
            variables("FROM \"hosts\" h JOIN captures USING (x)"),
            ["crawl", "data"]
        );
    }

    #[test]
    fn a_column_a_string_or_a_comment_is_no_view() {
        for sql in [
            "SELECT count(*) AS hosts",
            "SELECT 'FROM hosts'",
            "SELECT 1 -- FROM hosts\n",
            "SELECT 1 /* FROM hosts */",
            "SELECT x FROM y GROUP BY x, hosts",
        ] {
            assert!(variables(sql).is_empty(), "{sql}");
        }
    }

    #[test]
    fn a_default_is_the_second_argument_of_coalesce() {
        let found = references(
            "SELECT coalesce(getvariable('agent'), 'GPT''Bot'), getvariable('agent'), getvariable('url'), asked()",
            VIEWS,
        );
        assert_eq!(found.variables["agent"].as_deref(), Some("GPT'Bot"));
        assert_eq!(found.variables["dialect"].as_deref(), Some("a; 'b'"));
        assert_eq!(found.variables["url"], None);
        assert!(!found.is_open);
        assert!(references("SELECT getvariable(name)", VIEWS).is_open);
    }

    #[test]
    fn no_text_is_too_malformed() {
        for sql in [
            "'",
            "\"",
            "--",
            "/*",
            "getvariable(",
            "getvariable('",
            "é''",
            "FROM",
            "1e'",
        ] {
            references(sql, sql);
        }
    }
}
