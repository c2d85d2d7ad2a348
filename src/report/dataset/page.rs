//! The page: its introduction, the coverage of the dataset, the charts, and how it was made.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::{
    Commands,
    captions::{self, DatasetTotals},
    figures,
    result::{NoChart, ResultRow, ResultSet},
    sections::{COVERAGE, COVERAGE_OF_PAGES, ERRORS, HEADLINE, Section, YEARS},
    source, words,
};

/// The style sheet: layout, and the colors on a light and on a dark page.
const CSS: &str = include_str!("page.css");

/// The policy of the page: it loads nothing and runs nothing; styles are in the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A section with the result of its query.
pub struct DrawnSection<'a> {
    /// What it is made of.
    pub section: &'a Section,
    /// The rows of its query.
    pub result: &'a ResultSet,
    /// Sentences on the figures.
    pub caption: String,
    /// What the figures are of, with its number.
    pub n: String,
    /// The chart, an element of SVG; `None` where there is nothing to draw.
    pub drawing: Option<String>,
}

/// What is on the page other than charts.
pub struct Content<'a> {
    /// The heading.
    pub title: &'a str,
    /// The JSON of `_dataset.json`.
    pub description: &'a Value,
    /// What the dataset lacks, a clause each.
    pub notes: &'a [String],
    /// Counts of the dataset.
    pub totals: &'a DatasetTotals,
    /// The provenance of the dataset.
    pub source: Option<&'a ResultRow>,
    /// What was read and what is missing.
    pub coverage: &'a ResultSet,
    /// The same of pages, where the dataset has them.
    pub coverage_of_pages: Option<&'a ResultSet>,
    /// The commands of the program.
    pub commands: &'a Commands,
}

/// Days from the first fetch to the last beyond which shares of the whole mix years.
const MOST_DAYS: u64 = 365;

/// Returns the page.
pub fn page(content: &Content<'_>, sections: &[DrawnSection<'_>]) -> Result<String, NoChart> {
    let Content { title, totals, .. } = content;
    let body = html! {
        header {
            h1 { (title) }
            @for warning in warnings(content)? {
                p.warning role="note" { (warning) }
            }
            @if let Some(headline) = headline(sections)? { p.lead { (headline) } }
            p { (origin(content)?) }
            p {
                "A host is a host name and counts once; a registered domain is the part of it that is registered with a registry, such as \
                 example.co.uk. Shut out means that a file closes / and every path it names to the agent. Dialects of the run: "
                (words::plain(super::dialects(content.description))) "; figures are those of the first, " code { (totals.reference_dialect) }
                ", unless stated otherwise. Each chart is followed by its figures and its SQL."
            }
            p #cite { "To cite: " (citation(content)?) }
        }
        nav aria-label="Contents" {
            ol {
                li { a href="#coverage" { "What was read, and what is missing?" } }
                @for DrawnSection { section, .. } in sections {
                    li { a href=(format!("#{}", section.id)) { (section.heading) } }
                }
            }
        }
        main {
            section id="coverage" {
                h2 { "What was read, and what is missing?" }
                (coverage(content)?)
                (figures::sql(COVERAGE, content.commands))
                @if content.coverage_of_pages.is_some() {
                    (figures::sql(COVERAGE_OF_PAGES, content.commands))
                }
            }
            @for section in sections { (self::section(section, content.commands)?) }
        }
        footer { (made_of(content)?) }
    };
    Ok(document(title, "", &body).into_string())
}

/// Returns a page with this title and body, and with what its style sheet has more than all pages.
pub fn document(title: &str, more_css: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="referrer" content="no-referrer";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(CSS)) (PreEscaped(more_css)) }
            }
            body { (body) }
        }
    }
}

/// Returns what the figures must not be read without.
fn warnings(content: &Content<'_>) -> Result<Vec<String>, NoChart> {
    let totals = content.totals;
    let notes = content.notes.iter().map(|note| words::sentence(note));
    let mut warnings: Vec<_> = notes.collect();
    if totals.of.hosts == 0 {
        let but = match content.coverage_of_pages {
            Some(_) => " but those of pages",
            None => "",
        };
        warnings.push(format!(
            "The dataset has no fetch of a robots.txt, so every figure on this page{but} is one of 0 hosts."
        ));
    } else if totals.of.hosts_read == 0 {
        warnings.push(format!(
            "No robots.txt was read: none of {} hosts answered with one, so figures on files are of 0 files.",
            words::count(totals.of.hosts)
        ));
    }
    // Of several crawls, figures are those of one.
    if let Some(row) = content.source
        && row.is_null("hosts_crawl")?
        && row.count("fetch_days")? > MOST_DAYS
    {
        let times = [row.text("first_fetch")?, row.text("last_fetch")?];
        let [first, last] = times.map(|time| time.get(..4).unwrap_or_default());
        warnings.push(format!(
            "The fetches span years, from {first} to {last}: figures of the whole dataset mix them, and such a share is that of no point in time."
        ));
    }
    Ok(warnings)
}

/// Returns the sentence that opens the page: one agent, by registered domain and by host.
fn headline(sections: &[DrawnSection<'_>]) -> Result<Option<String>, NoChart> {
    let rows = |id| {
        let section = sections.iter().find(|section| section.section.id == id);
        section.map_or(&[][..], |section| section.result.rows())
    };
    let Some(of_year) = rows(YEARS).first() else {
        return Ok(None);
    };
    let agent = of_year.text("agent")?;
    let of_agent = |row: &&ResultRow| row.text("agent").is_ok_and(|name| name == agent);
    let Some(row) = rows(HEADLINE).iter().find(of_agent) else {
        return Ok(None);
    };
    let [domains, of_domains, of_hosts] =
        row.counts(["domains_full", "domains_read", "hosts_read"])?;
    let hosts = captions::full(row)?;
    let bound = |column| -> Result<String, NoChart> {
        let bound = row.number(column)?.map(words::rounded_share);
        Ok(bound.unwrap_or_default())
    };
    let low = bound("share_of_domains_full_low")?;
    let high = bound("share_of_domains_full_high")?;
    let by_domain = words::share(domains, of_domains);
    let by_host = words::share(hosts, of_hosts);
    let [domains, of_domains] = [domains, of_domains].map(words::count);
    let [hosts, of_hosts] = [hosts, of_hosts].map(words::count);
    let agent = words::plain(agent);
    Ok(Some(format!(
        "{agent} is shut out by {domains} of {of_domains} registered domains: {by_domain} (95 % interval {low} to {high}). By host it is {hosts} of {of_hosts}: \
         {by_host}.",
    )))
}

/// Returns how to cite the page. It has no time at which the page was made: the same dataset gives
/// the same page.
fn citation(content: &Content<'_>) -> Result<String, NoChart> {
    let digest = content.description["options_digest"].as_str();
    let digest: String = digest.unwrap_or_default().chars().take(16).collect();
    let mut text = format!(
        "{}. robocensus {}, options {}",
        content.title,
        env!("CARGO_PKG_VERSION"),
        words::plain(&digest)
    );
    if let Some(row) = content.source {
        let archives = row.text("archives_digest")?;
        if !archives.is_empty() {
            text.push_str(&format!(", archives {}", words::plain(archives)));
        }
        if let Some(fetched) = source::fetched(row)? {
            text.push_str(&format!(", {fetched}"));
        }
    }
    text.push('.');
    Ok(text)
}

/// Returns what the dataset is: its archives, hosts and times.
fn origin(content: &Content<'_>) -> Result<String, NoChart> {
    let totals = content.totals;
    let mut text = String::new();
    if let Some(row) = content.source {
        text = source::archives(row)?;
        if let Some(choice) = super::choice(content.description) {
            text.push_str(&format!(", chosen by their names ({choice})"));
        }
        if !row.is_null("first_fetch")? {
            let (first, last) = (row.text("first_fetch")?, row.text("last_fetch")?);
            text.push_str(&format!(", fetched from {first} to {last} UTC"));
        }
    }
    let in_crawl = in_crawl(content)?;
    text.push_str(&format!(
        ", contain the answers of {} hosts under {} registered domains{in_crawl}. Shares are of these hosts, not of the web: this program did not choose them. \
         A robots.txt (text with a known field, or with no line but comments) was read from {}, redirects followed; {} answered with a page of HTML, which is none.",
        words::count(totals.of.hosts),
        words::count(totals.of.domains),
        words::hosts(totals.of.hosts_read, totals.of.hosts),
        words::hosts(totals.hosts_html, totals.of.hosts),
    ));
    Ok(text)
}

/// Returns the crawl whose hosts are counted, after a blank; empty where there is no other one.
fn in_crawl(content: &Content<'_>) -> Result<String, NoChart> {
    Ok(match content.source {
        Some(row) if !row.is_null("hosts_crawl")? => {
            format!(" in {}", row.plain("hosts_crawl")?)
        }
        _ => String::new(),
    })
}

fn coverage(content: &Content<'_>) -> Result<Markup, NoChart> {
    let in_crawl = in_crawl(content)?;
    let mut lines: Vec<(&str, Markup)> = Vec::new();
    let results = [Some(content.coverage), content.coverage_of_pages];
    for row in results.into_iter().flatten().flat_map(ResultSet::rows) {
        let (section, n) = (row.text("section")?, row.count("n")?);
        let figure = match row.text("unit")? {
            "bytes" => words::bytes(n),
            _ => words::count(n),
        };
        let mut share = String::new();
        if !row.is_null("whole")? {
            share = words::share(n, row.count("whole")?);
        }
        let line = html! {
            tr { td { (row.plain("item")?) } td.number { (figure) } td.number { (share) } }
        };
        lines.push((section, line));
    }
    Ok(html! {
        table.coverage {
            @for lines in lines.chunk_by(|(section, _), (next, _)| section == next) {
                @let section = lines[0].0;
                tbody {
                    tr { th scope="rowgroup" { (words::plain(section)) @if section.starts_with("Hosts") { (in_crawl) } } th.number { "n" } th.number { "share" } }
                    @for (_, line) in lines { (line) }
                }
            }
        }
    })
}

fn section(drawn: &DrawnSection<'_>, commands: &Commands) -> Result<Markup, NoChart> {
    let Section {
        id, heading, query, ..
    } = drawn.section;
    let id_of = |what: &str| format!("{id}-{what}");
    let mut codes = Vec::new();
    if *id == ERRORS {
        for row in drawn.result.rows() {
            codes.push(row.text("code")?);
        }
    }
    Ok(html! {
        section id=(id) {
            h2 id=(id_of("heading")) { (heading) }
            p.caption id=(id_of("caption")) { (drawn.caption) }
            p.denominator { (drawn.n) }
            @if let Some(drawing) = &drawn.drawing {
                figure tabindex="0" aria-labelledby=(id_of("heading")) aria-describedby=(id_of("caption")) { (PreEscaped(drawing)) }
            }
            @if !codes.is_empty() {
                dl.glossary {
                    @for code in codes {
                        dt { code { (words::plain(code)) } } dd { (captions::on_code(code)) }
                    }
                }
            }
            (figures::table(drawn.result))
            (figures::sql(*query, commands))
        }
    })
}

fn made_of(content: &Content<'_>) -> Result<Markup, NoChart> {
    let options = content.description["options"].as_object();
    let options = options.into_iter().flatten();
    let options = options.map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name}: {text}"),
        None => format!("{name}: {value}"),
    });
    let options: Vec<_> = options.collect();
    let (mut versions, mut run) = (String::new(), String::new());
    if let Some(row) = content.source {
        versions = row.plain("tool_versions")?;
        run = row.plain("run_id")?;
    }
    let dialects = words::plain(super::dialects(content.description));
    Ok(html! {
        h2 { "How this page was made" }
        dl {
            dt { "Dataset" } dd { "robocensus " (versions) ", run " code { (run) } }
            dt { "Options" } dd { (words::plain(&options.join("; "))) }
            dt { "To make it again" }
            dd {
                pre.scroll tabindex="0" { code { ((content.commands.remake)(&dialects, content.description)) } }
            }
        }
        @if let Some(window) = super::redirect_window(content.description) {
            p.small { "Redirects lead to captures of the same crawl or, where archives name none, within " (window) "." }
        }
        p.small { "Page of robocensus " (env!("CARGO_PKG_VERSION")) ". A verdict is what a file says, not what a crawler does." }
    })
}
