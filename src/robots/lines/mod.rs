//! The line model of a robots.txt body.
//!
//! A decoded body is parsed to physical lines as offsets into it, each with its directive and its
//! properties. The model is lossless: the lines with their terminators, joined, are the body.
//!
//! This module is independent of dialects. It tolerates nothing and rejects nothing, it cannot
//! fail, and it copies no bytes of the body.

mod directive;
mod field;
mod line;
mod parse;
mod scan;
mod span;
mod typed;
mod url;

pub(crate) use self::{
    directive::{Directive, is_blank_byte, trim},
    line::{LineEnding, Terminator},
    parse::{BYTE_ORDER_MARK, MAX_BODY_LEN},
    scan::{first_word, repeat},
    span::Span,
    typed::{decimal, is_time_range, request_rate},
    url::{UrlFault, absolute_url},
};
pub use self::{
    field::Field,
    line::Line,
    parse::{MAX_LINES, RobotsTxt, parse},
};

pub use crate::sniff::BodyKind;
