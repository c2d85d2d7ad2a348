//! Bytes, records, captures and faults of an archive add up, whole or damaged.

use std::{path::PathBuf, sync::OnceLock};

use robocensus::{Config, Progress, archive::capture::Skip, dataset::verify::verify};

use crate::util::{Census, Held, gzip, lasting, package, response, response_with, sample};

/// Returns a dataset of several parts, of archives of which half are damaged.
pub fn mixed() -> &'static Census {
    static ONCE: OnceLock<Census> = OnceLock::new();
    ONCE.get_or_init(|| make_mixed(lasting("mixed").join("census")))
}

fn make_mixed(out: PathBuf) -> Census {
    let whole = sample(400, 5);
    let cut = whole[..whole.len() * 2 / 3].to_vec();
    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle..middle + 50].fill(0xff);
    let garbage = [&whole[..], b"no member", &gzip(&three())].concat();
    let mut archives = vec![
        Held::new("a-whole.warc.gz", whole),
        Held::new("b-cut.warc.gz", cut),
        Held::new("c-damaged.warc.gz", damaged),
        Held::new("d-garbage.warc.gz", garbage),
        Held::new("e-plain.warc", three()),
        Held::new("f-empty.warc.gz", Vec::new()),
        Held::new("g-page.warc.gz", b"<html>not found</html>".to_vec()),
        Held::new("h-other-records.warc.gz", gzip(&other_records())),
        Held::new("j-damaged-response.warc", damaged_response()),
    ];
    for name in ["corrupt-member.warc.gz", "truncated-member.warc.gz"] {
        let path = package().join("data-sample/damaged").join(name);
        let bytes = std::fs::read(path).unwrap();
        archives.push(Held::new(&format!("k-{name}"), bytes));
    }
    let mut config = Config::new(&out);
    config.part_bytes = 100_000;
    let archives: Vec<_> = archives.into_iter().map(Held::source).collect();
    let summary = robocensus::run(&config, &archives, &Progress::default()).unwrap();
    assert!(summary.parts > 3);
    assert!(summary.counts.archives_incomplete >= 5);
    let census = Census(out);
    census.assert_counts(&summary.counts);
    census
}

fn three() -> Vec<u8> {
    let record = |host| {
        let url = format!("http://{host}.example/robots.txt");
        response(&url, "User-agent: *\nDisallow: /\n")
    };
    ["a", "b", "c"].map(record).concat()
}

/// Returns a capture with a finding on its file and another on its response.
fn damaged_response() -> Vec<u8> {
    let coding = "Transfer-Encoding: chunked";
    let body = "ff\r\nUser-agent: *\nDisalow: /\n";
    response_with("http://odd.example/robots.txt", coding, body)
}

/// Returns one record of each kind that is not a capture.
fn other_records() -> Vec<u8> {
    let url = "http://a.example/robots.txt";
    let record = String::from_utf8(response(url, "")).unwrap();
    let types = "warcinfo request resource metadata revisit conversion continuation screenshot";
    let of_types = types
        .split(' ')
        .map(|own| record.replacen("response", own, 1));
    let others = [
        record.replace("WARC-Type: response\r\n", ""),
        record.replace(&format!("WARC-Target-URI: {url}\r\n"), ""),
        (record.replace("application/http", "text/dns")).replace("HTTP/1.1", "20260102"),
        record.replace(url, "no-url"),
        record.replace(url, "http://a.example/page"),
    ];
    of_types.chain(others).collect::<String>().into_bytes()
}

#[test]
fn bytes_records_and_faults_of_each_archive_add_up() {
    let verified = verify(&mixed().0, &Progress::default()).unwrap();
    assert_eq!(verified.violations, []);
}

#[test]
fn a_record_that_is_no_capture_is_skipped_for_a_reason_that_is_named() {
    let skipped = mixed().skipped();
    for reason in Skip::ALL {
        if !matches!(reason, Skip::OutsideCohort | Skip::Unreadable) {
            let archive = "h-other-records.warc.gz".to_owned();
            assert_eq!(skipped[&(archive, reason.as_str().to_owned())], 1);
        }
    }
}
