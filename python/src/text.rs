//! Strings of Python as bytes, and the reverse.
//!
//! A `str` is UTF-8, in which U+DC80 to U+DCFF are the bytes 0x80 to 0xFF that are not (the error
//! handler `surrogateescape`), as in the cases of `robocensus check`. So every text of a robots.txt
//! has a `str`, and it is the same bytes again.

use std::borrow::Cow;

use pyo3::{
    IntoPyObjectExt,
    exceptions::PyTypeError,
    intern,
    prelude::*,
    types::{PyBytes, PyList, PyMemoryView, PyString, PyTuple},
};
use robocensus::robots::check::unescaped;

/// Returns the bytes of a `str` or of a bytes-like object; `name` is that of the argument.
pub fn bytes<'a>(value: &'a Bound<'_, PyAny>, name: &str) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = value.cast::<PyString>() {
        return match text.to_str() {
            Ok(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Err(_) => escaped(text),
        };
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    // Other objects with a buffer, such as bytearray, are copied: their content may change while
    // another thread reads it.
    let Ok(view) = PyMemoryView::from(value) else {
        return Err(expected(name, "str or bytes", value));
    };
    // An array of numbers or of objects has a buffer too, whose bytes are no text.
    let size: usize = view.getattr(intern!(value.py(), "itemsize"))?.extract()?;
    let dimensions: usize = view.getattr(intern!(value.py(), "ndim"))?.extract()?;
    if (size, dimensions) != (1, 1) {
        return Err(expected(name, "str or bytes", value));
    }
    let copied = view.call_method0(intern!(value.py(), "tobytes"))?;
    Ok(Cow::Owned(
        copied.cast_into::<PyBytes>()?.as_bytes().to_vec(),
    ))
}

fn escaped<'a>(text: &Bound<'_, PyString>) -> PyResult<Cow<'a, [u8]>> {
    let encode = intern!(text.py(), "encode");
    let encoded = text.call_method1(encode, ("utf-8", "surrogatepass"))?;
    let encoded = encoded.cast_into::<PyBytes>()?;
    Ok(Cow::Owned(
        unescaped(Cow::Borrowed(encoded.as_bytes())).into_owned(),
    ))
}

/// Returns the `str` of bytes.
pub fn string<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => PyString::from_encoded_object(
            PyBytes::new(py, bytes).as_any(),
            Some(c"utf-8"),
            Some(c"surrogateescape"),
        ),
    }
}

/// Returns the tokens of a crawler: one, or those of a list or tuple, the most specific first.
pub fn tokens(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Vec<u8>>> {
    if !is_list(value) {
        return Ok(vec![bytes(value, name)?.into_owned()]);
    }
    let tokens = value
        .try_iter()?
        .map(|token| Ok(bytes(&token?, name)?.into_owned()));
    let tokens: Vec<_> = tokens.collect::<PyResult<_>>()?;
    match tokens.is_empty() {
        true => Err(pyo3::exceptions::PyValueError::new_err(format!(
            "{name}: expected at least one token, but the list is empty"
        ))),
        false => Ok(tokens),
    }
}

/// Returns an argument in a form that its owner cannot change: a list is a tuple, and a buffer is
/// `bytes`.
pub fn unchanging(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Py<PyAny>> {
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        return Ok(value.clone().unbind());
    }
    if is_list(value) {
        let items = value.try_iter()?.map(|item| unchanging(&item?, name));
        let items = items.collect::<PyResult<Vec<_>>>()?;
        return PyTuple::new(value.py(), items)?.into_py_any(value.py());
    }
    PyBytes::new(value.py(), &bytes(value, name)?).into_py_any(value.py())
}

/// Returns true if and only if a value is a list or a tuple.
pub fn is_list(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()
}

/// Returns the exception for a value of another type.
pub fn expected(name: &str, wanted: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let class = found.get_type().name();
    let class = class.map_or_else(|_| "another type".to_owned(), |class| class.to_string());
    PyTypeError::new_err(format!("{name}: expected {wanted}, but found {class}"))
}
