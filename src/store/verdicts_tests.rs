//! Tests of `verdicts`.

use std::os::unix::fs::PermissionsExt as _;

use super::*;
use crate::model::{GradeRecord, Outcome, RUN_FORMAT, RunRecord};
use crate::store::fakes;

#[test]
fn a_run_that_was_begun_here_is_known_by_its_place_and_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let store = VerdictStore::new(runs.join("verdicts"));
    let record = |id: &str, seed| RunRecord { id: id.to_owned(), judge_seed: Some(seed), ..fakes::run(&["a"]) };
    let own = RunDir::create(&runs, record("own", 5)).unwrap();
    assert!(!store.has_begun(&own).unwrap());
    store.keep_begun(&own).unwrap();
    let place = store.place(&own);
    let kept = store.records.folder().join(&place[..2]).join(format!("{place}.json"));
    for file in [own.path().join("run.json"), kept] {
        let mode = std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{} has a secret seed", file.display());
        for made in file.ancestors().skip(1).take_while(|made| *made != folder.path()) {
            let mode = std::fs::metadata(made).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o700, "{} is above it", made.display());
        }
    }
    let theirs = RunDir::create(&runs, record("theirs", 5)).unwrap();
    assert!(store.has_begun(&own).unwrap() && !store.has_begun(&theirs).unwrap());
    let dir = theirs.begin(&"a".parse().unwrap(), 1, 0).unwrap();
    std::fs::write(dir.path().join("attempt.json"), "{}").unwrap();
    store.keep_begun(&theirs).unwrap();
    assert!(!store.has_begun(&theirs).unwrap(), "it came with attempts");
    let other = own.with_judge_seed(Some(6)).unwrap();
    assert!(!store.has_begun(&other).unwrap());
    drop((other, theirs));
    std::fs::rename(folder.path().join("runs"), folder.path().join("moved")).unwrap();
    let store = VerdictStore::new(folder.path().join("moved/verdicts"));
    let moved = RunDir::open(&folder.path().join("moved/own")).unwrap().with_judge_seed(Some(5)).unwrap();
    assert!(store.has_begun(&moved).unwrap(), "with its checkout");
}

#[test]
fn a_run_that_was_handed_over_empty_gets_a_seed_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let store = VerdictStore::new(folder.path().join("verdicts"));
    let run = |id: &str, judge_seed| {
        let record = RunRecord { id: id.to_owned(), judge_seed, ..fakes::run(&["a"]) };
        RunDir::create(folder.path(), record).unwrap()
    };
    for (id, theirs) in [("chosen", Some(5)), ("without", None)] {
        let own = store.with_own_seed(run(id, theirs)).unwrap();
        assert!(own.record().judge_seed > Some(5), "{id}");
        store.keep_begun(&own).unwrap();
        let (path, seed) = (own.path().to_owned(), own.record().judge_seed);
        drop(own);
        let again = store.with_own_seed(RunDir::resume(&path).unwrap()).unwrap();
        assert_eq!(again.record().judge_seed, seed, "{id}: by now it was begun here");
    }
    let answered = run("answered", None);
    let answers = answered.path().join("answers.jsonl");
    std::fs::write(&answers, "{}\n").unwrap();
    let own = store.with_own_seed(answered).unwrap();
    assert!(
        !answers.exists() && own.path().join("handed_over_answers.jsonl").exists(),
        "nobody here has asked for them"
    );
    let begun = run("begun", Some(5));
    store.keep_begun(&begun).unwrap();
    assert_eq!(store.with_own_seed(begun).unwrap().record().judge_seed, Some(5), "as it was given");
    let judged = run("judged", Some(5));
    let dir = judged.begin(&"a".parse().unwrap(), 1, 0).unwrap();
    std::fs::write(dir.path().join("attempt.json"), "{}").unwrap();
    store.keep_begun(&judged).unwrap();
    assert!(store.with_own_seed(judged).unwrap().record().judge_seed > Some(5), "what is still to be judged has ours");
}

#[test]
fn a_checkout_has_a_seed_for_each_project_that_was_made_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let seed = |name: &str, project: &str| VerdictStore::new(folder.path().join(name)).judge_seed(project).unwrap();
    assert_eq!(seed("here", "p"), seed("here", "p"));
    assert_ne!(seed("here", "p"), seed("here", "q"));
    assert_ne!(seed("here", "p"), seed("elsewhere", "p"));
}

#[test]
fn a_verdict_is_found_for_its_task_project_and_judge_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = VerdictStore::new(folder.path().join("verdicts"));
    let of = |task: &str, project: &str, outcome| VerdictRecord {
        task: task.parse().unwrap(),
        project: project.to_owned(),
        judge_seed: Some(7),
        grade: GradeRecord {
            format: RUN_FORMAT,
            judge: "j".to_owned(),
            version: "0".to_owned(),
            graded_at: 1.0,
            outcome,
            error: None,
            verdict: None,
        },
    };
    let found = |task: &str, project: &str, judge: &str| {
        store.find(&task.parse().unwrap(), project, judge, Some(7)).unwrap().map(|found| found.grade.outcome)
    };
    assert_eq!(found("a", "p", "j"), None);
    store.keep(&of("a", "p", Outcome::Passed)).unwrap();
    for (task, project, judge) in [("b", "p", "j"), ("a", "q", "j"), ("a", "p", "k")] {
        assert_eq!(found(task, project, judge), None, "{task} {project} {judge}");
    }
    assert_eq!(store.find(&"a".parse().unwrap(), "p", "j", Some(8)).unwrap(), None, "under another seed");
    store.keep(&of("a", "p", Outcome::Failed)).unwrap();
    assert_eq!(found("a", "p", "j"), Some(Outcome::Failed), "the last one holds");
}

/// A run with the secret seed 5 and one complete attempt, which no store knows.
fn brought(folder: &Path) -> RunDir {
    let run = RunDir::create(folder, RunRecord { judge_seed: Some(5), ..fakes::run(&["a"]) }).unwrap();
    complete(&run, 1);
    run
}

/// Completes an attempt.
fn complete(run: &RunDir, attempt: u32) {
    let dir = run.begin(&"a".parse().unwrap(), attempt, 0).unwrap();
    std::fs::write(dir.path().join("attempt.json"), "{}").unwrap();
}

#[test]
fn attempts_that_came_with_a_run_are_claims_and_bring_no_seed_into_judgements_to_come() {
    let folder = tempfile::tempdir().unwrap();
    let store = VerdictStore::new(folder.path().join("verdicts"));
    let own = store.with_own_seed(brought(folder.path())).unwrap();
    complete(&own, 2);
    let (path, seed) = (own.path().to_owned(), own.record().judge_seed);
    drop(own);
    let own = store.with_own_seed(RunDir::resume(&path).unwrap()).unwrap();
    assert!(own.record().judge_seed == seed && seed > Some(5), "drawn once");
    assert_eq!(["a.1", "a.2"].map(|name| store.has_made(&own, name).unwrap()), [false, true]);
    assert_eq!(["a.1", "a.2"].map(|name| own.is_claimed(name)), [true, false]);
    assert!(own.has_claims() && own.record().notes[0].starts_with("1 attempt came with the folder"), "{own:?}");
    let kept = path.join("handed_over.json");
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(&kept).unwrap()).unwrap();
    assert_eq!(record, serde_json::json!([{"judge_seed": 5, "attempts": ["a.1"]}]), "what it came with is on record");
    assert_eq!(std::fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);

    // In another checkout all of it came with the folder, and it is said once.
    drop(own);
    let elsewhere = VerdictStore::new(folder.path().join("elsewhere/verdicts"));
    let other = elsewhere.with_own_seed(RunDir::resume(&path).unwrap()).unwrap();
    assert!(other.record().judge_seed != seed && other.is_claimed("a.1") && other.is_claimed("a.2"));
    assert!(other.record().notes.len() == 1 && other.record().notes[0].starts_with("2 attempts"), "{other:?}");
}

#[test]
fn what_a_crash_leaves_of_a_run_that_is_taken_over_counts_as_begun_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let store = VerdictStore::new(folder.path().join("verdicts"));
    let run = brought(folder.path());
    let path = run.path().to_owned();
    let before = std::fs::read(path.join("run.json")).unwrap();
    drop(store.with_own_seed(run).unwrap());
    // All but the record itself was written.
    std::fs::write(path.join("run.json"), before).unwrap();
    let again = store.with_own_seed(RunDir::resume(&path).unwrap()).unwrap();
    assert!(again.record().judge_seed > Some(5) && !store.has_made(&again, "a.1").unwrap());
    assert!(again.record().notes.len() == 1 && again.record().notes[0].starts_with("1 attempt"), "{again:?}");
}

#[test]
fn an_attempt_that_came_with_a_run_brings_no_seed_into_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = VerdictStore::new(folder.path().join("verdicts"));
    let (own, to) = (store.with_own_seed(brought(folder.path())).unwrap(), folder.path().join("to"));
    store.keep_taken(&own, &to, "a.1").unwrap();
    assert_eq!(store.taken(&to, "a.1").unwrap(), None);
    store.keep_taken(&own, &to, "a.2").unwrap();
    assert!(matches!(store.taken(&to, "a.2").unwrap(), Some(JudgeSeed::Given(seed)) if seed > 5));
}
