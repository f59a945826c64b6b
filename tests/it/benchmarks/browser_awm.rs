//! The agent with workflow memory: a scripted endpoint answers with the oracle's calls, judges each attempt a success and
//! finds a routine in them; all the rest is the real path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scratchbed::model::Mode;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::benchmarks::browser_llm::{run_of, task};
use crate::support::scripted_solver::{Moods, ScriptedSolver};
use crate::support::root;

const FIVE: [&str; 5] = ["fourth_drum", "cruel_starfish", "dim_firefly", "ghost_gate", "stuck_ferry"];

struct Ran {
    code: i32,
    answer: Value,
    run: PathBuf,
}

impl Ran {
    /// What the first attempt at a task began with and left, and the rest of that record.
    fn memory(&self, item: &str) -> Value {
        self.json(item, "memory.json")
    }

    fn json(&self, item: &str, file: &str) -> Value {
        // A try that was broken off has a folder, too.
        let attempts = self.answer["attempts"].as_array().unwrap();
        let retry = attempts.iter().find(|attempt| attempt["item"] == item).unwrap()["retry"].as_u64().unwrap();
        let name = if retry == 0 { format!("{item}.1") } else { format!("{item}.1.r{retry}") };
        let path = self.run.join("attempts").join(name).join(file);
        serde_json::from_slice(&std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
            .unwrap()
    }

    /// The tasks in the order in which they were attempted.
    fn order(&self) -> Vec<String> {
        let run: Value = serde_json::from_slice(&std::fs::read(self.run.join("run.json")).unwrap()).unwrap();
        run["items"].as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
    }

    /// All files of all states, by their places.
    fn states(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for state in std::fs::read_dir(self.run.join("memory")).unwrap() {
            let state = state.unwrap();
            let name = state.file_name().to_string_lossy().into_owned();
            files.insert(name.clone(), String::new());
            for file in std::fs::read_dir(state.path()).unwrap() {
                let file = file.unwrap();
                let place = format!("{name}/{}", file.file_name().to_string_lossy());
                files.insert(place, std::fs::read_to_string(file.path()).unwrap());
            }
        }
        files
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    command.env("SCRATCHBED_ALLOW_ROOT", "1").args(["run", "--agent", "awm"]).args(args);
    // The lists name points and numbers of our own observation.
    command.args(["--observation", "native", "--json", "--root"]).arg(root()).kill_on_drop(true);
    command
}

async fn run(args: &[&str]) -> Ran {
    let output = command(args).output().await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answer: Value = serde_json::from_str(text.lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    let run = Path::new(answer["run"].as_str().unwrap_or_default()).to_owned();
    Ran { code: output.status.code().unwrap(), answer, run }
}

async fn solver(names: &[&str], mode: Mode) -> (ScriptedSolver, String) {
    let tasks = names.iter().map(|name| task(name, mode)).collect();
    let (solver, address) = ScriptedSolver::serve(tasks, Moods::default()).await;
    (solver, format!("{address}/v1"))
}

fn which<'a>(names: &[&'a str]) -> Vec<&'a str> {
    names.iter().flat_map(|name| ["--task", name]).collect()
}

/// The words of all messages of a request.
fn words(body: &Value) -> String {
    let content = |message: &Value| match &message["content"] {
        Value::String(text) => text.clone(),
        parts => parts.as_array().unwrap().iter().filter_map(|part| part["text"].as_str()).collect(),
    };
    body["messages"].as_array().unwrap().iter().map(content).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_grows_from_task_to_task_and_the_same_answers_make_the_same_run() {
    let common = [&["--mode", "composite", "--model", "scripted"][..], &which(&FIVE)].concat();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let (solver, endpoint) = solver(&FIVE, Mode::Composite).await;
        let ran = run(&[&common[..], &["--endpoint", &endpoint]].concat()).await;
        assert_eq!((ran.code, &ran.answer["solved"]), (0, &json!(true)), "{:#}", ran.answer);
        let bodies: Vec<Value> = solver.asked().into_iter().map(|(_, body)| body).collect();
        runs.push((ran, bodies));
    }
    let (first, asked) = &runs[0];
    let order = first.order();
    assert_ne!(order, FIVE, "the order is the seed's");
    for two in order.windows(2) {
        assert_eq!(first.memory(&two[0])["after"], first.memory(&two[1])["before"], "{two:?}");
        assert_ne!(first.memory(&two[1])["before"], first.memory(&two[1])["after"]);
    }
    let last = first.memory(&order[4]);
    assert_eq!(last["place"], 5);
    let state = first.run.join("memory").join(last["after"].as_str().unwrap());
    let workflows = std::fs::read_to_string(state.join("workflows.md")).unwrap();
    assert!(workflows.starts_with("#### Routine of 5 tasks\n"), "{workflows}");
    assert_eq!(std::fs::read_to_string(state.join("trajectories.jsonl")).unwrap().lines().count(), 5);
    let texts: Vec<String> = asked.iter().map(words).collect();
    assert!(!texts[0].contains("## Workflow Memory"), "there is none yet");
    assert!(texts.iter().any(|text| text.contains("## Workflow Memory") && text.contains("Routine of 4 tasks")));
    assert!(texts.iter().any(|text| text.contains("Turn 1:\nThought: This is step 1 of")));
    let cost = first.answer["attempts"][0]["cost"]["calls"].as_u64().unwrap();
    let turns = first.run.join(format!("attempts/{}.1/turns.jsonl", order[0]));
    let turns = std::fs::read_to_string(turns).unwrap();
    assert_eq!(cost, turns.lines().count() as u64, "what learning costs counts");
    assert!(turns.contains("\"purpose\":\"judge\"") && turns.contains("\"purpose\":\"induce\""));

    let (second, asked_again) = &runs[1];
    assert_eq!(first.states(), second.states());
    assert!(asked == asked_again, "the requests differ");

    let frozen = format!("frozen:{}", first.run.display());
    let (solver, endpoint) = solver(&FIVE, Mode::Composite).await;
    let args = ["--endpoint", &endpoint, "--memory", &frozen, "--jobs", "2"];
    let ran = run(&[&["--mode", "composite", "--model", "scripted"][..], &which(&FIVE[..2]), &args].concat()).await;
    assert_eq!(ran.code, 0, "{:#}", ran.answer);
    let texts: Vec<String> = solver.asked().iter().map(|(_, body)| words(body)).collect();
    assert!(texts.iter().all(|text| text.contains("Routine of 5 tasks")), "all know it, and none is asked to judge");
    assert_eq!(ran.memory(FIVE[0])["after"], last["after"]);
    exported(first).await;
}

/// The reference's layout has the self-judgements.
async fn exported(ran: &Ran) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    command.env("SCRATCHBED_ALLOW_ROOT", "1").arg("export").arg(&ran.run).args(["--format", "reference", "--out"]);
    let output = command.arg(folder.path().join("out")).arg("--root").arg(root()).output().await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let task = folder.path().join("out/result_scripted_composite_awm/debug/stuck_ferry");
    let read = |name: &str| -> Value {
        let path = task.join(name);
        serde_json::from_slice(&std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
            .unwrap()
    };
    let judged = json!({"thoughts": "All of it is there.", "status": "success"});
    assert_eq!(read("autoeval.json"), judged);
    assert_eq!(read("result.json")["agent_interaction"]["auto_eval_result"], judged);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_in_primitive_mode_is_judged_by_its_last_picture() {
    let (solver, endpoint) = solver(&["stuck_ferry"], Mode::Primitive).await;
    let args = ["--mode", "primitive", "--task", "stuck_ferry", "--model", "scripted", "--endpoint", &endpoint];
    let ran = run(&args).await;
    assert_eq!((ran.code, &ran.answer["solved"]), (0, &json!(true)), "{:#}", ran.answer);
    let asked = solver.asked();
    let judged = asked.iter().find(|(_, body)| words(body).contains("Judge whether the task was solved")).unwrap();
    assert!(judged.1.to_string().contains("data:image/png;base64,"));
    assert!(asked.iter().take(asked.len() - 2).all(|(_, body)| words(body).contains("## Elements")));
    assert_ne!(ran.memory("stuck_ferry")["before"], ran.memory("stuck_ferry")["after"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_killed_while_it_learns_goes_on_with_what_it_knew() {
    let names = &FIVE[..3];
    let which = which(names);
    let (unbroken, endpoint) = solver(names, Mode::Composite).await;
    let common = [&["--mode", "composite", "--model", "scripted"][..], &which].concat();
    let whole = run(&[&common[..], &["--endpoint", &endpoint]].concat()).await;
    assert_eq!(whole.code, 0, "{:#}", whole.answer);
    let texts: Vec<String> = unbroken.asked().iter().map(|(_, body)| words(body)).collect();
    let at = |words: &str, count: usize| {
        let found = texts.iter().enumerate().filter(|(_, text)| text.contains(words)).map(|(place, _)| place + 1);
        found.collect::<Vec<_>>()[count]
    };
    // In the middle of a judgement, of an induction and of a decision; each kill adds a request.
    let kills = [at("Judge whether", 0), at("Write down", 1) + 1, at("Judge whether", 2)];

    let (solver, endpoint) = solver(names, Mode::Composite).await;
    solver.stall_at(kills);
    // Names of folders have 40 letters of it.
    let name = format!("kept{}", uuid::Uuid::new_v4().simple());
    let common = [&["--mode", "composite", "--model", &name, "--endpoint", &endpoint][..], &which].concat();
    let mut resume: Vec<String> = Vec::new();
    for _ in kills {
        let more: Vec<&str> = resume.iter().map(String::as_str).collect();
        let mut child = command(&[&common[..], &more].concat()).spawn().unwrap();
        tokio::select! {
            () = solver.stalled() => child.kill().await.unwrap(),
            ended = child.wait() => panic!("it ended by itself: {ended:?}"),
        }
        resume = vec!["--resume".to_owned(), run_of(&name).display().to_string()];
    }
    let more: Vec<&str> = resume.iter().map(String::as_str).collect();
    let broken = run(&[&common[..], &more].concat()).await;
    assert_eq!(broken.code, 0, "{:#}", broken.answer);
    assert_eq!(solver.answered(), unbroken.answered(), "an answer was paid for twice");
    assert_eq!(broken.states(), whole.states());
    for item in names {
        assert_eq!(broken.memory(item), whole.memory(item), "{item}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_memory_does_not_go_with_is_refused_before_anything_begins() {
    let common =
        ["--mode", "composite", "--task", "stuck_ferry", "--model", "m", "--endpoint", "http://127.0.0.1:1/v1"];
    for (more, code, status) in [
        (&["--jobs", "2"][..], "memory_in_parallel", 2),
        (&["--agent", "llm", "--memory", "on"], "agent_without_memory", 2),
        (&["--history", "3"], "awm_has_one_way", 2),
        (&["--memory", "from:/nowhere"], "no_memory", 3),
    ] {
        let mut args = [&common[..], more].concat();
        let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
        let agent = if args.contains(&"--agent") { &[][..] } else { &["--agent", "awm"][..] };
        args.extend(["--json", "--root"]);
        command.env("SCRATCHBED_ALLOW_ROOT", "1").arg("run").args(agent).args(&args).arg(root());
        let output = command.output().await.unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let answer: Value = serde_json::from_str(text.lines().last().unwrap_or_default()).unwrap();
        assert_eq!((&answer["error"]["code"], output.status.code()), (&json!(code), Some(status)), "{answer:#}");
        assert!(answer["error"]["hint"].is_string(), "{answer:#}");
    }
}
