//! The page that `robocensus report` writes: what a dataset contains, in sixteen charts, with five
//! over time before them where it has several crawls, and three more where it has pages, each with
//! its figures and its SQL.
//!
//! The page is one HTML file: it has no scripts, and no fonts or images of other files. This module
//! takes the results of [`queries`] and returns the page; it opens no file and runs no query.
//!
//! - The same results give the same bytes: the page has no time and no name or path of a machine.
//! - Text of robots.txt files may be hostile. The templates escape it, and characters that change
//!   the direction of text are replaced before. A policy in the page also forbids scripts
//!   and requests.

pub(super) mod figures;
mod sections;
mod source;

use std::{fmt, time::Duration};

use minijinja::context;
use serde::Serialize;
use serde_json::Value;

use self::sections::{COVERAGE, COVERAGE_OF_PAGES, ERRORS, HEADLINE, Section, YEARS, sections};
pub(crate) use self::{sections::PROVENANCE, source::Source};
use super::{
    chart::{self, Chart, Shape, Totals},
    result::{self, NoChart, ResultSet},
    template::{self, document, html, text},
    words,
};
use crate::{
    archive::http::Finding, dataset::summary::duration_in_words, robots::dialect::AnomalyCode,
};

/// The title of a page that is given none.
pub const TITLE: &str = "What robots.txt files say";

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The HTML.
    pub html: String,
    /// Host names that were asked for a robots.txt. With none, all figures but those of pages are
    /// 0.
    pub hosts: u64,
}

/// A query whose result is on the page.
#[derive(Clone, Copy, Debug)]
pub struct PageQuery {
    /// The name of its file in `queries/`, without `.sql`.
    pub name: &'static str,
    /// The text of the file.
    pub sql: &'static str,
    /// An SQL expression over the views that is to be the variable `agent` for this query alone.
    pub agent: Option<&'static str>,
}

/// Declares a query by its name and by the folder of its file, seen from that of the caller.
macro_rules! page_query {
    ($folder:literal, $name:literal) => {
        PageQuery {
            name: $name,
            sql: include_str!(concat!($folder, $name, ".sql")),
            agent: None,
        }
    };
}
pub(super) use page_query;

/// What the page says about the program that makes it: this module knows none of its commands.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    /// Returns the command that runs a query, by its name.
    pub query: fn(&str) -> String,
    /// Returns the commands that make a dataset of these dialects, separated by commas, and of this
    /// description, and its page.
    pub remake: fn(&str, &Value) -> String,
    /// A sentence on how to compare dialects, for a dataset of one.
    pub several_dialects: &'static str,
    /// A sentence on how to compare other dialects, for a dataset of more than two.
    pub other_dialects: &'static str,
}

/// A result that the page cannot be made of: the query is of another version, or the engine is not
/// DuckDB.
#[derive(Debug)]
pub struct UnexpectedResult {
    /// The name of the query.
    pub query: &'static str,
    /// What is wrong with the result.
    pub reason: String,
}

/// Counts and names of the dataset that several captions use.
#[derive(Serialize)]
struct DatasetTotals {
    /// Domains and hosts.
    of: Totals,
    /// The reference dialect.
    reference_dialect: String,
    /// The dialect that is compared with the reference; empty where there is none.
    candidate_dialect: String,
    /// A sentence on how to compare other dialects; empty where both of the dataset are compared.
    on_other_dialects: &'static str,
    /// Agents of the matrix that no user-agent line can name under the reference dialect.
    unnameable: Vec<String>,
}

/// A section with the result of its query.
#[derive(Serialize)]
struct DrawnSection<'a> {
    id: &'a str,
    heading: &'a str,
    /// Sentences on the figures.
    caption: String,
    /// What the figures are of, with its number.
    n: String,
    /// The chart, an element of SVG; `None` where there is nothing to draw.
    drawing: Option<String>,
    /// The findings in the rows, with a sentence on each.
    codes: Vec<(&'a str, &'static str)>,
    /// The rows of the query, as HTML.
    table: String,
    /// The SQL of the query, as HTML.
    sql: String,
}

impl UnexpectedResult {
    pub(super) fn of<E: fmt::Display>(query: PageQuery) -> impl Fn(E) -> Self {
        move |reason| Self {
            query: query.name,
            reason: reason.to_string(),
        }
    }
}

impl fmt::Display for UnexpectedResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "result of {}: {}", self.query, self.reason)
    }
}

impl std::error::Error for UnexpectedResult {}

/// Returns true if and only if a dataset of this description (`_dataset.json`) has pages.
pub fn has_pages(description: &Value) -> bool {
    description["options"]["pages"] == "yes"
}

/// Returns the window of redirects in words, as the options of a dataset state it.
fn redirect_window(description: &Value) -> Option<String> {
    let text = description["options"]["redirect_window"].as_str()?;
    let seconds: f64 = text.strip_suffix(" s")?.parse().ok()?;
    let window = Duration::try_from_secs_f64(seconds).ok()?;
    Some(duration_in_words(window))
}

/// Returns how the archives of a dataset were chosen among more, given its description; `None` if
/// they were not.
pub(crate) fn choice(description: &Value) -> Option<String> {
    description["options"]["choice"].as_str().map(words::plain)
}

/// Returns the queries of the page of a dataset. They read the views of `queries/views.sql`, where
/// it has pages those of `queries/page-views.sql`, and the [`variables`]. `crawls` is the number of
/// its crawls.
pub fn queries(description: &Value, crawls: u64) -> impl Iterator<Item = PageQuery> {
    let has_pages = has_pages(description);
    let of_sections = sections(crawls, has_pages).map(|section| section.query);
    let of_pages = has_pages.then_some(COVERAGE_OF_PAGES);
    let all = [PROVENANCE, COVERAGE].into_iter().chain(of_sections);
    all.chain(of_pages)
}

/// Returns names and values of the variables that [`queries`] read, given the description of the
/// dataset (`_dataset.json`): `base` is its reference dialect, `candidate` its second one, or the
/// reference again where there is no second one.
pub fn variables(description: &Value) -> [(&'static str, &str); 2] {
    let (base, candidate) = dialects_compared(description);
    [("base", base), ("candidate", candidate.unwrap_or(base))]
}

/// Returns the page.
///
/// `title` is its heading, `description` is the JSON of `_dataset.json`, `crawls` is the number of
/// crawls of the dataset, `notes` are clauses on what it lacks, `results` are those of [`queries`],
/// in their order: JSON arrays with an object for each row, or `None` where the dataset was written
/// without a table or column that the query reads, so that its chart is left out. `commands` are
/// those of the program.
///
/// # Errors
///
/// If a result is missing, is other JSON or lacks a column. The first two queries need a result.
pub fn render(
    title: &str,
    description: &Value,
    crawls: u64,
    notes: &[String],
    results: &[Option<String>],
    commands: &Commands,
) -> Result<Page, UnexpectedResult> {
    let mut parsed = Vec::new();
    for (index, query) in queries(description, crawls).enumerate() {
        let text = results.get(index).ok_or("expected rows, but found none");
        let text = text.map_err(UnexpectedResult::of(query))?;
        let result = text.as_deref().map(ResultSet::from_json).transpose();
        parsed.push(result.map_err(UnexpectedResult::of(query))?);
    }
    let [provenance, coverage, results @ ..] = &parsed[..] else {
        unreachable!("a result for each query");
    };
    let needed =
        "expected rows, but the dataset was written without a table or column of the query";
    let provenance = provenance.as_ref().ok_or(needed);
    let provenance = provenance.map_err(UnexpectedResult::of(PROVENANCE))?;
    let coverage = coverage.as_ref().ok_or(needed);
    let coverage = coverage.map_err(UnexpectedResult::of(COVERAGE))?;
    let mut totals =
        totals(provenance, description, commands).map_err(UnexpectedResult::of(PROVENANCE))?;
    let of_sections: Vec<_> = sections(crawls, has_pages(description))
        .zip(results)
        .collect();
    for &(section, result) in &of_sections {
        if let (HEADLINE, Some(result)) = (section.id, result) {
            totals.unnameable = unnameable(result).map_err(UnexpectedResult::of(section.query))?;
        }
    }
    let mut drawn = Vec::new();
    let mut left_out = Vec::new();
    for &(section, result) in &of_sections {
        let Some(result) = result else {
            left_out.push(section.heading);
            continue;
        };
        let of_section = draw(section, result, &totals, commands);
        drawn.push(of_section.map_err(UnexpectedResult::of(section.query))?);
    }
    let rows_of = |id| {
        let mut sections = of_sections.iter().filter(|(section, _)| section.id == id);
        sections.find_map(|(_, result)| result.as_ref().map(template::rows))
    };
    let coverage_of_pages = results.get(of_sections.len()).and_then(Option::as_ref);
    let page = || {
        let source = provenance.rows().first();
        let (title, dialects) = (words::plain(title), words::plain(dialects(description)));
        let facts = context! {
            title,
            notes => notes.iter().map(|note| words::sentence(note)).collect::<Vec<_>>(),
            left_out,
            totals,
            source => source.map(template::row),
            archives => source.map(source::archives).transpose()?,
            fetched => source.map(source::fetched).transpose()?,
            choice => choice(description),
            of_years => rows_of(YEARS),
            of_domains => rows_of(HEADLINE),
            coverage => template::rows(coverage),
            coverage_of_pages => coverage_of_pages.map(template::rows),
            sql_of_coverage => sql_of_coverage(coverage_of_pages.is_some(), commands)?,
            sections => drawn,
            dialects,
            digest => first_digits(&description["options_digest"]),
            options => options_in_words(description),
            remake => (commands.remake)(&dialects, description),
            redirect_window => redirect_window(description),
            version => env!("CARGO_PKG_VERSION"),
        };
        let body = html(include_str!("../templates/dataset.html.j2"), facts)?;
        document(&title, "", &body)
    };
    Ok(Page {
        html: page().map_err(UnexpectedResult::of(COVERAGE))?,
        hosts: totals.of.hosts,
    })
}

/// Returns a section with its chart, or with a sentence on why it has none.
fn draw<'a>(
    section: &'a Section,
    result: &'a ResultSet,
    totals: &DatasetTotals,
    commands: &Commands,
) -> Result<DrawnSection<'a>, NoChart> {
    let shape = match section.chart {
        Some(text) => Shape::parse(text)?,
        None => Shape::of_query(section.query.sql)?,
    };
    let chart = Chart::new(&shape, section.heading, &[], result, &totals.of)?;
    let facts = context! {
        id => section.id,
        rows => template::rows(result),
        totals,
        min_hosts => chart::MIN_HOSTS,
    };
    let mut caption = text(include_str!("../templates/captions.txt.j2"), facts)?;
    if chart.is_empty() && caption.is_empty() {
        caption = "None in this dataset.".to_owned();
    } else if let (Some(n), false) = (chart.few, chart.is_empty()) {
        caption.push_str(&format!(
            " Too few for a chart, which needs {} and has {}: the figures are in the table below.",
            chart::MIN_HOSTS,
            words::count(n)
        ));
    }
    let mut codes = Vec::new();
    if section.id == ERRORS {
        for row in result.rows() {
            let code = row.text("code")?;
            codes.push((code, on_code(code)));
        }
    }
    Ok(DrawnSection {
        id: section.id,
        heading: section.heading,
        caption,
        drawing: (!chart.is_empty() && chart.few.is_none()).then(|| chart.element()),
        n: chart.n,
        codes,
        table: figures::table(result)?,
        sql: figures::sql(section.query, commands)?,
    })
}

/// Returns the sentence on a code, as `robocensus errors` has it.
fn on_code(code: &str) -> &'static str {
    let of_line = AnomalyCode::ALL.iter().find(|known| known.as_str() == code);
    let of_response = || Finding::ALL.iter().find(|known| known.as_str() == code);
    of_line
        .map(|known| known.sentence())
        .or_else(|| of_response().map(|known| known.sentence()))
        .unwrap_or("a code of another version of robocensus")
}

/// Returns the queries for what was read and what is missing, as HTML.
fn sql_of_coverage(has_pages: bool, commands: &Commands) -> Result<Vec<String>, NoChart> {
    let of_pages = has_pages.then_some(COVERAGE_OF_PAGES);
    let queries = [COVERAGE].into_iter().chain(of_pages);
    queries.map(|query| figures::sql(query, commands)).collect()
}

/// Returns the digits of a digest by which a page names it.
fn first_digits(digest: &Value) -> String {
    let digest = digest.as_str().unwrap_or_default();
    words::plain(digest).chars().take(16).collect()
}

/// Returns the options of a dataset.
fn options_in_words(description: &Value) -> String {
    let options = description["options"].as_object();
    let options = options.into_iter().flatten();
    let options = options.map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name}: {text}"),
        None => format!("{name}: {value}"),
    });
    Vec::from_iter(options).join("; ")
}

fn totals(
    provenance: &ResultSet,
    description: &Value,
    commands: &Commands,
) -> Result<DatasetTotals, NoChart> {
    let row = provenance.rows().first();
    let (reference, candidate) = dialects_compared(description);
    Ok(DatasetTotals {
        of: row.map(source::totals).transpose()?.unwrap_or_default(),
        reference_dialect: words::plain(reference),
        candidate_dialect: words::plain(candidate.unwrap_or_default()),
        on_other_dialects: match dialects(description).split(',').count() {
            0 | 1 => commands.several_dialects,
            2 => "",
            _ => commands.other_dialects,
        },
        unnameable: Vec::new(),
    })
}

/// Returns the agents that no line can name.
fn unnameable(result: &ResultSet) -> Result<Vec<String>, NoChart> {
    let mut agents = Vec::new();
    for row in result.rows() {
        if !row.is_null("can_be_named")? && !row.is_true("can_be_named")? {
            agents.push(row.text("agent")?.to_owned());
        }
    }
    Ok(agents)
}

/// Returns the dialects of the run, separated by commas, the reference dialect first.
fn dialects(description: &Value) -> &str {
    let names = &description["options"]["dialects"];
    names.as_str().unwrap_or_default()
}

/// Returns the first dialect of the run, which is the reference, and the second one.
pub(crate) fn dialects_compared(description: &Value) -> (&str, Option<&str>) {
    let mut names = dialects(description).split(',');
    (names.next().unwrap_or_default(), names.next())
}
