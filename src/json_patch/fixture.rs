//! A project for tests of patches, `game.json`: a moth that is caught for points, with a list, a block of its own, ids that need escapes,
//! and properties. Its keys are in the order of the editor.

use std::collections::BTreeMap;

use scratchbed_project::Project;
use serde_json::Value;

/// Id of a block that needs escapes in a pointer.
pub(crate) const AWKWARD: &str = "xQ/a~b";

/// The game as `project.json`.
pub(crate) fn game() -> Value {
    serde_json::from_str(include_str!("game.json")).unwrap()
}

/// JSON as a project, with the game's one picture.
pub(crate) fn project(json: Value) -> Project {
    let name = "0123456789abcdef0123456789abcdef.svg".to_owned();
    Project { json, assets: BTreeMap::from([(name, Vec::new())]) }
}
