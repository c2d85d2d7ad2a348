//! Every table of the page holds the answer to the query that is named below it. The queries
//! themselves are held against a second count of the archives (`tests/recount/`).

use roxmltree::{Document, Node};
use serde_json::Value;

use super::{SECTIONS, page, section};
use crate::util::{Dir, answer, or_skip, package, run_into};

/// Rows that a table of the page shows at most, and characters of a text that it does not cut.
const MOST_ROWS: usize = 50;
const MOST_TEXT: usize = 80;

/// The table of figures of a section.
struct FigureTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Rows of the whole answer, by the heading of the table.
    n_rows: usize,
}

impl FigureTable {
    fn of(section: &str) -> Self {
        let section = format!("{section}</section>");
        let document = Document::parse(&section).unwrap();
        let figures = below(document.root(), "details").next().unwrap();
        let heading = text(below(figures, "summary").next().unwrap());
        let (n_rows, _) = heading.split_once(" row").unwrap();
        let n_rows = n_rows.strip_prefix("Figures (").unwrap();
        let rows = below(figures, "tr").skip(1);
        Self {
            columns: below(figures, "th").map(text).collect(),
            rows: rows
                .map(|row| below(row, "td").map(text).collect())
                .collect(),
            n_rows: n_rows.replace(',', "").parse().unwrap(),
        }
    }
}

/// Returns the elements of this name inside of another one.
pub fn below<'d, 'i>(node: Node<'d, 'i>, name: &'static str) -> impl Iterator<Item = Node<'d, 'i>> {
    node.descendants()
        .filter(move |node| node.has_tag_name(name))
}

/// Returns the text of an element, in which blanks may break lines.
pub fn text(element: Node<'_, '_>) -> String {
    let texts = element.descendants().filter(Node::is_text);
    let texts = texts.filter_map(|node| node.text());
    texts.collect::<String>().replace('\u{a0}', " ")
}

/// States that a cell shows a value. Shares are rounded to a tenth of a percent, and never to all
/// or nothing.
#[track_caller]
fn assert_shows(cell: &str, column: &str, value: &Value) {
    let decimal = value.as_str().and_then(|text| text.parse::<f64>().ok());
    let number = value.as_f64().or(decimal);
    match (value, number) {
        (_, Some(share)) if column.starts_with("share_") => match cell {
            "< 0.1 %" => assert!(share > 0.0 && share < 0.001, "{column}: {share}"),
            "> 99.9 %" => assert!(share > 0.999 && share < 1.0, "{column}: {share}"),
            "0 %" => assert_eq!(share, 0.0, "{column}"),
            "100 %" => assert_eq!(share, 1.0, "{column}"),
            percent => {
                let shown: f64 = percent.strip_suffix(" %").unwrap().parse().unwrap();
                let is_near = (shown / 100.0 - share).abs() < 0.000_501;
                assert!(is_near, "{column}: {cell}, {share}");
            }
        },
        (Value::Null, _) => assert_eq!(cell, "NULL", "{column}"),
        (Value::Bool(is_so), _) => assert_eq!(cell, if *is_so { "yes" } else { "no" }, "{column}"),
        (Value::Number(number), _) => {
            assert_eq!(cell.replace(',', ""), number.to_string(), "{column}");
        }
        (Value::String(text), _)
            if text.len() < MOST_TEXT && text.bytes().all(|b| matches!(b, b' '..=b'~')) =>
        {
            assert_eq!(cell, text, "{column}");
        }
        _ => {}
    }
}

#[test]
fn every_table_of_the_page_is_the_answer_to_its_query() {
    let dir = Dir::new();
    let sample = package().join("data-sample/archives");
    let dialects = ["--dialects", "google,rfc9309,original-1994"];
    let words = [&[sample.to_str().unwrap()], &dialects[..]].concat();
    let data = run_into(dir.path("census"), &words);
    let (_, page) = or_skip!(page(&dir, &data));
    let mut n_cells = 0;
    for id in SECTIONS.split(' ').skip(1) {
        let section = section(&page, id);
        let (_, command) = section.split_once("<code>robocensus query ").unwrap();
        let (name, _) = command.split_once(" --data DIR").unwrap();
        let figures = FigureTable::of(section);
        let rows = answer(&data, name, &[]).unwrap();
        assert_eq!(figures.n_rows, rows.len(), "{name}");
        assert_eq!(figures.rows.len(), rows.len().min(MOST_ROWS), "{name}");
        for (shown, row) in figures.rows.iter().zip(&rows) {
            assert_eq!(shown.len(), row.as_object().unwrap().len(), "{name}");
            for (cell, column) in shown.iter().zip(&figures.columns) {
                assert_shows(cell, column, row.get(column).unwrap());
                n_cells += 1;
            }
        }
    }
    assert!(n_cells > 1_000, "{n_cells}");
}
