//! Edit sets: the worked examples of ScratchEval, section 5.4, and what must hold of all sets.
#![expect(clippy::needless_pass_by_value, reason = "calls read better")]

use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Value, json};

use super::fixture::project;
use super::*;

/// A stage as in the examples: a flag with `b9` and the broken send `b12`, and a hat `hat7` with one statement.
fn buggy() -> Value {
    let block = |opcode: &str, next: Option<&str>, parent: Option<&str>, inputs: Value| {
        json!({"opcode": opcode, "next": next, "parent": parent, "inputs": inputs, "fields": {}, "shadow": false,
            "topLevel": parent.is_none(), "x": 0, "y": 0})
    };
    let mut project = json!({"targets": [{"isStage": true, "name": "Stage", "variables": {"score0": ["score", 0]}, "lists": {},
    "broadcasts": {"go0": "go"}, "comments": {}, "blocks": {
        "flag": block("event_whenflagclicked", Some("b9"), None, json!({})),
        "b9": block("control_wait", Some("b12"), Some("flag"), json!({"DURATION": [1, [5, "2"]]})),
        "b12": block("event_broadcast", Some("b13"), Some("b9"), json!({"BROADCAST_INPUT": [1, [11, "go", "go0"]]})),
        "b13": block("control_wait", None, Some("b12"), json!({"DURATION": [1, [5, "3"]]})),
        "hat7": block("event_whenstageclicked", Some("b8"), None, json!({})),
        "b8": block("control_wait", None, Some("hat7"), json!({"DURATION": [1, [5, "1"]]})),
    }}]});
    canonical(&mut project);
    project
}

/// The set of a patch.
fn set(project: &Value, patch: Value) -> EditSet {
    let patch: Patch = serde_json::from_value(patch).unwrap();
    edit_set(project, &apply(project, &patch).unwrap())
}

fn said(set: &EditSet) -> Vec<String> {
    set.iter().map(ToString::to_string).collect()
}

fn waits() -> Value {
    json!({"op": "modify", "sprite_id": "Stage", "block_id": "b12", "path": "opcode", "value": "event_broadcastandwait"})
}

fn wait(parent: &str, id: &str, seconds: Value) -> Value {
    json!({"op": "add", "sprite_id": "Stage", "parent": parent, "block": {"id": id, "opcode": "control_wait", "inputs": {"DURATION": seconds}}})
}

fn reset(parent: &str, to: Value) -> Value {
    json!({"op": "add", "sprite_id": "Stage", "parent": parent, "block": {"id": format!("reset {parent}"),
        "opcode": "data_setvariableto", "fields": {"VARIABLE": ["score", "score0"]}, "inputs": {"VALUE": to}}})
}

#[test]
fn the_worked_examples_have_their_distances() {
    let start = buggy();
    let barrier = set(&start, json!([waits()]));
    assert_eq!(said(&barrier), [r#"M(Stage, b12, opcode, "event_broadcastandwait")"#]);
    let with_wait = set(&start, json!([waits(), wait("b12", "n1", json!(1))]));
    assert_eq!(said(&with_wait)[0], r#"A(Stage, after b12, control_wait DURATION="1")"#);
    let near_miss = set(&start, json!([wait("b12", "n1", json!(0.5))]));
    let zero = set(&start, json!([reset("hat7", json!(0))]));
    assert_eq!(said(&zero), [r#"A(Stage, after hat7, data_setvariableto VARIABLE=variable score0 VALUE="0")"#]);
    let zero_text = set(&start, json!([reset("hat7", json!("0"))]));
    let elsewhere = set(&start, json!([reset("b9", json!(0))]));
    let five = set(
        &start,
        json!([
            {"op": "remove", "sprite_id": "Stage", "block_id": "b9"}, {"op": "remove", "sprite_id": "Stage", "block_id": "b13"},
            reset("hat7", json!(3)), wait("b8", "n1", json!(4)), wait("n1", "n2", json!(5))
        ]),
    );
    assert_eq!(five.len(), 5);
    let distances = [
        edit_distance(&barrier, &with_wait),
        edit_distance(&barrier, &near_miss),
        edit_distance(&zero, &zero_text),
        edit_distance(&zero, &elsewhere),
        edit_distance(&barrier, &five),
    ];
    assert_eq!(distances, [1, 2, 0, 2, 6]);
    let [sum, count] = [distances.iter().sum::<usize>(), distances.len()].map(|number| u8::try_from(number).unwrap());
    assert!((f64::from(sum) / f64::from(count) - 2.2).abs() < 1e-9);
}

#[test]
fn values_that_are_the_same_to_scratch_are_no_edits() {
    let start = buggy();
    for same in [json!(2), json!("2.0"), json!(2.00), json!("02")] {
        let modify =
            json!({"op": "modify", "sprite_id": "Stage", "block_id": "b9", "path": "inputs/DURATION", "value": same});
        assert!(set(&start, json!([modify])).is_empty(), "{same}");
    }
    let mut capitals = start.clone();
    capitals["targets"][0]["blocks"]["b12"]["inputs"]["BROADCAST_INPUT"][1] = json!([11, "GO", "other"]);
    assert!(edit_set(&start, &capitals).is_empty(), "messages are compared in capitals");
    let mut moved = start.clone();
    moved["targets"][0]["blocks"]["hat7"]["x"] = json!(400);
    let hat = moved["targets"][0]["blocks"].as_object_mut().unwrap().shift_remove("hat7").unwrap();
    moved["targets"][0]["blocks"]["hat7"] = hat;
    assert!(edit_set(&start, &moved).is_empty(), "neither is where a script lies");
    let text =
        json!({"op": "modify", "sprite_id": "Stage", "block_id": "b9", "path": "inputs/DURATION", "value": "two"});
    assert_eq!(said(&set(&start, json!([text]))), [r#"M(Stage, b9, inputs/DURATION, "two")"#]);
}

#[test]
fn what_is_taken_into_a_new_block_stays_in_place() {
    let start = buggy();
    // A loop has nothing below it, so all of the script goes in.
    let around = json!([{"op": "add", "sprite_id": "Stage", "parent": "flag", "block": {"id": "n1", "opcode": "control_forever",
        "inputs": {"SUBSTACK": {"block": "b9"}}}}]);
    assert_eq!(said(&set(&start, around)), ["A(Stage, after flag, control_forever SUBSTACK=[b9 b12 b13])"]);

    let game = project();
    let gate = json!([{"op": "add", "sprite_id": "Moth", "parent": "gate", "input": "CONDITION",
        "block": {"id": "n", "opcode": "operator_not", "inputs": {"OPERAND": {"block": "touching"}}}}]);
    assert_eq!(said(&set(&game, gate)), ["A(Moth, in gate.CONDITION, operator_not OPERAND=[touching])"]);

    let ungated = json!([{"op": "remove", "sprite_id": "Moth", "block_id": "gate", "splice": true}]);
    let open = apply(&game, &serde_json::from_value::<Patch>(ungated).unwrap()).unwrap();
    assert_eq!(said(&edit_set(&game, &open)), ["R(Moth, gate)", "R(Moth, touching)"]);
    assert_eq!(
        said(&edit_set(&open, &game)),
        [
            "A(Moth, after click, control_if SUBSTACK=[count say])",
            "A(Moth, after click / control_if SUBSTACK=[count say] in CONDITION, sensing_mousedown)"
        ]
    );
}

#[test]
fn hats_and_new_scripts_start_somewhere() {
    let game = project();
    let headless = apply(
        &game,
        &serde_json::from_value::<Patch>(json!([{"op": "remove", "sprite_id": "Moth", "block_id": "hear"}])).unwrap(),
    )
    .unwrap();
    assert_eq!(said(&edit_set(&game, &headless)), ["R(Moth, hear)"]);
    assert_eq!(
        said(&edit_set(&headless, &game)),
        [r#"A(Moth, start above show, event_whenbroadcastreceived BROADCAST_OPTION=message "START")"#]
    );
    let hat = |id: &str| json!({"op": "add", "sprite_id": "Moth", "at": [0, 0], "block": {"id": id, "opcode": "event_whenflagclicked"}});
    let below = |id: &str, hat: &str| json!({"op": "add", "sprite_id": "Moth", "parent": hat, "block": {"id": id, "opcode": "looks_hide"}});
    let once = set(&game, json!([hat("h"), below("b", "h")]));
    assert_eq!(
        said(&once),
        ["A(Moth, start, event_whenflagclicked)", "A(Moth, start / event_whenflagclicked, looks_hide)"]
    );
    let twice = set(&game, json!([hat("h"), below("b", "h"), hat("h2"), below("b2", "h2")]));
    assert_eq!((twice.len(), edit_distance(&once, &twice)), (4, 2), "a second script of the same kind counts");
}

#[test]
fn a_block_that_moves_is_gone_and_new() {
    let mut swapped = buggy();
    let blocks = &mut swapped["targets"][0]["blocks"];
    // flag, b12, b9, b13
    for (id, key, value) in [
        ("flag", "next", "b12"),
        ("b12", "parent", "flag"),
        ("b12", "next", "b9"),
        ("b9", "parent", "b12"),
        ("b9", "next", "b13"),
        ("b13", "parent", "b9"),
    ] {
        blocks[id][key] = json!(value);
    }
    let set = edit_set(&buggy(), &swapped);
    assert_eq!(set.len(), 2, "{:?}", said(&set));
    assert!(matches!(set.iter().next(), Some(NormalEdit::Remove { .. })));
}

#[test]
fn a_default_that_shows_below_a_removed_reporter_is_no_edit() {
    let game = project();
    let bare = json!([{"op": "remove", "sprite_id": "Moth", "block_id": "random"}]);
    assert_eq!(said(&set(&game, bare)), ["R(Moth, random)"]);
    let seven = json!([{"op": "modify", "sprite_id": "Moth", "block_id": "glide", "path": "inputs/DX", "value": 7}]);
    assert_eq!(said(&set(&game, seven)), ["R(Moth, random)", r#"M(Moth, glide, inputs/DX, "7")"#]);
    let variable = json!([{"op": "modify", "sprite_id": "Stage", "block_id": "less", "path": "inputs/OPERAND1", "value": ["score", "score0"]}]);
    assert_eq!(said(&set(&game, variable)), ["M(Stage, less, inputs/OPERAND1, variable score0)"]);
}

/// Edits of the game that do not touch each other, each with the ids of blocks that it adds.
fn independent() -> Vec<Value> {
    let modify = |target: &str, block: &str, path: &str, value: Value| json!({"op": "modify", "sprite_id": target, "block_id": block, "path": path, "value": value});
    let show = |target: &str, parent: &str, id: &str| json!({"op": "add", "sprite_id": target, "parent": parent, "block": {"id": id, "opcode": "control_wait"}});
    vec![
        json!({"op": "remove", "sprite_id": "Stage", "block_id": "init"}),
        modify("Stage", "wait", "inputs/DURATION", json!(4)),
        modify("Stage", "send", "opcode", json!("event_broadcast")),
        modify("Stage", "less", "opcode", json!("operator_gt")),
        modify("Stage", "end", "inputs/BROADCAST_INPUT", json!(["other", "id-a"])),
        show("Stage", "end", "id-b"),
        modify("Moth", "hear", "fields/BROADCAST_OPTION", json!(["game over", "over0"])),
        json!({"op": "remove", "sprite_id": "Moth", "block_id": "random"}),
        show("Moth", "wear", "id-c"),
        json!({"op": "remove", "sprite_id": "Moth", "block_id": "gate", "splice": true}),
        modify("Moth", "say", "inputs/MESSAGE", json!("no")),
        show("Moth", "say", "id-d"),
        json!({"op": "remove", "sprite_id": "Moth", "block_id": "hide"}),
        json!({"op": "add", "sprite_id": "Moth", "at": [9, 9], "block": {"id": "id-e", "opcode": "event_whenthisspriteclicked"}}),
        json!({"op": "add", "sprite_id": "Moth", "at": [9, 9], "block": {"id": "id-f", "opcode": "event_whenthisspriteclicked"}}),
    ]
}

fn some_edits() -> impl Strategy<Value = Vec<Value>> {
    let all = independent();
    subsequence(all.clone(), 0..=all.len())
}

/// The same with the one of the two like scripts in place of the other where that is alone: their ids are all that differs, and ids are of
/// account between two results.
fn with_the_first_of_two_alike(edits: Vec<Value>) -> Vec<Value> {
    let [.., one, other] = &independent()[..] else { panic!("the last two are alike") };
    let is_alone = !edits.contains(one);
    edits.into_iter().map(|edit| if is_alone && edit == *other { one.clone() } else { edit }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_independent_edits_and_the_ids_of_new_blocks_are_of_no_account(
        (listed, shuffled) in some_edits().prop_flat_map(|edits| (Just(edits.clone()), Just(edits).prop_shuffle())),
        ids in proptest::collection::hash_set("[a-zA-Z0-9]{3,9}!", 6)
    ) {
        let ids: Vec<String> = ids.into_iter().collect();
        let mut renamed = json!(shuffled).to_string();
        for (letter, id) in ["a", "b", "c", "d", "e", "f"].iter().zip(&ids) {
            renamed = renamed.replace(&format!("\"id-{letter}\""), &format!("\"{id}\""));
        }
        let game = project();
        let (one, other) = (set(&game, json!(listed)), set(&game, serde_json::from_str(&renamed).unwrap()));
        prop_assert_eq!(said(&one), said(&other));
        prop_assert_eq!(edit_distance(&one, &other), 0);
        prop_assert_eq!(one.is_empty(), listed.is_empty());
        prop_assert!(one.len() >= listed.len());
        prop_assert!(edit_set(&game, &game).is_empty());
    }

    #[test]
    fn the_distance_is_a_metric(a in some_edits(), b in some_edits(), c in some_edits()) {
        let game = project();
        let [a, b, c] = [a, b, c].map(|edits| set(&game, json!(edits)));
        prop_assert_eq!(edit_distance(&a, &b), edit_distance(&b, &a));
        prop_assert_eq!(edit_distance(&a, &b) == 0, a == b);
        prop_assert!(edit_distance(&a, &c) <= edit_distance(&a, &b) + edit_distance(&b, &c));
        prop_assert_eq!(edit_distance(&a, &EditSet::default()), a.len());
    }

    #[test]
    fn different_results_have_different_sets(
        a in some_edits().prop_map(with_the_first_of_two_alike),
        b in some_edits().prop_map(with_the_first_of_two_alike)
    ) {
        let game = project();
        let results = [&a, &b].map(|edits| apply(&game, &serde_json::from_value::<Patch>(json!(edits)).unwrap()).unwrap());
        prop_assert_eq!(edit_set(&game, &results[0]) == edit_set(&game, &results[1]), edit_set(&results[0], &results[1]).is_empty());
    }
}

#[test]
fn references_are_compared_by_what_they_mean() {
    let set = |field: serde_json::Value| {
        serde_json::json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"s": ["score", 0]}, "lists": {}, "broadcasts": {}, "blocks": {}},
            {"isStage": false, "name": "Moth", "variables": {"own": ["score", 0]}, "lists": {}, "broadcasts": {}, "blocks": {
                "set": {"opcode": "data_setvariableto", "next": null, "parent": null, "topLevel": true, "shadow": false, "x": 0, "y": 0,
                    "inputs": {"VALUE": [1, [10, "0"]]}, "fields": {"VARIABLE": field}}}}
        ]})
    };
    let is_same = |one, other| edit_set(&set(one), &set(other)) == EditSet::default();
    assert!(is_same(serde_json::json!(["score", "gone"]), serde_json::json!(["score", "s"])), "the stage's is meant");
    assert!(is_same(serde_json::json!(["old name", "own"]), serde_json::json!(["score", "own"])));
    assert!(!is_same(serde_json::json!(["score", "gone"]), serde_json::json!(["score", "own"])));
}
