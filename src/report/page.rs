//! The page itself: the box of coverage, the pictures, what it was made of.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::{
    answer::{Answer, MissingColumn, Row},
    canvas::Width,
    ink,
    pictures::{COVERAGE, Picture, Shown, Totals},
    table, words,
};

/// The style sheet, without the colors.
const STYLE: &str = include_str!("page.css");

/// Nothing is fetched and nothing runs; styles stand in the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A picture with what it shows.
pub struct Part<'a> {
    /// The picture.
    pub picture: &'a Picture,
    /// The rows it is drawn from.
    pub answer: &'a Answer,
    /// What they show.
    pub shown: Shown,
    /// What is said where there is nothing to draw.
    pub absence: &'static str,
}

/// Returns the page.
pub fn page(
    description: &Value,
    totals: &Totals,
    provenance: &Answer,
    coverage: &Answer,
    parts: &[Part<'_>],
) -> Result<String, MissingColumn> {
    let title = "What robots.txt files say";
    let source = provenance.rows().first();
    let coverage_box = coverage_box(coverage)?;
    let origin = origin(source)?;
    let made_of = made_of(description, source)?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="referrer" content="no-referrer";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style())) }
            }
            body {
                (hatchings())
                header {
                    h1 { (title) }
                    p.lead {
                        "A census of " (words::count(totals.hosts)) " hosts" (origin) ". A robots.txt was read from "
                        (words::hosts(totals.hosts_read, totals.hosts)) ", redirects followed."
                    }
                    p {
                        "A host is a host name and counts once. Dialects that were asked: " (words::plain(super::dialects(description)))
                        "; lines are read by the first, " code { (totals.reference_dialect) }
                        ". Below each picture stand its figures and the SQL that made them."
                    }
                }
                nav aria-label="Contents" {
                    ol {
                        li { a href="#coverage" { "What was read, and what is missing?" } }
                        @for part in parts {
                            li { a href=(format!("#{}", part.picture.id)) { (part.picture.question) } }
                        }
                    }
                }
                main {
                    section id="coverage" {
                        h2 { "What was read, and what is missing?" }
                        (coverage_box)
                        (table::sql(COVERAGE))
                    }
                    @for part in parts { (section(part)) }
                }
                footer { (made_of) }
            }
        }
    };
    Ok(page.into_string())
}

fn style() -> String {
    let (light, dark) = (ink::variables(false), ink::variables(true));
    format!(
        ":root{{{light}--page:#ffffff;--box:#f6f8fa}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}--page:#0f1419;--box:#171e26}}}}\n{STYLE}{}",
        ink::rules()
    )
}

/// Returns the patterns that stand in for hatched inks.
fn hatchings() -> Markup {
    html! {
        svg.defs width="0" height="0" aria-hidden="true" {
            defs {
                @for name in ["strong", "middle"] {
                    pattern id=(format!("hatch-{name}")) width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                        rect width="6" height="6" style=(format!("fill:var(--{name})")) {}
                        rect width="2" height="6" style="fill:var(--page)" {}
                    }
                }
            }
        }
    }
}

fn origin(row: Option<&Row>) -> Result<String, MissingColumn> {
    let Some(row) = row else {
        return Ok(String::new());
    };
    let mut text = String::new();
    if !row.is_null("crawls")? {
        text.push_str(&format!(" from {}", words::plain(row.text("crawls")?)));
    }
    if !row.is_null("first_fetch")? {
        text.push_str(&format!(
            ", fetched from {} to {} UTC",
            row.text("first_fetch")?,
            row.text("last_fetch")?
        ));
    }
    Ok(text)
}

fn coverage_box(coverage: &Answer) -> Result<Markup, MissingColumn> {
    let mut sections: Vec<(&str, Vec<Markup>)> = Vec::new();
    for row in coverage.rows() {
        let (section, n) = (row.text("section")?, row.count("n")?);
        let figure = match row.text("unit")? {
            "bytes" => words::bytes(n),
            _ => words::count(n),
        };
        let share = match row.is_null("whole")? {
            true => String::new(),
            false => words::share(n, row.count("whole")?),
        };
        let line = html! {
            tr { td { (words::plain(row.text("item")?)) } td.number { (figure) } td.number { (share) } }
        };
        match sections.last_mut() {
            Some((name, lines)) if *name == section => lines.push(line),
            _ => sections.push((section, vec![line])),
        }
    }
    Ok(html! {
        table.coverage {
            @for (section, lines) in &sections {
                tbody {
                    tr { th scope="rowgroup" { (words::plain(section)) } th.number { "n" } th.number { "share" } }
                    @for line in lines { (line) }
                }
            }
        }
    })
}

fn section(part: &Part<'_>) -> Markup {
    let Part {
        picture,
        answer,
        shown,
        absence,
    } = part;
    html! {
        section id=(picture.id) {
            h2 { (picture.question) }
            @if let Some(chart) = &shown.chart {
                p.reading { (shown.reading) }
                p.whole { (shown.whole) }
                @for width in [Width::Wide, Width::Narrow] { (framed(part, width, &chart.draw(width))) }
            } @else {
                p.reading { (absence) }
                p.whole { (shown.whole) }
            }
            (table::figures(answer))
            (table::sql(picture.query))
        }
    }
}

/// Returns a picture: the drawing of the library in a frame that has a title and can be scaled.
fn framed(part: &Part<'_>, width: Width, drawing: &str) -> Markup {
    let id = |what: &str| format!("{}-{}-{what}", part.picture.id, width.name());
    // The library states the size of its drawing there.
    let view_box = drawing.split("viewBox=\"").nth(1);
    let view_box = view_box.and_then(|rest| rest.split('"').next());
    html! {
        svg class=(format!("picture {}", width.name())) role="img" viewBox=(view_box.unwrap_or_default())
            aria-labelledby=(id("title")) aria-describedby=(id("desc")) {
            title id=(id("title")) { (part.picture.question) }
            desc id=(id("desc")) { (part.shown.reading) " " (part.shown.whole) }
            (PreEscaped(drawing))
        }
    }
}

fn made_of(description: &Value, source: Option<&Row>) -> Result<Markup, MissingColumn> {
    let mut options = String::new();
    if let Some(map) = description["options"].as_object() {
        let texts = map.iter().map(|(name, value)| {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            format!("{name}: {value}")
        });
        options = words::plain(&texts.collect::<Vec<_>>().join("; "));
    }
    let (mut versions, mut runs) = (String::new(), String::new());
    if let Some(row) = source {
        versions = words::plain(row.text("tool_versions")?);
        runs = words::plain(row.text("run_ids")?);
        let n_runs = row.count("run_count")?;
        if n_runs > 5 {
            runs.push_str(&format!(", .. ({} runs)", words::count(n_runs)));
        }
    }
    let dialects = words::plain(super::dialects(description));
    Ok(html! {
        h2 { "How this page was made" }
        dl {
            dt { "Dataset" } dd { "robocensus " (versions) ", run " code { (runs) } }
            dt { "Options" } dd { (options) }
            dt { "To make it again" }
            dd {
                pre.scroll tabindex="0" { code {
                    "robocensus run INPUT... --out DIR --dialects " (dialects) "\n"
                    "robocensus report --data DIR --out report.html"
                } }
            }
        }
        p.small { "Page of robocensus " (env!("CARGO_PKG_VERSION")) ". A verdict says what a file says, not what a crawler does." }
    })
}
