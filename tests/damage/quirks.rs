//! The archives of `../shared/quirks`, each unusual or damaged in one way: whole records are read,
//! and losses are reported.

use std::{collections::BTreeSet, fs, path::Path};

use robocensus::{Config, Progress, Summary, robots::matrix::read_agents};

use super::{contents_of_members, zstd_frame};
use crate::util::{Census, Dir, Held, gzip, run, run_alone, shared};

struct Read {
    census: Census,
    summary: Summary,
    _dir: Dir,
}

impl Read {
    fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap().to_str().unwrap();
        Self::of_bytes(name, fs::read(path).unwrap())
    }

    fn of_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let dir = Dir::new();
        let out = dir.path("census");
        let summary = run_alone(Held::new(name, bytes), &out);
        Self {
            census: Census(out),
            summary,
            _dir: dir,
        }
    }

    /// Returns the first labels of the hosts with captures.
    fn hosts(&self) -> BTreeSet<String> {
        let hosts = self.census.table("captures").all_texts("url_host_name");
        hosts
            .into_iter()
            .map(|host| host.split('.').next().unwrap().to_owned())
            .collect()
    }

    /// Returns those of the hosts without a capture.
    fn missing(&self, hosts: &str) -> String {
        let found = self.hosts();
        let is_missing = |host: &char| !found.contains(&host.to_string());
        hosts.chars().filter(is_missing).collect()
    }

    fn codes(&self) -> Vec<String> {
        self.census.table("archive_errors").all_texts("code")
    }
}

#[test]
fn whole_records_are_read_and_damage_is_reported() {
    let Some(folder) = shared("quirks") else {
        return;
    };
    let expected = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<_> = line.split('\t').collect();
        let [name, hosts, error, ..] = cells[..] else {
            panic!("{line}")
        };
        let read = Read::of(&folder.join(name));
        let missing = read.missing(hosts);
        let codes = read.codes();
        let is_error_right = match error {
            "yes" => !codes.is_empty(),
            "no" => codes.is_empty(),
            _ => true,
        };
        if !missing.is_empty() || !is_error_right {
            wrong.push(format!(
                "{name}: without {missing:?}, {codes:?} where errors: {error}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_archive_of_the_folder_has_an_expectation() {
    let Some(folder) = shared("quirks") else {
        return;
    };
    let expected = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let named: BTreeSet<_> = expected
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .collect();
    let there: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".warc"))
        .collect();
    assert_eq!(named, there);
}

#[test]
fn the_same_records_are_read_in_every_framing() {
    let Some(folder) = shared("quirks") else {
        return;
    };
    let expected = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let mut archives = Vec::new();
    let mut wanted = Vec::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<_> = line.split('\t').collect();
        let bytes = fs::read(folder.join(cells[0])).unwrap();
        // The long archive is slow to compress, and a file that is not an archive has no records.
        let members =
            contents_of_members(&bytes).filter(|_| bytes.len() < 50_000 && !cells[1].is_empty());
        let Some(members) = members else {
            continue;
        };
        let all = members.concat();
        for (framing, bytes) in [
            ("plain", all.clone()),
            ("one-member", gzip(&all)),
            ("blocks", all.chunks(700).flat_map(gzip).collect()),
            (
                "frames",
                members.iter().flat_map(|bytes| zstd_frame(bytes)).collect(),
            ),
            ("one-frame", zstd_frame(&all)),
        ] {
            let name = format!("{framing}-{}", cells[0]);
            archives.push(Held::new(&name, bytes).source());
            wanted.push((name, cells[1], cells[2]));
        }
    }
    assert!(wanted.len() > 300, "{}", wanted.len());
    let dir = Dir::new();
    let mut config = Config::new(dir.path("census"));
    config.matrix.agents = read_agents("*\n", &mut |_| {}).unwrap();
    robocensus::run(&config, &archives, &Progress::default()).unwrap();
    let census = Census(dir.path("census"));
    let captures = census.table("captures");
    let names = captures.all_texts("warc_filename").into_iter();
    let found: BTreeSet<_> = names.zip(captures.all_texts("url_host_name")).collect();
    let damaged: BTreeSet<_> = census
        .table("archive_errors")
        .all_texts("warc_filename")
        .into_iter()
        .collect();
    let mut wrong = Vec::new();
    for (name, hosts, error) in wanted {
        let is_missing = |host: &char| !found.contains(&(name.clone(), format!("{host}.example")));
        let missing: String = hosts.chars().filter(is_missing).collect();
        let is_damaged = damaged.contains(&name);
        if !missing.is_empty() || error == "yes" && !is_damaged || error == "no" && is_damaged {
            wrong.push(format!("{name}: without {missing:?}, errors {is_damaged}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_arc_archive_is_named_with_the_way_to_convert_it() {
    let arc = "filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76\n1 1 InternetArchive\n";
    for (name, bytes) in [("a.arc", arc.into()), ("a.arc.gz", gzip(arc.as_bytes()))] {
        let read = Read::of_bytes(name, bytes.clone());
        assert_eq!(read.codes(), ["arc_archive"], "{name}");
        let archives = read.census.table("archives");
        assert_eq!(archives.all_ints("bytes_skipped"), [bytes.len() as i64]);
        assert_eq!(read.summary.incomplete[0].name, name);
        let dir = Dir::new();
        let words = [dir.write(name, &bytes), "--out".into(), dir.word("census")];
        let said = run(&words).end_with(1).stderr;
        assert!(said.contains("warcio recompress"), "{said}");
    }
}

#[test]
fn a_member_beyond_the_limit_is_a_row_and_the_run_continues() {
    let Some(path) = shared("quirks/32-78MB-body.warc.gz") else {
        return;
    };
    let dir = Dir::new();
    let words = |limit: &str| {
        let words = [
            path.to_str().unwrap(),
            "--max-member",
            limit,
            "--overwrite",
            "--out",
        ];
        [words.map(str::to_owned).to_vec(), vec![dir.word("census")]].concat()
    };
    let said = run(&words("1M")).end_with(1).stderr;
    assert!(said.contains("--max-member"), "{said}");
    let census = Census(dir.path("census"));
    assert_eq!(
        census.table("archive_errors").all_texts("code"),
        ["member_too_long"]
    );
    let archives = census.table("archives");
    let sum = archives.sum("member_bytes") + archives.sum("bytes_skipped");
    assert_eq!(sum, archives.sum("bytes"));
    let hosts = census.table("captures").all_texts("url_host_name");
    assert!(
        hosts.iter().any(|host| host.starts_with("a."))
            && hosts.iter().any(|host| host.starts_with("c."))
    );
    run(&words("100M")).succeed();
}
