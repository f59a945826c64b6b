//! Reads variables, lists and messages of a target as the VM does (`serialization/sb3.js`, `parseScratchObject` and
//! `replaceUnsafeCharsInVariableIds`), and finds names that are not taken.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::javascript::{entries, sort_by_key};
use super::program::{Kind, Variable};

/// How many variables of a project can be in the cloud (`engine/runtime.js`, `cloudDataManager`).
const CLOUD_LIMIT: usize = 10;

/// All of a target, in the order in which the VM looks through them. Of several with one id the last one counts.
pub fn read_variables(target: &Value, is_stage: bool) -> Vec<Variable> {
    let mut found: IndexMap<String, Variable> = IndexMap::new();
    let mut in_cloud = 0;
    for (id, variable) in entries(&target["variables"]) {
        let is_cloud = is_stage && variable[2] == true && in_cloud < CLOUD_LIMIT;
        in_cloud += usize::from(is_cloud);
        let read = Variable { is_cloud, ..named(id, &variable[0], Kind::Variable, &variable[1]) };
        found.insert(id.clone(), read);
    }
    for (id, list) in entries(&target["lists"]) {
        found.insert(id.clone(), named(id, &list[0], Kind::List, &list[1]));
    }
    for (id, message) in entries(&target["broadcasts"]) {
        found.insert(id.clone(), named(id, message, Kind::Message, message));
    }
    with_safe_ids(found)
}

fn named(id: &str, name: &Value, kind: Kind, value: &Value) -> Variable {
    let name = name.as_str().unwrap_or_default().to_owned();
    Variable { id: id.to_owned(), name, kind, value: value.clone(), is_cloud: false, is_made: false }
}

/// What loading puts on the stage for a block that refers to nothing (`engine/variable.js`).
pub fn made(id: &str, name: &str, kind: Kind) -> Variable {
    let value = match kind {
        Kind::Variable => json!(0),
        Kind::List => json!([]),
        Kind::Message => json!(name),
    };
    Variable { is_made: true, ..named(id, &json!(name), kind, &value) }
}

/// Those whose ids have characters that XML doesn't take go to the end, with other ids.
fn with_safe_ids(mut found: IndexMap<String, Variable>) -> Vec<Variable> {
    let ids: Vec<String> = found.keys().cloned().collect();
    for id in ids {
        let safe = safe_id(&id);
        if safe != id
            && let Some(variable) = found.shift_remove(&id)
        {
            found.insert(safe.clone(), Variable { id: safe, ..variable });
        }
    }
    let mut variables: Vec<Variable> = found.into_values().collect();
    sort_by_key(&mut variables, |variable| &variable.id);
    variables
}

/// An id as the VM keeps it (`util/string-util.js`, `replaceUnsafeChars`).
pub fn safe_id(id: &str) -> String {
    let replaced = [('<', "lt"), ('>', "gt"), ('&', "amp"), ('\'', "apos"), ('"', "quot")];
    id.chars()
        .map(|letter| {
            let found = replaced.iter().find(|(unsafe_letter, _)| *unsafe_letter == letter);
            found.map_or_else(|| letter.to_string(), |(_, word)| (*word).to_owned())
        })
        .collect()
}

/// The name itself, or the first one with another number at its end that is not taken (`util/string-util.js`,
/// `unusedName`).
pub fn unused_name(name: &str, taken: &[String]) -> String {
    let is_free = |name: &str| taken.iter().all(|other| other != name);
    if is_free(name) {
        return name.to_owned();
    }
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    // One of so many is not taken.
    (2..taken.len() + 3).map(|number| format!("{stem}{number}")).find(|name| is_free(name)).unwrap()
}
