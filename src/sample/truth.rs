//! The counts that a reader of a generated archive must find.
//!
//! They come from the construction of the archive: no parser of this crate is involved.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::sample::{
    body::{AGENTS, BodyCounts, BodyWriter, PARSING_LIMIT, SignalCounts},
    page::PagesTruth,
};

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
    /// Captures by status code, of the codes that occur.
    pub status: BTreeMap<u16, u64>,
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
    /// Captures by how the lines of their body end: LF only, CR LF only, CR only, more than one of
    /// them, and no line that is ended.
    pub line_endings: [u64; 5],
    /// Terms of use over the bodies of captures with a 2xx status.
    pub signals: SignalCounts,
    /// What the files state for each of [`AGENTS`].
    pub agents: [AgentCounts; AGENTS.len()],
    /// What the pages state, which are no captures.
    pub(super) pages: PagesTruth,
}

/// What files state for one crawler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AgentCounts {
    /// Captures whose body names it in a user-agent line: the value is its token, ignoring case, or
    /// its token with a version after a slash.
    pub named: u64,
    /// The same among captures with a 2xx status.
    pub named_successful: u64,
    /// Captures with a 2xx status where `/` is disallowed for it under the dialect `google`.
    pub root_disallowed: u64,
    /// Captures with a 2xx status by how much is disallowed for it: nothing, some paths, and every
    /// path.
    #[serde(serialize_with = "serialize_restriction")]
    pub restriction: [u64; 3],
}

impl Truth {
    /// Returns the counts as a JSON object, indented by two spaces, with keys in a fixed order and
    /// a final LF.
    ///
    /// The object has the fields of this struct, and what follows from them: `status_class`,
    /// `redirect_hops` (captures by 3xx code) and `access`, which is what the fetch itself decides
    /// under the dialect `google` ("How Google interprets the robots.txt specification",
    /// handling of errors and HTTP status codes). In `access`, `conditional` counts 2xx, `redirect`
    /// 3xx, `full_disallow` 429 and 5xx, and `full_allow` the other 4xx. An archive with pages has
    /// `pages`, with counts of pages, links and statements.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&Json(self)).expect("numbers have a JSON form");
        text.push('\n');
        text
    }

    /// Counts one capture with this status and body.
    pub(super) fn count(&mut self, status: u16, body: &BodyWriter) {
        self.captures += 1;
        *self.status.entry(status).or_default() += 1;
        let is_successful = status / 100 == 2;
        self.all += body.counts;
        if is_successful {
            self.successful += body.counts;
            self.signals.readable += body.signals.readable;
            self.signals.unreadable += body.signals.unreadable;
        }
        self.html_bodies += u64::from(body.is_html);
        self.empty_bodies += u64::from(body.bytes.is_empty());
        self.utf8_bom_bodies += u64::from(body.has_bom);
        self.utf16_bodies += u64::from(body.is_utf16);
        self.over_500_kib_bodies += u64::from(body.bytes.len() > PARSING_LIMIT);
        let line_ending = body
            .line_ending()
            .map_or(4, |line_break| line_break as usize);
        self.line_endings[line_ending] += 1;
        let disallowed = body.root_disallowed();
        for (agent, counts) in self.agents.iter_mut().enumerate() {
            let is_named = u64::from(body.named >> agent & 1);
            counts.named += is_named;
            if is_successful {
                counts.named_successful += is_named;
                counts.root_disallowed += u64::from(disallowed >> agent & 1);
                counts.restriction[body.coverage(agent) as usize] += 1;
            }
        }
    }
}

/// Counts with their names, in their order.
struct Named<I>(I);

impl<I: IntoIterator<Item = (K, V)> + Clone, K: Serialize, V: Serialize> Serialize for Named<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

/// The JSON form of a truth, whose keys are in another order and deeper than the fields.
struct Json<'a>(&'a Truth);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let truth = self.0;
        let with_status = |wanted: fn(u16) -> bool| {
            let status = truth.status.iter().filter(|&(&code, _)| wanted(code));
            status
                .map(|(&code, &captures)| (code, captures))
                .collect::<BTreeMap<_, _>>()
        };
        let count = |wanted| with_status(wanted).values().sum::<u64>();
        let breaks = ["lf", "crlf", "cr", "mixed", "none"]
            .into_iter()
            .zip(truth.line_endings);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("captures", &truth.captures)?;
        map.serialize_entry("seed", &truth.seed)?;
        map.serialize_entry("file_bytes", &truth.file_bytes)?;
        map.serialize_entry("file_sha1", &truth.file_sha1)?;
        let records = Named([
            ("warcinfo", truth.warcinfo_records),
            ("request", truth.request_records),
            ("response", truth.captures + truth.pages.pages()),
        ]);
        map.serialize_entry("records", &records)?;
        map.serialize_entry("status", &truth.status)?;
        let classes = Named([
            ("2xx", count(|code| code / 100 == 2)),
            ("3xx", count(|code| code / 100 == 3)),
            ("4xx", count(|code| code / 100 == 4)),
            ("5xx", count(|code| code / 100 == 5)),
        ]);
        map.serialize_entry("status_class", &classes)?;
        map.serialize_entry("redirect_hops", &with_status(|code| code / 100 == 3))?;
        let access = Named([
            ("conditional", count(|code| code / 100 == 2)),
            ("redirect", count(|code| code / 100 == 3)),
            ("full_allow", count(|code| code / 100 == 4 && code != 429)),
            (
                "full_disallow",
                count(|code| code / 100 == 5 || code == 429),
            ),
        ]);
        map.serialize_entry("access", &access)?;
        map.serialize_entry("robots_txt_urls", &truth.robots_txt_urls)?;
        map.serialize_entry("distinct_hosts", &truth.distinct_hosts)?;
        map.serialize_entry("distinct_origins", &truth.distinct_origins)?;
        map.serialize_entry("successful", &Named(truth.successful.named()))?;
        map.serialize_entry("all", &Named(truth.all.named()))?;
        let bodies = Named([
            ("html", truth.html_bodies),
            ("empty", truth.empty_bodies),
            ("utf8_bom", truth.utf8_bom_bodies),
            ("utf16", truth.utf16_bodies),
            ("over_500_kib", truth.over_500_kib_bodies),
        ]);
        map.serialize_entry("bodies", &bodies)?;
        map.serialize_entry("line_endings", &Named(breaks))?;
        map.serialize_entry("signals", &truth.signals)?;
        map.serialize_entry("agents", &Named(AGENTS.iter().zip(&truth.agents)))?;
        if truth.pages.pages() > 0 {
            map.serialize_entry("pages", &truth.pages)?;
        }
        map.end()
    }
}

fn serialize_restriction<S: Serializer>(
    counts: &[u64; 3],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(["none", "partial", "full"].iter().zip(counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::body::LineBreak;

    fn truth_of(status: u16) -> Truth {
        let mut body = BodyWriter::default();
        body.clear(LineBreak::CrLf);
        body.agents("CCBot");
        body.disallow("/");
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
