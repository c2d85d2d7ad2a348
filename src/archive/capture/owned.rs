//! A capture that outlives its record.

use std::ops::Range;

use super::{Capture, Truncation};
use crate::{
    archive::http::{ContentType, Findings},
    digest::Base32Digest,
    url::Location,
};

/// A capture whose borrowed parts were copied to bytes that the caller owns.
#[derive(Debug)]
pub(crate) struct OwnedCapture {
    location: Location,
    fetch_time: Option<i64>,
    fetch_status: Option<u16>,
    fetch_redirect: Option<Box<str>>,
    fetch_ip: Option<Range<usize>>,
    fetch_server: Option<Range<usize>>,
    mime: Option<Range<usize>>,
    charset: Option<Range<usize>>,
    mime_detected: &'static str,
    is_html: bool,
    truncated: Option<Truncation>,
    payload: Range<usize>,
    digest: Base32Digest,
    findings: Findings,
}

impl OwnedCapture {
    /// Copies a capture; its borrowed parts are appended to `bytes`.
    pub(crate) fn copy(capture: &Capture<'_>, bytes: &mut Vec<u8>) -> Self {
        let mut append = |text: &[u8]| {
            let start = bytes.len();
            bytes.extend_from_slice(text);
            start..bytes.len()
        };
        Self {
            location: capture.location.clone(),
            fetch_time: capture.fetch_time,
            fetch_status: capture.fetch_status,
            fetch_redirect: capture.fetch_redirect.map(Box::from),
            fetch_ip: capture.fetch_ip.map(&mut append),
            fetch_server: capture.fetch_server.map(&mut append),
            mime: capture.content_type.mime.map(&mut append),
            charset: capture.content_type.charset.map(&mut append),
            mime_detected: capture.mime_detected,
            is_html: capture.is_html,
            truncated: capture.truncated,
            payload: append(capture.payload),
            digest: capture.digest,
            findings: capture.findings,
        }
    }

    /// Returns the capture; `bytes` are those that [`OwnedCapture::copy`] has appended to.
    pub(crate) fn capture<'a>(&'a self, bytes: &'a [u8]) -> Capture<'a> {
        let text = |range: &Range<usize>| &bytes[range.clone()];
        Capture {
            location: &self.location,
            fetch_time: self.fetch_time,
            fetch_status: self.fetch_status,
            fetch_redirect: self.fetch_redirect.as_deref(),
            fetch_ip: self.fetch_ip.as_ref().map(text),
            fetch_server: self.fetch_server.as_ref().map(text),
            content_type: ContentType {
                mime: self.mime.as_ref().map(text),
                charset: self.charset.as_ref().map(text),
            },
            mime_detected: self.mime_detected,
            is_html: self.is_html,
            truncated: self.truncated,
            payload: text(&self.payload),
            digest: self.digest,
            findings: self.findings,
        }
    }
}
