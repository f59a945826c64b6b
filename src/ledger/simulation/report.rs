//! What a simulation found: figures, and what did not hold.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::figures;
use crate::deliver::Call;

/// How long calls of one kind took, in milliseconds, waiting for a connection included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Latency {
    pub calls: u64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub longest_ms: f64,
}

/// What a fleet without work asks of the database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Idle {
    pub seconds: f64,
    pub transactions_per_s: f64,
    /// Statements, those that begin and end transactions included; absent where the server does not count them
    /// (`pg_stat_statements`).
    pub statements_per_s: Option<f64>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// From the entering of the experiment to its last cell.
    pub seconds: f64,
    pub workers: u64,
    pub cells: u64,
    pub decided: u64,
    /// All attempts, with those that were killed.
    pub attempts: u64,
    /// Attempts whose result was taken, each second, from the first tenth of the decided cells to the ninth.
    pub attempts_per_s: f64,
    /// Attempts by state.
    pub by_state: BTreeMap<String, u64>,
    pub calls: BTreeMap<String, Latency>,
    pub idle: Option<Idle>,
    /// Processes killed, and frozen.
    pub kills: u64,
    pub freezes: u64,
    /// Attempts that had ended when their process was killed, and were not handed in yet.
    pub ended_before_kill: u64,
    /// Of these, how many were made again.
    pub made_again: u64,
    /// Cells with more than one attempt that counts.
    pub duplicates: u64,
    pub micro_usd: u64,
    /// Highest number of attempts at a time, by lane, with its cap.
    pub lanes: BTreeMap<String, (u64, u64)>,
    /// What must hold and does not.
    pub breaches: Vec<String>,
}

impl Report {
    pub const fn passed(&self) -> bool {
        self.breaches.is_empty()
    }
}

/// The figures that all processes wrote.
pub(super) fn read<'a>(folders: impl Iterator<Item = &'a Path>) -> BTreeMap<String, Latency> {
    let mut took: BTreeMap<Call, Vec<u64>> = BTreeMap::new();
    for folder in folders {
        let text = std::fs::read_to_string(figures(folder)).unwrap_or_default();
        for line in text.lines() {
            // A process that was killed may have left half a line.
            let Some((call, micros)) = line.split_once(' ') else { continue };
            if let (Ok(call), Ok(micros)) = (call.parse(), micros.parse()) {
                took.entry(call).or_default().push(micros);
            }
        }
    }
    took.into_iter().map(|(call, micros)| (call.to_string(), latency(micros))).collect()
}

fn latency(mut micros: Vec<u64>) -> Latency {
    micros.sort_unstable();
    let at = |hundredths: usize| micros.get((micros.len() * hundredths / 100).min(micros.len().saturating_sub(1)));
    let ms = |micros: Option<&u64>| {
        std::time::Duration::from_micros(micros.copied().unwrap_or_default()).as_secs_f64() * 1000.0
    };
    Latency { calls: micros.len() as u64, p50_ms: ms(at(50)), p99_ms: ms(at(99)), longest_ms: ms(micros.last()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_what_was_measured() {
        let found = latency((1..=200).map(|ms| ms * 1000).collect());
        assert_eq!(found, Latency { calls: 200, p50_ms: 101.0, p99_ms: 199.0, longest_ms: 200.0 });
        assert_eq!(latency(Vec::new()), Latency::default());
    }

    #[test]
    fn half_a_line_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(figures(folder.path()), "begin 2000\nend 3000\nbeg").unwrap();
        let read = read([folder.path()].into_iter());
        assert_eq!((read.len(), read["begin"].p50_ms, read["end"].calls), (2, 2.0, 1));
    }
}
