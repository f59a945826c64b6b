//! Tests of `count`.

use super::*;

#[test]
fn reasons_are_told_with_their_sum() {
    let lost = [LeftOut { why: "call_failed", count: 2 }, LeftOut { why: "unreadable", count: 1 }];
    assert_eq!(left_out_text(&lost), "3 left out (2 call_failed, 1 unreadable)");
    assert_eq!(left_out_text(&[]), "0 left out");
    assert_eq!(with_interval(Some(50.0), Some((9.45, 90.553))), "50.00 [9.45, 90.55]");
    assert_eq!((with_interval(None, None), with_missing(4, 0)), ("n/a".to_owned(), "4".to_owned()));
    assert_eq!(with_missing(58, 2), "58 (2 missing)");
    assert_eq!((percent(Some(200.0 / 3.0)), percent(None)), ("66.67".to_owned(), "n/a".to_owned()));
}
