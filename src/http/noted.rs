//! What a session's log learns of calls that the action registry does not answer. A job says nothing by itself, and
//! silence would count as `ok`.

use crate::model::{Coded, ReplyEvent};
use crate::page::PageError;
use crate::session::{Live, SessionError};

/// Hands a job's outcome on, and tells the log of a failure.
pub fn noted<T, E: Coded>(live: &mut Live, outcome: Result<T, E>) -> Result<T, E> {
    if let Err(error) = &outcome {
        live.recorder.answer(ReplyEvent::failed(error));
    }
    outcome
}

/// The same for what the page itself could not do.
pub fn noted_page<T>(live: &mut Live, outcome: Result<T, PageError>) -> Result<T, SessionError> {
    noted(live, outcome.map_err(SessionError::from))
}
