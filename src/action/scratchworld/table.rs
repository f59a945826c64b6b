//! The element table that the reference's clients make: what they list, how recognised words join the elements, how rows
//! look, and which point an index stands for. Pure functions.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::elements::{ElementRow, ElementSelector};
use crate::model::Rect;
use crate::perceive::Word;

/// What is listed, in the order of the table.
const SELECTORS: [(&str, &str); 7] = [
    ("stage", "[data-testid='stage']"),
    ("canvas", ".blocklyMainBackground"),
    ("inputs", "input"),
    ("sprites", ".sprite-selector_sprite-wrapper_df7cJ"),
    ("blocks", ".blocklyDraggable"),
    ("flyout_buttons", ".blocklyFlyoutButton"),
    ("category_menu_item", ".scratchCategoryMenuItem"),
];

/// The arguments that name elements, each with the coordinates that it stands for.
const INDEXES: [(&str, &str, &str); 3] =
    [("index", "x", "y"), ("start_index", "start_x", "start_y"), ("end_index", "end_x", "end_y")];

/// A row of the table; its place is its index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) kind: String,
    pub(super) text: String,
    pub(super) position: Rect,
}

/// An index that no row has.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name} {index} is in no row of the element list, which has {rows}")]
pub(super) struct IndexFault {
    name: &'static str,
    index: Value,
    rows: usize,
}

pub(super) fn selectors() -> Vec<ElementSelector> {
    let selector = |(name, selector): (&str, &str)| ElementSelector { name: name.into(), selector: selector.into() };
    SELECTORS.map(selector).into()
}

/// The elements, followed by the words that lie in none of those that explain what is in them.
pub(super) fn fuse(elements: &[ElementRow], words: Vec<Word>) -> Vec<Row> {
    let explains = |element: &&ElementRow| {
        let on_canvas = element.block_name.as_ref().is_some_and(|name| name.contains("on canvas"));
        element.kind != "canvas" && !on_canvas
    };
    let is_left =
        |word: &Word| !elements.iter().filter(explains).any(|element| element.position.contains(&word.position));
    let word = |word: Word| Row { kind: "text".into(), text: shown(&word.text), position: word.position };
    let element = |element: &ElementRow| Row {
        kind: element.kind.clone(),
        text: element.block_name.clone().unwrap_or_else(|| shown(&element.text)),
        position: element.position,
    };
    elements.iter().map(element).chain(words.into_iter().filter(is_left).map(word)).collect()
}

/// A text without blanks around it, and without the quotation marks if it stands in some.
fn shown(text: &str) -> String {
    let text = text.trim();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).to_owned()
}

/// The rows as the model sees them.
pub(super) fn table(rows: &[Row]) -> String {
    let mut table = String::from("index    type    text    position");
    for (index, Row { kind, text, position: at }) in rows.iter().enumerate() {
        // Writing to a String can't fail.
        let _ = write!(table, "\n{index}    {kind}    {text}    ({}, {}) {}x{}", at.x, at.y, at.width, at.height);
    }
    table
}

/// The arguments with coordinates in the place of indexes. Coordinates that are given win.
///
/// # Errors
/// When an index that counts is that of no row.
pub(super) fn resolved(args: &Map<String, Value>, boxes: &[Rect]) -> Result<Map<String, Value>, IndexFault> {
    let mut resolved = args.clone();
    resolved.retain(|_, value| !value.is_null());
    for (name, x, y) in INDEXES {
        let Some(index) = resolved.remove(name) else { continue };
        if resolved.contains_key(x) && resolved.contains_key(y) {
            continue;
        }
        let place = index.as_u64().and_then(|place| usize::try_from(place).ok());
        let Some(at) = place.and_then(|place| boxes.get(place)) else {
            return Err(IndexFault { name, index, rows: boxes.len() });
        };
        let middle = at.center();
        resolved.insert(x.to_owned(), middle.x.into());
        resolved.insert(y.to_owned(), middle.y.into());
    }
    Ok(resolved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn element(kind: &str, text: &str, block: Option<&str>, position: Rect) -> ElementRow {
        ElementRow { index: 0, position, text: text.into(), kind: kind.into(), block_name: block.map(str::to_owned) }
    }

    fn word(text: &str, x: i32, y: i32) -> Word {
        Word { text: text.into(), position: Rect::new(x, y, 20, 10) }
    }

    #[test]
    fn what_is_listed_has_the_published_order_of_types() {
        let names: Vec<String> = selectors().into_iter().map(|selector| selector.name).collect();
        assert_eq!(names, ["stage", "canvas", "inputs", "sprites", "blocks", "flyout_buttons", "category_menu_item"]);
    }

    #[test]
    fn words_wholly_inside_an_element_go_unless_it_is_the_canvas_or_a_block_on_it() {
        let elements = [
            element("canvas", "", None, Rect::new(0, 0, 500, 500)),
            element("blocks", "", Some("motion_movesteps on canvas"), Rect::new(100, 100, 100, 40)),
            element("blocks", "", Some("motion_movesteps"), Rect::new(0, 600, 100, 40)),
            element("inputs", " \"x\" ", None, Rect::new(600, 0, 20, 10)),
        ];
        let words = vec![
            word("on bare canvas", 300, 300),
            word("on a block of the canvas", 110, 110),
            word("in the palette", 10, 610),
            word("its very box", 600, 0),
            word("one pixel out", 601, 0),
        ];
        let rows = fuse(&elements, words);
        let texts: Vec<(&str, &str)> = rows.iter().map(|row| (row.kind.as_str(), row.text.as_str())).collect();
        assert_eq!(
            texts,
            [
                ("canvas", ""),
                ("blocks", "motion_movesteps on canvas"),
                ("blocks", "motion_movesteps"),
                ("inputs", "x"),
                ("text", "on bare canvas"),
                ("text", "on a block of the canvas"),
                ("text", "one pixel out"),
            ]
        );
    }

    #[test]
    fn rows_are_numbered_from_0_and_parted_by_four_blanks() {
        let rows = fuse(&[element("sprites", "Boat", None, Rect::new(1, 93, 60, 45))], vec![word("\"Go\"", 5, 6)]);
        let expected = "index    type    text    position\n\
            0    sprites    Boat    (1, 93) 60x45\n\
            1    text    Go    (5, 6) 20x10";
        assert_eq!(table(&rows), expected);
        assert_eq!(table(&[]), "index    type    text    position");
    }

    #[test]
    fn an_index_is_the_middle_of_its_box_unless_coordinates_are_given() {
        let boxes = [Rect::new(10, 20, 5, 7), Rect::new(0, 0, 100, 50)];
        let of = |args: Value| resolved(args.as_object().unwrap(), &boxes).map(Value::Object);
        assert_eq!(of(json!({"index": 0})), Ok(json!({"x": 12.0, "y": 23.0})));
        assert_eq!(of(json!({"index": 0, "x": 1, "y": 2})), Ok(json!({"x": 1, "y": 2})));
        assert_eq!(of(json!({"index": 9, "x": 1, "y": 2})), Ok(json!({"x": 1, "y": 2})), "it does not count");
        assert_eq!(of(json!({"index": 1, "x": null, "y": null})), Ok(json!({"x": 50.0, "y": 25.0})));
        assert_eq!(
            of(json!({"start_index": 1, "end_x": 3, "end_y": 4})),
            Ok(json!({"start_x": 50.0, "start_y": 25.0, "end_x": 3, "end_y": 4}))
        );
        assert_eq!(of(json!({"text": "index"})), Ok(json!({"text": "index"})));
        for bad in [json!(2), json!(-1), json!(0.5), json!("0")] {
            let fault = of(json!({"end_index": bad})).unwrap_err().to_string();
            assert!(fault.starts_with("end_index") && fault.ends_with("which has 2"), "{fault}");
        }
    }
}
