//! A project as the VM holds it once it is loaded: blocks by their ids in the order in which the VM has them, what is
//! written inside of slots as blocks of its own, and every reference to a variable, list or message mended as loading
//! does it (`virtual-machine.js`, `installTargets`).

use indexmap::IndexMap;
use serde_json::Value;

use super::javascript::{entries, shown, without_backspaces};
use super::reading::read_blocks;
use super::reconciling::reconcile;
use super::variables::{read_variables, safe_id, unused_name};

/// Names of sprites that the VM leaves as they are (`virtual-machine.js`, `RESERVED_NAMES`).
const RESERVED: [&str; 5] = ["_mouse_", "_stage_", "_edge_", "_myself_", "_random_"];

/// A loaded project.
#[derive(Debug)]
pub struct Program {
    pub targets: Vec<Target>,
    /// As in the file.
    pub monitors: Vec<Value>,
}

/// A stage or sprite.
#[derive(Debug)]
pub struct Target {
    /// As in the file.
    pub json: Value,
    pub is_stage: bool,
    /// The name that the file has.
    pub written: String,
    /// The name that the VM has: of sprites with one name, all but the first get another.
    pub name: String,
    pub blocks: IndexMap<String, Block>,
    /// Variables, lists and messages: to the VM they are in one place.
    pub variables: Vec<Variable>,
    /// Comments on blocks, by the block.
    pub attached: IndexMap<String, String>,
    /// Comments that say they are on no block.
    pub free: Vec<String>,
}

/// A block.
#[derive(Debug, Clone, Default)]
pub struct Block {
    pub opcode: String,
    pub next: Option<String>,
    pub inputs: IndexMap<String, Input>,
    pub fields: IndexMap<String, Field>,
    pub mutation: Value,
    pub is_shadow: bool,
    /// Whether it says that a script starts with it.
    pub is_first: bool,
    /// Whether it says that it has a comment.
    pub has_comment: bool,
}

/// What a slot holds.
#[derive(Debug, Clone, Default)]
pub struct Input {
    pub block: Option<String>,
    pub shadow: Option<String>,
}

/// A choice of a block, or what it refers to.
#[derive(Debug, Clone)]
pub struct Field {
    pub value: Value,
    /// Its id as a key: `undefined` where the file has none.
    pub id: String,
    /// Whether the id counts as one where the VM asks for its truth.
    pub has_id: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Variable,
    List,
    Message,
}

/// A variable, list or message.
#[derive(Debug, Clone)]
pub struct Variable {
    pub id: String,
    pub name: String,
    pub kind: Kind,
    pub value: Value,
    pub is_cloud: bool,
    /// Whether loading made it for a block that refers to nothing.
    pub is_made: bool,
}

impl Program {
    pub fn load(json: &Value) -> Self {
        let json = without_backspaces(json);
        let items = |key: &str| json[key].as_array().cloned().unwrap_or_default();
        let mut targets: Vec<Target> = items("targets").iter().map(Target::read).collect();
        rename(&mut targets);
        for at in 0..targets.len() {
            reconcile(&mut targets, at);
        }
        Self { targets, monitors: items("monitors") }
    }

    /// The variable, list or message of this id that a target sees, with the number of the target that has it: its own
    /// goes before the stage's (`target.js`, `lookupVariableById`).
    pub fn by_id(&self, at: usize, id: &str) -> Option<(usize, &Variable)> {
        by_id(&self.targets, at, id)
    }

    /// The same by name and kind (`target.js`, `lookupVariableByNameAndType`).
    pub fn by_name(&self, at: usize, name: &str, kind: Kind) -> Option<(usize, &Variable)> {
        let own = self.targets[at].named(name, kind).map(|found| (at, found));
        own.or_else(|| stage_of(&self.targets).and_then(|stage| Some((stage, self.targets[stage].named(name, kind)?))))
    }

    pub fn stage(&self) -> Option<&Target> {
        self.targets.iter().find(|target| target.is_stage)
    }
}

impl Target {
    fn read(json: &Value) -> Self {
        let name = json["name"].as_str().unwrap_or_default().to_owned();
        let is_stage = json["isStage"] == true;
        let (attached, free) = read_comments(&json["comments"]);
        let mut blocks = read_blocks(&json["blocks"]);
        for block in blocks.values_mut() {
            if let Some((field, _)) = block.reference_mut() {
                field.id = safe_id(&field.id);
            }
        }
        let variables = read_variables(json, is_stage);
        Self { json: json.clone(), is_stage, written: name.clone(), name, blocks, variables, attached, free }
    }

    pub fn with_id(&self, id: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.id == id)
    }

    pub fn named(&self, name: &str, kind: Kind) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.kind == kind && variable.name == name)
    }
}

impl Block {
    /// The one field that loading takes for a reference (`blocks.js`, `getAllVariableAndListReferences`).
    pub fn reference(&self) -> Option<(&Field, Kind)> {
        let (name, kind) = self.reference_name()?;
        Some((&self.fields[name], kind))
    }

    pub fn reference_mut(&mut self) -> Option<(&mut Field, Kind)> {
        let (name, kind) = self.reference_name()?;
        Some((&mut self.fields[name], kind))
    }

    fn reference_name(&self) -> Option<(&'static str, Kind)> {
        let all = [("VARIABLE", Kind::Variable), ("LIST", Kind::List), ("BROADCAST_OPTION", Kind::Message)];
        all.into_iter().find(|(name, _)| self.fields.contains_key(*name))
    }
}

impl Field {
    pub fn new(value: Value, id: Option<&Value>) -> Self {
        let has_id = match id {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Number(_)) => true,
            _ => false,
        };
        Self { value, id: id.map_or_else(|| "undefined".to_owned(), shown), has_id }
    }
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Variable => "variable",
            Self::List => "list",
            Self::Message => "message",
        }
    }
}

/// The number of the stage.
pub fn stage_of(targets: &[Target]) -> Option<usize> {
    targets.iter().position(|target| target.is_stage)
}

/// As [`Program::by_id`].
pub fn by_id<'a>(targets: &'a [Target], at: usize, id: &str) -> Option<(usize, &'a Variable)> {
    let own = targets[at].with_id(id).map(|found| (at, found));
    own.or_else(|| stage_of(targets).and_then(|stage| Some((stage, targets[stage].with_id(id)?))))
}

/// Gives sprites the names that they have once they are installed (`virtual-machine.js`, `renameSprite`).
fn rename(targets: &mut [Target]) {
    let mut taken: Vec<String> = Vec::new();
    for target in targets.iter_mut().filter(|target| !target.is_stage) {
        if !target.name.is_empty() && !RESERVED.contains(&target.name.as_str()) {
            target.name = unused_name(&target.name, &taken);
        }
        taken.push(target.name.clone());
    }
}

/// Comments by the block that they are on, of several on one block the last; and those that are on none (`sb3.js`,
/// `parseScratchObject`).
fn read_comments(json: &Value) -> (IndexMap<String, String>, Vec<String>) {
    let (mut attached, mut free) = (IndexMap::new(), Vec::new());
    for (_, comment) in entries(json) {
        let text = comment["text"].as_str().unwrap_or_default().to_owned();
        match comment["blockId"].as_str() {
            Some(block) if !block.is_empty() => drop(attached.insert(block.to_owned(), text)),
            _ => free.push(text),
        }
    }
    (attached, free)
}
