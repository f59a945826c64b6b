//! Why an action failed, with stable codes and hints.

use crate::model::{Blame, Coded, ErrorBody, Mode};
use crate::page::{KeyError, KeyStroke, PageError};
use crate::session::SessionError;

/// From this likeness on (Jaro-Winkler, 0 to 1) a name is taken for a misspelling of another.
const LIKE: f64 = 0.8;

/// Errors of the action room.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// No action of this name in this mode.
    #[error("no {mode} action `{name}`")]
    UnknownAction {
        mode: Mode,
        name: String,
        /// The nearest name, and all names.
        hint: String,
    },
    /// Arguments do not fit the action's schema.
    #[error("{message}")]
    InvalidArguments { message: String, hint: Option<String> },
    /// A situation in which the action can't be done, with a code of its own.
    #[error("{message}")]
    Refused { code: String, message: String, hint: Option<String> },
    /// Trouble with the page: infrastructure, never the agent's mistake.
    #[error(transparent)]
    Page(PageError),
    #[error(transparent)]
    Session(SessionError),
}

impl ActionError {
    pub fn refused(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused { code: code.to_owned(), message: message.into(), hint: Some(hint.into()) }
    }

    /// Arguments that don't fit.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::InvalidArguments { message: message.into(), hint: None }
    }

    /// The error as an agent sees it.
    pub fn body(&self) -> ErrorBody {
        ErrorBody::of(self)
    }
}

impl Coded for ActionError {
    fn code(&self) -> &str {
        match self {
            Self::UnknownAction { .. } => "unknown_action",
            Self::InvalidArguments { .. } => "invalid_arguments",
            Self::Refused { code, .. } => code,
            Self::Page(PageError::Lost(loss)) => loss.code(),
            Self::Page(PageError::Timeout { .. }) => "page_timeout",
            Self::Page(PageError::Key(KeyError::Unknown(_))) => "unknown_key",
            Self::Page(PageError::Key(KeyError::NotAllowed(_))) => "key_not_allowed",
            Self::Page(_) => "page_error",
            Self::Session(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::UnknownAction { hint, .. } => return Some(hint.clone()),
            Self::Refused { hint, .. } | Self::InvalidArguments { hint: hint @ Some(_), .. } => return hint.clone(),
            Self::Page(PageError::Lost(_)) => {
                "the browser is being replaced and the project brought back; observe and call again"
            }
            Self::Page(PageError::Timeout { .. }) => "the page was busy; observe and call again",
            Self::Page(PageError::Key(KeyError::Unknown(name))) => return Some(known_keys(name)),
            Self::Page(PageError::Key(KeyError::NotAllowed(_))) => {
                "characters, Enter, Tab, Escape, Backspace, Delete, arrows, Home, End, PageUp and PageDown are pressed, \
                 with Control only a, c, v, x, y, z, g, Enter and what moves in text; nothing has to be saved"
            }
            Self::InvalidArguments { .. } => "see the action's schema in the API description",
            Self::Page(_) | Self::Session(_) => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Page(PageError::Key(_))
            | Self::UnknownAction { .. }
            | Self::InvalidArguments { .. }
            | Self::Refused { .. } => Blame::Caller,
            Self::Page(_) => Blame::Testbed,
            Self::Session(error) => error.blame(),
        }
    }
}

impl From<PageError> for ActionError {
    fn from(error: PageError) -> Self {
        match error {
            PageError::Refused { code, message, hint } => Self::Refused { code, message, hint },
            error => Self::Page(error),
        }
    }
}

impl From<KeyError> for ActionError {
    fn from(error: KeyError) -> Self {
        Self::Page(PageError::Key(error))
    }
}

impl From<SessionError> for ActionError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Page(error) => error.into(),
            error => Self::Session(error),
        }
    }
}

fn known_keys(asked: &str) -> String {
    let names = KeyStroke::names();
    let first = meant(asked, names.iter().copied()).map_or_else(String::new, |name| format!("did you mean `{name}`? "));
    format!("{first}a key is one character, or {}", names.join(", "))
}

/// The name most like the one asked for, if it is like enough to be meant.
pub(super) fn meant(asked: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let asked = asked.to_lowercase();
    let likenesses = names.map(|name| (strsim::jaro_winkler(&asked, &name.to_lowercase()), name));
    let (likeness, name) = likenesses.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (likeness > LIKE).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_answered_with_the_nearest() {
        assert!(known_keys("Retrun").starts_with("did you mean `Return`? "), "{}", known_keys("Retrun"));
        assert!(known_keys("Up").contains("ArrowUp"));
    }
}
