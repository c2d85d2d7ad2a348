//! What cells count: the weights of agents and URLs, and of hosts by their ranks.

use std::collections::{BTreeMap, HashMap};

use crate::{
    digest::{hex, sha1},
    robots::matrix::rows_of_list,
};

/// The ranks of hosts, from 1.
///
/// A host has the rank of its own name, else that of the longest parent domain in the list, and
/// weighs the reciprocal of its rank (Zipf's law). Hosts that have none weigh as one behind the
/// last.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    by_host: HashMap<Box<str>, u32>,
    last: u32,
}

impl Ranks {
    /// Returns a digest of all ranks.
    pub(super) fn digest(&self) -> String {
        let mut ranks: Vec<_> = self.by_host.iter().collect();
        ranks.sort_unstable();
        hex(&sha1(format!("{ranks:?}").as_bytes()))
    }

    /// Reads a list of lines, each a rank and a host in either order, separated by a comma or a
    /// tab; or a host alone, whose rank is the number of its line. Lines that are empty or begin
    /// with `#` are ignored, and so is a first line without a number among such with one.
    ///
    /// # Errors
    ///
    /// One sentence with the line's number, 1 for the first.
    pub fn read(text: &str) -> Result<Ranks, String> {
        let mut ranks = Ranks::default();
        let mut n_hosts = 0_u32;
        let mut has_numbers = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            n_hosts += 1;
            // The rank and the host; further cells are ignored.
            let cells = line.split([',', '\t']).take(2).map(str::trim);
            let cells: Vec<&str> = cells.collect();
            let number = cells.iter().find_map(|cell| cell.parse::<u32>().ok());
            let host = cells.iter().find(|cell| cell.parse::<u32>().is_err());
            // A head such as `rank,domain`.
            if n_hosts == 1 && number.is_none() && cells.len() > 1 {
                n_hosts = 0;
                continue;
            }
            let has_number = *has_numbers.get_or_insert(number.is_some());
            let rank = match (number, has_number) {
                (Some(rank @ 1..), true) => Some(rank),
                (None, false) => Some(n_hosts),
                _ => None,
            };
            let (Some(rank), Some(host)) = (rank, host.filter(|host| !host.is_empty())) else {
                return Err(format!(
                    "line {}: expected a rank from 1 and a host, such as 1,example.com, but found {line:?}",
                    index + 1
                ));
            };
            ranks.last = ranks.last.max(rank);
            let host = host.trim_end_matches('.').to_ascii_lowercase();
            ranks.by_host.entry(host.into()).or_insert(rank);
        }
        if ranks.by_host.is_empty() {
            return Err("expected at least one host, but found none".to_owned());
        }
        Ok(ranks)
    }

    /// Returns the rank of a host, in ASCII and lower case.
    pub fn rank(&self, host: &str) -> Option<u32> {
        let mut name = host;
        loop {
            if let Some(&rank) = self.by_host.get(name) {
                return Some(rank);
            }
            name = name.split_once('.')?.1;
        }
    }

    /// Returns the weight of a host: 1 where there is no list.
    pub fn weight(&self, rank: Option<u32>) -> f64 {
        match self.last {
            0 => 1.0,
            last => 1.0 / f64::from(rank.unwrap_or(last.saturating_add(1))),
        }
    }
}

/// Reads the weights in a list of agents or URLs: numbers in the column `weight`, or without a head
/// in the column of this index, behind tabs. What has none weighs 1 and is absent.
///
/// # Errors
///
/// One sentence with the line's number, 1 for the first: a weight that is no number above 0.
pub fn read_weights(text: &str, column: usize) -> Result<BTreeMap<String, f64>, String> {
    let mut weights = BTreeMap::new();
    for row in rows_of_list(text, &["token", "agent", "url"], "weight", column) {
        let Some(cell) = row.other else {
            continue;
        };
        let weight = cell.parse::<f64>().ok();
        let Some(weight) = weight.filter(|weight| weight.is_finite() && *weight > 0.0) else {
            return Err(format!(
                "line {}: expected a weight, a number above 0, but found {cell:?}",
                row.line
            ));
        };
        weights.insert(row.name.to_owned(), weight);
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_the_rank_of_its_domain() {
        let ranks = Ranks::read("1,example.com\n3,Example.org\n").unwrap();
        assert_eq!(ranks.rank("www.example.com"), Some(1));
        assert_eq!(ranks.rank("example.org"), Some(3));
        assert_eq!(ranks.rank("example.net"), None);
        assert_eq!(ranks.weight(ranks.rank("example.org")), 1.0 / 3.0);
        assert_eq!(ranks.weight(None), 0.25);
        assert_eq!(Ranks::default().weight(None), 1.0);
    }

    #[test]
    fn ranks_may_be_the_numbers_of_lines() {
        let ranks = Ranks::read("# top\na.example\nb.example\n").unwrap();
        assert_eq!(ranks.rank("b.example"), Some(2));
        let ranks = Ranks::read("host\trank\na.example\t7\n").unwrap();
        assert_eq!(ranks.rank("a.example"), Some(7));
    }

    #[test]
    fn what_is_no_rank_is_named_by_its_line() {
        for (text, says) in [
            ("1,a.example\n0,b.example\n", "line 2"),
            ("1,a.example\nb.example\n", "line 2"),
            ("\n", "none"),
        ] {
            let message = Ranks::read(text).unwrap_err();
            assert!(message.contains(says), "{message}");
        }
    }

    #[test]
    fn weights_are_in_a_column() {
        let weights = read_weights("/\n/a\t2.5\n", 1).unwrap();
        assert_eq!(weights.get("/a"), Some(&2.5));
        assert_eq!(weights.len(), 1);
        let weights = read_weights("weight\tagent\n4\tGPTBot\n", 2).unwrap();
        assert_eq!(weights.get("GPTBot"), Some(&4.0));
        let message = read_weights("a\tseo\t1\nb\tseo\t-1\n", 2).unwrap_err();
        assert!(
            message.starts_with("line 2: expected a weight"),
            "{message}"
        );
    }
}
