//! Assembles tasks from a checkout, and records what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::checkout::{Checkout, UTILS, has_extension};
use super::golden::golden;
use super::lists::TaskList;
use super::source::SourceTask;
use super::{Gap, GapKind, ImportError, ImportReport, ImportedTask};
use crate::model::{Category, StageSize, Task, TaskId, pluralise_as};
use crate::project::Project;
use crate::taskset::{Contract, PACK_FORMAT, Pack, is_common, is_plain_name};

/// A pack that is ready to be written.
#[derive(Debug)]
pub struct Import {
    /// What its `pack.json` will say.
    pub pack: Pack,
    pub(super) tasks: Vec<TaskFiles>,
    pub(super) splits: BTreeMap<String, Vec<TaskId>>,
    pub(super) prelude: Option<Vec<u8>>,
}

/// One task with the content of its files.
#[derive(Debug)]
pub(super) struct TaskFiles {
    pub task: Task,
    pub initial: Vec<u8>,
    pub golden: Vec<u8>,
    pub script: Vec<u8>,
}

impl Import {
    /// What was found and what was not.
    pub fn report(&self) -> ImportReport {
        self.pack.import.clone().unwrap_or_default()
    }

    /// The splits that its lists of tasks became, by name.
    pub fn splits(&self) -> &BTreeMap<String, Vec<TaskId>> {
        &self.splits
    }
}

/// Reads a checkout laid out like the reference repository: `tasks/<type>/<name>.json`,
/// `scratch-gui/static/*.sb3`, and anywhere below it `evaluation_scripts/<name>.js` and `evaluation_utils.js`.
///
/// # Errors
/// When the folder is not such a checkout or can't be read. The report lists missing parts.
pub fn import(root: &Path) -> Result<Import, ImportError> {
    let mut importer = Importer {
        checkout: Checkout::open(root)?,
        report: ImportReport::default(),
        files: BTreeMap::new(),
        seen: BTreeSet::new(),
        lists: Vec::new(),
        with_cases: 0,
    };
    importer.tasks()?;
    let prelude = importer.prelude();
    Ok(importer.finish(root, prelude))
}

struct Importer {
    checkout: Checkout,
    report: ImportReport,
    files: BTreeMap<(Category, TaskId), (ImportedTask, TaskFiles)>,
    /// Names of task files, good or not.
    seen: BTreeSet<String>,
    lists: Vec<TaskList>,
    /// Tasks that carry test cases of their own.
    with_cases: usize,
}

impl Importer {
    fn gap(&mut self, kind: GapKind, task: Option<&str>, part: &str, message: impl Into<String>) {
        let task = task.map(str::to_owned);
        self.report.gaps.push(Gap { kind, task, part: part.to_owned(), message: message.into() });
    }

    fn tasks(&mut self) -> Result<(), ImportError> {
        let (folders, lists) = self.checkout.tasks()?;
        for folder in folders {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            let Ok(category) = name.parse::<Category>() else {
                self.gap(
                    GapKind::Invalid,
                    None,
                    "tasks",
                    format!("`{name}` is not a type of task; its folder is left out"),
                );
                continue;
            };
            for file in self.checkout.entries(&folder)?.iter().filter(|path| has_extension(path, "json")) {
                self.task(category, file);
            }
        }
        for list in lists {
            self.list(&list)?;
        }
        Ok(())
    }

    /// A list of tasks names only tasks that are there.
    fn list(&mut self, file: &Path) -> Result<(), ImportError> {
        let shown = self.checkout.shown(file);
        let list = match TaskList::read(file, &bytes(file)?) {
            Ok(list) => list,
            Err(error) => {
                self.gap(GapKind::Invalid, None, &shown, format!("is not a list of tasks: {error}"));
                return Ok(());
            }
        };
        for (kind, name) in list.missing(&self.seen) {
            let message = format!("{shown} names tasks/{kind}/{name}, which is not there");
            let (task, part) = (Some(name.trim_end_matches(".json").to_owned()), "task".to_owned());
            self.report.gaps.push(Gap { kind: GapKind::Missing, task, part, message });
        }
        if is_common(&list.split) {
            let message = format!("every pack has a split `{}` of its own; the list is left out", list.split);
            self.gap(GapKind::Ambiguous, None, &shown, message);
        } else {
            self.lists.push(list);
        }
        Ok(())
    }

    fn splits(&mut self) -> BTreeMap<String, Vec<TaskId>> {
        let mut splits = BTreeMap::new();
        for list in &self.lists {
            let tasks = list.tasks(&self.files.keys());
            if tasks.len() < list.len() {
                let note = format!("split {}: {} of the {} names in its list", list.split, tasks.len(), list.len());
                self.report.notes.push(note);
            }
            splits.insert(list.split.clone(), tasks);
        }
        splits
    }

    fn task(&mut self, category: Category, file: &Path) {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        self.seen.insert(format!("{category}/{stem}.json"));
        let source = bytes(file).map_err(|error| error.to_string());
        let source = source.and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string()));
        let source: SourceTask = match source {
            Ok(source) => source,
            Err(error) => return self.gap(GapKind::Invalid, Some(&stem), "task", error),
        };
        self.with_cases += usize::from(!source.evaluation.test_cases.is_empty());
        let Some(id) = self.agreed_name(&source, &stem, category) else { return };
        // All parts are looked for, so that one import reports everything that is missing.
        let (initial, golden) = (self.initial(&source), self.golden(&source, category));
        let (Some(initial), Some(golden), Some(script)) = (initial, golden, self.script(&source)) else { return };
        let imported = ImportedTask {
            id: id.clone(),
            category,
            initial: initial.0,
            golden: golden.0,
            golden_rule: golden.2,
            script: script.0,
            declared_timeout_s: source.evaluation.timeout,
        };
        let files =
            TaskFiles { task: source.to_task(&id, category), initial: initial.1, golden: golden.1, script: script.1 };
        self.files.insert((category, id), (imported, files));
    }

    /// The task's name, if file, folder and content agree on it and no other task has it.
    fn agreed_name(&mut self, source: &SourceTask, stem: &str, category: Category) -> Option<TaskId> {
        let name = source.name.as_str();
        if name != stem || source.kind != category.as_ref() {
            let message = format!("says it is {}/{name}, but lies at {category}/{stem}; it is left out", source.kind);
            self.gap(GapKind::Invalid, Some(stem), "task", message);
            return None;
        }
        let Ok(id) = name.parse::<TaskId>() else {
            self.gap(GapKind::Invalid, Some(stem), "name", "has characters that task names can't have, or too many");
            return None;
        };
        if let Some((other, _)) = self.files.keys().find(|(_, other)| *other == id) {
            let message = format!("there is a task of this name in {other}, which was taken");
            self.gap(GapKind::Ambiguous, Some(name), "name", message);
            return None;
        }
        if let Some(function) = source.evaluation.function.as_ref().filter(|function| *function != name) {
            let message = format!("evaluation.function is `{function}`; the script was taken by the task's name");
            self.gap(GapKind::Ambiguous, Some(name), "script", message);
        }
        Some(id)
    }

    fn initial(&mut self, source: &SourceTask) -> Option<(String, Vec<u8>)> {
        let file = &source.initial_project;
        let own = format!("{}.sb3", source.name);
        if *file != own && self.checkout.projects.contains_key(&own) {
            let note = format!("{}: {own} exists, but the task names {file}, which was taken", source.name);
            self.report.notes.push(note);
        }
        self.project(&source.name, "initial project", file)
    }

    fn golden(&mut self, source: &SourceTask, category: Category) -> Option<(String, Vec<u8>, super::Golden)> {
        let Some((file, rule)) = golden(&self.checkout.projects, &source.name, category) else {
            let message = format!("there is no scratch-gui/static/{}_golden.sb3, nor a base project's", source.name);
            self.gap(GapKind::Missing, Some(&source.name), "golden project", message);
            return None;
        };
        self.project(&source.name, "golden project", &file).map(|(path, sb3)| (path, sb3, rule))
    }

    /// A project file that could be loaded.
    fn project(&mut self, task: &str, part: &str, name: &str) -> Option<(String, Vec<u8>)> {
        let Some(path) = self.checkout.projects.get(name).filter(|_| is_plain_name(name)).cloned() else {
            let message = format!("there is no scratch-gui/static/{name}; no other project is put in its place");
            self.gap(GapKind::Missing, Some(task), part, message);
            return None;
        };
        let shown = self.checkout.shown(&path);
        let checked = bytes(&path).map_err(|error| error.to_string()).and_then(|sb3| {
            let warnings =
                Project::read(&sb3).and_then(|project| project.check()).map_err(|error| error.to_string())?;
            Ok((sb3, warnings))
        });
        match checked {
            Ok((sb3, warnings)) => {
                let notes = warnings.into_iter().map(|warning| format!("{task}: {part}: {warning}"));
                self.report.notes.extend(notes);
                Some((shown, sb3))
            }
            Err(error) => {
                self.gap(GapKind::Invalid, Some(task), part, format!("{shown}: {error}"));
                None
            }
        }
    }

    fn script(&mut self, source: &SourceTask) -> Option<(String, Vec<u8>)> {
        let files = self.checkout.scripts_named(&source.name);
        let found = self.only_one(files, Some(&source.name), "script");
        if found.is_none() {
            let message = format!("there is no evaluation_scripts/{}.js; the task is left out", source.name);
            self.gap(GapKind::Missing, Some(&source.name), "script", message);
        }
        found
    }

    /// The first of several files; copies of it are not ambiguous.
    fn only_one(&mut self, files: Vec<PathBuf>, task: Option<&str>, part: &str) -> Option<(String, Vec<u8>)> {
        let mut read = Vec::new();
        for file in files {
            match bytes(&file).and_then(|text| utf8(&file, text)) {
                Ok(text) => read.push((self.checkout.shown(&file), text)),
                Err(error) => self.gap(GapKind::Invalid, task, part, error.to_string()),
            }
        }
        let mut read = read.into_iter();
        let first = read.next()?;
        let others: Vec<String> = read.filter(|other| other.1 != first.1).map(|other| other.0).collect();
        if !others.is_empty() {
            let message = format!("{} was taken; {} differ from it", first.0, others.join(", "));
            self.gap(GapKind::Ambiguous, task, part, message);
        }
        Some(first)
    }

    /// The helper library. Scripts that never name it do without.
    fn prelude(&mut self) -> Option<Vec<u8>> {
        if self.checkout.scripts.is_empty() {
            self.gap(GapKind::Missing, None, "scripts", "there is no folder `evaluation_scripts`");
        }
        let found = self.only_one(self.checkout.utils.clone(), None, UTILS);
        let uses = |files: &TaskFiles| String::from_utf8_lossy(&files.script).contains("EvaluationUtils");
        let users = self.files.values().filter(|(_, files)| uses(files)).count();
        if found.is_none() && users > 0 {
            let (one, many) = ("script uses it; it will fail", "scripts use it; they will fail");
            let message = format!("there is none, but {}", pluralise_as(users, one, many));
            self.gap(GapKind::Missing, None, UTILS, message);
        }
        found.map(|(_, text)| text)
    }

    fn finish(mut self, root: &Path, prelude: Option<Vec<u8>>) -> Import {
        for link in &self.checkout.outside {
            let note = format!("{} is a link out of the checkout and was skipped", self.checkout.shown(link));
            self.report.notes.push(note);
        }
        if self.with_cases > 0 {
            let files = pluralise_as(self.with_cases, "task file carries", "task files carry");
            let note = format!("{files} test_cases, which are ignored: scripts have their own");
            self.report.notes.push(note);
        }
        let splits = self.splits();
        let (imported, tasks): (Vec<_>, Vec<_>) = self.files.into_values().unzip();
        self.report.tasks = imported;
        // The name of the folder alone: a pack does not reveal paths of the machine that made it.
        let name = root.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
        let pack = Pack {
            format: PACK_FORMAT,
            name: name.unwrap_or_else(|| "scratchworld".to_owned()),
            source: "a checkout laid out like the ScratchWorld repository".to_owned(),
            contract: Contract::ScratchWorld,
            stage: StageSize::Small,
            prelude: prelude.is_some().then(|| UTILS.to_owned()),
            import: Some(self.report),
        };
        Import { pack, tasks, splits, prelude }
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, ImportError> {
    fs::read(path).map_err(|source| ImportError::Unreadable { path: path.to_owned(), source })
}

fn utf8(path: &Path, text: Vec<u8>) -> Result<Vec<u8>, ImportError> {
    let no_text = |_| std::io::Error::new(std::io::ErrorKind::InvalidData, "it is not UTF-8 text");
    let text = String::from_utf8(text).map_err(no_text);
    text.map(String::into_bytes).map_err(|source| ImportError::Unreadable { path: path.to_owned(), source })
}
