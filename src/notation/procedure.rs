//! Prints My Blocks: definitions and calls.

use std::collections::BTreeMap;

use serde_json::Value;

use scratchbed_project::view::{Block, Slot, TargetView};

use super::escape;
use super::loss::LossKind;
use super::script::{Around, Printer, append};

/// My Blocks by its words and parameters.
pub(super) struct Signature {
    /// Words between parameters, with their spaces; none for a parameter.
    parts: Vec<Option<String>>,
    booleans: Vec<bool>,
}

/// A block of one's own as its target defines it.
pub(super) struct Defined {
    /// What its calls name it by.
    proccode: String,
    /// Of its parameters, in their order.
    ids: Vec<String>,
    /// What a call stands for that leaves a parameter out.
    defaults: Vec<Value>,
    /// Whether another one reads like it.
    is_double: bool,
}

pub(super) fn signature(proccode: &str) -> Signature {
    let mut parts: Vec<Option<String>> = Vec::new();
    let mut booleans = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let close = |words: &mut Vec<&str>, parts: &mut Vec<Option<String>>| {
        let text = std::mem::take(words).join(" ");
        if !text.is_empty() {
            parts.push(Some(text));
        }
    };
    for word in proccode.split(' ') {
        if matches!(word, "%s" | "%n" | "%b") {
            close(&mut words, &mut parts);
            booleans.push(word == "%b");
            parts.push(None);
        } else {
            words.push(word);
        }
    }
    close(&mut words, &mut parts);
    Signature { parts, booleans }
}

impl Signature {
    /// The label as the parser hashes it.
    pub(super) fn label(&self) -> String {
        self.parts.iter().map(|part| part.as_deref().unwrap_or("_")).collect::<Vec<_>>().join(" ")
    }
}

/// Whether the editor draws a label: it cuts it before the character in front of each parameter, and refuses a part that begins with %
/// and is none (scratch-blocks, `blocks_vertical/procedures.js`, `createAllInputs_`).
fn is_drawn(proccode: &str) -> bool {
    let letters: Vec<char> = proccode.chars().collect();
    let is_kind = |letter: Option<&char>| matches!(letter, Some('n' | 'b' | 's'));
    let is_cut = |at: usize| letters[at] != '\\' && letters.get(at + 1) == Some(&'%') && is_kind(letters.get(at + 2));
    let mut cuts: Vec<usize> = (1..letters.len()).filter(|at| is_cut(*at)).collect();
    cuts.insert(0, 0);
    cuts.into_iter().all(|cut| {
        let mut part = letters[cut..].iter().skip_while(|letter| letter.is_whitespace());
        part.next() != Some(&'%') || is_kind(part.next())
    })
}

/// The strings of a JSON list inside of a mutation's attribute.
pub(super) fn names(block: &Block<'_>, attribute: &str) -> Vec<String> {
    block.attribute(attribute).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// Whether a definition runs without screen refresh: written as a truth value, or as the text of one (scratch-vm,
/// `engine/sequencer.js`).
pub(super) fn warps(prototype: &Block<'_>) -> bool {
    match prototype.mutation.and_then(|mutation| mutation.get("warp")) {
        Some(Value::Bool(warp)) => *warp,
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Bool(warp)) => warp,
            Ok(Value::Number(number)) => number.as_f64().is_some_and(|number| number != 0.0),
            _ => false,
        },
        _ => false,
    }
}

/// The blocks of one's own that a target defines, by the hash of their labels; of two that read alike the first.
pub(super) fn defined(target: TargetView<'_>) -> BTreeMap<String, Defined> {
    let mut all: BTreeMap<String, Defined> = BTreeMap::new();
    for prototype in target.blocks().filter(|block| block.opcode == "procedures_prototype") {
        let Some(proccode) = prototype.attribute("proccode") else { continue };
        let hash = escape::hash(&signature(proccode).label());
        if let Some(first) = all.get_mut(&hash) {
            first.is_double = true;
            continue;
        }
        let defaults = prototype.attribute("argumentdefaults").and_then(|text| serde_json::from_str(text).ok());
        all.insert(
            hash,
            Defined {
                proccode: proccode.to_owned(),
                ids: names(&prototype, "argumentids"),
                defaults: defaults.unwrap_or_default(),
                is_double: false,
            },
        );
    }
    all
}

impl<'a> Printer<'a> {
    /// Prints a `define` line.
    pub(super) fn definition(&self, block: &Block<'a>) -> String {
        let mut line = "define".to_owned();
        let Some(prototype) = self.prototype(block) else { return line };
        let proccode = prototype.attribute("proccode").unwrap_or_default();
        let signature = signature(proccode);
        self.check_definition(proccode, &signature, &prototype);
        let mut parameters = names(&prototype, "argumentnames").into_iter();
        let mut booleans = signature.booleans.iter();
        for part in &signature.parts {
            append(
                &mut line,
                &match part {
                    Some(words) => escape::words(words),
                    None => escape::declared_parameter(
                        &parameters.next().unwrap_or_default(),
                        booleans.next().copied().unwrap_or_default(),
                    ),
                },
            );
        }
        line
    }

    /// Notes what a `define` line can't say of a definition.
    fn check_definition(&self, proccode: &str, signature: &Signature, prototype: &Block<'a>) {
        let lose = |why| self.lose(LossKind::Procedure(proccode.to_owned(), why));
        let label = signature.label();
        if signature.parts.iter().all(Option::is_none) {
            lose("it has no words");
        }
        self.check_label(proccode);
        if let Some(first) = self.defined.get(&escape::hash(&label)).filter(|first| first.is_double) {
            self.lose(LossKind::SameWords(first.proccode.clone(), proccode.to_owned()));
        }
        let count = signature.booleans.len();
        if [names(prototype, "argumentids").len(), names(prototype, "argumentnames").len()] != [count, count] {
            lose("it names another number of parameters than it takes");
        }
    }

    /// Notes a label that the editor does not draw.
    fn check_label(&self, proccode: &str) {
        if !is_drawn(proccode) {
            let why = "a word of it that begins with % is no parameter, and the editor refuses it";
            self.lose(LossKind::Procedure(proccode.to_owned(), why));
        }
    }

    /// Prints a call of a block of My Blocks.
    pub(super) fn call(&self, block: &Block<'a>, around: Around<'_>) -> String {
        let proccode = block.attribute("proccode").unwrap_or_default();
        let signature = signature(proccode);
        self.check_label(proccode);
        let label = signature.label();
        let defined = self.defined.get(&escape::hash(&label));
        if let Some(other) = defined.filter(|defined| defined.proccode != proccode) {
            self.lose(LossKind::SameWords(other.proccode.clone(), proccode.to_owned()));
        }
        // The machine asks for the ids of the definition, whatever the call names.
        let ids = defined.map_or_else(|| names(block, "argumentids"), |defined| defined.ids.clone());
        let mut line = String::new();
        let mut at = 0;
        for part in &signature.parts {
            if let Some(words) = part {
                append(&mut line, &escape::words(words));
            } else {
                let boolean = signature.booleans.get(at).copied().unwrap_or_default();
                let given: Option<Slot<'a>> = ids.get(at).and_then(|id| block.input(id)).and_then(|input| input.value);
                let slot = match (given, defined) {
                    // Unlike a condition of the editor's blocks, a parameter passes on what it is given.
                    (Some(Slot::Primitive(value)), _) if boolean && !value.is_reporter() => {
                        self.lose(LossKind::ConditionValue(value.value));
                        "<>".to_owned()
                    }
                    (Some(Slot::Block(id)), _)
                        if boolean && self.target.block(id).is_some_and(|inner| self.is_literal(&inner)) =>
                    {
                        let value = self.target.block(id).and_then(|inner| inner.fields().next());
                        self.lose(LossKind::ConditionValue(value.map(|field| field.value).unwrap_or_default()));
                        "<>".to_owned()
                    }
                    (None, Some(defined)) => self.default_argument(defined.defaults.get(at), boolean),
                    (given, _) => {
                        if given.is_some() {
                            self.check_value(block, ids.get(at).map_or("", String::as_str), boolean, given.as_ref());
                        }
                        self.slot(given, boolean, (!boolean).then_some("text"), around)
                    }
                };
                append(&mut line, &slot);
                at += 1;
            }
        }
        let mark = escape::call_mark(self.catalogue, &label, defined.is_some());
        // A line that begins with a sign would be read as part of a difference.
        let line = if line.starts_with(['+', '-']) { format!("\\{line}") } else { line };
        format!("{line}{mark}")
    }

    /// What a call passes that leaves a parameter out.
    fn default_argument(&self, default: Option<&Value>, boolean: bool) -> String {
        match default {
            Some(Value::String(text)) if boolean && text == "false" => "<>".to_owned(),
            Some(Value::String(text)) if boolean => {
                self.lose(LossKind::ConditionValue(text.clone()));
                "<>".to_owned()
            }
            Some(Value::String(text)) => escape::text_slot(text),
            other => {
                self.lose(LossKind::TypedValue(other.map_or_else(|| "undefined".to_owned(), Value::to_string)));
                if boolean { "<>".to_owned() } else { escape::text_slot("") }
            }
        }
    }
}
