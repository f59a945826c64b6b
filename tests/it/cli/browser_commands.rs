//! Subcommands that need Chromium, run as programs.

use crate::cli::answers::{answer, scratchbed};

/// The doctor looks at the editor's handles through `editor-facts`.
#[test]
fn a_second_set_up_redoes_nothing_and_the_doctor_finds_the_machine_healthy() {
    assert_eq!(scratchbed(&["setup"]).status.code(), Some(0));
    let second = answer(&scratchbed(&["setup", "--json"]));
    for step in second["steps"].as_array().unwrap() {
        assert_eq!(step["changed"], false, "{second}");
    }
    let output = scratchbed(&["doctor", "--json"]);
    let answer = answer(&output);
    assert_eq!(output.status.code(), Some(0), "{answer}");
    let checks = answer["checks"].as_array().unwrap();
    for name in ["chromium", "font", "editor package", "recognition", "browser", "editor handles", "webgl"] {
        assert!(checks.iter().any(|check| check["name"] == name && check["ok"] == true), "{name}: {answer}");
    }
}
