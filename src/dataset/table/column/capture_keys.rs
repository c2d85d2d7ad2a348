//! The builders of the two columns with which every table below `captures`, and every table below
//! `pages`, begins.

use std::{mem, sync::Arc};

use arrow_array::{ArrayRef, Int64Array};

use super::{
    Columns, Int64, Name, Text,
    known_name::{as_key, dictionary},
};
use crate::dataset::table::schema::{CC_INDEX, Column};

/// The columns `capture_id` and `url_host_name`.
pub(crate) type CaptureKeys = Keys<false>;
/// The columns `page_id` and `url_host_name`; the key of a page is like that of a capture.
pub(crate) type PageKeys = Keys<true>;

/// The columns of the key of a capture or of a page, and of its host.
///
/// The rows of a capture are adjacent, so it is stored once, with the number of its rows, until the
/// batch ends; no host name is hashed.
#[derive(Debug, Default)]
pub(crate) struct Keys<const OF_PAGES: bool> {
    /// Captures with the numbers of their rows.
    captures: Vec<(i64, usize)>,
    hosts: Text,
    n_rows: usize,
}

/// The capture to which a row belongs.
#[derive(Clone, Copy, Debug)]
pub struct CaptureKey<'a> {
    /// The capture's identifier.
    pub id: i64,
    /// The capture's host name.
    pub host: &'a str,
}

const fn host(about: &'static str) -> Column {
    let column = Name::COLUMNS[0].named("url_host_name", about);
    column.source(CC_INDEX).bloom_filter()
}

impl<const OF_PAGES: bool> Keys<OF_PAGES> {
    pub(crate) fn append(&mut self, capture: CaptureKey<'_>) {
        self.append_n(capture, 1);
    }

    pub(crate) fn append_n(&mut self, capture: CaptureKey<'_>, n: usize) {
        self.n_rows += n;
        match self.captures.last_mut() {
            Some((id, n_rows)) if *id == capture.id => *n_rows += n,
            _ => {
                self.captures.push((capture.id, n));
                self.hosts.append(capture.host);
            }
        }
    }
}

impl<const OF_PAGES: bool> Columns for Keys<OF_PAGES> {
    const COLUMNS: &'static [Column] = if OF_PAGES {
        &[
            Int64::COLUMNS[0].named("page_id", "page of the row, by its key in pages"),
            host("host of the page's URL, ASCII (IDNA) and lower case"),
        ]
    } else {
        &[
            Int64::COLUMNS[0].named("capture_id", "capture of the row, by its key in captures"),
            host("host of the capture's URL, ASCII (IDNA) and lower case"),
        ]
    };

    fn n_rows(&self) -> usize {
        self.n_rows
    }

    fn n_bytes(&self) -> usize {
        self.hosts.n_bytes()
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        let n_rows = mem::take(&mut self.n_rows);
        let mut ids = Vec::with_capacity(n_rows);
        let mut host_keys = Vec::with_capacity(n_rows);
        for (index, (id, n)) in self.captures.drain(..).enumerate() {
            ids.resize(ids.len() + n, id);
            host_keys.resize(ids.len(), as_key(index));
        }
        arrays.push(Arc::new(Int64Array::from(ids)));
        let hosts = Arc::new(self.hosts.finish());
        arrays.push(dictionary(host_keys.into(), hosts));
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        cast::AsArray,
        types::{Int32Type, Int64Type},
    };

    use super::*;

    #[test]
    fn every_row_has_the_key_of_its_capture() {
        let mut keys = CaptureKeys::default();
        let capture = |id, host| CaptureKey { id, host };
        for _ in 0..2 {
            keys.append(capture(7, "a.example"));
            keys.append_n(capture(7, "a.example"), 2);
            keys.append(capture(8, "a.example"));
            assert_eq!(keys.n_rows(), 4);
            let mut arrays = Vec::new();
            keys.finish_into(&mut arrays);
            assert_eq!(
                arrays[0].as_primitive::<Int64Type>().values(),
                &[7, 7, 7, 8]
            );
            let hosts = arrays[1].as_dictionary::<Int32Type>();
            assert_eq!(hosts.keys().values(), &[0, 0, 0, 1]);
            assert_eq!(hosts.values().len(), 2);
            assert_eq!(keys.n_rows(), 0, "a batch leaves nothing to the next");
        }
    }
}
