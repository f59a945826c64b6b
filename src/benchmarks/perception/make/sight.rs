//! How well a block can be seen, from the letters and the area of it that are.

use super::canvas::{Block, Canvas};
use super::names::{category_of, kinds, name_of};

/// Square pixels of a block that are clearly visible.
const PATCH: f64 = 100.0;
/// Share of its area above which a block counts as uncovered: outlines overlap by a pixel or two.
const WHOLE: f64 = 0.97;
/// Shares of its area between which a block counts as partly covered.
const PARTLY: (f64, f64) = (0.2, 0.8);
/// Letters in a row that can be read.
const RUN: usize = 2;

/// How well a block can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    Clear,
    /// A part of it that identifies it.
    Occluded,
    /// A part of it without any letter: its colour gives the category.
    Unidentifiable,
    /// Something in between: no question is asked that depends on it.
    Doubtful,
    Hidden,
}

/// How well a block can be seen.
pub(super) fn sight_of(canvas: &Canvas, block: &Block) -> Sight {
    if block.seen <= 0.0 && block.labels.iter().all(|label| !label.seen.contains(['1', '?'])) {
        return Sight::Hidden;
    }
    let texts: Vec<(&str, &str)> = texts(block).collect();
    let is_whole = canvas.view.holds(&block.sides);
    let share = block.seen / block.area.max(1.0);
    let letters =
        || texts.iter().flat_map(|(text, seen)| text.chars().zip(seen.chars())).filter(|(letter, _)| *letter != ' ');
    if is_whole && share >= WHOLE && letters().all(|(_, seen)| seen == '1') {
        return Sight::Clear;
    }
    let is_patch = block.patch >= PATCH;
    if is_patch && letters().all(|(_, seen)| seen == '0') {
        return Sight::Unidentifiable;
    }
    let is_partly = (PARTLY.0..=PARTLY.1).contains(&share);
    let some_hidden = block.labels.iter().any(|label| label.seen.contains('0'));
    if is_whole && is_patch && is_partly && some_hidden && is_identified(block) {
        return Sight::Occluded;
    }
    Sight::Doubtful
}

/// The text on a block, with which letters are seen.
fn texts(block: &Block) -> impl Iterator<Item = (&str, &str)> {
    let labels = block.labels.iter().map(|label| (label.text.as_str(), label.seen.as_str()));
    labels.chain(block.fields.iter().map(|field| (field.text.as_str(), field.seen.as_str())))
}

/// Whether the words that are seen fit the name of this block and no other of its category.
fn is_identified(block: &Block) -> bool {
    let runs: Vec<String> = block.labels.iter().flat_map(|label| runs(&label.text, &label.seen)).collect();
    let Some(name) = name_of(&block.opcode) else { return false };
    if runs.is_empty() {
        return false;
    }
    let category = category_of(&block.opcode);
    kinds()
        .filter(|kind| category_of(kind.opcode) == category)
        .all(|kind| kind.name == name || !fits(&kind.words, &runs))
}

/// The letters that are seen side by side, and enough of them to be read.
fn runs(text: &str, seen: &str) -> Vec<String> {
    let mut runs = vec![String::new()];
    for (letter, seen) in text.chars().zip(seen.chars()) {
        match runs.last_mut() {
            Some(run) if seen == '1' => run.push(letter),
            _ => runs.push(String::new()),
        }
    }
    let is_short = text.chars().count() < RUN;
    runs.into_iter()
        .map(|run| run.trim().to_owned())
        .filter(|run| run.len() >= RUN || (is_short && !run.is_empty()))
        .collect()
}

/// Whether the runs stand in these words in their order.
fn fits(words: &[&str], runs: &[String]) -> bool {
    let text = words.join("\n");
    let mut rest = text.as_str();
    runs.iter().all(|run| match rest.find(run.as_str()) {
        Some(at) => {
            rest = &rest[at + run.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fakes::{block, canvas, label};
    use super::*;

    fn seen(opcode: &str, labels: &[(&str, &str)], share: f64) -> Sight {
        let mut block = block(opcode, (350.0, 200.0, 450.0, 232.0));
        block.labels = labels.iter().map(|(text, seen)| label(text, seen)).collect();
        block.seen = block.area * share;
        block.patch = block.seen / 2.0;
        sight_of(&canvas(vec![]), &block)
    }

    #[test]
    fn an_uncovered_block_is_clear() {
        assert_eq!(seen("looks_hide", &[("hide", "1111")], 1.0), Sight::Clear);
        assert_eq!(seen("looks_hide", &[("hide", "111?")], 1.0), Sight::Doubtful);
        assert_eq!(seen("looks_hide", &[("hide", "0000")], 0.0), Sight::Hidden);
    }

    #[test]
    fn letters_that_fit_one_name_identify() {
        let gone = ("seconds", "0000000");
        assert_eq!(seen("control_wait", &[("wait", "1111"), gone], 0.5), Sight::Doubtful, "or wait until");
        assert_eq!(seen("control_wait", &[("wait", "0000"), ("seconds", "0011111")], 0.5), Sight::Occluded);
        assert_eq!(seen("motion_turnright", &[("turn", "1111"), ("degrees", "1111000")], 0.5), Sight::Doubtful);
    }

    #[test]
    fn a_patch_without_letters_gives_only_the_category() {
        assert_eq!(seen("looks_hide", &[("hide", "0000")], 0.3), Sight::Unidentifiable);
        assert_eq!(seen("looks_hide", &[("hide", "0000")], 0.05), Sight::Doubtful);
        assert_eq!(seen("looks_hide", &[("hide", "0001")], 0.3), Sight::Doubtful);
    }

    #[test]
    fn runs_are_what_stands_side_by_side() {
        assert_eq!(runs("go to x:", "11011111"), ["go", "to x:"]);
        assert_eq!(runs("<", "1"), ["<"]);
        assert_eq!(runs("if", "?1"), Vec::<String>::new());
    }
}
