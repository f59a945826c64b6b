//! Mutants of a golden project: copies with one small fault each, in the blocks that solve the task.
//!
//! Parts: `changed` finds the statements that the golden project has beyond the initial one; `operators` says what can be
//! done to them, with `values` and `names` for replacements; `behaviour` makes mutants that differ in one respect of
//! behaviour, `collateral` those that damage what the solution leaves alone, `benign` equivalent rewrites, `table` one that
//! knows some inputs by heart, `unseen` those in which a sprite is never shown; `edit`, `stack` and `rewrite` apply changes; `sample` chooses; `describe` describes a change.
//! Whether a test notices a mutant is decided elsewhere.

mod behaviour;
mod benign;
mod changed;
mod collateral;
mod describe;
mod edit;
mod names;
mod operators;
mod rewrite;
mod sample;
mod stack;
mod table;
#[cfg(test)]
mod tests;
mod unseen;
mod values;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::project::view::{TargetView, targets};
use crate::project::walk;
use crate::project::{Project, settled};
use names::Names;
use operators::{Candidate, Operators};
use sample::Named;

pub use behaviour::behaviours;
pub use benign::benign;
pub use collateral::collateral;
pub use describe::line_in;
pub use table::{noted_inputs, noting_inputs, table_mutant};
pub use unseen::{UnseenMutant, unseen};

/// A golden project with one fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    /// Stable name: `operator:target:path:variant`.
    pub id: String,
    /// What was done: `delete`, `arithmetic`, `comparison`, `logic`, `operand`, `choice`, `message`, `variable`,
    /// `negate` or `wait`; of behavioural mutants `behaviour:` and the kind, of collateral and benign ones likewise.
    pub operator: &'static str,
    pub target: String,
    /// Script, place in the stack, and the names of mouths, slots and fields on the way: `0.2.SUBSTACK.1.CONDITION`.
    pub path: String,
    /// The changed block as notation, as it was in the golden project.
    pub block: String,
    /// What it became: notation, or words.
    pub became: String,
    unrecorded: bool,
    json: Value,
}

/// What the names of behavioural and of collateral mutants begin with.
const BEHAVIOUR: &str = "behaviour:";
const COLLATERAL: &str = "collateral:";

/// Fields that say what a script answers to.
const ANSWERS: [&str; 3] = ["KEY_OPTION", "BACKDROP", "BROADCAST_OPTION"];

impl Mutant {
    /// Whether equal traces would not show that it does the same as the golden project: it changes something that
    /// no trace records, or a script of it answers to another key, backdrop or message, and inputs that are chosen by
    /// what a project answers to can't distinguish the two.
    pub fn hides_from_traces(&self) -> bool {
        self.unrecorded || self.path.rsplit('.').next().is_some_and(|field| ANSWERS.contains(&field))
    }

    /// Whether an instruction may allow what it does: it acts differently in one respect or damages the rest, rather than having a fault
    /// in a block of the solution.
    pub fn may_be_allowed(&self) -> bool {
        self.operator.starts_with(BEHAVIOUR) || self.operator.starts_with(COLLATERAL)
    }

    /// The project file's content: the mutant's blocks with the golden project's assets.
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
pub fn mutants(golden: &Project, initial: Option<&Project>, limit: usize, seed: u64) -> Sample {
    let golden = &of_references(golden);
    let mut all = candidates(golden, initial);
    if all.is_empty() {
        all = candidates(golden, None);
    }
    sampled(golden, all, limit, seed)
}

/// As [`mutants`], of one script alone: its target by name, and its place among the target's scripts. Each mutant has a copy of the whole
/// project's blocks, so that those of other places are not made.
pub fn mutants_of_script(golden: &Project, target: &str, script: &str, limit: usize, seed: u64) -> Vec<Mutant> {
    let golden = &of_references(golden);
    let prefix = format!("{script}.");
    let names: Vec<&str> = targets(&golden.json).map(|target| target.name()).collect();
    let mut own = candidates(golden, None);
    own.retain(|(_, one)| names.get(one.target) == Some(&target) && one.path.starts_with(&prefix));
    sampled(golden, own, limit, seed).mutants
}

/// The project with references that have the ids of what they mean: mutants of another variable are made by ids.
fn of_references(golden: &Project) -> Project {
    Project { json: settled(&golden.json), assets: golden.assets.clone() }
}

/// At most `limit` of the candidates, carried out.
fn sampled(golden: &Project, all: Vec<Named>, limit: usize, seed: u64) -> Sample {
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

/// All candidates, by name.
fn candidates(golden: &Project, initial: Option<&Project>) -> Vec<Named> {
    let mut found = Vec::new();
    let touched = changed::changes(golden, initial);
    for ((index, target), touched) in targets(&golden.json).enumerate().zip(touched) {
        let operators = Operators { project: &golden.json, target, index, names: Names::of(&golden.json, target) };
        for script in walk::scripts(target) {
            for statement in script.iter().filter(|found| touched.contains(found.block.id)) {
                let unrecorded = walk::is_unrecorded(&script, statement);
                let here = operators.candidates(statement).into_iter();
                found.extend(here.map(|candidate| named(target, Candidate { unrecorded, ..candidate })));
            }
        }
    }
    found
}

fn named(target: TargetView<'_>, candidate: Candidate) -> Named {
    let Candidate { operator, path, variant, .. } = &candidate;
    (format!("{operator}:{}:{path}:{variant}", target.name()), candidate)
}

/// The target of another project that is the same as this one.
fn counterpart<'a>(target: TargetView<'_>, project: &'a Project) -> Option<TargetView<'a>> {
    let same = |other: &TargetView<'_>| {
        other.is_stage() == target.is_stage() && (target.is_stage() || other.name() == target.name())
    };
    targets(&project.json).find(same)
}

/// Carries a candidate out; `None` if the result is not sound.
fn make(golden: &Project, id: String, candidate: &Candidate) -> Option<Mutant> {
    let view = targets(&golden.json).nth(candidate.target)?;
    let mut json = golden.json.clone();
    let changed = json.get_mut("targets")?.get_mut(candidate.target)?;
    if !candidate.steps.iter().all(|step| edit::apply(changed, step)) {
        return None;
    }
    if let Some(other) = &candidate.renames {
        benign::rename(&mut json, candidate.target, other);
    }
    if let Some(new) = &candidate.declares {
        names::declare(&mut json, new)?;
    }
    let project = Project { json, assets: BTreeMap::new() };
    let sound = project.json != golden.json && project.check().is_ok();
    let after = targets(&project.json).nth(candidate.target)?;
    let (block, became) = (describe::was(view, candidate), describe::became(view, after, candidate));
    sound.then(|| Mutant {
        id,
        operator: candidate.operator,
        target: view.name().to_owned(),
        path: candidate.path.clone(),
        unrecorded: candidate.unrecorded,
        block,
        became,
        json: project.json,
    })
}
