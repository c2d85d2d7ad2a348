//! What the robots.txt files in force at the times of pages say about them.
//!
//! Pages come in any number and order, about any URL: the history of each origin tells which fetch
//! was in force (`lookup`), and the table `bodies` has the file, which decides as in a
//! run. A verdict that is not known is never one that allows.
//!
//! # Memory
//!
//! Pages are answered in batches of at most [`MAX_PAGES`] pages, [`MAX_TEXT`] bytes of URLs and
//! [`MAX_ORIGINS`] origins: some 140 bytes for each page besides its URL, and 80 for each fetch of
//! those origins. For each batch some columns of the captures are read, and those bodies that
//! decide, one of which is parsed at a time. So pages whose hosts are in order are answered
//! fastest.

mod output;
mod pages;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    time::Duration,
};

use self::pages::Page;
pub use self::{output::AsOfOutput, pages::PageSource};
use super::{
    lookup::{CaptureStore, HistoricFetch, History},
    progress::Progress,
    table::asof::{Answer, AsOfRow, Reason},
};
use crate::{
    archive::error::Error,
    robots::{
        agents::read_agent,
        dialect::{Access, Agent, Dialect, PreparedPath, RuleSet, Selection},
        lines::{RobotsTxt, parse},
    },
    url::Location,
};

/// Pages in a batch.
const MAX_PAGES: usize = 1 << 20;
/// Bytes of the URLs of a batch at which it ends.
const MAX_TEXT: usize = 128 * 1024 * 1024;
/// Origins of a batch at which it ends.
const MAX_ORIGINS: usize = 1 << 17;

/// What is asked about all pages.
#[derive(Clone, Debug)]
pub struct AsOf {
    /// The dialect that decides.
    pub dialect: Dialect,
    /// How long a fetch is in force.
    pub within: Duration,
    /// The crawler of pages that name none.
    pub agent: Option<String>,
}

/// How many pages there were, and what became of them, by the names in the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsOfCounts {
    /// All pages.
    pub pages: u64,
    /// Those with a verdict, by it.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Those without, by the reason.
    pub unknown: BTreeMap<&'static str, u64>,
}

/// Answers about all pages of a file, whose `name` errors have, in its order.
///
/// # Errors
///
/// A dataset without bodies or redirects, files that cannot be read, an output that cannot be
/// written, and [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
pub fn answer(
    root: &Path,
    asked: &AsOf,
    (source, name): (PageSource<'_>, &Path),
    output: &mut AsOfOutput<'_>,
    progress: &Progress,
) -> Result<AsOfCounts, Error> {
    let store = CaptureStore::open(root)?;
    store.require_history()?;
    let mut answerer = Answerer {
        store: &store,
        asked,
        within: u64::try_from(asked.within.as_micros()).unwrap_or(u64::MAX),
        agents: Agents::default(),
        location: Location::new(),
        batch: Batch::default(),
        output,
        counts: AsOfCounts::default(),
        progress,
    };
    source.read(name, asked.agent.is_none(), |page| {
        answerer.push(page);
        if answerer.batch.is_full() {
            answerer.finish_batch()?;
        }
        Ok(())
    })?;
    answerer.finish_batch()?;
    Ok(answerer.counts)
}

struct Answerer<'a, 'o> {
    store: &'a CaptureStore,
    asked: &'a AsOf,
    /// Microseconds.
    within: u64,
    agents: Agents,
    location: Location,
    batch: Batch,
    output: &'a mut AsOfOutput<'o>,
    counts: AsOfCounts,
    progress: &'a Progress,
}

/// The pages that are held.
#[derive(Default)]
struct Batch {
    pages: Vec<HeldPage>,
    /// The URLs, end to end.
    text: String,
    origins: HashMap<String, u32>,
    hosts: HashSet<String>,
}

struct HeldPage {
    url_end: usize,
    time: Option<i64>,
    agent: Option<u32>,
    /// `None` of what is no URL.
    origin: Option<u32>,
    answer: Answer,
}

impl Batch {
    fn is_full(&self) -> bool {
        self.pages.len() >= MAX_PAGES
            || self.text.len() >= MAX_TEXT
            || self.origins.len() >= MAX_ORIGINS
    }

    fn url(&self, page: usize) -> &str {
        let before = page.checked_sub(1).map(|before| self.pages[before].url_end);
        &self.text[before.unwrap_or(0)..self.pages[page].url_end]
    }

    /// Returns the number of the origin of a location.
    fn origin(&mut self, location: &Location) -> u32 {
        if let Some(&number) = self.origins.get(location.origin()) {
            return number;
        }
        let number = self.origins.len() as u32;
        self.origins.insert(location.origin().to_owned(), number);
        self.hosts.insert(location.host_name().to_owned());
        number
    }
}

/// The distinct crawlers of all pages, as they are written.
#[derive(Default)]
struct Agents {
    numbers: HashMap<String, u32>,
    agents: Vec<(String, Option<Agent>)>,
}

impl Agents {
    fn number(&mut self, dialect: &Dialect, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.agents.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        let named = read_agent(text).ok();
        let agent = named.map(|named| Agent::new(dialect, &named.chain));
        self.agents.push((text.to_owned(), agent));
        number
    }

    /// Returns the crawler of a page; its tokens are `None` if it has none.
    fn of(&self, page: &HeldPage) -> Option<&(String, Option<Agent>)> {
        page.agent.map(|number| &self.agents[number as usize])
    }
}

impl Answerer<'_, '_> {
    fn push(&mut self, page: Page<'_>) {
        let is_url = self.location.parse(page.url).is_ok();
        let origin = is_url.then(|| self.batch.origin(&self.location));
        let agent = page.agent.map(String::from_utf8_lossy);
        let agent = agent.as_deref().or(self.asked.agent.as_deref());
        let agent = agent.map(|agent| self.agents.number(&self.asked.dialect, agent));
        let batch = &mut self.batch;
        batch.text.push_str(&String::from_utf8_lossy(page.url));
        batch.pages.push(HeldPage {
            url_end: batch.text.len(),
            time: page.time,
            agent,
            origin,
            answer: Answer::unknown(Reason::NotAUrl),
        });
    }

    /// Answers about the pages that are held, writes the answers, and holds none in the end.
    fn finish_batch(&mut self) -> Result<(), Error> {
        self.progress.check()?;
        let mut batch = std::mem::take(&mut self.batch);
        let hosts = std::mem::take(&mut batch.hosts);
        let dialect = &self.asked.dialect;
        let histories = self.store.histories(hosts, &batch.origins, dialect)?;
        let mut undecided = Vec::new();
        for (index, page) in batch.pages.iter_mut().enumerate() {
            let is_conditional;
            (page.answer, is_conditional) = self.before_lines(page, &histories);
            let effective_id = page.answer.effective_capture_id;
            undecided.extend(
                effective_id
                    .filter(|_| is_conditional)
                    .map(|id| (id, index)),
            );
        }
        undecided.sort_unstable();
        self.decide(&mut batch, &undecided)?;
        for (index, page) in batch.pages.iter().enumerate() {
            let answer = &page.answer;
            let row = AsOfRow {
                url: batch.url(index),
                time: page.time,
                agent: self.agents.of(page).map(|(text, _)| text.as_str()),
                answer,
            };
            self.output.append(&dialect.name, &row)?;
            self.counts.pages += 1;
            let counted = match answer.verdict {
                Some(verdict) => self.counts.verdicts.entry(verdict.as_str()),
                None => self.counts.unknown.entry(answer.reason.as_str()),
            };
            *counted.or_default() += 1;
        }
        Ok(())
    }

    /// Returns what is known of a page before a line is read, and whether lines decide.
    fn before_lines(&self, page: &HeldPage, histories: &[History]) -> (Answer, bool) {
        let unknown = |reason| (Answer::unknown(reason), false);
        let Some(origin) = page.origin else {
            return unknown(Reason::NotAUrl);
        };
        let Some(time) = page.time else {
            return unknown(Reason::NotATime);
        };
        let Some((_, Some(_))) = self.agents.of(page) else {
            return unknown(Reason::NoAgent);
        };
        let of_fetch = |reason, fetch: &HistoricFetch| Answer {
            capture_id: Some(fetch.capture_id),
            fetch_time: Some(fetch.time),
            ..Answer::unknown(reason)
        };
        match histories[origin as usize].at(time, self.within) {
            Err((reason, fetch)) => {
                let answer = fetch.map(|fetch| of_fetch(reason, fetch));
                (answer.unwrap_or(Answer::unknown(reason)), false)
            }
            Ok((fetch, from)) => {
                let access = self.asked.dialect.access.decide(from.outcome);
                let mut answer = of_fetch(Reason::BodyNotStored, fetch);
                answer.effective_capture_id = Some(from.end_id);
                if let Some(decision) = access.decision() {
                    answer.decide(decision);
                }
                (answer, access == Access::Conditional)
            }
        }
    }

    /// Decides by the lines of files about pages, which are sorted by the capture of the file.
    fn decide(&self, batch: &mut Batch, undecided: &[(i64, usize)]) -> Result<(), Error> {
        let dialect = &self.asked.dialect;
        let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
        let mut path = PreparedPath::from_url(dialect, b"/");
        let mut selection = (None, Selection::new());
        let ids = undecided.iter().map(|&(id, _)| id).collect();
        // The answers of captures without a body say so from the beginning.
        self.store.bodies().each(ids, |ids, body| {
            self.progress.check()?;
            parse(body, &mut robots);
            rules.compile(dialect, body, &robots);
            selection.0 = None;
            let of_file = ids.iter().flat_map(|&id| {
                let start = undecided.partition_point(|&(other, _)| other < id);
                let from = undecided[start..].iter();
                from.take_while(move |&&(other, _)| other == id)
            });
            for &(_, page) in of_file {
                let agent = self.agents.of(&batch.pages[page]);
                if let Some((_, Some(agent))) = agent
                    && selection.0 != batch.pages[page].agent
                {
                    rules.select(agent, &mut selection.1);
                    selection.0 = batch.pages[page].agent;
                }
                path.set_url(dialect, batch.url(page).as_bytes());
                let decision = rules.decide(&selection.1, &path);
                batch.pages[page].answer.decide(decision);
            }
            Ok(())
        })?;
        Ok(())
    }
}
