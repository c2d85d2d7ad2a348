//! The policies of the agents of one capture under one dialect, each distinct one once.

use crate::robots::{
    dialect::Access,
    matrix::evaluate::Cells,
    policy::{Bias, Policy, Restriction},
};

/// What a file, or the fetch itself, means for an agent: a row of `policy_sets` without its keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AgentPolicy {
    /// The policy of the lines, if they decide; else the fetch does, alike for every agent.
    pub(crate) of_lines: Option<Policy>,
    /// How much is disallowed, unless that is open.
    pub(crate) restriction: Option<Restriction>,
    /// The restriction against that of `*`, unless it is open.
    pub(crate) bias: Option<Bias>,
    /// The first number of seconds of delay that a group of the agent asks for.
    pub(crate) crawl_delay: Option<f64>,
}

impl AgentPolicy {
    fn from_access(access: Access) -> Self {
        let restriction = match access {
            Access::FullAllow => Some(Restriction::None),
            Access::FullDisallow => Some(Restriction::Full),
            Access::Conditional | Access::Redirect | Access::Undefined => None,
        };
        Self {
            of_lines: None,
            restriction,
            bias: restriction.map(|_| Bias::Same),
            crawl_delay: None,
        }
    }

    /// Appends 15 bytes, equal for equal policies.
    fn append_to(&self, bytes: &mut Vec<u8>) {
        let of_lines = self.of_lines.map_or([u8::MAX; 4], |policy| {
            [
                policy.group_kind as u8,
                policy.class_dpi as u8,
                policy.class_cc as u8,
                policy.class_probe as u8,
            ]
        });
        bytes.extend(of_lines);
        bytes.push(self.restriction.map_or(u8::MAX, |value| value as u8));
        bytes.push(self.bias.map_or(u8::MAX, |value| value as u8));
        bytes.push(self.crawl_delay.is_some() as u8);
        let delay = self.crawl_delay.unwrap_or_default();
        bytes.extend(delay.to_bits().to_le_bytes());
    }
}

/// The policies of all agents; reusable.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentPolicies {
    /// Each distinct policy once, in the order in which agents first have them.
    distinct: Vec<AgentPolicy>,
    /// By agent, the position of its policy.
    of_agent: Vec<u32>,
}

impl AgentPolicies {
    /// Replaces the policies by what a fetch decides for each of `n_agents`.
    pub(super) fn set_access(&mut self, access: Access, n_agents: usize) {
        self.distinct.clear();
        self.distinct.push(AgentPolicy::from_access(access));
        self.of_agent.clear();
        self.of_agent.resize(n_agents, 0);
    }

    /// Replaces the policies by those of a file. `policies` has an element for each distinct
    /// selection of `cells`, `crawl_delays` the seconds that each group asks for.
    pub(super) fn set_lines(
        &mut self,
        cells: &Cells,
        policies: &[Policy],
        crawl_delays: &[Option<f64>],
    ) {
        self.distinct.clear();
        self.of_agent.clear();
        // Different groups may mean the same; selections are in the order in which agents first
        // have them.
        let mut positions = Vec::with_capacity(policies.len());
        for (selection, &policy) in cells.selections().iter().zip(policies) {
            let mut groups = selection.groups().iter();
            let policy = AgentPolicy {
                of_lines: Some(policy),
                restriction: Some(policy.restriction),
                bias: Some(policy.bias),
                crawl_delay: groups.find_map(|&group| crawl_delays[group as usize]),
            };
            let known = self.distinct.iter().position(|&known| known == policy);
            let position = known.unwrap_or(self.distinct.len());
            if known.is_none() {
                self.distinct.push(policy);
            }
            positions.push(position as u32);
        }
        let selections = cells.selections_of_agents().iter();
        let of_agent = selections.map(|&selection| positions[selection]);
        self.of_agent.extend(of_agent);
    }

    /// Returns an agent's policy.
    pub(crate) fn of_agent(&self, agent: usize) -> &AgentPolicy {
        &self.distinct[self.of_agent[agent] as usize]
    }

    /// Returns about how many bytes of memory the policies take.
    pub(crate) fn memory_size(&self) -> usize {
        size_of::<Self>() + size_of_val(&self.distinct[..]) + size_of_val(&self.of_agent[..])
    }

    /// Appends bytes that are equal for equal policies of as many agents.
    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.distinct.len() as u32).to_le_bytes());
        for policy in &self.distinct {
            policy.append_to(bytes);
        }
        for position in &self.of_agent {
            bytes.extend(position.to_le_bytes());
        }
    }
}
