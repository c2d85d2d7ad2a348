//! The description of tables, and the macro that declares one.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

/// One table of a dataset.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name, which is also that of its folder.
    pub name: &'static str,
    /// What one row is.
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
    pub column_type: ColumnType,
    /// Whether it may be NULL ("does not apply").
    pub nullable: bool,
    /// What its values mean, and what NULL means where that is not simply "does not apply".
    pub about: &'static str,
    /// The unit of a number, where it has one.
    pub unit: Option<&'static str>,
    /// The specification or study that defines it, where it is not this crate.
    pub source: Option<&'static str>,
    /// Whether files store the smallest and largest value of each row group and page.
    pub has_statistics: bool,
    /// Whether files store a Bloom filter of each row group.
    pub has_bloom_filter: bool,
    /// How its values are stored; names always have a dictionary.
    pub(crate) encoding: ValueEncoding,
}

/// The encoding of a column's values in Parquet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueEncoding {
    /// As they are (`PLAIN`).
    Plain,
    /// Integers as differences from the value before (`DELTA_BINARY_PACKED`).
    Delta,
    /// Each distinct value once, and its key in each row (`RLE_DICTIONARY`).
    Dictionary,
}

/// The types of columns: only those that every common engine reads from Parquet without a surprise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
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
    /// UTF-8 text of which few distinct values exist, stored with a dictionary; read like any text.
    Name,
    /// A point in time, microseconds since 1970-01-01T00:00:00Z.
    Time,
}

impl ColumnType {
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
        let field = |column: &Column| {
            Field::new(column.name, column.column_type.data_type(), column.nullable)
        };
        let fields: Vec<Field> = self.columns.iter().map(field).collect();
        Arc::new(Schema::new(fields))
    }
}

impl Column {
    /// Returns a column of a type that has no name yet.
    pub(crate) const fn of_type(column_type: ColumnType) -> Self {
        Self {
            name: "",
            column_type,
            nullable: false,
            about: "",
            unit: None,
            source: None,
            // Where few values repeat in every row group, smallest and largest exclude nothing.
            has_statistics: !matches!(column_type, ColumnType::Name),
            has_bloom_filter: false,
            encoding: ValueEncoding::Plain,
        }
    }

    /// Returns the column with a name, and the text of its documentation comment.
    pub(crate) const fn named(mut self, name: &'static str, comment: &'static str) -> Self {
        self.name = name;
        self.about = comment.trim_ascii();
        self
    }

    /// Returns the column as one that may be NULL.
    pub(crate) const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Returns the column with the unit of its numbers.
    pub(super) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    /// Returns the column with the specification or study that defines it.
    pub(super) const fn source(mut self, source: &'static str) -> Self {
        self.source = Some(source);
        self
    }

    /// Returns the column with statistics, which only a column of names lacks by default.
    pub(crate) const fn statistics(mut self) -> Self {
        self.has_statistics = true;
        self
    }

    /// Returns the column with a Bloom filter: a query for one value then reads only the row groups
    /// that have it.
    pub(crate) const fn bloom_filter(mut self) -> Self {
        self.has_bloom_filter = true;
        self
    }

    /// Returns the column with differences instead of values: for integers that mostly rise from
    /// row to row, or lie close together.
    pub(crate) const fn delta(mut self) -> Self {
        self.encoding = ValueEncoding::Delta;
        self
    }

    /// Returns the column with a dictionary: for few distinct values in no order.
    pub(crate) const fn dictionary(mut self) -> Self {
        self.encoding = ValueEncoding::Dictionary;
        self
    }
}

/// The source of the columns that Common Crawl's index has too.
pub(super) const CC_INDEX: &str = "cc-index";
/// The source of the columns with the value of a named field of a WARC record.
pub(super) const WARC: &str = "ISO 28500";
/// The source of the columns with a part of an HTTP response.
pub(super) const HTTP: &str = "RFC 9110";

/// Declares a table: `TABLE`, its description, and the builder of its rows.
///
/// Each field of the builder is a column. Its comment is the column's documentation, its type a
/// builder of [`column`](super::column), and brackets hold what differs from the defaults of that
/// type: `nullable`, `unit(..)`, `source(..)`, `statistics`, `bloom_filter`, `delta`, `dictionary`
/// ([`Column`]). A field without a comment is a group of columns that several tables share, and
/// fields are public where another module appends the values. State that a builder needs besides
/// its columns follows in `with { .. }`.
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $name:literal: $vis:vis struct $Builder:ident { $($columns:tt)+ }
        $($with:tt)*
    ) => {
        #[doc = concat!("The table `", $name, "`: a row is", $($about,)+ ".")]
        $vis const TABLE: $crate::dataset::table::Table = $crate::dataset::table::Table {
            name: $name,
            about: concat!($($about),+).trim_ascii(),
            columns: <$Builder as $crate::dataset::table::column::Columns>::COLUMNS,
        };

        $crate::dataset::table::schema::columns! {
            #[doc = concat!("A builder of rows of `", $name, "`.")]
            $vis struct $Builder { $($columns)+ }
            $($with)*
        }

        impl $crate::dataset::table::TableBuilder for $Builder {
            const TABLE: $crate::dataset::table::Table = TABLE;
        }
    };
}

/// Declares a builder of adjacent columns, in the form of [`table!`].
macro_rules! columns {
    (@part $Builder:ty, $name:ident, []) => {
        <$Builder as $crate::dataset::table::column::Columns>::COLUMNS
    };
    (
        @part $Builder:ty, $name:ident, [$($about:literal),+]
        $($option:ident $(($value:expr))?),*
    ) => {
        &[<$Builder as $crate::dataset::table::column::Columns>::COLUMNS[0]
            .named(stringify!($name), concat!($($about),+))
            $(.$option($($value)?))*]
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $Group:ident {
            $(
                $(#[doc = $about:literal])*
                $field_vis:vis $name:ident: $Builder:ty $([$($option:ident $(($value:expr))?),+])?,
            )+
        }
        $(with { $($(#[$state_meta:meta])* $state:ident: $State:ty,)+ })?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        $vis struct $Group {
            $($(#[doc = $about])* $field_vis $name: $Builder,)+
            $($($(#[$state_meta])* $state: $State,)+)?
        }

        impl $crate::dataset::table::column::Columns for $Group {
            const COLUMNS: &'static [$crate::dataset::table::Column] = {
                const PARTS: &[&[$crate::dataset::table::Column]] = &[$(
                    $crate::dataset::table::schema::columns!(
                        @part $Builder, $name, [$($about),*] $($($option $(($value))?),+)?
                    )
                ),+];
                const N: usize = $crate::dataset::table::schema::n_columns(PARTS);
                &$crate::dataset::table::schema::joined::<N>(PARTS)
            };

            fn n_rows(&self) -> usize {
                [$($crate::dataset::table::column::Columns::n_rows(&self.$name)),+][0]
            }

            fn n_bytes(&self) -> usize {
                [$($crate::dataset::table::column::Columns::n_bytes(&self.$name)),+].iter().sum()
            }

            fn finish_into(&mut self, arrays: &mut Vec<arrow_array::ArrayRef>) {
                $($crate::dataset::table::column::Columns::finish_into(&mut self.$name, arrays);)+
            }
        }
    };
}

pub(super) use {columns, table};

/// Returns the number of columns of all parts.
pub(super) const fn n_columns(parts: &[&[Column]]) -> usize {
    let (mut n, mut part) = (0, 0);
    // Iterators cannot be used in constants.
    while part < parts.len() {
        n += parts[part].len();
        part += 1;
    }
    n
}

/// Returns the columns of all parts, which are `N`.
pub(super) const fn joined<const N: usize>(parts: &[&[Column]]) -> [Column; N] {
    let mut columns = [Column::of_type(ColumnType::Bool); N];
    let (mut n, mut part) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            columns[n] = parts[part][index];
            n += 1;
            index += 1;
        }
        part += 1;
    }
    columns
}
