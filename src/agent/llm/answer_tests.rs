//! Answers as models give them.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn read(answer: &str) -> Result<Value, Fault> {
    read_call(answer).map(|call| json!([call.api, call.args]))
}

#[test]
fn the_first_place_with_a_call_wins() {
    let click = json!(["click", {"x": 1, "y": 2}]);
    for answer in [
        "Analysis: so.\n```json\n{\"api\": \"click\", \"args\": {\"x\": 1, \"y\": 2}}\n```",
        "```json{\"api\": \"click\", \"args\": {\"x\": 1, \"y\": 2}}```",
        "```\n{\"api\": \"click\", \"args\": {\"x\": 1, \"y\": 2}}\n```",
        "```python\n{\"api\": \"click\", \"args\": {\"x\": 1, \"y\": 2}}\n```",
        "I click {\"api\": \"click\", \"args\": {\"x\": 1, \"y\": 2}} now.",
        "```json\n{\"api\": \" click \", \"args\": {\"x\": 1, \"y\": 2}}\n```\n```json\n{\"api\": \"done\"}\n```",
        "```\nno call here\n```\n```json\n{\"api\": \"click\", \"args\": {\"x\": 1, \"y\": 2}}\n```",
        "{\"api\": \"click\", \"args\": {\"x\": 1, 2}}",
        "```json\n{'api': 'click', 'args': {'x': 1, 'y': 2,}}\n```",
        "```json\n{\"api\": \"click\", \"args\": {\"x\": 1, \"y\": 2}\n```",
    ] {
        assert_eq!(read(answer), Ok(click.clone()), "{answer}");
    }
}

#[test]
fn arguments_may_be_left_out_and_reasons_stand_beside_them() {
    assert_eq!(read("{\"api\": \"done\"}"), Ok(json!(["done", {}])));
    assert_eq!(read("{\"api\": \"done\", \"args\": null}"), Ok(json!(["done", {}])));
    assert_eq!(read("{\"api\": \"failed\", \"reason\": \"no\"}"), Ok(json!(["failed", {"reason": "no"}])));
    // What it means is the registry's to say.
    assert_eq!(read("{\"api\": \"click\", \"args\": {\"index\": \"5\"}}"), Ok(json!(["click", {"index": "5"}])));
}

#[test]
fn what_is_no_call_is_named() {
    for (answer, fault) in [
        ("", Fault::Empty),
        (" \n\t", Fault::Empty),
        ("I am done.", Fault::NoObject),
        ("```json\n[]\n```", Fault::Broken),
        ("{\"api\": 5}", Fault::NoApi),
        ("{\"api\": \"\"}", Fault::NoApi),
        ("{\"action\": \"click\"}", Fault::NoApi),
        ("{\"api\": \"click\", \"args\": [1, 2]}", Fault::BadArgs),
    ] {
        assert_eq!(read(answer), Err(fault), "{answer}");
    }
}

/// What becomes of answers that models are known to give.
#[test]
fn thirty_malformed_answers_are_read_as_the_snapshot_shows() {
    let call = r#"{"api": "click", "args": {"x": 1, "y": 2}}"#;
    let answers = [
        "{api: click, args: {x: 1, y: 2}}".to_owned(),
        "{'api': 'click', 'args': {'x': 1, 'y': 2}}".to_owned(),
        r#"{"api": "click", "args": {"x": 1, "y": 2,},}"#.to_owned(),
        r#"{"api": "click", "args": {"x": 1 "y": 2}}"#.to_owned(),
        r#"{"api": "click", "args": {"x": 1, 2}}"#.to_owned(),
        r#"{"api": "click", "args": {"x": 1.5, -2}}"#.to_owned(),
        r#"{"api": "click", "args": {"x": 1, "y": 2"#.to_owned(),
        r#"{"api": "click", "args": {"x": NaN, "y": 2}}"#.to_owned(),
        r#"{"api": "click", "args": {"x": Infinity, "y": 1e999}}"#.to_owned(),
        r#"{"api": "click", "args": {"index": "5"}}"#.to_owned(),
        r#"{"api": "click", "args": {"index": null}}"#.to_owned(),
        r#"{"api": "click", "args": "x=1"}"#.to_owned(),
        r#"{"api": "click", "args": [1, 2]}"#.to_owned(),
        r#"{"api": "click", "arguments": {"x": 1}}"#.to_owned(),
        r#"{"api": ["click"], "args": {}}"#.to_owned(),
        r#"{"API": "click", "args": {}}"#.to_owned(),
        r#"{"action": {"api": "click", "args": {}}}"#.to_owned(),
        r#"[{"api": "click", "args": {}}]"#.to_owned(),
        format!("```json\n{call}\n{call}\n```"),
        format!("```json\n{call}\n```\nor\n```json\n{{\"api\": \"done\"}}\n```"),
        format!("```JSON\n{call}\n```"),
        format!("```json\n{call}"),
        format!("````json\n{call}\n````"),
        format!("<tool_call>{call}</tool_call>"),
        format!("Analysis: a set {{1, 2}}.\n```json\n{call}\n```"),
        format!("Analysis: a set {{1, 2}}. {call}"),
        "click(1, 2)".to_owned(),
        "```json\n```".to_owned(),
        "{}".to_owned(),
        "{{\"api\": \"click\", \"args\": {}}}".to_owned(),
        format!("\u{1b}[31m{call}\u{1b}[0m"),
        "{\"api\": \"type\", \"args\": {\"text\": \"a } b\"}}".to_owned(),
    ];
    let line = |answer: &String| match read(answer) {
        Ok(call) => format!("{answer:?}\n    {call}\n"),
        Err(fault) => format!("{answer:?}\n    {fault}\n"),
    };
    insta::assert_snapshot!(answers.iter().map(line).collect::<String>());
}

#[test]
fn an_answer_of_ten_megabytes_is_read_in_time() {
    let began = std::time::Instant::now();
    for filling in ["{", "x", "```json\n", "\u{1b}[31m", "{\"a\":", "\""] {
        let _ = read_call(&filling.repeat(10_000_000 / filling.len()));
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
}

proptest! {
    #[test]
    fn no_answer_breaks_the_reader(text in "[{}\\[\\]\"':,a-z0-9 \\n`\\\\-]{0,80}", any in ".{0,40}") {
        let _ = read_call(&text);
        let _ = read_call(&format!("```json\n{text}```{any}"));
    }
}
