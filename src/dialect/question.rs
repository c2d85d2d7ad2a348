//! The questions of a dialect as data: names, answers that are allowed, and what each means.
//!
//! Enters: nothing. Leaves: [`QUESTIONS`], from which tables are printed and TOML files are written
//! and read, so that a name stands in one place only. Which dialect answers what, and why, is not
//! known here.

use super::{
    access::{Access, AccessPolicy},
    spec::*,
};

/// One question to a dialect.
pub struct Question {
    /// Its name in tables and TOML files; those about access begin with `access.`.
    pub name: &'static str,
    /// What is asked, as a phrase.
    pub about: &'static str,
    /// The answers that are allowed.
    pub allowed: Allowed,
    pub(super) get: fn(&DialectSpec) -> Answer,
    pub(super) set: fn(&mut DialectSpec, Answer) -> bool,
}

/// The answers that a question allows.
#[derive(Clone, Copy, Debug)]
pub enum Allowed {
    /// One of these words, each with what it means.
    Words(&'static [(&'static str, &'static str)]),
    /// A number of bytes from 1, or the word `none`.
    Bytes,
    /// A number from 0 to 255, or the word `none`.
    Count,
}

/// The answer of one dialect to one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A word.
    Word(&'static str),
    /// A number.
    Number(u32),
}

impl Question {
    /// Returns the answer of a dialect.
    pub fn answer(&self, spec: &DialectSpec) -> Answer {
        (self.get)(spec)
    }

    /// Changes the answer of a dialect, and returns whether it is one that is allowed.
    pub fn set_answer(&self, spec: &mut DialectSpec, answer: Answer) -> bool {
        (self.set)(spec, answer)
    }

    /// Returns the answers that are worth trying: all words, and of numbers those of the built-in
    /// dialects.
    pub fn possible_answers(&self) -> Vec<Answer> {
        match self.allowed {
            Allowed::Words(words) => words.iter().map(|(word, _)| Answer::Word(word)).collect(),
            Allowed::Bytes | Allowed::Count => {
                let mut answers = vec![Answer::Word(NONE)];
                for dialect in DialectSpec::BUILT_IN {
                    let answer = self.answer(dialect);
                    if !answers.contains(&answer) {
                        answers.push(answer);
                    }
                }
                answers
            }
        }
    }
}

impl Allowed {
    /// Returns what is allowed, as a phrase.
    pub fn phrase(self) -> String {
        match self {
            Allowed::Words(words) => {
                let words: Vec<_> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
                match words.as_slice() {
                    [head @ .., last] if !head.is_empty() => {
                        format!("{} or {last}", head.join(", "))
                    }
                    words => words.concat(),
                }
            }
            Allowed::Bytes => "a number of bytes from 1, or \"none\"".to_owned(),
            Allowed::Count => "a number from 0 to 255, or \"none\"".to_owned(),
        }
    }
}

/// The word of a limit that is not there.
pub(super) const NONE: &str = "none";

/// An enum whose variants have words.
trait Words: Sized + Copy + PartialEq + 'static {
    const VARIANTS: &'static [Self];
    const WORDS: &'static [(&'static str, &'static str)];

    fn word(self) -> Answer {
        let at = Self::VARIANTS.iter().position(|&variant| variant == self);
        Answer::Word(at.map_or("", |at| Self::WORDS[at].0))
    }

    fn from_answer(answer: Answer) -> Option<Self> {
        let is_it =
            |(word, _): &(&str, &str)| matches!(answer, Answer::Word(given) if given == *word);
        let at = Self::WORDS.iter().position(is_it)?;
        Some(Self::VARIANTS[at])
    }
}

macro_rules! words {
    ($($type:ident { $($variant:ident $word:literal $meaning:literal;)+ })+) => {
        $(impl Words for $type {
            const VARIANTS: &'static [Self] = &[$($type::$variant,)+];
            const WORDS: &'static [(&'static str, &'static str)] = &[$(($word, $meaning),)+];
        })+

        #[cfg(test)]
        mod exhaustive {
            use super::*;

            // Fails to compile where a variant has no word.
            $(const _: fn($type) = |answer| match answer { $($type::$variant => (),)+ };)+
        }
    };
}

words! {
    TextModel {
        Octets "octets" "bytes; CR, LF and CR LF end a line; ASCII white space is trimmed";
        OctetsToNul "to-nul" "the same, and a NUL ends the text of its line";
        PythonStr "python" "Python's str: UTF-8 with replacement, splitlines, strip, values unquoted";
    }
    ByteOrderMark {
        PrefixSkipped "prefix" "any part of it, from its first byte on, is skipped";
        Skipped "skipped" "it is skipped when it is whole";
        Kept "kept" "it is part of the first line";
    }
    FieldNames {
        Exact "exact" "exact names, letter case aside";
        GooglePrefixes "google" "keys that begin with a name or a misspelling on Google's list";
    }
    MissingColon {
        Rejected "rejected" "the line is no directive";
        TwoWords "two-words" "a key and a value, if they are the only two words of the line";
    }
    GroupEnd {
        AgentLineAfterRule "agent-line" "a user-agent line behind a rule";
        BlankLine "blank-line" "that, and a line of nothing but white space";
        PythonStates "python" "that, and an empty line, which forgets a group without rules";
    }
    DuplicateGroups {
        Merged "merged" "one group with the rules of all";
        FirstOnly "first" "only the first in the file counts";
    }
    AgentCut {
        Letters "letters" "the longest prefix of letters, - and _";
        ProductToken "token" "what stands before the first blank, /, ;, ( or *";
        WholeValue "whole" "the whole value; the crawler's token is cut at the first /";
    }
    AgentMatch {
        Equal "equal" "value and token are equal";
        LongestPrefix "prefix" "the value is a prefix of the token; the longest such value wins";
        ValueContainsToken "in-value" "the token stands somewhere in the value";
        TokenContainsValue "in-token" "the value stands somewhere in the token";
    }
    AgentCase {
        Ignored "ignored" "letter case does not count";
        Sensitive "sensitive" "letter case counts";
    }
    AgentChain {
        Together "together" "groups of any token count together";
        InOrder "in-order" "the first token that has a group decides";
    }
    SpecialCharacters {
        StarAndDollar "star-dollar" "* is any run of bytes, and a final $ the end of the path";
        Plain "plain" "they are plain bytes";
    }
    TrailingStar {
        Counted "counted" "octets of the pattern, and special as any other *";
        Dropped "dropped" "nothing: /fish* is /fish, for length and conflicts too";
    }
    LeadingSlash {
        AsWritten "as-written" "matches nothing unless it begins with *";
        Required "required" "no rule, unless it begins with *";
        Supplied "supplied" "read as if / stood in front";
        Anywhere "anywhere" "read as if * stood in front";
    }
    Percent {
        PatternEscaped "pattern" "only the pattern: hex digits upper case, bytes above 0x7F escaped";
        Normalized "normalized" "both: unreserved decoded, behind the first ? also : / ? @ [ ]; others upper case, bytes above 0x7F escaped";
        DecodedButSlash "decoded" "both: all escapes but that of / are decoded";
        PythonQuoted "python" "both: Python's unquote, urlparse, urlunparse and quote";
    }
    Precedence {
        LongestPattern "longest" "the longest pattern, an allow before a disallow of equal length";
        FirstInFile "first" "the first in the file";
    }
    WildcardConflict {
        Decided "decided" "the one that wins without a *";
        LeastRestrictive "least-restrictive" "an allow at least as long; else nobody: the verdict is undefined";
        Undefined "undefined" "nobody: the verdict is undefined";
    }
    EmptyPattern {
        NoEffect "no-effect" "matches everything with the least priority and forbids nothing";
        Ignored "ignored" "no rule";
        AllowsAll "allows-all" "allows everything, whether allow or disallow";
    }
    IndexPage {
        Plain "plain" "it does not";
        AllowsDirectory "directory" "/dir/index.htm and what begins so also allows /dir/";
    }
    RobotsTxtItself {
        Ordinary "ordinary" "a path as any other";
        AlwaysAllowed "allowed" "always allowed";
    }
    PrefixEnd {
        Anywhere "anywhere" "it may";
        WordBoundary "word" "not where a letter or digit would follow another one";
    }
    Access {
        Conditional "conditional" "the lines decide";
        FullAllow "full_allow" "everything is allowed";
        FullDisallow "full_disallow" "nothing is allowed";
        Undefined "undefined" "the specification does not say";
        Redirect "redirect" "what the redirect leads to decides";
    }
}

macro_rules! questions {
    ($($name:literal $field:ident $(. $part:ident)? : $kind:ident $($type:ident)?, $about:literal;)+) => {
        /// All questions, in the order of [`DialectSpec`].
        pub const QUESTIONS: &[Question] = &[$(Question {
            name: $name,
            about: $about,
            allowed: questions!(@allowed $kind $($type)?),
            get: |spec| questions!(@get $kind, spec.$field $(. $part)?),
            set: |spec, answer| match questions!(@read $kind $($type)?, answer) {
                Some(value) => { spec.$field $(. $part)? = value; true }
                None => false,
            },
        },)+];

        #[cfg(test)]
        const FIELDS: &[&str] = &[$(concat!(stringify!($field) $(, ".", stringify!($part))?),)+];
    };
    (@allowed words $type:ident) => { Allowed::Words(<$type as Words>::WORDS) };
    (@allowed bytes) => { Allowed::Bytes };
    (@allowed count) => { Allowed::Count };
    (@get words, $value:expr) => { $value.word() };
    (@get bytes, $value:expr) => { $value.map_or(Answer::Word(NONE), Answer::Number) };
    (@get count, $value:expr) => { $value.map_or(Answer::Word(NONE), |n| Answer::Number(u32::from(n))) };
    (@read words $type:ident, $answer:expr) => { <$type as Words>::from_answer($answer) };
    (@read bytes, $answer:expr) => { bytes($answer) };
    (@read count, $answer:expr) => { count($answer) };
}

questions! {
    "text" text: words TextModel, "how bytes become lines and text";
    "byte_order_mark" byte_order_mark: words ByteOrderMark, "what becomes of a UTF-8 byte order mark at the start";
    "byte_limit" byte_limit: bytes, "the bytes of a file that count";
    "line_limit" line_limit: bytes, "the bytes of a line that count";
    "field_names" field_names: words FieldNames, "which keys are fields";
    "missing_colon" missing_colon: words MissingColon, "what a line without a colon is";
    "group_end" group_end: words GroupEnd, "what ends a group";
    "duplicate_groups" duplicate_groups: words DuplicateGroups, "what several groups of one agent are";
    "agent_cut" agent_cut: words AgentCut, "which part of a user-agent value is compared";
    "agent_match" agent_match: words AgentMatch, "how it is compared with a crawler's token";
    "agent_case" agent_case: words AgentCase, "whether letter case counts in that";
    "agent_chain" agent_chain: words AgentChain, "how a crawler with several tokens is looked up";
    "special_characters" special_characters: words SpecialCharacters, "whether * and $ are special in a path-pattern";
    "trailing_star" trailing_star: words TrailingStar, "what stars at the end of a path-pattern are";
    "leading_slash" leading_slash: words LeadingSlash, "what a path-pattern without a leading / is";
    "percent" percent: words Percent, "in what form pattern and path are compared";
    "precedence" precedence: words Precedence, "which of several matching rules wins";
    "wildcard_conflict" wildcard_conflict: words WildcardConflict, "who wins when an allow and a disallow match, one of them with a *";
    "empty_pattern" empty_pattern: words EmptyPattern, "what a rule without a path is";
    "index_page" index_page: words IndexPage, "whether an allow of an index page allows its directory";
    "robots_txt_itself" robots_txt_itself: words RobotsTxtItself, "what /robots.txt is";
    "prefix_end" prefix_end: words PrefixEnd, "whether a path-pattern may end inside a word of the path";
    "access.max_hops" access.max_hops: count, "the redirects that are followed";
    "access.redirect" access.redirect: words Access, "what 3xx means";
    "access.too_many_hops" access.too_many_hops: words Access, "what a longer chain of redirects, or a loop, means";
    "access.unauthorized" access.unauthorized: words Access, "what 401 and 403 mean";
    "access.too_many_requests" access.too_many_requests: words Access, "what 429 means";
    "access.client_error" access.client_error: words Access, "what the other 4xx mean";
    "access.server_error" access.server_error: words Access, "what 5xx means";
    "access.unreachable" access.unreachable: words Access, "what no answer, or one cut off, means";
}

fn bytes(answer: Answer) -> Option<Option<u32>> {
    match answer {
        Answer::Word(NONE) => Some(None),
        Answer::Number(number) if number > 0 => Some(Some(number)),
        _ => None,
    }
}

fn count(answer: Answer) -> Option<Option<u8>> {
    match answer {
        Answer::Word(NONE) => Some(None),
        Answer::Number(number) => u8::try_from(number).ok().map(Some),
        Answer::Word(_) => None,
    }
}

// Fails to compile where a question is missing.
const _: fn(DialectSpec) = |spec| {
    let DialectSpec {
        name: _,
        text: _,
        byte_order_mark: _,
        byte_limit: _,
        line_limit: _,
        field_names: _,
        missing_colon: _,
        group_end: _,
        duplicate_groups: _,
        agent_cut: _,
        agent_match: _,
        agent_case: _,
        agent_chain: _,
        special_characters: _,
        trailing_star: _,
        leading_slash: _,
        percent: _,
        precedence: _,
        wildcard_conflict: _,
        empty_pattern: _,
        index_page: _,
        robots_txt_itself: _,
        prefix_end: _,
        access,
    } = spec;
    let AccessPolicy {
        max_hops: _,
        redirect: _,
        too_many_hops: _,
        unauthorized: _,
        too_many_requests: _,
        client_error: _,
        server_error: _,
        unreachable: _,
    } = access;
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dialect::{Agent, Basis, NAMES, PreparedPath, RuleSet, Selection, builtin},
        robots::{RobotsTxt, parse},
    };

    #[test]
    fn questions_are_named_as_the_fields_they_ask() {
        let names: Vec<_> = QUESTIONS.iter().map(|question| question.name).collect();
        assert_eq!(names, FIELDS);
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 30);
    }

    #[test]
    fn an_answer_that_is_set_is_the_answer_that_is_got() {
        let specs = NAMES.map(|name| builtin(name).expect("the dialect is built in"));
        for question in QUESTIONS {
            for from in &specs {
                let mut to = specs[0].clone();
                assert!(
                    (question.set)(&mut to, question.answer(from)),
                    "{}",
                    question.name
                );
                assert_eq!(
                    question.answer(&to),
                    question.answer(from),
                    "{}",
                    question.name
                );
            }
        }
    }

    #[test]
    fn other_answers_are_refused() {
        let mut spec = builtin("google").expect("the dialect is built in");
        let before = spec.clone();
        for question in QUESTIONS {
            assert!(
                !(question.set)(&mut spec, Answer::Word("perhaps")),
                "{}",
                question.name
            );
        }
        let set = |spec: &mut DialectSpec, name: &str, answer| {
            let question = QUESTIONS.iter().find(|question| question.name == name);
            (question.expect("it is a question").set)(spec, answer)
        };
        assert!(!set(&mut spec, "byte_limit", Answer::Number(0)));
        assert!(!set(&mut spec, "access.max_hops", Answer::Number(256)));
        assert_eq!(spec, before);
        assert!(set(&mut spec, "access.max_hops", Answer::Word(NONE)));
        assert_eq!(spec.access.max_hops, None);
        assert!(set(&mut spec, "byte_limit", Answer::Word(NONE)));
        assert_eq!(spec.byte_limit, None);
    }

    #[test]
    fn any_answers_together_are_a_dialect() {
        let mut state = 0x1234_5678_9ABC_DEF1u64;
        let mut next = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % bound
        };
        let words: [&[u8]; 20] = [
            b"user-agent:",
            b"disallow:",
            b"allow:",
            b"disalow ",
            b"crawl-delay: \xc2\xb2",
            b" ",
            b"\n",
            b"\n",
            b"\r",
            b"*",
            b"$",
            b"/",
            b"a",
            b"%2",
            b"%2F",
            b"\xef\xbb\xbf",
            b"\xe9",
            b"\0",
            b"//[",
            b"/index.htm",
        ];
        let mut robots = RobotsTxt::new();
        let mut rules = RuleSet::new();
        let mut selection = Selection::new();
        for _ in 0..10_000 {
            let mut spec = builtin(NAMES[next(NAMES.len())]).expect("the dialect is built in");
            for question in QUESTIONS {
                let answer = match question.allowed {
                    Allowed::Words(words) => Answer::Word(words[next(words.len())].0),
                    Allowed::Bytes | Allowed::Count if next(2) == 0 => Answer::Word(NONE),
                    Allowed::Bytes | Allowed::Count => Answer::Number(1 + next(60) as u32),
                };
                assert!((question.set)(&mut spec, answer), "{}", question.name);
            }
            let body: Vec<u8> = (0..next(30))
                .flat_map(|_| words[next(20)].to_vec())
                .collect();
            parse(&body, &mut robots);
            rules.compile(&spec, &body, &robots);
            rules.semantic_digest();
            rules.select(&Agent::new(&spec, &["a", "*", ""]), &mut selection);
            for url in [&b"/a"[..], b"/a%2F\xe9*", b"//[", b""] {
                let path = PreparedPath::from_url(&spec, url);
                let decision = rules.decide(&selection, &path);
                assert_eq!(decision.rule_line.is_some(), decision.basis == Basis::Rule);
                let matching: Vec<_> = rules
                    .matching(&selection, &path)
                    .map(|rule| rule.line)
                    .collect();
                let is_among = decision
                    .rule_line
                    .is_none_or(|line| matching.contains(&line));
                assert!(is_among, "{spec:?} {body:?} {url:?}");
            }
        }
    }
}
