//! Enters: the lines of a robots.txt, each with the statement of what it means. Leaves: the bytes
//! of the file together with what is true of them.
//!
//! Nothing is ever read back: a count rises because a line of that kind was written, and whether
//! `/` is closed for a crawler follows from what the author of a line said about it. So a fault of
//! the parsers that are checked against these counts cannot hide in them. The reading is that of
//! the dialect `google` (robots.cc). This room refuses to know how a line is parsed.

use crate::sample::opinion::{Opinion, Reach, Rule, part, root};
use crate::sample::truth::{AGENTS, BodyCounts, LineEnding, Restriction, SignalCounts};

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Terminator {
    /// LF.
    #[default]
    Lf,
    /// CR LF.
    CrLf,
    /// CR alone.
    Cr,
    /// LF and CR LF in turn. CR alone stays out: before an empty line it would join the LF behind
    /// it.
    Mixed,
}

/// A set of the agents in [`AGENTS`]: bit n is the nth of them.
pub(super) type AgentSet = u16;

/// The set of all agents in [`AGENTS`].
const EVERY_AGENT: AgentSet = (1 << AGENTS.len()) - 1;

/// Bytes of a file that the dialect honors: 500 KiB ("How Google interprets the robots.txt
/// specification", file format).
pub(super) const PARSING_LIMIT: usize = 512_000;

/// A file being written, reusable.
#[derive(Debug, Default)]
pub(super) struct Body {
    bytes: Vec<u8>,
    terminator: Terminator,
    /// Lines ended by LF, CR LF and CR.
    ends: [u32; 3],
    counts: BodyCounts,
    /// True from the first user-agent line of a list to the first rule behind it.
    is_listing_agents: bool,
    /// Agents, and `*`, in the list to which rules now belong.
    group: AgentSet,
    group_has_wildcard: bool,
    /// Agents named by a user-agent line, whether or not the dialect hears it.
    named: AgentSet,
    /// Agents for which the dialect finds a group of their own.
    specific: AgentSet,
    /// For each agent what its own groups and those for `*` say.
    own: [Opinion; AGENTS.len()],
    shared: [Opinion; AGENTS.len()],
    signals: SignalCounts,
    /// The declared type of the file.
    mime: &'static str,
    is_html: bool,
    is_utf16: bool,
    has_bom: bool,
}

/// Writing lines whose spelling follows from their meaning.
impl Body {
    /// Writes a user-agent line that names `token`.
    pub(super) fn agent(&mut self, token: &str) {
        self.agent_as(token, &["User-agent: ", token]);
    }

    /// Writes one user-agent line for each of `tokens`.
    pub(super) fn agents(&mut self, tokens: &[&str]) {
        for token in tokens {
            self.agent(token);
        }
    }

    /// Writes an allow line whose pattern does not match `/`.
    pub(super) fn allow(&mut self, pattern: &str) {
        self.rule(Rule::Allow, part(pattern), &["Allow: ", pattern]);
    }

    /// Writes a disallow line whose pattern does not match `/`.
    pub(super) fn disallow(&mut self, pattern: &str) {
        self.rule(Rule::Disallow, part(pattern), &["Disallow: ", pattern]);
    }

    /// Writes disallow lines whose patterns do not match `/`.
    pub(super) fn disallow_each(&mut self, patterns: &[&str]) {
        for pattern in patterns {
            self.disallow(pattern);
        }
    }

    /// Writes an allow line whose ASCII pattern matches `/`.
    pub(super) fn allow_root(&mut self, pattern: &str) {
        self.rule(Rule::Allow, root(pattern), &["Allow: ", pattern]);
    }

    /// Writes a disallow line whose ASCII pattern matches `/`.
    pub(super) fn disallow_root(&mut self, pattern: &str) {
        self.rule(Rule::Disallow, root(pattern), &["Disallow: ", pattern]);
    }

    /// Writes a sitemap line with the URL that `parts` make.
    pub(super) fn sitemap(&mut self, parts: &[&str]) {
        self.write("Sitemap: ");
        self.sitemap_as(parts);
    }

    /// Writes a line of a field that is neither user-agent, allow, disallow nor sitemap.
    pub(super) fn other(&mut self, key: &str, value: &str) {
        self.other_as(&[key, ": ", value]);
    }

    /// Writes a line of a field that states uses: so many things that can be read, and so many that
    /// cannot.
    pub(super) fn signal(&mut self, key: &str, value: &str, readable: u64, unreadable: u64) {
        self.states(readable, unreadable);
        self.other(key, value);
    }

    /// Records what the next line states on uses beside what else it is.
    pub(super) fn states(&mut self, readable: u64, unreadable: u64) {
        self.signals.readable += readable;
        self.signals.unreadable += unreadable;
    }

    /// Writes a line that holds a comment and nothing else.
    pub(super) fn comment(&mut self, text: &str) {
        self.counts.comment_lines += 1;
        self.line(&["# ", text]);
    }

    /// Writes an empty line.
    pub(super) fn blank(&mut self) {
        self.line(&[]);
    }
}

/// Writing lines in a spelling of their own.
impl Body {
    /// Writes a line that the dialect reads as a user-agent line naming `token`.
    ///
    /// A token with a digit is named, but no group is found for it: the dialect cuts the value of
    /// the line and compares with the whole token of the crawler
    /// (`RobotsMatcher::HandleUserAgent` of robots.cc).
    pub(super) fn agent_as(&mut self, token: &str, parts: &[&str]) {
        if !self.is_listing_agents {
            self.is_listing_agents = true;
            self.counts.groups += 1;
            self.group = 0;
            self.group_has_wildcard = false;
        }
        self.counts.agent_lines += 1;
        self.group_has_wildcard |= token == "*";
        if let Some(agent) = AGENTS
            .iter()
            .position(|known| known.eq_ignore_ascii_case(token))
        {
            self.named |= 1 << agent;
            if !AGENTS[agent].bytes().any(|byte| byte.is_ascii_digit()) {
                self.specific |= 1 << agent;
                self.group |= 1 << agent;
            }
        }
        self.line(parts);
    }

    /// Writes a line that the dialect reads as a rule, whose pattern matches every path with the
    /// priority `all`, or, where that is 0, some that are not `/`.
    pub(super) fn rule_as(&mut self, kind: Rule, all: u32, parts: &[&str]) {
        let reach = match all {
            0 => Reach::Part,
            all => Reach::All(all),
        };
        self.rule(kind, reach, parts);
    }

    /// Writes a line that the dialect reads as a rule.
    pub(super) fn rule(&mut self, kind: Rule, reach: Reach, parts: &[&str]) {
        match kind {
            Rule::Allow => self.counts.allow += 1,
            Rule::Disallow => self.counts.disallow += 1,
        }
        if self.counts.groups == 0 {
            self.counts.rules_before_group += 1;
        } else {
            self.is_listing_agents = false;
            self.note(kind, reach);
        }
        self.line(parts);
    }

    /// Writes a line that the dialect reads as a sitemap line.
    pub(super) fn sitemap_as(&mut self, parts: &[&str]) {
        self.counts.sitemaps += 1;
        self.line(parts);
    }

    /// Writes a line that the dialect reads as a field it does not know.
    pub(super) fn other_as(&mut self, parts: &[&str]) {
        self.counts.other_directives += 1;
        self.line(parts);
    }

    /// Writes a line in which the dialect finds no directive: no separator, and not just two words.
    pub(super) fn nothing(&mut self, text: &str) {
        self.line(&[text]);
    }

    /// Writes bytes that belong to the line that follows.
    pub(super) fn write_bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes text that belongs to the line that follows.
    pub(super) fn write(&mut self, text: &str) {
        self.write_bytes(text.as_bytes());
    }

    fn line(&mut self, parts: &[&str]) {
        for part in parts {
            self.write(part);
        }
        let end = match self.terminator {
            Terminator::Lf => Terminator::Lf,
            Terminator::CrLf => Terminator::CrLf,
            Terminator::Cr => Terminator::Cr,
            Terminator::Mixed if self.ends[0] > self.ends[1] => Terminator::CrLf,
            Terminator::Mixed => Terminator::Lf,
        };
        let (kind, text) = match end {
            Terminator::CrLf => (1, "\r\n"),
            Terminator::Cr => (2, "\r"),
            Terminator::Lf | Terminator::Mixed => (0, "\n"),
        };
        self.ends[kind] += 1;
        self.write(text);
    }

    /// Records a rule of the current group.
    fn note(&mut self, kind: Rule, reach: Reach) {
        for agent in 0..AGENTS.len() {
            let slot = if self.group & (1 << agent) != 0 {
                &mut self.own[agent]
            } else if self.group_has_wildcard {
                &mut self.shared[agent]
            } else {
                continue;
            };
            slot.note(kind, reach);
        }
    }
}

/// The file as a whole.
impl Body {
    /// Empties the body for a file whose lines end in `terminator`.
    pub(super) fn clear(&mut self, terminator: Terminator) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = Body {
            bytes,
            terminator,
            mime: "text/plain",
            ..Body::default()
        };
    }

    /// Changes how the lines from here on end.
    pub(super) fn end_lines_with(&mut self, terminator: Terminator) {
        self.terminator = terminator;
    }

    /// Begins the file with the byte order mark of UTF-8.
    pub(super) fn begin_with_bom(&mut self) {
        self.has_bom = true;
        self.write_bytes(b"\xEF\xBB\xBF");
    }

    /// Declares that the body is a page of HTML.
    pub(super) fn is_page(&mut self) {
        self.is_html = true;
        self.mime = "text/html";
    }

    /// Declares the type under which the file is served.
    pub(super) fn serve_as(&mut self, mime: &'static str) {
        self.mime = mime;
    }

    /// Takes the end of the last line away.
    pub(super) fn end_without_terminator(&mut self) {
        let (kind, length) = match &self.bytes[..] {
            [.., b'\r', b'\n'] => (1, 2),
            [.., b'\n'] => (0, 1),
            [.., b'\r'] => (2, 1),
            _ => return,
        };
        self.ends[kind] -= 1;
        self.bytes.truncate(self.bytes.len() - length);
    }

    /// Replaces the lines written so far, which are ASCII and end in LF, by UTF-16 under a mark.
    ///
    /// What the dialect then reads is nothing: each line is cut at its first NUL, before any
    /// separator.
    pub(super) fn turn_into_utf16(&mut self, is_big_endian: bool) {
        let text = std::mem::take(&mut self.bytes);
        let ends = [
            text.iter().filter(|&&byte| byte == b'\n').count() as u32,
            0,
            0,
        ];
        let units = std::iter::once(0xFEFF).chain(text.into_iter().map(u16::from));
        let bytes: Vec<u8> = if is_big_endian {
            units.flat_map(u16::to_be_bytes).collect()
        } else {
            units.flat_map(u16::to_le_bytes).collect()
        };
        *self = Body {
            bytes,
            ends,
            mime: self.mime,
            is_utf16: true,
            ..Body::default()
        };
    }

    /// Pads with one comment line so that the next line begins just behind the parsing limit.
    pub(super) fn pad_to_parsing_limit(&mut self) {
        let missing = PARSING_LIMIT.saturating_sub(self.bytes.len());
        assert!(missing > 4, "the padding must have room for a comment line");
        let before = self.bytes.len();
        self.write("# ");
        self.bytes.resize(PARSING_LIMIT - 1, b'-');
        self.line(&[]);
        self.counts.comment_lines += 1;
        debug_assert_eq!(self.bytes.len() - before, missing);
    }

    /// Returns the bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the type under which the file is served, without parameters.
    pub(super) fn mime(&self) -> &'static str {
        self.mime
    }

    /// Returns the counts of lines and groups.
    pub(super) fn counts(&self) -> &BodyCounts {
        &self.counts
    }

    /// Returns true if and only if the body is a page of HTML.
    pub(super) fn is_html(&self) -> bool {
        self.is_html
    }

    /// Returns true if and only if the body is UTF-16.
    pub(super) fn is_utf16(&self) -> bool {
        self.is_utf16
    }

    /// Returns true if and only if the body begins with the byte order mark of UTF-8.
    pub(super) fn has_bom(&self) -> bool {
        self.has_bom
    }

    /// Returns how the lines end, taken together.
    pub(super) fn line_ending(&self) -> LineEnding {
        match self.ends.map(|n| n > 0) {
            [false, false, false] => LineEnding::None,
            [true, false, false] => LineEnding::Lf,
            [false, true, false] => LineEnding::CrLf,
            [false, false, true] => LineEnding::Cr,
            _ => LineEnding::Mixed,
        }
    }

    /// Returns the agents that a user-agent line names.
    pub(super) fn named(&self) -> AgentSet {
        self.named
    }

    /// Returns the agents for which `/` is disallowed (`RobotsMatcher::disallow` of robots.cc).
    pub(super) fn root_disallowed(&self) -> AgentSet {
        let mut set = 0;
        for agent in 0..AGENTS.len() {
            if self.opinion(agent).root.is_closed() {
                set |= 1 << agent;
            }
        }
        set & EVERY_AGENT
    }

    /// Returns how much is disallowed for one of [`AGENTS`].
    pub(super) fn restriction(&self, agent: usize) -> Restriction {
        self.opinion(agent).restriction()
    }

    /// Returns the statements on uses.
    pub(super) fn signals(&self) -> SignalCounts {
        self.signals
    }

    fn opinion(&self, agent: usize) -> Opinion {
        match self.specific & (1 << agent) {
            0 => self.shared[agent],
            _ => self.own[agent],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(write: impl FnOnce(&mut Body)) -> Body {
        let mut body = Body::default();
        body.clear(Terminator::Lf);
        write(&mut body);
        body
    }

    fn closed(write: impl FnOnce(&mut Body)) -> Vec<&'static str> {
        let set = body(write).root_disallowed();
        AGENTS
            .iter()
            .enumerate()
            .filter(|(n, _)| set & (1 << n) != 0)
            .map(|(_, &a)| a)
            .collect()
    }

    #[test]
    fn own_group_shields_from_the_wildcard_group() {
        let agents = closed(|body| {
            body.agent("gptbot");
            body.disallow("/a");
            body.agent("*");
            body.disallow_root("/");
        });
        assert_eq!(agents.len(), 11);
        assert!(!agents.contains(&"GPTBot"));
    }

    #[test]
    fn agent_with_a_digit_hears_only_the_wildcard_group() {
        let own = body(|body| {
            body.agent("MJ12bot");
            body.disallow_root("/");
        });
        assert_eq!((own.named().count_ones(), own.root_disallowed()), (1, 0));
        assert!(
            closed(|body| {
                body.agents(&["MJ12bot", "*"]);
                body.disallow_root("/");
            })
            .contains(&"MJ12bot")
        );
    }

    #[test]
    fn equal_priorities_allow_and_longer_ones_win() {
        let root = |allow: &'static str, disallow: &'static str| {
            closed(|body| {
                body.agent("CCBot");
                body.disallow_root(disallow);
                body.allow_root(allow);
            })
        };
        assert!(root("/", "/").is_empty());
        assert_eq!(root("/", "/*"), ["CCBot"]);
        assert!(root("/$", "/").is_empty());
    }

    #[test]
    fn groups_begin_at_an_agent_line_behind_a_rule() {
        let body = body(|body| {
            body.disallow("/early");
            body.agent("a");
            body.sitemap(&["/s.xml"]);
            body.agent("b");
            body.disallow("/x");
            body.blank();
            body.disallow("/y");
            body.agent("c");
        });
        let counts = body.counts();
        assert_eq!((counts.groups, counts.agent_lines), (2, 3));
        assert_eq!((counts.disallow, counts.rules_before_group), (3, 1));
    }

    #[test]
    fn line_ending_follows_what_was_written() {
        let mut body = Body::default();
        for (terminator, ending) in [
            (Terminator::Lf, LineEnding::Lf),
            (Terminator::CrLf, LineEnding::CrLf),
            (Terminator::Cr, LineEnding::Cr),
            (Terminator::Mixed, LineEnding::Mixed),
        ] {
            body.clear(terminator);
            assert_eq!(body.line_ending(), LineEnding::None);
            body.agent("*");
            body.disallow("");
            assert_eq!(body.line_ending(), ending);
        }
        body.clear(Terminator::CrLf);
        body.agent("*");
        body.end_without_terminator();
        assert_eq!(
            (body.line_ending(), body.bytes()),
            (LineEnding::None, &b"User-agent: *"[..])
        );
    }

    #[test]
    fn padding_ends_at_the_parsing_limit() {
        let mut body = body(|body| body.agent("*"));
        body.pad_to_parsing_limit();
        assert_eq!(body.bytes().len(), PARSING_LIMIT);
        assert_eq!(body.bytes().last(), Some(&b'\n'));
    }

    #[test]
    fn utf16_says_nothing() {
        let mut body = body(|body| {
            body.agent("GPTBot");
            body.disallow_root("/");
        });
        body.turn_into_utf16(false);
        assert_eq!(&body.bytes()[..4], b"\xFF\xFEU\0");
        assert_eq!((body.named(), body.root_disallowed()), (0, 0));
        assert_eq!(*body.counts(), BodyCounts::default());
        assert_eq!(body.line_ending(), LineEnding::Lf);
    }
}
