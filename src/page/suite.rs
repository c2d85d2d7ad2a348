//! The cases of `tests/testdata/pages.toml`: what a page states, and what holds for a crawler.
//!
//! Runs are tested with the same file.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{Decided, Page, PageDialect, PagePolicy, PageReader, testing::shown};

const CASES: &str = include_str!("../../tests/testdata/pages.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suite {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    source: String,
    page: String,
    #[serde(default)]
    fields: Vec<String>,
    #[serde(default = "any_agent")]
    agent: String,
    #[serde(default = "any_dialect")]
    dialect: String,
    statements: Vec<String>,
    counts: Option<[u64; 5]>,
    policy: Vec<String>,
}

fn any_agent() -> String {
    "anybot".to_owned()
}

fn any_dialect() -> String {
    "google".to_owned()
}

fn decided(policy: &PagePolicy) -> Vec<String> {
    fn line<T>(name: &str, decided: Decided<T>, show: impl Fn(T) -> String) -> Option<String> {
        let statement = decided.statement?;
        Some(format!("{name}={} {}", show(decided.value), statement + 1))
    }
    fn flag(value: bool) -> String {
        value.to_string()
    }
    fn number(value: Option<i64>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    let preview = policy.max_image_preview;
    [
        line("may_index", policy.may_index, flag),
        line("may_follow", policy.may_follow, flag),
        line("may_archive", policy.may_archive, flag),
        line("may_snippet", policy.may_snippet, flag),
        line("max_snippet", policy.max_snippet, number),
        line("max_image_preview", preview, |value| {
            value.map_or("", super::ImagePreview::as_str).to_owned()
        }),
        line("max_video_preview", policy.max_video_preview, number),
        line("unavailable_after", policy.unavailable_after, number),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn pages_state_what_the_cases_say() {
    let suite: Suite = toml::from_str(CASES).expect("the cases are valid");
    let names: BTreeSet<_> = suite.case.iter().map(|case| &case.name).collect();
    assert_eq!(names.len(), suite.case.len());
    let mut reader = PageReader::new();
    let mut page = Page::new();
    for case in &suite.case {
        assert!(!case.source.is_empty(), "{}", case.name);
        let fields = case.fields.iter().map(|field| {
            let (name, value) = field.split_once(':').expect("a field has a colon");
            (name.as_bytes(), value.trim().as_bytes())
        });
        reader.read(case.page.as_bytes(), fields, &mut page);
        let statements = page.statements().iter();
        let statements: Vec<_> = statements
            .map(|statement| shown(&page, statement))
            .collect();
        assert_eq!(statements, case.statements, "{}", case.name);
        if let Some(expected) = case.counts {
            let counts = page.counts();
            let found = [
                counts.links,
                counts.nofollow_links,
                counts.ugc_links,
                counts.sponsored_links,
                counts.nosnippets,
            ];
            assert_eq!(found, expected, "{}", case.name);
        }
        let dialects = PageDialect::ALL.iter();
        let mut dialects = dialects.filter(|dialect| dialect.as_str() == case.dialect);
        let dialect = *dialects.next().expect("the dialect of a case exists");
        let chain: Vec<_> = case.agent.split(',').collect();
        let policy = page.policy(dialect, &chain);
        assert_eq!(decided(&policy), case.policy, "{}", case.name);
    }
    assert!(suite.case.len() > 40);
}
