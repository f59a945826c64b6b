//! Predictions: projects that were made elsewhere, each for a task, many of them judged in one go.
//!
//! Parts: `read` finds them in a list or a folder and tells what is wrong with its lines; `judging` judges them, several
//! at a time, and records each as an attempt of a run.

mod judging;
mod read;

pub use judging::{Judged, PredictionRun, check_run, judge_predictions, tasks_of};
pub use read::{Prediction, Predictions, PredictionsError, Unusable, read_predictions};
