//! The archives of which a dataset is made, with their sizes and times of change.
//!
//! A run can be resumed only with the inputs with which it began: else the dataset would have rows
//! of two versions of an archive. The first difference is reported as a clause that names it.

use std::{
    collections::{BTreeMap, HashMap},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use crate::digest::{hex, sha1_of_list};

/// One archive of a run, by the properties of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The archive's name in the tables.
    pub name: String,
    /// Its size in bytes; `None` where it is not known before reading, as of standard input.
    pub bytes: Option<u64>,
    /// When it was last changed, nanoseconds since 1970-01-01T00:00:00Z; `None` where that is not
    /// known.
    pub modified: Option<u64>,
    /// The entity tag by which a server identifies its version; `None` of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// A digest of the ranges of it that an index names; `None` of an archive that is read whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranges: Option<String>,
    /// Whether its bytes can be read only once, so that they cannot be compared with those of
    /// another run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_stream: bool,
    /// Whether it could not be opened when its part was made, so that the part has nothing of it;
    /// false of an archive that is in no part yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unopened: bool,
}

impl Input {
    /// Returns an archive of that name, size and time of the last change, which is no stream.
    pub fn new(name: &str, bytes: Option<u64>, modified: Option<SystemTime>) -> Self {
        let nanos = |time: SystemTime| {
            let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
            u64::try_from(since.as_nanos()).ok()
        };
        Self {
            name: name.to_owned(),
            bytes,
            modified: modified.and_then(nanos),
            ..Self::default()
        }
    }
}

/// Returns the name of the file of a list of archives, which follows from their names and sizes.
pub(super) fn list_name(inputs: &[Input]) -> String {
    let texts = |input: &Input| {
        let texts = [input.name.clone(), format!("{:?}", input.bytes)];
        texts.into_iter().chain(input.ranges.clone())
    };
    let texts: Vec<String> = inputs.iter().flat_map(texts).collect();
    let digest = hex(&sha1_of_list(texts.iter().map(String::as_str)));
    format!("{}.json", &digest[..16])
}

/// Returns the first difference between the inputs with which a dataset was begun and those of this
/// run, as a clause; `None` if there is none. Those that were added do not count.
pub(super) fn difference(theirs: &BTreeMap<String, Input>, ours: &[Input]) -> Option<String> {
    let ours: BTreeMap<&str, &Input> = ours.iter().map(|our| (our.name.as_str(), our)).collect();
    for (name, their) in theirs {
        let Some(our) = ours.get(name.as_str()) else {
            return Some(format!("{name} was among the inputs and is not now"));
        };
        if let Some(changed) = change(their, our) {
            return Some(changed);
        }
        // Published parts may have its rows, but a part that is made now would not.
        if let (Some(then), None) = (their.bytes, our.bytes) {
            return Some(format!("{name} had {then} bytes and cannot be found now"));
        }
    }
    None
}

/// Returns the first archive that is not among the inputs of a dataset.
pub(super) fn added<'i>(theirs: &BTreeMap<String, Input>, ours: &'i [Input]) -> Option<&'i str> {
    let mut names = ours.iter().map(|input| input.name.as_str());
    names.find(|name| !theirs.contains_key(*name))
}

/// Returns the first archive of which another run was told another size, or one where this run was
/// told none, as a clause; `None` if there is none.
pub(super) fn other_size(theirs: &[Input], ours: &[Input]) -> Option<String> {
    let ours: HashMap<&str, &Input> = ours.iter().map(|our| (our.name.as_str(), our)).collect();
    let size = |bytes: Option<u64>| match bytes {
        Some(bytes) => format!("{bytes} bytes"),
        None => "no size".to_owned(),
    };
    theirs.iter().find_map(|their| {
        let our = ours.get(their.name.as_str())?;
        (our.bytes != their.bytes).then(|| {
            format!(
                "{} has {} here and had {} for another shard, and since parts are cut by sizes, archives would be in no part; run this shard again, or resume the dataset with all its inputs when no shard is running",
                our.name,
                size(our.bytes),
                size(their.bytes)
            )
        })
    })
}

/// Returns how an archive differs from what it was, as a clause; what is not known on both sides
/// does not count.
pub fn change(their: &Input, our: &Input) -> Option<String> {
    let name = &their.name;
    if their.ranges != our.ranges {
        let read = |input: &Input| match input.ranges {
            Some(_) => "by the ranges of an index",
            None => "whole",
        };
        return Some(match (read(their), read(our)) {
            (then, now) if then != now => format!("{name} was read {then} and is read {now} now"),
            (then, _) => format!("{name} was read {then}, which are others now"),
        });
    }
    if let (Some(then), Some(now)) = (their.bytes, our.bytes)
        && then != now
    {
        return Some(format!("{name} had {then} bytes and has {now} now"));
    }
    // The servers of one address may differ in the time where they agree in the tag.
    if let (Some(then), Some(now)) = (&their.etag, &our.etag) {
        let changed = || format!("{name} was the version {then} on its server and is {now} now");
        return (then != now).then(changed);
    }
    let (then, now) = (their.modified?, our.modified?);
    let changed = || format!("{name} was changed since, though it has as many bytes");
    (then != now).then(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str, bytes: u64, modified: Option<u64>) -> Input {
        Input {
            modified,
            ..Input::new(name, Some(bytes), None)
        }
    }

    #[test]
    fn what_differs_is_named() {
        let [a, b] = [input("a", 1, Some(5)), input("b", 2, None)];
        let theirs = [&a, &b].map(|input| (input.name.clone(), input.clone()));
        let theirs = BTreeMap::from(theirs);
        let differs = |ours: &[Input]| difference(&theirs, ours).unwrap_or_default();
        assert_eq!(differs(&[b.clone(), a.clone()]), "");
        assert_eq!(differs(&[a.clone(), input("b", 2, Some(9))]), "");
        assert_eq!(
            differs(std::slice::from_ref(&a)),
            "b was among the inputs and is not now"
        );
        assert_eq!(
            differs(&[input("a", 7, Some(5)), b.clone()]),
            "a had 1 bytes and has 7 now"
        );
        let absent = Input::new("a", None, None);
        assert_eq!(
            differs(&[absent.clone(), b.clone()]),
            "a had 1 bytes and cannot be found now"
        );
        let without = BTreeMap::from([(absent.name.clone(), absent.clone())]);
        assert_eq!(difference(&without, std::slice::from_ref(&a)), None);
        assert_eq!(difference(&without, &[absent]), None);
        assert_eq!(
            differs(&[input("a", 1, Some(6)), b]),
            "a was changed since, though it has as many bytes"
        );
        let [x, y] = ["x", "y"].map(|etag| Input {
            etag: Some(etag.to_owned()),
            ..a.clone()
        });
        assert_eq!(
            change(&x, &y).as_deref(),
            Some("a was the version x on its server and is y now")
        );
        let later = Input {
            modified: Some(7),
            ..x.clone()
        };
        assert_eq!(change(&x, &later), None);
    }

    #[test]
    fn an_input_is_read_as_it_was_written() {
        let time = SystemTime::UNIX_EPOCH + std::time::Duration::new(3, 7);
        let input = Input::new("a", None, Some(time));
        assert_eq!(input.modified, Some(3_000_000_007));
        let json = serde_json::to_value(&input).unwrap();
        assert_eq!(serde_json::from_value::<Input>(json).unwrap(), input);
    }
}
