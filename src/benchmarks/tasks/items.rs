//! Tasks with the agents that attempt them.

use std::sync::Arc;

use super::Tasks;
use super::outside::Outside;
use crate::agent::Agent;
use crate::experiment::RunError;
use crate::model::{ItemId, sha256_hex};
use crate::taskset::TaskEntry;

/// Makes an agent for one try at an attempt of this number, from 1.
pub type MakeAgent = Box<dyn Fn(u32) -> Box<dyn Agent> + Send + Sync>;

/// Who attempts a task.
pub enum Attempter {
    /// An agent that is asked for each decision.
    Agent(MakeAgent),
    /// A program of the user's that works by itself.
    Program(Arc<Outside>),
}

/// A task with who attempts it.
pub struct Job {
    pub task: TaskEntry,
    pub attempter: Attempter,
}

impl Job {
    /// A task with the agent that attempts it.
    pub fn new(task: TaskEntry, agent: MakeAgent) -> Self {
        Self { task, attempter: Attempter::Agent(agent) }
    }

    pub(super) fn item(&self) -> ItemId {
        ItemId::from(&self.task.task.id)
    }
}

/// Tasks in the order in which they are attempted where each attempt learns from those before it: as if shuffled, and the
/// same for the same seed, whatever other tasks there are.
pub fn seeded_order(mut tasks: Vec<TaskEntry>, seed: u64) -> Vec<TaskEntry> {
    tasks.sort_by_cached_key(|entry| sha256_hex(format!("{seed} {}", entry.task.id).as_bytes()));
    tasks
}

impl Tasks {
    pub(super) fn job(&self, item: &ItemId) -> Result<&Job, RunError> {
        let found = self.jobs.iter().find(|job| job.task.task.id.as_str() == item.as_str());
        found.ok_or_else(|| RunError::Item { item: item.to_string(), reason: "the run has no such task".to_owned() })
    }
}
