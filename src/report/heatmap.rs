//! A heatmap of shares: how often two names occur together.

use maud::{Markup, html};

use super::{style, words};

/// Characters of a name.
const MOST_NAME: usize = 36;

/// Returns a table with a row and a column for each name. `shares` has for each row the shares of
/// its columns, from 0 to 1; `None` leaves the cell empty. Columns are headed by the numbers of the
/// rows, which fit into a narrow window.
pub fn draw(names: &[&str], shares: &[Vec<Option<f64>>]) -> Markup {
    html! {
        table.heatmap {
            thead {
                tr {
                    td {}
                    @for (index, name) in names.iter().enumerate() {
                        th scope="col" aria-label=(words::label(name, MOST_NAME)) { (index + 1) }
                    }
                }
            }
            tbody {
                @for (index, (name, shares)) in names.iter().zip(shares).enumerate() {
                    tr {
                        th scope="row" { (index + 1) " " (words::label(name, MOST_NAME)) }
                        @for share in shares {
                            @match share {
                                Some(share) => td class=(style::heat(*share)) { (whole_percent(*share)) },
                                None => td {},
                            }
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
        let shares = [vec![None, Some(0.8)], vec![Some(0.3), None]];
        let table = draw(&["one", "two"], &shares).into_string();
        for row in [
            "<th scope=\"row\">1 one</th><td></td><td class=\"heat-4\">80</td>",
            "<th scope=\"row\">2 two</th><td class=\"heat-2\">30</td><td></td>",
        ] {
            assert!(table.contains(row), "{table}");
        }
    }
}
