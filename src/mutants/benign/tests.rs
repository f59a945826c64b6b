//! Benign mutants of hand-made and of random projects. That they do the same is shown where they are run.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::benign;
use crate::mutants::Sample;
use crate::mutants::tests::{Node, blocks, few, find, flag, node, project, scripts, step};
use crate::project::Project;
use crate::project::validate;

fn all(scripts: &[Vec<Node>]) -> Sample {
    benign(&project(scripts), &project(&[]), "Nothing is named here.", usize::MAX, 1)
}

fn has(sample: &Sample, id: &str) -> bool {
    sample.mutants.iter().any(|mutant| mutant.id == id)
}

fn add(a: Node) -> Node {
    node("operator_add").slot("NUM1", a).input("NUM2", json!([4, "5"]))
}

#[test]
fn operands_change_places_unless_a_number_is_drawn() {
    let set = |value: Node| node("data_setvariableto").field("VARIABLE", json!(["score", "v1"])).slot("VALUE", value);
    let draw = node("operator_random").input("FROM", json!([4, "1"])).input("TO", json!([4, "9"]));
    let sample = all(&[vec![flag(), set(add(node("sensing_timer"))), set(add(draw))]]);
    let swapped = blocks(find(&sample, "benign:swap:A: cat?:0.1.VALUE:operands"));
    assert_eq!(swapped["s0-1-VALUE"]["inputs"]["NUM1"], json!([1, [4, "5"]]));
    assert_eq!(swapped["s0-1-VALUE"]["inputs"]["NUM2"][1], json!("s0-1-VALUE-NUM1"));
    assert!(!has(&sample, "benign:swap:A: cat?:0.2.VALUE:operands"));
}

#[test]
fn a_comparison_is_read_from_the_other_side_and_a_condition_denied_twice() {
    let less = node("operator_lt").slot("OPERAND1", node("sensing_timer")).input("OPERAND2", json!([10, "50"]));
    let sample = all(&[vec![flag(), node("control_wait_until").slot("CONDITION", less)]]);
    let mirrored = &blocks(find(&sample, "benign:mirror:A: cat?:0.1.CONDITION:comparison"))["s0-1-CONDITION"];
    assert_eq!(
        (&mirrored["opcode"], &mirrored["inputs"]["OPERAND1"]),
        (&json!("operator_gt"), &json!([1, [10, "50"]]))
    );
    let denied = blocks(find(&sample, "benign:denial:A: cat?:0.1.CONDITION:twice"));
    let outer = denied["s0-1"]["inputs"]["CONDITION"][1].as_str().unwrap();
    let inner = denied[outer]["inputs"]["OPERAND"][1].as_str().unwrap();
    assert_eq!((&denied[outer]["opcode"], &denied[inner]["opcode"]), (&json!("operator_not"), &json!("operator_not")));
    assert_eq!(denied[inner]["inputs"]["OPERAND"][1], json!("s0-1-CONDITION"));
}

#[test]
fn waits_are_halved_and_changes_are_sums() {
    let wait = |seconds: &str| node("control_wait").input("DURATION", json!([5, seconds]));
    let change =
        node("data_changevariableby").field("VARIABLE", json!(["score", "v1"])).input("VALUE", json!([4, "2"]));
    let sample = all(&[vec![flag(), wait("1"), wait("0.1"), change]]);
    let halves = blocks(find(&sample, "benign:wait:A: cat?:0.1:halves"));
    let again = &halves["s0-1"]["next"];
    assert_eq!(halves["s0-1"]["inputs"]["DURATION"], json!([1, [5, "0.5"]]));
    assert_eq!(halves[again.as_str().unwrap()]["inputs"]["DURATION"], json!([1, [5, "0.5"]]));
    assert!(!has(&sample, "benign:wait:A: cat?:0.2:halves"), "too short to be halved");
    let sum = blocks(find(&sample, "benign:sum:A: cat?:0.3:set"));
    assert_eq!(
        (&sum["s0-3"]["opcode"], &sum["s0-3"]["inputs"]["VALUE"][1]),
        (&json!("data_setvariableto"), &json!("s0-3.sum"))
    );
    assert_eq!(sum["s0-3.sum"]["inputs"]["NUM1"][1], json!([12, "score", "v1"]));
    assert_eq!(sum["s0-3.sum"]["inputs"]["NUM2"], json!([1, [4, "2"]]));
}

#[test]
fn an_instant_first_statement_of_a_flag_script_gets_a_hat_of_its_own_before_the_rest() {
    let goto = node("motion_gotoxy").input("X", json!([4, "1"])).input("Y", json!([4, "2"]));
    let key = node("event_whenkeypressed").field("KEY_OPTION", json!(["space", null]));
    let sample =
        all(&[vec![flag(), goto.clone(), step("3")], vec![key, goto, step("3")], vec![flag(), step("1"), step("2")]]);
    let split = find(&sample, "benign:hats:A: cat?:0.1:two");
    let found = blocks(split).as_object().unwrap();
    let hats: Vec<&str> =
        found.iter().filter(|(_, block)| block["topLevel"] == json!(true)).map(|(id, _)| id.as_str()).collect();
    assert_eq!(hats, ["s0-0.own", "s0-0", "s1-0", "s2-0"]);
    assert_eq!((&found["s0-0.own"]["next"], &found["s0-1"]["next"]), (&json!("s0-1"), &Value::Null));
    assert_eq!((&found["s0-0"]["next"], &found["s0-2"]["parent"]), (&json!("s0-2"), &json!("s0-0")));
    assert_eq!(sample.operators["benign:hats"], 1, "keys restart nothing, and a move is not among the instant ones");
}

#[test]
fn branches_change_places_under_not() {
    let mut golden = project(&[vec![
        flag(),
        node("control_if_else").slot("CONDITION", node("sensing_mousedown")).mouth(vec![step("1")]),
        step("2"),
    ]]);
    let blocks_of = &mut golden.json["targets"][1]["blocks"];
    blocks_of["s0-1"]["inputs"]["SUBSTACK2"] = json!([2, "other"]);
    blocks_of["other"] = json!({"opcode": "motion_movesteps", "next": null, "parent": "s0-1", "fields": {},
        "inputs": {"STEPS": [1, [4, "9"]]}, "shadow": false, "topLevel": false});
    let sample = benign(&golden, &project(&[]), "", usize::MAX, 1);
    let found = &blocks(find(&sample, "benign:branches:A: cat?:0.1:swapped"))["s0-1"]["inputs"];
    assert_eq!((&found["SUBSTACK"], &found["SUBSTACK2"]), (&json!([2, "other"]), &json!([2, "s0-1-in0"])));
    assert_eq!(found["CONDITION"][1], json!("s0-1.CONDITION.not"));
}

/// Names that a mutant gives other ones.
fn renamed(golden: &Project, initial: &Project, instruction: &str) -> Vec<String> {
    let sample = benign(golden, initial, instruction, usize::MAX, 1);
    let renames = sample.mutants.into_iter().filter(|mutant| mutant.operator == "benign:rename");
    renames.map(|mutant| mutant.block).collect()
}

#[test]
fn what_only_the_solution_names_is_renamed_everywhere() {
    let golden = project(&[vec![
        flag(),
        node("data_setvariableto").field("VARIABLE", json!(["score", "v1"])).input("VALUE", json!([12, "lives", "v2"])),
        node("event_broadcast").input("BROADCAST_INPUT", json!([11, "GO", "m1"])),
    ]]);
    let mut initial = golden.clone();
    for (target, kind) in [(0, "variables"), (0, "broadcasts"), (1, "lists")] {
        initial.json["targets"][target][kind] = json!({});
    }
    assert_eq!(renamed(&golden, &initial, ""), ["score", "lives", "go", "items"]);
    assert_eq!(renamed(&golden, &initial, "Count the Score, and GO on."), ["lives", "items"]);
    assert_eq!(renamed(&golden, &golden, ""), [""; 0], "what was there keeps its name");

    let sample = benign(&golden, &initial, "", usize::MAX, 1);
    let message = &find(&sample, "benign:rename:Stage:message.go:other").json["targets"];
    assert_eq!(message[0]["broadcasts"]["m1"], json!("go by another name"));
    assert_eq!(message[1]["blocks"]["s0-2"]["inputs"]["BROADCAST_INPUT"][1], json!([11, "go by another name", "m1"]));
    let variable = &find(&sample, "benign:rename:Stage:variable.score:other").json["targets"];
    assert_eq!(variable[0]["variables"]["v1"], json!(["score by another name", 0]));
    assert_eq!(variable[1]["blocks"]["s0-1"]["fields"]["VARIABLE"], json!(["score by another name", "v1"]));
}

#[test]
fn a_name_that_a_block_uses_as_a_text_is_kept() {
    let of = node("sensing_of").field("PROPERTY", json!(["score", null]));
    let set = node("data_setvariableto").field("VARIABLE", json!(["lives", "v2"])).slot("VALUE", of);
    let golden = project(&[vec![flag(), set]]);
    let mut initial = golden.clone();
    initial.json["targets"][0]["variables"] = json!({});
    assert_eq!(renamed(&golden, &initial, ""), ["lives"]);
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn every_mutant_is_sound_and_differs_from_the_golden_and_the_others(scripts in scripts(), limit in 1..60_usize) {
        let golden = project(&scripts);
        let sample = benign(&golden, &project(&[]), "", limit, 1);
        prop_assert!(sample.mutants.len() == limit.min(sample.population));
        let warnings = validate(&golden).len();
        let mut ids = BTreeSet::new();
        for mutant in &sample.mutants {
            prop_assert!(ids.insert(&mutant.id));
            prop_assert!(mutant.json != golden.json);
            let found = validate(&mutant.project(&golden));
            prop_assert!(found.len() <= warnings, "{}: {found:?}", mutant.id);
        }
    }
}
