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

pub(crate) use scan::short_word;

pub use self::{
    anomaly::{AnomalyCode, Severity},
    directive::{Directive, is_blank_byte, trim},
    field::Field,
    line::{Line, LineEnding, Span, Terminator},
    parse::{MAX_BODY_LEN, MAX_LINES, RobotsTxt, parse},
    typed::{RequestRate, TimeRange, decimal, request_rate, time_range},
    url::{UrlFault, absolute_url},
};
pub use crate::sniff::BodyKind;
