//! How near a run came to a statement, over a small program; and what a search draws.

use std::collections::BTreeMap;

use rand::RngExt as _;
use serde_json::{Value, json};

use super::distance::{UNKNOWN, distance};
use super::goals::{Goals, Place, Ran};
use crate::judge::Played;
use crate::model::{Column, TraceRun};
use crate::project::reach::Reach;
use crate::project::view::targets;

fn block(opcode: &str, parent: Option<&str>, next: Option<&str>, inputs: &Value) -> Value {
    let top = parent.is_none();
    json!({"opcode": opcode, "parent": parent, "next": next, "inputs": inputs, "fields": {}, "shadow": false, "topLevel": top})
}

/// When the flag is clicked: a change; `if score > 9 and not (x < 0)` then send `WON`. Whoever hears it, shows itself.
fn program() -> Value {
    let mut hear = block("event_whenbroadcastreceived", None, Some("shows"), &json!({}));
    hear["fields"] = json!({"BROADCAST_OPTION": ["won", "m"]});
    let blocks = json!({
        "flag": block("event_whenflagclicked", None, Some("moves"), &json!({})),
        "moves": block("motion_changexby", Some("flag"), Some("if"), &json!({"DX": [1, [4, "1"]]})),
        "if": block("control_if", Some("moves"), None, &json!({"CONDITION": [2, "and"], "SUBSTACK": [2, "hides"]})),
        "and": block("operator_and", Some("if"), None, &json!({"OPERAND1": [2, "more"], "OPERAND2": [2, "not"]})),
        "more": block("operator_gt", Some("and"), None, &json!({"OPERAND1": [3, [12, "score", "v"], [10, ""]], "OPERAND2": [1, [10, "9"]]})),
        "not": block("operator_not", Some("and"), None, &json!({"OPERAND": [2, "less"]})),
        "less": block("operator_lt", Some("not"), None, &json!({"OPERAND1": [3, "x", [10, ""]], "OPERAND2": [1, [10, "0"]]})),
        "x": block("motion_xposition", Some("less"), None, &json!({})),
        "hides": block("looks_hide", Some("if"), Some("sends"), &json!({})),
        "sends": block("event_broadcast", Some("hides"), None, &json!({"BROADCAST_INPUT": [1, [11, "won", "m"]]})),
        "hear": hear,
        "shows": block("looks_show", Some("hear"), None, &json!({})),
    });
    let moth = json!({"isStage": false, "name": "Moth", "variables": {"v": ["score", 0]}, "lists": {}, "broadcasts": {}, "blocks": blocks});
    json!({"targets": [moth]})
}

/// A run of 30 ticks in which these statements ran and the score and the place were these in the end.
fn run(covered: &[&str], score: i64, x: i64) -> Played {
    let column = |value: i64| Column { t: vec![0, 15], v: vec![json!(0), json!(value)] };
    let signals = BTreeMap::from([("Moth/variable/score".to_owned(), column(score)), ("Moth/x".to_owned(), column(x))]);
    let covered = covered.iter().map(|id| (*id).to_owned()).collect();
    let covered = BTreeMap::from([("Moth".to_owned(), covered)]);
    Played { covered, ..Played::of_run(TraceRun { ticks: 30, signals }) }
}

fn fitness(goal: &str, run: &Played) -> f64 {
    let program = program();
    let goals = Goals::of(&program, &Reach::of(&program));
    let place: Place = ("Moth".to_owned(), goal.to_owned());
    goals.fitness(&place, run, &Ran::of([run]))
}

#[test]
fn a_run_is_nearer_the_more_of_the_way_it_went_and_the_nearer_the_condition_was() {
    let began = ["flag", "moves", "if"];
    let at_the_gate = |score, x| fitness("hides", &run(&began, score, x));
    // At tick 10 the score is 0: 10 steps from being more than 9; x is not below 0 there.
    let ten: f64 = 10.0;
    assert!((at_the_gate(0, 0) - ten / 11.0).abs() < 1e-9, "{}", at_the_gate(0, 0));
    assert!((at_the_gate(8, 0) - 2.0 / 3.0).abs() < 1e-9);
    assert!(at_the_gate(8, -5) > at_the_gate(8, 0), "both halves count");
    let none = fitness("hides", &run(&[], 0, 0));
    assert!(none > 3.0 && none > fitness("hides", &run(&["flag"], 0, 0)));
    assert!(fitness("hides", &run(&["flag", "moves", "if", "hides"], 0, 0)).abs() < 1e-9);
}

#[test]
fn what_waits_for_a_message_is_as_far_as_whoever_sends_it() {
    let began = ["flag", "moves", "if"];
    let (far, near) = (fitness("shows", &run(&began, 0, 0)), fitness("shows", &run(&began, 9, 0)));
    assert!(near < far, "{near} < {far}");
    let sent = fitness("shows", &run(&["flag", "moves", "if", "hides", "sends", "hear"], 10, 0));
    assert!(sent < near && sent < 1.0, "{sent}");
}

#[test]
fn what_no_trace_shows_is_as_far_as_can_be() {
    let program = program();
    let moth = targets(&program).next().unwrap();
    let seen = run(&[], 12, 3);
    assert!(distance(moth, "more", true, seen.run()).abs() < 1e-9, "it held in the end");
    assert!(distance(moth, "more", false, seen.run()).abs() < 1e-9, "and did not in the beginning");
    assert!((distance(moth, "nothing", true, seen.run()) - UNKNOWN).abs() < 1e-9);
}

#[test]
fn what_is_drawn_depends_on_the_seed_and_the_project_alone() {
    let drawn = |seed, project| super::random_of(seed, project).random_range(0..1_000_000);
    assert_eq!((drawn(1, "lantern_run"), drawn(2, "lantern_run"), drawn(1, "bell_tower")), (231_677, 187_676, 562_906));
}
