//! Charts of pages, for datasets that have them: what pages state, whom robots.txt and pages treat
//! differently, and links that are not to be followed.

use super::{Chart, DatasetTotals};
use crate::report::{
    bars::{self, Bar, BarGroup},
    result::{MissingColumn, ResultRow, ResultSet},
    style::Color,
    words,
};

/// Rows of a ranking that are drawn.
const TOP: usize = 15;

/// Returns the directives of pages, by where they are. Marks of single links, which say nothing
/// about their page, are left to [`links`].
pub fn directives(result: &ResultSet, _: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut rows = Vec::new();
    for row in result.rows() {
        if row.text("source")? != "link" || row.text("directive")? == "license" {
            rows.push(row);
        }
    }
    let mut groups = Vec::new();
    for row in rows.iter().take(TOP) {
        let whose = match row.is_true("for_all")? {
            true => "",
            false => ", for one crawler",
        };
        let color = match row.is_true("parse_ok")? {
            true => Color::Strong,
            false => Color::MiddleHatched,
        };
        let bar = Bar::new(row.count("pages")?, row.count("of_pages")?, color);
        let label = format!("{} ({}{whose})", row.text("directive")?, whereabouts(row)?);
        groups.push(BarGroup::new(label, [bar]));
    }
    let Some(first) = rows.first() else {
        let of_pages = result.rows().first().map(|row| row.count("of_pages"));
        return Ok(Chart {
            denominator: format!(
                "n = {} pages",
                words::count(of_pages.transpose()?.unwrap_or(0))
            ),
            ..Chart::default()
        });
    };
    Ok(Chart {
        caption: format!(
            "The most frequent is {} ({}), on {} of the pages. Marks of single links are counted below, in a chart of links.",
            words::plain(first.text("directive")?),
            words::plain(&whereabouts(first)?),
            words::share(first.count("pages")?, first.count("of_pages")?)
        ),
        denominator: format!("n = {} pages", words::count(first.count("of_pages")?)),
        n_hosts: first.count("hosts")?,
        drawing: bars::draw(
            &[
                (Color::Strong, "it has the form that its directive needs"),
                (Color::MiddleHatched, "it states nothing"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns what has a statement, and where in the page that is.
fn whereabouts(row: &ResultRow) -> Result<String, MissingColumn> {
    let (source, place) = (row.text("source")?, row.text("place")?);
    Ok(match source == place {
        true => source.to_owned(),
        false => format!("{source}, {place}"),
    })
}

/// Returns for each agent how many pages are closed to it by robots.txt, by themselves, or both.
pub fn robots_and_pages(
    result: &ResultSet,
    totals: &DatasetTotals,
) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    for row in result.rows() {
        let (whole, by_page) = (row.count("pages")?, row.count("shut_out_by_page")?);
        let segments = [
            (Color::Strong, by_page),
            (Color::StrongHatched, row.count("shut_out_by_both")?),
            (Color::Middle, row.count("shut_out_by_robots")?),
        ];
        let bar = Bar::stacked(by_page, whole, &segments);
        groups.push(BarGroup::new(totals.agent(row.text("agent")?), [bar]));
    }
    let Some(first) = result.rows().first() else {
        return Ok(Chart {
            denominator: "n = 0 pages".to_owned(),
            ..Chart::default()
        });
    };
    let (whole, hosts) = (first.count("pages")?, first.count("hosts")?);
    Ok(Chart {
        caption: format!(
            "{} may fetch and must not index {} of the pages (the figures of the bars). What a page states is never read by an agent that robots.txt \
             shuts out.",
            words::plain(first.text("agent")?),
            words::share(first.count("shut_out_by_page")?, whole)
        ),
        denominator: format!(
            "n = {} pages of {} hosts, with a statement on the page as a whole and a robots.txt of their origin in the dataset",
            words::count(whole),
            words::count(hosts)
        ),
        n_hosts: hosts,
        drawing: bars::draw(
            &[
                (Color::Strong, "shut out by the page alone"),
                (Color::StrongHatched, "by both: the page is not read"),
                (Color::Middle, "by robots.txt alone"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns the share of links with nofollow, in all and by top-level domain.
pub fn links(result: &ResultSet, _: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let mut all = (0, 0, 0);
    for row in result.rows().iter().take(TOP + 1) {
        let (links, nofollow) = (row.count("links")?, row.count("nofollow_links")?);
        let is_total = row.is_true("is_total")?;
        if is_total {
            all = (links, nofollow, row.count("hosts")?);
        }
        let label = match (is_total, row.text("url_host_tld")?) {
            (true, _) => "all",
            (false, "") => "addresses",
            (false, name) => name,
        };
        let bars = [
            Bar::new(nofollow, links, Color::Strong),
            Bar::new(row.count("ugc_links")?, links, Color::Middle),
            Bar::new(row.count("sponsored_links")?, links, Color::Faint),
        ];
        groups.push(BarGroup::new(label, bars));
    }
    let (links, nofollow, hosts) = all;
    Ok(Chart {
        caption: format!(
            "{} of the links have nofollow.",
            words::share(nofollow, links)
        ),
        denominator: format!(
            "n = {} links of {} hosts",
            words::count(links),
            words::count(hosts)
        ),
        n_hosts: hosts,
        drawing: bars::draw(
            &[
                (Color::Strong, "nofollow"),
                (Color::Middle, "ugc"),
                (Color::Faint, "sponsored"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}
