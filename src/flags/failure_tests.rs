//! Tests of `failure`.

use super::*;
use scratchbed::page::PageError;
use scratchbed::setup::SetupError;

#[test]
fn the_numbers_are_in_order_and_documented() {
    for (number, (status, _)) in Status::ALL.iter().enumerate() {
        assert_eq!(*status as usize, number);
    }
    assert!(Status::help().contains("  4  the machine is not set up"));
}

#[test]
fn causes_and_hint_are_shown_once_each() {
    let source = std::io::Error::other("disk full");
    let error = SetupError::File { what: "writing", path: "x".into(), source };
    let text = Failure::from(error).text();
    assert!(text.starts_with("error[file_failed]: writing x failed: disk full\n hint: "), "{text}");
}

#[test]
fn a_browser_that_builds_fails_as_any_other_and_a_draft_is_found_with_a_flag() {
    let failure = Failure::from(BuildError::Page(PageError::ChromiumMissing { looked_for: Vec::new() }));
    assert_eq!((failure.status(), failure.code()), (Status::Machine, "chromium_missing"));
    let failure = Failure::from(TasksetError::UnknownTask { id: "x".to_owned(), known: Vec::new(), is_draft: true });
    assert_eq!(failure.status(), Status::Input);
    assert!(failure.text().ends_with("there is a draft of this name: add --drafts"), "{}", failure.text());
}
