//! Keys of endpoints: read from the environment, sent, and never shown.

use std::fmt;

use super::ModelError;

/// Placeholder for a key wherever it would be shown.
const HIDDEN: &str = "[key]";

/// The key of an endpoint.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// The key in an environment variable.
    ///
    /// # Errors
    /// [`ModelError::NoKey`] when the variable is not set or empty.
    pub fn from_env(variable: &str) -> Result<Self, ModelError> {
        let key = std::env::var(variable).ok().map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        key.map(Self).ok_or_else(|| ModelError::NoKey { variable: variable.to_owned() })
    }

    /// A key that is known.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key itself, for the request.
    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    /// A text without the key: servers repeat it when they refuse it.
    pub(super) fn hide_in(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, HIDDEN) }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;

    #[test]
    fn a_key_is_not_shown() {
        let key = ApiKey::new("s3cret");
        assert_eq!(format!("{key:?} {}", key.hide_in("bad key s3cret, s3cret")), "[key] bad key [key], [key]");
        assert_eq!(ApiKey::from_env("SCRATCHBED_NO_SUCH_VARIABLE").unwrap_err().code(), "model_key_missing");
    }
}
