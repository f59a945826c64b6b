//! The question that a model is asked: the prompts with the report and the project in them. Whoever tunes a model with examples and whoever
//! evaluates it asks the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::representation::{Scripts, ir};
use super::slice::slice;
use crate::agent::{Prompt, TemplateError};
use crate::bugs::BugReport;
use crate::prompt;

const SYSTEM: Prompt = prompt!("mend-system.md");
const USER: Prompt = prompt!("mend-user.md");

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: String,
    pub content: String,
}

impl Message {
    pub(super) fn new(role: &str, content: String) -> Self {
        Self { role: role.to_owned(), content }
    }
}

/// What the system says and what the user asks of a buggy project; with `is_slice`, only scripts that the report has to do with are shown.
///
/// # Errors
/// When a prompt is broken.
pub fn question(buggy: &Value, report: &BugReport, is_slice: bool) -> Result<[Message; 2], TemplateError> {
    let scripts = if is_slice { slice(buggy, report) } else { Scripts::all() };
    let system = SYSTEM.fill(json!({}))?;
    let user =
        USER.fill(json!({"report": report, "project": ir(buggy, &scripts), "is_slice": scripts.left_out() > 0}))?;
    Ok([Message::new("system", system), Message::new("user", user)])
}
