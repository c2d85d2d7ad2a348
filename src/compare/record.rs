//! A file that flips, as it is put aside until all files have been asked; and the captures of such
//! files.

use std::{collections::HashSet, marker::PhantomData, ops::Range};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    explain::{Agreed, Explanation},
    found::{Direction, Stance},
    query::Queries,
    side::CellAnswer,
};
use crate::{archive::error::Error, dataset::sink::Spill, digest::Base32Digest};

/// What names a distinct body in tables: its digest, and the capture by which it was met.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct FileKey {
    pub capture_id: i64,
    pub host: Box<str>,
    pub digest: Base32Digest,
    /// Whether it is in a corpus as an example of a trait, and not of its sample.
    pub is_example: bool,
}

impl FileKey {
    /// Returns the digest as text.
    pub(super) fn digest(&self) -> &str {
        str::from_utf8(&self.digest).expect("base32 is ASCII")
    }
}

/// A distinct body with a cell in which the sides differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FlippingFile {
    pub key: FileKey,
    pub body: Vec<u8>,
    /// What was asked where the sides differ.
    pub queries: Queries,
    /// One for each of the queries.
    pub flips: Vec<Flip>,
    /// Some queries on which they agree, where a side is an external parser.
    pub agreed: Agreed,
}

/// One cell in which the sides differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Flip {
    /// The answers of baseline and candidate.
    pub answers: [CellAnswer; 2],
    /// What the reference answers; `None` until it was asked.
    pub reference: Option<CellAnswer>,
    /// The weight of agent and URL.
    pub weight: f64,
    /// What explains it; nothing until all files have been asked.
    pub explanation: Explanation,
    /// What it has in common with others, where nothing explains it.
    pub rough: u64,
}

impl Flip {
    /// Returns its direction; `None` where a side has no verdict.
    pub(super) fn direction(&self) -> Option<Direction> {
        Direction::between(&self.answers)
    }

    /// Returns how it stands to the reference; `None` without one.
    pub(super) fn stance(&self) -> Option<Stance> {
        let verdict = self.reference?.verdict;
        Some(if verdict.is_none() {
            Stance::NoReferenceVerdict
        } else if verdict == self.answers[1].verdict {
            Stance::TowardsReference
        } else if verdict == self.answers[0].verdict {
            Stance::AwayFromReference
        } else {
            Stance::BetweenOtherVerdicts
        })
    }
}

/// One capture.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ComparedCapture {
    pub id: i64,
    /// The number of its file: at first that of the chunk, at last that among those that flip.
    pub file: u32,
    pub archive: u32,
    pub offset: u64,
    pub host: Box<str>,
    /// Its rank in the list of ranks.
    pub rank: Option<u32>,
    /// The weight of the host, times that of the capture.
    pub weight: f64,
}

/// Values on disk, by their numbers.
pub(super) struct Records<T> {
    spill: Spill,
    offsets: Vec<u64>,
    values: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Records<T> {
    pub(super) fn new(spill: Spill) -> Records<T> {
        Records {
            spill,
            offsets: Vec::new(),
            values: PhantomData,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    pub(super) fn push(&mut self, value: &T) -> Result<(), Error> {
        let record = postcard::to_stdvec(value).expect("memory takes every value");
        self.offsets.push(self.spill.append(&record)?);
        Ok(())
    }

    /// Returns the value of this number, and the bytes that it takes.
    pub(super) fn read(&mut self, number: usize) -> Result<(T, usize), Error> {
        let record = self.spill.read(self.offsets[number])?;
        let value = postcard::from_bytes(&record).expect("what was written is read");
        Ok((value, record.len()))
    }
}

/// Files that flip, on disk, by their numbers.
pub(super) struct FlippingFiles {
    records: Records<FlippingFile>,
    /// Those of which a fault that followed costs the answers, and so the flips.
    pub dropped: HashSet<u32>,
}

impl FlippingFiles {
    pub(super) fn new(spill: Spill) -> FlippingFiles {
        FlippingFiles {
            records: Records::new(spill),
            dropped: HashSet::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn push(&mut self, file: &FlippingFile) -> Result<(), Error> {
        self.records.push(file)
    }

    /// Gives the files other numbers: the first one that of the first in `order`, and so on.
    pub(super) fn sort(&mut self, order: &[u32]) {
        let offsets = order.iter().map(|&old| self.records.offsets[old as usize]);
        self.records.offsets = offsets.collect();
    }

    /// Returns the file of this number, and the bytes that it takes.
    pub(super) fn read(&mut self, number: u32) -> Result<(FlippingFile, usize), Error> {
        let (mut file, n_bytes) = self.records.read(number as usize)?;
        if self.dropped.contains(&number) {
            file.retain(|_| false);
        }
        Ok((file, n_bytes))
    }

    /// Returns the files of these numbers.
    pub(super) fn read_all(&mut self, numbers: Range<u32>) -> Result<Vec<FlippingFile>, Error> {
        numbers.map(|number| Ok(self.read(number)?.0)).collect()
    }
}

impl FlippingFile {
    /// Removes the flips of which `is_kept` is false.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&Flip) -> bool) {
        let indexes = (0..self.flips.len()).filter(|&index| is_kept(&self.flips[index]));
        let indexes: Vec<usize> = indexes.collect();
        self.queries = self.queries.compact(&indexes);
        self.flips = indexes.iter().map(|&index| self.flips[index]).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::{Basis, Verdict};

    #[test]
    fn what_is_read_is_what_was_written() {
        let answer = |verdict, basis, line| CellAnswer {
            verdict,
            basis,
            line,
        };
        let flip = |baseline, candidate| Flip {
            answers: [baseline, candidate],
            reference: Some(baseline),
            weight: 0.25,
            explanation: Explanation::default(),
            rough: 7,
        };
        let file = FlippingFile {
            key: FileKey {
                digest: [b'A'; 32],
                capture_id: -5,
                host: "a.example".into(),
                is_example: true,
            },
            body: b"\xff\0".to_vec(),
            queries: Queries::from_iter([
                ("a", "https://example.com/\u{e9}"),
                ("b", "https://example.com/\u{e9}"),
            ]),
            flips: vec![
                flip(
                    answer(Some(Verdict::Undefined), Some(Basis::OutOfScope), Some(0)),
                    answer(Some(Verdict::Allow), None, None),
                ),
                flip(
                    answer(None, Some(Basis::Rule), Some(7)),
                    answer(Some(Verdict::Disallow), Some(Basis::NoGroup), None),
                ),
            ],
            agreed: Agreed {
                queries: Queries::from_iter([("a", "https://example.com/")]),
                verdicts: vec![Verdict::Allow],
            },
        };
        let record = postcard::to_stdvec(&file).unwrap();
        let read: FlippingFile = postcard::from_bytes(&record).unwrap();
        assert_eq!((read.key, read.body), (file.key, file.body));
        assert!(read.queries.iter().eq(file.queries.iter()));
        assert_eq!(read.flips, file.flips);
        assert!(read.agreed.queries.iter().eq(file.agreed.queries.iter()));
        assert_eq!(read.agreed.verdicts, file.agreed.verdicts);
    }
}
