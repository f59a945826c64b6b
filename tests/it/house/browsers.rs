//! Which tests start browsers of their own: those that kill, count or measure them. All others share.

use crate::support::{root, texts_below};

/// Ways of starting a browser that no other test uses.
const OWN: [&str; 4] = ["own_fleet()", "own_sessions(", "own_sessions_that_tell(", "Chromium::launch("];
/// Words in the name of a test that needs a browser of its own.
const REASONS: [&str; 3] = ["killed", "hangs", "two_browsers"];

/// Names of the functions of a file with their texts, helpers included.
fn functions(text: &str) -> Vec<(&str, &str)> {
    let begins = text.match_indices("fn ").filter(|(at, _)| at_item(&text[..*at]));
    let begins: Vec<usize> = begins.map(|(at, _)| at + "fn ".len()).collect();
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins.iter().zip(ends).map(|(begin, end)| text[*begin..end].split_once('(').unwrap_or_default()).collect()
}

/// Whether a function that is not inside another one may begin after this text.
fn at_item(before: &str) -> bool {
    let before = before.trim_end_matches("async ").trim_end_matches("pub ");
    before.is_empty() || before.ends_with('\n')
}

#[test]
fn only_tests_that_kill_count_or_measure_browsers_have_their_own() {
    let files = texts_below(&root().join("tests/it"), "rs");
    let shared = files
        .iter()
        .filter(|(path, _)| ["own_browser_", "/support/", "/house/"].iter().all(|part| !path.contains(part)));
    let functions =
        shared.flat_map(|(path, text)| functions(text).into_iter().map(move |(name, body)| (path, name, body)));
    let starters: Vec<_> = functions.filter(|(_, _, body)| OWN.iter().any(|way| body.contains(way))).collect();
    let faults: Vec<String> = starters
        .iter()
        .filter(|(_, name, _)| REASONS.iter().all(|reason| !name.contains(reason)))
        .map(|(path, name, _)| format!("{path}: {name}"))
        .collect();
    assert!(!starters.is_empty(), "the search finds nothing");
    assert!(faults.is_empty(), "use `in_shared_browsers`, or move to a module `own_browser_*`:\n{}", faults.join("\n"));
}

#[test]
fn a_browser_of_a_helpers_own_is_found() {
    let text = "fn one() {\n    two();\n}\n\nasync fn two() -> Fleet {\n    own_fleet().await\n}\n";
    let found = functions(text);
    assert_eq!(found.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["one", "two"]);
    assert!(found[1].1.contains(OWN[0]) && !found[0].1.contains(OWN[0]));
}
