//! Arrays from and to other Arrow libraries, by the Arrow PyCapsule interface: no values are
//! copied.
//!
//! What comes in is checked as far as memory allows: types, lengths, offsets and keys. That a
//! pointer of a producer is valid cannot be checked, as in every C interface.
#![expect(
    unsafe_code,
    reason = "the interface exchanges pointers to C structures"
)]

use std::ffi::CStr;

use arrow_array::{
    Array, ArrayRef, RecordBatch, RecordBatchIterator, StructArray,
    cast::AsArray,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi},
    ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream},
    make_array,
};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Returns the chunks of an object that gives an array or a stream of arrays, or `None` if it gives
/// neither. A table of one column is that column. `name` is that of the argument.
pub fn import(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Vec<ArrayRef>>> {
    let py = value.py();
    let chunks = if value.hasattr(intern!(py, "__arrow_c_array__"))? {
        let pair = value.call_method0(intern!(py, "__arrow_c_array__"))?;
        let pair = pair.cast_into::<PyTuple>().map_err(|_| not_a_pair(name))?;
        if pair.len() != 2 {
            return Err(not_a_pair(name));
        }
        let schema = pair.get_item(0)?.cast_into::<PyCapsule>()?;
        let array = pair.get_item(1)?.cast_into::<PyCapsule>()?;
        vec![import_array(&schema, &array).map_err(|error| invalid(name, &error))?]
    } else if value.hasattr(intern!(py, "__arrow_c_stream__"))? {
        let stream = value.call_method0(intern!(py, "__arrow_c_stream__"))?;
        let stream = take_stream(&stream.cast_into::<PyCapsule>()?)?;
        // The producer may compute its arrays in threads that need the interpreter.
        let read = || ArrayStreamReader::try_new(stream)?.collect::<Result<Vec<_>, _>>();
        py.detach(read).map_err(|error| invalid(name, &error))?
    } else {
        return Ok(None);
    };
    let chunks = chunks.into_iter().map(|chunk| only_column(chunk, name));
    chunks.collect::<PyResult<_>>().map(Some)
}

fn not_a_pair(name: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "{name}: expected __arrow_c_array__ to return two capsules"
    ))
}

fn invalid(name: &str, error: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{name}: expected a valid Arrow array: {error}"))
}

fn import_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> Result<ArrayRef, Box<dyn std::error::Error>> {
    let schema = schema
        .pointer_checked(Some(SCHEMA))?
        .cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold these structures, and live as long as this call. The
    // array is moved out of its capsule, which is left with a released one.
    let (schema, array) = unsafe { (schema.as_ref(), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if array.is_released() {
        return Err("it was consumed before".into());
    }
    check_lengths(&array, schema)?;
    // SAFETY: the producer states that the two belong together.
    let data = unsafe { from_ffi(array, schema) }?;
    Ok(make_array(data))
}

/// Refuses negative lengths and last offsets: the sizes of buffers are computed from them before
/// anything else is checked.
fn check_lengths(array: &FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<(), String> {
    let is_length = |n: usize| isize::try_from(n).is_ok();
    let end = array.len().wrapping_add(array.offset());
    if ![array.len(), array.offset(), end]
        .into_iter()
        .all(is_length)
    {
        return Err("expected lengths from 0, but found a negative one".to_owned());
    }
    let is_long = matches!(schema.format(), "U" | "Z");
    let has_offsets = is_long || matches!(schema.format(), "u" | "z");
    if has_offsets && end > 0 && array.num_buffers() == 3 && !array.buffer(1).is_null() {
        let offsets = array.buffer(1);
        // SAFETY: an array of text has an offset more than it has rows, and any address may be read
        // unaligned.
        let last = unsafe {
            match is_long {
                true => offsets.cast::<i64>().add(end).read_unaligned(),
                false => offsets.cast::<i32>().add(end).read_unaligned().into(),
            }
        };
        if last < 0 {
            return Err(format!("expected offsets from 0, but found {last}"));
        }
    }
    if let (Some(values), Some(of_values)) = (array.dictionary(), schema.dictionary()) {
        check_lengths(values, of_values)?;
    }
    let children = schema.children().enumerate();
    for (index, of_child) in children.filter(|(index, _)| *index < array.num_children()) {
        check_lengths(array.child(index), of_child)?;
    }
    Ok(())
}

fn take_stream(stream: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let stream = stream
        .pointer_checked(Some(STREAM))?
        .cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds this structure, which is moved out of it.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) })
}

fn only_column(array: ArrayRef, name: &str) -> PyResult<ArrayRef> {
    if !matches!(array.data_type(), DataType::Struct(_)) {
        return Ok(array);
    }
    match array.as_struct().columns() {
        [column] => Ok(column.clone()),
        columns => Err(PyValueError::new_err(format!(
            "{name}: expected an array or a table of one column, but found {} columns",
            columns.len()
        ))),
    }
}

/// Returns the two capsules of an array.
pub fn export_array<'py>(
    py: Python<'py>,
    field: &Field,
    array: &dyn Array,
) -> PyResult<Bound<'py, PyTuple>> {
    let schema = export_schema(py, field)?;
    let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// Returns the capsule of a type.
pub fn export_schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(internal)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Returns the field of a table of which a batch is a part.
pub fn field_of(batch: &RecordBatch) -> Field {
    let columns = DataType::Struct(batch.schema_ref().fields().clone());
    Field::new("", columns, false)
}

/// Returns the two capsules of a batch: a structure of its columns.
pub fn export_batch<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    export_array(py, &field_of(batch), &StructArray::from(batch.clone()))
}

/// Returns the capsule of a stream of one batch.
pub fn export_stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, STREAM)
}

fn internal(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
