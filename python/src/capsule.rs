//! Arrays from and to other Arrow libraries, by the Arrow PyCapsule interface: no values are
//! copied.
//!
//! What comes in is checked as far as memory allows: types, lengths, offsets and keys. That a
//! pointer of a producer is valid cannot be checked, as in every C interface.
#![expect(
    unsafe_code,
    reason = "the interface exchanges pointers to C structures"
)]

use std::{
    ffi::{CStr, c_int},
    sync::Arc,
};

use arrow_array::{
    Array, ArrayRef, NullArray, RecordBatch, RecordBatchIterator, StructArray,
    cast::AsArray,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi},
    ffi_stream::FFI_ArrowArrayStream,
    make_array, new_empty_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field};
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
        py.detach(|| import_stream(stream))
            .map_err(|error| invalid(name, &error))?
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

/// Returns the exception for an array that no producer may give.
pub fn invalid(name: &str, error: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{name}: expected a valid Arrow array: {error}"))
}

fn import_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> Result<ArrayRef, String> {
    let schema = schema.pointer_checked(Some(SCHEMA));
    let array = array.pointer_checked(Some(ARRAY));
    let of_capsule = |error: PyErr| error.to_string();
    let schema = schema.map_err(of_capsule)?.cast::<FFI_ArrowSchema>();
    let array = array.map_err(of_capsule)?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold these structures, and live as long as this call. The
    // array is moved out of its capsule, which is left with a released one.
    let (schema, array) = unsafe { (schema.as_ref(), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if array.is_released() {
        return Err("it was consumed before".to_owned());
    }
    import_checked(array, schema)
}

fn import_stream(mut stream: FFI_ArrowArrayStream) -> Result<Vec<ArrayRef>, String> {
    let mut schema = FFI_ArrowSchema::empty();
    let (get_schema, get_next) = (stream.get_schema(), stream.get_next());
    call(&mut stream, get_schema, &mut schema)?;
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        call(&mut stream, get_next, &mut array)?;
        if array.is_released() {
            return Ok(arrays);
        }
        arrays.push(import_checked(array, &schema)?);
    }
}

/// Calls a callback of a stream, which fills a structure.
fn call<T>(
    stream: &mut FFI_ArrowArrayStream,
    callback: Option<unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut T) -> c_int>,
    out: &mut T,
) -> Result<(), String> {
    let callback = callback.ok_or("it was consumed before")?;
    // SAFETY: the callback is one of this stream, and gets the structure that it fills.
    let status = unsafe { callback(stream, out) };
    if status == 0 {
        return Ok(());
    }
    let last_error = stream.get_last_error();
    // SAFETY: the callback is one of this stream.
    let message = last_error.map(|last_error| unsafe { last_error(stream) });
    let message = message.filter(|message| !message.is_null());
    // SAFETY: the message is valid until the next call of the stream.
    let message = message.map(|message| unsafe { CStr::from_ptr(message) }.to_string_lossy());
    Err(message.map_or_else(
        || format!("the stream ended with the error {status}"),
        String::from,
    ))
}

fn import_checked(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, String> {
    check_lengths(&array, schema)?;
    // A column of nulls has no buffer, but polars gives one.
    let is_null = |schema: &FFI_ArrowSchema| schema.format() == "n";
    let is_table = schema.format() == "+s";
    if is_null(schema) || is_table && schema.children().count() == 1 && is_null(schema.child(0)) {
        return Ok(Arc::new(NullArray::new(array.len())));
    }
    // Without a row there need be no buffers.
    if array.is_empty() {
        let data_type = DataType::try_from(schema).map_err(|error| error.to_string())?;
        return Ok(new_empty_array(&data_type));
    }
    // SAFETY: the producer states that the two belong together.
    let data = unsafe { from_ffi(array, schema) }.map_err(|error| error.to_string())?;
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
    let table = array.as_struct();
    match table.columns() {
        // A row that is null has no value, whatever its column says.
        [column] if table.null_count() > 0 => {
            let nulls = NullBuffer::union(table.nulls(), column.logical_nulls().as_ref());
            let data = column.to_data().into_builder().nulls(nulls);
            let data = data.build().map_err(|error| invalid(name, &error))?;
            Ok(make_array(data))
        }
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
    let schema = FFI_ArrowSchema::try_from(field);
    let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
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
