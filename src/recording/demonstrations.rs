//! Exports the solved attempts of a run as demonstrations: one line of JSON for each observation with the action that
//! followed and its result, and the pictures as files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Value, json};

use crate::model::{Blame, Coded, ItemId, Mode, Outcome, TaskDetail, sha256_hex};
use crate::store::{RunDir, StoreError};

pub const LIST: &str = "demonstrations.jsonl";
/// Folder of the pictures.
const IMAGES: &str = "images";

/// Why no set could be written.
#[derive(Debug, thiserror::Error)]
pub enum DemonstrationError {
    /// The run can't be read.
    #[error(transparent)]
    Run(#[from] StoreError),
    /// The set can't be written.
    #[error("{path} can't be written")]
    Unwritable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

impl Coded for DemonstrationError {
    fn code(&self) -> &str {
        match self {
            Self::Run(error) => error.code(),
            Self::Unwritable { .. } => "demonstrations_unwritable",
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Written {
    /// Attempts that were solved.
    pub attempts: usize,
    /// Attempts that were left out because they were not.
    pub left_out: usize,
    /// Lines: observations with their actions.
    pub steps: usize,
    pub images: usize,
}

/// One line: the observation, the action, the result.
#[derive(Debug, Serialize)]
struct Line<'a> {
    task: &'a ItemId,
    /// The instruction, where the task is known.
    instruction: Option<&'a str>,
    mode: Mode,
    attempt: u32,
    /// From 1 within the attempt.
    step: u64,
    observation: Value,
    action: &'a Value,
    result: Value,
}

/// Writes the solved attempts of a run to a folder. `instructions` are those of the tasks by name.
///
/// # Errors
/// When the run can't be read or the folder can't be written.
pub fn demonstrations(
    run: &RunDir,
    instructions: &BTreeMap<String, String>,
    folder: &Path,
) -> Result<Written, DemonstrationError> {
    let images = folder.join(IMAGES);
    fs::create_dir_all(&images).map_err(unwritable(&images))?;
    let path = folder.join(LIST);
    let mut list = fs::File::create(&path).map_err(unwritable(&path))?;
    let mut written = Written::default();
    let mut kept = BTreeMap::new();
    for (name, record) in run.attempts::<TaskDetail>()? {
        if record.outcome != Outcome::Passed {
            written.left_out += 1;
            continue;
        }
        let Some(recorded) = run.recorded(&name)? else { continue };
        written.attempts += 1;
        for (observed, acted) in steps(&recorded.calls) {
            let line = Line {
                task: &record.item,
                instruction: instructions.get(record.item.as_str()).map(String::as_str),
                mode: record.detail.mode,
                attempt: record.attempt,
                step: acted["step"].as_u64().unwrap_or_default(),
                observation: seen(observed, &images, &mut kept)?,
                action: &acted["call"],
                result: result(&acted["reply"]),
            };
            let line = json!(line).to_string();
            writeln!(list, "{line}").map_err(unwritable(&path))?;
            written.steps += 1;
        }
    }
    written.images = kept.len();
    Ok(written)
}

/// Each action with the observation right before it.
fn steps(calls: &[Value]) -> impl Iterator<Item = (&Value, &Value)> {
    let is_look = |call: &Value| call["call"]["api"] == "observe";
    calls.windows(2).filter(move |pair| is_look(&pair[0]) && !is_look(&pair[1])).map(|pair| (&pair[0], &pair[1]))
}

/// What an observation showed, its picture by name.
fn seen(observed: &Value, images: &Path, kept: &mut BTreeMap<String, String>) -> Result<Value, DemonstrationError> {
    let data = &observed["reply"]["data"];
    let encoded = data["screenshot"].as_str().unwrap_or_default();
    let image = match STANDARD.decode(encoded) {
        Ok(bytes) if !bytes.is_empty() => Some(keep(&bytes, data["picture"]["media_type"].as_str(), images, kept)?),
        _ => None,
    };
    Ok(json!({"image": image, "elements": data["elements"]}))
}

/// Keeps a picture once, under the hash of its bytes.
fn keep(
    bytes: &[u8],
    media_type: Option<&str>,
    images: &Path,
    kept: &mut BTreeMap<String, String>,
) -> Result<String, DemonstrationError> {
    let hash = sha256_hex(bytes);
    if let Some(name) = kept.get(&hash) {
        return Ok(name.clone());
    }
    let ending = media_type.and_then(|it| it.strip_prefix("image/")).unwrap_or("png");
    let file = format!("{hash}.{ending}");
    let path = images.join(&file);
    fs::write(&path, bytes).map_err(unwritable(&path))?;
    let name = format!("{IMAGES}/{file}");
    kept.insert(hash, name.clone());
    Ok(name)
}

/// The result of an action: exactly what was carried out, or why it was not.
fn result(reply: &Value) -> Value {
    let mut result = json!({"success": reply["success"], "executed_action": reply["executed_action"]});
    if !reply["error"].is_null() {
        result["error"] = reply["error"].clone();
    }
    result
}

fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> DemonstrationError + use<> {
    let path = path.to_owned();
    move |source| DemonstrationError::Unwritable { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(step: u64, api: &str, data: &Value) -> Value {
        json!({"step": step, "at_s": 0.0, "call": {"api": api, "args": {}},
            "reply": {"success": true, "executed_action": {"api": api, "args": {}}, "data": data}})
    }

    #[test]
    fn actions_go_with_the_look_before_them() {
        let none = Value::Null;
        let calls =
            [call(1, "observe", &none), call(1, "click", &none), call(2, "observe", &none), call(2, "done", &none)];
        let found: Vec<(u64, &str)> = steps(&calls)
            .map(|(seen, acted)| (seen["step"].as_u64().unwrap(), acted["call"]["api"].as_str().unwrap()))
            .collect();
        assert_eq!(found, [(1, "click"), (2, "done")]);
    }

    #[test]
    fn a_picture_is_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut kept = BTreeMap::new();
        let look = call(
            1,
            "observe",
            &json!({"screenshot": STANDARD.encode(b"pixels"), "elements": [],
            "picture": {"media_type": "image/webp"}}),
        );
        let first = seen(&look, folder.path(), &mut kept).unwrap();
        let second = seen(&look, folder.path(), &mut kept).unwrap();
        assert_eq!((&first, kept.len()), (&second, 1));
        let name = first["image"].as_str().unwrap().strip_prefix("images/").unwrap();
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"pixels");
        assert_eq!(Path::new(name).extension().unwrap(), "webp");
        let without = seen(&call(1, "observe", &json!({"elements": []})), folder.path(), &mut kept).unwrap();
        assert_eq!(without["image"], Value::Null);
    }
}
