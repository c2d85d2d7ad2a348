//! A robots.txt being written, together with what is true of it.
//!
//! Each line is written with the statement of what it means to the dialect `google` (robots.cc),
//! and nothing is ever parsed: a count rises because a line of that kind was written, and whether
//! `/` is closed for a crawler follows from what the author of a line stated. So a fault of the
//! parsers that are checked against these counts cannot hide in them.

use serde::Serialize;

use crate::sample::reach::{Coverage, Decided, Effect, Reach, reach};

/// The crawlers for which [`Truth::agents`](crate::sample::Truth) counts, in its order.
pub const AGENTS: [&str; 12] = [
    "GPTBot",
    "CCBot",
    "ClaudeBot",
    "Googlebot",
    "Bytespider",
    "Google-Extended",
    "PerplexityBot",
    "anthropic-ai",
    "Amazonbot",
    "bingbot",
    "AhrefsBot",
    "MJ12bot",
];

/// Lines and groups of bodies under the dialect `google` (robots.cc).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyCounts {
    /// Groups: runs of user-agent lines that no rule interrupts.
    pub groups: u64,
    /// User-agent lines.
    pub agent_lines: u64,
    /// Allow lines, those before any group included.
    pub allow: u64,
    /// Disallow lines, those before any group included.
    pub disallow: u64,
    /// Allow and disallow lines before the first user-agent line, without effect.
    pub rules_before_group: u64,
    /// Sitemap lines.
    pub sitemaps: u64,
    /// Directive lines of any other field.
    pub other_directives: u64,
    /// Lines that are only a comment.
    pub comment_lines: u64,
}

/// Terms of use that lines state: one for each key of a list, else one for each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SignalCounts {
    /// Those that have the syntax of their vocabulary.
    pub readable: u64,
    /// Those that do not.
    pub unreadable: u64,
}

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
    pub(super) bytes: Vec<u8>,
    /// How the lines from here on end.
    pub(super) line_break: LineBreak,
    /// Lines ended by LF, CR LF and CR.
    ends: [u32; 3],
    pub(super) counts: BodyCounts,
    /// True from the first user-agent line of a group to its first rule.
    is_listing_agents: bool,
    /// Agents, and `*`, of the group to which rules now belong.
    group: AgentSet,
    group_has_wildcard: bool,
    /// Agents named by a user-agent line, whether or not the dialect accepts it.
    pub(super) named: AgentSet,
    /// Agents for which the dialect finds a group of their own.
    specific: AgentSet,
    /// For each agent what its own groups and those for `*` decide.
    own: [Decided; AGENTS.len()],
    shared: [Decided; AGENTS.len()],
    pub(super) signals: SignalCounts,
    /// The declared type of the file.
    pub(super) mime: &'static str,
    pub(super) is_html: bool,
    pub(super) is_utf16: bool,
    pub(super) has_bom: bool,
}

/// What a line means to the dialect.
#[derive(Clone, Copy, Debug)]
pub(super) enum Statement<'t> {
    /// A user-agent line with this token.
    ///
    /// A token with a digit is named, but no group is found for it: the dialect cuts the value of
    /// the line and compares with the whole token of the crawler
    /// (`RobotsMatcher::HandleUserAgent` of robots.cc).
    Agent(&'t str),
    Rule(Effect, Reach),
    Sitemap,
    /// A field that it does not know.
    Other,
    Comment,
    /// No directive: no separator, and not just two words.
    Ignored,
}

/// Lines whose spelling follows from their meaning.
impl BodyWriter {
    /// Writes a user-agent line for each token of a list separated by white space.
    pub(super) fn agents(&mut self, tokens: &str) {
        for token in tokens.split_whitespace() {
            self.line(Statement::Agent(token), format!("User-agent: {token}"));
        }
    }

    /// Writes a disallow line.
    pub(super) fn disallow(&mut self, pattern: &str) {
        let statement = Statement::Rule(Effect::Disallow, reach(pattern));
        self.line(statement, format!("Disallow: {pattern}"));
    }

    /// Writes a line that is only a comment.
    pub(super) fn comment(&mut self, text: &str) {
        self.line(Statement::Comment, format!("# {text}"));
    }

    /// Writes an empty line.
    pub(super) fn blank(&mut self) {
        self.line(Statement::Ignored, "");
    }
}

impl BodyWriter {
    /// Writes a line that means what is stated.
    pub(super) fn line(&mut self, statement: Statement<'_>, line: impl AsRef<[u8]>) {
        match statement {
            Statement::Agent(token) => self.begin_or_extend_group(token),
            Statement::Rule(effect, reach) => {
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
            }
            Statement::Sitemap => self.counts.sitemaps += 1,
            Statement::Other => self.counts.other_directives += 1,
            Statement::Comment => self.counts.comment_lines += 1,
            Statement::Ignored => {}
        }
        self.bytes.extend_from_slice(line.as_ref());
        let has_more_lf = self.ends[0] > self.ends[1];
        let (index, end) = match self.line_break {
            LineBreak::Lf => (0, "\n"),
            LineBreak::CrLf => (1, "\r\n"),
            LineBreak::Cr => (2, "\r"),
            LineBreak::Mixed if has_more_lf => (1, "\r\n"),
            LineBreak::Mixed => (0, "\n"),
        };
        self.ends[index] += 1;
        self.bytes.extend_from_slice(end.as_bytes());
    }

    fn begin_or_extend_group(&mut self, token: &str) {
        if !self.is_listing_agents {
            self.is_listing_agents = true;
            self.counts.groups += 1;
            self.group = 0;
            self.group_has_wildcard = false;
        }
        self.counts.agent_lines += 1;
        self.group_has_wildcard |= token == "*";
        let agent = (AGENTS.iter()).position(|known| known.eq_ignore_ascii_case(token));
        if let Some(agent) = agent {
            self.named |= 1 << agent;
            if !AGENTS[agent].bytes().any(|byte| byte.is_ascii_digit()) {
                self.specific |= 1 << agent;
                self.group |= 1 << agent;
            }
        }
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

    /// Begins the file with the byte order mark of UTF-8.
    pub(super) fn begin_with_bom(&mut self) {
        self.has_bom = true;
        self.bytes.extend_from_slice(b"\xEF\xBB\xBF");
    }

    /// Declares that the body is a page of HTML.
    pub(super) fn is_page(&mut self) {
        self.is_html = true;
        self.mime = "text/html";
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
        let dashes = PARSING_LIMIT.checked_sub(self.bytes.len() + 3);
        self.comment(&"-".repeat(dashes.expect("a comment line fits")));
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

    fn decided(&self, agent: usize) -> Decided {
        match self.specific & (1 << agent) {
            0 => self.shared[agent],
            _ => self.own[agent],
        }
    }
}

impl BodyCounts {
    /// Returns the number of allow and disallow lines.
    pub fn rules(&self) -> u64 {
        self.allow + self.disallow
    }

    pub(super) fn named(&self) -> [(&'static str, u64); 9] {
        [
            ("groups", self.groups),
            ("agent_lines", self.agent_lines),
            ("rules", self.rules()),
            ("allow", self.allow),
            ("disallow", self.disallow),
            ("rules_before_group", self.rules_before_group),
            ("sitemaps", self.sitemaps),
            ("other_directives", self.other_directives),
            ("comment_lines", self.comment_lines),
        ]
    }
}

impl std::ops::AddAssign for BodyCounts {
    fn add_assign(&mut self, more: BodyCounts) {
        self.groups += more.groups;
        self.agent_lines += more.agent_lines;
        self.allow += more.allow;
        self.disallow += more.disallow;
        self.rules_before_group += more.rules_before_group;
        self.sitemaps += more.sitemaps;
        self.other_directives += more.other_directives;
        self.comment_lines += more.comment_lines;
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
            body.agents("gptbot");
            body.disallow("/a");
            body.agents("*");
            body.disallow("/");
        });
        assert_eq!(agents.len(), 11);
        assert!(!agents.contains(&"GPTBot"));
    }

    #[test]
    fn only_the_wildcard_group_applies_to_an_agent_with_a_digit() {
        let own = body(|body| {
            body.agents("MJ12bot");
            body.disallow("/");
        });
        assert_eq!((own.named.count_ones(), own.root_disallowed()), (1, 0));
        assert!(
            closed(|body| {
                body.agents("MJ12bot *");
                body.disallow("/");
            })
            .contains(&"MJ12bot")
        );
    }

    #[test]
    fn equal_priorities_allow_and_longer_ones_win() {
        let root = |allow: &'static str, disallow: &'static str| {
            closed(|body| {
                body.agents("CCBot");
                body.disallow(disallow);
                let statement = Statement::Rule(Effect::Allow, reach(allow));
                body.line(statement, format!("Allow: {allow}"));
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
            body.agents("a");
            body.line(Statement::Sitemap, "Sitemap: /s.xml");
            body.agents("b");
            body.disallow("/x");
            body.blank();
            body.disallow("/y");
            body.agents("c");
        });
        let counts = body.counts;
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
            body.agents("*");
            body.disallow("");
            assert_eq!(body.line_ending(), Some(line_break));
        }
        body.clear(LineBreak::CrLf);
        body.agents("*");
        body.end_without_line_break();
        assert_eq!(body.line_ending(), None);
        assert_eq!(body.bytes, b"User-agent: *");
    }

    #[test]
    fn padding_ends_at_the_parsing_limit() {
        let mut body = body(|body| body.agents("*"));
        body.pad_to_parsing_limit();
        assert_eq!(body.bytes.len(), PARSING_LIMIT);
        assert_eq!(body.bytes.last(), Some(&b'\n'));
    }

    #[test]
    fn utf16_has_no_directives() {
        let mut body = body(|body| {
            body.agents("GPTBot");
            body.disallow("/");
        });
        body.encode_as_utf16(false);
        assert_eq!(&body.bytes[..4], b"\xFF\xFEU\0");
        assert_eq!((body.named, body.root_disallowed()), (0, 0));
        assert_eq!(body.counts, BodyCounts::default());
        assert_eq!(body.line_ending(), Some(LineBreak::Lf));
    }
}
