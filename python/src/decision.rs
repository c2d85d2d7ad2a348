//! A decision with what is needed to explain it.

use pyo3::{intern, prelude::*, types::PyString};
use robocensus::{
    Verdict,
    robots::check::{Checker, Request},
};

use super::{
    dialect::SharedDialect,
    robots::PyRobots,
    text::{bytes, tokens},
};

/// The decision about one agent and one URL, with the line that decided.
///
/// ``bool(decision)`` is whether the crawler may fetch the URL. In a notebook it is shown with its
/// evidence.
///
/// >>> decision = Robots("User-agent: *\nDisallow: /\n").decide("GPTBot", "/a")
/// >>> print(decision.explain())
/// disallow: GPTBot for /a (google): a rule decides
///        1 | User-agent: *   <- for every agent (*); no group names this one
/// >      2 | Disallow: /   <- decides
#[pyclass(frozen, module = "robocensus")]
pub struct Decision {
    pub decision: robocensus::Decision,
    /// The number of the first line of that group, from 1, or ``None``.
    #[pyo3(get)]
    pub group_line: Option<u32>,
    /// The file.
    #[pyo3(get)]
    pub robots: Py<PyRobots>,
    /// The agent of the call: as given, or a list as a tuple.
    #[pyo3(get)]
    pub agent: Py<PyAny>,
    /// The URL of the call, as given.
    #[pyo3(get)]
    pub url: Py<PyAny>,
    pub dialect: SharedDialect,
}

#[pymethods]
impl Decision {
    /// ``"allow"``, ``"disallow"``, or ``"undefined"`` where the specification does not say.
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        match self.decision.verdict {
            Verdict::Allow => intern!(py, "allow"),
            Verdict::Disallow => intern!(py, "disallow"),
            Verdict::Undefined => intern!(py, "undefined"),
        }
    }

    /// What decided: ``"rule"``, ``"no_rule_matched"``, ``"no_group"`` or ``"robots_txt_itself"``.
    #[getter]
    fn basis(&self) -> &'static str {
        self.decision.basis.as_str()
    }

    /// The number of the group of the rule that decided, from 0; without a rule, of the first group
    /// that applies; ``None`` where none does.
    #[getter]
    fn group_index(&self) -> Option<u32> {
        self.decision.group_index
    }

    /// The number of the line that decided, from 1, or ``None`` where no rule did.
    #[getter]
    fn rule_line(&self) -> Option<u32> {
        self.decision.rule_line
    }

    /// The name of the dialect.
    #[getter]
    fn dialect(&self) -> String {
        self.dialect.get().name.to_string()
    }

    fn __bool__(&self) -> bool {
        self.decision.verdict == Verdict::Allow
    }

    /// Returns the evidence: the lines of the groups that apply, the one that decided and those
    /// that lost, as text by ``str()``, and as a table in a notebook.
    fn explain<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("robocensus.explanation")?;
        module.call_method1("Explanation", (slf,))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::explain(slf)?.call_method0("_repr_html_")
    }

    /// Returns why the groups apply, the first and last line of each, and the rules that matched
    /// without deciding, each with the reason.
    #[allow(clippy::type_complexity, reason = "a tuple is what Python unpacks")]
    fn _evidence(
        &self,
        py: Python<'_>,
    ) -> PyResult<(
        Option<&'static str>,
        Vec<(u32, u32)>,
        Vec<(u32, &'static str)>,
    )> {
        let body = self.robots.get().robots.body();
        let dialect = self.dialect.get();
        let mut checker = Checker::new();
        checker.parse(body);
        checker.compile(dialect, body);
        let chain = tokens(self.agent.bind(py), "agent")?;
        let chain: Vec<_> = chain.iter().map(|token| token.as_slice().into()).collect();
        let url = self.url.bind(py);
        let evidence = checker.ask(
            dialect,
            &Request {
                chain: &chain,
                url: &bytes(url, "url")?,
                outcome: None,
                robots_url: None,
            },
        );
        let groups = checker.groups().iter().map(|&index| {
            let group = &checker.rules().groups()[index as usize];
            (group.line_first, group.line_last)
        });
        let lost = checker.lost(dialect, &evidence.decision);
        Ok((
            evidence.selection.map(robocensus::SelectionKind::as_str),
            groups.collect(),
            lost.iter()
                .map(|(rule, reason)| (rule.line, reason.sentence()))
                .collect(),
        ))
    }

    fn __repr__(&self) -> String {
        let line =
            |line: Option<u32>| line.map_or_else(|| "None".to_owned(), |line| line.to_string());
        format!(
            "Decision(verdict={:?}, basis={:?}, group_line={}, rule_line={}, dialect={:?})",
            self.decision.verdict.as_str(),
            self.decision.basis.as_str(),
            line(self.group_line),
            line(self.decision.rule_line),
            self.dialect.get().name,
        )
    }
}
