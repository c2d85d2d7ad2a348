//! Decisions over columns, on all cores, detached from the interpreter.

use std::{
    num::NonZeroUsize,
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Int32Array, Int64Array, PrimitiveArray, RecordBatch,
    StringArray,
    types::{Int8Type, Int32Type},
};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use pyo3::{
    exceptions::{PyMemoryError, PyValueError},
    prelude::*,
};
use robocensus::{
    Basis, Dialect, Verdict,
    robots::{
        dialect::{Agent, PreparedPath, RuleSet, Selection},
        lines::{RobotsTxt, parse},
    },
};

use super::{
    batch::Batch,
    column::Column,
    dialect::SharedDialect,
    robots::REFERENCE,
    text::{is_list, tokens},
};

/// Bodies, and rows, that a thread takes at a time.
const BODIES: usize = 32;
const ROWS: usize = 16 * 1024;
/// Time between two checks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// The decisions of some rows, a column each. A line of 0 is none, a code below 0 is null.
struct Cells<'a> {
    verdicts: &'a mut [i8],
    bases: &'a mut [i8],
    group_lines: &'a mut [i32],
    rule_lines: &'a mut [i32],
}

/// The columns of all rows.
struct CellColumns {
    verdicts: Vec<i8>,
    bases: Vec<i8>,
    group_lines: Vec<i32>,
    rule_lines: Vec<i32>,
}

impl CellColumns {
    fn new(n: usize) -> PyResult<Self> {
        Ok(Self {
            verdicts: filled(n, -1)?,
            bases: filled(n, -1)?,
            group_lines: filled(n, 0)?,
            rule_lines: filled(n, 0)?,
        })
    }

    /// Returns the rows in parts of `n` each, the last one perhaps shorter.
    fn parts(&mut self, n: usize) -> Vec<Cells<'_>> {
        let columns = self.verdicts.chunks_mut(n).zip(self.bases.chunks_mut(n));
        let lines = self
            .group_lines
            .chunks_mut(n)
            .zip(self.rule_lines.chunks_mut(n));
        let parts = columns.zip(lines);
        let part = |((verdicts, bases), (group_lines, rule_lines))| Cells {
            verdicts,
            bases,
            group_lines,
            rule_lines,
        };
        parts.map(part).collect()
    }

    fn into_arrays(self) -> PyResult<Vec<(&'static str, ArrayRef)>> {
        Ok(vec![
            (
                "verdict",
                coded(self.verdicts, &Verdict::ALL.map(Verdict::as_str))?,
            ),
            ("basis", coded(self.bases, &Basis::ALL.map(Basis::as_str))?),
            ("group_line", lines(self.group_lines)?),
            ("rule_line", lines(self.rule_lines)?),
        ])
    }
}

impl Cells<'_> {
    fn set(&mut self, row: usize, decision: robocensus::Decision, rules: &RuleSet) {
        // The dictionaries have the order of the enums.
        self.verdicts[row] = decision.verdict as i8;
        self.bases[row] = decision.basis as i8;
        let group = decision
            .group_index
            .map(|index| &rules.groups()[index as usize]);
        self.group_lines[row] = group.map_or(0, |group| group.line_first as i32);
        self.rule_lines[row] = decision.rule_line.map_or(0, |line| line as i32);
    }

    /// Returns some of the rows.
    fn part(&mut self, rows: Range<usize>) -> Cells<'_> {
        Cells {
            verdicts: &mut self.verdicts[rows.clone()],
            bases: &mut self.bases[rows.clone()],
            group_lines: &mut self.group_lines[rows.clone()],
            rule_lines: &mut self.rule_lines[rows],
        }
    }

    /// Copies rows to where others begin.
    fn copy(&mut self, from: usize, to: usize, n: usize) {
        self.verdicts.copy_within(from..from + n, to);
        self.bases.copy_within(from..from + n, to);
        self.group_lines.copy_within(from..from + n, to);
        self.rule_lines.copy_within(from..from + n, to);
    }
}

/// Returns a vector with the capacity for a value of each row, or raises `MemoryError`: the columns
/// are the largest that a call needs, and an allocation that fails would end the interpreter.
fn reserved<T>(n: usize) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    match values.try_reserve_exact(n) {
        Ok(()) => Ok(values),
        Err(_) => Err(PyMemoryError::new_err(format!(
            "no memory for {n} decisions"
        ))),
    }
}

fn filled<T: Copy>(n: usize, value: T) -> PyResult<Vec<T>> {
    let mut values = reserved(n)?;
    values.resize(n, value);
    Ok(values)
}

/// Returns `n` values: each of `0..count` as often as `each` says, and all of that again.
fn periodic(n: usize, count: usize, each: usize) -> PyResult<Vec<i32>> {
    let mut values = reserved(n)?;
    for value in 0..count {
        values.resize((values.len() + each).min(n), value as i32);
    }
    while values.len() < n {
        values.extend_from_within(..values.len().min(n - values.len()));
    }
    Ok(values)
}

/// Returns which of the rows have a value.
fn validity<T: Copy>(values: &[T], has_value: impl Fn(T) -> bool) -> PyResult<NullBuffer> {
    let mut bits: Vec<u8> = reserved(values.len().div_ceil(8))?;
    bits.extend(values.chunks(8).map(|values| {
        let bits = values.iter().enumerate();
        bits.fold(0, |bits, (bit, &value)| {
            bits | u8::from(has_value(value)) << bit
        })
    }));
    Ok(BooleanBuffer::new(bits.into(), 0, values.len()).into())
}

fn coded(mut codes: Vec<i8>, names: &[&str]) -> PyResult<ArrayRef> {
    let nulls = validity(&codes, |code| code >= 0)?;
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    if nulls.is_some() {
        // What a null covers must be a key all the same to some readers.
        codes.iter_mut().for_each(|code| *code = (*code).max(0));
    }
    let keys = PrimitiveArray::<Int8Type>::new(codes.into(), nulls);
    let names = Arc::new(StringArray::from(names.to_vec()));
    Ok(Arc::new(DictionaryArray::new(keys, names)))
}

fn lines(lines: Vec<i32>) -> PyResult<ArrayRef> {
    let nulls = validity(&lines, |line| line != 0)?;
    Ok(Arc::new(Int32Array::new(lines.into(), Some(nulls))))
}

/// Returns a column of which each row is one of a few texts.
fn repeated(keys: Vec<i32>, texts: &[impl AsRef<[u8]>]) -> ArrayRef {
    let keys = PrimitiveArray::<Int32Type>::from(keys);
    let utf8 = texts.iter().map(|text| std::str::from_utf8(text.as_ref()));
    let utf8: Result<Vec<&str>, _> = utf8.collect();
    let values: ArrayRef = match utf8 {
        Ok(texts) => Arc::new(StringArray::from(texts)),
        Err(_) => Arc::new(BinaryArray::from_iter_values(texts)),
    };
    Arc::new(DictionaryArray::new(keys, values))
}

fn batch(columns: Vec<(&'static str, ArrayRef)>) -> Batch {
    let columns = columns.into_iter().map(|(name, array)| {
        let is_nullable = array.is_nullable() || name.ends_with("_line");
        (name, array, is_nullable)
    });
    let batch = RecordBatch::try_from_iter_with_nullable(columns);
    Batch(batch.expect("columns have equal lengths"))
}

/// What a thread needs to decide, reused from one body to the next.
#[derive(Default)]
struct Buffers {
    robots: RobotsTxt,
    rules: RuleSet,
    selection: Selection,
}

/// Runs the jobs on threads, the first of them first, and returns when all are done; a single job
/// runs on this one.
///
/// The threads are those of this call: a pool would not survive a `fork`, by which the module
/// `multiprocessing` starts processes. Meanwhile this thread only waits, so that Ctrl-C arrives.
fn in_parallel<J: Send>(
    py: Python<'_>,
    threads: Option<NonZeroUsize>,
    jobs: Vec<J>,
    work: impl Fn(&mut Buffers, J) + Sync,
) -> PyResult<()> {
    let available = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let n_threads = threads
        .map_or_else(available, NonZeroUsize::get)
        .min(jobs.len());
    if jobs.len() <= 1 {
        let mut buffers = Buffers::default();
        py.detach(|| jobs.into_iter().for_each(|job| work(&mut buffers, job)));
        return Ok(());
    }
    let is_stopped = AtomicBool::new(false);
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    py.detach(|| {
        thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            for _ in 0..n_threads {
                let done = done.clone();
                let (next, work, is_stopped) = (&next, &work, &is_stopped);
                let run = move || {
                    let _done = done;
                    let mut buffers = Buffers::default();
                    while let Some(job) = next().filter(|_| !is_stopped.load(Relaxed)) {
                        work(&mut buffers, job);
                    }
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, run) {
                    is_stopped.store(true, Relaxed);
                    return Err(error.into());
                }
            }
            drop(done);
            // The channel is closed when the last thread has ended, by a panic too.
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let interrupted = Python::attach(check_signals);
                if interrupted.is_err() {
                    is_stopped.store(true, Relaxed);
                    return interrupted;
                }
            }
            Ok(())
        })
    })
}

/// Raises what a signal handler of Python raises, such as `KeyboardInterrupt`.
fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

fn agents_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<Vec<u8>>>> {
    if is_list(value) {
        let agents = value.try_iter()?.enumerate();
        return agents
            .map(|(index, agent)| tokens(&agent?, &format!("agents[{index}]")))
            .collect();
    }
    let column = Column::of(value, "agents")?;
    let agents = column.all("agents")?;
    Ok(agents
        .into_iter()
        .map(|agent| vec![agent.to_vec()])
        .collect())
}

fn dialects_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<SharedDialect>> {
    match value {
        None => Ok(vec![REFERENCE]),
        Some(value) if is_list(value) => {
            let dialects = value.try_iter()?;
            dialects.map(|dialect| dialect?.extract()).collect()
        }
        Some(value) => Ok(vec![value.extract()?]),
    }
}

/// Decides for every body, dialect, agent and URL, on all cores.
///
/// Args:
///     bodies: robots.txt files: an Arrow array of strings or binary values of any producer
///         (pyarrow, polars, pandas, a DuckDB relation of one column), whose values are not copied,
///         or a list of ``str``, ``bytes`` and ``None``.
///     agents: Product tokens, likewise; in a list, an item may be a list of tokens, the most
///         specific first.
///     urls: URLs or paths, likewise.
///     dialects: A dialect or a list of them.
///     threads: How many threads; by default as many as there are processors.
///
/// Returns:
///     A ``Batch`` with a row for each body, dialect, agent and URL, in this order, the URL
///     changing fastest: ``body_index`` (from 0), ``dialect``, ``agent``, ``url``, ``verdict``,
///     ``basis``, ``group_line`` and ``rule_line`` (from 1; null where none). The last four are
///     null for a body that is null. At most 2,147,483,647 rows.
///
/// Raises:
///     TypeError: An argument is of another type.
///     ValueError: An agent or URL is null, or there are too many rows.
///
/// >>> batch = decide_many(["User-agent: *\nDisallow: /a\n", ""], ["GPTBot"], ["/a", "/b"])
/// >>> batch.column("verdict").to_pylist()
/// ['disallow', 'allow', 'allow', 'allow']
#[pyfunction]
#[pyo3(signature = (bodies, agents, urls, dialects = None, *, threads = None))]
pub fn decide_many(
    py: Python<'_>,
    bodies: &Bound<'_, PyAny>,
    agents: &Bound<'_, PyAny>,
    urls: &Bound<'_, PyAny>,
    dialects: Option<&Bound<'_, PyAny>>,
    threads: Option<NonZeroUsize>,
) -> PyResult<Batch> {
    let bodies = Column::of(bodies, "bodies")?;
    let agents = agents_of(agents)?;
    let url_column = Column::of(urls, "urls")?;
    let urls = url_column.all("urls")?;
    let dialects = dialects_of(dialects)?;
    let n_urls = urls.len();
    let n_of_dialect = agents.len().checked_mul(n_urls);
    let n_of_body = n_of_dialect.and_then(|n| n.checked_mul(dialects.len()));
    let n = n_of_body.and_then(|n| n.checked_mul(bodies.len()));
    let (Some(n_of_body), Some(n)) = (n_of_body, n.filter(|&n| n <= i32::MAX as usize)) else {
        return Err(PyValueError::new_err(format!(
            "expected at most {} decisions, but found {} bodies x {} dialects x {} agents x {n_urls} URLs; pass the bodies in several calls",
            i32::MAX,
            bodies.len(),
            dialects.len(),
            agents.len(),
        )));
    };
    let names: Vec<_> = dialects
        .iter()
        .map(|dialect| dialect.get().name.as_bytes())
        .collect();
    let labels: Vec<_> = agents.iter().map(|chain| chain.join(&b","[..])).collect();
    let n_of_dialect = n_of_body.checked_div(dialects.len()).unwrap_or(0);
    let mut body_index: Vec<i64> = reserved(n)?;
    for body in 0..bodies.len() {
        body_index.resize(body_index.len() + n_of_body, body as i64);
    }
    let dialect = periodic(n, dialects.len(), n_of_dialect)?;
    let agent = periodic(n, agents.len(), n_urls)?;
    let url = periodic(n, n_urls, 1)?;
    let mut columns: Vec<(&'static str, ArrayRef)> = vec![
        ("body_index", Arc::new(Int64Array::from(body_index))),
        ("dialect", repeated(dialect, &names)),
        ("agent", repeated(agent, &labels)),
        ("url", repeated(url, &urls)),
    ];
    let prepared: Vec<_> = dialects
        .iter()
        .map(|dialect| Prepared::new(dialect.get(), &agents, &urls))
        .collect();
    let mut cells = CellColumns::new(n)?;
    if n > 0 {
        // Whole bodies, of which each is parsed once, or rows of one body.
        let n_of_job = match ROWS / n_of_body {
            0 => ROWS,
            n_bodies => n_bodies.min(BODIES) * n_of_body,
        };
        let jobs = cells.parts(n_of_job).into_iter().enumerate().collect();
        in_parallel(
            py,
            threads,
            jobs,
            |buffers, (job, mut cells): (usize, Cells<'_>)| {
                let rows = job * n_of_job..job * n_of_job + cells.verdicts.len();
                for body in rows.start / n_of_body..rows.end.div_ceil(n_of_body) {
                    let of_body = body * n_of_body..(body + 1) * n_of_body;
                    let of_body = intersection(&of_body, &rows);
                    if let Some(text) = bodies.get(body) {
                        let part = cells.part(of_body.start - rows.start..of_body.end - rows.start);
                        let first = of_body.start - body * n_of_body;
                        decide_body(buffers, &prepared, text, first, part);
                    }
                }
            },
        )?;
    }
    columns.extend(cells.into_arrays()?);
    Ok(batch(columns))
}

fn intersection(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// Agents and URLs, prepared for one dialect.
struct Prepared<'d> {
    dialect: &'d Dialect,
    agents: Vec<Agent>,
    paths: Vec<PreparedPath>,
}

impl<'d> Prepared<'d> {
    fn new(dialect: &'d Dialect, agents: &[Vec<Vec<u8>>], urls: &[&[u8]]) -> Self {
        Self {
            dialect,
            agents: agents
                .iter()
                .map(|chain| Agent::new(dialect, chain))
                .collect(),
            paths: urls
                .iter()
                .map(|url| PreparedPath::from_url(dialect, url))
                .collect(),
        }
    }
}

/// Decides the rows of one body from the row `first` on, as many as there are cells. Agents to
/// which the same groups apply share their decisions.
fn decide_body(
    buffers: &mut Buffers,
    prepared: &[Prepared<'_>],
    body: &[u8],
    first: usize,
    mut cells: Cells<'_>,
) {
    parse(body, &mut buffers.robots);
    let rows = first..first + cells.verdicts.len();
    let mut end = 0;
    // Selections of the same groups, with their URLs and the cell of the first of these.
    let mut decided: Vec<(_, Range<usize>, usize)> = Vec::new();
    for Prepared {
        dialect,
        agents,
        paths,
    } in prepared
    {
        let start = end;
        end += agents.len() * paths.len();
        if intersection(&(start..end), &rows).is_empty() {
            continue;
        }
        buffers.rules.compile(dialect, body, &buffers.robots);
        decided.clear();
        for (index, agent) in agents.iter().enumerate() {
            let of_agent = start + index * paths.len()..start + (index + 1) * paths.len();
            let of_agent_here = intersection(&of_agent, &rows);
            if of_agent_here.is_empty() {
                continue;
            }
            let cell = of_agent_here.start - first;
            let urls = of_agent_here.start - of_agent.start..of_agent_here.end - of_agent.start;
            buffers.rules.select(agent, &mut buffers.selection);
            let key = buffers.selection.key();
            let known = decided.iter().find(|(known, of, _)| {
                *known == key && of.start <= urls.start && of.end >= urls.end
            });
            match known {
                Some((_, of, from)) => cells.copy(from + urls.start - of.start, cell, urls.len()),
                None => {
                    for (index, path) in paths[urls.clone()].iter().enumerate() {
                        let decision = buffers.rules.decide(&buffers.selection, path);
                        cells.set(cell + index, decision, &buffers.rules);
                    }
                    decided.push((key, urls, cell));
                }
            }
        }
    }
}

/// Decides row by row: whether the n-th agent may fetch the n-th URL by the n-th body, on all
/// cores.
///
/// Args:
///     bodies: Arrow arrays or lists as in ``decide_many``, or one ``str`` or ``bytes`` for all
///         rows. Equal bodies that follow one another are parsed once.
///     agents: Likewise.
///     urls: Likewise.
///     dialect: The dialect.
///     threads: How many threads; by default as many as there are processors.
///
/// Returns:
///     A ``Batch`` with the columns ``verdict``, ``basis``, ``group_line`` and ``rule_line``, which
///     are null where an argument is.
///
/// Raises:
///     TypeError: An argument is of another type.
///     ValueError: The arguments have different numbers of rows.
///
/// >>> decide_rows("User-agent: *\nDisallow: /a\n", "GPTBot", ["/a", None])["verdict"].to_pylist()
/// ['disallow', None]
#[pyfunction]
#[pyo3(signature = (bodies, agents, urls, dialect = REFERENCE, *, threads = None), text_signature = "(bodies, agents, urls, dialect='google', *, threads=None)")]
pub fn decide_rows(
    py: Python<'_>,
    bodies: &Bound<'_, PyAny>,
    agents: &Bound<'_, PyAny>,
    urls: &Bound<'_, PyAny>,
    dialect: SharedDialect,
    threads: Option<NonZeroUsize>,
) -> PyResult<Batch> {
    let columns = [("bodies", bodies), ("agents", agents), ("urls", urls)];
    let columns = columns.map(|(name, value)| Column::of(value, name).map(|column| (name, column)));
    let [bodies, agents, urls] = columns;
    let columns = [bodies?, agents?, urls?];
    let longest = columns.iter().find(|(_, column)| !column.is_scalar());
    let (of, n) = longest.map_or(("bodies", 1), |(name, column)| (*name, column.len()));
    for (name, column) in &columns {
        if !column.is_scalar() && column.len() != n {
            return Err(PyValueError::new_err(format!(
                "{name}: expected {n} values, as many as {of} has, but found {}",
                column.len()
            )));
        }
    }
    let [bodies, agents, urls] = columns.map(|(_, column)| column);
    let mut cells = CellColumns::new(n)?;
    let dialect = dialect.get();
    let parts = cells.parts(ROWS).into_iter().enumerate().collect();
    in_parallel(
        py,
        threads,
        parts,
        |buffers, (part, mut cells): (usize, Cells<'_>)| {
            let mut path = PreparedPath::from_url(dialect, b"");
            let (mut body_before, mut agent_before) = (None, None);
            for row in 0..cells.verdicts.len() {
                let of_row = part * ROWS + row;
                let texts = (bodies.get(of_row), agents.get(of_row), urls.get(of_row));
                let (Some(body), Some(agent), Some(url)) = texts else {
                    continue;
                };
                // A table that is joined with its URLs has each body many times in succession.
                let is_same_body = body_before == Some(body);
                if !is_same_body {
                    parse(body, &mut buffers.robots);
                    buffers.rules.compile(dialect, body, &buffers.robots);
                    body_before = Some(body);
                }
                if !is_same_body || agent_before != Some(agent) {
                    let prepared = Agent::new(dialect, &[agent]);
                    buffers.rules.select(&prepared, &mut buffers.selection);
                    agent_before = Some(agent);
                }
                path.set_url(dialect, url);
                let decision = buffers.rules.decide(&buffers.selection, &path);
                cells.set(row, decision, &buffers.rules);
            }
        },
    )?;
    Ok(batch(cells.into_arrays()?))
}
