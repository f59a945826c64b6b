//! What a chaos run observed, and when that counts as a success.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::MemoryReport;
use super::tally::Tally;
use crate::model::{pluralise, pluralise_as};

/// Memory at rest may be this many times what it was before.
const MEMORY: f64 = 1.1;
/// So many more processes or open files at rest may be Chromium's own helpers and connections that still close.
const SLACK: usize = 3;

/// Files that we hold open for one browser: its pipe, its guard's, and the line to the DevTools client.
const FILES_OF_A_BROWSER: usize = 16;

/// What there is of the server at rest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rest {
    /// Living sessions.
    pub sessions: usize,
    /// Living browsers.
    pub browsers: usize,
    /// Processes, the server's own and all of Chromium's.
    pub processes: usize,
    /// Open files of the server, connections among them.
    pub files: usize,
    /// Temporary files: browsers' profiles.
    pub temporary: usize,
    /// Memory of all its processes, shared pages once, in MB.
    pub memory_mb: f64,
}

/// What was seen in all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChaosReport {
    /// What the run was drawn from; the same seed does the same things at the same times.
    pub seed: u64,
    /// What agents and the judge's callers saw.
    pub agents: Tally,
    /// How often each harm was done.
    pub harms: Vec<(String, u32)>,
    /// The server's memory while it was attacked.
    pub memory: MemoryReport,
    /// The server at rest before.
    pub before: Rest,
    /// The server at rest after.
    pub after: Rest,
    /// What is not as it must be, one line each.
    pub breaches: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl ChaosReport {
    /// Whether all is as it must be.
    pub const fn passed(&self) -> bool {
        self.breaches.is_empty()
    }
}

/// What was lost or left behind between two times of rest.
pub(super) fn differences(before: &Rest, after: &Rest) -> Vec<String> {
    let mut found = Vec::new();
    if after.sessions > 0 {
        let unknown = pluralise_as(after.sessions, "unknown session is", "unknown sessions are");
        found.push(format!("{unknown} still alive"));
    }
    if after.temporary > after.browsers {
        let (files, browsers) = (pluralise(after.temporary, "temporary file"), pluralise(after.browsers, "browser"));
        found.push(format!("{files} of {browsers}"));
    }
    // A browser more or less is the pool's business; what belongs to one is not left without it.
    let browsers = after.browsers.saturating_sub(before.browsers);
    for (what, before, after, each) in [
        ("processes", before.processes, after.processes, before.processes / before.browsers.max(1)),
        ("open files", before.files, after.files, FILES_OF_A_BROWSER),
    ] {
        if after > before + SLACK + browsers * each {
            found.push(format!("{what}: {before} before, {after} after"));
        }
    }
    if browsers == 0 && after.memory_mb > before.memory_mb * MEMORY {
        found.push(format!("memory: {:.0} MB before, {:.0} MB after", before.memory_mb, after.memory_mb));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_are_reported() {
        let before = Rest { sessions: 0, browsers: 1, processes: 9, files: 40, temporary: 1, memory_mb: 500.0 };
        assert_eq!(differences(&before, &before), Vec::<String>::new());
        let after = Rest { sessions: 1, browsers: 1, processes: 20, files: 60, temporary: 2, memory_mb: 600.0 };
        assert_eq!(differences(&before, &after).len(), 5);
        let larger = Rest { browsers: 2, processes: 18, files: 44, temporary: 2, memory_mb: 900.0, ..before };
        assert_eq!(differences(&before, &larger), Vec::<String>::new());
    }
}
