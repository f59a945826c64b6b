//! Names of a small game's ids, both ways.

use serde_json::json;

use super::*;
use crate::fixture::{AWKWARD, game, project};
use crate::{End, Limits, apply, bindings, check, difference, read};

fn replace(path: &str, value: Value) -> Operation {
    Operation::Replace { path: path.to_owned(), value }
}

#[test]
fn ids_are_numbered_by_kind_in_the_order_of_the_file() {
    let aliases = Aliases::of(&game(), 1);
    assert_eq!(aliases.alias(Kind::Block, "flag"), Some("b1"));
    assert_eq!(aliases.alias(Kind::Block, "hear"), Some("b10"));
    assert_eq!(aliases.alias(Kind::Variable, "own~1/"), Some("v3"));
    assert_eq!(aliases.alias(Kind::List, "caught0"), Some("l1"));
    assert_eq!(aliases.id(Kind::Broadcast, "m1"), Some("over0"));
    assert_eq!(aliases.id(Kind::Broadcast, "m3"), None);
}

#[test]
fn a_game_is_shown_without_any_of_its_ids() {
    let aliases = Aliases::of(&game(), 1);
    let shown = aliases.shown(&game());
    let text = shown.to_string();
    for id in ["score0", "lives0", "over0", "start0", "own~1/", "caught0", "\"flag\"", "\"random\"", AWKWARD] {
        assert!(!text.contains(id), "{id}");
    }
    let put = aliases.alias(Kind::Block, AWKWARD).unwrap();
    assert_eq!(shown["targets"][1]["blocks"][put]["inputs"]["ITEM"], json!([3, [12, "speed", "v3"], [10, ""]]));
    assert_eq!(shown["targets"][1]["blocks"][put]["fields"]["LIST"], json!(["caught", "l1"]));
    let length = |value: &Value| value["targets"][1]["blocks"].as_object().unwrap().len();
    assert_eq!(length(&shown), length(&game()));
}

#[test]
fn operations_come_back_as_they_were() {
    let mut aliases = Aliases::of(&game(), 1);
    let block = game()["targets"][1]["blocks"][AWKWARD].clone();
    let operations = vec![
        replace("/targets/1/blocks/xQ~1a~0b", block),
        replace("/targets/1/blocks/xQ~1a~0b/inputs", json!({"ITEM": [1, "say"]})),
        replace("/targets/1/blocks/xQ~1a~0b/inputs/ITEM/1", json!([12, "score", "score0"])),
        replace("/targets/1/blocks/xQ~1a~0b/inputs/ITEM/1/2", json!("score0")),
        replace("/targets/1/blocks/say/inputs/MESSAGE/1/1", json!("b1")),
        replace("/targets/1/blocks/say/next", json!("hide")),
        replace("/targets/1/blocks/count/fields/VARIABLE/1", json!("own~1/")),
        replace("/targets/1/variables/own~01~1/1", json!(5)),
        Operation::Remove { path: "/targets/0/broadcasts/over0".to_owned() },
        replace("/targets/1/x", json!(5)),
    ];
    let shown = aliases.shown_operations(&operations);
    assert_eq!(shown[6], replace("/targets/1/blocks/b19/fields/VARIABLE/1", json!("v3")));
    assert_eq!(shown[4].value(), operations[4].value());
    assert_eq!(aliases.restore(&shown), operations);
}

#[test]
fn a_new_name_gets_one_new_id_for_each_seed() {
    let patch = [
        Operation::Add {
            path: "/targets/1/blocks/b99".to_owned(),
            value: json!({"opcode": "looks_hide", "parent": "b12"}),
        },
        replace("/targets/1/blocks/b12/next", json!("b99")),
        Operation::Add { path: "/targets/1/variables/v99".to_owned(), value: json!(["b99", 0]) },
    ];
    let restored = |seed: u64| {
        let mut aliases = Aliases::of(&game(), seed);
        let operations = aliases.restore(&patch);
        assert_eq!(aliases.shown_operations(&operations), patch);
        operations
    };
    let operations = restored(7);
    let id = operations[1].value().and_then(Value::as_str).unwrap().to_owned();
    assert_eq!(operations[0].path(), crate::join("/targets/1/blocks", &id));
    assert!(id.len() == LENGTH && id.bytes().all(|byte| ALPHABET.contains(&byte)), "{id}");
    assert_eq!(operations[2].value(), Some(&json!(["b99", 0])));
    assert_eq!(operations, restored(7));
    assert_ne!(operations, restored(8));
    assert!(apply(&game(), &operations).unwrap().project["targets"][1]["blocks"].get(&id).is_some());
}

#[test]
fn what_is_no_name_is_left_alone() {
    let mut aliases = Aliases::of(&game(), 1);
    let operations = [replace("/targets/1/blocks/say/next", json!("hide")), replace("not a pointer", json!("b1"))];
    assert_eq!(aliases.restore(&operations), operations);
    assert_eq!(aliases.shown_pointer("/targets/1/blocks/say/nxt"), "/targets/1/blocks/b20/nxt");
    assert_eq!(aliases.shown_pointer("a~"), "a~");
}

#[test]
fn a_difference_survives_the_way_through_names() {
    let mut gold = game();
    gold["targets"][1]["blocks"]["say"]["next"] = json!("extra");
    gold["targets"][1]["blocks"]["extra"] =
        json!({"opcode": "looks_hide", "next": null, "parent": "say", "inputs": {}, "fields": {}});
    let operations = difference(&game(), &gold).unwrap();
    let mut aliases = Aliases::of(&game(), 1);
    let shown = aliases.shown_operations(&operations);
    assert_eq!(aliases.restore(&shown), operations);
}

#[test]
fn an_answer_in_names_becomes_a_candidate() {
    let answer = r#"The moth must hide: ```json
        {"operations": [
            {"op": "add", "path": "/targets/1/blocks/b90", "value": "{\"opcode\":\"looks_hide\",\"next\":null,\"parent\":\"b20\",\"inputs\":{},\"fields\":{},\"shadow\":false,\"topLevel\":false}"},
            {"op": "Replace", "path": "targets/1/blocks/b20/next", "value": "b90"}
        ]}
        ```"#;
    let read = read(answer, End::Complete, &Limits { operations: Some(4), ..Limits::default() }).unwrap();
    assert_eq!((read.counts.coerced, read.counts.normalised), (1, 1));
    let mut aliases = Aliases::of(&game(), 3);
    let applied = apply(&game(), &aliases.restore(&read.operations)).unwrap();
    let new = aliases.id(Kind::Block, "b90").unwrap();
    assert_eq!(applied.project["targets"][1]["blocks"]["say"]["next"], new);
    assert_eq!(applied.project["targets"][1]["blocks"][new]["parent"], "say");
    assert_eq!(bindings(&game(), &applied.project), []);
    assert_eq!(check(&project(game()), &project(applied.project)), Ok(Vec::new()));
}

#[test]
fn an_id_that_nothing_has_is_never_shown_as_the_name_of_another_thing() {
    let mut game = game();
    // The machine looks for the name then; `v1` is what `score0` is called.
    game["targets"][1]["blocks"]["count"]["fields"]["VARIABLE"] = json!(["lives", "v1"]);
    let mut aliases = Aliases::of(&game, 1);
    assert_eq!(aliases.alias(Kind::Variable, "score0"), Some("v1"));
    let shown = aliases.shown(&game);
    let count = aliases.alias(Kind::Block, "count").unwrap().to_owned();
    let field = shown["targets"][1]["blocks"][count.as_str()]["fields"]["VARIABLE"].clone();
    assert_ne!(field, json!(["lives", "v1"]));
    let path = "/targets/1/blocks/count/fields/VARIABLE".to_owned();
    let operations = vec![Operation::Replace { path, value: json!(["lives", "v1"]) }];
    let named = aliases.shown_operations(&operations);
    assert_eq!(aliases.restore(&named), operations, "what is shown comes back");
}
