//! The table `redirects`: for each capture that answers with 3xx and each dialect where it leads,
//! made of the whole dataset when its archives are read.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, RecordBatch,
    types::{Float64Type, Int32Type, Int64Type},
};
use arrow_schema::SchemaRef;

use super::{
    as_i32,
    captures::{ACCESS, access_index},
    column::{CaptureKey, Keys, Known, Numbers, Repeated, Texts},
    schema::{CAPTURE_ID, Kind, Table, URL_HOST_NAME, optional, required},
};
use crate::{
    dialect::Access,
    redirect::{Outcome, Resolution, Target},
};

/// The table as data.
pub const TABLE: Table = Table {
    name: "redirects",
    about: "one capture that answers with a status from 300 to 399 under one dialect, in the order of captures and of the dialects of the run",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        required(
            "dialect",
            Kind::Name,
            "dialect that follows: the same chain may end differently for two; a query of captures names one",
        ),
        optional(
            "target_url",
            Kind::Text,
            "URL that its Location names, as a crawler asks for it: resolved, without user, default port and fragment; NULL: nobody can follow it",
        ),
        optional(
            "target_host_name",
            Kind::Name,
            "host of that URL, ASCII (IDNA) and lower case",
        ),
        optional(
            "target_capture_id",
            Kind::Int64,
            "capture of that URL that was fetched nearest in time, the next hop or the end of the chain, whether the dialect goes there or not; NULL: there is none, or none within --redirect-window",
        ),
        required(
            "hops",
            Kind::Int32,
            "redirects that the dialect follows from here on, this one included",
        ),
        required(
            "outcome",
            Kind::Name,
            "how the chain ends: resolved (at a capture that does not redirect), not_in_corpus (at a URL without a capture, or without any but 304), too_far_in_time (the nearest capture of a target, or the end, is not within --redirect-window), loop, too_many_hops (more than access.max_hops of the dialect), not_followable (another status than 301, 302, 303, 307 and 308, no Location that can be read, or neither http nor https), not_followed (the dialect follows no redirect), not_modified (304: the file fetched before still holds)",
        )
        .source("RFC 9309, 2.3.1.2"),
        optional(
            "access",
            Kind::Name,
            "what the end means where no capture decides: access.too_many_hops of the dialect for loop, too_many_hops and not_followable, access.redirect for not_followed, undefined for the others; NULL: resolved, the capture at the end decides",
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
        optional(
            "seconds_apart",
            Kind::Float64,
            "time between the fetch of this capture and that of effective_capture_id, whichever came first; NULL: not resolved, or a time is not known",
        )
        .unit("seconds"),
    ],
};

/// What a row says beside its keys.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The dialect, by its index.
    pub dialect: usize,
    /// Where the redirect leads, if anybody can follow it.
    pub target: Option<Target<'a>>,
    /// See the column of the same name.
    pub target_capture_id: Option<i64>,
    /// What becomes of the chain under the dialect.
    pub resolution: Resolution,
    /// See the column of the same name.
    pub access: Option<Access>,
    /// See the column of the same name.
    pub final_url: &'a str,
    /// See the column of the same name.
    pub seconds_apart: Option<f64>,
}

/// Builds rows of `redirects`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    dialect: Known,
    target_url: Texts,
    target_host_name: Repeated,
    target_capture_id: Numbers<Int64Type>,
    hops: Numbers<Int32Type>,
    outcome: Known,
    access: Known,
    final_url: Texts,
    effective_capture_id: Numbers<Int64Type>,
    seconds_apart: Numbers<Float64Type>,
}

impl Builder {
    /// Returns a builder of rows of these dialects.
    pub fn new<S: AsRef<str>>(dialects: impl IntoIterator<Item = S>) -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            dialect: Known::new(dialects),
            target_url: Texts::default(),
            target_host_name: Repeated::default(),
            target_capture_id: Numbers::default(),
            hops: Numbers::default(),
            outcome: Known::new(Outcome::ALL.map(Outcome::as_str)),
            access: Known::new(ACCESS.map(Access::as_str)),
            final_url: Texts::default(),
            effective_capture_id: Numbers::default(),
            seconds_apart: Numbers::default(),
        }
    }

    /// Appends a redirect under a dialect.
    pub fn append(&mut self, capture: CaptureKey<'_>, row: &Row<'_>) {
        let Resolution {
            outcome, hops, end, ..
        } = row.resolution;
        self.keys.append(capture);
        self.dialect.append(row.dialect);
        self.target_url
            .append_option(row.target.map(|target| target.url));
        self.target_host_name
            .append(row.target.map(|target| target.host));
        self.target_capture_id.append_option(row.target_capture_id);
        self.hops.append(as_i32(hops));
        self.outcome.append(outcome as usize);
        self.access.append_n(row.access.map(access_index), 1);
        self.final_url.append(row.final_url);
        self.effective_capture_id
            .append_option(end.map(|end| end.capture_id));
        self.seconds_apart.append_option(row.seconds_apart);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<ArrayRef> = vec![
            ids,
            hosts,
            self.dialect.finish(),
            Arc::new(self.target_url.finish()),
            self.target_host_name.finish(),
            Arc::new(self.target_capture_id.finish()),
            Arc::new(self.hops.finish()),
            self.outcome.finish(),
            self.access.finish(),
            Arc::new(self.final_url.finish()),
            Arc::new(self.effective_capture_id.finish()),
            Arc::new(self.seconds_apart.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }
}
