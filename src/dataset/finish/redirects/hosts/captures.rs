//! The columns of `captures` that rows of `hosts` are made of.

use arrow_array::{BooleanArray, Int32Array, Int64Array, StringArray, TimestampMicrosecondArray};

use super::record::{End, Fetch};
use crate::{
    archive::capture::ROBOTS_PATH,
    dataset::{
        redirect::Origin,
        sink::{Names, StoredColumn, stored_columns},
        table::{
            captures::access_named,
            hosts::{HostEnd, HostRow, SetIds},
        },
    },
    robots::dialect::Access,
};

stored_columns! {
    /// The columns of a capture whose file applies.
    pub(super) struct EndColumns<'b> {
        capture_id: &'b Int64Array,
        fetch_status: &'b Int32Array,
        is_html: &'b BooleanArray,
        is_robots_txt: &'b BooleanArray,
        access: Names<'b>,
        verdict_set_id: &'b Int64Array,
        policy_set_id: &'b Int64Array,
    }
}

stored_columns! {
    /// The columns of a fetch besides.
    pub(super) struct FetchColumns<'b> {
        url_host_name: &'b StringArray,
        url_host_tld: Names<'b>,
        url_host_registered_domain: &'b StringArray,
        url_protocol: Names<'b>,
        url_port: &'b Int32Array,
        url_path: &'b StringArray,
        url_query: &'b StringArray,
        fetch_time: &'b TimestampMicrosecondArray,
    }
}

impl<'b> EndColumns<'b> {
    pub(super) fn id(&self, row: usize) -> i64 {
        self.capture_id.value(row)
    }

    /// Returns a capture as one whose file applies.
    pub(super) fn end(&self, row: usize) -> End {
        let access = self.access.get(row).and_then(access_named);
        End {
            columns: HostEnd {
                capture_id: self.id(row),
                fetch_status: self.fetch_status.get(row),
                is_html: self.is_html.value(row),
                is_robots_txt: self.is_robots_txt.value(row),
            },
            access: access.unwrap_or(Access::Undefined),
            sets: SetIds {
                verdicts: self.verdict_set_id.get(row),
                policies: self.policy_set_id.get(row),
            },
        }
    }
}

impl<'b> FetchColumns<'b> {
    /// Returns true if and only if the URL of a capture is that of a robots.txt.
    pub(super) fn is_of_robots_txt(&self, row: usize) -> bool {
        self.url_path.value(row) == ROBOTS_PATH && self.url_query.get(row).is_none()
    }

    /// Returns a capture as a fetch, given what it would be as an end; where it leads, and what
    /// that decides, is not known yet.
    pub(super) fn fetch(&self, row: usize, own: &End) -> Fetch<'b> {
        let columns = (self.url_protocol, self.url_host_name, self.url_port);
        let origin = Origin::of_row(columns, row);
        Fetch {
            row: HostRow {
                fetch_capture_id: own.columns.capture_id,
                url_host_name: origin.host,
                url_host_tld: self.url_host_tld.get(row),
                url_host_registered_domain: self.url_host_registered_domain.get(row),
                url_protocol: origin.protocol,
                url_port: origin.port,
                fetch_time: self.fetch_time.get(row),
                fetch_status: own.columns.fetch_status,
                redirect: None,
                end: None,
                access: Access::Undefined,
                sets: own.sets,
            },
            is_answer: false,
        }
    }
}
