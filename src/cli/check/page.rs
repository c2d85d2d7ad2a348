//! `robocensus check --page`: what a page states, and what holds for a crawler and why.

use std::path::Path;

use anyhow::bail;
use robocensus::{
    Verdict,
    archive::http::{Finding, Findings, Head},
    page::{
        Decided, ImagePreview, Page, PageDialect, PageFinding, PagePolicy, PageReader, Statement,
        StatementFinding,
    },
};
use serde_json::{Value, json};

use super::{
    super::{escape, layout::columns, template::rendered},
    ALL, CheckArgs, Painter, read,
    time::utc,
};

/// What is printed of a page.
const TEXT: &str = include_str!("../templates/check/page.txt.j2");

/// Statements that are shown, and characters of each; `--json` has them all.
const MAX_SHOWN: usize = 100;
const MAX_WIDTH: usize = 120;

/// Prints the statements of a page and the policy for a crawler, and returns the exit code.
pub fn run(args: &CheckArgs, path: &Path, chain: &[String]) -> anyhow::Result<u8> {
    let dialects = dialects(&args.dialect)?;
    let body = read(path)?;
    let mut fields = Vec::new();
    if let Some(path) = &args.headers {
        fields = read(path)?;
    }
    if !fields.starts_with(b"HTTP/") {
        fields.splice(0..0, *b"HTTP/1.1 200\r\n");
    }
    fields.extend_from_slice(b"\r\n\r\n");
    let mut head = Head::default();
    head.parse(&fields);
    let mut page = Page::new();
    PageReader::with_crawlers(chain).read(&body, head.fields(&fields), &mut page);
    let policies: Vec<_> = dialects
        .into_iter()
        .map(|dialect| (dialect, page.policy(dialect, chain)))
        .collect();
    let checked = CheckedPage {
        name: path.display().to_string(),
        agents: chain,
        of_header: head.findings,
        page,
        policies,
    };
    let printed = if args.json {
        escape::json(&format!("{:#}\n", checked.json())).into_owned()
    } else {
        checked.text(Painter::of_stdout(args.color))
    };
    escape::print(&printed)?;
    Ok(0)
}

fn dialects(word: &str) -> anyhow::Result<Vec<PageDialect>> {
    if word == ALL {
        return Ok(PageDialect::ALL.to_vec());
    }
    let mut known = PageDialect::ALL.into_iter();
    match known.find(|dialect| dialect.as_str() == word) {
        Some(dialect) => Ok(vec![dialect]),
        None => bail!("--dialect: expected google, baidu or all for --page, but found {word}"),
    }
}

/// A page, and what holds for a crawler under each dialect.
struct CheckedPage<'a> {
    name: String,
    agents: &'a [String],
    /// What is unusual about the header, such as that it is cut.
    of_header: Findings,
    page: Page,
    policies: Vec<(PageDialect, PagePolicy)>,
}

/// One answer: its name, its value, and the statement that decided.
type Answer = (&'static str, Value, Option<usize>);

impl CheckedPage<'_> {
    fn text(&self, painter: Painter) -> String {
        let tables = self.policies.iter().map(|(_, policy)| {
            let answers = answers(policy).into_iter().map(|(name, value, statement)| {
                let why = match statement {
                    Some(index) => format!("statement {}", index + 1),
                    None => "nothing stated".to_owned(),
                };
                vec!["  ".to_owned() + name, shown(&value, painter), why]
            });
            table(answers)
        });
        let mut facts = self.json();
        facts["table"] = self.table_of_statements().into();
        facts["most"] = MAX_SHOWN.into();
        facts["tables"] = tables.collect();
        rendered(TEXT, facts)
    }

    /// Returns the names of the findings on the header and on the page.
    fn findings(&self) -> impl Iterator<Item = &'static str> {
        let of_header = self.of_header.iter().map(Finding::as_str);
        of_header.chain(self.page.findings().iter().map(PageFinding::as_str))
    }

    fn table_of_statements(&self) -> String {
        let statements = self.page.statements().iter().take(MAX_SHOWN);
        table((1..).zip(statements).map(|(number, statement)| {
            let position = match statement.line {
                0 => "field".to_owned(),
                line => format!("line {line}, column {}", statement.column),
            };
            let shown = |range| {
                let text = escape::evidence(self.page.text(range).as_bytes());
                escape::shortened(&text, MAX_WIDTH)
            };
            vec![
                format!("  {number}"),
                position,
                statement.source.as_str().to_owned(),
                statement.place.as_str().to_owned(),
                shown(statement.agent_token),
                shown(statement.written),
                note(statement),
            ]
        }))
    }

    fn json(&self) -> Value {
        let page = &self.page;
        let statements = page.statements().iter().map(|statement| {
            json!({
                "source": statement.source.as_str(),
                "place": statement.place.as_str(),
                "agent_raw": page.text(statement.agent_raw),
                "agent_token": page.text(statement.agent_token),
                "directive": page.text(statement.directive_name),
                "written": page.text(statement.written),
                "value": statement.value.map(|value| page.text(value)),
                "number": statement.number,
                "time": statement.time.map(utc),
                "byte_offset": (statement.line > 0).then_some(statement.byte_offset),
                "line": (statement.line > 0).then_some(statement.line),
                "column": (statement.line > 0).then_some(statement.column),
                "parse_ok": statement.is_valid,
                "finding": statement.finding.map(StatementFinding::as_str),
            })
        });
        let policies = self.policies.iter().map(|(dialect, policy)| {
            let mut object = json!({"dialect": dialect.as_str()});
            for (name, value, statement) in answers(policy) {
                let statement = statement.map(|index| index + 1);
                object[name] = json!({"value": value, "statement": statement});
            }
            object
        });
        let counts = page.counts();
        json!({
            "page": self.name,
            "agents": self.agents,
            "encoding": page.encoding(),
            "encoding_source": page.encoding_source().as_str(),
            "link_count": counts.links,
            "nofollow_link_count": counts.nofollow_links,
            "ugc_link_count": counts.ugc_links,
            "sponsored_link_count": counts.sponsored_links,
            "nosnippet_count": counts.nosnippets,
            "findings": self.findings().collect::<Vec<_>>(),
            "statements": statements.collect::<Vec<_>>(),
            "policies": policies.collect::<Vec<_>>(),
        })
    }
}

/// Returns rows in columns, without the end of the last line.
fn table(rows: impl Iterator<Item = Vec<String>>) -> String {
    let text = columns(&rows.collect::<Vec<_>>());
    text.trim_end_matches('\n').to_owned()
}

fn note(statement: &Statement) -> String {
    let finding = statement.finding.map_or("", |finding| finding.as_str());
    if statement.is_valid {
        finding.to_owned()
    } else {
        format!("states nothing: {finding}")
    }
}

fn answers(policy: &PagePolicy) -> [Answer; 8] {
    fn answer<T: Copy>(
        name: &'static str,
        decided: Decided<T>,
        value: impl Fn(T) -> Value,
    ) -> Answer {
        (name, value(decided.value), decided.statement)
    }
    let number = |number: Option<i64>| json!(number);
    let time = |micros: Option<i64>| json!(micros.map(utc));
    let preview = |preview: Option<ImagePreview>| json!(preview.map(ImagePreview::as_str));
    [
        answer("may_index", policy.may_index, Value::Bool),
        answer("may_follow", policy.may_follow, Value::Bool),
        answer("may_archive", policy.may_archive, Value::Bool),
        answer("may_snippet", policy.may_snippet, Value::Bool),
        answer("max_snippet", policy.max_snippet, number),
        answer("max_image_preview", policy.max_image_preview, preview),
        answer("max_video_preview", policy.max_video_preview, number),
        answer("unavailable_after", policy.unavailable_after, time),
    ]
}

fn shown(value: &Value, painter: Painter) -> String {
    match value {
        Value::Bool(true) => painter.verdict(Verdict::Allow, "yes"),
        Value::Bool(false) => painter.verdict(Verdict::Disallow, "no"),
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
