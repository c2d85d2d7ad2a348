//! The smallest case of a cause: what both sides say about it, next to each other.

use minijinja::context;

use super::Side;
use crate::report::{
    result::{NoChart, ResultRow},
    template::{self, html},
};

/// Lines of a file that are shown; a case that could not be reduced may have thousands.
const MAX_LINES: usize = 40;
/// Characters of a line that are shown.
const MAX_CHARS: usize = 160;

/// Returns the case of a row of causes, as HTML: the verdict of each side over the file, in which
/// its deciding line is marked.
pub fn case([baseline, candidate, _]: &[Side; 3], row: &ResultRow) -> Result<String, NoChart> {
    let robots = with_plain_ends(row.text("example_robots_txt")?);
    let line = |column| -> Result<_, NoChart> { Ok(row.number(column)?.map(|line| line as usize)) };
    let facts = context! {
        row => template::row(row),
        lines => robots.lines().collect::<Vec<_>>(),
        sides => [
            (&baseline.name, row.text("baseline_verdict")?, line("baseline_line")?),
            (&candidate.name, row.text("candidate_verdict")?, line("candidate_line")?),
        ],
        most_lines => MAX_LINES,
        most_chars => MAX_CHARS,
    };
    html(include_str!("../templates/case.html.j2"), facts)
}

/// Returns a file whose lines, which end at `\n`, `\r\n` or `\r`, end at `\n` alone.
fn with_plain_ends(robots: &str) -> String {
    robots.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::result::ResultSet;

    /// Returns the case of a file about which a parser of this name says something, and another
    /// that it disallows, by line 2.
    fn case_of(name: &str, robots: &str, verdict: &str, line: Option<u64>) -> String {
        let sides = [name, "x", ""].map(|name| Side {
            role: "baseline",
            name: name.to_owned(),
            definition: String::new(),
        });
        let row = serde_json::json!([{
            "example_robots_txt": robots, "example_agent": "a", "example_url": "/",
            "baseline_verdict": verdict, "baseline_line": line,
            "candidate_verdict": "disallow", "candidate_line": 2,
        }]);
        let rows = ResultSet::from_json(&row.to_string()).unwrap();
        case(&sides, &rows.rows()[0]).unwrap()
    }

    #[test]
    fn lines_end_as_parsers_count_them() {
        let lines = |robots| {
            with_plain_ends(robots)
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(lines("a\r\nb\rc\n\nd"), ["a", "b", "c", "", "d"]);
        assert_eq!(lines("a\n"), ["a"]);
        assert_eq!(lines("a\r\r\n"), ["a", ""]);
        assert!(lines("").is_empty());
    }

    #[test]
    fn the_deciding_line_is_marked_and_no_other() {
        let robots = "User-agent: *\nDisallow: /\n";
        let html = case_of("y", robots, "allow", Some(1));
        for marked in ["User-agent: *", "Disallow: /"] {
            let line = format!("<li class=\"decides\"><code><mark>{marked}</mark></code>");
            assert_eq!(html.matches(&line).count(), 1, "{html}");
        }
        assert_eq!(html.matches("<mark>").count(), 2);
        assert!(html.contains("<h3>y: allow, by line 1</h3>"), "{html}");
        assert!(html.contains("<h3>x: disallow, by line 2</h3>"), "{html}");
        for (line, says) in [
            (None, "it does not state the line"),
            (Some(0), "by no line"),
        ] {
            let html = case_of("y", "a\n", "allow", line);
            assert!(html.contains(says) && !html.contains("<mark>"), "{html}");
        }
    }

    #[test]
    fn a_case_is_escaped_and_cut() {
        let robots = format!(
            "</ol><script>\u{202e}{}\n{}",
            "x".repeat(200),
            "#\n".repeat(MAX_LINES)
        );
        let html = case_of("<b>", &robots, "<i>", None);
        for word in ["</ol><script", "<b>", "<i>", "\u{202e}"] {
            assert!(!html.contains(word), "{word}: {html}");
        }
        assert!(
            html.contains("x\u{2026}</code>") && html.contains("and 1 more lines"),
            "{html}"
        );
    }
}
