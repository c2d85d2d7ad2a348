//! The inputs of the benchmarks: archives in memory, and robots.txt bodies from them.
//!
//! Archives consist of gzip members. Of the bodies of successful fetches every eighth is used, so
//! that a peer that needs a second for all of them can be measured too. Bodies that one of the
//! peers cannot parse are excluded for all sides; their number is printed.

use std::{
    fs,
    panic::{self, AssertUnwindSafe},
    path::Path,
};

use robocensus::{
    archive::{
        capture::CaptureReader,
        warc::{Limits, Reader},
    },
    dataset::run::DEFAULT_MAX_BODY,
    sample,
};
use robotstxt::DefaultMatcher;
use texting_robots::Robot;

/// One archive.
pub struct Input {
    /// The name in benchmark ids.
    pub name: &'static str,
    /// The bytes of the archive. The reader of one peer requires that they live as long as the
    /// process.
    pub archive: &'static [u8],
}

/// The options of the generated archive.
pub const SAMPLE: sample::Options = sample::Options {
    captures: 3_000,
    seed: 2026,
};
const CORPUS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/corpus/robots-00000.warc.gz"
);
/// One of so many bodies is used.
const STEP: usize = 8;
/// The time that `robotstxt` 0.3.0 takes for a pattern grows with the square of its stars: real
/// files with two thousand of them would take hours.
const MOST_STARS: usize = 100;

/// Returns the archives.
pub fn archives() -> Vec<Input> {
    let mut made = Vec::new();
    sample::write(&SAMPLE, &mut made).expect("a vector takes all bytes");
    let mut inputs = vec![Input {
        name: "sample",
        archive: made.leak(),
    }];
    match fs::read(Path::new(CORPUS)) {
        Ok(bytes) => inputs.push(Input {
            name: "corpus",
            archive: bytes.leak(),
        }),
        Err(e) => println!("Excluded: {CORPUS}: {e}"),
    }
    inputs
}

impl Input {
    /// Returns bodies that all sides can parse.
    pub fn bodies(&self) -> Vec<String> {
        let all = self.successful();
        let taken: Vec<_> = all.into_iter().step_by(STEP).collect();
        let n_taken = taken.len();
        let fit: Vec<_> = taken.into_iter().filter_map(parsed_by_all).collect();
        println!(
            "{}: {} bodies, {} bytes; excluded: {} that a peer cannot parse",
            self.name,
            fit.len(),
            fit.iter().map(String::len).sum::<usize>(),
            n_taken - fit.len(),
        );
        assert!(fit.len() * 10 > n_taken * 9, "nine of ten bodies are used");
        fit
    }

    /// Returns the bodies of all successful fetches.
    fn successful(&self) -> Vec<Vec<u8>> {
        let mut source = self.archive;
        let mut reader = Reader::new(Limits::default());
        let mut captures = CaptureReader::new(DEFAULT_MAX_BODY);
        captures.begin(true);
        let mut bodies = Vec::new();
        while let Some(record) = reader.read_record(&mut source) {
            if let Ok(capture) = captures.read(&record)
                && matches!(capture.fetch_status, Some(200..=299))
            {
                bodies.push(capture.payload.to_vec());
            }
        }
        bodies
    }
}

/// Returns a body as text, unless one of the peers rejects it, panics on it or takes hours.
fn parsed_by_all(body: Vec<u8>) -> Option<String> {
    let body = String::from_utf8(body).ok()?;
    let stars = |line: &str| line.bytes().filter(|byte| *byte == b'*').count();
    let most_stars = body.split(['\n', '\r']).map(stars).max().unwrap_or(0);
    let is_parsed = most_stars <= MOST_STARS
        && Robot::new("*", body.as_bytes()).is_ok()
        && panic::catch_unwind(AssertUnwindSafe(|| {
            DefaultMatcher::default().one_agent_allowed_by_robots(&body, "Googlebot", "/");
        }))
        .is_ok();
    is_parsed.then_some(body)
}
