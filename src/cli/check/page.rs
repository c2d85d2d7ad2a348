//! `robocensus check --page`: what a page states, and what holds for a crawler and why.

use std::path::Path;

use anyhow::bail;
use robocensus::{
    Verdict,
    archive::http::{Finding, Head},
    page::{
        Decided, ImagePreview, Page, PageDialect, PageFinding, PagePolicy, PageReader, Statement,
        StatementFinding,
    },
};
use serde_json::{Value, json};

use super::{
    super::{
        escape::{print, print_json},
        template::rendered,
    },
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
    let dialects = dialects(&args.evaluation.dialect)?;
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
    // Something may be unusual about the header too, such as that it is cut.
    let of_header = head.findings.iter().map(Finding::as_str);
    let findings = of_header.chain(page.findings().iter().map(PageFinding::as_str));
    let statements = page.statements().iter();
    let statements = statements.map(|statement| statement_in_json(&page, statement));
    let policies = dialects.into_iter();
    let policies = policies.map(|dialect| policy_in_json(dialect, &page.policy(dialect, chain)));
    let counts = page.counts();
    let mut found = json!({
        "page": path.display().to_string(),
        "agents": chain,
        "encoding": page.encoding(),
        "encoding_source": page.encoding_source().as_str(),
        "link_count": counts.links,
        "nofollow_link_count": counts.nofollow_links,
        "ugc_link_count": counts.ugc_links,
        "sponsored_link_count": counts.sponsored_links,
        "nosnippet_count": counts.nosnippets,
        "findings": findings.collect::<Vec<_>>(),
        "statements": statements.collect::<Vec<_>>(),
        "policies": policies.collect::<Vec<_>>(),
    });
    if args.json {
        print_json(&found)?;
    } else {
        let painter = Painter::of_stdout(args.color);
        found["yes"] = painter.verdict(Verdict::Allow, "yes").into();
        found["no"] = painter.verdict(Verdict::Disallow, "no").into();
        found["most"] = MAX_SHOWN.into();
        found["width"] = MAX_WIDTH.into();
        print(&rendered(TEXT, found))?;
    }
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

fn statement_in_json(page: &Page, statement: &Statement) -> Value {
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
}

/// Returns what holds for a crawler under a dialect, each with the number of the statement that
/// decided.
fn policy_in_json(dialect: PageDialect, policy: &PagePolicy) -> Value {
    fn answer<T>(decided: Decided<T>, value: impl Fn(T) -> Value) -> Value {
        let statement = decided.statement.map(|index| index + 1);
        json!({"value": value(decided.value), "statement": statement})
    }
    let number = |number: Option<i64>| json!(number);
    let time = |micros: Option<i64>| json!(micros.map(utc));
    let preview = |preview: Option<ImagePreview>| json!(preview.map(ImagePreview::as_str));
    json!({
        "dialect": dialect.as_str(),
        "may_index": answer(policy.may_index, Value::Bool),
        "may_follow": answer(policy.may_follow, Value::Bool),
        "may_archive": answer(policy.may_archive, Value::Bool),
        "may_snippet": answer(policy.may_snippet, Value::Bool),
        "max_snippet": answer(policy.max_snippet, number),
        "max_image_preview": answer(policy.max_image_preview, preview),
        "max_video_preview": answer(policy.max_video_preview, number),
        "unavailable_after": answer(policy.unavailable_after, time),
    })
}
