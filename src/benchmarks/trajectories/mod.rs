//! Budgeted repair (EcoScratch): each item is a case, and an attempt at it is a trajectory, which has attempts of its own.
//!
//! Parts: `items` opens what is to be repaired, `ask` says who answers and asks, `measure` reads, applies and verifies, `kept` what was made or paid for before, `pass` makes one attempt of
//! a trajectory, `course` the whole of it, with its `energy`, `compare` what is found out about candidates afterwards, `same` compares records of replays, `figures` are rates of a run.
//! `served` are repairs that callers of a server ask for, which `follow` tells line by line and `refused` refuses. What a model is shown, which plan it gets and what checks
//! its patches, the room `trajectory` knows.

mod ask;
mod compare;
mod course;
mod energy;
mod figures;
mod follow;
mod images;
mod items;
mod kept;
mod measure;
mod pass;
mod refused;
mod same;
mod served;

use async_trait::async_trait;

pub use ask::{Answers, Floor, Respondent};
pub use course::{After, Manner};
pub use figures::{Score, score};
pub use follow::{Follow, Told};
pub use items::{CaseItem, CaseSource, Cases};
pub use kept::Kept;
pub use refused::RepairError;
pub use same::differs;
pub use served::{
    NewRepair, OfferedBenchmark, RepairAgent, RepairBudgets, RepairHost, RepairOffer, RepairState, RepairStatus,
    RepairTrouble, RepairView,
};

use self::course::Course;
use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::grade::Count;
use crate::model::{AttemptRecord, Cost, ItemId, Layer, Outcome, Trajectory};
use crate::store::AttemptDir;
use crate::trajectory::OracleError;

/// The file of a run that has its cases, which figures need.
pub const CASES: &str = "cases.json";

/// Cases with who repairs them, under one controller mode.
pub struct Trajectories {
    cases: Cases,
    answers: Answers,
    manner: Manner,
    kept: Kept,
}

impl Trajectories {
    /// Cases with who repairs them.
    pub const fn of(cases: Cases, answers: Answers, manner: Manner, kept: Kept) -> Self {
        Self { cases, answers, manner, kept }
    }

    /// The cases, with what tables group them by.
    pub fn chosen(&self) -> &[CaseItem] {
        self.cases.items()
    }
}

/// What the testbed spoiled says nothing of who repairs; a gold that fails makes no case.
fn spoiled(error: &OracleError, cost: Cost) -> Ended<Option<Trajectory>> {
    let outcome = match error {
        OracleError::Testbed(_) => Outcome::InfraError,
        OracleError::InvalidCase(_) => Outcome::JudgeError,
    };
    Ended { outcome, error: Some(error.to_string()), cost, detail: None }
}

/// The outcome of a trajectory by its layer.
const fn outcome(layer: Layer) -> Outcome {
    match layer {
        Layer::StrictSuccess => Outcome::Passed,
        Layer::Application | Layer::Precheck | Layer::Full => Outcome::Failed,
        Layer::Extraction | Layer::Schema => Outcome::Unreadable,
        Layer::Request => Outcome::CallFailed,
    }
}

#[async_trait]
impl Benchmark for Trajectories {
    /// `None` where the testbed failed.
    type Detail = Option<Trajectory>;
    type Figures = Score;

    const NAME: &'static str = "trajectory";

    fn items(&self) -> Vec<ItemId> {
        self.cases.items().iter().map(|item| item.id.clone()).collect()
    }

    async fn attempt(&self, cell: Cell<'_, Self::Detail>, dir: &AttemptDir) -> Result<Ended<Self::Detail>, RunError> {
        let case = match self.cases.open(cell.item).await? {
            Ok(case) => case,
            Err(error) => return Ok(spoiled(&error, Cost::default())),
        };
        let course = Course {
            case: &case,
            answers: &self.answers,
            manner: &self.manner,
            kept: &self.kept,
            replicate: cell.attempt,
            dir,
        };
        course.run().await
    }

    fn reason(&self, record: &AttemptRecord<Self::Detail>) -> Option<String> {
        if record.outcome == Outcome::Passed {
            return None;
        }
        let said = || {
            let trajectory = record.detail.as_ref()?;
            let last = trajectory.attempts.last();
            let code = last.and_then(|last| last.code.clone()).unwrap_or_default();
            Some(format!("{}: {code}; {}", trajectory.layer, trajectory.stop))
        };
        record.error.clone().or_else(said)
    }

    fn asks(&self) -> bool {
        self.answers.respondent().is_some_and(|respondent| respondent.asker.is_some())
    }

    fn figures(&self, records: &[AttemptRecord<Self::Detail>], _: Count) -> Score {
        score(self.cases.items(), records)
    }
}
