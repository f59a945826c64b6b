//! Behavioural mutants: programs that behave like the golden project except in one respect that a person would notice
//! or an instruction forbids, and that a judge which looks too briefly or too narrowly misses.
//!
//! Parts: `statements` says what could be done to a statement, `values` to numbers, texts and draws, `base` to what the
//! golden project keeps of the initial one; `blocks` makes the blocks that they add.

mod base;
mod blocks;
mod statements;
#[cfg(test)]
mod tests;
mod values;

pub(super) use blocks::{is_cap, is_loop, reporter, statement, variable, variable_field};

use serde_json::Value;

use super::operators::Candidate;
use super::{Named, Sample, changed, counterpart, named, of_references, sampled};
use crate::project::Project;
use crate::project::view::{TargetView, targets};
use crate::project::walk::{self, Statement};

/// What a target's candidates are made from.
struct Scene<'a> {
    project: &'a Value,
    target: TargetView<'a>,
    script: &'a [Statement<'a>],
}

/// Makes at most `limit` behavioural mutants: of the blocks that `golden` has and `initial` lacks, and of those that it keeps.
/// Without an initial project nothing is kept. `seed` decides which ones when there are more.
pub fn behaviours(golden: &Project, initial: Option<&Project>, limit: usize, seed: u64) -> Sample {
    let golden = &of_references(golden);
    sampled(golden, candidates(golden, initial), limit, seed)
}

fn candidates(golden: &Project, initial: Option<&Project>) -> Vec<Named> {
    let mut found = Vec::new();
    let touched = changed::changes(golden, initial);
    for ((index, target), touched) in targets(&golden.json).enumerate().zip(touched) {
        let before = initial.and_then(|initial| counterpart(target, initial));
        for script in walk::scripts(target) {
            let scene = Scene { project: &golden.json, target, script: &script };
            let kept = before.is_some() && !script.iter().any(|statement| touched.contains(statement.block.id));
            for statement in &script {
                let of_statement = if touched.contains(statement.block.id) {
                    [statements::candidates(&scene, statement), values::candidates(&scene, statement)].concat()
                } else if before.is_some() {
                    base::candidates(statement, kept).into_iter().collect()
                } else {
                    Vec::new()
                };
                let unrecorded = walk::is_unrecorded(&script, statement);
                let here = of_statement.into_iter().map(|one| Candidate { target: index, unrecorded, ..one });
                found.extend(here.map(|candidate| named(target, candidate)));
            }
        }
    }
    found
}
