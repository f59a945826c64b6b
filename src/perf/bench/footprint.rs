//! Memory of one more session, and the processor time of eight idle sessions.

use std::time::{Duration, Instant};

use super::{BenchError, Budget, wait_for_pool};
use crate::meter::{Tracker, process_tree};
use crate::session::{SessionInfo, Sessions, Start};

/// The sessions of the idle budget.
const SESSIONS: u32 = 8;
/// Chromium frees and shares pages with a delay; figures right after opening are too high.
const REST: Duration = Duration::from_secs(8);
/// Over how long idle load is measured.
const WATCH: Duration = Duration::from_secs(10);

pub(super) async fn measure(sessions: &Sessions) -> Result<Vec<Budget>, BenchError> {
    let root = std::process::id();
    let mut open = vec![create(sessions).await?];
    tokio::time::sleep(REST).await;
    let of_one = process_tree::memory(root);
    while open.len() < SESSIONS as usize {
        open.push(create(sessions).await?);
    }
    tokio::time::sleep(REST).await;
    let of_all = process_tree::memory(root);
    let idle = idle_cores(root).await;
    for info in open {
        sessions.delete(&info.id).await?;
    }
    #[expect(clippy::cast_precision_loss, reason = "megabytes for people")]
    let grown = of_all.saturating_sub(of_one) as f64 / 1e6;
    Ok(vec![
        Budget::new("memory_per_session", grown / f64::from(SESSIONS - 1), "MB", 250.0),
        Budget::new("idle_8_sessions", idle, "cores", 0.3),
    ])
}

/// A session, with the pool full again: its reserve page is there before and after, and so does not count.
async fn create(sessions: &Sessions) -> Result<SessionInfo, BenchError> {
    let info = sessions.create(Start::default()).await?;
    wait_for_pool(sessions).await?;
    Ok(info)
}

async fn idle_cores(root: u32) -> f64 {
    let (mut tracker, started) = (Tracker::new(root), Instant::now());
    tokio::time::sleep(WATCH).await;
    tracker.used().as_secs_f64() / started.elapsed().as_secs_f64()
}
