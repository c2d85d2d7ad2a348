//! Findings on single lines.

use std::cmp::Ordering;

use memchr::memmem;

use super::{code::AnomalyCode, finding::Anomaly, spelling, value};
use crate::robots::{
    dialect::{
        agent::{is_product_token_byte, product_token},
        builtin::{DialectSet, google},
        definition::{
            AgentCut, AgentMatch, Dialect, DuplicateGroups, FieldNames, LeadingSlash, MissingColon,
            Precedence, TextModel,
        },
        group::{AgentLine, Rule, RuleKind},
        hash::hash_of_ends,
        line::{Role, classify, two_words},
        python,
        ruleset::RuleSet,
    },
    lines::{BYTE_ORDER_MARK, BodyKind, Field, Line, RobotsTxt, Span, is_blank_byte},
};

const FULL_WIDTH_COLON: &[u8] = b"\xef\xbc\x9a";
const NON_BREAKING_SPACE: &[u8] = b"\xc2\xa0";

/// Appends the anomalies of lines. `order` is reusable memory: rules or user-agent lines, each as
/// the hash of the compared text above its index.
pub(super) fn find(
    order: &mut Vec<u64>,
    body: &[u8],
    robots: &RobotsTxt,
    reference: &RuleSet,
    anomalies: &mut Vec<Anomaly>,
) {
    let is_text = robots.kind() == BodyKind::Text;
    for (number, line) in (1..).zip(robots.lines()) {
        if line.text.start >= google::BYTE_LIMIT {
            break;
        }
        if line.text.len() > google::LINE_LIMIT {
            find_long_line(line, number, anomalies);
        }
        find_key(body, line, number, is_text, anomalies);
    }
    for rule in reference.rules() {
        find_rule(body, rule, reference.pattern(rule), anomalies);
        if let Some(line) = robots.lines().get(rule.line as usize - 1) {
            anomalies.extend(cut_path(body, line, rule));
        }
    }
    for agent in reference.agents() {
        find_agent(body, agent, anomalies);
    }
    for record in reference.records() {
        let code = value::fault(record.field, record.value.of(body));
        anomalies.extend(code.map(|code| Anomaly::new(code, record.line, record.value)));
    }
    find_shadowed(order, robots, reference, anomalies);
    find_named_twice(order, body, reference, anomalies);
}

fn find_long_line(line: &Line, number: u32, anomalies: &mut Vec<Anomaly>) {
    let span = Span::new(line.text.start + google::LINE_LIMIT, line.text.end);
    let anomaly = Anomaly::new(AnomalyCode::LineTooLong, number, span);
    anomalies.push(anomaly.accepted_where(|dialect| dialect.line_limit.is_none()));
}

/// Examines the key of a line, or the text where a key is missing.
fn find_key(body: &[u8], line: &Line, number: u32, is_text: bool, anomalies: &mut Vec<Anomaly>) {
    let is_common = matches!(
        line.field,
        Field::UserAgent | Field::Allow | Field::Disallow
    );
    if line.content().is_empty() || (is_common && !line.has_non_ascii) {
        return;
    }
    if line.separator().is_none() {
        anomalies.extend(missing_colon(body, line, number, is_text));
        return;
    }
    let key = line.key();
    let text = key.of(body);
    let (role, field) = classify(FieldNames::GooglePrefixes, text, line.field);
    let is_known = role != Role::Other || field.is_known();
    if text.is_empty() || !(is_known || is_text) {
        return;
    }
    if line.has_non_ascii {
        find_spaces(body, line, number, anomalies);
    }
    let anomaly = |code| Anomaly::new(code, number, key);
    let google =
        || DialectSet::accepting(|dialect| dialect.field_names == FieldNames::GooglePrefixes);
    let found = match line.field {
        _ if is_common => return,
        Field::Unknown if line.has_non_ascii && memmem::find(text, FULL_WIDTH_COLON).is_some() => {
            let accepted_by = if is_known { google() } else { DialectSet::NONE };
            anomaly(AnomalyCode::FullWidthColon).accepted_by(accepted_by)
        }
        Field::Unknown if is_known => anomaly(AnomalyCode::MisspeltField)
            .accepted_by(google())
            .meaning(field),
        // An invisible byte in a key has its own code.
        Field::Unknown if line.has_non_ascii && has_invisible(text) => return,
        Field::Unknown => match spelling::near_miss(text) {
            Some(meant) => anomaly(AnomalyCode::MisspeltField).meaning(meant),
            None => anomaly(AnomalyCode::UnknownField),
        },
        _ if role != Role::Other => anomaly(AnomalyCode::FieldReadAsRule).accepted_by(google()),
        _ => return,
    };
    anomalies.push(found);
}

/// Examines a line without a colon. One that is no path and does not begin with a field is prose,
/// and no anomaly.
fn missing_colon(body: &[u8], line: &Line, number: u32, is_text: bool) -> Option<Anomaly> {
    let content = line.content();
    let text = content.of(body);
    let named = two_words(body, content).map(|(key, _)| {
        let key = key.of(body);
        classify(FieldNames::GooglePrefixes, key, Field::from_key(key)).1
    });
    // In what is not text, only a line with a known field is examined.
    if !is_text && !named.is_some_and(Field::is_known) {
        return None;
    }
    if is_text && is_lone_path(text) {
        return Some(Anomaly::new(AnomalyCode::PathWithoutField, number, content));
    }
    let is_full_width = line.has_non_ascii && memmem::find(text, FULL_WIDTH_COLON).is_some();
    let meant = spelling::leading_field(text)?;
    let is_named = named == Some(meant);
    if !is_text && !is_named {
        return None;
    }
    let code = if is_full_width {
        AnomalyCode::FullWidthColon
    } else {
        AnomalyCode::MissingColon
    };
    let anomaly = Anomaly::new(code, number, content).meaning(meant);
    let is_read = |dialect: &Dialect| dialect.missing_colon == MissingColon::TwoWords;
    Some(anomaly.accepted_where(|dialect| is_named && is_read(dialect)))
}

/// Returns true if and only if the text is nothing but a path. Two slashes begin a comment, as in
/// many programming languages.
fn is_lone_path(text: &[u8]) -> bool {
    text.starts_with(b"/") && !text.starts_with(b"//") && !text.iter().any(|&b| is_blank_byte(b))
}

/// Finds no-break spaces and invisible characters.
fn find_spaces(body: &[u8], line: &Line, number: u32, anomalies: &mut Vec<Anomaly>) {
    let content = line.content();
    let text = content.of(body);
    let span = |at: usize, space: &[u8]| {
        let start = content.start + at as u32;
        Span::new(start, start + space.len() as u32)
    };
    if let Some(at) = memmem::find(text, NON_BREAKING_SPACE) {
        // Python strips it like any white space at an end.
        let is_stripped = [line.key(), line.value()]
            .into_iter()
            .all(|part| memmem::find(python::strip(part.of(body)), NON_BREAKING_SPACE).is_none());
        let span = span(at, NON_BREAKING_SPACE);
        let anomaly = Anomaly::new(AnomalyCode::NonBreakingSpace, number, span);
        let strips = |dialect: &Dialect| dialect.text == TextModel::PythonStr;
        anomalies.push(anomaly.accepted_where(|dialect| is_stripped && strips(dialect)));
    }
    if let Some(at) = find_zero_width(text) {
        let span = span(at, &text[at..at + 3]);
        anomalies.push(Anomaly::new(AnomalyCode::ZeroWidthSpace, number, span));
    }
}

/// Finds U+200B to U+200F, the zero-width space and similar characters, or U+2060, the word joiner.
fn find_zero_width(text: &[u8]) -> Option<usize> {
    let is_zero_width =
        |bytes: &[u8]| matches!(bytes, [0xE2, 0x80, 0x8B..=0x8F] | [0xE2, 0x81, 0xA0]);
    text.windows(3).position(is_zero_width)
}

fn has_invisible(key: &[u8]) -> bool {
    let finds = |needle| memmem::find(key, needle).is_some();
    finds(NON_BREAKING_SPACE) || finds(BYTE_ORDER_MARK) || find_zero_width(key).is_some()
}

fn find_rule(body: &[u8], rule: &Rule, pattern: &[u8], anomalies: &mut Vec<Anomaly>) {
    let value = rule.value.of(body);
    let anomaly = |code| Anomaly::new(code, rule.line, rule.value);
    if rule.group_index.is_none() {
        anomalies.push(anomaly(AnomalyCode::RuleBeforeUserAgent));
    }
    if !matches!(value.first(), None | Some(b'/' | b'*')) {
        use LeadingSlash::{Anywhere, Supplied};
        let anomaly = anomaly(AnomalyCode::PathWithoutSlash);
        let reads = |dialect: &Dialect| matches!(dialect.leading_slash, Supplied | Anywhere);
        anomalies.push(anomaly.accepted_where(reads));
    }
    if rule.is_plain {
        return;
    }
    if memchr::memchr(b'$', pattern).is_some_and(|at| at + 1 < pattern.len()) {
        anomalies.push(anomaly(AnomalyCode::AnchorInside).accepted_by(DialectSet::ALL));
    }
    if has_broken_escape(pattern) {
        anomalies.push(anomaly(AnomalyCode::InvalidPercentEscape).accepted_by(DialectSet::ALL));
    }
}

/// Finds a comment that begins in the middle of a word of the value.
fn cut_path(body: &[u8], line: &Line, rule: &Rule) -> Option<Anomaly> {
    let comment = line.comment()?;
    let is_inside = !rule.value.is_empty() && rule.value.end == comment.start;
    let continues = |byte: &u8| !is_blank_byte(*byte);
    let is_cut = is_inside && body.get(comment.start as usize + 1).is_some_and(continues);
    is_cut.then(|| Anomaly::new(AnomalyCode::CommentCutsPath, rule.line, comment))
}

fn has_broken_escape(pattern: &[u8]) -> bool {
    let is_hex = |at: usize| pattern.get(at).is_some_and(u8::is_ascii_hexdigit);
    memchr::memchr_iter(b'%', pattern).any(|at| !is_hex(at + 1) || !is_hex(at + 2))
}

fn find_agent(body: &[u8], agent: &AgentLine, anomalies: &mut Vec<Anomaly>) {
    // The reference dialect cuts values at the first byte that cannot be in a product token.
    let is_token = agent.token == agent.value && !agent.value.is_empty();
    if is_token || agent.is_wildcard {
        return;
    }
    let value = agent.value.of(body);
    let anomaly = Anomaly::new(AnomalyCode::AgentNotAProductToken, agent.line, agent.value);
    anomalies.push(anomaly.accepted_where(|dialect| names_its_crawler(dialect, value)));
}

/// Returns true if and only if the group applies, under `dialect`, to the crawler whose name is
/// `value` without version and comment.
fn names_its_crawler(dialect: &Dialect, value: &[u8]) -> bool {
    let name = product_token(value);
    let letters = name.iter().all(|&byte| is_product_token_byte(byte));
    let is_compared = match (dialect.agent_cut, dialect.agent_match) {
        (AgentCut::Letters, _) => letters,
        (AgentCut::WholeValue, AgentMatch::TokenContainsValue) => name.len() == value.len(),
        _ => true,
    };
    is_compared && !name.is_empty()
}

/// Returns true if and only if a limit of the reference dialect ends within the content of a line.
fn is_cut(line: &Line) -> bool {
    let counted = line.text.start.saturating_add(google::LINE_LIMIT);
    line.content().end > counted.min(google::BYTE_LIMIT)
}

/// Finds rules that never decide, because the same group has an equal one: the earlier of two of a
/// kind, or the allow.
///
/// A rule that a limit of the reference dialect cuts is equal to none: its line says more.
fn find_shadowed(
    order: &mut Vec<u64>,
    robots: &RobotsTxt,
    reference: &RuleSet,
    anomalies: &mut Vec<Anomaly>,
) {
    let rules = reference.rules();
    let rule = |index: u32| &rules[index as usize];
    let pattern = |index: u32| reference.pattern(rule(index));
    order.clear();
    let indexed = (0u32..).zip(rules);
    order.extend(indexed.filter_map(|(index, rule)| {
        let group = rule.group_index.filter(|_| !rule.pattern.is_empty())?;
        let line = robots.lines().get(rule.line as usize - 1)?;
        if is_cut(line) {
            return None;
        }
        let hash = hash_of_ends(reference.pattern(rule)) ^ group;
        Some(u64::from(hash) << 32 | u64::from(index))
    }));
    bring_together(order, |a, b| {
        let group = rule(a).group_index.cmp(&rule(b).group_index);
        let same = group.then_with(|| pattern(a).cmp(pattern(b)));
        same.then_with(|| rule(a).kind.cmp(&rule(b).kind))
    });
    for (earlier, later) in neighbors(order) {
        let is_same_group = rule(earlier).group_index == rule(later).group_index;
        if is_same_group && pattern(earlier) == pattern(later) {
            let rule = rule(later);
            let anomaly = Anomaly::new(AnomalyCode::ShadowedRule, rule.line, rule.value);
            // Where the first in the file wins, a disallow before its allow decides.
            let is_conflict =
                rules[earlier as usize].kind == RuleKind::Allow && rule.kind == RuleKind::Disallow;
            anomalies.push(anomaly.accepted_where(|dialect| {
                is_conflict && later < earlier && dialect.precedence == Precedence::FirstInFile
            }));
        }
    }
}

/// Finds user-agents that an earlier group names.
fn find_named_twice(
    order: &mut Vec<u64>,
    body: &[u8],
    reference: &RuleSet,
    anomalies: &mut Vec<Anomaly>,
) {
    let agents = reference.agents();
    let agent = |index: u32| &agents[index as usize];
    let name = |index: u32| {
        if agent(index).is_wildcard {
            &b"*"[..]
        } else {
            product_token(agent(index).value.of(body))
        }
    };
    order.clear();
    // Equal names have equal tokens, since the reference dialect cuts a token from the start of its
    // name and ignores case.
    let hashes = reference.token_hashes().iter().zip(0..);
    order.extend(hashes.map(|(&hash, index)| u64::from(hash) << 32 | index));
    let lower = |index: u32| name(index).iter().map(u8::to_ascii_lowercase);
    bring_together(order, |a, b| lower(a).cmp(lower(b)));
    for (earlier, later) in neighbors(order) {
        let (name, other) = (name(later), name(earlier));
        let (earlier, later) = (agent(earlier), agent(later));
        let is_same_name = !name.is_empty() && name.eq_ignore_ascii_case(other);
        if is_same_name && earlier.group_index != later.group_index {
            let code = if later.is_wildcard {
                AnomalyCode::DuplicateWildcardGroup
            } else {
                AnomalyCode::DuplicateGroup
            };
            let anomaly = Anomaly::new(code, later.line, later.value);
            let merges = |dialect: &Dialect| dialect.duplicate_groups == DuplicateGroups::Merged;
            anomalies.push(anomaly.accepted_where(merges));
        }
    }
}

/// Sorts so that equal items are neighbors, in the order of `compare` and then of their indexes.
///
/// Numbers are sorted first, which is several times as fast as calling `compare`; only items with
/// equal hashes are compared, which are few unless a file is hostile.
fn bring_together(order: &mut [u64], compare: impl Fn(u32, u32) -> Ordering) {
    order.sort_unstable();
    for alike in order.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        if alike.len() > 1 {
            alike.sort_unstable_by(|&a, &b| compare(a as u32, b as u32).then(a.cmp(&b)));
        }
    }
}

/// Returns the indexes of adjacent items with equal hashes.
fn neighbors(order: &[u64]) -> impl Iterator<Item = (u32, u32)> {
    let pairs = order.windows(2).map(|pair| (pair[0], pair[1]));
    pairs
        .filter(|(a, b)| a >> 32 == b >> 32)
        .map(|(a, b)| (a as u32, b as u32))
}
