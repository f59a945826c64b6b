//! Values and choices as the VM sees them, and what a reference refers to.

use serde_json::{Value, json};

use super::javascript::{number_text, shown};
use super::program::{Target, Variable};

/// Choices that the VM makes small before it compares them, by opcode and field (`blocks/scratch3_looks.js`,
/// `scratch3_sound.js`, `scratch3_operators.js`, `scratch3_sensing.js`, `scratch3_event.js`).
const IN_SMALL_LETTERS: [(&str, &str); 7] = [
    ("looks_changeeffectby", "EFFECT"),
    ("looks_seteffectto", "EFFECT"),
    ("sound_changeeffectby", "EFFECT"),
    ("sound_seteffectto", "EFFECT"),
    ("operator_mathop", "OPERATOR"),
    ("sensing_current", "CURRENTMENU"),
    ("event_whengreaterthan", "WHENGREATERTHANMENU"),
];
/// Choices of hats, which are compared in capitals (`engine/runtime.js`, `startHats`).
const IN_CAPITALS: [(&str, &str); 2] =
    [("event_whenkeypressed", "KEY_OPTION"), ("event_whenbackdropswitchesto", "BACKDROP")];

/// A value of a slot. A number is what JavaScript writes for it; a truth value stays one.
pub fn literal(value: &Value) -> Value {
    match value {
        Value::String(_) | Value::Number(_) => json!({"literal": shown(value)}),
        other => json!({"literal": other}),
    }
}

/// A value of a variable or an item of a list, whose kind shows: `1 = "1"`, but an item of one letter is not a number of
/// one digit.
pub fn stored(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!({"number": number_text(number.as_f64().unwrap_or_default())}),
        Value::Array(items) => items.iter().map(stored).collect(),
        other => other.clone(),
    }
}

/// A choice of a block. Scratch 2 had another word for the scripts that `stop` stops (`blocks/scratch3_control.js`).
pub fn choice(opcode: &str, name: &str, value: &Value) -> Value {
    let place = (opcode, name);
    match value.as_str() {
        Some(text) if IN_SMALL_LETTERS.contains(&place) => literal(&json!(text.to_lowercase())),
        Some(text) if IN_CAPITALS.contains(&place) => literal(&json!(text.to_uppercase())),
        Some("other scripts in stage") if name == "STOP_OPTION" => literal(&json!("other scripts in sprite")),
        _ => literal(value),
    }
}

impl Target {
    /// What a variable, list or message is, whatever its id: that of its target, kind and name, and of several of one
    /// name the first, second and so on. That is all the VM tells them by (`engine/target.js`,
    /// `lookupVariableByNameAndType`); the order of others does not matter.
    pub fn identity(&self, number: usize, variable: &Variable) -> Value {
        let same = self.variables.iter().filter(|one| one.kind == variable.kind && one.name == variable.name);
        let before = same.take_while(|one| one.id != variable.id).count();
        json!({"of": number, "kind": variable.kind.name(), "name": variable.name, "among its namesakes": before})
    }
}
