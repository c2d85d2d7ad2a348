//! The same predicates asked of engines, with and without the use of what footers say.

use std::{collections::BTreeMap, path::Path, process::Stdio};

use serde_json::json;

use super::{
    asked,
    hostile::datasets,
    predicates::{Predicate, Rows, tables},
};
use crate::util::{Dir, needed, or_skip, package, python, rows_of_duckdb};

/// Turns off all that lets DuckDB skip rows before it has read them.
const NO_PUSHDOWN: &str =
    "SET disabled_optimizers = 'filter_pushdown,filter_pullup,statistics_propagation';";

/// Predicates with what is true of their tables.
struct Asked<'t> {
    rows: &'t Rows,
    predicate: Predicate,
    count: usize,
}

fn predicates(tables: &[Rows]) -> Vec<Asked<'_>> {
    let (n, mut random) = asked();
    let one = |_| {
        let rows = &tables[random.below(tables.len())];
        let predicate = Predicate::random(rows, &mut random);
        Asked {
            count: predicate.count(rows),
            rows,
            predicate,
        }
    };
    let asked: Vec<_> = (0..n).map(one).collect();
    let n_some = asked.iter().filter(|asked| asked.count > 0).count();
    assert!(n_some > n / 4, "{n_some} of {n} are true of a row");
    asked
}

#[test]
fn duckdb_finds_the_rows_of_a_predicate_with_and_without_pushdown() {
    for folder in datasets() {
        let tables = tables(folder);
        let asked = predicates(&tables);
        let mut sql =
            "CREATE TEMP TABLE found (number INTEGER, pushed BIGINT, plain BIGINT);\n".to_owned();
        for (pushdown, column) in [("", "pushed"), (NO_PUSHDOWN, "plain")] {
            sql += pushdown;
            for (number, asked) in asked.iter().enumerate() {
                let files = asked.rows.files.join("', '");
                let predicate = asked.predicate.sql(asked.rows);
                sql += &format!(
                    "INSERT INTO found (number, {column}) SELECT {number}, count(*) FROM read_parquet(['{files}'], hive_partitioning = false) WHERE {predicate};\n",
                );
            }
        }
        sql += "RESET disabled_optimizers;\n";
        sql += "SELECT max(pushed) AS pushed, max(plain) AS plain FROM found GROUP BY number ORDER BY number;\n";
        let found = or_skip!(rows_of_duckdb(&sql));
        assert_eq!(found.len(), asked.len());
        for (found, asked) in found.iter().zip(&asked) {
            let wanted = json!({"pushed": asked.count, "plain": asked.count});
            assert_eq!(*found, wanted, "{}", asked.name(folder));
        }
    }
}

impl Asked<'_> {
    fn name(&self, folder: &Path) -> String {
        let sql = self.predicate.sql(self.rows);
        format!("{}: {} WHERE {sql}", folder.display(), self.rows.name)
    }
}

/// Looks for pyarrow, without which a test is skipped, but fails with `CI=true`.
fn pyarrow() -> Option<()> {
    let ran = python()
        .args(["-c", "import pyarrow.dataset"])
        .stderr(Stdio::null())
        .status();
    let is_here = ran.is_ok_and(|status| status.success());
    needed(is_here, "pyarrow for Python")
}

#[test]
fn pyarrow_finds_the_rows_of_a_predicate_with_and_without_pushdown() {
    or_skip!(pyarrow());
    let dir = Dir::new();
    for folder in datasets() {
        let tables = tables(folder);
        let asked = predicates(&tables);
        let files = tables.iter().map(|rows| (rows.name, &rows.files));
        let files = BTreeMap::from_iter(files);
        let predicate = |asked: &Asked| json!([asked.rows.name, asked.predicate.json(asked.rows)]);
        let predicates: Vec<_> = asked.iter().map(predicate).collect();
        let input = json!({"tables": files, "predicates": predicates});
        let file = dir.write("predicates.json", input.to_string());
        let ran = python()
            .arg(package().join("tests/parquet/predicates.py"))
            .arg(&file)
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(ran.status.success());
        let found = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(found.lines().count(), asked.len());
        for (found, asked) in found.lines().zip(&asked) {
            let wanted = format!("{0} {0} {0}", asked.count);
            assert_eq!(found, wanted, "{}", asked.name(folder));
        }
    }
}
