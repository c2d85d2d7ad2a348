//! Any text is a case, a dialect or a list, or gives a sentence that names its mistake.
//!
//! The input is a choice of parser and a text: a line of cases, a dialect, a list of agents or of
//! URLs. What a parser accepts can be used, and what it rejects is one sentence with a line of the
//! text.

use robocensus::robots::{
    check::{Case, Checker, Request, read_case},
    dialect::{Dialect, PreparedPath, read_toml, to_toml},
    matrix::{read_agents, read_urls},
};

use super::{Target, input::Input};

pub const TARGET: Target = Target {
    name: "text",
    seeds,
    words: include_str!("words/text.dict"),
    check,
};

fn seeds() -> Vec<Vec<u8>> {
    let dialect = to_toml("python").expect("the dialect is built in");
    let texts = [
        "\0{\"id\":1,\"robots\":\"User-agent: *\\nDisallow: /\",\"agent\":\"a\",\"url\":\"/b\",\"expect\":\"allow\",\"line\":2}",
        "\0{\"robots_b64\":\"QWxsb3c6IC8=\",\"dialect\":\"baidu\",\"queries\":[{\"agents\":[\"a\",\"\\udcff\"],\"url\":\"\\u00e9\"}]}",
        "\0{\"robots_url\":\"http://a/robots.txt\",\"url\":\"http://a/\",\"applies\":true}",
        "\0{\"status\":null,\"redirect_hops\":7,\"redirect_loop\":false,\"expect\":\"full_allow\"}",
        "\u{1}base = \"rfc9309\"\nname = \"mine\"\nbyte_limit = \"none\"\npercent = \"decoded\"\n[access]\nmax_hops = 3\n",
        "\u{2}token\tcategory\nGooglebot-News,Googlebot\tsearch\n# none\n\n*\n",
        "\u{3}url\n/\n/a?b=1\thits\nhttps://a.example/x\n#/c\n",
    ];
    let texts = texts.into_iter().map(|text| text.as_bytes().to_vec());
    texts
        .chain([format!("\u{1}{dialect}").into_bytes()])
        .collect()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let choice = input.byte() % 4;
    let text = String::from_utf8_lossy(input.0);
    match choice {
        0 => match read_case(input.0, &mut |_| {}) {
            Ok(case) => ask(&case),
            Err(sentence) => check_sentence(&sentence),
        },
        1 => match read_toml(&text, "mine") {
            Ok(spec) => {
                assert!(!spec.name.is_empty() && Dialect::named(&spec.name).is_none());
                PreparedPath::from_url(&spec, b"/a?b");
            }
            Err(sentence) => check_line(&sentence, &text),
        },
        2 => match read_agents(&text, &mut |note| check_sentence(&note)) {
            Ok(agents) => {
                assert!(!agents.is_empty());
                let mut tokens = agents.iter().flat_map(|agent| &agent.chain);
                assert!(tokens.all(|token| !token.is_empty()));
            }
            Err(sentence) => check_line(&sentence, &text),
        },
        _ => match read_urls(&text) {
            Ok(urls) => {
                assert!(urls.paths().len() + urls.n_absolute() > 0);
                assert_eq!(urls.absolute().count(), urls.n_absolute());
                assert!(urls.paths().iter().all(|path| path.starts_with('/')));
            }
            Err(sentence) => check_line(&sentence, &text),
        },
    }
}

/// Answers a case in every dialect.
fn ask(case: &Case<'_>) {
    for spec in Dialect::BUILT_IN {
        match case {
            Case::Verdict(case) => {
                let mut checker = Checker::new();
                checker.parse(&case.body);
                checker.compile(spec, &case.body);
                for query in &case.queries {
                    let request = Request {
                        chain: &query.chain,
                        url: &query.url,
                        outcome: case.fetch.map(|fetch| fetch.outcome(spec)),
                        robots_url: case.robots_url.as_deref(),
                    };
                    let answer = checker.ask(spec, &request);
                    assert!(answer.group_line.is_some() || answer.decision.group_index.is_none());
                    checker.lost(spec, &answer.decision);
                }
            }
            Case::Access(case) => drop(spec.access.decide(case.fetch.outcome(spec)).decision()),
            Case::Scope(case) => {
                let applies = robocensus::url::applies_to(&case.robots_url, &case.url);
                assert!(!applies || !case.robots_url.is_empty());
            }
        }
    }
}

fn check_sentence(sentence: &str) {
    let is_sentence = !sentence.is_empty() && !sentence.contains('\n');
    assert!(is_sentence, "{sentence:?}");
}

/// Checks a sentence that may begin with the number of a line of `text`.
fn check_line(sentence: &str, text: &str) {
    check_sentence(sentence);
    let rest = sentence.strip_prefix("line ");
    if let Some((number, _)) = rest.and_then(|rest| rest.split_once(':')) {
        let number: usize = number.parse().expect("a line is named by its number");
        let count = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
        assert!((1..=count).contains(&number), "{sentence:?}");
    }
}
