//! Benign mutants: equivalent rewrites of golden projects. A judge that refuses one asks for something which no
//! instruction says.
//!
//! Parts: `statements` rewrites statements, `reporters` what lies in their slots, `names` renames what the solution has named itself.
//! No rewrite here can be distinguished from the golden project except by reading its blocks; only a wait in two parts may
//! last a tick longer.

mod names;
mod reporters;
mod statements;
#[cfg(test)]
mod tests;

use super::edit::Step;
use super::operators::{Candidate, candidate};
use super::{Named, Sample, named, of_references, sampled, walk};
use crate::project::Project;
use crate::project::view::{TargetView, targets};

pub(super) use names::{Rename, rename};

/// Makes at most `limit` benign mutants. What `initial` or the `instruction` names keeps its name. `seed` decides which ones when there
/// are more.
pub fn benign(golden: &Project, initial: &Project, instruction: &str, limit: usize, seed: u64) -> Sample {
    let golden = &of_references(golden);
    sampled(golden, candidates(golden, initial, instruction), limit, seed)
}

fn candidates(golden: &Project, initial: &Project, instruction: &str) -> Vec<Named> {
    let mut found = Vec::new();
    for (index, target) in targets(&golden.json).enumerate() {
        let mut here: Vec<Candidate> = layout(target).into_iter().collect();
        here.extend(names::candidates(golden, initial, target, instruction));
        for script in walk::scripts(target) {
            here.extend(statements::of_script(&script));
            for statement in &script {
                here.extend(statements::candidates(target, statement));
                here.extend(reporters::candidates(target, statement));
            }
        }
        found.extend(here.into_iter().map(|one| named(target, Candidate { target: index, ..one })));
    }
    found
}

/// Scripts lie elsewhere, and there is a comment.
fn layout(target: TargetView<'_>) -> Option<Candidate> {
    let first = target.blocks().find(|block| block.top_level)?;
    Some(candidate("benign:layout", "target", "moved", first.id.to_owned(), vec![Step::Layout]))
}
