//! The views and variables that a query references, as far as its text shows, with the defaults of
//! variables.
//!
//! SQL is split into words, strings and other characters and not parsed further, so that any syntax
//! of DuckDB is accepted.

use std::collections::{BTreeMap, BTreeSet};

/// The view of hosts, which are those of the variable `data` alone.
const HOSTS: &str = "hosts";

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
    /// Whether rows of an earlier dataset are read, not only looked for among those of hosts, which
    /// are all of one dataset.
    pub compares: bool,
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
    let mut hosts = Vec::new();
    found.follow(vec![&tokens], &definitions, &mut hosts);
    found.compares = found.variables.contains_key("before");
    found.follow(hosts, &definitions, &mut Vec::new());
    found
}

impl References {
    /// Adds what tokens reference, through all definitions but that of hosts.
    fn follow<'d>(
        &mut self,
        mut waiting: Vec<&'d Vec<Token>>,
        definitions: &'d BTreeMap<String, Vec<Token>>,
        hosts: &mut Vec<&'d Vec<Token>>,
    ) {
        while let Some(tokens) = waiting.pop() {
            self.add_variables(tokens);
            self.add_tables(tokens);
            for name in used(tokens) {
                let Some((name, definition)) = definitions.get_key_value(name) else {
                    continue;
                };
                if self.views.insert(name.clone()) {
                    match name == HOSTS {
                        true => hosts.push(definition),
                        false => waiting.push(definition),
                    }
                }
            }
        }
    }

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
pub enum Token {
    /// A name or a keyword, in lower case.
    Word(String),
    /// A string.
    Text(String),
    /// Any other character; of a number, its first digit.
    Sign(char),
}

impl Token {
    pub fn word(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

/// Splits SQL into tokens, without comments and white space.
fn tokens(sql: &str) -> Vec<Token> {
    let tokens = lex(sql).tokens.into_iter();
    tokens.map(|(_, token)| token).collect()
}

/// The tokens of SQL, and whether they are surely those that DuckDB finds.
pub struct Lexed {
    /// The tokens with their offsets.
    pub tokens: Vec<(usize, Token)>,
    /// What DuckDB may split otherwise, and what to write in its place.
    pub doubt: Option<&'static str>,
}

/// Splits SQL into its tokens.
pub fn lex(sql: &str) -> Lexed {
    let mut tokens: Vec<(usize, Token)> = Vec::new();
    let mut doubt = None;
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let at = sql.len() - rest.len();
        let length = if let Some(comment) = rest.strip_prefix("--") {
            2 + comment.find(['\n', '\r']).unwrap_or(comment.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/");
            if end.is_none_or(|end| comment[..end].contains("/*")) {
                doubt = doubt.or(Some("a comment that ends with */ and has no other inside"));
            }
            end.map_or(rest.len(), |end| end + 4)
        } else if matches!(first, '\'' | '"') {
            let (text, length, is_closed) = quoted(rest, first);
            let before = tokens.last().filter(|(begin, _)| begin + 1 == at);
            let is_prefixed = |prefix| before.is_some_and(|(_, token)| *token == prefix);
            if is_prefixed(Token::word("e")) && text.contains('\\') || is_prefixed(Token::Sign('&'))
            {
                doubt = doubt.or(Some("chr(10) and the like in place of an escape in quotes"));
            }
            if !is_closed {
                doubt = doubt.or(Some("a second quote where a quoted text ends"));
            }
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
            match first {
                '$' => doubt = doubt.or(Some("text in single quotes in place of $$")),
                '\0' => doubt = doubt.or(Some("text without the character NUL")),
                _ => {}
            }
            if !first.is_whitespace() {
                tokens.push((at, Token::Sign(first)));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    Lexed { tokens, doubt }
}

/// Returns the text between the quotes at the beginning of `sql`, its length with them, and whether
/// it ends. A doubled quote stands for one.
fn quoted(sql: &str, quote: char) -> (String, usize, bool) {
    let mut text = String::new();
    let mut at = 1;
    while let Some(end) = sql[at..].find(quote) {
        text.push_str(&sql[at..at + end]);
        at += end + 1;
        if !sql[at..].starts_with(quote) {
            return (text, at, true);
        }
        text.push(quote);
        at += 1;
    }
    text.push_str(&sql[at..]);
    (text, sql.len(), false)
}

/// Returns the views and macros that SQL creates, by name.
fn definitions(sql: &str) -> BTreeMap<String, Vec<Token>> {
    let tokens = tokens(sql);
    let statements = tokens.split(|token| *token == Token::Sign(';'));
    let named = statements.filter_map(|statement| {
        let (name, at) = name_of_definition(statement)?;
        Some((name, statement[at + 1..].to_vec()))
    });
    named.collect()
}

/// Returns the name of the view or macro that a statement creates, and its place.
fn name_of_definition(statement: &[Token]) -> Option<(String, usize)> {
    let kind = statement
        .iter()
        .take(5)
        .position(|token| [Token::word("view"), Token::word("macro")].contains(token))?;
    match (statement.first()?, statement.get(kind + 1)?) {
        (Token::Word(create), Token::Word(name)) if create == "create" => {
            Some((name.clone(), kind + 1))
        }
        _ => None,
    }
}

/// Returns the statements of `views` that SQL may need: all but views and macros that neither it
/// nor another needed one names. Whatever may list them needs all.
pub fn needed(views: &str, sql: &str) -> String {
    const LIST_ALL: &[&str] = &["show", "describe", "information_schema"];
    const LIST_ALL_BEGIN: &[&str] = &["duckdb_", "pg_", "sqlite_", "pragma_"];
    let definitions = definitions(views);
    let mut named = BTreeSet::new();
    let mut waiting = tokens(sql);
    while let Some(token) = waiting.pop() {
        let (Token::Word(text) | Token::Text(text)) = token else {
            continue;
        };
        let text = text.to_lowercase();
        let begins = |begin: &&str| text.starts_with(begin);
        if LIST_ALL.contains(&text.as_str()) || LIST_ALL_BEGIN.iter().any(begins) {
            return views.to_owned();
        }
        if let Some(definition) = definitions.get(&text)
            && named.insert(text)
        {
            waiting.extend(definition.iter().cloned());
        }
    }
    let statements = split(views).into_iter();
    let needed = statements.filter(|statement| {
        let name = name_of_definition(&tokens(statement));
        name.is_none_or(|(name, _)| named.contains(&name))
    });
    needed.collect()
}

/// Splits SQL after its semicolons.
fn split(sql: &str) -> Vec<&str> {
    let mut begin = 0;
    let mut statements = Vec::new();
    for (at, token) in lex(sql).tokens {
        if token == Token::Sign(';') {
            statements.push(&sql[begin..=at]);
            begin = at + 1;
        }
    }
    statements.push(&sql[begin..]);
    statements
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
        "union",
        "window",
        "select",
        "except",
        "intersect",
        "offset",
    ];
    // Whether a table is expected, and whether this is a list of tables; in brackets, and around.
    let (mut is_expected, mut is_list) = (false, false);
    let mut around = Vec::new();
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        let next = tokens.get(index + 1);
        let word = match token {
            Token::Word(word) => word,
            // query_table('captures')
            Token::Text(name) => {
                let is_name = index >= 2
                    && tokens[index - 2..index] == [Token::word("query_table"), Token::Sign('(')];
                is_expected = false;
                return is_name.then_some(name.as_str());
            }
            Token::Sign(sign) => {
                match sign {
                    '(' => {
                        around.push(is_list);
                        is_list = is_expected;
                    }
                    ')' => {
                        is_list = around.pop().unwrap_or(false);
                        is_expected = false;
                    }
                    ',' => is_expected = is_list,
                    ';' => {
                        (is_expected, is_list) = (false, false);
                        around.clear();
                    }
                    // Behind the name of a schema.
                    '.' => {}
                    _ => is_expected = false,
                }
                return None;
            }
        };
        let is_call = next == Some(&Token::Sign('('));
        let is_schema = next == Some(&Token::Sign('.'));
        let is_table = is_expected;
        is_expected = is_table && is_schema;
        let is_made = || {
            let made = ["create", "temp", "temporary", "replace", "drop"].map(Token::word);
            index > 0 && made.contains(&tokens[index - 1])
        };
        if TABLE_FOLLOWS.contains(&word.as_str()) || word == "table" && !is_made() {
            (is_expected, is_list) = (true, true);
            return None;
        }
        is_list &= !LIST_ENDS.contains(&word.as_str());
        (is_table && !is_schema || is_call).then_some(word.as_str())
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
    fn a_view_is_found_wherever_sql_may_name_a_table() {
        for sql in [
            "FROM range(1), captures",
            "TABLE captures",
            "SELECT 1; (TABLE captures)",
            "FROM temp.captures",
            "FROM \"temp\".main.\"captures\"",
            "FROM a, main.captures",
            "FROM (captures JOIN b USING (x))",
            "FROM (SELECT 1) AS s, captures",
            "FROM a JOIN b ON a.x = b.x + 1, captures",
            "FROM query_table('captures')",
        ] {
            assert_eq!(variables(sql), ["data"], "{sql}");
        }
    }

    #[test]
    fn only_the_views_are_made_that_sql_may_read() {
        let count = |sql: &str| needed(VIEWS, sql).matches("CREATE").count();
        assert_eq!(count("SELECT 1"), 0);
        assert_eq!(count("FROM captures"), 2);
        assert_eq!(count("FROM query_table('HOSTS')"), 3);
        assert_eq!(count("SELECT asked()"), 1);
        for sql in ["SHOW TABLES", "FROM duckdb_views()"] {
            assert_eq!(needed(VIEWS, sql), VIEWS, "{sql}");
        }
    }

    #[test]
    fn a_column_a_string_or_a_comment_is_no_view() {
        for sql in [
            "SELECT count(*) AS hosts",
            "SELECT 'FROM hosts'",
            "SELECT 1 -- FROM hosts\n",
            "SELECT 1 /* FROM hosts */",
            "SELECT x FROM y GROUP BY x, hosts",
            "SELECT count(*), hosts FROM y",
            "CREATE TEMP TABLE hosts AS SELECT 1",
            "SELECT extract(day FROM x), hosts",
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
