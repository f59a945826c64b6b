//! Controllers off-line (EcoScratch, section 12.6): what a heuristic with other cutoffs would have done, from attempts that were made under
//! every plan. Nobody is asked. Only first attempts are simulated: what a second one is told hangs on the first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::controller::{Situation, plan};
use super::plans::Profile;
use crate::grade::signals::{Cutoffs, flag};
use crate::model::{ControllerMode, Layer, PlanId, Signals, Trajectory, sha256_hex};

/// Cutoffs that are tried.
const EARLY: [u64; 6] = [0, 30, 90, 150, 300, 600];
const BROAD: [f64; 6] = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8];
const UNSTABLE: [f64; 3] = [0.1, 0.2, 0.5];

/// A first attempt at a case under a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    pub case: String,
    pub plan: PlanId,
    pub layer: Layer,
    /// US dollars; absent where the price is unknown.
    pub usd: Option<f64>,
    /// Tokens in and out, which stand for money where the price is unknown.
    pub tokens: u64,
    pub signals: Signals,
    pub profile: Profile,
}

/// What a controller comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Cases, and those of them with a strict success.
    pub cases: u32,
    pub strict: u32,
    pub generated: u32,
    pub usd: f64,
    pub tokens: u64,
    /// Cases whose plan was never tried: they count in nothing else.
    pub unknown: u32,
}

impl Tried {
    /// The first attempt of a trajectory; none of one without attempts.
    pub fn of(trajectory: &Trajectory) -> Option<Self> {
        let first = trajectory.attempts.first()?;
        Some(Self {
            case: trajectory.case.clone(),
            plan: first.plan,
            layer: first.layer,
            usd: first.usage.usd,
            tokens: first.usage.input + first.usage.output,
            signals: trajectory.probe.signals.clone(),
            profile: trajectory.profile.parse().unwrap_or_default(),
        })
    }

    /// Which half a case is in: cutoffs are chosen on one and judged on the other.
    pub fn is_development(&self) -> bool {
        sha256_hex(self.case.as_bytes()).bytes().next().is_some_and(|first| first % 2 == 0)
    }
}

/// The plan that the heuristic would give a case under these cutoffs.
pub fn planned(tried: &Tried, cutoffs: Cutoffs) -> PlanId {
    let mut signals = tried.signals.clone();
    flag(&mut signals, cutoffs);
    plan(Situation::of(ControllerMode::Heuristic, &signals, tried.profile, None))
}

/// What the heuristic would come to.
pub fn simulated(tried: &[Tried], cutoffs: Cutoffs) -> Outcome {
    chosen(tried, |of_case| {
        let wanted = planned(of_case[0], cutoffs);
        of_case.iter().copied().find(|one| one.plan == wanted)
    })
}

/// What the best plan of each case comes to: the most successful one, the cheapest of equals.
pub fn best(tried: &[Tried]) -> Outcome {
    chosen(tried, |of_case| {
        of_case.iter().copied().min_by(|one, other| {
            let key = |tried: &Tried| (!tried.layer.is_strict(), !tried.layer.is_generated());
            key(one).cmp(&key(other)).then(cost(one).total_cmp(&cost(other)))
        })
    })
}

#[expect(clippy::cast_precision_loss, reason = "tokens are far below 2^52")]
fn cost(tried: &Tried) -> f64 {
    tried.usd.unwrap_or(tried.tokens as f64)
}

fn chosen<'a>(tried: &'a [Tried], choose: impl Fn(&[&'a Tried]) -> Option<&'a Tried>) -> Outcome {
    let mut by_case: BTreeMap<&str, Vec<&Tried>> = BTreeMap::new();
    for one in tried {
        by_case.entry(&one.case).or_default().push(one);
    }
    let mut outcome = Outcome::default();
    for of_case in by_case.values() {
        let Some(one) = choose(of_case) else {
            outcome.unknown += 1;
            continue;
        };
        outcome.cases += 1;
        outcome.strict += u32::from(one.layer.is_strict());
        outcome.generated += u32::from(one.layer.is_generated());
        outcome.usd += one.usd.unwrap_or_default();
        outcome.tokens += one.tokens;
    }
    outcome
}

/// The cutoffs with the most strict successes, then the most generated candidates, then the least cost.
pub fn calibrated(tried: &[Tried]) -> (Cutoffs, Outcome) {
    let all = EARLY.iter().flat_map(|early| {
        BROAD.iter().flat_map(move |broad| {
            UNSTABLE.iter().map(move |unstable| Cutoffs { early: *early, broad: *broad, unstable: *unstable })
        })
    });
    let rated = all.map(|cutoffs| (cutoffs, simulated(tried, cutoffs)));
    let better = |one: &Outcome, other: &Outcome| {
        let key = |outcome: &Outcome| (outcome.strict, outcome.generated);
        key(one).cmp(&key(other)).then(other.usd.total_cmp(&one.usd)).then(other.tokens.cmp(&one.tokens))
    };
    let first = (Cutoffs { early: EARLY[3], broad: BROAD[2], unstable: UNSTABLE[1] }, Outcome::default());
    // Of equals the first one stays, so that the choice does not hang on the order of cases.
    rated.reduce(|best, next| if better(&next.1, &best.1).is_gt() { next } else { best }).unwrap_or(first)
}

/// Where the simulation of a run's own first attempts differs from the run: names of cases.
pub fn disagreements(tried: &[Tried], run: &[Tried], cutoffs: Cutoffs) -> Vec<String> {
    let known: BTreeSet<(&str, PlanId, Layer)> =
        tried.iter().map(|one| (one.case.as_str(), one.plan, one.layer)).collect();
    let differs = |one: &&Tried| {
        let wanted = planned(one, cutoffs);
        wanted != one.plan || !known.contains(&(one.case.as_str(), wanted, one.layer))
    };
    run.iter().filter(differs).map(|one| one.case.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Cutoffs = Cutoffs { early: 150, broad: 0.2, unstable: 0.2 };

    fn tried(case: &str, plan: PlanId, layer: Layer, (div, mis): (u64, f64)) -> Tried {
        let signals = Signals { div_tick: Some(div), mis, images_available: 3, ..Signals::default() };
        let usd = Some(match plan {
            PlanId::T0 | PlanId::T1 => 0.001,
            PlanId::T2 => 0.002,
            PlanId::M1 | PlanId::M2 => 0.01,
        });
        Tried { case: case.to_owned(), plan, layer, usd, tokens: 10, signals, profile: Profile::Paper }
    }

    /// Two cases under three plans: the early, broad one needs pictures, the local one does not.
    fn all() -> Vec<Tried> {
        let (full, strict) = (Layer::Full, Layer::StrictSuccess);
        vec![
            tried("hard", PlanId::T1, full, (10, 0.9)),
            tried("hard", PlanId::T2, full, (10, 0.9)),
            tried("hard", PlanId::M1, strict, (10, 0.9)),
            tried("local", PlanId::T1, strict, (400, 0.01)),
            tried("local", PlanId::T2, strict, (400, 0.01)),
            tried("local", PlanId::M1, strict, (400, 0.01)),
        ]
    }

    #[test]
    fn the_heuristic_is_simulated_by_its_cutoffs_and_the_best_plan_is_never_beaten() {
        let usual = simulated(&all(), USUAL);
        assert_eq!((usual.cases, usual.strict, usual.unknown), (2, 2, 0));
        assert!((usual.usd - 0.011).abs() < 1e-12, "pictures for one of the two");
        assert_eq!(best(&all()), usual);
        let blind = simulated(&all(), Cutoffs { early: 0, broad: 1.0, unstable: 1.0 });
        assert_eq!((blind.strict, blind.generated), (1, 2));
        let (cutoffs, outcome) = calibrated(&all());
        assert_eq!(outcome, best(&all()));
        assert_eq!(planned(&all()[0], cutoffs), PlanId::M1);
    }

    #[test]
    fn a_plan_that_was_never_tried_is_unknown_and_a_run_is_held_against_its_simulation() {
        let few: Vec<Tried> = all().into_iter().filter(|one| one.plan != PlanId::M1).collect();
        let outcome = simulated(&few, USUAL);
        assert_eq!((outcome.cases, outcome.unknown), (1, 1));
        let run = [all()[2].clone(), all()[3].clone()];
        assert_eq!(disagreements(&all(), &run, USUAL), Vec::<String>::new());
        let other = [tried("hard", PlanId::M1, Layer::Full, (10, 0.9))];
        assert_eq!(disagreements(&all(), &other, USUAL), ["hard"]);
    }
}
