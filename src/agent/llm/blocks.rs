//! The blocks that `add_block` makes, as a text for models: a line a block, by category.

use std::fmt::Write as _;

use crate::project::catalogue::{Catalogue, Part};

/// The palette's categories, in its order. Blocks of extensions are left out.
const CATEGORIES: [&str; 8] = ["motion", "looks", "sound", "event", "control", "sensing", "operator", "data"];
/// Choices of a menu that are listed.
const CHOICES: usize = 24;

/// All blocks of the palette without extensions.
pub(super) fn blocks() -> String {
    let mut text = String::new();
    for category in CATEGORIES {
        // Writing to a String can't fail.
        let _ = writeln!(text, "{category}:");
        let blocks = Catalogue::pinned().blocks.iter();
        for (opcode, entry) in blocks.filter(|(opcode, entry)| entry.palette && category_of(opcode) == category) {
            let label: Vec<String> = entry.parts.iter().map(part).collect();
            let _ = writeln!(text, "- {opcode} ({}): {}", entry.shape, label.join(" "));
        }
    }
    text
}

fn category_of(opcode: &str) -> &str {
    opcode.split_once('_').map_or("", |(category, _)| category)
}

/// A word, or a slot with its name and what is in it.
fn part(part: &Part) -> String {
    match part {
        Part::Words(words) => words.clone(),
        Part::Field { field, options, .. } => {
            let choices: Vec<&str> = options.iter().take(CHOICES).map(|(label, _)| label.as_str()).collect();
            if choices.is_empty() { format!("[{field}]") } else { format!("[{field}: {}]", choices.join("|")) }
        }
        Part::Input { input, boolean: true, .. } => format!("<{input}>"),
        Part::Input { input, value, .. } => match value {
            Some(value) if !value.is_empty() => format!("({input}: {value})"),
            _ => format!("({input})"),
        },
        Part::Statement { statement } => format!("{{{statement}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_has_a_line_with_its_slots() {
        let text = blocks();
        for line in [
            "- motion_movesteps (stack): move (STEPS: 10) steps",
            "- control_repeat (stack): repeat (TIMES: 10) {SUBSTACK}",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
        assert!(!text.contains("pen_"), "extensions are left out");
        assert!(text.len() < 9_000, "{}", text.len());
    }
}
