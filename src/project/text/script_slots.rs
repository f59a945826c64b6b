//! Prints what is in the slots of blocks: values, menus, and reporters with their brackets.

use std::fmt::Write as _;

use crate::view::{Block, Primitive, Slot};

use super::catalogue::{Menu, Part, SlotKind};
use super::escape;
use super::script::{Around, MAX_DEPTH, Printer, append};

/// Prefix of a name that equals a fixed entry of its menu.
const NAME_PREFIX: &str = "name:";

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
                let value = block.field(field).map(|field| field.value).unwrap_or_default();
                let value = if value == OTHERS_OF_STAGE { OTHERS.to_owned() } else { value };
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

    pub(super) fn slot(
        &self,
        value: Option<Slot<'a>>,
        boolean: bool,
        shadow: Option<&str>,
        around: Around<'_>,
    ) -> String {
        let kind = self.catalogue.slot_kind(shadow);
        match value {
            Some(Slot::Block(id)) => match self.target.block(id) {
                Some(inner) if self.is_literal(&inner) => self.literal_block(&inner, kind),
                Some(inner) if around.depth < MAX_DEPTH => {
                    self.reporter(&inner, Around { depth: around.depth + 1, ..around })
                }
                _ => empty(boolean, kind),
            },
            Some(Slot::Primitive(primitive)) if primitive.is_reporter() => self.reporter_primitive(&primitive, around),
            Some(Slot::Primitive(primitive)) if !boolean => literal(&primitive, kind),
            _ => empty(boolean, kind),
        }
    }

    /// Whether a block is a slot's plain value or menu.
    pub(super) fn is_literal(&self, block: &Block<'_>) -> bool {
        block.shadow || self.catalogue.blocks.get(block.opcode).is_some_and(|entry| entry.hash == "_" && !entry.palette)
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

    pub(super) fn reporter_primitive(&self, primitive: &Primitive<'_>, around: Around<'_>) -> String {
        if primitive.kind == 13 {
            escape::list(&primitive.value)
        } else {
            escape::variable(self.catalogue, &primitive.value, around.parameters)
        }
    }

    /// Prints a reporter or predicate with its brackets.
    pub(super) fn reporter(&self, block: &Block<'a>, around: Around<'_>) -> String {
        let field = |name: &str| block.field(name).map(|field| field.value).unwrap_or_default();
        match block.opcode {
            "argument_reporter_boolean" => return escape::parameter(&field("VALUE"), true, around.parameters),
            "argument_reporter_string_number" => return escape::parameter(&field("VALUE"), false, around.parameters),
            "data_variable" => return escape::variable(self.catalogue, &field("VARIABLE"), around.parameters),
            "data_listcontents" => return escape::list(&field("LIST")),
            // Its category distinguishes it from a variable of that name.
            "control_get_counter" => return "(counter :: control)".to_owned(),
            _ => {}
        }
        let mut inner = String::new();
        if let Some(entry) = self.entry(block) {
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

fn empty(boolean: bool, kind: SlotKind<'_>) -> String {
    match kind {
        _ if boolean => "<>".to_owned(),
        SlotKind::Menu(_) => escape::round_menu(""),
        SlotKind::Text => escape::text_slot(""),
        _ => "()".to_owned(),
    }
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
