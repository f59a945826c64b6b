//! Valid projects that nobody would make: any blocks with anything in their slots, names that are words of a notation,
//! several things of one name, references by stale and missing ids, comments everywhere. And real projects with small
//! changes of the same kind.
//!
//! Everything is decided by a list of random numbers ([`tape`]), so that a seed is a project. What fails becomes smaller by
//! leaving out parts of its `project.json` ([`reducing`]), whether it was made or changed.

mod fields;
mod monitors;
mod mutations;
mod names;
mod procedures;
mod reducing;
mod slots;
mod tape;
mod targets;
mod tests;
mod world;
mod yard;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::RngExt as _;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::TestRunner;
use scratchbed::project::{BUILT_IN_EXTENSIONS, Project};
use serde_json::{Value, json};

use super::forged::{ASSET, SOUND, SVG, WAV};
use reducing::Reducing;
use tape::Tape;
use world::World;

/// How many numbers decide a project. Behind the last one everything is plain.
const LENGTH: usize = 4000;

/// Makes projects.
#[derive(Debug)]
pub struct Generated;

/// Changes one of these projects.
#[derive(Debug)]
pub struct Mutated(pub Vec<Project>);

impl Strategy for Generated {
    type Tree = Reducing;
    type Value = Project;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Reducing::new(generated(&mut tape(runner))))
    }
}

impl Strategy for Mutated {
    type Tree = Reducing;
    type Value = Project;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut tape = tape(runner);
        let original = tape.pick(&self.0).clone();
        Ok(Reducing::new(mutations::mutated(original, &mut tape)))
    }
}

fn tape(runner: &mut TestRunner) -> Tape {
    let random = runner.rng();
    Tape::new((0..LENGTH).map(|_| random.random_range(0..1_000_000_usize)).collect())
}

/// A project with its assets.
fn generated(tape: &mut Tape) -> Project {
    let world = World::new(tape);
    let targets: Vec<Value> = (0..world.targets.len()).map(|at| targets::target(tape, &world, at)).collect();
    let monitors = monitors::monitors(tape, &world);
    let extensions = extensions(&targets, &monitors);
    let meta = json!({"semver": "3.0.0", "vm": "15.1.1", "agent": ""});
    let json = json!({"targets": targets, "monitors": monitors, "extensions": extensions, "meta": meta});
    let files = [(format!("{ASSET}.svg"), SVG.as_bytes().to_vec()), (format!("{SOUND}.wav"), WAV.to_vec())];
    Project { json, assets: BTreeMap::from(files) }
}

/// The extensions whose blocks are there.
fn extensions(targets: &[Value], monitors: &[Value]) -> BTreeSet<String> {
    let blocks = targets.iter().filter_map(|target| target["blocks"].as_object()).flat_map(|blocks| blocks.values());
    let opcodes = blocks.chain(monitors).filter_map(|block| block["opcode"].as_str());
    let prefixes = opcodes.filter_map(|opcode| opcode.split('_').next());
    prefixes.filter(|prefix| BUILT_IN_EXTENSIONS.contains(prefix)).map(str::to_owned).collect()
}
