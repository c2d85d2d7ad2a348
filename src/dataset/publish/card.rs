//! The words of the user about a dataset, a file of TOML, and how words are escaped.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// What no figure of a dataset says.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Card {
    /// The title of the dataset.
    pub name: Option<String>,
    /// What it was made for, in paragraphs of plain text.
    pub purpose: Option<String>,
    /// An identifier of SPDX, or a URL.
    pub license: Option<String>,
    /// Whom to write to.
    pub contact: Option<String>,
    /// Where it is published.
    pub url: Option<String>,
    /// Its DOI, `10.PREFIX/SUFFIX`.
    pub doi: Option<String>,
    /// Its version, as its publisher counts.
    pub version: Option<String>,
    /// The day on which it is published, YYYY-MM-DD.
    pub published: Option<String>,
    /// Who keeps it.
    pub publisher: Option<String>,
    /// Words by which it is found.
    pub keywords: Vec<String>,
    /// Who made it.
    pub creators: Vec<Creator>,
}

/// A person, or an organization.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Creator {
    /// The family name of a person.
    pub family: Option<String>,
    /// The given names of a person.
    pub given: Option<String>,
    /// The name of an organization.
    pub name: Option<String>,
    /// `https://orcid.org/` and 16 digits.
    pub orcid: Option<String>,
    /// Where a person works.
    pub affiliation: Option<String>,
}

impl Card {
    /// Reads a card.
    ///
    /// # Errors
    ///
    /// What is wrong, in a sentence with the line.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let card: Self = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let lines = text[..start].matches('\n').count();
            format!(
                "{} (line {})",
                error.message().replace('\n', " "),
                lines + 1
            )
        })?;
        let is_day = |day: &str| day.len() == 10 && day.parse::<Date>().is_ok();
        let is_license = |license: &str| license_url(license).is_some();
        let wrong = [
            ("url", "a URL with http", &card.url, is_url as IsRight),
            ("doi", "10.PREFIX/SUFFIX", &card.doi, is_doi),
            ("published", "a day, YYYY-MM-DD", &card.published, is_day),
            (
                "license",
                "an identifier of SPDX, or a URL",
                &card.license,
                is_license,
            ),
        ];
        for (key, expected, value, is_right) in wrong {
            if let Some(value) = value.as_deref().filter(|value| !is_right(value)) {
                return Err(format!("{key}: expected {expected}, but found {value:?}"));
            }
        }
        for creator in &card.creators {
            if creator.family.is_some() == creator.name.is_some() {
                return Err(
                    "creators: expected family (and given) of a person, or name of an organization"
                        .to_owned(),
                );
            }
            if let Some(orcid) = creator.orcid.as_deref().filter(|orcid| !is_orcid(orcid)) {
                return Err(format!(
                    "orcid: expected https://orcid.org/0000-0000-0000-0000, but found {orcid:?}"
                ));
            }
        }
        Ok(card)
    }

    /// Returns true if and only if it has what every citation needs.
    pub fn can_be_cited(&self) -> bool {
        !self.creators.is_empty() && self.published.is_some()
    }

    /// Returns the line by which a dataset of this name and origin is cited.
    pub(super) fn cite_as(&self, name: &str, origin: &str) -> String {
        let creators: Vec<_> = self.creators.iter().map(Creator::full_name).collect();
        let version = self.version.iter();
        let doi = self.doi.iter().map(|doi| format!("https://doi.org/{doi}"));
        let place = doi.chain(self.url.clone()).next();
        let parts = [creators.join("; "), name.to_owned()].into_iter();
        let parts = parts
            .chain(version.map(|version| format!("version {version}")))
            .chain(self.publisher.clone())
            .chain(self.published.clone())
            .chain(place)
            .chain([origin.to_owned()]);
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(". ")
    }
}

impl Creator {
    /// Returns the name as in a list of references.
    pub fn full_name(&self) -> String {
        let names = [&self.family, &self.name, &self.given];
        let names: Vec<_> = names.into_iter().flatten().cloned().collect();
        names.join(", ")
    }
}

type IsRight = fn(&str) -> bool;

fn is_url(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

fn is_doi(text: &str) -> bool {
    text.starts_with("10.") && text.contains('/') && !text.contains(char::is_whitespace)
}

fn is_orcid(text: &str) -> bool {
    text.strip_prefix("https://orcid.org/").is_some_and(|id| {
        let is_digit = |(at, c): (usize, char)| match at {
            4 | 9 | 14 => c == '-',
            18 => c == 'X' || c.is_ascii_digit(),
            _ => c.is_ascii_digit(),
        };
        id.len() == 19 && id.chars().enumerate().all(is_digit)
    })
}

/// Returns the page of a license; `None` of words that are no identifier.
pub(super) fn license_url(license: &str) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    if is_url(license) {
        Some(license.to_owned())
    } else {
        let is_id = !license.is_empty() && license.chars().all(is_name);
        is_id.then(|| format!("https://spdx.org/licenses/{license}.html"))
    }
}

/// Returns a text on one line that means itself in Markdown, in a paragraph and in a cell.
pub(super) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in plain(text).char_indices() {
        let begins = at == 0 && c.is_ascii_punctuation();
        if begins || r"\`*_{}[]<>|~&$#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    // A number with a full stop would begin a list.
    match escaped.find(|c: char| !c.is_ascii_digit()) {
        Some(at @ 1..) if escaped[at..].starts_with(['.', ')']) => escaped.insert(at, '\\'),
        _ => {}
    }
    escaped
}

/// Returns a text on one line, without characters that control a terminal or the direction of
/// text.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let is_control = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    words.join(" ").replace(is_control, "\u{fffd}")
}
