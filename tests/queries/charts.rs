//! Charts of queries: what their files hold, and which rows have none.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use roxmltree::{Document, Node};
use serde_json::Value;

use super::{Query, by_hand, queries};
use crate::util::{
    Dir, TestCommand, answer, assert_begins, assert_says, assert_says_all, lasting, or_skip,
    package, query, run_into,
};

const KINDS: [&str; 3] = ["bars", "lines", "heat map"];
/// A column of a paper, the default, and a slide.
pub const WIDTHS: [&str; 3] = ["307", "760", "1600"];

/// Returns a dataset of the archives of `data-sample/`.
pub fn sample() -> &'static Path {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    ONCE.get_or_init(|| {
        let archives = package().join("data-sample/archives");
        let archives = archives.to_str().unwrap();
        let words = [archives, "--dialects=google,rfc9309", "--pages"];
        run_into(lasting("charts").join("sample"), &words)
    })
}

/// Returns the queries that have a chart with its kind, as the program lists them.
fn charts() -> Vec<(Query, String)> {
    let list = TestCommand::new(["query", "--list"]).succeed().stdout;
    let mut kinds = BTreeMap::new();
    let mut name = "";
    for line in list.lines() {
        match line.strip_prefix("  Chart: ") {
            Some(kind) => drop(kinds.insert(name, kind.to_owned())),
            None if !line.starts_with(' ') => name = line,
            None => {}
        }
    }
    let charts = queries().into_iter().filter_map(|query| {
        let kind = kinds.remove(&*query.name)?;
        Some((query, kind))
    });
    charts.collect()
}

/// Draws a query and returns the file; `None` where there is no DuckDB.
pub fn draw(data: &Path, query: &str, words: &[&str]) -> Option<String> {
    let dir = Dir::new();
    let file = dir.word("chart.svg");
    let asked = self::query(data, &[query, "--chart", &file]);
    let ran = asked.words(words).end_in_duckdb()?;
    assert_eq!(ran.code, 0, "{query}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{query}");
    Some(fs::read_to_string(file).unwrap())
}

/// The corners of what is drawn.
type Corners = [[f64; 2]; 4];

/// The width of a letter in a usual font, as a part of its size.
fn width(letter: char) -> f64 {
    match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '\u{a0}' | '!'..='/' | ':' | ';' => 0.35,
        'm' | 'w' | 'M' | 'W' => 0.9,
        'A'..='Z' => 0.7,
        _ => 0.6,
    }
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |at| at.parse().unwrap())
}

/// Returns the corners of a text from above its letters to below them.
fn corners(text: Node<'_, '_>) -> Corners {
    let size = number(text, "font-size");
    let letters = text.text().unwrap_or_default().chars();
    let length = size * letters.map(width).sum::<f64>();
    let from = match text.attribute("text-anchor") {
        Some("end") => -length,
        Some("middle") => -length / 2.0,
        _ => 0.0,
    };
    let degrees = text.attribute("transform").map_or(0.0, |turn| {
        let turn = turn.strip_prefix("rotate(").unwrap();
        turn.split(' ').next().unwrap().parse::<f64>().unwrap()
    });
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (above, below, to) = (-0.7 * size, 0.15 * size, from + length);
    let (x, y) = (number(text, "x"), number(text, "y"));
    [[from, above], [to, above], [to, below], [from, below]]
        .map(|[right, down]| [x + right * cos - down * sin, y + right * sin + down * cos])
}

/// Returns whether a line is between two rectangles, which may be turned.
fn are_apart(one: &Corners, other: &Corners) -> bool {
    let sides = [one, other].map(|corners| corners.windows(2)).into_iter();
    sides.flatten().any(|side| {
        let [right, down] = [0, 1].map(|axis| side[1][axis] - side[0][axis]);
        let ends = |corners: &Corners| {
            let at = corners.map(|[x, y]| x * down - y * right);
            let least = at.into_iter().fold(f64::MAX, f64::min);
            [least, at.into_iter().fold(f64::MIN, f64::max)]
        };
        let [one, other] = [one, other].map(ends);
        one[1] <= other[0] || other[1] <= one[0]
    })
}

/// Asserts that a file is an SVG drawing of shapes alone that are inside of it, with title, n and
/// source, whose texts can be read and are over no other text or bar, and returns these.
pub fn assert_drawing(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap_or_else(|e| panic!("{e}: {svg}"));
    let root = document.root_element();
    let size = root.attribute("viewBox").unwrap().split(' ').skip(2);
    let size: Vec<f64> = size.map(|side| side.parse().unwrap()).collect();
    let zoom = number(root, "width") / size[0];
    let shapes = [
        "svg", "title", "desc", "rect", "line", "polyline", "polygon", "circle", "text",
    ];
    let (mut texts, mut boxes, mut bars) = (Vec::new(), Vec::<Corners>::new(), Vec::new());
    for node in document.descendants().filter(Node::is_element) {
        let kind = node.tag_name().name();
        assert!(shapes.contains(&kind), "{kind}");
        let [x, y] = ["x", "y"].map(|name| number(node, name));
        let (right, below) = (x + number(node, "width"), y + number(node, "height"));
        let mut points = vec![[x, y], [number(node, "cx"), number(node, "cy")]];
        points
            .extend([1, 2].map(|end| ["x", "y"].map(|name| number(node, &format!("{name}{end}")))));
        if kind == "rect" {
            points.push([right, below]);
            if node.attribute("fill") != Some("#ffffff") {
                bars.push([[x, y], [right, y], [right, below], [x, below]]);
            }
        }
        if kind == "text" {
            let (text, found) = (node.text().unwrap_or_default(), corners(node));
            // 6.5 points.
            let is_legible = number(node, "font-size") * zoom >= 8.66;
            assert!(is_legible, "{text}: {node:?}, {zoom} times");
            if let Some(at) = boxes.iter().position(|other| !are_apart(&found, other)) {
                panic!("{text:?} is over {:?}: {svg}", texts[at]);
            }
            points.extend(found);
            boxes.push(found);
            texts.push(text.to_owned());
        }
        for [x, y] in points {
            let is_inside = (0.0..=size[0]).contains(&x) && (0.0..=size[1]).contains(&y);
            assert!(is_inside, "{:?} of {size:?}: {node:?}", node.text());
        }
    }
    for (text, found) in texts.iter().zip(&boxes) {
        // A number stands in its cell.
        let is_in = |[from, _, to, _]: &Corners| {
            let is_in =
                |[x, y]: &[f64; 2]| (from[0]..=to[0]).contains(x) && (from[1]..=to[1]).contains(y);
            found.iter().all(is_in)
        };
        let is_free = |bar| are_apart(found, bar) || is_in(bar);
        assert!(bars.iter().all(is_free), "{text:?} is over a bar: {svg}");
    }
    let text_of = |kind: &str| {
        let node = root.children().find(|node| node.has_tag_name(kind));
        node.and_then(|node| node.text()).unwrap_or_default()
    };
    assert!(!text_of("title").is_empty(), "{svg}");
    for part in ["n = ", "Source: "] {
        assert_says(text_of("desc"), part);
        let is_drawn = texts.iter().any(|text| text.contains(part));
        assert!(is_drawn, "{part}: {texts:?}");
    }
    texts
}

#[test]
fn every_query_with_a_chart_is_legible_at_each_width() {
    let charts = charts();
    assert!(charts.len() > 45, "{}", charts.len());
    let hands = by_hand();
    for (number, (query, kind)) in charts.iter().enumerate() {
        let (data, query) = (hands.of(query), &query.name);
        assert!(KINDS.contains(&kind.as_str()), "{query}: {kind}");
        // The sample has no cohort.
        let has_cohort = data.ends_with("cohort");
        // The narrowest, of the sample, which has the most to draw, and the others in turn.
        for (width, is_of_sample) in [(WIDTHS[0], !has_cohort), (WIDTHS[1 + number % 2], false)] {
            let data = if is_of_sample { sample() } else { &data };
            let words = [&hands.words(query)[..], &["--chart-width", width]].concat();
            let svg = or_skip!(draw(data, query, &words));
            assert!(svg.contains(&format!(" width=\"{width}\"")), "{svg}");
            let texts = assert_drawing(&svg).join(" ");
            assert_says(&texts, &format!("query {query}."));
            assert!(!svg.contains("NaN"), "{query}: {svg}");
        }
    }
}

#[test]
fn a_chart_has_the_figures_of_its_query() {
    let words = ["--set", "agent=CCBot"];
    let (data, query) = (by_hand().both(), "count-hosts-blocking-gptbot");
    let svg = or_skip!(draw(&data, query, &words));
    let rows = answer(&data, query, &words).unwrap();
    let row = &rows[0];
    let n = format!("n = {} registered domains that", row["domains_asked"]);
    let texts = assert_drawing(&svg).join(" ");
    for by in ["own_group", "everybodys_group", "status"] {
        let figure = &row[format!("domains_blocked_by_{by}")];
        assert_says(&texts, &format!("({figure})"));
    }
    assert_says(&texts, &n);
    let others = "1 archive of CC-MAIN-2026-05 | agent = CCBot | reference dialect google | robocensus | run";
    assert_says_all(&texts, others);
}

#[test]
fn the_n_of_a_chart_is_what_its_shares_of_domains_are_of() {
    let hands = by_hand();
    let mut n_checked = 0;
    for (query, _) in charts() {
        let data = hands.of(&query);
        if query.text.contains("getvariable('pages')") {
            continue;
        }
        let is_of_cohort = data.ends_with("cohort");
        let data = if is_of_cohort { &data } else { sample() };
        let query = &query.name;
        let found = or_skip!(specification(data, query, &hands.words(query)));
        let n_of_all = found["title"]["subtitle"][0].as_str().unwrap();
        let (_, n_of_all) = n_of_all.split_once("n = ").unwrap();
        let digits = n_of_all.split(' ').next().unwrap().replace(',', "");
        for row in found["data"]["values"].as_array().unwrap() {
            // Only shares of domains have intervals.
            let (Some(count), Some(_)) = (row["count"].as_f64(), row["low"].as_f64()) else {
                continue;
            };
            let n = row["n"].as_f64().or_else(|| digits.parse().ok());
            let n = n.unwrap_or_else(|| panic!("{query}: no n: {n_of_all}"));
            let share = row["value"].as_f64().unwrap();
            let is_share = (count / n - share).abs() < 0.0001;
            assert!(is_share, "{query}: n = {n}: {row}");
            n_checked += 1;
        }
    }
    assert!(n_checked > 300, "{n_checked}");
}

#[test]
fn hostile_text_stays_text() {
    let dir = Dir::new();
    let body = "User-agent: \"><script>alert(1)</script>\nDisallow: /</text></svg><script>&#x41;\u{202e}\u{1b}]0;x\u{7}\n";
    let archive = dir.archive("hostile.warc.gz", &[("http://a.example/robots.txt", body)]);
    let out = run_into(dir.path("census"), &[archive]);
    for query in ["rank-paths-by-domains", "rank-errors-by-domains"] {
        let svg = or_skip!(draw(&out, query, &[]));
        let texts = assert_drawing(&svg).join("\n");
        let is_shown =
            query != "rank-paths-by-domains" || texts.contains("/</text></svg><script>&");
        assert!(is_shown, "{texts}");
        assert!(!svg.contains("<script") && !texts.contains(['\u{1b}', '\u{202e}']));
    }
    let sql = "-- <b>&\u{202e}title\nSELECT '</text><a href=\"x\">' || chr(27) || chr(65535) AS name, 1 AS n";
    let texts = assert_drawing(&draw(&out, sql, &[]).unwrap()).join("\n");
    assert_says(&texts, "<b>&\u{fffd}title\n");
    assert_says(&texts, "</text><a href=\"x\">\u{fffd}\u{fffd}\n");
}

/// SQL, and texts of its chart, which are joined by `|`.
const DRAWN: &str = "\
SELECT 'a' AS name, 1 AS n WHERE false -> No rows. & n = 0 rows
SELECT 'only' AS name, 7 AS n -> only|7| & n = 1 row|
SELECT NULL::VARCHAR AS name, NULL::INTEGER AS n UNION ALL SELECT 'x', 2 -> (none)
SELECT 'a' AS name, sum(i) AS n, avg(i)::DECIMAL(9, 2) AS m FROM range(5) t(i) -> |10| & |2|
SELECT DATE '2024-01-01' + i::INTEGER AS day, sqrt(i) AS n FROM range(1000) t(i) -> 2024-01-01
SELECT 'a' AS name, 0.25 AS share_x, 0.1 AS share_x_low, 0.5 AS share_x_high -> 25.0\u{a0}% & in percent";

#[test]
fn rows_of_every_number_and_null_are_drawn() {
    let draw = |sql: &str| Some(assert_drawing(&draw(sample(), sql, &[])?).join("|"));
    for line in DRAWN.lines() {
        let (sql, says) = line.split_once(" -> ").unwrap();
        let texts = or_skip!(draw(sql));
        for text in says.split(" & ") {
            assert_says(&texts, text);
        }
    }
    let many = "SELECT 'name ' || repeat('x', 200) || i AS name, i AS n FROM range(1000) t(i)";
    let many = or_skip!(draw(many));
    assert_says(&many, "The first 30 of 1,000 rows are drawn.");
    assert_eq!(many.matches("name|xxx").count(), 30);
    let is_cut = !many.contains(&"x".repeat(120)) && many.contains('\u{2026}');
    assert!(is_cut, "{many}");
}

/// Arguments behind `--chart`, with what is said of them; DATA is the dataset, RANKS a list.
const NO_FILES: &str = "\
x.eps: .svg, .pdf or .png
svg: .svg, .pdf or .png
absent/x.svg: absent/x.svg: cannot write
DATA/captures/x.svg: a file of the dataset
RANKS --set ranks=RANKS: this is an input
x.svg --format csv: cannot be used with";

/// What else no chart can be drawn of is in unit tests.
#[test]
fn what_has_no_chart_is_refused_in_a_sentence() {
    let dir = Dir::new();
    let data = by_hand().both();
    let file = dir.word("chart.svg");
    for (sql, says) in [
        ("list-inputs", "the query list-inputs has no chart"),
        ("SELECT 1 AS n", "found n (INTEGER)"),
        ("SELECT 'a' AS x, 'nan'::DOUBLE AS n", "of finite numbers"),
    ] {
        or_skip!(query(&data, &[sql, "--chart", &file]).end_in_duckdb()).assert_refused(&[says]);
        query(&data, &[sql, "--format", "vega-lite"]).refuse(&[says]);
    }
    assert!(!Path::new(&file).exists());
    let ranks = dir.write("ranks.svg", "1,same.example\n");
    let places = NO_FILES
        .replace("DATA", data.to_str().unwrap())
        .replace("RANKS", &ranks);
    for line in places.lines() {
        let (words, says) = line.split_once(": ").unwrap();
        let words: Vec<_> = words.split(' ').collect();
        query(&data, &["compare-rank-strata", "--chart"])
            .words(&words)
            .stop(says);
    }
    #[cfg(not(feature = "chart-files"))]
    query(&data, &["count-changes", "--chart", "x.pdf"]).stop("built without PDF");
    assert_eq!(fs::read_to_string(ranks).unwrap(), "1,same.example\n");
}

/// Returns the rows of a query as a file of Parquet.
pub fn parquet(data: &Path, sql: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
    command.args(["query", sql, "--format", "parquet", "--data"]);
    let ran = command.arg(data).output().unwrap();
    let is_parquet = ran.status.success() && ran.stdout.starts_with(b"PAR1");
    assert!(is_parquet, "{sql}: {ran:?}");
    ran.stdout
}

#[cfg(unix)]
#[test]
fn parquet_is_written_to_standard_output_alone() {
    let dir = Dir::new();
    let data = by_hand().both();
    let sql =
        "SET VARIABLE least = 1; -- first\nSELECT 1 AS n, 'a;b' AS text, NULL::DATE AS day; -- end";
    let changes = or_skip!(answer(&data, "count-changes", &[]));
    let n_changes = changes.len();
    for (sql, rows) in [
        (sql, 1),
        ("FROM captures LIMIT 0", 0),
        ("count-changes", n_changes),
    ] {
        let file = parquet(&data, sql);
        assert!(file.ends_with(b"PAR1"), "{sql}");
        let path = dir.write("rows.parquet", file);
        let count = "SELECT count(*) AS n FROM read_parquet(getvariable('rows'))";
        let found = answer(&data, count, &["--set", &format!("rows={path}")]).unwrap();
        assert_eq!(found[0]["n"], rows, "{sql}");
    }
    let file = format!("rows={}", dir.word("rows.parquet"));
    let types = "DESCRIBE FROM read_parquet(getvariable('rows'))";
    let types = answer(&data, types, &["--set", &file]).unwrap();
    assert_eq!(types[1]["column_type"], "BIGINT", "{types:?}");
}

/// Returns the specification of Vega-Lite of a query.
fn specification(data: &Path, query: &str, words: &[&str]) -> Option<Value> {
    let asked = self::query(data, &[query, "--format", "vega-lite"]);
    let ran = asked.words(words).end_in_duckdb()?;
    assert_eq!(ran.code, 0, "{query}: {}", ran.stderr);
    Some(serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stdout)))
}

#[test]
fn vega_lite_has_the_rows_and_plain_fields() {
    let data = by_hand().both();
    for (query, mark, channels) in [
        ("count-hosts-by-status", "bar", "color x y yOffset"),
        ("count-captures-by-status", "bar", "x y"),
        ("compare-hosts-by-crawl", "line", "color x y"),
        ("compare-agents-named-together", "rect", "color x y"),
    ] {
        let found = or_skip!(specification(&data, query, &[]));
        let schema = "https://vega.github.io/schema/vega-lite/v5.json";
        assert_eq!(found["$schema"], schema);
        assert_eq!(found["mark"], mark, "{query}");
        let subtitle = &found["title"]["subtitle"];
        assert!(subtitle[0].as_str().unwrap().contains("n = "), "{subtitle}");
        assert_begins(subtitle[1].as_str().unwrap(), "Source: ");
        assert!(found["title"]["text"].as_str().unwrap().ends_with('?'));
        let encoding = found["encoding"].as_object().unwrap();
        let names: BTreeSet<_> = encoding.keys().map(String::as_str).collect();
        assert!(channels.split(' ').eq(names), "{query}: {encoding:?}");
        let rows = found["data"]["values"].as_array().unwrap();
        assert!(!rows.is_empty(), "{query}");
        for channel in encoding.values() {
            let field = channel["field"].as_str().unwrap();
            let has_all = rows.iter().all(|row| !row[field].is_null());
            assert!(has_all, "{query}: {field}");
        }
    }
    let empty = specification(sample(), "SELECT 'a' AS a, 1 AS n WHERE false", &[]).unwrap();
    assert_eq!(empty["data"]["values"], Value::Array(Vec::new()));
}

#[test]
fn the_file_of_a_query_has_its_chart() {
    let name = "count-dead-rules";
    let queries = queries();
    let query = queries.iter().find(|query| query.name == name).unwrap();
    let data = by_hand().both();
    let by_file = draw(&data, query.path.to_str().unwrap(), &[]);
    assert_eq!(by_file, draw(&data, name, &[]));
}
