//! What a comparison states about itself next to its tables: the sides, and the totals of which the
//! rows are a part.

use serde_json::json;

use super::found::Totals;

/// The file, in the folder of the comparison.
pub const COMPARISON_FILE: &str = "_comparison.json";

/// Returns the text of the file: JSON with `sides`, the names of baseline and candidate, and
/// `totals`, those of [`Totals`] and the number of flips.
pub(super) fn describe(sides: &[String; 2], totals: &Totals) -> String {
    let mut description = json!({ "sides": sides, "totals": totals });
    description["totals"]["flips"] = totals.flips().into();
    format!("{description:#}\n")
}
