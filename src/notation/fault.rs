//! An error or warning at one line of a text, as authors see it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::TextError;
use scratchbed_model::Coded;

/// A fault or a warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Line number, from 1.
    pub line: usize,
    /// Stable name of the situation.
    pub code: String,
    pub message: String,
    /// What to do about it, where that is known.
    pub hint: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl From<TextError> for Fault {
    fn from(error: TextError) -> Self {
        let hint = error.hint();
        Self { line: error.line, code: error.code().to_owned(), message: error.problem.to_string(), hint }
    }
}
