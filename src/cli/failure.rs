//! Exit statuses, and the one error type that subcommands end with: a status, a stable code, a message, a hint.

use std::error::Error;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::benchmarks::drag::DragError;
use crate::benchmarks::perception::PerceptionError;
use crate::benchmarks::tasks::ActorError;
use crate::compile::BuildError;
use crate::experiment::RunError;
use crate::judge::JudgeError;
use crate::model::{Blame, Coded, with_causes};
use crate::ocr::OcrError;
use crate::page::PageError;
use crate::perf::bench::BenchError;
use crate::recording::TraceError;
use crate::setup::SetupError;
use crate::store::StoreError;
use crate::taskset::TasksetError;

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
    #[must_use]
    pub fn help() -> String {
        let lines = Self::ALL.iter().map(|(status, meaning)| format!("  {}  {meaning}\n", *status as u8));
        format!("Exit codes:\n{}", lines.collect::<String>())
    }

    /// [`Status::Success`] if `yes`, else [`Status::Negative`].
    #[must_use]
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
    #[must_use]
    pub fn new(status: Status, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { status, code: code.into(), message: message.into(), hint: None }
    }

    /// A failure from an error, with its causes.
    #[must_use]
    pub fn of(status: Status, code: &str, error: &dyn Error) -> Self {
        Self::new(status, code, with_causes(error))
    }

    /// A failure on the way, from an error with its causes.
    #[must_use]
    pub fn infrastructure(code: &str, error: &dyn Error) -> Self {
        Self::of(Status::Infrastructure, code, error)
    }

    /// A failure from an error that says whose trouble it is.
    #[must_use]
    pub fn coded(error: &impl Coded) -> Self {
        let status = match error.blame() {
            Blame::Caller => Status::Usage,
            Blame::Input => Status::Input,
            Blame::Machine => Status::Machine,
            Blame::Testbed => Status::Infrastructure,
        };
        Self::new(status, error.code(), with_causes(error)).hinted_by(error.hint())
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says what to do about it, where that is known.
    #[must_use]
    pub fn hinted_by(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// The stable name of the situation.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// How the process ends.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The lines for a person.
    #[must_use]
    pub fn text(&self) -> String {
        let hint = self.hint.as_ref().map(|hint| format!("\n hint: {hint}"));
        format!("error[{}]: {}{}", self.code(), self.message, hint.unwrap_or_default())
    }

    /// The object for a program.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}})
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        let code = match &error {
            SetupError::SystemPackages { .. } => "system_packages_missing",
            SetupError::ProgramMissing { .. } => "program_missing",
            SetupError::ProgramTooOld { .. } => "program_too_old",
            SetupError::CommandFailed { .. } => "command_failed",
            SetupError::Recognition(error) => error.code(),
            SetupError::PythonTooOld { .. } => "python_too_old",
            SetupError::File { .. } => "file_failed",
        };
        Self::of(Status::Machine, code, &error).hinted_by(error.hint())
    }
}

impl From<TasksetError> for Failure {
    fn from(error: TasksetError) -> Self {
        let hint = match &error {
            TasksetError::UnknownTask { is_draft: true, .. } => {
                error.hint().map(|draft| format!("{draft}: add --drafts"))
            }
            TasksetError::UnknownTask { .. } => {
                error.hint().map(|nearest| format!("{nearest}; `scratchbed task list` lists all"))
            }
            _ => error.hint(),
        };
        Self::of(Status::Input, error.code(), &error).hinted_by(hint)
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::of(Status::Input, error.code(), &error).hinted("record one with `scratchbed judge --trace FILE`")
    }
}

impl From<OcrError> for Failure {
    fn from(error: OcrError) -> Self {
        let status = match error {
            OcrError::Fixture { .. } | OcrError::EmptyPicture { .. } => Status::Input,
            OcrError::SourceMissing { .. } | OcrError::SourceChanged { .. } | OcrError::NotPrepared { .. } => {
                Status::Machine
            }
            OcrError::Cache { .. } | OcrError::UnexpectedGraph(_) | OcrError::Inference { .. } => {
                Status::Infrastructure
            }
        };
        Self::of(status, error.code(), &error).hinted_by(error.hint().map(str::to_owned))
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        Self::infrastructure(error.code(), &error)
    }
}

impl From<DragError> for Failure {
    fn from(error: DragError) -> Self {
        let status = if error.is_input() { Status::Input } else { Status::Infrastructure };
        Self::of(status, error.code(), &error).hinted_by(error.hint())
    }
}

impl From<PerceptionError> for Failure {
    fn from(error: PerceptionError) -> Self {
        let status = if error.is_input() { Status::Input } else { Status::Infrastructure };
        Self::of(status, error.code(), &error).hinted_by(error.hint().map(str::to_owned))
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            error => Self::coded(&error),
        }
    }
}

impl From<ActorError> for Failure {
    fn from(error: ActorError) -> Self {
        Self::coded(&error)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let hint = error.hint().map(str::to_owned);
        match error {
            BuildError::Page(error) => error.into(),
            error => Self::of(Status::Input, error.code(), &error).hinted_by(hint),
        }
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        Self::of(Status::Input, error.code(), &error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoRun { .. } => Self::of(Status::Input, error.code(), &error)
                .hinted("name the folder that the run printed, below runs/"),
            StoreError::OlderFormat { .. } => Self::of(Status::Input, error.code(), &error).hinted("start a new run"),
            _ => Self::infrastructure(error.code(), &error),
        }
    }
}

impl From<PageError> for Failure {
    fn from(error: PageError) -> Self {
        match &error {
            PageError::ChromiumMissing { .. } => {
                Self::of(Status::Machine, "chromium_missing", &error).hinted("run `scratchbed setup`")
            }
            _ => Self::infrastructure("browser_failed", &error).hinted("run `scratchbed doctor`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_in_order_and_documented() {
        for (number, (status, _)) in Status::ALL.iter().enumerate() {
            assert_eq!(*status as usize, number);
        }
        assert!(Status::help().contains("  4  the machine is not set up"));
    }

    #[test]
    fn causes_and_hint_are_shown_once_each() {
        let source = std::io::Error::other("disk full");
        let error = SetupError::File { what: "writing", path: "x".into(), source };
        let text = Failure::from(error).text();
        assert!(text.starts_with("error[file_failed]: writing x failed: disk full\n hint: "), "{text}");
    }
}
