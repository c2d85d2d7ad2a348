//! The figures of a chart as a table, and the SQL of its query; both are collapsed at first.

use maud::{Markup, html};
use serde_json::Value;

use super::{
    Commands, PageQuery,
    result::{ResultSet, number},
    words,
};

/// Rows of a table; a pair of agents each would be hundreds.
const MOST_ROWS: usize = 50;
/// Characters of a text in a cell.
const MOST_TEXT: usize = 80;

/// Returns the rows of a result as a table.
pub fn table(result: &ResultSet) -> Markup {
    let n_rows = result.rows().len();
    let rows = &result.rows()[..n_rows.min(MOST_ROWS)];
    html! {
        details {
            summary { "Figures (" (words::count(n_rows as u64)) @if n_rows == 1 { " row)" } @else { " rows)" } }
            @if let Some(first) = rows.first() {
                div.scroll tabindex="0" role="region" aria-label="Figures" {
                    table {
                        thead {
                            tr {
                                @for (name, _) in first.columns() { th scope="col" { (words::plain(name)) } }
                            }
                        }
                        tbody {
                            @for row in rows {
                                tr {
                                    @for (name, value) in row.columns() { (cell(name, value)) }
                                }
                            }
                        }
                    }
                }
                @if n_rows > MOST_ROWS {
                    p.small { "The first " (MOST_ROWS) " rows; the query returns all of them." }
                }
            } @else {
                p.small { "No rows." }
            }
        }
    }
}

/// Returns the SQL of a query and the command that runs it.
pub fn sql(query: PageQuery, commands: &Commands) -> Markup {
    html! {
        details {
            summary { "SQL" }
            p.small { code { ((commands.query)(query.name)) } }
            pre.scroll tabindex="0" { code { (query.sql.trim_end()) } }
        }
    }
}

fn cell(name: &str, value: &Value) -> Markup {
    // DuckDB writes decimals as text; the name tells which texts are decimals.
    let share = number(value).filter(|_| name.starts_with("share_"));
    match (share, value) {
        (Some(share), _) => html! { td.number { (words::rounded_share(share)) } },
        (None, Value::Null) => html! { td { span.null { "NULL" } } },
        (None, Value::Bool(is_so)) => html! { td { (if *is_so { "yes" } else { "no" }) } },
        (None, Value::String(text)) => html! { td { (words::label(text, MOST_TEXT)) } },
        (None, Value::Number(n)) => {
            let counted = n.as_u64().filter(|_| name != "year");
            html! { td.number { (counted.map_or_else(|| n.to_string(), words::count)) } }
        }
        (None, list) => html! { td { (words::label(&list.to_string(), MOST_TEXT)) } },
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
        let table = table(&result).into_string();
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
        let table = table(&result).into_string();
        assert!(table.contains("Figures (51 rows)") && table.contains("The first 50 rows"));
        assert_eq!(table.matches("<td").count(), MOST_ROWS);
    }
}
