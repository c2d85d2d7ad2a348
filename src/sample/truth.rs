//! Enters: each capture as it is written. Leaves: the counts that a reader of the archive must
//! find.
//!
//! The counts come from the construction of the archive: no parser of this crate has a part in
//! them. This room refuses to know how a body came to be what it is.

use crate::sample::body::{AgentSet, Body, PARSING_LIMIT};
use crate::sample::json::Json;

/// The crawlers for which [`Truth::agents`] counts, in its order.
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

/// What is true of a generated archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The number of captures: `response` records.
    pub captures: u64,
    /// The seed from which the archive was made.
    pub seed: u64,
    /// The size of the archive in bytes, as compressed.
    pub file_bytes: u64,
    /// The SHA-1 of the archive as compressed, in lower-case hexadecimal digits.
    pub file_sha1: String,
    /// The number of `warcinfo` records.
    pub warcinfo_records: u64,
    /// The number of `request` records.
    pub request_records: u64,
    /// Captures by status code; codes that do not occur are not listed. Ascending.
    pub status: Vec<(u16, u64)>,
    /// Captures whose target URI has exactly the path `/robots.txt` and no query.
    pub robots_txt_urls: u64,
    /// Distinct hosts among the target URIs of captures; the port is no part of a host.
    pub distinct_hosts: u64,
    /// Distinct scheme, host and port among the target URIs of captures.
    pub distinct_origins: u64,
    /// Lines and groups over the bodies of captures with a 2xx status.
    pub successful: BodyCounts,
    /// Lines and groups over the bodies of all captures, pages of errors and redirects included.
    pub all: BodyCounts,
    /// Captures whose body is a page of HTML, whatever the status.
    pub html_bodies: u64,
    /// Captures whose body has no bytes.
    pub empty_bodies: u64,
    /// Captures whose body begins with the byte order mark of UTF-8.
    pub utf8_bom_bodies: u64,
    /// Captures whose body is UTF-16.
    pub utf16_bodies: u64,
    /// Captures whose body is longer than 500 KiB, the parsing limit of the dialect `google`.
    pub over_500_kib_bodies: u64,
    /// Captures by the line ending of their body, in the order of [`LineEnding`].
    pub line_endings: [u64; 5],
    /// Statements on uses over the bodies of captures with a 2xx status.
    pub signals: SignalCounts,
    /// What the files say of each of [`AGENTS`].
    pub agents: [AgentCounts; AGENTS.len()],
}

/// Lines and groups of bodies, as the dialect `google` reads them (robots.cc).
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
    /// Lines that hold a comment and nothing else.
    pub comment_lines: u64,
}

/// Statements on uses: one for each key of a list, else one for each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignalCounts {
    /// Those that have the form of their vocabulary.
    pub readable: u64,
    /// Those that have not.
    pub unreadable: u64,
}

/// How much a file disallows for a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// Nothing.
    None,
    /// Some paths.
    Partial,
    /// Every path.
    Full,
}

/// What files say of one crawler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentCounts {
    /// Captures whose body names it in a user-agent line: the value is its token, ignoring case, or
    /// its token with a version behind a slash.
    pub named: u64,
    /// The same among captures with a 2xx status.
    pub named_successful: u64,
    /// Captures with a 2xx status where `/` is disallowed for it under the dialect `google`.
    pub root_disallowed: u64,
    /// Captures with a 2xx status by how much is disallowed for it, in the order of
    /// [`Restriction`].
    pub restriction: [u64; 3],
}

/// How the lines of a body end, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// LF only.
    Lf,
    /// CR LF only.
    CrLf,
    /// CR only.
    Cr,
    /// More than one kind.
    Mixed,
    /// No line is ended: the body is empty or one line.
    None,
}

impl Truth {
    /// Returns the counts as a JSON object, two blanks to a level, keys in a fixed order, ending in
    /// LF.
    ///
    /// The object holds the fields of this struct, and what follows from them: `status_class`,
    /// `redirect_hops` (captures by 3xx code) and `access`, which is what the fetch itself decides
    /// under the dialect `google` ("How Google interprets the robots.txt specification",
    /// handling of errors and HTTP status codes). In `access`, `conditional` counts 2xx, `redirect`
    /// 3xx, `full_disallow` 429 and 5xx, and `full_allow` the other 4xx.
    pub fn to_json(&self) -> String {
        let mut json = Json::new();
        json.number("captures", self.captures);
        json.number("seed", self.seed);
        json.number("file_bytes", self.file_bytes);
        json.text("file_sha1", &self.file_sha1);
        json.object("records", |json| {
            json.number("warcinfo", self.warcinfo_records);
            json.number("request", self.request_records);
            json.number("response", self.captures);
        });
        json.object("status", |json| {
            for &(code, captures) in &self.status {
                json.number(&code.to_string(), captures);
            }
        });
        json.object("status_class", |json| {
            for (name, class) in [("2xx", 2), ("3xx", 3), ("4xx", 4), ("5xx", 5)] {
                json.number(name, self.count_status(|code| code / 100 == class));
            }
        });
        json.object("redirect_hops", |json| {
            for &(code, captures) in self.status.iter().filter(|(code, _)| code / 100 == 3) {
                json.number(&code.to_string(), captures);
            }
        });
        json.object("access", |json| {
            json.number("conditional", self.count_status(|code| code / 100 == 2));
            json.number("redirect", self.count_status(|code| code / 100 == 3));
            json.number(
                "full_allow",
                self.count_status(|code| code / 100 == 4 && code != 429),
            );
            json.number(
                "full_disallow",
                self.count_status(|code| code / 100 == 5 || code == 429),
            );
        });
        json.number("robots_txt_urls", self.robots_txt_urls);
        json.number("distinct_hosts", self.distinct_hosts);
        json.number("distinct_origins", self.distinct_origins);
        json.object("successful", |json| self.successful.append_to(json));
        json.object("all", |json| self.all.append_to(json));
        json.object("bodies", |json| {
            json.number("html", self.html_bodies);
            json.number("empty", self.empty_bodies);
            json.number("utf8_bom", self.utf8_bom_bodies);
            json.number("utf16", self.utf16_bodies);
            json.number("over_500_kib", self.over_500_kib_bodies);
        });
        json.object("line_endings", |json| {
            let names = ["lf", "crlf", "cr", "mixed", "none"];
            for (name, captures) in names.into_iter().zip(self.line_endings) {
                json.number(name, captures);
            }
        });
        json.object("signals", |json| {
            json.number("readable", self.signals.readable);
            json.number("unreadable", self.signals.unreadable);
        });
        json.object("agents", |json| {
            for (token, counts) in AGENTS.into_iter().zip(&self.agents) {
                json.object(token, |json| {
                    json.number("named", counts.named);
                    json.number("named_successful", counts.named_successful);
                    json.number("root_disallowed", counts.root_disallowed);
                    json.object("restriction", |json| {
                        let names = ["none", "partial", "full"];
                        for (name, captures) in names.into_iter().zip(counts.restriction) {
                            json.number(name, captures);
                        }
                    });
                });
            }
        });
        json.finish()
    }

    /// Counts one capture with this status and body.
    pub(super) fn count(&mut self, status: u16, body: &Body) {
        self.captures += 1;
        match self.status.binary_search_by_key(&status, |&(code, _)| code) {
            Ok(at) => self.status[at].1 += 1,
            Err(at) => self.status.insert(at, (status, 1)),
        }
        let is_successful = status / 100 == 2;
        self.all += *body.counts();
        if is_successful {
            self.successful += *body.counts();
            self.signals.readable += body.signals().readable;
            self.signals.unreadable += body.signals().unreadable;
            for (agent, counts) in self.agents.iter_mut().enumerate() {
                counts.restriction[body.restriction(agent) as usize] += 1;
            }
        }
        self.html_bodies += u64::from(body.is_html());
        self.empty_bodies += u64::from(body.bytes().is_empty());
        self.utf8_bom_bodies += u64::from(body.has_bom());
        self.utf16_bodies += u64::from(body.is_utf16());
        self.over_500_kib_bodies += u64::from(body.bytes().len() > PARSING_LIMIT);
        self.line_endings[body.line_ending() as usize] += 1;
        if body.counts().agent_lines > 0 {
            self.count_agents(is_successful, body.named(), body.root_disallowed());
        }
    }

    fn count_agents(&mut self, is_successful: bool, named: AgentSet, disallowed: AgentSet) {
        for (agent, counts) in self.agents.iter_mut().enumerate() {
            let is_named = u64::from(named >> agent & 1);
            counts.named += is_named;
            if is_successful {
                counts.named_successful += is_named;
                counts.root_disallowed += u64::from(disallowed >> agent & 1);
            }
        }
    }

    fn count_status(&self, wanted: impl Fn(u16) -> bool) -> u64 {
        self.status
            .iter()
            .filter(|(code, _)| wanted(*code))
            .map(|(_, captures)| captures)
            .sum()
    }
}

impl BodyCounts {
    /// Returns the number of allow and disallow lines.
    pub fn rules(&self) -> u64 {
        self.allow + self.disallow
    }

    fn append_to(&self, json: &mut Json) {
        json.number("groups", self.groups);
        json.number("agent_lines", self.agent_lines);
        json.number("rules", self.rules());
        json.number("allow", self.allow);
        json.number("disallow", self.disallow);
        json.number("rules_before_group", self.rules_before_group);
        json.number("sitemaps", self.sitemaps);
        json.number("other_directives", self.other_directives);
        json.number("comment_lines", self.comment_lines);
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
    use crate::sample::body::Terminator;

    fn truth_of(status: u16) -> Truth {
        let mut body = Body::default();
        body.clear(Terminator::CrLf);
        body.agent("CCBot");
        body.disallow_root("/");
        let mut truth = Truth::default();
        truth.count(status, &body);
        truth
    }

    #[test]
    fn verdicts_are_counted_for_successful_captures_only() {
        let good = truth_of(200);
        assert_eq!((good.successful.groups, good.all.groups), (1, 1));
        assert_eq!(
            (good.agents[1].named, good.agents[1].root_disallowed),
            (1, 1)
        );
        assert_eq!(good.agents[1].restriction, [0, 0, 1]);
        assert_eq!(good.agents[0].restriction, [1, 0, 0]);
        let missing = truth_of(404);
        assert_eq!((missing.successful.groups, missing.all.groups), (0, 1));
        assert_eq!(
            (missing.agents[1].named, missing.agents[1].root_disallowed),
            (1, 0)
        );
        assert_eq!(missing.agents[1].restriction, [0; 3]);
    }

    #[test]
    fn access_follows_the_status() {
        for (status, key) in [
            (204, "conditional"),
            (301, "redirect"),
            (404, "full_allow"),
            (429, "full_disallow"),
        ] {
            let json: serde_json::Value =
                serde_json::from_str(&truth_of(status).to_json()).unwrap();
            assert_eq!(json["access"][key], 1, "{status}");
            assert_eq!(json["status"][status.to_string()], 1);
            assert_eq!(json["line_endings"]["crlf"], 1);
        }
    }
}
