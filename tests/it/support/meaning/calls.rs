//! Blocks of one's own (`blocks/scratch3_procedures.js`, `engine/blocks.js`, `engine/sequencer.js`):
//!
//! - A call runs the first definition of its label, with parameters as the first prototype of that label has them. They
//!   may belong to different definitions.
//! - What a call gives to a parameter is in the slot that the prototype's `argumentids` name, whatever the call's own
//!   are. Without it the parameter is what `argumentdefaults` say.
//! - A call without a definition does nothing.
//! - A definition keeps the screen still if its prototype's `warp` is true, as a truth value or as a text. What a call
//!   says of it is not asked.
//! - `%n`, a number of Scratch 2, is the same as `%s`.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::fields::literal;
use super::program::{Block, Input};
use super::walking::Walk;

/// What a prototype says.
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    /// Its label as written, which calls are compared with.
    proccode: String,
    names: Vec<Value>,
    ids: Vec<Value>,
    defaults: Vec<Value>,
    warp: bool,
}

impl Procedure {
    fn read(mutation: &Value) -> Option<Self> {
        Some(Self {
            proccode: mutation["proccode"].as_str()?.to_owned(),
            names: list(&mutation["argumentnames"]),
            ids: list(&mutation["argumentids"]),
            defaults: list(&mutation["argumentdefaults"]),
            warp: is_true(&mutation["warp"]),
        })
    }
}

/// All definitions with their ids, in the order in which the VM looks for one.
pub fn definitions(blocks: &IndexMap<String, Block>) -> Vec<(&str, Procedure)> {
    let all = blocks.iter().filter(|(_, block)| block.opcode == "procedures_definition");
    all.filter_map(|(id, block)| {
        let prototype = blocks.get(block.inputs.get("custom_block")?.block.as_ref()?)?;
        Some((id.as_str(), Procedure::read(&prototype.mutation)?))
    })
    .collect()
}

/// All prototypes, in the order in which the VM looks for one.
pub fn prototypes(blocks: &IndexMap<String, Block>) -> Vec<Procedure> {
    let all = blocks.values().filter(|block| block.opcode == "procedures_prototype");
    all.filter_map(|block| Procedure::read(&block.mutation)).collect()
}

impl<'a> Walk<'a> {
    pub(super) fn definition(&self, id: &str) -> Value {
        let found = self.definitions.iter().position(|(definition, _)| *definition == id);
        let Some(number) = found else { return json!({"define": null}) };
        let procedure = &self.definitions[number].1;
        json!({
            "define": written(&procedure.proccode),
            "number": number,
            "parameters": procedure.names,
            "warp": procedure.warp,
        })
    }

    pub(super) fn call(&mut self, block: &'a Block) -> Value {
        let label = block.mutation["proccode"].as_str().unwrap_or_default();
        let number = self.definitions.iter().position(|(_, procedure)| procedure.proccode == label);
        let prototype = self.prototypes.iter().find(|procedure| procedure.proccode == label).cloned();
        let (Some(number), Some(prototype)) = (number, prototype) else {
            let ids = list(&block.mutation["argumentids"]);
            // Reporters are asked for; nobody reads what is written or left out.
            let given = ids.iter().filter_map(|id| self.argument(block, id));
            let asked: Vec<Value> = given.filter(|given| given.get("literal").is_none()).collect();
            return json!({"call of nothing": written(label), "arguments": asked});
        };
        let arguments = prototype.ids.iter().enumerate().map(|(at, id)| {
            let default = || literal(prototype.defaults.get(at).unwrap_or(&Value::Null));
            self.argument(block, id).unwrap_or_else(default)
        });
        let mut call = json!({"call": number, "arguments": arguments.collect::<Vec<Value>>()});
        if prototype.names != self.definitions[number].1.names {
            call["names of arguments"] = json!(prototype.names);
        }
        call
    }

    fn argument(&mut self, block: &'a Block, id: &Value) -> Option<Value> {
        let input: &'a Input = block.inputs.get(id.as_str()?)?;
        self.slot(input)
    }
}

/// A label in the words of today. Spaces beside parameters and at its ends are not drawn (scratch-blocks,
/// `blocks_vertical/procedures.js`).
fn written(proccode: &str) -> String {
    let mut label = vec![String::new()];
    for word in proccode.split(' ') {
        match word {
            "%s" | "%n" | "%b" => label.extend([word.replace('n', "s"), String::new()]),
            word => {
                let words = label.last_mut().unwrap();
                words.push_str(word);
                words.push(' ');
            }
        }
    }
    let drawn: Vec<&str> = label.iter().map(|part| part.trim_matches(' ')).filter(|part| !part.is_empty()).collect();
    drawn.join(" ")
}

/// A list that is written as a text.
fn list(json: &Value) -> Vec<Value> {
    match json {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        Value::Array(items) => items.clone(),
        _ => Vec::new(),
    }
}

fn is_true(warp: &Value) -> bool {
    match warp {
        Value::Bool(warp) => *warp,
        Value::String(text) => text.trim() == "true",
        _ => false,
    }
}
