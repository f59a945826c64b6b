//! Leaderboards of run folders as the store writes them.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::model::{AttemptRecord, Coded as _, Cost, GradeRecord, Mode, Outcome, RUN_FORMAT, RunRecord, TaskDetail};
use crate::store::fakes;

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
    let board = Leaderboard::of("Mine", &runs, &tasks(), &prices).unwrap();
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
    let set = tasks();
    let judge = crate::benchmarks::tasks::regrade::JudgeDigests::default().of(set.find(TASKS[0]).unwrap()).unwrap();
    let grade = GradeRecord {
        format: RUN_FORMAT,
        judge,
        version: "0".into(),
        graded_at: 1.0,
        outcome: Outcome::Failed,
        error: None,
        verdict: None,
    };
    run.keep_grade(&format!("{}.1", TASKS[0]), &grade).unwrap();
    let board = Leaderboard::of("t", &[run], &set, &PriceTable::bundled().unwrap()).unwrap();
    let page = board.write(folder.path()).unwrap();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<span class=\"old\">50.00</span> 0.00"), "{html}");
}

#[test]
fn an_entry_says_how_many_of_its_verdicts_were_checked() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path(), "m", Value::Null, [Outcome::Passed, Outcome::Passed]);
    let set = tasks();
    let judge = crate::benchmarks::tasks::regrade::JudgeDigests::default().of(set.find(TASKS[1]).unwrap()).unwrap();
    let verdict = None;
    let (format, version, graded_at, outcome) = (RUN_FORMAT, "0".to_owned(), 1.0, Outcome::Failed);
    let grade = GradeRecord { format, judge, version, graded_at, outcome, error: None, verdict };
    run.keep_grade(&format!("{}.1", TASKS[1]), &grade).unwrap();
    let board = Leaderboard::of("t", &[run], &set, &PriceTable::bundled().unwrap()).unwrap();
    let page = std::fs::read_to_string(board.write(folder.path()).unwrap()).unwrap();
    assert!(page.contains("1 of 2 attempts were judged again, 1 of them with another result"), "{page}");
    assert_eq!((board.not_regraded(), board.entries[0].sr.value), (1, 100.0), "the rates are the first ones");
}

#[test]
fn runs_that_lack_attempts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path(), "m", Value::Null, [Outcome::Passed, Outcome::ProviderError]);
    let refused = Leaderboard::of("t", &[run], &tasks(), &PriceTable::bundled().unwrap()).unwrap_err();
    assert_eq!(refused.code(), "not_final");
    assert!(refused.to_string().contains("1 owed, 0 dead"), "{refused}");
}
