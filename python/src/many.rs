//! Decisions over columns, on all cores, detached from the interpreter.

use std::{
    num::NonZeroUsize,
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
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::{Field, Schema};
use pyo3::{
    exceptions::{PyMemoryError, PyValueError},
    prelude::*,
};
use robocensus::{
    Basis, Dialect, Verdict,
    dialect::{Agent, PreparedPath, RuleSet, Selection},
    robots::{RobotsTxt, parse},
};

use super::{
    batch::Batch,
    column::Column,
    dialect::SharedDialect,
    robots::REFERENCE,
    text::{is_list, tokens},
};

/// Bodies, or rows, that a thread takes at a time.
const BODIES: usize = 32;
const ROWS: usize = 1024;
/// Time between two checks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// The values of the dictionaries, in the order of their codes.
const VERDICTS: [Verdict; 3] = [Verdict::Allow, Verdict::Disallow, Verdict::Undefined];
const BASES: [Basis; 6] = [
    Basis::Rule,
    Basis::NoRuleMatched,
    Basis::NoGroup,
    Basis::Access,
    Basis::RobotsTxtItself,
    Basis::OutOfScope,
];

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

    fn into_arrays(self) -> Vec<(&'static str, ArrayRef)> {
        vec![
            (
                "verdict",
                coded(self.verdicts, &VERDICTS.map(Verdict::as_str)),
            ),
            ("basis", coded(self.bases, &BASES.map(Basis::as_str))),
            ("group_line", lines(self.group_lines)),
            ("rule_line", lines(self.rule_lines)),
        ]
    }
}

impl Cells<'_> {
    fn set(&mut self, row: usize, decision: robocensus::Decision, rules: &RuleSet) {
        let code_of = |found: bool, code: usize| found.then_some(code as i8);
        let verdict = VERDICTS.iter().enumerate();
        let verdict = verdict
            .filter_map(|(code, v)| code_of(*v == decision.verdict, code))
            .next();
        let basis = BASES.iter().enumerate();
        let basis = basis
            .filter_map(|(code, b)| code_of(*b == decision.basis, code))
            .next();
        self.verdicts[row] = verdict.unwrap_or(-1);
        self.bases[row] = basis.unwrap_or(-1);
        let group = decision
            .group_index
            .map(|index| &rules.groups()[index as usize]);
        self.group_lines[row] = group.map_or(0, |group| group.line_first as i32);
        self.rule_lines[row] = decision.rule_line.map_or(0, |line| line as i32);
    }

    /// Copies rows to where others begin.
    fn copy(&mut self, from: usize, to: usize, n: usize) {
        self.verdicts.copy_within(from..from + n, to);
        self.bases.copy_within(from..from + n, to);
        self.group_lines.copy_within(from..from + n, to);
        self.rule_lines.copy_within(from..from + n, to);
    }
}

fn filled<T: Copy>(n: usize, value: T) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    values
        .try_reserve_exact(n)
        .map_err(|_| PyMemoryError::new_err(format!("no memory for {n} decisions")))?;
    values.resize(n, value);
    Ok(values)
}

fn coded(codes: Vec<i8>, names: &[&str]) -> ArrayRef {
    let nulls = NullBuffer::from_iter(codes.iter().map(|&code| code >= 0));
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    let codes = match nulls {
        None => codes,
        // What a null covers must be a key all the same to some readers.
        Some(_) => codes.iter().map(|&code| code.max(0)).collect(),
    };
    let keys = PrimitiveArray::<Int8Type>::new(ScalarBuffer::from(codes), nulls);
    let names = Arc::new(StringArray::from(names.to_vec()));
    Arc::new(DictionaryArray::new(keys, names))
}

fn lines(lines: Vec<i32>) -> ArrayRef {
    let nulls = NullBuffer::from_iter(lines.iter().map(|&line| line != 0));
    Arc::new(Int32Array::new(ScalarBuffer::from(lines), Some(nulls)))
}

/// Returns a column of which each row is one of a few texts.
fn repeated(keys: Vec<i32>, texts: &[Vec<u8>]) -> ArrayRef {
    let keys = PrimitiveArray::<Int32Type>::from(keys);
    let utf8: Result<Vec<&str>, _> = texts.iter().map(|text| std::str::from_utf8(text)).collect();
    let values: ArrayRef = match utf8 {
        Ok(texts) => Arc::new(StringArray::from(texts)),
        Err(_) => Arc::new(BinaryArray::from_iter_values(texts)),
    };
    Arc::new(DictionaryArray::new(keys, values))
}

fn batch(columns: Vec<(&'static str, ArrayRef)>) -> Batch {
    let field = |(name, array): &(&str, ArrayRef)| {
        let is_nullable = array.is_nullable() || name.ends_with("_line");
        Field::new(*name, array.data_type().clone(), is_nullable)
    };
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    Batch(RecordBatch::try_new(Arc::new(schema), arrays).expect("columns have equal lengths"))
}

/// What a thread needs to decide, reused from one body to the next.
#[derive(Default)]
struct Buffers {
    robots: RobotsTxt,
    rules: RuleSet,
    selection: Selection,
}

/// Runs the jobs on threads, the first of them first, and returns when all are done.
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
                scope.spawn(move || {
                    let _done = done;
                    let mut buffers = Buffers::default();
                    while let Some(job) = next().filter(|_| !is_stopped.load(Relaxed)) {
                        work(&mut buffers, job);
                    }
                });
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
    let dialects = match value {
        None => vec![REFERENCE],
        Some(value) if is_list(value) => {
            let dialects = value.try_iter()?;
            dialects
                .map(|dialect| dialect?.extract())
                .collect::<PyResult<_>>()?
        }
        Some(value) => vec![value.extract()?],
    };
    Ok(dialects)
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
    let urls: Vec<Vec<u8>> = url_column
        .all("urls")?
        .into_iter()
        .map(<[u8]>::to_vec)
        .collect();
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
    let prepared: Vec<_> = dialects
        .iter()
        .map(|dialect| Prepared::new(dialect.get(), &agents, &urls))
        .collect();
    let mut cells = CellColumns::new(n)?;
    if n > 0 {
        let parts = cells
            .parts(BODIES * n_of_body)
            .into_iter()
            .enumerate()
            .collect();
        in_parallel(
            py,
            threads,
            parts,
            |buffers, (part, mut cells): (usize, Cells<'_>)| {
                let first = part * BODIES;
                for body in first..bodies.len().min(first + BODIES) {
                    if let Some(text) = bodies.get(body) {
                        let first_row = (body - first) * n_of_body;
                        decide_body(buffers, &prepared, text, first_row, &mut cells);
                    }
                }
            },
        )?;
    }
    let n_of_dialect = n_of_body.checked_div(dialects.len()).unwrap_or(0);
    let names: Vec<_> = dialects
        .iter()
        .map(|dialect| dialect.get().name.as_bytes().to_vec())
        .collect();
    let labels: Vec<_> = agents.iter().map(|chain| chain.join(&b","[..])).collect();
    let index = |period: usize, count: usize| -> Vec<i32> {
        (0..n).map(|row| (row / period % count) as i32).collect()
    };
    let mut columns: Vec<(&'static str, ArrayRef)> = py.detach(|| {
        let body_index = (0..n).map(|row| (row / n_of_body) as i64);
        vec![
            (
                "body_index",
                Arc::new(Int64Array::from_iter_values(body_index)) as ArrayRef,
            ),
            (
                "dialect",
                repeated(index(n_of_dialect, dialects.len()), &names),
            ),
            ("agent", repeated(index(n_urls, agents.len()), &labels)),
            ("url", repeated(index(1, n_urls), &urls)),
        ]
    });
    columns.extend(cells.into_arrays());
    Ok(batch(columns))
}

/// Agents and URLs, prepared for one dialect.
struct Prepared<'d> {
    dialect: &'d Dialect,
    agents: Vec<Agent>,
    paths: Vec<PreparedPath>,
}

impl<'d> Prepared<'d> {
    fn new(dialect: &'d Dialect, agents: &[Vec<Vec<u8>>], urls: &[Vec<u8>]) -> Self {
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

/// Decides about one body. Agents to which the same groups apply share their decisions.
fn decide_body(
    buffers: &mut Buffers,
    prepared: &[Prepared<'_>],
    body: &[u8],
    first_row: usize,
    cells: &mut Cells<'_>,
) {
    parse(body, &mut buffers.robots);
    let mut row = first_row;
    let mut decided = Vec::new();
    for Prepared {
        dialect,
        agents,
        paths,
    } in prepared
    {
        buffers.rules.compile(dialect, body, &buffers.robots);
        decided.clear();
        for agent in agents {
            buffers.rules.select(agent, &mut buffers.selection);
            let key = buffers.selection.key();
            match decided.iter().find(|(known, _)| *known == key) {
                Some(&(_, from)) => cells.copy(from, row, paths.len()),
                None => {
                    for (index, path) in paths.iter().enumerate() {
                        let decision = buffers.rules.decide(&buffers.selection, path);
                        cells.set(row + index, decision, &buffers.rules);
                    }
                    decided.push((key, row));
                }
            }
            row += paths.len();
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
    Ok(batch(cells.into_arrays()))
}
