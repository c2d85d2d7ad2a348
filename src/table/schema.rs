//! Tables as data: names, types and meanings of columns, from which the Arrow schemas and the
//! documentation are made.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

/// One table of a dataset.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The folder's name.
    pub name: &'static str,
    /// What one row stands for.
    pub about: &'static str,
    /// The columns, in their order.
    pub columns: &'static [Column],
}

/// One column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// Whether NULL ("does not apply") may stand in it.
    pub nullable: bool,
    /// What it says, and what NULL means where that is not simply "does not apply".
    pub about: &'static str,
    /// The unit of a number, where it has one.
    pub unit: Option<&'static str>,
    /// Who defines it, where it is not this crate.
    pub source: Option<&'static str>,
}

impl Column {
    /// Returns the column with the unit of its numbers.
    pub(super) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    /// Returns the column with the specification that defines it.
    pub(super) const fn source(mut self, source: &'static str) -> Self {
        self.source = Some(source);
        self
    }
}

/// The types of columns: only those that every common engine reads from Parquet without a surprise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A 64-bit integer.
    Int64,
    /// A 32-bit integer.
    Int32,
    /// A 64-bit floating point number.
    Float64,
    /// True or false.
    Bool,
    /// UTF-8 text.
    Text,
    /// UTF-8 text of which few distinct values exist; read like any text.
    Name,
    /// A point in time, microseconds since 1970-01-01T00:00:00Z.
    Time,
}

impl Kind {
    /// Returns the type's name in SQL, as DuckDB shows it.
    pub fn sql_name(self) -> &'static str {
        match self {
            Self::Int64 => "BIGINT",
            Self::Int32 => "INTEGER",
            Self::Float64 => "DOUBLE",
            Self::Bool => "BOOLEAN",
            Self::Text | Self::Name => "VARCHAR",
            Self::Time => "TIMESTAMP WITH TIME ZONE",
        }
    }

    /// Returns the Arrow type.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Self::Int64 => DataType::Int64,
            Self::Int32 => DataType::Int32,
            Self::Float64 => DataType::Float64,
            Self::Bool => DataType::Boolean,
            Self::Text => DataType::Utf8,
            Self::Name => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            Self::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        }
    }
}

impl Table {
    /// Returns the Arrow schema.
    pub fn schema(&self) -> SchemaRef {
        let fields: Vec<Field> = self
            .columns
            .iter()
            .map(|column| Field::new(column.name, column.kind.data_type(), column.nullable))
            .collect();
        Arc::new(Schema::new(fields))
    }
}

/// Returns a column in which every row has a value.
pub(super) const fn required(name: &'static str, kind: Kind, about: &'static str) -> Column {
    Column {
        name,
        kind,
        nullable: false,
        about,
        unit: None,
        source: None,
    }
}

/// Returns a column in which NULL means "does not apply".
pub(super) const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Column {
    Column {
        name,
        kind,
        nullable: true,
        about,
        unit: None,
        source: None,
    }
}

/// The source of the columns that Common Crawl's index has too.
pub(super) const CC_INDEX: &str = "cc-index";
/// The source of the columns that say what a named field of an archive's record says.
pub(super) const WARC: &str = "ISO 28500";
/// The source of the columns that say what an HTTP response says.
pub(super) const HTTP: &str = "RFC 9110";

/// The key of a capture, in every table below it.
pub(super) const CAPTURE_ID: Column = required(
    "capture_id",
    Kind::Int64,
    "key of the capture: a function of the archive's name and the record's offset, rising inside a part",
);

/// The host of a capture, in every table below it.
pub(super) const URL_HOST_NAME: Column = required(
    "url_host_name",
    Kind::Name,
    "host of the capture's URL, ASCII (IDNA) and lower case",
)
.source(CC_INDEX);

/// The group a line stands in.
pub(super) const GROUP_INDEX: Column = optional(
    "group_index",
    Kind::Int32,
    "group in which the line stands, 0 for the first of the file; NULL: in none",
);

/// The line of a file.
pub(super) const LINE: Column = required("line", Kind::Int32, "line in the file, 1 for the first");
