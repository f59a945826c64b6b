//! Tests of `kinds`.

use serde_json::json;

use super::super::fakes::block;
use super::*;

/// A stage that counts in a gate of its second script.
fn gold() -> Value {
    let score = || json!({"VARIABLE": ["score", "s1"]});
    let none = || json!({});
    let blocks = json!({
        "flag": block("event_whenflagclicked", None, Some("count"), none(), none()),
        "count": block("data_changevariableby", Some("flag"), None, json!({"VALUE": [1, [4, "2"]]}), score()),
        "click": block("event_whenstageclicked", None, Some("gate"), none(), none()),
        "gate": block("control_if", Some("click"), None, json!({"CONDITION": [2, "down"], "SUBSTACK": [2, "more"]}), none()),
        "down": block("sensing_mousedown", Some("gate"), None, none(), none()),
        "more": block("data_changevariableby", Some("gate"), None, json!({"VALUE": [1, [4, "1"]]}), score())
    });
    let mut json = json!({"targets": [{"isStage": true, "name": "Stage", "variables": {"s1": ["score", 0]}, "lists": {}, "broadcasts": {},
        "comments": {}, "blocks": blocks, "costumes": [], "sounds": []}], "monitors": [], "extensions": [], "meta": {}});
    crate::project::edit::canonical(&mut json);
    json
}

fn site() -> Site {
    let words = |word: &str| word.to_owned();
    Site { sprite_id: words("Stage"), script: words("click"), block_id: words("more"), path: words("1.1") }
}

#[test]
fn gates_are_removed_with_what_they_hold_left() {
    let [(name, json)] = gates_removed(&gold(), &site()).try_into().unwrap();
    assert!(name.starts_with("control_if of Stage"), "{name}");
    let blocks = &json["targets"][0]["blocks"];
    assert_eq!((&blocks["click"]["next"], blocks.get("gate")), (&json!("more"), None));
}

#[test]
fn counters_near_the_fault_are_set_first() {
    let found = constants_for_counters(&gold(), &site());
    let values: Vec<&Value> = found
        .iter()
        .filter_map(|(_, json)| {
            let mut blocks = json["targets"][0]["blocks"].as_object()?.values();
            blocks.find(|block| block["opcode"] == "data_setvariableto").map(|set| &set["inputs"]["VALUE"][1][1])
        })
        .collect();
    assert_eq!(values, [&json!("1"), &json!("2")]);
}

#[test]
fn rows_have_all_kinds_and_say_what_rejected_them() {
    use FixOutcome::{Accepted, BreaksGuard, Equivalent, Rejected};
    let made = |kind, outcome| Made { instance: "moth".to_owned(), kind, name: String::new(), outcome };
    let all = [
        made(Kind::RightOtherwise, Accepted),
        made(Kind::RightWithDamage, BreaksGuard),
        made(Kind::RightWithDamage, Rejected),
        made(Kind::RightWithDamage, Accepted),
        made(Kind::RightWithDamage, Equivalent),
    ];
    let rows = kind_rows(&all);
    assert_eq!(rows.len(), Kind::iter().count());
    assert_eq!((rows[0].is_right, rows[0].tried, rows[0].accepted), (true, 1, 1));
    let row = rows.iter().find(|row| row.kind == Kind::RightWithDamage).unwrap();
    assert_eq!((row.tried, row.accepted, row.by_assertions, row.by_guards, row.equivalent), (4, 1, 1, 1, 1));
    assert!(rows[1..].iter().all(|row| !row.is_right));
}
