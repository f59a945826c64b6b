//! The rules of tests that start the program: one harness does so, in checkouts of the tests' own.

use std::path::Path;

use regex::Regex;

use crate::support::{root, texts_below};

/// The harness, and the guards of browsers in tests of the library.
const HARNESS: &str = "tests/it/support/";
/// The test of `setup` and `doctor`, whose results contain the path of the checkout.
const OF_SET_UP: [&str; 1] = ["tests/it/cli/browser_commands.rs"];
/// Ways to write below the root, with an example of each.
const WRITES: [(&str, &str); 5] = [
    (
        r"(write|create|create_dir|create_dir_all|remove_file|remove_dir|remove_dir_all|set_permissions)\(\s*&?root\(\)",
        "fs::write(root().join(\"a\"), \"\")",
    ),
    (r"(copy|rename|symlink)\([^;]*,\s*&?root\(\)", "fs::copy(from, root().join(\"a\"))"),
    (r#"root\(\)\s*\.join\(\s*"runs"#, "root().join(\"runs/drag\")"),
    (r"at\(root\(\)\)\s*\.(runs|ledger|experiments|archives|workers|artefacts)\(\)", "Checkout::at(root()).workers()"),
    (r"Scratchbed::at\(\s*root\(\)", "Scratchbed::at(root())"),
];

/// Reads the sources of the tests except this one, with their paths below the root.
fn sources() -> Vec<(String, String)> {
    let all = texts_below(&root().join("tests/it"), "rs").into_iter().map(|(path, text)| {
        let path = Path::new(&path).strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        (path, text)
    });
    let sources: Vec<_> = all.filter(|(path, _)| !path.ends_with("house/tests_of_programs.rs")).collect();
    assert!(sources.len() > 100, "{} files", sources.len());
    sources
}

/// Returns the paths of sources that contain a text, except in allowed places.
fn with(text: &str, allowed: &[&str]) -> Vec<String> {
    let found = sources().into_iter().filter(|(_, source)| source.contains(text)).map(|(path, _)| path);
    found.filter(|path| !allowed.iter().any(|place| path.starts_with(place))).collect()
}

#[test]
fn the_harness_alone_names_the_program() {
    assert_eq!(with("CARGO_BIN_EXE_scratchbed", &[HARNESS]), [""; 0], "use support::program");
}

#[test]
fn no_test_writes_below_the_checkout() {
    let mut breaches = Vec::new();
    for (pattern, example) in WRITES {
        let pattern = Regex::new(pattern).unwrap();
        assert!(pattern.is_match(example), "{pattern} does not find {example}");
        let outside = sources().into_iter().filter(|(path, _)| !path.starts_with("tests/it/support/program/"));
        for (path, text) in outside {
            breaches.extend(pattern.find(&text).map(|found| format!("{path}: {}", found.as_str())));
        }
    }
    assert!(breaches.is_empty(), "use Scratchbed::runs or a temporary folder:\n{}", breaches.join("\n"));
    assert_eq!(with("in_this_checkout()", &[&OF_SET_UP[..], &["tests/it/support/program/"]].concat()), [""; 0]);
}
