//! In which order the projects of a pool are gone through, and which patterns each can have. A pattern is open to a project if one of its
//! faults is sound, which is asked of blocks alone: nothing is played of a project that no fault fits.

use std::collections::BTreeMap;

use strum::IntoEnumIterator as _;

use super::error::ForgeError;
use super::rules::Rules;
use super::sound::proven;
use crate::bugs::{Pool, ReferenceRecord};
use crate::inject::{Candidate, Pattern, sites};
use crate::model::sha256_hex;
use crate::project::Project;
use crate::project::normalise::is_left_alone;

/// What is said of a project that is not normalised.
const UNFIT: &str = "a patch without edits changes it: take it into the pool again with `scratchbed intake scan`";

/// A project with the patterns that it has sound faults of.
pub(super) struct Planned {
    pub(super) id: String,
    pub(super) feasible: Vec<Pattern>,
    pub(super) candidates: Vec<Candidate>,
    /// Why nothing can be tried in it, if so.
    pub(super) unfit: Option<&'static str>,
    /// Faults that are not sound, by code, of the patterns that have no sound one.
    pub(super) unsound: BTreeMap<String, u64>,
    /// Its reference record, if it has one: one that people wrote or confirmed says which signals the state is in.
    pub(super) record: Option<ReferenceRecord>,
    tie: String,
}

/// Projects with the fewest feasible patterns come first. After each project, the number of those that were looked at is told.
pub(super) fn plan(pool: &Pool, rules: &Rules, told: &dyn Fn(usize)) -> Result<Vec<Planned>, ForgeError> {
    let mut plan = Vec::new();
    for entry in pool.entries() {
        let project = rules.gold(pool.golden(&entry.id)?);
        let candidates = sites(&project.json);
        // Of another project no fault could be taken back exactly, whichever it is.
        let unfit = (!is_left_alone(&project.json)).then_some(UNFIT);
        let asked: &[Candidate] = if unfit.is_some() { &[] } else { &candidates };
        let (feasible, unsound) = feasible(&project, asked);
        let tie = sha256_hex(format!("{} {}", rules.seed, entry.id).as_bytes());
        let record = pool.record_of(entry)?.map(|(record, _)| record);
        plan.push(Planned { id: entry.id.clone(), feasible, candidates, unfit, unsound, record, tie });
        told(plan.len());
    }
    plan.sort_by(|one, other| (one.feasible.len(), &one.tie).cmp(&(other.feasible.len(), &other.tie)));
    Ok(plan)
}

/// The patterns of which a fault is sound, and why those of the others are not.
pub(super) fn feasible(project: &Project, candidates: &[Candidate]) -> (Vec<Pattern>, BTreeMap<String, u64>) {
    let (mut feasible, mut unsound) = (Vec::new(), BTreeMap::new());
    for pattern in Pattern::iter() {
        let mut refused = Vec::new();
        let own = candidates.iter().filter(|candidate| candidate.pattern == pattern);
        let is_sound = own.map(|candidate| proven(project, candidate)).any(|one| match one {
            Ok(_) => true,
            Err(why) => {
                refused.push(why.code);
                false
            }
        });
        if is_sound {
            feasible.push(pattern);
        } else {
            for code in refused {
                *unsound.entry(code).or_default() += 1;
            }
        }
    }
    (feasible, unsound)
}
