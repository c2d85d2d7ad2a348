//! The table `response_errors`: one row for each finding on the response that carried a file, or on
//! the record with that response.
//!
//! Captures of any status may have some, while `errors` has rows of files that are read only. Their
//! codes are `record_cut` and those that begin with `http_` ([`Finding`]); no code of `errors`
//! does, so the rows of both tables can be united.

use super::{CaptureKey, CaptureKeys, Name, table};
use crate::archive::http::Finding;

table! {
    /// one finding on the HTTP response of a capture of any status, or on its record
    "response_errors": pub struct ResponseErrorsBuilder {
        capture: CaptureKeys,
        /// what was found, as a code: http_* or record_cut
        code: Name,
        /// info, warning or error: error where bytes of the body are lost, so that its lines do not
        /// count
        severity: Name,
        /// a sentence that describes the finding
        text: Name,
    }
}

impl ResponseErrorsBuilder {
    /// Appends a finding on a response.
    pub fn append(&mut self, capture: CaptureKey<'_>, finding: Finding) {
        self.capture.append(capture);
        self.code.append(finding.as_str());
        self.severity.append(finding.severity().as_str());
        self.text.append(finding.sentence());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::AnomalyCode;

    #[test]
    fn codes_tell_findings_on_responses_from_those_on_files() {
        let is_of_response = |code: &str| code.starts_with("http_") || code == "record_cut";
        let of_files = AnomalyCode::ALL.iter().map(|code| code.as_str());
        let of_responses = Finding::ALL.iter().map(|finding| finding.as_str());
        assert!(of_responses.into_iter().all(is_of_response));
        assert!(of_files.into_iter().all(|code| !is_of_response(code)));
    }
}
