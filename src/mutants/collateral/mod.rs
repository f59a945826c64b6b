//! Collateral mutants: golden projects with damage to something that the task leaves alone. A judge that
//! enforces "leave the rest as it is" notices them.
//!
//! Parts: `statements` says what could happen to a statement that the golden project shares with the initial one, `looks` to the
//! sprite that has it.

mod looks;
mod statements;
#[cfg(test)]
mod tests;

pub(super) use statements::stop_all;

use super::names::Names;
use super::operators::{Candidate, Operators};
use super::{Named, Sample, changed, counterpart, named, of_references, sampled, walk};
use crate::project::Project;
use crate::project::view::targets;

/// Makes at most `limit` mutants of what `golden` shares with `initial`: scripts, costumes and visibility of the targets that both
/// have. None if they share no script. `seed` decides which ones when there are more.
pub fn collateral(golden: &Project, initial: &Project, limit: usize, seed: u64) -> Sample {
    let golden = &of_references(golden);
    sampled(golden, candidates(golden, initial), limit, seed)
}

fn candidates(golden: &Project, initial: &Project) -> Vec<Named> {
    let mut found = Vec::new();
    let mut any_script = false;
    let touched = changed::changes(golden, Some(initial));
    for ((index, target), touched) in targets(&golden.json).enumerate().zip(touched) {
        if counterpart(target, initial).is_none() {
            continue;
        }
        let operators = Operators { project: &golden.json, target, index, names: Names::of(&golden.json, target) };
        let scripts = walk::scripts(target);
        let of_target = looks::candidates(target, &scripts);
        found.extend(of_target.into_iter().map(|one| named(target, Candidate { target: index, ..one })));
        for script in &scripts {
            for statement in script.iter().filter(|statement| !touched.contains(statement.block.id)) {
                any_script = true;
                let unrecorded = walk::is_unrecorded(script, statement);
                let here = statements::candidates(&operators, script, statement, &touched).into_iter();
                found.extend(here.map(|one| named(target, Candidate { target: index, unrecorded, ..one })));
            }
        }
    }
    // Where agents start from sprites without code there is no rest to be left alone.
    if any_script { found } else { Vec::new() }
}
