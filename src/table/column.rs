//! Builders of columns whose values repeat: rows cost an integer, and a value is stored once a batch.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{
    ArrayRef, DictionaryArray, Int32Array, Int64Array, StringArray,
    builder::{ArrayBuilder, StringBuilder},
    types::Int32Type,
};

/// The two columns that every table below `captures` begins with.
#[derive(Debug, Default)]
pub(super) struct Keys {
    capture_ids: Vec<i64>,
    host_keys: Vec<i32>,
    hosts: StringBuilder,
    last: Option<i64>,
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
    pub(super) fn append(&mut self, capture: CaptureKey<'_>) {
        self.append_n(capture, 1);
    }

    pub(super) fn append_n(&mut self, capture: CaptureKey<'_>, n: usize) {
        if self.last != Some(capture.id) {
            self.last = Some(capture.id);
            self.hosts.append_value(capture.host);
        }
        let key = as_key(self.hosts.len() - 1);
        self.capture_ids
            .resize(self.capture_ids.len() + n, capture.id);
        self.host_keys.resize(self.host_keys.len() + n, key);
    }

    pub(super) fn len(&self) -> usize {
        self.capture_ids.len()
    }

    /// Returns the columns `capture_id` and `url_host_name`.
    pub(super) fn finish(&mut self) -> [ArrayRef; 2] {
        self.last = None;
        let ids = Int64Array::from(take(&mut self.capture_ids));
        let hosts = dictionary(
            take(&mut self.host_keys).into(),
            Arc::new(self.hosts.finish()),
        );
        [Arc::new(ids), hosts]
    }
}

/// A column whose values are known before the first row.
#[derive(Debug)]
pub(super) struct Known {
    keys: Vec<i32>,
    values: Arc<StringArray>,
}

impl Known {
    pub(super) fn new<S: AsRef<str>>(values: impl IntoIterator<Item = S>) -> Self {
        let values: Vec<S> = values.into_iter().collect();
        Self {
            keys: Vec::new(),
            values: Arc::new(values.iter().map(|v| Some(v.as_ref())).collect()),
        }
    }

    pub(super) fn append(&mut self, index: usize) {
        self.append_n(index, 1);
    }

    pub(super) fn append_n(&mut self, index: usize, n: usize) {
        self.keys.resize(self.keys.len() + n, as_key(index));
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        dictionary(take(&mut self.keys).into(), self.values.clone())
    }
}

/// A column whose values are known before the first row, or NULL.
#[derive(Debug)]
pub(super) struct KnownOrNull {
    keys: Vec<Option<i32>>,
    values: Arc<StringArray>,
}

impl KnownOrNull {
    pub(super) fn new<S: AsRef<str>>(values: impl IntoIterator<Item = S>) -> Self {
        Self {
            keys: Vec::new(),
            values: Known::new(values).values,
        }
    }

    pub(super) fn append(&mut self, index: Option<usize>) {
        self.keys.push(index.map(as_key));
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        dictionary(take(&mut self.keys).into(), self.values.clone())
    }
}

/// A column whose values repeat but are not known before.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    keys: Vec<Option<i32>>,
    seen: HashMap<Box<str>, i32>,
    values: StringBuilder,
}

impl Repeated {
    pub(super) fn append(&mut self, value: Option<&str>) {
        let key = value.map(|value| match self.seen.get(value) {
            Some(&key) => key,
            None => {
                let key = as_key(self.values.len());
                self.values.append_value(value);
                self.seen.insert(value.into(), key);
                key
            }
        });
        self.keys.push(key);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        self.seen.clear();
        let keys: Int32Array = take(&mut self.keys).into();
        dictionary(keys, Arc::new(self.values.finish()))
    }
}

/// Takes what a vector holds and leaves it the room it had: the next batch will want as much.
fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = Vec::with_capacity(values.capacity());
    std::mem::replace(values, room)
}

fn as_key(index: usize) -> i32 {
    i32::try_from(index).expect("a batch has fewer than 2^31 distinct values")
}

fn dictionary(keys: Int32Array, values: Arc<StringArray>) -> ArrayRef {
    let array = DictionaryArray::<Int32Type>::try_new(keys, values)
        .expect("every key was made for a value of the same column");
    Arc::new(array)
}
