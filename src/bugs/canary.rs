//! The canary: a text by which files of a benchmark are recognised in what a model was trained on. It is in every public file.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::BugsError;
use super::pool::{read_json, write_json};

/// The text itself. It never changes: whoever cleans training data looks for it.
pub const CANARY: &str = "scratchbed: instances of a benchmark of faults, not for general training. canary \
     5f0c5ca6-3c6b-4b62-9d0e-7a1f4e6b8d21";

/// The member of a public JSON file that holds it.
const MEMBER: &str = "canary";

/// Puts the canary into a project, as `meta.agent`: the program that saved the file. Neither Scratch nor a judge looks at that, and no edit
/// reaches it, so that an inverse still gives the golden project back to the byte if both have it.
pub fn mark(project: &mut Value) {
    if let Some(meta) = project.get_mut("meta").and_then(Value::as_object_mut) {
        meta.insert("agent".to_owned(), json!(CANARY));
    }
}

/// Writes a public file with the canary in it. The value must be an object.
pub(super) fn write_public<T: Serialize>(file: &Path, value: &T) -> Result<(), BugsError> {
    let malformed = |message: String| BugsError::Malformed { file: file.to_owned(), message };
    let mut value = serde_json::to_value(value).map_err(|error| malformed(error.to_string()))?;
    let members = value.as_object_mut().ok_or_else(|| malformed("it is no object".to_owned()))?;
    members.insert(MEMBER.to_owned(), json!(CANARY));
    write_json(file, &value)
}

/// Reads a public file. Those of older benchmarks have no canary.
pub(super) fn read_public<T: DeserializeOwned>(file: &Path) -> Result<T, BugsError> {
    let mut value: Value = read_json(file)?;
    if let Some(members) = value.as_object_mut() {
        members.shift_remove(MEMBER);
    }
    serde_json::from_value(value)
        .map_err(|error| BugsError::Malformed { file: file.to_owned(), message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::BugReport;

    #[test]
    fn a_public_file_has_the_canary_and_reads_back_as_it_was() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("report.json");
        let report = BugReport { symptom: "s".to_owned(), expected: "e".to_owned(), reproduce: Vec::new() };
        write_public(&file, &report).unwrap();
        assert!(std::fs::read_to_string(&file).unwrap().contains(CANARY));
        assert_eq!(read_public::<BugReport>(&file).unwrap(), report);
        write_json(&file, &report).unwrap();
        assert_eq!(read_public::<BugReport>(&file).unwrap(), report, "an older benchmark has none");
        assert!(write_public(&file, &1).is_err());
    }

    #[test]
    fn a_project_has_it_where_nothing_that_runs_looks() {
        let mut project = json!({"targets": [], "meta": {"semver": "3.0.0", "agent": ""}});
        let before = project["targets"].clone();
        mark(&mut project);
        assert_eq!((&project["meta"]["agent"], &project["targets"]), (&json!(CANARY), &before));
    }
}
