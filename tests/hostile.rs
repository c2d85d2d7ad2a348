//! Bodies that were made to hurt: they give rows like any other, and cost no more than their bytes.

use std::collections::HashMap;

use robocensus::{
    Config, Progress,
    dialect::{MAX_PER_CODE, NAMES, builtin},
    random::Random,
};

use crate::util::{Census, Dir, Held, gzip, response};

/// Runs every dialect on captures of these bodies.
fn read(dir: &Dir, bodies: &[String]) -> Census {
    let records = bodies
        .iter()
        .enumerate()
        .flat_map(|(number, body)| response(&format!("http://h{number}.example/robots.txt"), body));
    let archive = Held::new("a.warc.gz", gzip(&records.collect::<Vec<_>>()));
    let mut config = Config::new(dir.path("census"));
    config.dialects = NAMES.map(|name| builtin(name).unwrap()).into();
    let summary = robocensus::run(&config, &[archive.source()], &Progress::default()).unwrap();
    assert_eq!(summary.counts.captures, bodies.len() as u64);
    assert_eq!(summary.counts.archives_incomplete, 0);
    Census(dir.path("census"))
}

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
        format!(
            "User-agent: *\n{}",
            format!("Disallow: /{}b\n", "*a".repeat(8_000)).repeat(30)
        ),
        format!("User-agent: *\nDisallow: /{}$", "*/".repeat(500_000)),
        format!("User-agent: {}\nDisallow: /", "a".repeat(1 << 20)),
        "#".repeat(1 << 20),
        "%".repeat(1 << 20),
    ];
    let dir = Dir::new();
    let census = read(&dir, &bodies);
    let errors = census.table("errors");
    let mut of_code: HashMap<_, usize> = HashMap::new();
    for row in errors
        .all_ints("capture_id")
        .into_iter()
        .zip(errors.all_texts("code"))
    {
        *of_code.entry(row).or_default() += 1;
    }
    // More of one kind are counted and not listed.
    assert!(
        of_code.values().all(|n| *n <= MAX_PER_CODE + 1),
        "{:?}",
        of_code.values().max()
    );
    let lines = census.table("captures").all_ints("line_count");
    assert_eq!(lines[..3], [1 << 20, 1 << 20, 1]);
}

/// Returns a number as letters, since product tokens have no digits.
fn letters(mut number: usize) -> String {
    let mut text = String::new();
    for _ in 0..4 {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    text
}

#[test]
fn bodies_of_random_pieces_give_rows_that_fit_each_other() {
    const PIECES: [&str; 24] = [
        "User-agent",
        "user-agent: *",
        "Allow",
        "Disallow",
        "Disalow",
        "Sitemap",
        "Crawl-delay",
        ":",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "#",
        "*",
        "$",
        "/",
        "%",
        "%2F",
        "\0",
        "ü",
        "\u{feff}",
        "GPTBot",
        "/index.html",
    ];
    let mut random = Random::new(7);
    let bodies: Vec<_> = (0..400)
        .map(|_| {
            (0..random.below(120))
                .map(|_| random.pick(&PIECES))
                .collect::<String>()
        })
        .collect();
    let dir = Dir::new();
    let census = read(&dir, &bodies);
    let captures = census.table("captures");
    let lengths = captures.all_ints("content_length");
    assert_eq!(
        lengths,
        bodies
            .iter()
            .map(|body| body.len() as i64)
            .collect::<Vec<_>>()
    );
    let ids = captures.all_ints("capture_id");
    let lines: HashMap<_, _> = ids
        .into_iter()
        .zip(captures.all_ints("line_count"))
        .collect();
    for table in ["agents", "rules", "directives"] {
        let rows = census.table(table);
        assert!(rows.n_rows() > 100, "{table}");
        for (id, line) in rows
            .all_ints("capture_id")
            .iter()
            .zip(rows.all_ints("line"))
        {
            assert!(
                (1..=lines[id]).contains(&line),
                "{table}: line {line} of {}",
                lines[id]
            );
        }
    }
    let verdicts = census.table("verdicts");
    let rows = verdicts
        .all_ints("capture_id")
        .into_iter()
        .zip(verdicts.ints("rule_line"));
    for (id, line) in rows.filter_map(|(id, line)| Some((id, line?))) {
        assert!(
            (1..=lines[&id]).contains(&line),
            "line {line} of {}",
            lines[&id]
        );
    }
}
