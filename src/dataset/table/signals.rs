//! The table `signals`: one row for each statement on use or license.

use bstr::ByteSlice;

use super::{Bool, CaptureKey, CaptureKeys, Int32, KnownName, Name, Text, as_i32, table};
use crate::robots::{
    dialect::OtherRecord,
    signal::{self, Vocabulary},
};

table! {
    /// one statement on use or license: Content-Signal, Content-Usage, License, DisallowAITraining,
    /// AllowAITraining, LLM-Policy, Noindex
    "signals": pub struct SignalsBuilder {
        capture: CaptureKeys,
        /// group of the line, 0 for the first of the file; NULL: none
        group_index: Int32 [nullable],
        /// line in the file, 1 for the first
        line: Int32 [delta],
        /// content-signal, content-usage, license, disallow-ai-training, allow-ai-training,
        /// llm-policy or noindex
        vocabulary: KnownName<Vocabulary>,
        /// path-pattern that the statement is about; NULL: everything
        path: Text [nullable, source("draft-ietf-aipref-attach, draft-canel-robots-ai-control")],
        /// key of a list, of a content-signal in lower case; of a repeated key the last counts
        key: Name [nullable, source("RFC 9651, 3.2")],
        /// value of the key, of a content-signal in lower case, of a content-usage as RFC 9651
        /// writes it; a URL; where parse_ok is false, the text as written (of noindex, which has a
        /// path, NULL)
        value: Text [nullable, dictionary],
        /// whether the statement has the form of its vocabulary; one that has not states nothing
        parse_ok: Bool,
    }
}

impl SignalsBuilder {
    /// Appends the statements of a line of the file `body`; a line of any other field has none.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], record: &OtherRecord) {
        let Some(vocabulary) = Vocabulary::of(record.field) else {
            return;
        };
        for statement in signal::read(vocabulary, record.value.of(body)) {
            self.capture.append(capture);
            self.group_index.append(record.group_index.map(as_i32));
            self.line.append(as_i32(record.line));
            self.vocabulary.append(vocabulary);
            self.path
                .append(statement.path.map(ByteSlice::to_str_lossy));
            let [key, value] = [&statement.key, &statement.value]
                .map(|text| text.as_deref().map(ByteSlice::to_str_lossy));
            self.key.append(key);
            self.value.append(value);
            self.parse_ok.append(statement.is_sound);
        }
    }
}
