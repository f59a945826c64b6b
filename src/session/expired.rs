//! The names of sessions that expired, kept for a while so that their callers learn what happened.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// How long a name is kept.
const KEPT_FOR: Duration = Duration::from_secs(3600);
/// How many are kept at most; the oldest goes first.
const KEPT: usize = 1000;

/// Names with the time of their end, oldest first.
#[derive(Debug, Default)]
pub(super) struct Expired {
    names: VecDeque<(Instant, String)>,
}

impl Expired {
    /// Remembers a name, and forgets those that are old.
    pub(super) fn add(&mut self, name: String) {
        self.names.push_back((Instant::now(), name));
        while self.names.len() > KEPT || self.names.front().is_some_and(|(when, _)| when.elapsed() > KEPT_FOR) {
            self.names.pop_front();
        }
    }

    /// Whether a session of this name expired not long ago.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|(when, known)| known == name && when.elapsed() <= KEPT_FOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn names_are_forgotten_after_an_hour_and_never_too_many_kept() {
        let mut expired = Expired::default();
        expired.add("first".into());
        assert!(expired.has("first") && !expired.has("other"));
        tokio::time::advance(KEPT_FOR + Duration::from_secs(1)).await;
        assert!(!expired.has("first"));
        for number in 0..=KEPT {
            expired.add(number.to_string());
        }
        assert!(!expired.has("0") && expired.has("1"));
    }
}
