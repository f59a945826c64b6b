//! Models solve whole splits: a scripted endpoint answers with the oracle's calls in composite mode, and with calls that the
//! mouse oracle once made in primitive mode. All else is the real path, from the command line to the verdict.
//!
//! Recorded calls name points of the page. They replay because the editor draws the same project the same way each time, to
//! the pixel (ADR 0018). Numbers of elements would not: they count what a list shows, and the lists of the oracle that made the
//! recording have no recognised words in them, while those that a model is shown do.
//!
//! Each day has its part of `small`. `SCRATCHBED_TESTS=all` plays all of it in composite mode; `make test-models` plays
//! all 83 tasks in composite mode and all of `small` in primitive mode. After a change that moves what is on the page,
//! `SCRATCHBED_UPDATE=1` has the mouse oracle play `small` and records its calls anew.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use scratchbed::model::Mode;
use scratchbed::taskset::{Selection, TaskEntry, TaskSet};
use serde_json::{Value, json};

use crate::support::program::{Answer, Scratchbed, lines_at};
use crate::support::scripted_solver::{Moods, ScriptedSolver};
use crate::support::{everything, of_the_day, root};

/// Tasks of `small` that are played in composite mode each day.
const A_DAY: usize = 1;
/// Tasks of `small` whose recordings are short.
const CHEAP: [&str; 2] = ["fourth_drum", "till_miscounts"];

fn tasks(split: Option<&str>) -> Vec<TaskEntry> {
    let set = TaskSet::read(root()).unwrap();
    let selection = Selection { split: split.map(str::to_owned), ..Selection::default() };
    set.select(&selection).unwrap().into_iter().cloned().collect()
}

fn recording(task: &str) -> PathBuf {
    root().join("tests/fixtures/mouse").join(format!("{task}.jsonl"))
}

async fn run(args: &[&str]) -> Answer {
    Scratchbed::new().call(&["run", "--jobs", "2"]).args(args).answer().await
}

/// Has the endpoint solve these tasks in one run; how often each was asked about must be what its calls need.
async fn solves(mode: Mode, given: Vec<(TaskEntry, Vec<Value>)>, more: &[&str]) {
    let began = Instant::now();
    let needed: BTreeMap<String, usize> =
        given.iter().map(|(entry, calls)| (entry.task.id.to_string(), calls.len())).collect();
    let known = given.iter().map(|(entry, calls)| (entry.task.instruction.clone(), calls.clone())).collect();
    let (_, address) = ScriptedSolver::serve(known, Moods::default()).await;
    let (endpoint, mode) = (format!("{address}/v1"), mode.to_string());
    let names: Vec<&str> = needed.keys().flat_map(|id| ["--task", id.as_str()]).collect();
    // Pictures after each action are for people who watch, and no one looks at them here.
    let common = ["--agent", "llm", "--model", "scripted", "--endpoint", &endpoint, "--mode", &mode];
    let common = [&common[..], &["--keep-pictures", "agent"]].concat();
    let answer = run(&[&common[..], &names, more].concat()).await;
    let attempts = answer.attempts();
    assert_eq!(attempts.len(), needed.len(), "{answer:#}");
    let failed: Vec<String> = attempts
        .iter()
        .filter(|attempt| attempt["outcome"] != "passed")
        .map(|attempt| format!("{}: {} {}", attempt["item"], attempt["outcome"], attempt["detail"]["tests"]))
        .collect();
    let solved = attempts.len() - failed.len();
    // Shown by `make test-models`.
    println!("{mode}: {solved} of {} in {:.0} s", attempts.len(), began.elapsed().as_secs_f64());
    assert!(failed.is_empty() && answer.code == 0, "{failed:#?}\n{}", answer.stderr);
    for attempt in attempts {
        // `done` takes no step; each other call was made once.
        assert_eq!(attempt["detail"]["steps"], needed[attempt["item"].as_str().unwrap()], "{attempt:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_with_the_oracles_calls_solves_the_tasks_in_composite_mode() {
    let entries = tasks((!everything()).then_some("small"));
    let calls = |entry: &TaskEntry| {
        let list = entry.oracle(Mode::Composite).unwrap().unwrap();
        let steps = list.into_iter().filter(|call| call.api != "done");
        steps.map(|call| json!({"api": call.api, "args": call.args})).collect()
    };
    let given = of_the_day(&entries, A_DAY).into_iter().map(|entry| (entry.clone(), calls(entry)));
    solves(Mode::Composite, given.collect(), &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_with_recorded_calls_of_the_mouse_solves_tasks_in_primitive_mode() {
    if std::env::var_os("SCRATCHBED_UPDATE").is_some() {
        record().await;
    }
    let entries = tasks(Some("small"));
    let cheap = of_the_day(&CHEAP, 1);
    let is_cheap = |entry: &TaskEntry| cheap.iter().any(|name| **name == entry.task.id.as_str());
    let chosen = entries.into_iter().filter(|entry| everything() || is_cheap(entry));
    let given: Vec<_> = chosen.map(|entry| (entry.clone(), lines_at(&recording(entry.task.id.as_str())))).collect();
    assert_eq!(given.len(), if everything() { 15 } else { cheap.len() });
    solves(Mode::Primitive, given, &[]).await;
}

/// Has the mouse oracle play `small`, and keeps its calls in the form that models are told of.
async fn record() {
    let answer = run(&["--agent", "oracle", "--mode", "primitive", "--split", "small"]).await;
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for entry in tasks(Some("small")) {
        let id = entry.task.id.as_str();
        let made = answer.acts(id);
        let acts = made.iter().map(|line| &line["call"]).filter(|call| call["api"] != "done");
        let text: String = acts.flat_map(|call| [flat(call).to_string(), "\n".to_owned()]).collect();
        std::fs::write(recording(id), text).unwrap();
    }
}

/// A call with the coordinates of `at` among its arguments.
fn flat(call: &Value) -> Value {
    let mut args = call["args"].as_object().unwrap().clone();
    if let Some(Value::Object(at)) = args.shift_remove("at") {
        args.extend(at);
    }
    json!({"api": call["api"], "args": args})
}
