//! Checks targets, assets, extensions and metadata: what the editor's own schema requires, and what it forgets.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::view::{TargetView, targets};
use crate::{Project, asset_name};

use super::Problem;

/// Extensions that are part of the editor (scratch-vm 15.1.1, `extension-support/extension-manager.js`); any
/// other id makes it fetch a script.
pub const EXTENSIONS: [&str; 12] = [
    "boost",
    "ev3",
    "faceSensing",
    "gdxfor",
    "makeymakey",
    "microbit",
    "music",
    "pen",
    "text2speech",
    "translate",
    "videoSensing",
    "wedo2",
];

/// Items that a list may hold (scratch-vm, `blocks/scratch3_data.js`).
const LIST_ITEMS: usize = 200_000;

/// Characters that a comment may hold (scratch-vm, `engine/comment.js`).
const COMMENT_CHARACTERS: usize = 8000;

pub(super) fn check(project: &Project) -> Vec<Problem> {
    let mut problems = Vec::new();
    let views: Vec<TargetView<'_>> = targets(&project.json).collect();
    if views.is_empty() {
        problems.push(Problem::error("empty_targets", "the project has no targets, not even a stage"));
        return problems;
    }
    check_order(&views, &mut problems);
    for view in &views {
        let before = problems.len();
        check_properties(*view, &mut problems);
        check_assets(*view, project, &mut problems);
        check_limits(*view, &mut problems);
        for problem in &mut problems[before..] {
            problem.target = Some(view.name().to_owned());
        }
    }
    check_whole(&project.json, &mut problems);
    problems
}

fn check_order(views: &[TargetView<'_>], problems: &mut Vec<Problem>) {
    if !views[0].is_stage() {
        problems.push(Problem::error("stage_not_first", "the first target is not the stage"));
    }
    for view in views.iter().skip(1).filter(|view| view.is_stage()) {
        problems.push(Problem::error("two_stages", "only the first target can be the stage").in_target(view.name()));
    }
    let mut names = BTreeSet::new();
    for view in views {
        if !names.insert(view.name()) {
            let message = format!(
                "there is more than one sprite named \"{}\"; the editor renames all but the first",
                view.name()
            );
            problems.push(Problem::warning("duplicate_sprite_name", message).in_target(view.name()));
        }
    }
}

fn check_properties(view: TargetView<'_>, problems: &mut Vec<Problem>) {
    /// A property that must be there, and the test of its kind.
    type Required = (&'static str, fn(&Value) -> bool);
    const REQUIRED: [Required; 6] = [
        ("name", Value::is_string),
        ("isStage", Value::is_boolean),
        ("variables", Value::is_object),
        ("costumes", Value::is_array),
        ("sounds", Value::is_array),
        ("blocks", Value::is_object),
    ];
    for (key, kind) in REQUIRED {
        if !view.get(key).is_some_and(kind) {
            problems.push(Problem::error(
                "bad_property",
                format!("the target's \"{key}\" is missing or of the wrong kind"),
            ));
        }
    }
    if view.get("costumes").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        problems.push(Problem::error("no_costume", "a target needs at least one costume"));
    }
}

fn check_assets(view: TargetView<'_>, project: &Project, problems: &mut Vec<Problem>) {
    for item in view.items("costumes").iter().chain(view.items("sounds")) {
        let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
        let stored = format!("{}.{}", text("assetId"), text("dataFormat"));
        if asset_name(&stored).is_none() {
            problems.push(Problem::error(
                "bad_asset_id",
                format!("\"{}\" has no valid asset id and format: {stored}", text("name")),
            ));
        } else if !project.assets.contains_key(&stored) && !project.assets.contains_key(text("md5ext")) {
            problems.push(Problem::warning(
                "missing_asset",
                format!("the file {stored} of \"{}\" is not in the archive", text("name")),
            ));
        }
    }
}

fn check_limits(view: TargetView<'_>, problems: &mut Vec<Problem>) {
    for (_, list) in view.entries("lists") {
        let items = list.get(1).and_then(Value::as_array).map_or(0, Vec::len);
        if items > LIST_ITEMS {
            let name = list.get(0).and_then(Value::as_str).unwrap_or_default();
            problems.push(Problem::warning(
                "list_too_long",
                format!("the list \"{name}\" has {items} items, at most {LIST_ITEMS} count"),
            ));
        }
    }
    for (_, comment) in view.entries("comments") {
        if comment.get("text").and_then(Value::as_str).is_some_and(|text| text.chars().count() > COMMENT_CHARACTERS) {
            problems.push(Problem::warning(
                "comment_too_long",
                format!("a comment has more than {COMMENT_CHARACTERS} characters"),
            ));
        }
    }
}

fn check_whole(json: &Value, problems: &mut Vec<Problem>) {
    for extension in json.get("extensions").and_then(Value::as_array).into_iter().flatten() {
        if !extension.as_str().is_some_and(|id| EXTENSIONS.contains(&id)) {
            problems.push(Problem::error("unknown_extension", format!("{extension} is no extension of the editor")));
        }
    }
    let semver = json.get("meta").and_then(|meta| meta.get("semver")).and_then(Value::as_str).unwrap_or_default();
    let numbers: Vec<&str> = semver.split('.').collect();
    let three = numbers.len() == 3
        && numbers[0] == "3"
        && numbers.iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    if !three {
        problems.push(Problem::error("bad_semver", format!("meta.semver is \"{semver}\" where 3.x.y belongs")));
    }
}
