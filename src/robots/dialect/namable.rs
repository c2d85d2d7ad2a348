//! Which crawlers a file can name at all.
//!
//! Google compares the letters, `-` and `_` at the start of a value, so no line names `MJ12bot`
//! there: whatever a file contains, the group of `*` applies to it.

use super::{
    agent::{Agent, Selection, SelectionKind},
    definition::Dialect,
    ruleset::RuleSet,
};
use crate::robots::lines::{RobotsTxt, parse};

/// Returns true if and only if some user-agent line, in a group with a rule, names a crawler that
/// calls itself by the tokens of `chain`.
///
/// This is tested under the dialect itself, with lines that would name the crawler if any does. For
/// each token these are: the token, whole and up to each byte that ends a product token in some
/// dialect, as it is, trimmed, before a slash, and, for bytes that a line cannot have, in escapes;
/// the token between other characters, where a part of a value is enough; its first character and
/// the empty text, which are its shortest prefixes and parts.
pub fn can_be_named<T: AsRef<[u8]>>(dialect: &Dialect, chain: &[T]) -> bool {
    let agent = Agent::new(dialect, chain);
    let mut robots = RobotsTxt::new();
    let mut rules = RuleSet::new();
    let mut selection = Selection::new();
    let mut body = Vec::new();
    let mut is_named_by = |value: &[u8]| {
        body.clear();
        body.extend_from_slice(b"User-agent: ");
        body.extend_from_slice(value);
        body.extend_from_slice(b"\nDisallow: /\n");
        parse(&body, &mut robots);
        rules.compile(dialect, &body, &robots);
        rules.select(&agent, &mut selection);
        selection.kind() == SelectionKind::Named
    };
    chain.iter().map(AsRef::as_ref).any(|token| {
        let ends_token = |byte: &u8| b" \t/;(*".contains(byte);
        let bytes = token.iter().enumerate();
        let ends = bytes.filter_map(|(at, byte)| ends_token(byte).then_some(at));
        let mut forms = std::iter::once(token.len())
            .chain(ends)
            .map(|end| &token[..end]);
        let escaped = |text: &[u8]| -> String {
            let escapes = text.iter().map(|byte| format!("%{byte:02X}"));
            escapes.collect()
        };
        // A star alone is no name, and one before a slash may be.
        let mut is_form_named = |form: &[u8]| {
            let before_slash = [form, b"/"].concat();
            is_named_by(form) || is_named_by(escaped(form).as_bytes()) || is_named_by(&before_slash)
        };
        forms.any(|form| is_form_named(form) || is_form_named(form.trim_ascii()))
            || is_form_named(&token[..token.len().min(1)])
            || is_named_by(&[b"x", token, b"x"].concat())
            || is_named_by(b"")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::{
        AgentCut, AgentMatch, TextModel,
        testing::{dialect, select},
    };

    #[test]
    fn google_names_tokens_of_letters_and_a_chain_by_any_of_them() {
        let google = dialect("google");
        for (chain, expected) in [
            (&["GPTBot"][..], true),
            (&["meta-externalagent"], true),
            (&["MJ12bot"], false),
            (&["archive.org_bot"], false),
            (&["360Spider"], false),
            (&["Googlebot/2.1"], false),
            (&["MJ12bot", "Majestic"], true),
            (&["MJ12bot", "360Spider"], false),
        ] {
            assert_eq!(can_be_named(&google, chain), expected, "{chain:?}");
            assert!(can_be_named(&dialect("rfc9309"), chain), "{chain:?}");
        }
        assert!(!can_be_named(&dialect("rfc9309"), &["#bot"]));
        assert!(!can_be_named(&dialect("baidu"), &["*"]));
    }

    /// Every text of up to `longest` of these pieces.
    fn texts(longest: usize) -> Vec<String> {
        let pieces = ["a", "B", "1", "*", "/", " ", "#", "%23", "\u{e9}"];
        let mut texts = vec![String::new()];
        let mut from = 0;
        for _ in 0..longest {
            let end = texts.len();
            for index in from..end {
                let longer = pieces.map(|piece| texts[index].clone() + piece);
                texts.extend(longer);
            }
            from = end;
        }
        texts
    }

    #[test]
    fn what_cannot_be_named_is_named_by_no_line() {
        let mut dialects = Dialect::BUILT_IN.map(Dialect::clone).to_vec();
        for cut in [
            AgentCut::Letters,
            AgentCut::ProductToken,
            AgentCut::BeforeSlash,
            AgentCut::WithoutStars,
            AgentCut::WholeValue,
            AgentCut::AsWritten,
        ] {
            for matching in [
                AgentMatch::Equal,
                AgentMatch::EqualOrLetters,
                AgentMatch::LongestPrefix,
                AgentMatch::ValueContainsToken,
                AgentMatch::TokenContainsValue,
            ] {
                for text in [TextModel::Octets, TextModel::PythonStr] {
                    dialects.push(Dialect {
                        agent_cut: cut,
                        agent_match: matching,
                        text,
                        ..dialect("google")
                    });
                }
            }
        }
        let (tokens, values) = (texts(2), texts(3));
        let mut n_unnamable = 0;
        for dialect in &dialects {
            let unnamable: Vec<_> = tokens
                .iter()
                .filter(|token| !can_be_named(dialect, &[token]))
                .collect();
            n_unnamable += unnamable.len();
            let agents: Vec<_> = unnamable
                .iter()
                .map(|token| Agent::new(dialect, &[token]))
                .collect();
            let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
            let mut selection = Selection::new();
            for value in &values {
                let body = format!("User-agent: {value}\nDisallow: /\n").into_bytes();
                parse(&body, &mut robots);
                rules.compile(dialect, &body, &robots);
                for (agent, token) in agents.iter().zip(&unnamable) {
                    rules.select(agent, &mut selection);
                    let is_named = selection.kind() == SelectionKind::Named;
                    assert!(!is_named, "{value:?} names {token:?} under {dialect:?}");
                }
            }
        }
        assert!(n_unnamable > 100, "{n_unnamable}");
    }

    #[test]
    fn the_agents_that_google_cannot_name_fall_to_everybody() {
        let body = b"user-agent: MJ12bot\ndisallow: /\nuser-agent: *\nallow: /\n";
        let selection = select("google", body, &["MJ12bot"]);
        assert_eq!(selection.kind(), SelectionKind::Wildcard);
    }
}
