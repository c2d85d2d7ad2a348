//! Charts of lines: fields, their misspellings, findings, templates, and terms of use.

use super::{Chart, DatasetTotals};
use crate::{
    archive::capture::ResponseCode,
    report::{
        bars::{self, Bar, BarGroup},
        result::{MissingColumn, ResultRow, ResultSet},
        style::Color,
        words,
    },
    robots::dialect::AnomalyCode,
};

/// Rows of a ranking that are drawn.
const TOP: usize = 15;

/// Returns the fields other than user-agent, allow and disallow.
pub fn directives(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let legend = ["some crawler knows it", "no crawler knows it"];
    let labeled = |row: &ResultRow| Ok((row.text("key")?.to_owned(), row.is_true("is_known")?));
    let caption = |row: &ResultRow| first(row, totals, "have a line of the field", "key");
    ranking(result, totals, Some(legend), labeled, caption)
}

/// Returns the misspellings of fields.
pub fn misspellings(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let legend = ["some dialect accepts it", "no dialect accepts it"];
    let labeled = |row: &ResultRow| Ok((misspelling(row)?, !row.text("accepted_by")?.is_empty()));
    ranking(result, totals, Some(legend), labeled, |row| {
        Ok(format!(
            "The most frequent is {}, in files of {}.",
            words::plain(&misspelling(row)?),
            both(row, totals)?
        ))
    })
}

/// Returns what was written and what was meant.
fn misspelling(row: &ResultRow) -> Result<String, MissingColumn> {
    let written = row.text("written")?;
    Ok(match row.text("meant")? {
        "" => written.to_owned(),
        // The spelling is right then, and the colon is missing.
        meant if meant == written => format!("{written} (no colon)"),
        meant => format!("{} \u{2192} {meant}", words::label(written, 18)),
    })
}

/// Returns the findings in the files, by code.
pub fn errors(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let legend = ["error", "warning or remark"];
    let labeled = |row: &ResultRow| {
        Ok((
            row.text("code")?.to_owned(),
            row.text("severity")? == "error",
        ))
    };
    let caption = |row: &ResultRow| first(row, totals, "have the finding", "code");
    let mut chart = ranking(result, totals, Some(legend), labeled, caption)?;
    chart.denominator = totals.hosts_whose_file_was_read();
    for row in by_domains(result)?.into_iter().take(TOP) {
        let code = row.text("code")?;
        chart.glossary.push((code.to_owned(), sentence(code)));
    }
    Ok(chart)
}

/// Returns the sentence on a code, as `robocensus errors` has it.
fn sentence(code: &str) -> &'static str {
    let of_line = AnomalyCode::ALL.iter().find(|known| known.as_str() == code);
    let of_response = || ResponseCode::all().find(|known| known.as_str() == code);
    of_line
        .map(|known| known.sentence())
        .or_else(|| of_response().map(ResponseCode::sentence))
        .unwrap_or("a code of another version of robocensus")
}

/// Returns the systems and services that wrote the files.
pub fn templates(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut unknown = None;
    let mut most = 0;
    let mut groups = Vec::new();
    for row in by_domains(result)? {
        if row.is_null("template")? {
            unknown = Some(both(row, totals)?);
        } else {
            let domains = row.count("domains")?;
            most = most.max(domains);
            let bar = Bar::new(domains, totals.domains_read, Color::Strong);
            groups.push(BarGroup::new(row.text("template")?, [bar]));
        }
    }
    Ok(Chart {
        caption: format!(
            "{} have a file without the sign of a known template; a file may have the signs of several.",
            unknown.unwrap_or_else(|| words::domains(0, totals.domains_read))
        ),
        denominator: totals.hosts_whose_file_was_read(),
        n_hosts: most,
        drawing: bars::draw(&[], &groups),
        ..Chart::default()
    })
}

/// Returns the vocabularies in which hosts state terms of use.
pub fn terms(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let labeled = |row: &ResultRow| Ok((row.text("vocabulary")?.to_owned(), true));
    let caption =
        |row: &ResultRow| first(row, totals, "state terms in the vocabulary", "vocabulary");
    ranking(result, totals, None, labeled, caption)
}

/// Returns what Content-Signal lines state.
pub fn content_signals(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let legend = ["well-formed", "malformed"];
    let labeled = |row: &ResultRow| {
        let label = match (row.text("key")?, row.text("value")?) {
            (key, "") => key.to_owned(),
            (key, value) => format!("{key}={value}"),
        };
        Ok((label, row.is_true("parse_ok")?))
    };
    ranking(result, totals, Some(legend), labeled, |row| {
        Ok(format!(
            "{} say {}={}, more than any other signal.",
            both(row, totals)?,
            words::label(row.text("key")?, 40),
            words::label(row.text("value")?, 40)
        ))
    })
}

/// Returns a chart of the rows of most registered domains, of those whose file was read.
///
/// `labeled` returns the label of a row, and whether it is of the first entry of the legend or of
/// the second; `caption` is that of the first row, which has the most domains.
fn ranking(
    result: &ResultSet,
    totals: &DatasetTotals,
    legend: Option<[&'static str; 2]>,
    labeled: impl Fn(&ResultRow) -> Result<(String, bool), MissingColumn>,
    caption: impl Fn(&ResultRow) -> Result<String, MissingColumn>,
) -> Result<Chart, MissingColumn> {
    let rows = by_domains(result)?;
    let Some(first) = rows.first() else {
        return Ok(Chart {
            denominator: totals.hosts_whose_file_was_read(),
            ..Chart::default()
        });
    };
    let colors = [Color::Strong, Color::Middle];
    let mut groups = Vec::new();
    for row in rows.iter().take(TOP) {
        let (label, is_first) = labeled(row)?;
        let color = colors[usize::from(!is_first)];
        let bar = Bar::new(row.count("domains")?, totals.domains_read, color);
        groups.push(BarGroup::new(label, [bar]));
    }
    let legend = legend.map_or_else(Vec::new, |words| colors.into_iter().zip(words).collect());
    Ok(Chart {
        caption: caption(first)?,
        denominator: totals.hosts_whose_file_was_read(),
        n_hosts: first.count("domains")?,
        drawing: bars::draw(&legend, &groups),
        ..Chart::default()
    })
}

/// Returns rows by their registered domains, the most first.
fn by_domains(result: &ResultSet) -> Result<Vec<&ResultRow>, MissingColumn> {
    let mut rows = Vec::new();
    for row in result.rows() {
        rows.push((std::cmp::Reverse(row.count("domains")?), row));
    }
    rows.sort_by_key(|(domains, _)| *domains);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Returns how many registered domains a row has, and how many hosts.
fn both(row: &ResultRow, totals: &DatasetTotals) -> Result<String, MissingColumn> {
    let domains = words::domains(row.count("domains")?, totals.domains_read);
    let hosts = words::hosts(row.count("hosts")?, totals.hosts_read);
    Ok(format!("{domains} and {hosts}"))
}

/// Returns a caption on the first row: how many domains and hosts do `what`, and the text of
/// `column`.
fn first(
    row: &ResultRow,
    totals: &DatasetTotals,
    what: &str,
    column: &str,
) -> Result<String, MissingColumn> {
    Ok(format!(
        "{} {what} {}, more than any other.",
        both(row, totals)?,
        words::label(row.text(column)?, 40)
    ))
}
