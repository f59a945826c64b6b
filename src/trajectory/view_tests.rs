//! What of a project is shown, in which order, and that its pointers lead to what they stand beside.

use serde_json::json;

use super::*;
use crate::trajectory::suspects;

/// Two sprites with a script each; one id has letters that pointers escape.
fn project() -> Value {
    let block = |opcode: &str, next: Option<&str>, parent: Option<&str>, fields: Value| {
        json!({"opcode": opcode, "next": next, "parent": parent, "inputs": {}, "fields": fields, "shadow": false,
            "topLevel": parent.is_none(), "x": 7, "y": 9})
    };
    let target = |name: &str, variables: Value, blocks: Value| {
        json!({"isStage": name == "Stage", "name": name, "variables": variables, "lists": {}, "broadcasts": {}, "comments": {},
            "costumes": [{"name": "plain"}], "sounds": [], "blocks": blocks})
    };
    json!({"targets": [
        target("Stage", json!({"v1": ["score", 0]}), json!({})),
        target("Moth", json!({}), json!({
            "a/b~c": block("event_whenflagclicked", Some("d"), None, json!({})),
            "d": block("looks_show", None, Some("a/b~c"), json!({})),
        })),
        target("Owl", json!({}), json!({
            "e": block("event_whenkeypressed", Some("f"), None, json!({"KEY_OPTION": ["space", null]})),
            "f": block("data_changevariableby", None, Some("e"), json!({"VARIABLE": ["score", "v1"]})),
        })),
    ], "monitors": [], "extensions": [], "meta": {}})
}

fn shown(words: &str, trigger: &[&str], differing: &[&str], limit: usize) -> String {
    let project = project();
    let hints = Hints::of(&project, words);
    let owned = |words: &[&str]| -> Vec<String> { words.iter().map(|word| (*word).to_owned()).collect() };
    let (trigger, differing) = (owned(trigger), owned(differing));
    let suspects = suspects(&project, &differing);
    view(&project, Wanted { hints: &hints, trigger: &trigger, suspects: &suspects }, limit)
}

/// Names of targets in the order of their excerpts.
fn order(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("--- ")?.split_once(' ')).map(|(_, name)| name).collect()
}

#[test]
fn every_pointer_leads_to_the_block_beside_it() {
    let (text, project) = (shown("nothing", &[], &[], 10_000), project());
    let lines = text.lines().filter(|line| line.starts_with("/targets/") && line.contains("/blocks/"));
    let mut count = 0;
    for line in lines {
        let (pointer, block) = line.split_once(' ').unwrap();
        let (told, there): (Value, &Value) = (serde_json::from_str(block).unwrap(), project.pointer(pointer).unwrap());
        assert_eq!((&told["opcode"], told.get("x")), (&there["opcode"], None), "{line}");
        count += 1;
    }
    assert_eq!(count, 4);
    assert!(text.contains("/targets/1/blocks/a~1b~0c ") && text.contains("variables: score=v1"), "{text}");
}

#[test]
fn what_the_report_names_comes_first_and_traces_only_where_they_may_be_told() {
    assert_eq!(order(&shown("nothing", &[], &[], 10_000)), ["Moth", "Owl"], "the order of the file");
    assert_eq!(order(&shown("The Owl is lost.", &[], &[], 10_000)), ["Owl", "Moth"]);
    assert_eq!(order(&shown("The score is 3.", &[], &[], 10_000)), ["Owl", "Moth"]);
    assert_eq!(order(&shown("x", &["Press the space key."], &[], 10_000)), ["Owl", "Moth"]);
    assert_eq!(order(&shown("x", &["Click the green flag."], &[], 10_000)), ["Moth", "Owl"]);
    let differing = ["Stage/variable/score"];
    assert_eq!(order(&shown("x", &["Click the green flag."], &differing, 10_000)), ["Owl", "Moth"]);
}

#[test]
fn nothing_passes_the_limit_and_what_is_missing_is_told() {
    let whole = shown("nothing", &[], &[], 10_000);
    for limit in [40, 300, 500, 700, whole.chars().count()] {
        let text = shown("nothing", &[], &[], limit);
        let told = text.split("\n(").next().unwrap();
        assert!(told.chars().count() <= limit, "{limit}: {text}");
    }
    let part = shown("nothing", &[], &[], whole.chars().count() - 10);
    assert!(part.ends_with("(1 of 2 scripts are not shown.)"), "{part}");
    assert!(!whole.contains("not shown"));
}
