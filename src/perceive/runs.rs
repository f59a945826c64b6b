//! Joins adjacent words on a line into one text. Text recognition gives one word a box, and a list with a row for every
//! word of a sentence would bury the elements.

use super::Word;
use crate::model::Rect;

/// Joins neighbouring words and puts the texts in reading order. The result does not depend on the order
/// of the words, so that two readings of one picture number their texts alike.
pub(super) fn join(words: &[Word]) -> Vec<Word> {
    let mut left: Vec<Word> = words.to_vec();
    left.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut runs: Vec<Vec<Word>> = Vec::new();
    for word in left {
        // A word may close the gap between two runs only from their right ends, since words come by
        // their left edge: the last word of a run is the one that can go on.
        let fits =
            runs.iter_mut().filter(|run| run.last().is_some_and(|last| continues(&last.position, &word.position)));
        match fits.min_by_key(|run| run.last().map(|last| gap(&last.position, &word.position))) {
            Some(run) => run.push(word),
            None => runs.push(vec![word]),
        }
    }
    let mut texts: Vec<Word> = runs.iter().map(|run| whole(run)).collect();
    texts.sort_by(|a, b| reading(a).cmp(&reading(b)));
    texts
}

type Key<'a> = (i32, i32, i32, i32, &'a str);

fn place(word: &Word) -> Key<'_> {
    let Rect { x, y, width, height } = word.position;
    (x, y, width, height, &word.text)
}

fn reading(word: &Word) -> Key<'_> {
    let Rect { x, y, width, height } = word.position;
    (y, x, width, height, &word.text)
}

const fn gap(a: &Rect, b: &Rect) -> i32 {
    (b.x - (a.x + a.width)).abs()
}

/// Whether `b` goes on where `a` ends: on the same line, of about the same size, and a blank apart. A
/// blank is about a quarter of a letter's height and the rim of recognised boxes eats most of it; half
/// the height is less than the space between a label and the next slot of a block.
fn continues(a: &Rect, b: &Rect) -> bool {
    let (small, large) = (a.height.min(b.height), a.height.max(b.height));
    let shared = (a.y + a.height).min(b.y + b.height) - a.y.max(b.y);
    let same_line = shared * 10 >= small * 6 && large <= small * 2;
    let apart = b.x - (a.x + a.width);
    same_line && apart * 2 <= small && apart * 2 >= -small
}

/// The words of one run as a single text.
fn whole(run: &[Word]) -> Word {
    let left = run.iter().map(|w| w.position.x).min().unwrap_or_default();
    let top = run.iter().map(|w| w.position.y).min().unwrap_or_default();
    let right = run.iter().map(|w| w.position.x + w.position.width).max().unwrap_or_default();
    let bottom = run.iter().map(|w| w.position.y + w.position.height).max().unwrap_or_default();
    let text = run.iter().map(|w| w.text.trim()).collect::<Vec<_>>().join(" ");
    Word { text, position: Rect::new(left, top, right - left, bottom - top) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, x: i32, y: i32, width: i32) -> Word {
        Word { text: text.to_owned(), position: Rect::new(x, y, width, 14) }
    }

    #[test]
    fn words_a_blank_apart_are_one_text_and_slots_keep_them_apart() {
        let words = [
            word("name?", 150, 11, 40),
            word("What", 10, 10, 30),
            word("is", 44, 10, 10),
            word("say", 10, 40, 20),
            word("for", 60, 40, 18),
        ];
        let texts: Vec<String> = join(&words).into_iter().map(|w| w.text).collect();
        assert_eq!(texts, ["What is", "name?", "say", "for"]);
    }

    #[test]
    fn lines_stay_apart() {
        let words = [word("Backdrops", 10, 10, 50), word("1", 30, 28, 6)];
        assert_eq!(join(&words).len(), 2);
    }
}
