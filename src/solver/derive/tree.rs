//! A target's scripts as trees, for comparing an initial project with its golden one.
//!
//! Default blocks are values here, ids and places are gone. Nothing knows calls or indexes.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::project::view::{Block, Input, Primitive, Slot, TargetView};

/// Opcode of the hat above a block of the project's own.
pub(in crate::solver) const DEFINITION: &str = "procedures_definition";
/// Opcode of a call of one.
pub(in crate::solver) const CALL: &str = "procedures_call";

/// One block with all that is in its slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::solver) struct Tree {
    pub opcode: String,
    /// Its own fields: choices, and names of variables, lists and messages.
    pub fields: BTreeMap<String, String>,
    /// Its slots by the names that agents use.
    pub slots: BTreeMap<String, Content>,
    /// For a definition or a call: which block it defines or calls.
    pub procedure: Option<Procedure>,
}

/// What a slot holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::solver) enum Content {
    /// A C-shaped slot with the blocks in it.
    Stack(Vec<Tree>),
    /// A reporter. `hidden` is the value that comes back when it leaves.
    Reporter { block: Box<Tree>, hidden: Option<String> },
    /// What is typed or chosen.
    Typed(String),
}

/// A block of the project's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::solver) struct Procedure {
    pub proccode: String,
    pub argument_names: Vec<String>,
    pub warp: bool,
}

/// The scripts of a target in the order in which they run.
pub(super) fn scripts(target: TargetView<'_>) -> Vec<Vec<Tree>> {
    let reader = Reader { target, arguments: arguments(target) };
    let read = |slot: Slot<'_>| match slot {
        Slot::Block(id) => reader.stack(Some(id)),
        Slot::Primitive(primitive) => alone(&primitive).into_iter().collect(),
    };
    target.scripts().into_iter().map(read).filter(|script| !script.is_empty()).collect()
}

/// Ids and names of the arguments of a definition.
#[derive(Default)]
struct Arguments {
    ids: Vec<String>,
    names: Vec<String>,
}

/// The arguments of each definition by its wording; of two with the same the machine takes the first (scratch-vm, `engine/blocks.js`,
/// `getProcedureParamNamesIdsAndDefaults`).
fn arguments(target: TargetView<'_>) -> BTreeMap<String, Arguments> {
    let mut found = BTreeMap::new();
    for block in target.blocks().filter(|block| block.opcode == "procedures_prototype") {
        found
            .entry(text(&block, "proccode"))
            .or_insert_with(|| Arguments { ids: list(&block, "argumentids"), names: list(&block, "argumentnames") });
    }
    found
}

fn text(block: &Block<'_>, attribute: &str) -> String {
    block.attribute(attribute).unwrap_or_default().to_owned()
}

/// An attribute that holds a JSON list as text.
fn list(block: &Block<'_>, attribute: &str) -> Vec<String> {
    block.attribute(attribute).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

fn is_warp(block: &Block<'_>) -> bool {
    match block.mutation.and_then(|mutation| mutation.get("warp")) {
        Some(Value::Bool(warp)) => *warp,
        Some(Value::String(text)) => text == "true",
        _ => false,
    }
}

struct Reader<'a> {
    target: TargetView<'a>,
    arguments: BTreeMap<String, Arguments>,
}

impl<'a> Reader<'a> {
    fn stack(&self, first: Option<&'a str>) -> Vec<Tree> {
        let mut trees = Vec::new();
        let mut at = first;
        while let Some(block) = at.and_then(|id| self.target.block(id)) {
            at = block.next;
            trees.push(self.tree(&block));
        }
        trees
    }

    fn tree(&self, block: &Block<'a>) -> Tree {
        let fields = block.fields().map(|field| (field.name.to_owned(), field.value)).collect();
        let procedure = self.procedure(block);
        let slots = if block.opcode == DEFINITION { BTreeMap::new() } else { self.slots(block) };
        Tree { opcode: block.opcode.to_owned(), fields, slots, procedure }
    }

    fn procedure(&self, block: &Block<'a>) -> Option<Procedure> {
        let owner = match block.opcode {
            DEFINITION => match block.input("custom_block")?.value? {
                Slot::Block(id) => self.target.block(id)?,
                Slot::Primitive(_) => return None,
            },
            CALL => block.clone(),
            _ => return None,
        };
        let proccode = text(&owner, "proccode");
        let argument_names = self.arguments.get(&proccode).map(|known| known.names.clone()).unwrap_or_default();
        Some(Procedure { proccode, argument_names, warp: is_warp(&owner) })
    }

    fn slots(&self, block: &Block<'a>) -> BTreeMap<String, Content> {
        // The machine asks for the ids of the definition, whatever the call names.
        let known = self.arguments.get(&text(block, "proccode"));
        let label = |name: &str| {
            let at = known.and_then(|known| known.ids.iter().position(|id| id == name));
            at.and_then(|at| known?.names.get(at).cloned()).unwrap_or_else(|| name.to_owned())
        };
        block.inputs().filter_map(|input| Some((label(input.name), self.content(&input)?))).collect()
    }

    fn content(&self, input: &Input<'a>) -> Option<Content> {
        match input.value.as_ref()? {
            Slot::Primitive(primitive) => match alone(primitive) {
                Some(tree) => Some(self.reporter(tree, input)),
                None => Some(Content::Typed(primitive.value.clone())),
            },
            Slot::Block(id) => {
                let block = self.target.block(id)?;
                if block.shadow {
                    return Some(Content::Typed(shadow_value(&block)));
                }
                if input.name.starts_with("SUBSTACK") {
                    return Some(Content::Stack(self.stack(Some(id))));
                }
                Some(self.reporter(self.tree(&block), input))
            }
        }
    }

    fn reporter(&self, tree: Tree, input: &Input<'a>) -> Content {
        let hidden = match &input.hidden {
            Some(Slot::Primitive(primitive)) if !primitive.is_reporter() => Some(primitive.value.clone()),
            Some(Slot::Block(id)) => self.target.block(id).map(|block| shadow_value(&block)),
            _ => None,
        };
        Content::Reporter { block: Box::new(tree), hidden }
    }
}

/// A default block has one field.
fn shadow_value(block: &Block<'_>) -> String {
    block.fields().next().map(|field| field.value).unwrap_or_default()
}

/// The reporter of a variable (kind 12) or list (13), which has no block of its own in the file.
fn alone(primitive: &Primitive<'_>) -> Option<Tree> {
    let (opcode, field) = match primitive.kind {
        12 => ("data_variable", "VARIABLE"),
        13 => ("data_listcontents", "LIST"),
        _ => return None,
    };
    let fields = BTreeMap::from([(field.to_owned(), primitive.value.clone())]);
    Some(Tree { opcode: opcode.to_owned(), fields, slots: BTreeMap::new(), procedure: None })
}
