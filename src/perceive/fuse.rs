//! Which recognised words the page's elements already contain (paper, appendix Q).

use super::{Seen, Word};
use crate::model::{ElementType, Rect};

/// A word is the same as a text of the page when at least this share of its box lies on it, in percent.
/// Recognised boxes have a rim of a few pixels, so they are rarely inside the text's own tight box.
const SAME_TEXT_PERCENT: i64 = 60;

/// The words that no element explains, in the order given.
pub(super) fn unexplained(seen: &[Seen], words: &[Word]) -> Vec<Word> {
    let is_known = |word: &&Word| seen.iter().any(|one| explains(one, &word.position) || repeats(one, word));
    words.iter().filter(|word| !is_known(word)).cloned().collect()
}

/// Places where a word would add nothing, so that text recognition need not look there.
pub fn explained(seen: &[Seen]) -> Vec<Rect> {
    seen.iter().filter(|one| drops(one)).map(|one| one.position).collect()
}

/// Whether a word at this place adds nothing to the element.
fn explains(seen: &Seen, word: &Rect) -> bool {
    match seen.kind {
        ElementType::Text => {
            seen.position.overlap(word) * 100 >= word.area() * SAME_TEXT_PERCENT && word.area() > 0
                || seen.position.contains(word)
        }
        _ => drops(seen) && seen.position.contains(word),
    }
}

/// Whether a word is one of those that a block on the canvas is named with.
fn repeats(seen: &Seen, word: &Word) -> bool {
    let named = is_on_canvas(&seen.text).then(|| seen.text.split_once(':')).flatten();
    let Some((_, label)) = named.filter(|_| seen.kind == ElementType::Blocks) else { return false };
    let letters =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let read = letters(&word.text);
    let lies_on_it = seen.position.overlap(&word.position) * 100 >= word.position.area() * SAME_TEXT_PERCENT;
    !read.is_empty() && lies_on_it && letters(label).contains(&read)
}

/// Whether an element drops the words inside it. The published rule leaves out the canvas and the blocks
/// on it. The stage, dialogs and comments hold other things in the same way, and their boxes were not in
/// the published lists, so they are left out too.
pub(super) fn drops(seen: &Seen) -> bool {
    match seen.kind {
        ElementType::Canvas | ElementType::Stage | ElementType::Dialogs | ElementType::Comments => false,
        ElementType::Blocks => !is_on_canvas(&seen.text),
        _ => true,
    }
}

/// Blocks on the canvas are named "opcode on canvas", with what is written on them after a colon.
fn is_on_canvas(text: &str) -> bool {
    text.split(':').next().is_some_and(|name| name.ends_with(" on canvas"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(kind: ElementType, text: &str) -> Seen {
        Seen { kind, text: text.to_owned(), position: Rect::new(0, 0, 100, 40), point: None }
    }

    #[test]
    fn blocks_in_the_palette_drop_words_and_blocks_on_the_canvas_do_not() {
        assert!(drops(&seen(ElementType::Blocks, "motion_movesteps: move 10 steps")));
        assert!(!drops(&seen(ElementType::Blocks, "motion_movesteps on canvas: move 10 steps")));
        assert!(drops(&seen(ElementType::Blocks, "looks_say: say on canvas")));
    }

    #[test]
    fn words_in_the_name_of_a_canvas_block_are_not_repeated() {
        let block = seen(ElementType::Blocks, "looks_switchcostumeto on canvas: switch costume to wings up");
        let word = |text: &str, x| Word { text: text.to_owned(), position: Rect::new(x, 10, 30, 12) };
        let read = [word("switch", 4), word("Costume", 40), word("lantern", 60), word("switch", 300), word("-", 20)];
        let left: Vec<(String, i32)> =
            unexplained(&[block], &read).into_iter().map(|word| (word.text, word.position.x)).collect();
        assert_eq!(left, [("lantern".to_owned(), 60), ("switch".to_owned(), 300), ("-".to_owned(), 20)]);
    }

    #[test]
    fn edges_count_as_inside() {
        let button = seen(ElementType::Buttons, "OK");
        assert!(explains(&button, &Rect::new(0, 0, 100, 40)));
        assert!(!explains(&button, &Rect::new(0, 0, 101, 40)));
    }

    #[test]
    fn a_word_with_a_rim_around_a_text_is_that_text() {
        let label = Seen { position: Rect::new(10, 10, 30, 11), ..seen(ElementType::Text, "Sprite") };
        assert!(explains(&label, &Rect::new(8, 8, 34, 15)));
        assert!(!explains(&label, &Rect::new(35, 10, 30, 11)));
    }
}
