//! Prints scripts as notation, with the catalogue's labels.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use scratchbed_project::view::{Block, Slot, TargetView};

use super::escape;
use super::loss::LossKind;
use super::procedure::{Defined, defined, names, warps};
use super::references::References;
use super::script_slots::NAME_PREFIX;
use scratchbed_project::catalogue::{Catalogue, Entry, Part};

/// Blocks inside of one another that are still printed; a file that goes deeper is damaged.
pub(super) const MAX_DEPTH: usize = 200;

/// Prints the scripts of one target.
pub(super) struct Printer<'a> {
    pub(super) target: TargetView<'a>,
    pub(super) catalogue: &'static Catalogue,
    /// Blocks of one's own that the target defines, by the hashes of their labels.
    pub(super) defined: BTreeMap<String, Defined>,
    pub(super) references: References<'a>,
    /// What can't be said, with the line that stands for it once that is printed.
    lost: RefCell<Vec<(Option<String>, LossKind)>>,
    /// Ids of the comments that are printed as remarks.
    remarked: RefCell<BTreeSet<&'a str>>,
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
    pub(super) fn new(target: TargetView<'a>, references: References<'a>) -> Self {
        let (lost, remarked) = (RefCell::default(), RefCell::default());
        Self { target, catalogue: Catalogue::pinned(), defined: defined(target), references, lost, remarked }
    }

    /// Notes that something can't be said.
    pub(super) fn lose(&self, kind: LossKind) {
        self.lost.borrow_mut().push((None, kind));
    }

    /// What could not be said so far, each with its line.
    pub(super) fn take_lost(&self) -> Vec<(Option<String>, LossKind)> {
        self.lost.take()
    }

    /// Whether a comment was printed as a remark.
    pub(super) fn is_remark(&self, comment: &str) -> bool {
        self.remarked.borrow().contains(comment)
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
                let without_refresh = prototype.is_some_and(|block| warps(&block));
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
        let mut above: Option<Block<'a>> = None;
        while let Some(block) = next.filter(|id| seen.insert((*id).to_owned())).and_then(|id| self.target.block(id)) {
            let (first, before) = (lines.len(), self.lost.borrow().len());
            self.check_place(&block, above.as_ref(), around);
            self.statement(&block, around, lines);
            self.locate(before, lines.get(first));
            next = block.next;
            above = Some(block);
        }
    }

    /// Names the line of what was lost in it; what was lost in its mouths has a line of its own.
    fn locate(&self, before: usize, line: Option<&String>) {
        for (place, _) in self.lost.borrow_mut().iter_mut().skip(before).filter(|(place, _)| place.is_none()) {
            *place = line.map(|line| line.trim().to_owned());
        }
    }

    /// Notes a block that the editor would not let stand where it is.
    fn check_place(&self, block: &Block<'a>, above: Option<&Block<'a>>, around: Around<'_>) {
        let shape = |block: &Block<'_>| match block.opcode {
            "procedures_definition" => "hat",
            "procedures_call" => "stack",
            // What else goes on stops nothing of its own script.
            "control_stop"
                if block.field("STOP_OPTION").is_some_and(|field| field.value.starts_with("other scripts")) =>
            {
                "stack"
            }
            _ if self.is_reporter_block(block) => "reporter",
            opcode => self.catalogue.blocks.get(opcode).map_or("stack", |entry| entry.shape.as_str()),
        };
        let own = shape(block);
        let is_first = above.is_none() && around.depth == 0;
        let goes_on = above.is_none_or(|above| !matches!(shape(above), "cap" | "reporter" | "boolean"));
        if matches!(own, "hat" | "reporter" | "boolean") && !is_first || !goes_on {
            let holder = above.map_or("a mouth", |above| above.opcode);
            self.lose(LossKind::NotBelow { opcode: holder.to_owned(), below: block.opcode.to_owned() });
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
        if let (Some(line), Some(remark)) = (lines.get_mut(first), self.remark(block)) {
            line.push_str(&escape::remark(remark));
        }
    }

    /// The remark fixed to a block. Those of reporters in its slots have no line of their own.
    fn remark(&self, block: &Block<'a>) -> Option<&'a str> {
        let id = block.comment?;
        let text = self.target.get("comments")?.get(id)?.get("text")?.as_str()?;
        self.remarked.borrow_mut().insert(id);
        Some(text)
    }

    pub(super) fn is_reporter_block(&self, block: &Block<'_>) -> bool {
        block.opcode.starts_with("argument_reporter_")
            || self.catalogue.blocks.get(block.opcode).is_some_and(is_reporter)
    }

    /// The catalogue's entry, if the block can be written by its label.
    pub(super) fn entry(&self, block: &Block<'_>) -> Option<&'static Entry> {
        let entry = self.catalogue.blocks.get(block.opcode).filter(|entry| !entry.shadowed)?;
        if !self.is_told_by_choice(block, entry) {
            return None;
        }
        // Words alone are a variable's name as well, and labels of blocks of one's own go before these.
        let is_taken = self.defined.contains_key(&entry.hash) || is_reporter(entry) && is_name(entry);
        (!(entry.yields && is_taken)).then_some(entry)
    }

    /// Whether a block is told by what is chosen in its menus from others with the same label: an entry of its own fixed menu, or in a menu
    /// that takes any name one that no other block's fixed menu has.
    fn is_told_by_choice(&self, block: &Block<'_>, entry: &Entry) -> bool {
        let menus = |entry: &'static Entry| entry.parts.iter().filter_map(fixed_menu);
        let is_other = |other: &&Entry| other.hash == entry.hash && !other.shadowed && other.parts != entry.parts;
        let others = || self.catalogue.blocks.values().filter(is_other);
        entry.parts.iter().all(|part| {
            let Part::Field { field, kind, options, open } = part else { return true };
            if kind != "menu" || others().next().is_none() {
                return true;
            }
            let value = block.field(field).map(|field| field.value).unwrap_or_default();
            let has =
                |options: &[(String, String)]| options.iter().any(|(_, known)| known.eq_ignore_ascii_case(&value));
            // What begins like an escaped name is taken by every fixed menu.
            let is_taken = || value.starts_with(NAME_PREFIX) || others().flat_map(menus).any(has);
            if *open { !is_taken() } else { has(options) }
        })
    }

    /// Notes what a block holds that the editor's block of its kind has no place for. Plain values there are never read.
    pub(super) fn check_slots(&self, block: &Block<'a>, entry: Option<&'static Entry>) {
        let Some(entry) = entry else { return self.lose(LossKind::UnknownBlock(block.opcode.to_owned())) };
        let is_known = |name: &str| entry.parts.iter().any(|part| part.name() == Some(name));
        for input in block.inputs().filter(|input| !is_known(input.name)) {
            let is_plain = match &input.value {
                None => true,
                Some(Slot::Primitive(primitive)) => !primitive.is_reporter(),
                Some(Slot::Block(id)) => self.target.block(id).is_none_or(|inner| self.is_literal(&inner)),
            };
            if !is_plain {
                self.lose(LossKind::UnknownSlot { opcode: block.opcode.to_owned(), slot: input.name.to_owned() });
            }
        }
        for part in &entry.parts {
            if let Part::Field { field, .. } = part
                && block.field(field).is_none()
            {
                self.lose(LossKind::NoChoice { opcode: block.opcode.to_owned(), field: field.clone() });
            }
        }
    }

    /// Prints a block by its label: one line, and for each mouth what is inside and the words after it.
    fn worded(&self, block: &Block<'a>, entry: &'static Entry, around: Around<'_>, lines: &mut Vec<String>) {
        let mut line = String::new();
        let mut mouths = false;
        self.check_slots(block, Some(entry));
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
        let id = match block.input(name).and_then(|input| input.value) {
            Some(Slot::Block(id)) if around.depth < MAX_DEPTH => id,
            Some(Slot::Primitive(primitive)) => {
                let (opcode, slot) = (block.opcode.to_owned(), name.to_owned());
                return self.lose(LossKind::Misfit { opcode, slot, inner: primitive.value });
            }
            _ => return,
        };
        let mut inner = Vec::new();
        self.stack(id, Around { depth: around.depth + 1, ..around }, &mut inner);
        lines.extend(inner.into_iter().map(|line| format!("  {line}")));
    }

    /// Prints a block by its opcode, with all that it holds by name.
    pub(super) fn by_opcode(&self, block: &Block<'a>, around: Around<'_>, lines: &mut Vec<String>) {
        let entry = self.catalogue.blocks.get(block.opcode);
        let mut line = format!("opcode {}", escape::words(block.opcode));
        self.check_slots(block, entry);
        let part = |name: &str| entry.and_then(|entry| entry.parts.iter().find(|part| part.name() == Some(name)));
        let is_known = |name: &str| entry.is_none() || part(name).is_some();
        for field in block.fields().filter(|field| is_known(field.name)) {
            let value = part(field.name)
                .map_or_else(|| escape::square_menu(&field.value), |part| self.part(block, part, around));
            append(&mut line, &format!("{} {value}", escape::text_slot(field.name)));
        }
        for input in block.inputs().filter(|input| is_known(input.name)) {
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
                let written = match part(input.name) {
                    Some(part @ Part::Input { .. }) => self.part(block, part, around),
                    _ => self.slot(input.value, false, None, around),
                };
                append(&mut line, &written);
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
    Printer::new(target, References::default()).statement(&block, around, &mut lines);
    lines.into_iter().next().unwrap_or_default()
}

/// The entries of a menu that takes no other name.
fn fixed_menu(part: &Part) -> Option<&[(String, String)]> {
    match part {
        Part::Field { kind, options, open: false, .. } if kind == "menu" => Some(options),
        _ => None,
    }
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
