//! Lines of files of cases: a JSON object is a [`Case`], whose kind depends on its fields.

use std::{borrow::Cow, ops::RangeInclusive};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::value::RawValue;

use super::fields::Fields;
use crate::robots::dialect::{Access, Dialect, FetchOutcome, Verdict};

/// The status of a redirect of which only that it is one is known.
const REDIRECT: u16 = 302;
/// The status codes that a fetch may have: those of three digits (RFC 9110, 15).
pub const STATUS_CODES: RangeInclusive<u16> = 100..=999;

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
    /// `dialect`: a name, or a file.
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
    /// Whether the chain is written as `agents`.
    pub has_agents: bool,
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
    /// `dialect`: a name, or a file.
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
    /// Returns the fetch that ended with a status code, or without a response, after `hops`
    /// redirects; with `is_loop` these never end.
    pub fn after_redirects(status: Option<u16>, hops: u64, is_loop: bool) -> Fetch {
        Fetch {
            status,
            hops,
            is_loop,
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

/// Keys of every case; `note` is a remark, which nothing reads.
const OF_ALL: &[&str] = &["id", "note", "dialect"];
const OF_FETCHES: &[&str] = &["status", "redirect_hops", "redirect_loop"];
const OF_QUERIES: &[&str] = &["agent", "agents", "url", "expect", "line"];
const OF_FILES: &[&str] = &["robots", "robots_b64", "robots_url", "queries"];

/// Parses one line of a file of cases. Keys that no case has are passed to `ignore`.
///
/// # Errors
///
/// One sentence without a final stop: the line is not a JSON object, a key is a misspelling or one
/// of another kind of case, a value has the wrong type, or the fields are no case.
pub fn read_case<'a>(line: &'a [u8], ignore: &mut dyn FnMut(&str)) -> Result<Case<'a>, String> {
    let fields = Fields::parse_line(line)?;
    let all = [OF_ALL, OF_FILES, OF_QUERIES, OF_FETCHES, &["applies"]].concat();
    fields.check(&all, ignore)?;
    let has_file = fields.has("robots") || fields.has("robots_b64");
    let fetch = fetch(&fields, has_file)?;
    if has_file {
        fields.check_kind(&[OF_ALL, OF_FILES, OF_QUERIES, OF_FETCHES].concat(), &all)?;
        return verdict_case(&fields, fetch, ignore).map(Case::Verdict);
    }
    if ["queries", "agent", "agents"]
        .iter()
        .any(|key| fields.has(key))
    {
        return Err("expected robots or robots_b64, but found neither".to_owned());
    }
    let id = fields.raw("id");
    match (fields.text("robots_url")?, fields.text("url")?, fetch) {
        (Some(robots_url), Some(url), None) => {
            fields.check_kind(&[OF_ALL, &["robots_url", "url", "applies"]].concat(), &all)?;
            Ok(Case::Scope(ScopeCase {
                id,
                robots_url,
                url,
                applies: fields.value("applies", "true or false")?,
            }))
        }
        (None, None, Some(fetch)) => {
            fields.check_kind(&[OF_ALL, OF_FETCHES, &["expect"]].concat(), &all)?;
            let words: Vec<_> = Access::ALL.iter().map(|access| access.as_str()).collect();
            Ok(Case::Access(AccessCase {
                id,
                dialect: fields.text("dialect")?.map(lossy),
                fetch,
                expect: expectation(&fields, &words)?,
            }))
        }
        _ => Err(
            "expected robots or robots_b64 with agent and url, or robots_url with url, or status, \
             redirect_hops or redirect_loop"
                .to_owned(),
        ),
    }
}

fn fetch(fields: &Fields<'_>, has_file: bool) -> Result<Option<Fetch>, String> {
    let status = match fields.raw_or_null("status") {
        None => None,
        Some(value) if value.get() == "null" => Some(None),
        Some(value) => {
            let number = value.get().parse().ok();
            let status = number.filter(|status| STATUS_CODES.contains(status));
            if status.is_none() {
                return Err(fields.mismatch("status", "a status code from 100 to 999, or null"));
            }
            Some(status)
        }
    };
    let hops = fields.value("redirect_hops", "a whole number")?;
    let is_loop = fields.value("redirect_loop", "true or false")?;
    let is_stated = status.is_some() || hops.is_some() || is_loop.is_some();
    let unstated = if has_file { 200 } else { REDIRECT };
    Ok(is_stated.then(|| Fetch {
        status: status.unwrap_or(Some(unstated)),
        hops: hops.unwrap_or(0),
        is_loop: is_loop.unwrap_or(false),
    }))
}

fn verdict_case<'a>(
    fields: &Fields<'a>,
    fetch: Option<Fetch>,
    ignore: &mut dyn FnMut(&str),
) -> Result<VerdictCase<'a>, String> {
    let body = match (fields.text("robots")?, fields.text("robots_b64")?) {
        (Some(_), Some(_)) => {
            return Err("expected robots or robots_b64, but found both".to_owned());
        }
        (Some(robots), None) => robots,
        (None, base64) => {
            let bytes = STANDARD.decode(base64.unwrap_or_default());
            Cow::Owned(bytes.map_err(|_| fields.mismatch("robots_b64", "base64"))?)
        }
    };
    let objects = fields.objects("queries")?;
    let has_queries = objects.is_some();
    let queries = match objects {
        Some(_) if OF_QUERIES.iter().any(|key| fields.has(key)) => {
            return Err("expected queries, or agent and url, but found both".to_owned());
        }
        Some(objects) => {
            let known = [OF_QUERIES, &["note"]].concat();
            let others = [OF_ALL, OF_FILES, OF_FETCHES].concat();
            let queries = objects.iter().enumerate().map(|(index, object)| {
                let query = object
                    .check_kind(&known, &others)
                    .and_then(|()| object.check(&known, ignore))
                    .and_then(|()| case_query(object));
                query.map_err(|message| format!("queries[{index}]: {message}"))
            });
            queries.collect::<Result<_, _>>()?
        }
        None => vec![case_query(fields)?],
    };
    Ok(VerdictCase {
        id: fields.raw("id"),
        dialect: fields.text("dialect")?.map(lossy),
        body,
        fetch,
        robots_url: fields.text("robots_url")?,
        queries,
        has_queries,
    })
}

fn case_query<'a>(fields: &Fields<'a>) -> Result<CaseQuery<'a>, String> {
    let chain = match (fields.text("agent")?, fields.texts("agents")?) {
        (Some(agent), None) => vec![agent],
        (None, Some(agents)) => agents,
        (Some(_), Some(_)) => {
            return Err("expected agent or agents, but found both".to_owned());
        }
        (None, None) => return Err("expected agent or agents, but found neither".to_owned()),
    };
    let url = fields.text("url")?;
    Ok(CaseQuery {
        chain,
        url: url.ok_or("expected url, but found none")?,
        has_agents: fields.has("agents"),
        expect: expectation(fields, &Verdict::ALL.map(Verdict::as_str))?,
        line: fields.value("line", "the number of a line, or 0 for none")?,
    })
}

/// Returns `expect`, one of some words.
fn expectation<'a>(fields: &Fields<'a>, words: &[&str]) -> Result<Option<Cow<'a, str>>, String> {
    let expect = fields.text("expect")?.map(lossy);
    if expect.as_deref().is_some_and(|word| !words.contains(&word)) {
        let expected = format!("one of {}", words.join(", "));
        return Err(fields.mismatch("expect", &expected));
    }
    Ok(expect)
}

fn lossy(text: Cow<'_, [u8]>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::Dialect;

    fn verdict(line: &str) -> VerdictCase<'_> {
        match read_case(line.as_bytes(), &mut |key| panic!("{key}")) {
            Ok(Case::Verdict(case)) => case,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn fault(line: &str) -> String {
        match read_case(line.as_bytes(), &mut |key| panic!("{key}")) {
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
        assert_eq!(
            case.fetch,
            Some(Fetch::after_redirects(Some(503), 0, false))
        );
        assert_eq!(case.queries[1].expect.as_deref(), Some("allow"));
    }

    #[test]
    fn the_kind_of_a_line_depends_on_its_fields() {
        let kind = |line: &str| match read_case(line.as_bytes(), &mut |key| panic!("{key}")) {
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
        let dialect = Dialect::GOOGLE;
        let fetch = |hops, is_loop| Fetch {
            status: Some(200),
            hops,
            is_loop,
        };
        assert_eq!(fetch(5, false).outcome(&dialect), FetchOutcome::Status(200));
        assert_eq!(fetch(6, false).outcome(&dialect), FetchOutcome::TooManyHops);
        assert_eq!(fetch(0, true).outcome(&dialect), FetchOutcome::TooManyHops);
        let unlimited = Dialect::ORIGINAL_1994;
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
        let dialect = Dialect::GOOGLE;
        let line = r#"{"robots": "", "agent": "a", "url": "/", "redirect_hops": 2}"#;
        let fetch = verdict(line).fetch.expect("the line has a fetch");
        assert_eq!(fetch.outcome(&dialect), FetchOutcome::Status(200));
        let outcome = |line: &str| match read_case(line.as_bytes(), &mut |key| panic!("{key}")) {
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
            ("", "the line ends inside it"),
            ("[]", "expected a JSON object"),
            ("{\"robots\": 1}", "robots: expected a string, but found 1"),
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
                "queries[0]: expected url",
            ),
            (
                r#"{"robots": "", "agent": "a", "queries": []}"#,
                "found both",
            ),
            (r#"{"status": 70000}"#, "70000"),
            (
                r#"{"status": 99}"#,
                "from 100 to 999, or null, but found 99",
            ),
            (r#"{"status": 0}"#, "but found 0"),
            (r#"{"status": 200.5}"#, "but found 200.5"),
            (
                r#"{"status": 200, "expect": "allow"}"#,
                "one of conditional, ",
            ),
            (r#"{"status": 200, "line": 3}"#, "found \"line\""),
            (
                r#"{"robots_url": "a", "url": "b", "expect": "allow"}"#,
                "found \"expect\"",
            ),
            (
                r#"{"robots": "", "agent": "a", "url": "/", "applies": true}"#,
                "found \"applies\"",
            ),
            (
                r#"{"robots": "", "agnet": "a", "url": "/"}"#,
                "found \"agnet\"",
            ),
            (
                r#"{"robots": "", "queries": [{"agent": "a", "url": "/", "id": 1}]}"#,
                "queries[0]: expected the keys",
            ),
        ] {
            let message = fault(line);
            assert!(message.contains(says), "{line}: {message}");
        }
    }
}
