//! docs/CODES.md has every code that the rooms which answer callers can give, once, and no other.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;
use scratchbed::model::codes::CODES;

use crate::support::{root, texts_below};

/// How a code stands in the program: as an argument of what makes an error, or behind an arrow of a `code` function.
const FORMS: [&str; 4] = [
    r#"refused\(\s*"([a-z_]+)""#,
    r#"Problem::new\([^"]{0,80}"([a-z_]+)""#,
    r"\bfail\(\s*'([a-z_]+)'",
    r"(?s)fn code\(.*?\n    \}",
];
/// Codes that reach nobody who acts: of the lists of tasks and packs, of what researchers and this program's own parts ask,
/// and of what keeps a server from starting.
const INSIDE: [&str; 8] =
    ["already_evaluating", "not_evaluating", "overran", "threw", "unloadable", "ok", "token_too_short", "tokens_equal"];

fn codes_in(text: &str, found: &mut BTreeMap<String, String>, file: &str) {
    let arrow = Regex::new(r#"=> (?:\{\s*)?"([a-z_]+)""#).unwrap();
    for form in FORMS {
        for capture in Regex::new(form).unwrap().captures_iter(text) {
            match capture.get(1) {
                Some(code) => drop(found.insert(code.as_str().to_owned(), file.to_owned())),
                None => arrow
                    .captures_iter(&capture[0])
                    .for_each(|code| drop(found.insert(code[1].to_owned(), file.to_owned()))),
            }
        }
    }
}

/// Page functions that agents' actions call; the others answer the testbed itself.
fn is_an_agents(file: &str) -> bool {
    let own = [
        "/fn/add-",
        "/fn/catalogue",
        "/fn/connect-blocks",
        "/fn/delete-block",
        "/fn/detach-blocks",
        "/fn/set-",
        "/fn/select-target",
        "/fn/composite",
        "/fn/snapshot",
        "/fn/load-project",
        "/lib/edit.js",
        "/lib/field-edit",
        "/lib/new-block",
        "/lib/placement",
        "/lib/variables",
        "/lib/nearest",
        "/lib/choices",
        "/lib/lower-",
        "/lib/script-lines",
        "/lib/message-book",
        "/lib/held-blocks",
        "/lib/needed-extensions",
        "/fn/begin-report",
        "/fn/end-report",
        "/fn/play-project",
        "/fn/stop-project",
        "/fn/stage-place",
    ];
    own.iter().any(|part| file.contains(part))
}

#[test]
fn every_code_that_a_caller_can_meet_is_in_the_table() {
    let mut found = BTreeMap::new();
    for room in ["action", "http", "mcp", "session"] {
        for (file, text) in texts_below(&root().join("src").join(room), "rs") {
            if !file.contains("/scratchworld/") {
                codes_in(text.split("#[cfg(test)]").next().unwrap(), &mut found, &file);
            }
        }
    }
    for (file, text) in texts_below(&root().join("src/page/js"), "js") {
        if is_an_agents(&file) && !file.contains("/test/") {
            codes_in(&text, &mut found, &file);
        }
    }
    let listed: Vec<&str> = CODES.iter().flat_map(|(_, codes)| codes.iter().map(|code| code.code)).collect();
    let set: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(set.len(), listed.len(), "a code stands twice");
    let missing: Vec<_> =
        found.iter().filter(|(code, _)| !set.contains(code.as_str()) && !INSIDE.contains(&code.as_str())).collect();
    assert!(missing.is_empty(), "without cause and cure in src/model/codes.rs: {missing:#?}");
    // What the table has must stand somewhere, in whatever form.
    let everything: String = texts_below(&root().join("src"), "rs")
        .into_iter()
        .chain(texts_below(&root().join("src/page/js"), "js"))
        .filter(|(file, _)| !file.ends_with("model/codes.rs"))
        .map(|(_, text)| text)
        .collect();
    let gone: Vec<&&str> = set
        .iter()
        .filter(|code| ![format!("\"{code}\""), format!("'{code}'")].iter().any(|quoted| everything.contains(quoted)))
        .collect();
    assert!(gone.is_empty(), "no code of the program any more: {gone:?}");
}
