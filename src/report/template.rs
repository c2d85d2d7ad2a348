//! Templates of the pages and of their sentences, and the rows that fill them.
//!
//! Line ends and the blanks that a line begins with lay a template out and are not in its text.

use std::{collections::HashMap, sync::Arc};

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, context, escape_formatter,
    value::Object,
};
use serde::Serialize;

use super::{
    result::{self, NoChart, ResultRow, ResultSet},
    words,
};

/// Returns the HTML of a template that is filled with facts, which are escaped.
///
/// # Errors
///
/// If a row lacks a column.
pub fn html(template: &str, facts: impl Serialize) -> Result<String, NoChart> {
    rendered(template, facts, AutoEscape::Html)
}

/// The style sheet of all pages: layout, and the colors on a light and on a dark page.
const CSS: &str = include_str!("templates/page.css");

/// Returns a page with this title and body, and with what its style sheet has more than all pages.
///
/// # Errors
///
/// None: its facts are not rows.
pub fn document(title: &str, more_css: &str, body: &str) -> Result<String, NoChart> {
    let css = [CSS, more_css].concat();
    html(
        include_str!("templates/document.html.j2"),
        context! { title, css, body },
    )
}

/// Returns the text of a template that is filled with facts.
///
/// # Errors
///
/// If a row lacks a column.
pub fn text(template: &str, facts: impl Serialize) -> Result<String, NoChart> {
    rendered(template, facts, AutoEscape::None)
}

fn rendered(template: &str, facts: impl Serialize, escape: AutoEscape) -> Result<String, NoChart> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    templates.set_auto_escape_callback(move |_| escape);
    // The formatter of the crate escapes slashes and single quotes too, which have no meaning here.
    templates.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if state.auto_escape() == AutoEscape::Html && !value.is_safe() => {
            out.write_str(&escaped(text)).map_err(Error::from)
        }
        _ => escape_formatter(out, state, value),
    });
    templates.add_filter("n", |n: &Value| words::count(count(n)));
    templates.add_filter("bytes", |n: &Value| words::bytes(count(n)));
    templates.add_filter("days", |days: &Value| {
        number(days).map(|days| format!("{days:.0}"))
    });
    templates.add_filter("percent", |share: &Value| {
        number(share).map_or_else(String::new, words::rounded_share)
    });
    templates.add_filter("plain", |text: &Value| words::plain(written(text)));
    templates.add_filter("label", |text: &Value, most: usize| {
        words::label(written(text), most)
    });
    templates.add_filter("most", most);
    templates.add_function("share", |n: &Value, of: &Value| {
        words::share(count(n), count(of))
    });
    templates.add_function("hosts", |n: &Value, of: &Value| {
        words::hosts(count(n), count(of))
    });
    templates.add_function("domains", |n: &Value, of: &Value| {
        words::domains(count(n), count(of))
    });
    let template: String = template.lines().map(str::trim_start).collect();
    let rendered = templates.render_str(&template, facts);
    rendered.map_err(|e| NoChart(e.detail().map_or_else(|| e.to_string(), str::to_owned)))
}

/// Returns the rows of a query for a template.
pub fn rows(result: &ResultSet) -> Value {
    result.rows().iter().map(row).collect()
}

/// Returns a row of a query for a template.
pub fn row(row: &ResultRow) -> Value {
    let columns = row.columns().iter();
    let columns = columns.map(|(name, value)| (name.clone(), Value::from_serialize(value)));
    Value::from_object(Row(columns.collect()))
}

/// A row that refuses to have a value in a column that it lacks.
#[derive(Debug)]
struct Row(HashMap<String, Value>);

impl Object for Row {
    fn get_value(self: &Arc<Self>, column: &Value) -> Option<Value> {
        let column = column.as_str()?;
        let absent = || Error::new(ErrorKind::UndefinedError, result::absent(column));
        let value = self.0.get(column).cloned();
        Some(value.unwrap_or_else(|| absent().into()))
    }

    // A template asks so whether there is a row.
    fn is_true(self: &Arc<Self>) -> bool {
        true
    }
}

/// Returns the first row with the greatest count in a column.
fn most(rows: &Value, column: &str) -> Result<Option<Value>, Error> {
    let mut most: Option<(u64, Value)> = None;
    for row in rows.try_iter()? {
        let n = count(&row.get_attr(column)?);
        if most.as_ref().is_none_or(|(so_far, _)| n > *so_far) {
            most = Some((n, row));
        }
    }
    Ok(most.map(|(_, row)| row))
}

/// Returns a count; NULL is 0.
fn count(value: &Value) -> u64 {
    number(value).unwrap_or(0.0) as u64
}

fn number(value: &Value) -> Option<f64> {
    result::number(&serde_json::to_value(value).ok()?)
}

/// Returns a text; NULL is empty.
fn written(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_escaped_in_pages_alone() {
        let template = "<p>\n  {{ word }} {{ word|safe }}\n</p>\n";
        let facts = context! { word => "<&\"'/>" };
        let escaped = "<p>&lt;&amp;&quot;'/&gt; <&\"'/></p>";
        assert_eq!(html(template, &facts).unwrap(), escaped);
        assert_eq!(text("{{ word }}", &facts).unwrap(), "<&\"'/>");
    }

    #[test]
    fn rows_have_figures_and_no_column_that_they_lack() {
        let result =
            ResultSet::from_json(r#"[{"n":"3","gone":null},{"n":1200,"gone":null}]"#).unwrap();
        let facts = context! { rows => rows(&result) };
        let shown = |template| text(template, &facts).map_err(|e| e.to_string());
        let most = "{{ (rows|most(\"n\")).n|n }}{% if rows[0].gone is none %}{{ rows[0].gone|n }}{% endif %}";
        assert_eq!(shown(most).unwrap(), "1,2000");
        for template in ["{{ rows[0].x }}", "{{ rows[0].x|n }}"] {
            let error = shown(template).unwrap_err();
            assert_eq!(error, "expected a column x, but found none", "{template}");
        }
    }
}
