//! A model endpoint that plays all roles of a planner: which one is asked for, and by which task, it reads from the request,
//! as a model would. The same request always gets the same answer.

use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use regex::Regex;
use serde_json::{Value, json};

use crate::support::scripted_solver::in_dialect;

/// A request: the path, and the words of its messages.
#[derive(Debug, Clone)]
pub struct Asked {
    pub model: String,
    /// What it was taken for.
    pub role: &'static str,
    pub words: String,
    /// Pictures that it shows.
    pub pictures: usize,
}

/// The endpoint.
#[derive(Debug, Clone, Default)]
pub struct ScriptedPlanner {
    asked: Arc<Mutex<Vec<Asked>>>,
    /// The list of elements that the worker was shown last: the grounding model sees the same screen.
    table: Arc<Mutex<String>>,
}

/// How requests begin, or what they hold, by what they are for.
const SIGNS: [(&str, &str); 8] = [
    ("query", "Which one question would you look up"),
    ("plan", "You plan the work on a task"),
    ("graph", "You turn a plan into a graph"),
    ("act", "You work in the Scratch 3 editor with mouse and keyboard"),
    ("reflect", "You watch someone carry out a subtask"),
    ("ground", "Find this: "),
    ("episode", "You write down what was learned from one subtask"),
    ("narrative", "You write down what was learned from one attempt"),
];

impl ScriptedPlanner {
    /// Serves it; the address of the endpoint.
    pub async fn serve() -> (Self, String) {
        let planner = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = axum::Router::new().fallback(reply).with_state(planner.clone());
        // Pictures are large.
        let app = app.layer(axum::extract::DefaultBodyLimit::disable());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        (planner, format!("http://{address}/v1"))
    }

    /// The requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, role: &str, words: &str, rounds: usize) -> String {
        let is_ferry = words.contains("ferry");
        match role {
            "query" => "Which of the blocks is in the wrong place?".to_owned(),
            "plan" if words.contains("- choose the ticket") => "1. Move the broadcast block up.".to_owned(),
            "plan" => "1. Choose the sprite.\n2. Move the block.".to_owned(),
            "graph" => graph(words),
            "act" => {
                if let Some((_, table)) = words.rsplit_once("## Current UI element information:") {
                    table.clone_into(&mut self.table.lock().unwrap());
                }
                let call = if is_ferry { ferry(words, rounds) } else { stray() };
                format!(
                    "(Previous action verification)\nIt went well.\n(Screenshot Analysis)\nThe editor.\n(Next Action)\nGo on.\n\
                     (Grounded Action)\n```json\n{call}\n```"
                )
            }
            "reflect" => "They are on their way and should go on.".to_owned(),
            "ground" => self.point(words),
            "episode" => "Click the sprite in the list below the stage.".to_owned(),
            "narrative" => "Choosing the sprite first led on; moving the block came second.".to_owned(),
            other => panic!("nothing is asked like this: {other}: {words}"),
        }
    }

    /// A point in thousandths of the picture, by the list of elements.
    fn point(&self, words: &str) -> String {
        let table = self.table.lock().unwrap().clone();
        let middle = |pattern: &str| {
            let found = Regex::new(&format!(r"(?m)^\d+    {pattern}    \((\d+), (\d+)\) (\d+)x(\d+)$")).unwrap();
            let row = found.captures(&table).unwrap_or_else(|| panic!("no {pattern} in\n{table}"));
            let [x, y, width, height] = [1, 2, 3, 4].map(|group| row[group].parse::<i64>().unwrap());
            (x + width / 2, y + height / 2)
        };
        let block = r"blocks    event_broadcast on canvas";
        let (x, y) = if words.contains("sprite named Ticket") {
            middle("sprites    Ticket")
        } else if words.contains("the broadcast block in the code area") {
            middle(block)
        } else if words.contains("below the hat block") {
            let (x, y) = middle(block);
            (x - 12, y - 104)
        } else {
            (860, 24)
        };
        format!("The point is ({}, {}).", x * 1000 / 1280, y * 1000 / 720)
    }
}

/// The plan as a graph; the first answer is none, so that it has to be asked for again.
fn graph(words: &str) -> String {
    let move_up = json!({"name": "move the broadcast", "info": "Below the hat block."});
    let dag = if words.contains("1. Move the broadcast block up.") {
        json!({"nodes": [move_up], "edges": []})
    } else {
        let choose = json!({"name": "choose the ticket", "info": "In the list of sprites."});
        json!({"nodes": [move_up, choose], "edges": [["choose the ticket", "move the broadcast"]]})
    };
    if words.contains("can't be used") || words.contains("Move the broadcast") {
        format!("<json>\n{}\n</json>", json!({"dag": dag}))
    } else {
        "First choose, then move.".to_owned()
    }
}

/// Mends the stuck ferry: a click, and a drag in the next subtask.
fn ferry(words: &str, rounds: usize) -> Value {
    let is_choosing = words.contains("Your subtask: choose the ticket");
    match (is_choosing, rounds) {
        (true, 0) => json!({"api": "click", "args": {"description": "the sprite named Ticket below the stage"}}),
        (false, 0) => json!({"api": "drag_and_drop", "args": {
            "source_description": "the broadcast block in the code area",
            "target_description": "the place below the hat block"}}),
        _ => json!({"api": "done", "args": {}}),
    }
}

/// Clicks where nothing is.
fn stray() -> Value {
    json!({"api": "click", "args": {"description": "an empty part of the menu bar"}})
}

async fn reply(State(planner): State<ScriptedPlanner>, uri: Uri, Json(body): Json<Value>) -> Json<Value> {
    let model = body["model"].as_str().unwrap_or_default().to_owned();
    if uri.path().ends_with("/embeddings") {
        let words = body["input"].as_str().or_else(|| body["input"][0].as_str()).unwrap().to_owned();
        let vector = vector(&words);
        planner.asked.lock().unwrap().push(Asked { model, role: "embed", words, pictures: 0 });
        return Json(json!({"object": "list", "model": "vectors-1", "usage": {"prompt_tokens": 7, "total_tokens": 7},
            "data": [{"object": "embedding", "index": 0, "embedding": vector}]}));
    }
    let messages = body["messages"].as_array().unwrap();
    let text = |message: &Value| match &message["content"] {
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<String>(),
        text => text.as_str().unwrap_or_default().to_owned(),
    };
    let words = messages.iter().map(text).collect::<Vec<_>>().join("\n");
    let pictures = body["messages"].to_string().matches("data:image/png;base64,").count();
    let rounds = messages.iter().filter(|message| message["role"] == "assistant").count();
    let role = SIGNS.iter().find(|(_, sign)| words.contains(sign)).map_or("none", |(role, _)| role);
    let answer = planner.answer(role, &words, rounds);
    planner.asked.lock().unwrap().push(Asked { model, role, words, pictures });
    Json(in_dialect("/v1/chat/completions", &answer))
}

/// How often each of eight groups of letters is in a text.
fn vector(words: &str) -> Vec<f64> {
    let mut vector = vec![0.0; 8];
    for byte in words.bytes() {
        vector[usize::from(byte % 8)] += 1.0;
    }
    vector
}
