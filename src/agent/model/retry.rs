//! Whether and when a failed request is made again.

use std::time::Duration;

/// How often a request that may yet succeed is made again, and how long is waited before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Further requests after the first one.
    pub most: u32,
    /// The wait before the first of them; it doubles with each, unless the server says how long.
    pub first_wait: Duration,
    /// The longest wait. A server that asks for more is not waited for.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { most: 4, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(120) }
    }
}

impl Retries {
    /// The wait after `failed` requests, or `None` when there is none to be made.
    #[must_use]
    pub fn wait(&self, failed: u32, asked_for: Option<Duration>) -> Option<Duration> {
        if failed > self.most {
            return None;
        }
        let doubled = self.first_wait.saturating_mul(2_u32.saturating_pow(failed.saturating_sub(1)));
        let wait = asked_for.unwrap_or(Duration::ZERO).max(doubled.min(self.longest_wait));
        (wait <= self.longest_wait).then_some(wait)
    }
}

/// What a `Retry-After` header asks for; only seconds are understood, dates are not.
pub(super) fn asked_for(header: &str) -> Option<Duration> {
    let seconds = header.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_heed_the_server() {
        let retries = Retries { most: 4, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(5) };
        let waits: Vec<_> = (1..=5).map(|failed| retries.wait(failed, None).map(|wait| wait.as_secs())).collect();
        assert_eq!(waits, [Some(1), Some(2), Some(4), Some(5), None]);
        assert_eq!(retries.wait(1, asked_for("3")), Some(Duration::from_secs(3)));
        assert_eq!(retries.wait(1, asked_for("0")), Some(Duration::from_secs(1)));
        assert_eq!(retries.wait(1, asked_for("600")), None, "nobody waits that long");
        assert_eq!(asked_for("Wed, 21 Oct 2026 07:28:00 GMT").or(asked_for("-1")), None);
    }
}
