//! Repairs of what should wait: a delay or a poll in place of a barrier, and barriers that are gone.

use super::Code;
use super::change::{Change, Mark};
use crate::patches::effects::{Line, awaited};
use crate::project::reach::chosen;
use crate::project::view::{Slot, target};

/// Statements that hold a script up.
const HOLDS_UP: [&str; 4] = ["control_wait", "control_wait_until", "control_repeat_until", "control_while"];

pub(super) fn marks(change: &Change<'_>) -> Vec<Mark> {
    let mut marks = removed(change);
    let plain = change.after.live().filter(|line| line.statement.block.opcode == "event_broadcast");
    for (send, awaited) in plain.filter_map(|send| Some((send, awaited(&change.after, send)?))) {
        let message = message(send);
        // What stands above a send can't make it wait.
        for wait in
            change.after.later(send).into_iter().filter(|later| HOLDS_UP.contains(&later.statement.block.opcode))
        {
            if change.is_new(wait) {
                let said = format!("how long those who hear `{message}` take, a wait or poll after it can't know");
                marks.push(Mark::of_line(Code::BarrierSubstituted, wait, &said));
            }
            let in_loop = || wait.around().iter().any(|loop_| send.around().iter().any(|other| other.id == loop_.id));
            let is_before_reader = awaited.readers.iter().any(|reader| reader.at > wait.at) || in_loop();
            if is_guess(wait) && change.is_touched(wait) && is_before_reader {
                let said =
                    format!("what follows depends on those who hear `{message}`, and a number of seconds is a guess");
                marks.push(Mark::of_line(Code::DelayGuess, wait, &said));
            }
        }
    }
    marks.sort();
    marks.dedup();
    marks
}

/// A wait whose seconds are written there.
fn is_guess(line: &Line<'_>) -> bool {
    let block = &line.statement.block;
    let seconds = block.input("DURATION").and_then(|input| input.value);
    block.opcode == "control_wait" && matches!(seconds, Some(Slot::Primitive(value)) if !value.is_reporter())
}

/// Broadcasts that waited, and are plain now or were put again without.
fn removed(change: &Change<'_>) -> Vec<Mark> {
    let waited = |line: &&Line<'_>| line.statement.block.opcode == "event_broadcastandwait";
    let mut marks = Vec::new();
    for line in change.before.live().filter(waited) {
        let id = line.statement.block.id;
        let now = target(change.after.json, &line.sprite).and_then(|target| target.block(id));
        let plain = match now {
            Some(block) => (block.opcode == "event_broadcast").then(|| block.id.to_owned()),
            None => put_again(change, line),
        };
        marks.extend(plain.map(|block| {
            let said = format!("`{}` was waited for, and is no more (block {block} of {})", message(line), line.sprite);
            Mark::at(Code::BarrierRemoved, &line.sprite, &block, said)
        }));
    }
    marks
}

/// A new plain broadcast of the same message in the same target.
fn put_again(change: &Change<'_>, gone: &Line<'_>) -> Option<String> {
    let is_it = |line: &&Line<'_>| {
        let is_plain = line.statement.block.opcode == "event_broadcast" && line.sprite == gone.sprite;
        is_plain && change.is_new(line) && message(line).eq_ignore_ascii_case(&message(gone))
    };
    change.after.live().find(is_it).map(|line| line.statement.block.id.to_owned())
}

fn message(send: &Line<'_>) -> String {
    chosen(send.target, &send.statement.block, "BROADCAST_INPUT").unwrap_or_default()
}
