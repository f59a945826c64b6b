//! Differences of small games, and what carrying them out gives.

use serde_json::json;

use super::*;
use crate::apply;
use crate::fixture::{AWKWARD, game};

fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut gold = game();
    change(&mut gold);
    gold
}

/// Ids of the blocks with which scripts start, in their order.
fn starts(target: &Value) -> Vec<&String> {
    let is_start = |block: &Value| block["topLevel"] == true && block["opcode"].as_str().is_some_and(is_hat);
    target["blocks"].as_object().unwrap().iter().filter(|(_, block)| is_start(block)).map(|(id, _)| id).collect()
}

/// The operations to a changed game, which give it.
fn leading_to(gold: &Value) -> Vec<Operation> {
    let operations = difference(&game(), gold).unwrap();
    let applied = apply(&game(), &operations).unwrap();
    assert_eq!(&applied.project, gold);
    for (one, other) in list(&applied.project, "targets").iter().zip(list(gold, "targets")) {
        assert_eq!(starts(one), starts(other));
    }
    operations
}

#[test]
fn equal_projects_have_no_difference() {
    assert_eq!(leading_to(&game()), []);
}

#[test]
fn a_member_is_changed_alone_and_much_of_a_block_as_a_whole() {
    let gold = changed(|game| game["targets"][1]["blocks"][AWKWARD]["next"] = Value::Null);
    assert_eq!(
        leading_to(&gold),
        [Operation::Replace { path: "/targets/1/blocks/xQ~1a~0b/next".to_owned(), value: Value::Null }]
    );
    let other = json!({"opcode": "a_b", "next": 1, "parent": 2, "inputs": {"A": 1}, "fields": {"B": 2}, "shadow": 3, "topLevel": 4});
    let gold = changed(|game| game["targets"][1]["blocks"]["say"] = other.clone());
    assert_eq!(leading_to(&gold), [Operation::Replace { path: "/targets/1/blocks/say".to_owned(), value: other }]);
}

#[test]
fn blocks_declarations_properties_and_extensions_come_and_go() {
    let gold = changed(|game| {
        let moth = &mut game["targets"][1];
        moth["blocks"].as_object_mut().unwrap().shift_remove("alone");
        moth["blocks"]["new"] = json!({"opcode": "event_whenflagclicked", "topLevel": true});
        moth["variables"] = json!({"other": ["x", 1]});
        moth["lists"]["caught0"][1] = json!([]);
        moth["y"] = json!(3);
        game["targets"][0]["broadcasts"]["start0"] = json!("begin");
        game["extensions"] = json!(["pen", "music"]);
    });
    assert_eq!(leading_to(&gold).len(), 8);
}

#[test]
fn scripts_run_in_the_order_of_the_other_project() {
    let reordered = |order: &[&str]| {
        changed(|game| {
            let blocks = game["targets"][1]["blocks"].as_object_mut().unwrap();
            let mut old = std::mem::take(blocks);
            old.insert("new".to_owned(), json!({"opcode": "event_whenflagclicked", "topLevel": true}));
            for id in order {
                blocks.insert((*id).to_owned(), old.shift_remove(*id).unwrap());
            }
            old.shift_remove("new");
            blocks.extend(old);
        })
    };
    // Hats of the game: hear, click, define.
    assert_eq!(leading_to(&reordered(&["hear", "click", "define", "new"])).len(), 1);
    assert_eq!(leading_to(&reordered(&["hear", "new", "click", "define"])).len(), 5);
    assert_eq!(leading_to(&reordered(&["new", "hear", "click", "define"])).len(), 7);
    assert_eq!(leading_to(&reordered(&["click", "define", "hear"])).len(), 2);
}

#[test]
fn what_no_patch_reaches_is_named() {
    let gold = changed(|game| {
        game["targets"][1]["costumes"][0]["name"] = json!("down");
        game["targets"][1]["name"] = json!("Bat");
        game["targets"][1]["draggable"] = json!(true);
        game["extensions"] = json!([]);
    });
    let named = ["/targets/1/name", "/targets/1/costumes", "/targets/1/draggable", "/extensions"].map(str::to_owned);
    let Err(DifferenceError::OutOfReach(mut found)) = difference(&game(), &gold) else { panic!("there is one") };
    let mut named = named.to_vec();
    found.sort();
    named.sort();
    assert_eq!(found, named);
    let fewer = changed(|game| drop(game["targets"].as_array_mut().unwrap().pop()));
    assert_eq!(difference(&game(), &fewer).unwrap_err(), DifferenceError::OutOfReach(vec!["/targets".to_owned()]));
}

#[test]
fn comments_monitors_and_metadata_are_passed_over() {
    let gold = changed(|game| {
        game["targets"][1]["comments"]["c"] = json!({"text": "why"});
        game["monitors"] = json!([{}]);
        game["meta"]["agent"] = json!("other");
    });
    assert_eq!(difference(&game(), &gold), Ok(Vec::new()));
}
