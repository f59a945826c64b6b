//! What a suite makes of a project, decided in one place for all who ask: the score of a repair, the text search, adequacy and kinds of
//! patches. An error on the console that gold does not have fails it, whatever holds otherwise (ScratchEval, section 5.3); then the
//! assertions count, and then the guards.

use tokio::sync::OnceCell;

use super::adequacy::FixOutcome;
use super::plays::{FirstRuns, Part, Plays};
use super::suite_runs::SuiteRuns;
use crate::judge::PlayError;
use crate::model::Suite;
use crate::project::Project;

/// What a suite makes of the runs of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuiteOutcome<'a> {
    /// This error is on the console, and gold has it in none of its runs.
    ConsoleError(&'a str),
    /// An assertion does not hold under some seed.
    AssertionFailed,
    /// All assertions hold, and a guard does not.
    GuardFailed,
    /// All of the suite holds.
    Passed,
}

impl SuiteRuns {
    /// What the suite makes of these runs, beside gold's of the same scenarios.
    pub fn outcome<'a>(&'a self, golden: &'a Self, suite: &Suite) -> SuiteOutcome<'a> {
        if let Some(error) = self.new_error(golden) {
            return SuiteOutcome::ConsoleError(error);
        }
        if suite.assertions.iter().any(|assertion| !self.hold(assertion, suite)) {
            return SuiteOutcome::AssertionFailed;
        }
        if self.broken_guards(suite).is_empty() { SuiteOutcome::Passed } else { SuiteOutcome::GuardFailed }
    }
}

impl From<SuiteOutcome<'_>> for FixOutcome {
    fn from(outcome: SuiteOutcome<'_>) -> Self {
        match outcome {
            SuiteOutcome::ConsoleError(_) | SuiteOutcome::AssertionFailed => Self::Rejected,
            SuiteOutcome::GuardFailed => Self::BreaksGuard,
            SuiteOutcome::Passed => Self::Accepted,
        }
    }
}

/// Gold's runs of a whole suite. They are needed only where a project writes errors to the console, and made when they first are.
#[derive(Debug)]
pub(super) struct GoldenRuns<'a> {
    sb3: &'a [u8],
    /// Its runs that were made before: at full length under the first seed, by scenario.
    first: FirstRuns,
    whole: OnceCell<SuiteRuns>,
}

impl<'a> GoldenRuns<'a> {
    /// The runs of a golden project, of which some may have been made before.
    pub(super) fn of(sb3: &'a [u8], first: FirstRuns) -> Self {
        Self { sb3, first, whole: OnceCell::new() }
    }

    async fn whole(&self, suite: &Suite, plays: &Plays) -> Result<&SuiteRuns, PlayError> {
        let made = || SuiteRuns::whole_after(&self.first, self.sb3, suite, plays, Part::Adequacy);
        self.whole.get_or_try_init(made).await
    }
}

/// What a suite makes of a repair, by the runs that its score is reckoned from. One that can't be played is rejected.
///
/// # Errors
/// When no page holds, or gold can't be played.
pub(super) async fn verdict(
    project: &Project,
    golden: &GoldenRuns<'_>,
    suite: &Suite,
    plays: &Plays,
) -> Result<FixOutcome, PlayError> {
    let Ok(sb3) = project.pack() else { return Ok(FixOutcome::Rejected) };
    let runs = match runs_of_passing(&sb3, suite, plays).await {
        Ok(Some(runs)) => runs,
        Ok(None) => return Ok(FixOutcome::Rejected),
        Err(error) if error.is_of_project() => return Ok(FixOutcome::Rejected),
        Err(error) => return Err(error),
    };
    // Where there is no error at all, none is new: gold need not be played for it.
    let golden = if runs.has_error() { golden.whole(suite, plays).await? } else { &runs };
    Ok(runs.outcome(golden, suite).into())
}

/// All runs of a project that keeps the assertions; of another one there are no more than these, since nothing can save it.
async fn runs_of_passing(sb3: &[u8], suite: &Suite, plays: &Plays) -> Result<Option<SuiteRuns>, PlayError> {
    let asserted = SuiteRuns::of(sb3, suite, plays, Part::Adequacy).await?;
    if asserted.rate(suite) < 1.0 {
        return Ok(None);
    }
    asserted.completed(sb3, suite, plays, Part::Adequacy).await.map(Some)
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
