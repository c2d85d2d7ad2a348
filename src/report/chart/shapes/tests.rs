//! Each shape is that of its query.

use std::collections::BTreeSet;

use super::super::shape::{
    Figure, Measure, N,
    Piece::{Bytes, Column, Count, IfFalse, IfTrue},
    Series,
};

use super::all;

#[test]
fn shapes_are_sorted_by_query() {
    assert!(all().is_sorted_by(|a, b| a.query < b.query));
}

/// Every column of a shape stands in the comment at the top of its query, which tests compare
/// with the rows.
#[test]
fn every_column_of_a_shape_is_one_of_its_query() {
    for shape in all() {
        let path = format!("{}/queries/{}.sql", env!("CARGO_MANIFEST_DIR"), shape.query);
        let sql = std::fs::read_to_string(&path).expect("a query");
        let comment: String = sql
            .lines()
            .take_while(|line| line.starts_with("--"))
            .flat_map(|line| [line, "\n"])
            .collect();
        let (_, stated) = comment.split_once("Shape:").expect("a shape");
        let words: BTreeSet<_> = stated
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let labels = shape.label.iter().map(|piece| match *piece {
            Column(_, name) | Count(_, name) | Bytes(_, name) => name,
            IfFalse(name, _) | IfTrue(name, _) => name,
        });
        let mut names: Vec<_> = labels.chain(shape.n_of_row).collect();
        names.extend(shape.stated);
        let measures: Vec<Measure> = match shape.series {
            Series::Measures(measures) => measures.to_vec(),
            Series::Column(name, measure) => {
                names.push(name);
                vec![measure]
            }
        };
        for measure in measures {
            match measure.value {
                Figure::Column(name) => names.push(name),
                Figure::Ratio(name, of) => {
                    names.push(name);
                    names.extend(of);
                }
            }
            names.extend(measure.count);
            names.extend(measure.interval.into_iter().flatten());
        }
        if let N::First(name, _) | N::Sum(name, _) = shape.n {
            names.push(name);
        }
        for name in names {
            assert!(words.contains(name), "{}: {name}", shape.query);
        }
    }
}
