//! Names, texts and values that a notation, an editor or a language may take for something else.

use serde_json::{Value, json};

use super::tape::Tape;

/// Words of the notation and its signs, words of the editor and of JavaScript, entities, numbers, spaces, and letters from
/// far away.
const WORDS: &[&str] = &[
    "thing",
    "score",
    "a",
    "b",
    "A",
    "end",
    "else",
    "define",
    "if",
    "then",
    "forever",
    "repeat",
    "until",
    "v",
    "v]",
    "v)",
    "::",
    ":: list",
    ":: variables",
    "::control",
    "//",
    "// no remark",
    "/",
    "{",
    "}",
    "{}",
    "(",
    ")",
    "()",
    "(a)",
    "<",
    ">",
    "<a>",
    "< >",
    "[",
    "]",
    "[a]",
    "[a v]",
    "\\",
    "\\\\",
    "\\n",
    "\\(",
    "@",
    "@turnright",
    "#",
    "#2",
    "#ff0000",
    "#FF0000",
    "#f00",
    "Stage's",
    "Stage",
    "_stage_",
    "_mouse_",
    "name:",
    "name:thing",
    "opcode",
    "opcode looks_say",
    "custom",
    "custom-arg",
    "list",
    "variables",
    "script",
    "sprite",
    "stage",
    "sprite \"x\"",
    "without-refresh",
    "move (10) steps",
    "say",
    "answer",
    "timer",
    "x position",
    "counter",
    "costume #",
    "random position",
    "mouse-pointer",
    "edge",
    "next backdrop",
    "all",
    "any",
    "true",
    "false",
    "null",
    "&lt;",
    "&amp;",
    "&#39;",
    "\"",
    "'",
    "%",
    "100%",
    "% s",
    "a,b",
    "=",
    "+",
    "-",
    "-1",
    "0",
    "007",
    "1e3",
    "3.14",
    "Infinity",
    "ß",
    "Straße",
    "Käse Ä",
    "🪁",
    "👩‍👩‍👧",
    "日本語",
    "__proto__",
];
/// More of the language's own.
const INHERITED: &[&str] = &["constructor", "hasOwnProperty", "toString", "__defineGetter__"];
/// Names in which spaces, breaks and placeholders matter.
const SPACED: &[&str] = &[
    " lead",
    "trail ",
    "two  spaces",
    "  both  ",
    " ",
    "  ",
    "line\nbreak",
    "\n",
    "tab\tbed",
    "tail\\",
    "cr\r\nlf",
    "a\u{a0}b",
    "a\u{2028}b",
    "back\u{8}space",
    "%s",
    "%b %n",
    "a %s b",
    "\u{200d}\u{feff}",
];

/// A name, which may be another's too.
pub fn name(tape: &mut Tape) -> String {
    match tape.below(20) {
        0..=10 => (*tape.pick(WORDS)).to_owned(),
        11 => (*tape.pick(INHERITED)).to_owned(),
        12..=14 => (*tape.pick(SPACED)).to_owned(),
        15..=17 => format!("{} {}", tape.pick(WORDS), tape.pick(WORDS)),
        18 => format!("{}{}", tape.pick(WORDS), tape.pick(SPACED)),
        _ => rare(tape),
    }
}

fn rare(tape: &mut Tape) -> String {
    match tape.below(3) {
        0 => String::new(),
        1 => format!("{} ", tape.pick(WORDS)).repeat(60),
        _ => tape.between(0, 2_000).to_string(),
    }
}

/// A text of a slot, an item or a comment.
pub fn text(tape: &mut Tape) -> String {
    match tape.below(10) {
        0..=2 => "hello".to_owned(),
        3 => String::new(),
        4 => format!("{}\n{}", name(tape), name(tape)),
        5 => format!("{} // {}", name(tape), name(tape)),
        _ => name(tape),
    }
}

/// What stands in a number's slot.
pub fn number(tape: &mut Tape) -> Value {
    const TEXTS: &[&str] = &[
        "10", "0", "-1", "", "0.5", "-0", "007", "1e3", "1E3", ".5", "5.", "+5", "0x10", "Infinity", " 5", "1,5",
        "NaN", "abc",
    ];
    match tape.below(10) {
        0..=6 => json!(tape.pick(TEXTS)),
        7 => json!(name(tape)),
        _ => json_number(tape),
    }
}

fn json_number(tape: &mut Tape) -> Value {
    let numbers = [0.0, 5.0, -1.0, 0.1, 1e21, 1e-7, 123_456_789.25, -0.000_000_1];
    match tape.below(3) {
        0 => json!(tape.between(0, 100)),
        1 => json!(-7),
        _ => json!(tape.pick(&numbers)),
    }
}

pub fn colour(tape: &mut Tape) -> Value {
    json!(tape.pick(&["#ff8800", "#000000", "#FFFFFF", "#aBcDeF"]))
}

/// The value of a variable or an item of a list: a text, a number or a truth value.
pub fn stored(tape: &mut Tape) -> Value {
    match tape.below(8) {
        0 | 1 => json_number(tape),
        2 => json!(tape.chance(50)),
        3 => number(tape),
        _ => json!(text(tape)),
    }
}
