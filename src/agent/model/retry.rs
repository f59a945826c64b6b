//! Whether and when a failed request is made again.

use std::time::{Duration, SystemTime};

use backon::ExponentialBuilder;

/// How often a request that may yet succeed is made again, and how long is waited before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retries {
    /// Further requests after the first one.
    pub most: u32,
    /// The wait before the first of them; it grows with each, unless the server says how long.
    pub first_wait: Duration,
    /// How much longer each wait is than the one before.
    pub growth: f32,
    /// The longest wait. A server that asks for more is not waited for.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { most: 4, first_wait: Duration::from_secs(1), growth: 2.0, longest_wait: Duration::from_secs(120) }
    }
}

impl Retries {
    /// The waits before further requests, unless a server asks for others. Each is up to twice as long as it says, so
    /// that agents which were refused together do not come back together.
    pub(super) const fn waits(&self) -> ExponentialBuilder {
        ExponentialBuilder::new()
            .with_min_delay(self.first_wait)
            .with_factor(self.growth)
            .with_max_delay(self.longest_wait)
            .with_max_times(self.most as usize)
            .with_jitter()
    }

    /// The wait before a further request, which is no shorter than the server asked for; `None` when that is too long.
    pub(super) fn heeding(&self, asked_for: Option<Duration>, wait: Duration) -> Option<Duration> {
        let wait = wait.min(self.longest_wait).max(asked_for.unwrap_or_default());
        (wait <= self.longest_wait).then_some(wait)
    }
}

/// What a `Retry-After` header asks for: seconds, or a date.
pub(super) fn asked_for(header: &str) -> Option<Duration> {
    let header = header.trim();
    let Ok(seconds) = header.parse() else {
        let date = httpdate::parse_http_date(header).ok()?;
        return Some(date.duration_since(SystemTime::now()).unwrap_or_default());
    };
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use backon::BackoffBuilder as _;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_double_up_to_the_longest_and_heed_the_server() {
        let retries = Retries { most: 4, first_wait: SECOND, growth: 2.0, longest_wait: 5 * SECOND };
        let waits: Vec<Duration> = retries.waits().build().collect();
        assert_eq!(waits.len(), 4);
        for (wait, least) in waits.iter().zip([1, 2, 4, 5]) {
            assert!((least * SECOND..=2 * least * SECOND).contains(wait), "{waits:?}");
        }
        assert_eq!(retries.heeding(None, 9 * SECOND), Some(5 * SECOND));
        assert_eq!(retries.heeding(asked_for("3"), SECOND), Some(3 * SECOND));
        assert_eq!(retries.heeding(asked_for("0"), SECOND), Some(SECOND));
        assert_eq!(retries.heeding(asked_for("600"), SECOND), None, "too long to wait");
    }

    #[test]
    fn servers_may_name_a_date() {
        let soon = asked_for(&httpdate::fmt_http_date(SystemTime::now() + 100 * SECOND)).unwrap();
        assert!((90 * SECOND..=100 * SECOND).contains(&soon), "{soon:?}");
        assert_eq!(asked_for("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        assert_eq!(asked_for("soon").or(asked_for("-1")), None);
    }
}
