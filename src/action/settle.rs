//! Waiting until the editor has settled.

use std::time::Duration;

use super::ActionError;
use crate::model::SettleReason;
use crate::page::results::{SettleRequest, SettledBecause};
use crate::page::{Page, scripts};

/// How long the editor may take to settle before an action ends anyway. A loaded machine
/// needs some hundred milliseconds; an animation that never ends must not hold the agent up.
pub const SETTLE_DEADLINE: Duration = Duration::from_secs(3);

/// Waits until nothing is pending on the page, and returns why it stopped waiting.
///
/// # Errors
/// When the page is lost.
pub async fn settle(page: &Page) -> Result<SettleReason, ActionError> {
    let request = SettleRequest { deadline_ms: SETTLE_DEADLINE.as_secs_f64() * 1000.0 };
    let settled = page.call(&scripts::SETTLE, &request).await?;
    match settled.reason {
        SettledBecause::Quiet => Ok(SettleReason::Quiet),
        SettledBecause::Deadline => {
            tracing::debug!(pending = ?settled.pending, "the page did not come to rest");
            Ok(SettleReason::Deadline)
        }
    }
}
