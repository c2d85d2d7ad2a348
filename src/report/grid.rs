//! A square of shares: how often what a row names goes with what a column names.
//!
//! Enters: names and shares. Leaves: SVG for a width. Columns are known by the numbers of the rows,
//! which find room in a narrow window.

use super::{
    canvas::{FONT, Side, Width, draw, rectangle, text},
    ink::Ink,
    words,
};

/// A picture of shares.
#[derive(Debug)]
pub struct Grid {
    /// The rows, and in the same order the columns.
    pub names: Vec<String>,
    /// For each row its shares from 0 to 1, one for each column; none where nothing is to be said.
    pub shares: Vec<Vec<Option<f64>>>,
}

impl Grid {
    /// Returns the picture.
    pub fn draw(&self, width: Width) -> String {
        let (labels, most) = match width {
            Width::Wide => (292, 36),
            Width::Narrow => (124, 13),
        };
        let columns = self.names.len().max(1) as i32;
        let cell = ((width.pixels() - labels) / columns).min(64);
        let height = cell.clamp(24, 32);
        let head = FONT + 10;
        draw(width, head + height * columns, |area| {
            for (index, name) in self.names.iter().enumerate() {
                let at = index as i32;
                let middle = head + at * height + height / 2;
                let label = format!("{} {}", index + 1, words::label(name, most));
                text(area, (0, middle), &label, Side::Right, Ink::Text);
                let column = labels + at * cell + cell / 2;
                text(
                    area,
                    (column, head / 2),
                    &(index + 1).to_string(),
                    Side::Middle,
                    Ink::Muted,
                );
            }
            for (row, shares) in self.shares.iter().enumerate() {
                for (column, share) in shares.iter().enumerate() {
                    let Some(share) = *share else { continue };
                    let heat = Ink::heat(share);
                    let (x, y) = (labels + column as i32 * cell, head + row as i32 * height);
                    rectangle(area, (x + 1, y + 1), (cell - 2, height - 2), heat);
                    text(
                        area,
                        (x + cell / 2, y + height / 2),
                        &whole_percent(share),
                        Side::Middle,
                        heat.on_heat(),
                    );
                }
            }
        })
    }
}

/// Returns a share in whole percent, without the sign; only all is 100, and only nothing is 0.
fn whole_percent(share: f64) -> String {
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
    fn each_share_stands_in_its_cell_with_its_step() {
        let grid = Grid {
            names: vec!["one".to_owned(), "two".to_owned()],
            shares: vec![vec![None, Some(0.8)], vec![Some(0.3), None]],
        };
        for width in [Width::Wide, Width::Narrow] {
            let svg = grid.draw(width);
            assert_eq!(svg.matches("<rect").count(), 2);
            assert!(
                svg.contains(">\n80\n<") && svg.contains(">\n30\n<"),
                "{svg}"
            );
            assert!(svg.contains("1 one") && svg.contains("2 two"));
            for (step, digits) in [(4, "#163E66"), (2, "#9CC3E1")] {
                assert_eq!(svg.matches(digits).count(), 1, "heat {step}");
            }
        }
    }
}
