//! Views of runs: the recorded ones, and the sessions of agents from outside as one more.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{Mode, Outcome, RunRecord};
use crate::recording::playback::{NamedAttempt, SESSIONS};
use crate::session::RECENT;

/// The runs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunList {
    /// What agents from outside did in sessions, as the run `sessions`; then the recorded runs, newest first, at most 200.
    pub runs: Vec<ListedRun>,
}

/// A run with how it went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedRun {
    /// What it set out to do.
    pub run: RunView,
    /// Complete attempts; of agents from outside, all.
    pub attempts: usize,
    /// Those that passed.
    pub passed: usize,
}

/// A run with its attempts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunDetails {
    /// What it set out to do.
    pub run: RunView,
    /// Those in progress, then the complete ones, each sorted by name; of agents from outside all, newest first.
    pub attempts: Vec<NamedAttempt>,
}

/// What a run set out to do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunView {
    /// Its name; `sessions` for the attempts of agents from outside.
    pub id: String,
    /// When it began, in seconds since 1970; absent while there are no sessions.
    pub started_at: Option<f64>,
    /// Version of scratchbed; absent for sessions, which may be of several.
    pub version: Option<String>,
    /// Who acted.
    pub agent: String,
    /// How it acted; absent for sessions, each of which has its own mode.
    pub mode: Option<Mode>,
    /// The tasks.
    pub tasks: Vec<String>,
    /// Further facts.
    pub notes: Vec<String>,
}

impl From<&RunRecord> for RunView {
    fn from(record: &RunRecord) -> Self {
        Self {
            id: record.id.clone(),
            started_at: Some(record.started_at),
            version: Some(record.version.clone()),
            agent: record.agent.clone(),
            mode: record.mode,
            tasks: record.items.iter().map(ToString::to_string).collect(),
            notes: record.notes.clone(),
        }
    }
}

impl RunView {
    /// The sessions of agents from outside.
    pub(super) fn of_sessions(attempts: &[NamedAttempt], are_kept: bool) -> Self {
        let tasks: BTreeSet<&str> = attempts.iter().map(|attempt| attempt.record.task.as_str()).collect();
        let began = attempts.iter().filter_map(|attempt| attempt.record.began_at);
        let note = format!(
            "Sessions are in memory alone: the last {RECENT} that ended are here until the server ends, with the pictures that \
             agents asked for. To keep all of them, with a picture after each action, start it with --record-dir DIR."
        );
        Self {
            id: SESSIONS.to_owned(),
            started_at: began.min_by(f64::total_cmp),
            version: None,
            agent: "agents over HTTP and MCP".to_owned(),
            mode: None,
            tasks: tasks.into_iter().map(str::to_owned).collect(),
            notes: if are_kept { Vec::new() } else { vec![note] },
        }
    }
}

impl ListedRun {
    /// The sessions of agents from outside.
    pub(super) fn of_sessions(attempts: &[NamedAttempt], are_kept: bool) -> Self {
        let passed = attempts.iter().filter(|attempt| attempt.record.outcome == Some(Outcome::Passed)).count();
        Self { run: RunView::of_sessions(attempts, are_kept), attempts: attempts.len(), passed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fakes;

    #[test]
    fn a_run_does_not_tell_its_secret_seed() {
        let record = RunRecord { judge_seed: Some(3_141_592_653), ..fakes::run(&["day_of_year"]) };
        assert!(serde_json::to_string(&record).unwrap().contains("3141592653"), "its record has it");
        let shown = ListedRun { run: RunView::from(&record), attempts: 1, passed: 0 };
        assert!(!serde_json::to_string(&shown).unwrap().contains("3141592653"));
    }
}
