//! Decisions of many dialects about one file.

use super::query::Queries;
use crate::robots::{
    dialect::{
        Agent, Decision, Dialect, Percent, PreparedPath, RuleSet, Selection, SelectionKey,
        SelectionKind, TextModel, Verdict,
    },
    lines::{self, Field, RobotsTxt},
};

/// Answers many queries about one file under many dialects; reusable.
#[derive(Debug, Default)]
pub struct Decider {
    robots: RobotsTxt,
    rules: RuleSet,
    buffers: DecisionBuffers,
    traits: FileTraits,
}

/// What some choices need in a file to matter; see [`Decider::can_show`].
#[derive(Clone, Copy, Debug, Default)]
struct FileTraits {
    begins_like_mark: bool,
    has_nul: bool,
    n_bytes: usize,
    longest_line: usize,
    has_index_page: bool,
    /// A line without a colon that is neither empty nor a comment.
    has_bare_line: bool,
    /// A key that is no name of a field.
    has_unknown_key: bool,
    /// A user-agent value that is neither `*` nor of letters, `-` and `_` alone.
    has_uncommon_agent: bool,
    /// A path-pattern that does not begin with a slash.
    has_relative_path: bool,
}

impl FileTraits {
    fn new(body: &[u8], robots: &RobotsTxt) -> FileTraits {
        let mut traits = FileTraits {
            begins_like_mark: body.starts_with(b"\xEF"),
            has_nul: robots.has_nul(),
            n_bytes: body.len(),
            has_index_page: memchr::memmem::find(body, b"/index.htm").is_some(),
            ..FileTraits::default()
        };
        for line in robots.lines() {
            traits.longest_line = traits.longest_line.max(line.text.len() as usize);
            let value = line.value().of(body);
            match line.field {
                _ if line.separator().is_none() => {
                    traits.has_bare_line |= !line.content().is_empty();
                }
                Field::Unknown => traits.has_unknown_key = true,
                Field::UserAgent => {
                    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || b"-_".contains(byte);
                    let is_common = !value.is_empty() && value.iter().all(is_letter);
                    traits.has_uncommon_agent |= !is_common && value != b"*";
                }
                Field::Allow | Field::Disallow => {
                    traits.has_relative_path |= !value.is_empty() && value[0] != b'/';
                }
                _ => {}
            }
        }
        traits
    }
}

impl Decider {
    /// Parses a file; the other methods answer about it.
    pub fn parse(&mut self, body: &[u8]) {
        lines::parse(body, &mut self.robots);
        self.traits = FileTraits::new(body, &self.robots);
    }

    /// Returns false only if two dialects that differ in the choice of this name alone give equal
    /// verdicts to these queries, so that the second need not be asked.
    pub(super) fn can_show(
        &self,
        choice: &str,
        [one, other]: [&Dialect; 2],
        queries: &Queries,
    ) -> bool {
        let traits = &self.traits;
        let exceeds = |n: usize, limits: [Option<u32>; 2]| {
            limits.into_iter().flatten().any(|limit| n > limit as usize)
        };
        let exceeds_bytes = exceeds(traits.n_bytes, [one.byte_limit, other.byte_limit]);
        let exceeds_line = exceeds(traits.longest_line, [one.line_limit, other.line_limit]);
        match choice {
            "byte_order_mark" => return traits.begins_like_mark,
            "byte_limit" => return exceeds_bytes,
            "line_limit" => return exceeds_line,
            "index_page" => return traits.has_index_page,
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
            || traits.has_nul
            || traits.begins_like_mark
            || exceeds_bytes
            || exceeds_line
        {
            return true;
        }
        let has_uncommon_key = traits.has_bare_line || traits.has_unknown_key;
        match choice {
            "text" => false,
            "missing_colon" => traits.has_bare_line,
            "field_names" => has_uncommon_key,
            "leading_slash" => has_uncommon_key || traits.has_relative_path,
            "agent_cut" => {
                let is_cut = |byte: u8| !(byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
                let is_uncommon = |token: &str| token.is_empty() || token.bytes().any(is_cut);
                let mut tokens = queries.agents().flat_map(|agent| agent.split(','));
                has_uncommon_key || traits.has_uncommon_agent || tokens.any(is_uncommon)
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
    /// The decisions about agents that no group names, and about the last that one does.
    shared: [SharedDecisions; 2],
}

/// Decisions about the agents of one selection.
#[derive(Debug, Default)]
struct SharedDecisions {
    selection: Option<SelectionKey>,
    by_url: Vec<Option<Decision>>,
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
        for shared in &mut self.shared {
            shared.selection = None;
        }
        let mut selected = None;
        let mut decisions = Vec::with_capacity(queries.len());
        for &(agent, url) in queries.pairs.iter() {
            let is_other = selected.replace(agent) != Some(agent);
            if is_other {
                let chain: Vec<_> = queries.agent(agent).split(',').collect();
                rules.select(&Agent::new(dialect, &chain), &mut self.selection);
            }
            let is_named = self.selection.kind() == SelectionKind::Named;
            let shared = &mut self.shared[usize::from(is_named)];
            if is_other {
                shared.begin(self.selection.key(), n_urls);
            }
            let decision = shared.by_url[url as usize].get_or_insert_with(|| {
                let (path, is_prepared) = &mut self.paths[url as usize];
                if !std::mem::replace(is_prepared, true) {
                    path.set_url(dialect, queries.url(url).as_bytes());
                }
                rules.decide(&self.selection, path)
            });
            decisions.push(*decision);
        }
        decisions
    }
}

impl SharedDecisions {
    /// Drops the decisions of another selection.
    fn begin(&mut self, selection: SelectionKey, n_urls: usize) {
        if self.selection.replace(selection) != Some(selection) {
            self.by_url.clear();
            self.by_url.resize(n_urls, None);
        }
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
                if decider.can_show(change.choice(), [&base, &changed], &queries) {
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
