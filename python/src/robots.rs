//! One robots.txt and its parts.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pyo3::{
    prelude::*,
    types::{PyBytes, PyList, PyString, PyTuple, PyType},
};
use robocensus::{
    AgentLineRef, Dialect, FindingRef, GroupRef, ProductTokens, RecordRef, Robots, RuleRef,
    SignalRef, Verdict, robots::dialect::RuleSet,
};

use super::{
    decision::Decision,
    dialect::SharedDialect,
    recent::Recent,
    text::{bytes, expected, is_list, string, tokens, unchanging},
};

/// The dialect of a call that names none.
pub const REFERENCE: SharedDialect = SharedDialect::BuiltIn(&Dialect::GOOGLE);

/// One robots.txt file, ready to decide under any dialect.
///
/// Args:
///     body: The file as ``bytes`` (or any object with a buffer) or ``str``, with transfer and
///         content codings removed. Any bytes are a robots.txt: no content is an error. Of bodies
///         beyond 4 GiB the rest is not parsed, and a dialect may read less: ``google`` reads 500
///         KiB.
///
/// Raises:
///     TypeError: The body is neither.
///
/// A method with the parameter ``dialect`` takes the name of a built-in one (``DIALECTS``), the
/// TOML text of one (``robocensus dialects NAME`` prints it), a ``dict`` of answers with their
/// ``base``, or a ``Dialect``; it raises ``ValueError`` where it is none of them. The first call
/// for a dialect interprets the file, later ones share the result. Objects are immutable and may be
/// used by several threads.
///
/// >>> robots = Robots("User-agent: *\nDisallow: /*.pdf$\n")
/// >>> robots.decide("GPTBot", "https://example.com/report.pdf").rule_line
/// 2
/// >>> robots.decide("GPTBot", "/report.pdf", dialect="original-1994").verdict
/// 'allow'
#[pyclass(frozen, name = "Robots", module = "robocensus")]
pub struct PyRobots {
    pub robots: Robots,
    /// Its number among the files of this process.
    number: u64,
}

impl PyRobots {
    /// Decides, and returns the rules too.
    fn decision(
        &self,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        dialect: &SharedDialect,
    ) -> PyResult<(robocensus::Decision, &RuleSet)> {
        let rules = self.robots.rule_set(dialect.get());
        let decision = Recent::with(|recent| {
            recent.select((self.number, rules), agent, dialect)?;
            recent.decide(rules, url, dialect)
        })?;
        Ok((decision, rules))
    }
}

#[pymethods]
impl PyRobots {
    #[new]
    #[pyo3(signature = (body, /))]
    fn new(body: &Bound<'_, PyAny>) -> PyResult<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Ok(Self {
            robots: Robots::parse(bytes(body, "body")?),
            number: COUNT.fetch_add(1, Relaxed),
        })
    }

    /// Decides whether a crawler may fetch a URL, and names the line that decided.
    ///
    /// Args:
    ///     agent: The product token of the crawler, such as ``"GPTBot"`` (not its ``User-Agent``
    ///         header: see ``product_token``), or a list of tokens, the most specific first.
    ///     url: An absolute URL or its path with the query, compared as given. Scheme and host are
    ///         not compared: that the file applies to them is up to the caller.
    ///     dialect: The dialect.
    ///
    /// Returns:
    ///     The ``Decision``, which is true where the crawler may fetch the URL.
    #[pyo3(signature = (agent, url, dialect = REFERENCE), text_signature = "($self, agent, url, dialect='google')")]
    fn decide(
        slf: &Bound<'_, Self>,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        dialect: SharedDialect,
    ) -> PyResult<Decision> {
        let (decision, rules) = slf.get().decision(agent, url, &dialect)?;
        let group = |index: u32| &rules.groups()[index as usize];
        Ok(Decision {
            decision,
            group_line: decision.group_index.map(|index| group(index).line_first),
            robots: slf.clone().unbind(),
            agent: unchanging(agent, "agent")?,
            url: unchanging(url, "url")?,
            dialect,
        })
    }

    /// Returns whether a crawler may fetch a URL: ``bool(decide(...))``, without the evidence.
    ///
    /// A verdict that the dialect does not define is no.
    #[pyo3(signature = (agent, url, dialect = REFERENCE), text_signature = "($self, agent, url, dialect='google')")]
    fn can_fetch(
        &self,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        dialect: SharedDialect,
    ) -> PyResult<bool> {
        let (decision, _) = self.decision(agent, url, &dialect)?;
        Ok(decision.verdict == Verdict::Allow)
    }

    /// Returns whether a crawler may fetch each of several URLs, such as the links of a page.
    ///
    /// One call is quicker than a call of ``can_fetch`` for each.
    ///
    /// Args:
    ///     agent: As for ``decide``.
    ///     urls: The URLs, any iterable of ``str`` or ``bytes``.
    ///     dialect: The dialect.
    ///
    /// >>> Robots("User-agent: *\nDisallow: /a\n").can_fetch_each("GPTBot", ["/a/1", "/b"])
    /// [False, True]
    #[pyo3(signature = (agent, urls, dialect = REFERENCE), text_signature = "($self, agent, urls, dialect='google')")]
    fn can_fetch_each<'py>(
        &self,
        agent: &Bound<'py, PyAny>,
        urls: &Bound<'py, PyAny>,
        dialect: SharedDialect,
    ) -> PyResult<Bound<'py, PyList>> {
        if !is_list(urls) && bytes(urls, "urls").is_ok() {
            return Err(expected("urls", "an iterable of URLs", urls));
        }
        let rules = self.robots.rule_set(dialect.get());
        let allowed = Recent::with(|recent| {
            recent.select((self.number, rules), agent, &dialect)?;
            let mut allowed = Vec::new();
            // To collect them would ask the iterator for its length, which costs a call of Python.
            for (index, url) in urls.try_iter()?.enumerate() {
                let url = url?;
                // The name of the argument is made only for a URL that is none.
                let decision = recent
                    .decide(rules, &url, &dialect)
                    .map_err(|_| expected(&format!("urls[{index}]"), "str or bytes", &url))?;
                allowed.push(decision.verdict == Verdict::Allow);
            }
            Ok(allowed)
        })?;
        PyList::new(urls.py(), allowed)
    }

    /// Returns the groups, in the order of the file (RFC 9309, 2.1).
    #[pyo3(signature = (dialect = REFERENCE), text_signature = "($self, dialect='google')")]
    fn groups<'py>(&self, py: Python<'py>, dialect: SharedDialect) -> PyResult<Bound<'py, PyList>> {
        let groups = self.robots.groups(dialect.get());
        list(py, groups.map(|group| Group::of(py, &group)))
    }

    /// Returns the groups that apply to a crawler, in the order of the file.
    #[pyo3(signature = (agent, dialect = REFERENCE), text_signature = "($self, agent, dialect='google')")]
    fn groups_for<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
        dialect: SharedDialect,
    ) -> PyResult<Bound<'py, PyList>> {
        let tokens = tokens(agent, "agent")?;
        let rules = self
            .robots
            .rules_for(dialect.get(), ProductTokens::new(&tokens));
        list(py, rules.groups().map(|group| Group::of(py, &group)))
    }

    /// Returns the allow and disallow lines, in the order of the file, those outside any group too.
    #[pyo3(signature = (dialect = REFERENCE), text_signature = "($self, dialect='google')")]
    fn rules<'py>(&self, py: Python<'py>, dialect: SharedDialect) -> PyResult<Bound<'py, PyList>> {
        let rules = self.robots.rules(dialect.get());
        list(py, rules.map(|rule| Rule::of(py, &rule)))
    }

    /// Returns the rules for a crawler that match a URL, in the order of the file.
    ///
    /// The one that decides is among them.
    #[pyo3(signature = (agent, url, dialect = REFERENCE), text_signature = "($self, agent, url, dialect='google')")]
    fn matching<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
        url: &Bound<'py, PyAny>,
        dialect: SharedDialect,
    ) -> PyResult<Bound<'py, PyList>> {
        let tokens = tokens(agent, "agent")?;
        let rules = self
            .robots
            .rules_for(dialect.get(), ProductTokens::new(&tokens));
        let matching = rules.matching(bytes(url, "url")?);
        list(py, matching.iter().map(|rule| Rule::of(py, rule)))
    }

    /// Returns the lines with any other field, such as ``Sitemap`` and ``Crawl-delay``, in the
    /// order of the file (RFC 9309, 2.2.4).
    #[pyo3(signature = (dialect = REFERENCE), text_signature = "($self, dialect='google')")]
    fn records<'py>(
        &self,
        py: Python<'py>,
        dialect: SharedDialect,
    ) -> PyResult<Bound<'py, PyList>> {
        let records = self.robots.records(dialect.get());
        list(py, records.map(|record| Record::of(py, &record)))
    }

    /// Returns the values of the sitemap lines as written, in the order of the file.
    #[pyo3(signature = (dialect = REFERENCE), text_signature = "($self, dialect='google')")]
    fn sitemaps<'py>(
        &self,
        py: Python<'py>,
        dialect: SharedDialect,
    ) -> PyResult<Bound<'py, PyList>> {
        list(
            py,
            self.robots
                .sitemaps(dialect.get())
                .map(|url| string(py, url)),
        )
    }

    /// Returns the statements on use and license, such as those of ``Content-Signal``, in the order
    /// of the file.
    #[pyo3(signature = (dialect = REFERENCE), text_signature = "($self, dialect='google')")]
    fn signals<'py>(
        &self,
        py: Python<'py>,
        dialect: SharedDialect,
    ) -> PyResult<Bound<'py, PyList>> {
        let signals = self.robots.signals(dialect.get());
        list(py, signals.iter().map(|signal| Signal::of(py, signal)))
    }

    /// Returns what is wrong or unusual in the file: what concerns the whole file first, then by
    /// line.
    ///
    /// Findings compare the interpretations of all built-in dialects, so they depend on none.
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(
            py,
            self.robots
                .findings()
                .map(|finding| Finding::of(py, &finding)),
        )
    }

    /// The body, as ``bytes``.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.robots.body())
    }

    /// Returns a line without its terminator, by its number from 1, or ``None`` where there is
    /// none.
    #[pyo3(signature = (number, /))]
    fn line<'py>(&self, py: Python<'py>, number: u32) -> PyResult<Option<Bound<'py, PyString>>> {
        self.robots
            .line(number)
            .map(|line| string(py, line))
            .transpose()
    }

    /// Pickles and copies parse the body again, since what was interpreted stays in its process.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Bound<'py, PyBytes>,)) {
        (slf.get_type(), (slf.get().body(slf.py()),))
    }

    fn __repr__(&self) -> String {
        format!("<robocensus.Robots of {} bytes>", self.robots.body().len())
    }
}

fn list<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: impl Iterator<Item = PyResult<T>>,
) -> PyResult<Bound<'py, PyList>> {
    let items: Vec<T> = items.collect::<PyResult<_>>()?;
    PyList::new(py, items)
}

fn tuple<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: impl Iterator<Item = PyResult<T>>,
) -> PyResult<Py<PyTuple>> {
    let items: Vec<T> = items.collect::<PyResult<_>>()?;
    Ok(PyTuple::new(py, items)?.unbind())
}

fn text(py: Python<'_>, bytes: &[u8]) -> PyResult<Py<PyString>> {
    Ok(string(py, bytes)?.unbind())
}

/// A run of user-agent lines and the rules that follow (RFC 9309, 2.1).
///
/// Attributes:
///     index: Its number in the file, from 0.
///     line_first: The number of its first line, from 1.
///     line_last: The number of its last line.
///     agents: Its user-agent lines, a tuple of ``AgentLine``.
///     rules: Its rules, a tuple of ``Rule``.
///     is_dropped: Whether the dialect drops it, so that it applies to no crawler.
#[pyclass(frozen, get_all, module = "robocensus")]
pub struct Group {
    index: u32,
    line_first: u32,
    line_last: u32,
    agents: Py<PyTuple>,
    rules: Py<PyTuple>,
    is_dropped: bool,
}

impl Group {
    fn of(py: Python<'_>, group: &GroupRef<'_>) -> PyResult<Self> {
        Ok(Self {
            index: group.index(),
            line_first: group.line_first(),
            line_last: group.line_last(),
            agents: tuple(py, group.agents().map(|line| AgentLine::of(py, &line)))?,
            rules: tuple(py, group.rules().map(|rule| Rule::of(py, &rule)))?,
            is_dropped: group.is_dropped(),
        })
    }
}

#[pymethods]
impl Group {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!(
            "Group(index={}, lines {}-{}, agents={}, rules={})",
            self.index,
            self.line_first,
            self.line_last,
            self.agents.bind(py).len(),
            self.rules.bind(py).len(),
        )
    }
}

/// One user-agent line.
///
/// Attributes:
///     line: Its number, from 1.
///     value: The value as written, trimmed.
///     token: The part of the value that is compared with the token of a crawler.
///     is_wildcard: Whether it is for every crawler.
#[pyclass(frozen, get_all, module = "robocensus")]
pub struct AgentLine {
    line: u32,
    value: Py<PyString>,
    token: Py<PyString>,
    is_wildcard: bool,
}

impl AgentLine {
    fn of(py: Python<'_>, line: &AgentLineRef<'_>) -> PyResult<Self> {
        Ok(Self {
            line: line.line,
            value: text(py, line.value)?,
            token: text(py, line.token)?,
            is_wildcard: line.is_wildcard,
        })
    }
}

#[pymethods]
impl AgentLine {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "AgentLine(line={}, value={})",
            self.line,
            self.value.bind(py).repr()?
        ))
    }
}

/// One allow or disallow line (RFC 9309, 2.2.2).
///
/// Attributes:
///     group_index: The number of its group, from 0; ``None`` outside any, where it has no effect.
///     line: Its number, from 1.
///     kind: ``"allow"`` or ``"disallow"``.
///     value: The value as written, trimmed.
///     pattern: The pattern as it is compared.
///     has_wildcard: Whether the pattern has a special ``*``.
///     has_anchor: Whether a special ``$`` ends the pattern.
#[pyclass(frozen, get_all, module = "robocensus")]
pub struct Rule {
    group_index: Option<u32>,
    line: u32,
    kind: &'static str,
    value: Py<PyString>,
    pattern: Py<PyString>,
    has_wildcard: bool,
    has_anchor: bool,
}

impl Rule {
    fn of(py: Python<'_>, rule: &RuleRef<'_>) -> PyResult<Self> {
        Ok(Self {
            group_index: rule.group_index,
            line: rule.line,
            kind: rule.kind.as_str(),
            value: text(py, rule.value)?,
            pattern: text(py, rule.pattern)?,
            has_wildcard: rule.has_wildcard,
            has_anchor: rule.has_anchor,
        })
    }
}

#[pymethods]
impl Rule {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value.bind(py).repr()?;
        Ok(format!(
            "Rule(line={}, kind={:?}, value={value})",
            self.line, self.kind
        ))
    }
}

/// One line whose field is neither user-agent, allow nor disallow.
///
/// Attributes:
///     group_index: The number of its group, from 0; ``None`` outside any, and for a sitemap.
///     line: Its number, from 1.
///     field: The field that the key names, such as ``"crawl-delay"``; empty for an unknown one.
///     key: The key as written, trimmed.
///     value: The value as written, trimmed.
#[pyclass(frozen, get_all, module = "robocensus")]
pub struct Record {
    group_index: Option<u32>,
    line: u32,
    field: &'static str,
    key: Py<PyString>,
    value: Py<PyString>,
}

impl Record {
    fn of(py: Python<'_>, record: &RecordRef<'_>) -> PyResult<Self> {
        Ok(Self {
            group_index: record.group_index,
            line: record.line,
            field: record.field.as_str(),
            key: text(py, record.key)?,
            value: text(py, record.value)?,
        })
    }
}

#[pymethods]
impl Record {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value.bind(py).repr()?;
        Ok(format!(
            "Record(line={}, field={:?}, value={value})",
            self.line, self.field
        ))
    }
}

/// One statement on use or license.
///
/// Attributes:
///     group_index: The number of its group, from 0; ``None`` outside any.
///     line: The number of its line, from 1.
///     vocabulary: The vocabulary, such as ``"content-signal"``.
///     path: The pattern that it is about; ``None`` for everything.
///     key: The key, where the value is a list.
///     value: What is stated, or the text that could not be parsed.
///     is_valid: Whether it has the form of its vocabulary; one that has not states nothing.
#[pyclass(frozen, get_all, module = "robocensus")]
pub struct Signal {
    group_index: Option<u32>,
    line: u32,
    vocabulary: &'static str,
    path: Option<Py<PyString>>,
    key: Option<Py<PyString>>,
    value: Option<Py<PyString>>,
    is_valid: bool,
}

impl Signal {
    fn of(py: Python<'_>, signal: &SignalRef<'_>) -> PyResult<Self> {
        let optional = |bytes: Option<&[u8]>| bytes.map(|bytes| text(py, bytes)).transpose();
        Ok(Self {
            group_index: signal.group_index,
            line: signal.line,
            vocabulary: signal.vocabulary.as_str(),
            path: optional(signal.path)?,
            key: optional(signal.key.as_deref())?,
            value: optional(signal.value.as_deref())?,
            is_valid: signal.is_valid,
        })
    }
}

#[pymethods]
impl Signal {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = |text: &Option<Py<PyString>>| match text {
            Some(text) => Ok::<_, PyErr>(text.bind(py).repr()?.to_string()),
            None => Ok("None".to_owned()),
        };
        Ok(format!(
            "Signal(line={}, vocabulary={:?}, key={}, value={})",
            self.line,
            self.vocabulary,
            shown(&self.key)?,
            shown(&self.value)?
        ))
    }
}

/// Something wrong or unusual in a file.
///
/// Attributes:
///     code: What it is; ``robocensus errors`` lists the codes with examples.
///     severity: ``"error"``, ``"warning"`` or ``"info"``.
///     sentence: The code in words.
///     line: The number of the line, from 1; ``None`` for the whole file.
///     byte_offset: The offset of ``text`` in the body.
///     text: The bytes concerned.
///     meant: The field that was probably meant, where the key is wrong.
///     count: How many occurrences are reported together.
///     accepted_by: The names of the built-in dialects in which the line counts all the same.
#[pyclass(frozen, get_all, module = "robocensus")]
pub struct Finding {
    code: &'static str,
    severity: &'static str,
    sentence: &'static str,
    line: Option<u32>,
    byte_offset: u32,
    text: Py<PyString>,
    meant: Option<&'static str>,
    count: u32,
    accepted_by: Py<PyTuple>,
}

impl Finding {
    fn of(py: Python<'_>, finding: &FindingRef<'_>) -> PyResult<Self> {
        Ok(Self {
            code: finding.code.as_str(),
            severity: finding.code.severity().as_str(),
            sentence: finding.code.sentence(),
            line: finding.line,
            byte_offset: finding.byte_offset,
            text: text(py, finding.text)?,
            meant: finding.meant.map(robocensus::Field::as_str),
            count: finding.count,
            accepted_by: PyTuple::new(py, finding.accepted_by().collect::<Vec<_>>())?.unbind(),
        })
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let line = self
            .line
            .map_or_else(|| "None".to_owned(), |line| line.to_string());
        format!(
            "Finding(line={line}, severity={:?}, code={:?})",
            self.severity, self.code
        )
    }
}
