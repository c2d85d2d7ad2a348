//! The table `policies`: one row for each capture, dialect of the run, and agent.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    types::{Float64Type, Int32Type},
};
use arrow_schema::SchemaRef;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Known, Numbers},
    schema::{CAPTURE_ID, Kind, Table, URL_HOST_NAME, optional, required},
};
use crate::{
    dialect::Access,
    matrix::{Matrix, MatrixAgent, evaluate::Cells},
    policy::{Bias, ClassCc, ClassDpi, ClassProbe, Policy, Restriction},
};

/// The table as data.
pub const TABLE: Table = Table {
    name: "policies",
    about: "one capture, dialect and agent: how much of the site is forbidden to it, by the rules of the dialect and by the definitions of earlier studies",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        required(
            "dialect",
            Kind::Name,
            "dialect whose groups, rules and access count in this row",
        ),
        required(
            "agent",
            Kind::Name,
            "crawler of the matrix: the first product token of its chain",
        ),
        optional(
            "agent_category",
            Kind::Name,
            "what it crawls for, as the list of agents says",
        ),
        required(
            "group_kind",
            Kind::Name,
            "whose rules count: named (a group names the agent), wildcard, none, access (the fetch decides; no line is read)",
        ),
        optional(
            "group_index",
            Kind::Int32,
            "first group that speaks for the agent, as this dialect counts groups; NULL: none",
        ),
        optional(
            "restriction",
            Kind::Name,
            "none, partial or full, found by probing /, a path that stands nowhere, and for each rule of the agent's groups a path that it matches; by access: full_allow is none, full_disallow is full; NULL: a redirect, or the dialect does not say",
        ),
        optional(
            "class_dpi",
            Kind::Name,
            "all, some or none, by the text of the rules; NULL: no file is read",
        )
        .source("Longpre et al. 2024, parse_robots.py"),
        optional(
            "class_cc",
            Kind::Name,
            "disallow-all (Disallow: / alone), allow-all (no rule, or one alone that is an empty value or an allow of /, * or /*) or allow-part, by equality of lists, of the groups that the dialect selects; NULL: no file is read",
        )
        .source("Common Crawl, robotstxt-experiments"),
        optional(
            "class_probe",
            Kind::Name,
            "fully_disallowed, partially_disallowed or no_restrictions, by probing every path of the file; NULL: no file is read",
        )
        .source("Liu et al. 2025, robots_analysis_final.py"),
        optional(
            "bias",
            Kind::Name,
            "favored, same or disfavored: the rank of restriction against that of * in the same file; NULL: restriction is",
        )
        .source("after Sun et al. 2007"),
        optional(
            "crawl_delay",
            Kind::Float64,
            "the first number that a crawl-delay line of the agent's groups gives; NULL: none",
        )
        .unit("seconds"),
    ],
};

const GROUP_KINDS: [&str; 4] = ["named", "wildcard", "none", "access"];
const ACCESS: usize = 3;

/// Builds rows of `policies`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    /// For each agent its category, as an index.
    categories: Vec<Option<usize>>,
    keys: Keys,
    dialect: Known,
    agent: Known,
    agent_category: Known,
    group_kind: Known,
    group_index: Numbers<Int32Type>,
    restriction: Known,
    class_dpi: Known,
    class_cc: Known,
    class_probe: Known,
    bias: Known,
    crawl_delay: Numbers<Float64Type>,
}

impl Builder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        let names = matrix.categories();
        let index = |agent: &MatrixAgent| {
            let category = agent.category.as_deref()?;
            names.iter().position(|name| *name == category)
        };
        Self {
            schema: TABLE.schema(),
            categories: matrix.agents.iter().map(index).collect(),
            keys: Keys::default(),
            dialect: Known::new(dialects),
            agent: Known::new(matrix.agents.iter().map(MatrixAgent::name)),
            agent_category: Known::new(names),
            group_kind: Known::new(GROUP_KINDS),
            group_index: Numbers::default(),
            restriction: Known::new(Restriction::ALL.iter().map(|r| r.as_str())),
            class_dpi: Known::new(ClassDpi::ALL.iter().map(|class| class.as_str())),
            class_cc: Known::new(ClassCc::ALL.iter().map(|class| class.as_str())),
            class_probe: Known::new(ClassProbe::ALL.iter().map(|class| class.as_str())),
            bias: Known::new(Bias::ALL.iter().map(|bias| bias.as_str())),
            crawl_delay: Numbers::default(),
        }
    }

    /// Appends the agents of one capture whose lines a dialect reads. `dialect` is its index among
    /// those of the run; `cells`, `policies` and `crawl_delays` are of that dialect: `policies` has
    /// an element for each distinct selection of `cells`, `crawl_delays` the seconds that each
    /// group asks for.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        dialect: usize,
        cells: &Cells,
        policies: &[Policy],
        crawl_delays: &[Option<f64>],
    ) {
        self.begin(capture, dialect);
        let mut agent = 0;
        while agent < self.categories.len() {
            let row = cells.selection_of_agent(agent);
            // Most agents are named by no group, and stand beside others like them.
            let alike = |&other: &usize| cells.selection_of_agent(other) == row;
            let n = (agent..self.categories.len()).take_while(alike).count();
            agent += n;
            let policy = &policies[row];
            self.group_kind
                .append_n(Some(policy.group_kind as usize), n);
            self.group_index.append_n(policy.group_index.map(as_i32), n);
            self.restriction
                .append_n(Some(policy.restriction as usize), n);
            self.class_dpi.append_n(Some(policy.class_dpi as usize), n);
            self.class_cc.append_n(Some(policy.class_cc as usize), n);
            self.class_probe
                .append_n(Some(policy.class_probe as usize), n);
            self.bias.append_n(Some(policy.bias as usize), n);
            let mut groups = cells.selections()[row].groups().iter();
            self.crawl_delay
                .append_n(groups.find_map(|&group| crawl_delays[group as usize]), n);
        }
    }

    /// Appends the agents of one capture for which, in a dialect, the fetch itself decides. The
    /// studies know nothing but files, so their classes are NULL.
    pub fn append_access(&mut self, capture: CaptureKey<'_>, dialect: usize, access: Access) {
        let restriction = match access {
            Access::FullAllow => Some(Restriction::None),
            Access::FullDisallow => Some(Restriction::Full),
            Access::Conditional | Access::Redirect | Access::Undefined => None,
        };
        // Whoever asks gets the same answer.
        let bias = restriction.map(|_| Bias::Same as usize);
        self.begin(capture, dialect);
        let n = self.categories.len();
        self.group_kind.append_n(Some(ACCESS), n);
        self.group_index.append_n(None, n);
        self.restriction
            .append_n(restriction.map(|r| r as usize), n);
        self.class_dpi.append_n(None, n);
        self.class_cc.append_n(None, n);
        self.class_probe.append_n(None, n);
        self.bias.append_n(bias, n);
        self.crawl_delay.append_n(None, n);
    }

    /// Appends what does not depend on the answer.
    fn begin(&mut self, capture: CaptureKey<'_>, dialect: usize) {
        self.keys.append_n(capture, self.categories.len());
        self.dialect.append_n(Some(dialect), self.categories.len());
        self.agent.extend(0..self.categories.len());
        for &category in &self.categories {
            self.agent_category.append_n(category, 1);
        }
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            self.dialect.finish(),
            self.agent.finish(),
            self.agent_category.finish(),
            self.group_kind.finish(),
            Arc::new(self.group_index.finish()),
            self.restriction.finish(),
            self.class_dpi.finish(),
            self.class_cc.finish(),
            self.class_probe.finish(),
            self.bias.finish(),
            Arc::new(self.crawl_delay.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::SelectionKind;

    #[test]
    fn the_dictionary_of_group_kinds_stands_in_the_order_of_its_enum() {
        for kind in [
            SelectionKind::Named,
            SelectionKind::Wildcard,
            SelectionKind::None,
        ] {
            assert_eq!(GROUP_KINDS[kind as usize], kind.as_str());
        }
        assert_eq!(GROUP_KINDS[ACCESS], "access");
    }
}
