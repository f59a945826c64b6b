//! The planner attempts tasks: a scripted endpoint plays all roles, and all the rest is the real path.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::program::{Answer, Scratchbed, json_at};
use crate::support::scripted_planner::{Asked, ScriptedPlanner};
use crate::support::{everything, files, has_its_day};

async fn run(args: &[&str]) -> Answer {
    let call = Scratchbed::new().call(&["run"]).args(args);
    call.env("SECRET_KEY_OF_A_GROUNDER", "k3y-th4t-n0b0dy-sees").answer().await
}

/// The first one is solved, and some of the others come after it in the order of attempts.
const TASKS: &[&str] = &["stuck_ferry", "till_miscounts", "flying_sub", "fourth_drum", "endless_sparks"];

/// As many steps as the first one takes.
const STEPS: [&str; 2] = ["--max-steps", "3"];

/// What is attempted: two tasks are enough for one to learn from another.
fn tasks() -> &'static [&'static str] {
    if everything() { TASKS } else { &TASKS[..2] }
}

/// What the runs of this test have in common, and files that they are given.
struct Common {
    endpoint: String,
    roles: String,
    prices: String,
    _folder: tempfile::TempDir,
}

impl Common {
    fn of(endpoint: &str, embeds: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        // A grounding model of a family that answers in thousandths, at an endpoint of its own with a key.
        let ground = format!(
            "[ground]\nmodel = 'qwen3-vl-scripted'\nendpoint = '{endpoint}'\napi-key-env = 'SECRET_KEY_OF_A_GROUNDER'\n"
        );
        let embed = if embeds { "[embed]\nmodel = 'vectors'\n" } else { "" };
        let price = |name: &str, input: u32| format!("[[model]]\nnames = ['{name}']\ninput = {input}\noutput = 0\n");
        let prices = ["date = '2026-01-02'\nsource = 'this test'\n".to_owned(), price("scripted-main", 1_000_000)];
        let prices = prices.concat() + &price("qwen3-vl-scripted", 2_000_000) + &price("vectors", 1_000_000);
        Self {
            endpoint: endpoint.to_owned(),
            roles: file("roles.toml", &(ground + embed)),
            prices: file("prices.toml", &prices),
            _folder: folder,
        }
    }

    async fn run(&self, tasks: &[&str], more: &[&str]) -> Answer {
        let which: Vec<&str> = tasks.iter().flat_map(|task| ["--task", task]).collect();
        let common = ["--agent", "planner", "--mode", "primitive", "--model", "scripted-main"];
        // Pictures after each action are for people who watch.
        let given = ["--roles", &self.roles, "--prices", &self.prices, "--keep-pictures", "agent"];
        run(&[&common[..], &given, &which, more].concat()).await
    }

    async fn ask(&self, tasks: &[&str], more: &[&str]) -> Answer {
        self.run(tasks, &[&["--endpoint", &self.endpoint, "--max-usd", "5"], more].concat()).await
    }
}

/// How often each role was asked for.
fn counted(asked: &[Asked]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for one in asked {
        *counts.entry(one.role).or_default() += 1;
    }
    counts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planner_attempts_tasks_learns_from_them_and_is_played_again_to_the_byte() {
    let (planner, endpoint) = ScriptedPlanner::serve().await;
    let common = Common::of(&endpoint, false);
    let first = common.ask(tasks(), &STEPS).await;
    for (place, task) in tasks().iter().enumerate() {
        assert_eq!(first.attempt(task)["outcome"], if place == 0 { "passed" } else { "limit" }, "{first:#}");
    }
    let asked = planner.asked();
    solved_by_descriptions(&first, &asked);
    costs_by_role(&first, &asked);
    learned(&first, &asked);
    for path in files(&first.run()) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(!bytes.windows(20).any(|part| part == b"k3y-th4t-n0b0dy-sees"), "{}", path.display());
    }

    let uses = ["played again", "learned from"];
    if has_its_day("played again", &uses) {
        let again = common.run(tasks(), &[&STEPS[..], &["--replay", &first.run_arg()]].concat()).await;
        assert_eq!(planner.asked().len(), asked.len(), "no model is asked: {again:#}");
        played_again(&first, &again);
    }
    if has_its_day("learned from", &uses) {
        known_to_a_later_run(&first, &planner, &endpoint).await;
    }
}

/// The same requests lead to the same calls, and to states of the memory of the same names.
fn played_again(first: &Answer, again: &Answer) {
    for task in tasks() {
        assert_eq!(first.lines(task, "messages.jsonl"), again.lines(task, "messages.jsonl"), "{task}");
        let calls =
            |ran: &Answer| ran.lines(task, "calls.jsonl").iter().map(|call| call["call"].clone()).collect::<Vec<_>>();
        assert_eq!(calls(first), calls(again), "{task}");
    }
    let names = |ran: &Answer| -> BTreeSet<PathBuf> {
        let run = ran.run();
        files(&run.join("memory")).into_iter().map(|path| path.strip_prefix(&run).unwrap().to_owned()).collect()
    };
    assert_eq!(names(first), names(again), "states are named by their digests");
}

/// What was learned is known to a later run, and found by vectors there, before its first step.
async fn known_to_a_later_run(first: &Answer, planner: &ScriptedPlanner, endpoint: &str) {
    let asked = planner.asked().len();
    let common = Common::of(endpoint, true);
    let from = format!("from:{}", first.run().display());
    let later = common.ask(&["crab_astray"], &["--memory", &from, "--max-steps", "1"]).await;
    assert_eq!(later.attempt("crab_astray")["outcome"], "limit", "{later:#}");
    let asked = planner.asked().split_off(asked);
    let counts = counted(&asked);
    // What was learned of two tasks and of two subtasks, and what either is looked up by.
    assert!(counts["embed"] >= 5, "{counts:?}");
    assert!(asked.iter().any(|one| one.role == "plan" && one.words.contains("Choosing the sprite first led on")));
    let roles = later.attempt("crab_astray")["detail"]["roles"].clone();
    assert_eq!(roles["embed"]["input_tokens"], 7 * counts["embed"], "{roles:#}");
}

fn solved_by_descriptions(ran: &Answer, asked: &[Asked]) {
    let calls = ran.lines("stuck_ferry", "calls.jsonl");
    let acts: Vec<&Value> = calls.iter().map(|call| &call["call"]).filter(|call| call["api"] != "observe").collect();
    assert_eq!(
        acts.iter().map(|call| call["api"].as_str().unwrap()).collect::<Vec<_>>(),
        ["click", "drag_and_drop", "done"]
    );
    assert!(acts[0]["args"]["x"].is_i64() && acts[0]["args"]["description"].is_null(), "{:#}", acts[0]);
    let turns = ran.lines("stuck_ferry", "turns.jsonl");
    let of = |turn: &Value| format!("{} {}", turn["role"].as_str().unwrap(), turn["purpose"].as_str().unwrap());
    let made: Vec<String> = turns.iter().map(of).collect();
    let (plan, act, ground, reflect) = ("main plan", "main act", "ground ground", "reflect reflect");
    assert_eq!(
        made,
        [
            "main query",
            plan,
            "main graph",
            "main graph",
            act,
            ground, // a click
            reflect,
            act,
            "main episode",
            plan,
            "main graph",
            act,
            ground,
            ground, // and a drag
            reflect,
            act,
            "main episode",
            "main narrative"
        ]
    );
    assert_eq!(turns[2]["fault"], "the answer has no JSON object");
    assert_eq!(turns[4]["call"]["args"]["description"], "the sprite named Ticket below the stage");
    let grounder: Vec<&Asked> = asked.iter().filter(|one| one.role == "ground").collect();
    assert!(grounder.iter().all(|one| one.model == "qwen3-vl-scripted" && one.pictures == 1));
    assert!(asked.iter().all(|one| one.pictures <= 1), "of older rounds no picture is sent");
}

fn costs_by_role(ran: &Answer, asked: &[Asked]) {
    let counts = counted(asked);
    let sum = |role: &str, part: &str| -> u64 {
        tasks().iter().map(|task| ran.attempt(task)["detail"]["roles"][role][part].as_u64().unwrap_or_default()).sum()
    };
    assert_eq!(sum("ground", "calls"), counts["ground"] as u64);
    assert_eq!(sum("reflect", "calls"), counts["reflect"] as u64);
    let calls: u64 = tasks().iter().map(|task| ran.attempt(task)["cost"]["calls"].as_u64().unwrap()).sum();
    assert_eq!(
        (calls, calls),
        (asked.len() as u64, ["main", "reflect", "ground"].map(|role| sum(role, "calls")).iter().sum())
    );
    // 1,000 tokens of each question at $1 a million, 600 of them from the cache at the same; of the grounder at $2.
    let expected = 1_000 * (asked.len() + counts["ground"]);
    assert_eq!(ran["costs"]["all"]["micro_usd"], expected, "{:#}", ran["costs"]);
    assert_eq!(ran["costs"]["all"]["prices_of"], "2026-01-02");
}

fn learned(ran: &Answer, asked: &[Asked]) {
    let mut records: Vec<Value> = tasks().iter().map(|task| ran.file(task, "memory.json")).collect();
    records.sort_by_key(|record| record["place"].as_u64());
    for two in records.windows(2) {
        assert_eq!(two[0]["after"], two[1]["before"]);
        assert_ne!(two[1]["before"], two[1]["after"], "each attempt adds to it");
    }
    let last = ran.run().join("memory").join(records.last().unwrap()["after"].as_str().unwrap());
    let lessons = |name: &str| -> Vec<Value> { json_at(&last.join(name)).as_array().unwrap().clone() };
    // Of the ferry both subtasks were finished; the other tasks ended at the limit.
    assert_eq!((lessons("narrative.json").len(), lessons("episodic.json").len()), (tasks().len(), 2));
    let told = asked.iter().filter(|one| one.role == "plan" && one.words.contains("What was learned from it:"));
    assert_eq!(told.count(), tasks().len() - 1, "all but the first attempt are told of another task");
}

#[tokio::test]
async fn what_a_planner_cannot_do_is_refused_before_anything_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let roles = folder.path().join("roles.toml");
    std::fs::write(&roles, "[embed]\nmodel = 'v'\ndialect = 'anthropic'\n").unwrap();
    let roles = roles.to_str().unwrap();
    let empty = folder.path().to_str().unwrap();
    let endpoint = ["--endpoint", "http://127.0.0.1:1/v1", "--task", "stuck_ferry"];
    let planner = [&["--agent", "planner", "--model", "m", "--mode", "primitive"][..], &endpoint].concat();
    let composite = [&["--agent", "planner", "--model", "m", "--mode", "composite"][..], &endpoint].concat();
    let oracle = ["--agent", "noop", "--mode", "primitive", "--task", "stuck_ferry"];
    for (args, code) in [
        (composite, "no_composite_planner"),
        ([&planner[..], &["--jobs", "2"]].concat(), "memory_in_parallel"),
        ([&planner[..], &["--history", "5"]].concat(), "no_flag_of_planner"),
        ([&planner[..], &["--pictures", "2"]].concat(), "no_flag_of_planner"),
        ([&planner[..], &["--protocol", "paper-1"]].concat(), "no_flag_of_planner"),
        ([&planner[..], &["--answers", "tools"]].concat(), "no_flag_of_planner"),
        ([&planner[..], &["--cache", "on"]].concat(), "no_flag_of_planner"),
        ([&oracle[..], &["--protocol", "paper-1"]].concat(), "agent_without_model"),
        ([&oracle[..], &["--replay", empty]].concat(), "agent_without_model"),
        ([&planner[..], &["--roles", "/nowhere"]].concat(), "roles_unreadable"),
        ([&planner[..], &["--roles", roles]].concat(), "no_vectors"),
        ([&planner[..], &["--prompts", empty]].concat(), "prompts_absent"),
        ([&planner[..], &["--max-usd", "1"]].concat(), "price_unknown"),
        ([&oracle[..], &["--roles", roles]].concat(), "agent_without_roles"),
    ] {
        let ran = run(&args).await;
        assert!(ran.code >= 2, "{code}: {ran:#}");
        let error = &ran["error"];
        assert_eq!((&error["code"], error["hint"].is_string()), (&json!(code), true), "{ran:#}");
    }
}
