//! The gates that need no run (ScratchEval, section 2.2), and the normalised project with what is counted in it. Loading is done by
//! others; all here is a function of bytes.

use serde_json::Value;

use super::kept::{Fault, Row};
use super::reading::{Format, format_of};
use super::tags;
use crate::bugs::{Features, is_self_contained};
use crate::judge::Original;
use crate::model::sha256_hex;
use crate::project::normalise::{is_left_alone, normalise, number_ids};
use crate::project::{Project, Severity, validate};

/// Salt of new ids, with the project's content: the same project gives the same file whatever it was called.
const SALT: &str = "scratchbed intake";

/// A file before it is loaded.
pub(super) fn before_loading(row: &mut Row, bytes: &[u8]) -> bool {
    match format_of(bytes) {
        Ok(Format::Sb3(project)) => {
            row.gates = gates(&project);
            // A project that fails at a gate is counted as it is; one whose blocks make no sense is not.
            if row.gates.iter().all(|fault| matches!(fault.code.as_str(), "asset_missing" | "extension_needed")) {
                count(row, &project);
            }
        }
        Ok(Format::Sb2) => row.converted_from = Some("sb2".to_owned()),
        Ok(Format::Sb) => row.converted_from = Some("sb".to_owned()),
        Err(fault) => row.gates.push(fault),
    }
    row.gates.is_empty()
}

/// A file after it was loaded: the normalised project, and whether it passes.
pub(super) fn after_loading(row: &mut Row, bytes: &[u8], original: Original) -> Project {
    let Original { mut project, targets, broken, .. } = original;
    let there = project.json["targets"].as_array().map_or(0, Vec::len);
    // An older file's own count is known to the loader alone.
    let wanted = match format_of(bytes) {
        Ok(Format::Sb3(before)) => before.json["targets"].as_array().map_or(0, Vec::len),
        _ => there,
    };
    if targets != wanted || there != wanted {
        row.gates.push(Fault::new("targets_lost", format!("{targets} targets after loading, {wanted} before")));
    }
    if !broken.is_empty() {
        row.gates.push(Fault::new("costume_broken", broken.join(", ")));
    }
    let is_cloudy = make_clouds_plain(&mut project.json);
    let changes =
        [(row.converted_from.is_some(), "converted"), (is_cloudy, "cloud variables made plain"), (true, "normalised")];
    row.changes = changes.into_iter().filter(|(is_done, _)| *is_done).map(|(_, change)| change.to_owned()).collect();
    if row.converted_from.is_some() {
        number_ids(&mut project.json);
    }
    // Of one salt, blocks at the same place would have the same id in every project: a gap in the row would tell what was taken away.
    let salt = format!("{SALT} {}", sha256_hex(project.json.to_string().as_bytes()));
    normalise(&mut project.json, &salt);
    row.gates.extend(gates(&project));
    row.gates.extend(not_editable(&project.json));
    count(row, &project);
    project
}

/// A normalised project that a patch without edits changes: no fault of it could be taken back to the byte, and no repair be scored.
fn not_editable(project: &Value) -> Option<Fault> {
    const WHY: &str =
        "a patch without edits changes its blocks: open it in the Scratch editor, move a block, and save it again";
    (!is_left_alone(project)).then(|| Fault::new("not_editable", WHY))
}

fn count(row: &mut Row, project: &Project) {
    let features = Features::of(&project.json);
    row.tags = tags::of(&project.json, &features);
    row.features = Some(features);
}

/// Gates that a project of Scratch 3 fails at, each code once.
fn gates(project: &Project) -> Vec<Fault> {
    let problems = validate(project);
    let mut faults: Vec<Fault> = Vec::new();
    let missing: Vec<&str> =
        problems.iter().filter(|problem| problem.code == "missing_asset").map(|one| one.message.as_str()).collect();
    if !missing.is_empty() {
        faults.push(Fault::new("asset_missing", missing.join("; ")));
    }
    for problem in problems.iter().filter(|problem| problem.severity == Severity::Error) {
        if problem.code != "missing_asset" && faults.iter().all(|fault| fault.code != problem.code) {
            faults.push(Fault::new(problem.code, problem.to_string()));
        }
    }
    if !is_self_contained(&project.json) {
        faults.push(Fault::new("extension_needed", extensions(&project.json)));
    }
    faults
}

fn extensions(project: &Value) -> String {
    let listed = project["extensions"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let others: Vec<&str> = listed.filter(|name| !matches!(*name, "pen" | "music")).collect();
    if others.is_empty() {
        "it has blocks of no extension that works everywhere".to_owned()
    } else {
        format!("it needs a network, hardware or unknown code: {}", others.join(", "))
    }
}

/// Cloud variables become variables like others; whether there were any.
fn make_clouds_plain(project: &mut Value) -> bool {
    let mut found = false;
    for target in project["targets"].as_array_mut().into_iter().flatten() {
        for variable in target["variables"].as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
            if let Some(parts) = variable.as_array_mut().filter(|parts| parts.len() > 2) {
                parts.truncate(2);
                found = true;
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "examine_tests.rs"]
mod tests;
