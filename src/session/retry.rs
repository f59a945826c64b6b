//! Retries after infrastructure errors: one lost page must not end the work on many tasks.

use std::fmt::Display;

/// How often something is tried.
pub const TRIES: u32 = 3;

/// Does something until it succeeds, fails for a reason of its own, or the testbed has broken three times.
///
/// # Errors
/// The last error.
pub async fn while_broken<T, E: Display>(
    what: &str,
    is_broken: impl Fn(&E) -> bool,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
) -> Result<T, E> {
    let mut result = attempt().await;
    for _ in 1..TRIES {
        match &result {
            Err(error) if is_broken(error) => tracing::warn!(%error, what, "tried again in another page"),
            _ => break,
        }
        result = attempt().await;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn tries(outcomes: &[Result<u8, &str>]) -> (Result<u8, String>, usize) {
        let mut made = 0;
        let result = while_broken(
            "a test",
            |error: &String| error == "broken",
            async || {
                made += 1;
                outcomes[made - 1].map_err(str::to_owned)
            },
        )
        .await;
        (result, made)
    }

    #[tokio::test]
    async fn only_what_broke_is_tried_again_and_not_for_ever() {
        assert_eq!(tries(&[Ok(1)]).await, (Ok(1), 1));
        assert_eq!(tries(&[Err("broken"), Ok(2)]).await, (Ok(2), 2));
        assert_eq!(tries(&[Err("wrong"), Ok(2)]).await, (Err("wrong".to_owned()), 1));
        assert_eq!(tries(&[Err("broken"); 3]).await, (Err("broken".to_owned()), 3));
    }
}
