//! How much tests look at: a sample that the date chooses, or everything. It stands alone, so that the tests of crates
//! and of the library's own modules take it in, too.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns true if the tests that look at a sample look at everything: the variable `SCRATCHBED_TESTS` is `all`.
pub fn everything() -> bool {
    std::env::var("SCRATCHBED_TESTS").is_ok_and(|asked| asked == "all")
}

/// The number of today, in UTC.
pub fn day() -> usize {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    usize::try_from(now.as_secs() / 86_400).unwrap()
}
