//! A finding about a file.

use super::code::AnomalyCode;
use crate::robots::{
    dialect::{builtin::DialectSet, definition::Dialect},
    lines::{Field, Span},
};

/// Something unusual about a line, or about the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// What it is.
    pub code: AnomalyCode,
    /// The number of its line, from 1; `None` for the whole file.
    pub line: Option<u32>,
    /// The bytes concerned.
    pub span: Span,
    /// The built-in dialects that interpret the line, or the file, as it was meant.
    pub accepted_by: DialectSet,
    /// The field that was probably meant, where the key is unusual.
    pub meant: Option<Field>,
    /// The number of occurrences that are reported together; 1 unless the code is reported once for
    /// a file.
    pub count: u32,
}

impl Anomaly {
    /// Returns a finding about a line, or about the whole file.
    pub(super) fn new(code: AnomalyCode, line: impl Into<Option<u32>>, span: Span) -> Anomaly {
        Anomaly {
            code,
            line: line.into(),
            span,
            accepted_by: DialectSet::NONE,
            meant: None,
            count: 1,
        }
    }

    pub(super) fn accepted_by(self, accepted_by: DialectSet) -> Anomaly {
        Anomaly {
            accepted_by,
            ..self
        }
    }

    /// Adds the dialects whose answers satisfy `accepts`.
    pub(super) fn accepted_where(self, accepts: impl Fn(&Dialect) -> bool) -> Anomaly {
        self.accepted_by(DialectSet::accepting(accepts))
    }

    pub(super) fn meaning(self, meant: Field) -> Anomaly {
        Anomaly {
            meant: Some(meant),
            ..self
        }
    }
}
