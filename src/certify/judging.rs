//! The judge's interface for checks.

use async_trait::async_trait;
use serde::Serialize;

use crate::judge::{Conditions, Judges};
use crate::model::{Outcome, Verdict, with_causes};
use crate::taskset::TaskEntry;

/// How often a judgement is tried when the testbed breaks.
const TRIES: u32 = 3;

/// How a project is judged for a check; always in virtual time and with a trace hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Trial {
    /// Seed of the random streams.
    pub seed: u64,
    /// Whether the first failing test ends it.
    pub stop_at_first_failure: bool,
    /// Whether inputs that drive every hat are played instead of the script; only the trace hash counts then.
    pub drive: bool,
    /// Tells the repetitions of a judgement apart; each has a page of its own, in which no script has run before.
    pub repetition: u32,
}

impl Trial {
    /// The script, from its first to its last test.
    #[must_use]
    pub const fn seeded(seed: u64) -> Self {
        Self { seed, stop_at_first_failure: false, drive: false, repetition: 0 }
    }
}

/// Something that judges.
#[async_trait]
pub trait JudgeProject: Send + Sync {
    /// Judges a project once.
    ///
    /// # Errors
    /// In words, when there is no verdict at all.
    async fn judge(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Verdict, String>;
}

#[async_trait]
impl JudgeProject for Judges {
    async fn judge(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Verdict, String> {
        let Trial { seed, stop_at_first_failure, drive, repetition } = trial;
        let fresh_page = repetition > 0;
        let how = Conditions { drive, fresh_page, stop_at_first_failure, ..Conditions::seeded(seed) };
        let judgement = Self::judge(self, entry, sb3, &how).await;
        judgement.map(|judgement| judgement.verdict).map_err(|error| with_causes(&error))
    }
}

/// Judges a project, several times if the testbed breaks. No verdict says `infra_error`: that is an error here, in
/// words.
pub(super) async fn judged(
    judge: &dyn JudgeProject,
    entry: &TaskEntry,
    sb3: &[u8],
    trial: Trial,
) -> Result<Verdict, String> {
    let mut last = String::new();
    for _ in 0..TRIES {
        let verdict = judge.judge(entry, sb3, trial).await?;
        if verdict.outcome != Outcome::InfraError {
            return Ok(verdict);
        }
        last = verdict.error.unwrap_or_default();
    }
    Err(format!("the testbed broke {TRIES} times: {last}"))
}
