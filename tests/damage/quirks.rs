//! The archives of `../shared/quirks`, each unusual or damaged in one way: whole records are read,
//! and losses are reported.

use std::{collections::BTreeSet, fs};

use robocensus::{Config, Progress, dataset::verify::verify, robots::matrix::read_agents};

use super::{contents_of_members, framed};
use crate::util::{Census, Dir, Held, TestCommand, assert_says, or_skip, run, shared};

/// Each archive as it is and in other framings: all that are expected to be whole are captures, and
/// losses are faults.
#[test]
fn whole_records_are_read_and_damage_is_reported_in_every_framing() {
    let folder = or_skip!(shared("quirks"));
    let expected = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let mut archives = Vec::new();
    let mut wanted = Vec::new();
    let mut named = BTreeSet::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<_> = line.split('\t').collect();
        let bytes = fs::read(folder.join(cells[0])).unwrap();
        named.insert(cells[0].to_owned());
        let mut framings = vec![("as it is", bytes.clone())];
        // The long archive is slow to compress, and a file that is not an archive has no records.
        let members =
            contents_of_members(&bytes).filter(|_| bytes.len() < 50_000 && !cells[1].is_empty());
        framings.extend(members.iter().flat_map(|members| framed(members, 700)));
        for (framing, bytes) in framings {
            let name = format!("{framing}-{}", cells[0]);
            archives.push(Held::new(&name, bytes).source());
            wanted.push((name, cells[1], cells[2]));
        }
    }
    let there = fs::read_dir(&folder).unwrap();
    let there = there.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let there = there.filter(|name| name.contains(".warc"));
    assert_eq!(named, there.collect());
    assert!(wanted.len() > 300, "{}", wanted.len());
    let dir = Dir::new();
    let mut config = Config::new(dir.path("census"));
    config.matrix.agents = read_agents("*\n", &mut |_| {}).unwrap();
    archives.sort_by(|a, b| a.name.cmp(&b.name));
    let summary = robocensus::run(&config, &archives, &Progress::default()).unwrap();
    let census = Census(dir.path("census"));
    census.assert_counts(&summary.counts);
    let sound = verify(&census.0, &Progress::default()).unwrap();
    assert_eq!(sound.violations, []);
    let found = census.table("captures").rows("warc_filename url_host_name");
    let found: BTreeSet<(String, String)> = found.into_iter().collect();
    let damaged = census.table("archive_errors").all_texts("warc_filename");
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
fn a_member_beyond_the_limit_is_a_row_and_the_run_continues() {
    let path = or_skip!(shared("quirks/32-78MB-body.warc.gz"));
    let dir = Dir::new();
    let go = |limit: &str| {
        let command = run(&[path.to_str().unwrap(), "--max-member", limit, "--overwrite"]);
        command.words(&["--out", &dir.word("census")])
    };
    assert_says(&go("1M").end_with(1).stderr, "--max-member");
    let census = Census(dir.path("census"));
    let codes = census.table("archive_errors").all_texts("code");
    assert_eq!(codes, ["member_too_long"]);
    TestCommand::new(["verify", &dir.word("census")]).succeed();
    let hosts = census.table("captures").all_texts("url_host_name");
    let has = |name: &str| hosts.iter().any(|host| host.starts_with(name));
    assert!(has("a.") && has("c."), "{hosts:?}");
    go("100M").succeed();
}
