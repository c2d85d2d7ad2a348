//! The archives of `../shared/quirks`, each unusual or damaged in one way: whole records are read,
//! and losses are reported.

use std::{collections::BTreeSet, fs};

use robocensus::{Config, Progress, robots::matrix::read_agents};

use super::{attack::unequal_sums_of, contents_of_members, zstd_frame};
use crate::util::{Census, Dir, Held, gzip, or_skip, run, shared};

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
        let mut framings = vec![("as-it-is", bytes.clone())];
        // The long archive is slow to compress, and a file that is not an archive has no records.
        let members =
            contents_of_members(&bytes).filter(|_| bytes.len() < 50_000 && !cells[1].is_empty());
        if let Some(members) = members {
            let all = members.concat();
            framings.extend([
                ("plain", all.clone()),
                ("one-member", gzip(&all)),
                ("blocks", all.chunks(700).flat_map(gzip).collect()),
                (
                    "frames",
                    members.iter().flat_map(|bytes| zstd_frame(bytes)).collect(),
                ),
                ("one-frame", zstd_frame(&all)),
            ]);
        }
        for (framing, bytes) in framings {
            let name = format!("{framing}-{}", cells[0]);
            archives.push(Held::new(&name, bytes).source());
            wanted.push((name, cells[1], cells[2]));
        }
    }
    let there: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".warc"))
        .collect();
    assert_eq!(named, there);
    assert!(wanted.len() > 300, "{}", wanted.len());
    let dir = Dir::new();
    let mut config = Config::new(dir.path("census"));
    config.matrix.agents = read_agents("*\n", &mut |_| {}).unwrap();
    archives.sort_by(|a, b| a.name.cmp(&b.name));
    robocensus::run(&config, &archives, &Progress::default()).unwrap();
    let census = Census(dir.path("census"));
    assert_eq!(unequal_sums_of(&census), [""; 0]);
    let found = census.table("captures").rows("warc_filename url_host_name");
    let found: BTreeSet<(String, String)> = found.into_iter().collect();
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
fn a_member_beyond_the_limit_is_a_row_and_the_run_continues() {
    let path = or_skip!(shared("quirks/32-78MB-body.warc.gz"));
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
