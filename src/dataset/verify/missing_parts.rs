//! The parts that a dataset lacks: those that a run of all its inputs would make, and of which no
//! archive is published.

use std::{
    collections::BTreeMap,
    io::{self, Read},
};

use crate::{
    archive::input::{ArchiveSource, Source},
    dataset::{run::plan::plan, sink::Input},
};

/// A part that no run has published.
pub(super) struct MissingPart {
    pub(super) name: String,
    pub(super) archives: usize,
    pub(super) first_archive: String,
}

/// Returns the parts of which no archive is published, in their order; `part_bytes` is the option
/// of the dataset.
pub(super) fn missing_parts(
    planned: &BTreeMap<String, Input>,
    part_bytes: u64,
    is_published: impl Fn(&str) -> bool,
) -> Vec<MissingPart> {
    let recorded = |input: &Input| {
        let source = Recorded {
            name: input.name.clone(),
            bytes: input.bytes,
        };
        ArchiveSource::new(&input.name, Box::new(source))
    };
    let archives: Vec<_> = planned.values().map(recorded).collect();
    let parts = plan(&archives, part_bytes).into_iter();
    parts
        .filter_map(|part| {
            let names = part.archives().map(|index| &archives[index].name);
            let first_archive = names.clone().next()?.clone();
            (!names.clone().any(|name| is_published(name))).then(|| MissingPart {
                archives: names.count(),
                first_archive,
                name: part.name.clone(),
            })
        })
        .collect()
}

/// An archive of which no more is known than the dataset has recorded.
#[derive(Debug)]
struct Recorded {
    name: String,
    bytes: Option<u64>,
}

impl Source for Recorded {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn size(&self) -> Option<u64> {
        self.bytes
    }

    fn location(&self) -> String {
        self.name.clone()
    }
}
