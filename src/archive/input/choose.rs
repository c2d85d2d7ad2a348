//! The choice of some archives among many: by their names alone, so that nothing is asked about the
//! others.
//!
//! An archive is chosen by a hash of its name and the seed, which depends neither on the order nor
//! on the other archives. So the archives of a smaller share, or number, are among those of a
//! larger one with the same seed.

use std::collections::BTreeSet;

use super::{ExpandOptions, NamedArchive, crawl_in, subset_in};
use crate::{archive::error::Error, digest::sha1_of_list, share::thousands};

/// Crawls that a description names.
const MOST_CRAWLS: usize = 4;

/// Keeps the archives that the options choose and returns the choice in words; `None` where it is
/// all of them.
///
/// # Errors
///
/// A share that is not from 0 to 1, and a choice of no archive at all.
pub(super) fn choose(
    found: &mut Vec<NamedArchive>,
    options: &ExpandOptions,
) -> Result<Option<String>, Error> {
    let seed = options.seed;
    let share = options.sample.unwrap_or(1.0);
    if !(0.0..=1.0).contains(&share) {
        return Err(Error::usage(format!(
            "expected a share of the archives from 0 to 1, but found {share}"
        )));
    }
    let hashes = found.iter().map(|archive| hash(&archive.name, seed));
    let mut chosen: Vec<(u64, usize)> = hashes
        .zip(0..)
        .filter(|&(hash, _)| as_share(hash) < share)
        .collect();
    let n_sampled = chosen.len();
    if let Some(limit) = options.limit.filter(|&limit| limit < n_sampled) {
        chosen.sort_unstable();
        chosen.truncate(limit);
    }
    if chosen.len() == found.len() {
        return Ok(None);
    }
    let mut words = format!("{}, seed {seed}", described(found));
    if n_sampled < found.len() {
        words = format!("{} % of {words}", percent(share));
    }
    if chosen.len() < n_sampled {
        words = format!("{} of {words}", thousands(chosen.len() as u64));
    }
    if chosen.is_empty() {
        return Err(Error::usage(format!(
            "expected at least one archive, but the choice is empty: {words}; choose more archives, or give another seed"
        )));
    }
    let mut is_chosen = vec![false; found.len()];
    for (_, index) in chosen {
        is_chosen[index] = true;
    }
    let mut is_chosen = is_chosen.into_iter();
    found.retain(|_| is_chosen.next() == Some(true));
    Ok(Some(words))
}

/// Returns the hash of a name, evenly spread over all numbers.
fn hash(name: &str, seed: u64) -> u64 {
    let digest = sha1_of_list([seed.to_string().as_str(), name]);
    let first = digest.first_chunk().expect("a digest has 20 bytes");
    u64::from_be_bytes(*first)
}

/// Returns a hash as a share of all hashes, below 1.
fn as_share(hash: u64) -> f64 {
    // The bits that a float has.
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns the number of archives and, where all name one, their crawls and subsets.
fn described(found: &[NamedArchive]) -> String {
    let noun = match found.len() {
        1 => "archive",
        _ => "archives",
    };
    let mut words = format!("{} {noun}", thousands(found.len() as u64));
    let crawls: Option<BTreeSet<_>> = found
        .iter()
        .map(|archive| Some((crawl_in(&archive.name)?, subset_in(&archive.name)?)))
        .collect();
    let crawls = crawls.unwrap_or_default();
    if crawls.len() > MOST_CRAWLS {
        words += &format!(" of {} crawls", crawls.len());
    } else if !crawls.is_empty() {
        let named = crawls.iter();
        let named = named.map(|(crawl, subset)| format!("{crawl} {subset}"));
        words += &format!(" of {}", named.collect::<Vec<_>>().join(", "));
    }
    words
}

/// Returns a share in percent, as it is written by hand.
fn percent(share: f64) -> f64 {
    (share * 1e11).round() / 1e9
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn archives(n: usize) -> Vec<NamedArchive> {
        (0..n)
            .map(|number| {
                let name = format!(
                    "crawl-data/CC-MAIN-2025-05/segments/1.2/robotstxt/CC-{number:05}.warc.gz"
                );
                NamedArchive::named(PathBuf::from(name))
            })
            .collect()
    }

    fn chosen(n: usize, options: ExpandOptions) -> (BTreeSet<String>, Option<String>) {
        let mut found = archives(n);
        let words = choose(&mut found, &options).unwrap();
        (
            found
                .iter()
                .map(|archive| archive.name.to_string())
                .collect(),
            words,
        )
    }

    fn sample(share: f64, seed: u64) -> ExpandOptions {
        ExpandOptions {
            sample: Some(share),
            seed,
            ..ExpandOptions::default()
        }
    }

    fn limit(limit: usize) -> ExpandOptions {
        ExpandOptions {
            limit: Some(limit),
            ..ExpandOptions::default()
        }
    }

    #[test]
    fn a_larger_choice_contains_a_smaller_one_and_another_seed_chooses_others() {
        let (one, words) = chosen(10_000, sample(0.01, 0));
        let wanted = "1 % of 10,000 archives of CC-MAIN-2025-05 robotstxt, seed 0";
        assert_eq!(words.as_deref(), Some(wanted));
        assert!((70..130).contains(&one.len()), "{}", one.len());
        let (seven, words) = chosen(10_000, sample(0.07, 0));
        assert!(words.unwrap().starts_with("7 % of 10,000 archives"));
        assert!(one.is_subset(&seven));
        let (others, _) = chosen(10_000, sample(0.01, 1));
        assert!(one.intersection(&others).count() < 10);
        // Those that are left out have no effect on the others.
        let (of_half, _) = chosen(5_000, sample(0.01, 0));
        assert!(of_half.is_subset(&one));
        let (few, words) = chosen(10_000, limit(3));
        let wanted = "3 of 10,000 archives of CC-MAIN-2025-05 robotstxt, seed 0";
        assert_eq!((few.len(), words.as_deref()), (3, Some(wanted)));
        assert!(few.is_subset(&chosen(10_000, limit(4)).0) && few.is_subset(&one));
        let both = ExpandOptions {
            limit: Some(3),
            ..sample(0.01, 0)
        };
        let (of_both, words) = chosen(10_000, both);
        assert_eq!(of_both, few);
        assert!(words.unwrap().starts_with("3 of 1 % of 10,000 archives"));
    }

    #[test]
    fn a_choice_of_all_is_none_and_one_of_nothing_is_refused() {
        for options in [sample(1.0, 0), limit(3), limit(9), ExpandOptions::default()] {
            assert_eq!(chosen(3, options), (chosen(3, limit(3)).0, None));
        }
        for (options, says) in [
            (sample(1e-9, 5), "0.0000001 % of 3 archives"),
            (limit(0), "0 of 3 archives"),
            (sample(1.5, 0), "from 0 to 1"),
        ] {
            let error = choose(&mut archives(3), &options).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn crawls_are_named_where_every_archive_names_one() {
        let mut found = archives(2);
        assert!(described(&found).ends_with("2 archives of CC-MAIN-2025-05 robotstxt"));
        for week in 10..14 {
            let name = format!("crawl-data/CC-MAIN-2024-{week}/segments/1.2/warc/a.warc.gz");
            found.push(NamedArchive::named(PathBuf::from(name)));
        }
        assert_eq!(described(&found), "6 archives of 5 crawls");
        found.push(NamedArchive::named(PathBuf::from("a.warc.gz")));
        assert_eq!(described(&found), "7 archives");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
