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
pub(super) const MAX_PAGES: usize = 1 << 20;
/// Bytes of the URLs and hosts of a batch at which it ends.
pub(super) const MAX_TEXT: usize = 128 * 1024 * 1024;

/// The pages of one batch.
#[derive(Debug)]
pub(super) struct HeldPages {
    max_pages: usize,
    pages: Vec<HeldPage>,
    /// URL and host of each page, end to end.
    text: String,
    url: String,
}

/// A page with a statement on the page as a whole.
#[derive(Debug)]
struct HeldPage {
    id: i64,
    /// When it was fetched, microseconds since 1970, or [`Redirect::NO_TIME`].
    time: i64,
    own: UrlKey,
    /// The URL of the robots.txt of its origin.
    robots: UrlKey,
    url_end: usize,
    host_end: usize,
}

impl HeldPages {
    /// Returns an empty batch of at most so many pages.
    pub(super) fn new(max_pages: usize) -> Self {
        Self {
            max_pages,
            pages: Vec::new(),
            text: String::new(),
            url: String::new(),
        }
    }

    /// Adds the page of a row, of a crawl if its archive names one.
    pub(super) fn push(&mut self, crawl: Option<&str>, pages: &PageColumns<'_>, row: usize) {
        let url = pages.url.value(row);
        let origin = Origin::new(
            pages.url_protocol.get(row),
            pages.url_host_name.value(row),
            pages.url_port.get(row),
        );
        write_canonical(origin, ROBOTS_PATH, None, &mut self.url);
        self.text.push_str(url);
        let url_end = self.text.len();
        self.text.push_str(origin.host);
        self.pages.push(HeldPage {
            id: pages.page_id.value(row),
            time: pages.fetch_time.get(row).unwrap_or(Redirect::NO_TIME),
            own: UrlKey::new(crawl, url),
            robots: UrlKey::new(crawl, &self.url),
            url_end,
            host_end: self.text.len(),
        });
    }

    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns true if and only if the batch has ended.
    pub(super) fn is_full(&self) -> bool {
        self.pages.len() >= self.max_pages || self.text.len() >= MAX_TEXT
    }

    /// Removes all pages; the memory is reused.
    pub(super) fn clear(&mut self) {
        self.pages.clear();
        self.text.clear();
    }

    /// Returns the pages as redirects to the robots.txt of their origins.
    pub(super) fn redirects(&self) -> impl ExactSizeIterator<Item = Redirect> {
        (0..self.len()).map(|page| Redirect {
            time: self.time(page),
            url: self.pages[page].own,
            target: Some(self.pages[page].robots),
        })
    }

    pub(super) fn id(&self, page: usize) -> i64 {
        self.pages[page].id
    }

    pub(super) fn time(&self, page: usize) -> i64 {
        self.pages[page].time
    }

    pub(super) fn url(&self, page: usize) -> &str {
        let start = page
            .checked_sub(1)
            .map_or(0, |before| self.pages[before].host_end);
        &self.text[start..self.pages[page].url_end]
    }

    pub(super) fn host(&self, page: usize) -> &str {
        &self.text[self.pages[page].url_end..self.pages[page].host_end]
    }
}
