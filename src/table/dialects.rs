//! The table `dialects`: one row for each dialect of the run, for the whole dataset.

use std::sync::Arc;

use arrow_array::{BooleanArray, RecordBatch, StringArray, types::Int32Type};

use super::{
    as_i32,
    column::{Known, Numbers},
    schema::{Kind, Table, optional, required},
};
use crate::dialect::{Access, Dialect, definition};

/// The table as data.
pub const TABLE: Table = Table {
    name: "dialects",
    about: "one dialect of the run, in the order of --dialects",
    columns: &[
        required("dialect", Kind::Name, "name of the dialect"),
        required(
            "dialect_index",
            Kind::Int32,
            "position in the run, 0 for the reference dialect",
        ),
        required(
            "is_reference",
            Kind::Bool,
            "whether the tables without a column dialect are written by it",
        ),
        optional(
            "max_hops",
            Kind::Int32,
            "redirects that it follows; NULL: without limit",
        ),
        required(
            "too_many_hops",
            Kind::Name,
            "what a longer chain, or a loop, means to it: full_allow, full_disallow, undefined",
        ),
        required(
            "definition",
            Kind::Text,
            "all its answers as TOML, which --dialects reads from a file",
        ),
    ],
};

const ACCESSES: [Access; 5] = [
    Access::Conditional,
    Access::FullAllow,
    Access::FullDisallow,
    Access::Undefined,
    Access::Redirect,
];

/// Returns the rows for the dialects of a run, the reference dialect first.
pub fn rows(dialects: &[Dialect]) -> RecordBatch {
    let mut names = Known::new(dialects.iter().map(|spec| &spec.name));
    names.extend(0..dialects.len());
    let mut indexes = Numbers::<Int32Type>::default();
    indexes.extend((0..dialects.len()).map(as_i32));
    let mut hops = Numbers::<Int32Type>::default();
    let mut too_many = Known::new(ACCESSES.map(Access::as_str));
    for spec in dialects {
        hops.append_option(spec.access.max_hops.map(i32::from));
        let is_it = |access: &Access| *access == spec.access.too_many_hops;
        too_many.append_n(ACCESSES.iter().position(is_it), 1);
    }
    let is_reference: BooleanArray = (0..dialects.len()).map(|index| Some(index == 0)).collect();
    let definitions: StringArray = dialects.iter().map(|spec| Some(definition(spec))).collect();
    super::batch(
        &TABLE.schema(),
        vec![
            names.finish(),
            Arc::new(indexes.finish()),
            Arc::new(is_reference),
            Arc::new(hops.finish()),
            too_many.finish(),
            Arc::new(definitions),
        ],
    )
}
