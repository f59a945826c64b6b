//! Reading the published layout: `tasks/<number>.json` and `screenshots_final/`, into a set of ours.
//!
//! The published files carry fields of their authors' tools which hold the answer; they are
//! dropped.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::item::AnswerForm;
use super::items::{Origin, SetWriter};
use super::{Item, PerceptionError, PerceptionSet, Tag, TaskType};
use crate::model::ItemId;
use crate::taskset::{is_inside, is_plain_name};

/// Fields that only the authors' tools need.
const AUTHORING: [&str; 4] = ["prompt", "response_content", "full_response", "focus_hint"];
const TASKS: &str = "tasks";
const PICTURES: &str = "screenshots_final";

/// A published file, with what is left over.
#[derive(Debug, Deserialize)]
struct Published {
    task_id: ItemId,
    instruction: String,
    screenshot: String,
    task_type: TaskType,
    tag: Tag,
    ground_truth: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Clone)]
pub struct Imported {
    /// The set as it was written.
    pub set: PerceptionSet,
    /// How many fields of the authors' tools were dropped.
    pub dropped: usize,
    /// What is odd about single items: they are in the set as they are.
    pub warnings: Vec<String>,
}

/// Where the checkout of the paper's authors has the folder.
const IN_CHECKOUT: &str = "visual_perception_benchmark";

/// Reads a published folder, or the one in a published checkout, and writes it as a set to `out`.
///
/// # Errors
/// When the folder has another layout, a file is broken or a picture is missing, or `out` can't be written.
pub fn import(folder: &Path, out: &Path, force: bool) -> Result<Imported, PerceptionError> {
    let below = folder.join(IN_CHECKOUT);
    let folder = if below.join(TASKS).is_dir() { below.as_path() } else { folder };
    let (mut items, mut dropped, mut warnings) = (Vec::new(), 0, Vec::new());
    for path in task_files(folder)? {
        let text = fs::read_to_string(&path).map_err(|error| PerceptionError::unreadable(&path, &error))?;
        let published: Published =
            serde_json::from_str(&text).map_err(|error| PerceptionError::unreadable(&path, &error))?;
        for field in published.rest.keys() {
            if AUTHORING.contains(&field.as_str()) {
                dropped += 1;
            } else {
                warnings.push(format!("item {}: the field `{field}` is not known and was left out", published.task_id));
            }
        }
        let item = Item {
            id: published.task_id,
            task_type: published.task_type,
            tag: published.tag,
            instruction: published.instruction,
            screenshot: published.screenshot,
            ground_truth: published.ground_truth,
        };
        warnings.extend(oddities(&item).map(|what| format!("item {}: {what}", item.id)));
        items.push(item);
    }
    let writer = SetWriter::create(out, force)?;
    copy_pictures(folder, &items, &writer)?;
    let set = writer.finish(Origin::Imported, items)?;
    Ok(Imported { set, dropped, warnings })
}

/// The task files in the order of their numbers.
fn task_files(folder: &Path) -> Result<Vec<PathBuf>, PerceptionError> {
    let not = |part| PerceptionError::NotPublished { path: folder.to_owned(), part };
    let tasks = folder.join(TASKS);
    let entries = fs::read_dir(&tasks).map_err(|_| not("folder tasks/"))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| PerceptionError::unreadable(&tasks, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "json") && is_inside(folder, &path) {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(not("task in tasks/"));
    }
    let number = |path: &PathBuf| path.file_stem().and_then(|stem| stem.to_str()?.parse::<u64>().ok());
    paths.sort_by_key(|path| (number(path).unwrap_or(u64::MAX), path.clone()));
    Ok(paths)
}

fn copy_pictures(folder: &Path, items: &[Item], writer: &SetWriter) -> Result<(), PerceptionError> {
    let mut names: Vec<&str> = items.iter().map(|item| item.screenshot.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let path = folder.join(PICTURES).join(name);
        // A name must be that of a file in the folder, and not lead out of it.
        if !is_plain_name(name) || path.exists() && !is_inside(folder, &path) {
            return Err(PerceptionError::unreadable(&path, &"it is not the name of a picture"));
        }
        let png = fs::read(&path).map_err(|error| PerceptionError::unreadable(&path, &error))?;
        writer.picture(name, &png)?;
    }
    Ok(())
}

/// What a reader of the results should know of an item.
fn oddities(item: &Item) -> impl Iterator<Item = String> {
    let truth = &item.ground_truth;
    let typed = item.tag == Tag::ExactMatchNumeric && truth.parse::<f64>().is_err();
    let word = item.tag.form() == AnswerForm::YesNo && item.tag.truth() != Some(truth.as_str());
    let type_of_tag = item.tag.task_type();
    let found = [
        typed.then(|| format!("the truth {truth:?} is no number")),
        word.then(|| format!("the truth is {truth:?} where the tag says {:?}", item.tag.truth().unwrap_or_default())),
        (truth.trim() != truth).then(|| format!("the truth {truth:?} has blanks around it, so no answer is right")),
        (type_of_tag != item.task_type)
            .then(|| format!("its type is {}, and its tag belongs to {}", item.task_type, type_of_tag)),
    ];
    found.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Coded;

    /// A folder in the published layout with these tasks and one picture.
    fn published(tasks: &[Value]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for part in [TASKS, PICTURES] {
            fs::create_dir(folder.path().join(part)).unwrap();
        }
        for task in tasks {
            let name = format!("{}.json", task["task_id"].as_str().unwrap());
            fs::write(folder.path().join(TASKS).join(name), task.to_string()).unwrap();
        }
        fs::write(folder.path().join(PICTURES).join("a.png"), b"png").unwrap();
        folder
    }

    fn task(id: &str, tag: &str, truth: &str) -> Value {
        let task_type = if tag.starts_with("connection") { "connection" } else { "field" };
        json!({"task_id": id, "instruction": "?", "screenshot": "a.png", "task_type": task_type, "tag": tag, "ground_truth": truth})
    }

    fn imported(tasks: &[Value]) -> Result<Imported, PerceptionError> {
        let folder = published(tasks);
        import(folder.path(), &folder.path().join("out"), false)
    }

    #[test]
    fn items_come_in_the_order_of_their_numbers_without_the_authors_fields() {
        let mut leaky = task("10", "connection_yes", "YES");
        leaky["full_response"] = json!("YES, since");
        leaky["focus_hint"] = json!("");
        let folder = published(&[leaky, task("9", "connection_no_easy", "NO")]);
        let out = folder.path().join("out");
        let imported = import(folder.path(), &out, false).unwrap();
        let ids: Vec<_> = imported.set.items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!((ids, imported.dropped, imported.warnings.len()), (vec!["9", "10"], 2, 0));
        assert!(!fs::read_to_string(out.join("items.jsonl")).unwrap().contains("since"));
        assert!(imported.set.picture(&imported.set.items[0]).is_file());
    }

    #[test]
    fn the_checkout_around_the_folder_will_do() {
        let checkout = tempfile::tempdir().unwrap();
        fs::rename(published(&[task("1", "connection_yes", "YES")]).keep(), checkout.path().join(IN_CHECKOUT)).unwrap();
        let imported = import(checkout.path(), &checkout.path().join("out"), false).unwrap();
        assert_eq!(imported.set.items.len(), 1);
    }

    #[test]
    fn odd_truths_are_reported_and_kept() {
        let odd = [
            task("1", "exact_match_numeric", "apple"),
            task("2", "connection_yes", "NO"),
            task("3", "exact_match_dropdown", "space "),
        ];
        let imported = imported(&odd).unwrap();
        assert_eq!((imported.set.items.len(), imported.warnings.len()), (3, 3), "{:?}", imported.warnings);
    }

    #[test]
    fn another_layout_is_refused() {
        let empty = tempfile::tempdir().unwrap();
        let error = import(empty.path(), &empty.path().join("out"), false).unwrap_err();
        assert_eq!(error.code(), "not_a_published_set");
        assert_eq!(imported(&[task("1", "no_such_tag", "YES")]).unwrap_err().code(), "unreadable_set");
        let mut away = task("1", "connection_yes", "YES");
        away["screenshot"] = json!("../a.png");
        assert_eq!(imported(&[away]).unwrap_err().code(), "unreadable_set");
    }
}
