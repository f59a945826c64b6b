//! Loops that are missing, that never end by themselves, or that only ask whether to end.

use super::Code;
use super::change::Mark;
use crate::patches::effects::{Line, Program, condition, is_loop, is_yield};
use crate::project::reach::Start;
use crate::project::view::Slot;
use crate::project::walk::places;

/// What a person or another sprite does at any time.
const SENSED: [&str; 5] = [
    "sensing_touchingobject",
    "sensing_touchingcolor",
    "sensing_coloristouchingcolor",
    "sensing_keypressed",
    "sensing_mousedown",
];
/// Steps that a key moves a sprite by.
const MOVES: [&str; 7] = [
    "motion_movesteps",
    "motion_changexby",
    "motion_changeyby",
    "motion_turnright",
    "motion_turnleft",
    "motion_pointindirection",
    "motion_ifonedgebounce",
];
/// Statements of a script that only moves a sprite, at most.
const SHORT: usize = 3;

pub(super) fn marks(program: &Program<'_>) -> Vec<Mark> {
    let mut marks: Vec<Mark> = program.hats().filter_map(|hat| stutters(program, hat)).collect();
    for line in program.live() {
        if line.statement.block.opcode == "control_repeat_until" && condition(line).is_none() {
            marks.push(Mark::of_line(Code::MissingTermination, line, "a loop until nothing never ends"));
        }
        if asks_once(program, line) {
            marks.push(Mark::of_line(
                Code::MissingLoopSensing,
                line,
                "what is sensed is asked for once, at the beginning",
            ));
        }
        if only_asks(program, line) {
            marks.push(Mark::of_line(Code::BusyWaiting, line, "the loop only asks whether to end"));
        }
    }
    marks
}

/// A key script that is nothing but a step: it moves when the key does, and then after the pause of its repetition.
fn stutters(program: &Program<'_>, hat: &Line<'_>) -> Option<Mark> {
    let body: Vec<&Line<'_>> = program.body(hat.script).collect();
    let is_step = |line: &&Line<'_>| MOVES.contains(&line.statement.block.opcode);
    let moves = body.iter().any(|line| line.statement.block.opcode != "motion_pointindirection");
    let is_it = matches!(program.start(hat), Start::Key(_)) && moves && body.len() <= SHORT && body.iter().all(is_step);
    is_it.then(|| Mark::of_line(Code::StutteringMovement, hat, "a key moves the sprite by its own repetition"))
}

/// A decision about something that is sensed, outside of loops, before the script lets others run.
fn asks_once(program: &Program<'_>, line: &Line<'_>) -> bool {
    let starts = matches!(program.start(line), Start::GreenFlag | Start::Clone(_));
    let holds_up =
        |other: &Line<'_>| is_yield(&other.statement.block) || other.statement.block.opcode == "control_wait_until";
    let is_first = || !program.body(line.script).any(|other| other.at < line.at && holds_up(other));
    let is_decision = matches!(line.statement.block.opcode, "control_if" | "control_if_else");
    is_decision && starts && !Program::is_in_loop(line) && senses(line) && is_first()
}

fn senses(line: &Line<'_>) -> bool {
    let held = places(line.target, &line.statement).into_iter().filter_map(|place| match place.value {
        Slot::Block(id) => line.target.block(id),
        Slot::Primitive(_) => None,
    });
    held.into_iter().any(|block| SENSED.contains(&block.opcode))
}

/// A `forever` with nothing in it but a decision to end, or a `repeat until` with nothing in it at all.
fn only_asks(program: &Program<'_>, line: &Line<'_>) -> bool {
    let mouth = format!("{}.SUBSTACK", line.statement.path);
    let inner: Vec<&Line<'_>> =
        program.body(line.script).filter(|other| other.statement.path.starts_with(&format!("{mouth}."))).collect();
    match line.statement.block.opcode {
        "control_repeat_until" => inner.is_empty(),
        "control_forever" => {
            let [decision, rest @ ..] = &*inner else { return false };
            let alone = decision.statement.block.opcode == "control_if" && decision.statement.block.next.is_none();
            alone
                && rest.last().is_some_and(|last| ends(last))
                && !rest.iter().any(|line| is_loop(&line.statement.block))
        }
        _ => false,
    }
}

fn ends(line: &Line<'_>) -> bool {
    let block = &line.statement.block;
    let stops = block.field("STOP_OPTION").is_some_and(|field| matches!(&*field.value, "all" | "this script"));
    stops || block.opcode == "control_delete_this_clone"
}
