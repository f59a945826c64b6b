//! Pattern 8, event handler conflict: two scripts do the same, or one does what it should only do at times.

use super::edits::{Site, block, has_small_slots, is_small};
use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program, is_loop};
use crate::project::edit::{Edit, Operand};
use crate::project::reach::{Start, chosen};
use crate::project::view::Slot;
use crate::project::walk::is_mouth;

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for hat in program.hats().filter(|hat| is_event(program.start(hat))) {
        let site = Site { program, line: hat, pattern: Pattern::EventHandlerConflict };
        found.extend(doubled(&site));
        found.extend(ungated(&site));
    }
    for line in program.live() {
        let site = Site { program, line, pattern: Pattern::EventHandlerConflict };
        found.extend(overlapping(&site));
    }
}

const fn is_event(start: &Start) -> bool {
    matches!(start, Start::Key(_) | Start::Click(_) | Start::Message(_) | Start::Backdrop(_))
}

/// A copy of a short script beside it.
fn doubled(site: &Site<'_, '_>) -> Option<Candidate> {
    let hat = &site.line.statement.block;
    let body = site.program.below(site.line);
    let all: Vec<&Line<'_>> = site.program.body(site.line.script).collect();
    if !(1..=2).contains(&body.len())
        || all.len() != body.len()
        || all.iter().any(|line| is_loop(&line.statement.block))
    {
        return None;
    }
    let mut above = site.id("double");
    let mut patch = vec![site.script(site.copy(hat, above.clone())?)];
    for line in body {
        let id = site.id(&format!("double {}", line.statement.path));
        patch.push(site.below(&above, site.copy(&line.statement.block, id.clone())?));
        above = id;
    }
    Some(site.candidate("HC.double", hat.id, "", patch))
}

/// A script on an event that does at once what its condition allowed.
fn ungated(site: &Site<'_, '_>) -> Option<Candidate> {
    let hat = &site.line.statement.block;
    let first = site.line.target.block(hat.next?)?;
    let has_content = first.inputs().any(|input| is_mouth(input.name) && matches!(input.value, Some(Slot::Block(_))));
    let is_gate = first.opcode == "control_if" && has_content && has_small_slots(site.line.target, &first);
    is_gate.then(|| site.candidate("HC.ungate", first.id, "", vec![site.splice(first.id)]))
}

/// A script on a key beside a loop that asks for the same key.
fn overlapping(site: &Site<'_, '_>) -> Option<Candidate> {
    let block_ = &site.line.statement.block;
    let Slot::Block(condition) = block_.input("CONDITION")?.value? else { return None };
    let asked = site.line.target.block(condition).filter(|asked| asked.opcode == "sensing_keypressed")?;
    let Slot::Block(content) = block_.input("SUBSTACK")?.value? else { return None };
    let content = site.line.target.block(content)?;
    let is_site = block_.opcode == "control_if"
        && content.next.is_none()
        && is_small(site.line.target, &content)
        && Program::is_in_loop(site.line);
    let key = chosen(site.line.target, &asked, "KEY_OPTION").filter(|_| is_site)?;
    let id = site.id("overlap");
    let mut hat = block(id.clone(), "event_whenkeypressed", &[]);
    hat.fields.insert("KEY_OPTION".to_owned(), Operand::Literal(crate::project::edit::Literal::Text(key)));
    let copy = site.copy(&content, site.id("overlap content"))?;
    let patch: Vec<Edit> = vec![site.script(hat), site.below(&id, copy)];
    Some(site.candidate("HC.overlap", content.id, "", patch))
}
