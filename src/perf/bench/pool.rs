//! Time to create a session from the warm pool.

use std::time::Instant;

use super::{BenchError, Budget, wait_for_pool};
use crate::session::{Sessions, Start};

/// Sessions that are timed; each waits for the pool to be full again.
const SESSIONS: usize = 7;

pub(super) async fn measure(sessions: &Sessions) -> Result<Budget, BenchError> {
    let mut times = Vec::new();
    for _ in 0..SESSIONS {
        wait_for_pool(sessions).await?;
        let started = Instant::now();
        let info = sessions.create(Start::default()).await?;
        times.push(started.elapsed());
        sessions.delete(&info.id).await?;
    }
    Ok(Budget::median_ms("session_from_warm_pool", times, 300.0))
}
