//! Names that a user may have misspelt: of crawlers, and of keys.

/// The longest text that is compared, in bytes: a user may give one of any length, and no known
/// name is longer.
const LONGEST: usize = 256;

/// Returns the optimal string alignment distance of two texts in characters: insertions, deletions,
/// substitutions and swaps of neighbors; `usize::MAX` for texts that are too long for a name.
pub(crate) fn distance(one: &str, two: &str) -> usize {
    if one.len().max(two.len()) > LONGEST {
        return usize::MAX;
    }
    let [one, two] = [one, two].map(|text| text.chars().collect::<Vec<_>>());
    n_edits(&one, &two)
}

/// Returns the same of two texts as lists of characters or bytes.
pub(super) fn n_edits<T: PartialEq>(one: &[T], two: &[T]) -> usize {
    let width = two.len() + 1;
    let mut rows = vec![0; (one.len() + 1) * width];
    for i in 0..=one.len() {
        for j in 0..width {
            let at = |i: usize, j: usize| rows[i * width + j];
            rows[i * width + j] = match (i, j) {
                (0, n) | (n, 0) => n,
                (i, j) => {
                    let is_other = usize::from(one[i - 1] != two[j - 1]);
                    let plain = (at(i - 1, j) + 1)
                        .min(at(i, j - 1) + 1)
                        .min(at(i - 1, j - 1) + is_other);
                    if i > 1 && j > 1 && one[i - 1] == two[j - 2] && one[i - 2] == two[j - 1] {
                        plain.min(at(i - 2, j - 2) + 1)
                    } else {
                        plain
                    }
                }
            };
        }
    }
    rows[rows.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_counts_a_swap_once() {
        for (a, b, wanted) in [
            ("", "", 0),
            ("agent", "agent", 0),
            ("agnet", "agent", 1),
            ("expct", "expect", 1),
            ("lines", "line", 1),
            ("", "ab", 2),
            ("id", "url", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), wanted, "{a} {b}");
            assert_eq!(distance(b, a), wanted, "{b} {a}");
        }
        assert_eq!(distance("a", &"a".repeat(300)), usize::MAX);
    }
}
