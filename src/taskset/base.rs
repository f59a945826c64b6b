//! Bases: projects in `tasks/bases/<base>/` that several tasks share. A task that names one finds texts and assets
//! there that its own folder does not have.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::set::DRAFTS;
use crate::model::{Task, TaskId};

/// The folder next to those of the categories.
pub(super) const BASES: &str = "bases";

/// The folder of the base that a task in `folder` names.
pub(super) fn folder(folder: &Path, task: &Task) -> Option<PathBuf> {
    below(folder, task.base.as_ref()?)
}

fn below(folder: &Path, base: &TaskId) -> Option<PathBuf> {
    let tasks = folder.parent()?.parent()?;
    // Drafts are one folder deeper, and have no bases of their own.
    let tasks = if is_draft(folder) { tasks.parent()? } else { tasks };
    Some(tasks.join(BASES).join(base.as_str()))
}

/// Whether the folder of a task is among the drafts.
pub(super) fn is_draft(folder: &Path) -> bool {
    let above = folder.parent().and_then(Path::parent);
    above.and_then(Path::file_name).is_some_and(|name| name == DRAFTS)
}

/// All that is of interest here in a `task.json`.
#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    base: Option<TaskId>,
}

/// Where the assets of a project text may be, in search order: next to it, and in the base that a `task.json` next to
/// it names.
pub fn asset_folders(text: &Path) -> Vec<PathBuf> {
    let own = text.parent().map(Path::to_owned).unwrap_or_default();
    // A text of its own has no task, and a faulty task is reported where tasks are read.
    let named = fs::read_to_string(own.join("task.json")).ok();
    let base = named.and_then(|json| serde_json::from_str::<Named>(&json).ok()?.base);
    let shared = base.zip(own.canonicalize().ok()).and_then(|(base, own)| below(&own, &base));
    std::iter::once(own).chain(shared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_beside_a_task_may_use_the_base_of_the_task() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let task = root.join("tasks/debug/dry_well");
        fs::create_dir_all(&task).unwrap();
        let text = task.join("initial.txt");
        assert_eq!(asset_folders(&text), std::slice::from_ref(&task));
        fs::write(task.join("task.json"), r#"{"base": "village", "id": 7}"#).unwrap();
        assert_eq!(asset_folders(&text), [task.clone(), root.join("tasks/bases/village")]);
        fs::write(task.join("task.json"), r#"{"base": "../village"}"#).unwrap();
        assert_eq!(asset_folders(&text), [task]);
        let draft = root.join("tasks/drafts/debug/dry_well");
        fs::create_dir_all(&draft).unwrap();
        fs::write(draft.join("task.json"), r#"{"base": "village"}"#).unwrap();
        assert_eq!(asset_folders(&draft.join("initial.txt")), [draft, root.join("tasks/bases/village")]);
    }
}
