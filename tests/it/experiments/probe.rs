//! What `scratchbed experiment probe` finds out about a scripted model.

use scratchbed::model::Point;
use scratchbed::perceive::Convention;
use scratchbed::probe::BOXES;
use serde_json::{Value, json};

use crate::support::model_endpoint::{Act, Endpoint};
use crate::support::program::{Answer, Scratchbed};

/// A file with a model and an arm that shows it pictures.
fn file(endpoint: &str, model: &str) -> String {
    format!(
        r#"
format = 1
name = "probed"
items = {{ task = ["stuck_ferry"] }}
[lanes.scripted]
endpoint = "{endpoint}"
in_flight = 1
[models.one]
lane = "scripted"
name = "{model}"
request_retries = 0
price = {{ input = 100.0, output = 100.0, as_of = 2026-01-02 }}
[[arms]]
agent = "llm"
model = "one"
mode = "primitive"
"#
    )
}

/// The middles of the boxes as a model says them that means this unit.
fn boxes(convention: Convention) -> Act {
    let point = |(number, (left, top)): (usize, &(u32, u32))| {
        let said = convention.to_model(Point::new(f64::from(left + 30), f64::from(top + 22)));
        json!([number, said.x, said.y])
    };
    let points: Vec<Value> = BOXES.iter().enumerate().map(point).collect();
    Act::Say(format!("There.\n```json\n{}\n```", json!({"api": "boxes", "args": {"points": points}})))
}

fn call() -> Act {
    let creation = json!({"variable_name": "a \"quoted\" name"});
    let call = json!({"api": "add_block", "args": {"block_type": "motion_movesteps", "creation": creation}});
    Act::Say(format!("I add a block.\n```json\n{call}\n```"))
}

async fn probed(model: &str, acts: Vec<Act>) -> (Answer, Endpoint) {
    let (endpoint, address) = Endpoint::serve(acts).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.toml");
    std::fs::write(&path, file(&address, model)).unwrap();
    (Scratchbed::new().call(&["experiment", "probe"]).arg(&path).answer().await, endpoint)
}

#[tokio::test]
async fn units_of_coordinates_calls_and_prices_are_found() {
    let acts = || vec![boxes(Convention::Thousandths), call(), Act::Call("press_key", json!({"key": "space"}))];
    let (answer, endpoint) = probed("qwen3-vl-scripted", acts()).await;
    let model = &answer["models"][0];
    assert_eq!((answer.code, &model["problems"]), (0, &json!([])), "{answer:#}");
    assert_eq!((&model["best"], &model["in_file"]), (&json!("thousandths"), &json!("thousandths")));
    let can = |what: &str| model["found"][what]["can"].clone();
    assert_eq!(["vision", "json", "tools"].map(can), [json!("yes"), json!("yes"), json!("yes")], "{answer:#}");
    // 11 and 7 tokens at 100 dollars a million.
    assert_eq!((&model["micro_usd_per_call"], &model["found"]["calls"]), (&json!(1800), &json!(3)));
    let asked = endpoint.asked();
    assert!(asked[0]["messages"].to_string().contains("data:image/png;base64"), "it is shown the picture");
    assert_eq!(asked[2]["tools"][0]["function"]["name"], "press_key");

    let (answer, _) = probed("other-scripted", acts()).await;
    let model = &answer["models"][0];
    assert_eq!(
        (answer.code, &model["best"], &model["in_file"]),
        (1, &json!("thousandths"), &json!("pixels")),
        "{answer:#}"
    );
    assert!(model["problems"][0].as_str().unwrap().contains("read as pixels"), "{answer:#}");
}

#[tokio::test]
async fn a_model_that_can_not_do_what_its_arms_ask_is_a_problem() {
    let acts =
        vec![Act::Refuse(400, None), Act::Say("I would rather not.".to_owned()), Act::Say("Pressed.".to_owned())];
    let (answer, _) = probed("blind-scripted", acts).await;
    let model = &answer["models"][0];
    assert_eq!((answer.code, &model["found"]["vision"]["code"]), (1, &json!("model_request_refused")), "{answer:#}");
    assert_eq!((&model["found"]["json"]["can"], &model["found"]["tools"]["can"]), (&json!("no"), &json!("no")));
    assert_eq!(model["problems"].as_array().map(Vec::len), Some(2), "no arm calls tools: {answer:#}");
}
