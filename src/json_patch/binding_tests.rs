//! Names and ids that do not agree.

use serde_json::json;

use super::*;
use crate::fixture::{AWKWARD, game};

fn codes(change: impl FnOnce(&mut Value)) -> Vec<&'static str> {
    let mut patched = game();
    change(&mut patched["targets"]);
    bindings(&game(), &patched).into_iter().map(|problem| problem.code).collect()
}

#[test]
fn a_sound_game_has_no_such_problem() {
    assert_eq!(all(&game()), []);
}

#[test]
fn a_name_and_an_id_must_be_of_one_thing_in_scope() {
    let field =
        |name: &str, id: &str| codes(|targets| targets[1]["blocks"]["count"]["fields"]["VARIABLE"] = json!([name, id]));
    assert_eq!(field("speed", "own~1/"), [""; 0]);
    assert_eq!(field("points", "score0"), ["binding:wrong_name"]);
    assert_eq!(field("score", "gone"), ["binding:no_such_variable"]);
    assert_eq!(
        codes(|targets| targets[0]["blocks"]["init"]["fields"]["VARIABLE"] = json!(["speed", "own~1/"])),
        ["binding:out_of_scope"]
    );
    assert_eq!(codes(|targets| targets[1]["blocks"]["count"]["fields"]["VARIABLE"] = json!(["score", null])), [""; 0]);
    assert_eq!(
        codes(|targets| targets[1]["blocks"]["count"]["fields"]["VARIABLE"] = json!(["points"])),
        ["binding:no_such_variable"]
    );
}

#[test]
fn inline_values_are_looked_at_too() {
    assert_eq!(
        codes(|targets| targets[1]["blocks"][AWKWARD]["inputs"]["ITEM"][1][1] = json!("pace")),
        ["binding:wrong_name"]
    );
    assert_eq!(codes(|targets| targets[1]["blocks"]["alone"][2] = json!("gone")), ["binding:no_such_list"]);
    assert_eq!(
        codes(|targets| targets[0]["blocks"]["send"]["inputs"]["BROADCAST_INPUT"][1] = json!([11, "stop", "stop0"])),
        ["binding:no_such_message"]
    );
}

#[test]
fn a_declaration_that_goes_leaves_its_users_unbound() {
    let found = codes(|targets| drop(targets[0]["broadcasts"].as_object_mut().unwrap().shift_remove("start0")));
    assert_eq!(found, ["binding:no_such_message"; 2]);
}

#[test]
fn calls_fit_the_definitions_of_their_sprite() {
    let call = |key: &str, text: &str| codes(|targets| targets[1]["blocks"]["call"]["mutation"][key] = json!(text));
    assert_eq!(call("proccode", "hop %s"), ["binding:no_such_procedure"]);
    assert_eq!(call("argumentids", "[]"), ["binding:wrong_signature"]);
    assert_eq!(codes(|targets| targets[1]["blocks"]["call"]["inputs"] = json!({})), [""; 0]);
    assert_eq!(
        codes(|targets| targets[1]["blocks"]["call"]["inputs"] = json!({"other": [1, [10, ""]]})),
        ["binding:wrong_signature"]
    );
    assert_eq!(
        codes(|targets| targets[1]["blocks"]["prototype"]["mutation"]["proccode"] = json!("leap %s %b")),
        ["binding:wrong_signature", "binding:no_such_procedure"]
    );
}
