//! The scripts of a target as trees without ids.
//!
//! - Scripts come in the order in which the VM starts them (`engine/blocks.js`, `_scripts`), each as a list of blocks. A
//!   definition that no script begins with is there too, behind them: its calls find it all the same
//!   (`getProcedureDefinition`). Other blocks that no script holds are never run.
//! - A slot is what lies on top in it; what a reporter covers is never asked (`engine/execute.js`, `BlockCached`).
//! - A block that only holds the value of its one field is that value (`_isShadowBlock`), be it a menu or a number.
//! - What a known block has beside its slots, choices and mouths is not asked for by anybody, and left out.
//! - A number's slot with nothing in it is one with an empty text: both are cast to 0 (`util/cast.js`). `pick random`
//!   looks closer, and so do extensions.
//! - A parameter is its name; whether it is round or pointed is the editor's (`blocks/scratch3_procedures.js`).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::calls::{Procedure, definitions, prototypes};
use super::fields::{choice, literal};
use super::javascript::shown;
use super::program::{Block, Field, Input, Kind, Program, Target};
use crate::support::catalogue::{is_constant, parts};

/// Slots with this beginning are mouths (`engine/blocks.js`, `BRANCH_INPUT_PREFIX`).
const MOUTH: &str = "SUBSTACK";
/// Categories whose blocks cast all numbers (`blocks/`).
const CASTING: [&str; 7] = ["motion", "looks", "sound", "control", "data", "event", "operator"];
/// It asks whether its numbers are whole before it casts them (`blocks/scratch3_operators.js`, `random`).
const CLOSER: &str = "operator_random";

pub struct Walk<'a> {
    program: &'a Program,
    at: usize,
    pub(super) definitions: Vec<(&'a str, Procedure)>,
    pub(super) prototypes: Vec<Procedure>,
    /// Blocks whose comments were come by.
    shown: BTreeSet<&'a str>,
    /// Ids of what scripts refer to on the stage.
    pub used: BTreeSet<String>,
}

impl<'a> Walk<'a> {
    pub fn new(program: &'a Program, at: usize) -> Self {
        let blocks = &program.targets[at].blocks;
        let (definitions, prototypes) = (definitions(blocks), prototypes(blocks));
        Self { program, at, definitions, prototypes, shown: BTreeSet::new(), used: BTreeSet::new() }
    }

    fn target(&self) -> &'a Target {
        &self.program.targets[self.at]
    }

    pub fn scripts(&mut self) -> Vec<Value> {
        let blocks = &self.target().blocks;
        let firsts = blocks.iter().filter(|(_, block)| block.is_first);
        let hidden = blocks.iter().filter(|(_, block)| !block.is_first && block.opcode == "procedures_definition");
        firsts.chain(hidden).map(|(id, _)| Value::Array(self.stack(id))).collect()
    }

    /// The texts of comments that are on no block that is seen, in an order of their own. After the scripts.
    pub fn free_comments(&self) -> Vec<&'a str> {
        let target = self.target();
        let left = target.attached.iter().filter(|(block, _)| !self.shown.contains(block.as_str()));
        let mut texts: Vec<&str> = left.map(|(_, text)| text).chain(&target.free).map(String::as_str).collect();
        texts.sort_unstable();
        texts
    }

    fn stack(&mut self, first: &str) -> Vec<Value> {
        let (mut trees, mut seen) = (Vec::new(), BTreeSet::new());
        let mut next = self.target().blocks.get_key_value(first);
        while let Some((id, block)) = next.filter(|(id, _)| seen.insert(id.as_str())) {
            let mut tree = self.tree(id, block);
            // A reporter in a slot has no line of its own: its comment counts as free.
            if let Some(comment) = self.target().attached.get(id).filter(|_| block.has_comment && tree.is_object()) {
                self.shown.insert(id);
                tree["comment"] = json!(comment);
            }
            trees.push(tree);
            next = block.next.as_ref().and_then(|id| self.target().blocks.get_key_value(id));
        }
        trees
    }

    fn tree(&mut self, id: &'a str, block: &'a Block) -> Value {
        if let Some(value) = constant(block) {
            return literal(&value.value);
        }
        match block.opcode.as_str() {
            "procedures_definition" => self.definition(id),
            "procedures_call" => self.call(block),
            "argument_reporter_string_number" | "argument_reporter_boolean" => {
                json!({"parameter": block.fields.get("VALUE").map(|name| shown(&name.value))})
            }
            _ => self.ordinary(block),
        }
    }

    fn ordinary(&mut self, block: &'a Block) -> Value {
        let (mut fields, mut inputs, mut mouths) = (Map::new(), Map::new(), Map::new());
        let is_known =
            |name: &str| parts(&block.opcode).is_none_or(|parts| parts.iter().any(|part| is_named(part, name)));
        for (name, field) in block.fields.iter().filter(|(name, _)| is_known(name)) {
            fields.insert(name.clone(), self.field(&block.opcode, name, field));
        }
        for (name, input) in block.inputs.iter().filter(|(name, _)| is_known(name)) {
            if name.starts_with(MOUTH) {
                let stack = self.mouth(input);
                mouths.extend((!stack.is_empty()).then(|| (name.clone(), Value::Array(stack))));
            } else {
                let held = if name == "BROADCAST_INPUT" { self.sent(input) } else { self.slot(input) };
                let held = held.filter(|held| !(is_condition(&block.opcode, name) && is_false(held)));
                inputs.extend(held.map(|held| (name.clone(), held)));
            }
        }
        for name in cast_to_numbers(&block.opcode).filter(|name| !block_has(block, name)) {
            inputs.insert(name.to_owned(), literal(&json!("")));
        }
        json!({"opcode": block.opcode, "fields": fields, "inputs": inputs, "mouths": mouths})
    }

    fn mouth(&mut self, input: &Input) -> Vec<Value> {
        input.block.as_ref().map(|first| self.stack(first)).unwrap_or_default()
    }

    /// What lies on top in a slot.
    pub(super) fn slot(&mut self, input: &Input) -> Option<Value> {
        let (id, block) = self.target().blocks.get_key_value(input.block.as_ref()?)?;
        Some(self.tree(id, block))
    }

    /// What `broadcast` sends. A message that is chosen goes by its id; what a reporter tells goes by its name. A choice
    /// that does not lie in the slot as its shadow is not read at all (`engine/execute.js`, `BROADCAST_INPUT`).
    fn sent(&mut self, input: &Input) -> Option<Value> {
        let block = self.target().blocks.get(input.block.as_ref()?)?;
        if input.block == input.shadow {
            let chosen = block.fields.get("BROADCAST_OPTION");
            return Some(chosen.map_or_else(|| json!("breaks off"), |field| self.message(field)));
        }
        if constant(block).is_some() { Some(json!({"message": null})) } else { self.slot(input) }
    }

    /// The message that a sender means (`engine/target.js`, `lookupBroadcastMsg`). Receivers don't tell capitals from small
    /// letters (`engine/runtime.js`, `startHats`).
    fn message(&self, field: &Field) -> Value {
        let name = shown(&field.value);
        let stage = self.program.stage();
        let found = stage.and_then(|stage| {
            if field.has_id {
                return stage.with_id(&field.id);
            }
            let is_meant = |other: &str| !name.is_empty() && other.to_lowercase() == name.to_lowercase();
            stage.variables.iter().find(|one| one.kind == Kind::Message && is_meant(&one.name))
        });
        // One that was made for a field without an id is gone again: no field names it (`virtual-machine.js`,
        // `emitWorkspaceUpdate`).
        let found = found.filter(|message| !message.is_made || field.has_id || field.id.is_empty());
        json!({"message": found.map(|message| message.name.to_uppercase())})
    }

    fn field(&mut self, opcode: &str, name: &str, field: &Field) -> Value {
        match name {
            "VARIABLE" => self.referred(field, Kind::Variable),
            "LIST" => self.referred(field, Kind::List),
            "BROADCAST_OPTION" => json!({"message": shown(&field.value).to_uppercase()}),
            _ => choice(opcode, name, &field.value),
        }
    }

    fn referred(&mut self, field: &Field, kind: Kind) -> Value {
        let name = shown(&field.value);
        let by_id = self.program.by_id(self.at, &field.id);
        let Some((at, found)) = by_id.or_else(|| self.program.by_name(self.at, &name, kind)) else {
            return json!({"nothing": name});
        };
        if found.is_made {
            self.used.insert(found.id.clone());
        }
        self.program.targets[at].identity(at, found)
    }
}

/// The field of a block that does nothing but hold its value.
fn constant(block: &Block) -> Option<&Field> {
    let alone = block.fields.len() == 1 && block.inputs.is_empty();
    block.fields.values().next().filter(|_| alone && is_constant(&block.opcode))
}

/// Returns true if a part of a label is the slot, choice or mouth of this name.
fn is_named(part: &Value, name: &str) -> bool {
    ["input", "field", "statement"].iter().any(|kind| part[*kind] == name)
}

/// Returns true if a block casts what is in a slot to a truth value without another look.
fn is_condition(opcode: &str, slot: &str) -> bool {
    let casts = CASTING.contains(&opcode.split('_').next().unwrap_or_default());
    let all = parts(opcode).filter(|_| casts).unwrap_or_default();
    all.iter().any(|part| part["input"] == slot && part["boolean"] == true)
}

/// Returns true if a value is false, as nothing is (`util/cast.js`, `toBoolean`).
fn is_false(held: &Value) -> bool {
    match &held["literal"] {
        Value::String(text) => matches!(text.as_str(), "" | "0") || text.eq_ignore_ascii_case("false"),
        Value::Bool(truth) => !truth,
        _ => held.get("literal").is_some(),
    }
}

/// Slots whose contents a block casts to numbers without another look.
fn cast_to_numbers(opcode: &str) -> impl Iterator<Item = &'static str> {
    let casts = opcode != CLOSER && CASTING.contains(&opcode.split('_').next().unwrap_or_default());
    let parts = parts(opcode).filter(|_| casts).unwrap_or_default();
    let is_number = |part: &&Value| part["shadow"].as_str().is_some_and(|shadow| shadow.starts_with("math_"));
    parts.iter().filter(is_number).filter_map(|part| part["input"].as_str())
}

/// Returns true if there is anything in a slot.
fn block_has(block: &Block, slot: &str) -> bool {
    block.inputs.get(slot).is_some_and(|input| input.block.is_some())
}
