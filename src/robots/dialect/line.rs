//! A line as a dialect interprets it.

use crate::robots::lines::{Field, Span};

/// The interpretation of one line by a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DialectLine {
    /// The number of the line, from 1.
    pub number: u32,
    /// The offset of the line in the body.
    pub offset: u32,
    pub role: Role,
    /// The field that the key names; for a rule whose key only begins with a rule's name it may be
    /// another known field.
    pub field: Field,
    pub key: Span,
    pub value: Span,
}

/// What a line is for the groups of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    UserAgent,
    Allow,
    Disallow,
    /// A directive with any other key.
    Other,
    /// A line of white space, or for Python an empty one.
    BlankLine,
}

impl Role {
    /// Returns the role of a line with exactly the name of `field` as its key.
    pub fn from_field(field: Field) -> Role {
        match field {
            Field::UserAgent => Role::UserAgent,
            Field::Allow => Role::Allow,
            Field::Disallow => Role::Disallow,
            _ => Role::Other,
        }
    }
}
