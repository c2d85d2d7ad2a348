//! The options of a run: the table `matrix_agents`, and the notes on agents, URLs and archives
//! without effect.

use std::fs;

use serde_json::{Value, json};

use crate::util::{Census, Dir, Table, assert_says, read_json, response, run};

/// Writes an archive of one capture and returns its path.
fn good_archive(dir: &Dir) -> String {
    let text = "User-agent: *\nDisallow: /\n";
    dir.write(
        "good.warc",
        response("https://good.example/robots.txt", text),
    )
}

/// Runs the program and returns its summary, in JSON and as shown.
fn summary(dir: &Dir, words: &[&str]) -> (Value, String) {
    let json = dir.word("summary.json");
    let out = dir.word("census");
    let words = [words, &["--out", &out, "--summary-json", &json]].concat();
    let shown = run(&words).succeed().stdout;
    (read_json(json), shown)
}

fn table(dir: &Dir, name: &str) -> Table {
    Census(dir.path("census")).table(name)
}

#[test]
fn the_agents_of_a_matrix_stand_with_whether_a_line_can_name_them_and_the_run_says_which_cannot() {
    let dir = Dir::new();
    let archive = good_archive(&dir);
    let agents = dir.write(
        "agents.tsv",
        "*\nGPTBot\tai-training\nMJ12bot, Majestic\tseo\narchive.org_bot\n360Spider\n#bot\nx#bot\n",
    );
    let dialects = ["--dialects", "google,rfc9309"];
    let words = [&[&archive, "--agents", &agents][..], &dialects].concat();
    let (json, shown) = summary(&dir, &words);
    let table = table(&dir, "matrix_agents");
    let rows = [
        "google 0 * -",
        "google 1 GPTBot true",
        "google 2 MJ12bot true",
        "google 3 archive.org_bot false",
        "google 4 360Spider false",
        "google 5 x#bot false",
        "rfc9309 0 * -",
        "rfc9309 1 GPTBot true",
        "rfc9309 2 MJ12bot true",
        "rfc9309 3 archive.org_bot true",
        "rfc9309 4 360Spider true",
        "rfc9309 5 x#bot false",
    ];
    assert_eq!(table.lines("dialect agent_index agent can_be_named"), rows);
    let named = table.lines("tokens agent_category");
    assert!(named[1].ends_with(" ai-training") && named[2].starts_with("MJ12bot,Majestic "));
    let unnamable = json!({
        "google": ["archive.org_bot", "360Spider", "x#bot"],
        "rfc9309": ["x#bot"],
    });
    assert_eq!(json["agents_never_named_by_dialect"], unnamable);
    for line in [
        "no user-agent line can name archive.org_bot, 360Spider, x#bot in the dialect google, so ",
        "no user-agent line can name x#bot in the dialect rfc9309, so ",
    ] {
        assert_eq!(shown.matches(line).count(), 1, "{shown}");
    }
}

#[test]
fn urls_of_hosts_that_the_archives_do_not_have_are_counted_and_said() {
    let dir = Dir::new();
    let records = [
        response("https://a.example/robots.txt", "User-agent: *\n"),
        response("http://b.example/robots.txt", "User-agent: *\n"),
    ];
    let archive = dir.write("a.warc", records.concat());
    let urls = "/\nhttps://a.example/x\nhttps://a.example/y\nhttp://a.example/x\nhttp://b.example:80/\nhttps://c.example/\n";
    let urls = dir.write("urls.txt", urls);
    let words = [archive.as_str(), "--urls", &urls];
    let (json, shown) = summary(&dir, &words);
    assert_eq!(json["absolute_urls"], 5);
    assert_eq!(json["absolute_urls_of_other_origins"], 2);
    assert_says(&shown, "2 of 5 absolute URLs were evaluated for no capture");
    // The second run reads nothing, so it knows no origin.
    let (json, shown) = summary(&dir, &[&words[..], &["--resume"]].concat());
    assert_eq!(json["absolute_urls_of_other_origins"], Value::Null);
    assert!(!shown.contains("absolute URLs"), "{shown}");
}

#[test]
fn archives_without_a_robots_txt_are_counted_and_said() {
    let dir = Dir::new();
    let page = response("https://a.example/index.html", "<p>");
    let page = dir.write("page.warc", page);
    let good = good_archive(&dir);
    for (archives, without, says) in [
        (&[&*page][..], 1, ": 1 of 1"),
        (&[&page, &good], 1, ": 1 of 2"),
        (&[&good], 0, ""),
    ] {
        let (json, shown) = summary(&dir, &[archives, &["--overwrite"]].concat());
        assert_eq!(json["captures"], archives.len() - without);
        assert_eq!(json["archives_without_captures"], without);
        let line = format!("archives without a capture of a robots.txt{says}");
        assert_eq!(shown.contains(&line), without > 0, "{shown}");
    }
}

#[test]
fn a_run_that_joins_or_resumes_has_the_options_of_the_dataset() {
    let dir = Dir::new();
    let archives = ["a", "b"].map(|name| {
        let url = format!("https://{name}.example/robots.txt");
        let text = "User-agent: *\nDisallow: /\n";
        dir.write(&format!("{name}.warc"), response(&url, text))
    });
    let agents = dir.write("agents.tsv", "token\nagent\nGPTBot\tai\nMine, Other\n");
    let urls = dir.write("urls.txt", "/a\nhttps://a.example/b\n");
    let own = "base = \"python\"\nagent_case = \"sensitive\"\n";
    let own = dir.write("mine.toml", own);
    let options = format!(
        "--agents {agents} --urls {urls} --dialects {own},google \
         --tables rules,verdict_sets,policy_sets,hosts,redirects \
         --max-body 1000 --max-header 2K --max-member 1M --part-size 1 --redirect-window 90m"
    );
    let options: Vec<_> = options.split(' ').collect();
    let go = |out: &str, words: &[&str]| run(&["--quiet", "--out", &dir.word(out)]).words(words);
    let [first, second] = &archives;
    go("stated", &options).words(&[first]).succeed();
    go("stated", &options).words(&["--join", second]).succeed();
    go("taken", &options).words(&[first]).succeed();
    // What was a file of the user's then is not read again.
    for file in [&agents, &urls, &own] {
        fs::remove_file(file).unwrap();
    }
    go("taken", &["--join", second]).succeed();
    go("taken", &["--join", second, "--max-body", "1001"]).refuse(&["max_body"]);
    let [stated, taken] = ["stated", "taken"].map(|out| Census(dir.path(out)).files());
    assert_eq!(stated, taken);

    go("whole", &["--pages", "--max-body", "999", first]).succeed();
    fs::remove_dir_all(dir.path("whole/_manifest")).unwrap();
    go("whole", &["--resume", first]).succeed();
    assert_eq!(Census(dir.path("whole")).table("captures").n_rows(), 1);
}
