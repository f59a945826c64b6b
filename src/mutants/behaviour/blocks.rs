//! Blocks that behavioural mutants add, and classes of blocks by effect.

use serde_json::{Value, json};

use crate::project::view::Block;

/// The variable in which a mutant counts how often a script was started.
pub(super) const COUNT: (&str, &str) = ("mutant-count", "mutant count");
/// The variable in which a mutant keeps a number that it drew.
pub(super) const DRAWN: (&str, &str) = ("mutant-drawn", "mutant drawn");

/// Loops, whose mouths run again and again.
const LOOPS: [&str; 5] =
    ["control_repeat", "control_forever", "control_repeat_until", "control_while", "control_for_each"];

/// Statements that do more when they run twice.
const ADDING: &[&str] = &[
    "motion_movesteps",
    "motion_turnright",
    "motion_turnleft",
    "motion_changexby",
    "motion_changeyby",
    "looks_nextcostume",
    "looks_nextbackdrop",
    "looks_changesizeby",
    "looks_changeeffectby",
    "looks_goforwardbackwardlayers",
    "sound_play",
    "sound_playuntildone",
    "sound_changevolumeby",
    "sound_changeeffectby",
    "event_broadcast",
    "event_broadcastandwait",
    "control_create_clone_of",
    "sensing_askandwait",
    "data_changevariableby",
    "data_addtolist",
    "data_insertatlist",
    "data_deleteoflist",
    "pen_stamp",
    "pen_changePenSizeBy",
    "pen_changePenColorParamBy",
    "procedures_call",
];

/// Hats of scripts that a person can start repeatedly, or that a message starts.
const TRIGGERS: [&str; 6] = [
    "event_whenflagclicked",
    "event_whenkeypressed",
    "event_whenthisspriteclicked",
    "event_whenstageclicked",
    "event_whenbroadcastreceived",
    "event_whenbackdropswitchesto",
];

/// Whether it is a loop.
pub(in crate::mutants) fn is_loop(opcode: &str) -> bool {
    LOOPS.contains(&opcode)
}

/// Whether it does more when it runs twice.
pub(super) fn adds(opcode: &str) -> bool {
    ADDING.contains(&opcode)
}

/// Whether it is the hat of a script that may be started again.
pub(super) fn is_trigger(opcode: &str) -> bool {
    TRIGGERS.contains(&opcode)
}

/// Whether nothing can follow it. What `stop` does decides it, as in the editor: the mutation `hasnext` that older
/// editors wrote beside it is absent from what the current one makes.
pub(in crate::mutants) fn is_cap(block: &Block<'_>) -> bool {
    match block.opcode {
        "control_forever" | "control_delete_this_clone" => true,
        "control_stop" => {
            !block.field("STOP_OPTION").is_some_and(|option| option.value.starts_with("other scripts in "))
        }
        _ => false,
    }
}

/// A statement, joined to nothing.
pub(in crate::mutants) fn statement(opcode: &str, inputs: &Value, fields: &Value) -> Value {
    json!({"opcode": opcode, "next": null, "parent": null, "inputs": inputs, "fields": fields, "shadow": false,
        "topLevel": false})
}

/// A reporter in a slot of another block.
pub(in crate::mutants) fn reporter(opcode: &str, parent: &str, inputs: &Value) -> Value {
    json!({"opcode": opcode, "next": null, "parent": parent, "inputs": inputs, "fields": {}, "shadow": false,
        "topLevel": false})
}

/// A variable as a value in a slot.
pub(in crate::mutants) fn variable((id, name): (&str, &str)) -> Value {
    json!([12, name, id])
}

/// A variable as the choice of a block.
pub(in crate::mutants) fn variable_field((id, name): (&str, &str)) -> Value {
    json!({"VARIABLE": [name, id]})
}
