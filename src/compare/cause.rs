//! Changes of a dialect's answers, by which causes are named.

use std::fmt;

use crate::robots::dialect::{AnswerValue, CHOICES, Choice, Dialect};

/// One answer of a dialect, changed.
#[derive(Clone, Copy)]
pub struct Change {
    choice: &'static Choice,
    answer: AnswerValue<'static>,
}

impl Change {
    /// Returns every change of one answer that can change a verdict; answers on access cannot.
    pub fn all(base: &Dialect) -> Vec<Change> {
        choices()
            .flat_map(|choice| {
                let is_other = |answer: &AnswerValue| *answer != choice.answer(base);
                let answers = choice.possible_answers().into_iter().filter(is_other);
                answers.map(move |answer| Change { choice, answer })
            })
            .collect()
    }

    /// Returns the changes that turn `base` into `other`, except those of access, in the order of
    /// the choices.
    pub fn between(base: &Dialect, other: &Dialect) -> Vec<Change> {
        choices()
            .filter(|choice| choice.answer(base) != choice.answer(other))
            .map(|choice| Change {
                choice,
                answer: choice.answer(other),
            })
            .collect()
    }

    /// Returns a dialect with these changes.
    pub fn apply_all<'c>(base: &Dialect, changes: impl IntoIterator<Item = &'c Change>) -> Dialect {
        let mut dialect = base.clone();
        for change in changes {
            change.apply(&mut dialect);
        }
        dialect
    }

    /// Makes the change.
    pub fn apply(&self, dialect: &mut Dialect) {
        self.choice.set(dialect, self.answer);
    }

    /// Returns the name of the choice whose answer changes.
    pub fn choice(&self) -> &'static str {
        self.choice.name
    }
}

fn choices() -> impl Iterator<Item = &'static Choice> {
    let is_of_lines = |choice: &&Choice| !choice.name.starts_with("access.");
    CHOICES.iter().filter(is_of_lines)
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.answer {
            AnswerValue::Word(word) => write!(f, "{}={word}", self.choice.name),
            AnswerValue::Number(number) => write!(f, "{}={number}", self.choice.name),
        }
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
