//! Tasks as a benchmark: an agent works on a project in a session, and the evaluation script judges what it made.
//!
//! Parts: `items` are tasks with who attempts each, put together by [`Actor`], `models` and `planning` those that ask language
//! models; `ask` lets an agent act in a session of a
//! [`Testbed`], in this process or, as `remote`, behind a server, and `outside` has a program work by itself; `play` is the
//! loop of observing, deciding and acting, `log` its record, `memory` what later attempts begin with;
//! `measure` judges and says what became of it, `blame` whose trouble a broken session was, and `judging` whose a judgement
//! without tests; `figures` are rates; `import` makes a pack of a ScratchWorld checkout; `predictions` judges projects that
//! were made elsewhere, `regrade` judges recorded ones anew. `fakes` stands in for testbed, agent and judge in unit tests.

mod actor;
mod ask;
mod blame;
#[cfg(test)]
mod fakes;
mod figures;
pub mod import;
mod items;
mod judging;
mod log;
mod measure;
mod memory;
mod models;
mod outside;
mod planning;
mod play;
pub mod predictions;
pub mod regrade;
mod remote;
mod testbed;

use std::sync::Arc;

use async_trait::async_trait;

pub use actor::{Actor, ActorError, Stage};
pub use figures::{VoidedAttempts, costs, succeeded, summary, voided, voided_text};
pub use items::{Attempter, Job, MakeAgent, seeded_order};
pub use judging::{Judging, LocalJudge, SecretSeed};
pub use memory::{Memory, RunMemoryError, recorded_memory};
pub use models::{AskedModel, AwmActor, ModelActor};
pub use outside::{Door, Isolation, Outside, Via};
pub use planning::{PlannerActor, role_of_request};
pub use play::{Played, play};
pub use remote::RemoteTestbed;
pub use testbed::{LocalTestbed, TaskSession, Testbed, TestbedError};

use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::grade::{Count, TaskRow};
use crate::model::{ItemId, KeptPictures, LimitOverrides, Mode, TaskDetail, TaskRecord};
use crate::store::AttemptDir;

/// Tasks with their agents, where they run and under which limits.
pub struct Tasks {
    pub testbed: Arc<dyn Testbed>,
    pub judge: Arc<dyn Judging>,
    pub mode: Mode,
    /// Limits other than the tasks'.
    pub limits: LimitOverrides,
    /// Which pictures the records of attempts have.
    pub pictures: KeptPictures,
    pub jobs: Vec<Job>,
    /// What agents learn for later attempts, if they have a memory.
    pub memory: Option<Memory>,
}

#[async_trait]
impl Benchmark for Tasks {
    type Detail = TaskDetail;
    type Figures = Vec<TaskRow>;

    const NAME: &'static str = "tasks";

    fn items(&self) -> Vec<ItemId> {
        self.jobs.iter().map(Job::item).collect()
    }

    async fn attempt(&self, cell: Cell<'_, TaskDetail>, dir: &AttemptDir) -> Result<Ended<TaskDetail>, RunError> {
        let job = self.job(cell.item)?;
        let mut acted = self.act(job, cell.attempt, dir).await?;
        let learned = acted.memory.take();
        let ended = self.measure(job, acted, cell.earlier, dir).await?;
        if let Some((memory, learned)) = self.memory.as_ref().zip(learned).filter(|_| ended.outcome.counts()) {
            memory.go_on(cell.attempt, learned);
        }
        Ok(ended)
    }

    fn figures(&self, records: &[TaskRecord], count: Count) -> Vec<TaskRow> {
        figures::rows(records, count)
    }
}

#[cfg(test)]
#[path = "tasks_tests.rs"]
mod tests;
