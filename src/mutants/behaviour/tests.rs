//! Behavioural mutants of hand-made and of random projects.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::behaviours;
use crate::mutants::tests::{Node, blocks, few, find, flag, node, project, scripts, step};
use crate::mutants::{Mutant, Sample};
use crate::project::validate;

fn all(scripts: &[Vec<Node>]) -> Sample {
    behaviours(&project(scripts), None, usize::MAX, 1)
}

fn say(text: &str) -> Node {
    node("looks_say").input("MESSAGE", json!([10, text]))
}

fn key() -> Node {
    node("event_whenkeypressed").field("KEY_OPTION", json!(["space", null]))
}

/// The opcodes of a stack, from a block on.
fn stack(mutant: &Mutant, first: &str) -> Vec<String> {
    let blocks = blocks(mutant);
    let (mut found, mut at, mut above) = (Vec::new(), json!(first), Value::Null);
    while let Some(id) = at.as_str() {
        let block = &blocks[id];
        assert!(above.is_null() || block["parent"] == above, "{id}");
        found.push(block["opcode"].as_str().unwrap().to_owned());
        above = json!(id);
        at = block["next"].clone();
    }
    found
}

fn ids(sample: &Sample) -> Vec<&str> {
    sample.mutants.iter().map(|mutant| mutant.id.as_str()).collect()
}

#[test]
fn another_text_is_said_a_second_later_without_delaying_anything() {
    let sample = all(&[vec![flag(), say("Hi"), step("5"), say("Bye"), say("")]]);
    let inside = find(&sample, "behaviour:later:A: cat?:0.1:apart");
    assert_eq!(stack(inside, "s0-0")[1..4], ["looks_say", "event_broadcast", "motion_movesteps"]);
    assert_eq!(stack(inside, "s0-1.hat"), ["event_whenbroadcastreceived", "control_wait", "looks_say"]);
    assert_eq!(blocks(inside)["s0-1.hat"]["topLevel"], json!(true));
    assert!(inside.may_be_allowed());
    assert!(!ids(&sample).contains(&"behaviour:later:A: cat?:0.4:below"), "an empty text takes the bubble away");

    let sample = all(&[vec![flag(), say("Hi")]]);
    let last = find(&sample, "behaviour:later:A: cat?:0.1:below");
    assert_eq!(stack(last, "s0-0"), ["event_whenflagclicked", "looks_say", "control_wait", "looks_say"]);
    assert_eq!(blocks(find(&sample, "behaviour:think:A: cat?:0.1:think"))["s0-1"]["opcode"], json!("looks_think"));
    let letters = find(&sample, "behaviour:letters:A: cat?:0.1.MESSAGE:case");
    assert_eq!(blocks(letters)["s0-1"]["inputs"]["MESSAGE"], json!([1, [10, "hi"]]));
}

#[test]
fn from_the_second_start_on_more_is_done_or_something_else() {
    let volume = node("sound_setvolumeto").input("VOLUME", json!([4, "40"]));
    let sample = all(&[vec![key(), step("5"), volume], vec![node("control_start_as_clone"), step("5")]]);
    let twice = find(&sample, "behaviour:again:A: cat?:0.1:twice");
    assert_eq!(stack(twice, "s0-0")[1..4], ["data_changevariableby", "motion_movesteps", "control_if"]);
    let guard = &blocks(twice)["s0-1.if"];
    assert_eq!(guard["inputs"], json!({"CONDITION": [2, "s0-1.test"], "SUBSTACK": [2, "s0-1.again"]}));
    assert_eq!(blocks(twice)["s0-1.test"]["parent"], json!("s0-1.if"));
    assert_eq!(blocks(twice)["s0-1.again"]["inputs"], json!({"STEPS": [1, [4, "5"]]}));
    assert_eq!(twice.json["targets"][1]["variables"]["mutant-count"], json!(["mutant count", 0]));
    let other = find(&sample, "behaviour:again:A: cat?:0.2:other.VOLUME");
    assert_eq!(blocks(other)["s0-2"]["inputs"], json!({"VOLUME": [1, [4, "40"]]}));
    assert_eq!(blocks(other)["s0-2.again"]["inputs"], json!({"VOLUME": [1, [4, "60"]]}));
    assert!(!ids(&sample).iter().any(|id| id.starts_with("behaviour:again:A: cat?:1")), "a clone starts once");
}

#[test]
fn the_contents_of_a_copy_are_copied_with_it() {
    let add = node("operator_add").input("NUM1", json!([4, "1"])).slot("NUM2", node("sensing_timer"));
    let change = node("data_changevariableby").field("VARIABLE", json!(["score", "v1"])).slot("VALUE", add);
    let mut golden = project(&[vec![flag(), change, step("1")]]);
    golden.json["targets"][1]["blocks"]["s0-1"]["comment"] = json!("c1");
    let sample = behaviours(&golden, None, usize::MAX, 1);
    let doubled = find(&sample, "behaviour:doubled:A: cat?:0.1:below");
    assert_eq!(stack(doubled, "s0-0")[1..], ["data_changevariableby", "data_changevariableby", "motion_movesteps"]);
    let copy = &blocks(doubled)["s0-1.again"];
    assert_eq!((&copy["inputs"]["VALUE"][1], copy.get("comment")), (&json!("s0-1-VALUE.again"), None));
    assert_eq!(blocks(doubled)["s0-1-VALUE-NUM2.again"]["parent"], json!("s0-1-VALUE.again"));
}

#[test]
fn statements_leave_their_loops_and_their_guards() {
    let repeat = node("control_repeat").input("TIMES", json!([6, "4"])).mouth(vec![step("1"), step("2"), say("x")]);
    let guard = node("control_if").slot("CONDITION", node("sensing_mousedown")).mouth(vec![step("3"), step("4")]);
    let forever = node("control_forever").mouth(vec![step("6")]);
    let sample = all(&[vec![flag(), repeat, guard, step("5"), forever]]);
    let before = find(&sample, "behaviour:moved:A: cat?:0.1.SUBSTACK.1:before");
    assert_eq!(stack(before, "s0-0")[1..3], ["motion_movesteps", "control_repeat"]);
    assert_eq!(stack(before, "s0-1-in0"), ["motion_movesteps", "looks_say"]);
    let after = find(&sample, "behaviour:moved:A: cat?:0.1.SUBSTACK.0:after");
    assert_eq!(stack(after, "s0-0")[1..4], ["control_repeat", "motion_movesteps", "control_if"]);
    assert_eq!(blocks(after)["s0-1"]["inputs"]["SUBSTACK"], json!([2, "s0-1-in1"]));
    let alone = blocks(find(&sample, "behaviour:moved:A: cat?:0.4.SUBSTACK.0:before"));
    assert_eq!(alone["s0-4"]["inputs"], json!({}));
    assert!(!ids(&sample).contains(&"behaviour:moved:A: cat?:0.4.SUBSTACK.0:after"), "nothing follows forever");
    let open = find(&sample, "behaviour:unguarded:A: cat?:0.2:open");
    let opened = ["control_repeat", "motion_movesteps", "motion_movesteps", "motion_movesteps", "control_forever"];
    assert_eq!(stack(open, "s0-0")[1..], opened);
    assert!(blocks(open).get("s0-2").is_none() && blocks(open).get("s0-2-CONDITION").is_none());
}

#[test]
fn a_block_that_ends_a_script_is_not_put_before_anything() {
    let stop = || node("control_stop").field("STOP_OPTION", json!(["all", null]));
    let guard = || node("control_if").slot("CONDITION", node("sensing_mousedown")).mouth(vec![stop()]);
    let sample = all(&[vec![flag(), guard(), step("1"), node("control_forever").mouth(vec![guard()])]]);
    let opened: Vec<_> = ids(&sample).into_iter().filter(|id| id.contains("unguarded")).collect();
    assert_eq!(opened, ["behaviour:unguarded:A: cat?:0.3.SUBSTACK.0:open"]);
    // As the current editor writes it: without the mutation that older editors wrote.
    let others = node("control_stop").field("STOP_OPTION", json!(["other scripts in sprite", null]));
    let guard = node("control_if").slot("CONDITION", node("sensing_mousedown")).mouth(vec![others]);
    let sample = all(&[vec![flag(), guard, step("1")]]);
    assert!(ids(&sample).contains(&"behaviour:unguarded:A: cat?:0.1:open"), "the script goes on after it");
}

#[test]
fn numbers_are_a_little_off_and_equality_becomes_a_bound() {
    let equals =
        node("operator_equals").input("OPERAND1", json!([12, "score", "v1"])).input("OPERAND2", json!([10, "3"]));
    let guard = node("control_if").slot("CONDITION", equals).mouth(vec![step("-100")]);
    let sample = all(&[vec![flag(), guard, step("0.5"), step("0"), step("")]]);
    let steps = |name: &str, id: &str| blocks(find(&sample, name))[id]["inputs"]["STEPS"][1][1].clone();
    assert_eq!(steps("behaviour:number:A: cat?:0.1.SUBSTACK.0.STEPS:less", "s0-1-in0"), "-90");
    assert_eq!(steps("behaviour:number:A: cat?:0.1.SUBSTACK.0.STEPS:more", "s0-1-in0"), "-99");
    assert_eq!(steps("behaviour:number:A: cat?:0.2.STEPS:less", "s0-2"), "0.45");
    assert_eq!(steps("behaviour:number:A: cat?:0.3.STEPS:more", "s0-3"), "1");
    let off = blocks(find(&sample, "behaviour:number:A: cat?:0.1.CONDITION.OPERAND2:less"));
    assert_eq!(off["s0-1-CONDITION"]["inputs"]["OPERAND2"], json!([1, [10, "2"]]));
    for (variant, opcode, number) in [("at_least", "operator_gt", "2"), ("at_most", "operator_lt", "4")] {
        let bound = blocks(find(&sample, &format!("behaviour:bound:A: cat?:0.1.CONDITION:{variant}")));
        assert_eq!(bound["s0-1-CONDITION"]["opcode"], json!(opcode));
        assert_eq!(bound["s0-1-CONDITION"]["inputs"]["OPERAND2"], json!([1, [10, number]]));
    }
    let turned =
        node("operator_equals").input("OPERAND1", json!([10, "3"])).input("OPERAND2", json!([12, "score", "v1"]));
    let sample = all(&[vec![flag(), node("control_wait_until").slot("CONDITION", turned)]]);
    let bound = blocks(find(&sample, "behaviour:bound:A: cat?:0.1.CONDITION:at_least"));
    assert_eq!(bound["s0-1-CONDITION"]["opcode"], json!("operator_lt"));
    assert_eq!(bound["s0-1-CONDITION"]["inputs"]["OPERAND1"], json!([1, [10, "2"]]));
}

#[test]
fn chance_is_narrower_or_drawn_once() {
    let random = |from: &str, to: &str| {
        let range = node("operator_random").input("FROM", json!([4, from])).input("TO", json!([4, to]));
        node("motion_setx").slot("X", range)
    };
    let sample = all(&[vec![key(), random("-150", "150"), random("1", "3"), random("0", "0.5")]]);
    let range = |path: &str, id: &str| {
        let inputs = &blocks(find(&sample, &format!("behaviour:range:A: cat?:{path}.X:narrower")))[id]["inputs"];
        [inputs["FROM"][1][1].clone(), inputs["TO"][1][1].clone()]
    };
    assert_eq!(range("0.1", "s0-1-X"), ["-90", "90"]);
    assert_eq!(range("0.2", "s0-2-X"), ["1", "2"]);
    assert_eq!(range("0.3", "s0-3-X"), ["0.1", "0.4"]);
    assert!(!ids(&sample).iter().any(|id| id.contains("number")), "ranges have a kind of their own");
    let once = find(&sample, "behaviour:draw:A: cat?:0.1.X:once");
    assert_eq!(blocks(once)["s0-1"]["inputs"]["X"][1], json!([12, "mutant drawn", "mutant-drawn"]));
    assert_eq!(stack(once, "s0-1-X.hat0"), ["event_whenkeypressed", "data_setvariableto"]);
    assert_eq!(blocks(once)["s0-1-X.hat0"]["fields"], json!({"KEY_OPTION": ["space", null]}));
    assert_eq!(blocks(once)["s0-1-X.draw0"]["inputs"]["TO"], json!([1, [4, "150"]]));
}

#[test]
fn what_the_golden_project_keeps_may_be_lost() {
    let kept = vec![node("event_whenthisspriteclicked"), step("7"), node("control_forever").mouth(vec![step("8")])];
    let initial = project(&[vec![flag(), step("1")], kept.clone()]);
    let golden = project(&[vec![flag(), step("1"), say("Hi")], kept]);
    let sample = behaviours(&golden, Some(&initial), usize::MAX, 1);
    let lost: Vec<_> = ids(&sample).into_iter().filter(|id| id.contains("lost")).collect();
    let names = ["block:A: cat?:0.1:block", "script:A: cat?:1.0:script", "block:A: cat?:1.1:block"];
    let inner = "block:A: cat?:1.2.SUBSTACK.0:block";
    assert_eq!(lost, [names[0], names[1], names[2], inner].map(|name| format!("behaviour:lost_{name}")));
    assert!(ids(&sample).iter().all(|id| id.contains("lost") || id.contains(":0.2")), "{:?}", ids(&sample));
    let gone = blocks(find(&sample, "behaviour:lost_script:A: cat?:1.0:script"));
    assert!(gone.as_object().unwrap().keys().all(|id| id.starts_with("s0-")));
    assert!(behaviours(&golden, None, usize::MAX, 1).mutants.iter().all(|mutant| !mutant.operator.contains("lost")));
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn every_mutant_is_sound_and_differs_from_the_golden_and_the_others(scripts in scripts(), limit in 1..60_usize) {
        let golden = project(&scripts);
        let sample = behaviours(&golden, None, limit, 1);
        prop_assert!(sample.mutants.len() == limit.min(sample.population));
        let warnings = validate(&golden).len();
        let mut ids = BTreeSet::new();
        for mutant in &sample.mutants {
            prop_assert!(ids.insert(&mutant.id));
            prop_assert!(mutant.json != golden.json && mutant.may_be_allowed());
            let found = validate(&mutant.project(&golden));
            prop_assert!(found.len() <= warnings, "{}: {found:?}", mutant.id);
            prop_assert!(!mutant.block.is_empty());
        }
    }
}
