//! Columns of Parquet files, typed as their table declares them.

use std::path::Path;

use arrow_array::{
    Array, ArrayAccessor, RecordBatch, StringArray, TypedDictionaryArray, cast::AsArray,
    types::Int32Type,
};

use crate::archive::error::Error;

/// A column of a batch, as one of the types that tables have.
pub(crate) trait StoredColumn<'b>: ArrayAccessor + Copy {
    /// Returns the column of an array; `None` if the array is of another type.
    fn from_array(array: &'b dyn Array) -> Option<Self>;

    /// Returns the value of a row, unless it is NULL.
    fn get(self, row: usize) -> Option<Self::Item> {
        self.is_valid(row).then(|| self.value(row))
    }
}

impl<'b, A: Array + 'static> StoredColumn<'b> for &'b A
where
    &'b A: ArrayAccessor,
{
    fn from_array(array: &'b dyn Array) -> Option<Self> {
        array.as_any().downcast_ref()
    }
}

/// A column of names.
pub(crate) type Names<'b> = TypedDictionaryArray<'b, Int32Type, StringArray>;

impl<'b> StoredColumn<'b> for Names<'b> {
    fn from_array(array: &'b dyn Array) -> Option<Self> {
        array.as_dictionary_opt::<Int32Type>()?.downcast_dict()
    }
}

/// Returns a column of a batch that was read from the file `path`.
pub(crate) fn column<'b, C: StoredColumn<'b>>(
    path: &Path,
    batch: &'b RecordBatch,
    name: &str,
) -> Result<C, Error> {
    let array = batch.column_by_name(name);
    array
        .and_then(|array| C::from_array(array))
        .ok_or_else(|| {
            let found = array.map(|array| array.data_type().to_string());
            let found = found.as_deref().unwrap_or("none");
            let message = format!(
                "expected the column {name} as this version writes it, but found {found}; the file is not of this dataset"
            );
            Error::corrupt(path, message)
        })
}

/// Declares columns that are read together, each by its name in the table.
macro_rules! stored_columns {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Columns:ident<$b:lifetime> { $($name:ident: $Column:ty,)+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        $vis struct $Columns<$b> { $($name: $Column,)+ }

        impl<$b> $Columns<$b> {
            /// The names of the columns.
            $vis const NAMES: [&'static str; [$(stringify!($name)),+].len()] =
                [$(stringify!($name)),+];

            /// Returns the columns of a batch that was read from the file `path`.
            $vis fn from_batch(
                path: &std::path::Path,
                batch: &$b arrow_array::RecordBatch,
            ) -> Result<Self, $crate::archive::error::Error> {
                Ok(Self {
                    $($name: $crate::dataset::sink::column(path, batch, stringify!($name))?,)+
                })
            }

            /// Reads a file and passes the columns with the number of each row to `each`, or of
            /// each that has a key, if one is given.
            #[allow(dead_code, reason = "some columns are read batch by batch")]
            $vis fn each_row(
                path: &std::path::Path,
                key: Option<&$crate::dataset::sink::RowKey>,
                mut each: impl FnMut(
                    $Columns<'_>,
                    usize,
                ) -> Result<(), $crate::archive::error::Error>,
            ) -> Result<(), $crate::archive::error::Error> {
                let of_batch = |batch: &arrow_array::RecordBatch| {
                    let columns = $Columns::from_batch(path, batch)?;
                    (0..batch.num_rows()).try_for_each(|row| each(columns, row))
                };
                let names = &Self::NAMES;
                match key {
                    Some(key) => {
                        $crate::dataset::sink::read_rows(path, key, names, usize::MAX, of_batch)
                    }
                    None => $crate::dataset::sink::read_columns(path, names, of_batch),
                }
            }
        }
    };
}
pub(crate) use stored_columns;
