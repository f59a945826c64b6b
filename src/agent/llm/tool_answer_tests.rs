//! Tool calls as models make them.

use serde_json::json;

use super::*;
use crate::action::tools_for_models;
use crate::agent::model::{Part, Usage};
use crate::model::Mode;

fn call(name: &str, args: Value) -> Part {
    Part::Call(ToolCall { id: "c1".to_owned(), name: name.to_owned(), args, signatures: Vec::new() })
}

fn answer(text: &str, parts: Vec<Part>) -> Answer {
    Answer {
        text: text.to_owned(),
        reasoning: None,
        parts,
        is_cut: false,
        is_filtered: false,
        model: "m".to_owned(),
        usage: Usage::default(),
        tries: 1,
        waited_s: 0.0,
        picture_differs: false,
    }
}

fn read(parts: Vec<Part>) -> Result<Value, Fault> {
    let tools = tools_for_models(Mode::Primitive, true);
    read_tool_call(&answer("So.", parts), &tools).map(|call| json!([call.api, call.args]))
}

#[test]
fn the_first_call_counts_and_its_arguments_may_be_text() {
    let click = json!(["click", {"x": 1, "y": 2}]);
    for args in [
        json!({"x": 1, "y": 2}),
        json!("{\"x\": 1, \"y\": 2}"),
        json!(" {\"x\": 1, 2} "),
        json!("{'x': 1, 'y': 2,}"),
        json!("{\"x\": 1, \"y\": 2"),
    ] {
        assert_eq!(read(vec![call("click", args.clone())]), Ok(click.clone()), "{args}");
    }
    let args = json!({"x": 1, "y": 2});
    assert_eq!(read(vec![call(" click\n", args.clone())]), Ok(click.clone()), "names are trimmed");
    let parts = vec![Part::Text("So.".to_owned()), call("click", args), call("done", json!({}))];
    assert_eq!(read(parts), Ok(click));
    for nothing in [json!({}), json!(null), json!(""), json!(" \n")] {
        assert_eq!(read(vec![call("done", nothing)]), Ok(json!(["done", {}])));
    }
    // What they mean is the registry's to say.
    let odd = json!({"index": "5", "z": [1]});
    assert_eq!(read(vec![call("click", odd.clone())]), Ok(json!(["click", odd])));
}

#[test]
fn what_is_no_call_is_named() {
    let unknown = |name: &str| Fault::UnknownTool(name.to_owned());
    let bad = Fault::BadToolArgs("click");
    let long = format!("{{\"x\": \"{}\"}}", "x".repeat(LONGEST));
    for (parts, fault) in [
        (vec![], Fault::NoTool),
        (vec![Part::Text("{\"api\": \"click\", \"args\": {}}".to_owned())], Fault::NoTool),
        (vec![Part::Thought("t".to_owned()), Part::Signature("s".to_owned())], Fault::NoTool),
        (vec![call("", json!({}))], unknown("")),
        (vec![call("Click", json!({}))], unknown("Click")),
        (vec![call("observe", json!({}))], unknown("observe")),
        (vec![call("add_block", json!({}))], unknown("add_block")),
        (vec![call("functions.click", json!({}))], unknown("functions.click")),
        (vec![call("\u{1b}[31mclick", json!({}))], unknown("\\u{1b}[31mclick")),
        (vec![call(&"n".repeat(1000), json!({}))], unknown(&"n".repeat(NAME))),
        (vec![call("click", json!([1, 2]))], bad.clone()),
        (vec![call("click", json!(5))], bad.clone()),
        (vec![call("click", json!(true))], bad.clone()),
        (vec![call("click", json!("x=1, y=2"))], bad.clone()),
        (vec![call("click", json!("[1, 2]"))], bad.clone()),
        (vec![call("click", json!("\"{}\""))], bad),
        (vec![call("click", json!(long))], Fault::LongToolArgs("click")),
        (vec![call("nothing", json!({})), call("click", json!({"x": 1, "y": 2}))], unknown("nothing")),
    ] {
        let shown = format!("{parts:.200?}");
        assert_eq!(read(parts), Err(fault), "{shown}");
    }
}

#[test]
fn each_call_gets_a_result_under_its_own_id() {
    let calls =
        ["a", "b"].map(|id| ToolCall { id: id.into(), name: "click".into(), args: json!({}), signatures: vec![] });
    let found = results(&calls, "Carried out.");
    assert_eq!((found[0].id.as_str(), found[0].text.as_str()), ("a", "Carried out."));
    assert!(found[1].id == "b" && found[1].text.starts_with("not_done"), "{found:?}");
    assert!(results(&[], "Carried out.").is_empty());
}
