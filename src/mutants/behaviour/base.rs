//! Losses of what the golden project keeps from the initial one: a script, or a statement with a visible or audible
//! effect.

use crate::mutants::edit::Step;
use crate::mutants::operators::{Candidate, candidate};
use crate::project::walk::{Statement, is_hat};

/// Statements that decide what other statements do, and do nothing themselves.
const SILENT: [&str; 2] = ["control_", "procedures_"];

/// All candidates of one statement that was not touched; `kept` says whether all of its script is as it was.
pub(super) fn candidates(statement: &Statement<'_>, kept: bool) -> Option<Candidate> {
    let (id, opcode) = (statement.block.id.to_owned(), statement.block.opcode);
    let make = |operator, variant, step| candidate(operator, &statement.path, variant, id.clone(), vec![step]);
    if is_hat(opcode) {
        return kept.then(|| make("behaviour:lost_script", "script", Step::RemoveScript(id.clone())));
    }
    let acts = !SILENT.iter().any(|prefix| opcode.starts_with(prefix)) || opcode == "control_create_clone_of";
    acts.then(|| make("behaviour:lost_block", "block", Step::RemoveStatement(id.clone())))
}
