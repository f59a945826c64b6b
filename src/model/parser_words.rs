//! What parsers say about text that anybody may have written: they repeat it, and it may be long and hold any letter.

use crate::{is_unprintable, shown_name};

/// What serde says between the text's word and the words that would have been right, which are ours.
const EXPECTED: &str = ", expected ";
/// Letters of a message that are shown. The fields of the longest form of ours fit.
const LONGEST: usize = 1_000;

/// Returns the message of a parser in one line, with at most 80 letters of each word of the text that it repeats.
pub fn parser_words(message: &str) -> String {
    let message = message.trim();
    let Some((about, wanted)) = message.rsplit_once(EXPECTED) else {
        let part = |(at, part): (usize, &str)| if at % 2 == 1 { shown_name(part) } else { part.to_owned() };
        return cut(&message.split('`').enumerate().map(part).collect::<Vec<_>>().join("`"));
    };
    // What the text says begins with the first quote, and may have more of them.
    let (said, text) = about.split_at(about.find(['`', '"']).unwrap_or(about.len()));
    let text = if text.is_empty() { String::new() } else { shown_name(text) };
    format!("{}{text}{EXPECTED}{}", cut(said), cut(wanted))
}

fn cut(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if is_unprintable(letter) { '…' } else { letter });
    let mut shown: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_repeated_and_long_ones_are_cut() {
        for plain in [
            "unknown field `epoch`, expected one of `format`, `name`",
            "invalid type: string \"long\", expected u32",
            "invalid type: integer `5`, expected a string",
            "missing field `name`",
            "no dialect is called `x`: `a` and `b` are",
        ] {
            assert_eq!(parser_words(plain), plain);
        }
        let long = "x\u{1b}[2J`, ".repeat(50_000);
        for message in [
            format!("unknown field `{long}`, expected one of `format`, `name`"),
            format!("invalid type: string \"{long}\", expected u32"),
            format!("no dialect is called `{long}`"),
        ] {
            let told = parser_words(&message);
            assert!(told.chars().count() <= LONGEST + 200, "{told}");
            assert!(!told.contains(is_unprintable), "{told}");
        }
        let told = parser_words(&format!("unknown field `{}`, expected `name`", "x".repeat(100_000)));
        assert_eq!((told.matches('x').count() < 82, told.ends_with("`name`")), (true, true), "{told}");
    }
}
