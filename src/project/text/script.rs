//! Prints scripts as notation, with the catalogue's labels.

use std::collections::BTreeSet;

use crate::view::{Block, Slot, TargetView};

use super::catalogue::{Catalogue, Entry, Part};
use super::escape;
use super::procedure::{names, signature};

/// Blocks inside of one another that are still printed; a file that goes deeper is damaged.
pub(super) const MAX_DEPTH: usize = 200;

/// Prints the scripts of one target.
pub(super) struct Printer<'a> {
    pub(super) target: TargetView<'a>,
    pub(super) catalogue: &'static Catalogue,
    /// Hashes of the labels of My Blocks that the target defines.
    pub(super) defined: BTreeSet<String>,
}

pub(super) struct Printed {
    pub text: String,
    /// Whether it is a definition that runs without screen refresh.
    pub without_refresh: bool,
}

/// What a statement is printed with.
#[derive(Clone, Copy)]
pub(super) struct Around<'p> {
    /// Parameters of the definition around it.
    pub(super) parameters: &'p [String],
    /// How many blocks contain it.
    pub(super) depth: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(target: TargetView<'a>) -> Self {
        let prototypes = target.blocks().filter(|block| block.opcode == "procedures_prototype");
        let defined = prototypes
            .filter_map(|block| block.attribute("proccode").map(|code| escape::hash(&signature(code).label())))
            .collect();
        Self { target, catalogue: Catalogue::pinned(), defined }
    }

    /// Prints the script that starts with this.
    pub(super) fn script(&self, start: &Slot<'a>) -> Printed {
        let around = Around { parameters: &[], depth: 0 };
        match start {
            Slot::Primitive(primitive) => {
                Printed { text: self.reporter_primitive(primitive, around), without_refresh: false }
            }
            Slot::Block(id) => {
                let Some(first) = self.target.block(id) else {
                    return Printed { text: String::new(), without_refresh: false };
                };
                let prototype = self.prototype(&first);
                let parameters = prototype.as_ref().map(|block| names(block, "argumentnames")).unwrap_or_default();
                let mut lines = Vec::new();
                self.stack(id, Around { parameters: &parameters, depth: 0 }, &mut lines);
                let without_refresh = prototype.is_some_and(|block| block.attribute("warp") == Some("true"));
                Printed { text: lines.join("\n"), without_refresh }
            }
        }
    }

    /// The prototype inside of a definition.
    pub(super) fn prototype(&self, definition: &Block<'a>) -> Option<Block<'a>> {
        match definition.input("custom_block")?.value? {
            Slot::Block(id) => self.target.block(id),
            Slot::Primitive(_) => None,
        }
    }

    /// Prints a block and all below it.
    fn stack(&self, id: &str, around: Around<'_>, lines: &mut Vec<String>) {
        let mut next = Some(id);
        let mut seen = BTreeSet::new();
        while let Some(block) = next.filter(|id| seen.insert((*id).to_owned())).and_then(|id| self.target.block(id)) {
            self.statement(&block, around, lines);
            next = block.next;
        }
    }

    /// Prints one block of a stack, with its mouths and its remark.
    fn statement(&self, block: &Block<'a>, around: Around<'_>, lines: &mut Vec<String>) {
        let first = lines.len();
        match block.opcode {
            "procedures_definition" => lines.push(self.definition(block)),
            "procedures_call" => lines.push(self.call(block, around)),
            _ => match self.entry(block) {
                Some(entry) if is_reporter(entry) => lines.push(self.reporter(block, around)),
                Some(entry) => self.worded(block, entry, around, lines),
                None if block.opcode.starts_with("argument_reporter_") => lines.push(self.reporter(block, around)),
                None => self.by_opcode(block, around, lines),
            },
        }
        let remarks = self.remarks(block);
        if let (Some(line), false) = (lines.get_mut(first), remarks.is_empty()) {
            line.push_str(&escape::remark(&remarks.join(" / ")));
        }
    }

    /// Remarks fixed to a block and to the reporters in its slots.
    fn remarks(&self, block: &Block<'a>) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![(block.clone(), 0)];
        while let Some((block, depth)) = open.pop() {
            let text = block.comment.and_then(|id| self.target.get("comments")?.get(id)?.get("text")?.as_str());
            found.extend(text.map(str::to_owned));
            if depth < MAX_DEPTH {
                let inner = block.inputs().filter_map(|input| match input.value {
                    Some(Slot::Block(id)) => self.target.block(id),
                    _ => None,
                });
                let reporters: Vec<_> =
                    inner.filter(|inner| self.is_reporter_block(inner)).map(|inner| (inner, depth + 1)).collect();
                open.extend(reporters.into_iter().rev());
            }
        }
        found
    }

    fn is_reporter_block(&self, block: &Block<'_>) -> bool {
        block.opcode.starts_with("argument_reporter_")
            || self.catalogue.blocks.get(block.opcode).is_some_and(is_reporter)
    }

    /// The catalogue's entry, if the block can be written by its label.
    pub(super) fn entry(&self, block: &Block<'_>) -> Option<&'static Entry> {
        let entry = self.catalogue.blocks.get(block.opcode).filter(|entry| !entry.shadowed)?;
        // Words alone are a variable's name as well, and labels of blocks of one's own go before these.
        if entry.yields && (self.defined.contains(&entry.hash) || is_reporter(entry) && is_name(entry)) {
            return None;
        }
        let known = |name: &str| {
            entry.parts.iter().any(|part| match part {
                Part::Field { field, .. } => field == name,
                Part::Input { input, .. } => input == name,
                Part::Statement { statement } => statement == name,
                Part::Words(_) => false,
            })
        };
        let all = block.inputs().all(|input| known(input.name)) && block.fields().all(|field| known(field.name));
        all.then_some(entry)
    }

    /// Prints a block by its label: one line, and for each mouth what is inside and the words after it.
    fn worded(&self, block: &Block<'a>, entry: &'static Entry, around: Around<'_>, lines: &mut Vec<String>) {
        let mut line = String::new();
        let mut mouths = false;
        for part in &entry.parts {
            if let Part::Statement { statement } = part {
                lines.push(std::mem::take(&mut line));
                self.mouth(block, statement, around, lines);
                mouths = true;
            } else {
                append(&mut line, &self.part(block, part, around));
            }
        }
        if mouths {
            // What follows the last mouth is a picture without words.
            lines.push("end".to_owned());
        } else {
            if let Some(hint) = &entry.hint {
                line.push_str(" :: ");
                line.push_str(hint);
            }
            lines.push(line);
        }
    }

    fn mouth(&self, block: &Block<'a>, name: &str, around: Around<'_>, lines: &mut Vec<String>) {
        let Some(Slot::Block(id)) = block.input(name).and_then(|input| input.value) else { return };
        if around.depth >= MAX_DEPTH {
            return;
        }
        let mut inner = Vec::new();
        self.stack(id, Around { depth: around.depth + 1, ..around }, &mut inner);
        lines.extend(inner.into_iter().map(|line| format!("  {line}")));
    }

    /// Prints a block by its opcode, with all that it holds by name.
    pub(super) fn by_opcode(&self, block: &Block<'a>, around: Around<'_>, lines: &mut Vec<String>) {
        let entry = self.catalogue.blocks.get(block.opcode);
        let mut line = format!("opcode {}", escape::words(block.opcode));
        let of_field = |name: &str| {
            entry
                .into_iter()
                .flat_map(|entry| &entry.parts)
                .find(|part| matches!(part, Part::Field { field, .. } if field == name))
        };
        let of_input = |name: &str| {
            entry.into_iter().flat_map(|entry| &entry.parts).find_map(|part| match part {
                Part::Input { input, boolean, shadow, .. } if input == name => Some((*boolean, shadow.as_deref())),
                _ => None,
            })
        };
        for field in block.fields() {
            let value = of_field(field.name)
                .map_or_else(|| escape::square_menu(&field.value), |part| self.part(block, part, around));
            append(&mut line, &format!("{} {value}", escape::text_slot(field.name)));
        }
        for input in block.inputs() {
            append(&mut line, &escape::text_slot(input.name));
            let statement = match &input.value {
                Some(Slot::Block(id)) => {
                    self.target.block(id).filter(|inner| !self.is_literal(inner) && !self.is_reporter_block(inner))
                }
                _ => None,
            };
            if let Some(inner) = statement {
                append(&mut line, "{");
                lines.push(std::mem::take(&mut line));
                let mut body = Vec::new();
                if around.depth < MAX_DEPTH {
                    self.stack(inner.id, Around { depth: around.depth + 1, ..around }, &mut body);
                }
                lines.extend(body.into_iter().map(|line| format!("  {line}")));
                line.push('}');
            } else {
                let (boolean, shadow) = of_input(input.name).unwrap_or_default();
                append(&mut line, &self.slot(input.value, boolean, shadow, around));
            }
        }
        if entry.is_some_and(|entry| entry.shape == "hat") {
            line.push_str(" :: hat");
        }
        lines.push(line);
    }
}

/// One block as a line of notation, its mouths apart; a default in a slot reads as the block around it.
pub fn line_of(target: TargetView<'_>, id: &str) -> String {
    let Some(block) = target.block(id) else { return String::new() };
    if let Some(holder) = target.holder(id).filter(|holder| block.shadow && !holder.shadow) {
        return line_of(target, holder.id);
    }
    let mut lines = Vec::new();
    let around = Around { parameters: &[], depth: 0 };
    Printer::new(target).statement(&block, around, &mut lines);
    lines.into_iter().next().unwrap_or_default()
}

/// Whether a label is words alone.
fn is_name(entry: &Entry) -> bool {
    entry.parts.iter().all(|part| matches!(part, Part::Words(_)))
}

fn is_reporter(entry: &Entry) -> bool {
    matches!(entry.shape.as_str(), "reporter" | "boolean")
}

/// Adds a word to a line; a question mark closes up.
pub(super) fn append(line: &mut String, word: &str) {
    if !(line.is_empty() || word == "?" || word.is_empty()) {
        line.push(' ');
    }
    line.push_str(word);
}
