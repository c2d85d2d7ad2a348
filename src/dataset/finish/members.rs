//! The names of the cohort of a dataset, from its table.

use std::path::Path;

use arrow_array::StringArray;

use crate::{
    archive::{cohort::MemberNames, error::Error},
    dataset::{
        sink::{WholeTable, column, read_columns},
        table::cohort,
    },
};

/// The column of the names.
const MEMBER: &str = "member";

/// Returns the names of the members; `None` if the dataset has no cohort.
pub(in crate::dataset) fn member_names(root: &Path) -> Result<Option<MemberNames>, Error> {
    let Some(table) = WholeTable::read(root, cohort::TABLE.name)? else {
        let message = "expected the table cohort, but found none; resume the run to rebuild it";
        return Err(Error::corrupt(
            WholeTable::path(root, cohort::TABLE.name),
            message,
        ));
    };
    let mut names = MemberNames::default();
    for file in &table.files {
        let path = root.join(&file.path);
        read_columns(&path, &[MEMBER], |batch| {
            let members: &StringArray = column(&path, batch, MEMBER)?;
            names.extend(members.iter().flatten());
            Ok(())
        })?;
    }
    Ok((!names.is_empty()).then_some(names))
}
