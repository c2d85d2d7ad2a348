//! Any pattern matches by its definition.
//!
//! The input is a choice of answers, then the value of a rule and, after byte 0xFE, a path. A
//! dialect with those answers must match the path if and only if the definition does, by a second
//! matcher. Built-in dialects and any other answers count alike.

use robocensus::robots::{
    dialect::{
        Agent, AllowedAnswers, CHOICES, Dialect, EmptyPattern, IndexPage, LeadingSlash, NAMES,
        PrefixEnd, PreparedPath, RuleKind, RuleSet, Selection, SpecialCharacters, TrailingStar,
        read_toml,
    },
    lines::{RobotsTxt, parse},
};

use super::{Target, input::Input};
use crate::naive;

pub const TARGET: Target = Target {
    name: "pattern",
    seeds,
    words: include_str!("words/pattern.dict"),
    check,
};

/// The choices that decide what a pattern matches.
const CHOSEN: [&str; 8] = [
    "special_characters",
    "trailing_star",
    "leading_slash",
    "percent",
    "precedence",
    "empty_pattern",
    "index_page",
    "prefix_end",
];

fn seeds() -> Vec<Vec<u8>> {
    let answers = b"\0\0\0\0\0\0\0\0\0\0";
    let cases = [
        &b"/a*b$\xfe/axxb"[..],
        b"/fish\xfe/fish/heads.html?x",
        b"*.php$\xfe/a.php.php",
        b"/d/index.html\xfe/d/",
        b"/*a*ab*abc*c\xfe/abababcabcc",
        b"x\xfe/x",
    ];
    let all = cases.into_iter().flat_map(|case| {
        (0..4).map(move |dialect| [&[dialect, 1], &answers[..CHOSEN.len()], case].concat())
    });
    all.collect()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let name = input.pick(&NAMES);
    let is_allow = input.byte().is_multiple_of(2);
    let mut answers = String::new();
    for choice in CHOICES {
        // Byte 0 is the built-in answer.
        if CHOSEN.contains(&choice.name)
            && let Some(chosen) = input.byte().checked_sub(1)
            && let AllowedAnswers::Words(words) = choice.allowed
        {
            let word = words[usize::from(chosen) % words.len()].0;
            answers.push_str(&format!("{} = \"{word}\"\n", choice.name));
        }
    }
    let spec = if answers.is_empty() {
        Dialect::named(name).expect("the dialect is built in")
    } else {
        let text = format!("base = \"{name}\"\n{answers}");
        read_toml(&text, "mine").expect("every answer is allowed")
    };
    let value = input.until(0xfe);
    let field: &[u8] = if is_allow { b"allow:" } else { b"disallow:" };
    let body = [b"user-agent: *\n", field, value].concat();
    let mut robots = RobotsTxt::new();
    parse(&body, &mut robots);
    let mut rules = RuleSet::new();
    rules.compile(&spec, &body, &robots);
    let &[rule] = rules.rules() else {
        return;
    };
    let mut selection = Selection::new();
    rules.select(&Agent::new(&spec, &["a"]), &mut selection);
    let path = PreparedPath::from_url(&spec, input.0);
    let is_match = rules.matching(&selection, &path).next().is_some();
    let is_empty = rule.value.is_empty();
    let kind = match (is_empty, spec.empty_pattern) {
        (true, EmptyPattern::AllowsAll) => RuleKind::Allow,
        _ => rule.kind,
    };
    // The pattern with the stars at its end, which are dropped here by a second hand.
    let counted = Dialect {
        trailing_star: TrailingStar::Counted,
        ..spec.clone()
    };
    rules.compile(&counted, &body, &robots);
    let pattern = rules.pattern(&rules.rules()[0]).to_vec();
    let is_wanted = defined(&spec, kind, is_empty, &pattern, path.as_bytes());
    assert_eq!(is_match, is_wanted, "{spec:?}");
}

/// Returns true if and only if a rule's normalized pattern matches a normalized path under `spec`.
fn defined(spec: &Dialect, kind: RuleKind, is_empty: bool, pattern: &[u8], path: &[u8]) -> bool {
    if is_empty && spec.empty_pattern == EmptyPattern::Ignored {
        return false;
    }
    let is_path = is_empty || pattern.starts_with(b"/") || pattern.starts_with(b"*");
    if spec.leading_slash == LeadingSlash::Required && !is_path {
        return false;
    }
    if defined_of(spec, pattern, path) {
        return true;
    }
    let is_directory = spec.index_page == IndexPage::AllowsDirectory && kind == RuleKind::Allow;
    let slash = pattern.iter().rposition(|&byte| byte == b'/');
    slash.filter(|_| is_directory).is_some_and(|slash| {
        pattern[slash..].starts_with(b"/index.htm")
            && defined_of(spec, &[&pattern[..=slash], b"$"].concat(), path)
    })
}

fn defined_of(spec: &Dialect, pattern: &[u8], path: &[u8]) -> bool {
    let is_special = spec.special_characters == SpecialCharacters::StarAndDollar
        && (pattern.contains(&b'*') || pattern.ends_with(b"$"));
    let unstarred = pattern.iter().rposition(|&byte| byte != b'*');
    let unstarred = &pattern[..unstarred.map_or(0, |last| last + 1)];
    let is_dropping = is_special
        && spec.trailing_star == TrailingStar::Dropped
        && unstarred.len() < pattern.len();
    if is_special && (!is_dropping || unstarred.contains(&b'*')) {
        return naive::matches(pattern, path);
    }
    let pattern = if is_dropping { unstarred } else { pattern };
    if !path.starts_with(pattern) {
        return false;
    }
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    spec.prefix_end == PrefixEnd::Anywhere
        || !(is_word(pattern.last()) && is_word(path.get(pattern.len())))
}
