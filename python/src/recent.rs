//! A cache of what recent decisions have prepared.
//!
//! Callers that ask about many URLs or files pass the same strings again and again: the tokens of
//! crawlers, and the URLs of a matrix. What a dialect makes of such a string is cached under its
//! identity, since hashing or comparing it would cost as much as preparing it. The cache keeps the
//! string alive, and it never changes, so its address identifies its content.

use std::cell::Cell;

use pyo3::{
    prelude::*,
    types::{PyBytes, PyString},
};
use robocensus::robots::dialect::{Agent, PreparedPath, RuleSet, Selection};

use super::{
    dialect::SharedDialect,
    robots::REFERENCE,
    text::{bytes, is_list, tokens},
};

/// How many tokens and how many URLs a thread caches, and the longest of them in bytes.
const SLOTS: usize = 128;
const MAX_LEN: usize = 2048;

/// What one thread has prepared.
pub struct Recent {
    agents: Kept<Agent>,
    paths: Kept<PreparedPath>,
    selection: Selection,
    /// What `selection` was made for, unless that cannot be told by its identity.
    selected: Option<Selected>,
}

/// A crawler whose groups in one file were selected.
struct Selected {
    file: u64,
    agent: Py<PyAny>,
    dialect: SharedDialect,
}

impl Recent {
    /// Calls `decide` with what this thread has prepared.
    ///
    /// The cache is taken out of the thread for the call: objects of other types than `str` and
    /// `bytes`, and finalizers, may run any code, and a decision made there starts with another.
    pub fn with<R>(decide: impl FnOnce(&mut Recent) -> PyResult<R>) -> PyResult<R> {
        thread_local! {
            static RECENT: Cell<Option<Box<Recent>>> = const { Cell::new(None) };
        }
        RECENT.with(|kept| {
            let mut recent = kept.take().unwrap_or_else(|| Box::new(Recent::new()));
            let result = decide(&mut recent);
            kept.set(Some(recent));
            result
        })
    }

    fn new() -> Recent {
        Recent {
            agents: Kept::new(),
            paths: Kept::new(),
            selection: Selection::new(),
            selected: None,
        }
    }

    /// Selects the groups of a file for a crawler, for the decisions that follow. `rules` are those
    /// of the file that has this number.
    pub fn select(
        &mut self,
        (file, rules): (u64, &RuleSet),
        agent: &Bound<'_, PyAny>,
        dialect: &SharedDialect,
    ) -> PyResult<()> {
        let is_selected = |selected: &Selected| {
            selected.file == file && selected.agent.is(agent) && selected.dialect.is(dialect)
        };
        if self.selected.as_ref().is_some_and(is_selected) {
            return Ok(());
        }
        self.selected = None;
        if is_list(agent) {
            let agent = Agent::new(dialect.get(), &tokens(agent, "agent")?);
            rules.select(&agent, &mut self.selection);
            return Ok(());
        }
        let prepare = |prepared: &mut Option<Agent>, token: &[u8]| {
            *prepared = Some(Agent::new(dialect.get(), &[token]));
        };
        let prepared = self.agents.get(agent, dialect, "agent", prepare)?;
        rules.select(prepared, &mut self.selection);
        self.selected = is_constant(agent).then(|| Selected {
            file,
            agent: agent.clone().unbind(),
            dialect: dialect.clone(),
        });
        Ok(())
    }

    /// Decides about a URL for the crawler that was selected last, with the same rules.
    pub fn decide(
        &mut self,
        rules: &RuleSet,
        url: &Bound<'_, PyAny>,
        dialect: &SharedDialect,
    ) -> PyResult<robocensus::Decision> {
        let prepare = |prepared: &mut Option<PreparedPath>, url: &[u8]| match prepared {
            Some(path) => path.set_url(dialect.get(), url),
            None => *prepared = Some(PreparedPath::from_url(dialect.get(), url)),
        };
        let path = self.paths.get(url, dialect, "url", prepare)?;
        Ok(rules.decide(&self.selection, path))
    }
}

/// What was prepared from texts. Each address maps to two slots, which are replaced in turn.
struct Kept<T> {
    slots: Vec<[Slot<T>; 2]>,
    turn: usize,
    /// The last text that is not cached: it may change, or it is long.
    other: Slot<T>,
}

struct Slot<T> {
    text: Option<Py<PyAny>>,
    dialect: SharedDialect,
    prepared: Option<T>,
}

impl<T> Slot<T> {
    fn new() -> Slot<T> {
        Slot {
            text: None,
            dialect: REFERENCE,
            prepared: None,
        }
    }
}

impl<T> Kept<T> {
    fn new() -> Kept<T> {
        let pairs = (0..SLOTS / 2).map(|_| [Slot::new(), Slot::new()]);
        Kept {
            slots: pairs.collect(),
            turn: 0,
            other: Slot::new(),
        }
    }

    /// Returns what `prepare` makes of the bytes of `text`, or has made of them before. It may
    /// reuse the memory of what had the slot. `name` is that of the argument.
    fn get(
        &mut self,
        text: &Bound<'_, PyAny>,
        dialect: &SharedDialect,
        name: &str,
        prepare: impl FnOnce(&mut Option<T>, &[u8]),
    ) -> PyResult<&T> {
        let slots = &mut self.slots[index(text)];
        let is_known = |slot: &Slot<T>| {
            slot.text.as_ref().is_some_and(|known| known.is(text)) && slot.dialect.is(dialect)
        };
        let slot = match slots.iter().position(is_known) {
            Some(index) => &slots[index],
            None => {
                let bytes = bytes(text, name)?;
                let slot = if is_constant(text) && bytes.len() <= MAX_LEN {
                    self.turn ^= 1;
                    let slot = &mut slots[self.turn];
                    slot.text = Some(text.clone().unbind());
                    slot.dialect = dialect.clone();
                    slot
                } else {
                    self.other = Slot::new();
                    &mut self.other
                };
                prepare(&mut slot.prepared, &bytes);
                slot
            }
        };
        let prepared = slot.prepared.as_ref();
        Ok(prepared.expect("the slot was filled"))
    }
}

/// Returns true if and only if an object is a `str` or `bytes` itself. One of a derived class may
/// have a finalizer.
fn is_constant(text: &Bound<'_, PyAny>) -> bool {
    text.is_exact_instance_of::<PyString>() || text.is_exact_instance_of::<PyBytes>()
}

/// Returns the number of the slots of an object. Addresses are multiples of 16, and those of small
/// objects are near each other.
fn index(text: &Bound<'_, PyAny>) -> usize {
    let hash = (text.as_ptr() as u64 >> 4).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> (u64::BITS - (SLOTS / 2).ilog2())) as usize
}
