//! How long an observation takes.

use super::{BenchError, Budget, REPEATS, open, timed};
use crate::model::Mode;
use crate::session::Sessions;

pub(super) async fn measure(sessions: &Sessions) -> Result<Vec<Budget>, BenchError> {
    let (info, session) = open(sessions).await?;
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        times.push(timed(&session, Mode::Composite, "observe", serde_json::json!({})).await?);
    }
    sessions.delete(&info.id).await?;
    Ok(vec![Budget::median_ms("composite_observation", times, 80.0)])
}
