//! Pictures labelled by eye, and how an element list is scored against them.
//!
//! A label is found when a row that covers it says its text; an element is found when a row of its type
//! covers it without being much larger. A row is wrong when nothing at its box was labelled so.

use scratchbed::model::{Element, ElementType, Rect};
use serde::Deserialize;

use crate::support::root;

/// Pixels that a label drawn by eye may be off on each side.
const SLACK: i32 = 2;
/// Least share of a thing that a row's box must cover, in percent.
const COVERED_PERCENT: i64 = 85;
/// How many times larger than the visible thing a row's box may be: icons sit in larger hit areas.
const ROOM: i64 = 6;
/// Least share of a text row that must lie on a label, in percent.
const ON_LABEL_PERCENT: i64 = 50;

/// One page as a person sees it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labelled {
    pub state: String,
    #[expect(dead_code, reason = "it tells readers of the fixture how to reach the state")]
    how: String,
    pub labels: Vec<Label>,
    pub elements: Vec<Thing>,
    /// Text that shows through a dialog's veil: a list need not have it and is not wrong to.
    pub dimmed: Vec<Label>,
}

/// A piece of text and its box: left, top, width, height.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    pub text: String,
    #[serde(rename = "box")]
    bounds: (i32, i32, i32, i32),
}

/// Something that can be operated.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thing {
    #[serde(rename = "type")]
    pub kind: ElementType,
    pub what: String,
    #[serde(rename = "box")]
    bounds: (i32, i32, i32, i32),
}

/// What is amiss with a list.
#[derive(Debug)]
pub struct Score {
    pub missing_labels: Vec<String>,
    pub missing_elements: Vec<String>,
    pub wrong_rows: Vec<String>,
}

impl Labelled {
    /// Reads `tests/fixtures/observe/<state>.json`.
    pub fn read(state: &str) -> Self {
        let path = root().join(format!("tests/fixtures/observe/{state}.json"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// Scores a list.
    pub fn score(&self, rows: &[Element]) -> Score {
        let missing = |found: &dyn Fn(&Element) -> bool| !rows.iter().any(found);
        Score {
            missing_labels: self
                .labels
                .iter()
                .filter(|label| missing(&|row| says(row, label)))
                .map(|label| format!("{:?} at {:?}", label.text, label.bounds))
                .collect(),
            missing_elements: self
                .elements
                .iter()
                .filter(|thing| missing(&|row| is(row, thing)))
                .map(|thing| format!("{} ({}) at {:?}", thing.what, thing.kind, thing.bounds))
                .collect(),
            wrong_rows: rows
                .iter()
                .filter(|row| !self.is_right(row))
                .map(|row| format!("{} {} {:?} {:?}", row.index, row.kind, row.text, row.position))
                .collect(),
        }
    }

    fn is_right(&self, row: &Element) -> bool {
        if row.kind != ElementType::Text {
            return self.elements.iter().any(|thing| is(row, thing));
        }
        self.labels.iter().chain(&self.dimmed).any(|label| {
            let on_label = row.position.overlap(&grown(&rect(label.bounds), SLACK)) * 100;
            let (said, written) = (folded(&row.text), folded(&label.text));
            on_label >= row.position.area() * ON_LABEL_PERCENT && (said.contains(&written) || written.contains(&said))
        })
    }
}

fn says(row: &Element, label: &Label) -> bool {
    covers(&row.position, &rect(label.bounds)) && folded(&row.text).contains(&folded(&label.text))
}

fn is(row: &Element, thing: &Thing) -> bool {
    let seen = rect(thing.bounds);
    row.kind == thing.kind && covers(&row.position, &seen) && row.position.area() <= seen.area() * ROOM
}

fn covers(row: &Rect, seen: &Rect) -> bool {
    grown(row, SLACK).overlap(seen) * 100 >= seen.area() * COVERED_PERCENT
}

const fn rect((x, y, width, height): (i32, i32, i32, i32)) -> Rect {
    Rect::new(x, y, width, height)
}

const fn grown(rect: &Rect, by: i32) -> Rect {
    Rect::new(rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by)
}

/// Letters, digits and question marks, in lower case: blanks and small marks are not told apart by eye.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || *c == '?').flat_map(char::to_lowercase).collect()
}
