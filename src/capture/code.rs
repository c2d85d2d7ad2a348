//! What the table `errors` may say of a response.
//!
//! Enters: a capture. Leaves: codes, each with its severity and a sentence. What it may say of a
//! file is [`AnomalyCode`](crate::dialect::AnomalyCode).

use super::Capture;
use crate::http::{Example, Finding};

/// One code of a response, as opposed to one of the file that it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseCode(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Finding(Finding),
    RecordCut,
}

impl ResponseCode {
    /// Walks over all codes: those of HTTP, then that of the record.
    pub fn all() -> impl Iterator<Item = ResponseCode> {
        let findings = Finding::ALL.iter().map(|&finding| Kind::Finding(finding));
        findings.chain([Kind::RecordCut]).map(ResponseCode)
    }

    /// Walks over the codes of a capture.
    pub(crate) fn of(capture: &Capture<'_>) -> impl Iterator<Item = ResponseCode> {
        let findings = capture.findings.iter().map(Kind::Finding);
        let record = capture.is_cut.then_some(Kind::RecordCut);
        findings.chain(record).map(ResponseCode)
    }

    /// Returns the code used in tables.
    pub fn as_str(self) -> &'static str {
        match self.0 {
            Kind::Finding(finding) => finding.code(),
            Kind::RecordCut => "record_cut",
        }
    }

    /// Returns how much it matters: `info`, `warning` or `error`.
    pub fn severity(self) -> &'static str {
        match self.0 {
            Kind::Finding(finding) => finding.severity(),
            Kind::RecordCut => "warning",
        }
    }

    /// Returns one sentence that explains the code.
    pub fn sentence(self) -> &'static str {
        match self.0 {
            Kind::Finding(finding) => finding.sentence(),
            Kind::RecordCut => "The record holds less than was archived, or its length is wrong.",
        }
    }

    /// Returns a response that shows it, or what such a response is like.
    pub fn example(self) -> Example {
        match self.0 {
            Kind::Finding(finding) => finding.example(),
            Kind::RecordCut => {
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
