//! Texts for people, which templates lay out.

use indicatif::{HumanBytes, HumanCount};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use robocensus::dataset::summary::share;
use serde::Serialize;

use super::{
    escape::{evidence, line, shortened},
    layout::{columns, counted, definitions, listed},
};

/// Returns the text of a template of this program, filled with facts. Rows of a template have ` || `
/// between their columns, and rows of the text a tab, which no figure and no name has.
pub fn rendered(template: &str, facts: impl Serialize) -> String {
    let mut templates = Environment::new();
    templates.set_trim_blocks(true);
    templates.set_lstrip_blocks(true);
    templates.set_keep_trailing_newline(true);
    // A fact that is missing fails a test, and leaves a gap for a user.
    if cfg!(debug_assertions) {
        templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    }
    // Texts are escaped where they are printed.
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.add_filter("n", |n: u64| HumanCount(n).to_string());
    templates.add_filter("bytes", |n: u64| HumanBytes(n).to_string());
    templates.add_filter("counted", |n: u64, noun: String| counted(n, &noun));
    templates.add_filter("line", |text: String| line(&text).into_owned());
    templates.add_filter("columns", |text: String| columns(&text));
    templates.add_filter("definitions", |text: String, width: usize| {
        definitions(&text, width)
    });
    templates.add_filter("evidence", |text: String| evidence(text.as_bytes()));
    templates.add_filter("listed", |names: Vec<String>, most: usize| {
        listed(&names, most)
    });
    templates.add_filter("share", share);
    templates.add_filter("shortened", |text: String, most: usize| {
        shortened(&text, most)
    });
    // Aligned by the percent sign; nothing if the whole is 0.
    templates.add_filter("share_column", |n: u64, whole: u64| match whole {
        0 => String::new(),
        _ => format!("{:>8}", share(n, whole)),
    });
    let own = "the templates are part of this program";
    templates
        .render_str(&template.replace(" || ", "\t"), facts)
        .expect(own)
}
