//! Escapes names and values so that the notation's parser reads them back unchanged.
//!
//! The rules mirror the parser's own (scratchblocks 3.7.1, `syntax/syntax.js` and `syntax/blocks.js`).

use std::fmt::Write as _;

use scratchbed_project::catalogue::Catalogue;

/// Characters that begin something inside of a label.
const SPECIAL: &[char] = &['(', ')', '[', ']', '<', '>', '{', '}', '\\', '@', '◂', '▸', '\n', '\t', '\r'];

/// A label as the parser compares it: without punctuation, in lower case.
pub(super) fn hash(words: &str) -> String {
    let spaced = words.replace('_', " _ ");
    let single = spaced.split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
    let plain: String = single.chars().filter(|c| !matches!(c, ',' | '%' | '?' | ':')).collect();
    let umlauts =
        plain.replace('ß', "ss").replace('ä', "a").replace('ö', "o").replace('ü', "u").replace(". . .", "...");
    let dots = if umlauts == "…" { "..." } else { &umlauts };
    dots.trim().to_lowercase()
}

/// The parser undoes HTML escapes before anything else; a backslash inside keeps them apart.
fn keep_entities(text: &str) -> String {
    text.replace("&lt;", "&\\lt;").replace("&gt;", "&\\gt;")
}

/// Words inside of a label, round menu or name in brackets.
pub(super) fn words(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| chars.get(i));
        let after = chars.get(i + 1);
        let escaped = match c {
            ' ' => before.is_none_or(|b| *b == ' ') || after.is_none_or(|a| *a == ' '),
            ':' => before == Some(&':'),
            '/' => after == Some(&'/'),
            other => SPECIAL.contains(&other),
        };
        if escaped {
            out.push('\\');
        }
        out.push(c);
    }
    keep_entities(&out)
}

/// The inside of square brackets.
fn bracketed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\' | '\n') {
            out.push('\\');
        }
        out.push(c);
    }
    keep_entities(&out)
}

pub(super) fn text_slot(text: &str) -> String {
    let mut inner = bracketed(text);
    if inner.ends_with(" v") {
        inner.truncate(inner.len() - 1);
        inner.push_str("\\v");
    }
    if is_hex_colour(text) { format!("[\\{inner}]") } else { format!("[{inner}]") }
}

pub(super) fn square_menu(shown: &str) -> String {
    format!("[{} v]", bracketed(shown))
}

pub(super) fn round_menu(shown: &str) -> String {
    format!("({} v)", words(shown))
}

/// A number slot; anything else goes into square brackets.
pub(super) fn number_slot(value: &str) -> String {
    if is_numeric(value) { format!("({value})") } else { text_slot(value) }
}

pub(super) fn colour_slot(value: &str) -> String {
    if is_hex_colour(value) { format!("[{value}]") } else { text_slot(value) }
}

/// Whether round brackets around it make a number slot.
pub(super) fn is_numeric(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_digit() || matches!(c, 'e' | '.' | '-'))
}

fn is_hex_colour(value: &str) -> bool {
    let Some(digits) = value.strip_prefix('#') else { return false };
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether the parser would read the first word as the beginning of a definition.
fn looks_like_definition(name: &str) -> bool {
    hash(name.split(' ').next().unwrap_or_default()) == "define"
}

/// Whether a name in brackets could be read as something other than a name.
fn is_ambiguous(name: &str) -> bool {
    let menu = name == "v" || name.ends_with(" v");
    name.is_empty() || is_numeric(name) || is_hex_colour(name) || menu || looks_like_definition(name)
}

/// `::` and what must follow it, for a name that is to be read in one of several ways.
fn mark(name: &str, kind: &str) -> String {
    let reset = looks_like_definition(name) || hash(name) == "...";
    format!(" :: {kind}{}", if reset { " reset" } else { "" })
}

/// A variable as a reporter; `is_double` where a list is written alike.
pub(super) fn variable(catalogue: &Catalogue, name: &str, parameters: &[String], is_double: bool) -> String {
    let plain = !is_double
        && !is_ambiguous(name)
        && !catalogue.reserved.contains(&hash(name))
        && !parameters.iter().any(|p| p == name);
    let mark = if plain { String::new() } else { mark(name, "variables") };
    format!("({}{mark})", words(name))
}

/// A list as a reporter.
pub(super) fn list(name: &str) -> String {
    format!("({}{})", words(name), mark(name, "list"))
}

/// A parameter of the definition around it, or of none.
pub(super) fn parameter(name: &str, boolean: bool, parameters: &[String]) -> String {
    let known = parameters.iter().any(|p| p == name) && !is_ambiguous(name);
    let mark = if known { String::new() } else { mark(name, "custom-arg") };
    let inner = format!("{}{mark}", words(name));
    if boolean { format!("<{inner}>") } else { format!("({inner})") }
}

pub(super) fn declared_parameter(name: &str, boolean: bool) -> String {
    // A numeric name is fine here: round brackets declare a parameter, with any contents.
    let mark = if is_ambiguous(name) && !(is_numeric(name) && !name.is_empty() && !boolean) {
        mark(name, "custom-arg")
    } else {
        String::new()
    };
    let inner = format!("{}{mark}", words(name));
    if boolean { format!("<{inner}>") } else { format!("({inner})") }
}

/// What must follow a call of a block of My Blocks, if its words mean something else as well.
pub(super) fn call_mark(catalogue: &Catalogue, label: &str, known: bool) -> &'static str {
    let label_hash = hash(label);
    if looks_like_definition(label)
        || label_hash == "opcode"
        || label_hash.starts_with("opcode ")
        || catalogue.reserved.contains(&label_hash)
    {
        " :: custom reset"
    } else if known {
        ""
    } else {
        " :: custom"
    }
}

/// A remark at the end of a line.
pub(super) fn remark(text: &str) -> String {
    let mut inner = String::with_capacity(text.len());
    let mut letters = text.chars().enumerate().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => inner.push_str("\\\\"),
            '\n' => inner.push_str("\\n"),
            '\r' => inner.push_str("\\r"),
            '\t' => inner.push_str("\\t"),
            ' ' if letters.peek().is_none() => inner.push_str("\\s"),
            ' ' if at == 0 => inner.push_str("\\ "),
            ' ' => inner.push(' '),
            // The parser cuts it off.
            blank if is_blank(blank) && (at == 0 || letters.peek().is_none()) => {
                // Writing to a String can't fail.
                let _ = write!(inner, "\\u{:04x}", u32::from(blank));
            }
            other => inner.push(other),
        }
    }
    format!(" // {}", keep_entities_in_remark(&inner))
}

/// Whether JavaScript takes a character for white space (ECMA-262, `WhiteSpace`); all of these have four hexadecimal digits.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

/// A remark is taken literally, so HTML escapes in it need a form that [`unremark`] undoes.
fn keep_entities_in_remark(text: &str) -> String {
    text.replace("&lt;", "&\\lt;").replace("&gt;", "&\\gt;")
}

/// The text of a remark as the parser gives it.
pub(super) fn unremark(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('r')) => out.push('\r'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some('s')) => out.push(' '),
            ('\\', Some('u')) => out.push_str(&blank(&mut chars)),
            ('\\', Some(other)) | (other, _) => out.push(other),
        }
    }
    out
}

/// The white space that four hexadecimal digits stand for; what is none is the letter u.
fn blank(chars: &mut std::str::Chars<'_>) -> String {
    let digits: String = chars.clone().take(4).collect();
    let found = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4).and_then(char::from_u32);
    let Some(blank) = found.filter(|found| is_blank(*found)) else { return "u".to_owned() };
    chars.nth(3);
    blank.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_what_the_parser_would_take_for_something_else() {
        assert_eq!(text_slot("hello"), "[hello]");
        assert_eq!(text_slot("a ] b \\"), "[a \\] b \\\\]");
        assert_eq!(text_slot("press v"), "[press \\v]");
        assert_eq!(text_slot("#ff0000"), "[\\#ff0000]");
        assert_eq!(text_slot("one\ntwo"), "[one\\\ntwo]");
        assert_eq!(text_slot("&lt;"), "[&\\lt;]");
    }

    #[test]
    fn slots_for_numbers_take_anything() {
        assert_eq!(number_slot("-1.5"), "(-1.5)");
        assert_eq!(number_slot(""), "()");
        assert_eq!(number_slot("Infinity"), "[Infinity]");
    }

    #[test]
    fn names_are_told_from_blocks_numbers_and_menus() {
        let catalogue = Catalogue::pinned();
        let variable = |name| variable(catalogue, name, &["step".to_owned()], false);
        assert_eq!(variable("score"), "(score)");
        assert_eq!(variable("answer"), "(answer :: variables)");
        assert_eq!(variable("Answer?"), "(Answer? :: variables)");
        assert_eq!(variable("10"), "(10 :: variables)");
        assert_eq!(variable("step"), "(step :: variables)");
        assert_eq!(variable("a v"), "(a v :: variables)");
        assert_eq!(variable("a  b"), "(a\\ \\ b)");
        assert_eq!(variable("define x"), "(define x :: variables reset)");
        assert_eq!(list("items (old)"), "(items \\(old\\) :: list)");
    }

    #[test]
    fn round_menus_escape_brackets() {
        assert_eq!(round_menu("(1) Snare Drum"), "(\\(1\\) Snare Drum v)");
        assert_eq!(round_menu("a::b"), "(a:\\:b v)");
    }

    #[test]
    fn remarks_survive_line_breaks() {
        let blanks = [" ", "  ", "\u{feff}", "x\u{feff}", "\u{a0}\u{a0}x", "\\u00a0", "\u{2028}"];
        for text in ["plain", "two\nlines", "back\\slash", " edge ", "a\\nb", "&lt;", ""].into_iter().chain(blanks) {
            let shown = remark(text);
            assert_eq!(unremark(shown.trim_start_matches(" // ").trim()), text, "{shown}");
        }
    }
}
