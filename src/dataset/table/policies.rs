//! The table `policies`: one row for each capture, dialect of the run, and agent.

use super::{
    as_i32,
    column::{CaptureKey, CaptureKeys, Float64, Int32, KnownName},
    schema::table,
};
use crate::robots::{
    dialect::Access,
    matrix::{Matrix, MatrixAgent, evaluate::Cells},
    policy::{Bias, ClassCc, ClassDpi, ClassProbe, Policy, Restriction},
};

table! {
    /// one capture, dialect and agent: how much of the site is forbidden to it, by the rules of the
    /// dialect and by the definitions of earlier studies
    "policies": pub struct PoliciesBuilder {
        capture: CaptureKeys,
        /// dialect whose groups, rules and access count in this row
        dialect: KnownName,
        /// crawler of the matrix: the first product token of its chain
        agent: KnownName,
        /// what it crawls for, as the list of agents states; control-token: no crawler sends the
        /// token, which states what may be done with what other crawlers fetch
        agent_category: KnownName [nullable],
        /// whose rules count: named (a group names the agent), wildcard, none, access (the fetch
        /// decides; no line is read)
        group_kind: KnownName,
        /// first group that applies to the agent, as this dialect counts groups; NULL: none
        group_index: Int32 [nullable],
        /// none, partial or full, found by probing /, a path that no rule names, and for each rule
        /// of the agent's groups a path that it matches; by access: full_allow is none,
        /// full_disallow is full; NULL: a redirect, or the dialect leaves it open
        restriction: KnownName [nullable],
        /// all, some or none, by the text of the rules; NULL: no file is read
        class_dpi: KnownName [nullable, source("Longpre et al. 2024, parse_robots.py")],
        /// disallow-all (Disallow: / alone), allow-all (no rule, or one alone that is an empty
        /// value or an allow of /, * or /*) or allow-part, by equality of lists, of the groups that
        /// the dialect selects; NULL: no file is read
        class_cc: KnownName [nullable, source("Common Crawl, robotstxt-experiments")],
        /// fully_disallowed, partially_disallowed or no_restrictions, by probing every path of the
        /// file; NULL: no file is read
        class_probe: KnownName [nullable, source("Liu et al. 2025, robots_analysis_final.py")],
        /// favored, same or disfavored: the rank of restriction against that of * in the same file;
        /// NULL: restriction is
        bias: KnownName [nullable, source("after Sun et al. 2007")],
        /// the first number that a crawl-delay line of the agent's groups gives; NULL: none
        crawl_delay: Float64 [nullable, unit("seconds")],
    }
    with {
        /// The category of each agent, by its index.
        categories: Vec<Option<usize>>,
    }
}

/// The values of `group_kind`: those of a selection in the order of their enum, and that of access.
const GROUP_KINDS: [&str; 4] = ["named", "wildcard", "none", "access"];
const ACCESS: usize = 3;

impl PoliciesBuilder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        let names = matrix.categories();
        let index = |agent: &MatrixAgent| {
            let category = agent.category.as_deref()?;
            names.iter().position(|name| *name == category)
        };
        Self {
            categories: matrix.agents.iter().map(index).collect(),
            dialect: KnownName::new(dialects),
            agent: KnownName::new(matrix.agents.iter().map(MatrixAgent::name)),
            agent_category: KnownName::new(names),
            group_kind: KnownName::new(GROUP_KINDS),
            restriction: KnownName::new(Restriction::ALL.iter().map(|value| value.as_str())),
            class_dpi: KnownName::new(ClassDpi::ALL.iter().map(|class| class.as_str())),
            class_cc: KnownName::new(ClassCc::ALL.iter().map(|class| class.as_str())),
            class_probe: KnownName::new(ClassProbe::ALL.iter().map(|class| class.as_str())),
            bias: KnownName::new(Bias::ALL.iter().map(|bias| bias.as_str())),
            ..Self::default()
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
            // Most agents are named by no group, and adjacent to others like them: their rows
            // differ in the agent alone.
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
    /// studies define their classes for files alone, so they are NULL.
    pub fn append_access(&mut self, capture: CaptureKey<'_>, dialect: usize, access: Access) {
        let restriction = match access {
            Access::FullAllow => Some(Restriction::None),
            Access::FullDisallow => Some(Restriction::Full),
            Access::Conditional | Access::Redirect | Access::Undefined => None,
        };
        // Every agent gets the same answer.
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
        let n = self.categories.len();
        self.capture.append_n(capture, n);
        self.dialect.append_n(Some(dialect), n);
        self.agent.extend(0..n);
        self.agent_category
            .extend_options(self.categories.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::SelectionKind;

    #[test]
    fn the_dictionary_of_group_kinds_has_the_order_of_its_enum() {
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
