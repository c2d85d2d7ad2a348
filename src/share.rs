//! Numbers and shares as text: one rule for the summary of a run and for the report.

/// Returns a number with a comma between thousands.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Returns `n` of `whole` in percent, with one decimal; `-` if `whole` is 0.
///
/// Only none is `0 %` and only all is `100 %`: a share that would round to one of them is `< 0.1 %`
/// or `> 99.9 %`. Halves round up.
pub fn share(n: u64, whole: u64) -> String {
    let (n, whole) = (u128::from(n), u128::from(whole));
    if whole == 0 {
        return "-".to_owned();
    }
    // In integers: a quotient in binary would round some halves down.
    let per_mille = (2_000 * n + whole) / (2 * whole);
    match per_mille {
        _ if n == 0 => "0 %".to_owned(),
        _ if n == whole => "100 %".to_owned(),
        0 => "< 0.1 %".to_owned(),
        1_000 if n < whole => "> 99.9 %".to_owned(),
        _ => format!("{}.{} %", per_mille / 10, per_mille % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_share_rounds_to_all_or_to_nothing() {
        for (n, whole, text) in [
            (9_997, 10_000, "> 99.9 %"),
            (1, 10_000, "< 0.1 %"),
            (23_180, 23_181, "> 99.9 %"),
            (u64::MAX - 1, u64::MAX, "> 99.9 %"),
            (1, u64::MAX, "< 0.1 %"),
            (10, 10, "100 %"),
            (0, 10, "0 %"),
            (0, 0, "-"),
        ] {
            assert_eq!(share(n, whole), text, "{n} of {whole}");
        }
    }

    #[test]
    fn other_shares_round_to_the_nearest_tenth_of_a_percent() {
        for (n, whole, text) in [
            (2_992, 23_181, "12.9 %"),
            (1, 3, "33.3 %"),
            (2, 3, "66.7 %"),
            (9_994, 10_000, "99.9 %"),
            (9_995, 10_000, "> 99.9 %"),
            (9_985, 10_000, "99.9 %"),
            (5, 10_000, "0.1 %"),
            (4, 10_000, "< 0.1 %"),
            (15, 10_000, "0.2 %"),
        ] {
            assert_eq!(share(n, whole), text, "{n} of {whole}");
        }
    }
}
