//! How large the modules may be.

use std::collections::BTreeMap;

use super::sources;
use crate::util::{files_with_end, package};

/// Lines of code that each module should have at most, without tests, comments and blanks, and the
/// lines that it may have until it does: those that it has, rounded up to a hundred, so that a
/// column, a dialect or a kind of record fits. The second number rises for new features alone.
const BUDGETS: [(&str, usize, usize); 8] = [
    ("archive", 7_000, 7_800),
    ("robots", 7_000, 7_000),
    ("page", 4_800, 4_800),
    ("dataset", 12_500, 15_100),
    ("compare", 5_200, 7_700),
    ("report", 3_500, 3_500),
    ("sample", 2_800, 2_600),
    ("cli", 6_000, 8_200),
];
/// Lines that the Rust files of tests may have, with comments and blanks.
const TESTS: usize = 28_000;

#[test]
fn no_module_grows_beyond_its_budget() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for source in sources() {
        let code = source.code.lines().filter(|line| !line.trim().is_empty());
        *lines.entry(source.module).or_default() += code.count();
    }
    let mut over = Vec::new();
    for (module, budget, until_then) in BUDGETS {
        let (has, may) = (lines[module], budget.max(until_then));
        if has > may {
            over.push(format!(
                "{module} has {has} lines of code and may have {may}"
            ));
        }
    }
    assert!(over.is_empty(), "{over:#?}");
    let files = files_with_end(&package().join("tests"), "rs").into_iter();
    let texts = files.map(|path| std::fs::read_to_string(path).unwrap());
    let has: usize = texts.map(|text| text.lines().count()).sum();
    assert!(has <= TESTS, "tests have {has} lines and may have {TESTS}");
}
