//! The smallest inputs that still show a fault (ScratchEval, section 10.2): steps are left out by delta debugging as long as the first
//! assertion tells gold from the fault. Runs are exact, so that what is left out is not needed.

use std::sync::Arc;

use super::gold::Gold;
use super::plays::{Part, Plays};
use super::rules::Rules;
use super::trials::Accepted;
use crate::grade::suite::holds;
use crate::judge::{PlayError, Played};
use crate::model::{Assertion, Scenario, Step};

/// Pairs of runs at most.
const MOST_PAIRS: u32 = 12;

/// A scenario that shows a fault, and the buggy project's run of it.
#[derive(Debug, Clone)]
pub struct Shown {
    pub scenario: Scenario,
    pub buggy: Arc<Played>,
}

/// Leaves out inputs that the first assertion does not need, up to the tick at which it is decided. `None` where nothing can be left out.
///
/// # Errors
/// When no page holds.
pub async fn shrunk(
    gold: &Gold,
    accepted: &Accepted,
    plays: &Plays,
    rules: &Rules,
) -> Result<Option<Shown>, PlayError> {
    let Some(best) = accepted.suite.assertions.first() else { return Ok(None) };
    let Some(scenario) = gold.scenario(&best.scenario) else { return Ok(None) };
    let length = best.feature.decided_after().unwrap_or(scenario.length);
    let all: Vec<Step> = scenario.steps.iter().filter(|step| step.at() < length).cloned().collect();
    let search = Search { gold, accepted, plays, rules, best, whole: Scenario { length, ..scenario.clone() } };
    search.run(all).await
}

struct Search<'a> {
    gold: &'a Gold,
    accepted: &'a Accepted,
    plays: &'a Plays,
    rules: &'a Rules,
    best: &'a Assertion,
    whole: Scenario,
}

impl Search<'_> {
    /// Delta debugging (Zeller and Hildebrandt 2002) over the inputs, flags apart: without them nothing starts.
    async fn run(&self, all: Vec<Step>) -> Result<Option<Shown>, PlayError> {
        let (flags, mut left): (Vec<Step>, Vec<Step>) =
            all.into_iter().partition(|step| matches!(step, Step::Flag { .. }));
        let (mut parts, mut pairs, mut found) = (1, 0, None);
        while !left.is_empty() && pairs < MOST_PAIRS {
            let size = left.len().div_ceil(parts);
            let mut smaller = None;
            for begin in (0..left.len()).step_by(size) {
                if pairs == MOST_PAIRS {
                    break;
                }
                pairs += 1;
                let end = (begin + size).min(left.len());
                let kept: Vec<Step> = left[..begin].iter().chain(&left[end..]).cloned().collect();
                if let Some(shown) = self.shows(&flags, &kept).await? {
                    smaller = Some((kept, shown));
                    break;
                }
            }
            match smaller {
                Some((kept, shown)) => {
                    (left, found) = (kept, Some(shown));
                    parts = parts.saturating_sub(1).max(1);
                }
                None if size == 1 => break,
                None => parts = (parts * 2).min(left.len()),
            }
        }
        Ok(found)
    }

    /// The scenario with these steps, if the assertion holds for gold and not for the fault.
    async fn shows(&self, flags: &[Step], kept: &[Step]) -> Result<Option<Shown>, PlayError> {
        let mut steps: Vec<Step> = flags.iter().chain(kept).cloned().collect();
        steps.sort_by_key(Step::at);
        let scenario = Scenario { steps, ..self.whole.clone() };
        let golden = self.plays.play(Part::Shrink, &self.gold.sb3, &scenario, 1).await?;
        if !holds(&self.best.feature, golden.run(), self.rules.every) {
            return Ok(None);
        }
        match self.plays.play(Part::Shrink, &self.accepted.sb3, &scenario, 1).await {
            Ok(buggy) if !holds(&self.best.feature, buggy.run(), self.rules.every) => {
                Ok(Some(Shown { scenario, buggy }))
            }
            Ok(_) => Ok(None),
            Err(error) if error.is_of_project() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
