//! The causes of a comparison as JUnit XML, which continuous integration shows as tests.
//!
//! Each cause is a test case: it passes if it is accepted, and fails with its smallest example if
//! it is not. So is each fault of a parser. An accepted cause that was not found is skipped. One
//! more test case stands for the comparison as a whole. There is a failure if and only if the exit
//! code is 1. The schema is that of the xunit plugin of Jenkins, `junit-10.xsd`.

use super::{
    found::FoundCause,
    gate::{CauseState, Gate},
    markdown::{block, printable},
};

impl Gate<'_> {
    /// Returns the causes as tests, in JUnit XML.
    pub fn to_junit(&self) -> String {
        let comparison = self.comparison;
        let [baseline, candidate] = &comparison.sides;
        let suite = printable(format!("{baseline} -> {candidate}").as_bytes());
        let problems = self.problems.join("\n");
        let mut text = case("comparison", "comparison", &failure(&problems, &problems));
        for cause in &comparison.causes {
            let outcome = match self.state(cause) {
                CauseState::Accepted(_) => String::new(),
                state => {
                    let found = state.found(cause);
                    failure(&found, &example(&found, cause, &comparison.sides))
                }
            };
            text += &case("causes", &cause.key, &outcome);
        }
        for fault in &comparison.faults {
            let is_new = self.assessment.new_faults.contains(&fault);
            let sentence = if is_new { &*fault.sentence } else { "" };
            text += &case("faults", &fault.key(), &failure(sentence, sentence));
        }
        for key in &self.assessment.unmatched {
            let skipped = "<skipped message=\"accepted, but not found\"/>";
            let class = if key.starts_with("fault:") {
                "faults"
            } else {
                "causes"
            };
            text += &case(class, key, skipped);
        }
        // The text of names and messages has no such characters.
        let count = |element: &str| text.matches(element).count();
        let [n, failures, skipped] = ["<testcase ", "<failure ", "<skipped "].map(count);
        let suite = escaped(&suite);
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites name=\"robocensus compare\" tests=\"{n}\" failures=\"{failures}\" errors=\"0\">\n\
             <testsuite name=\"{suite}\" tests=\"{n}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n\
             {text}</testsuite>\n</testsuites>\n"
        )
    }
}

/// Returns a test case with the element of its outcome; one that passes has none.
fn case(class: &str, name: &str, outcome: &str) -> String {
    let name = escaped(&printable(name.as_bytes()));
    format!("<testcase classname=\"robocensus.{class}\" name=\"{name}\">{outcome}</testcase>\n")
}

/// Returns the element of a failure; nothing without a message.
fn failure(message: &str, text: &str) -> String {
    if message.is_empty() {
        return String::new();
    }
    let message = escaped(&printable(message.as_bytes()));
    let text = escaped(&block(text.as_bytes()));
    format!("<failure message=\"{message}\">{text}</failure>")
}

/// Returns what was found, the smallest file, the query and both answers, one a line.
fn example(found: &str, cause: &FoundCause, sides: &[String; 2]) -> String {
    let case = &cause.example;
    let shown = [&case.agent, &case.url, &sides[0], &sides[1]];
    let [agent, url, baseline, candidate] = shown.map(|text| printable(text.as_bytes()));
    format!(
        "{found}\n{agent} asks for {url}\n{baseline}: {}\n{candidate}: {}\ncases/{}.robots.txt:\n{}",
        cause.answers[0],
        cause.answers[1],
        cause.id,
        block(&case.body)
    )
}

/// Returns text of printable characters as XML has it, between quotes and between elements.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
