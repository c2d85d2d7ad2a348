//! Dialects: by name, as TOML, as a dictionary of answers, or as an object.

use std::{fmt::Write, sync::Arc};

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyInt, PyString, PyType},
};
use robocensus::{
    Dialect,
    robots::{
        check::{Fetch, STATUS_CODES},
        dialect::NAMES,
    },
};

use super::{
    robots::REFERENCE,
    text::{bytes, expected},
};

/// A dialect that decisions can share.
#[derive(Clone, Debug)]
pub enum SharedDialect {
    /// One that is built in.
    BuiltIn(&'static Dialect),
    /// Any other.
    Custom(Arc<Dialect>),
}

impl SharedDialect {
    /// Returns the dialect.
    pub fn get(&self) -> &Dialect {
        match self {
            Self::BuiltIn(dialect) => dialect,
            Self::Custom(dialect) => dialect,
        }
    }

    /// Returns true if both are one object; two objects may be equal all the same.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.get(), other.get())
    }

    fn named(name: &str) -> Option<Self> {
        let index = NAMES.iter().position(|known| *known == name)?;
        Some(Self::BuiltIn(Dialect::BUILT_IN[index]))
    }

    fn of_toml(text: &str) -> PyResult<Self> {
        let dialect = Dialect::from_toml(text);
        dialect
            .map(|dialect| Self::Custom(Arc::new(dialect)))
            .map_err(|error| PyValueError::new_err(format!("dialect: {error}")))
    }
}

impl<'py> FromPyObject<'_, 'py> for SharedDialect {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            let text = text.to_cow()?;
            return match Self::named(&text) {
                Some(dialect) => Ok(dialect),
                // A name has no line and no value.
                None if text.contains(['=', '\n']) => Self::of_toml(&text),
                None => Err(PyValueError::new_err(format!(
                    "dialect: expected one of {}, or the TOML text of one, but found {text:?}",
                    NAMES.join(", ")
                ))),
            };
        }
        if let Ok(dialect) = value.cast::<PyDialect>() {
            return Ok(dialect.get().0.clone());
        }
        if let Ok(answers) = value.cast::<PyDict>() {
            return Self::of_toml(&toml_of(&answers, "")?);
        }
        Err(expected(
            "dialect",
            "a name, TOML text, a dict of answers or a Dialect",
            &value,
        ))
    }
}

/// Returns the answers of a dictionary as TOML. Answers with a table of their own come last, since
/// in TOML all that follows a header belongs to it.
fn toml_of(answers: &Bound<'_, PyDict>, prefix: &str) -> PyResult<String> {
    let mut text = String::new();
    let mut tables = String::new();
    for (key, value) in answers {
        let key: String = key
            .extract()
            .map_err(|_| expected("dialect", "the name of an answer as str", &key))?;
        if !key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        {
            return Err(PyValueError::new_err(format!(
                "dialect: expected the name of an answer, but found {key:?}"
            )));
        }
        // Writing into a string cannot fail.
        // Only the answers about access are in a table, and nothing is in a table of these.
        if let Some(table) = value.cast::<PyDict>().ok().filter(|_| prefix.is_empty()) {
            let _ = write!(
                tables,
                "[{prefix}{key}]\n{}",
                toml_of(table, &format!("{prefix}{key}."))?
            );
        } else if let Ok(word) = value.cast::<PyString>() {
            let _ = writeln!(text, "{key} = {}", quoted(&word.to_cow()?));
        } else if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
            let _ = writeln!(text, "{key} = {}", value.str()?.to_cow()?);
        } else {
            return Err(expected(
                &format!("dialect: {key}"),
                "a str, an int or a dict",
                &value,
            ));
        }
    }
    Ok(text + &tables)
}

/// Returns a basic string of TOML.
fn quoted(word: &str) -> String {
    let mut text = "\"".to_owned();
    for char in word.chars() {
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            char if char.is_control() => {
                let _ = write!(text, "\\u{:04x}", char as u32);
            }
            char => text.push(char),
        }
    }
    text + "\""
}

/// One interpretation of robots.txt: an answer to every question on which parsers differ.
///
/// Args:
///     answers: The name of a built-in dialect, the TOML text of one, or a ``dict`` of answers with
///         their ``base``. ``robocensus dialects google`` prints all questions, with what may be
///         answered.
///
/// Raises:
///     ValueError: An answer is not allowed; the sentence says what is.
///
/// Making one once is faster than passing text or a ``dict`` to each call.
///
/// >>> strict = Dialect({"base": "google", "missing_colon": "rejected"})
/// >>> Robots("User-agent: *\nDisallow /private\n").can_fetch("GPTBot", "/private", strict)
/// True
#[pyclass(frozen, eq, hash, name = "Dialect", module = "robocensus")]
#[derive(Debug)]
pub struct PyDialect(pub SharedDialect);

impl PartialEq for PyDialect {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl std::hash::Hash for PyDialect {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.get().name.hash(state);
    }
}

#[pymethods]
impl PyDialect {
    #[new]
    #[pyo3(signature = (answers, /))]
    fn new(answers: SharedDialect) -> Self {
        Self(answers)
    }

    /// The name: that of a built-in dialect, the one stated, or ``custom``.
    #[getter]
    fn name(&self) -> &str {
        &self.0.get().name
    }

    /// Returns the dialect as TOML, every answer spelled out.
    fn to_toml(&self) -> String {
        self.0.get().to_toml()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        let answers = match &slf.get().0 {
            SharedDialect::BuiltIn(dialect) => dialect.name.to_string(),
            SharedDialect::Custom(dialect) => dialect.to_toml(),
        };
        (slf.get_type(), (answers,))
    }

    fn __repr__(&self) -> String {
        format!("<robocensus.Dialect {}>", self.0.get().name)
    }
}

/// Returns what the fetch of a robots.txt decides, before a line is read.
///
/// Args:
///     status: The status code of the response, from 100 to 999, or ``None`` where nothing
///         answered.
///     dialect: The dialect.
///     redirect_hops: How many redirects led to it.
///     redirect_loop: Whether the redirects are a loop, so that no response ends them.
///
/// Returns:
///     ``"conditional"``: the lines decide; ``"full_allow"``, ``"full_disallow"``; ``"redirect"``:
///     the target decides; or ``"undefined"`` (RFC 9309, 2.3.1; each dialect has its own table).
///
/// >>> decide_access(404), decide_access(503)
/// ('full_allow', 'full_disallow')
#[pyfunction]
#[pyo3(signature = (status, dialect = REFERENCE, *, redirect_hops = 0, redirect_loop = false), text_signature = "(status, dialect='google', *, redirect_hops=0, redirect_loop=False)")]
pub fn decide_access(
    status: Option<&Bound<'_, PyAny>>,
    dialect: SharedDialect,
    redirect_hops: u64,
    redirect_loop: bool,
) -> PyResult<&'static str> {
    let expected = || {
        let (first, last) = (STATUS_CODES.start(), STATUS_CODES.end());
        format!("status: expected a number from {first} to {last}, or None where nothing answered")
    };
    let status = match status {
        None => None,
        Some(status) if status.is_instance_of::<PyInt>() => {
            let number = status
                .extract()
                .ok()
                .filter(|number| STATUS_CODES.contains(number));
            let number = number.ok_or_else(|| {
                PyValueError::new_err(format!("{}, but found {status}", expected()))
            })?;
            Some(number)
        }
        Some(_) => return Err(PyTypeError::new_err(expected())),
    };
    let fetch = Fetch::after_redirects(status, redirect_hops, redirect_loop);
    let dialect = dialect.get();
    Ok(dialect.access.decide(fetch.outcome(dialect)).as_str())
}

/// Returns whether a robots.txt applies to a URL: both have the same scheme, host and port
/// (RFC 9309, 2.3). A URL that is not absolute has none of them.
///
/// >>> applies_to("https://example.com/robots.txt", "http://example.com/a")
/// False
#[pyfunction]
pub fn applies_to(robots_url: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(robocensus::applies_to(
        &bytes(robots_url, "robots_url")?,
        &bytes(url, "url")?,
    ))
}
