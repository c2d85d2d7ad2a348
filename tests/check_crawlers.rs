//! The crawlers that `robocensus check` is asked about: how they are named, many of them in one
//! table, and what signals say to one.

use serde_json::{Value, json};

use crate::util::{Dir, TestCommand, check};

const ROBOTS: &str =
    "User-agent: GPTBot\nAllow: /\nDisallow: /a?b\nDisalow: /c\n\nUser-agent: *\nDisallow: /*?\n";

#[test]
fn a_header_is_reduced_to_its_token_what_is_none_is_refused_and_a_near_miss_is_noted() {
    let ask = |agent: &str| {
        let words = ["check", "-", "--url", "/a?b", "--agent", agent];
        TestCommand::new(words).stdin(ROBOTS.into())
    };
    let header = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot";
    for agent in ["GPTBot/1.2", header] {
        let ran = ask(agent).succeed();
        assert!(
            ran.stdout
                .starts_with("verdict   disallow\nagent     GPTBot\n"),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stderr
                .ends_with(" is reduced to its product token, GPTBot\n"),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stderr.lines().count(), 1);
    }
    for (agent, says) in [
        ("GPT Bot", "found \"GPT Bot\""),
        ("", "found nothing"),
        (
            "GPTBot,ClaudeBot",
            "two crawlers, GPTBot and ClaudeBot; --agents",
        ),
    ] {
        ask(agent).refuse(&["--agent: expected ", says]);
    }
    for (agent, known) in [("GPTBott", "GPTBot"), ("ClaudBot", "ClaudeBot")] {
        let ran = ask(agent).succeed();
        assert!(
            ran.stderr.ends_with(&format!("did you mean {known}?\n")),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(ask("Googlebot-News,Googlebot").succeed().stderr, "");
    // A run reads a list in the same way.
    let dir = Dir::new();
    let list = |text: &str| {
        let path = dir.write("agents.tsv", text);
        TestCommand::new(["run", "--print-matrix", "--agents", &path])
    };
    let ran = list(&format!("{header}\tai-training\nClaudBot\n")).succeed();
    assert!(
        ran.stdout.contains("\nGPTBot\tai-training\nClaudBot\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.contains("line 1: ") && ran.stderr.contains("line 2: ClaudBot is none"),
        "{}",
        ran.stderr
    );
    list("CCBot\nGPT Bot\n").refuse(&["agents.tsv: line 2: expected a product token"]);
    list("GPTBot,ClaudeBot\n").refuse(&["agents.tsv: line 1: ", "two crawlers"]);
}

#[test]
fn several_crawlers_and_urls_are_one_table_of_at_most_forty_lines() {
    let robots = format!("{ROBOTS}User-agent: MJ12bot\nDisallow: /m\n");
    let table = |words: &str| check(words, robots.as_str());
    let text = table("--agents ai,Googlebot --url /a?b --url /m");
    let cells = |text: &str, name: &str| {
        let row = text.lines().find(|line| line.starts_with(name)).unwrap();
        row.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(cells(&text, "agent "), "/a?b /m");
    assert_eq!(cells(&text, "GPTBot"), "disallow 3 allow 2");
    assert_eq!(cells(&text, "ClaudeBot"), "disallow 7 allow");
    assert_eq!(cells(&text, "Googlebot"), "disallow 7 allow");
    assert!(!text.contains("AhrefsBot"), "{text}");
    assert_eq!(text.matches("Findings on the file").count(), 1, "{text}");
    // A row for each answer of dialects: Google's matcher does not know MJ12bot's group.
    let text = table("--agents seo,GPTBot --url /a?b --url /m --dialect all");
    let rows: Vec<_> = text
        .lines()
        .skip_while(|line| !line.starts_with("MJ12bot"))
        .take(3)
        .collect();
    assert!(
        rows[0].contains("google") && rows[0].ends_with("allow"),
        "{text}"
    );
    assert!(
        rows[1].starts_with("  ") && rows[1].ends_with("disallow 9"),
        "{text}"
    );
    // Many crawlers share the rows of equal answers.
    let dir = Dir::new();
    let many: String = (0..1_000).map(|n| format!("Bot{n}\tcrawler\n")).collect();
    let list = dir.write("many.tsv", format!("GPTBot\n{many}"));
    let text = table(&format!(
        "--agents {list} --url /a?b --url /m --dialect all"
    ));
    let lines = text.split("\nFindings").next().unwrap().lines().count();
    assert!(lines <= 44, "{text}");
    assert!(
        text.contains("Bot0, Bot1, Bot2 and 997 more  google"),
        "{text}"
    );
    assert!(
        text.contains("1001 agents, those with equal answers together"),
        "{text}"
    );
    let value: Value =
        serde_json::from_str(&table("--agents ai-search --url / --url /m --json")).unwrap();
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
fn signals_that_concern_the_crawler_are_stated_in_a_line_each() {
    let robots = "Content-Signal: search=yes\n\nUser-agent: GPTBot\nAllow: /\nContent-Usage: train-ai=n\n\
        Content-Usage: /open/ train-ai=y\nContent-Usage: /op train-ai=n\nDisallow: /shut\n\
        DisallowAITraining: /open/ai\n\nUser-agent: *\nContent-Signal: ai-train=no, ai-input=yes\n\
        License: https://a.example/license.xml\n";
    let said = |words: &str| {
        let text = check(words, robots);
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("signal    "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let global = "line 1: content-signal: search=yes (in no group)";
    let license = "line 13: license: https://a.example/license.xml (for the whole file)";
    assert_eq!(
        said("--agent GPTBot --url https://a.example/open/x"),
        [
            global,
            "line 6: content-usage: /open/ train-ai=y (in the group that applies)",
            license
        ]
    );
    assert_eq!(
        said("--agent GPTBot --url /else"),
        [
            global,
            "line 5: content-usage: train-ai=n (in the group that applies)",
            license
        ]
    );
    // Google reads the field as a misspelt Disallow, so that the URL has no preferences of use.
    let of_draft = "line 9: disallow-ai-training: /open/ai (in the group that applies)";
    assert_eq!(
        said("--agent GPTBot --url /open/ai"),
        [global, of_draft, license]
    );
    assert_eq!(
        said("--agent GPTBot --url /open/ai --dialect rfc9309").len(),
        4
    );
    // What may not be fetched has no preferences of use.
    assert_eq!(said("--agent GPTBot --url /shut"), [global, license]);
    let of_all = "line 12: content-signal: ai-train=no, ai-input=yes (in the group that applies)";
    assert_eq!(said("--agent CCBot --url /"), [global, of_all, license]);
    assert_eq!(
        said("--agent CCBot --url / --dialect all"),
        [global, of_all, license]
    );
    assert_eq!(said("--agent CCBot --url / --status 503"), [""; 0]);
    let value: Value =
        serde_json::from_str(&check("--agent CCBot --url / --json", robots)).unwrap();
    assert_eq!(
        value["answers"][0]["signals"][1]["vocabulary"],
        "content-signal"
    );
}
