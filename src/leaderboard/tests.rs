//! Leaderboards of run folders as the store writes them.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::benchmarks::tasks::regrade::JudgeDigests;
use crate::model::{
    AttemptRecord, Coded as _, Cost, GradeRecord, Mode, Outcome, RUN_FORMAT, RunRecord, TaskDetail, VerdictRecord,
    sha256_hex,
};
use crate::store::{VerdictStore, fakes, open_runs, pack_runs};
use crate::taskset::TaskSet;

/// Tasks of the bundled set, so that there are judges.
const TASKS: [&str; 2] = ["kite_gusts", "stuck_ferry"];

fn detail(passed: bool) -> TaskDetail {
    serde_json::from_value(json!({
        "category": "debug", "mode": "composite", "ending": "done", "steps": 2, "passed_tests": if passed { 2 } else { 1 },
        "total_tests": 2, "judging_s": 1.0,
    }))
    .unwrap()
}

fn run(folder: &Path, id: &str, options: Value, outcomes: [Outcome; 2]) -> RunDir {
    let agent = id.to_owned();
    let record = RunRecord { id: id.into(), agent, mode: Some(Mode::Composite), options, ..fakes::run(&TASKS) };
    let run = RunDir::create(folder, record).unwrap();
    for (item, outcome) in TASKS.iter().zip(outcomes) {
        let item: crate::model::ItemId = item.parse().unwrap();
        let dir = run.begin(&item, 1, 0).unwrap();
        let (format, cost) = (RUN_FORMAT, Cost { seconds: 90.0, ..Cost::default() });
        let detail = detail(outcome == Outcome::Passed);
        if outcome == Outcome::Passed {
            dir.keep_project(b"sb3").unwrap();
        }
        dir.complete(&AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail })
            .unwrap();
    }
    run
}

fn tasks() -> TaskSet {
    TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The judges of a checkout that keeps its verdicts below a folder.
fn judges(folder: &Path) -> CurrentJudges {
    CurrentJudges::new(tasks(), VerdictStore::new(folder.join("verdicts")))
}

/// Has that checkout fail the project that all attempts have, for a task.
fn failed(folder: &Path, task: &str) {
    let judge = JudgeDigests::default().of(tasks().find(task).unwrap(), None).unwrap();
    let (project, outcome, version) = (sha256_hex(b"sb3"), Outcome::Failed, "0.7".to_owned());
    let verdict = serde_json::from_value(json!({
        "task": task, "outcome": "failed", "passed_tests": 0, "total_tests": 2, "details": [], "seed": 1,
        "clock": "virtual", "hashes": {"project": project, "script": "", "editor": "", "browser": "Chrome 1"},
    }));
    let (task, verdict) = (task.parse().unwrap(), Some(verdict.unwrap()));
    let (format, graded_at, error) = (RUN_FORMAT, 1_700_000_000.0, None);
    let grade = GradeRecord { format, judge, version, graded_at, outcome, error, verdict };
    let record = VerdictRecord { task, project, judge_seed: None, grade };
    VerdictStore::new(folder.join("verdicts")).keep(&record).unwrap();
}

#[test]
fn entries_show_how_they_were_made_and_names_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let evil =
        json!({"agent": {"model": {"model": "<b>evil</b>"}, "style": {"protocol": "paper-1", "answers": "tools"}}});
    let program = json!({"agent": {"command": "x", "via": "http", "isolation": "user agent"}});
    let runs = [
        run(folder.path(), "noop", Value::Null, [Outcome::Failed, Outcome::Failed]),
        run(folder.path(), "evil", evil, [Outcome::Passed, Outcome::Failed]),
        run(folder.path(), "mine", program, [Outcome::Failed, Outcome::Limit]),
    ];
    let prices = PriceTable::bundled().unwrap();
    let board = Leaderboard::of("Mine", &runs, &judges(folder.path()), &prices).unwrap();
    assert_eq!((board.entries[0].sr.value, board.not_regraded()), (50.0, 1), "what has no project needs no judge");
    let page = board.write(&folder.path().join("out")).unwrap();
    let html = std::fs::read_to_string(&page).unwrap();
    for shown in ["&lt;b&gt;evil", "paper-1, tools", "user agent", "not needed", "(floor)", "1.50"] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert!(!html.contains("<b>evil") && !html.contains("http:"), "{html}");
    assert!(folder.path().join("out/leaderboard.js").is_file());
}

#[test]
fn a_later_grade_stands_beside_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path(), "m", Value::Null, [Outcome::Passed, Outcome::Failed]);
    failed(folder.path(), TASKS[0]);
    let board = Leaderboard::of("t", &[run], &judges(folder.path()), &PriceTable::bundled().unwrap()).unwrap();
    let page = board.write(folder.path()).unwrap();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<span class=\"old\">50.00</span> 0.00"), "{html}");
    let judge = JudgeDigests::default().of(tasks().find(TASKS[0]).unwrap(), None).unwrap();
    let by =
        format!("again <small>this checkout, 2023-11-14: scratchbed 0.7, judge {}, Chrome 1</small>", &judge[..12]);
    assert!(html.contains(&by), "{by}: {html}");
}

#[test]
fn an_entry_says_how_many_of_its_verdicts_were_checked() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path(), "m", Value::Null, [Outcome::Passed, Outcome::Passed]);
    failed(folder.path(), TASKS[1]);
    let board = Leaderboard::of("t", &[run], &judges(folder.path()), &PriceTable::bundled().unwrap()).unwrap();
    let page = std::fs::read_to_string(board.write(folder.path()).unwrap()).unwrap();
    assert!(page.contains("1 of 2 attempts were judged again, 1 of them with another result"), "{page}");
    assert_eq!((board.not_regraded(), board.entries[0].sr.value), (1, 100.0), "the rates are the first ones");
}

#[test]
fn runs_that_lack_attempts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path(), "m", Value::Null, [Outcome::Passed, Outcome::ProviderError]);
    let refused = Leaderboard::of("t", &[run], &judges(folder.path()), &PriceTable::bundled().unwrap()).unwrap_err();
    assert_eq!(refused.code(), "not_final");
    assert!(refused.to_string().contains("1 owed, 0 dead"), "{refused}");
}

#[test]
fn what_a_bundle_claims_stands_apart_until_this_checkout_has_judged_it() {
    let folder = tempfile::tempdir().unwrap();
    let own = run(folder.path(), "own", Value::Null, [Outcome::Failed, Outcome::Failed]);
    let other = run(folder.path(), "other", Value::Null, [Outcome::Passed, Outcome::Passed]);
    let prices = PriceTable::bundled().unwrap();
    for task in TASKS {
        // A grade by the very judge of this checkout, as whoever packs a bundle may write it.
        let judge = JudgeDigests::default().of(tasks().find(task).unwrap(), None).unwrap();
        let (format, version, graded_at, outcome) = (RUN_FORMAT, "0".to_owned(), 1.0, Outcome::Passed);
        let grade = GradeRecord { format, judge, version, graded_at, outcome, error: None, verdict: None };
        other.keep_grade(&format!("{task}.1"), &grade).unwrap();
    }
    let file = folder.path().join("b.zip");
    pack_runs(&[&other], &[], &file, &|| ()).unwrap();
    let opened = open_runs(&file).unwrap();
    let runs = [own, opened.runs[0].clone()];
    let board = |runs: &[RunDir]| {
        let board = Leaderboard::of("t", runs, &judges(folder.path()), &prices).unwrap();
        let page = std::fs::read_to_string(board.write(&folder.path().join("out")).unwrap()).unwrap();
        (serde_json::to_value(board).unwrap(), page)
    };
    let (claimed, page) = board(&runs);
    assert_eq!((&claimed["entries"][0]["run"], &claimed["claimed"][0]["run"]), (&json!("own"), &json!("other")));
    let entry = &claimed["claimed"][0];
    assert_eq!(
        (&entry["graded"], &entry["graded_by"], &entry["checked"], &entry["judged_again"]),
        (&json!("claimed"), &json!("as claimed by the file"), &json!(false), &json!(0))
    );
    assert!(page.contains("As claimed by files") && page.contains("has judged 0 of its 2 projects"), "{page}");
    for task in TASKS {
        failed(folder.path(), task);
    }
    let (judged, page) = board(&runs);
    assert!(judged["claimed"].as_array().unwrap().is_empty() && !page.contains("As claimed by files"), "{page}");
    let entry = judged["entries"].as_array().unwrap().iter().find(|entry| entry["run"] == "other").unwrap();
    assert_eq!(
        (&entry["graded"], &entry["graded_by"], &entry["checked"], &entry["sr"]["value"], &entry["from_file"]),
        (&json!("again"), &json!("this checkout"), &json!(true), &json!(0.0), &json!(true))
    );
}

#[test]
fn names_are_shown_whole_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(5000);
    let command = "python3 /home/me/agent.py";
    let names = [
        ("<img src=x onerror=alert(1)>", Value::Null, "&lt;img src=x onerror=alert(1)&gt;".to_owned()),
        ("a\u{202e}b\u{1b}[2J\nc", Value::Null, "a…b…[2J…c".to_owned()),
        (long.as_str(), Value::Null, format!("{}…", "x".repeat(79))),
        (command, json!({"agent": {"command": command}}), "python3 …".to_owned()),
    ];
    let runs = names.iter().enumerate().map(|(at, (agent, options, _))| {
        let made = run(folder.path(), &format!("run-{at}"), options.clone(), [Outcome::Failed, Outcome::Failed]);
        let record = RunRecord { agent: (*agent).to_owned(), ..made.record().clone() };
        made.keep("run.json", &record).unwrap();
        RunDir::open(made.path()).unwrap()
    });
    let runs: Vec<RunDir> = runs.collect();
    let prices = PriceTable::bundled().unwrap();
    let board = Leaderboard::of("t", &runs, &judges(folder.path()), &prices).unwrap();
    let page = std::fs::read_to_string(board.write(&folder.path().join("out")).unwrap()).unwrap();
    for (_, _, shown) in &names {
        assert!(page.contains(&format!("<th scope=\"row\">{shown}</th>")), "{shown}: {page}");
    }
}
