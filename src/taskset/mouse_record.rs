//! What the mouse oracle needed for a task, stored next to `task.json`; the limit of primitive mode follows from it.
//! How the task is played is the `solver` room's work, and whether its limits fit is checked when it is certified.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{TaskEntry, TasksetError, project_digest, read};
use crate::files::write_whole;

/// The file next to `task.json`.
pub const MOUSE_RECORD_FILE: &str = "mouse.json";

/// Version of the file.
const FORMAT: u32 = 1;

/// An attempt of the mouse oracle that passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MouseRecord {
    /// Version of this format; 1.
    pub format: u32,
    /// Actions with mouse and keyboard; the closing `done` is not counted.
    pub actions: u32,
    /// Actions that did not do what they were meant to do.
    pub misses: u32,
    /// Number of retries in another way.
    pub replans: u32,
    /// The projects between which it worked.
    pub projects: RecordedProjects,
}

/// Digests of a task's projects, SHA-256 in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedProjects {
    /// The project that agents start from.
    pub initial: String,
    /// The project that solves the task.
    pub golden: String,
}

impl RecordedProjects {
    /// The current ones of a task.
    fn of(entry: &TaskEntry) -> Result<Self, TasksetError> {
        Ok(Self { initial: project_digest(&entry.initial())?, golden: project_digest(&entry.golden())? })
    }
}

impl MouseRecord {
    /// The record of an attempt that has just passed.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] when a project can't be read.
    pub fn of(entry: &TaskEntry, actions: u32, misses: u32, replans: u32) -> Result<Self, TasksetError> {
        Ok(Self { format: FORMAT, actions, misses, replans, projects: RecordedProjects::of(entry)? })
    }

    /// The record next to a task; none without a file.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] and [`TasksetError::Invalid`] when the file is broken.
    pub fn beside(entry: &TaskEntry) -> Result<Option<Self>, TasksetError> {
        let file = entry.folder.join(MOUSE_RECORD_FILE);
        if !file.exists() {
            return Ok(None);
        }
        read::json(&file)?.map(Some).map_err(|problem| TasksetError::Invalid { problems: vec![problem] })
    }

    /// Whether it was made with this program's format, from the projects that the task has now.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] when a project can't be read.
    pub fn is_current(&self, entry: &TaskEntry) -> Result<bool, TasksetError> {
        Ok(self.format == FORMAT && self.projects == RecordedProjects::of(entry)?)
    }

    /// Puts it into a task's folder, in place of an older one.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(&folder.join(MOUSE_RECORD_FILE), text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::model::Coded;
    use crate::taskset::TaskSet;

    #[test]
    fn a_record_is_kept_and_ends_with_the_projects_it_was_made_from() {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let source = set.find("kite_gusts").unwrap();
        let mut entry = source.clone();
        folder.path().clone_into(&mut entry.folder);
        for name in [&entry.task.initial, &entry.task.golden] {
            fs::copy(source.folder.join(name), folder.path().join(name)).unwrap();
        }
        assert_eq!(MouseRecord::beside(&entry).unwrap(), None);
        MouseRecord::of(&entry, 40, 1, 2).unwrap().write(&entry.folder).unwrap();
        let kept = MouseRecord::beside(&entry).unwrap().unwrap();
        assert_eq!((kept.actions, kept.misses, kept.replans), (40, 1, 2));
        assert!(kept.is_current(&entry).unwrap());
        fs::write(entry.initial(), "another").unwrap();
        assert!(!kept.is_current(&entry).unwrap());
        fs::write(folder.path().join(MOUSE_RECORD_FILE), "{}").unwrap();
        assert_eq!(MouseRecord::beside(&entry).unwrap_err().code(), "tasks_invalid");
    }
}
