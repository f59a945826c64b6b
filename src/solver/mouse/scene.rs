//! What an observation shows: the rows of its element list, read as a person reads the screen.

use serde_json::Value;

use crate::model::{Element, ElementType, Rect};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenBlock {
    pub opcode: String,
    /// What is written on it.
    pub label: String,
    pub on_canvas: bool,
}

/// A field of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenField {
    pub value: String,
    /// Name of the field or slot.
    pub name: String,
    /// What the block is that it is on.
    pub opcode: String,
    /// Whether a click on it opens a list of choices.
    pub is_menu: bool,
    pub on_canvas: bool,
}

/// A row of the list that is about blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Row {
    Block(SeenBlock, Rect),
    Field(SeenField, Rect),
}

/// One observation.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Scene {
    pub elements: Vec<Element>,
    /// Blocks and fields on the canvas and in the palette, in the order of the list.
    pub rows: Vec<Row>,
}

impl Scene {
    /// Reads the data of an observation; nothing is seen in one without elements.
    pub fn read(observation: &Value) -> Self {
        let elements = observation.get("elements").cloned().unwrap_or_default();
        let elements: Vec<Element> = serde_json::from_value(elements).unwrap_or_default();
        let rows = elements.iter().filter_map(row).collect();
        Self { elements, rows }
    }

    /// The first element of a kind whose text is this.
    pub fn find(&self, kind: ElementType, text: &str) -> Option<Rect> {
        self.search(kind, |shown| shown == text)
    }

    /// The first element of a kind whose text passes.
    pub fn search(&self, kind: ElementType, passes: impl Fn(&str) -> bool) -> Option<Rect> {
        let found = self.elements.iter().find(|element| element.kind == kind && passes(&element.text));
        found.map(|element| element.position)
    }

    /// Texts and places of all elements of a kind.
    pub fn all(&self, kind: ElementType) -> impl Iterator<Item = (&str, Rect)> {
        let wanted = self.elements.iter().filter(move |element| element.kind == kind);
        wanted.map(|element| (element.text.as_str(), element.position))
    }

    /// The part of the page that shows the canvas.
    pub fn canvas(&self) -> Option<Rect> {
        self.find(ElementType::Canvas, "canvas")
    }

    pub fn canvas_rows(&self) -> Vec<&Row> {
        let on_canvas = |row: &&Row| match row {
            Row::Block(block, _) => block.on_canvas,
            Row::Field(field, _) => field.on_canvas,
        };
        self.rows.iter().filter(on_canvas).collect()
    }

    /// Blocks in the palette that pass.
    pub fn in_palette(&self, passes: impl Fn(&SeenBlock) -> bool) -> Option<Rect> {
        self.rows.iter().find_map(|row| match row {
            Row::Block(block, place) if !block.on_canvas && passes(block) => Some(*place),
            _ => None,
        })
    }
}

const ON_CANVAS: &str = " on canvas";

fn row(element: &Element) -> Option<Row> {
    match element.kind {
        ElementType::Blocks => {
            let (name, label) = element.text.split_once(": ").unwrap_or((&element.text, ""));
            let opcode = name.strip_suffix(ON_CANVAS);
            let (opcode, on_canvas) = (opcode.unwrap_or(name).to_owned(), opcode.is_some());
            Some(Row::Block(SeenBlock { opcode, label: label.to_owned(), on_canvas }, element.position))
        }
        ElementType::Inputs => field(&element.text).map(|field| Row::Field(field, element.position)),
        _ => None,
    }
}

/// Reads `value: 10 field: STEPS of motion_movesteps on canvas`. Values may hold anything, so it is read from the end.
fn field(text: &str) -> Option<SeenField> {
    let rest = text.strip_prefix("value: ").or_else(|| text.strip_prefix("value:"))?;
    let (at, word, is_menu) = [(" field: ", false), (" dropdown: ", true), ("field: ", false), ("dropdown: ", true)]
        .into_iter()
        .filter_map(|(word, is_menu)| rest.rfind(word).map(|at| (at, word, is_menu)))
        .max_by_key(|(at, word, _)| at + word.len())?;
    let (value, named) = (&rest[..at], &rest[at + word.len()..]);
    let (name, opcode) = named.rsplit_once(" of ")?;
    let bare = opcode.strip_suffix(ON_CANVAS);
    Some(SeenField {
        value: value.trim().to_owned(),
        name: name.to_owned(),
        opcode: bare.unwrap_or(opcode).to_owned(),
        is_menu,
        on_canvas: bare.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_from_the_end() {
        let seen = |text: &str| field(text).map(|it| (it.value, it.name, it.opcode, it.is_menu, it.on_canvas));
        let owned = |value: &str, name: &str, opcode: &str, is_menu, on_canvas| {
            Some((value.to_owned(), name.to_owned(), opcode.to_owned(), is_menu, on_canvas))
        };
        assert_eq!(
            seen("value: 10 field: STEPS of motion_movesteps on canvas"),
            owned("10", "STEPS", "motion_movesteps", false, true)
        );
        assert_eq!(seen("value:  field: OPERAND1 of operator_gt"), owned("", "OPERAND1", "operator_gt", false, false));
        assert_eq!(
            seen("value: a field: b of c dropdown: VARIABLE of data_setvariableto on canvas"),
            owned("a field: b of c", "VARIABLE", "data_setvariableto", true, true)
        );
        assert_eq!(seen("value: Zinc placeholder: Name"), None);
    }

    #[test]
    fn blocks_have_an_opcode_and_a_label() {
        let element = |text: &str| Element {
            index: 0,
            kind: ElementType::Blocks,
            text: text.to_owned(),
            position: Rect::new(1, 2, 3, 4),
        };
        let block = |opcode: &str, label: &str, on_canvas| {
            let block = SeenBlock { opcode: opcode.to_owned(), label: label.to_owned(), on_canvas };
            Some(Row::Block(block, Rect::new(1, 2, 3, 4)))
        };
        assert_eq!(row(&element("looks_say on canvas: say a: b")), block("looks_say", "say a: b", true));
        assert_eq!(row(&element("looks_show")), block("looks_show", "", false));
    }
}
