//! The judge of this process, in pages of its own fleet.

use std::sync::Arc;

use async_trait::async_trait;

use super::attempt::Judging;
use crate::judge::{Conditions, Judges};
use crate::model::{Verdict, with_causes};
use crate::taskset::TaskEntry;

/// Judges with the first seed of each task.
#[derive(Debug)]
pub struct LocalJudge {
    judges: Judges,
}

impl LocalJudge {
    /// Judges with these.
    #[must_use]
    pub fn with(judges: Judges) -> Arc<Self> {
        Arc::new(Self { judges })
    }
}

#[async_trait]
impl Judging for LocalJudge {
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, String> {
        let seed = task.task.seeds.first().copied().unwrap_or_default();
        let judgement = self.judges.judge(task, sb3, &Conditions::seeded(seed)).await;
        judgement.map(|judgement| judgement.verdict).map_err(|error| with_causes(&error))
    }
}
