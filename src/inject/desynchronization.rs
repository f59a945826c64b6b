//! Pattern 2, desynchronization: what should wait does not.

use std::collections::BTreeSet;

use super::edits::{Site, number, text};
use super::program::{Line, Program, is_small, is_yield, written};
use super::{Candidate, Pattern};
use crate::mutants::walk::places;
use crate::project::reach::chosen;
use crate::project::view::Slot;

/// The longest wait that counts as one for others, in seconds.
const LONGEST: f64 = 2.0;

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for line in program.live() {
        let site = Site { program, line, pattern: Pattern::Desynchronization };
        let block = &line.statement.block;
        let goes_on = block.next.is_some() || Program::is_in_loop(line);
        if block.opcode == "event_broadcastandwait" && goes_on && matters(program, line) {
            let patch = vec![site.modify(block.id, "opcode", text("event_broadcast"))];
            found.push(site.candidate("DS.nowait", block.id, "", patch));
        }
        let waits = number(block, "DURATION").is_some_and(|seconds| seconds > 0.0 && seconds <= LONGEST);
        if block.opcode == "control_wait" && waits && block.next.is_some() && is_small(line.target, block) {
            found.push(site.candidate("DS.delay", block.id, "", vec![site.remove(block.id)]));
        }
    }
}

/// Whether a receiver takes its time, and writes what the sender reads or shows afterwards.
fn matters(program: &Program<'_>, line: &Line<'_>) -> bool {
    let Some(message) = chosen(line.target, &line.statement.block, "BROADCAST_INPUT") else { return false };
    let receivers = program.receivers(&message);
    let yields = receivers.iter().any(|script| program.body(*script).any(|line| is_yield(&line.statement.block)));
    if !yields {
        return false;
    }
    let written = written(program, &receivers);
    let later: Vec<&Line<'_>> = program.body(line.script).filter(|other| is_later(line, other)).collect();
    later.iter().any(|later| !reads(later).is_disjoint(&written)) || later.iter().any(|later| starts_something(later))
}

/// Statements after this one in the file's order of the script, or all of it where a loop brings them back.
fn is_later(line: &Line<'_>, other: &Line<'_>) -> bool {
    other.statement.block.id != line.statement.block.id && other.statement.path > line.statement.path
}

/// Ids of variables and lists in the slots of a statement.
fn reads<'a>(line: &Line<'a>) -> BTreeSet<&'a str> {
    places(line.target, &line.statement)
        .into_iter()
        .filter_map(|place| match place.value {
            Slot::Primitive(primitive) if primitive.is_reporter() => primitive.id,
            _ => None,
        })
        .collect()
}

/// Whether it shows, or sets off others: what came too early is seen then.
fn starts_something(line: &Line<'_>) -> bool {
    let opcode = line.statement.block.opcode;
    opcode.starts_with("event_broadcast") || opcode.starts_with("looks_") || opcode.starts_with("control_stop")
}
