//! Prints My Blocks: definitions and calls.

use crate::view::Block;

use super::escape;
use super::script::{Around, Printer, append};

/// My Blocks by its words and parameters.
pub(super) struct Signature {
    words: Vec<Option<String>>,
    booleans: Vec<bool>,
}

pub(super) fn signature(proccode: &str) -> Signature {
    let mut words = Vec::new();
    let mut booleans = Vec::new();
    for word in proccode.split(' ').filter(|word| !word.is_empty()) {
        match word {
            "%s" | "%n" | "%b" => {
                booleans.push(word == "%b");
                words.push(None);
            }
            other => words.push(Some(other.to_owned())),
        }
    }
    Signature { words, booleans }
}

impl Signature {
    /// The label as the parser hashes it.
    pub(super) fn label(&self) -> String {
        self.words.iter().map(|word| word.as_deref().unwrap_or("_")).collect::<Vec<_>>().join(" ")
    }
}

/// The strings of a JSON list inside of a mutation's attribute.
pub(super) fn names(block: &Block<'_>, attribute: &str) -> Vec<String> {
    block.attribute(attribute).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

impl<'a> Printer<'a> {
    /// Prints a `define` line.
    pub(super) fn definition(&self, block: &Block<'a>) -> String {
        let mut line = "define".to_owned();
        let Some(prototype) = self.prototype(block) else { return line };
        let signature = signature(prototype.attribute("proccode").unwrap_or_default());
        let mut parameters = names(&prototype, "argumentnames").into_iter();
        let mut booleans = signature.booleans.iter();
        for word in &signature.words {
            append(
                &mut line,
                &match word {
                    Some(word) => escape::words(word),
                    None => escape::declared_parameter(
                        &parameters.next().unwrap_or_default(),
                        booleans.next().copied().unwrap_or_default(),
                    ),
                },
            );
        }
        line
    }

    /// Prints a call of a block of My Blocks.
    pub(super) fn call(&self, block: &Block<'a>, around: Around<'_>) -> String {
        let signature = signature(block.attribute("proccode").unwrap_or_default());
        let mut ids = names(block, "argumentids").into_iter();
        let mut booleans = signature.booleans.iter();
        let mut line = String::new();
        for word in &signature.words {
            if let Some(word) = word {
                append(&mut line, &escape::words(word));
            } else {
                let boolean = booleans.next().copied().unwrap_or_default();
                let value = ids.next().and_then(|id| block.input(&id)).and_then(|input| input.value);
                append(&mut line, &self.slot(value, boolean, (!boolean).then_some("text"), around));
            }
        }
        let label = signature.label();
        let mark = escape::call_mark(self.catalogue, &label, self.defined.contains(&escape::hash(&label)));
        // A line that begins with a sign would be read as part of a difference.
        let line = if line.starts_with(['+', '-']) { format!("\\{line}") } else { line };
        format!("{line}{mark}")
    }
}
