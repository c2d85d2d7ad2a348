//! `robocensus check --data`: the robots.txt of a capture, read from its archive.

use std::{
    io::{self, Write},
    path::Path,
};

use robocensus::{
    dataset::{
        lookup::{CaptureSelector, CaptureStore, FoundCapture, StoredBody, StoredCapture},
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
        args::CheckArgs,
        layout::{counted, listed},
        progress::note_waits,
        values::absolute_url,
    },
    CheckQuery, Source, check, print_report,
    time::utc,
};

/// Other origins that are shown; `--json` has them all.
const MAX_SHOWN: usize = 5;

/// A capture, and the body that was read for it.
struct StoredSource<'f> {
    found: &'f FoundCapture,
    /// The capture whose body counts, and the body; `None` where no line is read.
    body: Option<&'f (&'f StoredCapture, StoredBody)>,
    /// Whether the dataset was written with the table `redirects`.
    has_redirects: bool,
}

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
    let source = StoredSource {
        found: &found,
        body: body.as_ref(),
        has_redirects: WrittenTables::of_dataset(data)?.contains("redirects"),
    };
    let capture = &found.capture;
    let origin = origin_in_url(&capture.origin);
    let mut urls: Vec<_> = (args.url.iter())
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
        source: Some(Source {
            lines: source.lines(),
            key: "capture",
            json: source.in_json(),
        }),
    };
    let outcome = |spec: &Dialect| Some(found.end(spec).outcome);
    print_report(args, &check(query, outcome, specs, bytes))
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

impl StoredSource<'_> {
    fn lines(&self) -> Vec<(&'static str, String)> {
        let capture = &self.found.capture;
        let mut lines = vec![("capture", described(capture))];
        if let Some(redirect) = &self.found.redirect {
            let hops = counted(redirect.hops, "hop");
            let end = match &redirect.end {
                Some(end) => described(end),
                None => redirect.final_url.clone(),
            };
            let outcome = redirect.outcome.as_str();
            lines.push(("redirect", format!("{outcome}, {hops} to {end}")));
        } else if matches!(capture.fetch_status, Some(300..=399)) {
            let which = if self.has_redirects {
                "which robocensus finish builds"
            } else {
                "which its run did not write; it needs redirects among its --tables"
            };
            let unknown = format!("unknown: the dataset has no table redirects, {which}");
            lines.push(("redirect", unknown));
        }
        if let Some((read, body)) = self.body {
            if let Some(archive) = &body.archive {
                let (offset, length) = (read.offset, read.length);
                let length = length.map_or_else(String::new, |n| format!(", {n} bytes"));
                lines.push(("archive", format!("{archive}, offset {offset}{length}")));
            }
            if let Some(digest) = &body.other_digest {
                let stated = "the archive states another SHA-1 than that of the body";
                lines.push(("digest", format!("{stated}: {digest}")));
            }
        }
        let others = &self.found.others;
        if !others.is_empty() {
            let others = others.iter();
            let others =
                others.map(|other| format!("{} (capture {})", other.origin, other.capture_id));
            let others: Vec<_> = others.collect();
            lines.push(("others", listed(&others, MAX_SHOWN)));
        }
        lines
    }

    fn in_json(&self) -> Value {
        let mut value = in_json(&self.found.capture);
        value["redirect"] = match &self.found.redirect {
            None => Value::Null,
            Some(redirect) => json!({
                "outcome": redirect.outcome.as_str(),
                "hops": redirect.hops,
                "final_url": redirect.final_url,
                "end": redirect.end.as_ref().map(in_json),
            }),
        };
        let others = self.found.others.iter();
        value["other_origins"] = others
            .map(|other| json!({"origin": other.origin, "capture_id": other.capture_id}))
            .collect();
        value["body"] = match self.body {
            None => Value::Null,
            Some((read, body)) => json!({
                "capture_id": read.id,
                "archive": body.archive,
                "bytes": body.bytes.len(),
                "is_digest_as_stated": body.other_digest.is_none(),
            }),
        };
        value
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
