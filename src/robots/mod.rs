//! The line model of a robots.txt body.
//!
//! Enters: a decoded body as bytes. Leaves: physical lines as offsets into that body, each with the
//! directive that stands on it and the facts a reader may want to know. The model is lossless: the
//! lines with their terminators, joined, give back the body.
//!
//! This room refuses to know any dialect. It tolerates nothing and rejects nothing, it cannot fail,
//! and it keeps no bytes of its own.

mod anomaly;
mod directive;
mod field;
mod line;
mod parse;
mod scan;
mod typed;
mod url;

pub use self::{
    anomaly::{AnomalyCode, Severity},
    field::Field,
    line::Line,
    parse::{MAX_LINES, RobotsTxt, parse},
};
pub(crate) use self::{
    directive::{Directive, is_blank_byte, trim},
    line::{LineEnding, Span, Terminator},
    parse::MAX_BODY_LEN,
    scan::short_word,
    typed::{decimal, request_rate, time_range},
    url::{UrlFault, absolute_url},
};
#[cfg(feature = "dataset")]
pub(crate) use typed::TimeRange;

pub use crate::sniff::BodyKind;
