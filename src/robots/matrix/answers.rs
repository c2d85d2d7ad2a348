//! The decisions of one capture under one dialect, each distinct row once, and a digest by which
//! equal rows are found.

use crate::{
    digest::{Sha1Digest, sha1},
    robots::dialect::Decision,
};

/// The most decisions in memory of one capture under one dialect; they take 5 MiB. Those of further
/// selections of groups are computed again where they are written.
pub(super) const MOST_HELD: usize = 1 << 18;

/// The answers to every agent about every URL.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub(super) n_urls: usize,
    /// Rows of `n_urls` decisions, as many as are stored.
    pub(super) decisions: Vec<Decision>,
    pub(super) row_of_agent: Vec<usize>,
}

/// The decisions for one agent about consecutive URLs.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The agent, by its position in the matrix.
    pub agent: usize,
    /// The position of the first URL: paths of the matrix, then absolute URLs of the origin.
    pub first_url: usize,
    /// The decisions, by URL.
    pub decisions: &'a [Decision],
}

impl Answers {
    /// Returns the number of cells: agents times URLs.
    pub fn n_cells(&self) -> usize {
        self.row_of_agent.len() * self.n_urls
    }

    /// Returns an agent's answers: for the paths of the matrix, then for the absolute URLs of the
    /// capture's origin. They are none if there were too many to be stored;
    /// [`Evaluator::each_block`](super::evaluate::Evaluator::each_block) has all.
    pub fn of_agent(&self, agent: usize) -> &[Decision] {
        self.row(self.row_of_agent[agent])
    }

    /// Returns the decisions, a block for each agent; those that are not stored are empty.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        (0..self.row_of_agent.len()).map(|agent| Block {
            agent,
            first_url: 0,
            decisions: self.of_agent(agent),
        })
    }

    /// Returns true if and only if every decision is stored.
    pub(crate) fn are_held(&self) -> bool {
        let n_rows = self.row_of_agent.iter().max().map_or(0, |row| row + 1);
        self.decisions.len() == n_rows * self.n_urls
    }

    /// Returns about how many bytes of memory the answers take.
    pub(crate) fn memory_size(&self) -> usize {
        size_of_val(&self.decisions[..]) + size_of_val(&self.row_of_agent[..])
    }

    /// Appends 20 bytes for each agent, the digest of its answers: equal answers append equal
    /// bytes, whichever agents share a row.
    pub(crate) fn append_digests(&self, scratch: &mut DigestScratch, bytes: &mut Vec<u8>) {
        scratch.rows.clear();
        for &row in &self.row_of_agent {
            // Rows are counted in the order in which agents first need them.
            if row == scratch.rows.len() {
                scratch.text.clear();
                self.row(row)
                    .iter()
                    .for_each(|decision| append(decision, &mut scratch.text));
                scratch.rows.push(sha1(&scratch.text));
            }
            bytes.extend_from_slice(&scratch.rows[row]);
        }
    }

    fn row(&self, row: usize) -> &[Decision] {
        let start = row * self.n_urls;
        let row = self.decisions.get(start..start + self.n_urls);
        row.unwrap_or_default()
    }
}

/// Reusable memory for digests of rows.
#[derive(Debug, Default)]
pub(crate) struct DigestScratch {
    rows: Vec<Sha1Digest>,
    text: Vec<u8>,
}

/// Appends a decision as 18 bytes.
fn append(decision: &Decision, bytes: &mut Vec<u8>) {
    bytes.extend([decision.verdict as u8, decision.basis as u8]);
    for number in [decision.group_index, decision.rule_line] {
        bytes.extend(number.map_or(u64::MAX, u64::from).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::{Basis, Verdict};

    fn decision(rule_line: Option<u32>) -> Decision {
        Decision {
            verdict: Verdict::Allow,
            basis: Basis::Rule,
            group_index: None,
            rule_line,
        }
    }

    fn digests(lines: &[Option<u32>], row_of_agent: &[usize]) -> Vec<u8> {
        let answers = Answers {
            n_urls: 1,
            decisions: lines.iter().copied().map(decision).collect(),
            row_of_agent: row_of_agent.to_vec(),
        };
        let mut bytes = Vec::new();
        answers.append_digests(&mut DigestScratch::default(), &mut bytes);
        assert_eq!(bytes.len(), 20 * row_of_agent.len());
        bytes
    }

    #[test]
    fn equal_answers_have_equal_digests_whichever_agents_share_a_row() {
        assert_eq!(
            digests(&[Some(4)], &[0, 0]),
            digests(&[Some(4), Some(4)], &[0, 1])
        );
        assert_eq!(
            digests(&[Some(4), None], &[0, 1, 0]),
            digests(&[Some(4), None, Some(4)], &[0, 1, 2])
        );
    }

    #[test]
    fn an_agent_or_a_line_more_or_less_is_another_digest() {
        let one = digests(&[Some(4), None], &[0, 1]);
        for other in [
            digests(&[None, Some(4)], &[0, 1]),
            digests(&[Some(4), Some(0)], &[0, 1]),
            digests(&[Some(4)], &[0, 0]),
            digests(&[Some(4), None], &[0, 1, 0]),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn agents_that_are_asked_nothing_have_digests_too() {
        let answers = Answers {
            n_urls: 0,
            decisions: Vec::new(),
            row_of_agent: vec![0, 1],
        };
        assert_eq!(answers.n_cells(), 0);
        let mut bytes = Vec::new();
        answers.append_digests(&mut DigestScratch::default(), &mut bytes);
        assert_eq!(bytes[..20], bytes[20..]);
    }
}
