//! What the benchmarks read: archives in memory, and the robots.txt bodies in them.
//!
//! Leaves: archives of gzip members, and every eighth body of a successful fetch in them, so that a
//! peer that needs a second for all of them can be measured too. Bodies that one of the peers
//! cannot be given are left out for all sides; how many is printed.

use std::{
    fs,
    panic::{self, AssertUnwindSafe},
    path::Path,
};

use robocensus::{
    capture::CaptureReader,
    pipeline::DEFAULT_MAX_BODY,
    sample,
    warc::{Limits, Reader},
};
use robotstxt::DefaultMatcher;
use texting_robots::Robot;

/// One archive.
pub struct Input {
    /// Its name in the ids.
    pub name: &'static str,
    /// The archive; it lives as long as the process, which the reader of one peer asks for.
    pub archive: &'static [u8],
}

/// What the archive of `robocensus sample` is made of.
pub const SAMPLE: sample::Options = sample::Options {
    captures: 3_000,
    seed: 2026,
};
const CORPUS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/corpus/robots-00000.warc.gz"
);
/// One body of so many is taken.
const STEP: usize = 8;
/// What a pattern costs `robotstxt` 0.3.0 grows with the square of its stars: real files with two
/// thousand of them would take it hours.
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
        Err(e) => println!("Left out: {CORPUS}: {e}"),
    }
    inputs
}

impl Input {
    /// Returns bodies that all sides can read.
    pub fn bodies(&self) -> Vec<String> {
        let all = self.successful();
        let taken: Vec<_> = all.into_iter().step_by(STEP).collect();
        let n_taken = taken.len();
        let fit: Vec<_> = taken.into_iter().filter_map(readable_by_all).collect();
        println!(
            "{}: {} bodies, {} bytes; left out: {} that a peer cannot read",
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

/// Returns a body as text, unless one of the peers refuses it, panics on it or takes forever.
fn readable_by_all(body: Vec<u8>) -> Option<String> {
    let body = String::from_utf8(body).ok()?;
    let stars = |line: &str| line.bytes().filter(|byte| *byte == b'*').count();
    let most_stars = body.split(['\n', '\r']).map(stars).max().unwrap_or(0);
    let is_read = most_stars <= MOST_STARS
        && Robot::new("*", body.as_bytes()).is_ok()
        && panic::catch_unwind(AssertUnwindSafe(|| {
            DefaultMatcher::default().one_agent_allowed_by_robots(&body, "Googlebot", "/");
        }))
        .is_ok();
    is_read.then_some(body)
}
