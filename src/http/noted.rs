//! Logging for calls that the action registry does not answer. A job says nothing by itself, and
//! silence would count as `ok`.

use futures::future::BoxFuture;

use crate::model::{Coded, ReplyEvent};
use crate::session::{Job, Live};

/// The same job, which also logs a failure.
pub fn noted<T, E, F>(job: F) -> Job<Result<T, E>>
where
    T: Send + 'static,
    E: Coded + Send + 'static,
    F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, Result<T, E>> + Send + 'static,
{
    Box::new(move |live| {
        Box::pin(async move {
            let outcome = job(live).await;
            if let Err(refusal) = &outcome {
                live.recorder.answer(ReplyEvent::failed(refusal));
            }
            outcome
        })
    })
}
