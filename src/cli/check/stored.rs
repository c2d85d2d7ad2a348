//! `robocensus check --data`: the robots.txt of a capture, read from its archive.

use std::{
    io::{self, Write},
    path::Path,
};

use robocensus::{
    dataset::{
        lookup::{
            CaptureSelector, CaptureStore, FoundCapture, OtherOrigin, StoredBody, StoredCapture,
        },
        run::WrittenTables,
    },
    robots::{
        dialect::{Access, Dialect},
        matrix::MatrixAgent,
    },
};
use serde_json::{Value, json};

use super::{
    super::{
        args::CheckArgs, layout::listed, progress::note_waits, template::rendered,
        values::absolute_url,
    },
    CheckQuery, Source, print_report,
    time::utc,
};

/// What is printed of a capture.
const TEXT: &str = include_str!("../templates/check/capture.txt.j2");

/// Other origins that are shown; `--json` has them all.
const MAX_SHOWN: usize = 5;

/// Finds the capture, reads its body where lines decide, and prints the decision.
pub fn run(
    args: &CheckArgs,
    data: &Path,
    specs: &[Dialect],
    agents: Vec<MatrixAgent>,
) -> anyhow::Result<u8> {
    note_waits();
    let store = CaptureStore::open(data)?;
    let selector = match (&args.host, args.capture) {
        (Some(host), _) => CaptureSelector::Host(host.clone()),
        (None, id) => CaptureSelector::Id(id.unwrap_or_default()),
    };
    let found = store.find(&selector, &args.archives)?;
    let wanted = capture_read(&found, specs, args.body);
    let body = match wanted {
        Some(capture) => Some((capture, store.read_body(capture, &args.archives)?)),
        None => None,
    };
    let bytes = body.as_ref().map_or(&[][..], |(_, body)| &body.bytes);
    if args.body {
        io::stdout().write_all(bytes)?;
        return Ok(0);
    }
    let has_redirects = WrittenTables::of_dataset(data)?.contains("redirects");
    let capture = &found.capture;
    let origin = origin_in_url(&capture.origin);
    let mut urls: Vec<_> = (args.evaluation.url.iter())
        .map(|url| absolute_url(origin, url))
        .collect();
    if urls.is_empty() {
        urls.push(format!("{origin}/"));
    }
    // The file counts for the origin that was asked, wherever its redirects lead.
    let robots_url = format!("{origin}/robots.txt");
    let archive = body.as_ref().and_then(|(_, body)| body.archive.clone());
    let query = CheckQuery {
        name: archive.unwrap_or_else(|| capture.url.clone()),
        agents: &agents,
        urls: &urls,
        status: capture.fetch_status,
        robots_url: Some(&robots_url),
        source: Some(source(&found, body.as_ref(), has_redirects)),
    };
    let outcome = |spec: &Dialect| Some(found.end(spec).outcome);
    print_report(args, query, outcome, specs, bytes)
}

/// Returns the capture whose body is read: that of which a dialect reads the lines, or for the body
/// alone that at the end of the redirects.
fn capture_read<'f>(
    found: &'f FoundCapture,
    specs: &[Dialect],
    is_body_wanted: bool,
) -> Option<&'f StoredCapture> {
    let mut ends = specs.iter().map(|spec| (spec, found.end(spec)));
    let read = ends.find(|(spec, end)| {
        is_body_wanted || spec.access.decide(end.outcome) == Access::Conditional
    });
    read.map(|(_, end)| end.capture)
}

/// Returns an origin as it is in a URL: without the default port.
fn origin_in_url(origin: &str) -> &str {
    let default = match origin.split_once(':') {
        Some(("https", _)) => ":443",
        Some(("http", _)) => ":80",
        _ => return origin,
    };
    origin.strip_suffix(default).unwrap_or(origin)
}

/// Returns a capture as the source of what is checked; `read` is the capture whose body counts, and
/// the body, unless no line is read.
fn source(
    found: &FoundCapture,
    read: Option<&(&StoredCapture, StoredBody)>,
    has_redirects: bool,
) -> Source {
    let FoundCapture {
        capture,
        redirect,
        others,
    } = found;
    let mut value = in_json(capture);
    value["redirect"] = json!(redirect.as_ref().map(|redirect| {
        json!({
            "outcome": redirect.outcome.as_str(),
            "hops": redirect.hops,
            "final_url": redirect.final_url,
            "end": redirect.end.as_ref().map(in_json),
        })
    }));
    let origin =
        |other: &OtherOrigin| json!({"origin": other.origin, "capture_id": other.capture_id});
    value["other_origins"] = others.iter().map(origin).collect();
    value["body"] = json!(read.map(|(capture, body)| {
        json!({
            "capture_id": capture.id,
            "archive": body.archive,
            "bytes": body.bytes.len(),
            "is_digest_as_stated": body.other_digest.is_none(),
        })
    }));
    let mut facts = value.clone();
    facts["described"] = described(capture).into();
    facts["end"] = json!(redirect.as_ref().map(|redirect| match &redirect.end {
        Some(end) => described(end),
        None => redirect.final_url.clone(),
    }));
    facts["is_redirect"] = matches!(capture.fetch_status, Some(300..=399)).into();
    facts["has_redirects"] = has_redirects.into();
    facts["read"] = json!(read.map(|(capture, _)| in_json(capture)));
    facts["other_digest"] = json!(read.and_then(|(_, body)| body.other_digest.as_ref()));
    let named = others.iter();
    let named = named.map(|other| format!("{} (capture {})", other.origin, other.capture_id));
    facts["others"] = listed(&named.collect::<Vec<_>>(), MAX_SHOWN).into();
    Source {
        text: rendered(TEXT, facts),
        key: "capture",
        json: value,
    }
}

fn described(capture: &StoredCapture) -> String {
    let fetched = match capture.fetch_time {
        Some(micros) => format!("fetched {}", utc(micros)),
        None => "fetched at an unknown time".to_owned(),
    };
    let status = match capture.fetch_status {
        Some(status) => format!("status {status}"),
        None => "no status".to_owned(),
    };
    let truncated = match &capture.truncated {
        Some(reason) => format!(", cut off: {reason}"),
        None => String::new(),
    };
    let StoredCapture { id, url, .. } = capture;
    format!("{id}: {url}, {fetched}, {status}{truncated}")
}

fn in_json(capture: &StoredCapture) -> Value {
    json!({
        "capture_id": capture.id,
        "url": capture.url,
        "fetch_time": capture.fetch_time.map(utc),
        "fetch_status": capture.fetch_status,
        "content_truncated": capture.truncated,
        "content_length": capture.content_length,
        "content_digest": capture.content_digest,
        "warc_filename": capture.warc_filename,
        "warc_record_offset": capture.offset,
        "warc_record_length": capture.length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_default_ports_are_left_out() {
        for (origin, written) in [
            ("https://a.example:443", "https://a.example"),
            ("http://a.example:80", "http://a.example"),
            ("http://a.example:443", "http://a.example:443"),
            ("https://[::1]:8443", "https://[::1]:8443"),
        ] {
            assert_eq!(origin_in_url(origin), written);
        }
    }
}
