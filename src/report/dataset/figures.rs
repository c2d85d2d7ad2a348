//! The figures of a chart as a table, and the SQL of its query; both are collapsed at first.

use minijinja::context;
use serde_json::Value;

use super::{
    Commands, PageQuery,
    result::{NoChart, ResultRow, ResultSet, number},
    template::html,
    words,
};

/// Rows of a table; a pair of agents each would be hundreds.
const MOST_ROWS: usize = 50;
/// Characters of a text in a cell.
const MOST_TEXT: usize = 80;

/// Returns the rows of a result as a table.
pub fn table(result: &ResultSet) -> Result<String, NoChart> {
    let cells = |row: &ResultRow| {
        let columns = row.columns().iter();
        Vec::from_iter(columns.map(|(name, value)| cell(name, value)))
    };
    let columns = result.rows().iter().take(1).flat_map(ResultRow::columns);
    let facts = context! {
        n_rows => result.rows().len(),
        most_rows => MOST_ROWS,
        columns => columns.map(|(name, _)| name).collect::<Vec<_>>(),
        rows => result.rows().iter().take(MOST_ROWS).map(cells).collect::<Vec<_>>(),
    };
    html(include_str!("../templates/figures.html.j2"), facts)
}

/// Returns the SQL of a query and the command that runs it.
pub fn sql(query: PageQuery, commands: &Commands) -> Result<String, NoChart> {
    let facts = context! {
        command => (commands.query)(query.name),
        sql => query.sql.trim_end(),
    };
    html(include_str!("../templates/sql.html.j2"), facts)
}

/// Returns the kind of a value and how it is shown.
fn cell(name: &str, value: &Value) -> (&'static str, String) {
    // DuckDB writes decimals as text; the name tells which texts are decimals.
    let share = number(value).filter(|_| name.starts_with("share_"));
    match (share, value) {
        (Some(share), _) => ("number", words::rounded_share(share)),
        (None, Value::Null) => ("null", String::new()),
        (None, Value::Bool(is_so)) => ("", if *is_so { "yes" } else { "no" }.to_owned()),
        (None, Value::String(text)) => ("", words::label(text, MOST_TEXT)),
        (None, Value::Number(n)) => {
            let counted = n.as_u64().filter(|_| name != "year");
            (
                "number",
                counted.map_or_else(|| n.to_string(), words::count),
            )
        }
        (None, list) => ("", words::label(&list.to_string(), MOST_TEXT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_form_of_their_value() {
        let result = ResultSet::from_json(
            r#"[{"host":"<b>x</b>","hosts":12345,"share_of_hosts":"0.1235","mean":0.5,"gone":null,"is_known":true,"year":2026}]"#,
        )
        .unwrap();
        let table = table(&result).unwrap();
        for cell in [
            "<td>&lt;b&gt;x&lt;/b&gt;</td>",
            "<td class=\"number\">12,345</td>",
            "<td class=\"number\">12.4\u{a0}%</td>",
            "<td class=\"number\">0.5</td>",
            "NULL",
            "<td>yes</td>",
            "<td class=\"number\">2026</td>",
        ] {
            assert!(table.contains(cell), "{cell}: {table}");
        }
    }

    #[test]
    fn a_table_states_the_number_of_all_rows() {
        let rows: Vec<_> = (0..=MOST_ROWS).map(|n| format!("{{\"n\":{n}}}")).collect();
        let result = ResultSet::from_json(&format!("[{}]", rows.join(","))).unwrap();
        let table = table(&result).unwrap();
        assert!(table.contains("Figures (51 rows)") && table.contains("The first 50 rows"));
        assert_eq!(table.matches("<td").count(), MOST_ROWS);
    }
}
