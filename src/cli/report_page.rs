//! `robocensus report`: runs the queries of the page in one DuckDB process and writes the page.

use std::{path::Path, process::ExitCode};

use anyhow::Context;
use robocensus::{
    pipeline::extent,
    report::{self, Answer, Page},
    sink::Dataset,
};

use super::{
    args::ReportArgs,
    dataset_notes::{on_archives, on_redirects},
    duckdb,
    escape::print_message,
    output_file::OutputFile,
    query::{VIEWS, check, literal, set, terminated},
};

/// The line before each answer. A row of JSON begins with a bracket or a brace and contains no line
/// end, so no row can be mistaken for it.
const MARK: &str = "= answer";

/// Every query reads the hosts, and finding the fetch that counts is the most work; this does it
/// once.
const HOSTS_ONCE: &str = "CREATE TEMP TABLE counted_hosts AS FROM hosts;\nCREATE OR REPLACE TEMP VIEW hosts AS FROM counted_hosts;\n";

/// Writes the page.
pub fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    check(&args.data)?;
    let description = Dataset::read_description(&args.data)?;
    let out = OutputFile::begin(&args.out, Some(&args.data), [])?;
    let page = page(&args.title, &args.data, &description)?;
    out.finish(|out| out.write_all(page.html.as_bytes()))?;
    if page.hosts == 0 {
        print_message(&format!(
            "note: {}: the dataset has no fetch of a robots.txt, so all figures of the report are 0",
            args.data.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn page(title: &str, data: &Path, description: &serde_json::Value) -> anyhow::Result<Page> {
    let mut script = set("data", &literal(data)?);
    for (name, value) in report::variables(description) {
        script.push_str(&set(name, value));
    }
    script.push_str(VIEWS);
    script.push_str(HOSTS_ONCE);
    for query in report::queries() {
        script.push_str(&format!(".print '{MARK}'\n"));
        if let Some(agent) = query.agent {
            script.push_str(&format!("SET VARIABLE agent = {agent};\n"));
        }
        script.push_str(&terminated(query.sql.to_owned()));
        if query.agent.is_some() {
            script.push_str("RESET VARIABLE agent;\n");
        }
    }
    let answers = answers(&duckdb::query_json(&script)?)?;
    let extent = extent(data)?;
    let notes = on_archives(&extent)
        .into_iter()
        .chain(on_redirects(&extent));
    let notes: Vec<String> = notes.collect();
    Ok(report::render(title, description, &notes, &answers)?)
}

/// Splits what DuckDB printed into the answers behind the marks.
fn answers(printed: &str) -> anyhow::Result<Vec<Answer>> {
    let mut texts: Vec<String> = Vec::new();
    for line in printed.lines() {
        match texts.last_mut() {
            _ if line == MARK => texts.push(String::new()),
            Some(text) => text.push_str(line),
            None => {}
        }
    }
    let read = |text: &String| match text.as_str() {
        // For no rows some versions of DuckDB print nothing.
        "" => Ok(Answer::default()),
        text => Answer::from_json(text),
    };
    let answers: Result<Vec<_>, _> = texts.iter().map(read).collect();
    answers.context("DuckDB: expected an array of rows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_apart_whatever_their_rows_contain() {
        let printed = "= answer\n[{\"a\":\"= answer\"},\n{\"a\":\"\\n= answer\\n\"}]\n= answer\n[]\n= answer\n";
        let answers = answers(printed).expect("three answers");
        let n_rows: Vec<_> = answers.iter().map(|answer| answer.rows().len()).collect();
        assert_eq!(n_rows, [2, 0, 0]);
    }

    #[test]
    fn rows_that_are_none_stop_the_page() {
        assert!(answers("= answer\n[{\"a\":\n").is_err());
    }
}
