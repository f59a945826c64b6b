//! Definitions of blocks of one's own and calls of them, as the editor, Scratch 2 and other tools write them: warp in all
//! spellings, definitions whose labels differ in letters or spaces only, calls with ids of their own, with too few
//! arguments or too many.

use serde_json::{Map, Value, json};

use super::names::{name, stored};
use super::tape::{Oddity, Tape};
use super::world::Registry;
use super::yard::Yard;

/// What a definition says.
#[derive(Debug, Clone)]
pub struct Signature {
    pub proccode: String,
    pub parameters: Vec<Parameter>,
    warp: Value,
}

#[derive(Debug, Clone)]
pub struct Parameter {
    pub id: String,
    pub name: String,
    pub is_boolean: bool,
    default: Value,
}

impl Signature {
    /// The definitions of a target.
    pub fn several(tape: &mut Tape, registry: &mut Registry) -> Vec<Self> {
        let count = tape.below(3);
        let mut all: Vec<Self> = Vec::new();
        for _ in 0..count {
            let mut next = Self::new(tape, registry);
            if let Some(first) = all.first().filter(|_| tape.odd(Oddity::SameLabels, 70)) {
                next.proccode = variant(tape, &first.proccode);
                let alike = |parameter: &Parameter| Parameter::new(tape, registry, parameter.is_boolean);
                next.parameters = first.parameters.iter().map(alike).collect();
            }
            if tape.allows(Oddity::SameLabels) || all.iter().all(|other| other.proccode != next.proccode) {
                all.push(next);
            }
        }
        all
    }

    fn new(tape: &mut Tape, registry: &mut Registry) -> Self {
        let mut words = vec![label(tape, registry)];
        let mut parameters = Vec::new();
        for _ in 0..tape.below(4) {
            let sign = *tape.pick(&["%s", "%s", "%b", "%n"]);
            words.push(sign.to_owned());
            let mut next = Parameter::new(tape, registry, sign == "%b");
            if !tape.allows(Oddity::Twins) && parameters.iter().any(|other: &Parameter| other.name == next.name) {
                next.name = format!("{}{}", next.name, parameters.len());
            }
            parameters.push(next);
            if tape.chance(30) {
                words.push(label(tape, registry));
            }
        }
        let spellings = [json!("false"), json!("true"), json!(true), json!(false), json!("null"), Value::Null];
        Self { proccode: words.join(" "), parameters, warp: tape.pick(&spellings).clone() }
    }

    fn list(&self, of: impl Fn(&Parameter) -> Value) -> String {
        self.parameters.iter().map(of).collect::<Value>().to_string()
    }

    fn ids(&self) -> String {
        self.list(|parameter| json!(parameter.id))
    }

    fn mutation(&self) -> Value {
        json!({
            "tagName": "mutation",
            "children": [],
            "proccode": self.proccode,
            "argumentids": self.ids(),
            "argumentnames": self.list(|parameter| json!(parameter.name)),
            "argumentdefaults": self.list(|parameter| parameter.default.clone()),
            "warp": self.warp,
        })
    }
}

impl Parameter {
    fn new(tape: &mut Tape, registry: &mut Registry, is_boolean: bool) -> Self {
        let plain = if is_boolean { json!("false") } else { json!("") };
        let default = if tape.odd(Oddity::StrangeDefaults, 40) { stored(tape) } else { plain };
        Self { id: registry.id(tape), name: registry.name(tape), is_boolean, default }
    }
}

/// Words of a label. Placeholders in them would be parameters, and those have their own place.
fn label(tape: &mut Tape, registry: &Registry) -> String {
    let words = if tape.chance(50) { name(tape) } else { registry.name(tape) };
    ["%s", "%b", "%n"].iter().fold(words, |words, sign| words.replace(sign, "%"))
}

/// A label that is the same to a careless reader. The placeholders stay.
fn variant(tape: &mut Tape, proccode: &str) -> String {
    let capitals = proccode.to_uppercase().replace("%S", "%s").replace("%B", "%b").replace("%N", "%n");
    match tape.below(5) {
        0 => proccode.to_owned(),
        1 => capitals,
        2 => proccode.replacen(' ', "  ", 1),
        3 => format!("{proccode} "),
        _ => proccode.replace("%n", "%s"),
    }
}

impl Yard<'_> {
    /// Adds a definition with what follows it.
    pub fn define(&mut self, signature: &Signature) {
        let id = self.reserve();
        let prototype = self.reserve();
        let mut inputs = Map::new();
        for parameter in &signature.parameters {
            let opcode = reporter_of(parameter);
            let fields = json!({"VALUE": [parameter.name, null]});
            let reporter = self.insert(opcode, Some(&prototype), Map::new(), fields, true);
            inputs.insert(parameter.id.clone(), json!([1, reporter]));
        }
        let is_shadow = self.tape.chance(70);
        self.place(&prototype, "procedures_prototype", Some(&id), inputs, json!({}), is_shadow);
        self.blocks[&prototype]["mutation"] = signature.mutation();
        let held = Map::from_iter([("custom_block".to_owned(), json!([if is_shadow { 1 } else { 2 }, prototype]))]);
        self.place(&id, "procedures_definition", None, held, json!({}), false);
        self.parameters.clone_from(&signature.parameters);
        let length = self.tape.below(4);
        self.follow(&id, length, 0);
        self.parameters.clear();
    }

    /// A call, in a stack below this block.
    pub fn call(&mut self, parent: &str, depth: usize) -> String {
        let known = &self.world.targets[self.at].procedures;
        let unknown = Signature { proccode: "unknown %s".to_owned(), parameters: Vec::new(), warp: json!("false") };
        let signature = if known.is_empty() || self.tape.odd(Oddity::UnknownCalls, 40) {
            unknown
        } else {
            self.tape.pick(known).clone()
        };
        let id = self.reserve();
        let is_foreign = self.tape.odd(Oddity::ForeignArguments, 40);
        let mut inputs = Map::new();
        let mut ids = Vec::new();
        for parameter in &signature.parameters {
            let name = if is_foreign { format!("foreign {}", parameter.id) } else { parameter.id.clone() };
            ids.push(name.clone());
            if let Some(held) =
                self.argument(&id, parameter, depth).filter(|_| !self.tape.odd(Oddity::MissingArguments, 25))
            {
                inputs.insert(name, held);
            }
        }
        if self.tape.odd(Oddity::ExtraArguments, 40) {
            inputs.insert("nobody's".to_owned(), json!([1, [10, "extra"]]));
        }
        self.place(&id, "procedures_call", Some(parent), inputs, json!({}), false);
        self.blocks[&id]["mutation"] = json!({"tagName": "mutation", "children": [], "proccode": signature.proccode,
            "argumentids": json!(ids).to_string(), "warp": signature.warp});
        id
    }

    fn argument(&mut self, parent: &str, parameter: &Parameter, depth: usize) -> Option<Value> {
        if parameter.is_boolean { self.condition(parent, depth) } else { Some(self.value(parent, Some("text"), depth)) }
    }
}

/// The opcode of a parameter's reporter.
pub fn reporter_of(parameter: &Parameter) -> &'static str {
    if parameter.is_boolean { "argument_reporter_boolean" } else { "argument_reporter_string_number" }
}
