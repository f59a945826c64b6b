//! A digest of a program per target that does not change when it runs or its blocks are moved about. Values, positions
//! on stage and places in the script area are not part of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Project;
use scratchbed_model::sha256_hex;

/// Digests of a program's targets by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fingerprint {
    targets: BTreeMap<String, String>,
}

impl Fingerprint {
    pub fn of(project: &Project) -> Self {
        let targets = project.json["targets"].as_array().into_iter().flatten();
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        for target in targets {
            let name = if target["isStage"] == true { "Stage".to_owned() } else { text(&target["name"]) };
            // A second sprite of one name, or one that is called `Stage`, must not take the place of the first.
            let numbers = std::iter::once(name.clone()).chain((2..).map(|number: usize| format!("{name} #{number}")));
            let free = numbers.into_iter().find(|name| !all.contains_key(name)).unwrap_or_default();
            all.insert(free, sha256_hex(essence(target).to_string().as_bytes()));
        }
        Self { targets: all }
    }

    pub fn digest(&self) -> String {
        let all: Vec<String> = self.targets.iter().map(|(name, digest)| format!("{digest} {name}\n")).collect();
        sha256_hex(all.concat().as_bytes())
    }

    /// Names of the targets that differ, are new or are gone.
    pub fn changed(&self, after: &Self) -> Vec<String> {
        let mut names: Vec<String> =
            self.targets.keys().chain(after.targets.keys()).filter(|name| self.differs(after, name)).cloned().collect();
        names.sort();
        names.dedup();
        names
    }

    fn differs(&self, after: &Self, name: &str) -> bool {
        self.targets.get(name) != after.targets.get(name)
    }
}

fn essence(target: &Value) -> Value {
    json!([
        blocks(&target["blocks"]),
        names(&target["variables"]),
        names(&target["lists"]),
        target["broadcasts"].as_object().map(|all| all.values().map(text).collect::<std::collections::BTreeSet<_>>()),
        assets(&target["costumes"]),
        assets(&target["sounds"]),
        comments(&target["comments"]),
    ])
}

/// Blocks by id without their places. The order in the file is that of creation, and does not matter.
fn blocks(blocks: &Value) -> BTreeMap<&str, Value> {
    let placeless = |block: &Value| match block {
        Value::Object(fields) => {
            Value::Object(fields.iter().filter(|(name, _)| *name != "x" && *name != "y").map(own).collect())
        }
        // A detached reporter: `[kind, name, id, x, y]`.
        Value::Array(parts) => Value::Array(parts.iter().take(3).cloned().collect()),
        other => other.clone(),
    };
    blocks.as_object().into_iter().flatten().map(|(id, block)| (id.as_str(), placeless(block))).collect()
}

fn own((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

/// Names by id; `[name, value, cloud]` in the file.
fn names(declared: &Value) -> BTreeMap<&str, String> {
    declared.as_object().into_iter().flatten().map(|(id, one)| (id.as_str(), text(&one[0]))).collect()
}

fn assets(list: &Value) -> Vec<(String, String)> {
    list.as_array().into_iter().flatten().map(|one| (text(&one["name"]), text(&one["assetId"]))).collect()
}

fn comments(comments: &Value) -> BTreeMap<&str, String> {
    comments.as_object().into_iter().flatten().map(|(id, one)| (id.as_str(), text(&one["text"]))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(x: i32, value: i32, steps: &str, costume: &str) -> Project {
        let block = json!({"opcode": "motion_movesteps", "inputs": {"STEPS": [1, [4, steps]]}, "x": x, "y": 0});
        let json = json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"v": ["score", value]}, "blocks": {}},
            {"isStage": false, "name": "Ball", "x": x, "blocks": {"a": block, "b": [12, "score", "v", x, 0]},
             "costumes": [{"name": "round", "assetId": costume}]}
        ]});
        Project { json, assets: BTreeMap::new() }
    }

    #[test]
    fn running_and_tidying_up_leave_it_alone() {
        let before = Fingerprint::of(&project(0, 0, "10", "aa"));
        let after = Fingerprint::of(&project(70, 5, "10", "aa"));
        assert_eq!(before, after);
        assert_eq!(before.digest(), after.digest());
    }

    #[test]
    fn a_change_of_the_program_names_its_sprite() {
        let before = Fingerprint::of(&project(0, 0, "10", "aa"));
        assert_eq!(before.changed(&Fingerprint::of(&project(0, 0, "20", "aa"))), ["Ball"]);
        assert_eq!(before.changed(&Fingerprint::of(&project(0, 0, "10", "bb"))), ["Ball"]);
        assert_eq!(before.changed(&Fingerprint::default()), ["Ball", "Stage"]);
    }
}
