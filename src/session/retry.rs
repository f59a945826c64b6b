//! Retries after infrastructure errors: one lost page must not end the work on many tasks.

use std::fmt::Display;
use std::time::Duration;

use backon::{ConstantBuilder, Retryable as _};

/// How often something is tried.
pub const TRIES: usize = 3;

/// Does something until it succeeds, fails for a reason of its own, or the testbed has broken three times.
///
/// # Errors
/// The last error.
pub async fn while_broken<T, E: Display, F: Future<Output = Result<T, E>>>(
    what: &str,
    is_broken: impl FnMut(&E) -> bool,
    attempt: impl FnMut() -> F,
) -> Result<T, E> {
    let at_once = ConstantBuilder::new().with_delay(Duration::ZERO).with_max_times(TRIES - 1);
    let noted = |error: &E, _| tracing::warn!(%error, what, "tried again in another page");
    attempt.retry(at_once).when(is_broken).notify(noted).await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn tries(outcomes: &[Result<u8, &str>]) -> (Result<u8, String>, usize) {
        let mut left = outcomes.iter();
        let attempt = || std::future::ready(left.next().copied().unwrap_or(Err("never")).map_err(str::to_owned));
        let result = while_broken("a test", |error| error == "broken", attempt).await;
        (result, outcomes.len() - left.len())
    }

    #[tokio::test]
    async fn only_what_broke_is_tried_again_and_not_for_ever() {
        assert_eq!(tries(&[Ok(1)]).await, (Ok(1), 1));
        assert_eq!(tries(&[Err("broken"), Ok(2)]).await, (Ok(2), 2));
        assert_eq!(tries(&[Err("wrong"), Ok(2)]).await, (Err("wrong".to_owned()), 1));
        assert_eq!(tries(&[Err("broken"); 4]).await, (Err("broken".to_owned()), 3));
    }
}
