//! Tests of `memory`.

use super::*;

#[test]
fn four_ways_are_understood() {
    assert_eq!((kind("on"), kind("off")), (Ok(Kind::On), Ok(Kind::Off)));
    assert_eq!(kind("from:runs/a"), Ok(Kind::From("runs/a".into())));
    assert_eq!(kind("frozen:a:b"), Ok(Kind::Frozen("a:b".into())));
    for text in ["", "ON", "from", "from:", "frozen:", "on:x", "thawed:x", ":x"] {
        assert!(kind(text).is_err(), "{text}");
    }
}
