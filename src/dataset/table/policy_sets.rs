//! The table `policy_sets`: one row for each agent and dialect of each distinct vector of policies.

use super::{Float64, Int64, KnownName, table};
use crate::{
    dataset::evaluation::AgentPolicy,
    robots::{
        matrix::{Matrix, MatrixAgent},
        policy::{Bias, ClassCc, ClassDpi, ClassProbe, Policy, Restriction},
    },
};

table! {
    /// one dialect and agent of one distinct vector of policies, which captures share
    /// (captures.policy_set_id): how much of the site is forbidden to it, by the rules of the
    /// dialect and by the definitions of earlier studies
    "policy_sets": pub struct PolicySetsBuilder {
        /// key of the vector, as in captures: a function of the part's name and of the policies
        policy_set_id: Int64 [dictionary],
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
        /// none, partial or full, found by probing /, a path that no rule names, and for each rule
        /// of the agent's groups a path that it matches; by access: full_allow is none,
        /// full_disallow is full; NULL: a redirect, or the dialect leaves it open
        restriction: KnownName<Restriction> [nullable],
        /// all, some or none, by the text of the rules; NULL: no file is read
        class_dpi: KnownName<ClassDpi> [nullable, source("Longpre et al. 2024, parse_robots.py")],
        /// disallow-all (Disallow: / alone), allow-all (no rule, or one alone that is an empty
        /// value or an allow of /, * or /*) or allow-part, by equality of lists, of the groups that
        /// the dialect selects; NULL: no file is read
        class_cc: KnownName<ClassCc> [nullable, source("Common Crawl, robotstxt-experiments")],
        /// fully_disallowed, partially_disallowed or no_restrictions, by probing every path of the
        /// file; NULL: no file is read
        class_probe: KnownName<ClassProbe>
            [nullable, source("Liu et al. 2025, robots_analysis_final.py")],
        /// favored, same or disfavored: the rank of restriction against that of * in the same file;
        /// NULL: restriction is
        bias: KnownName<Bias> [nullable, source("after Sun et al. 2007")],
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

impl PolicySetsBuilder {
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
            ..Self::default()
        }
    }

    /// Appends the rows of an agent under a dialect, both by their index: the key of each vector,
    /// and the agent's policy in it.
    pub fn append_agent<'p>(
        &mut self,
        dialect: usize,
        agent: usize,
        sets: impl ExactSizeIterator<Item = (i64, &'p AgentPolicy)> + Clone,
    ) {
        let n = sets.len();
        let policies = sets.clone().map(|(_, policy)| policy);
        let of_lines = policies.clone().map(|policy| policy.of_lines);
        self.policy_set_id.extend(sets.map(|(id, _)| id));
        self.dialect.append_n(Some(dialect), n);
        self.agent.append_n(Some(agent), n);
        self.agent_category.append_n(self.categories[agent], n);
        let kind = |policy: Option<Policy>| policy.map_or(ACCESS, |p| p.group_kind as usize);
        self.group_kind.extend(of_lines.clone().map(kind));
        self.restriction
            .extend_options(policies.clone().map(|policy| policy.restriction));
        self.class_dpi
            .extend_options(of_lines.clone().map(|policy| Some(policy?.class_dpi)));
        self.class_cc
            .extend_options(of_lines.clone().map(|policy| Some(policy?.class_cc)));
        self.class_probe
            .extend_options(of_lines.map(|policy| Some(policy?.class_probe)));
        self.bias
            .extend_options(policies.clone().map(|policy| policy.bias));
        self.crawl_delay
            .extend_options(policies.map(|policy| policy.crawl_delay));
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
