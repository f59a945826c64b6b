//! Models that answer by calling tools, beside the same models in text: in every dialect, with what comes back to them, and with
//! the beginnings of requests that providers are to keep.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use scratchbed::agent::llm::{AnswerStore, Answered, Answers, Prompts, Protocol, Style};
use scratchbed::agent::model::{Dialect, ModelClient, ModelSettings, Retries};
use scratchbed::benchmarks::tasks::{Actor, AskedModel, LocalJudge, LocalTestbed, ModelActor, Stage, Tasks};
use scratchbed::compile::{BuiltProjects, ProjectSource};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan, RunOptions, run};
use scratchbed::grade::Pricing;
use scratchbed::judge::Judges;
use scratchbed::ledger::Ledger;
use scratchbed::model::{KeptPictures, LimitOverrides, Mode, Outcome, TaskRecord};
use scratchbed::perceive::Convention;
use scratchbed::session::{Fleet, SessionOptions, Sessions};
use scratchbed::taskset::{Selection, TaskEntry, TaskSet};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::benchmarks::browser_llm_solves::all;
use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;
use crate::support::scripted_solver::{Moods, ScriptedSolver};
use crate::support::scripted_tools::check;

/// Tasks of `small` with short lists of calls.
const FIVE: [&str; 5] = ["fourth_drum", "endless_sparks", "flying_sub", "till_miscounts", "porch_lantern"];
/// The dialects, each with the path below which its endpoints answer.
const DIALECTS: [(Dialect, &str); 5] = [
    (Dialect::OpenAi, "/v1"),
    (Dialect::OpenAiResponses, "/v1"),
    (Dialect::Anthropic, "/v1"),
    (Dialect::Gemini, "/v1beta"),
    (Dialect::Ollama, ""),
];

/// What all runs of a test share.
struct Bench {
    folder: TempDir,
    fleet: Fleet,
    judges: Judges,
    projects: ProjectSource,
}

/// A run's records, and what its endpoint was asked.
struct ToolRun {
    records: Vec<TaskRecord>,
    asked: Vec<(String, Value)>,
    answers: Vec<Answered>,
    /// Lines of `turns.jsonl` and `messages.jsonl` of the first task.
    kept: [Vec<Value>; 2],
}

impl Bench {
    async fn begin() -> Self {
        let (folder, fleet) = (tempfile::tempdir().unwrap(), fleet().await);
        let judges = Judges::new(fleet.clone(), 2);
        let projects = BuiltProjects::over(fleet.clone(), folder.path().join("built"));
        Self { folder, fleet, judges, projects }
    }

    /// Runs tasks against an endpoint of its own.
    async fn run(&self, names: &[&str], (dialect, below): (Dialect, &str), style: Style, moods: Moods) -> ToolRun {
        let entries: Vec<TaskEntry> = names.iter().map(|name| entry(name)).collect();
        let (solver, address) = ScriptedSolver::serve(entries.iter().map(with_calls).collect(), moods).await;
        let settings = ModelSettings {
            endpoint: format!("{address}{below}"),
            dialect,
            model: "scripted".to_owned(),
            takes_empty: true,
            timeout: Duration::from_secs(60),
            retries: Retries { first_wait: Duration::from_millis(5), ..Retries::default() },
            ..ModelSettings::default()
        };
        let model = Some(Arc::new(ModelClient::new(settings).unwrap()) as Arc<dyn scratchbed::agent::llm::Model>);
        let (records, answers, kept) = self.play(entries, style, model, Vec::new()).await;
        ToolRun { records, asked: solver.asked(), answers, kept }
    }

    async fn play(
        &self,
        entries: Vec<TaskEntry>,
        style: Style,
        model: Option<Arc<dyn scratchbed::agent::llm::Model>>,
        known: Vec<Answered>,
    ) -> (Vec<TaskRecord>, Vec<Answered>, [Vec<Value>; 2]) {
        let first = entries[0].task.id.to_string();
        let kept = Arc::new(std::sync::Mutex::new(Vec::new()));
        let keep = Arc::clone(&kept);
        let answers = AnswerStore::new(known, move |answered| {
            keep.lock().unwrap().push(answered.clone());
            Ok(())
        });
        let (mode, limits) = (Mode::Composite, LimitOverrides::default());
        let cache = self.folder.path().join("built");
        let stage =
            Stage { fleet: &self.fleet, cache: &cache, mode, has_sessions: true, answers: &answers, door: None };
        let asked = AskedModel { model, options: Value::Null, replays: None };
        let actor = ModelActor { asked, prompts: Prompts::bundled(), style };
        let jobs = Actor::Model(actor).jobs(stage, entries, || {}).await.unwrap();
        let sessions = Sessions::new(self.fleet.clone(), SessionOptions { limit: 2, idle: Duration::from_secs(600) });
        let testbed = LocalTestbed::new(sessions, self.projects.clone(), KeptPictures::Agent);
        let (judge, pictures) = (LocalJudge::with(self.judges.clone()), KeptPictures::Agent);
        let tasks = Tasks { testbed, judge, mode, limits, pictures, jobs, memory: None };
        let name = uuid::Uuid::new_v4().simple().to_string();
        let plan = Plan { benchmark: Tasks::NAME, name, attempts: 1, items: tasks.items(), ..Plan::default() };
        let dir = plan.open(&self.folder.path().join("runs"), None).unwrap();
        let options = RunOptions { jobs: 2, retries: 1, retry_failed_calls: false };
        let ledger = Ledger::open(&self.folder.path().join("ledger.sqlite")).await.unwrap();
        let arm = Arc::new(RunArm { benchmark: tasks, dir, pricing: Pricing::Nothing });
        let records = run(&ledger, &arm, options, &CancellationToken::new(), &|_| {}).await.unwrap();
        let dir = &arm.dir;
        let lines = ["turns.jsonl", "messages.jsonl"].map(|file| {
            let text = std::fs::read_to_string(dir.path().join(format!("attempts/{first}.1")).join(file)).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        });
        let answers = kept.lock().unwrap().clone();
        (records, answers, lines)
    }

    async fn end(self) {
        self.judges.close().await;
        self.fleet.shutdown().await;
    }
}

fn entry(name: &str) -> TaskEntry {
    let selection = Selection { ids: vec![name.to_owned()], ..Selection::default() };
    TaskSet::read(root()).unwrap().select(&selection).unwrap()[0].clone()
}

/// A task's instruction, with the calls that carry it out.
fn with_calls(entry: &TaskEntry) -> (String, Vec<Value>) {
    let list = std::fs::read_to_string(entry.folder.join("oracle.composite.json")).unwrap();
    let list: Value = serde_json::from_str(&list).unwrap();
    (entry.task.instruction.clone(), list["actions"].as_array().unwrap_or_else(|| list.as_array().unwrap()).clone())
}

fn style(protocol: Protocol, answers: Answers) -> Style {
    Style { answers, ..Style::of(protocol, Convention::Pixels) }
}

fn solved(ran: &[TaskRecord], what: &str) {
    for record in ran {
        assert_eq!(record.outcome, Outcome::Passed, "{what}: {record:#?}");
    }
}

#[test]
fn five_tasks_pass_in_every_dialect_with_text_and_with_tools() {
    in_shared_browsers(async {
        let bench = Bench::begin().await;
        let began = std::time::Instant::now();
        let mut passed = 0;
        let kinds =
            DIALECTS.into_iter().flat_map(|dialect| [Answers::Text, Answers::Tools].map(|answers| (dialect, answers)));
        for (place, (dialect, answers)) in kinds.enumerate() {
            // All five are fifty attempts; one by one, each task is played twice.
            let names = if all() { &FIVE[..] } else { &FIVE[place % FIVE.len()..][..1] };
            let ran = bench.run(names, dialect, style(Protocol::Scratchbed1, answers), Moods::default()).await;
            let what = format!("{} {answers}", dialect.0);
            solved(&ran.records, &what);
            passed += ran.records.len();
            let asked: u64 = ran.records.iter().map(|record| u64::from(record.cost.calls)).sum();
            assert_eq!(asked, ran.asked.len() as u64, "{what}: nothing is asked twice");
            for record in &ran.records {
                let (cost, calls) = (record.cost, u64::from(record.cost.calls));
                assert_eq!((cost.input_tokens, cost.cached_tokens), (1000 * calls, 600 * calls), "{what}");
                let written = if dialect.0 == Dialect::Anthropic { 100 * calls } else { 0 };
                assert_eq!(cost.cache_written_tokens, written, "{what}");
            }
            for (path, body) in &ran.asked {
                match answers {
                    Answers::Tools => check(path, body),
                    Answers::Text => assert!(body["tools"].is_null() && body["tool_choice"].is_null(), "{what}"),
                }
                cached(dialect.0, body);
            }
        }
        eprintln!("{passed} attempts in {:.1} s", began.elapsed().as_secs_f64());
        assert_eq!(passed, if all() { 50 } else { 10 });
        bench.end().await;
    });
}

/// What providers are told of the beginnings of requests.
fn cached(dialect: Dialect, body: &Value) {
    let marks = body.to_string().matches("\"cache_control\":{\"type\":\"ephemeral\"}").count();
    if dialect == Dialect::Anthropic {
        let last = body["messages"].as_array().unwrap().last().unwrap();
        let block = last["content"].as_array().unwrap().last().unwrap();
        assert!(marks == 2 && body["system"][0]["cache_control"].is_object() && block["cache_control"].is_object());
    } else {
        assert_eq!(marks, 0);
    }
    let key = body["prompt_cache_key"].as_str();
    let is_openai = matches!(dialect, Dialect::OpenAi | Dialect::OpenAiResponses);
    assert_eq!(key.is_some_and(|key| FIVE.iter().any(|name| key == format!("{name}.1"))), is_openai, "{key:?}");
}

#[test]
fn answers_without_a_call_are_answered_or_lost_and_a_run_is_played_again() {
    in_shared_browsers(async {
        let bench = Bench::begin().await;
        for protocol in [Protocol::Scratchbed1, Protocol::Paper1] {
            let style = style(protocol, Answers::Tools);
            let moods = Moods { babbles: 2, busy: 0 };
            // Lists are made for our own numbers of blocks.
            let style = style.observing(scratchbed::agent::Observing::Native);
            let ran = bench.run(&["stuck_ferry"], DIALECTS[2], style, moods).await;
            solved(&ran.records, &protocol.to_string());
            let [turns, messages] = &ran.kept;
            let faults = turns.iter().filter_map(|turn| turn["fault"].as_str());
            assert!(faults.clone().count() > 0 && faults.clone().all(|fault| fault == "the answer calls no tool"));
            let told = ran.asked.last().unwrap().1.to_string();
            assert_eq!(told.contains("calls no tool"), protocol == Protocol::Scratchbed1);
            assert_eq!(told.contains("\"content\":\"Carried out.\""), protocol == Protocol::Scratchbed1);
            assert_eq!(told.contains("cache_control"), protocol == Protocol::Scratchbed1);
            let calls = messages.iter().filter(|message| message["parts"].is_array()).count();
            let results = messages.iter().filter(|message| message["results"].is_array()).count();
            assert!(calls > 0 && calls == results, "{messages:#?}");
            let (again, _, [played, _]) = bench.play(vec![entry("stuck_ferry")], style, None, ran.answers).await;
            solved(&again, "played again");
            let calls = |turns: &[Value]| turns.iter().map(|turn| turn["call"].clone()).collect::<Vec<_>>();
            assert_eq!(calls(turns), calls(&played));
        }
        bench.end().await;
    });
}

#[test]
fn requests_with_tools_are_as_the_fixtures_show() {
    in_shared_browsers(async {
        let bench = Bench::begin().await;
        for dialect in [DIALECTS[0], DIALECTS[2]] {
            let moods = Moods { babbles: 2, busy: 0 };
            let ran = bench.run(&["stuck_ferry"], dialect, style(Protocol::Scratchbed1, Answers::Tools), moods).await;
            solved(&ran.records, &dialect.0.to_string());
            let text: String = (1..).zip(&ran.asked).map(|(number, (_, body))| readable(number, body)).collect();
            insta::assert_snapshot!(format!("tools-{}", dialect.0), text);
        }
        bench.end().await;
    });
}

/// A request as a person reads it: who says what, what is called and what came of it, and up to where it is to be kept. Tools
/// and system message are the same in all, and shown once.
fn readable(number: usize, body: &Value) -> String {
    let mut text = format!("==== request {number}\n");
    if number == 1 {
        for tool in body["tools"].as_array().unwrap() {
            let _ = writeln!(text, "---- tool {tool}");
        }
    }
    for name in ["tool_choice", "prompt_cache_key"] {
        if !body[name].is_null() {
            let _ = writeln!(text, "---- {name} {}", body[name]);
        }
    }
    let system = json!({"role": "system", "content": body["system"]});
    let system = (!body["system"].is_null()).then_some(&system);
    for message in system.into_iter().chain(body["messages"].as_array().unwrap()) {
        let _ = writeln!(text, "---- {}", message["role"].as_str().unwrap());
        let content = match &message["content"] {
            Value::Array(parts) => parts.iter().map(part).collect::<Vec<_>>().join("\n"),
            words => words.as_str().unwrap_or_default().to_owned(),
        };
        let is_shown = message["role"] != "system" || number == 1;
        let _ = writeln!(text, "{}", if is_shown { content.trim_end() } else { "as before" });
        for name in ["reasoning_content", "tool_call_id"] {
            if !message[name].is_null() {
                let _ = writeln!(text, "<{name} {}>", message[name]);
            }
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let _ = writeln!(text, "<call {call}>");
        }
    }
    text
}

/// A part of a message: its words, or all of it, with where it is to be kept.
fn part(part: &Value) -> String {
    let text = part["text"].as_str().map(|text| text.trim_end().to_owned());
    let mut whole = part.clone();
    let kept = whole.as_object_mut().unwrap().remove("cache_control");
    let mark = if kept.is_some() { "\n<kept up to here>" } else { "" };
    format!("{}{mark}", text.unwrap_or_else(|| format!("<{whole}>")))
}
