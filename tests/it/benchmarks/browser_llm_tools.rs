//! Models that answer by calling tools, beside the same models in text: in every dialect, with what comes back to them, and with
//! the beginnings of requests that providers are to keep.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use scratchbed::agent::Observing;
use scratchbed::agent::llm::{AnswerStore, Answered, Answers, Model, Prompts, Protocol, Style};
use scratchbed::agent::model::{Dialect, ModelClient, ModelSettings, Retries};
use scratchbed::benchmarks::tasks::{Actor, AskedModel, LocalJudge, LocalTestbed, ModelActor, Stage, Tasks};
use scratchbed::compile::{BuiltProjects, ProjectSource};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan, RunOptions, run};
use scratchbed::files::Checkout;
use scratchbed::grade::Pricing;
use scratchbed::judge::Judges;
use scratchbed::ledger::Ledger;
use scratchbed::model::{KeptPictures, LimitOverrides, Mode, Outcome, TaskRecord};
use scratchbed::perceive::Convention;
use scratchbed::session::{Fleet, SessionOptions, Sessions};
use scratchbed::taskset::{Selection, TaskEntry, TaskSet};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use crate::benchmarks::browser_llm::task;
use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::program::lines_at;
use crate::support::scripted_solver::{Moods, ScriptedSolver};
use crate::support::scripted_tools::check;
use crate::support::shown_requests::turn_with_tools;
use crate::support::{everything, of_the_day, root};

/// Tasks with short lists of calls, and with little to judge.
const FIVE: [&str; 5] = ["fourth_drum", "crab_astray", "stuck_ferry", "lazy_hare", "heedless_hare"];
/// The dialects, each with the path below which its endpoints answer.
pub const DIALECTS: [(Dialect, &str); 5] = [
    (Dialect::OpenAi, "/v1"),
    (Dialect::OpenAiResponses, "/v1"),
    (Dialect::Anthropic, "/v1"),
    (Dialect::Gemini, "/v1beta"),
    (Dialect::Ollama, ""),
];
const ANTHROPIC: (Dialect, &str) = DIALECTS[2];
/// Those in which a model is played whose every second answer calls no tool.
const BABBLING: [(Dialect, &str); 2] = [DIALECTS[0], ANTHROPIC];

/// What all runs of a test share.
pub struct Bench {
    folder: TempDir,
    fleet: Fleet,
    judges: Judges,
    projects: ProjectSource,
}

/// A run of a model: its records, what its endpoint was asked, and the answers that the run kept.
pub struct ModelRun {
    pub records: Vec<TaskRecord>,
    pub asked: Vec<(String, Value)>,
    pub answers: Vec<Answered>,
    /// Lines of `turns.jsonl` and `messages.jsonl` of the first task.
    pub turns: Vec<Value>,
    pub messages: Vec<Value>,
    /// The calls in its `calls.jsonl`.
    pub calls: Vec<Value>,
    /// The files of the pictures that its messages name.
    pub pictures: Vec<Vec<u8>>,
}

/// Where built projects are kept for all tests.
fn cache() -> std::path::PathBuf {
    Checkout::at(root()).projects()
}

impl Bench {
    pub async fn begin() -> Self {
        let (folder, fleet) = (tempfile::tempdir().unwrap(), fleet().await);
        let judges = Judges::new(fleet.clone(), 2);
        let projects = BuiltProjects::over(fleet.clone(), cache());
        Self { folder, fleet, judges, projects }
    }

    /// Has a model attempt tasks, at an endpoint of its own.
    pub async fn run(
        &self,
        names: &[&str],
        mode: Mode,
        (dialect, below): (Dialect, &str),
        style: Style,
        moods: Moods,
    ) -> ModelRun {
        let (solver, address) = ScriptedSolver::serve(names.iter().map(|name| task(name, mode)).collect(), moods).await;
        let settings = ModelSettings {
            endpoint: format!("{address}{below}"),
            dialect,
            model: "scripted".to_owned(),
            takes_empty: true,
            timeout: Duration::from_secs(60),
            retries: Retries { first_wait: Duration::from_millis(5), ..Retries::default() },
            ..ModelSettings::default()
        };
        let model = Some(Arc::new(ModelClient::new(settings).unwrap()) as Arc<dyn Model>);
        let ran = self.play(names, mode, style, model, Vec::new()).await;
        ModelRun { asked: solver.asked(), ..ran }
    }

    /// Plays tasks with a model, or by answers that an earlier run kept.
    pub async fn play(
        &self,
        names: &[&str],
        mode: Mode,
        style: Style,
        model: Option<Arc<dyn Model>>,
        known: Vec<Answered>,
    ) -> ModelRun {
        let entries: Vec<TaskEntry> = names.iter().map(|name| entry(name)).collect();
        let kept = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&kept);
        let answers = AnswerStore::new(known, move |answered| {
            keep.lock().unwrap().push(answered.clone());
            Ok(())
        });
        let (cache, limits) = (cache(), LimitOverrides::default());
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
        let attempt = arm.dir.path().join(format!("attempts/{}.1", names[0]));
        let [turns, messages, calls] =
            ["turns.jsonl", "messages.jsonl", "calls.jsonl"].map(|file| lines_at(&attempt.join(file)));
        let calls = calls.iter().map(|line| line["call"].clone()).collect();
        let named = messages.iter().filter_map(|message| message["picture"].as_str());
        let pictures = named.map(|file| std::fs::read(attempt.join(file)).unwrap()).collect();
        let answers = kept.lock().unwrap().clone();
        ModelRun { records, asked: Vec::new(), answers, turns, messages, calls, pictures }
    }

    pub async fn end(self) {
        self.judges.close().await;
        self.fleet.shutdown().await;
    }
}

fn entry(name: &str) -> TaskEntry {
    let selection = Selection { ids: vec![name.to_owned()], ..Selection::default() };
    TaskSet::read(root()).unwrap().select(&selection).unwrap()[0].clone()
}

fn style(protocol: Protocol, answers: Answers) -> Style {
    Style { answers, ..Style::of(protocol, Convention::Pixels) }
}

/// A model that calls tools, and is shown our own numbers of blocks, which the lists of calls are made for.
fn calling(protocol: Protocol) -> Style {
    style(protocol, Answers::Tools).observing(Observing::Native)
}

pub fn solved(ran: &[TaskRecord], what: &str) {
    for record in ran {
        assert_eq!(record.outcome, Outcome::Passed, "{what}: {record:#?}");
    }
}

/// Tools are called in every dialect each day. Answers in text have their days in `browser_llm`; with `SCRATCHBED_TESTS=all` they are
/// here, too.
#[test]
fn five_tasks_pass_in_every_dialect_with_text_and_with_tools() {
    in_shared_browsers(async {
        let bench = Bench::begin().await;
        let began = std::time::Instant::now();
        let in_text = if everything() { &DIALECTS[..] } else { &[][..] };
        let with_tools = DIALECTS.into_iter().map(|dialect| (dialect, Answers::Tools));
        let kinds: Vec<_> = with_tools.chain(in_text.iter().map(|dialect| (*dialect, Answers::Text))).collect();
        // All five in all kinds are fifty attempts; one by one, each dialect has one of them.
        let expected = kinds.len() * if everything() { FIVE.len() } else { 1 };
        let mut passed = 0;
        for (place, (dialect, answers)) in kinds.into_iter().enumerate() {
            let names = if everything() { &FIVE[..] } else { &FIVE[place % FIVE.len()..][..1] };
            // Tools in these dialects are called at the stuck ferry, in runs that other tests look at, too.
            let at_hand = if everything() { None } else { BABBLING.iter().position(|known| *known == dialect) };
            let made;
            let ran = if let (Some(at), Answers::Tools) = (at_hand, answers) {
                at_times_without_a_call(&bench, BABBLING[at], Protocol::Scratchbed1).await
            } else {
                let style = style(Protocol::Scratchbed1, answers);
                made = bench.run(names, Mode::Composite, dialect, style, Moods::default()).await;
                &made
            };
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
        assert_eq!(passed, expected);
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

/// What a model does in a dialect whose every second answer calls no tool; made once for all tests that look at it.
async fn at_times_without_a_call(bench: &Bench, dialect: (Dialect, &str), protocol: Protocol) -> &'static ModelRun {
    static RUNS: [[OnceCell<ModelRun>; 2]; 2] = [const { [const { OnceCell::const_new() }; 2] }; 2];
    let moods = Moods { babbles: 2, busy: 0 };
    let make = || bench.run(&["stuck_ferry"], Mode::Composite, dialect, calling(protocol), moods);
    let at = BABBLING.iter().position(|known| *known == dialect).unwrap();
    RUNS[at][usize::from(protocol == Protocol::Paper1)].get_or_init(make).await
}

#[test]
fn answers_without_a_call_are_answered_or_lost_and_a_run_is_played_again() {
    in_shared_browsers(async {
        let bench = Bench::begin().await;
        let protocols = [Protocol::Scratchbed1, Protocol::Paper1];
        let played_again = of_the_day(&protocols, 1);
        for protocol in protocols {
            let ran = at_times_without_a_call(&bench, ANTHROPIC, protocol).await;
            solved(&ran.records, &protocol.to_string());
            let faults = ran.turns.iter().filter_map(|turn| turn["fault"].as_str());
            assert!(faults.clone().count() > 0 && faults.clone().all(|fault| fault == "the answer calls no tool"));
            let told = ran.asked.last().unwrap().1.to_string();
            assert_eq!(told.contains("calls no tool"), protocol == Protocol::Scratchbed1);
            assert_eq!(told.contains("\"content\":\"Carried out.\""), protocol == Protocol::Scratchbed1);
            assert_eq!(told.contains("cache_control"), protocol == Protocol::Scratchbed1);
            let messages = &ran.messages;
            let calls = messages.iter().filter(|message| message["parts"].is_array()).count();
            let results = messages.iter().filter(|message| message["results"].is_array()).count();
            assert!(calls > 0 && calls == results, "{messages:#?}");
            if !played_again.contains(&&protocol) {
                continue;
            }
            let known = ran.answers.clone();
            let again = bench.play(&["stuck_ferry"], Mode::Composite, calling(protocol), None, known).await;
            solved(&again.records, "played again");
            let calls = |turns: &[Value]| turns.iter().map(|turn| turn["call"].clone()).collect::<Vec<_>>();
            assert_eq!(calls(&ran.turns), calls(&again.turns));
        }
        bench.end().await;
    });
}

#[test]
fn requests_with_tools_are_as_the_fixtures_show() {
    in_shared_browsers(async {
        let bench = Bench::begin().await;
        for dialect in BABBLING {
            let ran = at_times_without_a_call(&bench, dialect, Protocol::Scratchbed1).await;
            let dialect = dialect.0;
            solved(&ran.records, &dialect.to_string());
            let text: String = (1..).zip(&ran.asked).map(|(number, (_, body))| turn_with_tools(number, body)).collect();
            insta::assert_snapshot!(format!("tools-{dialect}"), text);
        }
        bench.end().await;
    });
}
