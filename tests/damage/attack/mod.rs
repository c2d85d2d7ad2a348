//! The program on archives that were damaged on purpose.
//!
//! Each case is an archive of twelve records to which one known thing was done ([`kinds`]); what
//! must hold follows from that and never from a reader. The program reads the archives of 61 cases
//! at a time, and the undamaged one with them. What must hold:
//!
//! - The exit code shows whether any archive is incomplete; nothing hangs, and the peak memory is
//!   within its bound.
//! - Bytes, records, faults and rows add up in every archive. (That they do in the summary, the
//!   program checks itself unless it is built for release.)
//! - Every record that was not changed is a capture, in the order of the archive, and its rows in
//!   all tables are those of the undamaged archive except for offsets. (`redirects` is not
//!   compared: the end of a chain depends on all archives.)
//! - A changed record never has the response of another one, and a record inside a body is never a
//!   capture.
//! - Damage that costs something is reported, and a well-formed archive has no fault.

mod archive;
mod judge;
mod kinds;

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use self::{
    archive::{Framing, frame, records},
    kinds::{Draft, Framed, KINDS, Report, Stage},
};
use robocensus::sample::random::Random;

use crate::util::{Dir, Ran, ended_with_peak, lasting, piped};

/// An archive, and what must hold for its dataset.
pub struct Case {
    pub seed: u64,
    pub kind: &'static str,
    pub framing: Framing,
    pub bytes: Vec<u8>,
    /// The captures that must be read, by the numbers of their records, in order.
    pub expected: Vec<usize>,
    /// Records that may be lost or changed.
    pub exempt: BTreeSet<usize>,
    pub report: Report,
    /// Whether damage may have changed the names of hosts: only where no checksum covers a record
    /// before the next one begins.
    pub may_rename: bool,
}

/// Cases that are read together.
const BATCH: u64 = KINDS.len() as u64;
/// The most memory that a run may take, in bytes, and with each thread.
pub const MOST_MEMORY: u64 = 128 * 1024 * 1024;
pub const MOST_MEMORY_PER_THREAD: u64 = 96 * 1024 * 1024;
const THREADS: u64 = 2;

impl Case {
    /// Returns the case of that number; cases of a batch are made of the same records.
    fn new(seed: u64) -> Self {
        let kind = &KINDS[(seed % BATCH) as usize];
        let framing = Framing::ALL[(seed / BATCH) as usize % Framing::ALL.len()];
        let records = records(&mut Random::new(seed / BATCH));
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut draft = Draft {
            at: random.below(records.len()),
            records,
            exempt: BTreeSet::new(),
            is_start_hidden: false,
            report: Report::Either,
        };
        if let Stage::Draft(apply) = kind.stage {
            apply(&mut draft, &mut random);
        }
        let pieces = frame(&draft.records, framing, &mut random);
        let mut framed = Framed {
            at: random.below(pieces.len()),
            pieces,
            exempt: BTreeSet::new(),
            report: draft.report,
        };
        if let Stage::Framed(apply) = kind.stage {
            apply(&mut framed, &mut random);
        }
        if draft.is_start_hidden {
            let mut of_piece = framed.pieces.iter().map(|piece| piece.records.clone());
            let own = of_piece.find(|records| records.contains(&draft.at));
            let first = own.map(|records| records.start);
            let in_front = first.filter(|first| first + 1 == draft.at);
            framed.exempt.extend(in_front);
        }
        let id_at = |&position: &usize| draft.records.get(position).map(|record| record.id);
        let mut exempt = draft.exempt;
        exempt.extend(framed.exempt.iter().filter_map(id_at));
        let captures = draft.records.iter().filter(|record| record.is_capture);
        let expected = captures.map(|record| record.id);
        let bytes = framed.pieces.into_iter().flat_map(|piece| piece.bytes);
        Self {
            seed,
            kind: kind.name,
            framing,
            bytes: bytes.collect(),
            expected: expected.filter(|id| !exempt.contains(id)).collect(),
            may_rename: !exempt.is_empty()
                && matches!(kind.stage, Stage::Framed(_))
                && !matches!(framing, Framing::Members | Framing::Frames),
            exempt,
            report: framed.report,
        }
    }

    /// The name of its file, which sorts like its seed.
    pub fn file(&self) -> String {
        let framing = self.framing.name();
        format!("{:08}-{}-{framing}.warc", self.seed, self.kind)
    }

    /// Returns how to reproduce it.
    pub fn told(&self) -> String {
        let (kind, framing, seed) = (self.kind, self.framing.name(), self.seed);
        format!("{kind} in {framing}; make attack SEED={seed} reproduces it")
    }
}

/// Runs the program with these words, and returns the most memory that it had.
pub fn run_with_peak(words: &[impl AsRef<OsStr>]) -> (Ran, u64) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_robocensus"));
    ended_with_peak(piped(program.args(words).stdin(Stdio::null())))
}

/// The results of an attack.
#[derive(Default)]
struct Figures {
    kinds: BTreeSet<&'static str>,
    untouched: usize,
    faults: i64,
    peak: u64,
    failures: Vec<String>,
}

/// Reads the cases of these seeds, which are of one batch, and the undamaged archive.
fn attack(seeds: std::ops::Range<u64>, folder: &Path, figures: &mut Figures) {
    let cases: Vec<_> = seeds.clone().map(Case::new).collect();
    let archives = folder.join("archives");
    fs::create_dir_all(&archives).unwrap();
    let whole = records(&mut Random::new(seeds.start / BATCH));
    let whole = frame(&whole, Framing::Members, &mut Random::new(0));
    let whole: Vec<u8> = whole.into_iter().flat_map(|piece| piece.bytes).collect();
    fs::write(archives.join(judge::WHOLE), whole).unwrap();
    for case in &cases {
        fs::write(archives.join(case.file()), &case.bytes).unwrap();
    }
    fs::write(folder.join("agents"), "*\nGPTBot\n").unwrap();
    fs::write(folder.join("urls"), "/\n/a\n").unwrap();
    let options = "run --dialects google,rfc9309,python --no-finish --quiet --threads";
    let mut words: Vec<_> = options.split(' ').map(str::to_owned).collect();
    let of = |flag: &str, name: &str| format!("{flag}{}", folder.join(name).display());
    words.extend([
        THREADS.to_string(),
        of("--agents=", "agents"),
        of("--urls=", "urls"),
        of("--out=", "census"),
        of("", "archives"),
    ]);
    let all = format!("cases {} to {}", seeds.start, seeds.end - 1);
    eprintln!("{all}; to try them one by one: make attack SEED=n");
    let mut fail = |what: String| figures.failures.push(format!("{all}: {what}"));
    let (ran, peak) = run_with_peak(&words);
    if peak > MOST_MEMORY + THREADS * MOST_MEMORY_PER_THREAD {
        fail(format!("{} bytes of memory", peak));
    }
    if ![0, 1].contains(&ran.code) || ran.stderr.contains("panicked") {
        return fail(format!("exit code {}: {}", ran.code, ran.stderr));
    }
    figures.peak = figures.peak.max(peak);
    for case in &cases {
        figures.kinds.insert(case.kind);
        figures.untouched += case.expected.len();
    }
    judge::judge(folder, &cases, ran.code, figures);
}

/// Attacks with the first `n` cases.
fn attack_with(n: u64) -> Figures {
    let mut figures = Figures::default();
    for start in (0..n).step_by(BATCH as usize) {
        let (dir, end) = (Dir::new(), n.min(start + BATCH));
        attack(start..end, &dir.path("attack"), &mut figures);
    }
    eprintln!(
        "{n} cases: {} untouched records compared, {} faults reported; \
         peak {} MB with {THREADS} threads; {} failures",
        figures.untouched,
        figures.faults,
        figures.peak / 1_000_000,
        figures.failures.len()
    );
    figures
}

fn assert_none(failures: &[String]) {
    let (n, shown) = (failures.len(), &failures[..failures.len().min(100)]);
    assert!(failures.is_empty(), "{n} failures:\n{}", shown.join("\n"));
}

#[test]
fn what_was_not_touched_survives_every_kind_of_damage_in_every_framing() {
    let figures = attack_with(BATCH * Framing::ALL.len() as u64);
    assert_none(&figures.failures);
    // Each of the 61 kinds has a name of its own.
    assert_eq!((KINDS.len(), figures.kinds.len()), (61, 61));
    assert!(figures.untouched > 4_000 && figures.faults > 200);
}

/// `make attack N=5000`, or `make attack SEED=17` for one case, whose files stay.
#[test]
#[ignore = "takes minutes: make attack"]
fn what_was_not_touched_survives_thousands_of_attacks() {
    let number = |name: &str| {
        let text = std::env::var(name).ok().filter(|text| !text.is_empty());
        text.map(|text| text.parse::<u64>().expect("a number is given"))
    };
    if let Some(seed) = number("ATTACK_SEED") {
        let folder = lasting("attack");
        let mut figures = Figures::default();
        attack(seed..seed + 1, &folder, &mut figures);
        eprintln!("{}: {}", Case::new(seed).told(), folder.display());
        return assert_none(&figures.failures);
    }
    let figures = attack_with(number("ATTACK_N").unwrap_or(5_000));
    assert_none(&figures.failures);
}
