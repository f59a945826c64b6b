//! What a session's log learns of calls that the action registry does not answer. A job says nothing by itself, and
//! silence would count as `ok`.

use futures::future::BoxFuture;

use crate::action::ActionError;
use crate::model::{ErrorBody, ReplyEvent};
use crate::session::{Job, Live, SessionError};

/// Why a call got no answer, as the log has it.
pub trait Refusal {
    /// The stable code.
    fn code(&self) -> String;
    /// In words.
    fn message(&self) -> String;
}

impl Refusal for SessionError {
    fn code(&self) -> String {
        Self::code(self).to_owned()
    }

    fn message(&self) -> String {
        self.to_string()
    }
}

impl Refusal for ActionError {
    fn code(&self) -> String {
        Self::code(self).to_owned()
    }

    fn message(&self) -> String {
        self.to_string()
    }
}

impl Refusal for ErrorBody {
    fn code(&self) -> String {
        self.code.clone()
    }

    fn message(&self) -> String {
        self.message.clone()
    }
}

/// The same job, which tells the log of a failure.
pub fn noted<T, E, F>(job: F) -> Job<Result<T, E>>
where
    T: Send + 'static,
    E: Refusal + Send + 'static,
    F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, Result<T, E>> + Send + 'static,
{
    Box::new(move |live| {
        Box::pin(async move {
            let outcome = job(live).await;
            if let Err(refusal) = &outcome {
                live.recorder.answer(refused(refusal));
            }
            outcome
        })
    })
}

/// The answer of a call that was refused.
pub fn refused(refusal: &impl Refusal) -> ReplyEvent {
    ReplyEvent { code: refusal.code(), message: Some(refusal.message()), ..ReplyEvent::default() }
}
