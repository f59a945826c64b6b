//! Errors of creating a task draft.

use std::path::PathBuf;

use crate::agent::TemplateError;
use crate::agent::model::ModelError;
use crate::judge::JudgeError;
use crate::model::{Blame, Category, Coded, TaskId, TaskIdError};
use crate::notation::TextError;
use crate::project::ProjectError;
use crate::taskset::TasksetError;

/// Why there is no draft.
#[derive(Debug, thiserror::Error)]
pub enum AuthorError {
    /// The name can't be a task's.
    #[error(transparent)]
    BadId(#[from] TaskIdError),
    /// A task, a draft or a judge has the name already.
    #[error("the name `{id}` is taken by {place}", place = place.display())]
    Taken { id: TaskId, place: PathBuf },
    /// A category whose tasks change a working program, and no program to change.
    #[error("a {category} task starts from a base project, and none is named")]
    NoBase { category: Category, known: Vec<String> },
    #[error("there is no base `{base}`")]
    UnknownBase { base: TaskId, known: Vec<String> },
    /// A category whose tasks start without code, and a base that has some.
    #[error("a {category} task starts without code, and the base `{base}` has some")]
    BaseHasCode { category: Category, base: TaskId },
    /// A category whose tasks are about a fault in the code, and a base that has none.
    #[error("a {category} task puts a fault into code, and the base `{base}` has none")]
    BaseWithoutCode { category: Category, base: TaskId, known: Vec<String> },
    #[error("the base `{base}` has a fault")]
    BadBase { base: TaskId, source: TextError },
    /// The base has no sprite that a task could be about.
    #[error("the base `{base}` has no sprite")]
    NoSprite { base: TaskId },
    /// The tasks there are can't be read.
    #[error(transparent)]
    Tasks(#[from] TasksetError),
    /// The model gives no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model's answer is not what was asked for, twice.
    #[error("the model's answer can't be used: {reason}")]
    Undecodable {
        /// What is wrong with the second one.
        reason: String,
    },
    /// A file that should hold ideas does not.
    #[error("{path} is not a file of ideas: {reason}", path = path.display())]
    BadIdeas { path: PathBuf, reason: String },
    #[error("there is no idea `{id}`")]
    UnknownIdea { id: String, known: Vec<String> },
    /// A template of this program can't be filled in.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// A project of the task can't be read.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A project of the task can't be judged.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The testbed broke whenever the judge was run.
    #[error("the judge could not be run: {reason}")]
    NotTried { reason: String },
    #[error("can't read {path}", path = path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("can't write {path}", path = path.display())]
    NotWritten { path: PathBuf, source: std::io::Error },
}

impl Coded for AuthorError {
    fn code(&self) -> &str {
        match self {
            Self::BadId(_) => "bad_task_id",
            Self::Taken { .. } => "task_id_taken",
            Self::NoBase { .. } => "base_needed",
            Self::UnknownBase { .. } => "unknown_base",
            Self::BaseHasCode { .. } => "base_has_code",
            Self::BaseWithoutCode { .. } => "base_without_code",
            Self::BadBase { .. } => "base_invalid",
            Self::NoSprite { .. } => "base_without_sprite",
            Self::Tasks(error) => error.code(),
            Self::Model(error) => error.code(),
            Self::Undecodable { .. } => "model_answer_unusable",
            Self::BadIdeas { .. } => "ideas_invalid",
            Self::UnknownIdea { .. } => "unknown_idea",
            Self::Template(_) => "template_failed",
            Self::Project(error) => error.code(),
            Self::Judge(error) => error.code(),
            Self::NotTried { .. } => "judge_not_tried",
            Self::Unreadable { .. } => "author_file_unreadable",
            Self::NotWritten { .. } => "draft_not_written",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::BadId(_) => Some("for instance `stuck_ferry`".to_owned()),
            Self::Taken { .. } => Some("choose another name; `scratchbed task list` shows those of tasks".to_owned()),
            Self::NoBase { known, .. } => Some(format!("choose one with --base: {}", known.join(", "))),
            Self::UnknownBase { known, .. } => Some(format!("known bases: {}", known.join(", "))),
            Self::BaseHasCode { .. } => Some(
                "leave out --base, or take a base of sprites without scripts; extend tasks build on code".to_owned(),
            ),
            Self::BaseWithoutCode { known, .. } => Some(format!("bases with code: {}", known.join(", "))),
            Self::Tasks(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Undecodable { .. } => {
                Some("its answers are in the folder of the run; a larger model may do better".to_owned())
            }
            Self::BadIdeas { .. } => Some("`scratchbed task expand ideas` makes one".to_owned()),
            Self::UnknownIdea { known, .. } => Some(format!("known ideas: {}", known.join(", "))),
            Self::BadBase { .. }
            | Self::NoSprite { .. }
            | Self::Project(_)
            | Self::Judge(_)
            | Self::NotTried { .. }
            | Self::Template(_)
            | Self::Unreadable { .. }
            | Self::NotWritten { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Model(error) => error.blame(),
            Self::NotWritten { .. } | Self::NotTried { .. } | Self::Template(_) | Self::Undecodable { .. } => {
                Blame::Testbed
            }
            _ => Blame::Input,
        }
    }
}
