//! What is known of a run's items: a run names them, and their words are in tasks, scenes and sets of questions.

use super::ExportError;
use crate::benchmarks::drag::Scene;
use crate::benchmarks::perception::{Item, PerceptionSet};
use crate::model::ItemId;
use crate::store::RunDir;
use crate::taskset::{TaskEntry, TaskSet};

/// The items that runs may have had. What is missing here is missing in the export.
#[derive(Debug, Default)]
pub struct Known {
    pub tasks: Option<TaskSet>,
    pub scenes: Vec<Scene>,
    pub questions: Option<PerceptionSet>,
}

impl Known {
    /// The tasks, if they are those of the run: since then, they may have been changed.
    pub(super) fn tasks_of(&self, run: &RunDir) -> Option<&TaskSet> {
        self.tasks.as_ref().filter(|set| set.version().is_ok_and(|version| version == run.record().set))
    }

    pub(super) fn scene(&self, item: &ItemId) -> Option<&Scene> {
        self.scenes.iter().find(|scene| scene.id == *item)
    }

    pub(super) fn question(&self, item: &ItemId) -> Option<&Item> {
        self.questions.as_ref()?.items.iter().find(|one| one.id == *item)
    }

    /// Whether a run had the questions that are known.
    ///
    /// # Errors
    /// When it had others.
    pub(super) fn check_questions(&self, run: &RunDir) -> Result<(), ExportError> {
        match &self.questions {
            Some(set) if set.digest().is_ok_and(|digest| digest != run.record().set) => {
                Err(ExportError::OtherSet { path: run.path().to_owned() })
            }
            _ => Ok(()),
        }
    }
}

/// The task of a name.
pub(super) fn task<'a>(set: Option<&'a TaskSet>, item: &ItemId) -> Option<&'a TaskEntry> {
    set?.all().iter().find(|entry| entry.task.id.as_str() == item.as_str())
}
