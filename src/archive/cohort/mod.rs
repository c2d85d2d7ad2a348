//! The hosts and registered domains that a run follows; captures of others are skipped.

mod rows;

use std::collections::{BTreeMap, HashSet};

pub use self::rows::Rows;
pub(crate) use self::rows::expect_few;
use crate::url::Location;

/// The columns that may have the names of members.
const NAME_COLUMNS: [&str; 4] = [
    "domain",
    "host",
    "url_host_name",
    "url_host_registered_domain",
];
/// The bytes of the longest name (RFC 1035, 2.3.4, without the length of the root).
const MOST_BYTES: usize = 253;
/// How much is shown of what is no name.
const MOST_SHOWN: usize = 100;
/// The column of ranks.
const RANK_COLUMN: &str = "rank";

/// The hosts and registered domains that a run follows.
#[derive(Clone, Debug)]
pub struct Cohort {
    /// The names of the columns besides name and rank.
    columns: Vec<String>,
    /// Sorted by name.
    pub(crate) members: Vec<Member>,
    pub(crate) names: MemberNames,
}

/// A host or a registered domain of a cohort.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its name in ASCII and lower case.
    pub(crate) name: String,
    /// Whether it is a registered domain, which stands for all its host names.
    pub(crate) is_domain: bool,
    pub(crate) rank: Option<i64>,
    /// The values of the columns besides; an empty one is none.
    values: Vec<String>,
}

/// The names of the members of a cohort.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberNames(HashSet<Box<str>>);

impl MemberNames {
    /// Returns whether a host is a member, or belongs to one: `domain` returns its registered
    /// domain.
    pub(crate) fn have<'a>(&self, host: &str, domain: impl FnOnce() -> Option<&'a str>) -> bool {
        let has = |name: &str| self.0.contains(name);
        // Most hosts have no member among the names above them, and their domain is not needed.
        let mut above = host.match_indices('.').map(|(dot, _)| &host[dot + 1..]);
        // A name that is the registered domain of any host stands for all hosts of it.
        has(host) || above.any(has) && domain().is_some_and(has)
    }
}

/// The places of the columns of a list.
struct Places {
    name: usize,
    rank: Option<usize>,
    /// Those of the columns besides.
    others: Vec<usize>,
}

impl Places {
    fn of_header(header: &[String]) -> Result<Self, String> {
        if let Some(twice) = (1..header.len()).find(|&at| header[..at].contains(&header[at])) {
            return Err(format!("the column {:?} is named twice", header[twice]));
        }
        let of_names = |at: &usize| NAME_COLUMNS.contains(&header[*at].as_str());
        let names: Vec<usize> = (0..header.len()).filter(of_names).collect();
        let &[name] = names.as_slice() else {
            return Err(format!(
                "expected a header with one of the columns {}, but found {:?}",
                NAME_COLUMNS.join(", "),
                header.join(",")
            ));
        };
        let rank = header.iter().position(|column| column == RANK_COLUMN);
        let others = (0..header.len()).filter(|&at| at != name && Some(at) != rank);
        Ok(Self {
            name,
            rank,
            others: others.collect(),
        })
    }
}

impl Cohort {
    /// Returns the cohort of a list. `note` gets a sentence for each name that is a member already,
    /// and for each that may not be meant as it is written.
    ///
    /// # Errors
    ///
    /// One sentence, with the line if it is about one.
    pub fn new(rows: Rows, note: &mut dyn FnMut(String)) -> Result<Self, String> {
        let places = Places::of_header(&rows.header)?;
        rows.expect_cells()?;
        let mut members: BTreeMap<String, (u64, Member)> = BTreeMap::new();
        let mut location = Location::new();
        let kind = rows.kind;
        for (number, mut cells) in rows.rows {
            let written = cells[places.name].trim();
            if !read_name(written, &mut location) {
                let shown: String = written.chars().take(MOST_SHOWN).collect();
                return Err(format!(
                    "{kind} {number}: expected a host name, such as example.com, but found {shown:?}"
                ));
            }
            let name = location.host_name().to_owned();
            if let Some((first, _)) = members.get(&name) {
                note(format!(
                    "{kind} {number}: {name} is a member by {kind} {first} already, which counts"
                ));
                continue;
            }
            let domain = location.host_registered_domain();
            if domain.is_none() && location.host_tld().is_some() {
                note(format!(
                    "{kind} {number}: {name} is a public suffix or has no known one, so it stands for the host of this name alone"
                ));
            }
            let rank = places.rank.map(|at| cells[at].trim());
            let rank = rank.filter(|text| !text.is_empty()).map(|text| {
                // Programs without missing integers write 1.0.
                let whole = text.strip_suffix(".0").unwrap_or(text);
                whole.parse().map_err(|_| {
                    format!("{kind} {number}: expected an integer as rank, but found {text:?}")
                })
            });
            let member = Member {
                is_domain: domain == Some(&name),
                rank: rank.transpose()?,
                values: (places.others.iter())
                    .map(|&at| std::mem::take(&mut cells[at]))
                    .collect(),
                name: name.clone(),
            };
            members.insert(name, (number, member));
        }
        if members.is_empty() {
            return Err("expected at least one host, but found none".to_owned());
        }
        let members: Vec<Member> = members.into_values().map(|(_, member)| member).collect();
        let names = members.iter().map(|member| Box::from(&*member.name));
        Ok(Self {
            names: MemberNames(names.collect()),
            columns: places
                .others
                .iter()
                .map(|&at| rows.header[at].clone())
                .collect(),
            members,
        })
    }

    /// Returns the number of members, which is at least 1.
    #[expect(clippy::len_without_is_empty, reason = "no cohort is empty")]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns the values of a member in the columns besides name and rank, as a JSON object.
    pub(crate) fn attributes(&self, member: &Member) -> Option<String> {
        let values = self.columns.iter().zip(&member.values);
        let values = values.filter(|(_, value)| !value.is_empty());
        let object: serde_json::Map<_, _> = values
            .map(|(column, value)| (column.clone(), value.as_str().into()))
            .collect();
        (!object.is_empty()).then(|| serde_json::Value::from(object).to_string())
    }

    /// Returns the members as CSV, from which the same cohort is read. It is the same for lists in
    /// any format and order.
    pub(crate) fn text(&self) -> String {
        let row = |first: [&str; 2], others: &[String]| {
            let first = first.map(str::to_owned).into_iter();
            first.chain(others.iter().cloned()).collect()
        };
        let header = row([NAME_COLUMNS[1], RANK_COLUMN], &self.columns);
        let members = self.members.iter().map(|member| {
            let rank = member.rank.map(|rank| rank.to_string());
            row([&member.name, &rank.unwrap_or_default()], &member.values)
        });
        rows::csv(std::iter::once(header).chain(members))
    }
}

/// Reads a host name, or the URL of one, and returns whether it is one.
fn read_name(written: &str, location: &mut Location) -> bool {
    let parsed = if written.contains("://") {
        location.parse(written.as_bytes())
    } else {
        location.parse(format!("http://{written}").as_bytes())
    };
    // A URL in an archive was fetched, whatever it looks like; this one was typed.
    let is_label = |label: &str| {
        let is_plain =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        !label.is_empty() && label.bytes().all(is_plain)
    };
    parsed.is_ok()
        && location.host_name().len() <= MOST_BYTES
        && (location.host_tld().is_none() || location.host_name().split('.').all(is_label))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Result<Cohort, String>, Vec<String>) {
        let mut notes = Vec::new();
        let cohort =
            Rows::of_text(text).and_then(|rows| Cohort::new(rows, &mut |note| notes.push(note)));
        (cohort, notes)
    }

    fn members(cohort: &Cohort) -> Vec<(&str, bool)> {
        let members = cohort.members.iter();
        members
            .map(|member| (member.name.as_str(), member.is_domain))
            .collect()
    }

    #[test]
    fn names_are_hosts_whatever_form_they_are_written_in() {
        let (cohort, notes) = read(
            "# a comment\n\nWWW.Example.COM.\nhttps://shop.example.org:8443/a?b#c\nmüller.de\n192.0.2.1\nexample.com/path\n",
        );
        let wanted = [
            ("192.0.2.1", false),
            ("example.com", true),
            ("shop.example.org", false),
            ("www.example.com", false),
            ("xn--mller-kva.de", true),
        ];
        assert_eq!(members(&cohort.unwrap()), wanted);
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn names_that_may_not_be_meant_are_noted_with_their_lines() {
        let (cohort, notes) = read("example.com\nco.uk\nhost.internal-zone\nhttp://EXAMPLE.com/\n");
        assert_eq!(cohort.unwrap().len(), 3);
        assert_eq!(
            notes,
            [
                "line 2: co.uk is a public suffix or has no known one, so it stands for the host of this name alone",
                "line 3: host.internal-zone is a public suffix or has no known one, so it stands for the host of this name alone",
                "line 4: example.com is a member by line 1 already, which counts",
            ]
        );
    }

    #[test]
    fn what_is_no_host_or_no_column_is_refused_in_one_sentence() {
        for (text, wanted) in [
            (
                "a.example\nno host\n",
                "line 2: expected a host name, such as example.com, but found \"no host\"",
            ),
            (
                "*.example.com\n",
                "line 1: expected a host name, such as example.com, but found \"*.example.com\"",
            ),
            (
                "a..example\n",
                "line 1: expected a host name, such as example.com, but found \"a..example\"",
            ),
            (
                &*format!("{}.example\n", "a".repeat(300)),
                &*format!(
                    "line 1: expected a host name, such as example.com, but found \"{}\"",
                    "a".repeat(100)
                ),
            ),
            (
                "1,example.com\n",
                "expected a header with one of the columns domain, host, url_host_name, url_host_registered_domain, but found \"1,example.com\"",
            ),
            (
                "domain,host\na.com,b.com\n",
                "expected a header with one of the columns domain, host, url_host_name, url_host_registered_domain, but found \"domain,host\"",
            ),
            ("domain,x,x\n", "the column \"x\" is named twice"),
            (
                "rank,domain\n1,a.com\nfirst,b.com\n",
                "line 3: expected an integer as rank, but found \"first\"",
            ),
            (
                "rank,domain\n1\n",
                "line 2: expected 2 cells as in the header, but found 1",
            ),
            (
                "domain,note\na.com,\"open\nb.com,x\n",
                "line 2: expected the closing \" of a cell, but found the end of the list",
            ),
            ("# none\n", "expected at least one host, but found none"),
            (
                &"a\n".repeat(2_000_001),
                "expected at most 2000000 rows, but found more; divide the list, or leave out columns",
            ),
        ] {
            assert_eq!(read(text).0.unwrap_err(), wanted, "{text}");
        }
    }

    #[test]
    fn columns_of_the_user_are_kept_and_the_text_is_read_again() {
        let text = "country\trank\tdomain\tnote\nde\t2\tb.example.com\t\"a \"\"b\"\",\nc\"\n\t1.0\ta.com\t\n";
        let (cohort, _) = read(text);
        let cohort = cohort.unwrap();
        let of = |cohort: &Cohort| {
            let members = cohort.members.iter();
            let rows = members.map(|member| (member.rank, cohort.attributes(member)));
            rows.collect::<Vec<_>>()
        };
        let wanted = r#"{"country":"de","note":"a \"b\",\nc"}"#;
        assert_eq!(
            of(&cohort),
            [(Some(1), None), (Some(2), Some(wanted.to_owned()))]
        );
        let again = read(&cohort.text()).0.unwrap();
        assert_eq!(of(&again), of(&cohort));
        assert_eq!(again.text(), cohort.text());
    }

    #[test]
    fn a_domain_stands_for_its_hosts_and_a_host_for_itself() {
        let (cohort, _) = read("example.com\nwww.example.org\n");
        let cohort = cohort.unwrap();
        for (host, domain, is_member) in [
            ("example.com", "example.com", true),
            ("a.b.example.com", "example.com", true),
            ("www.example.org", "example.org", true),
            ("example.org", "example.org", false),
            ("a.www.example.org", "example.org", false),
            ("notexample.com", "notexample.com", false),
        ] {
            assert_eq!(
                cohort.names.have(host, || Some(domain)),
                is_member,
                "{host}"
            );
        }
    }
}
