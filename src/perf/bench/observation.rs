//! Duration of an observation: without text recognition, with it on a new picture, and with it on one that changed
//! slightly since.

use serde_json::json;

use super::{BenchError, Budget, REPEATS, open, timed};
use crate::model::Mode;
use crate::session::Sessions;

/// Sessions whose first observation is timed.
const FIRSTS: usize = 5;
/// The field with the sprite's name: what is typed there changes a few pixels.
const SPRITE_NAME: (i32, i32) = (900, 492);

pub(super) async fn measure(sessions: &Sessions) -> Result<Vec<Budget>, BenchError> {
    let mut first = Vec::new();
    for _ in 0..FIRSTS {
        let (info, session) = open(sessions).await?;
        first.push(timed(&session, Mode::Primitive, "observe", json!({})).await?);
        sessions.delete(&info.id).await?;
    }
    let (info, session) = open(sessions).await?;
    let (mut without, mut changed) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        without.push(timed(&session, Mode::Primitive, "observe", json!({"ocr": "off"})).await?);
    }
    timed(&session, Mode::Primitive, "observe", json!({})).await?;
    let field = json!({"x": SPRITE_NAME.0, "y": SPRITE_NAME.1});
    timed(&session, Mode::Primitive, "click", field).await?;
    for _ in 0..REPEATS {
        timed(&session, Mode::Primitive, "type", json!({"text": "a"})).await?;
        changed.push(timed(&session, Mode::Primitive, "observe", json!({})).await?);
    }
    sessions.delete(&info.id).await?;
    Ok(vec![
        Budget::median_ms("observation_without_ocr", without, 150.0),
        Budget::median_ms("observation_first", first, 500.0),
        Budget::median_ms("observation_little_changed", changed, 150.0),
    ])
}
