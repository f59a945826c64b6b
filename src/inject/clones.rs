//! Pattern 7, clone management error: clones that stay, or that begin like the last one.

use super::edits::{Site, is_small};
use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program};
use crate::project::reach::Start;

/// Statements that give a clone its place and looks.
const BEGINNING: [&str; 9] = [
    "looks_show",
    "motion_gotoxy",
    "motion_goto",
    "motion_setx",
    "motion_sety",
    "looks_switchcostumeto",
    "looks_setsizeto",
    "motion_pointindirection",
    "motion_pointtowards",
];

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for line in program.live() {
        let site = Site { program, line, pattern: Pattern::CloneManagementError };
        let block = &line.statement.block;
        if block.opcode == "control_delete_this_clone" && block.comment.is_none() {
            found.push(site.candidate("CM.leak", block.id, "", vec![site.remove(block.id)]));
        }
        let begins = matches!(program.start(line), Start::Clone(_)) && line.is_prefix;
        if begins && is_small(line.target, block) && (BEGINNING.contains(&block.opcode) || sets_own(line)) {
            found.push(site.candidate("CM.noinit", block.id, "", vec![site.remove(block.id)]));
        }
    }
}

/// Whether it sets a variable that each clone has for itself.
fn sets_own(line: &Line<'_>) -> bool {
    let block = &line.statement.block;
    let id = block.field("VARIABLE").and_then(|field| field.id);
    block.opcode == "data_setvariableto"
        && id.is_some_and(|id| line.target.entries("variables").any(|(own, _)| own == id))
}
