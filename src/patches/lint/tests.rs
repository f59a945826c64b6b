//! Where each code fires, and beside it where it must not.

use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use super::fixture::*;
use super::*;
use crate::project::edit::{Literal, NewBlock, Operand};

fn codes(findings: &[Finding]) -> Vec<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

fn text(value: &str) -> Operand {
    Operand::Literal(Literal::Text(value.to_owned()))
}

fn named(name: &str, id: &str) -> Operand {
    Operand::Named(name.to_owned(), id.to_owned())
}

fn modify(sprite: &str, block: &str, path: &str, value: Operand) -> Edit {
    Edit::Modify { sprite_id: sprite.to_owned(), block_id: block.to_owned(), path: path.to_owned(), value }
}

fn below(sprite: &str, parent: &str, block: NewBlock) -> Edit {
    let (input, at, next, order) = (None, None, None, indexmap::IndexMap::new());
    Edit::Add {
        sprite_id: sprite.to_owned(),
        parent: Some(parent.to_owned()),
        input,
        at,
        next,
        block: Box::new(block),
        order,
    }
}

fn new(id: &str, opcode: &str) -> NewBlock {
    NewBlock { id: id.to_owned(), opcode: opcode.to_owned(), ..NewBlock::default() }
}

fn new_wait(id: &str, seconds: &str) -> NewBlock {
    NewBlock { inputs: [("DURATION".to_owned(), text(seconds))].into_iter().collect(), ..new(id, "control_wait") }
}

fn remove(sprite: &str, block: &str) -> Edit {
    Edit::Remove { sprite_id: sprite.to_owned(), block_id: block.to_owned(), splice: false }
}

/// A stage that starts the moth and then says what the moth counts, slowly.
fn race(send: Part) -> Value {
    let stage = vec![flag().id("flag"), set("score", "0").id("reset"), send.id("send"), say("score").id("say")];
    project(vec![stage], vec![vec![hear("go"), wait("1"), change("score")]], vec![])
}

#[test]
fn a_wait_after_a_send_that_must_be_waited_for_is_no_barrier() {
    let buggy = race(send("go"));
    let found = review(&buggy, &[below("Stage", "send", new_wait("new", "0.5"))]);
    assert_eq!(codes(&found), [Code::BarrierSubstituted, Code::DelayGuess]);
    assert!(found.iter().all(|finding| finding.edit == Some(0)));
    let poll = review(&buggy, &[below("Stage", "send", new("new", "control_wait_until"))]);
    assert_eq!(codes(&poll), [Code::BarrierSubstituted], "no number of seconds is guessed");
    // A wait above the send holds nobody up who comes too early.
    assert_eq!(review(&buggy, &[below("Stage", "reset", new_wait("new", "0.5"))]), []);
    // With the barrier, a wait is only a wait.
    let barrier = modify("Stage", "send", "opcode", text("event_broadcastandwait"));
    assert_eq!(review(&buggy, &[barrier, below("Stage", "send", new_wait("new", "0.5"))]), []);
}

#[test]
fn a_wait_after_a_send_that_nothing_depends_on_is_a_wait() {
    let stage = vec![flag(), send("go").id("send"), say("lives")];
    let harmless = project(vec![stage], vec![vec![hear("go"), wait("1"), change("score")]], vec![]);
    let found = review(&harmless, &[below("Stage", "send", new_wait("new", "0.5"))]);
    assert!(found.iter().all(|finding| finding.code.group() != Group::Barrier), "{found:?}");
}

#[test]
fn a_guess_that_is_only_made_longer_is_a_guess_and_one_after_the_reader_is_none() {
    let stage = |parts: Vec<Part>| vec![[vec![flag(), set("score", "0"), send("go")], parts].concat()];
    let moth = vec![vec![hear("go"), wait("1"), change("score")]];
    let longer = [modify("Stage", "wait", "inputs/DURATION", text("2"))];
    let between = project(stage(vec![wait("1").id("wait"), say("score")]), moth.clone(), vec![]);
    assert_eq!(codes(&review(&between, &longer)), [Code::DelayGuess]);
    let after = project(stage(vec![say("score"), wait("1").id("wait")]), moth, vec![]);
    assert_eq!(review(&after, &longer), []);
}

#[test]
fn a_barrier_that_becomes_plain_is_removed_however_it_is_done() {
    let gold = race(send_and_wait("go"));
    assert_eq!(
        codes(&review(&gold, &[modify("Stage", "send", "opcode", text("event_broadcast"))])),
        [Code::BarrierRemoved]
    );
    let plain = NewBlock {
        inputs: [("BROADCAST_INPUT".to_owned(), named("go", "go0"))].into_iter().collect(),
        ..new("again", "event_broadcast")
    };
    let again = review(&gold, &[remove("Stage", "send"), below("Stage", "reset", plain)]);
    assert_eq!((codes(&again), again[0].edit), (vec![Code::BarrierRemoved], Some(1)));
    // The other way round it is put in.
    assert_eq!(review(&race(send("go")), &[modify("Stage", "send", "opcode", text("event_broadcastandwait"))]), []);
}

/// Writes a value anywhere in a project.
fn with(mut project: Value, pointer: &str, value: Value) -> Value {
    *project.pointer_mut(pointer).unwrap() = value;
    project
}

const FIELD: &str = "/targets/1/blocks/set/fields/VARIABLE";

/// A moth that sets its own variable and says it.
fn moth() -> Value {
    project(vec![], vec![vec![flag(), set("own", "1").id("set"), say("own").id("say")]], vec![])
}

#[test]
fn a_name_without_its_id_is_a_label() {
    assert_eq!(codes(&compare(&moth(), &with(moth(), FIELD, json!(["score", "own0"])))), [Code::LabelOnly]);
    let edit = modify("Moth", "set", "fields/VARIABLE", named("score", "own0"));
    let found = review(&moth(), &[edit]);
    assert_eq!((codes(&found), found[0].edit), (vec![Code::LabelOnly], Some(0)), "though it can't be applied");
    assert_eq!(
        codes(&lint(&with(moth(), FIELD, json!(["own", "nothing"])))),
        [Code::LabelOnly],
        "nor has the id the name"
    );
    // A message is its name in any case, and one that is new is declared.
    let sends = |name: &str, id: &str| {
        let sent = part("event_broadcast").id("set").input("BROADCAST_INPUT", json!([11, name, id]));
        project(vec![], vec![vec![flag(), sent], vec![hear("go"), part("looks_show")]], vec![])
    };
    assert_eq!(codes(&lint(&sends("GO", "go0"))), []);
    assert!(codes(&lint(&sends("over", "go0"))).contains(&Code::LabelOnly));
    assert_eq!(review(&moth(), &[modify("Moth", "set", "fields/VARIABLE", named("own", "own0"))]), []);
}

#[test]
fn what_belongs_to_another_sprite_or_is_hidden_by_a_local_is_out_of_scope() {
    let far = review(&moth(), &[modify("Moth", "set", "fields/VARIABLE", named("far", "far0"))]);
    assert_eq!((codes(&far), far[0].edit), (vec![Code::WrongScope], Some(0)));
    let is_out = |to: Value| codes(&compare(&moth(), &with(moth(), FIELD, to))).contains(&Code::WrongScope);
    assert!(is_out(json!(["far", "far0"])) && is_out(json!(["items", "items0"])), "a list is no variable");
    assert!(!is_out(json!(["score", "score0"])));
    let hidden = with(moth(), "/targets/1/variables", json!({"own0": ["own", 0], "mine": ["score", 0]}));
    let global = [modify("Moth", "set", "fields/VARIABLE", named("score", "score0"))];
    assert!(codes(&review(&hidden, &global)).contains(&Code::WrongScope), "the moth has a score of its own");
    // Without one, that of the stage is in scope.
    assert!(!codes(&review(&moth(), &global)).contains(&Code::WrongScope));
}

#[test]
fn writes_that_are_moved_to_what_nobody_reads_are_split_from_their_readers() {
    let to = |name: &str| [modify("Moth", "set", "fields/VARIABLE", named(name, &format!("{name}0")))];
    assert_eq!(codes(&review(&moth(), &to("score"))), [Code::SplitBinding]);
    // The same by another block in its place.
    let other = NewBlock {
        fields: [("VARIABLE".to_owned(), named("score", "score0"))].into_iter().collect(),
        inputs: [("VALUE".to_owned(), text("1"))].into_iter().collect(),
        ..new("other", "data_setvariableto")
    };
    let replaced = [below("Moth", "set", other), remove("Moth", "set")];
    assert_eq!(codes(&review(&moth(), &replaced)), [Code::SplitBinding]);
    // Where its readers follow, or it has readers, nothing is split.
    let followed =
        [to("score").to_vec(), vec![modify("Moth", "say", "inputs/MESSAGE", named("score", "score0"))]].concat();
    assert_eq!(codes(&review(&moth(), &followed)), []);
    let read =
        project(vec![vec![flag(), say("score")]], vec![vec![flag(), set("own", "1").id("set"), say("own")]], vec![]);
    assert!(!codes(&review(&read, &to("score"))).contains(&Code::SplitBinding));
    // Nor where a person reads it on the stage.
    let shown = with(moth(), "/monitors", json!([{"id": "score0", "visible": true}]));
    assert_eq!(codes(&review(&shown, &to("score"))), []);
}

#[test]
fn a_new_message_needs_both_ends() {
    let buggy = project(
        vec![vec![flag(), send("go").id("send")]],
        vec![vec![hear("go").id("hear"), part("looks_show")]],
        vec![],
    );
    let sent = modify("Stage", "send", "inputs/BROADCAST_INPUT", named("begin", "begin0"));
    let heard = modify("Moth", "hear", "fields/BROADCAST_OPTION", named("begin", "begin0"));
    let found = review(&buggy, std::slice::from_ref(&sent));
    let orphan = found.iter().find(|finding| finding.code == Code::OrphanMessage).unwrap();
    assert_eq!(orphan.edit, Some(0));
    assert!(codes(&review(&buggy, std::slice::from_ref(&heard))).contains(&Code::OrphanMessage));
    assert_eq!(review(&buggy, &[sent, heard]), []);
    // One that was there is no orphan of the patch, though nobody hears it.
    let known = review(&buggy, &[modify("Stage", "send", "inputs/BROADCAST_INPUT", named("over", "over0"))]);
    assert!(codes(&known).contains(&Code::OrphanMessage), "`over` is declared, and nobody named it before");
    let both = project(
        vec![vec![flag(), send("go").id("send"), send("over")]],
        vec![vec![hear("go"), part("looks_show")]],
        vec![],
    );
    let known = review(&both, &[modify("Stage", "send", "inputs/BROADCAST_INPUT", named("over", "over0"))]);
    assert!(!codes(&known).contains(&Code::OrphanMessage));
}

/// Which features a project has.
fn features_of(stage: Vec<Vec<Part>>, moth: Vec<Vec<Part>>) -> Vec<Code> {
    codes(&lint(&project(stage, moth, vec![])))
}

#[test]
fn messages_with_one_end_are_features() {
    let hears = || vec![vec![hear("go"), part("looks_show")]];
    assert_eq!(features_of(vec![vec![flag(), send("go")]], vec![]), [Code::MessageNeverReceived]);
    assert_eq!(features_of(vec![], hears()), [Code::MessageNeverSent]);
    assert_eq!(features_of(vec![vec![flag(), send("go")]], hears()), []);
    let computed = part("event_broadcast").input("BROADCAST_INPUT", json!([12, "lives", "lives0"]));
    assert_eq!(features_of(vec![vec![flag(), computed]], hears()), [], "any message may be meant");
}

#[test]
fn variables_that_no_script_sets_at_its_beginning_are_features() {
    let counts = || forever(vec![change("score"), say("score")]);
    assert_eq!(features_of(vec![], vec![vec![flag(), counts()]]), [Code::MissingInitialization]);
    assert_eq!(features_of(vec![], vec![vec![flag(), set("score", "0"), counts()]]), []);
    assert_eq!(features_of(vec![], vec![vec![flag(), change("score")]]), [], "nobody reads it");
    let late = vec![flag(), forever(vec![set("score", "0")])];
    assert_eq!(
        features_of(vec![late], vec![vec![flag(), counts()]]),
        [Code::MissingInitialization],
        "that is no beginning"
    );
}

#[test]
fn clones_without_a_script_and_clones_that_clone_themselves_are_features() {
    let makes = || vec![flag(), clone_of("Moth")];
    let born = |parts: Vec<Part>| vec![[vec![part("control_start_as_clone")], parts].concat()];
    assert_eq!(features_of(vec![makes()], vec![]), [Code::MissingCloneInitialization]);
    assert_eq!(features_of(vec![makes()], born(vec![part("looks_show")])), []);
    assert_eq!(features_of(vec![makes()], born(vec![clone_of("_myself_")])), [Code::RecursiveCloning]);
    let guarded = decide(part("sensing_mousedown"), vec![clone_of("_myself_")]);
    assert_eq!(features_of(vec![makes()], born(vec![wait("1"), guarded])), []);
}

#[test]
fn loops_that_are_missing_endless_or_idle_are_features() {
    let asks = || decide(part("sensing_mousedown"), vec![part("looks_show")]);
    assert_eq!(features_of(vec![], vec![vec![flag(), asks()]]), [Code::MissingLoopSensing]);
    assert_eq!(features_of(vec![], vec![vec![flag(), forever(vec![asks()])]]), []);
    assert_eq!(features_of(vec![], vec![vec![flag(), wait("1"), asks()]]), [], "that is a moment of its own");
    let until = |condition: Vec<Part>, mouth: Vec<Part>| {
        part("control_repeat_until").holds("CONDITION", condition).holds("SUBSTACK", mouth)
    };
    let show = || vec![part("looks_show")];
    assert_eq!(features_of(vec![], vec![vec![flag(), until(vec![], show())]]), [Code::MissingTermination]);
    assert_eq!(features_of(vec![], vec![vec![flag(), until(vec![part("sensing_mousedown")], show())]]), []);
    assert_eq!(
        features_of(vec![], vec![vec![flag(), until(vec![part("sensing_mousedown")], vec![])]]),
        [Code::BusyWaiting]
    );
    let ends = |parts: Vec<Part>| forever(vec![decide(part("sensing_mousedown"), parts)]);
    assert_eq!(features_of(vec![], vec![vec![flag(), ends(vec![stop("this script")])]]), [Code::BusyWaiting]);
    assert_eq!(features_of(vec![], vec![vec![flag(), ends(show())]]), []);
}

#[test]
fn steps_by_the_repetition_of_a_key_are_a_feature() {
    let key = || part("event_whenkeypressed").field("KEY_OPTION", "space", None);
    let step = || part("motion_changexby").input("DX", json!([4, "10"]));
    assert_eq!(features_of(vec![], vec![vec![key(), step()]]), [Code::StutteringMovement]);
    assert_eq!(features_of(vec![], vec![vec![key(), forever(vec![step()])]]), []);
    assert_eq!(features_of(vec![], vec![vec![key(), part("looks_show")]]), []);
}

#[test]
fn comparisons_of_literals_and_stacks_that_nothing_starts_are_features() {
    let compares = |left: Value| {
        let less = part("operator_lt").input("OPERAND1", left).input("OPERAND2", json!([10, "2"]));
        vec![vec![flag(), part("control_wait_until").holds("CONDITION", vec![less])]]
    };
    assert_eq!(features_of(vec![], compares(json!([10, "1"]))), [Code::ComparingLiterals]);
    assert_eq!(features_of(vec![], compares(json!([12, "lives", "lives0"]))), []);
    assert_eq!(features_of(vec![], vec![vec![part("looks_show"), part("looks_hide")]]), [Code::DeadCode]);
    assert_eq!(features_of(vec![], vec![vec![part("motion_xposition")]]), [], "a reporter is a note");
}

#[test]
fn of_a_patch_only_new_features_are_told() {
    let buggy = project(
        vec![vec![flag(), send("over"), send("go").id("send")]],
        vec![vec![hear("go").id("hear"), part("looks_show")]],
        vec![],
    );
    assert_eq!(codes(&lint(&buggy)), [Code::MessageNeverReceived]);
    assert_eq!(review(&buggy, &[]), []);
    let unhooked = review(&buggy, &[remove("Moth", "hear")]);
    assert_eq!(codes(&unhooked), [Code::MessageNeverReceived, Code::DeadCode], "{unhooked:?}");
    assert!(unhooked.iter().all(|finding| finding.edit.is_none()), "no edit names these blocks");
}

#[test]
fn each_code_has_a_name_and_a_group() {
    let count = |group: Group| Code::iter().filter(|code| code.group() == group).count();
    assert_eq!((count(Group::Barrier), count(Group::Binding), count(Group::Feature)), (3, 4, 11));
    assert_eq!(json!(Code::BarrierSubstituted), json!(Code::BarrierSubstituted.to_string()));
}
