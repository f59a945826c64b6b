//! Tests of `env`.

use super::*;

#[test]
fn no_variable_is_listed_twice() {
    let mut names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ALL.len());
    assert!(names.iter().all(|name| name.starts_with("SCRATCHBED_")));
}
