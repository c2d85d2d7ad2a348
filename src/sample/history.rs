//! Crawls of the same hosts over time, in which everything that happens has a known date.
//!
//! What a host does is decided first, in continuous time and without regard to the crawls, which
//! then see of it what they ask for: some hosts are not asked, some do not answer, and what begins
//! and ends between two fetches is seen by none. An agent that is shut out and let in again is
//! never shut out a second time, so that the days for which it is shut out follow the exponential
//! law with the mean [`History::closed_days`], whatever else happens.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::sample::{
    Options,
    body::{AGENTS, BodyWriter},
    crawl::Crawl,
    message::timestamp,
    random::Random,
    site::Site,
    visit::{Chain, Visit},
};

/// Hosts over time and the crawls that ask them. As JSON it is the truth about the archives.
#[derive(Debug, Serialize)]
pub struct History {
    /// The seed from which it was made.
    seed: u64,
    /// The mean of the days for which a host shuts out an agent.
    pub closed_days: f64,
    /// The agents that hosts name.
    agents: &'static [&'static str],
    /// The crawls, by time.
    pub crawls: Vec<CrawlOfHistory>,
    /// All hosts that exist at some time.
    pub hosts: Vec<HostHistory>,
}

/// One crawl.
#[derive(Debug, Serialize)]
pub struct CrawlOfHistory {
    /// Its name, such as `CC-MAIN-2023-06`.
    crawl: String,
    /// The path of its archive below the folder of the history.
    pub archive: String,
    /// When it begins, in seconds since the epoch.
    #[serde(rename = "begin", serialize_with = "serialize_time")]
    second: u64,
}

/// One host.
#[derive(Debug, Serialize)]
pub struct HostHistory {
    /// Its name; no two hosts have the same registered domain.
    host: String,
    /// Whether http is asked too, which redirects to https.
    has_http: bool,
    /// Whether it is of the platform whose hosts all shut out two agents at one time.
    is_of_platform: bool,
    /// What happens, by time.
    pub events: Vec<Event>,
    /// What it answers in each crawl; `None` where it is not asked.
    pub answers: Vec<Option<Answer>>,
}

/// Something that happens on a host.
#[derive(Debug, Serialize)]
pub struct Event {
    /// The second at which it happens.
    #[serde(serialize_with = "serialize_time")]
    time: u64,
    /// The agent to which it happens, if it happens to one.
    pub agent: Option<&'static str>,
    /// `named`, `unnamed`, `closed`, `partly_closed` or `opened` of an agent, as in the view
    /// `agent_events`; of a host `born`, `died`, `switched` (with its platform), `removed` and
    /// `restored` (the file), `edited` (another meaning), `reworded` (the same meaning).
    pub event: &'static str,
}

/// What a host answers when it is asked.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The second at which it is asked.
    #[serde(serialize_with = "serialize_time")]
    pub time: u64,
    /// 200, 404 (it has no file), 429 or 503 (nothing is known).
    pub status: u16,
    /// What its file says, if the status is 200.
    #[serde(flatten)]
    pub state: State,
}

/// What the file of a host says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// Whether there is a file.
    has_file: bool,
    /// For each agent of the history how much its group shuts out (none, partial, full), `None`
    /// without a group.
    pub restrictions: [Option<&'static str>; N_AGENTS],
    /// What else changes the meaning of the file.
    revision: u32,
    /// What changes only its bytes.
    wording: u32,
    /// The agents that were let in again.
    #[serde(skip)]
    is_over: [bool; N_AGENTS],
}

/// How many of [`AGENTS`] a history has.
const N_AGENTS: usize = 3;

const DAY: u64 = 86_400;
/// 2023-02-06, a Monday.
const BEGIN: u64 = 1_675_641_600;
const DAYS_BETWEEN_CRAWLS: u64 = 63;
const DAYS_OF_CRAWL: u64 = 10;
/// The mean of the days between two moments at which something may happen on a host.
const CHANCE_DAYS: f64 = 60.0;
/// Of a hundred such moments: those at which an agent, each the same, would be named, or would be
/// treated otherwise; and those at which the file would be removed or restored.
const NAMINGS: usize = 30;
const TURNS: usize = 30;
const REMOVALS: usize = 3;

/// The mean of the days for which an agent is shut out: until its group is changed or the file is
/// removed.
const CLOSED_DAYS: f64 = CHANCE_DAYS * 100.0 / (TURNS as f64 / N_AGENTS as f64 + REMOVALS as f64);

/// The stream of random numbers of a host over time; no status code has this number.
const HISTORY_STREAM: u64 = 1_001;

impl History {
    /// Decides what happens to so many hosts, and what so many crawls see of it.
    pub fn new(crawls: usize, hosts: u64, seed: u64) -> History {
        let crawls: Vec<_> = (0..crawls as u64).map(CrawlOfHistory::new).collect();
        let hosts = (0..hosts).map(|number| HostHistory::new(&site(seed, number), &crawls));
        History {
            seed,
            closed_days: CLOSED_DAYS,
            agents: &AGENTS[..N_AGENTS],
            hosts: hosts.collect(),
            crawls,
        }
    }

    /// Writes the archive of a crawl, and returns the number of its captures.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_crawl(&self, nth: usize, out: &mut impl Write) -> io::Result<u64> {
        let CrawlOfHistory { crawl, second, .. } = &self.crawls[nth];
        let options = Options {
            captures: 0,
            seed: Random::of_stream(self.seed, nth as u64).bits(),
        };
        let mut crawl = Crawl::new(&options, crawl, *second, out)?;
        let hosts = (0..).zip(&self.hosts);
        let mut asked: Vec<_> = hosts
            .filter_map(|(number, host)| Some((host.answers[nth].as_ref()?, number, host)))
            .collect();
        asked.sort_by_key(|(answer, number, _)| (answer.time, *number));
        for (answer, number, host) in asked {
            let site = site(self.seed, number);
            let visit = Visit {
                chain: if host.has_http {
                    Chain::Upgrade
                } else {
                    Chain::Direct
                },
                is_https: true,
                has_www: false,
                status: answer.status,
            };
            for hop in visit.hops(site.address) {
                crawl.fetch(&site, &hop, answer.time, |body| {
                    answer.state.write(host.is_of_platform, body);
                })?;
            }
        }
        Ok(crawl.finish()?.captures)
    }

    /// Returns the truth about the archives as JSON, with a final LF.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers have a JSON form") + "\n"
    }
}

impl CrawlOfHistory {
    fn new(nth: u64) -> CrawlOfHistory {
        let second = BEGIN + nth * DAYS_BETWEEN_CRAWLS * DAY;
        let crawl = timestamp(second).strftime("CC-MAIN-%G-%V").to_string();
        CrawlOfHistory {
            archive: format!("crawl-data/{crawl}/segments/{second}.0/robotstxt/{crawl}.warc.gz"),
            crawl,
            second,
        }
    }
}

impl HostHistory {
    fn new(site: &Site, crawls: &[CrawlOfHistory]) -> HostHistory {
        let mut random = Random::of_stream(site.file_seed, HISTORY_STREAM);
        let end = crawls.last().map_or(BEGIN, |last| last.second) + DAYS_OF_CRAWL * DAY;
        let mut host = HostHistory {
            host: site.host.clone(),
            has_http: random.per_mille(200),
            is_of_platform: random.per_mille(200),
            events: Vec::new(),
            answers: Vec::new(),
        };
        let [born, died] = [150, 100].map(|per_mille| {
            let second = BEGIN + random.below((end - BEGIN) as usize) as u64;
            random.per_mille(per_mille).then_some(second)
        });
        let (born, died) = match (born, died) {
            (Some(born), Some(died)) if died < born => (Some(died), Some(born)),
            both => both,
        };
        let exists = |second| {
            born.is_none_or(|born| born <= second) && died.is_none_or(|died| second < died)
        };
        for (time, event) in [(born, "born"), (died, "died")] {
            let event = time.map(|time| Event {
                time,
                agent: None,
                event,
            });
            host.events.extend(event);
        }
        let states = host.live(end, &mut random);
        host.events
            .retain(|event| exists(event.time) || event.event == "died");
        host.events.sort_by_key(|event| event.time);
        let answers = crawls.iter().map(|crawl| {
            let time = crawl.second + random.below((DAYS_OF_CRAWL * DAY) as usize) as u64;
            let (_, state) = states[states.partition_point(|(since, _)| *since <= time) - 1];
            let status = match random.below(1000) {
                0..100 => return None,
                100..140 => 503,
                140..155 => 429,
                _ if state.has_file => 200,
                _ => 404,
            };
            exists(time).then_some(Answer {
                time,
                status,
                state,
            })
        });
        host.answers = answers.collect();
        host
    }

    /// Notes what happens until `end`, and returns what the file says since when.
    fn live(&mut self, end: u64, random: &mut Random) -> Vec<(u64, State)> {
        let switch = BEGIN + (end - BEGIN) / 2;
        let mut states = vec![(0, State::first(random))];
        let mut now = BEGIN;
        loop {
            let before = states[states.len() - 1].1;
            let mut time = now + 1 + (random.exponential(CHANCE_DAYS) * DAY as f64) as u64;
            let is_switch = self.is_of_platform && (now..time).contains(&switch);
            let after = if is_switch {
                // The moment that was drawn is skipped, which the exponential law allows.
                time = switch + 1;
                before.switched()
            } else {
                before.after_chance(random)
            };
            if time >= end {
                return states;
            }
            let switched = (is_switch && after != before).then_some((None, "switched"));
            let events = switched.into_iter().chain(before.events_until(&after));
            let events = events.map(|(agent, event)| Event { time, agent, event });
            self.events.extend(events);
            states.push((time, after));
            now = time;
        }
    }
}

impl State {
    fn first(random: &mut Random) -> State {
        let has_file = random.per_mille(900);
        let restrictions = [(); N_AGENTS].map(|()| {
            let is_named = has_file && random.per_mille(80);
            is_named.then(|| random.pick(&NAMED_AS))
        });
        State {
            has_file,
            restrictions,
            revision: 0,
            wording: 0,
            is_over: [false; N_AGENTS],
        }
    }

    /// Returns what the file says after a moment at which something may happen.
    fn after_chance(mut self, random: &mut Random) -> State {
        const TURNED: usize = NAMINGS + TURNS;
        const REMOVED: usize = TURNED + REMOVALS;
        let before = self.restrictions;
        let agent = random.below(N_AGENTS);
        let restriction = &mut self.restrictions[agent];
        let drawn = random.below(100);
        if !self.has_file && !(TURNED..REMOVED).contains(&drawn) {
            return self;
        }
        match drawn {
            0..NAMINGS if restriction.is_none() && !self.is_over[agent] => {
                *restriction = Some(random.pick(&NAMED_AS));
            }
            NAMINGS..TURNED => {
                *restriction = match *restriction {
                    Some("full") => random.pick(&[None, None, Some("none"), Some("partial")]),
                    Some("partial") if !self.is_over[agent] => Some("full"),
                    _ => None,
                };
            }
            TURNED..REMOVED => {
                self.has_file = !self.has_file;
                self.restrictions = [None; N_AGENTS];
            }
            REMOVED..75 => self.revision += 1,
            75..82 => self.wording += 1,
            _ => {}
        }
        let closed = before.map(|restriction| restriction == Some("full"));
        for ((is_over, was_closed), now) in
            (self.is_over.iter_mut().zip(closed)).zip(self.restrictions)
        {
            *is_over |= was_closed && now != Some("full");
        }
        self
    }

    /// Returns what the file says after its platform shuts out the first and the last agent
    /// wherever none is named.
    fn switched(mut self) -> State {
        if self.has_file
            && self.restrictions == [None; N_AGENTS]
            && self.is_over == [false; N_AGENTS]
        {
            self.restrictions = [Some("full"), None, Some("full")];
        }
        self
    }

    /// Returns what happens between two states, with the agents to which it happens.
    fn events_until(&self, after: &State) -> Vec<(Option<&'static str>, &'static str)> {
        let mut events = Vec::new();
        for (agent, (before, after)) in self.restrictions.iter().zip(after.restrictions).enumerate()
        {
            let agent = Some(AGENTS[agent]);
            match (before, after) {
                (None, Some(_)) => events.push((agent, "named")),
                (Some(_), None) => events.push((agent, "unnamed")),
                _ => {}
            }
            let [before, after] = [*before, after].map(|restriction| restriction.unwrap_or("none"));
            if before != after {
                events.push((
                    agent,
                    match after {
                        "full" => "closed",
                        "partial" => "partly_closed",
                        _ => "opened",
                    },
                ));
            }
        }
        let of_host = [
            (self.has_file && !after.has_file, "removed"),
            (!self.has_file && after.has_file, "restored"),
            (self.revision != after.revision, "edited"),
            (self.wording != after.wording, "reworded"),
        ];
        events.extend(
            of_host
                .iter()
                .filter(|(happens, _)| *happens)
                .map(|(_, event)| (None, *event)),
        );
        events
    }

    fn write(&self, is_of_platform: bool, body: &mut BodyWriter) {
        if is_of_platform {
            body.comment("by the platform of these hosts");
        }
        body.comment(&format!("wording {}", self.wording));
        body.agents("*");
        body.disallow("");
        body.agents("ExampleBot");
        body.disallow(&format!("/revision-{}/", self.revision));
        for (agent, restriction) in AGENTS.iter().zip(self.restrictions) {
            let Some(restriction) = restriction else {
                continue;
            };
            body.blank();
            body.agents(agent);
            body.disallow(match restriction {
                "full" => "/",
                "partial" => "/images/",
                _ => "",
            });
        }
    }
}

/// How much is shut out where an agent is named, the more often the more likely.
const NAMED_AS: [&str; 10] = [
    "full", "full", "full", "full", "full", "full", "full", "partial", "partial", "none",
];

/// Returns the site of a host: its name and its server. Its own file and visits are not used.
fn site(seed: u64, number: u64) -> Site {
    let mut site = Site::new(seed, number);
    site.port = None;
    site
}

fn serialize_time<S: Serializer>(second: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&timestamp(*second))
}
