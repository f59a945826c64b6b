//! Whether an idea repeats an existing task in other words.

use std::collections::BTreeSet;

/// Titles at least this similar count as the same (Jaro and Winkler, 0 to 1).
const SAME_TITLE: f64 = 0.93;
/// Instructions that share this part of their words count as the same.
const SAME_WORDS: f64 = 0.6;
const SHORT: usize = 4;

#[derive(Debug, Clone)]
pub(super) struct Known {
    pub id: String,
    pub title: String,
    pub instruction: String,
}

/// Why an idea is too similar to a known task, if it is.
pub(super) fn duplicate(new: &Known, known: &[Known]) -> Option<String> {
    known.iter().find_map(|old| {
        if new.id == old.id {
            return Some(format!("the name `{}` is taken", old.id));
        }
        if strsim::jaro_winkler(&plain(&new.title), &plain(&old.title)) >= SAME_TITLE {
            return Some(format!("its title is nearly that of `{}`: {}", old.id, old.title));
        }
        let shared = shared_words(&new.instruction, &old.instruction);
        (shared >= SAME_WORDS).then(|| format!("its instruction is nearly that of `{}`", old.id))
    })
}

fn plain(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric() || *letter == ' ');
    letters.collect::<String>().to_lowercase()
}

/// The part of all words of two texts that both have, 0 to 1.
fn shared_words(a: &str, b: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| word.chars().count() >= SHORT).map(str::to_lowercase).collect()
    };
    let (a, b) = (words(a), words(b));
    let all = a.union(&b).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let share = a.intersection(&b).count() as f64 / all.max(1) as f64;
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(id: &str, title: &str, instruction: &str) -> Known {
        Known { id: id.to_owned(), title: title.to_owned(), instruction: instruction.to_owned() }
    }

    #[test]
    fn names_titles_and_instructions_give_a_repetition_away() {
        let lantern = "Each click on the Lantern changes it over: a dark one becomes lit, a lit one becomes dark.";
        let tasks = [known("porch_lantern", "The lantern on the porch", lantern)];
        let reason = |id, title, text| duplicate(&known(id, title, text), &tasks);
        assert!(reason("porch_lantern", "x", "y").unwrap().contains("taken"));
        assert!(reason("lamp", "The Lantern on the Porch!", "y").unwrap().contains("title"));
        let copy =
            "Every click on the Lantern changes it over: the dark one becomes lit, the lit one becomes dark again.";
        assert!(reason("lamp", "A lamp", copy).unwrap().contains("instruction"));
        assert_eq!(
            reason("kite", "The kite in the wind", "The Kite rises 10 steps with each press of the space key."),
            None
        );
        assert_eq!(reason("kite", "", ""), None);
    }
}
