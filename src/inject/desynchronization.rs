//! Pattern 2, desynchronization: what should wait does not.

use std::collections::BTreeSet;

use super::edits::{Site, is_small, number, text};
use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program, Thing, Touches, is_yield};
use crate::project::reach::chosen;

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

/// Whether a receiver takes its time, and changes what the sender reads or shows afterwards.
fn matters(program: &Program<'_>, line: &Line<'_>) -> bool {
    let Some(message) = chosen(line.target, &line.statement.block, "BROADCAST_INPUT") else { return false };
    let receivers = program.receivers(&message);
    let heard = || receivers.iter().flat_map(|script| program.body(*script));
    if !heard().any(|line| is_yield(&line.statement.block)) {
        return false;
    }
    let written: BTreeSet<Thing> = heard().flat_map(|line| Touches::of(program.json, line).writes).collect();
    let is_reader = |later: &&Line<'_>| !Touches::of(program.json, later).reads.is_disjoint(&written);
    program.later(line).iter().any(|later| is_reader(later) || starts_something(later))
}

/// Whether it shows, or sets off others: what came too early is seen then.
fn starts_something(line: &Line<'_>) -> bool {
    let opcode = line.statement.block.opcode;
    opcode.starts_with("event_broadcast") || opcode.starts_with("looks_") || opcode.starts_with("control_stop")
}
