//! One task with the location of its files.

use std::path::PathBuf;
use std::sync::Arc;

use super::set::DRAFTS;
use super::{Contract, EvaluationSources, Pack, TasksetError, base, sources};
use crate::model::{ActionCall, Mode, Task};

/// A checked task and the location of its files.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskEntry {
    /// The content of its `task.json`.
    pub task: Task,
    /// The folder of that file; the task's paths start here.
    pub folder: PathBuf,
    /// The folder of the evaluation scripts.
    pub scripts: PathBuf,
    /// The pack that it belongs to; none for a bundled task.
    pub pack: Option<Arc<Pack>>,
}

impl TaskEntry {
    /// Whether it is one of the drafts, which are not yet tasks.
    pub fn is_draft(&self) -> bool {
        base::is_draft(&self.folder)
    }

    /// The rules that hold for its evaluation script.
    pub fn contract(&self) -> Contract {
        self.pack.as_ref().map_or_else(Contract::default, |pack| pack.contract)
    }

    /// The folder of its base, if it has one.
    pub fn base(&self) -> Option<PathBuf> {
        base::folder(&self.folder, &self.task)
    }

    /// A file of the task: its own, or else its base's.
    pub(super) fn file(&self, path: &str) -> PathBuf {
        let own = self.folder.join(path);
        match self.base() {
            Some(base) if !own.exists() => base.join(path),
            _ => own,
        }
    }

    /// The project the agent starts from: a text, or an .sb3 file.
    pub fn initial(&self) -> PathBuf {
        self.file(&self.task.initial)
    }

    /// The project that solves the task: a text, or an .sb3 file.
    pub fn golden(&self) -> PathBuf {
        self.file(&self.task.golden)
    }

    /// Other projects that solve the task: texts, or .sb3 files.
    pub fn second_solutions(&self) -> Vec<PathBuf> {
        self.task.second_solutions.iter().map(|path| self.file(path)).collect()
    }

    /// Solutions that are as slow as the instruction allows: texts, or .sb3 files.
    pub fn slow_solutions(&self) -> Vec<PathBuf> {
        self.task.slow_solutions.iter().map(|path| self.file(path)).collect()
    }

    /// Where the assets of a text that is written for this task are, in search order.
    pub fn asset_folders(&self) -> Vec<PathBuf> {
        std::iter::once(self.folder.clone()).chain(self.base()).collect()
    }

    /// Its evaluation script: a draft's own one where there is one, else the one of this name among all scripts.
    pub fn script(&self) -> PathBuf {
        let file = format!("{}.js", self.task.evaluation);
        let own = self.scripts.join(DRAFTS).join(&file);
        if base::is_draft(&self.folder) && own.is_file() { own } else { self.scripts.join(file) }
    }

    /// The oracle's actions for one mode; `None` when the task has no list for it.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] or [`TasksetError::Invalid`] when the list has changed on disk
    /// since the set was checked.
    pub fn oracle(&self, mode: Mode) -> Result<Option<Vec<ActionCall>>, TasksetError> {
        let lists = self.task.oracle.as_ref();
        let Some(name) = lists.and_then(|lists| lists.of(mode)) else { return Ok(None) };
        let file = self.folder.join(name);
        super::read::json(&file)?.map(Some).map_err(|problem| TasksetError::Invalid { problems: vec![problem] })
    }

    /// The evaluation script with what it requires.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] when a file can't be read.
    pub fn evaluation(&self) -> Result<EvaluationSources, TasksetError> {
        let prelude = self.pack.as_ref().and_then(|pack| pack.prelude.as_deref());
        sources::read(&self.scripts, &self.script(), prelude)
    }
}
