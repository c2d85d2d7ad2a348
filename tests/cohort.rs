//! Runs that follow a cohort: what is read, what is skipped, and who is a member.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, IntervalYearMonthArray, StringArray};

use crate::{
    redirects::web::Web,
    util::{
        Census, Dir, TestCommand, answer, assert_says, gzip, lines, or_skip, run, run_into,
        write_parquet,
    },
};

/// A domain, a host of another domain, and two members that no archive has.
const CSV: &str = "rank,host,category\n2,Example.com,shop\n1,https://www.example.org/x,\"news, local\"\n,absent.example.net,\n,müller.de,shop\n";

/// Fetches of which a member redirects out of the cohort over two hops, and another one to what
/// came before.
const FETCHES: &str = "\
1 https://before.example.net open
1 https://example.com > https://a.example.net:443/robots.txt
1 https://a.example.net > https://b.net/file
1 https://other.example.net open
1 https://b.net/file open
1 https://shop.example.com open
1 https://www.example.org open
1 https://example.org open
1 https://late.example.com > https://before.example.net/robots.txt
1 https://example.com/page page
1 https://other.example.net/page page";

/// Writes an archive of these fetches, and returns its path.
fn archive(dir: &Dir) -> String {
    // A dataset states when its archives were written.
    if !dir.path("a.warc").exists() {
        dir.write("a.warc", Web::of(FETCHES).records);
    }
    dir.word("a.warc")
}

/// Runs over the archive with a list of members, and returns the dataset.
fn census(dir: &Dir, list: &str, out: &str, words: &[&str]) -> Census {
    let archive = archive(dir);
    let words = [&[&*archive, "--cohort", list], words].concat();
    Census(run_into(dir.path(out), &words))
}

#[test]
fn others_are_skipped_and_redirects_out_of_the_cohort_resolved() {
    let dir = Dir::new();
    let list = dir.write("cohort.csv", CSV);
    let census = census(&dir, &list, "census", &[]);
    let column = |table, name| census.table(table).all_texts(name).join(" ");
    let read = "example.com a.example.net b.net shop.example.com www.example.org late.example.com";
    assert_eq!(column("captures", "url_host_name"), read);
    let mut skipped = census.table("archive_skips").lines("reason records");
    skipped.sort();
    assert_eq!(skipped, ["not_robots_path 1", "outside_cohort 4"]);
    assert_eq!(census.table("archives").sum("record_count"), 6 + 5);
    let outcomes = column("redirects", "outcome");
    assert_eq!(outcomes, "resolved resolved not_in_corpus");
    // Hosts to which a redirect led are hosts of nobody's cohort.
    let of_members = "example.com late.example.com shop.example.com www.example.org";
    assert_eq!(column("hosts", "url_host_name"), of_members);
    let out = dir.word("census");
    TestCommand::new(["verify", &out]).succeed();
    // The members are known from the dataset alone.
    let before = census.files();
    TestCommand::new(["finish", &out]).succeed();
    assert!(census.files() == before);
}

#[test]
fn members_are_rows_captured_or_not_and_files_of_every_format_are_one_cohort() {
    let dir = Dir::new();
    let csv = dir.write("cohort.csv", CSV);
    let tabs = "host\tcategory\trank\nxn--mller-kva.de\tshop\t\nEXAMPLE.COM\tshop\t2\n\
                www.example.org\tnews, local\t1\nabsent.example.net\t\t\nexample.com\tother\t9\n";
    let tabs = dir.write("cohort.tsv", gzip(tabs.as_bytes()));
    let parquet = dir.word("cohort.parquet");
    let texts = |texts: &str| {
        let texts = texts
            .split('|')
            .map(|text| Some(text).filter(|text| !text.is_empty()));
        Arc::new(StringArray::from_iter(texts)) as ArrayRef
    };
    let names = texts("example.com|www.example.org|absent.example.net|müller.de");
    let ranks = Int64Array::from(vec![Some(2), Some(1), None, None]);
    let spans = IntervalYearMonthArray::from(vec![1; 4]);
    let columns = [
        ("url_host_name", names),
        ("rank", Arc::new(ranks) as ArrayRef),
        ("category", texts("shop|news, local||shop")),
        // No list needs one, and it is no reason to refuse the others.
        ("span", Arc::new(spans) as ArrayRef),
    ];
    write_parquet(&dir.path("cohort.parquet"), columns);

    let of_csv = census(&dir, &csv, "csv", &["--threads", "1"]);
    let table = of_csv.table("cohort");
    let rows = [
        "absent.example.net false - -",
        r#"example.com true 2 {"category":"shop"}"#,
        r#"www.example.org false 1 {"category":"news, local"}"#,
        r#"xn--mller-kva.de true - {"category":"shop"}"#,
    ];
    assert_eq!(table.lines("member is_domain rank attributes"), rows);
    for (list, out) in [(&tabs, "tabs"), (&parquet, "parquet")] {
        let other = census(&dir, list, out, &["--threads", "3"]);
        assert!(other.files() == of_csv.files(), "{list}");
    }
    let plain = "# mine\nexample.com\nwww.example.org\nabsent.example.net\nmüller.de\n";
    let plain = census(&dir, &dir.write("cohort.txt", plain), "plain", &[]);
    for (table, column) in [("cohort", "member"), ("captures", "url")] {
        let [plain, csv] = [&plain, &of_csv].map(|census| census.table(table).all_texts(column));
        assert_eq!(plain, csv, "{table}");
    }
}

#[test]
fn a_dataset_has_one_cohort_that_runs_which_join_it_need_not_state() {
    let dir = Dir::new();
    let list = dir.write("cohort.csv", CSV);
    census(&dir, &list, "census", &[]);
    let more = Web::of("1 https://www.example.org open\n1 https://example.org open");
    let more = dir.write("more.warc", more.records);
    let out = dir.word("census");
    let join = || run(&[&more, "--join", "--out", &out]);
    let other = dir.write("other.csv", CSV.replace("shop", "SHOP"));
    let says = "made with other options (the list of cohort is another, of 4 there and of 4 here)";
    join().words(&["--cohort", &other]).refuse(&[says]);
    join().succeed();
    let skipped = Census(out.into()).skipped();
    let of_more = skipped[&("more.warc".to_owned(), "outside_cohort".to_owned())];
    assert_eq!(of_more, 1);
}

#[test]
fn what_is_wrong_with_a_list_is_said_with_its_line() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let out = dir.word("census");
    let with = |list: &str| run(&[&archive, "--out", &out, "--cohort", list]);
    let bad = dir.write("bad.csv", "domain,rank\nexample.com,1\nno host,2\n");
    let says = "bad.csv: line 3: expected a host name, such as example.com, but found \"no host\"";
    with(&bad).refuse(&[says]);
    let not_parquet = dir.write("bad.parquet", "PAR1 and nothing more");
    with(&not_parquet).refuse(&["bad.parquet: cannot read this Parquet file"]);
    let noted = dir.write("noted.txt", "example.com\nhttp://example.com/\n");
    let says = "noted.txt: line 2: example.com is a member by line 1 already, which counts";
    assert_says(&with(&noted).succeed().stderr, says);
}

#[test]
fn queries_count_over_the_cohort_of_the_dataset() {
    let dir = Dir::new();
    let list = dir.write("cohort.csv", CSV);
    let census = census(&dir, &list, "census", &[]);
    let of = |query, words: &[&str], columns| {
        let rows = answer(&census.0, query, words)?;
        Some(lines(&rows, columns))
    };
    let query = "count-cohort-by-crawl";
    let columns = "members asked answered robots_txt other_file no_file no_answer not_asked";
    let counted = or_skip!(of(query, &[], columns));
    assert_eq!(counted, ["4 2 2 2 0 0 0 2"]);
    let one = dir.write("one.txt", "late.example.com\n");
    let counted = of(query, &["--set", &format!("cohort={one}")], columns).unwrap();
    assert_eq!(counted, ["1 1 0 0 0 0 1 0"]);
    let never = of("list-hosts-without-robots-txt", &[], "host reason").unwrap();
    let not_captured = "absent.example.net not_captured|xn--mller-kva.de not_captured";
    assert_eq!(never.join("|"), not_captured);
    let query = "compare-restriction-across-crawls";
    let restricted = of(query, &[], "members missing hosts");
    assert_eq!(restricted.unwrap(), ["4 2 3"]);
}
