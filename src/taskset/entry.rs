//! One task with the place of its files.

use std::fs;
use std::path::{Path, PathBuf};

use super::TasksetError;
use crate::model::{ActionCall, Mode, Task};

/// A checked task and where its files lie.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskEntry {
    /// The content of its `task.json`.
    pub task: Task,
    /// The folder of that file; the task's paths start here.
    pub folder: PathBuf,
    /// The folder of the evaluation scripts.
    pub scripts: PathBuf,
}

/// A text file that is handed to a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to `eval-scripts`, with forward slashes, such as `lib/suite.js`.
    pub name: String,
    /// Its content.
    pub source: String,
}

/// An evaluation script and everything it may `require`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationSources {
    /// The script itself.
    pub script: SourceFile,
    /// What runs before it with the same globals: the helpers of a pack that knows no `require`.
    pub prelude: Option<SourceFile>,
    /// All of `eval-scripts/lib`, sorted by name.
    pub helpers: Vec<SourceFile>,
}

impl TaskEntry {
    /// The project text the agent starts from.
    #[must_use]
    pub fn initial(&self) -> PathBuf {
        self.folder.join(&self.task.initial)
    }

    /// The project text that solves the task.
    #[must_use]
    pub fn golden(&self) -> PathBuf {
        self.folder.join(&self.task.golden)
    }

    /// Other project texts that solve the task.
    #[must_use]
    pub fn second_solutions(&self) -> Vec<PathBuf> {
        self.task.second_solutions.iter().map(|path| self.folder.join(path)).collect()
    }

    /// The oracle's actions for one mode; `None` when the task has no list for it.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] or [`TasksetError::Invalid`] when the list has changed on disk
    /// since the set was checked.
    pub fn oracle(&self, mode: Mode) -> Result<Option<Vec<ActionCall>>, TasksetError> {
        let Some(name) = (match mode {
            Mode::Composite => Some(&self.task.oracle.composite),
            Mode::Primitive => self.task.oracle.primitive.as_ref(),
        }) else {
            return Ok(None);
        };
        let file = self.folder.join(name);
        super::read::json(&file)?.map(Some).map_err(|problem| TasksetError::Invalid { problems: vec![problem] })
    }

    /// The evaluation script with its helpers.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] when a file can't be read.
    pub fn evaluation(&self) -> Result<EvaluationSources, TasksetError> {
        let name = format!("{}.js", self.task.evaluation);
        let script = source_file(&self.scripts, &name)?;
        let lib = self.scripts.join("lib");
        let listing = fs::read_dir(&lib).map_err(|source| TasksetError::Unreadable { file: lib.clone(), source })?;
        let mut names: Vec<String> = listing
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| Path::new(name).extension().is_some_and(|e| e == "js"))
            .map(|name| format!("lib/{name}"))
            .collect();
        names.sort();
        let helpers = names.iter().map(|name| source_file(&self.scripts, name)).collect::<Result<_, _>>()?;
        Ok(EvaluationSources { script, prelude: None, helpers })
    }
}

fn source_file(scripts: &Path, name: &str) -> Result<SourceFile, TasksetError> {
    let file = scripts.join(name);
    match fs::read_to_string(&file) {
        Ok(source) => Ok(SourceFile { name: name.to_owned(), source }),
        Err(source) => Err(TasksetError::Unreadable { file, source }),
    }
}
