//! Tests of `runs`.

use super::*;
use crate::arms::signs::LONGEST_REASON;

#[test]
fn an_attempt_is_one_line_below_its_head() {
    let head = line(["done", "item", "attempt", "outcome", "reason"], 5);
    let failed = line(["3/24", "D_001", "1", "failed", &brief("said\n12/24  D_009  \u{1b}[2Jpassed")], 5);
    assert_eq!(head.find("outcome"), failed.find("failed"), "{head}\n{failed}");
    assert!(failed.starts_with("     3/24  D_001        1  failed ") && failed.lines().count() == 1, "{failed}");
    assert!(!failed.contains('\u{1b}'));
    assert_eq!(line(["3/24", "D_001", "1", "passed", ""], 5).split_whitespace().last(), Some("passed"));
    assert_eq!(brief(&"é".repeat(500)).chars().count(), LONGEST_REASON + 1);
}
