//! What processes take: processor time and memory, of which only Linux tells without unsafe code.

use std::{fs, path::Path};

use serde::Serialize;

/// Processor time and memory below which sides do not differ: less than this varies from run to
/// run.
const LEAST_SECONDS: f64 = 1.0;
const LEAST_MIB: f64 = 16.0;

/// What the processes of a side took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Processor time from when they had said their names, with that of the children that they have
    /// waited for.
    pub cpu_milliseconds: u64,
    /// The peak memory in bytes of the largest one that had not ended when it was measured.
    pub peak_bytes: u64,
}

/// How much more the candidate took than the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageRatio {
    /// What was taken.
    pub name: &'static str,
    /// What the candidate took as a multiple of what the baseline took.
    pub ratio: f64,
    /// What each side took.
    pub amounts: String,
}

impl UsageRatio {
    /// Returns those of processor time and of memory; nothing where a side was not measured.
    pub fn between([baseline, candidate]: [Option<Usage>; 2]) -> Vec<UsageRatio> {
        let (Some(baseline), Some(candidate)) = (baseline, candidate) else {
            return Vec::new();
        };
        let seconds = [baseline, candidate].map(|usage| usage.cpu_milliseconds as f64 / 1000.0);
        let mib = [baseline, candidate].map(|usage| usage.peak_bytes as f64 / f64::from(1 << 20));
        let ratios = [
            ("processor time", "s", seconds, LEAST_SECONDS),
            ("peak memory", "MiB", mib, LEAST_MIB),
        ];
        let ratios = ratios.map(|(name, unit, [before, after], least)| UsageRatio {
            name,
            ratio: after.max(least) / before.max(least),
            amounts: format!("{before:.1} {unit} to {after:.1} {unit}"),
        });
        ratios.into()
    }
}

impl Usage {
    /// Returns what the processes of a group have taken so far; `None` where there are none, or the
    /// system does not tell.
    pub(super) fn of_group(group: u32) -> Option<Usage> {
        let processes = fs::read_dir("/proc").ok()?.flatten();
        let usages = processes.filter_map(|entry| Usage::of_process(&entry.path(), group));
        usages.reduce(Usage::and)
    }

    fn of_process(process: &Path, group: u32) -> Option<Usage> {
        // Clock ticks are a hundredth of a second on every architecture of today (proc(5)).
        const MILLISECONDS_PER_TICK: u64 = 10;
        // Positions behind the name: the group; user and system time, its own and that of the
        // children that it has waited for.
        const GROUP: usize = 2;
        const TIMES: std::ops::RangeInclusive<usize> = 11..=14;
        let stat = fs::read_to_string(process.join("stat")).ok()?;
        // The name may have blanks and parentheses.
        let (_, stat) = stat.rsplit_once(") ")?;
        let values: Vec<&str> = stat.split(' ').collect();
        if values.get(GROUP)?.parse() != Ok(group) {
            return None;
        }
        let ticks = values.get(TIMES)?.iter();
        let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        let status = fs::read_to_string(process.join("status")).ok()?;
        let mut lines = status.lines();
        // A process that has ended has no memory any more.
        let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok());
        Some(Usage {
            cpu_milliseconds: MILLISECONDS_PER_TICK * ticks,
            peak_bytes: 1024 * kibibytes.unwrap_or(0u64),
        })
    }

    /// Returns what these and other processes took.
    pub(super) fn and(self, other: Usage) -> Usage {
        Usage {
            cpu_milliseconds: self.cpu_milliseconds + other.cpu_milliseconds,
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
        }
    }
}
