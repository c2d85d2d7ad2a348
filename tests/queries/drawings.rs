//! What a reader sees of charts: whole labels, whole intervals, and no share of too few.

use std::{fs, path::PathBuf};

use roxmltree::Document;

use super::charts::{WIDTHS, assert_drawing, draw, sample};
use crate::util::{assert_says, lasting, or_skip, package, run_into};

/// Returns a dataset with so many crawls of the generated archive.
fn crawls(n: usize) -> PathBuf {
    let dir = lasting("charts").join(format!("crawls-{n}"));
    let archive = fs::read(package().join("data-sample/archives/sample-2026.warc.gz")).unwrap();
    for index in 0..n {
        let name = format!("CC-MAIN-20{}-{:02}", 10 + index / 4, 10 + 9 * (index % 4));
        let folder = dir.join("archives").join(&name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}-robotstxt.warc.gz")), &archive).unwrap();
    }
    let archives = dir.join("archives");
    run_into(dir.join("census"), &[archives.to_str().unwrap()])
}

#[test]
fn rotated_labels_are_not_cut_at_the_left() {
    // The numbers below the axis have no space next to each other.
    let data = crawls(14);
    for width in WIDTHS {
        let words = ["--chart-width", width];
        let svg = or_skip!(draw(&data, "compare-agents-by-crawl", &words));
        assert!(svg.contains("transform=\"rotate("), "{svg}");
        assert_drawing(&svg);
    }
    // Long times are centred below the first point and the last one.
    let sql = "SELECT TIMESTAMP '2024-01-01 12:34:56' + INTERVAL (i) DAY AS time, i AS n FROM range(2) t(i)";
    assert_drawing(&draw(sample(), sql, &[]).unwrap());
}

#[test]
fn a_chart_of_one_crawl_names_that_crawl_alone() {
    let data = crawls(3);
    let asked = ["--set", "crawl=CC-MAIN-2010-19"];
    // The hosts are those of the latest crawl where none is asked for.
    for (words, crawl) in [(&asked[..], "CC-MAIN-2010-19"), (&[], "CC-MAIN-2010-28")] {
        let svg = or_skip!(draw(&data, "compare-restriction-by-agent", words));
        let source = assert_drawing(&svg).join(" ");
        assert_says(&source, &format!("Source: 1 archive of {crawl} (digest "));
        assert!(!source.contains("CC-MAIN-2010-10"), "{source}");
    }
}

#[test]
fn a_long_label_above_its_bars_has_a_second_line_and_its_n() {
    let words = ["--chart-width", "307"];
    let svg = or_skip!(draw(sample(), "compare-definitions-of-blocking", &words));
    let texts = assert_drawing(&svg);
    assert!(!texts.iter().any(|text| text.ends_with('…')), "{texts:?}");
    let label = "class_probe, fully_disallowed, rfc9309, HTML included (n\u{a0}=\u{a0}";
    assert_says(&texts.join(" "), label);
}

#[test]
fn shares_of_too_few_are_marked_and_not_drawn() {
    let svg = or_skip!(draw(sample(), "compare-bias-by-agent", &[]));
    let texts = assert_drawing(&svg);
    let is_few = |text: &&String| {
        let n = text.split("(n = ").nth(1).and_then(|n| n.strip_suffix(')'));
        n.is_some_and(|n| n.parse::<u64>().is_ok_and(|n| n < 30))
    };
    let n_few = texts.iter().filter(is_few).count();
    assert!(n_few > 0, "{texts:?}");
    let marks = texts.iter().filter(|text| *text == "too few").count();
    assert_eq!(marks, n_few, "{texts:?}");
    let note = "A share of fewer than 30 is hardly known at all and is not drawn: ";
    assert_says(&texts.join(" "), note);
}

#[test]
fn an_interval_is_seen_over_its_bar_and_beyond_it() {
    let svg = or_skip!(draw(sample(), "compare-restriction-by-agent", &[]));
    let document = Document::parse(&svg).unwrap();
    let lines = |color: &str| {
        let all = document.descendants();
        let lines = all.filter(|node| node.attribute("stroke") == Some(color));
        let mut lying = Vec::new();
        for node in lines.filter(|node| node.has_tag_name("line")) {
            let of = |name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
            if of("y1") == of("y2") {
                lying.push(["x1", "x2", "y1", "stroke-width"].map(of));
            }
        }
        lying
    };
    let (halos, intervals) = (lines("#ffffff"), lines("#1b1f24"));
    assert!(intervals.len() > 20);
    assert_eq!(halos.len(), intervals.len());
    for (halo, interval) in halos.iter().zip(&intervals) {
        assert_eq!(halo[2], interval[2]);
        assert!(halo[0] <= interval[0] && halo[1] >= interval[1]);
        assert!(halo[3] >= interval[3] + 2.5, "{halo:?} {interval:?}");
    }
}
