//! Names that a user may have misspelt: of crawlers, and of keys.

/// The greatest distance that is told from any greater one.
const MOST_DISTANCE: usize = 2;

/// Returns how many bytes must be inserted, deleted or replaced to make one text the other.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    // A name that a user gives may have any length, and no misspelling is far longer.
    if a.len().abs_diff(b.len()) > MOST_DISTANCE {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_the_least_number_of_changed_bytes() {
        for (a, b, wanted) in [
            ("", "", 0),
            ("agent", "agent", 0),
            ("agnet", "agent", 2),
            ("expct", "expect", 1),
            ("lines", "line", 1),
            ("", "ab", 2),
            ("id", "url", 3),
        ] {
            assert_eq!(distance(a, b), wanted, "{a} {b}");
            assert_eq!(distance(b, a), wanted, "{b} {a}");
        }
        assert_eq!(distance("a", "abcd"), usize::MAX);
    }
}
