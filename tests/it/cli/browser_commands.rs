//! Subcommands that need Chromium, run as programs.

use crate::support::program::{Answer, Scratchbed};

/// The doctor looks at the handles of both editors through `editor-facts`. What works in the reference editor fetches it
/// sooner or later, so it is set up as well.
#[test]
fn a_second_set_up_redoes_nothing_and_the_doctor_finds_the_machine_healthy() {
    let scratchbed = Scratchbed::in_this_checkout();
    let set_up = || scratchbed.blocking_answer(&["setup", "--reference-editor"]);
    let first = set_up();
    let redid = |told: &Answer| told["steps"].as_array().unwrap().iter().any(|step| step["changed"] != false);
    assert_eq!(first.code, 0, "{first}");
    // Where everything was there before, this was the second set-up.
    let second = if redid(&first) { set_up() } else { first };
    assert!(!second["steps"].as_array().unwrap().is_empty() && !redid(&second), "{second}");
    assert!(second["steps"].as_array().unwrap().iter().all(|step| step["failed"] == false), "{second}");
    let answer = scratchbed.blocking_answer(&["doctor"]);
    assert_eq!(answer.code, 0, "{answer}");
    let checks = answer["checks"].as_array().unwrap();
    for name in ["chromium", "font", "editor package", "recognition", "browser", "editor handles", "webgl"] {
        assert!(checks.iter().any(|check| check["name"] == name && check["ok"] == true), "{name}: {answer}");
    }
    let handles = checks.iter().find(|check| check["name"] == "reference handles");
    let detail = handles.and_then(|check| check["detail"].as_str()).unwrap_or_default();
    assert!(detail.starts_with("ScratchBlocks true"), "{answer}");
}
