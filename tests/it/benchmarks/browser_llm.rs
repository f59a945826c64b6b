//! Models attempt tasks: a scripted endpoint answers with the oracle's calls, and all the rest is the real path. Runs
//! are made in this process where the command line is not the subject.

use std::path::Path;

use scratchbed::agent::Observing;
use scratchbed::agent::llm::{Answered, Protocol, Style};
use scratchbed::model::Mode;
use scratchbed::perceive::Convention;
use scratchbed::taskset::{Selection, TaskSet};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::benchmarks::browser_llm_tools::{Bench, DIALECTS, ModelRun, solved};
use crate::support::browsers::in_shared_browsers;
use crate::support::program::{Answer, Call, Scratchbed, ended_after_kills, json_at};
use crate::support::scripted_solver::{Moods, ScriptedSolver};
use crate::support::shown_requests::turn;
use crate::support::{everything, files, of_the_day, root};

const PROTOCOLS: [Protocol; 2] = [Protocol::Paper1, Protocol::Scratchbed1];

/// The protocols in which the stuck ferry is solved. With the mouse it is ours alone, since unit tests show the words of the other one;
/// `SCRATCHBED_TESTS=all` takes both in both modes.
fn protocols(mode: Mode) -> &'static [Protocol] {
    if mode == Mode::Composite || everything() { &PROTOCOLS } else { &PROTOCOLS[1..] }
}

/// A task by its name, with the calls that its list for a mode has.
pub fn task(id: &str, mode: Mode) -> (String, Vec<Value>) {
    let set = TaskSet::read(root()).unwrap();
    let selection = Selection { ids: vec![id.to_owned()], ..Selection::default() };
    let entry = set.select(&selection).unwrap()[0].clone();
    let list = json_at(&entry.folder.join(format!("oracle.{mode}.json")));
    (entry.task.instruction.clone(), list["actions"].as_array().unwrap_or_else(|| list.as_array().unwrap()).clone())
}

/// Prepares a run of a model.
pub fn call(scratchbed: &Scratchbed, args: &[&str]) -> Call {
    scratchbed.call(&["run", "--agent", "llm"]).args(args).env("SECRET_KEY_OF_A_MODEL", "k3y-th4t-n0b0dy-sees")
}

async fn run(args: &[&str]) -> Answer {
    call(&Scratchbed::new(), args).answer().await
}

/// How a model is talked to that solves the stuck ferry in a mode.
fn style(protocol: Protocol, mode: Mode) -> Style {
    let style = Style::of(protocol, Convention::Pixels);
    // The list of the mouse names points of our own observation.
    if mode == Mode::Primitive { style.observing(Observing::Native) } else { style }
}

/// What a model does that solves the stuck ferry, in each of the protocols, ours last; made once for all tests that look at it. Every
/// second answer in composite mode cannot be read.
async fn played(mode: Mode) -> &'static [ModelRun] {
    static RUNS: [OnceCell<Vec<ModelRun>>; 2] = [const { OnceCell::const_new() }; 2];
    let make = || async {
        let bench = Bench::begin().await;
        let moods = Moods { babbles: if mode == Mode::Composite { 2 } else { 0 }, busy: 0 };
        let mut runs = Vec::new();
        for protocol in protocols(mode) {
            runs.push(bench.run(&["stuck_ferry"], mode, DIALECTS[0], style(*protocol, mode), moods).await);
        }
        bench.end().await;
        runs
    };
    RUNS[usize::from(mode == Mode::Primitive)].get_or_init(make).await
}

/// A run on the command line, with a key, that ended with its budget and was continued with a larger one.
struct Continued {
    dialect: String,
    /// The exit code and the answer with the small budget, and how often the model was asked until then.
    poor: (i32, Value, usize),
    /// The same when it was continued.
    richer: (i32, Value, usize),
    /// What the attempt cost.
    cost: Value,
    /// The exit code and the answer for a budget in dollars, although no price is known.
    priceless: (i32, Value),
}

/// Such a run in the dialect of the day, made once for all tests that look at it.
async fn continued() -> &'static [Continued] {
    static RUNS: OnceCell<Vec<Continued>> = OnceCell::const_new();
    let make = || async {
        let mut made = Vec::new();
        for (dialect, below) in of_the_day(&DIALECTS, 1) {
            made.push(continue_in(dialect.to_string(), below).await);
        }
        made
    };
    RUNS.get_or_init(make).await
}

async fn continue_in(dialect: String, below: &str) -> Continued {
    let (solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Composite)], Moods::default()).await;
    let endpoint = format!("{address}{below}");
    let common = ["--mode", "composite", "--task", "stuck_ferry", "--model", "poor", "--endpoint", &endpoint];
    let keyed = ["--dialect", &dialect, "--api-key-env", "SECRET_KEY_OF_A_MODEL"];
    let common = [&common[..], &keyed].concat();
    let scratchbed = Scratchbed::new();
    let poor = call(&scratchbed, &common).args(["--max-run-tokens", "1500"]).answer().await;
    let poor = (poor.code, poor.json.clone(), solver.asked().len());
    let begun = scratchbed.run_folders().remove(0);
    let richer = call(&scratchbed, &common).args(["--max-run-tokens", "1000000"]).resuming(&begun).answer().await;
    no_key_in(&begun);
    let cost = richer.attempt("stuck_ferry")["cost"].clone();
    let richer = (richer.code, richer.json.clone(), solver.asked().len());
    let priceless = run(&[&common[..], &["--max-usd", "1"]].concat()).await;
    let priceless = (priceless.code, priceless.json.clone());
    Continued { dialect, poor, richer, cost, priceless }
}

/// All dialects are for `browser_llm_tools` to try each day; here each has its day, with its flag and a key.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_solves_a_task_in_the_dialect_of_the_day() {
    for Continued { dialect, richer: (code, ran, asked), cost, .. } in continued().await {
        assert_eq!((*code, &ran["solved"]), (0, &json!(true)), "{dialect}: {ran:#}");
        let asked = *asked as u64;
        assert_eq!(
            (cost["calls"].as_u64(), cost["input_tokens"].as_u64()),
            (Some(asked), Some(1000 * asked)),
            "{dialect}"
        );
    }
}

/// No file of a run may hold the key.
fn no_key_in(folder: &Path) {
    for path in files(folder) {
        let bytes = std::fs::read(&path).unwrap();
        let found = bytes.windows(20).any(|part| part == b"k3y-th4t-n0b0dy-sees");
        assert!(!found, "{} holds the key", path.display());
    }
}

#[test]
fn both_protocols_solve_tasks_in_both_modes_and_keep_what_was_said() {
    in_shared_browsers(async {
        for mode in [Mode::Composite, Mode::Primitive] {
            for (protocol, ran) in protocols(mode).iter().copied().zip(played(mode).await) {
                let what = format!("{protocol} {mode}");
                solved(&ran.records, &what);
                assert_eq!(ran.turns.len(), ran.asked.len(), "{what}");
                let last = ran.turns.last().unwrap();
                assert_eq!(last["call"]["api"], "done", "{what}");
                assert_eq!(last["answer"]["usage"]["cached_tokens"], 600, "{what}");
                assert_eq!(last["answer"]["reasoning"], "thinking", "{what}");
                assert_eq!(ran.pictures.is_empty(), mode == Mode::Composite, "{what}");
                assert!(ran.pictures.iter().all(|png| png.starts_with(b"\x89PNG")), "{what}");
                let has_tools = |body: &Value| !body["tools"].is_null() || !body["tool_choice"].is_null();
                assert!(!ran.asked.iter().any(|(_, body)| has_tools(body)), "{what}");
                let told = ran.asked.last().unwrap().1.to_string();
                assert_eq!(told.contains("was carried out"), protocol == Protocol::Scratchbed1, "{what}");
            }
        }
    });
}

#[test]
fn a_run_is_played_again_without_its_model() {
    in_shared_browsers(async {
        let first = played(Mode::Composite).await.last().unwrap();
        // Playing a run again takes nothing of it but its answers.
        let folder = tempfile::tempdir().unwrap();
        let lines: Vec<String> = first.answers.iter().map(|answered| json!(answered).to_string()).collect();
        std::fs::write(folder.path().join("answers.jsonl"), lines.join("\n") + "\n").unwrap();
        let replayed = folder.path().to_str().unwrap();
        let common = ["--mode", "composite", "--task", "stuck_ferry", "--model", "scripted"];
        let again = run(&[&common[..], &["--replay", replayed]].concat()).await;
        assert_eq!((again.code, &again["solved"]), (0, &json!(true)), "{again:#}");
        let lines = again.lines("stuck_ferry", "calls.jsonl");
        let calls: Vec<Value> = lines.iter().map(|line| line["call"].clone()).collect();
        assert_eq!(first.calls, calls);
    });
}

/// The digests of requests are altered as another picture alters them, so the words alone find the answers.
#[test]
fn a_run_with_the_mouse_is_played_again_although_its_pictures_differ() {
    in_shared_browsers(async {
        let first = played(Mode::Primitive).await.last().unwrap();
        let (kept, after) = first.answers.split_first().unwrap();
        let altered = after.iter().map(|answered| {
            let request = format!("{} {}", answered.request.rsplit_once(' ').unwrap().0, "0".repeat(64));
            Answered { request, ..answered.clone() }
        });
        let known: Vec<Answered> = [kept.clone()].into_iter().chain(altered).collect();
        assert!(known.len() > 2, "{known:#?}");
        let bench = Bench::begin().await;
        let style = style(Protocol::Scratchbed1, Mode::Primitive);
        let again = bench.play(&["stuck_ferry"], Mode::Primitive, style, None, known).await;
        bench.end().await;
        solved(&again.records, "played again");
        let differs: Vec<bool> = again.turns.iter().map(|turn| turn["answer"]["picture_differs"] == true).collect();
        assert!(!differs[0] && differs[1..].iter().all(|differs| *differs), "{differs:?}");
    });
}

#[test]
fn answers_that_cannot_be_read_are_answered_or_lost_by_the_protocol() {
    in_shared_browsers(async {
        let calls = task("stuck_ferry", Mode::Composite).1.len();
        for (protocol, ran) in PROTOCOLS.into_iter().zip(played(Mode::Composite).await) {
            solved(&ran.records, &protocol.to_string());
            let lost = ran.turns.iter().filter(|turn| turn["fault"].is_string()).count();
            assert!(lost > 0 && ran.asked.len() > calls);
            let steps = u64::from(ran.records[0].detail.steps);
            // The paper's agent loses a step by it.
            assert_eq!(steps > calls as u64, protocol == Protocol::Paper1, "{protocol}: {steps} steps, {calls} calls");
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_ends_with_its_budget_and_a_larger_one_continues_it_without_paying_twice() {
    for ran in continued().await {
        let (code, poor, asked) = &ran.poor;
        assert_eq!((*code, &poor["error"]["code"]), (3, &json!("budget_exhausted")), "{poor:#}");
        assert_eq!(*asked, 2, "no request follows the one that passed the limit");
        let (code, richer, asked) = &ran.richer;
        assert_eq!((*code, &richer["solved"]), (0, &json!(true)), "{richer:#}");
        let calls = ran.cost["calls"].as_u64().unwrap();
        assert_eq!(*asked as u64, calls, "what was answered before is not asked again");
        assert_eq!(richer["costs"]["all"]["micro_usd"], Value::Null, "the price is not known");
        let (code, failed) = &ran.priceless;
        assert_eq!((*code, &failed["error"]["code"]), (2, &json!("price_unknown")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_is_gone_is_no_failure_of_the_agents_and_is_owed() {
    let common = ["--mode", "composite", "--task", "stuck_ferry", "--model", "scripted", "--request-retries", "0"];
    let (_, nowhere) = ScriptedSolver::serve(Vec::new(), Moods::default()).await;
    let endpoint = format!("{nowhere}/v1");
    let ran = run(&[&common[..], &["--endpoint", &endpoint]].concat()).await;
    assert_eq!(ran.attempt("stuck_ferry")["outcome"], "provider_error", "{ran:#}");
    assert_eq!(ran["tables"]["ours"][0]["n"], 0, "{:#}", ran["tables"]);
}

#[test]
fn requests_are_as_the_fixtures_show() {
    in_shared_browsers(async {
        for (protocol, ran) in PROTOCOLS.into_iter().zip(played(Mode::Composite).await) {
            solved(&ran.records, &protocol.to_string());
            let text: String = (1..).zip(&ran.asked).map(|(number, (_, body))| turn(number, body)).collect();
            insta::assert_snapshot!(protocol.to_string(), text);
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_killed_again_and_again_pays_for_nothing_twice() {
    let tasks = ["stuck_ferry", "fourth_drum"].map(|name| (name, task(name, Mode::Composite)));
    let which: Vec<&str> = tasks.iter().flat_map(|(name, _)| ["--task", *name]).collect();
    let known = tasks.iter().map(|(_, task)| task.clone()).collect();
    let (solver, address) = ScriptedSolver::serve(known, Moods::default()).await;
    // At every request; or between two answers of the first attempt, or of the second one when the first is recorded, each on its day.
    let kills = if everything() { vec![1, 3, 5, 7, 9] } else { of_the_day(&[2, 5], 1).into_iter().copied().collect() };
    solver.stall_at(kills.clone());
    let endpoint = format!("{address}/v1");
    let common = [&["--mode", "composite", "--model", "killed", "--endpoint", &endpoint][..], &which].concat();
    let scratchbed = Scratchbed::new();
    let broken = ended_after_kills(|| call(&scratchbed, &common), kills.len(), || solver.stalled()).await;
    assert_eq!(broken.code, 0, "{broken:#}");
    // What an unbroken run pays for: the calls of each task, and `done` after them.
    let needed = |calls: &[Value]| calls.len() as u64 + 1;
    let all: u64 = tasks.iter().map(|(_, (_, calls))| needed(calls)).sum();
    assert_eq!(solver.answered() as u64, all, "an answer was paid for twice, or not at all");
    for (name, (_, calls)) in &tasks {
        let attempt = broken.attempt(name);
        assert_eq!(attempt["outcome"], "passed", "{name}");
        assert_eq!(attempt["cost"]["calls"], needed(calls), "{name}");
        assert_eq!(attempt["cost"]["input_tokens"], 1000 * needed(calls), "{name}");
    }
}
