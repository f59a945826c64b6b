//! What a player notices of runs that are made up.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::model::Column;

type Changes<'a> = &'a [(u64, Value)];

fn run(signals: &[(&str, Changes<'_>)]) -> TraceRun {
    let column = |changes: Changes<'_>| Column {
        t: changes.iter().map(|(tick, _)| *tick).collect(),
        v: changes.iter().map(|(_, value)| value.clone()).collect(),
    };
    let signals: BTreeMap<String, Column> =
        signals.iter().map(|(name, changes)| ((*name).to_owned(), column(changes))).collect();
    TraceRun { ticks: 300, signals }
}

fn block(opcode: &str, fields: &Value) -> Value {
    json!({"opcode": opcode, "next": null, "parent": null, "inputs": {}, "fields": fields, "shadow": false, "topLevel": true, "x": 0,
        "y": 0})
}

/// A game in which a script of the moth does all that is watched; only the score has a monitor, and a block shows the lives.
fn project(turn: u64) -> Value {
    let mut turns = block("motion_turnright", &json!({}));
    turns["inputs"] = json!({"DEGREES": [1, [4, turn.to_string()]]});
    (turns["next"], turns["parent"], turns["topLevel"]) = (json!("score"), json!("flag"), json!(false));
    let mut flag = block("event_whenflagclicked", &json!({}));
    flag["next"] = json!("turn");
    let chain = |name: &str, next: Value, parent: &str| {
        let mut block = block("data_changevariableby", &json!({"VARIABLE": [name, name]}));
        block["inputs"] = json!({"VALUE": [1, [4, "1"]]});
        (block["next"], block["parent"], block["topLevel"]) = (next, json!(parent), json!(false));
        block
    };
    let names = ["score", "lives", "secret"];
    let variables: Value =
        names.iter().map(|name| ((*name).to_owned(), json!([name, 0]))).collect::<serde_json::Map<_, _>>().into();
    let stage = json!({"isStage": true, "name": "Stage", "variables": variables, "lists": {}, "broadcasts": {}, "comments": {},
        "blocks": {"shows": block("data_showvariable", &json!({"VARIABLE": ["lives", "lives"]}))}, "costumes": [], "sounds": []});
    let moth = json!({"isStage": false, "name": "Moth", "variables": {}, "lists": {}, "broadcasts": {}, "comments": {}, "costumes": [],
        "sounds": [], "blocks": {"flag": flag, "turn": turns, "score": chain("score", json!("lives"), "turn"),
            "lives": chain("lives", json!("secret"), "score"), "secret": chain("secret", json!(null), "lives")}});
    let monitor = json!({"id": "score", "mode": "default", "opcode": "data_variable", "params": {"VARIABLE": "score"}, "spriteName": null,
        "visible": true});
    let hidden = json!({"id": "secret", "mode": "default", "opcode": "data_variable", "params": {"VARIABLE": "secret"},
        "spriteName": null, "visible": false});
    json!({"targets": [stage, moth], "monitors": [monitor, hidden], "extensions": [], "meta": {}})
}

fn noticed(golden: &TraceRun, buggy: &TraceRun) -> Vec<(Sense, String, u64)> {
    let watch = Watch::between(&project(90), &project(15));
    let all = watch.noticed([golden, buggy], 300, 10).into_iter();
    all.map(|one| (one.sense, one.signal, one.after)).collect()
}

fn alone(signal: &str, golden: Changes<'_>, buggy: Changes<'_>) -> Option<Sense> {
    noticed(&run(&[(signal, golden)]), &run(&[(signal, buggy)])).first().map(|(sense, ..)| *sense)
}

#[test]
fn a_variable_is_noticed_where_the_stage_shows_it_and_nowhere_else() {
    let of = |name: &str| alone(&format!("Stage/variable/{name}"), &[(9, json!(0))], &[(9, json!(1))]);
    assert_eq!(of("score"), Some(Sense::Monitor));
    assert_eq!(of("lives"), Some(Sense::Monitor), "a block shows it");
    assert_eq!(of("secret"), None, "its monitor is hidden: nobody can notice that it is wrong");
}

#[test]
fn what_is_too_small_or_over_at_once_is_not_noticed() {
    let place = |x: f64| alone("Moth/x", &[(9, json!(0))], &[(9, json!(x))]);
    assert_eq!((place(3.0), place(8.0)), (None, Some(Sense::Place)));
    let blink = alone("Moth/visible", &[(9, json!(true))], &[(9, json!(true)), (49, json!(false)), (59, json!(true))]);
    assert_eq!(blink, None);
    assert_eq!(alone("Moth/layer", &[(9, json!(1))], &[(9, json!(2))]), None);
    assert_eq!(alone("clones/Moth", &[], &[(9, json!(0))]), None, "no clones, and none so far");
    assert_eq!(
        alone("Owl/x", &[(9, json!(0))], &[(9, json!(90))]),
        None,
        "the fault can't change the owl but by its timing"
    );
}

#[test]
fn hidden_sprites_are_not_looked_at_and_turning_shows_as_the_sprite_turns() {
    let turned = |style: &str, visible: bool, degrees: f64| {
        let with = |degrees: f64| {
            run(&[
                ("Moth/direction", &[(9, json!(degrees))]),
                ("Moth/rotation_style", &[(9, json!(style))]),
                ("Moth/visible", &[(9, json!(visible))]),
            ])
        };
        noticed(&with(90.0), &with(degrees)).len()
    };
    assert_eq!((turned("all around", true, 45.0), turned("all around", false, 45.0)), (1, 0));
    assert_eq!((turned("left-right", true, 45.0), turned("left-right", true, -45.0)), (0, 1));
    assert_eq!(turned("don't rotate", true, -90.0), 0);
    assert_eq!(turned("all around", true, 95.0), 0);
}

#[test]
fn the_first_moment_counts_and_speech_comes_before_places() {
    let golden = run(&[
        ("Moth/x", &[(9, json!(0))]),
        ("Moth/bubble", &[(9, Value::Null)]),
        ("Stage/variable/score", &[(9, json!(0))]),
        ("events/sound", &[]),
    ]);
    let buggy = run(&[
        ("Moth/x", &[(9, json!(0)), (99, json!(80))]),
        ("Moth/bubble", &[(9, Value::Null), (99, json!("say: Hoo"))]),
        ("Stage/variable/score", &[(9, json!(0)), (199, json!(1))]),
        ("events/sound", &[(250, json!("Moth: pop"))]),
    ]);
    let (speech, place) = ("Moth/bubble".to_owned(), "Moth/x".to_owned());
    assert_eq!(noticed(&golden, &buggy), [(Sense::Speech, speech, 100), (Sense::Place, place, 100)]);
    let heard = alone("events/sound", &[], &[(250, json!("Moth: pop"))]);
    assert_eq!(heard, Some(Sense::Sound));
    assert_eq!(noticed(&golden, &golden), []);
}

#[test]
fn a_look_comes_in_the_middle_of_what_lasts_and_two_seconds_late_at_most() {
    let golden = run(&[("Moth/x", &[(9, json!(0))])]);
    let until = |tick: u64| run(&[("Moth/x", &[(9, json!(0)), (99, json!(80)), (tick, json!(0))])]);
    let noticed = Noticed { sense: Sense::Place, signal: "Moth/x".to_owned(), after: 100 };
    let middle = |buggy: &TraceRun| noticed.middle([&golden, buggy], 300, 10);
    assert_eq!(middle(&until(104)), 100, "it is over at the next look");
    assert_eq!(middle(&until(155)), 120, "it is there up to 150");
    assert_eq!(middle(&until(999)), 160, "it lasts");
    let at = |after: u64| noticed.until(after, [&golden, &until(155)], 10).map(|one| one.after);
    assert_eq!((at(120), at(150), at(160)), (Some(120), Some(150), None));
}
