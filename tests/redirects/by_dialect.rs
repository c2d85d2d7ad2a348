//! The same chains under several dialects: how far each follows, and what the end means to it.

use std::{collections::BTreeMap, fs, path::Path};

use robocensus::robots::dialect::{Dialect, read_toml};
use serde_json::Value;

use super::web::{Row, Web, run_over};
use crate::util::{
    Census, Dir, TestCommand, answer, assert_begins, assert_says, column, lines, or_skip,
};

/// A dialect that follows one redirect and is shut out behind it.
const STRICT: &str = "name = \"strict\"\nbase = \"google\"\n\n[access]\nmax_hops = 1\ntoo_many_hops = \"full_disallow\"\n";
/// A dialect that follows none.
const STAYING: &str =
    "name = \"staying\"\nbase = \"google\"\n\n[access]\nredirect = \"full_disallow\"\n";

/// Returns all built-in dialects and the two above.
fn dialects() -> Vec<Dialect> {
    let built_in = Dialect::BUILT_IN.into_iter().cloned();
    let ours = [STRICT, STAYING].map(|text| read_toml(text, "unnamed").unwrap());
    built_in.chain(ours).collect()
}

fn url(host: &str, n: u32) -> String {
    format!("http://{host}.example/{n}")
}

/// Returns the fetches of a chain of so many redirects, of which the first is a robots.txt, to a
/// file.
fn chain(host: &str, hops: u32) -> String {
    let mut fetches = format!("0 http://{host}.example");
    for n in 1..=hops {
        fetches += &format!(" > {0}\n{n} {0}", url(host, n));
    }
    fetches + " open\n"
}

/// Returns outcome, hops, access and last URL of the first row of each dialect.
fn firsts(rows: &[Row]) -> BTreeMap<&str, (&str, i64, &str, &str)> {
    let mut firsts = BTreeMap::new();
    for row in rows {
        let access = row.access.as_deref().unwrap_or("-");
        let end = (row.outcome.as_str(), row.hops, access, row.last.as_str());
        firsts.entry(row.dialect.as_str()).or_insert(end);
    }
    firsts
}

#[test]
fn the_same_chain_ends_differently_for_two_dialects() {
    let rows = Web::of(&chain("a", 7)).rows_of(|config| config.dialects = dialects());
    let names: Vec<_> = dialects().into_iter().map(|spec| spec.name).collect();
    assert_eq!(rows.len(), 7 * names.len());
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row.dialect, names[index % names.len()]);
        // Where a redirect leads depends on no dialect.
        assert_eq!(row.next, row.target);
        assert_eq!(row.access.is_none(), row.outcome == "resolved");
        assert_eq!(row.effective.is_some(), row.outcome == "resolved");
    }
    let (first, fifth, seventh) = (url("a", 1), url("a", 5), url("a", 7));
    let own = "http://a.example/robots.txt";
    let wanted = [
        ("google", ("too_many_hops", 5, "full_allow", fifth.as_str())),
        ("rfc9309", ("too_many_hops", 5, "full_allow", &fifth)),
        ("google-2019", ("too_many_hops", 5, "full_allow", &fifth)),
        ("google-legacy", ("too_many_hops", 5, "full_allow", &fifth)),
        ("baidu", ("not_followed", 0, "undefined", own)),
        ("baidu-table", ("not_followed", 0, "undefined", own)),
        ("original-1994", ("resolved", 7, "-", &seventh)),
        ("python", ("resolved", 7, "-", &seventh)),
        ("strict", ("too_many_hops", 1, "full_disallow", &first)),
        ("staying", ("not_followed", 0, "full_disallow", own)),
    ];
    assert_eq!(firsts(&rows), BTreeMap::from(wanted));
}

/// Returns the access that `check` gives a fetch under a dialect.
fn checked(cases: &str, dialect: &str) -> Vec<String> {
    let said = TestCommand::new(["check", "--cases", "-", "--dialect", dialect])
        .stdin(cases.as_bytes().to_vec())
        .succeed();
    let read = |line| serde_json::from_str::<Value>(line).unwrap();
    let lines: Vec<_> = said.stdout.lines().map(read).collect();
    column(&lines, "access")
}

#[test]
fn check_and_run_agree_on_every_length_of_a_chain() {
    let dir = Dir::new();
    let longest = 12;
    let (mut fetches, mut cases) = (String::new(), String::new());
    for hops in 1..=longest {
        fetches += &chain(&format!("h{hops}"), hops);
        cases += &format!("{{\"status\":200,\"redirect_hops\":{hops}}}\n");
    }
    fetches += "0 http://loop.example > /1\n1 http://loop.example/1 > /robots.txt\n";
    cases += "{\"redirect_loop\":true}\n";
    let rows = Web::of(&fetches).rows_of(|config| config.dialects = dialects());
    for spec in dialects() {
        let word = match &*spec.name {
            "strict" => dir.write("strict.toml", STRICT),
            "staying" => dir.write("staying.toml", STAYING),
            name => name.to_owned(),
        };
        let ran: Vec<_> = rows
            .iter()
            .filter(|row| row.dialect == spec.name && row.url.ends_with("/robots.txt"))
            // At the end of each chain stands a file.
            .map(|row| row.access.as_deref().unwrap_or("conditional"))
            .collect();
        assert_eq!(ran.len(), longest as usize + 1);
        assert_eq!(ran, checked(&cases, &word), "{}", spec.name);
    }
}

/// Makes a dataset of chains of 7 and of 1 redirects to files that shut everybody out, and of a
/// loop.
fn census(out: &Path) {
    let web = Web::of(include_str!("chains.txt"));
    run_over(out, vec![web.archive("a")], |config| {
        let built_in = ["google", "python", "original-1994", "baidu"];
        config.dialects = built_in.map(|name| Dialect::named(name).unwrap()).into();
        config.dialects.push(read_toml(STRICT, "").unwrap());
    });
}

#[test]
fn effective_verdicts_are_what_the_dialects_answer_a_dialect_file_too() {
    let dir = Dir::new();
    census(&dir.path("census"));
    let sql = "SELECT string_agg(verdict, ' ' ORDER BY dialect_index) AS said, \
               string_agg(dialect, ' ' ORDER BY dialect_index) AS dialects, split_part(url_host_name, '.', 1) AS host \
               FROM effective_verdicts JOIN dialects USING (dialect) JOIN captures USING (capture_id, url_host_name) \
               WHERE agent = 'GPTBot' AND effective_verdicts.url = '/' AND url_path = '/robots.txt' GROUP BY host ORDER BY host";
    let rows = or_skip!(answer(&dir.path("census"), sql, &[]));
    let names = "google python original-1994 baidu strict";
    assert_eq!(rows[0]["dialects"], names);
    let wanted = [
        "long allow disallow disallow undefined disallow",
        "loop allow disallow undefined undefined disallow",
        "short disallow disallow disallow undefined disallow",
        "shut disallow disallow disallow disallow disallow",
    ];
    assert_eq!(lines(&rows, "host said"), wanted);
    // A flip of a host whose chain only one of the two dialects follows to its end.
    let words = ["--set", "candidate=original-1994"];
    let flips = answer(&dir.path("census"), "count-flips-between-dialects", &words).unwrap();
    let mut flips = flips.iter().filter(|row| row["agent"] == "GPTBot");
    let flips = flips.next().unwrap();
    assert_eq!(flips["hosts_to_disallow"], 1);
    assert_eq!(flips["example_to_disallow"], "long.example");
}

#[test]
fn a_chain_has_its_hops_in_the_dataset() {
    let dir = Dir::new();
    census(&dir.path("census"));
    let sql = "SELECT dialect, count(*) AS hops, max(hop) AS last, \
               arg_max(target_url, hop) AS target, arg_max(target_capture_id, hop) IS NOT NULL AS is_there \
               FROM redirect_hops JOIN captures USING (capture_id) \
               WHERE url = 'http://long.example/robots.txt' GROUP BY dialect ORDER BY dialect";
    let rows = or_skip!(answer(&dir.path("census"), sql, &[]));
    let wanted = [
        "google 5 5 http://long.example/5 true",
        "original-1994 7 7 http://shut.example/robots.txt true",
        "python 7 7 http://shut.example/robots.txt true",
        "strict 1 1 http://long.example/1 true",
    ];
    assert_eq!(lines(&rows, "dialect hops last target is_there"), wanted);
}

#[test]
fn the_command_makes_the_same_bytes_for_several_dialects() {
    let dir = Dir::new();
    census(&dir.path("census"));
    let before = Census(dir.path("census")).files();
    for table in ["redirects", "hosts"] {
        fs::remove_dir_all(dir.path("census").join(table)).unwrap();
    }
    let said = TestCommand::new(["finish", &dir.word("census")]).succeed();
    let title = "Redirects of the whole dataset, by where they end under the dialect google";
    assert_begins(&said.stdout, title);
    assert_says(&said.stdout, "at a sixth redirect");
    assert!(before == Census(dir.path("census")).files());
    let quiet = TestCommand::new(["finish", "--quiet", &dir.word("census")]).succeed();
    assert_eq!(quiet.stdout, "");
}
