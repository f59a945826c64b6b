//! Which order matters: whether two statements may change places, and what of a sender's script must wait until those who hear its
//! message are done.

use std::collections::BTreeSet;

use super::program::{Line, Program, is_yield};
use super::touches::{Thing, Touches};
use crate::project::reach::chosen;

/// Statements that are done at once and wait for nothing.
const INSTANT: [&str; 16] = [
    "motion_gotoxy",
    "motion_setx",
    "motion_sety",
    "motion_pointindirection",
    "motion_setrotationstyle",
    "looks_setsizeto",
    "looks_show",
    "looks_hide",
    "looks_switchcostumeto",
    "looks_seteffectto",
    "looks_cleargraphiceffects",
    "looks_gotofrontback",
    "sound_setvolumeto",
    "data_setvariableto",
    "data_deletealloflist",
    "pen_clear",
];

/// Whether a statement is done at once and waits for nothing.
pub fn is_instant(opcode: &str) -> bool {
    INSTANT.contains(&opcode)
}

/// Whether two statements that follow one another do the same in the other order: both are done at once, and neither changes what the
/// other changes or depends on. Those that draw a random number never do.
pub fn commute(program: &Program<'_>, one: &Line<'_>, other: &Line<'_>) -> bool {
    let is_plain = |line: &Line<'_>| is_instant(line.statement.block.opcode) && !draws(line);
    let (first, second) = (Touches::of(program.json, one), Touches::of(program.json, other));
    let apart = |writes: &BTreeSet<Thing>, other: &Touches| {
        writes.is_disjoint(&other.writes) && writes.is_disjoint(&other.reads)
    };
    is_plain(one) && is_plain(other) && apart(&first.writes, &second) && apart(&second.writes, &first)
}

fn draws(line: &Line<'_>) -> bool {
    let held = crate::project::walk::places(line.target, &line.statement);
    held.iter().any(|place| place.holder.opcode == "operator_random")
}

/// What depends on those who hear a message.
#[derive(Debug)]
pub struct Awaited<'p, 'a> {
    /// Statements after the send that read or show, themselves or by whom they start, what receivers change after they yield.
    pub readers: Vec<&'p Line<'a>>,
    /// What receivers change after they yield.
    pub written: BTreeSet<Thing>,
}

/// What must wait for the receivers of the message that a statement sends; `None` for other statements, for messages with computed
/// names, and where nothing needs to wait. What follows a call of the custom block that sends is not looked at.
pub fn awaited<'p, 'a>(program: &'p Program<'a>, send: &Line<'a>) -> Option<Awaited<'p, 'a>> {
    let message = sent(send)?;
    let written = written_late(program, &message);
    let readers: Vec<&Line<'a>> =
        program.later(send).into_iter().filter(|later| reads(program, later, &written)).collect();
    (!readers.is_empty()).then_some(Awaited { readers, written })
}

/// The message that a statement sends.
fn sent(line: &Line<'_>) -> Option<String> {
    let block = &line.statement.block;
    let is_send = matches!(block.opcode, "event_broadcast" | "event_broadcastandwait");
    chosen(line.target, block, "BROADCAST_INPUT").filter(|_| is_send)
}

/// What the receivers of a message change once they have let others run.
fn written_late(program: &Program<'_>, message: &str) -> BTreeSet<Thing> {
    let mut written = BTreeSet::new();
    for receiver in program.receivers(message) {
        let lines = program.called(program.body(receiver));
        let late = lines.into_iter().skip_while(|line| !is_yield(&line.statement.block));
        late.for_each(|line| written.extend(Touches::of(program.json, line).writes));
    }
    written
}

/// Whether a statement, a custom block that it calls, or a script that it starts by a message reads or shows one of these.
fn reads<'a>(program: &Program<'a>, line: &Line<'a>, written: &BTreeSet<Thing>) -> bool {
    let (mut open, mut heard) = (program.called([line]), BTreeSet::new());
    while let Some(line) = open.pop() {
        let stops = line.statement.block.field("STOP_OPTION").is_some_and(|field| field.value == "all");
        // What is there when all stops stays to be seen.
        if Touches::of(program.json, line).meets(written) || stops && !written.is_empty() {
            return true;
        }
        let receivers = sent(line).map(|message| program.receivers(&message)).unwrap_or_default();
        let new: Vec<usize> = receivers.into_iter().filter(|script| heard.insert(*script)).collect();
        open.extend(new.into_iter().flat_map(|script| program.called(program.body(script))));
    }
    false
}
