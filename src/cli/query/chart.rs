//! Charts of queries: as a file, or as a specification of Vega-Lite on standard output.

use std::path::{Path, PathBuf};

use anyhow::bail;
use robocensus::{
    dataset::sink::Dataset,
    report::{
        PROVENANCE, Source,
        chart::{Chart, Shape, Totals, inferred},
        result::{NoChart, ResultSet},
    },
};
use serde_json::Value;

#[cfg(feature = "chart-files")]
use super::chart_files::{pdf, png};
use super::{
    super::{
        args::{QueryArgs, RowFormat},
        duckdb::{self, ROWS},
        escape::print,
        output_file::OutputFile,
    },
    FILE_END,
    setup::Setup,
    statements::Statements,
    stored::{STORED_QUERIES, comment},
    variables::{LISTS, Variable},
    views::Names,
};

/// Why a program that was built so draws SVG files alone.
const SVG_ALONE: &str = "this program was built without PDF and PNG files; name a file that ends with .svg, or build it with \"--features chart-files\"";

/// A chart that is asked for.
pub struct ChartRequest<'a> {
    args: &'a QueryArgs,
    /// The name of the query for its source: that of a stored one, of a file, or none.
    name: &'a str,
    title: String,
    /// That of its header; without one it is inferred from the rows.
    shape: Option<Shape>,
    /// The file that is written, and whether it is svg, pdf or png; without one, the specification
    /// is printed.
    file: Option<(OutputFile, String)>,
}

impl<'a> ChartRequest<'a> {
    /// Returns the chart that the flags ask for, or `None` where rows are printed.
    ///
    /// A query without a chart and a file that cannot be written are refused before the work.
    pub fn new(args: &'a QueryArgs, word: &'a str, sql: &'a str) -> anyhow::Result<Option<Self>> {
        if args.chart.is_none() && args.format != RowFormat::VegaLite {
            return Ok(None);
        }
        // By its name, by its file or as it is.
        let stored = STORED_QUERIES.iter().find(|query| query.sql == sql);
        let shape = Shape::from_sql(sql)?;
        if let (Some(query), None) = (stored, &shape) {
            bail!(
                "the query {} has no chart, since its rows have no shape to draw; robocensus query --list says which have one",
                query.name
            );
        }
        let mut title = comment(sql);
        if title.is_empty() {
            title = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let name = match stored {
            Some(query) => query.name,
            None if word.ends_with(FILE_END) => Path::new(word)
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or(word),
            None => "of the command line",
        };
        Ok(Some(Self {
            args,
            name,
            title,
            shape,
            file: begin_file(args, word)?,
        }))
    }

    /// Runs the query and writes its chart; `description` is that of the datasets, and `None` for a
    /// comparison.
    pub fn draw(
        self,
        setup: &Setup,
        reads: &Names,
        statements: &Statements<'_>,
        declared: &[Variable],
        description: Option<&Value>,
    ) -> anyhow::Result<()> {
        let settings = self.settings(declared);
        let queries = queries(statements, description.is_some());
        let mut names = setup.views.read_by(&queries);
        names.extend(reads);
        let results = duckdb::results(&(setup.script(&queries, &names)? + &queries))?;
        let result = |index: usize| results.get(index).map_or("", String::as_str);
        let of_query = ResultSet::from_json(result(0)).map_err(NoChart::from)?;
        let (source, totals) = match description {
            Some(description) => {
                let source = source(result(2), description, self.args.before.as_deref())?;
                (source.in_words(self.name), source.totals)
            }
            None => {
                let description = Dataset::read_description(&self.args.data[0])?;
                let source = Source::of_comparison(&description, self.name);
                (source, Totals::default())
            }
        };
        let shape = match self.shape {
            Some(shape) => shape,
            None => inferred(&ResultSet::from_json(result(1))?, of_query.rows())?,
        };
        let chart = Chart::new(&shape, &self.title, &settings, &of_query, &totals)?;
        let Some((file, end)) = self.file else {
            return Ok(print(&chart.vega_lite(&source))?);
        };
        let svg = chart.svg(&source, self.args.chart_width.into());
        let bytes = match end.as_str() {
            #[cfg(feature = "chart-files")]
            "pdf" => pdf(&svg)?,
            #[cfg(feature = "chart-files")]
            "png" => png(&svg)?,
            _ => svg.into_bytes(),
        };
        file.finish(|out| out.write_all(&bytes))
    }

    /// Returns the variables of the query with their values, as far as the command line or its
    /// declarations give them.
    fn settings(&self, declared: &[Variable]) -> Vec<String> {
        let defaults = declared.iter();
        let defaults = defaults.filter_map(|(name, value)| Some((*name, (*value)?)));
        let is_set = |name: &str| self.args.set.iter().any(|(set, _)| set == name);
        let defaults = defaults.filter(|(name, _)| !is_set(name));
        let given = self.args.set.iter();
        let given = given.map(|(name, value)| (name.as_str(), value.as_str()));
        let mut settings = Vec::new();
        for (name, value) in given.chain(defaults) {
            let value = if LISTS.contains(&name) {
                // The folders of a machine are no part of a figure.
                Path::new(value).file_name().and_then(|name| name.to_str())
            } else {
                Some(value)
            };
            settings.push(format!("{name} = {}", value.unwrap_or_default()));
        }
        settings
    }
}

/// Begins the file that the flags name, if they do.
fn begin_file(args: &QueryArgs, word: &str) -> anyhow::Result<Option<(OutputFile, String)>> {
    let Some(path) = &args.chart else {
        return Ok(None);
    };
    let end = path.extension().and_then(|end| end.to_str());
    let end = end.unwrap_or_default().to_ascii_lowercase();
    if !matches!(end.as_str(), "svg" | "pdf" | "png") {
        bail!(
            "--chart {}: expected the name of a file that ends with .svg, .pdf or .png",
            path.display()
        );
    }
    if end != "svg" && cfg!(not(feature = "chart-files")) {
        bail!("--chart {}: {SVG_ALONE}", path.display());
    }
    let of_variables = args
        .set
        .iter()
        .filter(|(name, _)| LISTS.contains(&name.as_str()));
    let inputs = of_variables.map(|(_, value)| Path::new(value));
    let inputs: Vec<_> = inputs.chain([Path::new(word)]).collect();
    let datasets = args.data.iter().chain(&args.before).map(PathBuf::as_path);
    Ok(Some((OutputFile::begin(path, datasets, inputs)?, end)))
}

/// Returns statements with three results: rows, the types of their columns, which a table has even
/// without a row, and the provenance of a dataset.
fn queries(statements: &Statements<'_>, of_dataset: bool) -> String {
    let Statements {
        before, question, ..
    } = statements;
    let rows = duckdb::whole(question);
    let types = duckdb::result_of(&format!("DESCRIBE {ROWS};\n"));
    let provenance = of_dataset.then(|| duckdb::whole(PROVENANCE.sql));
    format!("{before}\n{rows}{types}{}", provenance.unwrap_or_default())
}

/// Returns where the figures come from, given the rows of the provenance of the dataset.
fn source(rows: &str, description: &Value, before: Option<&Path>) -> anyhow::Result<Source> {
    let source = Source::new(rows, description)?;
    let Some(before) = before else {
        return Ok(source);
    };
    let setup = Setup::over(&[before.to_owned()])?;
    let rows = duckdb::results(&setup.with(&duckdb::whole(PROVENANCE.sql))?)?.concat();
    let before = Source::new(&rows, &Dataset::read_description(before)?)?;
    Ok(source.compared_with(&before))
}
