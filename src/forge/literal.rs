//! A fault tried word for word as the paper's algorithms 1 to 3 have it, for comparison: every scenario under every seed for both
//! projects, assertions from all of that, and pass rates from runs made anew. It needs some ten times the runs of `trials`, which comes
//! to its verdicts with what is known of virtual time (ScratchEval, section 11.5).

use futures::future::try_join_all;

use super::gold::Gold;
use super::plays::{Part, Plays, Seeded};
use super::rules::Rules;
use super::synthesis::Telling;
use super::trials::{Discard, Sound, failed, reruns, sound};
use crate::grade::suite::pass_rate;
use crate::inject::Candidate;
use crate::judge::PlayError;
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
}

/// Tries a fault by the letter.
///
/// # Errors
/// When no page holds: nothing is known of the fault then.
pub async fn literal(gold: &Gold, plays: &Plays, rules: &Rules, candidate: &Candidate) -> Result<Literal, PlayError> {
    let sound = match sound(gold, candidate) {
        Ok(sound) => sound,
        Err(message) => return Ok(Literal::discarded(Discard::Invalid, message)),
    };
    match compared(gold, plays, rules, candidate, &sound).await {
        Ok(tried) => Ok(tried),
        Err(error) => failed(error).map(|(why, message)| Literal::discarded(why, message)),
    }
}

async fn compared(
    gold: &Gold,
    plays: &Plays,
    rules: &Rules,
    candidate: &Candidate,
    sound: &Sound,
) -> Result<Literal, PlayError> {
    let (first, second) =
        (every_run(gold, plays, rules, &gold.sb3).await?, every_run(gold, plays, rules, &sound.sb3).await?);
    let mut found: Vec<(&Scenario, Telling)> = Vec::new();
    for ((scenario, golden), (_, buggy)) in first.iter().zip(&second) {
        let telling = gold.telling(scenario, (golden, buggy), candidate, rules);
        found.extend(telling.into_iter().map(|telling| (*scenario, telling)));
    }
    let features = found.len();
    let assertions = gold.chosen(found, &sound.buggy.json, candidate);
    if assertions.is_empty() {
        return Ok(Literal::discarded(Discard::Weak, "nothing tells the projects apart".to_owned()));
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
    Ok(Literal { discarded, features, assertions, p_golden, p_buggy, detail: String::new() })
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
