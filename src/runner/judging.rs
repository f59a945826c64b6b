//! The judge of this process, in pages of its own fleet.

use std::sync::Arc;

use async_trait::async_trait;

use super::attempt::Judging;
use super::play::with_causes;
use crate::judge::judge;
use crate::model::Verdict;
use crate::session::Fleet;
use crate::taskset::TaskEntry;

/// Judges with the first seed of each task.
#[derive(Debug)]
pub struct LocalJudge {
    fleet: Fleet,
}

impl LocalJudge {
    /// Judges in pages of this fleet.
    #[must_use]
    pub fn over(fleet: Fleet) -> Arc<Self> {
        Arc::new(Self { fleet })
    }
}

#[async_trait]
impl Judging for LocalJudge {
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, String> {
        let seed = task.task.seeds.first().copied().unwrap_or_default();
        judge(&self.fleet, task, sb3, seed).await.map_err(|error| with_causes(&error))
    }
}
