//! Comparisons of run folders as the store writes them.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::model::{Category, Cost, Ending, Mode, RUN_FORMAT, TaskDetail};
use crate::store::fakes;

fn prices() -> PriceTable {
    PriceTable::bundled().unwrap()
}

/// A run by an agent with these outcomes, one an item.
fn tasks(folder: &Path, id: &str, agent: &str, options: Value, outcomes: &[(&str, Outcome)]) -> RunDir {
    let items: Vec<&str> = outcomes.iter().map(|(item, _)| *item).collect();
    let record = RunRecord {
        id: id.to_owned(),
        agent: agent.to_owned(),
        mode: Some(Mode::Composite),
        options,
        ..fakes::run(&items)
    };
    let run = RunDir::create(folder, record).unwrap();
    for (item, outcome) in outcomes {
        let passed = *outcome == Outcome::Passed;
        let item: crate::model::ItemId = item.parse().unwrap();
        let dir = run.begin(&item, 1, 0).unwrap();
        let mut calls = dir.lines("calls.jsonl").unwrap();
        for _ in 0..2 {
            calls.append(&refused_drag()).unwrap();
        }
        calls.end().unwrap();
        let mut turns = dir.lines("turns.jsonl").unwrap();
        turns.append(&json!({"turn": 1, "fault": "no action", "answer": {"text": "x"}})).unwrap();
        turns.append(&json!({"turn": 2, "fault": null})).unwrap();
        turns.append(&json!({"turn": 3, "purpose": "judge", "fault": null})).unwrap();
        turns.end().unwrap();
        dir.keep_verdict(&verdict(passed)).unwrap();
        let detail = TaskDetail {
            category: Category::Debug,
            mode: Mode::Composite,
            ending: Ending::Done,
            steps: 4,
            misses: None,
            replans: None,
            passed_tests: if passed { 2 } else { 1 },
            total_tests: 2,
            judging_s: 0.0,
            lost_program: None,
            roles: std::collections::BTreeMap::new(),
            refusals: None,
            voided: None,
        };
        let cost =
            Cost { calls: 2, input_tokens: 800_000, cached_tokens: 200_000, output_tokens: 100_000, ..Cost::default() };
        let (format, outcome) = (RUN_FORMAT, *outcome);
        dir.complete(&AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail })
            .unwrap();
    }
    run
}

fn refused_drag() -> Value {
    let call = json!({"api": "drag_and_drop", "args": {"start_index": 1, "end_index": 2}});
    let error = json!({"code": "stale_index", "message": "m", "hint": null, "infrastructure": false});
    let timing = json!({"wait_ms": 0.0, "action_ms": 0.0, "settle_ms": 0.0, "settle": "skipped"});
    let reply = json!({"success": false, "executed_action": call, "data": {}, "error": error, "timing": timing});
    json!({"step": 1, "at_s": 0.1, "call": call, "reply": reply})
}

fn verdict(passed: bool) -> crate::model::Verdict {
    let hashes = json!({"project": "", "script": "", "editor": "", "browser": ""});
    let details = json!([{"name": "moves", "passed": true}, {"name": "<b>stops</b>", "passed": passed}]);
    serde_json::from_value(json!({
        "task": "a", "outcome": if passed { "passed" } else { "failed" }, "passed_tests": 1, "total_tests": 2,
        "details": details, "seed": 1, "clock": "virtual", "trace_hash": null, "hashes": hashes,
    }))
    .unwrap()
}

fn model(name: &str) -> Value {
    answering(name, "text")
}

fn answering(name: &str, answers: &str) -> Value {
    json!({"agent": {"model": {"model": name}, "style": {"protocol": "paper-1", "answers": answers}}})
}

#[test]
fn agents_floors_and_ceilings_stand_side_by_side_with_costs_and_failures() {
    let folder = tempfile::tempdir().unwrap();
    let both = [("a", Outcome::Passed), ("b", Outcome::Failed)];
    let runs = [
        tasks(folder.path(), "r1", "gpt-5", model("gpt-5"), &both),
        tasks(folder.path(), "r4", "gpt-5", answering("gpt-5", "tools"), &both),
        tasks(folder.path(), "r2", "evil\u{1b}[2J|<i>", model("evil"), &both),
        tasks(folder.path(), "r3", "noop", Value::Null, &both),
    ];
    let compared = compare(&runs, &prices(), Count::Ours, Grading::Original).unwrap();
    let text = compared.write(Format::Text).unwrap();
    let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    for figure in ["composite", "50.00", "75.00", "–"] {
        assert!(line("gpt-5, paper-1").contains(figure), "{text}");
    }
    assert!(line("gpt-5, paper-1, tools").contains("50.00") && !text.contains("gpt-5, paper-1, text"), "{text}");
    assert!(text.contains("cached share") && text.contains("25 %"), "{text}");
    assert!(text.contains("noop (floor)") && text.contains("Costs are by the list prices of 2025-11-01"), "{text}");
    // 600,000 tokens at $1.25, 200,000 at $0.125 and 100,000 at $10 per million; twice as much for each task that is solved.
    assert!(text.contains("$1.7750") && text.contains("$3.5500") && text.contains("unknown"), "{text}");
    assert!(text.contains("4 stale_index") && !text.contains('\u{1b}'), "{text}");
    let html = compared.write(Format::Html).unwrap();
    assert!(html.contains("&lt;b&gt;stops&lt;") && !html.contains("<i>") && !html.contains("http"), "{html}");
    assert!(html.contains("class=\"error\"") && html.contains("viewBox"));
    for format in [Format::Markdown, Format::Csv, Format::Latex] {
        assert!(compared.write(format).unwrap().contains("50.00"), "{format}");
    }
    let json = serde_json::to_value(&compared).unwrap();
    let failures = &json["tasks"]["rows"][0]["failures"];
    assert_eq!(
        (&failures["repeated"], &failures["wasted_turns"], &failures["drags"]["by_index"]),
        (&json!(2), &json!(2), &json!(4))
    );
    assert_eq!(json["tasks"]["rows"][2]["figures"][0]["spending"]["micro_usd"], Value::Null, "unknown is not nothing");
    assert_eq!(failures["tests"], json!([{"item": "b", "test": "<b>stops</b>", "failed": 1, "of": 1}]));
}

#[test]
fn other_sets_never_share_a_table_without_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let one = tasks(folder.path(), "r1", "m", model("m"), &[("a", Outcome::Passed)]);
    let other = tasks(folder.path(), "r2", "m", model("m"), &[("b", Outcome::Failed), ("c", Outcome::InfraError)]);
    let compared = compare(&[one, other], &prices(), Count::Ours, Grading::Original).unwrap();
    for format in [Format::Text, Format::Markdown, Format::Csv, Format::Latex, Format::Html] {
        let text = compared.write(format).unwrap();
        assert!(text.contains("figures of different sets do not compare") && text.contains("set"), "{format}: {text}");
        assert!(text.contains("1 of 2 attempts do not count or are owed"), "{format}: {text}");
        assert!(text.contains("the testbed voided 1 attempt "), "{format}: {text}");
        assert!(text.contains("m, paper-1, r1") || text.contains("m, paper-1, r2"), "rows are told apart: {text}");
    }
}

#[test]
fn each_benchmark_has_its_tables_and_others_have_none() {
    let folder = tempfile::tempdir().unwrap();
    let run = |id: &str, benchmark: &str| {
        let record = RunRecord { id: id.into(), benchmark: benchmark.into(), agent: "m".into(), ..fakes::run(&["1"]) };
        let run = RunDir::create(folder.path(), record).unwrap();
        let item: crate::model::ItemId = "1".parse().unwrap();
        let record = AttemptRecord {
            format: RUN_FORMAT,
            item: item.clone(),
            attempt: 1,
            retry: 0,
            outcome: Outcome::Passed,
            error: None,
            cost: Cost::default(),
            detail: Value::Null,
        };
        run.begin(&item, 1, 0).unwrap().complete(&record).unwrap();
        run
    };
    let (drags, questions) = (run("d", "drag"), run("p", "perception"));
    let items = json!([{"id": "1", "task_type": "field", "tag": "exact_match_numeric", "instruction": "i", "screenshot": "s",
        "ground_truth": "7"}]);
    questions.keep(crate::benchmarks::perception::ITEMS, &items).unwrap();
    let text =
        compare(&[drags, questions], &prices(), Count::Ours, Grading::Original).unwrap().write(Format::Text).unwrap();
    assert!(
        text.contains("Single drags: Pass@k") && text.contains("T2 @1") && text.contains("T1 and T2 are not known"),
        "{text}"
    );
    assert!(text.contains("Perception: accuracy") && text.contains("exact_match_numeric"), "{text}");
    let error = compare(&[run("c", "coin")], &prices(), Count::Ours, Grading::Original).unwrap_err();
    assert_eq!(crate::model::Coded::code(&error), "no_tables");
}

/// A run of two scenes, one of each type of interaction, with two trials each.
fn drags(folder: &Path, id: &str, agent: &str, setting: &str, trials: [(Outcome, Option<(f64, f64)>); 4]) -> RunDir {
    let record = RunRecord {
        id: id.into(),
        benchmark: "drag".into(),
        agent: agent.into(),
        setting: setting.into(),
        attempts: 2,
        options: json!({"agent": {"model": agent}, "prompt": {"wording": "paper", "own": false, "digest": "d"}}),
        ..fakes::run(&["t1", "t2"])
    };
    let run = RunDir::create(folder, record).unwrap();
    let class =
        |kind: &str, is_insertion: bool| json!({"kind": kind, "origin": "canvas", "is_insertion": is_insertion});
    run.keep(drag::figures::CLASSES, &json!({"t1": class("below", false), "t2": class("slot", true)})).unwrap();
    for ((item, attempt), (outcome, gaps)) in [("t1", 1), ("t1", 2), ("t2", 1), ("t2", 2)].into_iter().zip(trials) {
        let item: crate::model::ItemId = item.parse().unwrap();
        let point = json!({"point": {"x": 1.0, "y": 1.0}});
        let detail = gaps.map(|(start, end)| {
            let failure = match outcome {
                Outcome::Passed => "none",
                _ if start > 0.0 => "start",
                _ => "end",
            };
            let broke = (outcome != Outcome::Passed).then(|| json!({"stage": "grasp", "pixels": start + end}));
            json!({"said": {"start": point, "end": point}, "start": null, "end": null, "start_in": start == 0.0,
                "start_gap": start, "end_gap": end, "failure": failure, "broke": broke, "steps": []})
        });
        let cost = Cost::default();
        let record = AttemptRecord {
            format: RUN_FORMAT,
            item: item.clone(),
            attempt,
            retry: 0,
            outcome,
            error: None,
            cost,
            detail,
        };
        run.begin(&item, attempt, 0).unwrap().complete(&record).unwrap();
    }
    run
}

#[test]
fn drags_of_several_models_and_settings_stand_in_the_papers_order() {
    use Outcome::{Failed, Passed, Unreadable};
    let folder = tempfile::tempdir().unwrap();
    let trials =
        [(Failed, Some((30.0, 5.0))), (Passed, Some((0.0, 0.0))), (Failed, Some((0.0, 12.0))), (Unreadable, None)];
    let runs = [
        drags(folder.path(), "r1", "big", "knowledge", trials),
        drags(folder.path(), "r2", "small", "baseline", trials),
        drags(folder.path(), "r3", "big", "baseline", trials),
    ];
    let compared = compare(&runs, &prices(), Count::Reference, Grading::Original).unwrap();
    let tables = compared.tables();
    let main = &tables[0];
    let row = ["big", "current", "paper", "baseline", "0.00", "50.00", "50.00", "50.00", "30.00", "12.00", "2", "4"];
    assert_eq!(main.rows[0], row, "{:?}", main.head);
    let order: Vec<&str> = main.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!((order, main.rows[1][3].as_str()), (vec!["big", "big", "small"], "knowledge"));
    // T1 passed at the second trial, T2 never.
    let t1_t2 =
        ["0.00", "100.00", "50.00", "100.00", "30.00", "–", "0.00", "0.00", "50.00", "0.00", "–", "12.00", "2", "2"];
    assert_eq!(tables[1].rows[0][4..], t1_t2, "{:?}", tables[1].head);
    // The reference has no file of the unreadable answer, so that one trial of T2 is left.
    assert!(tables[2].title.ends_with("as the reference counts"), "{}", tables[2].title);
    assert_eq!(tables[2].rows[0][10..], ["2", "3"], "{:?}", tables[2].rows[0]);
    let detail = &tables[4];
    assert_eq!((detail.rows.len(), &detail.rows[0][4..8]), (9, &["ALL", "2", "0", "4"].map(str::to_owned)[..]));
    let failures = &tables[5];
    let failed = ["ALL", "3", "1", "1", "1", "1", "0", "30.00", "12.00", "2 (23.50 px)"];
    assert_eq!(failures.rows[0][4..14], failed, "{:?}", failures.head);
    let html = compared.write(Format::Html).unwrap();
    assert!(html.contains("k = 2") && html.contains("big, paper, knowledge") && html.contains("components"), "{html}");
    for format in [Format::Text, Format::Markdown, Format::Csv, Format::Latex] {
        let text = compared.write(format).unwrap();
        assert!(text.contains("T2 start px") && text.contains("12.00") && text.contains("broke at grasp"), "{format}");
    }
}

/// A run of repairs whose first attempts ended so; nothing is recorded of the patches.
fn repairs(folder: &Path, agent: &str, outcomes: [Outcome; 8]) -> RunDir {
    let names: Vec<String> = (0..outcomes.len()).map(|at| format!("i{at}")).collect();
    let items: Vec<&str> = names.iter().map(String::as_str).collect();
    let (benchmark, setting) = ("repair".to_owned(), "zero-shot".to_owned());
    let record = RunRecord {
        id: agent.to_owned(),
        agent: agent.to_owned(),
        benchmark,
        setting,
        mode: None,
        ..fakes::run(&items)
    };
    let run = RunDir::create(folder, record).unwrap();
    for (name, outcome) in names.iter().zip(outcomes) {
        let (format, item, cost) = (RUN_FORMAT, name.parse::<crate::model::ItemId>().unwrap(), Cost::default());
        let dir = run.begin(&item, 1, 0).unwrap();
        let detail: Option<crate::mend::Repair> = None;
        dir.complete(&AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail })
            .unwrap();
    }
    let item = |name: &String| json!({"id": name, "pattern": "desynchronization", "difficulty": "easy"});
    run.keep(repair::ITEMS, &names.iter().map(item).collect::<Vec<_>>()).unwrap();
    run
}

#[test]
fn the_floor_of_a_benchmark_stands_below_its_runs_once() {
    let folder = tempfile::tempdir().unwrap();
    let runs = ["good", "bad"].map(|agent| repairs(folder.path(), agent, [Outcome::CallFailed; 8]));
    let text = || compare(&runs, &prices(), Count::Ours, Grading::Original).unwrap().write(Format::Text).unwrap();
    assert!(!text().contains("search (floor)"), "no instance says whether the search repairs it");
    for run in &runs {
        let item = |at: usize| json!({"id": format!("i{at}"), "pattern": "desynchronization", "difficulty": "easy", "search": at == 0});
        run.keep(repair::ITEMS, &(0..8).map(item).collect::<Vec<_>>()).unwrap();
    }
    let text = text();
    let row = text.lines().find(|line| line.contains("search (floor)")).unwrap();
    assert!(text.matches("search (floor)").count() == 1 && row.contains("12.50"), "{text}");
}

#[test]
fn two_runs_of_repairs_stand_side_by_side_with_what_chance_explains() {
    let folder = tempfile::tempdir().unwrap();
    let mut good = [Outcome::Passed; 8];
    good[7] = Outcome::InfraError;
    let runs = [repairs(folder.path(), "good", good), repairs(folder.path(), "bad", [Outcome::CallFailed; 8])];
    let text = compare(&runs, &prices(), Count::Ours, Grading::Original).unwrap().write(Format::Text).unwrap();
    for told in ["Repair: functional success", "Repair: what became of patches", "Repair: differences"] {
        assert!(text.contains(told), "{text}");
    }
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<&str>>());
    let cells = rows.into_iter().find(|cells| cells.starts_with(&["good", "bad"])).unwrap();
    // Seven that only the first passed: 2 / 2^7.
    assert_eq!(cells[..6], ["good", "bad", "7", "7", "0", "100.00"]);
    assert_eq!((cells[6], cells[7]), ("0.0156", "0.0156"));
}
