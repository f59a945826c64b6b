//! The blocks of one strange target: scripts of any blocks of the catalogue, one inside of another.

use serde_json::{Map, Value, json};

use super::procedures::Parameter;
use super::tape::{Oddity, Tape};
use super::world::World;
use crate::support::catalogue::{blocks, of_shape, parts};

/// How deep blocks lie inside of one another.
pub const DEPTH: usize = 3;
/// From so many blocks on none are put inside of others.
const MANY: usize = 150;
/// Ids of blocks, which a number follows: the editor's, people's, numbers alone.
const IDS: [&str; 4] = ["b", "x!#%()*+,-./:;=?@[]^_`{|}~", "", "Block ä "];

/// Blocks of one target in the making.
pub struct Yard<'a> {
    pub tape: &'a mut Tape,
    pub world: &'a World,
    /// The number of the target.
    pub at: usize,
    pub blocks: Map<String, Value>,
    /// Those of the definition that is made.
    pub parameters: Vec<Parameter>,
    style: &'static str,
}

impl<'a> Yard<'a> {
    pub fn new(tape: &'a mut Tape, world: &'a World, at: usize) -> Self {
        let style = if tape.chance(30) { *tape.pick(&IDS) } else { IDS[0] };
        Self { tape, world, at, blocks: Map::new(), parameters: Vec::new(), style }
    }

    /// Fills the target, and returns its blocks.
    pub fn fill(mut self) -> Map<String, Value> {
        let world = self.world;
        let procedures = &world.targets[self.at].procedures;
        let mut left = procedures.iter();
        for _ in 0..self.tape.between(1, 4) {
            if self.tape.chance(50)
                && let Some(signature) = left.next()
            {
                self.define(signature);
            }
            self.script();
        }
        for signature in left {
            self.define(signature);
        }
        self.blocks
    }

    /// One script: under a hat, without one, or a reporter alone.
    fn script(&mut self) {
        let length = self.tape.between(1, 4);
        match self.tape.below(10) {
            0..=6 => {
                let hat = self.any(&["hat"]);
                let id = self.block(hat, None, 0);
                self.follow(&id, length, 0);
            }
            7 => {
                let (opcode, is_call) = self.stacked();
                if !is_call {
                    let id = self.block(opcode, None, 0);
                    if !self.ends(&id) {
                        self.follow(&id, length - 1, 0);
                    }
                }
            }
            8 => {
                let opcode = self.any(&["reporter", "boolean"]);
                self.block(opcode, None, 0);
            }
            _ => self.lonely_variable(),
        }
    }

    /// A variable or list that stands alone, as the file has it.
    fn lonely_variable(&mut self) {
        let is_list = self.tape.chance(40);
        let mut inline = self.inline_reference(is_list);
        let place = json!([self.tape.between(0, 400), -20.5]);
        inline.as_array_mut().unwrap().extend(place.as_array().unwrap().iter().cloned());
        let id = self.reserve();
        self.blocks.insert(id, inline);
    }

    /// An id that no other block of the target has. Its place is that among all blocks.
    pub fn reserve(&mut self) -> String {
        let id = format!("{}{}", self.style, self.blocks.len() + 1);
        self.blocks.insert(id.clone(), Value::Null);
        id
    }

    /// Adds a block.
    pub fn insert(
        &mut self,
        opcode: &str,
        parent: Option<&str>,
        inputs: Map<String, Value>,
        fields: Value,
        is_shadow: bool,
    ) -> String {
        let id = self.reserve();
        self.place(&id, opcode, parent, inputs, fields, is_shadow);
        id
    }

    /// Puts a block at its id.
    pub fn place(
        &mut self,
        id: &str,
        opcode: &str,
        parent: Option<&str>,
        inputs: Map<String, Value>,
        fields: Value,
        is_shadow: bool,
    ) {
        let mut block = json!({"opcode": opcode, "next": null, "parent": parent, "inputs": {}, "fields": {},
            "shadow": is_shadow, "topLevel": parent.is_none()});
        block["inputs"] = Value::Object(inputs);
        block["fields"] = fields;
        if parent.is_none() {
            block["x"] = json!(self.tape.between(0, 900));
            block["y"] = json!(self.blocks.len() * 40);
        }
        self.blocks[id] = block;
    }

    /// Adds so many blocks below one.
    pub fn follow(&mut self, above: &str, length: usize, depth: usize) {
        let mut last = above.to_owned();
        for _ in 0..length {
            let next = self.next(&last, depth);
            self.blocks[&last]["next"] = json!(next);
            if self.ends(&next) {
                return;
            }
            last = next;
        }
    }

    /// The stack in a mouth of a block; none of an empty one.
    fn mouth(&mut self, parent: &str, depth: usize) -> Option<Value> {
        let length = if depth < DEPTH && self.blocks.len() < MANY { self.tape.below(3) } else { 0 };
        if length == 0 {
            return [None, Some(json!([1, null])), Some(json!([2, null]))][self.tape.below(3)].clone();
        }
        let first = self.next(parent, depth + 1);
        if !self.ends(&first) {
            self.follow(&first, length - 1, depth + 1);
        }
        Some(json!([2, first]))
    }

    /// One block of a stack below or inside of another.
    fn next(&mut self, parent: &str, depth: usize) -> String {
        let (opcode, is_call) = self.stacked();
        if is_call { self.call(parent, depth) } else { self.block(opcode, Some(parent), depth) }
    }

    /// What comes next in a stack, or whether it is a call.
    fn stacked(&mut self) -> (&'static str, bool) {
        (self.any(&["stack", "cap"]), self.tape.chance(12))
    }

    /// Any block of these shapes that the catalogue has and that is more than a value.
    pub fn any(&mut self, shapes: &[&str]) -> &'static str {
        let all: Vec<&'static str> = shapes.iter().flat_map(|shape| of_shape(shape)).copied().collect();
        all[self.tape.below(all.len())]
    }

    /// A block of the catalogue with all that belongs in it.
    pub fn block(&mut self, opcode: &'static str, parent: Option<&str>, depth: usize) -> String {
        let id = self.reserve();
        let (mut inputs, mut fields) = (Map::new(), Map::new());
        for part in parts(opcode).unwrap_or_default() {
            let name = |kind: &str| part[kind].as_str().map(str::to_owned);
            if let Some(name) = name("field") {
                fields.insert(name, self.field(part));
            } else if let Some(name) = name("statement") {
                inputs.extend(self.mouth(&id, depth).map(|held| (name, held)));
            } else if let Some(name) = name("input") {
                let held = if part["boolean"] == true {
                    self.condition(&id, depth)
                } else {
                    Some(self.value(&id, part["shadow"].as_str(), depth))
                };
                inputs.extend(held.filter(|_| !self.tape.odd(Oddity::MissingSlots, 10)).map(|held| (name, held)));
            }
        }
        self.place(&id, opcode, parent, inputs, Value::Object(fields), false);
        if opcode == "control_stop" && self.tape.chance(60) {
            let has_next = self.is_followed(&id).to_string();
            self.blocks[&id]["mutation"] = json!({"tagName": "mutation", "children": [], "hasnext": has_next});
        }
        id
    }

    /// Returns true if nothing can follow a block.
    fn ends(&self, id: &str) -> bool {
        let opcode = self.blocks[id]["opcode"].as_str().unwrap_or_default();
        match opcode {
            "control_stop" => !self.is_followed(id),
            _ => blocks().get(opcode).is_some_and(|block| block["shape"] == "cap"),
        }
    }

    /// Returns true if this `stop` lets its own script go on.
    fn is_followed(&self, id: &str) -> bool {
        let choice = &self.blocks[id]["fields"]["STOP_OPTION"][0];
        choice.as_str().is_some_and(|choice| choice.starts_with("other scripts"))
    }

    /// Returns true if more may be put inside of what lies so deep.
    pub fn has_room(&self, depth: usize) -> bool {
        depth < DEPTH && self.blocks.len() < MANY
    }
}
