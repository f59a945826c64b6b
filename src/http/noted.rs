//! What a session's log learns of calls that the action registry does not answer. A job says nothing by itself, and
//! silence would count as `ok`.

use crate::action::ActionError;
use crate::model::{ErrorBody, ReplyEvent};
use crate::page::PageError;
use crate::session::{Live, SessionError};

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

/// Hands a job's outcome on, and tells the log of a failure.
pub fn noted<T, E: Refusal>(live: &mut Live, outcome: Result<T, E>) -> Result<T, E> {
    if let Err(refusal) = &outcome {
        live.recorder.answer(refused(refusal));
    }
    outcome
}

/// The same for what the page itself could not do.
pub fn noted_page<T>(live: &mut Live, outcome: Result<T, PageError>) -> Result<T, SessionError> {
    noted(live, outcome.map_err(SessionError::from))
}

/// The answer of a call that was refused.
pub fn refused(refusal: &impl Refusal) -> ReplyEvent {
    ReplyEvent { code: refusal.code(), message: Some(refusal.message()), ..ReplyEvent::default() }
}
