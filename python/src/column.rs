//! Arguments that are columns of text: Arrow arrays of any text type, lists of Python, or one text
//! for all rows.

use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BinaryArray, BinaryViewArray, LargeBinaryArray,
    PrimitiveArray, builder::LargeBinaryBuilder, types,
};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{
    capsule::{import, invalid},
    text::{bytes, expected, is_list},
};

/// A column of byte strings, or one for all rows.
pub struct Column {
    chunks: Vec<Chunk>,
    /// The rows in front of each chunk.
    starts: Vec<usize>,
    len: usize,
    is_scalar: bool,
}

enum Chunk {
    Binary(BinaryArray),
    LargeBinary(LargeBinaryArray),
    View(BinaryViewArray),
    /// Each row is a value of another chunk, or null.
    Dictionary(Vec<Option<usize>>, Box<Chunk>),
    Null,
}

impl Column {
    /// Reads an argument: a `str` or a bytes-like object for all rows, a list or tuple of them and
    /// of `None`, or any object with the Arrow PyCapsule interface.
    pub fn of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        // The crate `arrow` checks some properties of arrays by assertions; where one fails, the
        // producer is wrong.
        let arrays = || match import(value, name)? {
            Some(arrays) => Self::of_arrays(&arrays, name).map(Some),
            None => Ok(None),
        };
        let arrays = panic::catch_unwind(AssertUnwindSafe(arrays))
            .unwrap_or_else(|panic| Err(invalid(name, &message(&*panic))))?;
        if let Some(column) = arrays {
            return Ok(column);
        }
        let mut column = LargeBinaryBuilder::new();
        let is_scalar = !is_list(value);
        if is_scalar {
            let wanted = "str, bytes, a list of them, or an Arrow array";
            column.append_value(bytes(value, name).map_err(|_| expected(name, wanted, value))?);
        } else {
            for (index, item) in value.try_iter()?.enumerate() {
                let item = item?;
                match item.is_none() {
                    true => column.append_null(),
                    false => column.append_value(bytes(&item, &format!("{name}[{index}]"))?),
                }
            }
        }
        let column = column.finish();
        Ok(Self {
            len: column.len(),
            chunks: vec![Chunk::LargeBinary(column)],
            starts: vec![0],
            is_scalar,
        })
    }

    fn of_arrays(arrays: &[ArrayRef], name: &str) -> PyResult<Self> {
        let mut column = Self {
            chunks: Vec::new(),
            starts: Vec::new(),
            len: 0,
            is_scalar: false,
        };
        for array in arrays {
            column.chunks.push(Chunk::of(array.to_data(), name)?);
            column.starts.push(column.len);
            column.len += array.len();
        }
        Ok(column)
    }

    /// Returns the number of rows; 1 for a text for all rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if and only if this is one text for all rows.
    pub fn is_scalar(&self) -> bool {
        self.is_scalar
    }

    /// Returns a row; `None` is null.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let row = if self.is_scalar { 0 } else { row };
        let chunk = self.starts.partition_point(|&start| start <= row) - 1;
        self.chunks[chunk].get(row - self.starts[chunk])
    }

    /// Returns all rows.
    ///
    /// # Errors
    ///
    /// A row is null.
    pub fn all(&self, name: &str) -> PyResult<Vec<&[u8]>> {
        let rows = (0..self.len).map(|row| {
            self.get(row).ok_or_else(|| {
                PyValueError::new_err(format!("{name}[{row}]: expected a text, but found null"))
            })
        });
        rows.collect()
    }
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}

impl Chunk {
    fn of(data: ArrayData, name: &str) -> PyResult<Self> {
        let invalid =
            |error: &dyn std::fmt::Display| PyValueError::new_err(format!("{name}: {error}"));
        // Text need not be UTF-8 here, so it is checked as bytes: offsets only.
        let as_type = |data_type| {
            let data = data.clone().into_builder().data_type(data_type).build();
            let data = data.map_err(|error| invalid(&error))?;
            data.validate_full().map_err(|error| invalid(&error))?;
            PyResult::Ok(data)
        };
        match data.data_type() {
            DataType::Utf8 | DataType::Binary => {
                Ok(Self::Binary(as_type(DataType::Binary)?.into()))
            }
            DataType::LargeUtf8 | DataType::LargeBinary => {
                Ok(Self::LargeBinary(as_type(DataType::LargeBinary)?.into()))
            }
            DataType::Utf8View | DataType::BinaryView => {
                Ok(Self::View(as_type(DataType::BinaryView)?.into()))
            }
            DataType::Null => Ok(Self::Null),
            DataType::Dictionary(key_type, _) => {
                let values = Self::of(data.child_data()[0].clone(), name)?;
                let n_values = data.child_data()[0].len();
                let keys = keys(&data, key_type).map_err(|error| invalid(&error))?;
                let is_known = |key: &Option<usize>| key.is_none_or(|key| key < n_values);
                match keys.iter().all(is_known) {
                    true => Ok(Self::Dictionary(keys, Box::new(values))),
                    false => Err(invalid(
                        &"expected keys of the dictionary, but found others",
                    )),
                }
            }
            other => Err(pyo3::exceptions::PyTypeError::new_err(format!(
                "{name}: expected an Arrow array of strings or binary values, but found {other}"
            ))),
        }
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Binary(array) => array.is_valid(row).then(|| array.value(row)),
            Self::LargeBinary(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Dictionary(keys, values) => values.get(keys[row]?),
            Self::Null => None,
        }
    }
}

fn keys(data: &ArrayData, key_type: &DataType) -> Result<Vec<Option<usize>>, String> {
    fn of<T: ArrowPrimitiveType>(data: &ArrayData) -> Result<Vec<Option<usize>>, String>
    where
        T::Native: TryInto<usize>,
    {
        let keys = data.clone().into_builder().data_type(T::DATA_TYPE);
        let keys = keys
            .child_data(Vec::new())
            .build()
            .map_err(|error| error.to_string())?;
        let keys = PrimitiveArray::<T>::from(keys);
        // A key below 0 is as wrong as one beyond the values.
        let index = |key: T::Native| key.try_into().unwrap_or(usize::MAX);
        Ok(keys.iter().map(|key| key.map(index)).collect())
    }
    match key_type {
        DataType::Int8 => of::<types::Int8Type>(data),
        DataType::Int16 => of::<types::Int16Type>(data),
        DataType::Int32 => of::<types::Int32Type>(data),
        DataType::Int64 => of::<types::Int64Type>(data),
        DataType::UInt8 => of::<types::UInt8Type>(data),
        DataType::UInt16 => of::<types::UInt16Type>(data),
        DataType::UInt32 => of::<types::UInt32Type>(data),
        DataType::UInt64 => of::<types::UInt64Type>(data),
        other => Err(format!(
            "expected keys of an integer type, but found {other}"
        )),
    }
}
