//! How long an observation takes.

use serde_json::json;

use super::{BenchError, Budget, REPEATS, open, timed};
use crate::model::Mode;
use crate::session::Sessions;

pub(super) async fn measure(sessions: &Sessions) -> Result<Vec<Budget>, BenchError> {
    let (info, session) = open(sessions).await?;
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        times.push(timed(&session, Mode::Primitive, "observe", json!({"ocr": "off"})).await?);
    }
    sessions.delete(&info.id).await?;
    Ok(vec![Budget::median_ms("observation_without_ocr", times, 150.0)])
}
