//! A heatmap of shares: how often two names occur together.

use maud::{Markup, html};

use super::{style, words};

/// Characters of a name.
const MOST_NAME: usize = 36;

/// A row of the table.
#[derive(Debug)]
pub struct Row<'a> {
    /// The name, which is that of a column too.
    pub name: &'a str,
    /// What the shares are of.
    pub n: u64,
    /// The shares of the columns, from 0 to 1, with an empty cell for `None`; `None` where they are
    /// of too few.
    pub shares: Option<Vec<Option<f64>>>,
}

/// Returns a table with a row and a column for each name. Columns are headed by the numbers of the
/// rows, which fit into a narrow window.
pub fn draw(rows: &[Row<'_>]) -> Markup {
    html! {
        table.heatmap {
            thead {
                tr {
                    td {}
                    th.n scope="col" { "n" }
                    @for (index, row) in rows.iter().enumerate() {
                        th scope="col" aria-label=(words::label(row.name, MOST_NAME)) { (index + 1) }
                    }
                }
            }
            tbody {
                @for (index, row) in rows.iter().enumerate() {
                    tr {
                        th scope="row" { (index + 1) " " (words::label(row.name, MOST_NAME)) }
                        td { (words::count(row.n)) }
                        @match &row.shares {
                            Some(shares) => {
                                @for share in shares {
                                    @match share {
                                        Some(share) => td class=(style::heat(*share)) { (whole_percent(*share)) },
                                        None => td {},
                                    }
                                }
                            }
                            None => td colspan=(rows.len()) { "too few" },
                        }
                    }
                }
            }
        }
    }
}

/// Returns a share in whole percent, without the sign; only all is 100, and only nothing is 0.
pub fn whole_percent(share: f64) -> String {
    match (100.0 * share).round() as i64 {
        0 if share > 0.0 => "<1".to_owned(),
        100 if share < 1.0 => ">99".to_owned(),
        percent => percent.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_rounds_to_all_or_to_nothing() {
        let cells = [0.0, 0.004, 0.5, 0.996, 1.0].map(whole_percent);
        assert_eq!(cells, ["0", "<1", "50", ">99", "100"]);
    }

    #[test]
    fn each_share_is_in_its_cell_with_its_step() {
        let row = |name, n, shares| Row { name, n, shares };
        let table = draw(&[
            row("one", 3_000, Some(vec![None, Some(0.8)])),
            row("two", 31, Some(vec![Some(0.3), None])),
            row("three", 6, None),
        ]);
        let table = table.into_string();
        for row in [
            "<th scope=\"row\">1 one</th><td>3,000</td><td></td><td class=\"heat-4\">80</td>",
            "<th scope=\"row\">2 two</th><td>31</td><td class=\"heat-2\">30</td><td></td>",
            "<th scope=\"row\">3 three</th><td>6</td><td colspan=\"3\">too few</td>",
        ] {
            assert!(table.contains(row), "{table}");
        }
    }
}
