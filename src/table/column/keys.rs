//! The two columns that every table below `captures` begins with.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array};

use super::{
    Texts,
    name::{as_key, dictionary},
};

/// The columns `capture_id` and `url_host_name`: captures with their numbers of rows, until the
/// batch is asked for.
#[derive(Debug, Default)]
pub(in crate::table) struct Keys {
    captures: Vec<Rows>,
    hosts: Texts,
    n_rows: usize,
}

#[derive(Debug)]
struct Rows {
    capture_id: i64,
    n: usize,
}

/// What a row says of its capture.
#[derive(Clone, Copy, Debug)]
pub struct CaptureKey<'a> {
    /// The capture's identifier.
    pub id: i64,
    /// The capture's host name.
    pub host: &'a str,
}

impl Keys {
    pub(in crate::table) fn append(&mut self, capture: CaptureKey<'_>) {
        self.append_n(capture, 1);
    }

    pub(in crate::table) fn append_n(&mut self, capture: CaptureKey<'_>, n: usize) {
        self.n_rows += n;
        match self.captures.last_mut() {
            Some(last) if last.capture_id == capture.id => last.n += n,
            _ => {
                let capture_id = capture.id;
                self.captures.push(Rows { capture_id, n });
                self.hosts.append(capture.host);
            }
        }
    }

    pub(in crate::table) fn len(&self) -> usize {
        self.n_rows
    }

    /// Returns the columns `capture_id` and `url_host_name`.
    pub(in crate::table) fn finish(&mut self) -> [ArrayRef; 2] {
        let mut ids = Vec::with_capacity(self.n_rows);
        let mut host_keys = Vec::with_capacity(self.n_rows);
        for (index, rows) in self.captures.drain(..).enumerate() {
            ids.resize(ids.len() + rows.n, rows.capture_id);
            host_keys.resize(ids.len(), as_key(index));
        }
        self.n_rows = 0;
        [
            Arc::new(Int64Array::from(ids)),
            dictionary(host_keys.into(), Arc::new(self.hosts.finish())),
        ]
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
    fn every_row_says_its_capture() {
        let mut keys = Keys::default();
        let capture = |id, host| CaptureKey { id, host };
        for _ in 0..2 {
            keys.append(capture(7, "a.example"));
            keys.append_n(capture(7, "a.example"), 2);
            keys.append(capture(8, "a.example"));
            assert_eq!(keys.len(), 4);
            let [ids, hosts] = keys.finish();
            assert_eq!(ids.as_primitive::<Int64Type>().values(), &[7, 7, 7, 8]);
            let hosts = hosts.as_dictionary::<Int32Type>();
            assert_eq!(hosts.keys().values(), &[0, 0, 0, 1]);
            assert_eq!(hosts.values().len(), 2);
            assert_eq!(keys.len(), 0, "a batch leaves nothing to the next");
        }
    }
}
