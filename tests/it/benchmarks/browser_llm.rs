//! Models attempt tasks: a scripted endpoint answers with the oracle's calls, and all the rest is the real path.

use std::fmt::Write as _;
use std::path::Path;

use scratchbed::model::Mode;
use scratchbed::taskset::{Selection, TaskSet};
use serde_json::{Value, json};

use crate::support::program::{Answer, Call, Scratchbed, json_at};
use crate::support::root;
use crate::support::scripted_solver::{Moods, ScriptedSolver};

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

#[tokio::test(flavor = "multi_thread")]
async fn a_model_solves_a_task_in_each_dialect() {
    for (dialect, below) in
        [("openai", "/v1"), ("openai-responses", "/v1"), ("anthropic", "/v1"), ("gemini", "/v1beta"), ("ollama", "")]
    {
        let (solver, address) =
            ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Composite)], Moods::default()).await;
        let endpoint = format!("{address}{below}");
        let ran = run(&[
            "--mode",
            "composite",
            "--task",
            "stuck_ferry",
            "--endpoint",
            &endpoint,
            "--dialect",
            dialect,
            "--model",
            "scripted",
            "--api-key-env",
            "SECRET_KEY_OF_A_MODEL",
        ])
        .await;
        assert_eq!((ran.code, &ran["solved"]), (0, &json!(true)), "{dialect}: {ran:#}");
        let cost = &ran.attempt("stuck_ferry")["cost"];
        let asked = solver.asked().len() as u64;
        assert_eq!(
            (cost["calls"].as_u64(), cost["input_tokens"].as_u64()),
            (Some(asked), Some(1000 * asked)),
            "{dialect}"
        );
        no_key_in(&ran.run());
    }
}

/// No file of a run may hold the key.
fn no_key_in(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            no_key_in(&path);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(20).any(|part| part == b"k3y-th4t-n0b0dy-sees");
            assert!(!found, "{} holds the key", path.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_protocols_solve_tasks_in_both_modes_and_keep_what_was_said() {
    for (protocol, mode) in [
        ("paper-1", Mode::Composite),
        ("scratchbed-1", Mode::Composite),
        ("paper-1", Mode::Primitive),
        ("scratchbed-1", Mode::Primitive),
    ] {
        let (solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", mode)], Moods::default()).await;
        let endpoint = format!("{address}/v1");
        let ran = run(&[
            "--mode",
            &mode.to_string(),
            "--task",
            "stuck_ferry",
            "--endpoint",
            &endpoint,
            "--model",
            "scripted",
            "--protocol",
            protocol,
            // The lists name points and numbers of our own observation.
            "--observation",
            "native",
        ])
        .await;
        assert_eq!((ran.code, &ran["solved"]), (0, &json!(true)), "{protocol} {mode}: {ran:#}");
        let (turns, asked) = (ran.lines("stuck_ferry", "turns.jsonl"), solver.asked());
        assert_eq!(turns.len(), asked.len());
        let last = turns.last().unwrap();
        assert_eq!(last["call"]["api"], "done");
        assert_eq!(last["answer"]["usage"]["cached_tokens"], 600);
        assert_eq!(last["answer"]["reasoning"], "thinking");
        let messages = ran.lines("stuck_ferry", "messages.jsonl");
        let with_picture: Vec<&Value> = messages.iter().filter(|message| message["picture"].is_string()).collect();
        assert_eq!(with_picture.is_empty(), mode == Mode::Composite, "{protocol} {mode}");
        for message in with_picture {
            let file = ran.folder("stuck_ferry").join(message["picture"].as_str().unwrap());
            assert!(std::fs::read(file).unwrap().starts_with(b"\x89PNG"));
        }
        let told = asked.last().unwrap().1.to_string();
        assert_eq!(told.contains("was carried out"), protocol == "scratchbed-1", "{protocol} {mode}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_played_again_without_its_model() {
    let (solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Composite)], Moods::default()).await;
    let endpoint = format!("{address}/v1");
    let common = ["--mode", "composite", "--task", "stuck_ferry", "--model", "scripted"];
    let first = run(&[&common[..], &["--endpoint", &endpoint]].concat()).await;
    let asked = solver.asked().len();
    let again = run(&[&common[..], &["--replay", &first.run_arg()]].concat()).await;
    assert_eq!((again.code, solver.asked().len()), (0, asked), "{again:#}");
    let calls = |ran: &Answer| {
        let calls = ran.lines("stuck_ferry", "calls.jsonl");
        calls.iter().map(|call| call["call"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(calls(&first), calls(&again));
}

/// The digests of requests are altered as another picture alters them, so the words alone find the answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_with_the_mouse_is_played_again_although_its_pictures_differ() {
    let (_solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Primitive)], Moods::default()).await;
    let endpoint = format!("{address}/v1");
    let common = ["--mode", "primitive", "--task", "stuck_ferry", "--model", "scripted", "--observation", "native"];
    let first = run(&[&common[..], &["--endpoint", &endpoint]].concat()).await;
    assert_eq!(first.code, 0, "{first:#}");
    let file = first.run().join("answers.jsonl");
    let kept = std::fs::read_to_string(&file).unwrap();
    let altered = kept.lines().skip(1).map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let request = line["request"].as_str().unwrap();
        line["request"] = format!("{} {}", request.rsplit_once(' ').unwrap().0, "0".repeat(64)).into();
        format!("{line}\n")
    });
    let altered: String = altered.collect();
    assert!(altered.lines().count() > 1, "{kept}");
    std::fs::write(&file, format!("{}\n{altered}", kept.lines().next().unwrap())).unwrap();
    let again = run(&[&common[..], &["--replay", &first.run_arg()]].concat()).await;
    assert_eq!(again.code, 0, "{again:#}");
    let turns = again.lines("stuck_ferry", "turns.jsonl");
    let differs: Vec<bool> = turns.iter().map(|turn| turn["answer"]["picture_differs"] == true).collect();
    assert!(!differs[0] && differs[1..].iter().all(|differs| *differs), "{differs:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_cannot_be_read_are_answered_or_lost_by_the_protocol() {
    let calls = task("stuck_ferry", Mode::Composite).1.len();
    for protocol in ["scratchbed-1", "paper-1"] {
        let moods = Moods { babbles: 2, busy: 0 };
        let (solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Composite)], moods).await;
        let endpoint = format!("{address}/v1");
        let ran = run(&[
            "--mode",
            "composite",
            "--task",
            "stuck_ferry",
            "--endpoint",
            &endpoint,
            "--model",
            "scripted",
            "--protocol",
            protocol,
            // The lists name points and numbers of our own observation.
            "--observation",
            "native",
        ])
        .await;
        assert_eq!(ran.code, 0, "{protocol}: {ran:#}");
        let lost = ran.lines("stuck_ferry", "turns.jsonl").iter().filter(|turn| turn["fault"].is_string()).count();
        assert!(lost > 0 && solver.asked().len() > calls);
        let steps = ran.attempt("stuck_ferry")["detail"]["steps"].as_u64().unwrap();
        // The paper's agent loses a step by it.
        assert_eq!(steps > calls as u64, protocol == "paper-1", "{protocol}: {steps} steps for {calls} calls");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_ends_with_its_budget_and_a_larger_one_continues_it_without_paying_twice() {
    let (solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Composite)], Moods::default()).await;
    let endpoint = format!("{address}/v1");
    let common = ["--mode", "composite", "--task", "stuck_ferry", "--model", "poor", "--endpoint", &endpoint];
    let scratchbed = Scratchbed::new();
    let poor = call(&scratchbed, &common).args(["--max-run-tokens", "1500"]).answer().await;
    assert_eq!((poor.code, &poor["error"]["code"]), (3, &json!("budget_exhausted")), "{poor:#}");
    assert_eq!(solver.asked().len(), 2, "no request follows the one that passed the limit");
    let begun = scratchbed.run_folders().remove(0);
    let richer = call(&scratchbed, &common).args(["--max-run-tokens", "1000000"]).resuming(&begun).answer().await;
    assert_eq!((richer.code, &richer["solved"]), (0, &json!(true)), "{richer:#}");
    let calls = richer.attempt("stuck_ferry")["cost"]["calls"].as_u64().unwrap();
    assert_eq!(solver.asked().len() as u64, calls, "what was answered before is not asked again");
    assert_eq!(richer["costs"]["all"]["micro_usd"], Value::Null, "the price is not known");
    let failed = run(&[&common[..], &["--max-usd", "1"]].concat()).await;
    assert_eq!((failed.code, &failed["error"]["code"]), (2, &json!("price_unknown")));
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

/// A request as a person reads it: who says what. The system message is the same in all, and shown once.
fn readable(number: usize, body: &Value) -> String {
    let mut text = format!("==== request {number}\n");
    for message in body["messages"].as_array().unwrap() {
        let role = message["role"].as_str().unwrap();
        if role == "system" && number > 1 {
            text.push_str("---- system: as before\n");
            continue;
        }
        let content = match &message["content"] {
            Value::String(words) => words.clone(),
            parts => parts.as_array().unwrap().iter().map(part).collect::<Vec<_>>().join("\n"),
        };
        let _ = writeln!(text, "---- {role}\n{}", content.trim_end());
    }
    text
}

fn part(part: &Value) -> String {
    part["text"].as_str().map_or_else(|| "<picture>".to_owned(), str::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_as_the_fixtures_show() {
    for protocol in ["paper-1", "scratchbed-1"] {
        let moods = Moods { babbles: 2, busy: 0 };
        let (solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Composite)], moods).await;
        let endpoint = format!("{address}/v1");
        let ran = run(&[
            "--mode",
            "composite",
            "--task",
            "stuck_ferry",
            "--endpoint",
            &endpoint,
            "--model",
            "scripted",
            "--protocol",
            protocol,
        ])
        .await;
        assert_eq!(ran.code, 0, "{protocol}: {ran:#}");
        let requests = solver.asked();
        let text: String = (1..).zip(&requests).map(|(number, (_, body))| readable(number, body)).collect();
        insta::assert_snapshot!(protocol, text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_killed_five_times_pays_for_nothing_twice() {
    let names = ["stuck_ferry", "fourth_drum", "tank_runs_dry"];
    let tasks = || names.map(|name| task(name, Mode::Composite)).to_vec();
    let which: Vec<&str> = names.iter().flat_map(|name| ["--task", name]).collect();
    let (unbroken, address) = ScriptedSolver::serve(tasks(), Moods::default()).await;
    let endpoint = format!("{address}/v1");
    let common = [&["--mode", "composite", "--model", "killed"][..], &which].concat();
    let whole = run(&[&common[..], &["--endpoint", &endpoint]].concat()).await;
    assert_eq!(whole.code, 0, "{whole:#}");

    let (solver, address) = ScriptedSolver::serve(tasks(), Moods::default()).await;
    solver.stall_at([2, 4, 5, 8, 11]);
    let endpoint = format!("{address}/v1");
    let common = [&common[..], &["--endpoint", &endpoint]].concat();
    let scratchbed = Scratchbed::new();
    let begin = || call(&scratchbed, &common);
    let mut killed = begin().killed_when(solver.stalled()).await;
    for _ in 1..5 {
        killed = begin().resuming(killed.run()).killed_when(solver.stalled()).await;
    }
    let broken = begin().resuming(killed.run()).answer().await;
    assert_eq!(broken.code, 0, "{broken:#}");
    assert_eq!(solver.answered(), unbroken.answered(), "an answer was paid for twice");
    for name in names {
        let [one, other] = [&broken, &whole].map(|ran| ran.attempt(name));
        assert_eq!(one["outcome"], other["outcome"], "{name}");
        assert_eq!(one["cost"]["calls"], other["cost"]["calls"], "{name}");
        assert_eq!(one["cost"]["input_tokens"], other["cost"]["input_tokens"], "{name}");
    }
}
