//! Strange projects are valid, strange in all the ways that they should be, and become smaller.

use std::collections::BTreeSet;
use std::process::Command;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use scratchbed::project::{Project, Severity, validate};
use serde_json::Value;

use super::{Generated, Mutated};
use crate::support::catalogue::{blocks, is_constant};
use crate::support::root;

/// Projects that are looked at.
const PROJECTS: usize = 150;

fn several(strategy: &impl Strategy<Value = Project>) -> Vec<Project> {
    let mut runner = TestRunner::deterministic();
    (0..PROJECTS).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// All blocks of a project, those written as lists included.
fn all_blocks(project: &Project) -> Vec<&Value> {
    let targets = project.json["targets"].as_array().unwrap().iter();
    targets.flat_map(|target| target["blocks"].as_object().unwrap().values()).collect()
}

#[track_caller]
fn assert_valid(projects: &[Project]) {
    for project in projects {
        let problems = validate(project);
        let errors: Vec<_> = problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?}\n{}", project.json);
    }
    let folder = tempfile::tempdir().unwrap();
    for (number, project) in projects.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{number}.json")), project.json.to_string()).unwrap();
    }
    let read = Command::new("node")
        .arg(root().join("tests/it/support/js/check-with-scratch-parser.js"))
        .arg(root().join("scratch-gui"))
        .arg(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{told}{}", String::from_utf8_lossy(&read.stdout));
}

#[test]
fn generated_projects_are_valid_and_have_every_block_there_is() {
    let projects = several(&Generated);
    assert_valid(&projects);
    let seen: BTreeSet<&str> =
        projects.iter().flat_map(all_blocks).filter_map(|block| block["opcode"].as_str()).collect();
    let all = blocks().keys().map(String::as_str);
    let missing: Vec<&str> = all.filter(|opcode| !is_constant(opcode) && !seen.contains(opcode)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for opcode in ["procedures_definition", "procedures_call", "data_variable", "argument_reporter_boolean"] {
        assert!(seen.contains(opcode), "{opcode}");
    }
}

#[test]
fn blocks_name_the_block_that_holds_them() {
    for project in several(&Generated) {
        for target in project.json["targets"].as_array().unwrap() {
            let blocks = target["blocks"].as_object().unwrap();
            for (id, block) in blocks.iter().filter(|(_, block)| block.is_object()) {
                let slots = block["inputs"].as_object().unwrap().values().flat_map(|slot| slot.as_array().unwrap());
                for held in slots.chain([&block["next"]]).filter_map(Value::as_str) {
                    assert_eq!(blocks[held]["parent"], id.as_str());
                }
                assert_eq!(block["topLevel"] == true, block["parent"].is_null(), "{block}");
            }
        }
    }
}

#[test]
fn a_seed_is_a_project() {
    assert_eq!(several(&Generated), several(&Generated));
}

#[test]
fn changed_projects_are_valid_and_most_are_different() {
    let originals: Vec<Project> = several(&Generated).into_iter().take(20).collect();
    let changed = several(&Mutated(originals.clone()));
    assert_valid(&changed);
    let kept = changed.iter().filter(|project| originals.contains(project)).count();
    assert!(kept < PROJECTS / 4, "{kept} were not changed");
}

#[test]
fn what_fails_becomes_as_small_as_it_can_be() {
    let is_bad = |project: &Project| all_blocks(project).iter().any(|block| block["opcode"] == "procedures_call");
    let mut runner = TestRunner::deterministic();
    let trees = (0..PROJECTS).map(|_| Generated.new_tree(&mut runner).unwrap());
    let mut tree = trees.into_iter().find(|tree| is_bad(&tree.current())).unwrap();
    while tree.simplify() {
        assert_valid_after_cut(&tree.current());
        if !is_bad(&tree.current()) {
            assert!(tree.complicate());
        }
    }
    let small = tree.current();
    let scripts = all_blocks(&small).into_iter().filter(|block| block["topLevel"] == true || block.is_array()).count();
    assert_eq!((scripts, small.json["monitors"].as_array().unwrap().len()), (1, 0), "{}", small.json);
    assert!(all_blocks(&small).len() < 12, "{}", small.json);
}

fn assert_valid_after_cut(project: &Project) {
    let problems = validate(project);
    assert!(problems.iter().all(|problem| problem.severity != Severity::Error), "{problems:?}\n{}", project.json);
}
