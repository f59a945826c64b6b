//! The agent with workflow memory: a scripted endpoint answers with the oracle's calls, judges each attempt a success and
//! finds a routine in them; all the rest is the real path.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use scratchbed::model::Mode;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::benchmarks::browser_llm::task;
use crate::support::program::{Answer, Call, Scratchbed, ended_after_kills, json_at};
use crate::support::scripted_solver::{Moods, ScriptedSolver};
use crate::support::{everything, files, of_the_day};

const FIVE: &[&str] = &["stuck_ferry", "crab_astray", "fourth_drum", "dim_firefly", "cruel_starfish"];

/// What is attempted: two tasks are enough for one to learn from another.
fn tasks() -> &'static [&'static str] {
    if everything() { FIVE } else { &FIVE[..2] }
}

/// Reads the record of the memory before and after the attempt at a task.
fn memory(ran: &Answer, item: &str) -> Value {
    ran.file(item, "memory.json")
}

/// Returns the tasks in the order of their attempts.
fn order(ran: &Answer) -> Vec<String> {
    let run = json_at(&ran.run().join("run.json"));
    run["items"].as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

/// Reads all files of all states, by their places.
fn states(ran: &Answer) -> BTreeMap<String, String> {
    let folder = ran.run().join("memory");
    let of = |file: PathBuf| {
        let place = file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        (place, std::fs::read_to_string(file).unwrap())
    };
    // A state may be an empty folder.
    let names =
        folder.read_dir().unwrap().map(|state| (state.unwrap().file_name().into_string().unwrap(), String::new()));
    names.chain(files(&folder).into_iter().map(of)).collect()
}

/// Prepares a run of the agent.
fn call(scratchbed: &Scratchbed, args: &[&str]) -> Call {
    // The lists name points and numbers of our own observation. Pictures for people are not looked at here.
    let common = ["run", "--agent", "awm", "--observation", "native", "--keep-pictures", "agent"];
    scratchbed.call(&common).args(args)
}

async fn run(args: &[&str]) -> Answer {
    call(&Scratchbed::new(), args).answer().await
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

/// What a run at all tasks leaves, and what its model was asked.
struct Learned {
    states: BTreeMap<String, String>,
    /// The records of the memory by task.
    memory: BTreeMap<&'static str, Value>,
    asked: Vec<Value>,
    answered: usize,
}

/// The arguments of a run in composite mode.
fn composite(names: &[&'static str]) -> Vec<&'static str> {
    [&["--mode", "composite", "--model", "scripted"][..], &which(names)].concat()
}

impl Learned {
    fn of(ran: &Answer, asked: Vec<Value>, answered: usize) -> Self {
        let memory = tasks().iter().map(|name| (*name, memory(ran, name))).collect();
        Self { states: states(ran), memory, asked, answered }
    }
}

/// What a run at all tasks leaves that nothing disturbs, and the run itself for the test that looks into its folder.
async fn whole() -> &'static (Learned, Mutex<Option<Answer>>) {
    static WHOLE: OnceCell<(Learned, Mutex<Option<Answer>>)> = OnceCell::const_new();
    let make = || async {
        let (solver, endpoint) = solver(tasks(), Mode::Composite).await;
        let ran = run(&[&composite(tasks())[..], &["--endpoint", &endpoint]].concat()).await;
        assert_eq!((ran.code, &ran["solved"]), (0, &json!(true)), "{ran:#}");
        let asked = solver.asked().into_iter().map(|(_, body)| body).collect();
        (Learned::of(&ran, asked, solver.answered()), Mutex::new(Some(ran)))
    };
    WHOLE.get_or_init(make).await
}

/// What a run leaves that is killed while it learns. Its requests are those that were answered.
async fn broken() -> &'static Learned {
    static BROKEN: OnceCell<Learned> = OnceCell::const_new();
    BROKEN.get_or_init(break_and_resume).await
}

async fn break_and_resume() -> Learned {
    let texts: Vec<String> = whole().await.0.asked.iter().map(words).collect();
    let at = |words: &str, count: usize| {
        let found = texts.iter().enumerate().filter(|(_, text)| text.contains(words)).map(|(place, _)| place + 1);
        found.collect::<Vec<_>>()[count]
    };
    // In the middle of the first judgement, of a decision and of the second induction; each kill adds a request.
    let kills = if everything() {
        vec![at("Judge whether", 0), at("Write down", 0) + 2 + 1, at("Write down", 1) + 2]
    } else {
        // The judgement and the induction have their days.
        of_the_day(&[at("Judge whether", 0), at("Write down", 1)], 1).into_iter().copied().collect()
    };

    let (solver, endpoint) = solver(tasks(), Mode::Composite).await;
    solver.stall_at(kills.clone());
    let common = [&composite(tasks())[..], &["--endpoint", &endpoint]].concat();
    let scratchbed = Scratchbed::new();
    let ran = ended_after_kills(|| call(&scratchbed, &common), kills.len(), || solver.stalled()).await;
    assert_eq!(ran.code, 0, "{ran:#}");
    let numbered = (1..).zip(solver.asked()).filter(|(number, _)| !kills.contains(number));
    Learned::of(&ran, numbered.map(|(_, (_, body))| body).collect(), solver.answered())
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_grows_from_task_to_task_and_the_same_answers_make_the_same_run() {
    let (learned, ran) = whole().await;
    let ran = ran.lock().unwrap().take().unwrap();
    let (order, all) = (order(&ran), tasks().len());
    assert_ne!(order, tasks(), "the order is the seed's");
    for two in order.windows(2) {
        assert_eq!(memory(&ran, &two[0])["after"], memory(&ran, &two[1])["before"], "{two:?}");
        assert_ne!(memory(&ran, &two[1])["before"], memory(&ran, &two[1])["after"]);
    }
    let last = memory(&ran, order.last().unwrap());
    assert_eq!(last["place"], all);
    let state = ran.run().join("memory").join(last["after"].as_str().unwrap());
    let workflows = std::fs::read_to_string(state.join("workflows.md")).unwrap();
    let (routine, earlier) = (format!("Routine of {all} tasks"), format!("Routine of {} tasks", all - 1));
    assert!(workflows.starts_with(&format!("#### {routine}\n")), "{workflows}");
    assert_eq!(std::fs::read_to_string(state.join("trajectories.jsonl")).unwrap().lines().count(), all);
    let texts: Vec<String> = learned.asked.iter().map(words).collect();
    assert!(!texts[0].contains("## Workflow Memory"), "there is none yet");
    assert!(texts.iter().any(|text| text.contains("## Workflow Memory") && text.contains(&earlier)));
    assert!(texts.iter().any(|text| text.contains("Turn 1:\nThought: This is step 1 of")));
    let cost = ran["attempts"][0]["cost"]["calls"].as_u64().unwrap();
    let turns = std::fs::read_to_string(ran.folder(&order[0]).join("turns.jsonl")).unwrap();
    assert_eq!(cost, turns.lines().count() as u64, "what learning costs counts");
    assert!(turns.contains("\"purpose\":\"judge\"") && turns.contains("\"purpose\":\"induce\""));

    let frozen = format!("frozen:{}", ran.run_arg());
    let (solver, endpoint) = solver(tasks(), Mode::Composite).await;
    let args = ["--endpoint", &endpoint, "--memory", &frozen, "--jobs", "2"];
    // A frozen memory goes with several attempts at a time, also where there is but one to make.
    let count = if everything() { 2 } else { 1 };
    let knowing = run(&[&composite(&tasks()[..count])[..], &args].concat()).await;
    assert_eq!(knowing.code, 0, "{knowing:#}");
    let texts: Vec<String> = solver.asked().iter().map(|(_, body)| words(body)).collect();
    assert!(texts.iter().all(|text| text.contains(&routine)), "all know it, and none is asked to judge");
    assert_eq!(memory(&knowing, tasks()[0])["after"], last["after"]);
    exported(&ran).await;

    // A run that was broken off makes the same of the same answers.
    let other = broken().await;
    assert_eq!(learned.states, other.states);
    assert!(learned.asked == other.asked, "the requests differ");
}

/// The reference's layout has the self-judgements.
async fn exported(ran: &Answer) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let call = Scratchbed::new().call(&["export", &ran.run_arg(), "--format", "reference", "--out"]).arg(&out);
    let answer = call.answer().await;
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let task = out.join("result_scripted_composite_awm/debug/stuck_ferry");
    let judged = json!({"thoughts": "All of it is there.", "status": "success"});
    assert_eq!(json_at(&task.join("autoeval.json")), judged);
    assert_eq!(json_at(&task.join("result.json"))["agent_interaction"]["auto_eval_result"], judged);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_in_primitive_mode_is_judged_by_its_last_picture() {
    let (solver, endpoint) = solver(&["stuck_ferry"], Mode::Primitive).await;
    let args = ["--mode", "primitive", "--task", "stuck_ferry", "--model", "scripted", "--endpoint", &endpoint];
    let ran = run(&args).await;
    assert_eq!((ran.code, &ran["solved"]), (0, &json!(true)), "{ran:#}");
    let asked = solver.asked();
    let judged = asked.iter().find(|(_, body)| words(body).contains("Judge whether the task was solved")).unwrap();
    assert!(judged.1.to_string().contains("data:image/png;base64,"));
    assert!(asked.iter().take(asked.len() - 2).all(|(_, body)| words(body).contains("## Elements")));
    assert_ne!(memory(&ran, "stuck_ferry")["before"], memory(&ran, "stuck_ferry")["after"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_killed_while_it_learns_goes_on_with_what_it_knew() {
    let ((whole, _), broken) = (whole().await, broken().await);
    assert_eq!(broken.answered, whole.answered, "an answer was paid for twice");
    assert_eq!(broken.states, whole.states);
    assert_eq!(broken.memory, whole.memory);
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
        let agent = if more.contains(&"--agent") { &[][..] } else { &["--agent", "awm"][..] };
        let answer = Scratchbed::new().answer(&[&["run"], agent, &common[..], more].concat()).await;
        assert_eq!((&answer["error"]["code"], answer.code), (&json!(code), status), "{answer:#}");
        assert!(answer["error"]["hint"].is_string(), "{answer:#}");
    }
}
