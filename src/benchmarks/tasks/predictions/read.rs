//! Reading predictions. A fault in one of them costs only that one, and is reported with its place.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::{Blame, Coded};
use crate::taskset::{TaskEntry, TaskSet, is_sb3};

/// Why there are no predictions at all.
#[derive(Debug, thiserror::Error)]
pub enum PredictionsError {
    /// The list or the folder can't be read.
    #[error("the predictions {} can't be read: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is nothing that looks like one.
    #[error("there are no predictions in {}", path.display())]
    Nothing {
        /// The file or folder.
        path: PathBuf,
    },
}

impl Coded for PredictionsError {
    fn code(&self) -> &str {
        match self {
            Self::Unreadable { .. } => "predictions_unreadable",
            Self::Nothing { .. } => "no_predictions",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = "name a file with an object a line, {\"task\": \"ID\", \"project\": \"FILE.sb3\"}, or a folder with ID.sb3 or ID/*.sb3";
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// A project for a task.
#[derive(Debug, Clone)]
pub struct Prediction {
    /// Where it is named: `line 3`, or the file's path from the folder.
    pub place: String,
    pub task: TaskEntry,
    pub project: PathBuf,
    /// Which of the projects for this task it is, from 1.
    pub attempt: u32,
}

/// A line or file that is not a prediction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unusable {
    /// Where it is: `line 3`, or the file's path from the folder.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

/// What a list or a folder holds.
#[derive(Debug, Default)]
pub struct Predictions {
    /// What can be judged, in order.
    pub usable: Vec<Prediction>,
    pub unusable: Vec<Unusable>,
}

/// A line of a list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    task: String,
    project: PathBuf,
}

/// Reads the predictions of a list, `{"task": ID, "project": PATH}` a line with paths from the list's folder, or of a
/// folder: `<task>.sb3` and `<task>/*.sb3`, by name.
///
/// # Errors
/// When the list or the folder can't be read, or there is nothing in it.
pub fn read_predictions(path: &Path, tasks: &TaskSet) -> Result<Predictions, PredictionsError> {
    let unreadable = |source| PredictionsError::Unreadable { path: path.to_owned(), source };
    let found = if path.is_dir() {
        in_folder(path).map_err(unreadable)?
    } else {
        let folder = path.parent().unwrap_or(Path::new(""));
        in_list(&fs::read(path).map_err(unreadable)?, folder)
    };
    let predictions = sorted_out(found, tasks);
    if predictions.usable.is_empty() && predictions.unusable.is_empty() {
        return Err(PredictionsError::Nothing { path: path.to_owned() });
    }
    Ok(predictions)
}

/// A place with the task and the project that are named there, or what is wrong.
type Found = (String, Result<(String, PathBuf), String>);

fn in_list(text: &[u8], folder: &Path) -> Vec<Found> {
    let lines = text.split(|byte| *byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(number, line)| {
            let read = serde_json::from_slice::<Line>(line).map_err(|error| error.to_string());
            (format!("line {}", number + 1), read.map(|line| (line.task, folder.join(line.project))))
        })
        .collect()
}

/// Project files right in the folder, and in folders named after tasks.
fn in_folder(folder: &Path) -> std::io::Result<Vec<Found>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        let files = if path.is_dir() { entries(&path)? } else { vec![path.clone()] };
        for file in files.into_iter().filter(|file| is_sb3(file)) {
            let place = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
            let task = if path.is_dir() { path.file_name() } else { path.file_stem() };
            let task = task.unwrap_or_default().to_string_lossy().into_owned();
            found.push((place, Ok((task, file))));
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    Ok(paths)
}

fn sorted_out(found: Vec<Found>, tasks: &TaskSet) -> Predictions {
    let mut all = Predictions::default();
    let mut made: BTreeMap<String, u32> = BTreeMap::new();
    for (place, named) in found {
        let usable = named.and_then(|(id, project)| {
            let task = tasks.find(&id).map_err(|error| error.to_string())?.clone();
            if !project.is_file() {
                return Err(format!("there is no file {}", project.display()));
            }
            Ok((id, task, project))
        });
        match usable {
            Ok((id, task, project)) => {
                let attempt = made.entry(id).or_default();
                *attempt += 1;
                all.usable.push(Prediction { place, task, project, attempt: *attempt });
            }
            Err(reason) => all.unusable.push(Unusable { place, reason }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks() -> TaskSet {
        TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    fn named(predictions: &Predictions) -> Vec<(&str, &str, u32)> {
        predictions.usable.iter().map(|one| (one.place.as_str(), one.task.task.id.as_str(), one.attempt)).collect()
    }

    #[test]
    fn a_bad_line_is_reported_with_its_number_and_costs_no_other() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.sb3"), "a").unwrap();
        let list = folder.path().join("list.jsonl");
        let lines = [
            r#"{"task": "stuck_ferry", "project": "a.sb3"}"#,
            "",
            "no JSON",
            r#"{"task": "stuck_fery", "project": "a.sb3"}"#,
            r#"{"task": "stuck_ferry", "project": "b.sb3"}"#,
            r#"{"task": "stuck_ferry", "file": "a.sb3"}"#,
            r#"{"task": "stuck_ferry", "project": "a.sb3"}"#,
        ];
        fs::write(&list, lines.join("\n").into_bytes().into_iter().chain(*b"\n\xff\n").collect::<Vec<u8>>()).unwrap();
        let read = read_predictions(&list, &tasks()).unwrap();
        assert_eq!(named(&read), [("line 1", "stuck_ferry", 1), ("line 7", "stuck_ferry", 2)]);
        let places: Vec<&str> = read.unusable.iter().map(|one| one.place.as_str()).collect();
        assert_eq!(places, ["line 3", "line 4", "line 5", "line 6", "line 8"]);
        assert!(read.unusable[1].reason.contains("stuck_fery"), "{:?}", read.unusable);
        assert!(read.unusable[2].reason.contains("b.sb3"), "{:?}", read.unusable);
        assert!(read.unusable[3].reason.contains("file"), "{:?}", read.unusable);
    }

    #[test]
    fn a_folder_has_one_project_a_task_or_several() {
        let folder = tempfile::tempdir().unwrap();
        for file in
            ["windmill_brake.sb3", "stuck_ferry/2.sb3", "stuck_ferry/1.sb3", "stuck_ferry/notes.md", "unknown.sb3"]
        {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let read = read_predictions(folder.path(), &tasks()).unwrap();
        let wanted = [
            ("stuck_ferry/1.sb3", "stuck_ferry", 1),
            ("stuck_ferry/2.sb3", "stuck_ferry", 2),
            ("windmill_brake.sb3", "windmill_brake", 1),
        ];
        assert_eq!(named(&read), wanted);
        assert_eq!(read.unusable.iter().map(|one| one.place.as_str()).collect::<Vec<_>>(), ["unknown.sb3"]);
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(read_predictions(empty.path(), &tasks()).unwrap_err().code(), "no_predictions");
        let gone = read_predictions(&empty.path().join("gone.jsonl"), &tasks()).unwrap_err();
        assert_eq!(gone.code(), "predictions_unreadable");
    }
}
