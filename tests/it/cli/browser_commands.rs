//! Subcommands that need Chromium, run as programs.

use crate::support::program::Scratchbed;

/// The doctor looks at the editor's handles through `editor-facts`.
#[test]
fn a_second_set_up_redoes_nothing_and_the_doctor_finds_the_machine_healthy() {
    let scratchbed = Scratchbed::in_this_checkout();
    assert_eq!(scratchbed.blocking_answer(&["setup"]).code, 0);
    let second = scratchbed.blocking_answer(&["setup"]);
    let steps = second["steps"].as_array().unwrap();
    assert!(!steps.is_empty() && steps.iter().all(|step| step["changed"] == false), "{second}");
    let answer = scratchbed.blocking_answer(&["doctor"]);
    assert_eq!(answer.code, 0, "{answer}");
    let checks = answer["checks"].as_array().unwrap();
    for name in ["chromium", "font", "editor package", "recognition", "browser", "editor handles", "webgl"] {
        assert!(checks.iter().any(|check| check["name"] == name && check["ok"] == true), "{name}: {answer}");
    }
}
