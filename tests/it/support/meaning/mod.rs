//! What a project means: a normal form of `project.json` in which everything is gone that does not change the program, and
//! everything is kept that does. Two projects with one meaning run alike.
//!
//! It goes by the sources of scratch-vm 15.1.1 and by nothing of ours but the table of all blocks, since it is what our
//! own reading and printing of projects is tested against. Each part names the files that its rules come from:
//!
//! | part | what it decides |
//! |---|---|
//! | `javascript` | order of keys, numbers as texts, the character that no project has |
//! | `program` | what is loaded: names of sprites, scopes, comments on blocks |
//! | `reading` | blocks, and values written inside of slots |
//! | `variables` | variables, lists and messages with their ids |
//! | `reconciling` | what a reference means whose id is stale, missing or unknown |
//! | `walking` | scripts, slots, mouths, messages that are sent, comments that are seen |
//! | `fields` | values and choices, and what tells variables of one name apart |
//! | `calls` | definitions and calls |
//! | `targets` | state, costumes, sounds, values |
//! | `monitors` | what is shown on the stage |
//!
//! Gone are: ids, places in the script area, places and sizes of comments, blocks that no script holds, what a reporter
//! covers, `hasnext`, hidden monitors, messages that nobody names, rates and lengths of sounds, extensions, metadata.

mod against_the_vm;
mod calls;
mod difference;
mod fields;
mod javascript;
mod monitors;
mod program;
mod reading;
mod reconciling;
mod targets;
mod tests;
mod variables;
mod walking;

use scratchbed::project::Project;
use serde_json::{Value, json};

pub use difference::first_difference;

use program::{Kind, Program};
use walking::Walk;

/// The meaning of a project.
pub fn meaning(project: &Project) -> Value {
    let program = Program::load(&project.json);
    let (monitors, mut used) = monitors::monitors(&program);
    let mut scripts = Vec::new();
    for at in 0..program.targets.len() {
        let mut walk = Walk::new(&program, at);
        scripts.push((walk.scripts(), json!(walk.free_comments())));
        used.append(&mut walk.used);
    }
    let targets = program.targets.iter().zip(scripts).enumerate().map(|(at, (target, (scripts, comments)))| {
        json!({
            "name": target.name,
            "layer": targets::rank(&program, at),
            "state": targets::state(target),
            "costumes": targets::costumes(project, target),
            "sounds": targets::sounds(project, target),
            "variables": targets::declared(target, Kind::Variable, &used),
            "lists": targets::declared(target, Kind::List, &used),
            "scripts": scripts,
            "comments": comments,
        })
    });
    json!({"targets": targets.collect::<Vec<Value>>(), "monitors": monitors})
}
