//! Golden behaviour that a suite guards (pass to pass): what `invariants` finds in gold's runs of all scenarios, as far as it does not hang
//! on the seed, and as far as all that does the same as gold keeps it: rewrites of gold, and repairs that look otherwise than the true one.
//! What one of these breaks is dropped, and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::differing::Differing;
use super::gold::Gold;
use super::invariants::{Scene, invariants};
use super::plays::{Part, Plays, Seeded, runs};
use super::report::site;
use super::right_repairs::right_repairs;
use super::rules::Rules;
use super::says;
use super::trials::Accepted;
use crate::grade::suite::holds;
use crate::judge::PlayError;
use crate::model::{Feature, Guard, Scenario, TraceRun};
use crate::project::Project;

/// Guards of a suite at most: each scenario has its share, and what it leaves goes to the others.
const MOST: usize = 1_200;

/// How guards were chosen, as `forge.json` has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Sifted {
    /// What could have been guarded.
    pub(super) found: usize,
    /// Dropped, since a run of gold's under another seed breaks it.
    pub(super) broken_by_seeds: usize,
    /// Dropped, since a program that does the same as gold breaks it.
    pub(super) broken_by_right: usize,
    /// Dropped, since the fault breaks it and it says nothing of what settles: how far a number goes may be mended in more than one way.
    pub(super) broken_by_fault: usize,
    /// Not asked, since the course of the signal says it.
    pub(super) implied: usize,
    /// Left out, since there are enough.
    pub(super) left_out: usize,
    pub(super) kept: usize,
    /// Runs of programs that do the same as gold, each of a scenario in which it might have shown.
    pub(super) right_runs: usize,
}

/// A program that does the same as gold.
struct Right {
    sb3: Vec<u8>,
    differing: Differing,
}

/// The runs of a scenario by which guards are chosen.
struct Witnesses<'a> {
    golden: Vec<&'a TraceRun>,
    right: Vec<&'a TraceRun>,
    buggy: Option<&'a TraceRun>,
    every: u64,
}

/// What is guarded, with whether the fault breaks it.
type Kept = Vec<(Feature, bool)>;

/// The guards of an accepted fault's suite.
///
/// # Errors
/// When no page holds.
pub(super) async fn guarded(
    gold: &Gold,
    accepted: &Accepted,
    plays: &Plays,
    rules: &Rules,
) -> Result<(Vec<Guard>, Sifted), PlayError> {
    let state = gold.facts.state_in_lower_case();
    let silent: BTreeSet<String> = accepted.candidate.messages.iter().map(|name| name.to_lowercase()).collect();
    let right = right(gold, accepted);
    let (mut sifted, mut all) = (Sifted::default(), Vec::new());
    for scenario in &gold.scenarios {
        let Some(first) = gold.first.get(&scenario.id) else { continue };
        let (length, every, values) = (scenario.length, rules.every, &gold.values);
        let scene = Scene { run: first.run(), length, every, state: &state, values, silent: &silent };
        let golden = match plays.all_seeds(Part::Guard, &gold.sb3, scenario, Arc::clone(first)).await {
            Ok(golden) => golden,
            // What gold does not survive under another seed has no behaviour to guard.
            Err(error) if error.is_of_project() => continue,
            Err(error) => return Err(error),
        };
        let right = right_runs(gold, &right, plays, scenario).await?;
        sifted.right_runs += right.len();
        let buggy = accepted.first.get(&scenario.id).map(|played| played.run());
        let witnesses = Witnesses { golden: runs(&golden), right: runs(&right), buggy, every };
        all.push((scenario, witnesses.sift(invariants(&scene), &mut sifted)));
    }
    let guards = limited(all, MOST, &mut sifted);
    Ok((guards, sifted))
}

/// Repairs that look otherwise than the true one.
fn right(gold: &Gold, accepted: &Accepted) -> Vec<Right> {
    let (buggy, golden) = (&accepted.buggy, &gold.project.json);
    let repairs = right_repairs(&buggy.json, golden, &accepted.inverse, &site(&accepted.candidate)).into_iter();
    let packed = repairs.filter_map(|repair| {
        let differing = Differing::between(golden, &repair.project);
        let sb3 = Project { json: repair.project, assets: buggy.assets.clone() }.pack().ok()?;
        Some(Right { sb3, differing })
    });
    packed.collect()
}

/// What programs that do the same as gold show in a scenario, as far as they could show anything else.
async fn right_runs(gold: &Gold, right: &[Right], plays: &Plays, scenario: &Scenario) -> Result<Seeded, PlayError> {
    let repairs = right.iter().filter(|one| gold.may_show(&one.differing, scenario));
    let repairs: Vec<&[u8]> = repairs.map(|one| one.sb3.as_slice()).collect();
    let mut all = plays.those_that_run(Part::Guard, repairs, scenario).await?;
    all.extend(gold.benign(plays, scenario).await?);
    Ok(all)
}

impl Witnesses<'_> {
    /// What all that does the same keeps.
    fn sift(&self, features: Vec<Feature>, sifted: &mut Sifted) -> Kept {
        let mut kept = Vec::new();
        let mut followed = BTreeMap::new();
        for feature in features {
            sifted.found += 1;
            // The course of a signal comes first.
            if followed.get(&feature.signal()).is_some_and(|margin| is_implied(&feature, *margin)) {
                sifted.implied += 1;
                continue;
            }
            let is_kept = |run: &&TraceRun| holds(&feature, run, self.every);
            let is_broken = self.buggy.is_some_and(|run| !holds(&feature, run, self.every));
            if !self.golden.iter().all(is_kept) {
                sifted.broken_by_seeds += 1;
            } else if !self.right.iter().all(is_kept) {
                sifted.broken_by_right += 1;
            } else if is_broken && !settles(&feature) {
                sifted.broken_by_fault += 1;
            } else {
                if let Feature::Follows { signal, margin, .. } = &feature {
                    followed.insert(signal.clone(), margin.unwrap_or_default());
                }
                kept.push((feature, is_broken));
            }
        }
        kept
    }
}

/// Whether a course that is guarded with this margin says the same. It says nothing of its last ticks, nor of how often the same way is gone.
fn is_implied(feature: &Feature, margin: f64) -> bool {
    match feature {
        Feature::Reached { .. } | Feature::Event { .. } | Feature::Spans { .. } => true,
        Feature::Equals { .. } | Feature::EventCount { .. } => margin <= 0.0,
        _ => false,
    }
}

/// Whether it tells of something that settles or happens, in which right repairs agree.
const fn settles(feature: &Feature) -> bool {
    matches!(
        feature,
        Feature::Equals { .. } | Feature::EventCount { .. } | Feature::Event { .. } | Feature::Reached { .. }
    )
}

/// At most so many, the first of each scenario before the second of any; in the order of the scenarios.
fn limited(all: Vec<(&Scenario, Kept)>, most: usize, sifted: &mut Sifted) -> Vec<Guard> {
    let found: usize = all.iter().map(|(_, kept)| kept.len()).sum();
    let mut shares = vec![0; all.len()];
    let mut left = most.min(found);
    while left > 0 {
        for (share, (_, kept)) in shares.iter_mut().zip(&all) {
            if left > 0 && *share < kept.len() {
                *share += 1;
                left -= 1;
            }
        }
    }
    let chosen = all.into_iter().zip(shares).flat_map(|((scenario, kept), share)| {
        kept.into_iter().take(share).map(move |(feature, is_broken)| (scenario, feature, is_broken))
    });
    let numbered = chosen.zip(1..).map(|((scenario, feature, broken_by_fault), number)| Guard {
        id: format!("g{number}"),
        scenario: scenario.id.clone(),
        says: says::expected(&feature, scenario),
        feature,
        broken_by_fault,
    });
    let guards: Vec<Guard> = numbered.collect();
    sifted.kept = guards.len();
    sifted.left_out = found - guards.len();
    guards
}

#[cfg(test)]
#[path = "guards_tests.rs"]
mod tests;
