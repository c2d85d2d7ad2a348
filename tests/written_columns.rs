//! `run --columns` and `--exclude-columns`: a run writes the columns that were chosen with the
//! values of a run that writes all, and everything that reads a dataset knows which it lacks.

use std::{collections::BTreeMap, fs, fs::File, path::Path};

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robocensus::dataset::table::{PAGE_TABLES, TABLES};
use serde_json::Value;

use crate::{
    util::{Census, Dir, TestCommand, answer, committed, run},
    written_tables::census,
};

/// The semantic digest, and its copy.
const DIGESTS: &str = "captures.semantic_digest,hosts.end_semantic_digest";

/// Returns the values of each column of each table, by `TABLE.COLUMN`, as text.
fn values(census: &Census) -> BTreeMap<String, Vec<String>> {
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in census
        .files()
        .keys()
        .filter(|path| path.ends_with(".parquet"))
    {
        let table = path.split('/').next().unwrap();
        let file = File::open(census.0.join(path)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
                let of_column = values.entry(format!("{table}.{}", field.name()));
                of_column.or_default().push(format!("{array:?}"));
            }
        }
    }
    values
}

#[test]
fn chosen_columns_have_the_values_of_a_run_that_writes_all() {
    let dir = Dir::new();
    let all = values(&census(&dir, "all", &[]));
    let lists = [
        (vec!["--exclude-columns", DIGESTS], DIGESTS),
        (
            vec![
                "--exclude-columns",
                "hosts.end_content_digest , rules.pattern_raw,agents.url_host_name",
            ],
            "hosts.end_content_digest,rules.pattern_raw,agents.url_host_name",
        ),
        (
            vec!["--columns", "errors.code,errors.line"],
            "errors.url_host_name,errors.byte_offset,errors.severity,errors.text,errors.meant,errors.accepted_by,errors.place_count",
        ),
    ];
    for (words, left_out) in lists {
        let words = [&words[..], &["--overwrite"]].concat();
        let some = census(&dir, "some", &words);
        let mut wanted = all.clone();
        for column in left_out.split(',') {
            assert!(wanted.remove(column).is_some(), "{column}");
        }
        let mut found = values(&some);
        // Its rows have the digest of the options.
        for values in [&mut wanted, &mut found] {
            values.remove("archives.options_digest");
        }
        let names = |values: &BTreeMap<String, Vec<String>>| -> Vec<String> {
            values.keys().cloned().collect()
        };
        assert_eq!(names(&found), names(&wanted), "{words:?}");
        for (column, values) in &found {
            assert!(*values == wanted[column], "{words:?}: {column}");
        }
        let description = fs::read(some.0.join("_dataset.json")).unwrap();
        let description: Value = serde_json::from_slice(&description).unwrap();
        let stated = description["options"]["excluded_columns"].as_str().unwrap();
        let sorted = |names: &str| -> Vec<String> {
            let mut names: Vec<_> = names.split(',').map(str::to_owned).collect();
            names.sort();
            names
        };
        assert_eq!(sorted(stated), sorted(left_out));
        let folder = some.0.to_str().unwrap();
        let said = TestCommand::new(["verify", folder]).succeed().stdout;
        let end = format!("; written without the columns {stated}\n");
        assert!(said.ends_with(&end), "{said}");
        // The tables that are made of all parts can be made again.
        TestCommand::new(["finish", folder]).succeed();
        let again = values(&some);
        assert!(
            names(&again)
                .iter()
                .all(|name| *name == "archives.options_digest" || found[name] == again[name])
        );
    }
}

#[test]
fn a_table_of_which_columns_are_named_keeps_what_others_are_made_of() {
    let dir = Dir::new();
    let columns = |words: &[&str]| -> Vec<String> {
        let words = [words, &["--overwrite"]].concat();
        let of_captures = values(&census(&dir, "some", &words)).into_keys();
        let names = of_captures.filter_map(|name| Some(name.strip_prefix("captures.")?.to_owned()));
        names.collect()
    };
    let url = ["--columns", "captures.url"];
    let alone = columns(&[&url[..], &["--tables", "captures"]].concat());
    let wanted = [
        "access",
        "capture_id",
        "crawl",
        "fetch_status",
        "fetch_time",
        "url",
        "url_path",
        "url_query",
        "verdict_set_id",
        "warc_filename",
    ];
    assert_eq!(alone, wanted);
    let of_redirects = columns(&[&url[..], &["--tables", "redirects"]].concat());
    let has = |columns: &[String], name: &str| columns.iter().any(|column| column == name);
    for name in ["origin", "fetch_redirect"] {
        assert!(has(&of_redirects, name) && !has(&alone, name), "{name}");
    }
    let of_hosts = columns(&[&url[..], &["--tables", "hosts"]].concat());
    for name in ["url_host_tld", "is_html", "semantic_digest"] {
        assert!(has(&of_hosts, name) && !has(&of_redirects, name), "{name}");
    }
    assert!(!has(&of_hosts, "url_surtkey"));
    let of_all = columns(&url);
    assert!(has(&of_all, "semantic_digest") && !has(&of_all, "url_surtkey"));
    let copies = ["--exclude-columns", "hosts.end_semantic_digest"];
    assert!(!has(
        &columns(&[&url[..], &copies].concat()),
        "semantic_digest"
    ));
}

#[test]
fn what_no_column_has_is_not_computed_and_not_counted() {
    let dir = Dir::new();
    let summary = |words: &[&str]| -> Value {
        let path = dir.word("summary.json");
        let words = [words, &["--summary-json", &path, "--overwrite"]].concat();
        census(&dir, "summed", &words);
        serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
    };
    let tables = ["--tables", "captures,verdict_sets"];
    let columns = ["--columns", "captures.url_host_name"];
    let words = [tables, columns].concat();
    let (all, some) = (summary(&tables), summary(&words));
    for name in ["errors", "errors_by_code"] {
        assert!(!all[name].is_null() && some[name].is_null(), "{name}");
    }
    for name in ["captures", "rules", "verdicts", "response_errors_by_code"] {
        assert_eq!(all[name], some[name], "{name}");
    }
    let archive = committed().archive.to_str().unwrap();
    let plan = |words: &[&str]| {
        run(&[archive, "--print-plan"])
            .words(words)
            .succeed()
            .stdout
    };
    let line = "\nnot computed: policies; semantic digests; errors of lines; where redirects end,";
    assert!(plan(&words).contains(line), "{}", plan(&words));
    let counted = [&words[..], &["--tables", "errors"]].concat();
    assert!(!plan(&counted).contains("errors of lines"));
    let rows = "SELECT access, count(*) AS n FROM captures GROUP BY ALL ORDER BY ALL";
    let found = answer(&dir.path("summed"), rows, &[]);
    assert_eq!(
        found,
        found
            .as_ref()
            .and_then(|_| answer(&committed().census.0, rows, &[]))
    );
}

#[test]
fn columns_that_cannot_be_chosen_are_refused_with_what_to_do() {
    let dir = Dir::new();
    let out = dir.word("out");
    let archive = committed().archive.to_str().unwrap();
    let refuse = |words: &str, said: &str| {
        let refused = run(&[archive, "--out", &out]).words(&words.split(' ').collect::<Vec<_>>());
        let refused = refused.end_with(2).stderr;
        assert!(refused.contains(said), "{words}: {refused}");
        assert_eq!(refused.lines().count(), 1, "{refused}");
    };
    for (words, said) in [
        (
            "--columns url",
            "--columns: no column is called \"url\"; expected TABLE.COLUMN",
        ),
        (
            "--columns capture.url",
            "no table is called \"capture\"; expected a column of captures, groups, ",
        ),
        (
            "--columns captures.uri",
            "the table captures has no column \"uri\"; \"robocensus tables captures\" lists",
        ),
        (
            "--exclude-columns archives.bytes",
            "--exclude-columns: archives.bytes: the table archives always has all",
        ),
        (
            "--exclude-columns captures.capture_id",
            "captures.capture_id cannot be left out: it is a key",
        ),
        (
            "--exclude-columns captures.origin",
            "cannot be left out: the tables redirects and hosts are made of it",
        ),
        (
            "--exclude-columns captures.semantic_digest",
            "hosts.end_semantic_digest is a copy of it; leave that out too",
        ),
        (
            "--tables groups --columns rules.pattern",
            "the table rules is not among the tables that are written",
        ),
        (
            "--exclude-columns pages.url_surtkey",
            "--exclude-columns: the table pages is of runs that read pages",
        ),
        (
            "--columns captures.url --exclude-columns captures.url",
            "--columns and --exclude-columns both name captures.url",
        ),
    ] {
        refuse(words, said);
    }
    assert!(!dir.path("out").exists());
    census(&dir, "out", &["--exclude-columns", DIGESTS]);
    refuse(
        "--resume",
        "excluded_columns is \"captures.semantic_digest,hosts.end_semantic_digest\" there and not set here",
    );
}

#[test]
fn a_query_says_which_column_it_misses_and_others_are_answered() {
    let dir = Dir::new();
    let words = ["--exclude-columns"];
    let left_out = format!("{DIGESTS},errors.byte_offset,captures.url_surtkey");
    let some = census(&dir, "it's", &[&words[..], &[&left_out]].concat());
    let all = &committed().census;
    for query in [
        "count-hosts-by-status",
        "count-hosts-by-redirects",
        "rank-paths-by-hosts",
    ] {
        let rows = answer(&some.0, query, &[]);
        if rows.is_none() {
            return;
        }
        assert_eq!(rows, answer(&all.0, query, &[]), "{query}");
    }
    let folder = some.0.to_str().unwrap();
    let query =
        |sql: &str, more: &[&str]| TestCommand::new(["query", sql, "--data", folder]).words(more);
    for (sql, column) in [
        ("rank-files-by-hosts", "captures.semantic_digest"),
        (
            "SELECT count(end_semantic_digest) FROM hosts",
            "captures.semantic_digest",
        ),
        ("SELECT byte_offset FROM errors", "errors.byte_offset"),
        (
            "SELECT * FROM captures WHERE fetch_status = 200",
            "captures.",
        ),
    ] {
        query(sql, &[]).refuse(&[
            &format!("expected the column {column}"),
            "it's was written without it; run again with that column",
        ]);
    }
    // Of two datasets, each may lack columns, and others than the other.
    let other = census(
        &dir,
        "other",
        &[
            "--exclude-columns",
            "captures.subset,captures.content_mime_type",
        ],
    );
    let changes = "SELECT dataset, min(url) AS url, count(*) AS n FROM both_of( 'captures' ) GROUP BY ALL ORDER BY ALL";
    let whole = all.0.to_str().unwrap();
    let n = |data: &str, before: &str| {
        let words = [
            "query", changes, "--data", data, "--before", before, "--format", "csv",
        ];
        TestCommand::new(words).succeed().stdout
    };
    let wanted = n(whole, whole);
    assert_eq!(wanted.lines().count(), 3, "{wanted}");
    let other = other.0.to_str().unwrap();
    for (data, before) in [
        (folder, whole),
        (whole, folder),
        (folder, other),
        (other, folder),
    ] {
        assert_eq!(n(data, before), wanted, "{data} {before}");
    }
    for sql in [
        "SELECT count(*) FROM both_of(/**/'captures')",
        "SELECT count(*) FROM \"both_of\"('captures')",
    ] {
        query(sql, &["--before", other])
            .refuse(&["expected the call in the form both_of('TABLE')"]);
    }
    // Printed views do not know the columns of a dataset that is named later.
    let printed = |words: &[&str]| {
        let words = [&["query", "views", "--print", "--data", folder], words].concat();
        TestCommand::new(words).succeed().stdout
    };
    assert!(printed(&[]).contains("error('expected views made for both datasets, since "));
    assert!(!printed(&["--before", whole]).contains("expected views made for both datasets"));
    query("list-hosts-that-changed", &["--before", whole])
        .refuse(&["expected the column captures.semantic_digest"]);
    let out = dir.word("report.html");
    TestCommand::new(["report", "--data", folder, "--out", &out]).succeed();
    let page = fs::read_to_string(dir.path("report.html")).unwrap();
    assert!(page.contains("id=\"errors\"") && !page.contains("id=\"templates\""));
    assert!(page.contains("without the tables or columns of other charts"));
}

#[test]
fn a_report_leaves_out_the_charts_that_need_a_column_and_no_other() {
    let dir = Dir::new();
    let report = |name: &str, left_out: &str| {
        let words: &[&str] = match left_out {
            "" => &[],
            names => &["--exclude-columns", names],
        };
        let some = census(&dir, name, words);
        answer(&some.0, "SELECT 1 AS n", &[])?;
        let out = dir.word("report.html");
        let data = some.0.to_str().unwrap();
        TestCommand::new(["report", "--data", data, "--out", &out]).succeed();
        Some(fs::read_to_string(out).unwrap().matches("<section").count())
    };
    let Some(n_all) = report("all", "") else {
        return;
    };
    // The view hosts does not read the table of that name.
    assert_eq!(
        report("view", "hosts.redirect_hops,hosts.is_primary"),
        Some(n_all)
    );
    let n_some = report("text", "errors.text,rules.pattern").unwrap();
    assert!((n_all / 2..n_all).contains(&n_some), "{n_some} of {n_all}");
}

#[test]
fn verify_finds_files_of_other_columns_than_the_dataset_states() {
    let dir = Dir::new();
    let left_out = "captures.url_surtkey";
    let some = census(&dir, "some", &["--exclude-columns", left_out]);
    let file = some.0.join("_dataset.json");
    let text = fs::read_to_string(&file).unwrap();
    let folder = some.0.to_str().unwrap();
    for (stated, said) in [
        (
            "captures.content_charset",
            "expected the column url_surtkey in captures/",
        ),
        (
            "captures.url_surtkey,captures.url",
            "expected no column url in captures/",
        ),
    ] {
        fs::write(&file, text.replace(left_out, stated)).unwrap();
        let found = TestCommand::new(["verify", folder]).end_with(1).stdout;
        assert!(found.contains(said), "{found}");
    }
    // A column that is added up.
    let words = [
        "--tables",
        "captures",
        "--exclude-columns",
        "captures.rule_count",
    ];
    let counted = census(&dir, "counted", &words);
    let stated = counted.0.join("_dataset.json");
    let mut description: Value = serde_json::from_slice(&fs::read(&stated).unwrap()).unwrap();
    description["options"]
        .as_object_mut()
        .unwrap()
        .remove("excluded_columns");
    fs::write(&stated, description.to_string()).unwrap();
    let found = TestCommand::new(["verify", counted.0.to_str().unwrap()])
        .end_with(1)
        .stdout;
    assert!(
        found.contains("expected the column rule_count in captures/"),
        "{found}"
    );
    let no_text = text.replace("\"captures.url_surtkey\"", "5");
    assert_ne!(no_text, text);
    fs::write(&file, no_text).unwrap();
    for words in [
        &["verify", folder][..],
        &["query", "SELECT 1", "--data", folder],
    ] {
        TestCommand::new(words.iter().copied())
            .refuse(&["_dataset.json: expected the option excluded_columns"]);
    }
}

#[test]
fn pages_are_counted_without_columns_that_no_figure_needs() {
    let dir = Dir::new();
    let archive = dir.word("pages.warc.gz");
    let words = [
        "sample",
        "--captures",
        "40",
        "--pages",
        "60",
        "--out",
        &archive,
    ];
    TestCommand::new(words).succeed();
    let [all, some] = [
        ("all", None),
        (
            "some",
            Some("pages.url_surtkey,page_directives.byte_offset"),
        ),
    ]
    .map(|(name, left_out)| {
        let out = dir.word(name);
        let left_out = left_out.map(|names| ["--exclude-columns", names]);
        run(&[&archive, "--pages", "--out", &out, "--quiet"])
            .words(left_out.as_ref().map_or(&[][..], |words| words))
            .succeed();
        out
    });
    for query in ["count-pages-by-directive", "compare-robots-and-pages"] {
        let rows = |data: &str| answer(Path::new(data), query, &[]);
        assert_eq!(rows(&all), rows(&some), "{query}");
    }
    TestCommand::new(["verify", &some]).succeed();
}

#[test]
fn a_command_that_needs_a_column_says_so() {
    let dir = Dir::new();
    let some = census(
        &dir,
        "some",
        &[
            "--tables",
            "captures",
            "--columns",
            "captures.url_host_name",
        ],
    );
    let archive = committed().archive.to_str().unwrap();
    let host = "a.example";
    let words = [
        "check",
        "--data",
        some.0.to_str().unwrap(),
        "--archives",
        archive,
        "--host",
        host,
    ];
    TestCommand::new(words).refuse(&["expected the column ", "run again with that column"]);
}

#[test]
fn every_column_of_the_plan_is_left_out_and_no_other() {
    let archive = committed().archive.to_str().unwrap();
    let tables = TABLES.iter().chain(&PAGE_TABLES);
    let names = tables.flat_map(|table| {
        let columns = table.columns.iter();
        columns.map(|column| format!("{}.{}", table.name, column.name))
    });
    // One at a time: what is not refused is left out, alone.
    let mut n_left_out = 0;
    for name in names {
        let words = ["--print-plan", "--pages", "--exclude-columns", &name];
        let ran = run(&[archive]).words(&words).end();
        if ran.code == 0 {
            let line = format!("\ncolumns not written: {name}\n");
            assert!(ran.stdout.contains(&line), "{name}: {}", ran.stdout);
            n_left_out += 1;
        } else {
            let (table, _) = name.split_once('.').unwrap();
            assert!(ran.stderr.contains(table), "{name}: {}", ran.stderr);
        }
    }
    assert!(n_left_out > 50, "{n_left_out}");
}
