//! What questions call blocks and categories: the words on a block in their order, dropdowns as a word in square
//! brackets, slots left out, colons dropped, operators as their signs.

use std::collections::BTreeSet;

use crate::project::catalogue::{Catalogue, Part};

/// The categories of the palette by the beginning of opcodes.
const CATEGORIES: [(&str, &str); 10] = [
    ("motion_", "motion"),
    ("looks_", "looks"),
    ("sound_", "sound"),
    ("event_", "events"),
    ("control_", "control"),
    ("sensing_", "sensing"),
    ("operator_", "operators"),
    ("data_", "variables"),
    ("procedures_", "my blocks"),
    ("argument_", "my blocks"),
];

/// What dropdowns are called, by the name of their field.
const CHOICES: [(&str, &str); 26] = [
    ("BACKDROP", "backdrop"),
    ("BROADCAST_OPTION", "message"),
    ("CLONE_OPTION", "sprite"),
    ("COSTUME", "costume"),
    ("CURRENTMENU", "unit"),
    ("DISTANCETOMENU", "object"),
    ("DRAG_MODE", "mode"),
    ("DRUM", "drum"),
    ("EFFECT", "effect"),
    ("FORWARD_BACKWARD", "direction"),
    ("FRONT_BACK", "position"),
    ("INSTRUMENT", "instrument"),
    ("KEY_OPTION", "key"),
    ("LIST", "list"),
    ("NUMBER_NAME", "property"),
    ("OBJECT", "object"),
    ("OPERATOR", "function"),
    ("PROPERTY", "property"),
    ("SOUND_MENU", "sound"),
    ("STOP_OPTION", "option"),
    ("STYLE", "style"),
    ("TO", "target"),
    ("TOUCHINGOBJECTMENU", "object"),
    ("TOWARDS", "target"),
    ("VARIABLE", "variable"),
    ("WHENGREATERTHANMENU", "sensor"),
];

/// Blocks that show a name of the project's own instead of words.
const NAMELESS: [&str; 2] = ["data_variable", "data_listcontents"];

/// Signs that are easily taken for each other.
const ALIKE: [&[&str]; 3] = [&["+", "-", "*", "/"], &["<", ">", "="], &["and", "or"]];

/// A block type of the palette that questions can name.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    pub(super) opcode: &'static str,
    pub(super) name: String,
    /// The words on it, as they stand between its slots.
    pub(super) words: Vec<&'static str>,
}

/// The category that a block belongs to by its colour; `None` for those of extensions.
pub(super) fn category_of(opcode: &str) -> Option<&'static str> {
    CATEGORIES.iter().find(|(prefix, _)| opcode.starts_with(prefix)).map(|(_, category)| *category)
}

/// All categories that questions ask for.
pub(super) fn categories() -> impl Iterator<Item = &'static str> {
    CATEGORIES.iter().map(|(_, category)| *category).collect::<BTreeSet<_>>().into_iter()
}

/// Whether a block belongs to a list: these share their category with variables, but not its colour.
pub(super) fn is_list_block(opcode: &str) -> bool {
    opcode.starts_with("data_") && opcode.contains("list")
}

/// All blocks of the editor's own palette that have a name.
pub(super) fn kinds() -> impl Iterator<Item = Kind> {
    Catalogue::pinned()
        .blocks
        .iter()
        .filter(|(opcode, entry)| entry.palette && category_of(opcode).is_some())
        .filter_map(|(opcode, entry)| {
            let name = name_of(opcode)?;
            let words = entry.parts.iter().filter_map(|part| match part {
                Part::Words(words) => Some(words.as_str()),
                _ => None,
            });
            Some(Kind { opcode, name, words: words.collect() })
        })
}

/// The name of a block in questions; `None` if it has none of its own, as variables and My Blocks.
pub(super) fn name_of(opcode: &str) -> Option<String> {
    let entry = Catalogue::pinned().blocks.get(opcode).filter(|entry| entry.palette)?;
    if NAMELESS.contains(&opcode) {
        return None;
    }
    let mut name = String::new();
    for part in &entry.parts {
        let word = match part {
            Part::Words(words) => words.replace(':', ""),
            Part::Field { field, .. } => bracketed(field)?,
            Part::Input { shadow: Some(shadow), .. } => match menu_of(shadow) {
                Some(field) => bracketed(field)?,
                None => continue,
            },
            Part::Input { .. } | Part::Statement { .. } => continue,
        };
        if !name.is_empty() && word != "?" {
            name.push(' ');
        }
        name.push_str(&word);
    }
    Some(name)
}

fn bracketed(field: &str) -> Option<String> {
    CHOICES.iter().find(|(name, _)| *name == field).map(|(_, word)| format!("[{word}]"))
}

/// The field of a default block that is a menu; `None` for those that are typed into or show a colour.
fn menu_of(shadow: &str) -> Option<&'static str> {
    if shadow == "colour_picker" {
        return None;
    }
    Catalogue::pinned().blocks.get(shadow)?.parts.iter().find_map(|part| match part {
        Part::Field { field, kind, .. } if kind != "value" => Some(field.as_str()),
        _ => None,
    })
}

/// Whether two names are easily taken for each other: one has the words of the other and more, or half of the words
/// agree, or they are signs of one kind.
pub(super) fn are_alike(a: &str, b: &str) -> bool {
    if a == b {
        return false;
    }
    if ALIKE.iter().any(|signs| signs.contains(&a) && signs.contains(&b)) {
        return true;
    }
    let words = |name: &'_ str| -> BTreeSet<String> {
        name.split(' ').filter(|word| !word.starts_with('[')).map(str::to_owned).collect()
    };
    let (a, b) = (words(a), words(b));
    let shared = a.intersection(&b).count();
    shared > 0 && (2 * shared >= a.len().max(b.len()) || shared == a.len().min(b.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_published_rules() {
        for (opcode, name) in [
            ("motion_movesteps", "move steps"),
            ("motion_gotoxy", "go to x y"),
            ("motion_goto", "go to [target]"),
            ("control_if_else", "if then else"),
            ("data_setvariableto", "set [variable] to"),
            ("event_whenkeypressed", "when [key] key pressed"),
            ("sensing_keypressed", "key [key] pressed?"),
            ("sensing_touchingobject", "touching [object]?"),
            ("operator_letter_of", "letter of"),
            ("operator_gt", ">"),
        ] {
            assert_eq!(name_of(opcode).as_deref(), Some(name));
        }
        assert_eq!(name_of("data_variable"), None);
        assert_eq!(name_of("procedures_call"), None);
    }

    #[test]
    fn every_block_of_the_palette_has_a_name() {
        let nameless: Vec<_> = Catalogue::pinned()
            .blocks
            .iter()
            .filter(|(opcode, entry)| entry.palette && category_of(opcode).is_some() && name_of(opcode).is_none())
            .map(|(opcode, _)| opcode.as_str())
            .collect();
        assert!(nameless.is_empty(), "{nameless:?}");
        assert!(kinds().count() > 100);
    }

    #[test]
    fn alike_is_what_a_glance_mixes_up() {
        for (a, b) in [
            ("change x by", "change y by"),
            ("turn right degrees", "turn left degrees"),
            ("say", "say for seconds"),
            ("if then", "if then else"),
            ("<", ">"),
            ("length of", "letter of"),
        ] {
            assert!(are_alike(a, b) && are_alike(b, a), "{a} and {b}");
        }
        for (a, b) in [("move steps", "hide"), ("show", "show"), ("+", "<"), ("forever", "repeat")] {
            assert!(!are_alike(a, b), "{a} and {b}");
        }
    }
}
