//! Why a figure is missing.

use std::time::Duration;

use crate::model::Coded;
use crate::session::SessionError;

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// No page was ready in time.
    #[error("the warm pool had no page within {limit:?}")]
    PoolNotFilled { limit: Duration },
    /// An action that must succeed did not.
    #[error("`{api}` failed: {reason}")]
    ActionFailed {
        api: &'static str,
        /// Its error's code and message.
        reason: String,
    },
    /// A drag did not move its block, so its time is meaningless.
    #[error("the dragged block did not move")]
    BlockNotMoved,
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl Coded for BenchError {
    fn code(&self) -> &str {
        match self {
            Self::PoolNotFilled { .. } => "pool_not_filled",
            Self::ActionFailed { .. } => "action_failed",
            Self::BlockNotMoved => "block_not_moved",
            Self::Session(error) => error.code(),
        }
    }
}
