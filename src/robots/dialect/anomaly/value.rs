//! The form of values of other records.
//!
//! Sitemap is specified at sitemaps.org, Request-rate and Visit-time in "An Extended Standard for
//! Robot Exclusion" (1996), signals where `signal` cites it; a Crawl-delay, which has no
//! specification, is a number of seconds. No verdict depends on the form.

use super::code::AnomalyCode;
use crate::robots::{
    lines::{Field, UrlFault, absolute_url, decimal, is_time_range, request_rate},
    signal::{self, Vocabulary},
};

/// Returns what is wrong with the value of a record, if anything is.
pub(super) fn fault(field: Field, value: &[u8]) -> Option<AnomalyCode> {
    let (is_sound, code) = match field {
        Field::Sitemap => return sitemap_fault(value),
        Field::CrawlDelay => (decimal(value).is_some(), AnomalyCode::CrawlDelayNotANumber),
        Field::RequestRate => {
            let rate = request_rate(value);
            (rate.is_some(), AnomalyCode::RequestRateUnreadable)
        }
        Field::VisitTime => (is_time_range(value), AnomalyCode::VisitTimeUnreadable),
        _ => {
            let vocabulary = Vocabulary::of(field);
            let is_sound = vocabulary.is_none_or(|vocabulary| states_something(vocabulary, value));
            (is_sound, AnomalyCode::MalformedValue)
        }
    };
    (!is_sound).then_some(code)
}

fn sitemap_fault(value: &[u8]) -> Option<AnomalyCode> {
    absolute_url(value).err().map(|fault| match fault {
        UrlFault::Relative => AnomalyCode::RelativeSitemap,
        UrlFault::Malformed => AnomalyCode::MalformedSitemap,
    })
}

fn states_something(vocabulary: Vocabulary, value: &[u8]) -> bool {
    let statements = signal::read(vocabulary, value);
    statements.iter().all(|statement| statement.is_sound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use AnomalyCode::{
        CrawlDelayNotANumber, MalformedSitemap, MalformedValue, RelativeSitemap,
        RequestRateUnreadable, VisitTimeUnreadable,
    };

    macro_rules! faults {
        ($($name:ident: $field:ident, [$($sound:literal),*], $($fault:ident [$($unusual:literal),+]),+;)+) => {
            $(
                #[test]
                fn $name() {
                    $(assert_eq!(fault(Field::$field, $sound.as_bytes()), None, "{}", $sound);)*
                    $($(
                        assert_eq!(fault(Field::$field, $unusual.as_bytes()), Some($fault), "{}", $unusual);
                    )+)+
                }
            )+
        };
    }

    faults! {
        a_sitemap_is_an_absolute_url: Sitemap, ["https://a.b/c.xml", "ftp://a"],
            RelativeSitemap ["/sitemap.xml", "www.a.b/c.xml", "//a.b/c.xml", "://a"],
            MalformedSitemap ["", "https://", "https:///c.xml", "https://a.b/c d.xml"];
        a_crawl_delay_is_decimal_digits: CrawlDelay, ["1", "10", "0.5", ".5", "5."],
            CrawlDelayNotANumber ["", ".", "-1", "1,5", "1s", "1.2.3", "1e3", "inf"];
        a_request_rate_is_a_fraction: RequestRate, ["1/5", "1/10m", "3/1h 0800-1200"],
            RequestRateUnreadable ["", "5", "1/", "/5", "1/5d", "1/5 8-12", "1/5 0800-1260"];
        a_visit_time_is_a_range: VisitTime, ["0000-2359"],
            VisitTimeUnreadable ["", "0800", "0800-2400", "08:0-0900", "0800 0900"];
        a_content_signal_is_a_list: ContentSignal,
            ["search=yes", "Search=Yes, ai-train=no", "use=reference,ai-input = no"],
            MalformedValue ["", "search", "search=maybe", "search=yes,", "=yes", "ai-train="];
        a_license_is_an_absolute_url: License, ["https://a/license.xml"],
            MalformedValue ["", "MIT", "/license.xml"];
        a_training_rule_has_a_path: DisallowAiTraining, ["", "/", "*.jpg"],
            MalformedValue ["all"];
        a_content_usage_is_a_dictionary: ContentUsage, ["", "train-ai=n", "/a train-ai=n, search=y"],
            MalformedValue ["train-ai=", "/a Train=n", "search=y;"];
    }
}
