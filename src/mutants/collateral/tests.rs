//! Collateral mutants of hand-made and of random projects.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::collateral;
use crate::mutants::Sample;
use crate::mutants::tests::{Node, blocks, few, find, flag, node, project, scripts, step};
use crate::project::Project;
use crate::project::validate;

/// The rest, which a solution leaves alone, and the solution.
fn rest() -> Vec<Node> {
    vec![flag(), step("10"), node("control_forever").mouth(vec![step("1"), step("2")])]
}

fn say() -> Node {
    node("looks_say").input("MESSAGE", json!([10, "Hi"]))
}

fn all(initial: &[Vec<Node>], golden: &[Vec<Node>]) -> Sample {
    collateral(&project(golden), &project(initial), usize::MAX, 1)
}

fn ids(sample: &Sample) -> Vec<&str> {
    sample.mutants.iter().map(|mutant| mutant.id.as_str()).collect()
}

#[test]
fn only_what_both_projects_share_is_damaged() {
    let sample = all(&[rest()], &[rest(), vec![node("event_whenthisspriteclicked"), say()]]);
    assert!(!ids(&sample).is_empty() && ids(&sample).iter().all(|id| id.contains(":0.")), "{:#?}", ids(&sample));
    let kinds: Vec<&str> = sample.operators.keys().copied().collect();
    assert_eq!(kinds, ["collateral:delete", "collateral:loop", "collateral:stop", "collateral:value"]);
}

#[test]
fn where_no_script_was_before_there_is_no_rest() {
    let mut golden = project(&[rest()]);
    golden.json["targets"][1]["visible"] = json!(true);
    let mut initial = project(&[]);
    initial.json["targets"][1]["visible"] = json!(true);
    assert_eq!(collateral(&golden, &initial, usize::MAX, 1).population, 0);
}

#[test]
fn a_block_around_the_solution_is_not_removed_with_it() {
    let with = vec![flag(), step("10"), node("control_forever").mouth(vec![step("1"), step("2"), say()])];
    let sample = all(&[rest()], &[with]);
    for id in [
        "collateral:delete:A: cat?:0.0:script",
        "collateral:delete:A: cat?:0.2:block",
        "collateral:loop:A: cat?:0.2:once",
    ] {
        assert!(!ids(&sample).contains(&id), "{id}");
    }
    assert!(ids(&sample).contains(&"collateral:delete:A: cat?:0.1:block"));
    assert!(ids(&sample).contains(&"collateral:value:A: cat?:0.2.SUBSTACK.0.STEPS:more"));
}

#[test]
fn a_loop_may_run_once_and_what_ends_a_stack_may_end_everything() {
    let golden = [rest(), vec![node("event_whenthisspriteclicked"), say()]];
    let sample = all(&[rest()], &golden);
    let once = find(&sample, "collateral:loop:A: cat?:0.2:once");
    assert_eq!((&blocks(once)["s0-1"]["next"], &blocks(once)["s0-2"]), (&json!("s0-2-in0"), &Value::Null));
    assert_eq!((once.block.as_str(), once.became.as_str()), ("forever", "what it holds"));
    let below = find(&sample, "collateral:stop:A: cat?:0.2.SUBSTACK.1:below");
    let stop = &blocks(below)["s0-2-in1.stop"];
    assert_eq!((&stop["opcode"], &stop["parent"]), (&json!("control_stop"), &json!("s0-2-in1")));
    assert_eq!(below.became, "move (2) steps, with: stop [all v]");
    let instead = find(&sample, "collateral:stop:A: cat?:0.2.SUBSTACK.1:instead");
    assert_eq!(blocks(instead)["s0-2-in0"]["next"], json!("s0-2-in1.stop"));
    assert_eq!(blocks(instead)["s0-2-in1.stop"]["parent"], json!("s0-2-in0"));
    assert_eq!(instead.became, "stop [all v]");
}

fn sprite(visible: bool, costumes: &[&str], scripts: &[Vec<Node>]) -> Project {
    let mut project = project(scripts);
    let sprite = &mut project.json["targets"][1];
    sprite["visible"] = json!(visible);
    sprite["currentCostume"] = json!(0);
    let looks: Vec<Value> = costumes
        .iter()
        .map(|name| json!({"name": name, "assetId": "0123456789abcdef0123456789abcdef", "dataFormat": "svg"}))
        .collect();
    sprite["costumes"] = json!(looks);
    project
}

#[test]
fn sprites_are_hidden_shown_and_dressed_otherwise_unless_scripts_decide_that() {
    let of = |visible: bool, costumes: &[&str], extra: Option<Node>| {
        let script: Vec<Node> = rest().into_iter().take(2).chain(extra).collect();
        let project = sprite(visible, costumes, &[script]);
        let sample = collateral(&project, &project, usize::MAX, 1);
        sample.mutants.into_iter().map(|mutant| mutant.id).collect::<BTreeSet<_>>()
    };
    let plain = of(true, &["a", "b"], None);
    for id in [
        "collateral:hidden:A: cat?:sprite:hidden",
        "collateral:hidden:A: cat?:0.0:flag",
        "collateral:costume:A: cat?:sprite:next",
    ] {
        assert!(plain.contains(id), "{id}: {plain:#?}");
    }
    assert!(of(false, &["a"], None).contains("collateral:hidden:A: cat?:sprite:shown"));
    let shows = of(true, &["a", "b"], Some(node("looks_show")));
    assert!(!shows.contains("collateral:hidden:A: cat?:sprite:hidden"));
    let dresses = of(true, &["a", "b"], Some(node("looks_nextcostume")));
    assert!(!dresses.contains("collateral:costume:A: cat?:sprite:next"));
}

#[test]
fn a_property_is_described_before_and_after() {
    let project = sprite(true, &["a", "b"], &[rest()]);
    let sample = collateral(&project, &project, usize::MAX, 1);
    let hidden = find(&sample, "collateral:hidden:A: cat?:sprite:hidden");
    assert_eq!((hidden.block.as_str(), hidden.became.as_str()), ("visible: true", "visible: false"));
    assert_eq!(hidden.project(&project).json["targets"][1]["visible"], json!(false));
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn every_mutant_is_sound_and_differs_from_the_golden_and_the_others(scripts in scripts(), limit in 1..60_usize) {
        let golden = project(&scripts);
        let sample = collateral(&golden, &golden, limit, 1);
        prop_assert!(sample.mutants.len() <= limit && (sample.population == 0 || !sample.mutants.is_empty()));
        let warnings = validate(&golden).len();
        let mut ids = BTreeSet::new();
        for mutant in &sample.mutants {
            prop_assert!(ids.insert(&mutant.id));
            prop_assert!(mutant.json != golden.json);
            prop_assert!(!mutant.became.is_empty());
            let found = validate(&mutant.project(&golden));
            prop_assert!(found.len() <= warnings, "{}: {found:?}", mutant.id);
        }
    }
}
