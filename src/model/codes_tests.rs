//! The table of codes: which of them void an attempt, and that its page is fresh.

use super::*;

/// A code that voids is a way out of an attempt that fails, unless no agent can bring it about.
#[test]
fn only_what_no_agent_can_bring_about_voids_its_attempt() {
    let all = || CODES.iter().flat_map(|(_, codes)| *codes);
    let voiding: Vec<&str> = all().filter(|code| code.voids).map(|code| code.code).collect();
    let wanted = [
        "browser_lost",
        "not_in_time",
        "page_not_recovered",
        "log_broken",
        "log_unwritable",
        "disk_full",
        "shutting_down",
        "no_editor",
        "task_not_built",
        "not_judged",
    ];
    assert_eq!(voiding, wanted);
    assert!(all().all(|code| !code.voids || code.blame == Blame::Testbed));
    assert!(voids("browser_lost") && !voids("deadline_exceeded") && !voids("unheard_of"));
}

#[test]
fn the_committed_table_is_fresh() {
    assert_eq!(include_str!("../../docs/CODES.md"), table(), "docs/CODES.md is stale: run `make gen`");
}
