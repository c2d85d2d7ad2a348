//! A robots.txt being written, together with what is true of it.
//!
//! Each line is written with the statement of what it means to the dialect `google` (robots.cc),
//! and nothing is ever parsed: a count rises because a line of that kind was written, and whether
//! `/` is closed for a crawler follows from what the author of a line stated. So a fault of the
//! parsers that are checked against these counts cannot hide in them.

use crate::sample::{
    reach::{Coverage, Decided, Effect, Reach, part, root},
    truth::{AGENTS, BodyCounts, SignalCounts},
};

/// How lines end; the numbers are indices of
/// [`Truth::line_endings`](crate::sample::Truth::line_endings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LineBreak {
    /// LF.
    #[default]
    Lf,
    /// CR LF.
    CrLf,
    /// CR alone.
    Cr,
    /// LF and CR LF alternately. CR alone is not among them: before an empty line it would join the
    /// following LF.
    Mixed,
}

/// A set of the agents in [`AGENTS`]: bit n is the nth of them.
pub(super) type AgentSet = u16;

/// Bytes of a file that the dialect reads: 500 KiB ("How Google interprets the robots.txt
/// specification", file format).
pub(super) const PARSING_LIMIT: usize = 512_000;

/// The file; reusable.
#[derive(Debug, Default)]
pub(super) struct BodyWriter {
    bytes: Vec<u8>,
    line_break: LineBreak,
    /// Lines ended by LF, CR LF and CR.
    ends: [u32; 3],
    counts: BodyCounts,
    /// True from the first user-agent line of a group to its first rule.
    is_listing_agents: bool,
    /// Agents, and `*`, of the group to which rules now belong.
    group: AgentSet,
    group_has_wildcard: bool,
    /// Agents named by a user-agent line, whether or not the dialect accepts it.
    named: AgentSet,
    /// Agents for which the dialect finds a group of their own.
    specific: AgentSet,
    /// For each agent what its own groups and those for `*` decide.
    own: [Decided; AGENTS.len()],
    shared: [Decided; AGENTS.len()],
    signals: SignalCounts,
    /// The declared type of the file.
    mime: &'static str,
    is_html: bool,
    is_utf16: bool,
    has_bom: bool,
}

/// Lines whose spelling follows from their meaning.
impl BodyWriter {
    /// Writes a user-agent line that names `token`.
    pub(super) fn agent(&mut self, token: &str) {
        self.agent_as(token, &["User-agent: ", token]);
    }

    /// Writes a user-agent line for each token of a list separated by white space.
    pub(super) fn agents(&mut self, tokens: &str) {
        for token in tokens.split_whitespace() {
            self.agent(token);
        }
    }

    /// Writes an allow line whose pattern does not match `/`.
    pub(super) fn allow(&mut self, pattern: &str) {
        self.rule(Effect::Allow, part(pattern), &["Allow: ", pattern]);
    }

    /// Writes a disallow line whose pattern does not match `/`.
    pub(super) fn disallow(&mut self, pattern: &str) {
        self.rule(Effect::Disallow, part(pattern), &["Disallow: ", pattern]);
    }

    /// Writes a disallow line for each pattern of a list separated by white space; none of them
    /// matches `/`.
    pub(super) fn disallow_each(&mut self, patterns: &str) {
        for pattern in patterns.split_whitespace() {
            self.disallow(pattern);
        }
    }

    /// Writes an allow line whose ASCII pattern matches `/`.
    pub(super) fn allow_root(&mut self, pattern: &str) {
        self.rule(Effect::Allow, root(pattern), &["Allow: ", pattern]);
    }

    /// Writes a disallow line whose ASCII pattern matches `/`.
    pub(super) fn disallow_root(&mut self, pattern: &str) {
        self.rule(Effect::Disallow, root(pattern), &["Disallow: ", pattern]);
    }

    /// Writes a sitemap line with the URL that is `parts` joined.
    pub(super) fn sitemap(&mut self, parts: &[&str]) {
        self.write("Sitemap: ");
        self.sitemap_as(parts);
    }

    /// Writes a line of a field that is neither user-agent, allow, disallow nor sitemap.
    pub(super) fn other(&mut self, key: &str, value: &str) {
        self.other_as(&[key, ": ", value]);
    }

    /// Writes a line of a field that states terms of use, so many of them readable and so many not.
    pub(super) fn signal(&mut self, key: &str, value: &str, readable: u64, unreadable: u64) {
        self.count_signals(readable, unreadable);
        self.other(key, value);
    }

    /// Counts the terms of use that the next line states besides what else it is.
    pub(super) fn count_signals(&mut self, readable: u64, unreadable: u64) {
        self.signals.readable += readable;
        self.signals.unreadable += unreadable;
    }

    /// Writes a line that is only a comment.
    pub(super) fn comment(&mut self, text: &str) {
        self.counts.comment_lines += 1;
        self.line(&["# ", text]);
    }

    /// Writes an empty line.
    pub(super) fn blank(&mut self) {
        self.line(&[]);
    }
}

/// Lines in a spelling of their own.
impl BodyWriter {
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
    pub(super) fn rule_as(&mut self, effect: Effect, all: u32, parts: &[&str]) {
        let reach = match all {
            0 => Reach::Part,
            all => Reach::All(all),
        };
        self.rule(effect, reach, parts);
    }

    /// Writes a line that the dialect reads as a rule.
    pub(super) fn rule(&mut self, effect: Effect, reach: Reach, parts: &[&str]) {
        match effect {
            Effect::Allow => self.counts.allow += 1,
            Effect::Disallow => self.counts.disallow += 1,
        }
        if self.counts.groups == 0 {
            self.counts.rules_before_group += 1;
        } else {
            self.is_listing_agents = false;
            self.note(effect, reach);
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
    pub(super) fn ignored(&mut self, text: &str) {
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
        let has_more_lf = self.ends[0] > self.ends[1];
        let (index, text) = match self.line_break {
            LineBreak::Lf => (0, "\n"),
            LineBreak::CrLf => (1, "\r\n"),
            LineBreak::Cr => (2, "\r"),
            LineBreak::Mixed if has_more_lf => (1, "\r\n"),
            LineBreak::Mixed => (0, "\n"),
        };
        self.ends[index] += 1;
        self.write(text);
    }

    /// Records a rule of the current group.
    fn note(&mut self, effect: Effect, reach: Reach) {
        for agent in 0..AGENTS.len() {
            let slot = if self.group & (1 << agent) != 0 {
                &mut self.own[agent]
            } else if self.group_has_wildcard {
                &mut self.shared[agent]
            } else {
                continue;
            };
            slot.note(effect, reach);
        }
    }
}

/// The file as a whole.
impl BodyWriter {
    /// Begins another file, whose lines end in `line_break`.
    pub(super) fn clear(&mut self, line_break: LineBreak) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = BodyWriter {
            bytes,
            line_break,
            mime: "text/plain",
            ..BodyWriter::default()
        };
    }

    /// Changes how the lines from here on end.
    pub(super) fn end_lines_with(&mut self, line_break: LineBreak) {
        self.line_break = line_break;
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

    /// Removes the end of the last line.
    pub(super) fn end_without_line_break(&mut self) {
        let (index, length) = match &self.bytes[..] {
            [.., b'\r', b'\n'] => (1, 2),
            [.., b'\n'] => (0, 1),
            [.., b'\r'] => (2, 1),
            _ => return,
        };
        self.ends[index] -= 1;
        self.bytes.truncate(self.bytes.len() - length);
    }

    /// Re-encodes the lines written so far, which are ASCII and end in LF, as UTF-16 with a byte
    /// order mark.
    ///
    /// The dialect then finds no directive: it cuts each line at its first NUL, before any
    /// separator.
    pub(super) fn encode_as_utf16(&mut self, is_big_endian: bool) {
        let text = std::mem::take(&mut self.bytes);
        let n_lines = text.iter().filter(|&&byte| byte == b'\n').count() as u32;
        let units = std::iter::once(0xFEFF).chain(text.into_iter().map(u16::from));
        let bytes: Vec<u8> = if is_big_endian {
            units.flat_map(u16::to_be_bytes).collect()
        } else {
            units.flat_map(u16::to_le_bytes).collect()
        };
        *self = BodyWriter {
            bytes,
            ends: [n_lines, 0, 0],
            mime: self.mime,
            is_utf16: true,
            ..BodyWriter::default()
        };
    }

    /// Pads with one comment line so that the next line begins right after the parsing limit.
    pub(super) fn pad_to_parsing_limit(&mut self) {
        assert!(self.bytes.len() + 4 < PARSING_LIMIT, "a comment line fits");
        self.write("# ");
        self.bytes.resize(PARSING_LIMIT - 1, b'-');
        self.line(&[]);
        self.counts.comment_lines += 1;
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

    /// Returns how the lines end, taken together, or `None` where no line is ended.
    pub(super) fn line_ending(&self) -> Option<LineBreak> {
        match self.ends.map(|n| n > 0) {
            [false, false, false] => None,
            [true, false, false] => Some(LineBreak::Lf),
            [false, true, false] => Some(LineBreak::CrLf),
            [false, false, true] => Some(LineBreak::Cr),
            _ => Some(LineBreak::Mixed),
        }
    }

    /// Returns the agents that a user-agent line names.
    pub(super) fn named(&self) -> AgentSet {
        self.named
    }

    /// Returns the agents for which `/` is disallowed (`RobotsMatcher::disallow` of robots.cc).
    pub(super) fn root_disallowed(&self) -> AgentSet {
        let is_closed = |agent: &usize| self.decided(*agent).root.is_closed();
        let closed = (0..AGENTS.len()).filter(is_closed);
        closed.fold(0, |set, agent| set | 1 << agent)
    }

    /// Returns how much is disallowed for one of [`AGENTS`].
    pub(super) fn coverage(&self, agent: usize) -> Coverage {
        self.decided(agent).coverage()
    }

    /// Returns the number of terms of use.
    pub(super) fn signals(&self) -> SignalCounts {
        self.signals
    }

    fn decided(&self, agent: usize) -> Decided {
        match self.specific & (1 << agent) {
            0 => self.shared[agent],
            _ => self.own[agent],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(write: impl FnOnce(&mut BodyWriter)) -> BodyWriter {
        let mut body = BodyWriter::default();
        body.clear(LineBreak::Lf);
        write(&mut body);
        body
    }

    fn closed(write: impl FnOnce(&mut BodyWriter)) -> Vec<&'static str> {
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
    fn only_the_wildcard_group_applies_to_an_agent_with_a_digit() {
        let own = body(|body| {
            body.agent("MJ12bot");
            body.disallow_root("/");
        });
        assert_eq!((own.named().count_ones(), own.root_disallowed()), (1, 0));
        assert!(
            closed(|body| {
                body.agents("MJ12bot *");
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
    fn groups_begin_at_an_agent_line_after_a_rule() {
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
        let mut body = BodyWriter::default();
        for line_break in [
            LineBreak::Lf,
            LineBreak::CrLf,
            LineBreak::Cr,
            LineBreak::Mixed,
        ] {
            body.clear(line_break);
            assert_eq!(body.line_ending(), None);
            body.agent("*");
            body.disallow("");
            assert_eq!(body.line_ending(), Some(line_break));
        }
        body.clear(LineBreak::CrLf);
        body.agent("*");
        body.end_without_line_break();
        assert_eq!(body.line_ending(), None);
        assert_eq!(body.bytes(), b"User-agent: *");
    }

    #[test]
    fn padding_ends_at_the_parsing_limit() {
        let mut body = body(|body| body.agent("*"));
        body.pad_to_parsing_limit();
        assert_eq!(body.bytes().len(), PARSING_LIMIT);
        assert_eq!(body.bytes().last(), Some(&b'\n'));
    }

    #[test]
    fn utf16_has_no_directives() {
        let mut body = body(|body| {
            body.agent("GPTBot");
            body.disallow_root("/");
        });
        body.encode_as_utf16(false);
        assert_eq!(&body.bytes()[..4], b"\xFF\xFEU\0");
        assert_eq!((body.named(), body.root_disallowed()), (0, 0));
        assert_eq!(*body.counts(), BodyCounts::default());
        assert_eq!(body.line_ending(), Some(LineBreak::Lf));
    }
}
