//! In which scripts another project differs from gold, and so in which scenarios it can behave otherwise: where none of these scripts
//! runs in gold's run, the other project's run is the same, and need not be made.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::project::view::{TargetView, targets};

/// Members of a block that say where it lies and not what it does.
const LAYOUT: [&str; 3] = ["x", "y", "comment"];
/// Members of a target that are compared by other means, or do nothing.
const APART: [&str; 2] = ["blocks", "comments"];

/// Blocks of gold in scripts that differ, by target; nothing is known where more than scripts differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Differing(Option<BTreeMap<String, BTreeSet<String>>>);

impl Differing {
    /// What differs between gold and another project.
    pub(super) fn between(gold: &Value, other: &Value) -> Self {
        let (own, others): (Vec<TargetView<'_>>, Vec<TargetView<'_>>) =
            (targets(gold).collect(), targets(other).collect());
        if own.len() != others.len() || !have_alike_targets(gold, other) {
            return Self(None);
        }
        let pairs = own.iter().zip(&others);
        let scripts = pairs.map(|(own, other)| Some((own.sprite_id().to_owned(), scripts(*own, *other)?)));
        Self(scripts.collect())
    }

    /// Whether a run may differ from gold's, in which these statements and hats ran, by target.
    pub(super) fn may_show(&self, covered: &BTreeMap<String, Vec<String>>) -> bool {
        let Some(scripts) = &self.0 else { return true };
        scripts.iter().any(|(sprite, blocks)| {
            let ran = covered.get(sprite);
            ran.is_some_and(|ran| ran.iter().any(|id| blocks.contains(id)))
        })
    }
}

/// Whether targets have the same members but for their blocks and comments.
fn have_alike_targets(gold: &Value, other: &Value) -> bool {
    let all = |json: &Value| json["targets"].as_array().cloned().unwrap_or_default();
    all(gold).iter().zip(&all(other)).all(|(own, other)| {
        let members = |target: &Value| -> BTreeMap<String, Value> {
            let members = target.as_object().into_iter().flatten().filter(|(name, _)| !APART.contains(&name.as_str()));
            members.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        members(own) == members(other)
    })
}

/// Blocks of gold's scripts that differ; `None` where there are other scripts, or their order is another.
fn scripts(own: TargetView<'_>, other: TargetView<'_>) -> Option<BTreeSet<String>> {
    let firsts = |target: TargetView<'_>| -> Vec<String> {
        target.blocks().filter(|block| block.top_level).map(|block| block.id.to_owned()).collect()
    };
    if firsts(own) != firsts(other) {
        return None;
    }
    let others: BTreeMap<&str, &Value> = other.entries("blocks").collect();
    let all: BTreeMap<&str, &Value> = own.entries("blocks").collect();
    let differs = |id: &&str| match (all.get(*id), others.get(*id)) {
        (Some(one), Some(other)) => !does_the_same(one, other),
        _ => true,
    };
    let changed: Vec<&str> = all.keys().copied().filter(differs).collect();
    // A hat that waits for something else starts its script where gold's does not run.
    if changed.iter().any(|id| own.root(id) == *id && waits_otherwise(all.get(id), others.get(id))) {
        return None;
    }
    let roots: BTreeSet<&str> = changed.into_iter().map(|id| own.root(id)).collect();
    let added = others.keys().copied().filter(|id| !all.contains_key(id)).map(|id| other.root(id));
    let roots: BTreeSet<&str> = roots.into_iter().chain(added).collect();
    if roots.is_empty() {
        return Some(BTreeSet::new());
    }
    Some(all.keys().filter(|id| roots.contains(own.root(id))).map(|id| (*id).to_owned()).collect())
}

/// Whether two hats are of another kind, or ask for something else.
fn waits_otherwise(one: Option<&&Value>, other: Option<&&Value>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return true };
    ["opcode", "fields", "inputs"].iter().any(|part| one[*part] != other[*part])
}

fn does_the_same(one: &Value, other: &Value) -> bool {
    let members = |block: &Value| -> Option<BTreeMap<String, Value>> {
        let members = block.as_object()?.iter().filter(|(name, _)| !LAYOUT.contains(&name.as_str()));
        Some(members.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    match (members(one), members(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fakes::block;
    use super::*;
    use crate::project::edit::{Edit, apply};

    fn gold() -> Value {
        let blocks = json!({
            "flag": block("event_whenflagclicked", None, Some("hide"), json!({}), json!({})),
            "hide": block("looks_hide", Some("flag"), None, json!({}), json!({})),
            "click": block("event_whenthisspriteclicked", None, Some("show"), json!({}), json!({})),
            "show": block("looks_show", Some("click"), None, json!({}), json!({}))
        });
        json!({"targets": [{"isStage": false, "name": "Moth", "visible": true, "variables": {}, "lists": {}, "broadcasts": {},
            "comments": {}, "blocks": blocks, "costumes": [], "sounds": []}], "monitors": [], "extensions": [], "meta": {}})
    }

    fn ran(ids: &[&str]) -> BTreeMap<String, Vec<String>> {
        BTreeMap::from([("Moth".to_owned(), ids.iter().map(|id| (*id).to_owned()).collect())])
    }

    #[test]
    fn a_run_in_which_no_changed_script_ran_is_the_same() {
        let edits = json!([{"op": "remove", "sprite_id": "Moth", "block_id": "show"}]);
        let other = apply(&gold(), &serde_json::from_value::<Vec<Edit>>(edits).unwrap()).unwrap();
        let differing = Differing::between(&gold(), &other);
        assert!(!differing.may_show(&ran(&["flag", "hide"])) && !differing.may_show(&BTreeMap::new()));
        assert!(differing.may_show(&ran(&["click"])), "the hat alone tells that the script began");
    }

    #[test]
    fn a_hat_that_waits_for_something_else_may_show_everywhere() {
        let mut other = gold();
        other["targets"][0]["blocks"]["click"]["opcode"] = json!("event_whenstageclicked");
        assert!(
            Differing::between(&gold(), &other).may_show(&BTreeMap::new()),
            "its script ran in none of gold's runs"
        );
    }

    #[test]
    fn places_of_scripts_show_nowhere_and_other_members_may_show_everywhere() {
        let mut moved = gold();
        moved["targets"][0]["blocks"]["click"]["x"] = json!(99);
        assert!(!Differing::between(&gold(), &moved).may_show(&ran(&["click", "show"])));
        let mut hidden = gold();
        hidden["targets"][0]["visible"] = json!(false);
        assert!(Differing::between(&gold(), &hidden).may_show(&BTreeMap::new()));
        let mut more = gold();
        let hat = more["targets"][0]["blocks"]["flag"].clone();
        more["targets"][0]["blocks"]["again"] = hat;
        assert!(Differing::between(&gold(), &more).may_show(&BTreeMap::new()), "a new script may run");
    }
}
