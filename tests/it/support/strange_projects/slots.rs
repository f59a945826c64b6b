//! What lies in the slots of strange blocks: values of every kind, written inside of the slot or as blocks, menus,
//! reporters, variables and lists, and nothing.

use serde_json::{Map, Value, json};

use super::names::{colour, number, text};
use super::procedures::reporter_of;
use super::tape::Oddity;
use super::yard::Yard;
use crate::support::catalogue::parts;

/// Numbers of values that are written inside of slots, with the block that each stands for.
const INLINE: [(&str, u64); 7] = [
    ("math_number", 4),
    ("math_positive_number", 5),
    ("math_whole_number", 6),
    ("math_integer", 7),
    ("math_angle", 8),
    ("colour_picker", 9),
    ("text", 10),
];

impl Yard<'_> {
    /// A slot that takes values, with this block as its default.
    pub fn value(&mut self, parent: &str, shadow: Option<&str>, depth: usize) -> Value {
        if shadow == Some("event_broadcast_menu") {
            return self.message_slot(parent, depth);
        }
        if self.tape.odd(Oddity::OtherValues, 20) {
            return json!([1, self.other_value(shadow)]);
        }
        match self.tape.below(20) {
            12..=16 if self.has_room(depth) => {
                let held = self.reporter(parent, depth);
                json!([3, held, self.shadow(parent, shadow)])
            }
            17 if self.has_room(depth) => json!([2, self.reporter(parent, depth)]),
            18 => {
                let held = self.inline_reference_of_any_kind();
                json!([3, held, self.shadow(parent, shadow)])
            }
            _ => json!([1, self.shadow(parent, shadow)]),
        }
    }

    /// A slot that takes predicates.
    pub fn condition(&mut self, parent: &str, depth: usize) -> Option<Value> {
        if self.tape.odd(Oddity::LiteralConditions, 30) {
            return Some(json!([1, [10, self.tape.pick(&["true", "false", "", "1"])]]));
        }
        if self.tape.odd(Oddity::ReporterConditions, 30) && self.has_room(depth) {
            let opcode = self.any(&["reporter"]);
            return Some(json!([2, self.block(opcode, Some(parent), depth + 1)]));
        }
        match self.tape.below(20) {
            0..=13 if self.has_room(depth) => Some(json!([2, self.predicate(parent, depth)])),
            14 => Some(json!([2, null])),
            15 => Some(json!([1, null])),
            _ => None,
        }
    }

    fn predicate(&mut self, parent: &str, depth: usize) -> String {
        if self.tape.chance(15) && self.may_have_parameter(true) {
            return self.parameter(parent, true);
        }
        let opcode = self.any(&["boolean"]);
        self.block(opcode, Some(parent), depth + 1)
    }

    /// A reporter of any kind, as an id or written inside of the slot.
    fn reporter(&mut self, parent: &str, depth: usize) -> Value {
        match self.tape.below(10) {
            0..=2 => self.inline_reference_of_any_kind(),
            3 => json!(self.reference_block(parent)),
            4 if self.may_have_parameter(false) => json!(self.parameter(parent, false)),
            _ => {
                let opcode = self.any(&["reporter", "reporter", "boolean"]);
                json!(self.block(opcode, Some(parent), depth + 1))
            }
        }
    }

    fn inline_reference_of_any_kind(&mut self) -> Value {
        let is_list = self.tape.chance(30);
        self.inline_reference(is_list)
    }

    /// A variable or list as a block of its own.
    fn reference_block(&mut self, parent: &str) -> String {
        let (opcode, name, is_list) =
            *self.tape.pick(&[("data_variable", "VARIABLE", false), ("data_listcontents", "LIST", true)]);
        let fields = Map::from_iter([(name.to_owned(), self.reference(is_list))]);
        self.insert(opcode, Some(parent), Map::new(), Value::Object(fields), false)
    }

    fn may_have_parameter(&self, is_boolean: bool) -> bool {
        let has_own = self.parameters.iter().any(|parameter| parameter.is_boolean == is_boolean);
        has_own || self.tape.allows(Oddity::StrangeParameters)
    }

    /// A parameter: of the definition that it is in, mostly.
    fn parameter(&mut self, parent: &str, is_boolean: bool) -> String {
        let own = self.parameters.iter().filter(|parameter| parameter.is_boolean == is_boolean);
        let own: Vec<(&'static str, String)> = own.map(|one| (reporter_of(one), one.name.clone())).collect();
        let plain = if is_boolean { "argument_reporter_boolean" } else { "argument_reporter_string_number" };
        let (opcode, name) = if own.is_empty() || self.tape.odd(Oddity::StrangeParameters, 30) {
            (plain, text(self.tape))
        } else {
            self.tape.pick(&own).clone()
        };
        self.insert(opcode, Some(parent), Map::new(), json!({"VALUE": [name, null]}), false)
    }

    /// The default of a slot: written inside of it, or a block; of a slot without one, a text or a number.
    fn shadow(&mut self, parent: &str, shadow: Option<&str>) -> Value {
        let shadow = shadow.unwrap_or_else(|| *self.tape.pick(&["text", "math_number"]));
        let inline = INLINE.iter().find(|(opcode, _)| *opcode == shadow);
        match inline {
            Some((opcode, kind)) if !self.tape.chance(8) => json!([kind, self.content(opcode)]),
            _ => json!(self.menu(parent, shadow)),
        }
    }

    /// A value or menu as a block.
    fn menu(&mut self, parent: &str, opcode: &str) -> String {
        let part = &parts(opcode).unwrap()[0];
        let content = if part["kind"] == "value" { json!([self.content(opcode), null]) } else { self.field(part) };
        let fields = Map::from_iter([(part["field"].as_str().unwrap().to_owned(), content)]);
        self.insert(opcode, Some(parent), Map::new(), Value::Object(fields), true)
    }

    /// A value of a kind that the slot does not have by default.
    fn other_value(&mut self, shadow: Option<&str>) -> Value {
        let others: Vec<&(&str, u64)> = INLINE.iter().filter(|(opcode, _)| Some(*opcode) != shadow).collect();
        let (opcode, kind) = **self.tape.pick(&others);
        json!([kind, self.content(opcode)])
    }

    /// What a default of this kind holds.
    fn content(&mut self, opcode: &str) -> Value {
        match opcode {
            "text" if self.tape.chance(15) => number(self.tape),
            "text" => json!(text(self.tape)),
            "colour_picker" => colour(self.tape),
            "matrix" => json!(self.tape.pick(&["0101010101100010101000100", "1111111111111111111111111"])),
            "note" => json!(self.tape.pick(&["60", "0", "130"])),
            _ => number(self.tape),
        }
    }

    /// The slot of `broadcast`.
    fn message_slot(&mut self, parent: &str, depth: usize) -> Value {
        let shadow = self.inline_message();
        match self.tape.below(10) {
            0..=6 => json!([1, shadow]),
            7 => json!([1, self.menu(parent, "event_broadcast_menu")]),
            _ if self.has_room(depth) => json!([3, self.reporter(parent, depth), shadow]),
            _ => json!([3, self.inline_reference(false), shadow]),
        }
    }
}
