//! Where the pages of a Parquet file are, as far as a reader needs to know that looks up one key in
//! a few columns: a footer has all columns of all row groups, and each file has one.

use std::path::Path;

use parquet::file::{metadata::ColumnChunkMetaData, reader::FileReader, statistics::Statistics};
use serde_json::{Value, json};

use super::published::open_footer;
use crate::archive::error::Error;

/// Returns the rows of each row group, the least and greatest value of the first column, and where
/// the chunks of all these columns are; a column that the file lacks is left out.
///
/// # Errors
///
/// A file that cannot be opened or is no Parquet file.
pub(crate) fn layout(path: &Path, columns: &[&str]) -> Result<Value, Error> {
    let reader = open_footer(path)?;
    let metadata = reader.metadata();
    let leaves = metadata.file_metadata().schema_descr().columns();
    let position = |name: &&str| leaves.iter().position(|leaf| leaf.name() == *name);
    let positions: Vec<_> = columns.iter().filter_map(position).collect();
    let described = positions.iter().map(|&position| {
        let leaf = &leaves[position];
        json!({
            "name": leaf.name(),
            "type": leaf.physical_type().to_string(),
            "is_nullable": leaf.self_type().is_optional(),
        })
    });
    let groups = metadata.row_groups().iter().map(|group| {
        let key = positions.first().map(|&key| group.column(key));
        let key = key.and_then(ColumnChunkMetaData::statistics).map(ends);
        let chunks = positions
            .iter()
            .map(|&position| chunk(group.column(position)));
        json!({"rows": group.num_rows(), "ends": key, "chunks": chunks.collect::<Vec<_>>()})
    });
    Ok(json!({"columns": described.collect::<Vec<_>>(), "groups": groups.collect::<Vec<_>>()}))
}

/// The least and the greatest value; numbers are texts, since JavaScript rounds those of JSON.
fn ends(statistics: &Statistics) -> [Option<String>; 2] {
    match statistics {
        Statistics::Int64(of) => [of.min_opt(), of.max_opt()].map(|end| end.map(i64::to_string)),
        of => [of.min_bytes_opt(), of.max_bytes_opt()]
            .map(|end| end.map(|bytes| String::from_utf8_lossy(bytes).into_owned())),
    }
}

/// Offset of the dictionary (0: none) and of the first page, bytes of all pages, values, and offset
/// and bytes of the column index and of the offset index.
fn chunk(chunk: &ColumnChunkMetaData) -> [i64; 8] {
    [
        chunk.dictionary_page_offset().unwrap_or_default(),
        chunk.data_page_offset(),
        chunk.compressed_size(),
        chunk.num_values(),
        chunk.column_index_offset().unwrap_or_default(),
        chunk.column_index_length().unwrap_or_default().into(),
        chunk.offset_index_offset().unwrap_or_default(),
        chunk.offset_index_length().unwrap_or_default().into(),
    ]
}
