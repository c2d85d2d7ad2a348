//! The choices on which parsers of robots.txt differ, and a dialect as one answer to each of them.
//!
//! The table at the call of `choices!` is the only list of them: the struct [`Dialect`], the types
//! of its answers, their names in TOML files and their documentation come from it. Which dialect
//! gives which answer is in `builtin`; the other files of this module act on the answers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One of the choices on which dialects differ.
pub struct Choice {
    /// Its name in tables and TOML files; those about access begin with `access.`.
    pub name: &'static str,
    /// What is chosen, as a phrase.
    pub about: &'static str,
    /// The answers that are allowed.
    pub allowed: AllowedAnswers,
    get: fn(&Dialect) -> AnswerValue<'static>,
    set: fn(&mut Dialect, AnswerValue<'_>) -> bool,
}

/// The answers that a choice allows.
#[derive(Clone, Copy, Debug)]
pub enum AllowedAnswers {
    /// One of these words, each with its meaning.
    Words(&'static [(&'static str, &'static str)]),
    /// A number of bytes from 1, or the word `none`.
    Bytes,
    /// A number from 0 to 255, or the word `none`.
    Count,
}

/// The answer of one dialect to one choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum AnswerValue<'a> {
    /// A word.
    Word(&'a str),
    /// A number.
    Number(u32),
}

/// The word for a limit that does not exist.
const NONE: &str = "none";

impl Choice {
    /// Returns the answer of a dialect.
    pub fn answer(&self, dialect: &Dialect) -> AnswerValue<'static> {
        (self.get)(dialect)
    }

    /// Changes the answer of a dialect, and returns false, without a change, for an answer that is
    /// not allowed.
    pub(crate) fn set(&self, dialect: &mut Dialect, answer: AnswerValue<'_>) -> bool {
        (self.set)(dialect, answer)
    }

    /// Returns the answers that are worth trying: all words, and of numbers those of the built-in
    /// dialects.
    #[cfg(feature = "dataset")]
    pub(crate) fn possible_answers(&self) -> Vec<AnswerValue<'static>> {
        match self.allowed {
            AllowedAnswers::Words(words) => words
                .iter()
                .map(|(word, _)| AnswerValue::Word(word))
                .collect(),
            AllowedAnswers::Bytes | AllowedAnswers::Count => {
                let mut answers = vec![AnswerValue::Word(NONE)];
                for dialect in Dialect::BUILT_IN {
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

impl AllowedAnswers {
    /// Returns what is allowed, as a phrase.
    pub fn phrase(self) -> String {
        match self {
            AllowedAnswers::Words(words) => {
                let words: Vec<_> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
                match words.as_slice() {
                    [head @ .., last] if !head.is_empty() => {
                        format!("{} or {last}", head.join(", "))
                    }
                    words => words.concat(),
                }
            }
            AllowedAnswers::Bytes => format!("a number of bytes from 1, or {NONE:?}"),
            AllowedAnswers::Count => format!("a number from 0 to 255, or {NONE:?}"),
        }
    }
}

/// The type of an answer.
trait AnswerType: Sized {
    const ALLOWED: AllowedAnswers;

    fn to_answer(&self) -> AnswerValue<'static>;
    fn from_answer(answer: AnswerValue<'_>) -> Option<Self>;
}

impl AnswerType for Option<u32> {
    const ALLOWED: AllowedAnswers = AllowedAnswers::Bytes;

    fn to_answer(&self) -> AnswerValue<'static> {
        self.map_or(AnswerValue::Word(NONE), AnswerValue::Number)
    }

    fn from_answer(answer: AnswerValue<'_>) -> Option<Self> {
        match answer {
            AnswerValue::Word(NONE) => Some(None),
            AnswerValue::Number(number) if number > 0 => Some(Some(number)),
            _ => None,
        }
    }
}

impl AnswerType for Option<u8> {
    const ALLOWED: AllowedAnswers = AllowedAnswers::Count;

    fn to_answer(&self) -> AnswerValue<'static> {
        self.map_or(AnswerValue::Word(NONE), |count| {
            AnswerValue::Number(count.into())
        })
    }

    fn from_answer(answer: AnswerValue<'_>) -> Option<Self> {
        match answer {
            AnswerValue::Word(NONE) => Some(None),
            AnswerValue::Number(number) => u8::try_from(number).ok().map(Some),
            AnswerValue::Word(_) => None,
        }
    }
}

fn set<T: AnswerType>(slot: &mut T, answer: AnswerValue<'_>) -> bool {
    match T::from_answer(answer) {
        Some(value) => {
            *slot = value;
            true
        }
        None => false,
    }
}

macro_rules! answers {
    ($about:literal $type:ident {
        $(#[$doc:meta])*
        $($variant:ident $word:literal $meaning:literal;)+
    }) => {
        #[doc = concat!("An answer: ", $about, ".")]
        $(#[doc = ""] #[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $type {
            $(#[doc = concat!("`", $word, "`: ", $meaning, ".")] $variant,)+
        }

        impl $type {
            #[allow(dead_code, reason = "not every choice is a column of a table")]
            pub(crate) const ALL: &[Self] = &[$(Self::$variant,)+];

            pub(super) fn word(self) -> &'static str {
                match self { $($type::$variant => $word,)+ }
            }
        }

        impl AnswerType for $type {
            const ALLOWED: AllowedAnswers = AllowedAnswers::Words(&[$(($word, $meaning),)+]);

            fn to_answer(&self) -> AnswerValue<'static> {
                AnswerValue::Word(self.word())
            }

            fn from_answer(answer: AnswerValue<'_>) -> Option<Self> {
                match answer {
                    $(AnswerValue::Word($word) => Some($type::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

macro_rules! choices {
    (
        $($field:ident: $type:ident $(<$number:ident>)?, $about:literal
            $({ $($answers:tt)+ })? $(;)?)+
        [access]
        $($part:ident: $part_type:ident $(<$part_number:ident>)?, $part_about:literal;)+
    ) => {
        /// One interpretation of robots.txt: an answer to each of the choices on which parsers
        /// differ.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Dialect {
            /// The name of the dialect in tables and options.
            pub name: Cow<'static, str>,
            $(#[doc = concat!("The choice `", stringify!($field), "`: ", $about, ".")]
            pub $field: $type $(<$number>)?,)+
            /// What the outcome of the fetch decides before a line is read.
            pub access: AccessPolicy,
        }

        /// The answers of one dialect to the outcomes of a fetch.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct AccessPolicy {
            $(#[doc = concat!("The choice `access.", stringify!($part), "`: ", $part_about, ".")]
            pub $part: $part_type $(<$part_number>)?,)+
        }

        $($(answers! { $about $type { $($answers)+ } })?)+

        /// All choices, in the order of [`Dialect`].
        pub const CHOICES: &[Choice] = &[
            $(Choice {
                name: stringify!($field),
                about: $about,
                allowed: <$type $(<$number>)? as AnswerType>::ALLOWED,
                get: |dialect| dialect.$field.to_answer(),
                set: |dialect, answer| set(&mut dialect.$field, answer),
            },)+
            $(Choice {
                name: concat!("access.", stringify!($part)),
                about: $part_about,
                allowed: <$part_type $(<$part_number>)? as AnswerType>::ALLOWED,
                get: |dialect| dialect.access.$part.to_answer(),
                set: |dialect, answer| set(&mut dialect.access.$part, answer),
            },)+
        ];
    };
}

choices! {
    text: TextModel, "how bytes become lines and text" {
        Octets "octets" "bytes; CR, LF and CR LF end a line; ASCII white space is trimmed";
        OctetsToNul "to-nul" "the same, and a NUL ends the text of its line";
        PythonStr "python" "Python's str: UTF-8 with replacement, splitlines, strip, values unquoted";
    }
    byte_order_mark: ByteOrderMark, "what becomes of a UTF-8 byte order mark at the start" {
        PrefixSkipped "prefix" "any part of it, from its first byte on, is skipped";
        Skipped "skipped" "it is skipped when it is whole";
        Retained "kept" "it is part of the first line";
    }
    byte_limit: Option<u32>, "the bytes of a file that count";
    line_limit: Option<u32>, "the bytes of a line that count, leading blanks and comments included";
    field_names: FieldNames, "which keys are fields" {
        Exact "exact" "exact names, in any letter case";
        GooglePrefixes "google" "keys that begin with a name or a misspelling on Google's list";
    }
    missing_colon: MissingColon, "what a line without a colon is" {
        Rejected "rejected" "the line is no directive";
        TwoWords "two-words" "a key and a value, if they are the only two words of the line";
    }
    group_end: GroupEnd, "what ends a group" {
        /// A rule ends the list of user-agent lines in all dialects.
        AgentLineAfterRule "agent-line" "a user-agent line after a rule";
        AgentLineAfterField "agent-line-after-any" "a user-agent line after a line with any other field";
        BlankLine "blank-line" "that, and a line of nothing but white space";
        PythonStates "python" "that, and an empty line, which drops a group without rules";
    }
    duplicate_groups: DuplicateGroups, "what several groups of one agent are" {
        Merged "merged" "one group with the rules of all";
        FirstOnly "first" "only the first in the file counts";
    }
    agent_cut: AgentCut, "which part of a user-agent value is compared" {
        /// A value that is `*` alone, or `*` and white space with anything after it, is for every
        /// crawler in all dialects, as in Google's matcher; the specifications mention `*` alone.
        Letters "letters" "the longest prefix of letters, - and _";
        ProductToken "token" "the text before the first blank, /, ;, ( or *, also of the crawler's token";
        BeforeSlash "before-slash" "the text before the first /, trimmed, also of the crawler's token";
        WithoutStars "without-stars" "the whole value without * and blanks at its ends; the crawler's token is whole";
        WholeValue "whole" "the whole value; the crawler's token is cut at the first /";
        AsWritten "as-written" "the whole value; the crawler's token is whole";
    }
    agent_match: AgentMatch, "how it is compared with a crawler's token" {
        /// crawler-commons compares as `equal-or-letters` says from its release 1.4 on.
        Equal "equal" "value and token are equal";
        LongestPrefix "prefix" "the value is a prefix of the token; the longest such value wins";
        ValueContainsToken "in-value" "the value contains the token";
        TokenContainsValue "in-token" "the token contains the value";
        EqualOrLetters "equal-or-letters" "the value, or its longest prefix of letters, - and _, and the token are equal";
    }
    agent_case: AgentCase, "whether letter case counts in that" {
        Ignored "ignored" "letter case does not count";
        Sensitive "sensitive" "letter case counts";
    }
    agent_chain: AgentChain, "how a crawler with several tokens is looked up" {
        Together "together" "groups of any token count together";
        InOrder "in-order" "the first token that has a group decides";
    }
    special_characters: SpecialCharacters, "whether * and $ are special in a path-pattern" {
        StarAndDollar "star-dollar" "* is any sequence of bytes, and a final $ the end of the path";
        Plain "plain" "they are plain bytes";
    }
    trailing_star: TrailingStar, "what stars at the end of a path-pattern are" {
        /// They never change what a pattern matches.
        Counted "counted" "octets of the pattern, and special as any other *";
        Dropped "dropped" "nothing: /fish* is /fish, for length and conflicts too, and * is /";
    }
    leading_slash: LeadingSlash, "what a path-pattern without a leading / is" {
        AsWritten "as-written" "matches nothing unless it begins with *";
        Required "required" "no rule, unless it begins with *";
        Supplied "supplied" "the same with / in front";
        Anywhere "anywhere" "the same with * in front";
    }
    percent: Percent, "in what form pattern and path are compared" {
        /// What a URL may have is in RFC 3986, sections 3.3 and 3.4; `escaped` is as `encodeURI` of
        /// JavaScript.
        PatternEscaped "pattern" "only the pattern: hex digits upper case, bytes above 0x7F escaped";
        Normalized "normalized" "both: unreserved decoded, after the first ? also : / ? @ [ ]; others upper case, bytes above 0x7F escaped";
        DecodedButSlash "decoded" "both: all escapes but that of / are decoded";
        Escaped "escaped" "both: hex digits upper case; bytes that a URL path cannot have, except %, are escaped";
        PythonQuoted "python" "both: Python's unquote, urlparse, urlunparse and quote";
    }
    precedence: Precedence, "which of several matching rules wins" {
        LongestPattern "longest" "the longest pattern, an allow before a disallow of equal length";
        FirstInFile "first" "the first in the file";
    }
    wildcard_conflict: WildcardConflict, "who wins when an allow and a disallow match, one of them with a *" {
        Decided "decided" "the one that wins without a *";
        LeastRestrictive "least-restrictive" "an allow at least as long; else none: the verdict is undefined";
        Undefined "undefined" "none: the verdict is undefined";
    }
    empty_pattern: EmptyPattern, "what a rule without a path is" {
        NoEffect "no-effect" "matches everything with the least priority and disallows nothing";
        Ignored "ignored" "no rule";
        AllowsAll "allows-all" "allows everything, whether allow or disallow";
    }
    index_page: IndexPage, "whether an allow of an index page allows its directory" {
        Plain "plain" "it does not";
        AllowsDirectory "directory" "an allow of /dir/index.htm or of a longer path allows /dir/ too";
    }
    robots_txt_itself: RobotsTxtItself, "what /robots.txt is" {
        Ordinary "ordinary" "a path as any other";
        AlwaysAllowed "allowed" "always allowed";
    }
    prefix_end: PrefixEnd, "whether a path-pattern may end inside a word of the path" {
        Anywhere "anywhere" "it may";
        WordBoundary "word" "not where a letter or digit would follow another one";
    }
    [access]
    max_hops: Option<u8>, "the redirects that are followed; the next one is too many";
    redirect: Access, "what 3xx means";
    too_many_hops: Access, "what a longer chain of redirects, or a loop, means";
    unauthorized: Access, "what 401 and 403 mean";
    too_many_requests: Access, "what 429 means";
    client_error: Access, "what the other 4xx mean";
    server_error: Access, "what 5xx means";
    unreachable: Access, "what no response, or one that is incomplete or not HTTP, means";
}

answers! {
    "what the outcome of a fetch means for the whole host"
    Access {
        Conditional "conditional" "the lines decide";
        FullAllow "full_allow" "everything is allowed";
        FullDisallow "full_disallow" "nothing is allowed";
        Undefined "undefined" "the specification does not define it";
        Redirect "redirect" "the target of the redirect decides";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        robots::{
            dialect::{Agent, Basis, PreparedPath, RuleSet, Selection, testing::text},
            lines::{RobotsTxt, parse},
        },
        sample::random::Random,
    };

    #[test]
    fn an_answer_that_is_set_is_the_answer_that_is_got() {
        for choice in CHOICES {
            for from in Dialect::BUILT_IN {
                let mut to = Dialect::GOOGLE;
                assert!(choice.set(&mut to, choice.answer(from)), "{}", choice.name);
                assert_eq!(choice.answer(&to), choice.answer(from), "{}", choice.name);
            }
        }
    }

    #[test]
    fn other_answers_are_refused() {
        let mut dialect = Dialect::GOOGLE;
        let before = dialect.clone();
        for choice in CHOICES {
            assert!(
                !choice.set(&mut dialect, AnswerValue::Word("perhaps")),
                "{}",
                choice.name
            );
        }
        let set = |dialect: &mut Dialect, name: &str, answer| {
            let choice = CHOICES.iter().find(|choice| choice.name == name);
            choice.expect("it is a choice").set(dialect, answer)
        };
        assert!(!set(&mut dialect, "byte_limit", AnswerValue::Number(0)));
        assert!(!set(
            &mut dialect,
            "access.max_hops",
            AnswerValue::Number(256)
        ));
        assert_eq!(dialect, before);
        assert!(set(
            &mut dialect,
            "access.max_hops",
            AnswerValue::Word(NONE)
        ));
        assert_eq!(dialect.access.max_hops, None);
        assert!(set(&mut dialect, "byte_limit", AnswerValue::Word(NONE)));
        assert_eq!(dialect.byte_limit, None);
    }

    #[test]
    fn any_answers_together_are_a_dialect() {
        let words = "user-agent:|disallow:|allow:|disalow |crawl-delay: \u{b2}| |\n|\n|\r|*|$|/|a|%2|%2F|\
            \u{feff}|\u{e9}|\0|//[|/index.htm";
        let words: Vec<_> = words.split('|').map(str::as_bytes).collect();
        let mut random = Random::new(1);
        let mut robots = RobotsTxt::new();
        let mut rules = RuleSet::new();
        let mut selection = Selection::new();
        for _ in 0..10_000 {
            let mut dialect = random.pick(&Dialect::BUILT_IN).clone();
            for choice in CHOICES {
                let answer = match choice.allowed {
                    AllowedAnswers::Words(words) => AnswerValue::Word(random.pick(words).0),
                    AllowedAnswers::Bytes | AllowedAnswers::Count if random.below(2) == 0 => {
                        AnswerValue::Word(NONE)
                    }
                    AllowedAnswers::Bytes | AllowedAnswers::Count => {
                        AnswerValue::Number(1 + random.below(60) as u32)
                    }
                };
                assert!(choice.set(&mut dialect, answer), "{}", choice.name);
            }
            let body = text(&mut random, 30, &words);
            parse(&body, &mut robots);
            rules.compile(&dialect, &body, &robots);
            rules.semantic_digest();
            rules.select(&Agent::new(&dialect, &["a", "*", ""]), &mut selection);
            for url in [&b"/a"[..], b"/a%2F\xe9*", b"//[", b""] {
                let path = PreparedPath::from_url(&dialect, url);
                let decision = rules.decide(&selection, &path);
                assert_eq!(decision.rule_line.is_some(), decision.basis == Basis::Rule);
                let matching: Vec<_> = rules
                    .matching(&selection, &path)
                    .map(|rule| rule.line)
                    .collect();
                let is_among = decision
                    .rule_line
                    .is_none_or(|line| matching.contains(&line));
                assert!(is_among, "{dialect:?} {body:?} {url:?}");
            }
        }
    }
}
