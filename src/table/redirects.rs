//! The table `redirects`: one row for each capture that answers with 3xx, made of the whole dataset when its archives are read.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, RecordBatch,
    types::{Int32Type, Int64Type},
};
use arrow_schema::SchemaRef;

use super::{
    column::{CaptureKey, Keys, Known, Numbers, Repeated, Texts},
    schema::{CAPTURE_ID, Kind, Table, URL_HOST_NAME, optional, required},
};
use crate::redirect::{Outcome, Resolution, Target};

/// The table as data.
pub const TABLE: Table = Table {
    name: "redirects",
    about: "one capture that answers with a status from 300 to 399, in the order of captures",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        optional(
            "target_url",
            Kind::Text,
            "URL that its Location names, as a crawler asks for it: resolved, without user, default port and fragment; NULL: it is not followed",
        ),
        optional(
            "target_host_name",
            Kind::Name,
            "host of that URL, ASCII (IDNA) and lower case",
        ),
        required(
            "hops",
            Kind::Int32,
            "redirects followed from here on, this one included; 0 to 5",
        ),
        required(
            "outcome",
            Kind::Name,
            "how the chain ends: resolved (at a capture that does not redirect), not_in_corpus (at a URL without a capture), loop, too_many_hops (more than five), not_followable (another status than 301, 302, 303, 307 and 308, no Location that can be read, or neither http nor https)",
        )
        .source("RFC 9309, 2.3.1.2"),
        required(
            "final_url",
            Kind::Text,
            "last URL that was asked for, in the form of target_url; its own URL where it is not followed",
        ),
        optional(
            "effective_capture_id",
            Kind::Int64,
            "capture at the end of the chain, whose rules count for the origin of this one; of several captures of a URL the one fetched nearest in time; NULL: not resolved",
        ),
    ],
};

/// Builds rows of `redirects`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    target_url: Texts,
    target_host_name: Repeated,
    hops: Numbers<Int32Type>,
    outcome: Known,
    final_url: Texts,
    effective_capture_id: Numbers<Int64Type>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            target_url: Texts::default(),
            target_host_name: Repeated::default(),
            hops: Numbers::default(),
            outcome: Known::new(Outcome::ALL.map(Outcome::as_str)),
            final_url: Texts::default(),
            effective_capture_id: Numbers::default(),
        }
    }
}

impl Builder {
    /// Appends a redirect with its target, if it is followed, and what became of it.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        target: Option<Target<'_>>,
        resolution: &Resolution,
        final_url: &str,
    ) {
        self.keys.append(capture);
        self.target_url
            .append_option(target.map(|target| target.url));
        self.target_host_name
            .append(target.map(|target| target.host));
        self.hops.append(i32::from(resolution.hops));
        self.outcome.append(resolution.outcome as usize);
        self.final_url.append(final_url);
        self.effective_capture_id
            .append_option(resolution.effective_capture_id);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.target_url.finish()),
            self.target_host_name.finish(),
            Arc::new(self.hops.finish()),
            self.outcome.finish(),
            Arc::new(self.final_url.finish()),
            Arc::new(self.effective_capture_id.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }
}
