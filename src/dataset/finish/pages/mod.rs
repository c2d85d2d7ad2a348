//! The table `page_robots`, built from the pages and the robots.txt files of all parts: one file
//! for each crawl, in place of older ones.
//!
//! A page leads to the robots.txt of its origin as a redirect leads to its target: of several
//! captures the one nearest in time counts, within the window of the run, then the end of its
//! redirects under the reference dialect (see [`redirect`](crate::dataset::redirect)). The rules are those
//! of the stored body, which decides for each agent of the matrix about the URL of the page.
//!
//! # Memory
//!
//! Pages are resolved in batches of at most [`MAX_PAGES`] pages of a crawl and
//! [`MAX_TEXT`](held::MAX_TEXT) bytes of their URLs: some 400 bytes for each page and 88 for each
//! redirect of the crawl. For each batch the captures of the crawl are read twice, a few columns of
//! them, and those bodies that decide about it, a few at a time.

mod decider;
mod held;

use std::{ops::Range, path::Path, sync::Arc};

use arrow_array::{BooleanArray, Int32Array, Int64Array, StringArray, TimestampMicrosecondArray};

pub(super) use self::held::MAX_PAGES;
use self::{
    decider::Decider,
    held::{HeldPage, HeldPages},
};
use super::redirects::{
    CaptureRow, CaptureRows, SPLIT_ROWS, access_of, find_chains, metadata, parts, resolve_followed,
    seconds_apart, split,
};
use crate::{
    archive::error::Error,
    dataset::{
        bodies::BodyFiles,
        config::Config,
        finish::whole_writer::WholeWriter,
        progress::Progress,
        redirect::{Candidate, CandidateKind, Chains, Outcome},
        sink::{Dataset, Format, Names, PublishedFile, read_columns, stored_columns},
        summary::PageRobotsCounts,
        table::{
            CaptureKey, bodies,
            captures::{self, access_named},
            page_robots::{self, PageRobots, PageRobotsBuilder},
        },
        table_rows::{BATCH_ROWS, TableRows},
    },
    robots::{
        dialect::{Access, Basis, Decision, Dialect, Verdict},
        matrix::MatrixAgent,
    },
};

/// Builds the table of an open dataset with these options from these files of the table `pages`, at
/// most `max_pages` pages at a time.
pub(super) fn resolve(
    (dataset, config): (&Dataset, &Config),
    files: &[PublishedFile],
    max_pages: usize,
    progress: &Progress,
) -> Result<PageRobotsCounts, Error> {
    let dialect = &config.dialects[0];
    let agents = &config.matrix.agents;
    let parts = parts(files);
    let format = Arc::new(Format::new(&page_robots::TABLE, &metadata(dataset, files))?);
    let of_these_parts = |table: &str| -> Result<Vec<PublishedFile>, Error> {
        let mut published = dataset.published(table)?;
        published.retain(|file| parts.binary_search(&file.part.as_str()).is_ok());
        Ok(published)
    };
    let captures = of_these_parts(captures::TABLE.name)?;
    let paths = |files: std::slice::Iter<'_, PublishedFile>| -> Vec<_> {
        files.map(|file| file.path.clone()).collect()
    };
    let bodies = BodyFiles {
        captures: paths(captures.iter()),
        bodies: paths(of_these_parts(bodies::TABLE.name)?.iter()),
    };
    let mut resolver = Resolver {
        root: dataset.root(),
        progress,
        bodies: &bodies,
        table: TableRows::new(
            PageRobotsBuilder::new(agents.iter().map(MatrixAgent::name)),
            BATCH_ROWS,
            Some(format.clone()),
        ),
        decider: Decider::new(dialect.clone(), agents.clone()),
        dialect,
        writer: WholeWriter::new(dataset, page_robots::TABLE.name),
        counts: PageRobotsCounts::default(),
    };
    let mut held = HeldPages::default();
    for same_crawl in files.chunk_by(|a, b| a.crawl == b.crawl) {
        let crawl = &same_crawl[0].crawl;
        let captures = captures.iter().filter(|file| file.crawl == *crawl);
        let captures: Vec<_> = captures.cloned().collect();
        let captures = CaptureRows {
            splits: &split(&captures, SPLIT_ROWS, progress)?,
            progress,
        };
        let window = crawl.is_none().then(|| config.redirect_window_micros());
        resolver.writer.begin(&format)?;
        for file in same_crawl {
            read_columns(&file.path, &PageColumns::NAMES, |batch| {
                let pages = PageColumns::from_batch(&file.path, batch)?;
                for row in (0..batch.num_rows()).filter(|&row| pages.has_policy.value(row)) {
                    held.push(&pages, row);
                    if held.is_full(max_pages) {
                        resolver.resolve(&mut held, captures, window)?;
                    }
                }
                Ok(())
            })?;
        }
        resolver.resolve(&mut held, captures, window)?;
        let row_groups = resolver.table.finish()?;
        resolver.writer.append(row_groups)?;
        resolver.writer.end(crawl.as_deref())?;
    }
    Ok(PageRobotsCounts {
        bytes: resolver.writer.publish(&parts)?,
        ..resolver.counts
    })
}

stored_columns! {
    /// The columns of a page.
    struct PageColumns<'b> {
        page_id: &'b Int64Array,
        url: &'b StringArray,
        url_protocol: Names<'b>,
        url_host_name: &'b StringArray,
        url_port: &'b Int32Array,
        fetch_time: &'b TimestampMicrosecondArray,
        has_policy: &'b BooleanArray,
    }
}

/// Resolves batches of pages and writes their rows.
struct Resolver<'d> {
    root: &'d Path,
    progress: &'d Progress,
    /// The bodies of the captures.
    bodies: &'d BodyFiles,
    dialect: &'d Dialect,
    decider: Decider,
    table: TableRows<PageRobotsBuilder>,
    writer: WholeWriter<'d>,
    counts: PageRobotsCounts,
}

/// A page that the body of a capture decides about.
struct Undecided {
    effective_capture_id: i64,
    /// The page, by its number among those held.
    page: usize,
    robots: PageRobots,
}

impl Resolver<'_> {
    /// Resolves the pages that are held by the captures of their crawl, within a window if it has
    /// one, and holds none in the end.
    fn resolve(
        &mut self,
        held: &mut HeldPages,
        captures: CaptureRows<'_>,
        window: Option<u64>,
    ) -> Result<(), Error> {
        if held.pages.is_empty() {
            return Ok(());
        }
        let access = |capture: &CaptureRow<'_>| {
            let access = access_named(capture.access);
            access.map_or(u32::MAX, |access| access as u32)
        };
        let as_redirects = held.pages.iter().map(|page| page.redirect);
        let (chains, redirects) = find_chains(captures, window, as_redirects, access)?;
        let mut undecided = Vec::new();
        for (number, page) in held.pages.iter().enumerate() {
            self.counts.pages += 1;
            let index = u32::try_from(redirects.len() + number);
            let index = index.expect("chains have 32-bit numbers");
            let Some(asked) = chains.target(index) else {
                continue;
            };
            self.counts.pages_with_robots += 1;
            let (access, effective_capture_id) = self.end(&chains, &asked);
            let robots = PageRobots {
                robots_capture_id: asked.capture_id,
                effective_capture_id,
                seconds_apart: seconds_apart(page.redirect.time, asked.time),
            };
            match (access, effective_capture_id) {
                (Access::Conditional, Some(effective_capture_id)) => undecided.push(Undecided {
                    effective_capture_id,
                    page: number,
                    robots,
                }),
                _ => {
                    // Redirects may have no end in the dataset.
                    let open = Decision::without_rule(Verdict::Undefined, Basis::Access, None);
                    let decision = access.decision().unwrap_or(open);
                    self.append(page, 0..self.decider.n_agents, &robots, decision)?;
                }
            }
        }
        drop(chains);
        undecided
            .sort_unstable_by_key(|undecided| (undecided.effective_capture_id, undecided.page));
        self.decide(held, &undecided)?;
        held.clear();
        Ok(())
    }

    /// Returns what the end of a robots.txt means, and the capture whose file counts.
    fn end(&self, chains: &Chains, asked: &Candidate) -> (Access, Option<i64>) {
        let of_capture = |capture: &Candidate| match capture.kind() {
            CandidateKind::Other(access) => Access::ALL.get(access as usize).copied(),
            CandidateKind::Redirect(_) => None,
        };
        let CandidateKind::Redirect(index) = asked.kind() else {
            let access = of_capture(asked).unwrap_or(Access::Undefined);
            return (access, Some(asked.capture_id));
        };
        let resolution = resolve_followed(self.dialect, chains, index);
        let end = match resolution.outcome {
            Outcome::NotFollowed => Some(asked.capture_id),
            _ => resolution.end.map(|end| end.capture_id),
        };
        let access = access_of(self.dialect, resolution.outcome);
        let access = access.or_else(|| resolution.end.as_ref().and_then(of_capture));
        (access.unwrap_or(Access::Undefined), end)
    }

    /// Decides about pages, which are sorted by the capture that decides.
    fn decide(&mut self, held: &HeldPages, undecided: &[Undecided]) -> Result<(), Error> {
        let ids = undecided.iter().map(|page| page.effective_capture_id);
        let missing = self.bodies.each(ids.collect(), |ids, body| {
            self.decider.read(body);
            for &id in ids {
                let start = undecided.partition_point(|page| page.effective_capture_id < id);
                let of_capture = undecided[start..].iter();
                for undecided in of_capture.take_while(|page| page.effective_capture_id == id) {
                    self.progress.check()?;
                    let page = &held.pages[undecided.page];
                    self.decider.decide(&page.url);
                    let mut agent = 0;
                    while agent < self.decider.n_agents {
                        let (agents, decision) = self.decider.decision_of(agent);
                        agent = agents.end;
                        self.append(page, agents, &undecided.robots, decision)?;
                    }
                }
            }
            Ok(())
        })?;
        match missing.first() {
            None => Ok(()),
            Some(id) => {
                let message = format!("expected the body of the capture {id}, but found none");
                Err(Error::corrupt(self.root.join(bodies::TABLE.name), message))
            }
        }
    }

    /// Appends the rows of a page for agents with the same decision.
    fn append(
        &mut self,
        page: &HeldPage,
        agents: Range<usize>,
        robots: &PageRobots,
        decision: Decision,
    ) -> Result<(), Error> {
        let verdicts = &mut self.counts.verdicts;
        *verdicts.entry(decision.verdict.as_str()).or_default() += agents.len() as u64;
        let key = CaptureKey {
            id: page.id,
            host: &page.host,
        };
        self.table.rows.append(key, agents, robots, decision);
        self.writer.append(self.table.complete_row_groups()?)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs};

    use super::*;
    use crate::{
        Config,
        archive::input,
        dataset::{
            sink::{Names, StoredColumn},
            table::pages,
        },
    };

    fn record(url: &str, body: &str) -> String {
        let http = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    }

    stored_columns! {
        struct VerdictColumns<'b> {
            page_id: &'b Int64Array,
            agent: Names<'b>,
            robots_verdict: Names<'b>,
            robots_line: &'b Int32Array,
        }
    }

    /// Returns the verdict of each page and agent.
    fn verdicts(dataset: &Dataset) -> BTreeMap<(i64, String), (String, Option<i32>)> {
        let mut verdicts = BTreeMap::new();
        let table = crate::dataset::sink::WholeTable::read(dataset.root(), page_robots::TABLE.name);
        let table = table.unwrap().unwrap();
        for file in &table.files {
            let path = dataset.root().join(&file.path);
            read_columns(&path, &VerdictColumns::NAMES, |batch| {
                let rows = VerdictColumns::from_batch(&path, batch)?;
                for row in 0..batch.num_rows() {
                    let name = |names: Names<'_>| names.get(row).unwrap().to_owned();
                    let key = (rows.page_id.value(row), name(rows.agent));
                    let verdict = (name(rows.robots_verdict), rows.robots_line.get(row));
                    let before = verdicts.insert(key, verdict);
                    assert_eq!(before, None, "a page has one row for each agent");
                }
                Ok(())
            })
            .unwrap();
        }
        verdicts
    }

    #[test]
    fn batches_of_any_size_give_the_same_verdicts() {
        let dir = tempfile::tempdir().unwrap();
        let mut archive = String::new();
        for host in 0..5 {
            let origin = format!("http://h{host}.example");
            let rules = format!("User-agent: *\nDisallow: /{host}\n");
            archive += &record(&format!("{origin}/robots.txt"), &rules);
            for page in 0..5 {
                let html = "<!doctype html><meta name=robots content=noindex>";
                archive += &record(&format!("{origin}/{page}"), html);
            }
        }
        let path = dir.path().join("a.warc");
        fs::write(&path, archive).unwrap();
        let archives = input::expand(&[path.to_str().unwrap()]).unwrap();
        let config = Config {
            pages: true,
            ..Config::new(dir.path().join("census"))
        };
        let progress = Progress::default();
        crate::run(&config, &archives, &progress).unwrap();
        let dataset = Dataset::existing(&config.out).unwrap();
        let whole = verdicts(&dataset);
        let n_agents = config.matrix.agents.len();
        let disallowed = whole.values().filter(|(verdict, _)| verdict == "disallow");
        assert_eq!(
            (whole.len(), disallowed.count()),
            (25 * n_agents, 5 * n_agents)
        );
        let files = dataset.published(pages::TABLE.name).unwrap();
        for max_pages in [1, 2, 7, 24] {
            let counts = resolve((&dataset, &config), &files, max_pages, &progress).unwrap();
            assert_eq!((counts.pages, counts.pages_with_robots), (25, 25));
            assert_eq!(verdicts(&dataset), whole, "{max_pages}");
        }
    }
}
