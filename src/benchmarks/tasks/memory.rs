//! What the agents of a run learn from one attempt to the next.
//!
//! ```text
//! memory/<sha256>/            a state: text files, under the digest of them all
//! attempts/<name>/memory.json which state the attempt began with, and which it left
//! ```
//! The first, second, … attempts at all items each are a stream of their own: the first of each begins with the run's first
//! state, so that repetitions of a run within it are independent. An attempt begins with what the last one of its stream left
//! that counts. A try that the testbed spoiled leaves nothing, and the next try begins where it began.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::agent::memory::{MemoryError, MemoryState, MemoryUse};
use crate::model::{Blame, Coded, TaskDetail};
use crate::store::{AttemptDir, RunDir, StoreError};

/// The folder of states in that of a run.
const STATES: &str = "memory";
/// The record in the folder of an attempt.
const RECORD: &str = "memory.json";

/// What the agents of a run know.
#[derive(Debug)]
pub struct Memory {
    dir: RunDir,
    start: MemoryState,
    /// Whether attempts leave anything to later ones.
    grows: bool,
    /// How far each stream has come, by the number of its attempts.
    streams: Mutex<BTreeMap<u32, Reached>>,
}

/// How far a stream has come.
#[derive(Debug, Clone, Default)]
struct Reached {
    /// Attempts of the stream that count.
    place: u32,
    state: MemoryState,
}

/// `memory.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// Which attempt of its stream it was among those that count, from 1.
    place: u32,
    /// The digest of what the attempt began with.
    before: String,
    /// The digest of what it left.
    after: String,
    /// Why the agent could not learn from the attempt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    not_learned: Option<String>,
}

/// What an attempt leaves if it counts.
#[derive(Debug)]
pub(super) struct Remembered(Reached);

/// Why the memory of a run can't be had.
#[derive(Debug, thiserror::Error)]
pub enum RunMemoryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// An attempt counts, and there is no record of what it left.
    #[error("{} has no record of its memory", .path.display())]
    NoRecord { path: std::path::PathBuf },
}

impl Coded for RunMemoryError {
    fn code(&self) -> &str {
        match self {
            Self::Store(error) => error.code(),
            Self::Memory(error) => error.code(),
            Self::NoRecord { .. } => "memory_not_recorded",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::Memory(error) => error.hint(),
            Self::NoRecord { .. } => Some("its agent had no memory, or a file is lost: start a new run".to_owned()),
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Store(error) => error.blame(),
            Self::Memory(_) | Self::NoRecord { .. } => Blame::Input,
        }
    }
}

impl Memory {
    /// The memory of a run as far as it has come; `None` where its agents have none.
    ///
    /// # Errors
    /// When a record or a state can't be read.
    pub fn of(dir: &RunDir, plan: &MemoryUse) -> Result<Option<Self>, RunMemoryError> {
        let Some(start) = plan.start() else { return Ok(None) };
        let mut streams = BTreeMap::new();
        if plan.grows() {
            for (attempt, record) in last_of_each_stream(dir)? {
                let state = MemoryState::read(&dir.path().join(STATES).join(&record.after))?;
                streams.insert(attempt, Reached { place: record.place, state });
            }
        }
        Ok(Some(Self { dir: dir.clone(), start, grows: plan.grows(), streams: Mutex::new(streams) }))
    }

    fn reached(&self, attempt: u32) -> Reached {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.get(&attempt).cloned().unwrap_or_else(|| Reached { place: 0, state: self.start.clone() })
    }

    /// What an attempt of this number begins with.
    pub(super) fn before(&self, attempt: u32) -> MemoryState {
        self.reached(attempt).state
    }

    /// Keeps what an attempt began with and what it left: the same, if its agent has changed nothing. What it would leave to
    /// a frozen memory is dropped.
    pub(super) fn keep(
        &self,
        attempt: u32,
        (left, not_learned): (Option<MemoryState>, Option<String>),
        dir: &AttemptDir,
    ) -> Result<Remembered, StoreError> {
        let Reached { place, state: before } = self.reached(attempt);
        let left = left.filter(|_| self.grows);
        let after = Reached { place: place + 1, state: left.unwrap_or_else(|| before.clone()) };
        for state in [&before, &after.state] {
            self.dir.keep_files(&format!("{STATES}/{}", state.digest()), state.files())?;
        }
        let (before, digest) = (before.digest(), after.state.digest());
        dir.keep_json(RECORD, &Record { place: after.place, before, after: digest, not_learned })?;
        Ok(Remembered(after))
    }

    /// Has the next attempt of the stream begin with what this one left.
    pub(super) fn go_on(&self, attempt: u32, Remembered(left): Remembered) {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).insert(attempt, left);
    }
}

/// The record of the last attempt that counts, by the number of the stream.
fn last_of_each_stream(dir: &RunDir) -> Result<BTreeMap<u32, Record>, RunMemoryError> {
    let mut last: BTreeMap<u32, Record> = BTreeMap::new();
    for (_, attempt) in dir.attempts::<TaskDetail>()? {
        if !attempt.outcome.counts() {
            continue;
        }
        let file = format!("{}/{RECORD}", RunDir::place(&attempt));
        let record: Option<Record> = dir.kept(&file)?;
        let record = record.ok_or_else(|| RunMemoryError::NoRecord { path: dir.path().join(file) })?;
        if last.get(&attempt.attempt).is_none_or(|known| known.place < record.place) {
            last.insert(attempt.attempt, record);
        }
    }
    Ok(last)
}

/// What a folder holds: a state, or that which the first attempts of a run came to.
///
/// # Errors
/// When there is none, or it can't be read.
pub fn recorded_memory(path: &Path) -> Result<MemoryState, RunMemoryError> {
    if !path.join("run.json").is_file() {
        return Ok(MemoryState::read(path)?);
    }
    let dir = RunDir::open(path)?;
    match last_of_each_stream(&dir)?.into_values().next() {
        Some(record) => Ok(MemoryState::read(&path.join(STATES).join(record.after))?),
        None => Err(MemoryError::Absent { path: path.to_owned() }.into()),
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
