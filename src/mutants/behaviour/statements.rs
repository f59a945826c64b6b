//! Changes of statements: it says something else later, does more or something else on a restart, runs twice, at
//! another time, or unconditionally, or thinks what it should say.

use serde_json::json;

use super::Scene;
use super::blocks::{self, COUNT, adds, is_cap, is_loop, is_trigger};
use crate::mutants::edit::Step;
use crate::mutants::names::NEW_MESSAGE;
use crate::mutants::operators::{Candidate, candidate};
use crate::mutants::stack::copy_id;
use crate::mutants::values::literals;
use crate::project::view::Slot;
use crate::project::walk::Statement;

/// A text that no program uses.
const SOMETHING_ELSE: &str = "Something else";

/// Statements that set something, with the slots that say what to.
const SETTING: &[(&str, &[&str])] = &[
    ("motion_gotoxy", &["X", "Y"]),
    ("motion_setx", &["X"]),
    ("motion_sety", &["Y"]),
    ("motion_pointindirection", &["DIRECTION"]),
    ("looks_setsizeto", &["SIZE"]),
    ("looks_seteffectto", &["VALUE"]),
    ("looks_say", &["MESSAGE"]),
    ("sound_setvolumeto", &["VOLUME"]),
    ("data_setvariableto", &["VALUE"]),
];

/// All candidates of one statement as a whole.
pub(super) fn candidates(scene: &Scene<'_>, statement: &Statement<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    found.extend(later(statement));
    found.extend(again(scene, statement));
    found.extend(moved(scene, statement));
    let id = || statement.block.id.to_owned();
    let opcode = statement.block.opcode;
    if adds(opcode) {
        found.push(candidate("behaviour:doubled", &statement.path, "below", id(), vec![Step::Double(id())]));
    }
    if matches!(opcode, "control_if" | "control_if_else") && may_open(scene, statement) {
        found.push(candidate("behaviour:unguarded", &statement.path, "open", id(), vec![Step::Open(id())]));
    }
    for (from, to) in [("looks_say", "looks_think"), ("looks_sayforsecs", "looks_thinkforsecs")] {
        if opcode == from {
            let steps = vec![Step::Opcode { block: id(), to }];
            found.push(candidate("behaviour:think", &statement.path, "think", id(), steps));
        }
    }
    found
}

/// Says another text a second after the first one. At the end of a script the script itself says it; elsewhere one that a
/// message starts, so that nothing else comes later.
fn later(statement: &Statement<'_>) -> Option<Candidate> {
    let block = &statement.block;
    if !matches!(block.opcode, "looks_say" | "looks_sayforsecs") {
        return None;
    }
    let said = block.input("MESSAGE")?.value?;
    if matches!(said, Slot::Primitive(text) if text.value.is_empty()) {
        return None;
    }
    let named = |part: &str| format!("{}.{part}", block.id);
    let wait = (named("wait"), blocks::statement("control_wait", &json!({"DURATION": [1, [5, "1"]]}), &json!({})));
    let say = blocks::statement("looks_say", &json!({"MESSAGE": [1, [10, SOMETHING_ELSE]]}), &json!({}));
    let rest = vec![wait, (named("say"), say)];
    let make = |variant, steps| candidate("behaviour:later", &statement.path, variant, block.id.to_owned(), steps);
    if block.next.is_none() && statement.depth == 0 {
        return Some(make("below", vec![Step::Insert { below: block.id.to_owned(), stack: rest }]));
    }
    let name = "mutant later";
    let send =
        blocks::statement("event_broadcast", &json!({"BROADCAST_INPUT": [1, [11, name, NEW_MESSAGE]]}), &json!({}));
    let hat =
        blocks::statement("event_whenbroadcastreceived", &json!({}), &json!({"BROADCAST_OPTION": [name, NEW_MESSAGE]}));
    let script = std::iter::once((named("hat"), hat)).chain(rest).collect();
    let steps =
        vec![Step::Insert { below: block.id.to_owned(), stack: vec![(named("send"), send)] }, Step::AddScript(script)];
    let declares = Some((name.to_owned(), NEW_MESSAGE.to_owned()));
    Some(Candidate { declares, ..make("apart", steps) })
}

/// From the second start of its script on, the statement runs twice, or sets something else.
fn again(scene: &Scene<'_>, statement: &Statement<'_>) -> Vec<Candidate> {
    let Some(hat) = scene.script.first().filter(|first| is_trigger(first.block.opcode)) else { return Vec::new() };
    let id = statement.block.id;
    let count = format!("{}.count", hat.block.id);
    let change =
        blocks::statement("data_changevariableby", &json!({"VALUE": [1, [4, "1"]]}), &blocks::variable_field(COUNT));
    let test = format!("{id}.test");
    let operands = json!({"OPERAND1": [3, blocks::variable(COUNT), [10, ""]], "OPERAND2": [1, [10, "1"]]});
    let more = blocks::reporter("operator_gt", id, &operands);
    let steps = || {
        vec![
            Step::Variable { id: COUNT.0.to_owned(), name: COUNT.1.to_owned() },
            Step::DoubleIf { block: id.to_owned(), condition: (test.clone(), more.clone()) },
            Step::Insert { below: hat.block.id.to_owned(), stack: vec![(count.clone(), change.clone())] },
        ]
    };
    let make = |variant: &str, steps| candidate("behaviour:again", &statement.path, variant, id.to_owned(), steps);
    let mut found = Vec::new();
    if adds(statement.block.opcode) {
        found.push(make("twice", steps()));
    }
    let slots = SETTING.iter().filter(|(opcode, _)| *opcode == statement.block.opcode).flat_map(|(_, slots)| *slots);
    for slot in slots {
        let Some(Slot::Primitive(value)) = statement.block.input(slot).and_then(|input| input.value) else { continue };
        if value.is_reporter() {
            continue;
        }
        let Some((_, other)) = literals(value.kind, &value.value, statement.block.opcode).into_iter().next() else {
            continue;
        };
        let value = json!([value.kind, other]);
        let inline = Step::Inline { block: copy_id(id), input: (*slot).to_owned(), value };
        found.push(make(&format!("other.{slot}"), steps().into_iter().chain([inline]).collect()));
    }
    found
}

/// Before or after its loop instead of inside. Moving a wait is a different mutant.
fn moved(scene: &Scene<'_>, statement: &Statement<'_>) -> Vec<Candidate> {
    let block = &statement.block;
    let around = statement.path.rsplitn(3, '.').nth(2);
    let holder = scene.script.iter().find(|other| Some(other.path.as_str()) == around);
    let Some(holder) = holder.filter(|holder| statement.depth > 0 && is_loop(holder.block.opcode)) else {
        return Vec::new();
    };
    if is_cap(block) || block.opcode.starts_with("control_wait") {
        return Vec::new();
    }
    let places = [("before", false), ("after", true)].into_iter();
    let fit = places.filter(|(_, below)| !(*below && is_cap(&holder.block)));
    fit.map(|(variant, below)| {
        let step = Step::MoveOut { block: block.id.to_owned(), below };
        candidate("behaviour:moved", &statement.path, variant, block.id.to_owned(), vec![step])
    })
    .collect()
}

/// Whether what is in the first mouth could stand in its place: something is there, and what follows still can.
fn may_open(scene: &Scene<'_>, statement: &Statement<'_>) -> bool {
    let inside = format!("{}.SUBSTACK.", statement.path);
    let mut body = scene.script.iter().filter(|other| {
        other.path.strip_prefix(&inside).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    body.next_back().is_some_and(|last| statement.block.next.is_none() || !is_cap(&last.block))
}
