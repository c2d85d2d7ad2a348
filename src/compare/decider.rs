//! Decisions of many dialects about one file.

use super::query::Queries;
use crate::robots::{
    dialect::{
        Agent, Decision, Dialect, Percent, PreparedPath, RuleSet, Selection, SelectionKey,
        TextModel, Verdict,
    },
    lines::{self, Field, Line, RobotsTxt},
};

/// Answers many queries about one file under many dialects; reusable.
#[derive(Debug, Default)]
pub struct Decider {
    robots: RobotsTxt,
    rules: RuleSet,
    buffers: DecisionBuffers,
}

impl Decider {
    /// Parses a file; the other methods answer about it.
    pub fn parse(&mut self, body: &[u8]) {
        lines::parse(body, &mut self.robots);
    }

    /// Returns false only if two dialects that differ in the choice of this name alone give equal
    /// verdicts to these queries about a file, so that the second need not be asked.
    pub(super) fn can_show(
        &self,
        choice: &str,
        [one, other]: [&Dialect; 2],
        body: &[u8],
        queries: &Queries,
    ) -> bool {
        let lines = self.robots.lines();
        let begins_like_mark = body.starts_with(b"\xEF");
        let exceeds = |n: usize, limits: [Option<u32>; 2]| {
            limits.into_iter().flatten().any(|limit| n > limit as usize)
        };
        let exceeds_bytes = exceeds(body.len(), [one.byte_limit, other.byte_limit]);
        let line_limits = [one.line_limit, other.line_limit];
        let exceeds_line =
            || (lines.iter()).any(|line| exceeds(line.text.len() as usize, line_limits));
        match choice {
            "byte_order_mark" => return begins_like_mark,
            "byte_limit" => return exceeds_bytes,
            "line_limit" => return exceeds_line(),
            "index_page" => return memchr::memmem::find(body, b"/index.htm").is_some(),
            "agent_chain" => return queries.agents().any(|agent| agent.contains(',')),
            "robots_txt_itself" => {
                let may_be_it = |url: &str| url.contains("robots") || url.contains('%');
                return queries.urls().any(may_be_it);
            }
            _ => {}
        }
        // The others depend on what the lines are, on which these dialects may differ from the
        // line model.
        let is_python = |dialect: &Dialect| {
            dialect.text == TextModel::PythonStr || dialect.percent == Percent::PythonQuoted
        };
        if is_python(one)
            || is_python(other)
            || self.robots.has_nul()
            || begins_like_mark
            || exceeds_bytes
            || exceeds_line()
        {
            return true;
        }
        // Without a colon, and neither empty nor a comment.
        let is_bare = |line: &Line| line.separator().is_none() && !line.content().is_empty();
        let is_unknown = |line: &Line| line.separator().is_some() && line.field == Field::Unknown;
        let has_uncommon_key = || lines.iter().any(|line| is_bare(line) || is_unknown(line));
        let has_value = |fields: &[Field], is_such: &dyn Fn(&[u8]) -> bool| {
            let is_of_field =
                |line: &&Line| line.separator().is_some() && fields.contains(&line.field);
            let mut lines = lines.iter().filter(is_of_field);
            lines.any(|line| is_such(line.value().of(body)))
        };
        match choice {
            "text" => false,
            "missing_colon" => lines.iter().any(is_bare),
            "field_names" => has_uncommon_key(),
            "leading_slash" => {
                let is_relative = |value: &[u8]| !value.is_empty() && value[0] != b'/';
                let rules = [Field::Allow, Field::Disallow];
                has_uncommon_key() || has_value(&rules, &is_relative)
            }
            "agent_cut" => {
                let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || b"-_".contains(byte);
                let is_uncommon_value = |value: &[u8]| {
                    value != b"*" && (value.is_empty() || !value.iter().all(is_letter))
                };
                let is_plain = |byte: u8| is_letter(&byte) || byte.is_ascii_digit();
                let mut tokens = queries.agents().flat_map(|agent| agent.split(','));
                has_uncommon_key()
                    || has_value(&[Field::UserAgent], &is_uncommon_value)
                    || tokens.any(|token| token.is_empty() || !token.bytes().all(is_plain))
            }
            _ => true,
        }
    }

    /// Returns the verdicts of a dialect, in the order of the queries.
    pub fn verdicts(&mut self, dialect: &Dialect, body: &[u8], queries: &Queries) -> Vec<Verdict> {
        let decisions = self.decisions(dialect, body, queries);
        decisions
            .into_iter()
            .map(|decision| decision.verdict)
            .collect()
    }

    /// Returns the decisions of a dialect, in the order of the queries.
    pub fn decisions(
        &mut self,
        dialect: &Dialect,
        body: &[u8],
        queries: &Queries,
    ) -> Vec<Decision> {
        self.rules.compile(dialect, body, &self.robots);
        self.buffers.decide(&self.rules, dialect, queries)
    }
}

/// Decides about queries, and reuses its memory.
#[derive(Debug, Default)]
pub(super) struct DecisionBuffers {
    selection: Selection,
    /// By URL, its path if it is prepared.
    paths: Vec<(PreparedPath, bool)>,
    /// The groups of agents, and for each the decisions about the URLs.
    selections: Vec<SelectionKey>,
    decisions: Vec<Option<Decision>>,
}

impl DecisionBuffers {
    /// Returns the decisions about some queries, of which those of one agent should be together:
    /// each change of agent selects its groups again.
    ///
    /// A path is prepared once, and agents with the same groups share their decisions: most files
    /// name few of the agents that they are asked about, and many name several for one group.
    pub fn decide(
        &mut self,
        rules: &RuleSet,
        dialect: &Dialect,
        queries: &Queries,
    ) -> Vec<Decision> {
        let n_urls = queries.n_urls();
        if self.paths.len() < n_urls {
            let empty = PreparedPath::from_url(dialect, b"/");
            self.paths.resize(n_urls, (empty, false));
        }
        for (_, is_prepared) in &mut self.paths[..n_urls] {
            *is_prepared = false;
        }
        self.selections.clear();
        self.decisions.clear();
        let (mut selected, mut first) = (None, 0);
        let decide = |&(agent, url): &(u32, u32)| {
            if selected.replace(agent) != Some(agent) {
                let chain: Vec<_> = queries.agent(agent).split(',').collect();
                rules.select(&Agent::new(dialect, &chain), &mut self.selection);
                let key = self.selection.key();
                let known = self.selections.iter().position(|known| *known == key);
                let number = known.unwrap_or(self.selections.len());
                if known.is_none() {
                    self.selections.push(key);
                    self.decisions.resize((number + 1) * n_urls, None);
                }
                first = number * n_urls;
            }
            *self.decisions[first + url as usize].get_or_insert_with(|| {
                let (path, is_prepared) = &mut self.paths[url as usize];
                if !std::mem::replace(is_prepared, true) {
                    path.set_url(dialect, queries.url(url).as_bytes());
                }
                rules.decide(&self.selection, path)
            })
        };
        queries.pairs.iter().map(decide).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{compare::cause::Change, sample::random::Random};

    /// Parts of lines, common ones and those on which dialects differ.
    const KEYS: &[&str] = &[
        "User-agent: ",
        "User-agent: ",
        "Disallow: ",
        "Disallow: ",
        "Allow: ",
        "Sitemap: ",
        "User agent: ",
        "useragent ",
        "Disallow ",
        "disalow: ",
        "disallow-all: ",
        "Noindex: ",
        "Crawl-delay: ",
        "",
        "# ",
    ];
    const VALUES: &[&str] = &[
        "*",
        "*",
        "Foo",
        "bar",
        "foo/1",
        "MJ12bot",
        "Foo bar",
        "",
        "/",
        "/",
        "/a",
        "/a*b$",
        "/index.html",
        "/d/index.html",
        "/robots.txt",
        "a",
        "*a",
        "%2Fa",
        "/%61",
        "//a",
        "?",
        "x: /a",
        "\0/a",
        "\u{feff}",
        "/\u{e9}",
        "/a # b",
    ];
    const AGENTS: &[&str] = &[
        "Foo", "bar", "MJ12bot", "MJ", "Foo/1", "foo,bar", "*", "", "Foo bar",
    ];
    const PATHS: &[&str] = &[
        "/",
        "/a",
        "/aXb",
        "/%61",
        "/robots.txt",
        "/robots%2Etxt",
        "/d/",
        "//a",
        "/\u{e9}",
        "?x",
    ];

    #[test]
    fn a_choice_that_cannot_show_changes_no_verdict() {
        let mut random = Random::new(5);
        let mut decider = Decider::default();
        let (mut n_hidden, mut n_shown) = (0, 0);
        for _ in 0..3_000 {
            let mut body = ["", "User-agent: *\n"][random.below(2)].to_owned();
            body.extend((0..1 + random.below(6)).map(|_| {
                let end = ["\n", "\n", "\r\n", "\n\n"][random.below(4)];
                format!("{}{}{end}", random.pick(KEYS), random.pick(VALUES))
            }));
            if random.below(20) == 0 {
                body.insert(0, '\u{feff}');
            }
            let agents: Vec<&str> = (0..3).map(|_| random.pick(AGENTS)).collect();
            let paths: Vec<&str> = (0..6).map(|_| random.pick(PATHS)).collect();
            let pairs = agents
                .iter()
                .flat_map(|agent| paths.iter().map(|path| (*agent, *path)));
            let queries: Queries = pairs.collect();
            let mut base = Dialect::BUILT_IN[random.below(Dialect::BUILT_IN.len())].clone();
            if random.below(4) == 0 {
                base.byte_limit = Some(1 + random.below(60) as u32);
                base.line_limit = Some(1 + random.below(30) as u32);
            }
            decider.parse(body.as_bytes());
            let verdicts = decider.verdicts(&base, body.as_bytes(), &queries);
            for change in Change::all(&base) {
                let mut changed = base.clone();
                change.apply(&mut changed);
                let others = decider.verdicts(&changed, body.as_bytes(), &queries);
                let dialects = [&base, &changed];
                if decider.can_show(change.choice(), dialects, body.as_bytes(), &queries) {
                    n_shown += usize::from(others != verdicts);
                } else {
                    n_hidden += 1;
                    assert_eq!(
                        others, verdicts,
                        "{} {change} {body:?} {queries:?}",
                        base.name
                    );
                }
            }
        }
        assert!(n_hidden > 20_000 && n_shown > 1_000, "{n_hidden} {n_shown}");
    }
}
