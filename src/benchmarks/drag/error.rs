//! Why a scene can't be worked with.

use std::path::PathBuf;

use crate::action::ActionError;
use crate::compile::BuildError;
use crate::model::{Blame, Coded};
use crate::page::PageError;
use crate::session::SessionError;
use crate::taskset::{TasksetError, nearest};

#[derive(Debug, thiserror::Error)]
pub enum DragError {
    /// A scene's file is missing or broken.
    #[error("the scene {} can't be read: {reason}", path.display())]
    Scene { path: PathBuf, reason: String },
    #[error("{} can't be written: {reason}", path.display())]
    Write { path: PathBuf, reason: String },
    /// A scene has no published points.
    #[error("scene `{id}` has no published points: its pack was not made by `scratchbed drag import`")]
    Unpublished { id: String },
    #[error("there is no drag scene `{id}`")]
    UnknownScene { id: String, known: Vec<String> },
    /// The editor shows the scene in another view than it says.
    #[error("scene `{id}`: the canvas can't be scrolled to {wanted}; it stops at {reached}")]
    View { id: String, wanted: String, reached: String },
    /// The projects don't give enough scenes.
    #[error("the projects of the tasks give {made} scenes, not {wanted}")]
    TooFewScenes { made: usize, wanted: usize },
    /// A region is empty: the scene can't be done.
    #[error("scene `{id}`: no pixel is in its {region} region")]
    EmptyRegion { id: String, region: &'static str },
    /// A drag, or a click that leads up to a scene, failed as an action.
    #[error("an action failed: {reason}")]
    ActionFailed { reason: String },
    #[error("the screenshot can't be drawn on")]
    Picture(#[from] image::ImageError),
    /// The task of a scene.
    #[error(transparent)]
    Task(#[from] TasksetError),
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A page function refused, or the page broke.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The page did not settle.
    #[error(transparent)]
    Action(#[from] ActionError),
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl Coded for DragError {
    fn code(&self) -> &str {
        match self {
            Self::Scene { .. } => "invalid_scene",
            Self::Write { .. } => "unwritable_file",
            Self::Unpublished { .. } => "no_published_points",
            Self::UnknownScene { .. } => "unknown_scene",
            Self::View { .. } => "view_out_of_reach",
            Self::TooFewScenes { .. } => "too_few_scenes",
            Self::EmptyRegion { .. } => "empty_region",
            Self::ActionFailed { .. } => "action_refused",
            Self::Picture(_) => "unusable_picture",
            Self::Task(_) => "invalid_tasks",
            Self::Build(_) => "unbuildable_project",
            Self::Page(PageError::Refused { code, .. }) => code,
            Self::Page(_) => "page_failed",
            Self::Action(_) => "action_failed",
            Self::Session(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownScene { id, known } => Some(format!(
                "{}; `scratchbed drag list` has them all, with --pack those of a pack",
                nearest("scenes", id, known)
            )),
            Self::Unpublished { .. } => Some(
                "the reference editor and `drag replay` are for published scenes; --editor current shows all"
                    .to_owned(),
            ),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Scene { .. }
            | Self::Unpublished { .. }
            | Self::UnknownScene { .. }
            | Self::View { .. }
            | Self::EmptyRegion { .. }
            | Self::TooFewScenes { .. }
            | Self::Task(_)
            | Self::Page(PageError::Refused { .. }) => Blame::Input,
            _ => Blame::Testbed,
        }
    }
}
