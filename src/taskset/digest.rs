//! Digests of tasks: the inputs of a certificate, and the version of a set.
//!
//! Everything is read from the files, so that no browser is needed to see whether something changed.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{TaskEntry, TaskSet, TasksetError, asset_folders, is_sb3};
use crate::model::sha256_hex;

/// Beside `task.json`: why mutants are equivalent, by their names.
pub const REASONS_FILE: &str = "equivalent.json";

/// Letters of a set's version.
const VERSION_LETTERS: usize = 12;

impl TaskEntry {
    /// One digest, SHA-256 in hexadecimal, of all that a check of this task depends on besides the program: its
    /// projects, its script with the helpers, seeds, stage, limits of the judge, and reasons for equivalent mutants.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] when a file can't be read.
    pub fn sources_digest(&self) -> Result<String, TasksetError> {
        let of = |paths: Vec<PathBuf>| paths.iter().map(|path| project_digest(path)).collect::<Result<Vec<_>, _>>();
        let projects = [vec![self.golden(), self.initial()], self.second_solutions()].concat();
        let reasons = fs::read(self.folder.join(REASONS_FILE)).unwrap_or_default();
        let all = json!({
            "projects": of(projects)?,
            "slow": of(self.slow_solutions())?,
            "script": self.evaluation()?.digest(),
            "contract": self.contract(),
            "seeds": self.task.seeds,
            "stage": self.task.stage,
            "case_ms": self.task.limits.case_ms,
            "task_ms": self.task.limits.task_ms,
            "reasons": sha256_hex(&reasons),
        });
        Ok(sha256_hex(all.to_string().as_bytes()))
    }
}

impl TaskSet {
    /// A short name of the set's content that changes whenever a score could: with a task more or less, with an
    /// instruction, a start, a judge or a limit. Results are comparable if this and the program's version agree.
    ///
    /// # Errors
    /// [`TasksetError::Unreadable`] when a file can't be read.
    pub fn version(&self) -> Result<String, TasksetError> {
        let mut all = Vec::new();
        for entry in self.all() {
            let task = &entry.task;
            all.push(json!([task.id, task.category, task.instruction, task.limits, entry.sources_digest()?]));
        }
        let mut digest = sha256_hex(json!(all).to_string().as_bytes());
        digest.truncate(VERSION_LETTERS);
        Ok(digest)
    }
}

/// One digest of a project: a text with the files next to it that it may use, or an archive. Their location does not
/// matter.
///
/// # Errors
/// [`TasksetError::Unreadable`] when a file can't be read.
pub fn project_digest(path: &Path) -> Result<String, TasksetError> {
    let mut list = vec![digest(path)?];
    let folders = if is_sb3(path) { Vec::new() } else { asset_folders(path) };
    for folder in folders {
        let mut files = Vec::new();
        collect(&folder, &mut files)?;
        files.sort();
        for file in files {
            let name = file.strip_prefix(&folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            list.push(format!("{name} {}", digest(&file)?));
        }
    }
    Ok(sha256_hex(list.join("\n").as_bytes()))
}

fn digest(path: &Path) -> Result<String, TasksetError> {
    let bytes = fs::read(path).map_err(|source| TasksetError::Unreadable { file: path.to_owned(), source })?;
    Ok(sha256_hex(&bytes))
}

/// The files below a folder other than project texts and JSON, which no project contains.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), TasksetError> {
    let unreadable = |source| TasksetError::Unreadable { file: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if !path.extension().is_some_and(|extension| extension == "txt" || extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_text_or_asset_is_another_project_and_a_changed_list_or_place_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |place: &str, name: &str, text: &str| {
            let file = folder.path().join(place).join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let of = |place: &str| project_digest(&folder.path().join(place).join("initial.txt")).unwrap();
        write("a", "initial.txt", "one");
        write("b", "initial.txt", "one");
        let first = of("a");
        write("a", "oracle.json", "[]");
        assert_eq!(of("a"), first);
        assert_eq!(of("b"), first);
        write("a", "assets/a.svg", "<svg/>");
        let second = of("a");
        assert_ne!(second, first);
        write("a", "initial.txt", "two");
        assert_ne!(of("a"), second);
    }
}
