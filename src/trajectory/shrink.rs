//! The smallest inputs that still show a fault (ScratchEval, section 10.2): steps are left out by delta debugging as long as an assertion
//! tells gold from the fault. Runs are exact, so that what is left out is not needed.

use std::sync::Arc;

use crate::forge::{Part, Plays};
use crate::grade::suite::holds;
use crate::judge::{PlayError, Played};
use crate::model::{Assertion, Scenario, Step};
use crate::noticing::Delta;

/// Pairs of runs at most.
const MOST_PAIRS: u32 = 12;

/// A scenario that shows a fault, and the buggy project's run of it.
#[derive(Debug, Clone)]
pub struct Shown {
    pub scenario: Scenario,
    pub buggy: Arc<Played>,
}

/// Two projects and what tells them apart.
#[derive(Debug, Clone, Copy)]
pub struct Apart<'a> {
    /// The .sb3 files.
    pub golden: &'a [u8],
    pub buggy: &'a [u8],
    /// Holds for gold and not for the buggy project.
    pub assertion: &'a Assertion,
    /// Ticks between looks.
    pub every: u64,
    pub plays: &'a Plays,
    /// What the runs are counted as.
    pub part: Part,
}

impl Apart<'_> {
    /// The scenario up to the tick at which the assertion is decided, with the inputs that it needs. Flags stay: without them nothing
    /// starts. `None` where nothing can be left out.
    ///
    /// # Errors
    /// When no page holds.
    pub async fn shortest(&self, scenario: &Scenario) -> Result<Option<Shown>, PlayError> {
        let length = self.assertion.feature.decided_after().unwrap_or(scenario.length);
        let whole = Scenario { length, ..scenario.clone() };
        let within = scenario.steps.iter().filter(|step| step.at() < length).cloned();
        let (flags, inputs): (Vec<Step>, Vec<Step>) = within.partition(|step| matches!(step, Step::Flag { .. }));
        let (mut search, mut found, mut pairs) = (Delta::of(inputs), None, 0);
        while pairs < MOST_PAIRS
            && let Some(kept) = search.trial()
        {
            pairs += 1;
            let shown = self.shows(&whole, &flags, &kept).await?;
            search.tell(shown.is_some());
            found = shown.or(found);
        }
        Ok(found)
    }

    /// The scenario with these steps, if the assertion holds for gold and not for the fault.
    async fn shows(&self, whole: &Scenario, flags: &[Step], kept: &[Step]) -> Result<Option<Shown>, PlayError> {
        let mut steps: Vec<Step> = flags.iter().chain(kept).cloned().collect();
        steps.sort_by_key(Step::at);
        let scenario = Scenario { steps, ..whole.clone() };
        let golden = self.plays.play(self.part, self.golden, &scenario, 1).await?;
        if !holds(&self.assertion.feature, golden.run(), self.every) {
            return Ok(None);
        }
        match self.plays.play(self.part, self.buggy, &scenario, 1).await {
            Ok(buggy) if !holds(&self.assertion.feature, buggy.run(), self.every) => {
                Ok(Some(Shown { scenario, buggy }))
            }
            Ok(_) => Ok(None),
            Err(error) if error.is_of_project() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
