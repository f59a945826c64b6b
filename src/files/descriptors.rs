//! How many files and connections this process may have open at the same time.

use std::sync::LazyLock;

use procfs::process::{LimitValue, Process};

/// The soft limit of this process, as it was when first asked for; none where there is no limit, or it can't be read.
pub fn most_open_files() -> Option<u64> {
    static MOST: LazyLock<Option<u64>> =
        LazyLock::new(|| match Process::myself().ok()?.limits().ok()?.max_open_files.soft_limit {
            LimitValue::Value(most) => Some(most),
            LimitValue::Unlimited => None,
        });
    *MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_read() {
        assert!(most_open_files().is_none_or(|most| most > 10));
    }
}
