//! CPython's `urllib.robotparser` (3.11), for the answers [`TextModel::PythonStr`],
//! [`GroupEnd::PythonStates`] and [`Percent::PythonQuoted`].
//!
//! This file is the only entrance: what it does not export, no other file can call. Python decodes
//! the file to `str`, so that lines, white space, letter case and digits are those of Unicode, and
//! compares quoted URLs. None of this is shared with the other dialects.
//!
//! [`TextModel::PythonStr`]: super::definition::TextModel::PythonStr
//! [`GroupEnd::PythonStates`]: super::definition::GroupEnd::PythonStates
//! [`Percent::PythonQuoted`]: super::definition::Percent::PythonQuoted

mod number;
mod text;
mod url;

pub(super) use self::{
    number::raises,
    text::{fold_name, has_empty_line, interpret_line, strip},
    url::{path_of_url, pattern_of_value},
};

/// Appends a user-agent value of a file in the form in which it is compared: without escapes and in
/// lower case.
pub(super) fn fold_value(value: &[u8], out: &mut Vec<u8>) {
    text::lower(&url::unquote(&text::decode(value)), out);
}
