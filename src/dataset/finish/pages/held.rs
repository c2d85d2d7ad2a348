//! The pages of one batch, in memory.

use super::PageColumns;
use crate::{
    archive::capture::ROBOTS_PATH,
    dataset::{
        redirect::{Origin, Redirect, UrlKey, write_canonical},
        sink::StoredColumn,
    },
};

/// Pages in a batch.
pub(in super::super) const MAX_PAGES: usize = 1 << 20;
/// Bytes of the URLs and hosts of a batch at which it ends.
pub(super) const MAX_TEXT: usize = 128 * 1024 * 1024;

/// The pages of one batch.
#[derive(Debug, Default)]
pub(super) struct HeldPages {
    pub(super) pages: Vec<HeldPage>,
    /// Bytes of their URLs and hosts.
    n_bytes: usize,
    /// The last URL of a robots.txt.
    robots_url: String,
}

/// A page with a statement on the page as a whole.
#[derive(Debug)]
pub(super) struct HeldPage {
    pub(super) id: i64,
    pub(super) url: Box<str>,
    pub(super) host: Box<str>,
    /// The page as a redirect to the robots.txt of its origin.
    pub(super) redirect: Redirect,
}

impl HeldPages {
    /// Adds the page of a row.
    pub(super) fn push(&mut self, pages: &PageColumns<'_>, row: usize) {
        let url = pages.url.value(row);
        let columns = (pages.url_protocol, pages.url_host_name, pages.url_port);
        let origin = Origin::of_row(columns, row);
        write_canonical(origin, ROBOTS_PATH, None, &mut self.robots_url);
        self.n_bytes += url.len() + origin.host.len();
        self.pages.push(HeldPage {
            id: pages.page_id.value(row),
            url: url.into(),
            host: origin.host.into(),
            redirect: Redirect {
                time: pages.fetch_time.get(row).unwrap_or(Redirect::NO_TIME),
                url: UrlKey::new(url),
                target: Some(UrlKey::new(&self.robots_url)),
            },
        });
    }

    /// Returns true if and only if the batch has ended, which has at most `max_pages`.
    pub(super) fn is_full(&self, max_pages: usize) -> bool {
        self.pages.len() >= max_pages || self.n_bytes >= MAX_TEXT
    }

    /// Removes all pages.
    pub(super) fn clear(&mut self) {
        self.pages.clear();
        self.n_bytes = 0;
    }
}
