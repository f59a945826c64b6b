//! All tasks below one root, and choosing among them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::base::BASES;
use super::split::Splits;
use super::{Pack, Problem, TaskEntry, TasksetError, check, read};
use crate::model::{Category, Task};

/// The folder of tasks that are being written: laid out like `tasks`, and no part of any set.
pub(super) const DRAFTS: &str = "drafts";

/// Every task below a root folder, sorted by category and name, each one checked.
#[derive(Debug, Clone)]
pub struct TaskSet {
    entries: Vec<TaskEntry>,
    splits: Splits,
    /// Faults of drafts that are left out, so that one author's unfinished draft does not block the others.
    unfinished: Vec<Problem>,
    /// Names of drafts in addition to the set.
    drafts: Vec<String>,
}

/// Which tasks to take; an empty selection takes all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only these, by name; each must exist.
    pub ids: Vec<String>,
    /// Only those of these categories.
    pub categories: Vec<Category>,
    /// Only those of this split.
    pub split: Option<String>,
}

impl TaskSet {
    /// Reads and checks all tasks below `root`, the folder that holds `tasks/` and `eval-scripts/`.
    ///
    /// # Errors
    /// [`TasksetError::Invalid`] with every fault found; [`TasksetError::Unlistable`] when there is no
    /// `tasks` folder.
    pub fn read(root: &Path) -> Result<Self, TasksetError> {
        Self::below(root, &root.join("tasks"), None)
    }

    /// Reads and checks the drafts below `root`; those with faults are left out and listed by [`Self::unfinished`].
    ///
    /// # Errors
    /// [`TasksetError::Unlistable`] when their folder can't be read; no drafts are not an error.
    pub fn read_drafts(root: &Path) -> Result<Self, TasksetError> {
        let drafts = root.join("tasks").join(DRAFTS);
        if !drafts.is_dir() {
            return Ok(Self {
                entries: Vec::new(),
                splits: Splits::default(),
                unfinished: Vec::new(),
                drafts: Vec::new(),
            });
        }
        let (entries, unfinished) = Self::entries(root, &drafts, None)?;
        Ok(Self { entries, splits: Splits::default(), unfinished, drafts: Vec::new() })
    }

    /// Reads and checks all tasks of a pack, a folder that holds `pack.json`, `tasks/` and `eval-scripts/`.
    ///
    /// # Errors
    /// [`TasksetError::NoPack`] without a `pack.json`, [`TasksetError::Invalid`] with every fault found.
    pub fn read_pack(folder: &Path) -> Result<Self, TasksetError> {
        let pack = Arc::new(Pack::read(folder)?);
        Self::below(folder, &folder.join("tasks"), Some(&pack))
    }

    fn below(root: &Path, tasks: &Path, pack: Option<&Arc<Pack>>) -> Result<Self, TasksetError> {
        let (entries, mut problems) = Self::entries(root, tasks, pack)?;
        let splits = Splits::read(tasks, &entries).unwrap_or_else(|faults| {
            problems.extend(faults);
            Splits::default()
        });
        let set = Self { entries, splits, unfinished: Vec::new(), drafts: draft_names(&tasks.join(DRAFTS)) };
        if problems.is_empty() { Ok(set) } else { Err(TasksetError::Invalid { problems }) }
    }

    /// What is sound below a folder of categories, and the faults of the rest.
    fn entries(
        root: &Path,
        tasks: &Path,
        pack: Option<&Arc<Pack>>,
    ) -> Result<(Vec<TaskEntry>, Vec<Problem>), TasksetError> {
        let (mut entries, mut problems) = (Vec::new(), Vec::new());
        let apart = [BASES, DRAFTS].map(|name| tasks.join(name));
        for folder in folders(tasks)?.into_iter().filter(|folder| !apart.contains(folder)) {
            for folder in folders(&folder)? {
                match read_entry(root, &folder, pack) {
                    Ok(entry) => entries.push(entry),
                    Err(faults) => problems.extend(faults),
                }
            }
        }
        entries.sort_by(|a, b| (a.task.category, &a.task.id).cmp(&(b.task.category, &b.task.id)));
        problems.extend(duplicates(&entries));
        Ok((entries, problems))
    }

    /// The faults of drafts that are left out.
    pub fn unfinished(&self) -> &[Problem] {
        &self.unfinished
    }

    pub fn all(&self) -> &[TaskEntry] {
        &self.entries
    }

    /// The names of its splits; `all` comes first.
    pub fn splits(&self) -> Vec<String> {
        self.splits.names()
    }

    /// One task by name.
    ///
    /// # Errors
    /// [`TasksetError::UnknownTask`], with the nearest names as its hint; [`TasksetError::Invalid`] for a draft with
    /// faults.
    pub fn find(&self, id: &str) -> Result<&TaskEntry, TasksetError> {
        let of_task = |problem: &&Problem| problem.file.parent().is_some_and(|folder| folder.ends_with(id));
        let problems: Vec<Problem> = self.unfinished.iter().filter(of_task).cloned().collect();
        if !problems.is_empty() {
            return Err(TasksetError::Invalid { problems });
        }
        self.entries.iter().find(|entry| entry.task.id.as_str() == id).ok_or_else(|| TasksetError::UnknownTask {
            id: id.to_owned(),
            known: self.entries.iter().map(|entry| entry.task.id.to_string()).collect(),
            is_draft: self.drafts.iter().any(|draft| draft == id),
        })
    }

    /// The chosen tasks, in the order of the set.
    ///
    /// # Errors
    /// [`TasksetError::UnknownTask`] for a name that no task has, [`TasksetError::UnknownSplit`] likewise.
    pub fn select(&self, selection: &Selection) -> Result<Vec<&TaskEntry>, TasksetError> {
        for id in &selection.ids {
            self.find(id)?;
        }
        let by_id = |task: &Task| selection.ids.is_empty() || selection.ids.iter().any(|id| id == task.id.as_str());
        let by_category =
            |task: &Task| selection.categories.is_empty() || selection.categories.contains(&task.category);
        let mut chosen = Vec::new();
        for entry in self.entries.iter().filter(|entry| by_id(&entry.task) && by_category(&entry.task)) {
            if self.is_in(selection.split.as_deref(), entry)? {
                chosen.push(entry);
            }
        }
        Ok(chosen)
    }

    fn is_in(&self, split: Option<&str>, entry: &TaskEntry) -> Result<bool, TasksetError> {
        let Some(name) = split else { return Ok(true) };
        let unknown = || TasksetError::UnknownSplit { name: name.to_owned(), known: self.splits() };
        self.splits.has(name, entry).ok_or_else(unknown)
    }
}

/// Names of the drafts in a folder, in any state.
fn draft_names(folder: &Path) -> Vec<String> {
    let below = |folder: PathBuf| folders(&folder).unwrap_or_default();
    let drafts = below(folder.to_owned()).into_iter().flat_map(below);
    drafts.filter_map(|draft| Some(draft.file_name()?.to_str()?.to_owned())).collect()
}

fn folders(parent: &Path) -> Result<Vec<PathBuf>, TasksetError> {
    let unlistable = |source| TasksetError::Unlistable { folder: parent.to_owned(), source };
    let mut folders = Vec::new();
    for entry in fs::read_dir(parent).map_err(unlistable)? {
        let path = entry.map_err(unlistable)?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

fn read_entry(root: &Path, folder: &Path, pack: Option<&Arc<Pack>>) -> Result<TaskEntry, Vec<Problem>> {
    let file = folder.join("task.json");
    let task = read::json::<Task>(&file)
        .map_err(|error| vec![Problem { file: file.clone(), field: String::new(), message: error.to_string() }])?
        .map_err(|problem| vec![problem])?;
    let scripts = root.join("eval-scripts");
    let entry = TaskEntry { task, folder: folder.to_owned(), scripts, pack: pack.cloned() };
    let problems = check::problems(&entry, &file);
    if problems.is_empty() { Ok(entry) } else { Err(problems) }
}

/// Names are unique across categories, since users name tasks without their category.
fn duplicates(entries: &[TaskEntry]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        if let Some(other) = entries[..i].iter().find(|other| other.task.id == entry.task.id) {
            problems.push(Problem {
                file: entry.folder.join("task.json"),
                field: "id".to_owned(),
                message: format!("is also the id of {}", other.folder.display()),
            });
        }
    }
    problems
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
