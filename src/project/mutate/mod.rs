//! Mutants of a golden project: copies with one small fault each, in the blocks that solve the task.
//!
//! Parts: `changed` finds the statements that the golden project has beyond the initial one; `operators` says
//! what could be done to them, with `values` and `names` for what could stand there instead; `edit` does it;
//! `sample` chooses. Whether a test notices a mutant is for others to find out.

mod changed;
mod edit;
mod names;
mod operators;
mod sample;
#[cfg(test)]
mod tests;
mod values;
mod walk;

use std::collections::BTreeMap;

use serde_json::Value;

use super::Project;
use super::text::line_of;
use super::view::{TargetView, targets};
use names::Names;
use operators::{Candidate, Operators};

/// A golden project with one fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    /// Stable name: `operator:target:path:variant`.
    pub id: String,
    /// What was done: `delete`, `arithmetic`, `comparison`, `logic`, `operand`, `choice`, `message`, `variable`,
    /// `negate` or `wait`.
    pub operator: &'static str,
    /// Name of the target.
    pub target: String,
    /// Script, place in the stack, and the names of mouths, slots and fields on the way: `0.2.SUBSTACK.1.CONDITION`.
    pub path: String,
    /// The changed block as notation, as it was in the golden project.
    pub block: String,
    unrecorded: bool,
    json: Value,
}

/// Fields that say what a script answers to.
const ANSWERS: [&str; 3] = ["KEY_OPTION", "BACKDROP", "BROADCAST_OPTION"];

impl Mutant {
    /// Whether equal traces would not show that it does the same as the golden project: it changes something that
    /// no trace records, or a script of it answers to another key, backdrop or message, and inputs that are chosen by
    /// what a project answers to can't tell the two apart.
    #[must_use]
    pub fn hides_from_traces(&self) -> bool {
        self.unrecorded || self.path.rsplit('.').next().is_some_and(|field| ANSWERS.contains(&field))
    }

    /// The project file's content: the mutant's blocks with the golden project's assets.
    #[must_use]
    pub fn project(&self, golden: &Project) -> Project {
        Project { json: self.json.clone(), assets: golden.assets.clone() }
    }
}

/// Mutants chosen from all that there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// How many mutants there are in all.
    pub population: usize,
    /// How many there are of each operator.
    pub operators: BTreeMap<&'static str, usize>,
    /// The chosen ones, in the order of their places in the project.
    pub mutants: Vec<Mutant>,
}

/// Makes at most `limit` mutants of the blocks that `golden` has and `initial` lacks; of all its blocks if there
/// is no initial project, or if the two differ in no block. `seed` decides which ones when there are more.
#[must_use]
pub fn mutants(golden: &Project, initial: Option<&Project>, limit: usize, seed: u64) -> Sample {
    let mut all = candidates(golden, initial);
    if all.is_empty() {
        all = candidates(golden, None);
    }
    let places: BTreeMap<String, usize> = all.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect();
    let population = all.len();
    let mut operators = BTreeMap::new();
    for (_, candidate) in &all {
        *operators.entry(candidate.operator).or_default() += 1;
    }
    let sound = sample::order(all, seed).into_iter().filter_map(|(name, candidate)| make(golden, name, &candidate));
    let mut mutants: Vec<Mutant> = sound.take(limit).collect();
    mutants.sort_by_key(|mutant| places.get(&mutant.id).copied());
    Sample { population, operators, mutants }
}

/// Everything that could be done, by name.
fn candidates(golden: &Project, initial: Option<&Project>) -> Vec<(String, Candidate)> {
    let mut found = Vec::new();
    for (index, target) in targets(&golden.json).enumerate() {
        let counterpart = initial.and_then(|initial| {
            let same = |other: &TargetView<'_>| {
                other.is_stage() == target.is_stage() && (target.is_stage() || other.name() == target.name())
            };
            targets(&initial.json).find(same)
        });
        let touched = changed::changed(target, counterpart);
        let operators = Operators { project: &golden.json, target, index, names: Names::of(&golden.json, target) };
        for script in walk::scripts(target) {
            for statement in script.iter().filter(|found| touched.contains(found.block.id)) {
                let unrecorded = walk::is_unrecorded(&script, statement);
                found.extend(operators.candidates(statement).into_iter().map(|candidate| {
                    let Candidate { operator, path, variant, .. } = &candidate;
                    let name = format!("{operator}:{}:{path}:{variant}", target.name());
                    (name, Candidate { unrecorded, ..candidate })
                }));
            }
        }
    }
    found
}

/// Carries a candidate out; none if nothing sound comes of it.
fn make(golden: &Project, id: String, candidate: &Candidate) -> Option<Mutant> {
    let view = targets(&golden.json).nth(candidate.target)?;
    let mut json = golden.json.clone();
    let changed = json.get_mut("targets")?.get_mut(candidate.target)?;
    if !candidate.steps.iter().all(|step| edit::apply(changed, step)) {
        return None;
    }
    if let Some(new) = &candidate.declares {
        names::declare(&mut json, new)?;
    }
    let project = Project { json, assets: BTreeMap::new() };
    let sound = project.json != golden.json && project.check().is_ok();
    sound.then(|| Mutant {
        id,
        operator: candidate.operator,
        target: view.name().to_owned(),
        path: candidate.path.clone(),
        unrecorded: candidate.unrecorded,
        block: line_of(view, &candidate.block),
        json: project.json,
    })
}
