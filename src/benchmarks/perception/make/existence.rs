//! Whether a block, or anything of a category, is visible.

use std::collections::BTreeSet;

use serde_json::json;

use super::Tag;
use super::canvas::{Block, Canvas};
use super::names::{are_alike, categories, category_of, is_list_block, kinds, name_of};
use super::question::Question;
use super::sight::{Sight, sight_of};

/// The questions about existence that this canvas answers.
pub(super) fn questions(canvas: &Canvas) -> Vec<Question> {
    let seen: Vec<(&Block, Sight)> = canvas.in_view().map(|(_, block)| (block, sight_of(canvas, block))).collect();
    let mut all = present(&seen);
    all.extend(absent(&seen));
    all.extend(colours(&seen));
    all
}

fn ask(tag: Tag, name: &str, derivation: serde_json::Value) -> Question {
    Question::yes_no(tag, format!("Is there any `{name}` block that is visible in the canvas?"), derivation)
}

fn present(seen: &[(&Block, Sight)]) -> Vec<Question> {
    let names: BTreeSet<String> = seen.iter().filter_map(|(block, _)| name_of(&block.opcode)).collect();
    let mut all = Vec::new();
    for name in names {
        let has = |wanted: Sight| {
            let found =
                seen.iter().find(|(block, sight)| *sight == wanted && name_of(&block.opcode).as_ref() == Some(&name));
            found.map(|(block, _)| block)
        };
        if let Some(block) = has(Sight::Clear) {
            all.push(ask(Tag::ExistenceYesClear, &name, json!({"block": block.opcode})));
        } else if let Some(block) = has(Sight::Occluded) {
            let letters: Vec<_> = block.labels.iter().map(|label| (&label.text, &label.seen)).collect();
            let share = (100.0 * block.seen / block.area).round();
            let derivation = json!({"block": block.opcode, "seen_percent": share, "letters": letters});
            all.push(ask(Tag::ExistenceYesOccluded, &name, derivation));
        }
    }
    all
}

/// Absent blocks, with and without a similar one on the canvas.
fn absent(seen: &[(&Block, Sight)]) -> Vec<Question> {
    // Also what is hidden counts as there: a pixel of it may show.
    let there: BTreeSet<String> = seen.iter().filter_map(|(block, _)| name_of(&block.opcode)).collect();
    let clear: BTreeSet<String> = seen
        .iter()
        .filter(|(_, sight)| *sight == Sight::Clear)
        .filter_map(|(block, _)| name_of(&block.opcode))
        .collect();
    let mut all = Vec::new();
    for kind in kinds().filter(|kind| !there.contains(&kind.name)) {
        let is_like =
            |opcode: &str, name: &str| category_of(opcode) == category_of(kind.opcode) && are_alike(name, &kind.name);
        let like =
            seen.iter().find_map(|(block, _)| name_of(&block.opcode).filter(|name| is_like(&block.opcode, name)));
        match like {
            None => all.push(ask(Tag::ExistenceNoAbsent, &kind.name, json!({"missing": kind.opcode}))),
            Some(name) if clear.contains(&name) => {
                all.push(ask(Tag::ExistenceNoConfusable, &kind.name, json!({"missing": kind.opcode, "like": name})));
            }
            Some(_) => {}
        }
    }
    all
}

/// Categories of which there is nothing but patches without letters, and those of which there is nothing.
fn colours(seen: &[(&Block, Sight)]) -> Vec<Question> {
    let patches: Vec<&Block> =
        seen.iter().filter(|(_, sight)| *sight == Sight::Unidentifiable).map(|(block, _)| *block).collect();
    if patches.is_empty() {
        return vec![];
    }
    // The green of extensions is near to that of operators, and lists have another one than variables.
    let has = |test: &dyn Fn(&str) -> bool| seen.iter().any(|(block, _)| test(&block.opcode));
    let unclear = [
        has(&|opcode| category_of(opcode).is_none()).then_some("operators"),
        has(&is_list_block).then_some("variables"),
    ];
    let mut all = Vec::new();
    for category in categories().filter(|category| !unclear.contains(&Some(*category))) {
        let of: Vec<Sight> = seen
            .iter()
            .filter(|(block, _)| category_of(&block.opcode) == Some(category))
            .map(|(_, sight)| *sight)
            .collect();
        if of.is_empty() {
            let patch = patches[0].opcode.as_str();
            all.push(ask(Tag::ExistenceNoUnidentifiable, category, json!({"patch": patch})));
        } else if of.contains(&Sight::Unidentifiable)
            && of.iter().all(|sight| matches!(sight, Sight::Unidentifiable | Sight::Hidden))
        {
            let of: Vec<&str> = patches
                .iter()
                .filter(|block| category_of(&block.opcode) == Some(category))
                .map(|block| block.opcode.as_str())
                .collect();
            all.push(ask(Tag::ExistenceYesUnidentifiable, category, json!({"patches": of})));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::fakes::{block, canvas, label};
    use super::*;

    /// The questions of one kind, as the names they ask for.
    fn asked(blocks: Vec<Block>, tag: Tag) -> Vec<String> {
        let name = |question: Question| question.instruction.split('`').nth(1).unwrap().to_owned();
        questions(&canvas(blocks)).into_iter().filter(|question| question.tag == tag).map(name).collect()
    }

    fn clear(opcode: &str) -> Block {
        block(opcode, (350.0, 200.0, 450.0, 232.0))
    }

    fn patch(opcode: &str) -> Block {
        let mut patch = clear(opcode);
        patch.seen = 400.0;
        patch.patch = 200.0;
        patch.labels = vec![label("turn", "0000")];
        patch
    }

    #[test]
    fn one_clear_block_settles_it() {
        let blocks = || vec![clear("motion_changexby"), patch("motion_changexby")];
        assert_eq!(asked(blocks(), Tag::ExistenceYesClear), ["change x by"]);
        assert!(asked(blocks(), Tag::ExistenceYesOccluded).is_empty());
    }

    #[test]
    fn like_blocks_make_absence_confusing() {
        let blocks = || vec![clear("motion_changexby")];
        let confusable = asked(blocks(), Tag::ExistenceNoConfusable);
        assert!(confusable.contains(&"change y by".to_owned()), "{confusable:?}");
        let absent = asked(blocks(), Tag::ExistenceNoAbsent);
        assert!(absent.contains(&"forever".to_owned()) && !absent.contains(&"change y by".to_owned()));
        assert!(!absent.contains(&"change x by".to_owned()));
    }

    #[test]
    fn a_block_that_may_show_a_pixel_is_not_called_absent() {
        let mut hidden = clear("looks_hide");
        hidden.seen = 0.0;
        assert!(!asked(vec![hidden], Tag::ExistenceNoAbsent).contains(&"hide".to_owned()));
    }

    #[test]
    fn patches_ask_for_categories() {
        let blocks = || vec![patch("motion_turnright"), clear("looks_hide")];
        assert_eq!(asked(blocks(), Tag::ExistenceYesUnidentifiable), ["motion"]);
        let none = asked(blocks(), Tag::ExistenceNoUnidentifiable);
        assert!(none.contains(&"sensing".to_owned()) && !none.contains(&"looks".to_owned()));
        assert!(
            asked(vec![patch("motion_turnright"), clear("motion_setx")], Tag::ExistenceYesUnidentifiable).is_empty()
        );
        assert!(asked(vec![clear("looks_hide")], Tag::ExistenceNoUnidentifiable).is_empty(), "no patch to doubt");
    }
}
