//! `robocensus tables`: the documentation of the columns matches the files and the README.

use std::fs;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use crate::{
    queries::{pages, text_of_views},
    report::comparison::comparison,
    util::{
        Census, Dir, TestCommand, answer, assert_begins, assert_says, assert_says_all, column,
        generated, or_skip, package,
    },
};

const BEGIN: &str = "<!-- robocensus tables --markdown -->\n";
const END: &str = "<!-- end -->";

#[test]
fn the_page_says_what_the_command_says() {
    let printed = TestCommand::new(["tables", "--markdown"]).succeed().stdout;
    let page = fs::read_to_string(package().join("docs/tables.md")).unwrap();
    let section = page.split(BEGIN).nth(1).unwrap().split(END).next().unwrap();
    let hint = "docs/tables.md is not what the program says; `make readme` updates it";
    assert!(section == printed, "{hint}");
}

#[test]
fn every_column_of_every_file_is_described_and_no_other() {
    let tables: Vec<Value> = TestCommand::new(["tables", "--json"]).json();
    let dir = Dir::new();
    let comparison = Census(comparison(&dir, "flips"));
    let with_pages = Census(pages::census().to_owned());
    // What `asof` and `corpus` write is no table of a folder.
    let is_of_folder = |table: &&Value| table["name"] != "asof" && table["name"] != "corpus";
    for table in tables.iter().filter(is_of_folder) {
        let name = table["name"].as_str().unwrap();
        let is_of_run = generated().census.0.join(name).exists();
        let census = match (is_of_run, with_pages.0.join(name).exists()) {
            (true, _) => &generated().census,
            (false, true) => &with_pages,
            (false, false) => &comparison,
        };
        let file = fs::File::open(census.only_file(name)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let fields = reader.schema().fields().iter();
        let stored = fields.map(|field| (field.name().as_str(), field.is_nullable()));
        let columns = table["columns"].as_array().unwrap().iter();
        let described = columns.map(|column| {
            for key in ["meaning", "type", "source"] {
                assert_ne!(column[key], "", "{name}: {column}");
                assert!(column[key].is_string(), "{name}: {column}");
            }
            let name = column["name"].as_str().unwrap();
            (name, column["nullable"].as_bool().unwrap())
        });
        let [described, stored] = [described.collect::<Vec<_>>(), stored.collect()];
        assert_eq!(described, stored, "{name}");
    }
}

#[test]
fn one_table_can_be_asked_for_and_an_unknown_one_is_named() {
    let rules = TestCommand::new(["tables", "rules"]).succeed().stdout;
    assert_begins(&rules, "rules: a row is one allow or disallow line");
    assert!(rules.contains("has_wildcard") && !rules.contains("agents: "));
    let tables: Vec<Value> = TestCommand::new(["tables", "rules", "--json"]).json();
    assert_eq!((tables.len(), &tables[0]["name"]), (1, &"rules".into()));
    TestCommand::new(["tables", "rulez"]).refuse(&["no view is called rulez", "captures, "]);
}

#[test]
fn views_are_listed_with_what_a_row_is_and_its_key_identifies_one() {
    let all = TestCommand::new(["tables"]).succeed().stdout;
    let (_, list) = all.split_once("\nViews of SQL").unwrap();
    let (_, list) = list.split_once("\n\n").unwrap();
    // Lines that continue a row begin with more blanks.
    let joined = list.replace("\n                      ", " ");
    let views: Vec<(&str, &str)> = (joined.lines())
        .map(|line| {
            let name = line.split_whitespace().next().unwrap();
            (name, line.split_once("; key: ").unwrap().1)
        })
        .collect();
    let sql = text_of_views();
    let computed = (sql.lines())
        .filter_map(|line| line.strip_prefix("CREATE OR REPLACE TEMP VIEW "))
        .filter(|line| !line.contains(" FROM table_of("));
    let computed: Vec<_> = computed.filter_map(|line| line.split(' ').next()).collect();
    let names: Vec<_> = views.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, computed);
    let hosts = TestCommand::new(["tables", "hosts"]).succeed().stdout;
    let of_view = "hosts, a view of SQL: a row is one origin | key: origin\n";
    assert_says_all(&hosts, of_view);
    assert_says(&hosts, "hosts: a row is");
    TestCommand::new(["tables", "domains", "--json"]).refuse(&["domains is a view"]);
    for (name, key) in views {
        let data = match name {
            "page_policies" => pages::census().to_owned(),
            _ => generated().census.0.clone(),
        };
        let distinct = format!("(SELECT count(*) FROM (SELECT DISTINCT {key} FROM {name}))");
        let sql = format!("SELECT count(*) - {distinct} AS twice FROM {name}");
        let rows = or_skip!(answer(&data, &sql, &[]));
        assert_eq!(column(&rows, "twice"), ["0"], "{name}");
    }
}
