//! The choices of strange blocks, and how they refer to variables, lists and messages: by id and name, by a stale name, by
//! the name alone, by an id that nothing has.

use serde_json::{Value, json};

use super::names::name;
use super::tape::Oddity;
use super::world::Named;
use super::yard::Yard;

/// What `… of …` asks for besides variables.
const PROPERTIES: [&str; 9] = [
    "x position",
    "y position",
    "direction",
    "costume #",
    "costume name",
    "size",
    "volume",
    "backdrop #",
    "backdrop name",
];
/// What `stop` stops; the last is Scratch 2's.
const STOPPED: [&str; 4] = ["all", "this script", "other scripts in sprite", "other scripts in stage"];
/// Choices of backdrops besides their names.
const BACKDROPS: [&str; 3] = ["next backdrop", "previous backdrop", "random backdrop"];

impl Yard<'_> {
    /// A field as the catalogue describes it.
    pub fn field(&mut self, part: &Value) -> Value {
        match part["kind"].as_str() {
            Some("variable") => self.reference(false),
            Some("list") => self.reference(true),
            Some("broadcast") => self.message(),
            _ => self.choice(part),
        }
    }

    fn choice(&mut self, part: &Value) -> Value {
        let options = part["options"].as_array().into_iter().flatten();
        let mut all: Vec<String> = options.filter_map(|option| option[1].as_str().map(str::to_owned)).collect();
        if part["open"] == true {
            all.extend(self.names_for(part["field"].as_str().unwrap_or_default()));
        }
        let value = if self.tape.odd(Oddity::StrangeChoices, 15) {
            json!(name(self.tape))
        } else if self.tape.odd(Oddity::JsonChoices, 15) {
            if self.tape.chance(50) { json!(true) } else { json!(self.tape.between(1, 3)) }
        } else if all.is_empty() {
            json!("thing")
        } else {
            json!(self.tape.pick(&all))
        };
        if self.tape.chance(10) { json!([value]) } else { json!([value, null]) }
    }

    /// What a menu offers that takes names of the project.
    fn names_for(&self, field: &str) -> Vec<String> {
        let world = self.world;
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        match field {
            "STOP_OPTION" => own(&STOPPED),
            "COSTUME" => world.targets[self.at].costumes.clone(),
            "SOUND_MENU" => world.targets[self.at].sounds.clone(),
            "BACKDROP" => [own(&BACKDROPS), world.targets[0].costumes.clone()].concat(),
            "PROPERTY" => {
                let variables = world.targets.iter().flat_map(|target| &target.variables);
                own(&PROPERTIES).into_iter().chain(variables.map(|variable| variable.name.clone())).collect()
            }
            _ => world.targets.iter().skip(1).map(|target| target.name.clone()).collect(),
        }
    }

    /// A field that refers to a variable or list.
    pub fn reference(&mut self, is_list: bool) -> Value {
        let Named { id, name: called } = self.chosen(is_list);
        if self.tape.odd(Oddity::MissingIds, 20) {
            return if self.tape.chance(50) { json!([called, null]) } else { json!([called]) };
        }
        let (called, id) = self.disguised(called, id);
        json!([called, id])
    }

    /// The same inside of a slot, where both must be texts.
    pub fn inline_reference(&mut self, is_list: bool) -> Value {
        let kind = if is_list { 13 } else { 12 };
        let Named { id, name: called } = self.chosen(is_list);
        let (called, id) = self.disguised(called, id);
        json!([kind, called, id])
    }

    fn chosen(&mut self, is_list: bool) -> Named {
        let seen = if is_list { self.world.lists(self.at) } else { self.world.variables(self.at) };
        (*self.tape.pick(&seen)).clone()
    }

    /// A name and an id, of which one or both may be those of nothing.
    fn disguised(&mut self, called: String, id: String) -> (String, String) {
        if self.tape.odd(Oddity::UnknownIds, 20) {
            let called = if self.tape.chance(50) { called } else { name(self.tape) };
            return (called, (*self.tape.pick(&["an id of nothing", "another id of nothing"])).to_owned());
        }
        if self.tape.odd(Oddity::StaleNames, 30) { (name(self.tape), id) } else { (called, id) }
    }

    /// A field that names a message.
    fn message(&mut self) -> Value {
        let Named { id, name: called } = self.tape.pick(&self.world.messages).clone();
        if self.tape.odd(Oddity::MissingIds, 20) {
            return json!([called]);
        }
        let (called, id) = self.disguised(called, id);
        json!([called, id])
    }

    /// The same inside of a slot.
    pub fn inline_message(&mut self) -> Value {
        let message = self.message();
        let id = message[1].as_str().unwrap_or("");
        json!([11, message[0], id])
    }
}
