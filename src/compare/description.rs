//! What a comparison states about itself next to its tables: the sides, and the totals of which the
//! rows are a part.

use serde_json::{Map, Value, json};

use super::found::{Estimate, Totals};

/// The file, in the folder of the comparison.
pub const COMPARISON_FILE: &str = "_comparison.json";

/// Returns the text of the file: JSON with `sides`, the names of baseline and candidate, and
/// `totals`.
pub(super) fn describe(sides: &[String; 2], totals: &Totals) -> String {
    let estimate = |estimate: Estimate| json!([estimate.value, estimate.low, estimate.high]);
    let sample = totals.sample.map(|sample| {
        json!({
            "files": sample.files,
            "flipping_files": estimate(sample.flipping_files),
            "flipping_captures": estimate(sample.flipping_captures),
            "flips": estimate(sample.flips),
        })
    });
    let directions = totals.directions.iter();
    let directions: Map<String, Value> = directions
        .map(|(direction, &n)| (direction.as_str().to_owned(), n.into()))
        .collect();
    let description = json!({
        "sides": sides,
        "totals": {
            "files": totals.files,
            "captures": totals.captures,
            "hosts": totals.hosts,
            "cells": totals.cells,
            "queries": totals.queries,
            "cut_files": totals.cut_files,
            "rules": totals.rules,
            "rules_left_out": totals.rules_left_out,
            "weight": totals.weight,
            "flips": totals.flips(),
            "directions": directions,
            "flipping_weight": totals.flipping_weight,
            "flipping_files": totals.flipping_files,
            "flipping_captures": totals.flipping_captures,
            "flipping_hosts": totals.flipping_hosts,
            "unexplained": totals.unexplained,
            "unstable": totals.unstable,
            "unanswered": totals.unanswered,
            "answered_by_one": totals.answered_by_one,
            "parser_faults": totals.parser_faults,
            "sample": sample,
        },
    });
    format!("{description:#}\n")
}
