//! Knowledge of blocks that a person has: shapes, slots in reading order, labels of choices.

use super::colour;
use crate::project::catalogue::{Catalogue, Part};
use crate::solver::derive::{CALL, DEFINITION, Procedure, Tree};

/// What fits into a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A typed or chosen value, or any reporter.
    Value,
    Boolean,
    Mouth,
}

fn parts(opcode: &str) -> &'static [Part] {
    Catalogue::pinned().blocks.get(opcode).map(|entry| entry.parts.as_slice()).unwrap_or_default()
}

fn shape(opcode: &str) -> &'static str {
    Catalogue::pinned().blocks.get(opcode).map_or("stack", |entry| entry.shape.as_str())
}

/// Whether a block is the reporter of one variable, list or argument, whose name is all that is on it.
pub(super) fn is_named(opcode: &str) -> bool {
    matches!(opcode, "data_variable" | "data_listcontents") || opcode.starts_with("argument_reporter_")
}

/// Whether a block goes into slots.
pub(super) fn is_reporter(opcode: &str) -> bool {
    is_named(opcode) || matches!(shape(opcode), "reporter" | "boolean")
}

/// Whether nothing can be hung above a block.
pub(super) fn is_hat(opcode: &str) -> bool {
    opcode == DEFINITION || shape(opcode) == "hat"
}

/// The slots of a block, in the order in which they are read.
pub(super) fn slots(tree: &Tree) -> Vec<(String, Kind)> {
    match (&tree.procedure, tree.opcode.as_str()) {
        (Some(own), CALL) => arguments(own),
        (Some(_), DEFINITION) => Vec::new(),
        (_, opcode) => parts(opcode).iter().filter_map(slot).collect(),
    }
}

fn slot(part: &Part) -> Option<(String, Kind)> {
    match part {
        Part::Input { input, boolean, .. } => Some((input.clone(), if *boolean { Kind::Boolean } else { Kind::Value })),
        Part::Statement { statement } => Some((statement.clone(), Kind::Mouth)),
        Part::Words(_) | Part::Field { .. } => None,
    }
}

fn arguments(own: &Procedure) -> Vec<(String, Kind)> {
    let kinds = wording(&own.proccode).into_iter().filter_map(|piece| match piece {
        Piece::Label(_) => None,
        Piece::Argument { is_boolean } => Some(if is_boolean { Kind::Boolean } else { Kind::Value }),
    });
    own.argument_names.iter().cloned().zip(kinds).collect()
}

/// A piece of the wording of a block of the project's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Label(String),
    Argument {
        /// Whether it takes only predicates.
        is_boolean: bool,
    },
}

/// The wording of a block of the project's own, words that follow each other as one label.
pub(super) fn wording(proccode: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for word in proccode.split_whitespace() {
        match (word, pieces.last_mut()) {
            ("%s" | "%n" | "%b", _) => pieces.push(Piece::Argument { is_boolean: word == "%b" }),
            (_, Some(Piece::Label(label))) => {
                label.push(' ');
                label.push_str(word);
            }
            _ => pieces.push(Piece::Label(word.to_owned())),
        }
    }
    pieces
}

/// What the palette shows on a call of a block of the project's own.
pub(super) fn call_label(proccode: &str) -> String {
    let words = wording(proccode).into_iter().filter_map(|piece| match piece {
        Piece::Label(label) => Some(label),
        Piece::Argument { .. } => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// How a stored choice is shown: `_edge_` in a menu of touching reads "edge".
pub(super) fn shown<'a>(opcode: &str, field: &str, stored: &'a str) -> &'a str {
    let options = parts(opcode).iter().find_map(|part| match part {
        Part::Field { field: name, options, .. } if name == field => Some(options),
        Part::Input { input, shadow: Some(menu), .. } if input == field => {
            parts(menu).iter().find_map(|part| match part {
                Part::Field { options, .. } => Some(options),
                _ => None,
            })
        }
        _ => None,
    });
    let label = options.into_iter().flatten().find(|(_, value)| value == stored).map(|(label, _)| label.as_str());
    label.unwrap_or(match stored {
        "_stage_" => "Stage",
        "_myself_" => "myself",
        other => other,
    })
}

/// Whether a slot is for an angle, which can also be set on a dial.
pub(super) fn has_dial(opcode: &str, slot: &str) -> bool {
    let is_it = |part: &Part| matches!(part, Part::Input { input, shadow: Some(shadow), .. } if input == slot && shadow == "math_angle");
    parts(opcode).iter().any(is_it)
}

/// A text as the element list shows it: every run of blanks as one space.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two texts read the same in the element list, which leaves blanks out; `#f00` is `#ff0000`.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    match (colour::parts(one), colour::parts(other)) {
        (Some(one), Some(other)) => one == other,
        _ => squeezed(one) == squeezed(other),
    }
}

/// The row of the category menu under which the palette has a block.
pub(super) fn category(opcode: &str) -> &'static str {
    match opcode.split('_').next().unwrap_or_default() {
        "motion" => "Motion",
        "looks" => "Looks",
        "sound" => "Sound",
        "event" => "Events",
        "control" => "Control",
        "sensing" => "Sensing",
        "operator" => "Operators",
        "data" => "Variables",
        "pen" => "Pen",
        "music" => "Music",
        _ => "My Blocks",
    }
}

/// The extension that a block comes from, as its library calls it.
pub(super) fn extension(opcode: &str) -> Option<&'static str> {
    Some(category(opcode)).filter(|category| matches!(*category, "Pen" | "Music"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wording_is_labels_and_slots() {
        let piece = |label: &str| Piece::Label(label.to_owned());
        let slot = Piece::Argument { is_boolean: false };
        let expected = vec![piece("move letter"), slot.clone(), piece("by"), slot];
        assert_eq!(wording("move letter %s by %s"), expected);
        assert_eq!(call_label("move letter %s by %s"), "move letter by");
    }

    #[test]
    fn choices_are_read_as_they_are_shown() {
        assert_eq!(shown("sensing_touchingobject", "TOUCHINGOBJECTMENU", "_edge_"), "edge");
        assert_eq!(shown("sensing_touchingobject", "TOUCHINGOBJECTMENU", "Otter"), "Otter");
        assert!(has_dial("motion_pointindirection", "DIRECTION") && !has_dial("motion_turnright", "DEGREES"));
        assert_eq!(shown("event_whenkeypressed", "KEY_OPTION", "left arrow"), "left arrow");
    }

    #[test]
    fn shapes_come_from_the_editor() {
        assert!(is_reporter("operator_gt") && is_reporter("data_variable") && !is_reporter("control_if"));
        assert!(is_hat("event_whenflagclicked") && is_hat(DEFINITION) && !is_hat("control_forever"));
    }
}
