//! What a task must satisfy beyond its JSON schema. Tasks under a foreign contract may lack what their format does not
//! have: oracle lists, difficulty, concepts and a count of blocks.

use std::path::{Component, Path};

use super::{Contract, Problem, TaskEntry, is_inside, is_sb3};
use crate::model::{ActionCall, Mode, Task};

/// Version of `task.json` that this program reads.
const FORMAT: u32 = 1;

/// Collects the faults of one task.
pub(super) struct Check<'a> {
    entry: &'a TaskEntry,
    file: &'a Path,
    problems: Vec<Problem>,
}

/// All faults of one task whose `task.json` is `file`.
pub(super) fn problems(entry: &TaskEntry, file: &Path) -> Vec<Problem> {
    let mut check = Check { entry, file, problems: Vec::new() };
    check.place();
    check.values();
    check.files();
    check.problems
}

impl Check<'_> {
    fn wrong(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push(Problem { file: self.file.to_owned(), field: field.to_owned(), message: message.into() });
    }

    fn require(&mut self, holds: bool, field: &str, message: &str) {
        if !holds {
            self.wrong(field, message);
        }
    }

    /// The folder agrees with the file.
    fn place(&mut self) {
        let name = |path: Option<&Path>| Some(path?.file_name()?.to_str()?.to_owned());
        let folder = name(Some(&self.entry.folder)).unwrap_or_default();
        let parent = name(self.entry.folder.parent()).unwrap_or_default();
        let task = &self.entry.task;
        let (id, category) = (task.id.clone(), task.category);
        self.require(id.as_str() == folder, "id", &format!("is `{id}`, but the folder is `{folder}`"));
        let message = format!("is `{category}`, but the folder lies in `{parent}`");
        self.require(category.as_ref() == parent, "category", &message);
    }

    fn values(&mut self) {
        let Task { format, title, instruction, limits, seeds, .. } = self.entry.task.clone();
        let version = format!("is {format}; this program reads {FORMAT}");
        self.require(format == FORMAT, "format", &version);
        self.require(!title.trim().is_empty(), "title", "is empty");
        self.require(!instruction.trim().is_empty(), "instruction", "is empty");
        for (field, value) in [
            ("limits.steps.composite", limits.steps.composite),
            ("limits.steps.primitive", limits.steps.primitive),
            ("limits.wall_s", limits.wall_s),
            ("limits.case_ms", limits.case_ms),
            ("limits.task_ms", limits.task_ms),
        ] {
            self.require(value > 0, field, "must be at least 1");
        }
        self.require(limits.case_ms <= limits.task_ms, "limits.case_ms", "exceeds `limits.task_ms`");
        self.require(!seeds.is_empty(), "seeds", "needs at least one seed");
        self.annotations();
        if let Some(pack) = self.entry.pack.clone() {
            let message = "differs from the one in pack.json";
            self.require(self.entry.task.stage == pack.stage, "stage", message);
        }
    }

    /// What our own format requires of a task.
    fn annotations(&mut self) {
        let optional = self.entry.contract() != Contract::Scratchbed;
        let Task { difficulty, concepts, expected_changed_blocks, oracle, .. } = self.entry.task.clone();
        self.require(difficulty.map_or(optional, |n| (1..=5).contains(&n)), "difficulty", "must be between 1 and 5");
        self.require(optional || !concepts.is_empty(), "concepts", "needs at least one concept");
        let field = "expected_changed_blocks";
        self.require(expected_changed_blocks.map_or(optional, |n| n > 0), field, "must be at least 1");
        self.require(optional || oracle.is_some(), "oracle", "needs at least a composite list");
    }

    /// Named files exist, inside the task's folder, and oracle lists can be read.
    fn files(&mut self) {
        let Task { initial, golden, second_solutions, slow_solutions, oracle, evaluation, .. } =
            self.entry.task.clone();
        let base = self.entry.base();
        self.require(base.is_none_or(|base| base.is_dir()), "base", "has no folder in `tasks/bases`");
        self.inside("initial", &initial);
        self.inside("golden", &golden);
        for (field, paths) in [("second_solutions", &second_solutions), ("slow_solutions", &slow_solutions)] {
            for (i, path) in paths.iter().enumerate() {
                self.inside(&format!("{field}[{i}]"), path);
            }
        }
        // What can be reviewed line by line is not kept as an archive.
        let others = second_solutions.iter().chain(&slow_solutions);
        let archived = [&initial, &golden].into_iter().chain(others).any(|path| is_sb3(Path::new(path)));
        self.require(self.entry.pack.is_some() || !archived, "initial", "bundled projects are kept as text");
        for mode in [Mode::Composite, Mode::Primitive] {
            if let Some(path) = oracle.as_ref().and_then(|lists| lists.of(mode)) {
                self.oracle_list(&format!("oracle.{mode}"), path);
            }
        }
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if evaluation.is_empty() || !evaluation.chars().all(allowed) {
            self.wrong("evaluation", "must be a name of lower-case letters, digits and underscores");
        } else if !self.entry.script().is_file() {
            self.wrong("evaluation", format!("there is no eval-scripts/{evaluation}.js"));
        }
    }

    /// Checks one path of the task; true when it may be opened.
    fn inside(&mut self, field: &str, path: &str) -> bool {
        let stays = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if path.is_empty() || !stays || path.contains('\\') {
            self.wrong(field, format!("`{path}` is no path inside the task's folder"));
            return false;
        }
        // A symbolic link would lead out as well as `..` does.
        let file = self.entry.file(path);
        let home = self.entry.base().filter(|base| file.starts_with(base)).unwrap_or_else(|| self.entry.folder.clone());
        if file.exists() && !is_inside(&home, &file) {
            self.wrong(field, format!("`{path}` leads out of the task's folder"));
            return false;
        }
        if !file.is_file() {
            self.wrong(field, format!("there is no file `{path}` in the task's folder"));
        }
        file.is_file()
    }

    fn oracle_list(&mut self, field: &str, path: &str) {
        if !self.inside(field, path) {
            return;
        }
        match super::read::json::<Vec<ActionCall>>(&self.entry.folder.join(path)) {
            Ok(Ok(calls)) => self.require(!calls.is_empty(), field, "the list is empty"),
            Ok(Err(problem)) => self.problems.push(problem),
            Err(error) => self.wrong(field, error.to_string()),
        }
    }
}
