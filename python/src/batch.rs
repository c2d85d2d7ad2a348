//! Arrow tables and columns for Python.

use arrow_array::{
    Array, ArrayRef, RecordBatch,
    cast::AsArray,
    types::{Int8Type, Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::{DataType, Field, TimeUnit};
use pyo3::{
    IntoPyObjectExt,
    exceptions::PyKeyError,
    prelude::*,
    types::{PyBytes, PyCapsule, PyDict, PyIterator, PyList, PyTuple},
};

use super::capsule::{export_array, export_batch, export_schema, export_stream, field_of};

/// Rows of an Arrow table, for any library with the Arrow PyCapsule interface:
/// ``pyarrow.table(batch)``, ``polars.DataFrame(batch)``, ``duckdb.sql("FROM batch")``.
#[pyclass(frozen, module = "robocensus")]
pub struct Batch(pub RecordBatch);

#[pymethods]
impl Batch {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let fields = self.0.schema_ref().fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Iterates over the names of the columns.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.column_names())?.try_iter()
    }

    /// Returns a column by its name.
    ///
    /// Raises:
    ///     KeyError: There is no such column.
    #[pyo3(signature = (name, /))]
    fn column(&self, name: &str) -> PyResult<Values> {
        let Ok(index) = self.0.schema_ref().index_of(name) else {
            return Err(PyKeyError::new_err(format!(
                "expected one of the columns {}, but found {name:?}",
                self.column_names().join(", ")
            )));
        };
        Ok(Values {
            field: self.0.schema_ref().field(index).clone(),
            array: self.0.column(index).clone(),
        })
    }

    fn __getitem__(&self, name: &str) -> PyResult<Values> {
        self.column(name)
    }

    /// Returns the columns as lists of Python objects.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for name in self.column_names() {
            columns.set_item(&name, self.column(&name)?.to_pylist(py)?)?;
        }
        Ok(columns)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // The interface allows to answer with one's own types.
        let _ = requested_schema;
        export_batch(py, &self.0)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        export_stream(py, &self.0)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_schema(py, &field_of(&self.0))
    }

    fn __repr__(&self) -> String {
        let names = self.column_names().join(", ");
        format!("<robocensus.Batch of {} rows: {names}>", self.0.num_rows())
    }
}

/// One column, for any library with the Arrow PyCapsule interface: ``pyarrow.array(values)``.
#[pyclass(frozen, module = "robocensus")]
pub struct Values {
    field: Field,
    array: ArrayRef,
}

#[pymethods]
impl Values {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// Returns the values as Python objects; null is ``None``.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = (0..self.array.len()).map(|row| value(py, &self.array, row));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        export_array(py, &self.field, &self.array)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_schema(py, &self.field)
    }

    fn __repr__(&self) -> String {
        format!(
            "<robocensus.Values of {} rows: {}>",
            self.array.len(),
            self.field.data_type()
        )
    }
}

/// Returns a value as an object of Python. The types are those that this module makes.
fn value(py: Python<'_>, array: &ArrayRef, row: usize) -> PyResult<Py<PyAny>> {
    if array.is_null(row) {
        return Ok(py.None());
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into_py_any(py),
        DataType::Binary => PyBytes::new(py, array.as_binary::<i32>().value(row)).into_py_any(py),
        DataType::LargeBinary => {
            PyBytes::new(py, array.as_binary::<i64>().value(row)).into_py_any(py)
        }
        DataType::Boolean => array.as_boolean().value(row).into_py_any(py),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into_py_any(py),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into_py_any(py),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            let datetime = py.import("datetime")?;
            let utc = datetime.getattr("timezone")?.getattr("utc")?;
            let epoch = datetime
                .getattr("datetime")?
                .call1((1970, 1, 1, 0, 0, 0, 0, utc))?;
            let since = datetime.getattr("timedelta")?.call1((0, 0, micros))?;
            epoch.add(since)?.into_py_any(py)
        }
        DataType::Dictionary(key, _) => {
            let values = array.as_any_dictionary().values();
            let key = match **key {
                DataType::Int8 => array.as_dictionary::<Int8Type>().key(row),
                _ => array.as_dictionary::<Int32Type>().key(row),
            };
            key.map_or_else(|| Ok(py.None()), |key| value(py, values, key))
        }
        other => unreachable!("no column has the type {other}"),
    }
}
