//! Tests of the text form that need no browser.

use super::*;

/// The example of the format's description.
fn example() -> &'static str {
    let doc = include_str!("../../../docs/PROJECT-TEXT.md");
    let start = doc.find("```text\n").unwrap() + "```text\n".len();
    &doc[start..start + doc[start..].find("```").unwrap()]
}

#[test]
fn the_documented_example_is_canonical() {
    let document = parse(example()).unwrap();
    assert_eq!(render(&document), example());
}
