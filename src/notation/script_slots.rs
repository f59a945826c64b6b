//! Prints what is in the slots of blocks: values, menus, and reporters with their brackets.

use std::fmt::Write as _;

use serde_json::Value;

use scratchbed_project::view::{Block, Primitive, Slot};

use super::escape;
use super::loss::LossKind;
use super::names::DataKind;
use super::script::{Around, MAX_DEPTH, Printer, append};
use scratchbed_project::catalogue::{Menu, Part, SlotKind};

/// Prefix of a name that equals a fixed entry of its menu.
pub(super) const NAME_PREFIX: &str = "name:";

/// What Scratch 2 called [`OTHERS`] in scripts of the stage. The VM takes both for the same; the editor lets a block
/// follow on its own word only.
const OTHERS_OF_STAGE: &str = "other scripts in stage";
const OTHERS: &str = "other scripts in sprite";

impl<'a> Printer<'a> {
    /// Prints a word or slot of a label.
    pub(super) fn part(&self, block: &Block<'a>, part: &Part, around: Around<'_>) -> String {
        match part {
            Part::Words(words) => words.clone(),
            Part::Field { field, kind, options, open } => {
                let found = block.field(field);
                let value = found.as_ref().map(|field| field.value.clone()).unwrap_or_default();
                let value = if value == OTHERS_OF_STAGE { OTHERS.to_owned() } else { value };
                let id = found.as_ref().and_then(|field| field.id);
                if let Some(found) =
                    found.as_ref().filter(|_| !matches!(kind.as_str(), "variable" | "list" | "broadcast"))
                {
                    self.check_type(found.raw);
                }
                escape::square_menu(&match kind.as_str() {
                    "menu" => shown(&Menu { field, options, open: *open }, &value),
                    "variable" => self.data_name(DataKind::Variable, id, &value),
                    "list" => self.data_name(DataKind::List, id, &value),
                    // A receiver goes by the name in its choice, whatever its id says (scratch-vm, `engine/runtime.js`, startHats).
                    "broadcast" if block.opcode == "event_whenbroadcastreceived" => self.received(value),
                    "broadcast" => self.sent(id, value),
                    _ => value,
                })
            }
            Part::Input { input, boolean, shadow, .. } => {
                let value = block.input(input).and_then(|input| input.value);
                self.check_value(block, input, *boolean, value.as_ref());
                self.slot(value, *boolean, shadow.as_deref(), around)
            }
            Part::Statement { .. } => String::new(),
        }
    }

    /// What the text writes for a variable or list; its name as it stands, where it can't be told which one is meant, or the id of another one.
    pub(super) fn data_name(&self, kind: DataKind, id: Option<&str>, name: &str) -> String {
        match self.references.form(kind, id, name) {
            Ok(form) => form.to_owned(),
            Err(loss) => {
                // Whoever reads the text all the same must not take it for what really has the name.
                let is_other = matches!(loss, LossKind::Unnameable { .. } | LossKind::OtherKind { .. });
                self.lose(loss);
                id.filter(|_| is_other).unwrap_or(name).to_owned()
            }
        }
    }

    /// The message that a sender means.
    fn sent(&self, id: Option<&str>, name: String) -> String {
        let id = id.filter(|id| !id.is_empty());
        if let Some(known) = self.references.message(id, &name) {
            return known.to_owned();
        }
        self.lose(LossKind::Message(name.clone()));
        name
    }

    /// The message that a receiver waits for.
    fn received(&self, name: String) -> String {
        if !self.references.has_message(&name) {
            self.lose(LossKind::Message(name.clone()));
        }
        name
    }

    /// Notes what a slot for a value can't hold in the notation.
    pub(super) fn check_value(&self, block: &Block<'a>, slot: &str, boolean: bool, value: Option<&Slot<'a>>) {
        let (opcode, slot) = (block.opcode.to_owned(), slot.to_owned());
        match value {
            None if !boolean => self.lose(LossKind::NoValue { opcode, slot }),
            Some(Slot::Primitive(primitive)) if boolean && primitive.is_reporter() => {
                self.lose(LossKind::Misfit { opcode, slot, inner: primitive.value.clone() });
            }
            Some(Slot::Block(id)) => {
                let Some(inner) = self.target.block(id).filter(|inner| !self.is_literal(inner)) else { return };
                let is_boolean = inner.opcode == "argument_reporter_boolean"
                    || self.catalogue.blocks.get(inner.opcode).is_some_and(|entry| entry.shape == "boolean");
                if !self.is_reporter_block(&inner) && self.catalogue.blocks.contains_key(inner.opcode)
                    || boolean && !is_boolean
                    || inner.next.is_some()
                {
                    self.lose(LossKind::Misfit { opcode, slot, inner: inner.opcode.to_owned() });
                }
            }
            _ => {}
        }
    }

    /// A colour, which Scratch loads in one form alone.
    fn colour(&self, value: &str) -> String {
        let digits = value.strip_prefix('#').filter(|digits| digits.len() == 6);
        if !digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit())) {
            self.lose(LossKind::Colour(value.to_owned()));
        }
        escape::colour_slot(value)
    }

    /// Notes a plain value that is no text and no number in the file.
    fn check_type(&self, raw: &Value) {
        if !(raw.is_string() || raw.is_number()) {
            self.lose(LossKind::TypedValue(raw.to_string()));
        }
    }

    pub(super) fn slot(
        &self,
        value: Option<Slot<'a>>,
        boolean: bool,
        shadow: Option<&str>,
        around: Around<'_>,
    ) -> String {
        let kind = self.catalogue.slot_kind(shadow);
        let menu = shadow.and_then(|shadow| self.catalogue.menu(shadow));
        match value {
            Some(Slot::Block(id)) => match self.target.block(id) {
                Some(inner) if self.is_literal(&inner) && boolean => {
                    self.condition_value(inner.fields().next().map(|field| field.value).unwrap_or_default())
                }
                Some(inner) if self.is_literal(&inner) => self.literal_block(&inner, (kind, menu)),
                Some(inner) if around.depth < MAX_DEPTH => {
                    self.reporter(&inner, Around { depth: around.depth + 1, ..around })
                }
                _ => empty(boolean, kind),
            },
            Some(Slot::Primitive(primitive)) if primitive.is_reporter() => self.reporter_primitive(&primitive, around),
            Some(Slot::Primitive(primitive)) if boolean => self.condition_value(primitive.value),
            Some(Slot::Primitive(primitive)) if primitive.kind == MESSAGE => {
                escape::round_menu(&self.sent(primitive.id, primitive.value))
            }
            Some(Slot::Primitive(primitive)) => {
                self.check_type(primitive.raw);
                if kind == SlotKind::Colour || kind == SlotKind::Unknown && primitive.kind == COLOUR {
                    return self.colour(&primitive.value);
                }
                literal(&primitive, (kind, menu))
            }
            _ => empty(boolean, kind),
        }
    }

    /// Whether a block is a slot's plain value or menu.
    pub(super) fn is_literal(&self, block: &Block<'_>) -> bool {
        block.shadow || self.catalogue.blocks.get(block.opcode).is_some_and(|entry| entry.hash == "_" && !entry.palette)
    }

    /// A condition that holds a plain value. Scratch takes an empty one, `0` and `false` for none.
    fn condition_value(&self, value: String) -> String {
        if !matches!(value.as_str(), "" | "0") && !value.eq_ignore_ascii_case("false") {
            self.lose(LossKind::ConditionValue(value));
        }
        empty(true, SlotKind::Unknown)
    }

    /// A plain value or menu that the file keeps as a block of its own.
    fn literal_block(&self, block: &Block<'a>, (kind, slot_menu): (SlotKind<'_>, Option<Menu<'_>>)) -> String {
        let field = block.fields().next();
        if let Some(field) = &field {
            self.check_type(field.raw);
        }
        if block.opcode == "event_broadcast_menu" {
            let id = field.as_ref().and_then(|field| field.id);
            return escape::round_menu(&self.sent(id, field.map(|field| field.value).unwrap_or_default()));
        }
        let value = field.map(|field| field.value).unwrap_or_default();
        let own = self.catalogue.slot_kind(Some(block.opcode));
        match (if kind == SlotKind::Unknown { own } else { kind }, own) {
            (SlotKind::Menu(_), own) => {
                let menu = if matches!(own, SlotKind::Menu(_)) { self.catalogue.menu(block.opcode) } else { slot_menu };
                choice(menu, &value)
            }
            (SlotKind::Number, _) => escape::number_slot(&value),
            (SlotKind::Colour, _) => self.colour(&value),
            (SlotKind::Text | SlotKind::Unknown, _) => escape::text_slot(&value),
        }
    }

    pub(super) fn reporter_primitive(&self, primitive: &Primitive<'_>, around: Around<'_>) -> String {
        let kind = if primitive.kind == 13 { DataKind::List } else { DataKind::Variable };
        self.data_reporter(kind, primitive.id, &primitive.value, around)
    }

    /// A variable or list as a reporter.
    fn data_reporter(&self, kind: DataKind, id: Option<&str>, name: &str, around: Around<'_>) -> String {
        let form = self.data_name(kind, id, name);
        if form.is_empty() {
            self.lose(LossKind::Unnameable { kind: kind.word(), name: form.clone() });
        }
        match kind {
            DataKind::List => escape::list(&form),
            DataKind::Variable => {
                let is_double = self.references.has_form(DataKind::List, &form);
                escape::variable(self.catalogue, &form, around.parameters, is_double)
            }
        }
    }

    /// A variable or list as a reporter that the file keeps as a block.
    fn data_block(&self, block: &Block<'a>, kind: DataKind, field: &str, around: Around<'_>) -> String {
        let field = block.field(field);
        let id = field.as_ref().and_then(|field| field.id);
        self.data_reporter(kind, id, field.as_ref().map(|field| field.value.as_str()).unwrap_or_default(), around)
    }

    /// Prints a reporter or predicate with its brackets.
    pub(super) fn reporter(&self, block: &Block<'a>, around: Around<'_>) -> String {
        let field = |name: &str| block.field(name).map(|field| field.value).unwrap_or_default();
        match block.opcode {
            "argument_reporter_boolean" => return escape::parameter(&field("VALUE"), true, around.parameters),
            "argument_reporter_string_number" => return escape::parameter(&field("VALUE"), false, around.parameters),
            "data_variable" => return self.data_block(block, DataKind::Variable, "VARIABLE", around),
            "data_listcontents" => return self.data_block(block, DataKind::List, "LIST", around),
            // Its category distinguishes it from a variable of that name.
            "control_get_counter" => return "(counter :: control)".to_owned(),
            _ => {}
        }
        let mut inner = String::new();
        if let Some(entry) = self.entry(block) {
            self.check_slots(block, Some(entry));
            entry.parts.iter().for_each(|part| append(&mut inner, &self.part(block, part, around)));
            // In a definition a name alone is the parameter's, unless its category says otherwise.
            if let (true, Some((category, _))) = (around.parameters.contains(&inner), block.opcode.split_once('_')) {
                let _ = write!(inner, " :: {category}");
            }
            if entry.shape == "boolean" { format!("<{inner}>") } else { format!("({inner})") }
        } else {
            let boolean = self.catalogue.blocks.get(block.opcode).is_some_and(|entry| entry.shape == "boolean");
            let mut lines = Vec::new();
            self.by_opcode(block, around, &mut lines);
            inner = lines.join(" ");
            if boolean { format!("<{inner}>") } else { format!("({inner})") }
        }
    }
}

/// The kind of a colour that is written in a slot.
const COLOUR: u64 = 9;
/// The kind of a message that is written in a slot.
const MESSAGE: u64 = 11;

fn empty(boolean: bool, kind: SlotKind<'_>) -> String {
    match kind {
        _ if boolean => "<>".to_owned(),
        SlotKind::Menu(_) => escape::round_menu(""),
        SlotKind::Text => escape::text_slot(""),
        _ => "()".to_owned(),
    }
}

/// A plain value that the file keeps inline.
fn literal(primitive: &Primitive<'_>, (kind, menu): (SlotKind<'_>, Option<Menu<'_>>)) -> String {
    let value = &primitive.value;
    match kind {
        SlotKind::Menu(_) => choice(menu, value),
        SlotKind::Number => escape::number_slot(value),
        SlotKind::Text => escape::text_slot(value),
        // Those of colours are written before.
        SlotKind::Colour => escape::colour_slot(value),
        SlotKind::Unknown => match primitive.kind {
            4..=8 => escape::number_slot(value),
            11 => escape::round_menu(value),
            _ => escape::text_slot(value),
        },
    }
}

/// A choice in a round menu.
fn choice(menu: Option<Menu<'_>>, value: &str) -> String {
    escape::round_menu(&menu.map_or_else(|| value.to_owned(), |menu| shown(&menu, value)))
}

/// What a menu shows for a value.
fn shown(menu: &Menu<'_>, value: &str) -> String {
    let labelled =
        |same: &dyn Fn(&str) -> bool| menu.options.iter().find(|(_, v)| same(v)).map(|(label, _)| label.clone());
    // The machine compares the values of fixed menus without regard to case, and old projects make use of
    // that.
    let label = labelled(&|v| v == value)
        .or_else(|| if menu.open { None } else { labelled(&|v| v.eq_ignore_ascii_case(value)) });
    label.unwrap_or_else(|| {
        let taken =
            !menu.open || value.starts_with(NAME_PREFIX) || menu.options.iter().any(|(label, _)| label == value);
        if taken { format!("{NAME_PREFIX}{value}") } else { value.to_owned() }
    })
}
