//! Lines of files of cases: a JSON object is a [`Case`], whose kind depends on its fields.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::text::Text;
use crate::dialect::{Access, Dialect, FetchOutcome};

/// The status of a redirect of which only that it is one is known.
const REDIRECT: u16 = 302;

/// One line of a file of cases.
#[derive(Clone, Debug)]
pub enum Case<'a> {
    /// It has `robots` or `robots_b64`: requests about a file.
    Verdict(VerdictCase<'a>),
    /// It has `robots_url` and `url`, and no file: does a robots.txt there apply to the URL?
    Scope(ScopeCase<'a>),
    /// It has `status`, `redirect_hops` or `redirect_loop`, and neither file nor URL: what does the
    /// outcome of the fetch decide?
    Access(AccessCase<'a>),
}

/// Requests about one file.
#[derive(Clone, Debug)]
pub struct VerdictCase<'a> {
    /// `id` as written, JSON.
    pub id: Option<&'a RawValue>,
    /// `dialect`: a name.
    pub dialect: Option<Cow<'a, str>>,
    /// The file: `robots`, or `robots_b64` decoded.
    pub body: Cow<'a, [u8]>,
    /// How the fetch ended, where the line states it.
    pub fetch: Option<Fetch>,
    /// `robots_url`: where the file was fetched.
    pub robots_url: Option<Cow<'a, [u8]>>,
    /// The requests; one, unless the line has `queries`.
    pub queries: Vec<CaseQuery<'a>>,
    /// Whether the line has `queries`.
    pub has_queries: bool,
}

/// One request about a file.
#[derive(Clone, Debug)]
pub struct CaseQuery<'a> {
    /// `agent`, or the chain `agents`, the most specific token first.
    pub chain: Vec<Cow<'a, [u8]>>,
    /// `url`.
    pub url: Cow<'a, [u8]>,
    /// `expect`: the verdict that is expected.
    pub expect: Option<Cow<'a, str>>,
    /// `line`: the number of the line that is expected to decide; 0 means none.
    pub line: Option<u32>,
}

/// A request about the location of a file.
#[derive(Clone, Debug)]
pub struct ScopeCase<'a> {
    /// `id` as written, JSON.
    pub id: Option<&'a RawValue>,
    /// Where the file was fetched.
    pub robots_url: Cow<'a, [u8]>,
    /// The requested URL.
    pub url: Cow<'a, [u8]>,
    /// `applies`: the answer that is expected.
    pub applies: Option<bool>,
}

/// A request about the outcome of a fetch.
#[derive(Clone, Debug)]
pub struct AccessCase<'a> {
    /// `id` as written, JSON.
    pub id: Option<&'a RawValue>,
    /// `dialect`: a name.
    pub dialect: Option<Cow<'a, str>>,
    /// How the fetch ended.
    pub fetch: Fetch,
    /// `expect`: the access that is expected.
    pub expect: Option<Cow<'a, str>>,
}

/// How a fetch ended, before a dialect has counted its redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// `status`; `None` for a fetch without a response. Without the field it is that of a file that
    /// was found, or of one more redirect where the line has no file.
    status: Option<u16>,
    /// `redirect_hops`: how many redirects led to it.
    hops: u64,
    /// `redirect_loop`: whether the redirects are a loop.
    is_loop: bool,
}

impl Fetch {
    /// Returns the fetch that ended at once with a status code.
    pub fn of_status(status: u16) -> Fetch {
        Fetch {
            status: Some(status),
            hops: 0,
            is_loop: false,
        }
    }

    /// Returns the outcome for a dialect, which says how many redirects are too many.
    pub fn outcome(self, dialect: &Dialect) -> FetchOutcome {
        if (self.is_loop || self.hops > 0) && dialect.access.redirect != Access::Redirect {
            // The first redirect is the end of it.
            return FetchOutcome::Status(REDIRECT);
        }
        if self.is_loop || !dialect.access.follows(self.hops) {
            return FetchOutcome::TooManyHops;
        }
        FetchOutcome::of_response(self.status, false)
    }
}

/// Parses one line of a file of cases. Unknown fields are ignored.
///
/// # Errors
///
/// One sentence without a final stop: the line is not a JSON object, a field has the wrong type, or
/// the fields are no case.
pub fn read_case(line: &[u8]) -> Result<Case<'_>, String> {
    let raw: RawCase<'_> = serde_json::from_slice(line).map_err(|e| json_fault(&e))?;
    let fetch = raw.fetch()?;
    if raw.robots.is_some() || raw.robots_b64.is_some() {
        return raw.verdict(fetch).map(Case::Verdict);
    }
    if raw.queries.is_some() || raw.agent.is_some() || raw.agents.is_some() {
        return Err("expected robots or robots_b64, but found neither".to_owned());
    }
    match (raw.robots_url, raw.url, fetch) {
        (Some(robots_url), Some(url), _) => Ok(Case::Scope(ScopeCase {
            id: raw.id,
            robots_url: robots_url.0,
            url: url.0,
            applies: raw.applies,
        })),
        (None, None, Some(fetch)) => Ok(Case::Access(AccessCase {
            id: raw.id,
            dialect: raw.dialect.map(lossy),
            fetch,
            expect: raw.expect.map(lossy),
        })),
        _ => Err(
            "expected robots or robots_b64 with agent and url, or robots_url with url, or status, \
             redirect_hops or redirect_loop"
                .to_owned(),
        ),
    }
}

#[derive(Deserialize)]
struct RawCase<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    dialect: Option<Text<'a>>,
    #[serde(borrow)]
    robots: Option<Text<'a>>,
    #[serde(borrow)]
    robots_b64: Option<Text<'a>>,
    #[serde(borrow)]
    robots_url: Option<Text<'a>>,
    #[serde(borrow)]
    agent: Option<Text<'a>>,
    #[serde(borrow)]
    agents: Option<Vec<Text<'a>>>,
    #[serde(borrow)]
    url: Option<Text<'a>>,
    #[serde(borrow)]
    expect: Option<Text<'a>>,
    line: Option<u32>,
    #[serde(borrow)]
    queries: Option<Vec<RawQuery<'a>>>,
    applies: Option<bool>,
    /// `None` without the field; inside, its value.
    #[serde(default, deserialize_with = "present")]
    status: Option<Option<u16>>,
    redirect_hops: Option<u64>,
    redirect_loop: Option<bool>,
}

#[derive(Deserialize)]
struct RawQuery<'a> {
    #[serde(borrow)]
    agent: Option<Text<'a>>,
    #[serde(borrow)]
    agents: Option<Vec<Text<'a>>>,
    #[serde(borrow)]
    url: Option<Text<'a>>,
    #[serde(borrow)]
    expect: Option<Text<'a>>,
    line: Option<u32>,
}

fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<u16>>, D::Error> {
    Option::<u16>::deserialize(deserializer).map(Some)
}

impl<'a> RawCase<'a> {
    fn fetch(&self) -> Result<Option<Fetch>, String> {
        let is_said =
            self.status.is_some() || self.redirect_hops.is_some() || self.redirect_loop.is_some();
        let unsaid = match self.robots.is_some() || self.robots_b64.is_some() {
            true => 200,
            false => REDIRECT,
        };
        Ok(is_said.then(|| Fetch {
            status: self.status.unwrap_or(Some(unsaid)),
            hops: self.redirect_hops.unwrap_or(0),
            is_loop: self.redirect_loop.unwrap_or(false),
        }))
    }

    fn verdict(self, fetch: Option<Fetch>) -> Result<VerdictCase<'a>, String> {
        let body = match (self.robots, self.robots_b64) {
            (Some(_), Some(_)) => {
                return Err("expected robots or robots_b64, but found both".to_owned());
            }
            (Some(robots), None) => robots.0,
            (None, base64) => {
                let base64 = base64.map_or(Cow::Borrowed(&b""[..]), |text| text.0);
                let bytes = STANDARD.decode(&base64);
                Cow::Owned(bytes.map_err(|e| format!("robots_b64: expected base64: {e}"))?)
            }
        };
        let has_queries = self.queries.is_some();
        let alone = RawQuery {
            agent: self.agent,
            agents: self.agents,
            url: self.url,
            expect: self.expect,
            line: self.line,
        };
        let queries = match self.queries {
            Some(queries) if alone.is_empty() => queries
                .into_iter()
                .enumerate()
                .map(|(index, query)| {
                    query
                        .query()
                        .map_err(|message| format!("query {index}: {message}"))
                })
                .collect::<Result<_, _>>()?,
            Some(_) => {
                return Err("expected queries, or agent and url, but found both".to_owned());
            }
            None => vec![alone.query()?],
        };
        Ok(VerdictCase {
            id: self.id,
            dialect: self.dialect.map(lossy),
            body,
            fetch,
            robots_url: self.robots_url.map(|url| url.0),
            queries,
            has_queries,
        })
    }
}

impl<'a> RawQuery<'a> {
    fn is_empty(&self) -> bool {
        self.agent.is_none() && self.agents.is_none() && self.url.is_none()
    }

    fn query(self) -> Result<CaseQuery<'a>, String> {
        let chain = match (self.agent, self.agents) {
            (Some(agent), None) => vec![agent.0],
            (None, Some(agents)) => agents.into_iter().map(|agent| agent.0).collect(),
            (Some(_), Some(_)) => {
                return Err("expected agent or agents, but found both".to_owned());
            }
            (None, None) => return Err("expected agent or agents, but found neither".to_owned()),
        };
        let url = self.url.ok_or("expected url, but found none")?;
        let expect = self.expect.map(lossy);
        if let Some(word) = &expect
            && !matches!(&**word, "allow" | "disallow" | "undefined")
        {
            return Err(format!(
                "expect: expected allow, disallow or undefined, but found {word:?}"
            ));
        }
        Ok(CaseQuery {
            chain,
            url: url.0,
            expect,
            line: self.line,
        })
    }
}

fn lossy(text: Text<'_>) -> Cow<'_, str> {
    match text.0 {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Returns the message of the JSON parser without its line, which is always the first here.
fn json_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    match error.column() {
        0 => text[..end].to_owned(),
        column => format!("column {column}: {}", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::builtin;

    fn verdict(line: &str) -> VerdictCase<'_> {
        match read_case(line.as_bytes()) {
            Ok(Case::Verdict(case)) => case,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn fault(line: &str) -> String {
        match read_case(line.as_bytes()) {
            Ok(case) => panic!("{line}: {case:?}"),
            Err(message) => message,
        }
    }

    #[test]
    fn a_file_may_stand_as_text_or_in_base64() {
        let case =
            verdict(r#"{"id": 7, "robots": "a\u0000", "agent": "x", "url": "/", "line": 0}"#);
        assert_eq!(&*case.body, b"a\0");
        assert_eq!(case.id.map(RawValue::get), Some("7"));
        assert_eq!(case.queries[0].line, Some(0));
        assert!(!case.has_queries && case.fetch.is_none());
        let case = verdict(r#"{"robots_b64": "/wA=", "agents": ["x", "y"], "url": ""}"#);
        assert_eq!(&*case.body, b"\xff\0");
        assert_eq!(case.queries[0].chain.len(), 2);
    }

    #[test]
    fn a_line_may_have_many_requests_about_one_file() {
        let case = verdict(
            r#"{"robots": "", "status": 503, "queries": [{"agent": "a", "url": "/"}, {"agent": "b", "url": "/", "expect": "allow"}]}"#,
        );
        assert!(case.has_queries);
        assert_eq!(case.fetch, Some(Fetch::of_status(503)));
        assert_eq!(case.queries[1].expect.as_deref(), Some("allow"));
    }

    #[test]
    fn the_kind_of_a_line_depends_on_its_fields() {
        let kind = |line: &str| match read_case(line.as_bytes()) {
            Ok(Case::Verdict(_)) => "verdict",
            Ok(Case::Scope(_)) => "scope",
            Ok(Case::Access(_)) => "access",
            Err(_) => "none",
        };
        assert_eq!(
            kind(r#"{"robots": "", "agent": "a", "url": "/", "status": 404}"#),
            "verdict"
        );
        assert_eq!(
            kind(r#"{"robots_url": "a", "url": "b", "applies": true}"#),
            "scope"
        );
        assert_eq!(
            kind(r#"{"status": null, "expect": "full_allow"}"#),
            "access"
        );
        assert_eq!(kind(r#"{"redirect_loop": true}"#), "access");
        assert_eq!(kind(r#"{"id": 1}"#), "none");
        assert_eq!(kind(r#"{"agent": "a", "url": "/"}"#), "none");
    }

    #[test]
    fn a_dialect_counts_the_hops() {
        let dialect = builtin("google").expect("the dialect is built in");
        let fetch = |hops, is_loop| Fetch {
            status: Some(200),
            hops,
            is_loop,
        };
        assert_eq!(fetch(5, false).outcome(&dialect), FetchOutcome::Status(200));
        assert_eq!(fetch(6, false).outcome(&dialect), FetchOutcome::TooManyHops);
        assert_eq!(fetch(0, true).outcome(&dialect), FetchOutcome::TooManyHops);
        let unlimited = builtin("original-1994").expect("the dialect is built in");
        assert_eq!(
            fetch(u64::MAX, false).outcome(&unlimited),
            FetchOutcome::Status(200)
        );
        assert_eq!(
            fetch(0, true).outcome(&unlimited),
            FetchOutcome::TooManyHops
        );
    }

    #[test]
    fn hops_without_a_status_lead_to_the_file_or_to_one_more_redirect() {
        let dialect = builtin("google").expect("the dialect is built in");
        let line = r#"{"robots": "", "agent": "a", "url": "/", "redirect_hops": 2}"#;
        let fetch = verdict(line).fetch.expect("the line has a fetch");
        assert_eq!(fetch.outcome(&dialect), FetchOutcome::Status(200));
        let outcome = |line: &str| match read_case(line.as_bytes()) {
            Ok(Case::Access(case)) => case.fetch.outcome(&dialect),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(
            outcome(r#"{"redirect_hops": 2}"#),
            FetchOutcome::Status(302)
        );
        assert_eq!(
            outcome(r#"{"redirect_hops": 2, "status": null}"#),
            FetchOutcome::Unreachable
        );
        assert_eq!(
            outcome(r#"{"redirect_hops": 6}"#),
            FetchOutcome::TooManyHops
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, says) in [
            ("", "EOF"),
            ("[]", "column"),
            ("{\"robots\": 1}", "a string"),
            (
                r#"{"robots": "", "robots_b64": "", "agent": "a", "url": ""}"#,
                "both",
            ),
            (r#"{"robots_b64": "%", "agent": "a", "url": ""}"#, "base64"),
            (r#"{"robots": "", "url": ""}"#, "agent"),
            (r#"{"robots": "", "agent": "a"}"#, "url"),
            (
                r#"{"robots": "", "agent": "a", "agents": [], "url": ""}"#,
                "both",
            ),
            (
                r#"{"robots": "", "agent": "a", "url": "", "expect": "yes"}"#,
                "\"yes\"",
            ),
            (
                r#"{"robots": "", "queries": [{"agent": "a"}]}"#,
                "query 0: expected url",
            ),
            (
                r#"{"robots": "", "agent": "a", "queries": []}"#,
                "found both",
            ),
            (r#"{"status": 70000}"#, "70000"),
        ] {
            let message = fault(line);
            assert!(message.contains(says), "{line}: {message}");
        }
    }
}
