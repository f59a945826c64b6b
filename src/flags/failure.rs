//! Exit statuses, and the one error type that subcommands end with: a status, a stable code, a message, a hint.

use std::any::Any;
use std::error::Error;
use std::process::ExitCode;

use serde_json::{Value, json};

use scratchbed::compile::BuildError;
use scratchbed::model::{Blame, Coded, with_causes};
use scratchbed::taskset::TasksetError;

/// How the process ends. The numbers are part of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// All was done, and the answer is yes.
    Success = 0,
    /// All was done, and the answer is no: a task failed, a check found something, a budget was missed.
    Negative = 1,
    /// The arguments make no sense. clap ends the process with this number itself.
    Usage = 2,
    /// A file, task or setting that the arguments name is missing or broken.
    Input = 3,
    /// The machine is not set up.
    Machine = 4,
    /// A browser, server or disk failed on the way.
    Infrastructure = 5,
}

impl Status {
    /// Every status with its meaning, for the help.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Success, "done, and the answer is yes"),
        (Self::Negative, "done, and the answer is no (a task failed, a check found something)"),
        (Self::Usage, "the arguments make no sense"),
        (Self::Input, "a named file, task or setting is missing or broken"),
        (Self::Machine, "the machine is not set up"),
        (Self::Infrastructure, "a browser, server or disk failed on the way"),
    ];

    /// The statuses as a section of the help.
    pub fn help() -> String {
        let lines = Self::ALL.iter().map(|(status, meaning)| format!("  {}  {meaning}\n", *status as u8));
        format!("Exit codes:\n{}", lines.collect::<String>())
    }

    /// [`Status::Success`] if `yes`, else [`Status::Negative`].
    pub const fn of(yes: bool) -> Self {
        if yes { Self::Success } else { Self::Negative }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a subcommand could not do its work.
#[derive(Debug)]
pub struct Failure {
    status: Status,
    code: String,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure in its own words. `code` is a stable `snake_case` name.
    pub fn new(status: Status, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { status, code: code.into(), message: message.into(), hint: None }
    }

    /// A failure from an error, with its causes.
    pub fn of(status: Status, code: &str, error: &dyn Error) -> Self {
        Self::new(status, code, with_causes(error))
    }

    fn coded(error: &impl Coded) -> Self {
        let status = match error.blame() {
            Blame::Caller => Status::Usage,
            Blame::Input => Status::Input,
            Blame::Machine => Status::Machine,
            Blame::Testbed => Status::Infrastructure,
        };
        Self::of(status, error.code(), error).hinted_by(error.hint())
    }

    /// A failure on the way, from an error with its causes.
    pub fn infrastructure(code: &str, error: &dyn Error) -> Self {
        Self::of(Status::Infrastructure, code, error)
    }

    /// Says what to do about it.
    pub fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says what to do about it, where that is known.
    pub fn hinted_by(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// The stable name of the situation.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What is wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, where that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// How the process ends.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The lines for a person.
    pub fn text(&self) -> String {
        let hint = self.hint.as_ref().map(|hint| format!("\n hint: {hint}"));
        format!("error[{}]: {}{}", self.code(), self.message, hint.unwrap_or_default())
    }

    /// The object for a program.
    pub fn json(&self) -> Value {
        json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}})
    }
}

impl<E: Coded + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        // A broken browser has one name, whatever was to be built with it.
        if let Some(BuildError::Page(error)) = (&error as &dyn Any).downcast_ref() {
            return Self::coded(error);
        }
        Self::coded(&error).hinted_by(in_commands(&error))
    }
}

/// What other adapters say in other words.
fn in_commands(error: &dyn Any) -> Option<String> {
    match error.downcast_ref()? {
        error @ TasksetError::UnknownTask { is_draft, .. } => {
            let more = if *is_draft { ": add --drafts" } else { "; `scratchbed task list` lists all" };
            error.hint().map(|hint| hint + more)
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
