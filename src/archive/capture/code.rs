//! The codes of the table `response_errors`. Those of `errors` are
//! [`AnomalyCode`](crate::robots::dialect::AnomalyCode).

use super::Capture;
use crate::archive::http::{Example, Finding};

/// A code that concerns a response, as opposed to the file that it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseCode {
    /// A finding on the HTTP response.
    Http(Finding),
    /// The record is incomplete.
    RecordCut,
}

impl ResponseCode {
    /// Returns all codes: those of HTTP, then that of the record.
    pub fn all() -> impl Iterator<Item = ResponseCode> {
        let findings = Finding::ALL.iter().map(|&finding| Self::Http(finding));
        findings.chain([Self::RecordCut])
    }

    /// Returns the codes of a capture.
    pub(crate) fn of_capture(capture: &Capture<'_>) -> impl Iterator<Item = ResponseCode> {
        let findings = capture.findings.iter().map(Self::Http);
        findings.chain(capture.is_cut.then_some(Self::RecordCut))
    }

    /// Returns the name used in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http(finding) => finding.code(),
            Self::RecordCut => "record_cut",
        }
    }

    /// Returns the severity: `info`, `warning` or `error`.
    pub fn severity(self) -> &'static str {
        match self {
            Self::Http(finding) => finding.severity(),
            Self::RecordCut => "warning",
        }
    }

    /// Returns one sentence that explains the code.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Http(finding) => finding.sentence(),
            Self::RecordCut => "The record holds less than was archived, or its length is wrong.",
        }
    }

    /// Returns a response with the code, or a description of one.
    pub fn example(self) -> Example {
        match self {
            Self::Http(finding) => finding.example(),
            Self::RecordCut => {
                Example::Words("a record whose Content-Length is more than the bytes that follow")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_listed_once_with_a_sentence() {
        let mut codes: Vec<_> = ResponseCode::all().map(ResponseCode::as_str).collect();
        assert_eq!(codes.len(), Finding::ALL.len() + 1);
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Finding::ALL.len() + 1);
        for code in ResponseCode::all() {
            assert!(code.sentence().ends_with('.'));
            assert!(matches!(code.severity(), "info" | "warning" | "error"));
        }
    }
}
