//! Patched games compared with the game before.

use scratchbed_model::Coded;
use serde_json::{Value, json};

use super::*;
use crate::fixture::{game, project};

fn outcome(change: impl FnOnce(&mut Value)) -> Result<Vec<Problem>, PatchError> {
    let mut patched = game();
    change(&mut patched);
    check(&project(game()), &project(patched))
}

fn code(change: impl FnOnce(&mut Value)) -> String {
    outcome(change).map_or_else(|error| error.code().to_owned(), |warnings| format!("{} warnings", warnings.len()))
}

#[test]
fn new_errors_are_refused_by_their_code() {
    assert_eq!(code(|game| game["targets"][1]["blocks"]["say"] = json!({})), "invalid:bad_block");
    assert_eq!(
        code(|game| game["targets"][1]["blocks"]["say"]["opcode"] = json!("foo_bar")),
        "invalid:unknown_opcode_prefix"
    );
    assert_eq!(code(|game| game["targets"][1]["blocks"]["say"]["next"] = json!("gate")), "invalid:block_in_two_places");
}

#[test]
fn errors_that_were_there_do_not_count() {
    let mut before = game();
    before["targets"][1]["blocks"]["odd"] = json!([99]);
    let mut patched = before.clone();
    patched["targets"][1]["blocks"]["say"]["inputs"] = json!({});
    assert_eq!(check(&project(before), &project(patched)), Ok(Vec::new()));
}

#[test]
fn what_the_machine_repairs_is_told_and_not_refused() {
    let warnings = outcome(|game| game["targets"][1]["blocks"]["say"]["next"] = json!("gone")).unwrap();
    assert_eq!(warnings.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["dangling_reference"]);
}

#[test]
fn only_moving_blocks_about_is_no_change() {
    assert_eq!(code(|_| ()), "no_change");
    assert_eq!(code(|game| game["targets"][1]["blocks"]["hear"]["x"] = json!(77)), "no_change");
    assert_eq!(code(|game| game["targets"][1]["x"] = json!(77)), "0 warnings");
    assert_eq!(code(|game| game["targets"][0]["variables"]["score0"][1] = json!(5)), "0 warnings");
    assert_eq!(code(|game| game["extensions"] = json!(["pen", "music"])), "0 warnings");
    assert_eq!(code(|game| game["targets"][1]["blocks"]["say"]["opcode"] = json!("looks_think")), "0 warnings");
}

#[test]
fn problems_can_be_refused_under_their_own_codes() {
    assert_eq!(refuse(Vec::new()), Ok(()));
    let mut patched = game();
    patched["targets"][1]["blocks"]["count"]["fields"]["VARIABLE"][0] = json!("points");
    let refused = refuse(crate::bindings(&game(), &patched)).unwrap_err();
    assert_eq!(refused.code(), "binding:wrong_name");
    assert!(refused.to_string().contains("points"), "{refused}");
}
