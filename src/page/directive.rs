//! Lists of directives: the `content` of an element, and the value of a field.
//!
//! A list is separated by commas. White space alone separates too, as crawlers read it; that is a
//! finding. A directive that takes a value is followed by a colon. In a field, any other word
//! before a colon names the crawler that the rest of the field is for.

use super::{
    date,
    statement::{Directive, StatementFinding},
};
use crate::named::named;

/// One directive of a list.
#[derive(Debug, PartialEq)]
pub(super) struct Item<'t> {
    /// The name of the crawler that the list names before it.
    pub agent: Option<&'t [u8]>,
    /// The name as written.
    pub name: &'t [u8],
    /// The directive with its value, as written.
    pub written: &'t [u8],
    pub directive: Option<Directive>,
    pub value: Option<&'t [u8]>,
    pub number: Option<i64>,
    pub time: Option<i64>,
    pub is_valid: bool,
    pub finding: Option<StatementFinding>,
}

impl<'t> Item<'t> {
    /// Returns an item that is no directive of a list, such as that of an empty text.
    pub fn other(written: &'t [u8]) -> Item<'t> {
        Item {
            agent: None,
            name: b"",
            written,
            directive: None,
            value: None,
            number: None,
            time: None,
            is_valid: true,
            finding: None,
        }
    }

    fn reject(&mut self, finding: StatementFinding) {
        self.is_valid = false;
        self.finding = Some(finding);
    }

    /// Takes back what the item states, since a part of it is not known.
    pub fn cut(&mut self) {
        self.reject(StatementFinding::ValueTooLong);
        self.number = None;
        self.time = None;
        if self.value.is_none() {
            self.directive = None;
        }
    }
}

/// A list of directives.
#[derive(Clone, Copy)]
pub(super) struct List<'t> {
    pub text: &'t [u8],
    /// Whether it is the value of a field, which may name crawlers.
    pub is_field: bool,
    /// Whether the list continues behind the text.
    pub is_cut: bool,
}

/// Splits a list and calls `each` for each directive, in order, until it returns false.
///
/// A list without directives is one item without a name, which states nothing. Neither does the
/// last item of a list that is cut, unless a comma is behind it: what was cut may belong to it.
pub(super) fn read<'t>(list: List<'t>, each: &mut impl FnMut(Item<'t>) -> bool) {
    let List {
        text,
        is_field,
        is_cut,
    } = list;
    let mut rest = text;
    let mut agent = None;
    let mut is_first = true;
    let mut is_empty = true;
    loop {
        let separator = rest.iter().take_while(|&&byte| is_separator(byte)).count();
        let has_comma = rest[..separator].contains(&b',');
        rest = &rest[separator..];
        if rest.is_empty() {
            break;
        }
        let start = rest;
        let name = word(rest, |byte| is_separator(byte) || byte == b':');
        let after = rest[name.len()..].trim_ascii_start();
        let lower = name.to_ascii_lowercase();
        let directive = Directive::of_list(&lower);
        let has_value = after.first() == Some(&b':');
        if has_value && is_field && !directive.is_some_and(Directive::takes_value) {
            agent = Some(name);
            rest = &after[1..];
            is_first = true;
            continue;
        }
        let mut item = Item {
            agent,
            name,
            directive,
            ..Item::other(name)
        };
        rest = &rest[name.len()..];
        if has_value {
            rest = after[1..].trim_ascii_start();
            let length = match directive {
                Some(Directive::UnavailableAfter) => date::extent(rest),
                _ => 0,
            };
            // What is no date ends like any other value, at a comma.
            let value = match (length, directive.is_some_and(Directive::takes_value)) {
                (0, true) if directive != Some(Directive::UnavailableAfter) => {
                    word(rest, is_separator)
                }
                (0, _) => word(rest, |byte| byte == b',').trim_ascii_end(),
                (length, _) => &rest[..length],
            };
            rest = &rest[value.len()..];
            item.value = Some(value);
            item.written = start[..start.len() - rest.len()].trim_ascii_end();
        }
        if !is_first && !has_comma {
            item.finding = Some(StatementFinding::BlankSeparated);
        }
        judge(&mut item);
        if is_cut && rest.iter().all(u8::is_ascii_whitespace) {
            item.cut();
        }
        is_first = false;
        is_empty = false;
        if !each(item) {
            return;
        }
    }
    if is_empty {
        let mut item = Item {
            agent,
            ..Item::other(text.trim_ascii())
        };
        item.reject(StatementFinding::ValueMissing);
        if is_cut {
            item.cut();
        }
        each(item);
    }
}

fn is_separator(byte: u8) -> bool {
    byte == b',' || byte.is_ascii_whitespace()
}

fn word(text: &[u8], ends: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|&byte| ends(byte));
    &text[..end.unwrap_or(text.len())]
}

/// Reads the value that a directive takes.
fn judge(item: &mut Item<'_>) {
    let Some(directive) = item.directive else {
        return item.reject(StatementFinding::UnknownDirective);
    };
    match (directive.takes_value(), item.value) {
        (false, None) => {}
        (false, Some(_)) => item.reject(StatementFinding::ValueUnexpected),
        (true, None | Some(b"")) => item.reject(StatementFinding::ValueMissing),
        (true, Some(value)) => judge_value(item, directive, value),
    }
}

fn judge_value(item: &mut Item<'_>, directive: Directive, value: &[u8]) {
    match directive {
        Directive::MaxImagePreview => {
            if ImagePreview::of(value).is_none() {
                item.reject(StatementFinding::ValueInvalid);
            }
        }
        Directive::UnavailableAfter => match date::parse(value) {
            Some(date) => {
                item.time = Some(date.micros);
                if !date.has_zone {
                    item.finding
                        .get_or_insert(StatementFinding::DateWithoutZone);
                }
            }
            None => item.reject(StatementFinding::ValueInvalid),
        },
        _ => {
            let number = std::str::from_utf8(value).ok();
            item.number = number.and_then(|text| text.parse().ok());
            if item.number.is_none_or(|number| number < -1) {
                item.reject(StatementFinding::ValueInvalid);
            }
        }
    }
}

named! {
    /// The largest image that may be shown, the most restrictive first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ImagePreview {
        /// No image.
        None = "none",
        /// An image of the usual size.
        Standard = "standard",
        /// An image up to the width of the screen.
        Large = "large",
    }
}

impl ImagePreview {
    /// Returns the value that a text names, without regard to case.
    pub(super) fn of(value: &[u8]) -> Option<ImagePreview> {
        Self::ALL
            .into_iter()
            .find(|preview| preview.as_str().as_bytes().eq_ignore_ascii_case(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str, is_field: bool) -> List<'_> {
        List {
            text: text.as_bytes(),
            is_field,
            is_cut: false,
        }
    }

    /// Returns each item as `agent|name=value#finding`, with `!` before one that states nothing.
    fn shown(list: List<'_>) -> Vec<String> {
        let mut items = Vec::new();
        read(list, &mut |item| {
            let part = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let agent = item.agent.map_or(String::new(), |agent| part(agent) + "|");
            let value = item
                .value
                .map_or(String::new(), |value| "=".to_owned() + &part(value));
            let finding = item
                .finding
                .map_or(String::new(), |f| "#".to_owned() + f.as_str());
            let mark = if item.is_valid { "" } else { "!" };
            items.push(format!("{mark}{agent}{}{value}{finding}", part(item.name)));
            true
        });
        items
    }

    macro_rules! reads {
        ($($name:ident: $is_field:literal, $text:literal => [$($item:literal),*];)+) => {
            $(
                #[test]
                fn $name() {
                    let expected: &[&str] = &[$($item),*];
                    assert_eq!(shown(list($text, $is_field)), expected);
                }
            )+
        };
    }

    reads! {
        commas_separate: false, "noindex, nofollow" => ["noindex", "nofollow"];
        case_does_not_count: false, "NoIndex,NOFOLLOW" => ["NoIndex", "NOFOLLOW"];
        blanks_alone_separate_and_are_flagged:
            false, "noindex nofollow" => ["noindex", "nofollow#blank_separated"];
        empty_items_are_nothing: false, ",, noindex ,\t," => ["noindex"];
        an_empty_list_states_nothing: false, " , " => ["!#value_missing"];
        unknown_directives_are_marked:
            false, "noindex; follow" => ["!noindex;#unknown_directive", "follow#blank_separated"];
        numbers_are_read: false, "max-snippet:-1, max-video-preview: 30, Max-Snippet : 0"
            => ["max-snippet=-1", "max-video-preview=30", "Max-Snippet=0"];
        what_is_no_number_is_marked: false, "max-snippet: many, max-snippet: -2, max-snippet:, max-snippet"
            => ["!max-snippet=many#value_invalid", "!max-snippet=-2#value_invalid",
                "!max-snippet=#value_missing", "!max-snippet#value_missing"];
        previews_have_three_sizes: false, "max-image-preview:Large max-image-preview:huge"
            => ["max-image-preview=Large", "!max-image-preview=huge#value_invalid"];
        dates_may_hold_commas: false, "unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, noarchive"
            => ["unavailable_after=Fri, 25 Jun 2010 15:00:00 PST", "noarchive"];
        dates_without_a_zone_are_flagged: false, "unavailable_after: 2010-06-25,noindex"
            => ["unavailable_after=2010-06-25#date_without_zone", "noindex"];
        what_is_no_date_ends_at_a_comma: false, "unavailable_after: next spring, noindex"
            => ["!unavailable_after=next spring#value_invalid", "noindex"];
        a_directive_without_a_value_has_none: false, "noindex: true, follow"
            => ["!noindex=true#value_unexpected", "follow"];
        elements_name_no_crawler: false, "googlebot: noindex"
            => ["!googlebot=noindex#unknown_directive"];
        fields_name_crawlers: true, "noarchive, Googlebot: noindex, nofollow bingbot : max-snippet: 5"
            => ["noarchive", "Googlebot|noindex", "Googlebot|nofollow", "bingbot|max-snippet=5"];
        a_crawler_without_directives_is_told_nothing: true, "googlebot:"
            => ["!googlebot|#value_missing"];
    }

    #[test]
    fn what_a_cut_goes_through_states_nothing() {
        for (text, expected) in [
            (
                "noindex, noarch",
                &["noindex", "!noarch#value_too_long"][..],
            ),
            (
                "noindex, nofollow",
                &["noindex", "!nofollow#value_too_long"],
            ),
            ("noindex,", &["noindex"]),
            // A colon may follow.
            ("noindex ", &["!noindex#value_too_long"]),
            ("max-snippet: 12", &["!max-snippet=12#value_too_long"]),
            ("max-snippet", &["!max-snippet#value_too_long"]),
            (
                "max-snippet: 12 noindex,",
                &["max-snippet=12", "noindex#blank_separated"],
            ),
            // A zone may follow.
            (
                "unavailable_after: 25 Jun 2010 15:00:00 ",
                &["!unavailable_after=25 Jun 2010 15:00:00#value_too_long"],
            ),
            ("  ", &["!#value_too_long"]),
        ] {
            let is_cut = true;
            let cut = List {
                is_cut,
                ..list(text, false)
            };
            assert_eq!(shown(cut), expected, "{text}");
            read(cut, &mut |item| {
                let is_known = item.number.is_some() || item.time.is_some();
                assert!(item.is_valid || !is_known, "{item:?}");
                true
            });
        }
    }

    #[test]
    fn a_value_is_recorded_as_written() {
        let mut written = Vec::new();
        read(list("Max-Snippet : 5 , noindex", false), &mut |item| {
            written.push(item.written);
            true
        });
        assert_eq!(written, [&b"Max-Snippet : 5"[..], b"noindex"]);
    }
}
