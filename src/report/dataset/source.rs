//! Where the figures of a chart come from, in a line below it.

use serde_json::Value;

use super::{
    Totals,
    result::{NoChart, ResultRow, ResultSet},
    words,
};

/// The provenance of a dataset.
#[derive(Clone, Debug)]
pub struct Source {
    /// Counts of the dataset.
    pub totals: Totals,
    /// Clauses on archives, times, dialect, version and run.
    clauses: Vec<String>,
}

impl Source {
    /// Returns the source of a dataset: `rows` are those of [`PROVENANCE`](super::PROVENANCE), in JSON, `description`
    /// is that of `_dataset.json`.
    ///
    /// # Errors
    ///
    /// If the rows are other JSON or lack a column.
    pub fn new(rows: &str, description: &Value) -> Result<Self, NoChart> {
        let rows = ResultSet::from_json(rows)?;
        let Some(row) = rows.rows().first() else {
            return Err(NoChart("expected a row of provenance".to_owned()));
        };
        let mut archives = archives(row)?;
        if !row.is_null("archives_digest")? {
            archives.push_str(&format!(" (digest {})", row.plain("archives_digest")?));
        }
        let mut clauses = vec![archives];
        if let Some(choice) = super::choice(description) {
            clauses.push(format!("chosen by name: {choice}"));
        }
        clauses.extend(fetched(row)?);
        let (reference, _) = super::dialects_compared(description);
        clauses.push(format!("reference dialect {}", words::plain(reference)));
        let (versions, run) = (row.plain("tool_versions")?, row.plain("run_id")?);
        clauses.push(format!("robocensus {versions}, run {run}"));
        Ok(Self {
            totals: totals(row)?,
            clauses,
        })
    }

    /// Returns the same with that of an earlier dataset, with which it is compared.
    #[must_use]
    pub fn compared_with(mut self, before: &Self) -> Self {
        self.clauses
            .push(format!("compared with {}", before.clauses.join(", ")));
        self
    }

    /// Returns the sentence, which names what computed the figures.
    pub fn in_words(&self, query: &str) -> String {
        format!("Source: {}; query {query}.", self.clauses.join("; "))
    }

    /// Returns the sentence for a comparison of two parsers, given its description
    /// (`_dataset.json`), and for what computed the figures.
    pub fn of_comparison(description: &Value, query: &str) -> String {
        let text = |value: &Value| words::plain(value.as_str().unwrap_or_default());
        let digest = super::first_digits(&description["options_digest"]);
        format!(
            "Source: comparison of {} with {}; robocensus {}, options {digest}; query {query}.",
            text(&description["options"]["baseline"]),
            text(&description["options"]["candidate"]),
            text(&description["tool_version"]),
        )
    }
}

/// Returns the counts of a dataset by a row of its provenance.
pub fn totals(row: &ResultRow) -> Result<Totals, NoChart> {
    Ok(Totals {
        domains: row.count("domains")?,
        domains_read: row.count("domains_read")?,
        hosts: row.count("hosts")?,
        hosts_read: row.count("hosts_read")?,
    })
}

/// Returns how many archives there are, and of which crawls.
pub fn archives(row: &ResultRow) -> Result<String, NoChart> {
    let n = row.count("archives")?;
    let what = if n == 1 { "archive" } else { "archives" };
    let mut text = format!("{} {what}", words::count(n));
    if !row.is_null("crawls")? {
        text.push_str(&format!(" of {}", words::crawls(row.text("crawls")?)));
    }
    Ok(text)
}

/// Returns on which days the captures were fetched, as a clause; `None` where none has a time.
pub fn fetched(row: &ResultRow) -> Result<Option<String>, NoChart> {
    let [first, last] = [row.text("first_fetch")?, row.text("last_fetch")?];
    let days = first.get(..10).zip(last.get(..10));
    Ok(days.map(|(first, last)| {
        if first == last {
            return format!("fetched on {first}");
        }
        format!("fetched from {first} to {last}")
    }))
}
