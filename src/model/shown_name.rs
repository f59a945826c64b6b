//! Names that come from files anybody may have written, as rows of tables show them.

/// Letters of a name that are shown.
const LONGEST: usize = 80;
/// What stands for all that is not shown.
const CUT: char = '…';

/// Returns a name as a row shows it: whole, with its blanks, but not longer than 80 letters, and with an ellipsis in
/// place of letters that can't be printed. Escaping is left to the format.
pub fn shown_name(name: &str) -> String {
    let mut shown = printable(name.trim());
    if shown.is_empty() {
        return CUT.to_string();
    }
    if shown.chars().count() > LONGEST {
        shown = shown.chars().take(LONGEST - 1).chain([CUT]).collect();
    }
    shown
}

/// Returns a text of any length with an ellipsis in place of letters that can't be printed.
pub fn printable(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        let letter = if is_unprintable(letter) { CUT } else { letter };
        if letter != CUT || !shown.ends_with(CUT) {
            shown.push(letter);
        }
    }
    shown
}

/// Returns true if a letter changes what stands around it instead of being seen: controls, directions of writing, marks
/// without width, ends of lines and paragraphs, tags, letters for private use.
pub fn is_unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_whole_or_cut_and_never_obeyed() {
        let long = "x".repeat(80);
        for (name, shown) in [
            ("gpt 5, high effort", "gpt 5, high effort"),
            ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
            ("  агент № 1 ", "агент № 1"),
            (long.as_str(), long.as_str()),
            ("a\u{1b}[2Jb\r\n=c", "a…[2Jb…=c"),
            ("ab\u{202e}\u{200b}dc", "ab…dc"),
            ("", "…"),
            ("\u{7}\u{7}", "…"),
        ] {
            assert_eq!(shown_name(name), shown, "{name:?}");
        }
        let cut = shown_name(&"ю ".repeat(100_000));
        assert_eq!((cut.chars().count(), cut.ends_with('…')), (80, true));
    }
}
