//! Nothing is lost between an archive and its rows: bytes, records, captures and cells add up, in
//! whole archives and in damaged ones.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::PathBuf,
    sync::OnceLock,
};

use crate::util::{
    Census, Dir, Held, Table, files_below, generated, gzip, lasting, package, read, response,
    response_with, shared,
};
use robocensus::{
    Config, Progress,
    dialect::builtin,
    matrix::{Matrix, read_agents, read_urls},
    random::Random,
    sample,
    table::TABLES,
};

const AGENTS: &str = "GPTBot\nCCBot\n*\n";
/// Two paths for everybody, and two URLs of one origin.
const URLS: &str = "/\n/x\nhttp://a.example/y\nhttp://a.example:80/z\n";

/// Returns a dataset of two dialects and several parts, of archives of which half are damaged.
fn mixed() -> &'static Census {
    static ONCE: OnceLock<Census> = OnceLock::new();
    ONCE.get_or_init(|| make_mixed(lasting("mixed").join("census")))
}

fn make_mixed(out: PathBuf) -> Census {
    let mut whole = Vec::new();
    let options = sample::Options {
        captures: 400,
        seed: 5,
    };
    sample::write(&options, &mut whole).unwrap();
    let cut = whole[..whole.len() * 2 / 3].to_vec();
    let mut spoilt = whole.clone();
    let middle = whole.len() / 2;
    spoilt[middle..middle + 50].fill(0xff);
    let garbage = [&whole[..], b"no member", &gzip(&three())].concat();
    let mut archives = vec![
        Held::new("a-whole.warc.gz", whole),
        Held::new("b-cut.warc.gz", cut),
        Held::new("c-spoilt.warc.gz", spoilt),
        Held::new("d-garbage.warc.gz", garbage),
        Held::new("e-plain.warc", three()),
        Held::new("f-empty.warc.gz", Vec::new()),
        Held::new("g-page.warc.gz", b"<html>not found</html>".to_vec()),
        Held::new("h-other-records.warc.gz", gzip(&other_records())),
        Held::new("j-odd-response.warc", odd_response()),
    ];
    for name in ["corrupt-member.warc.gz", "truncated-member.warc.gz"] {
        let path = package().join("data-sample/damaged").join(name);
        archives.push(Held::new(
            &format!("i-{name}"),
            std::fs::read(path).unwrap(),
        ));
    }
    let mut config = Config::new(&out);
    config.dialects = ["google", "rfc9309"]
        .map(|name| builtin(name).unwrap())
        .into();
    config.matrix = Matrix {
        agents: read_agents(AGENTS).unwrap(),
        urls: read_urls(URLS).unwrap(),
    };
    config.part_bytes = 100_000;
    let archives: Vec<_> = archives.into_iter().map(Held::source).collect();
    let summary = robocensus::run(&config, &archives, &Progress::default()).unwrap();
    assert!(summary.parts > 3);
    assert!(summary.counts.archives_incomplete >= 5);
    Census(out)
}

/// Returns a dataset of every archive that is at hand: those of the sample, the odd ones beside the
/// package, and 300 with damage made at random.
fn everything() -> &'static Census {
    static ONCE: OnceLock<Census> = OnceLock::new();
    ONCE.get_or_init(|| {
        let mut archives = at_random();
        let folders = ["archives", "damaged"].map(|name| package().join("data-sample").join(name));
        for folder in folders.into_iter().chain(shared("quirks")) {
            let is_archive = |path: &PathBuf| {
                path.to_str()
                    .is_some_and(|path| path.contains(".warc") && !path.ends_with(".json"))
            };
            for path in files_below(&folder).into_iter().filter(is_archive) {
                let name = path.file_name().unwrap().to_str().unwrap();
                archives.push(Held::new(name, std::fs::read(&path).unwrap()));
            }
        }
        let out = lasting("everything").join("census");
        let mut config = Config::new(&out);
        config.matrix.agents = read_agents("*\n").unwrap();
        let sizes: HashMap<_, _> = archives
            .iter()
            .map(|archive| (archive.name.clone(), archive.bytes.len() as i64))
            .collect();
        let archives: Vec<_> = archives.into_iter().map(Held::source).collect();
        robocensus::run(&config, &archives, &Progress::default()).unwrap();
        let table = Census(out).table("archives");
        for (name, bytes) in table
            .all_texts("warc_filename")
            .iter()
            .zip(table.all_ints("bytes"))
        {
            assert_eq!(bytes, sizes[name], "{name} is read to its end");
        }
        Census(lasting("everything").join("census"))
    })
}

/// Returns small archives in five packings with bytes inverted, cut, put in or taken out.
fn at_random() -> Vec<Held> {
    let records = [three(), other_records(), three()].concat();
    let members: Vec<_> = records.chunks(400).collect();
    let frame = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let packings = [
        ("plain", records.clone()),
        ("member", gzip(&records)),
        (
            "blocks",
            members.iter().flat_map(|bytes| gzip(bytes)).collect(),
        ),
        ("frame", frame(&records)),
        (
            "frames",
            members.iter().flat_map(|bytes| frame(bytes)).collect(),
        ),
    ];
    let mut random = Random::new(11);
    let damaged = |round: usize| {
        let (name, bytes) = &packings[round % packings.len()];
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            let end = (at + random.below(60)).min(bytes.len());
            match random.below(4) {
                0 => bytes[at..end].iter_mut().for_each(|byte| *byte = !*byte),
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.drain(at..end)),
                _ => drop(bytes.splice(at..at, (0..60_u8).map(|n| n.wrapping_mul(7)))),
            }
            if bytes.is_empty() {
                break;
            }
        }
        Held::new(&format!("random-{round:03}-{name}.warc"), bytes)
    };
    (0..300).map(damaged).collect()
}

fn three() -> Vec<u8> {
    ["a", "b", "c"]
        .map(|host| {
            response(
                &format!("http://{host}.example/robots.txt"),
                "User-agent: *\nDisallow: /\n",
            )
        })
        .concat()
}

/// Returns a capture with an anomaly in its file and another in the response that carried it.
fn odd_response() -> Vec<u8> {
    let coding = "Transfer-Encoding: chunked";
    let body = "ff\r\nUser-agent: *\nDisalow: /\n";
    response_with("http://odd.example/robots.txt", coding, body)
}

/// Returns one record of each kind that is no capture.
fn other_records() -> Vec<u8> {
    let of_type = |kind: &str| {
        let text = String::from_utf8(response("http://a.example/robots.txt", "")).unwrap();
        text.replace("WARC-Type: response\r\n", kind).into_bytes()
    };
    let mut records = Vec::new();
    for kind in [
        "warcinfo",
        "request",
        "resource",
        "metadata",
        "revisit",
        "conversion",
        "continuation",
        "screenshot",
    ] {
        records.extend(of_type(&format!("WARC-Type: {kind}\r\n")));
    }
    records.extend(of_type(""));
    let text = String::from_utf8(response("http://a.example/robots.txt", "")).unwrap();
    let uri = "WARC-Target-URI: http://a.example/robots.txt\r\n";
    records.extend(text.replace(uri, "").into_bytes());
    records.extend(
        text.replace("application/http", "text/dns")
            .replace("HTTP/1.1", "20260102")
            .into_bytes(),
    );
    records.extend(response("no-url", ""));
    records.extend(response("http://a.example/page", ""));
    records
}

#[test]
fn bytes_of_members_and_bytes_skipped_are_the_bytes_of_the_file() {
    for census in [mixed(), everything()] {
        let archives = census.table("archives");
        let names = archives.all_texts("warc_filename");
        let [bytes, members, skipped] =
            ["bytes", "member_bytes", "bytes_skipped"].map(|column| archives.all_ints(column));
        for (row, name) in names.iter().enumerate() {
            assert_eq!(members[row] + skipped[row], bytes[row], "{name}");
        }
        let lost = names.iter().zip(&skipped).filter(|(_, bytes)| **bytes > 0);
        assert!(lost.count() >= 5, "{skipped:?}");
    }
}

#[test]
fn records_are_captures_or_skipped_for_a_reason_that_is_named() {
    let reasons = skip_columns();
    for census in [mixed(), everything()] {
        let archives = census.table("archives");
        let columns: HashMap<_, _> = ["record_count", "capture_count"]
            .iter()
            .chain(&reasons)
            .map(|&column| (column, archives.all_ints(column)))
            .collect();
        for (row, name) in archives.all_texts("warc_filename").iter().enumerate() {
            let of = |column: &str| columns[column][row];
            let skipped: i64 = reasons.iter().map(|reason| of(reason)).sum();
            assert_eq!(of("record_count"), of("capture_count") + skipped, "{name}");
            let is_one_of_each = name.starts_with("h-");
            let others = reasons.iter().filter(|name| **name != "skipped_unreadable");
            for reason in others.filter(|_| is_one_of_each) {
                assert_eq!(of(reason), 1, "{reason}");
            }
        }
    }
}

fn skip_columns() -> Vec<&'static str> {
    let archives = TABLES
        .iter()
        .find(|table| table.name == "archives")
        .unwrap();
    let names = archives.columns.iter().map(|column| column.name);
    names.filter(|name| name.starts_with("skipped_")).collect()
}

#[test]
fn an_archive_is_as_many_captures_and_faults_as_its_row_says() {
    let census = mixed();
    let archives = census.table("archives");
    let names = archives.all_texts("warc_filename");
    for (table, column) in [
        ("captures", "capture_count"),
        ("archive_errors", "error_count"),
    ] {
        let mut rows: HashMap<String, i64> = HashMap::new();
        for name in census.table(table).all_texts("warc_filename") {
            *rows.entry(name).or_default() += 1;
        }
        for (name, said) in names.iter().zip(archives.all_ints(column)) {
            assert_eq!(rows.remove(name).unwrap_or_default(), said, "{name}");
        }
        assert!(
            rows.is_empty(),
            "{table} knows archives that archives does not: {rows:?}"
        );
    }
}

#[test]
fn bytes_skipped_are_those_of_the_faults() {
    for census in [mixed(), everything()] {
        assert_faults_sum_up(census);
    }
}

fn assert_faults_sum_up(census: &Census) {
    let errors = census.table("archive_errors");
    let mut of_faults: HashMap<String, i64> = HashMap::new();
    for (name, bytes) in errors
        .all_texts("warc_filename")
        .into_iter()
        .zip(errors.all_ints("bytes_skipped"))
    {
        *of_faults.entry(name).or_default() += bytes;
    }
    let archives = census.table("archives");
    for (name, bytes) in archives
        .all_texts("warc_filename")
        .iter()
        .zip(archives.all_ints("bytes_skipped"))
    {
        assert_eq!(
            of_faults.get(name).copied().unwrap_or_default(),
            bytes,
            "{name}"
        );
    }
}

#[test]
fn capture_ids_are_unique_and_rise_inside_a_part() {
    for census in [mixed(), &generated().census] {
        let captures = census.table("captures");
        let ids = captures.all_ints("capture_id");
        let unique: HashSet<_> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len());
        let names = captures.all_texts("warc_filename");
        for (id, name) in ids.windows(2).zip(names.windows(2)) {
            assert!(id[0] < id[1] || name[0] != name[1], "{id:?} in {name:?}");
        }
    }
}

#[test]
fn every_row_below_captures_belongs_to_a_capture_and_its_host() {
    for census in [mixed(), &generated().census] {
        let hosts = hosts(census);
        for table in [
            "groups",
            "agents",
            "rules",
            "directives",
            "errors",
            "verdicts",
            "policies",
        ] {
            let rows = census.table(table);
            assert!(rows.n_rows() > 0);
            let names = rows.all_texts("url_host_name");
            for (id, name) in rows.all_ints("capture_id").iter().zip(&names) {
                assert_eq!(hosts.get(id), Some(name), "{table}");
            }
        }
    }
}

fn hosts(census: &Census) -> HashMap<i64, String> {
    let captures = census.table("captures");
    let ids = captures.all_ints("capture_id");
    ids.into_iter()
        .zip(captures.all_texts("url_host_name"))
        .collect()
}

#[test]
fn the_counts_of_a_capture_are_its_rows() {
    for census in [mixed(), &generated().census] {
        let captures = census.table("captures");
        let ids = captures.all_ints("capture_id");
        let by_kind = |kind: &str| {
            let rules = census.table("rules");
            let kinds = rules.all_texts("rule_kind");
            tally(
                rules
                    .all_ints("capture_id")
                    .into_iter()
                    .zip(kinds)
                    .filter(|(_, k)| k == kind)
                    .map(|(id, _)| id),
            )
        };
        let sitemaps = {
            let directives = census.table("directives");
            let keys = directives.all_texts("key");
            tally(
                directives
                    .all_ints("capture_id")
                    .into_iter()
                    .zip(keys)
                    .filter(|(_, k)| k == "sitemap")
                    .map(|(id, _)| id),
            )
        };
        let rows = |table: &str| tally(census.table(table).all_ints("capture_id"));
        for (column, rows) in [
            ("group_count", rows("groups")),
            ("rule_count", rows("rules")),
            ("allow_count", by_kind("allow")),
            ("disallow_count", by_kind("disallow")),
            ("sitemap_count", sitemaps),
            ("error_count", rows("errors")),
        ] {
            for (id, said) in ids.iter().zip(captures.ints(column)) {
                let found = rows.get(id).copied().unwrap_or_default();
                assert_eq!(said.unwrap_or_default(), found, "{column}");
            }
        }
    }
}

fn tally(ids: impl IntoIterator<Item = i64>) -> HashMap<i64, i64> {
    let mut tally = HashMap::new();
    for id in ids {
        *tally.entry(id).or_default() += 1;
    }
    tally
}

#[test]
fn the_counts_of_a_group_are_its_rows() {
    let census = &generated().census;
    let key = |table: &Table| {
        let groups = table.ints("group_index");
        table.all_ints("capture_id").into_iter().zip(groups)
    };
    let count = |table: &str| {
        let mut count: HashMap<(i64, Option<i64>), i64> = HashMap::new();
        for key in key(&census.table(table)) {
            *count.entry(key).or_default() += 1;
        }
        count
    };
    let groups = census.table("groups");
    for (table, column) in [("agents", "agent_count"), ("rules", "rule_count")] {
        let rows = count(table);
        for (key, said) in key(&groups).zip(groups.all_ints(column)) {
            assert_eq!(
                rows.get(&key).copied().unwrap_or_default(),
                said,
                "{column}"
            );
        }
    }
    let parts = groups
        .all_ints("allow_count")
        .into_iter()
        .zip(groups.all_ints("disallow_count"));
    let sums: Vec<_> = parts.map(|(allow, disallow)| allow + disallow).collect();
    assert_eq!(sums, groups.all_ints("rule_count"));
}

#[test]
fn every_dialect_answers_every_agent_for_every_path_and_for_the_urls_of_the_origin() {
    let census = mixed();
    let captures = census.table("captures");
    let (n_dialects, n_agents, n_paths, n_own) = (2, 3, 2, 2);
    let own = captures.all_texts("origin");
    let own = own
        .iter()
        .filter(|origin| *origin == "http://a.example:80")
        .count();
    assert!(own >= 2);
    let cells = n_dialects * n_agents * (n_paths * captures.n_rows() + n_own * own);
    let verdicts = census.table("verdicts");
    assert_eq!(verdicts.n_rows(), cells);
    let mut by_dialect: BTreeMap<String, usize> = BTreeMap::new();
    for dialect in verdicts.all_texts("dialect") {
        *by_dialect.entry(dialect).or_default() += 1;
    }
    assert_eq!(
        by_dialect.into_iter().collect::<Vec<_>>(),
        [
            ("google".to_owned(), cells / 2),
            ("rfc9309".to_owned(), cells / 2)
        ]
    );
}

#[test]
fn no_cell_is_answered_twice() {
    let census = &generated().census;
    let verdicts = census.table("verdicts");
    let n_cells = verdicts.n_rows();
    let cells: HashSet<_> = verdicts
        .all_ints("capture_id")
        .into_iter()
        .zip(verdicts.all_texts("agent"))
        .zip(verdicts.all_texts("url"))
        .collect();
    assert_eq!(cells.len(), n_cells);
    assert_eq!(n_cells, 24 * 6 * census.table("captures").n_rows());
}

#[test]
fn a_verdict_that_a_rule_decided_names_a_line_of_rules() {
    let census = &generated().census;
    let rules = census.table("rules");
    let lines: HashSet<_> = rules
        .all_ints("capture_id")
        .into_iter()
        .zip(rules.all_ints("line"))
        .collect();
    let verdicts = census.table("verdicts");
    let ids = verdicts.all_ints("capture_id");
    let bases = verdicts.all_texts("basis");
    let mut decided = 0;
    for ((id, basis), line) in ids.into_iter().zip(bases).zip(verdicts.ints("rule_line")) {
        assert_eq!(line.is_some(), basis == "rule");
        if let Some(line) = line {
            assert!(lines.contains(&(id, line)), "{id}, line {line}");
            decided += 1;
        }
    }
    assert!(decided > 1_000);
}

#[test]
fn lines_of_errors_lie_inside_their_files_and_only_files_that_are_read_have_them() {
    let census = &generated().census;
    let captures = census.table("captures");
    let ids = captures.all_ints("capture_id");
    let lines: HashMap<_, _> = ids.into_iter().zip(captures.ints("line_count")).collect();
    let errors = census.table("errors");
    for (id, line) in errors
        .all_ints("capture_id")
        .iter()
        .zip(errors.ints("line"))
    {
        let Some(line) = line else { continue };
        let n_lines = lines[id].expect("a file that is not read has no lines");
        assert!(
            (1..=n_lines + 1).contains(&line),
            "line {line} of {n_lines}"
        );
    }
}

#[test]
fn the_offset_and_length_of_a_capture_cut_its_record_out_of_the_archive() {
    let made = generated();
    let captures = made.census.table("captures");
    let bytes = std::fs::read(&made.archive).unwrap();
    let offsets = captures.all_ints("warc_record_offset");
    let lengths = captures.all_ints("warc_record_length");
    let urls = captures.all_texts("url");
    let dir = Dir::new();
    for row in (0..captures.n_rows()).step_by(100) {
        let start = usize::try_from(offsets[row]).unwrap();
        let end = start + usize::try_from(lengths[row]).unwrap();
        let member = dir.path("member.gz");
        std::fs::write(&member, &bytes[start..end]).unwrap();
        let record = String::from_utf8_lossy(&read(&member)).into_owned();
        let uri = format!("WARC-Target-URI: {}", urls[row]);
        assert!(record.starts_with("WARC/1.0\r\nWARC-Type: response"));
        assert!(record.lines().any(|line| line == uri), "{uri} in {record}");
    }
}

#[test]
fn the_crawl_delay_of_a_group_is_its_first_that_is_a_number() {
    let census = &generated().census;
    let directives = census.table("directives");
    let keys = directives.all_texts("key");
    let groups = directives.ints("group_index");
    let ids = directives.all_ints("capture_id");
    let mut wanted = HashMap::new();
    for (row, number) in directives.floats("value_number").into_iter().enumerate() {
        if let (true, Some(group), Some(number)) = (keys[row] == "crawl-delay", groups[row], number)
        {
            wanted.entry((ids[row], group)).or_insert(number);
        }
    }
    assert!(!wanted.is_empty());
    let groups = census.table("groups");
    let keys = groups
        .all_ints("capture_id")
        .into_iter()
        .zip(groups.all_ints("group_index"));
    for (key, delay) in keys.zip(groups.floats("crawl_delay")) {
        assert_eq!(delay, wanted.remove(&key));
    }
    assert!(wanted.is_empty());
}
