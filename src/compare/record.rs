//! A file that flips, as it is put aside until all files have been asked; and the captures of such
//! files.

use super::{explain::Explanation, query::Queries, side::CellAnswer};
use crate::{
    digest::Base32Digest,
    robots::dialect::{Basis, Verdict},
};

/// A distinct body with a cell in which the sides differ.
#[derive(Clone, Debug)]
pub(super) struct FlippingFile {
    pub digest: Base32Digest,
    /// Its first capture, and the host of that.
    pub first_id: i64,
    pub first_host: String,
    pub body: Vec<u8>,
    /// What was asked where the sides differ.
    pub queries: Queries,
    /// One for each of the queries.
    pub flips: Vec<Flip>,
}

/// One cell in which the sides differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flip {
    pub baseline: CellAnswer,
    pub candidate: CellAnswer,
    /// The weight of agent and URL.
    pub weight: f64,
    /// What explains it; nothing until all files have been asked.
    pub explanation: Explanation,
    /// What it has in common with others, where nothing explains it.
    pub rough: u64,
}

/// One capture of a file that flips.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlippingCapture {
    pub id: i64,
    /// The number of its file among those that flip.
    pub file: u32,
    pub archive: u32,
    pub offset: u64,
    pub host: String,
    /// Its rank in the list of ranks; 0 for none.
    pub rank: u32,
    /// The weight of the host.
    pub weight: f64,
}

/// Numbers and texts, end to end.
#[derive(Debug, Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, n: u64) {
        self.0.extend_from_slice(&n.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn texts<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        let texts: Vec<&str> = texts.collect();
        self.number(texts.len() as u64);
        texts.iter().for_each(|text| self.bytes(text.as_bytes()));
    }

    fn answer(&mut self, answer: &CellAnswer) {
        let verdict = answer.verdict.map_or(3, |verdict| verdict as u8);
        let basis = answer.basis.map_or(6, |basis| basis as u8);
        self.0.extend_from_slice(&[verdict, basis]);
        self.number(answer.line.map_or(u64::MAX, u64::from));
    }
}

/// What [`Writer`] wrote. It is read by the process that wrote it, so a read that fails is a defect
/// of this program.
struct Reader<'r>(&'r [u8]);

impl<'r> Reader<'r> {
    fn take(&mut self, n: usize) -> &'r [u8] {
        let (taken, rest) = self.0.split_at(n);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> u64 {
        let bytes = self.take(8).try_into();
        bytes.map(u64::from_le_bytes).unwrap_or_default()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let n = self.number() as usize;
        self.take(n).to_vec()
    }

    fn text(&mut self) -> String {
        String::from_utf8(self.bytes()).unwrap_or_default()
    }

    fn texts(&mut self) -> Vec<&'r str> {
        let text = |reader: &mut Self| {
            let n = reader.number() as usize;
            std::str::from_utf8(reader.take(n)).unwrap_or_default()
        };
        (0..self.number()).map(|_| text(self)).collect()
    }

    fn answer(&mut self) -> CellAnswer {
        let (verdict, basis) = match *self.take(2) {
            [verdict, basis] => (verdict as usize, basis as usize),
            _ => (usize::MAX, usize::MAX),
        };
        CellAnswer {
            verdict: Verdict::ALL.get(verdict).copied(),
            basis: Basis::ALL.get(basis).copied(),
            line: u32::try_from(self.number()).ok(),
        }
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

    /// Returns the file as a record.
    pub fn to_record(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(&self.digest);
        out.number(self.first_id.cast_unsigned());
        out.bytes(self.first_host.as_bytes());
        out.bytes(&self.body);
        out.texts(self.queries.agents());
        out.texts(self.queries.urls());
        out.number(self.flips.len() as u64);
        for &(agent, url) in self.queries.pairs() {
            out.number(u64::from(agent) << 32 | u64::from(url));
        }
        for flip in &self.flips {
            out.answer(&flip.baseline);
            out.answer(&flip.candidate);
            out.number(flip.weight.to_bits());
            out.number(flip.explanation.bits());
            out.number(flip.rough);
        }
        out.0
    }

    /// Returns the file of a record.
    pub fn from_record(record: &[u8]) -> FlippingFile {
        let mut record = Reader(record);
        let digest = record.bytes().try_into().unwrap_or_default();
        let first_id = record.number().cast_signed();
        let (first_host, body) = (record.text(), record.bytes());
        let (agents, urls) = (record.texts(), record.texts());
        let n_flips = record.number();
        let pairs = (0..n_flips).map(|_| {
            let pair = record.number();
            ((pair >> 32) as u32, pair as u32)
        });
        let pairs: Vec<(u32, u32)> = pairs.collect();
        FlippingFile {
            digest,
            first_id,
            first_host,
            body,
            queries: Queries::from_parts(agents.into_iter(), urls.into_iter(), &pairs),
            flips: (0..n_flips)
                .map(|_| Flip {
                    baseline: record.answer(),
                    candidate: record.answer(),
                    weight: f64::from_bits(record.number()),
                    explanation: Explanation::from_bits(record.number()),
                    rough: record.number(),
                })
                .collect(),
        }
    }
}

impl FlippingCapture {
    /// Returns captures as a record.
    pub fn to_record(captures: &[FlippingCapture]) -> Vec<u8> {
        let mut out = Writer::default();
        out.number(captures.len() as u64);
        for capture in captures {
            out.number(capture.id as u64);
            out.number(capture.file.into());
            out.number(capture.archive.into());
            out.number(capture.offset);
            out.bytes(capture.host.as_bytes());
            out.number(capture.rank.into());
            out.number(capture.weight.to_bits());
        }
        out.0
    }

    /// Returns the captures of a record.
    pub fn from_record(record: &[u8]) -> Vec<FlippingCapture> {
        let mut record = Reader(record);
        (0..record.number())
            .map(|_| FlippingCapture {
                id: record.number() as i64,
                file: record.number() as u32,
                archive: record.number() as u32,
                offset: record.number(),
                host: record.text(),
                rank: record.number() as u32,
                weight: f64::from_bits(record.number()),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_was_written() {
        let answer = |verdict, basis, line| CellAnswer {
            verdict,
            basis,
            line,
        };
        let flip = |baseline, candidate| Flip {
            baseline,
            candidate,
            weight: 0.25,
            explanation: Explanation::from_bits(5),
            rough: 7,
        };
        let file = FlippingFile {
            digest: [b'A'; 32],
            first_id: -5,
            first_host: "a.example".to_owned(),
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
        };
        let read = FlippingFile::from_record(&file.to_record());
        assert_eq!((read.digest, read.first_id), (file.digest, file.first_id));
        assert_eq!((read.first_host, read.body), (file.first_host, file.body));
        assert!(read.queries.iter().eq(file.queries.iter()));
        assert_eq!(read.flips, file.flips);
        let capture = FlippingCapture {
            id: -3,
            file: 1,
            archive: 2,
            offset: u64::MAX,
            host: "a.example".to_owned(),
            rank: 0,
            weight: 1.5,
        };
        let captures = [capture.clone(), capture];
        let record = FlippingCapture::to_record(&captures);
        assert_eq!(FlippingCapture::from_record(&record), captures);
    }
}
