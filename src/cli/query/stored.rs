//! The queries of `queries/`, compiled into the program so that it needs no files next to it.

use super::variables::Variable;

/// The views that every query reads.
pub const VIEWS: &str = include_str!("../../../queries/views.sql");
/// The views over the pages of a dataset, which has them if its run read pages.
pub const PAGE_VIEWS: &str = include_str!("../../../queries/page-views.sql");

/// A query of `queries/`.
#[derive(Clone, Copy, Debug)]
pub struct StoredQuery {
    /// The name of its file, without `.sql`.
    pub name: &'static str,
    /// The file.
    pub sql: &'static str,
}

/// All stored queries, by name, as `build.rs` lists them.
pub const STORED_QUERIES: &[StoredQuery] = include!(concat!(env!("OUT_DIR"), "/queries.rs"));

impl StoredQuery {
    /// Returns the query of a name, with or without the `.sql` of its file.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".sql").unwrap_or(name);
        STORED_QUERIES
            .iter()
            .find(|query| query.name == name)
            .copied()
    }

    /// Returns the variables that the query declares in the comment at the top of its file, such as
    /// `-- Variables: agent (GPTBot), crawl`.
    pub fn variables(&self) -> Vec<Variable> {
        let mut lines = self.sql.lines();
        let line = lines.find_map(|line| line.strip_prefix("-- Variables: "));
        let words = line.into_iter().flat_map(|line| line.split(", "));
        words
            .map(|word| match word.split_once(" (") {
                Some((name, default)) => (name, default.strip_suffix(')')),
                None => (word, None),
            })
            .collect()
    }
}

/// Returns the comment at the beginning of SQL, up to the tables or the chart that it names: of a
/// stored query the question that it answers.
pub fn comment(sql: &str) -> String {
    let comments = sql
        .trim_start()
        .lines()
        .map_while(|line| line.strip_prefix("--"));
    let is_more = |line: &&str| !line.starts_with(" Tables:") && !line.starts_with(" Chart:");
    let question = comments.take_while(is_more);
    let words = question.flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{
        super::views::{Views, variables_read_by},
        *,
    };

    #[test]
    fn queries_are_sorted_and_found_by_name_or_file() {
        assert!(STORED_QUERIES.is_sorted_by(|a, b| a.name < b.name));
        for query in STORED_QUERIES {
            let file = format!("{}.sql", query.name);
            let found = [StoredQuery::named(query.name), StoredQuery::named(&file)];
            assert!(found.iter().flatten().all(|found| found.name == query.name));
            assert_eq!(found.iter().flatten().count(), 2);
        }
        assert!(StoredQuery::named("count").is_none());
    }

    /// A variable that is set but not declared would be refused, and one that is declared but not
    /// read would change nothing.
    #[test]
    fn every_query_declares_the_variables_that_it_and_its_views_read() {
        let views = Views::new(&[VIEWS, PAGE_VIEWS]);
        for query in STORED_QUERIES {
            let declared = query.variables();
            let own = variables_read_by(query.sql);
            let mut read = views.variables_of(&views.read_by(query.sql));
            read.extend(&own);
            let names: BTreeSet<_> = declared.iter().map(|(name, _)| *name).collect();
            // The views of one dataset are made of those of two.
            let ours = |name: &&&str| !["before", "data"].contains(*name);
            let [known, wanted] =
                [&names, &read].map(|all| all.iter().filter(ours).collect::<Vec<_>>());
            assert_eq!(known, wanted, "{}", query.name);
            assert!(
                !own.contains("before") || names.contains("before"),
                "{}",
                query.name
            );
            for (name, default) in declared {
                let stated = format!(
                    "coalesce(getvariable('{name}'), '{}')",
                    default.unwrap_or_default()
                );
                assert_eq!(
                    query.sql.contains(&stated),
                    default.is_some(),
                    "{}: {name}",
                    query.name
                );
            }
        }
    }

    #[test]
    fn every_query_states_a_question() {
        for query in STORED_QUERIES {
            let words = comment(query.sql);
            assert!(words.ends_with('?'), "{}: {words}", query.name);
            assert!(words.starts_with(char::is_uppercase), "{words}");
            assert!(!words.contains("--"), "{words}");
        }
    }
}
