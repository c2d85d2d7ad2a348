//! The captures of archives as Arrow batches.

use std::{
    ffi::OsString,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        ArrayBuilder, BooleanBuilder, Int32Builder, Int64Builder, LargeBinaryBuilder,
        StringBuilder, StringDictionaryBuilder, TimestampMicrosecondBuilder,
    },
    types::Int32Type,
};
use pyo3::{
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
    types::PyString,
};
use robocensus::{
    ArchiveSource, Error, Progress,
    archive::input::expand,
    dataset::run::{
        DEFAULT_MAX_BODY, DamagedArchive, Found, Limits, LocatedCapture, read_captures,
    },
};

use super::{batch::Batch, text::is_list};

/// Rows of a batch, and bytes of its bodies, of which the first that is reached ends it.
const ROWS: usize = 1024;
const BYTES: usize = 8 * 1024 * 1024;
/// Batches that are read ahead.
const AHEAD: usize = 2;
/// Time between two checks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// What the reading thread sends.
enum Message {
    Batch(RecordBatch),
    Damaged(DamagedArchive),
    End(Result<(), Error>),
}

/// Reads the captures of archives as Arrow batches.
///
/// Args:
///     archives: WARC files, folders, patterns or @lists, as for ``robocensus run``; one or a list.
///     max_body: The longest body in bytes; a longer one is cut. By default 8 MiB.
///     errors: What an archive does that cannot be opened, or is damaged, in a file or from a
///         server: with ``"warn"`` a warning (``robocensus.Note``) names it and the next is read,
///         with ``"raise"`` an exception ends the reading. Captures before the damage come first.
///
/// Returns:
///     An iterator of ``Batch``, of at most 1,024 captures each, in the order of the archives. The
///     columns are those of the table ``captures`` (``robocensus tables captures``), and ``body``:
///     the payload, with transfer and content codings removed, of any status and type.
///     ``damaged`` lists the damaged archives so far.
///
/// Raises:
///     robocensus.Error: An input is not there, or cannot be read; with ``errors="raise"``, by the
///         iterator, of an archive that is damaged or cannot be opened.
#[pyfunction]
#[pyo3(signature = (archives, *, max_body = None, errors = "warn"))]
pub fn read(
    archives: &Bound<'_, PyAny>,
    max_body: Option<usize>,
    errors: &str,
) -> PyResult<CaptureReader> {
    if !["warn", "raise"].contains(&errors) {
        return Err(PyValueError::new_err(format!(
            "errors: expected \"warn\" or \"raise\", but found {errors:?}"
        )));
    }
    let words = match is_list(archives) {
        true => archives
            .try_iter()?
            .map(|word| path(&word?))
            .collect::<PyResult<Vec<_>>>()?,
        false => vec![path(archives)?],
    };
    let py = archives.py();
    let found = py.detach(|| expand(&words));
    let found = found.map_err(|error| exception(py, &error))?;
    if max_body == Some(0) {
        return Err(PyValueError::new_err(
            "max_body: expected a number of bytes from 1, but found 0",
        ));
    }
    let limits = Limits {
        body: max_body.unwrap_or(DEFAULT_MAX_BODY),
        ..Limits::default()
    };
    let (sender, messages) = sync_channel(AHEAD);
    let progress = Arc::new(Progress::default());
    let of_reader = progress.clone();
    thread::Builder::new()
        .name("robocensus-read".to_owned())
        .spawn(move || send_all(&found, limits, &of_reader, &sender))?;
    Ok(CaptureReader {
        messages: Mutex::new(Some(messages)),
        process: std::process::id(),
        progress,
        damaged: Mutex::new(Vec::new()),
        raises: errors == "raise",
    })
}

/// Returns a word of the command line: a path or a pattern.
fn path(word: &Bound<'_, PyAny>) -> PyResult<String> {
    let text: OsString = match word.cast::<PyString>() {
        Ok(text) => text.to_cow()?.into_owned().into(),
        Err(_) => word
            .call_method0("__fspath__")
            .map_err(|_| {
                super::text::expected("archives", "a str or a path, or a list of them", word)
            })?
            .extract()?,
    };
    text.into_string().map_err(|text| {
        PyValueError::new_err(format!(
            "archives: expected a path in UTF-8, but found {}",
            text.display()
        ))
    })
}

fn exception(py: Python<'_>, error: &Error) -> PyErr {
    // The sentence of the command line: each error and what it is due to.
    let mut sentence = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        sentence.push_str(&format!(": {error}"));
        cause = error.source();
    }
    raised(py, &sentence)
}

/// Returns the exception of the package with a sentence.
fn raised(py: Python<'_>, sentence: &str) -> PyErr {
    match class(py, "Error").and_then(|class| class.call1((sentence,))) {
        Ok(error) => PyErr::from_value(error),
        Err(other) => other,
    }
}

/// Returns a class of `robocensus.errors`.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("robocensus.errors")?.getattr(name)
}

fn send_all(
    archives: &[ArchiveSource],
    limits: Limits,
    progress: &Progress,
    sender: &SyncSender<Message>,
) {
    let mut columns = Columns::new();
    // A receiver that is gone wants no more.
    let send = |message| sender.send(message).is_ok();
    let take = |found: Found<'_>| {
        let damaged = match found {
            Found::Capture(capture) => {
                columns.append(&archives[capture.archive as usize].name, &capture);
                return Ok(!columns.is_full() || send(Message::Batch(columns.finish())));
            }
            Found::Damaged(archive) => Message::Damaged(archive),
        };
        let is_sent = columns.n_rows == 0 || send(Message::Batch(columns.finish()));
        Ok(is_sent && send(damaged))
    };
    let read = read_captures(archives, limits, progress, take);
    if columns.n_rows > 0 {
        let _ = sender.send(Message::Batch(columns.finish()));
    }
    let _ = sender.send(Message::End(read));
}

/// Declares the columns of a batch, each with its builder, what finishes its array, and whether it
/// may be null.
macro_rules! columns {
    ($($name:ident: $Builder:ty, $is_nullable:literal;)+) => {
        #[derive(Default)]
        struct Columns {
            $($name: $Builder,)+
            n_rows: usize,
            n_bytes: usize,
        }

        impl Columns {
            /// Returns the arrays so far with their names, and whether they may be null.
            fn arrays(&mut self) -> Vec<(&'static str, ArrayRef, bool)> {
                vec![$((stringify!($name), ArrayBuilder::finish(&mut self.$name), $is_nullable)),+]
            }
        }
    };
}

columns! {
    capture_id: Int64Builder, false;
    warc_filename: StringDictionaryBuilder<Int32Type>, false;
    warc_record_offset: Int64Builder, false;
    url: StringBuilder, false;
    url_host_name: StringBuilder, false;
    url_host_registered_domain: StringBuilder, true;
    origin: StringBuilder, false;
    fetch_time: TimestampMicrosecondBuilder, true;
    fetch_status: Int32Builder, true;
    fetch_redirect: StringBuilder, true;
    content_mime_detected: StringDictionaryBuilder<Int32Type>, false;
    content_digest: StringBuilder, false;
    is_html: BooleanBuilder, false;
    is_truncated: BooleanBuilder, false;
    body: LargeBinaryBuilder, false;
}

impl Columns {
    fn new() -> Self {
        Self {
            fetch_time: TimestampMicrosecondBuilder::new().with_timezone("UTC"),
            ..Self::default()
        }
    }

    fn append(&mut self, archive: &str, located: &LocatedCapture<'_>) {
        let capture = &located.capture;
        self.capture_id.append_value(located.id);
        self.warc_filename.append_value(archive);
        self.warc_record_offset.append_value(located.offset as i64);
        self.url.append_value(capture.location.url());
        self.url_host_name
            .append_value(capture.location.host_name());
        self.url_host_registered_domain
            .append_option(capture.location.host_registered_domain());
        self.origin.append_value(capture.location.origin());
        self.fetch_time.append_option(capture.fetch_time);
        self.fetch_status
            .append_option(capture.fetch_status.map(i32::from));
        self.fetch_redirect.append_option(capture.fetch_redirect);
        self.content_mime_detected
            .append_value(capture.mime_detected);
        // Base32 is ASCII.
        self.content_digest
            .append_value(String::from_utf8_lossy(&capture.digest));
        self.is_html.append_value(capture.is_html);
        self.is_truncated.append_value(capture.truncated.is_some());
        self.body.append_value(capture.payload);
        self.n_rows += 1;
        self.n_bytes += capture.payload.len();
    }

    fn is_full(&self) -> bool {
        self.n_rows >= ROWS || self.n_bytes >= BYTES
    }

    fn finish(&mut self) -> RecordBatch {
        (self.n_rows, self.n_bytes) = (0, 0);
        let batch = RecordBatch::try_from_iter_with_nullable(self.arrays());
        batch.expect("columns have equal lengths")
    }
}

/// The captures of archives: an iterator of ``Batch``, and a context manager that ends the reading.
#[pyclass(frozen, module = "robocensus")]
pub struct CaptureReader {
    /// `None` once the end was received.
    messages: Mutex<Option<Receiver<Message>>>,
    /// The process whose thread sends the messages.
    process: u32,
    progress: Arc<Progress>,
    damaged: Mutex<Vec<(String, String)>>,
    /// Whether a damaged archive is an exception.
    raises: bool,
}

impl CaptureReader {
    /// Notes a damaged archive, and warns or raises.
    fn report(&self, py: Python<'_>, archive: DamagedArchive) -> PyResult<()> {
        let DamagedArchive { name, fault } = archive;
        let sentence = format!("{name}: {fault}");
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        damaged.push((name, fault));
        drop(damaged);
        if self.raises {
            self.close();
            return Err(raised(py, &sentence));
        }
        let note = class(py, "Note")?.call1((sentence,))?;
        py.import("warnings")?.call_method1("warn", (note,))?;
        Ok(())
    }
}

impl Drop for CaptureReader {
    fn drop(&mut self) {
        self.progress.stop();
    }
}

#[pymethods]
impl CaptureReader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        loop {
            if std::process::id() != self.process {
                return Err(PyRuntimeError::new_err(
                    "expected to be iterated in the process that called read(): a fork has no other thread than its own, so call read() in it",
                ));
            }
            // Two threads may share the reader: one of them waits with the other's lock.
            let received = py.detach(|| {
                let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
                let received = messages.as_ref()?.recv_timeout(TICK);
                let is_last = !matches!(
                    received,
                    Ok(Message::Batch(_) | Message::Damaged(_)) | Err(RecvTimeoutError::Timeout)
                );
                if is_last {
                    messages.take();
                }
                Some(received)
            });
            match received {
                None => return Ok(None),
                Some(Ok(Message::Batch(batch))) => return Ok(Some(Batch(batch))),
                Some(Ok(Message::Damaged(archive))) => self.report(py, archive)?,
                Some(Ok(Message::End(read))) => {
                    read.map_err(|error| exception(py, &error))?;
                    return Ok(None);
                }
                Some(Err(RecvTimeoutError::Timeout)) => py.check_signals()?,
                Some(Err(RecvTimeoutError::Disconnected)) => {
                    return Err(PyRuntimeError::new_err(
                        "the thread that reads archives has ended without a result",
                    ));
                }
            }
        }
    }

    /// The archives read so far of which captures may be missing: pairs of a name and its first
    /// fault.
    #[getter]
    fn damaged(&self) -> Vec<(String, String)> {
        self.damaged
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Ends the reading; what was not received is dropped.
    fn close(&self) {
        self.progress.stop();
        self.messages
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __repr__(&self) -> &'static str {
        "<robocensus.CaptureReader>"
    }
}
