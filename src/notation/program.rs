//! A program as people read it: scripts in scratchblocks notation by target, with variables and lists.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{TargetState, TextTarget, from_project};
use scratchbed_project::Project;

/// A program as text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Program {
    /// The Stage, then the sprites.
    pub targets: Vec<ProgramTarget>,
}

/// The scripts and values of one target.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProgramTarget {
    /// Its name.
    pub name: String,
    /// Whether it is the Stage.
    pub is_stage: bool,
    /// Each script in scratchblocks notation, in the order in which they run.
    pub scripts: Vec<String>,
    /// Variables with the values they had when the project was written.
    pub variables: Vec<NamedValue>,
    /// Lists with their items.
    pub lists: Vec<NamedValue>,
}

/// A name with its value.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NamedValue {
    /// The name.
    pub name: String,
    /// The value; the items of a list.
    pub value: Value,
}

impl Program {
    /// The program of a project; its assets are ignored.
    pub fn of(project: &Project) -> Self {
        let targets = from_project(project).document.targets;
        Self { targets: targets.into_iter().map(ProgramTarget::from).collect() }
    }
}

impl From<TextTarget> for ProgramTarget {
    fn from(target: TextTarget) -> Self {
        let is_stage = matches!(target.state, TargetState::Stage(_));
        let values = target.variables.into_iter().map(|one| NamedValue { name: one.name, value: one.value });
        let lists = target.lists.into_iter().map(|one| NamedValue { name: one.name, value: Value::Array(one.items) });
        Self {
            name: target.name,
            is_stage,
            scripts: target.scripts.into_iter().map(|script| script.text).collect(),
            variables: values.collect(),
            lists: lists.collect(),
        }
    }
}
