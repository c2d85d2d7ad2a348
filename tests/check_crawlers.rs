//! The crawlers that `robocensus check` is asked about: how they are named, many of them in one
//! table, and what signals say to one.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{
    check::{ROBOTS, assert_as_recorded},
    remote::server::{Act, Object, Server},
    util::{Dir, TestCommand, assert_begins, assert_says, check, ended_with_peak},
};

#[test]
fn a_header_is_reduced_to_its_token() {
    let header = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot";
    let command = TestCommand::new(["check", "-", "--url", "/a?b", "--agent", header]);
    let ran = command.stdin(ROBOTS.into()).succeed();
    assert_begins(&ran.stdout, "verdict   disallow\nagent     GPTBot\n");
    assert_says(&ran.stderr, " is reduced to its product token, GPTBot\n");
    assert_eq!(ran.stderr.lines().count(), 1);
}

#[test]
fn tables_notes_and_signals_are_as_recorded() {
    assert_as_recorded("check-crawlers.txt");
}

#[test]
fn several_crawlers_and_urls_are_one_table_of_at_most_forty_lines() {
    let table = |words: &str| check(words, ROBOTS);
    // Many crawlers share the rows of equal answers.
    let dir = Dir::new();
    let many: String = (0..1_000).map(|n| format!("Bot{n}\tcrawler\n")).collect();
    let list = dir.write("many.tsv", format!("GPTBot\n{many}"));
    let words = format!("--agents {list} --url /a?b --url /m --dialect all");
    let text = table(&words);
    let lines = text.split("\nFindings").next().unwrap().lines().count();
    assert!(lines <= 44, "{text}");
    assert_says(&text, "Bot0, Bot1, Bot2 and 997 more  google");
    assert_says(&text, "1001 agents, those with equal answers together");
    let value = table("--agents ai-search --url / --url /m --json");
    let value: Value = serde_json::from_str(&value).unwrap();
    let answers = value["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[0]["agents"], json!(["OAI-SearchBot"]));
    assert_eq!(answers[5]["url"], "/m");
    let urls = " --url /".repeat(13);
    TestCommand::line(&format!("check - --agents ai{urls}")).refuse(&["at most 12"]);
    let words = "check - --exit-code --agents ai --url /ok --url /a?b";
    TestCommand::line(words).stdin(ROBOTS.into()).end_with(1);
}

#[test]
fn memory_does_not_hold_the_answers_about_many_crawlers() {
    let dir = Dir::new();
    let many: String = (0..5_000).map(|n| format!("Bot{n}\tcrawler\n")).collect();
    let list = dir.write("many.tsv", many);
    let robots = dir.write("robots.txt", ROBOTS);
    for format in ["--json", "--color=never"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_robocensus"));
        program.args(["check", &robots, "--agents", &list, format]);
        program.args((0..12).map(|n| format!("--url=/{n}")));
        // What is printed is not read, and 60,000 answers as values of JSON are half a gigabyte.
        let child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let (ran, peak) = ended_with_peak(child.unwrap());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(peak < 64 << 20, "{format}: {peak} bytes");
    }
}

#[test]
fn a_live_site_is_fetched_as_the_dialect_would_with_each_hop_shown() {
    let server = Server::start();
    let robots = "User-agent: GPTBot\nDisallow: /a\n";
    let always = |act| Object::new("x").always(act);
    let redirect = |status, field| always(Act::Refuse(status, field));
    server.put("/robots.txt", redirect(301, "Location: /1\r\n"));
    server.put("/1", redirect(302, "Location: /2\r\n"));
    server.put("/2", Object::new(robots));
    let ask = |words: &str| {
        let site = server.url("/a/page?q=1");
        let words: Vec<_> = words.split(' ').collect();
        let command = TestCommand::new(["check", &site]).words(&words);
        command
            .env("NO_PROXY", "*")
            .env("ROBOCENSUS_READ_TIMEOUT", "2")
    };
    let text = ask("--agent GPTBot").succeed().stdout;
    let begin = "verdict   disallow\nagent     GPTBot\nurl       http";
    assert_begins(&text, begin);
    let whole = format!("200, {} bytes", robots.len());
    let hops = [("/robots.txt", "301"), ("/1", "302"), ("/2", &whole)];
    let hops = hops.map(|(path, said)| {
        let url = server.url(path);
        format!("fetch     {url}: status {said}\n")
    });
    assert_says(&text, &hops.concat());
    let requests = server.all_requests();
    assert_eq!(requests.len(), 3);
    for request in &requests {
        assert_eq!(request.method, "GET");
        assert!(request.headers["user-agent"].starts_with("robocensus/"));
        assert!(!request.headers.contains_key("referer"));
    }
    let table = ask("--agents GPTBot,CCBot --url / --url /a");
    let table = table.succeed().stdout;
    assert_says(&table, "GPTBot  allow");
    assert_says(&table, "disallow 2");
    let value: Value = ask("--agent GPTBot --json").json();
    assert_eq!(value["fetch"]["hops"][1]["status"], 302);
    // The status decides, and so does a server that never answers or redirects for ever.
    let to_itself = "Location: /robots.txt\r\n";
    let to_ftp = "Location: ftp://a.example/\r\n";
    for (act, verdict, says) in [
        (Act::Refuse(404, ""), "allow", "status 404: full_allow"),
        (Act::Refuse(503, ""), "disallow", "503: full_disallow"),
        (
            Act::Refuse(301, to_itself),
            "allow",
            "too many redirects: full_allow",
        ),
        (
            Act::Refuse(301, to_ftp),
            "undefined",
            "expected https:// or http://",
        ),
        (Act::Stall(0), "disallow", "no complete response"),
    ] {
        server.put("/robots.txt", always(act));
        let text = ask("--agent GPTBot").succeed().stdout;
        assert_begins(&text, &format!("verdict   {verdict}\n"));
        assert_says(&text, says);
    }
    ask("--agent GPTBot --status 200").refuse(&["--status: expected it with a file"]);
    TestCommand::line("check s3://bucket/robots.txt --agent a").refuse(&["expected a URL of http"]);
}

#[test]
fn a_live_file_that_is_cut_and_a_redirect_inside_say_so() {
    let proxy = Server::start();
    let ask = || {
        let line = "check http://site.example/ --agent GPTBot";
        TestCommand::line(line).env("http_proxy", &proxy.url(""))
    };
    let to = "http://169.254.169.254/robots.txt".to_owned();
    let object = Object::new("").always(Act::Redirect(to));
    proxy.put("http://site.example/robots.txt", object);
    let text = ask().succeed().stdout;
    let says = "to 169.254.169.254, an address inside this network\n";
    assert_says(&text, says);
    assert!(!text.contains("allow_private"), "{text}");
    // Less than the limit is sent, and more is in it.
    let object = Object::new(vec![b'#'; 9 << 20]).always(Act::Gzip(usize::MAX));
    proxy.put("http://site.example/robots.txt", object);
    let text = ask().succeed().stdout;
    let says = "status 200, 8388608 bytes, of which only these are read\n";
    assert_says(&text, says);
}
