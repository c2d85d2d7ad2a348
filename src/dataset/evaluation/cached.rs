//! The cache of evaluations: equal bodies are evaluated once while they are in it.

use super::{
    Categories, Evaluation, EvaluationScope,
    body::BodyEvaluator,
    slots::{Lookup, Slots},
};
use crate::{
    archive::capture::Capture,
    robots::{
        dialect::Access,
        matrix::{Answers, Matrix, evaluate::Evaluator},
    },
};

/// Bytes of a body up to which its evaluation is cached. What repeats is short, and an evaluation
/// takes several times the memory of its body.
const LONGEST_CACHED: usize = 4 * 1024;
/// Bytes of answers up to which an evaluation is cached: 160 of them at most are.
const MOST_ANSWERS_CACHED: usize = 64 * 1024;
/// Bytes of a body whose evaluation takes so little memory that freeing it gains nothing.
const SHORT: usize = 1024;

/// Evaluates the bodies of captures, and caches the evaluations of short ones.
pub(crate) struct CachingEvaluator<'r> {
    inner: BodyEvaluator<'r>,
    slots: Slots,
    /// By slot; as many as were filled so far.
    entries: Vec<CacheEntry>,
    uncached: Evaluation,
    /// Those of the capture at hand, by dialect.
    accesses: Vec<Access>,
}

/// A cached evaluation with the body it is of.
#[derive(Debug, Default)]
struct CacheEntry {
    body: Vec<u8>,
    evaluation: Evaluation,
}

impl<'r> CachingEvaluator<'r> {
    /// Returns an evaluator for the dialects of `evaluators`, of which the first is the reference
    /// dialect.
    ///
    /// # Panics
    ///
    /// If there is no dialect.
    pub(crate) fn new(
        matrix: &'r Matrix,
        evaluators: &'r [Evaluator],
        categories: &'r Categories,
        scope: EvaluationScope,
    ) -> Self {
        Self {
            inner: BodyEvaluator::new(matrix, evaluators, categories, scope),
            slots: Slots::new(),
            entries: Vec::new(),
            uncached: Evaluation::default(),
            accesses: Vec::new(),
        }
    }

    /// Evaluates the body of a capture.
    pub(crate) fn evaluate(&mut self, capture: &Capture<'_>) -> &Evaluation {
        self.inner.decide_accesses(capture, &mut self.accesses);
        let accesses = &self.accesses;
        // A body that no dialect reads is as good as empty, and equal to all others of the kind.
        let body = match accesses.contains(&Access::Conditional) {
            true => capture.payload,
            false => b"",
        };
        let origin = capture.location.origin();
        if body.len() > LONGEST_CACHED || self.inner.has_own_urls(origin) {
            let evaluation = &mut self.uncached;
            self.inner.evaluate(accesses, body, origin, evaluation);
            return evaluation;
        }
        let slot = match self.slots.look_up(key(&capture.digest, accesses)) {
            Lookup::Hit(slot) if self.entries[slot].is_of(accesses, body) => {
                return &self.entries[slot].evaluation;
            }
            Lookup::Hit(slot) | Lookup::Miss(slot) => slot,
        };
        if self.entries.len() <= slot {
            self.entries.resize_with(slot + 1, CacheEntry::default);
        }
        let entry = &mut self.entries[slot];
        if entry.body.len() > SHORT && body.len() < entry.body.len() / 2 {
            // Otherwise every entry would come to have the capacity that the longest bodies need.
            *entry = CacheEntry::default();
        }
        entry.body.clear();
        entry.body.extend_from_slice(body);
        let evaluation = &mut entry.evaluation;
        self.inner.evaluate(accesses, body, origin, evaluation);
        let answers_size: usize = evaluation.answers().map(Answers::memory_size).sum();
        if answers_size > MOST_ANSWERS_CACHED {
            self.uncached = std::mem::take(evaluation);
            return &self.uncached;
        }
        evaluation
    }
}

impl CacheEntry {
    /// Returns true if and only if this is the evaluation of that body after such a fetch.
    fn is_of(&self, accesses: &[Access], body: &[u8]) -> bool {
        self.evaluation.accesses == accesses && self.body == body
    }
}

/// Returns the key by which an evaluation is looked up. An archive may state any digest, so bodies
/// are compared in the end.
fn key(digest: &[u8], accesses: &[Access]) -> u64 {
    match accesses.contains(&Access::Conditional) {
        true => digest.first_chunk().copied().map_or(0, u64::from_le_bytes),
        false => accesses
            .iter()
            .fold(1, |key, &access| key * 8 + access as u64),
    }
}
