//! Projects that were made elsewhere, judged as a run of tasks: `read` finds them, `judging` is the benchmark.

mod judging;
mod read;

pub use judging::Predicted;
pub(super) use judging::unjudged;
pub use read::{Prediction, Predictions, PredictionsError, Unusable, read_predictions};
