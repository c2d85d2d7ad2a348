//! Bodies and option files that are made to cost time or memory: they give rows like any other, and
//! cost no more than their bytes.

use std::fs;

use robocensus::robots::{
    dialect::{Dialect, MAX_PER_CODE},
    lines::MAX_LINES,
};

use super::{
    attack::{MOST_MEMORY, MOST_MEMORY_PER_THREAD, run_with_peak},
    census_of,
};
use crate::util::{Census, Dir, gzip, response, run, tally};

#[test]
fn a_body_of_one_thing_over_and_over_is_read_to_its_end() {
    let distinct = |line: fn(usize) -> String| (0..30_000).map(line).collect::<String>();
    let bodies = [
        "\n".repeat(1 << 20),
        "\r".repeat(1 << 20),
        "\0".repeat(1 << 20),
        ":\n".repeat(1 << 19),
        "a:b\n".repeat(1 << 18),
        "Disalow: /\n".repeat(100_000),
        "Sitemap: x\n".repeat(100_000),
        "User-agent: *\n".repeat(100_000) + "Disallow: /",
        "User-agent: *\nDisallow: /\n".repeat(50_000),
        "User-agent: *\n".to_owned() + &"Disallow: /x\n".repeat(100_000),
        distinct(|n| format!("User-agent: a{}\n", letters(n))) + "Disallow: /",
        distinct(|n| format!("User-agent: a{}\nDisallow: /{n}\n", letters(n))),
        "User-agent: *\n".to_owned() + &distinct(|n| format!("Disallow: /{n}\n")),
        "User-agent: *\n".to_owned() + &format!("Disallow: /{}b\n", "*a".repeat(8_000)).repeat(30),
        format!("User-agent: *\nDisallow: /{}$", "*/".repeat(500_000)),
        format!("User-agent: {}\nDisallow: /", "a".repeat(1 << 20)),
        "#".repeat(1 << 20),
        "%".repeat(1 << 20),
    ];
    let url = |number: usize| format!("http://h{number}.example/robots.txt");
    let records = bodies.iter().enumerate();
    let records = records.map(|(number, body)| response(&url(number), body));
    let dir = Dir::new();
    let census = census_of(&dir, &records.collect::<Vec<_>>(), |config| {
        config.dialects = Dialect::BUILT_IN.map(Dialect::clone).into();
    });
    assert_eq!(census.table("archives").all_bools("is_complete"), [true]);
    let errors = census.table("errors");
    let ids = errors.all_ints("capture_id").into_iter();
    let of_code = tally(ids.zip(errors.all_texts("code")));
    // More of one kind are counted and not listed.
    let most = of_code.into_values().max().unwrap();
    assert!(most <= MAX_PER_CODE + 1, "{most}");
    let lines = census.table("captures").all_ints("line_count");
    assert_eq!(lines[..3], [1 << 20, 1 << 20, 1]);
}

/// Returns a number as five letters, since product tokens have no digits.
fn letters(number: usize) -> String {
    (0..5)
        .map(|place| char::from(b'a' + (number / 26_usize.pow(place) % 26) as u8))
        .collect()
}

/// Runs the program on one answer with these options, and returns its dataset.
fn run_on(dir: &Dir, body: &[u8], options: &[&str]) -> Census {
    let body = str::from_utf8(body).unwrap();
    let archive = dir.write("a.warc", response("http://a.example/robots.txt", body));
    let out = dir.word("census");
    let flags = ["--overwrite", "--quiet", "--threads", "1"];
    let words = [&["run", &archive, "--out", &out][..], &flags, options].concat();
    let (ran, peak) = run_with_peak(&words);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let most = MOST_MEMORY + MOST_MEMORY_PER_THREAD;
    assert!(peak < most, "{peak} bytes");
    Census(dir.path("census"))
}

/// Returns as much of this, over and over, as is read of an answer.
fn filled(unit: &str) -> Vec<u8> {
    let n = 8 * 1024 * 1024;
    let mut body = unit.repeat(n / unit.len() + 1).into_bytes();
    body.truncate(n - 100);
    body
}

#[test]
fn eight_megabytes_of_lines_stay_within_memory_and_say_that_they_were_cut() {
    let dir = Dir::new();
    let group = |n: usize| format!("User-agent:{}\nAllow:/{n}\n", letters(n));
    let groups: String = (0..MAX_LINES / 2 + 10).map(group).collect();
    for body in [
        filled("\n"),
        filled("a:b\n"),
        filled("Allow:/x\n"),
        filled("User-agent:a\nAllow:/\n"),
        groups.into_bytes(),
    ] {
        // The first reads all that is parsed; google stops at 500 KiB, which is in front of the
        // limit.
        let dialects = ["--dialects", "original-1994,google,python", "--no-finish"];
        let census = run_on(&dir, &body, &dialects);
        let codes = census.table("errors").all_texts("code");
        assert!(codes.iter().any(|code| code == "too_many_lines"));
        let captures = census.table("captures");
        // As an editor counts them.
        let ends = body.iter().filter(|&&byte| byte == b'\n').count();
        let n_lines = ends + usize::from(!body.ends_with(b"\n"));
        assert_eq!(captures.all_ints("line_count"), [n_lines as i64]);
        assert!(captures.all_ints("over_limit_bytes")[0] > 0);
        for table in ["agents", "rules", "directives"] {
            let last = census.table(table).all_ints("line").into_iter().max();
            assert!(last.is_none_or(|line| line <= MAX_LINES as i64), "{table}");
        }
    }
}

/// A file with a group for each of 2,000 agents, asked for 2,000 paths: four million cells, of
/// which no two agents share a row.
#[test]
fn a_large_matrix_is_answered_in_blocks() {
    const N: usize = 2_000;
    let dir = Dir::new();
    let agents: String = (0..N).map(|n| letters(n) + "\n").collect();
    let urls: String = (0..N).map(|n| format!("/{n}\n")).collect();
    let body: String = (0..N)
        .map(|n| format!("User-agent: {}\nDisallow: /{n}$\n", letters(n)))
        .collect();
    let (agents, urls) = (dir.write("agents", agents), dir.write("urls", urls));
    let options = ["--agents", &agents, "--urls", &urls, "--no-finish"];
    let census = run_on(&dir, body.as_bytes(), &options);
    let rows = census.table("verdict_sets");
    assert_eq!(rows.n_rows(), N * N);
    let id = census.table("captures").all_ints("verdict_set_id")[0];
    let ids = rows.all_ints("verdict_set_id");
    assert!(ids.iter().all(|&of_row| of_row == id));
    let cells = rows.all_texts("verdict").into_iter();
    for (at, (verdict, line)) in cells.zip(rows.ints("rule_line")).enumerate() {
        let is_own = at / N == at % N;
        let own_line = is_own.then_some(2 * (at / N) as i64 + 2);
        assert!(
            (verdict == "disallow") == is_own && line == own_line,
            "{at}"
        );
    }
}

#[test]
fn files_of_options_beyond_any_use_are_refused_by_their_size() {
    let dir = Dir::new();
    let archive = dir.write("a.warc", response("http://a.example/robots.txt", ""));
    let out = dir.word("census");
    let comments = "# a comment\n".repeat(400_000);
    let inflating = gzip(&vec![b'#'; 5_000_000]);
    let dialect = dir.write("big.toml", &comments[..2_000_000]);
    let agents = dir.write("agents", &comments);
    let zipped = dir.write("agents.gz", inflating);
    for (flag, file, most) in [
        ("--dialects", &dialect, "1048576"),
        ("--agents", &agents, "4194304"),
        ("--agents", &zipped, "4194304"),
    ] {
        let says = format!("expected at most {most} bytes of text, but found more");
        run(&[&archive, "--out", &out, flag, file]).refuse(&[file, &says]);
    }
    assert!(!fs::exists(&out).unwrap());
}
