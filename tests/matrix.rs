//! The matrix of a run: agents and URLs from files, and several dialects.

use std::fmt::Write;

use crate::util::{Census, Dir, answer, gzip, lines, response, run_into};

struct MatrixRun {
    census: Census,
    _dir: Dir,
}

impl MatrixRun {
    /// Runs the program on one file.
    fn of_file(body: &str, agents: &str, urls: &str, dialects: &str) -> Self {
        let captures = [("http://a.example/robots.txt", body)];
        Self::of(&captures, agents, urls, dialects)
    }

    /// Runs the program on captures with these files of agents and URLs.
    fn of(captures: &[(&str, &str)], agents: &str, urls: &str, dialects: &str) -> Self {
        let dir = Dir::new();
        let records = captures.iter().flat_map(|(url, body)| response(url, body));
        let archive = dir.write("a.warc.gz", gzip(&records.collect::<Vec<_>>()));
        let (agents, urls) = (dir.write("agents.tsv", agents), dir.write("urls.txt", urls));
        let words = ["--agents", &agents, "--urls", &urls, "--dialects", dialects];
        let census = run_into(dir.path("census"), &[&[&*archive], &words[..]].concat());
        Self {
            census: Census(census),
            _dir: dir,
        }
    }

    /// Returns the cells of one host under one dialect: agent, URL, verdict and the line that
    /// decided.
    fn cells(&self, host: &str, dialect: &str) -> Vec<String> {
        let columns = "url_host_name dialect agent url verdict rule_line";
        let cells = self.census.table("verdicts").lines(columns).into_iter();
        let of_both = format!("{host} {dialect} ");
        cells
            .filter_map(|cell| Some(cell.strip_prefix(&of_both)?.to_owned()))
            .collect()
    }
}

#[test]
fn absolute_urls_cost_nothing_to_captures_of_other_origins() {
    const N: usize = 200_000;
    let mut urls = "/\n".to_owned();
    for number in 0..N {
        writeln!(urls, "https://host-{}.example/{number}", number % 1_000).unwrap();
    }
    let hosts = [0, 17, 999].map(|number| format!("https://host-{number}.example/robots.txt"));
    let mut captures: Vec<_> = hosts
        .iter()
        .map(|url| (url.as_str(), "User-agent: *\nDisallow: /17\n"))
        .collect();
    captures.push(("https://other.example/robots.txt", ""));
    let run = MatrixRun::of(&captures, "A", &urls, "google");
    assert_eq!(run.census.table("verdicts").n_rows(), 4 + 3 * N / 1_000);
    let found = run.cells("host-17.example", "google");
    let wanted = [
        "A / allow -",
        "A https://host-17.example/17 disallow 2",
        "A https://host-17.example/1017 allow -",
    ];
    assert_eq!(found[..3], wanted);
    assert_eq!(found.len(), 1 + N / 1_000);
}

#[test]
fn a_chain_of_tokens_is_tried_in_order_or_merged() {
    let body = "User-agent: News\nDisallow: /n\nUser-agent: Base\nDisallow: /b\nUser-agent: *\nDisallow: /\n";
    let agents = "Video,News,Base\nOther,Base\nStranger\tkind\n";
    let run = MatrixRun::of_file(body, agents, "/n\n/b\n", "google,rfc9309");
    // RFC 9309 tries the chain in order and takes the first that is named; google compares each
    // line with every token and merges.
    for (dialect, base_of_video) in [
        ("rfc9309", "Video /b allow -"),
        ("google", "Video /b disallow 4"),
    ] {
        let wanted = [
            "Video /n disallow 2",
            base_of_video,
            "Other /n allow -",
            "Other /b disallow 4",
            "Stranger /n disallow 6",
            "Stranger /b disallow 6",
        ];
        assert_eq!(run.cells("a.example", dialect), wanted, "{dialect}");
    }
}

#[test]
fn the_first_dialect_is_the_one_of_the_tables_of_lines() {
    let body = "User-agent: MJ12bot\nDisalow: /\n";
    let tokens = |dialects| {
        let run = MatrixRun::of_file(body, "A", "/\n", dialects);
        let tokens = run.census.table("agents").all_texts("agent_token");
        (tokens, run.census.table("rules").n_rows())
    };
    assert_eq!(tokens("google,rfc9309"), (vec!["mj".to_owned()], 1));
    assert_eq!(tokens("rfc9309,google"), (vec!["MJ12bot".to_owned()], 0));
}

#[test]
fn agents_are_spelled_as_the_matrix_spells_them_so_that_they_join_policies() {
    let body = "User-agent: MYBOT\nUser-agent: gptbot\nUser-agent: Other\nDisallow: /\n";
    let run = MatrixRun::of_file(body, "MyBot\n*", "/\n", "google");
    let tokens = run.census.table("agents").all_texts("agent_token");
    assert_eq!(tokens, ["MyBot", "GPTBot", "other"]);
    let sql = "SELECT agent, restriction FROM agents JOIN policies USING (capture_id) WHERE agent_token = agent";
    if let Some(rows) = answer(&run.census.0, sql, &[]) {
        assert_eq!(lines(&rows, "agent restriction"), ["MyBot full"]);
    }
}

#[test]
fn errors_of_a_file_do_not_depend_on_the_reference_dialect() {
    let body = "Disallow: /early\nUser-agent: MJ12bot\nDisalow: /\nAllow: x\nCrawl-delay: soon\n";
    let codes = |dialects| {
        let run = MatrixRun::of_file(body, "A", "/\n", dialects);
        run.census.table("errors").all_texts("code")
    };
    let expected = codes("google");
    assert!(expected.contains(&"rule_before_user_agent".to_owned()));
    assert_eq!(codes("rfc9309"), expected);
    assert_eq!(codes("python,google"), expected);
}
