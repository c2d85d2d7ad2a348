//! The page of a comparison: `robocensus report` of a folder that `robocensus compare` wrote.

use std::{fs, path::PathBuf};

use super::{page, reaches_out, section};
use crate::{
    queries::charts::{assert_drawing, draw},
    util::{
        Census, Dir, TestCommand, answer, assert_begins, assert_says, column, lines, or_skip,
        package, query,
    },
};

/// Compares google with rfc9309 over files in which something flips, and returns the folder.
pub fn comparison(dir: &Dir, out: &str) -> PathBuf {
    let archive = dir.archive("made.warc.gz", &FILES);
    let ranks = dir.write("ranks.csv", "7,b.example\n90,a.example\n");
    TestCommand::line("compare --baseline google --candidate rfc9309 --reference rfc9309 --quiet")
        .words(&[&*archive, "--ranks", &ranks, "--out", &dir.word(out)])
        .end_with(1);
    dir.path(out)
}

const FILES: [(&str, &str); 3] = [
    (
        "https://a.example/robots.txt",
        "User-agent: *\nDisallow: /\n# a\n",
    ),
    (
        "https://b.example/robots.txt",
        "User-agent: *\nDisallow: /\n# b\n",
    ),
    (
        "https://c.example/robots.txt",
        "User-agent: *\nDisallow: /c\n",
    ),
];

#[test]
fn the_page_names_both_sides_and_each_cause_with_its_hosts() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips");
    let (_, page) = or_skip!(page(&dir, &data));
    assert_says(&page, "<h1>google and rfc9309</h1>");
    let causes = Census(data).table("causes");
    let [ids, changes] = ["cause_id", "changes"].map(|column| causes.all_texts(column));
    let [hosts, cells] = ["hosts", "cells"].map(|column| causes.all_ints(column));
    assert!(changes.contains(&"robots_txt_itself=allowed".to_owned()));
    for index in 0..causes.n_rows() {
        let section = section(&page, &format!("cause-{}", ids[index]));
        for says in [
            format!("<h2>{}</h2>", changes[index]),
            format!(". {} towards reference.", cells[index]),
            format!("{} flips on {} of 3 hosts", cells[index], hosts[index]),
            "class=\"sides\"".to_owned(),
        ] {
            assert_says(section, &says);
        }
    }
    for id in ["directions", "causes", "faults", "slowest"] {
        section(&page, id);
    }
    let flips: i64 = cells.iter().sum();
    assert_says(&page, &format!("Flips: {flips} towards reference."));
    assert_says(&page, "<dt>reference</dt><dd>rfc9309 ");
    // A case marks the line that decides, and the host of the best rank is first.
    assert_says(&page, "<li class=\"decides\"><code><mark>");
    assert_says(&page, "google: disallow, by line ");
    let [ranked, other] =
        ["b.example", "a.example"].map(|host| page.find(&format!("<td>{host}</td>")));
    assert!(ranked.is_some() && ranked < other, "{page}");
    assert_says(&page, "<td>b.example</td><td class=\"number\">7</td>");
}

#[test]
fn the_page_of_a_comparison_is_the_same_for_the_same_rows_and_loads_nothing() {
    let dir = Dir::new();
    let [one, other] = ["one", "other"].map(|out| comparison(&dir, out));
    let (_, first) = or_skip!(page(&dir, &one));
    let (_, second) = page(&dir, &other).unwrap();
    assert!(first == second);
    assert_eq!(reaches_out(&first), Vec::<String>::new());
}

#[test]
fn a_comparison_that_did_not_finish_has_no_page() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips");
    fs::remove_dir_all(data.join("causes")).unwrap();
    let [data, out] = [data.to_str().unwrap(), &dir.word("page.html")];
    TestCommand::new(["report", "--data", data, "--out", out])
        .refuse(&["the table causes is missing", "robocensus compare"]);
    assert!(!dir.path("page.html").exists());
}

#[test]
fn sql_reads_the_tables_of_a_comparison_and_stored_queries_are_refused() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips");
    let sql = "SELECT cause_id, count(DISTINCT url_host_name) AS hosts, getvariable('given') AS given FROM flips JOIN causes USING (cause_id) GROUP BY ALL HAVING cause_id = 'robots_txt_itself=allowed'";
    let rows = or_skip!(answer(&data, sql, &["--set", "given=a"]));
    let of_robots_txt = "robots_txt_itself=allowed 2 a";
    assert_eq!(lines(&rows, "cause_id hosts given"), [of_robots_txt]);
    for table in ["parser_faults", "timings"] {
        let rows = answer(&data, &format!("SELECT count(*) AS n FROM {table}"), &[]);
        assert_eq!(column(&rows.unwrap(), "n"), ["0"], "{table}");
    }
    let (stored, says) = ("count-captures-by-status", "this is a comparison");
    query(&data, &[stored]).refuse(&[stored, says, "flips, causes"]);
    let folder = data.to_str().unwrap();
    TestCommand::new(["verify", folder]).refuse(&["flips", says]);
    query(&data, &["FROM flips", "--before", folder]).refuse(&["--before", "is a comparison"]);
}

#[test]
fn sql_over_a_comparison_has_a_chart() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips");
    let sql = "-- Flips by direction\nSELECT direction, count(*) AS flips FROM flips GROUP BY ALL ORDER BY ALL";
    let texts = assert_drawing(&or_skip!(draw(&data, sql, &[]))).join("|");
    assert_says(&texts, "Flips by direction|");
    assert_says(&texts, "|Source: comparison of google");
}

/// Compares google with a side over what these URLs serve, and returns the folder.
fn candidate(dir: &Dir, baseline: &str, side: &str, files: &[(&str, &str)]) -> String {
    let archive = dir.archive("made.warc.gz", files);
    let out = dir.word(&format!("{baseline}-{}", side.len()));
    // Comparisons with other references stand next to each other.
    let reference = if side.contains(':') { baseline } else { side };
    let ran = TestCommand::line("compare --quiet --overwrite --out")
        .words(&[&*out, &archive, "--baseline", baseline])
        .words(&["--candidate", side, "--reference", reference])
        .end();
    assert!(ran.code < 2, "{}", ran.stderr);
    out
}

/// Returns the page of several comparisons.
fn matrix(dir: &Dir, data: &[&str]) -> Option<String> {
    let out = dir.word("matrix.html");
    let data = data.iter().flat_map(|folder| ["--data", folder]);
    let ran = TestCommand::line("report --out")
        .words(&[&*out])
        .words(&data.collect::<Vec<_>>())
        .end_in_duckdb()?;
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    Some(fs::read_to_string(out).unwrap())
}

#[test]
fn several_comparisons_are_a_matrix_of_candidates_and_changes() {
    let dir = Dir::new();
    let [rfc, same] = ["rfc9309", "google"].map(|side| candidate(&dir, "google", side, &FILES));
    let page = or_skip!(matrix(&dir, &[&rfc, &same]));
    assert_says(&page, "<h1>Parsers beside google</h1>");
    let of = "2 parsers, each asked what google was asked about 3 distinct files of 3 hosts.";
    assert_says(&page, of);
    // The candidate that agrees most is first, and its row has no flips.
    let rows: Vec<_> = page.split("<tr style=\"").skip(1).collect();
    assert_eq!(rows.len(), 2, "{page}");
    assert!(rows[0].starts_with("--0:1;--1:1;") && rows[1].starts_with("--0:2;--1:2;"));
    assert!(rows[0].contains("<th scope=\"row\">google</th><td class=\"number\">100\u{a0}%</td>"));
    assert_says(rows[1], "<th scope=\"row\">rfc9309</th>");
    assert!(!rows[0].contains("popovertarget"), "{page}");
    // Each cell opens a case that both sides answer, by an ID that is there once.
    let opened: Vec<_> = rows[1].split("popovertarget=\"").skip(1).collect();
    let changes = Census(rfc.into()).table("causes").all_texts("changes");
    let mut parts: Vec<_> = changes.iter().flat_map(|key| key.split(' ')).collect();
    parts.sort_unstable();
    parts.dedup();
    assert_eq!(opened.len(), parts.len(), "{page}");
    for rest in opened {
        let id = rest.split('"').next().unwrap();
        let begin = format!("<div id=\"{id}\" popover>");
        assert_eq!(page.matches(&begin).count(), 1, "{begin}: {page}");
        let case = page.split(&begin).nth(1).unwrap();
        let names = ["<h3>google: ", "<h3>rfc9309: "].map(|name| case.find(name));
        assert!(names[0].is_some() && names[0] < names[1], "{case}");
    }
    for part in parts {
        assert_says(&page, &format!("<span>{part}</span>"));
    }
    let itself = page.split(": robots_txt_itself=allowed</h2>").nth(1);
    assert_says(itself.unwrap(), "on 2 of 3 hosts");
    assert_eq!(reaches_out(&page), Vec::<String>::new());
}

#[test]
fn candidates_that_are_compared_together_are_a_page() {
    let dir = Dir::new();
    let one = candidate(&dir, "google", "rfc9309", &FILES);
    let parser = package().join("parsers/python/urllib_robotparser.py");
    let parser = format!("exec:python3 {}", parser.display());
    let [archive, both] = [dir.word("made.warc.gz"), dir.word("both")];
    let sides = ["--baseline", "google", "--reference", "rfc9309"];
    let candidates = ["--candidate", &parser, "--candidate", "rfc9309"];
    let compare = |out: &str, more: &[&str]| {
        let command = TestCommand::new(["compare", "--quiet", "--out", out]);
        command.words(&sides).words(&candidates).words(more)
    };
    assert_eq!(compare(&both, &[&archive]).end().code, 1);
    let found = fs::read_dir(&both).unwrap();
    let mut found: Vec<_> = found.map(|entry| entry.unwrap().file_name()).collect();
    found.sort_unstable();
    assert_eq!(found.len(), 2, "{found:?}");
    let python = found[1].to_str().unwrap();
    assert_eq!(found[0], "rfc9309");
    assert_begins(python, "urllib.robotparser-");
    // Each is as if it had been compared alone.
    let flips = |folder: PathBuf| Census(folder).table("flips").all_texts("url");
    let alone = flips(one.into());
    assert_eq!(flips(dir.path("both/rfc9309")), alone);
    assert!(!alone.is_empty() && flips(dir.path("both").join(python)) != alone);
    let page = or_skip!(matrix(&dir, &[&both]));
    let of = "2 parsers, each asked what google was asked about 3 distinct files";
    assert_says(&page, of);
    // Whatever is wrong is known before the first is compared.
    let other = dir.word("other");
    let (of_one, of_side) = ("--candidate: expected one with ", "--candidate: ");
    for (more, says) in [
        (&["--junit", &other][..], [of_one, "--junit"]),
        (&["-"], [of_one, "standard input"]),
        (
            &["--candidate", "rfc9309"],
            ["of different names", "other/rfc9309"],
        ),
        (&["--candidate", "exec:absent"], [of_side, "absent"]),
    ] {
        compare(&other, &[&[&*archive], more].concat()).refuse(&says);
        assert!(!dir.path("other").exists());
    }
    compare(&both, &[&archive]).refuse(&["both/urllib.robotparser-", "--overwrite"]);
    let into_one = dir.word("both/rfc9309");
    compare(&into_one, &[&archive]).refuse(&["each candidate has one, but this is a dataset"]);
    dir.write("foreign/rfc9309", "");
    compare(&dir.word("foreign"), &[&archive, "--overwrite"]).refuse(&["foreign/rfc9309: cannot"]);
}

#[test]
fn the_name_of_a_parser_and_its_files_are_escaped_in_the_matrix() {
    let dir = Dir::new();
    let adapter = "import base64,json,sys\nh=json.loads(input())\n\
        print(json.dumps({'protocol':h['protocol'],'name':'<script>x\\u202e','version':'<b>'}),flush=True)\n\
        for l in sys.stdin:\n r=json.loads(l)\n v='disallow' if b'<script>' in base64.b64decode(r['robots_b64']) else 'allow'\n \
        print(json.dumps({'id':r['id'],'verdicts':[v]*len(r['queries'])}),flush=True)\n";
    let script = dir.write("hostile.py", adapter);
    let body = "User-agent: *\nAllow: /\u{202e}<script>alert(1)</script>\n";
    let files = [("https://a.example/robots.txt", body)];
    let sides = ["google", &*format!("exec:python3 {script}")];
    let data = sides.map(|side| candidate(&dir, "google", side, &files));
    let page = or_skip!(matrix(&dir, &[&data[0], &data[1]]));
    assert_says(&page, "&lt;script&gt;x\u{fffd} &lt;b&gt;");
    assert_says(&page, "&lt;script&gt;</code></li>");
    for word in ["<script", "<b>", "\u{202e}"] {
        assert!(!page.contains(word), "{word:?}");
    }
    let of_parser = page.matches("\u{a0}s</td>").count();
    assert_eq!(of_parser, usize::from(cfg!(target_os = "linux")));
}

#[test]
fn comparisons_that_cannot_stand_next_to_each_other_are_refused() {
    let dir = Dir::new();
    let one = candidate(&dir, "google", "python", &FILES);
    let other = candidate(&dir, "rfc9309", "python", &FILES);
    let out = dir.word("page.html");
    let _ = or_skip!(matrix(&dir, &[&one, &one]));
    TestCommand::new(["report", "--data", &one, "--data", &other, "--out", &out]).refuse(&[
        "google-6 and ",
        "differ in the candidate alone, but their baseline is google",
        "and rfc9309",
    ]);
    assert!(!dir.path("page.html").exists());
}
