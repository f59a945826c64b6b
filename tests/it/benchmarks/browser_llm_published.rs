//! Models that are shown what the published system shows, or the project as Markdown: an endpoint reads the numbers from the newest observation, as a model
//! would, and acts by them.

use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::State;
use regex::Regex;
use serde_json::{Value, json};

use crate::support::program::{Answer, Scratchbed};
use crate::support::scripted_solver::in_dialect;

/// What to do, by the text of the newest observation and the number of the turn, from 1.
type Decide = fn(&str, usize) -> Value;

/// An endpoint that decides by what it is shown, and the requests so far.
#[derive(Clone)]
struct Reader {
    decide: Decide,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Reader {
    /// Serves it; the address of the endpoint.
    async fn serve(decide: Decide) -> (Self, String) {
        let reader = Self { decide, asked: Arc::default() };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = axum::Router::new().fallback(answer).with_state(reader.clone());
        // Pictures are large.
        let app = app.layer(axum::extract::DefaultBodyLimit::disable());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        (reader, format!("http://{address}/v1"))
    }

    fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

async fn answer(State(reader): State<Reader>, Json(body): Json<Value>) -> Json<Value> {
    let turn = {
        let mut asked = reader.asked.lock().unwrap();
        asked.push(body.clone());
        asked.len()
    };
    let call = (reader.decide)(&newest(&body), turn);
    Json(in_dialect("/v1/chat/completions", &format!("Analysis: turn {turn}.\n```json\n{call}\n```")))
}

/// The words of the newest message of a request.
fn newest(body: &Value) -> String {
    let content = &body["messages"].as_array().unwrap().last().unwrap()["content"];
    match content {
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        text => text.as_str().unwrap().to_owned(),
    }
}

/// The groups of the first match.
fn found<'a>(pattern: &str, text: &'a str) -> Vec<&'a str> {
    let captures = Regex::new(pattern).unwrap().captures(text).unwrap_or_else(|| panic!("no {pattern} in\n{text}"));
    captures.iter().skip(1).map(|group| group.unwrap().as_str()).collect()
}

fn call(api: &str, args: &Value) -> Value {
    json!({"api": api, "args": args})
}

async fn run(args: &[&str]) -> Answer {
    Scratchbed::new().call(&["run", "--agent", "llm", "--model", "reader"]).args(args).answer().await
}

/// Lets the starfish's place be the reef's, in the sprite whose custom block has no number.
fn mend_the_shell(shown: &str, turn: usize) -> Value {
    match turn {
        1 => call("select_sprite", &json!({"name": "Shell"})),
        2 => {
            let number = found(r"#(\d+) sensing_touchingobject\n *- input TOUCHINGOBJECTMENU: Starfish", shown)[0];
            let value = json!({"blockIndex": number.parse::<u32>().unwrap(), "fieldName": "TOUCHINGOBJECTMENU", "value": "Reef"});
            call("set_block_field", &value)
        }
        _ => call("done", &json!({})),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_are_named_by_the_published_numbers() {
    let (reader, endpoint) = Reader::serve(mend_the_shell).await;
    let common = ["--mode", "composite", "--task", "cruel_starfish", "--endpoint", &endpoint];
    let ran = run(&[&common[..], &["--protocol", "paper-1"]].concat()).await;
    assert_eq!((ran.code, &ran["solved"]), (0, &json!(true)), "{ran:#}");
    let shown = newest(&reader.asked()[1]);
    let headings: Vec<&str> = shown.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(
        headings,
        [
            "## Current Editing Target",
            "## Target Variables In Scope",
            "## Target Lists In Scope",
            "## All Available Targets",
            "## Blocks Pseudocode"
        ]
    );
    assert!(shown.starts_with("## Current Editing Target\nShell\n") && shown.contains("name: vx, scope: sprite"));
    let acts = ran.acts("cruel_starfish");
    let (asked, done) = (&acts[1]["call"]["args"], &acts[1]["reply"]["executed_action"]["args"]);
    assert_ne!(asked["blockIndex"], done["blockIndex"], "both forms are kept: {:#}", acts[1]);
    assert_eq!(done["blockIndex"], 43, "the registry's number");
}

/// Drags by the table: the sprite and the block by their indexes, the place as far from the block as it must be moved.
fn mend_the_ferry(shown: &str, turn: usize) -> Value {
    match turn {
        1 => call("click", &json!({"index": 9999})),
        2 => {
            let index = found(r"(?m)^(\d+)    sprites    Ticket", shown)[0];
            call("click", &json!({"index": index.parse::<u32>().unwrap()}))
        }
        3 => {
            let row =
                found(r"(?m)^(\d+)    blocks    event_broadcast on canvas    \((\d+), (\d+)\) (\d+)x(\d+)$", shown);
            let row: Vec<u32> = row.iter().map(|number| number.parse().unwrap()).collect();
            let [index, x, y, width, height] = row[..] else { panic!("{row:?}") };
            let (end_x, end_y) = (x + width / 2 - 12, y + height / 2 - 104);
            call("drag_and_drop", &json!({"start_index": index, "end_x": end_x, "end_y": end_y}))
        }
        _ => call("done", &json!({})),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn elements_are_named_by_their_rows_at_the_small_stage() {
    let (reader, endpoint) = Reader::serve(mend_the_ferry).await;
    let common = ["--mode", "primitive", "--task", "stuck_ferry", "--endpoint", &endpoint];
    // Also where the protocol has another way.
    let ran = run(&[&common[..], &["--observation", "paper"]].concat()).await;
    assert_eq!((ran.code, &ran["solved"]), (0, &json!(true)), "{ran:#}");
    let asked = reader.asked();
    let shown = newest(&asked[0]);
    assert!(shown.contains("## Current UI element information:\nindex    type    text    position\n0    "), "{shown}");
    // The canvas of the large stage is 782 pixels wide.
    let width = found(r"(?m)    canvas    [^\n]*\) (\d+)x\d+$", &shown)[0].parse::<u32>().unwrap();
    assert!(width > 900, "{shown}");
    let parts = asked[0]["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(parts.contains("data:image/png;base64,"));
    assert!(newest(&asked[1]).contains("INDEX_RESOLUTION_ERROR"), "the model is told");
    let acts = ran.acts("stuck_ferry");
    assert_eq!(acts[0]["reply"]["error"]["code"], "INDEX_RESOLUTION_ERROR");
    assert_eq!(ran["attempts"][0]["detail"]["steps"], 3, "it costs a turn");
    let done = &acts[1]["reply"]["executed_action"]["args"];
    assert!(
        acts[1]["call"]["args"]["index"].is_u64() && done["x"].is_number() && done["index"].is_null(),
        "{:#}",
        acts[1]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_project_is_shown_as_markdown_and_blocks_are_named_by_our_numbers() {
    let (reader, endpoint) = Reader::serve(mend_the_shell).await;
    let common = ["--task", "cruel_starfish", "--endpoint", &endpoint, "--observation", "markdown"];
    let ran = run(&[&common[..], &["--mode", "composite"]].concat()).await;
    assert_eq!((ran.code, &ran["solved"]), (0, &json!(true)), "{ran:#}");
    let shown = newest(&reader.asked()[1]);
    let (project, editor) = shown.split_once("\n# Editor\n").unwrap_or_else(|| panic!("{shown}"));
    assert!(project.contains("# Project\n\n## Stage (Stage)\n### Scripts: "), "{project}");
    let targets = project.lines().filter(|line| line.starts_with("## ")).count();
    assert!(targets > 2 && project.contains("\n## Shell (Sprite)\n### Scripts:\n```\n"), "{project}");
    assert!(project.contains("touching (Starfish v)"), "scripts are in notation: {project}");
    assert!(
        editor.contains("## Current Editing Target\nShell\n") && editor.contains("## Blocks Pseudocode\n#1 "),
        "{editor}"
    );
    assert_eq!(ran.acts("cruel_starfish").len(), 3);

    let ran = run(&[&common[..], &["--mode", "primitive"]].concat()).await;
    assert_eq!((ran.code, &ran["error"]["code"]), (2, &json!("observation_not_in_mode")), "{ran:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_do_not_show_what_the_published_system_shows() {
    let common = ["--mode", "composite", "--task", "stuck_ferry", "--endpoint", "http://127.0.0.1:1/v1"];
    for way in [["--observation", "paper"], ["--protocol", "paper-1"], ["--observation", "markdown"]] {
        let ran = run(&[&common[..], &["--server", "http://127.0.0.1:1"], &way[..]].concat()).await;
        let error = &ran["error"];
        assert_eq!((ran.code, &error["code"]), (2, &json!("no_published_observation")), "{ran:#}");
        assert!(error["hint"].as_str().unwrap().contains("--observation native"), "{ran:#}");
    }
}
