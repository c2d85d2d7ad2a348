//! Whether a dataset has the values of a query's variables, and notes that its figures need.
//!
//! Without these checks an agent that the dataset lacks would be one that no host restricts, with
//! exit code 0.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Context, bail};
use robocensus::dataset::table::PAGE_TABLES;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    super::{
        layout::{listed, nearest},
        template::rendered,
    },
    views::{Names, has_word},
};

/// Longest time between fetches of which figures are pooled without a note.
const MOST_DAYS: i64 = 365;

/// Views with a row for each agent and dialect.
const OF_AGENTS: [&str; 4] = ["policies", "policy_sets", "verdict_sets", "verdicts"];
/// Views with rows of all crawls.
const OF_CRAWLS: [&str; 4] = [
    "agent_events",
    "crawl_answers",
    "crawl_hosts",
    "host_versions",
];
/// Words of SQL that reads an earlier dataset.
const OF_EARLIER: [&str; 8] = [
    "agent_events",
    "before",
    "both_of",
    "changes",
    "crawl_answers",
    "crawl_hosts",
    "fetches",
    "host_versions",
];

/// Names of a long list that a message has.
const MOST_NAMED: usize = 8;

/// Variables whose values are dialects, and agents.
const DIALECTS: [&str; 3] = ["dialect", "base", "candidate"];
const AGENTS: [&str; 3] = ["agent", "other_agent", "agents"];
/// SQL of the facts of a dataset as one JSON object, and of the URLs in it, of which only queries
/// about a URL need to know.
const SQL_OF_FACTS: &str = include_str!("../sql/facts.sql");
const SQL_OF_URLS: &str = "(SELECT list(DISTINCT url ORDER BY url) FROM verdict_sets)";
/// The notes on the figures of a query, a line for each.
const NOTES: &str = include_str!("../templates/query-notes.txt.j2");
/// Variables of queries and views whose values name files.
pub const LISTS: [&str; 3] = ["ranks", "cohort", "pages"];

/// Facts of a dataset that decide whether a query makes sense, by [`BoundQuery::sql_of_facts`].
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct DatasetFacts {
    dialects: Vec<String>,
    agents: Vec<String>,
    urls: Vec<String>,
    crawls: Vec<String>,
    /// Dialect and agent, where no user-agent line can name the agent.
    not_nameable: Vec<(String, String)>,
    has_fetches: bool,
    has_files: bool,
    /// Captures of archives that name no crawl.
    n_of_no_crawl: u64,
    days: i64,
}

/// A variable that a stored query declares, with its default if it has one.
pub type Variable = (&'static str, Option<&'static str>);

/// A query with the values of its variables.
#[derive(Clone, Copy, Debug)]
pub struct BoundQuery<'a> {
    /// The name of the query in messages.
    pub name: &'a str,
    pub sql: &'a str,
    /// The variables that a stored query declares; `None` for SQL of a user.
    pub declared: Option<&'a [Variable]>,
    /// What it reads; of SQL of a user, at least that.
    pub reads: &'a Names,
    /// The variables that the command line sets.
    pub set: &'a [(String, String)],
}

impl BoundQuery<'_> {
    /// Refuses variables that a stored query does not read; `of_views` are those of the views.
    /// Returns notes on those that SQL of a user does not read.
    pub fn check_names(
        &self,
        has_before: bool,
        of_views: &BTreeSet<&str>,
    ) -> anyhow::Result<Vec<String>> {
        let mut notes = Vec::new();
        let mut seen = BTreeSet::new();
        let sql = self.sql.to_lowercase();
        for (name, value) in self.set {
            if let "data" | "before" = name.as_str() {
                bail!("--set {name}: the folder of a dataset is given by --{name}");
            }
            if !seen.insert(name) {
                bail!("--set {name}: set twice");
            }
            let lower = name.to_lowercase();
            if self.declared.is_some() {
                self.check_declared(name)?;
            } else if !sql.contains(&format!("'{lower}'")) && !of_views.contains(lower.as_str()) {
                notes.push(format!(
                    "--set {lower}: neither the SQL nor a view that it names has getvariable('{lower}')"
                ));
            }
            let is_read = self.declared.is_some() || of_views.contains(lower.as_str());
            let is_file = Path::new(value).is_file() || value.contains("://");
            if is_read && LISTS.contains(&lower.as_str()) && !is_file {
                bail!("--set {lower}: {value}: no such file");
            }
        }
        if self.set_value("ranks").is_some()
            && self.set_value("stratum").is_none()
            && !has_word(self.sql, "ranked_names")
            && self.declared.is_some()
        {
            bail!(
                "--set ranks: without a stratum {} reads no ranks; set that too, such as --set stratum=1-1000",
                self.name
            );
        }
        if has_before {
            let unread = format!(
                "--before: {} reads no earlier dataset; the views changes and crawl_hosts do, as in count-changes",
                self.name
            );
            if self.declared.is_none() && !OF_EARLIER.iter().any(|word| sql.contains(word)) {
                notes.push(unread);
            } else if self.declared.is_some() && !self.declares("before") {
                bail!("{unread}");
            }
        }
        Ok(notes)
    }

    /// Refuses a variable that a stored query does not declare.
    fn check_declared(&self, name: &str) -> anyhow::Result<()> {
        if self.declares(name) {
            return Ok(());
        }
        let names = self.declared.unwrap_or_default().iter();
        let names = names.map(|(known, _)| *known);
        let names: Vec<_> = names.filter(|known| *known != "before").collect();
        let hint = match (nearest(name, &names), names.as_slice()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, []) => "it reads none".to_owned(),
            (None, names) => format!("it reads {}", names.join(", ")),
        };
        bail!(
            "--set {name}: {} reads no variable of this name; {hint}",
            self.name
        );
    }

    /// Returns whether the query reads a variable; SQL of a user may read any that is set.
    fn declares(&self, name: &str) -> bool {
        match self.declared {
            Some(declared) => declared.iter().any(|(known, _)| *known == name),
            None => name == "dialect" || self.set_value(name).is_some(),
        }
    }

    fn default(&self, name: &str) -> Option<&'static str> {
        let mut declared = self.declared.unwrap_or_default().iter();
        declared.find(|(known, _)| *known == name)?.1
    }

    /// Returns the value that the command line sets.
    pub fn set_value(&self, name: &str) -> Option<&str> {
        let mut set = self.set.iter();
        set.find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    fn reads_any(&self, views: &[&str]) -> bool {
        views.iter().any(|view| self.reads.contains(view))
    }

    /// Returns whether facts of the dataset decide if the query makes sense: it reads a view, or a
    /// value that datasets have.
    pub fn depends_on_facts(&self) -> bool {
        let mut values = DIALECTS.iter().chain(&AGENTS).chain(&["url", "crawl"]);
        !self.reads.is_empty() || values.any(|name| self.set_value(name).is_some())
    }

    /// Returns SQL over the views of which [`DatasetFacts::read`] understands the row.
    pub fn sql_of_facts(&self) -> String {
        let is_asked = self.set_value("url").or(self.default("url")).is_some();
        let urls = if is_asked { SQL_OF_URLS } else { "[]" };
        SQL_OF_FACTS.replace("URLS", urls)
    }

    /// Refuses values that the dataset does not have.
    pub fn check_values(&self, facts: &DatasetFacts) -> anyhow::Result<()> {
        for name in DIALECTS {
            self.check_value(name, "dialect", &facts.dialects)?;
        }
        for name in AGENTS {
            self.check_value(name, "agent", &facts.agents)?;
        }
        // URLs are known by their answers alone.
        if facts.has_fetches {
            self.check_value("url", "URL", &facts.urls)?;
        }
        self.check_value("crawl", "crawl", &facts.crawls)?;
        if let Some(html) = self.value("html", facts).filter(|html| html != "included") {
            bail!(
                "--set html={html}: expected included, which counts every answer with 2xx as a robots.txt"
            );
        }
        let (name, dialects) = (self.name, facts.dialects.join(", "));
        let candidate = self.value("candidate", facts);
        if candidate.is_none() && self.declares("candidate") {
            bail!(
                "{name} compares two dialects, but the dataset has only {dialects}; run again with two, such as --dialects google,rfc9309"
            );
        }
        if let Some(candidate) = candidate
            && self.value("base", facts).as_ref() == Some(&candidate)
        {
            bail!(
                "{name} compares two dialects, but base and candidate are both {candidate}; the dataset has {dialects}"
            );
        }
        Ok(())
    }

    fn check_value(&self, name: &str, noun: &str, known: &[String]) -> anyhow::Result<()> {
        let set = self.set_value(name);
        let Some(value) = set.or(self.default(name)) else {
            return Ok(());
        };
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let mut values = values(name, value).into_iter();
        let Some(absent) = values.find(|value| !known.contains(value)) else {
            return Ok(());
        };
        let what = match set {
            Some(_) => format!("--set {name}={value}"),
            None => format!(
                "{} uses {value} unless the variable {name} is set",
                self.name
            ),
        };
        let has = match nearest(absent, &known) {
            Some(near) => format!("did you mean {near}?"),
            None if known.is_empty() => "it has none".to_owned(),
            None => format!("it has {}", listed(&known, MOST_NAMED)),
        };
        bail!("{what}: the dataset has no {noun} {absent:?}; {has}");
    }

    /// Returns the dialects that the query reads by default, with the names of their variables.
    pub fn default_dialects(
        &self,
        facts: &DatasetFacts,
    ) -> impl Iterator<Item = (&'static str, String)> {
        let unset = DIALECTS
            .into_iter()
            .filter(|name| self.set_value(name).is_none());
        unset.filter_map(|name| Some((name, self.value(name, facts)?)))
    }

    /// Returns the value of a variable, set or by default, if the query reads it.
    fn value(&self, name: &str, facts: &DatasetFacts) -> Option<String> {
        if !self.declares(name) {
            return None;
        }
        let given = self.set_value(name).or(self.default(name));
        let of_dataset = || match name {
            "dialect" | "base" => facts.dialects.first().cloned(),
            "candidate" => facts.dialects.get(1).cloned(),
            _ => None,
        };
        given.map(str::to_owned).or_else(of_dataset)
    }

    /// Returns notes on the figures; `times` and `ranks` are the rows of [`SQL_OF_TIMES`] and
    /// [`SQL_OF_RANKS`], if they are needed.
    ///
    /// What SQL of a user selects is not known, so it is told of all rows that it may read.
    pub fn notes(&self, facts: &DatasetFacts, times: &Value, ranks: &Value) -> Vec<String> {
        let dialects = DIALECTS.iter().filter_map(|name| self.value(name, facts));
        let unnameable = dialects.filter_map(|dialect| self.unnameable(&dialect, facts));
        let reads_hosts = self.reads_any(&["fetches", "hosts"]);
        let reads_pages = self.reads_any(&PAGE_TABLES.each_ref().map(|table| table.name));
        let notes = json!({
            "unnameable": unnameable.collect::<Vec<_>>(),
            "most_named": MOST_NAMED,
            "is_stored": self.declared.is_some(),
            "includes_html": self.value("html", facts).is_some(),
            "facts": facts,
            "reads_hosts": reads_hosts,
            "counts_fetches": (reads_hosts || self.reads.contains("captures")) && !reads_pages,
            "reads_agents": self.reads_any(&OF_AGENTS),
            "reads_redirects": self.reads.contains("redirects"),
            "crawls": facts.crawls.len() + usize::from(facts.n_of_no_crawl > 0),
            "crawl": self.value("crawl", facts),
            "compares_crawls": OF_CRAWLS.iter().any(|view| has_word(self.sql, view)),
            "reads_latest": self.default_crawl(facts).is_some(),
            "most_days": MOST_DAYS,
            "times": times,
            "ranks": ranks,
        });
        rendered(NOTES, notes).lines().map(str::to_owned).collect()
    }

    /// Returns the agents that no user-agent line can name in a dialect: of those that are asked
    /// for, or of all where the query reads the answers for all; and the dialects in which all of
    /// them can be named.
    fn unnameable(&self, dialect: &str, facts: &DatasetFacts) -> Option<Value> {
        let asked = AGENTS.iter();
        let asked = asked.filter_map(|name| Some((name, self.value(name, facts)?)));
        let asked: Vec<_> = asked.collect();
        let asked = asked.iter().flat_map(|(name, value)| values(name, value));
        let asked: Vec<_> = asked.collect();
        let reads_all =
            self.reads_any(&["policy_sets", "verdict_sets"]) && !has_word(self.sql, "can_be_named");
        if asked.is_empty() && !reads_all {
            return None;
        }
        let unnameable = |dialect: &str| -> Vec<_> {
            let agents = facts.not_nameable.iter().filter(|(of, _)| of == dialect);
            let agents = agents.map(|(_, agent)| agent.as_str());
            agents
                .filter(|agent| asked.is_empty() || asked.contains(agent))
                .collect()
        };
        let agents = unnameable(dialect);
        let others = facts.dialects.iter();
        let others: Vec<_> = others
            .filter(|other| unnameable(other).is_empty())
            .collect();
        (!agents.is_empty())
            .then(|| json!({"dialect": dialect, "agents": agents, "others": others}))
    }

    /// Returns the crawl whose hosts the query reads where none is asked for.
    pub fn default_crawl<'f>(&self, facts: &'f DatasetFacts) -> Option<&'f String> {
        let reads_one = self.reads.contains("hosts") && !has_word(self.sql, "crawl_hosts");
        let is_asked = self.set_value("crawl").is_some();
        facts.crawls.last().filter(|_| reads_one && !is_asked)
    }

    /// Returns whether the query reads a list of ranks that is given.
    pub fn reads_ranks(&self) -> bool {
        self.reads.contains("ranked_domains") && self.set_value("ranks").is_some()
    }

    /// Returns whether figures may pool hosts whose fetches are far apart, so that [`SQL_OF_TIMES`]
    /// must be run.
    ///
    /// A query that names `fetch_time`, or compares crawls, distinguishes the times; but captures
    /// of no crawl are one crawl to it.
    pub fn may_pool_years(&self, facts: &DatasetFacts) -> bool {
        let pools = if self.reads.contains("crawl_hosts") {
            facts.n_of_no_crawl > 0
        } else {
            self.reads.contains("hosts")
        };
        facts.days > MOST_DAYS && pools && !has_word(self.sql, "fetch_time")
    }
}

/// SQL of the time between the first and the last fetch that counts of a host.
pub const SQL_OF_TIMES: &str = include_str!("../sql/times.sql");

/// SQL of the lines of the list of ranks, and of those whose domain the dataset lacks.
pub const SQL_OF_RANKS: &str = include_str!("../sql/ranks.sql");

impl DatasetFacts {
    /// Reads the answer to [`BoundQuery::sql_of_facts`].
    pub fn read(row: &Value) -> anyhow::Result<Self> {
        let facts = row["facts"].as_str().unwrap_or_default();
        serde_json::from_str(facts).context("DuckDB: expected the facts of the dataset")
    }
}

/// Returns the values that a variable lists.
fn values<'a>(name: &str, value: &'a str) -> Vec<&'a str> {
    match name {
        "agents" => value.split(',').map(str::trim).collect(),
        _ => vec![value],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_365_days_have_a_note() {
        let query = BoundQuery {
            name: "q",
            sql: "FROM hosts",
            declared: Some(&[]),
            reads: &Names::new(),
            set: &[],
        };
        let notes = |times: Value| query.notes(&DatasetFacts::default(), &times, &Value::Null);
        let answer = |days: u32| json!({"days": days, "earliest": "2015-09-21", "latest": "2026-07-13", "first_year": "2015", "last_year": "2026"});
        assert!(notes(answer(365)).is_empty());
        let [note] = &*notes(answer(366)) else {
            panic!("expected a note");
        };
        assert!(note.starts_with("fetches span 2015 to 2026: "), "{note}");
        assert!(notes(json!({"days": null})).is_empty());
    }
}
