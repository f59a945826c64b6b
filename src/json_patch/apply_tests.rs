//! Patches on a small game.

use scratchbed_model::Coded;
use serde_json::json;

use super::*;
use crate::fixture::{AWKWARD, game};

fn add(path: &str, value: Value) -> Operation {
    Operation::Add { path: path.to_owned(), value }
}

fn replace(path: &str, value: Value) -> Operation {
    Operation::Replace { path: path.to_owned(), value }
}

fn remove(path: &str) -> Operation {
    Operation::Remove { path: path.to_owned() }
}

fn refusal(operations: &[Operation]) -> PatchError {
    apply(&game(), operations).unwrap_err()
}

fn ids(project: &Value, target: usize) -> Vec<String> {
    project["targets"][target]["blocks"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn what_is_allowed_is_done_in_order() {
    let operations = [
        replace("/targets/1/blocks/say/inputs/MESSAGE/1/1", json!("again")),
        add("/targets/1/blocks/new", json!({"opcode": "looks_hide", "next": null})),
        replace("/targets/1/blocks/new/next", json!("say")),
        remove("/targets/1/blocks/say/next"),
        add("/targets/1/lists/caught0/1/0", json!("zero")),
        add("/targets/0/broadcasts/m", json!("late")),
        replace("/targets/1/y", json!(7)),
        add("/extensions/-", json!("music")),
        add("/extensions/2", json!("translate")),
    ];
    let applied = apply(&game(), &operations).unwrap();
    assert_eq!((applied.operations.as_slice(), applied.counts), (&operations[..], Counts::default()));
    let moth = &applied.project["targets"][1];
    assert_eq!(moth["blocks"]["say"]["inputs"]["MESSAGE"], json!([1, [10, "again"]]));
    assert_eq!(moth["blocks"]["new"]["next"], "say");
    assert_eq!(moth["blocks"]["say"].get("next"), None);
    assert_eq!(moth["lists"]["caught0"][1], json!(["zero", "one", 2, "three"]));
    assert_eq!(moth["y"], 7);
    assert_eq!(applied.project["targets"][0]["broadcasts"]["m"], "late");
    assert_eq!(applied.project["extensions"], json!(["pen", "music", "translate"]));
}

#[test]
fn blocks_keep_their_order() {
    let before = ids(&game(), 1);
    let removed = apply(&game(), &[remove("/targets/1/blocks/hear")]).unwrap().project;
    assert_eq!(ids(&removed, 1), before[1..]);
    let replaced = apply(&game(), &[replace("/targets/1/blocks/hear", json!({}))]).unwrap().project;
    assert_eq!(ids(&replaced, 1), before);
    let added = apply(&game(), &[add("/targets/1/blocks/hear", json!({}))]).unwrap().project;
    assert_eq!(ids(&added, 1), before);
}

#[test]
fn the_policy_keeps_all_else_as_it_is() {
    for operation in [
        replace("", json!({})),
        remove("/targets/1"),
        add("/targets/-", json!({})),
        replace("/targets/1/blocks", json!({})),
        replace("/targets/1/isStage", json!(true)),
        replace("/targets/1/name", json!("Bat")),
        replace("/targets/1/costumes/0/name", json!("down")),
        add("/targets/1/sounds/-", json!({})),
        add("/targets/1/comments/c", json!({})),
        add("/monitors/-", json!({})),
        replace("/meta/semver", json!("4")),
        remove("/targets/1/x"),
        add("/targets/0/x", json!(3)),
        replace("/targets/1/x/a", json!(3)),
        remove("/extensions/0"),
        replace("/extensions/0", json!("music")),
        add("/extensions/0", json!("music")),
        add("/extensions", json!(["music"])),
        add("/extensions/-", json!("evil")),
        add("/extensions/-", json!(3)),
        add("/other", json!(3)),
    ] {
        let error = refusal(&[replace("/targets/1/x", json!(1)), operation.clone()]);
        assert_eq!(
            (error.code(), error.operation(), error.pointer()),
            ("path_denied", Some(1), Some(operation.path()))
        );
    }
}

#[test]
fn what_is_not_there_is_an_error_that_names_what_is() {
    let error = refusal(&[replace("/targets/1/y", json!(1)), replace("/targets/1/blocks/xQ~1a~0c/next", Value::Null)]);
    assert_eq!((error.code(), error.operation()), ("no_such_path", Some(1)));
    assert_eq!(error.nearest()[0], "/targets/1/blocks/xQ~1a~0b");
    assert_eq!(error.nearest().len(), 5);
    assert!(error.to_string().starts_with("operation 2: "), "{error}");
    for (operation, code) in [
        (replace("/targets/1/blocks/say/nxt", Value::Null), "no_such_path"),
        (remove("/targets/1/blocks/gone"), "no_such_path"),
        (add("/targets/1/blocks/gone/next", Value::Null), "no_such_path"),
        (add("/targets/1/blocks/say/opcode/x", Value::Null), "no_such_path"),
        (replace("/targets/0/x", json!(1)), "no_such_path"),
        (replace("/targets/2/x", json!(1)), "bad_index"),
        (replace("/targets/01/x", json!(1)), "bad_index"),
        (replace("/targets/Moth/x", json!(1)), "bad_index"),
        (replace("/targets/1/blocks/say/inputs/MESSAGE/2", json!(1)), "bad_index"),
        (add("/targets/1/blocks/say/inputs/MESSAGE/3", json!(1)), "bad_index"),
        (remove("/targets/1/blocks/say/inputs/MESSAGE/-"), "bad_index"),
        (add("/extensions/7", json!("music")), "bad_index"),
        (replace("/targets/1/blocks/a~b", json!(1)), "bad_pointer"),
        (replace("targets", json!(1)), "bad_pointer"),
    ] {
        assert_eq!(refusal(std::slice::from_ref(&operation)).code(), code, "{operation:?}");
    }
}

#[test]
fn an_id_as_it_stands_is_found_and_counted() {
    for (path, below) in
        [(format!("/targets/1/blocks/{AWKWARD}/next"), true), (format!("/targets/1/blocks/{AWKWARD}"), false)]
    {
        let applied = apply(&game(), &[replace(&path, json!("say"))]).unwrap();
        assert_eq!(applied.counts, Counts { unescaped: 1, ..Counts::default() });
        let block = &applied.project["targets"][1]["blocks"][AWKWARD];
        assert_eq!(if below { &block["next"] } else { block }, "say");
        assert_eq!(applied.operations[0].path(), path.replace(AWKWARD, "xQ~1a~0b"));
    }
    let mut two = game();
    two["targets"][1]["blocks"]["xQ/a~b/next"] = json!({});
    let error = apply(&two, &[replace(&format!("/targets/1/blocks/{AWKWARD}/next"), json!("say"))]).unwrap_err();
    assert_eq!(error.code(), "bad_pointer");
}

#[test]
fn patches_are_written_in_one_way() {
    let same = game()["targets"][1]["blocks"]["say"].clone();
    let operations = [
        replace("/targets/1/blocks/say", same.clone()),
        add("/targets/1/blocks/say", same),
        add("/targets/1/y", json!(9)),
        add("/targets/1/lists/caught0/1/0", json!("one")),
    ];
    let applied = apply(&game(), &operations).unwrap();
    let wanted = [replace("/targets/1/y", json!(9)), operations[3].clone()];
    assert_eq!((applied.operations.as_slice(), applied.counts.normalised), (&wanted[..], 3));
    assert_eq!(normalise(&game(), &operations).operations, wanted);
    // What is normal stays so.
    assert_eq!(apply(&game(), &wanted).unwrap(), Applied { counts: Counts::default(), ..applied });
}

#[test]
fn a_patch_that_fails_is_normal_up_to_the_failure() {
    let failing = [add("/targets/1/y", json!(9)), remove("/targets/1/blocks/gone"), add("/targets/1/y", json!(8))];
    let normal = normalise(&game(), &failing);
    assert_eq!(normal.operations, [replace("/targets/1/y", json!(9)), failing[1].clone(), failing[2].clone()]);
    assert_eq!(normal.counts.normalised, 1);
}

#[test]
fn a_project_does_not_become_too_deep_to_be_read_again() {
    let nested = |levels: usize| {
        serde_json::from_str::<Value>(&format!("{}{}", "[".repeat(levels), "]".repeat(levels))).unwrap()
    };
    let first = add("/targets/1/blocks/deep", nested(64));
    let second = |keys: usize| add(&format!("/targets/1/blocks/deep{}/-", "/0".repeat(keys - 5)), nested(64));
    let applied = apply(&game(), &[first.clone(), second(63)]).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&applied.project.to_string()).unwrap(), applied.project);
    assert_eq!(refusal(&[first, second(64)]).code(), "path_denied");
}
