//! Reading a drag out of a model's answer.
//!
//! The form asked for is `drag(start_point='<point>x y</point>', end_point='<point>x y</point>')`. Models have habits of
//! their own, and all forms that the reference implementation reads (`single_step_drag_benchmark`) are read here by one
//! mechanism: points with or without tags, boxes, bare numbers, and `<index>n</index>` for elements of the list. A box of
//! four numbers means its middle; the reference takes its upper left corner (docs/BENCHMARKS.md).

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::model::Point;

/// One end of a drag, as a model gives it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    /// Coordinates in the model's own units.
    Point(Point),
    /// An element of the list.
    Index(u64),
}

/// A drag as a model gives it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DragAnswer {
    pub start: Spot,
    /// Where to release.
    pub end: Spot,
}

impl DragAnswer {
    /// Whether an end is named by its number in the list.
    pub const fn has_index(&self) -> bool {
        matches!(self.start, Spot::Index(_)) || matches!(self.end, Spot::Index(_))
    }

    /// The same drag with its points in other units.
    pub fn map_points(self, map: impl Fn(Point) -> Point) -> Self {
        let spot = |spot| match spot {
            Spot::Point(point) => Spot::Point(map(point)),
            index @ Spot::Index(_) => index,
        };
        Self { start: spot(self.start), end: spot(self.end) }
    }
}

/// A call with its arguments; what its name goes on with (`drag_and_drop`) does not matter.
static CALL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\bdrag\w*\s*\(").ok());
/// The name of an argument, in a call or in JSON.
static START: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)\bstart_(?:point|box|index)["']?\s*[=:]"#).ok());
static END: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(?i)\bend_(?:point|box|index)["']?\s*[=:]"#).ok());
static INDEX: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)<index>\s*(\d+)\s*</index>").ok());
/// The same in words, such as `index 5`, `index=5` or `element index: 5`.
static INDEX_WORDS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)(?:\b|_)index["']?\s*[:=#]?\s*["']?(\d+)\b"#).ok());
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"-?\d+(?:\.\d+)?").ok());
/// Four numbers in brackets.
static FOUR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let number = r"\s*(-?\d+(?:\.\d+)?)\s*";
    Regex::new(&format!(r"[(\[]{number},{number},{number},{number}[)\]]")).ok()
});

/// The first drag in a text that has both ends; `None` if there is none. With `elements`, where a list was shown, words
/// such as `index 5` name elements as `<index>5</index>` does.
pub fn read_drag(text: &str, elements: bool) -> Option<DragAnswer> {
    let calls = CALL.as_ref()?.find_iter(text).map(|found| &text[found.end()..]);
    // An answer may have the arguments and no call around them.
    calls
        .map(|rest| named(rest, elements).or_else(|| in_order(rest, elements)))
        .chain(std::iter::once_with(|| named(text, elements).or_else(|| bare(text))))
        .flatten()
        .next()
}

/// Both ends by the names of the arguments.
fn named(rest: &str, elements: bool) -> Option<DragAnswer> {
    let start = START.as_ref()?.find(rest)?;
    let end = END.as_ref()?.find_at(rest, start.end())?;
    let first = &rest[start.end()..end.start()];
    let second = up_to_the_end(&rest[end.end()..]);
    let value = |name: &str, text: &str| match numbers(text)[..] {
        // The name of the argument says what the number is.
        [_] if elements && name.to_lowercase().contains("index") => element(text),
        _ => spot(text, elements),
    };
    Some(DragAnswer { start: value(start.as_str(), first)?, end: value(end.as_str(), second)? })
}

/// The only number of a text as that of an element.
fn element(text: &str) -> Option<Spot> {
    NUMBER.as_ref()?.find(text)?.as_str().parse().ok().map(Spot::Index)
}

/// Four numbers or two elements in brackets, without names. Outside of a call any numbers could be meant.
fn in_order(rest: &str, elements: bool) -> Option<DragAnswer> {
    let inside = up_to_the_end(rest);
    let indexes = [Some(&INDEX), elements.then_some(&INDEX_WORDS)].into_iter().flatten();
    for pattern in indexes {
        let named: Vec<u64> =
            pattern.as_ref()?.captures_iter(inside).filter_map(|found| found[1].parse().ok()).collect();
        if let [start, end] = named[..] {
            return Some(DragAnswer { start: Spot::Index(start), end: Spot::Index(end) });
        }
    }
    match numbers(inside)[..] {
        [start_x, start_y, end_x, end_y, ..] => Some(between([start_x, start_y, end_x, end_y])),
        _ => None,
    }
}

/// Four numbers in brackets and no call around them, if there is one such group alone, and none of the arguments' names:
/// a box of one end is not a drag.
fn bare(text: &str) -> Option<DragAnswer> {
    if START.as_ref()?.is_match(text) || END.as_ref()?.is_match(text) {
        return None;
    }
    let mut groups = FOUR.as_ref()?.captures_iter(text);
    let (Some(found), None) = (groups.next(), groups.next()) else { return None };
    let number = |place: usize| found[place].parse::<f64>().ok();
    Some(between([number(1)?, number(2)?, number(3)?, number(4)?]))
}

const fn between([start_x, start_y, end_x, end_y]: [f64; 4]) -> DragAnswer {
    DragAnswer { start: Spot::Point(Point::new(start_x, start_y)), end: Spot::Point(Point::new(end_x, end_y)) }
}

/// A call's arguments end with the line at the latest.
fn up_to_the_end(rest: &str) -> &str {
    rest.trim_start().lines().next().unwrap_or_default()
}

/// A point, the middle of a box of four numbers, or an element.
fn spot(text: &str, elements: bool) -> Option<Spot> {
    let in_words = || INDEX_WORDS.as_ref().filter(|_| elements)?.captures(text);
    if let Some(found) = INDEX.as_ref()?.captures(text).or_else(in_words) {
        return found[1].parse().ok().map(Spot::Index);
    }
    match numbers(text)[..] {
        [x, y] => Some(Spot::Point(Point::new(x, y))),
        [left, top, right, bottom] => {
            Some(Spot::Point(Point::new(f64::midpoint(left, right), f64::midpoint(top, bottom))))
        }
        _ => None,
    }
}

fn numbers(text: &str) -> Vec<f64> {
    let Some(number) = NUMBER.as_ref() else { return Vec::new() };
    number.find_iter(text).filter_map(|found| found.as_str().parse().ok()).collect()
}

#[cfg(test)]
#[path = "drag_answer_tests.rs"]
mod tests;
