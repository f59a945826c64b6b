//! Our reading of projects against that of the VM itself, which loads them without a page: names, scopes, the order of
//! scripts, and what references without an id or with that of nothing refer to.

use std::process::Command;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use super::program::{Block, Kind, Program, Target};
use super::targets::costumes;
use crate::support::root;
use crate::support::strange_projects::Generated;

/// Projects that are loaded.
const PROJECTS: usize = 100;

#[test]
fn projects_are_read_as_the_vm_reads_them() {
    let mut runner = TestRunner::deterministic();
    let folder = tempfile::tempdir().unwrap();
    let mut ours = Map::new();
    for number in 0..PROJECTS {
        let project = Generated.new_tree(&mut runner).unwrap().current();
        let name = format!("{number}.json");
        std::fs::write(folder.path().join(&name), project.json.to_string()).unwrap();
        let each = |target: &Target| {
            let names = costumes(&project, target).into_iter().map(|costume| costume["name"].clone());
            target_of(target, &names.collect())
        };
        ours.insert(name, Program::load(&project.json).targets.iter().map(each).collect());
    }
    let loaded = Command::new("node")
        .arg(root().join("tests/it/support/js/load-in-vm.js"))
        .arg(root().join("scratch-gui"))
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
    let mut theirs: Value = serde_json::from_slice(&loaded.stdout).unwrap();
    for (name, ours) in ours {
        let targets = ours.as_array().unwrap().iter().zip(theirs[&name].as_array_mut().unwrap());
        for (ours, theirs) in targets {
            // Behind all others come shadows that the VM makes where some are missing; they are covered.
            let count = ours["blocks"].as_array().unwrap().len();
            theirs["blocks"].as_array_mut().unwrap().truncate(count);
            for part in ["name", "variables", "costumes", "scripts", "blocks"] {
                assert_eq!(ours[part], theirs[part], "{part} in {name}");
            }
        }
    }
}

/// What `load-in-vm.js` tells of a target.
fn target_of(target: &Target, costumes: &Value) -> Value {
    let variables = target.variables.iter().filter(|variable| variable.kind != Kind::Message);
    let scripts = target.blocks.values().filter(|block| block.is_first);
    json!({
        "name": target.name,
        "variables": variables.map(|one| json!([one.id, one.name, one.kind.name()])).collect::<Value>(),
        "costumes": costumes,
        "scripts": scripts.map(|block| block.opcode.as_str()).collect::<Value>(),
        "blocks": target.blocks.values().map(block_of).collect::<Value>(),
    })
}

fn block_of(block: &Block) -> Value {
    let fields = block.fields.iter();
    let references = fields.filter(|(name, _)| ["VARIABLE", "LIST", "BROADCAST_OPTION"].contains(&name.as_str()));
    json!([block.opcode, references.map(|(_, field)| json!([field.id, field.value])).collect::<Value>()])
}
