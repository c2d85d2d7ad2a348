//! Pictures of lines: fields, their misspellings, findings, templates, and terms of use.

use super::{Chart, Shown, Totals};
use crate::report::{
    answer::{Answer, MissingColumn, Row},
    bars::{Bar, Bars, simple},
    ink::Ink,
    words,
};
use crate::{capture::ResponseCode, dialect::AnomalyCode};

/// Bars of a ranking.
const TOP: usize = 15;

/// Shows the fields beside user-agent, allow and disallow.
pub fn directives(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let bars = ranking(answer, totals.hosts_read, |row| {
        let ink = match row.is_true("is_known")? {
            true => Ink::Strong,
            false => Ink::Middle,
        };
        Ok((row.text("key")?.to_owned(), ink))
    })?;
    Ok(Shown {
        reading: most_frequent(answer, totals.hosts_read, "key", "have a line of the field")?,
        whole: totals.hosts_whose_lines_count(),
        n_hosts: most_hosts(answer)?,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "some crawler knows it"),
                (Ink::Middle, "nobody knows it"),
            ],
            bars,
        }),
    })
}

/// Shows the misspellings of fields.
pub fn misspellings(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let bars = ranking(answer, totals.hosts_read, |row| {
        let ink = match row.text("accepted_by")? {
            "" => Ink::Middle,
            _ => Ink::Strong,
        };
        Ok((misspelling(row)?, ink))
    })?;
    let reading = match answer.rows().first() {
        Some(row) => format!(
            "Most often it is {}, in files of {}.",
            words::plain(&misspelling(row)?),
            words::hosts(row.count("hosts")?, totals.hosts_read)
        ),
        None => String::new(),
    };
    Ok(Shown {
        reading,
        whole: totals.hosts_whose_lines_count(),
        n_hosts: most_hosts(answer)?,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "some dialect reads it all the same"),
                (Ink::Middle, "no dialect reads it"),
            ],
            bars,
        }),
    })
}

/// Returns what was written and what was meant.
fn misspelling(row: &Row) -> Result<String, MissingColumn> {
    let written = row.text("written")?;
    Ok(match row.text("meant")? {
        "" => written.to_owned(),
        // The spelling is right then, and the colon is missing.
        meant if meant == written => format!("{written} (no colon)"),
        meant => format!("{} \u{2192} {meant}", words::label(written, 18)),
    })
}

/// Shows the findings in the files, by code.
pub fn errors(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let bars = ranking(answer, totals.hosts_read, |row| {
        let ink = match row.text("severity")? {
            "error" => Ink::Strong,
            _ => Ink::Middle,
        };
        Ok((row.text("code")?.to_owned(), ink))
    })?;
    let codes = answer.rows().iter().take(TOP);
    let notes: Result<Vec<_>, _> = codes
        .map(|row| {
            let code = row.text("code")?;
            Ok((code.to_owned(), sentence(code)))
        })
        .collect();
    Ok(Shown {
        reading: most_frequent(answer, totals.hosts_read, "code", "have the finding")?,
        whole: totals.hosts_whose_file_was_read(),
        n_hosts: most_hosts(answer)?,
        notes: notes?,
        chart: Chart::of_bars(Bars {
            legend: vec![(Ink::Strong, "error"), (Ink::Middle, "warning or remark")],
            bars,
        }),
    })
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

/// Shows the systems and services that wrote the files.
pub fn templates(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let (mut unknown, mut most) = (0, 0);
    let mut bars = Vec::new();
    for row in answer.rows() {
        let hosts = row.count("hosts")?;
        if row.is_null("template")? {
            unknown = hosts;
        } else {
            most = most.max(hosts);
            let label = row.text("template")?.to_owned();
            bars.push(simple(label, hosts, totals.hosts_read, Ink::Strong));
        }
    }
    Ok(Shown {
        reading: format!(
            "{} have a file with the sign of no template known here; a file may bear those of several.",
            words::hosts(unknown, totals.hosts_read)
        ),
        whole: totals.hosts_whose_lines_count(),
        n_hosts: most,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: Vec::new(),
            bars,
        }),
    })
}

/// Shows the vocabularies in which hosts state terms of use.
pub fn terms(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let bars = ranking(answer, totals.hosts_read, |row| {
        Ok((row.text("vocabulary")?.to_owned(), Ink::Strong))
    })?;
    Ok(Shown {
        reading: most_frequent(
            answer,
            totals.hosts_read,
            "vocabulary",
            "state terms in the vocabulary",
        )?,
        whole: totals.hosts_whose_lines_count(),
        n_hosts: most_hosts(answer)?,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: Vec::new(),
            bars,
        }),
    })
}

/// Shows what Content-Signal lines say.
pub fn content_signals(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let bars = ranking(answer, totals.hosts_read, |row| {
        let label = match (row.text("key")?, row.text("value")?) {
            (key, "") => key.to_owned(),
            (key, value) => format!("{key}={value}"),
        };
        let ink = match row.is_true("parse_ok")? {
            true => Ink::Strong,
            false => Ink::Middle,
        };
        Ok((label, ink))
    })?;
    Ok(Shown {
        reading: match answer.rows().first() {
            Some(row) => format!(
                "{} say {}={}, more than any other signal.",
                words::hosts(row.count("hosts")?, totals.hosts_read),
                words::label(row.text("key")?, 40),
                words::label(row.text("value")?, 40)
            ),
            None => String::new(),
        },
        whole: totals.hosts_whose_lines_count(),
        n_hosts: most_hosts(answer)?,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "well-formed"),
                (Ink::Middle, "not to be parsed"),
            ],
            bars,
        }),
    })
}

/// Returns the bars of the first rows: hosts of those whose file was read.
fn ranking<'a>(
    answer: &'a Answer,
    whole: u64,
    named: impl Fn(&'a Row) -> Result<(String, Ink), MissingColumn>,
) -> Result<Vec<Bar>, MissingColumn> {
    let rows = answer.rows().iter().take(TOP);
    rows.map(|row| {
        let (label, ink) = named(row)?;
        Ok(simple(label, row.count("hosts")?, whole, ink))
    })
    .collect()
}

/// Returns the hosts of the first row, which has most.
fn most_hosts(answer: &Answer) -> Result<u64, MissingColumn> {
    answer
        .rows()
        .first()
        .map_or(Ok(0), |row| row.count("hosts"))
}

/// Returns the sentence on the first row: how many hosts of `whole` do `what`, and the text of
/// `column`.
fn most_frequent(
    answer: &Answer,
    whole: u64,
    column: &'static str,
    what: &str,
) -> Result<String, MissingColumn> {
    let Some(row) = answer.rows().first() else {
        return Ok(String::new());
    };
    Ok(format!(
        "{} {what} {}, more than any other.",
        words::hosts(row.count("hosts")?, whole),
        words::label(row.text(column)?, 40)
    ))
}
