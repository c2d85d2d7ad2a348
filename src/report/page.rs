//! The page itself: the box of coverage, the pictures, what it was made of.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::{
    answer::{Answer, MissingColumn, Row},
    canvas::Width,
    ink,
    pictures::{COVERAGE, HEADLINE, Picture, Shown, Totals, YEARS, shares},
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
    /// What is said in place of the chart.
    pub absence: Option<String>,
}

/// What the page says beside its pictures.
pub struct Whole<'a> {
    /// The heading.
    pub title: &'a str,
    /// What stands in `_dataset.json`.
    pub description: &'a Value,
    /// What the dataset lacks, a sentence each.
    pub notes: &'a [String],
    /// What most shares are of.
    pub totals: &'a Totals,
    /// Where the dataset comes from.
    pub provenance: &'a Answer,
    /// What was read and what is missing.
    pub coverage: &'a Answer,
}

/// Days from the first fetch to the last beyond which shares of the whole mix years.
const MOST_DAYS: u64 = 365;

/// Returns the page.
pub fn page(whole: &Whole<'_>, parts: &[Part<'_>]) -> Result<String, MissingColumn> {
    let Whole { title, totals, .. } = whole;
    let source = whole.provenance.rows().first();
    let coverage_box = coverage_box(whole.coverage)?;
    let origin = origin(totals, source)?;
    let mut warnings = warnings(totals, source)?;
    let notes = whole.notes.iter().map(|note| words::sentence(note));
    warnings.splice(0..0, notes);
    let headline = headline(parts)?;
    let citation = citation(whole, source)?;
    let made_of = made_of(whole.description, source)?;
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
                    @for warning in &warnings {
                        p.warning role="note" { (warning) }
                    }
                    @if let Some(headline) = &headline { p.lead { (headline) } }
                    p { (origin) }
                    p {
                        "A host is a host name and counts once; a registered domain is the part of it that somebody registered, such as example.co.uk. \
                         Shut out means that a file closes / and every path it names to the agent. Dialects that were asked: "
                        (words::plain(super::dialects(whole.description))) "; figures are those of the first, " code { (totals.reference_dialect) }
                        ", where nothing else is said. Below each chart stand its figures and the SQL that made them."
                    }
                    p #cite { "To cite: " (citation) }
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

/// Returns what the figures of the whole must not be read without.
fn warnings(totals: &Totals, source: Option<&Row>) -> Result<Vec<String>, MissingColumn> {
    let mut warnings = Vec::new();
    if totals.hosts == 0 {
        warnings.push(
            "This page is over nothing: the dataset has no fetch of a robots.txt, so every figure below is one of 0 hosts."
                .to_owned(),
        );
    } else if totals.hosts_read == 0 {
        warnings.push(format!(
            "No robots.txt was read: none of {} hosts answered with one, so figures on files are over nothing.",
            words::count(totals.hosts)
        ));
    }
    if let Some(row) = source
        && row.count("fetch_days")? > MOST_DAYS
    {
        let year = |column| Ok(row.text(column)?.chars().take(4).collect::<String>());
        warnings.push(format!(
            "The fetches span years, from {} to {}: figures of the whole dataset mix them, and a share among them is that of no one time. \
             The chart by year tells the years apart.",
            year("first_fetch")?,
            year("last_fetch")?
        ));
    }
    Ok(warnings)
}

/// Returns the sentence that opens the page: one agent, by registered domain and by host.
fn headline(parts: &[Part<'_>]) -> Result<Option<String>, MissingColumn> {
    let rows = |id| {
        let part = parts.iter().find(|part| part.picture.id == id);
        part.map_or(&[][..], |part| part.answer.rows())
    };
    let Some(of_year) = rows(YEARS).first() else {
        return Ok(None);
    };
    let agent = of_year.text("agent")?;
    let of_agent = |row: &&Row| row.text("agent").is_ok_and(|name| name == agent);
    let Some(row) = rows(HEADLINE).iter().find(of_agent) else {
        return Ok(None);
    };
    let (domains, hosts) = (row.count("domains_full")?, shares::full(row)?);
    let (of_domains, of_hosts) = (row.count("domains_read")?, row.count("hosts_read")?);
    let bound = |column| {
        Ok(row
            .number(column)?
            .map(words::rounded_share)
            .unwrap_or_default())
    };
    Ok(Some(format!(
        "{} is shut out by {} of {} registered domains: {} (95 % interval {} to {}). By host it is {} of {}: {}.",
        words::plain(agent),
        words::count(domains),
        words::count(of_domains),
        words::share(domains, of_domains),
        bound("share_of_domains_full_low")?,
        bound("share_of_domains_full_high")?,
        words::count(hosts),
        words::count(of_hosts),
        words::share(hosts, of_hosts),
    )))
}

/// Returns the line by which the page is cited: no time of its making, so that it is the same for
/// the same dataset.
fn citation(whole: &Whole<'_>, source: Option<&Row>) -> Result<String, MissingColumn> {
    let digest = &whole.description["options_digest"];
    let digest: String = digest
        .as_str()
        .unwrap_or_default()
        .chars()
        .take(16)
        .collect();
    let mut text = format!(
        "{}. robocensus {}, options {}",
        whole.title,
        env!("CARGO_PKG_VERSION"),
        words::plain(&digest)
    );
    if let Some(row) = source {
        let archives = row.text("archives_digest")?;
        if !archives.is_empty() {
            text.push_str(&format!(", archives {}", words::plain(archives)));
        }
        if !row.is_null("first_fetch")? {
            let day = |column| Ok(row.text(column)?.chars().take(10).collect::<String>());
            let (first, last) = (day("first_fetch")?, day("last_fetch")?);
            text.push_str(&format!(". Fetched from {first} to {last}"));
        }
    }
    text.push('.');
    Ok(text)
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

/// Returns what the dataset is: its archives, hosts and times.
fn origin(totals: &Totals, row: Option<&Row>) -> Result<String, MissingColumn> {
    let mut text = format!(
        "{} archive{}",
        words::count(totals.archives),
        if totals.archives == 1 { "" } else { "s" }
    );
    if let Some(row) = row {
        if !row.is_null("crawls")? {
            text.push_str(&format!(" of {}", words::plain(row.text("crawls")?)));
        }
        if !row.is_null("first_fetch")? {
            text.push_str(&format!(
                ", fetched from {} to {} UTC",
                row.text("first_fetch")?,
                row.text("last_fetch")?
            ));
        }
    }
    text.push_str(&format!(
        ", hold the answers of {} hosts under {} registered domains. Shares are of these, not of the web: whom the archives hold was not this \
         program's choice. A file was read from {}, redirects followed; {} of the files are pages of HTML; what is none \
         was read from {}.",
        words::count(totals.hosts),
        words::count(totals.domains),
        words::hosts(totals.hosts_read, totals.hosts),
        words::count(totals.hosts_html),
        words::hosts(totals.hosts_read.saturating_sub(totals.hosts_html), totals.hosts),
    ));
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
    let chart = shown.chart.as_ref().filter(|_| absence.is_none());
    html! {
        section id=(picture.id) {
            h2 { (picture.question) }
            p.reading { (absence.as_ref().unwrap_or(&shown.reading)) }
            p.whole { (shown.whole) }
            @if let Some(chart) = chart {
                @for width in [Width::Wide, Width::Narrow] { (framed(part, width, &chart.draw(width))) }
            }
            @if !shown.notes.is_empty() {
                dl.notes {
                    @for (name, sentence) in &shown.notes {
                        dt { code { (words::plain(name)) } } dd { (sentence) }
                    }
                }
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
