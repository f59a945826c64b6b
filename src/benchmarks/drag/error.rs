//! Why a scene can't be worked with.

use std::path::PathBuf;

use crate::action::ActionError;
use crate::compile::BuildError;
use crate::page::PageError;
use crate::session::SessionError;
use crate::taskset::{TasksetError, nearest};

/// Errors of drag scenes.
#[derive(Debug, thiserror::Error)]
pub enum DragError {
    /// A scene's file is missing or broken.
    #[error("the scene {} can't be read: {reason}", path.display())]
    Scene {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file of a pack can't be written.
    #[error("{} can't be written: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Nothing was published of a scene.
    #[error("scene `{id}` has no published points: its pack was not made by `scratchbed drag import`")]
    Unpublished {
        /// The scene.
        id: String,
    },
    /// No scene has that name.
    #[error("there is no drag scene `{id}`")]
    UnknownScene {
        /// The name.
        id: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The editor shows the scene in another view than it says.
    #[error("scene `{id}`: the canvas can't be scrolled to {wanted}; it stops at {reached}")]
    View {
        /// The scene.
        id: String,
        /// What the scene says.
        wanted: String,
        /// What the editor has.
        reached: String,
    },
    /// The projects don't give as many scenes.
    #[error("the projects of the tasks give {made} scenes, not {wanted}")]
    TooFewScenes {
        /// How many they give.
        made: usize,
        /// How many were wanted.
        wanted: usize,
    },
    /// A region is empty: the scene can't be done.
    #[error("scene `{id}`: no pixel is in its {region} region")]
    EmptyRegion {
        /// The scene.
        id: String,
        /// Which one.
        region: &'static str,
    },
    /// A drag, or a click that leads up to a scene, failed as an action.
    #[error("an action failed: {reason}")]
    ActionFailed {
        /// The action's own words.
        reason: String,
    },
    /// A screenshot can't be drawn on.
    #[error("the screenshot can't be drawn on")]
    Picture(#[from] image::ImageError),
    /// The task of a scene.
    #[error(transparent)]
    Task(#[from] TasksetError),
    /// Its project.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A page function refused, or the page broke.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The page did not come to rest as it should.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// The session.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl DragError {
    /// Stable name of the situation.
    #[must_use]
    pub fn code(&self) -> &str {
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

    /// What to do about it, when that is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownScene { id, known } => Some(format!(
                "{}; `scratchbed drag list` has them all, with --pack those of a pack",
                nearest("scenes", id, known)
            )),
            _ => None,
        }
    }

    /// Whether a file that was named is at fault, and not the machine.
    #[must_use]
    pub const fn is_input(&self) -> bool {
        matches!(
            self,
            Self::Scene { .. }
                | Self::Unpublished { .. }
                | Self::UnknownScene { .. }
                | Self::View { .. }
                | Self::EmptyRegion { .. }
                | Self::TooFewScenes { .. }
                | Self::Task(_)
                | Self::Page(PageError::Refused { .. })
        )
    }
}
