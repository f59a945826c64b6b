//! Prints scripts as notation, worded as the catalogue says.

use std::collections::BTreeSet;

use crate::project::view::{Block, Primitive, Slot, TargetView};

use super::catalogue::{Catalogue, Entry, Menu, Part, SlotKind};
use super::escape;

/// Blocks inside of one another that are still printed; a file that goes deeper is damaged.
const MAX_DEPTH: usize = 200;

/// Prefix of a name that equals a fixed entry of its menu.
const NAME_PREFIX: &str = "name:";

/// Prints the scripts of one target.
pub(super) struct Printer<'a> {
    target: TargetView<'a>,
    catalogue: &'static Catalogue,
    defined: BTreeSet<String>,
}

/// One printed script.
pub(super) struct Printed {
    /// The notation.
    pub text: String,
    /// Whether it is a definition that runs without screen refresh.
    pub without_refresh: bool,
}

/// What a statement is printed with.
#[derive(Clone, Copy)]
struct Around<'p> {
    parameters: &'p [String],
    depth: usize,
}

/// My Blocks by its words and parameters.
struct Signature {
    words: Vec<Option<String>>,
    booleans: Vec<bool>,
}

fn signature(proccode: &str) -> Signature {
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
    fn label(&self) -> String {
        self.words.iter().map(|word| word.as_deref().unwrap_or("_")).collect::<Vec<_>>().join(" ")
    }
}

/// The strings of a JSON list inside of a mutation's attribute.
fn names(block: &Block<'_>, attribute: &str) -> Vec<String> {
    block.attribute(attribute).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
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
    fn prototype(&self, definition: &Block<'a>) -> Option<Block<'a>> {
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
    fn entry(&self, block: &Block<'_>) -> Option<&'static Entry> {
        let entry = self.catalogue.blocks.get(block.opcode).filter(|entry| !entry.shadowed)?;
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
                if entry.braces {
                    line.push_str(" {");
                }
                lines.push(std::mem::take(&mut line));
                self.mouth(block, statement, around, lines);
                mouths = true;
            } else {
                append(&mut line, &self.part(block, part, around));
            }
        }
        if mouths {
            // What follows the last mouth is a picture without words.
            lines.push(if entry.braces { "}" } else { "end" }.to_owned());
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

    /// Prints a word or slot of a label.
    fn part(&self, block: &Block<'a>, part: &Part, around: Around<'_>) -> String {
        match part {
            Part::Words(words) => words.clone(),
            Part::Field { field, kind, options, open } => {
                let value = block.field(field).map(|field| field.value).unwrap_or_default();
                escape::square_menu(&if kind == "menu" {
                    shown(&Menu { field, options, open: *open }, &value)
                } else {
                    value
                })
            }
            Part::Input { input, boolean, shadow, .. } => {
                self.slot(block.input(input).and_then(|input| input.value), *boolean, shadow.as_deref(), around)
            }
            Part::Statement { .. } => String::new(),
        }
    }

    /// Prints what is in a slot.
    fn slot(&self, value: Option<Slot<'a>>, boolean: bool, shadow: Option<&str>, around: Around<'_>) -> String {
        let kind = self.catalogue.slot_kind(shadow);
        match value {
            Some(Slot::Block(id)) => match self.target.block(id) {
                Some(inner) if self.is_literal(&inner) => self.literal_block(&inner, kind),
                Some(inner) if around.depth < MAX_DEPTH => {
                    self.reporter(&inner, Around { depth: around.depth + 1, ..around })
                }
                _ => self.empty(boolean, kind),
            },
            Some(Slot::Primitive(primitive)) if primitive.is_reporter() => self.reporter_primitive(&primitive, around),
            Some(Slot::Primitive(primitive)) if !boolean => literal(&primitive, kind),
            _ => self.empty(boolean, kind),
        }
    }

    /// Whether a block is a slot's plain value or menu.
    fn is_literal(&self, block: &Block<'_>) -> bool {
        block.shadow || self.catalogue.blocks.get(block.opcode).is_some_and(|entry| entry.hash == "_" && !entry.palette)
    }

    fn empty(&self, boolean: bool, kind: SlotKind<'_>) -> String {
        match kind {
            _ if boolean => "<>".to_owned(),
            SlotKind::Menu(_) => escape::round_menu(""),
            SlotKind::Text => escape::text_slot(""),
            _ => "()".to_owned(),
        }
    }

    /// A plain value or menu that the file keeps as a block of its own.
    fn literal_block(&self, block: &Block<'_>, kind: SlotKind<'_>) -> String {
        let value = block.fields().next().map(|field| field.value).unwrap_or_default();
        let own = self.catalogue.slot_kind(Some(block.opcode));
        match (if kind == SlotKind::Unknown { own } else { kind }, own) {
            (SlotKind::Menu(_), SlotKind::Menu(_)) => {
                let menu = self.catalogue.menu(block.opcode);
                escape::round_menu(&menu.map_or(value.clone(), |menu| shown(&menu, &value)))
            }
            (SlotKind::Menu(_), _) => escape::round_menu(&value),
            (SlotKind::Number, _) => escape::number_slot(&value),
            (SlotKind::Colour, _) => escape::colour_slot(&value),
            (SlotKind::Text | SlotKind::Unknown, _) => escape::text_slot(&value),
        }
    }

    fn reporter_primitive(&self, primitive: &Primitive<'_>, around: Around<'_>) -> String {
        if primitive.kind == 13 {
            escape::list(&primitive.value)
        } else {
            escape::variable(self.catalogue, &primitive.value, around.parameters)
        }
    }

    /// Prints a reporter or predicate with its brackets.
    fn reporter(&self, block: &Block<'a>, around: Around<'_>) -> String {
        let field = |name: &str| block.field(name).map(|field| field.value).unwrap_or_default();
        match block.opcode {
            "argument_reporter_boolean" => return escape::parameter(&field("VALUE"), true, around.parameters),
            "argument_reporter_string_number" => return escape::parameter(&field("VALUE"), false, around.parameters),
            "data_variable" => return escape::variable(self.catalogue, &field("VARIABLE"), around.parameters),
            "data_listcontents" => return escape::list(&field("LIST")),
            _ => {}
        }
        let mut inner = String::new();
        if let Some(entry) = self.entry(block) {
            entry.parts.iter().for_each(|part| append(&mut inner, &self.part(block, part, around)));
            if entry.shape == "boolean" { format!("<{inner}>") } else { format!("({inner})") }
        } else {
            let boolean = self.catalogue.blocks.get(block.opcode).is_some_and(|entry| entry.shape == "boolean");
            let mut lines = Vec::new();
            self.by_opcode(block, around, &mut lines);
            inner = lines.join(" ");
            if boolean { format!("<{inner}>") } else { format!("({inner})") }
        }
    }

    /// Prints a block by its opcode, with all that it holds by name.
    fn by_opcode(&self, block: &Block<'a>, around: Around<'_>, lines: &mut Vec<String>) {
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

    /// Prints a `define` line.
    fn definition(&self, block: &Block<'a>) -> String {
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
    fn call(&self, block: &Block<'a>, around: Around<'_>) -> String {
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

fn is_reporter(entry: &Entry) -> bool {
    matches!(entry.shape.as_str(), "reporter" | "boolean")
}

/// A plain value that the file keeps inline.
fn literal(primitive: &Primitive<'_>, kind: SlotKind<'_>) -> String {
    let value = &primitive.value;
    match kind {
        SlotKind::Menu(_) => escape::round_menu(value),
        SlotKind::Number => escape::number_slot(value),
        SlotKind::Text => escape::text_slot(value),
        SlotKind::Colour => escape::colour_slot(value),
        SlotKind::Unknown => match primitive.kind {
            4..=8 => escape::number_slot(value),
            9 => escape::colour_slot(value),
            11 => escape::round_menu(value),
            _ => escape::text_slot(value),
        },
    }
}

/// What a menu shows for a value.
fn shown(menu: &Menu<'_>, value: &str) -> String {
    let labelled =
        |same: &dyn Fn(&str) -> bool| menu.options.iter().find(|(_, v)| same(v)).map(|(label, _)| label.clone());
    // The machine compares the values of fixed menus without regard to case, and old projects make use of that.
    let label = labelled(&|v| v == value)
        .or_else(|| if menu.open { None } else { labelled(&|v| v.eq_ignore_ascii_case(value)) });
    label.unwrap_or_else(|| {
        let taken =
            !menu.open || value.starts_with(NAME_PREFIX) || menu.options.iter().any(|(label, _)| label == value);
        if taken { format!("{NAME_PREFIX}{value}") } else { value.to_owned() }
    })
}

/// Adds a word to a line; a question mark closes up.
fn append(line: &mut String, word: &str) {
    if !(line.is_empty() || word == "?" || word.is_empty()) {
        line.push(' ');
    }
    line.push_str(word);
}
