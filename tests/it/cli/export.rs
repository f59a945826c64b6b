//! Exported runs: an independent reader finds in the files what the program says of the runs. No browser is needed:
//! the runs are written as the store writes them.

use std::path::{Path, PathBuf};
use std::process::Command;

use scratchbed::benchmarks::drag::figures::summary;
use scratchbed::benchmarks::drag::measure::DragDetail;
use scratchbed::benchmarks::perception::{Answered, Answers, PerceptionSet, Questions};
use scratchbed::experiment::Benchmark as _;
use scratchbed::grade::{Count, Graded, TaskRow, task_table};
use scratchbed::model::{AttemptRecord, Cost, Outcome, RUN_FORMAT, RunRecord, TaskDetail, TaskRecord, Verdict};
use scratchbed::store::{AttemptDir, RunDir};
use serde_json::{Value, json};

use crate::support::program::Scratchbed;
use crate::support::root;

pub fn run_record(id: &str, benchmark: &str, items: &[&str], attempts: u32) -> RunRecord {
    RunRecord {
        format: RUN_FORMAT,
        id: id.into(),
        started_at: 1_700_000_000.5,
        version: "0".into(),
        benchmark: benchmark.into(),
        agent: "org/some-model".into(),
        mode: Some(scratchbed::model::Mode::Primitive),
        setting: "plain".into(),
        options: json!({"agent": {"model": {"model": "org/some-model", "endpoint": "http://u:secret@host/v1"}}}),
        set: "abc".into(),
        attempts,
        items: items.iter().map(|item| item.parse().unwrap()).collect(),
        split: None,
        server: None,
        notes: Vec::new(),
        judge_seed: None,
    }
}

fn record<D>(item: &str, attempt: u32, outcome: Outcome, detail: D) -> AttemptRecord<D> {
    let cost = Cost { seconds: 2.0, calls: 3, input_tokens: 10, ..Cost::default() };
    let error = (!outcome.counts()).then(|| "it broke, \"badly\"".to_owned());
    AttemptRecord { format: RUN_FORMAT, item: item.parse().unwrap(), attempt, retry: 0, outcome, error, cost, detail }
}

/// Writes the attempts of a run; `more` adds to the folder of each.
pub fn write<D: serde::Serialize>(
    folder: &Path,
    run: RunRecord,
    records: &[AttemptRecord<D>],
    more: impl Fn(&AttemptRecord<D>, &AttemptDir),
) -> PathBuf {
    let run = RunDir::create(folder, run).unwrap();
    for record in records {
        let dir = run.begin(&record.item, record.attempt, record.retry).unwrap();
        more(record, &dir);
        dir.complete(record).unwrap();
    }
    run.path().to_owned()
}

/// Exports runs, and has the independent reader read what came of it.
fn exported(format: &str, runs: &[&Path], out: &Path, more: &[&str]) -> (Value, Value) {
    let mut arguments = vec!["export", "--format", format, "--out", out.to_str().unwrap()];
    arguments.extend(runs.iter().map(|run| run.to_str().unwrap()));
    arguments.extend(more);
    let answer = Scratchbed::new().blocking_answer(&arguments);
    assert!((0..2).contains(&answer.code), "{answer:?}");
    let read = Command::new("python3")
        .arg(root().join("tests/it/support/programs/exported_figures.py"))
        .arg(out)
        .output()
        .unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    (answer.json, serde_json::from_slice(&read.stdout).unwrap())
}

fn same(found: &Value, wanted: Option<f64>) {
    match (found.as_f64(), wanted) {
        (Some(found), Some(wanted)) => assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}"),
        (found, wanted) => assert_eq!(found, wanted),
    }
}

pub fn task(item: &str, attempt: u32, (category, outcome): (&str, Outcome), passed: u32) -> TaskRecord {
    let ending = match outcome {
        Outcome::Limit => "step_limit",
        Outcome::AgentError => "agent_error",
        Outcome::ProviderError => "provider_error",
        Outcome::InfraError => "infra_error",
        _ => "done",
    };
    let detail: TaskDetail = serde_json::from_value(json!({
        "category": category, "mode": "primitive", "ending": ending, "steps": 2, "passed_tests": passed,
        "total_tests": 3, "judging_s": 1.0,
    }))
    .unwrap();
    record(item, attempt, outcome, detail)
}

fn verdict(record: &TaskRecord) -> Verdict {
    let details: Vec<Value> =
        (0..3).map(|at| json!({"name": format!("test {at}"), "passed": at < record.detail.passed_tests})).collect();
    serde_json::from_value(json!({
        "task": record.item, "outcome": if record.detail.passed_tests == 3 { "passed" } else { "failed" },
        "passed_tests": record.detail.passed_tests, "total_tests": 3, "details": details, "seed": 1,
        "clock": "virtual", "trace_hash": null, "hashes": {"project": "", "script": "", "editor": "", "browser": ""},
    }))
    .unwrap()
}

fn call(step: u32, api: &str, args: &Value, executed: &Value, success: bool) -> Value {
    let data = if api == "observe" { json!({"screenshot": "cG5n", "table": "index"}) } else { json!({}) };
    let error = (!success).then(|| json!({"code": "stale_index", "message": "gone", "infrastructure": false}));
    json!({
        "step": step, "at_s": f64::from(step), "call": {"api": api, "args": args},
        "reply": {"success": success, "executed_action": {"api": api, "args": executed}, "data": data,
            "error": error, "timing": {"action_ms": 3.5, "settle_ms": 1.5, "settle": "quiet"}},
    })
}

/// What the folder of an attempt has beside its record.
pub fn keep(record: &TaskRecord, dir: &AttemptDir) {
    dir.keep_project(b"sb3").unwrap();
    if !matches!(record.outcome, Outcome::InfraError | Outcome::ProviderError) {
        dir.keep_verdict(&verdict(record)).unwrap();
    }
    let mut calls = dir.lines("calls.jsonl").unwrap();
    let click = json!({"x": 10.5, "y": 20.0, "button": "left"});
    for line in [
        call(1, "observe", &json!({}), &json!({"picture": "png"}), true),
        call(1, "click", &json!({"index": 4}), &click, true),
        call(2, "click", &json!({"index": 5}), &json!({"index": 5}), false),
        call(4, "done", &json!({"reason": "it works"}), &json!({"reason": "it works"}), true),
    ] {
        calls.append(&line).unwrap();
    }
    let mut turns = dir.lines("turns.jsonl").unwrap();
    let answer = json!({"text": "no plan", "usage": {"input_tokens": 5}});
    turns
        .append(&json!({"turn": 3, "step": 3, "sent": ["m"], "answer": answer, "error": null, "fault": "no JSON"}))
        .unwrap();
    let mut messages = dir.lines("messages.jsonl").unwrap();
    messages.append(&json!({"id": "m", "role": "user", "text": "look", "picture": "abc.png"})).unwrap();
}

pub fn task_records() -> Vec<TaskRecord> {
    use Outcome::{AgentError, Failed, InfraError, JudgeError, Limit, Passed, ProviderError};
    vec![
        task("a", 1, ("create", Passed), 3),
        task("b", 1, ("create", Failed), 1),
        task("c", 1, ("debug", Limit), 3),
        task("d", 1, ("debug", Limit), 2),
        task("e", 1, ("extend", AgentError), 2),
        task("f", 1, ("extend", JudgeError), 0),
        task("g", 1, ("compute", InfraError), 0),
        task("h", 1, ("compute", ProviderError), 0),
        task("a", 2, ("create", Failed), 0),
        task("b", 2, ("create", Passed), 3),
        task("c", 2, ("debug", Failed), 0),
    ]
}

/// The program's table of these records, counted like the reference; a judge that broke has no result in an export.
fn task_rows(records: &[TaskRecord]) -> Vec<TaskRow> {
    let judged = records.iter().filter(|record| record.outcome != Outcome::JudgeError);
    let graded: Vec<_> = judged.map(|record| (record.item.as_str(), Graded::from(record))).collect();
    task_table(&graded, Count::Reference)
}

#[test]
fn rates_of_exported_tasks_are_the_programs() {
    let folder = tempfile::tempdir().unwrap();
    let records = task_records();
    let run = run_record("t", "tasks", &["a", "b", "c", "d", "e", "f", "g", "h"], 2);
    let run = write(folder.path(), run, &records, keep);
    let out = folder.path().join("out");
    let (said, figures) = exported("reference", &[&run], &out, &[]);
    assert_eq!(said["exported"]["attempts"], 7, "{said}");
    assert_eq!(figures["tasks"]["errors"], 4);
    for row in task_rows(&records) {
        let found = match row.category {
            None => &figures["tasks"]["all"],
            Some(_) if row.n == 0 => continue,
            Some(category) => &figures["tasks"]["by_type"][category.to_string()],
        };
        assert_eq!(found["n"], row.n);
        same(&found["sr"], row.sr);
        same(&found["psr"], row.psr);
    }
    // a, b and c were solved in one of their attempts, d in none.
    same(&figures["tasks"]["solved_once"], Some(75.0));
}

#[test]
fn the_folder_of_a_task_is_the_references() {
    let folder = tempfile::tempdir().unwrap();
    let records = [task("a", 1, ("create", Outcome::Passed), 3), task("h", 1, ("debug", Outcome::ProviderError), 0)];
    let run = write(folder.path(), run_record("t", "tasks", &["a", "h"], 1), &records, keep);
    let out = folder.path().join("out");
    exported("reference", &[&run], &out, &[]);
    let task = out.join("result_org_some_model_primitive_llm/create/a");
    let read = |name: &str| -> Value { serde_json::from_slice(&std::fs::read(task.join(name)).unwrap()).unwrap() };
    let result = read("result.json");
    assert_eq!(result["agent_interaction"]["final_reason"], "it works");
    assert!(out.join(result["output_file"].as_str().unwrap()).is_file(), "{result}");
    let log = read("interaction_log_20231114_221320.json");
    assert_eq!(log["base_url"], "http://host/v1", "no password");
    let turns = log["interactions"].as_array().unwrap();
    assert_eq!(turns[0]["result"]["executed_action"]["args"]["x"], 10.5);
    assert!(turns[0]["action"].is_null() && turns[0]["observation"]["screenshot"].is_null());
    let envelope: Vec<&String> = turns[1]["result"].as_object().unwrap().keys().collect();
    assert_eq!(envelope, ["success", "requested_action", "executed_action", "data", "error", "meta"]);
    assert_eq!(turns[1]["result"]["error"]["code"], "stale_index");
    assert_eq!((&turns[2]["error"]["code"], &turns[2]["action"]["api"]), (&json!("INVALID_ACTION_PLAN"), &json!("")));
    assert_eq!(turns[0]["screenshot_path"], "screenshots/turn_001.png");
    assert_eq!(std::fs::read(task.join("screenshots/turn_001.png")).unwrap(), b"png");
    let prompt = read("prompts_20231114_221320/turn_003_prompt.json");
    assert_eq!(prompt["messages"][0]["content"][1]["image_url"]["url"], "<base64_image_removed>");
    let lost = out.join("result_org_some_model_primitive_llm/debug/h");
    assert!(lost.join("error.json").is_file() && !lost.join("result.json").exists());
    assert_eq!(read("run_args.json")["task"]["task_type"], "create");
}

#[test]
fn a_submission_has_what_was_done_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let records = task_records().into_iter().filter(|record| record.attempt == 1).collect::<Vec<_>>();
    let items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let run = write(folder.path(), run_record("t", "tasks", &items, 1), &records, keep);
    let out = folder.path().join("out");
    let (said, figures) = exported("submission", &[&run], &out, &[]);
    assert_eq!(said["exported"]["attempts"], 6, "{said}");
    let lines = figures["submissions"].as_array().unwrap();
    assert_eq!(lines.len(), 6);
    let done = json!([
        {"turn": 1, "action": {"api": "click", "args": {"x": 10, "y": 20, "button": "left"}}},
        {"turn": 4, "action": {"api": "done", "args": {"reason": "it works"}}},
    ]);
    for line in lines {
        assert_eq!(line["interactions"], done);
        assert!(!line.to_string().contains(folder.path().to_str().unwrap()), "a local path: {line}");
    }
    assert_eq!(lines[0]["source_task_dir"], "result_org_some_model_primitive_llm/create/a");
    let drags = write::<Option<DragDetail>>(folder.path(), run_record("d", "drag", &[], 1), &[], |_, _| {});
    let never = folder.path().join("never");
    let call = Scratchbed::new().call(&["export", "--format", "submission", "--out"]).arg(never).arg(drags);
    let refused = call.blocking_answer();
    assert_eq!((refused.code, &refused["error"]["code"]), (3, &json!("format_without_benchmark")));
}

fn drag(item: &str, attempt: u32, outcome: Outcome, places: Option<[f64; 4]>) -> AttemptRecord<Option<DragDetail>> {
    let detail = places.map(|[x, y, end_x, end_y]| {
        // The regions of `keep_regions`, measured by hand: a square, and a row of offsets.
        let outside = |at: f64, first: f64, last: f64| (first - at).max(at - last).max(0.0);
        let start_gap = outside(x, 10.0, 19.0).hypot(outside(y, 10.0, 19.0));
        let end_gap = outside(end_x - x, 100.0, 120.0).hypot(end_y - y);
        let point = |x: f64, y: f64| json!({"x": x, "y": y});
        serde_json::from_value(json!({
            "said": {"start": {"point": point(x, y)}, "end": {"point": point(end_x, end_y)}},
            "start": point(x, y), "end": point(end_x, end_y), "start_in": start_gap == 0.0, "start_gap": start_gap,
            "end_gap": end_gap, "end_in": end_gap == 0.0, "broke": null, "steps": [],
        }))
        .unwrap()
    });
    record(item, attempt, outcome, detail)
}

fn keep_regions<D>(_: &AttemptRecord<D>, dir: &AttemptDir) {
    let start: Vec<Value> = (10..20).map(|y| json!([y, 10, 19])).collect();
    dir.keep_json("regions.json", &json!({"source": null, "links": [], "start": start, "ends": [[0, 100, 120]]}))
        .unwrap();
    dir.keep("seen.png", b"png").unwrap();
    dir.keep("answer.txt", b"drag").unwrap();
}

#[test]
fn figures_of_exported_drags_are_the_programs() {
    use Outcome::{CallFailed, Failed, InfraError, Passed, Unreadable};
    let folder = tempfile::tempdir().unwrap();
    let inside = |end: f64| Some([15.0, 12.0, end, 12.0]);
    let records = [
        drag("x", 1, CallFailed, None),
        drag("x", 2, Failed, Some([30.0, 25.0, 140.0, 25.0])),
        drag("x", 3, Passed, inside(120.0)),
        drag("x", 4, Failed, inside(300.0)),
        drag("x", 5, Passed, inside(120.0)),
        drag("y", 1, Failed, inside(150.0)),
        drag("y", 2, Failed, inside(125.0)),
        drag("y", 3, Unreadable, None),
        drag("y", 4, Failed, Some([5.0, 5.0, 100.0, 5.0])),
        drag("z", 1, InfraError, None),
        drag("z", 2, Passed, inside(130.0)),
        drag("z", 3, Failed, None),
    ];
    let run = RunRecord { setting: "gt_start+elements".into(), ..run_record("d", "drag", &["x", "y", "z"], 5) };
    let run = write(folder.path(), run, &records, keep_regions);
    let out = folder.path().join("out");
    let (said, figures) = exported("reference", &[&run], &out, &[]);
    assert_eq!(said["exported"]["left_out"].as_array().unwrap().len(), 3, "{said}");
    let name = "result_single_step_drag_benchmark_org_some_model_use_element_list_ground_truth_start";
    let found = &figures["drags"][name];
    let row = summary(&records, Count::Reference, |_| None).rows.remove(2);
    assert_eq!((found["tasks"].as_u64(), found["runs"].as_u64()), (Some(row.tasks as u64), Some(row.runs as u64)));
    for (k, share) in row.pass_at.iter().enumerate() {
        same(&found["pass_at"][k], share.map(|share| share.percent));
    }
    same(&found["start_pass"], row.start_pass.map(|share| share.percent));
    same(&found["end_pass"], row.end_pass.map(|share| share.percent));
    same(&found["start_gap"], row.start_gap.map(|gap| gap.pixels));
    same(&found["end_gap"], row.end_gap.map(|gap| gap.pixels));
    assert!(row.start_gap.is_some() && row.end_gap.is_some() && row.start_pass.is_some());
    assert!(out.join(name).join("summary.json").is_file());
    assert!(out.join(name).join("x/3/1.png").is_file() && !out.join(name).join("x/1").exists());
}

fn questions(folder: &Path) -> PerceptionSet {
    std::fs::create_dir_all(folder.join("screenshots")).unwrap();
    std::fs::write(folder.join("screenshots/1.png"), "png").unwrap();
    std::fs::write(folder.join("set.json"), r#"{"format": 1, "origin": "imported", "items": 3}"#).unwrap();
    let tags = [("connection_yes", "connection", "YES"), ("existence_no_absent", "existence", "NO")];
    let tags = tags.into_iter().chain([("exact_match_numeric", "field", "10")]);
    let lines = tags.enumerate().map(|(at, (tag, kind, truth))| {
        let item = json!({"id": format!("{}", at + 1), "task_type": kind, "tag": tag, "instruction": "Is it?",
            "screenshot": "1.png", "ground_truth": truth});
        format!("{item}\n")
    });
    std::fs::write(folder.join("items.jsonl"), lines.collect::<String>()).unwrap();
    PerceptionSet::read(folder).unwrap()
}

#[test]
fn accuracies_of_exported_answers_are_the_programs() {
    let folder = tempfile::tempdir().unwrap();
    let set_folder = folder.path().join("set");
    let set = questions(&set_folder);
    let said = |item: &str, attempt, outcome, text: Option<&str>| {
        record(item, attempt, outcome, text.map(|text| Answered { response: text.to_owned() }))
    };
    let records = [
        said("1", 1, Outcome::Passed, Some(" yes\n")),
        said("2", 1, Outcome::Failed, Some("NO.")),
        said("3", 1, Outcome::Passed, Some("10")),
        said("1", 2, Outcome::Failed, Some("NO")),
        said("2", 2, Outcome::CallFailed, None),
        said("3", 2, Outcome::InfraError, None),
    ];
    let run =
        RunRecord { set: set.digest().unwrap(), mode: None, ..run_record("p", "perception", &["1", "2", "3"], 2) };
    let run = write(folder.path(), run, &records, |_, _| {});
    let set_path = set_folder.to_str().unwrap();
    let (_, figures) = exported("reference", &[&run], &folder.path().join("out"), &["--set", set_path]);
    let score = Questions { set, answers: Answers::Oracle }.figures(&records, Count::Reference);
    let score = json!(score);
    assert_eq!(figures["perception"]["all"]["n"], score["all"]["n"]);
    same(&figures["perception"]["all"]["accuracy"], score["all"]["percent"].as_f64());
    for group in score["task_types"].as_array().unwrap() {
        let found = &figures["perception"][group["kind"].as_str().unwrap()];
        assert_eq!(found["n"], group["accuracy"]["n"], "{score}");
        same(&found["accuracy"], group["accuracy"]["percent"].as_f64());
    }
    std::fs::write(set_folder.join("screenshots/1.png"), "other").unwrap();
    let other = folder.path().join("other");
    let arguments = ["export", "--format", "reference", "--out", other.to_str().unwrap(), "--set", set_path];
    let refused = Scratchbed::new().call(&arguments).arg(&run).blocking_answer();
    assert!(refused.stderr.contains("error[set_differs]"), "{refused:?}");
    assert!(!other.exists(), "nothing is left of an export that failed");
}

#[test]
fn rows_of_several_benchmarks_make_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = write(folder.path(), run_record("t", "tasks", &["a"], 1), &task_records()[..1], keep);
    let one = [drag("x", 1, Outcome::Failed, Some([30.0, 25.0, 140.0, 25.0]))];
    let drags = write(folder.path(), run_record("d", "drag", &["x"], 1), &one, keep_regions);
    let (csv, jsonl) = (folder.path().join("csv"), folder.path().join("jsonl"));
    exported("csv", &[&tasks, &drags], &csv, &[]);
    let (_, figures) = exported("jsonl", &[&tasks, &drags], &jsonl, &[]);
    let rows = figures["submissions"].as_array().unwrap();
    let text = std::fs::read_to_string(csv.join("attempts.csv")).unwrap();
    let head: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let keys: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
    assert_eq!(head, keys, "both have the same columns");
    assert_eq!(text.lines().count(), 3);
    let (task, drag) = (&rows[0], &rows[1]);
    assert_eq!((&task["outcome"], &task["partial"], &task["agent"]), (&json!("passed"), &json!(1.0), &json!("llm")));
    assert_eq!((&drag["failure"], &drag["start_x"]), (&json!("unknown"), &json!(30.0)));
    assert!(drag["category"].is_null() && task["start_x"].is_null());
    let scratchbed = Scratchbed::new();
    let again = ["export", "--format", "csv", "--out", csv.to_str().unwrap(), tasks.to_str().unwrap()];
    let again = scratchbed.blocking_answer(&again);
    assert_eq!((again.code, &again["error"]["code"]), (2, &json!("export_exists")), "{again:?}");
    assert_eq!(std::fs::read_to_string(csv.join("attempts.csv")).unwrap(), text);
    let nowhere = scratchbed.blocking_answer(&["export", "--format", "csv", "--out", "never", "/nowhere"]);
    assert_eq!(nowhere.code, 3, "{nowhere:?}");
}
