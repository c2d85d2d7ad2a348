//! The smallest case of a cause: what both sides say about it, next to each other.

use maud::{Markup, html};

use super::Side;
use crate::report::{
    result::{NoChart, ResultRow},
    words,
};

/// Lines of a file that are shown; a case that could not be reduced may have thousands.
const MAX_LINES: usize = 40;
/// Characters of a line that are shown.
const MAX_CHARS: usize = 160;

/// Returns the case of a row of causes.
pub fn case(sides: &[Side; 3], row: &ResultRow) -> Result<Markup, NoChart> {
    let robots = row.text("example_robots_txt")?;
    let [baseline, candidate, _] = sides;
    Ok(html! {
        p { "The smallest case: " code { (words::label(row.text("example_agent")?, MAX_CHARS)) }
            " asks for " code { (words::label(row.text("example_url")?, MAX_CHARS)) } "." }
        div.sides {
            (side(baseline, robots, row.text("baseline_verdict")?, row.number("baseline_line")?))
            (side(candidate, robots, row.text("candidate_verdict")?, row.number("candidate_line")?))
        }
    })
}

/// Returns the verdict of one side over the file, in which its deciding line is marked.
fn side(side: &Side, robots: &str, verdict: &str, line: Option<f64>) -> Markup {
    let robots = with_plain_ends(robots);
    let lines: Vec<_> = robots.lines().collect();
    let deciding = line.map(|line| line as usize);
    let by = match deciding {
        None => "; it does not state the line".to_owned(),
        Some(0) => ", by no line".to_owned(),
        Some(line) => format!(", by line {line}"),
    };
    html! {
        div {
            h3 { (side.name) ": " (words::plain(verdict)) (by) }
            ol.robots {
                @for (index, line) in lines.iter().take(MAX_LINES).enumerate() {
                    @if deciding == Some(index + 1) {
                        li.decides { code { mark { (words::label(line, MAX_CHARS)) } } span.small { " decides" } }
                    } @else {
                        li { code { (words::label(line, MAX_CHARS)) } }
                    }
                }
            }
            @if lines.len() > MAX_LINES {
                p.small { "and " (words::count((lines.len() - MAX_LINES) as u64)) " more lines" }
            }
        }
    }
}

/// Returns a file whose lines, which end at `\n`, `\r\n` or `\r`, end at `\n` alone.
fn with_plain_ends(robots: &str) -> String {
    robots.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Side {
        Side {
            role: "baseline",
            name: name.to_owned(),
            definition: String::new(),
        }
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
        let html = side(
            &named("x"),
            "User-agent: *\nDisallow: /\n",
            "disallow",
            Some(2.0),
        );
        let html = html.into_string();
        assert!(
            html.contains("<li class=\"decides\"><code><mark>Disallow: /</mark></code>"),
            "{html}"
        );
        assert_eq!(html.matches("<mark>").count(), 1);
        assert!(html.contains("<h3>x: disallow, by line 2</h3>"), "{html}");
        for (line, says) in [
            (None, "it does not state the line"),
            (Some(0.0), "by no line"),
        ] {
            let html = side(&named("x"), "a\n", "allow", line).into_string();
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
        let html = side(&named("<b>"), &robots, "<i>", None).into_string();
        for word in ["</ol><script", "<b>", "<i>", "\u{202e}"] {
            assert!(!html.contains(word), "{word}: {html}");
        }
        assert!(
            html.contains("x\u{2026}</code>") && html.contains("and 1 more lines"),
            "{html}"
        );
    }
}
