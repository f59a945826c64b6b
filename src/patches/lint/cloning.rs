//! Clones that nothing tells what to do, and those that clone themselves.

use super::Code;
use super::change::Mark;
use crate::patches::effects::{Line, Program};
use crate::project::reach::{Start, chosen};

pub(super) fn marks(program: &Program<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for line in program.live() {
        let Some(cloned) = cloned(line) else { continue };
        let has = |start: &Start| program.scripts.iter().any(|script| script.start == *start);
        if !has(&Start::Clone(cloned.clone())) && !has(&Start::Click(cloned.clone())) {
            let said = format!("{cloned} is cloned and has no script for its clones");
            marks.push(Mark::of_line(Code::MissingCloneInitialization, line, &said));
        }
        // Behind a condition it may come to an end.
        let is_guarded = line.around().iter().any(|block| matches!(block.opcode, "control_if" | "control_if_else"));
        if *program.start(line) == Start::Clone(cloned.clone()) && !is_guarded {
            marks.push(Mark::of_line(Code::RecursiveCloning, line, "each clone makes another one"));
        }
    }
    marks
}

/// The sprite that a statement clones.
fn cloned(line: &Line<'_>) -> Option<String> {
    let block = &line.statement.block;
    let chosen = chosen(line.target, block, "CLONE_OPTION").filter(|_| block.opcode == "control_create_clone_of")?;
    Some(if chosen == "_myself_" { line.sprite.clone() } else { chosen })
}
