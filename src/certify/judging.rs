//! The judge's interface for checks.

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;

use crate::judge::{Conditions, JudgeError, Judges};
use crate::model::{Outcome, Trace, Verdict, with_causes};
use crate::taskset::TaskEntry;

/// How a project is judged for a check; always in virtual time and with a trace hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Trial {
    /// Seed of the random streams.
    pub seed: u64,
    /// Whether the first failing test ends it.
    pub stop_at_first_failure: bool,
    /// Whether inputs that drive every hat are played instead of the script; only the trace hash counts then.
    pub drive: bool,
    /// Distinguishes the repetitions of a judgement; each has a page of its own, in which no script has run before.
    pub repetition: u32,
}

impl Trial {
    /// The script, from its first to its last test.
    pub const fn seeded(seed: u64) -> Self {
        Self { seed, stop_at_first_failure: false, drive: false, repetition: 0 }
    }

    const fn conditions(self) -> Conditions {
        let Self { seed, stop_at_first_failure, drive, repetition } = self;
        let fresh_page = repetition > 0;
        Conditions { drive, fresh_page, stop_at_first_failure, ..Conditions::seeded(seed) }
    }
}

#[async_trait]
pub trait JudgeProject: Send + Sync {
    /// Judges a project, alone again where the testbed breaks.
    ///
    /// # Errors
    /// When there is no verdict.
    async fn judge(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Verdict, JudgeError>;

    /// The trace of a judgement; `None` where the testbed broke.
    ///
    /// # Errors
    /// When the project can't be judged.
    async fn trace(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Option<Value>, JudgeError>;
}

#[async_trait]
impl JudgeProject for Judges {
    async fn judge(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Verdict, JudgeError> {
        Ok(Self::judge(self, entry, sb3, &trial.conditions()).await?.verdict)
    }

    async fn trace(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Option<Value>, JudgeError> {
        let how = Conditions { trace: true, ..trial.conditions() };
        Ok(Self::judge(self, entry, sb3, &how).await?.trace)
    }
}

/// Judges a project. The judge itself tries again, alone, when the testbed breaks. No verdict says `infra_error`: that is an error here,
/// in words.
pub(super) async fn judged(
    judge: &dyn JudgeProject,
    entry: &TaskEntry,
    sb3: &[u8],
    trial: Trial,
) -> Result<Verdict, String> {
    match judge.judge(entry, sb3, trial).await {
        Ok(verdict) if verdict.outcome == Outcome::InfraError => Err(broken(&verdict.error.unwrap_or_default())),
        Ok(verdict) => Ok(verdict),
        Err(error) => Err(with_causes(&error)),
    }
}

/// The trace of a judgement.
pub(super) async fn traced(
    judge: &dyn JudgeProject,
    entry: &TaskEntry,
    sb3: &[u8],
    trial: Trial,
) -> Result<Trace, String> {
    let trace = judge.trace(entry, sb3, trial).await.map_err(|error| with_causes(&error))?;
    let trace = trace.ok_or_else(|| broken("there is no trace"))?;
    Trace::of(trace).map_err(|error| error.to_string())
}

fn broken(why: &str) -> String {
    format!("the testbed broke: {why}")
}
