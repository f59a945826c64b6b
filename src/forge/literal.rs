//! A fault tried word for word as the paper's algorithms 1 to 3 have it, for comparison: every scenario under every seed for both
//! projects, assertions from all of that, and pass rates from runs made anew. It needs some ten times the runs of `trials`, which comes
//! to its verdicts with what is known of virtual time (ScratchEval, section 11.5).

use std::sync::Arc;

use futures::future::try_join_all;

use super::gold::Gold;
use super::misfit::{linted, sighted};
use super::plays::{FirstRuns, Part, Plays, Seeded};
use super::rules::Rules;
use super::sound::{Sound, sound};
use super::synthesis::Telling;
use super::trials::{Accepted, Discard, Tried, failed, reruns, suite};
use crate::grade::suite::pass_rate;
use crate::inject::Candidate;
use crate::judge::PlayError;
use crate::judge::console::{new_error_in, new_error_under_seeds};
use crate::model::{Assertion, Scenario};

/// What a fault came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    /// None where it is accepted.
    pub discarded: Option<Discard>,
    /// Features that tell the projects apart, of which the suite takes a handful.
    pub features: usize,
    pub assertions: Vec<Assertion>,
    /// Shares of the second runs that pass: gold's, and the buggy project's.
    pub p_golden: f64,
    pub p_buggy: f64,
    /// What went wrong with a fault that can't be run.
    pub detail: String,
}

impl Literal {
    fn discarded(why: Discard, detail: String) -> Self {
        Self { discarded: Some(why), features: 0, assertions: Vec::new(), p_golden: 0.0, p_buggy: 0.0, detail }
    }

    /// What it came to in words.
    pub fn told(&self) -> String {
        if !self.detail.is_empty() {
            return self.detail.clone();
        }
        let says: Vec<&str> = self.assertions.iter().map(|one| one.says.as_str()).collect();
        let (features, golden, buggy) = (self.features, self.p_golden, self.p_buggy);
        format!("{features} features, gold passes {golden}, the fault {buggy}: {}", says.join("; "))
    }
}

/// Tries a fault by the letter.
///
/// # Errors
/// When no page holds: nothing is known of the fault then.
pub async fn literal(gold: &Gold, plays: &Plays, rules: &Rules, candidate: &Candidate) -> Result<Literal, PlayError> {
    let sound = match sound(gold, candidate) {
        Ok(sound) => sound,
        Err(why) => return Ok(Literal::discarded(Discard::Invalid, why.to_string())),
    };
    match compared(gold, plays, rules, candidate, &sound).await {
        Ok(Compared { tried, first, error }) => {
            let error = new_error_in(&first, &gold.first).map(str::to_owned).or(error);
            Ok(match error {
                Some(error) if tried.discarded.is_none() => Literal::discarded(Discard::Unloadable, error),
                _ => tried,
            })
        }
        Err(error) => failed(error).map(|(why, message)| Literal::discarded(why, message)),
    }
}

/// Tries a fault by the letter as an instance of a benchmark, as [`attempt`](super::attempt) does in fewer runs.
///
/// # Errors
/// As [`literal`].
pub(super) async fn attempt_by_letter(
    gold: &Gold,
    plays: &Plays,
    rules: &Rules,
    candidate: &Candidate,
) -> Result<Tried, PlayError> {
    let sound = match sound(gold, candidate) {
        Ok(sound) => sound,
        Err(why) => return Ok(Tried::Unsound(why)),
    };
    if let Some(why) = linted(&gold.project.json, &sound.buggy.json, candidate.pattern) {
        return Ok(Tried::Discarded(Discard::Linted, why));
    }
    let Compared { tried, first, error } = match compared(gold, plays, rules, candidate, &sound).await {
        Ok(found) => found,
        Err(error) => return failed(error).map(|(why, message)| Tried::Discarded(why, message)),
    };
    if let Some(why) = tried.discarded {
        return Ok(Tried::Discarded(why, tried.told()));
    }
    if let Some(error) = new_error_in(&first, &gold.first).map(str::to_owned).or(error) {
        return Ok(Tried::Discarded(Discard::Unloadable, error));
    }
    let sighting = match sighted(gold, &sound.buggy.json, candidate, &first, rules.every) {
        Ok(sighting) => sighting,
        Err((why, detail)) => return Ok(Tried::Discarded(why, detail)),
    };
    let suite = suite(gold, rules, tried.assertions);
    let Sound { inverse, buggy, sb3 } = sound;
    let candidate = candidate.clone();
    Ok(Tried::Accepted(Box::new(Accepted { candidate, inverse, buggy, sb3, suite, first, sighting })))
}

/// What was found of a fault in all runs.
struct Compared {
    tried: Literal,
    /// The buggy project's run under the first seed, by scenario.
    first: FirstRuns,
    /// An error on its console that gold has under no seed.
    error: Option<String>,
}

/// The first error in runs of all scenarios under all seeds that gold has in none of its runs of the same scenario, as it is asked of any
/// fault that is forged.
fn new_error_of_any<'a>(buggy: &'a [(&Scenario, Seeded)], golden: &'a [(&Scenario, Seeded)]) -> Option<&'a str> {
    buggy.iter().zip(golden).find_map(|((_, buggy), (_, golden))| new_error_under_seeds(buggy, golden))
}

async fn compared(
    gold: &Gold,
    plays: &Plays,
    rules: &Rules,
    candidate: &Candidate,
    sound: &Sound,
) -> Result<Compared, PlayError> {
    let (first, second) =
        (every_run(gold, plays, rules, &gold.sb3).await?, every_run(gold, plays, rules, &sound.sb3).await?);
    let begun = second.iter().filter_map(|(scenario, runs)| Some((scenario.id.clone(), Arc::clone(runs.first()?))));
    let begun: FirstRuns = begun.collect();
    let error = new_error_of_any(&second, &first).map(str::to_owned);
    let mut found: Vec<(&Scenario, Telling)> = Vec::new();
    for ((scenario, golden), (_, buggy)) in first.iter().zip(&second) {
        let telling = gold.telling(scenario, (golden, buggy), candidate, rules);
        found.extend(telling.into_iter().map(|telling| (*scenario, telling)));
    }
    let features = found.len();
    let assertions = gold.chosen(found, &sound.buggy.json, candidate);
    if assertions.is_empty() {
        let tried = Literal::discarded(Discard::Weak, "nothing tells the projects apart".to_owned());
        return Ok(Compared { tried, first: begun, error });
    }
    let (first, second) =
        (every_run(gold, plays, rules, &gold.sb3).await?, every_run(gold, plays, rules, &sound.sb3).await?);
    let rate = |seeded: &[(&Scenario, Seeded)]| {
        let seeded: Vec<(&Scenario, &Seeded)> = seeded.iter().map(|(scenario, runs)| (*scenario, runs)).collect();
        pass_rate(&assertions, &reruns(&seeded), rules.every)
    };
    let (p_golden, p_buggy) = (rate(&first), rate(&second));
    let accepted = p_golden >= rules.theta.0 && p_buggy <= rules.theta.1;
    let discarded = (!accepted).then_some(Discard::Weak);
    let tried = Literal { discarded, features, assertions, p_golden, p_buggy, detail: String::new() };
    Ok(Compared { tried, first: begun, error })
}

/// All scenarios under all seeds, whether or not chance has a part.
async fn every_run<'a>(
    gold: &'a Gold,
    plays: &Plays,
    rules: &Rules,
    sb3: &[u8],
) -> Result<Vec<(&'a Scenario, Seeded)>, PlayError> {
    let mut all = Vec::new();
    for scenario in &gold.scenarios {
        let seeds = (1..=rules.reruns).map(|seed| plays.play(Part::Seeds, sb3, scenario, seed));
        all.push((scenario, try_join_all(seeds).await?));
    }
    Ok(all)
}

#[cfg(test)]
#[path = "literal_tests.rs"]
mod tests;
