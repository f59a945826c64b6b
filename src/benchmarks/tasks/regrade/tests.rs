//! Recorded attempts graded anew without a browser.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::json;

use super::*;
use crate::benchmarks::tasks::Judging;
use crate::judge::JudgeError;
use crate::model::{
    AttemptRecord, Cost, Ending, Hashes, Outcome, RUN_FORMAT, RunRecord, TaskDetail, TaskRecord, Verdict,
};
use crate::project::ProjectError;
use crate::store::{RunDir, VerdictStore, fakes, open_runs, pack_runs};
use crate::taskset::TaskSet;

/// A task of the bundled set, so that it has a script.
const TASK: &str = "kite_gusts";

/// Passes as many of three tests as the project says, and counts.
#[derive(Debug, Default)]
struct ByContent(AtomicUsize);

#[async_trait]
impl Judging for ByContent {
    async fn judge(&self, _: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        match sb3 {
            b"no project" => Err(ProjectError::NoProjectJson.into()),
            b"page gone" => Ok(verdict(Outcome::InfraError, 0)),
            content => {
                let passed = u32::from(content[0] - b'0');
                Ok(verdict(if passed == 3 { Outcome::Passed } else { Outcome::Failed }, passed))
            }
        }
    }
}

fn verdict(outcome: Outcome, passed: u32) -> Verdict {
    let details: Vec<_> = (0..3).map(|at| json!({"name": format!("test {at}"), "passed": at < passed})).collect();
    serde_json::from_value(json!({
        "task": TASK, "outcome": outcome, "passed_tests": passed, "total_tests": 3, "details": details, "seed": 1,
        "clock": "virtual", "hashes": Hashes::default(),
    }))
    .unwrap()
}

/// The judges of the bundled tasks, with the verdicts below a folder.
fn judges(folder: &Path) -> CurrentJudges {
    let tasks = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    CurrentJudges::new(tasks, VerdictStore::new(folder.join("verdicts")))
}

/// A run with an attempt for each of these: what the first judge said, how the agent ended, the project.
fn run(folder: &Path, setting: &str, attempts: &[(Outcome, Ending, u32, &[u8])]) -> RunDir {
    let count = u32::try_from(attempts.len()).unwrap();
    let record = RunRecord { setting: setting.into(), attempts: count, ..fakes::run(&[TASK]) };
    let run = RunDir::create(folder, record).unwrap();
    for ((outcome, ending, passed, sb3), attempt) in attempts.iter().zip(1..) {
        let item: crate::model::ItemId = TASK.parse().unwrap();
        let dir = run.begin(&item, attempt, 0).unwrap();
        dir.keep_project(sb3).unwrap();
        dir.keep_verdict(&verdict(*outcome, *passed)).unwrap();
        let detail: TaskDetail = serde_json::from_value(json!({
            "category": "debug", "mode": "composite", "ending": ending, "steps": 2, "passed_tests": passed,
            "total_tests": 3, "judging_s": 1.0,
        }))
        .unwrap();
        let (format, outcome) = (RUN_FORMAT, *outcome);
        let record: TaskRecord =
            AttemptRecord { format, item, attempt, retry: 0, outcome, error: None, cost: Cost::default(), detail };
        dir.complete(&record).unwrap();
    }
    run
}

const fn how(jobs: usize, fresh: bool) -> How<'static> {
    How { jobs, fresh, only: None }
}

#[tokio::test]
async fn both_grades_are_kept_and_what_flipped_is_told() {
    use Outcome::{Failed, Limit, Passed};
    let folder = tempfile::tempdir().unwrap();
    let run = run(
        folder.path(),
        "plain",
        &[
            (Passed, Ending::Done, 3, b"3"),
            (Failed, Ending::Done, 1, b"3"),
            (Limit, Ending::StepLimit, 3, b"2"),
            (Outcome::InfraError, Ending::InfraError, 0, b"3"),
            (Failed, Ending::Done, 1, b"page gone"),
        ],
    );
    let (judges, judge) = (judges(folder.path()), ByContent::default());
    let current = graded_tries(&run, Grading::Current(&judges)).unwrap_err();
    assert_eq!(current.code(), "not_regraded");
    let done = regrade(&run, &judges, &judge, how(2, false), &|| ()).await.unwrap();
    let changed: Vec<_> = done.changed().map(|one| (one.attempt.as_str(), one.change.after.outcome)).collect();
    assert_eq!(changed, [("kite_gusts.2", Passed), ("kite_gusts.3", Limit)]);
    let names: Vec<_> = done.changed().flat_map(|one| &one.change.tests).map(|test| test.test.as_str()).collect();
    assert_eq!(names, ["test 1", "test 2", "test 2"]);
    let unjudged: Vec<_> = done.unjudged.iter().map(|one| (one.attempt.as_str(), one.is_broken)).collect();
    assert_eq!(unjudged, [("kite_gusts.4", false), ("kite_gusts.5", true)]);
    // Originals are what they were, and the broken one has no grade to be read by.
    let original = graded_tries(&run, Grading::Original).unwrap();
    assert_eq!(original[1].record.outcome, Failed);
    assert_eq!(graded_tries(&run, Grading::Current(&judges)).unwrap_err().code(), "not_regraded");
    // What has a grade is not judged again.
    let before = judge.0.load(Ordering::SeqCst);
    let again = regrade(&run, &judges, &judge, how(2, false), &|| ()).await.unwrap();
    assert_eq!((judge.0.load(Ordering::SeqCst) - before, again.changed().count()), (1, 2));
    regrade(&run, &judges, &judge, how(2, true), &|| ()).await.unwrap();
    assert_eq!(judge.0.load(Ordering::SeqCst) - before, 5);
}

#[tokio::test]
async fn a_file_that_is_no_project_has_failed_only_where_it_was_made_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let judges = judges(folder.path());
    for (setting, is_broken) in [("plain", true), ("predictions", false)] {
        let attempts: [(Outcome, Ending, u32, &[u8]); 1] = [(Outcome::Failed, Ending::Done, 0, b"no project")];
        let run = run(&folder.path().join(setting), setting, &attempts);
        let done = regrade(&run, &judges, &ByContent::default(), how(1, false), &|| ()).await.unwrap();
        assert_eq!(done.unjudged.len(), usize::from(is_broken), "{setting}");
        if !is_broken {
            let graded = graded_tries(&run, Grading::Current(&judges)).unwrap();
            assert_eq!((graded[0].record.outcome, graded[0].verdict.is_none()), (Outcome::Failed, true));
        }
    }
}

#[tokio::test]
async fn drags_have_no_projects() {
    let folder = tempfile::tempdir().unwrap();
    let record = RunRecord { benchmark: "drag".into(), ..fakes::run(&["a"]) };
    let run = RunDir::create(folder.path(), record).unwrap();
    let judges = judges(folder.path());
    let refused = regrade(&run, &judges, &ByContent::default(), how(1, false), &|| ()).await.unwrap_err();
    assert_eq!(refused.code(), "nothing_to_regrade");
}

#[tokio::test]
async fn a_sample_is_drawn_over_all_runs_and_the_rest_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, count: usize| {
        // The same project is judged once, whichever attempts have it.
        let projects: Vec<Vec<u8>> = (0..count).map(|at| format!("3 {name} {at}").into_bytes()).collect();
        let attempts: Vec<(Outcome, Ending, u32, &[u8])> =
            projects.iter().map(|sb3| (Outcome::Failed, Ending::Done, 1, sb3.as_slice())).collect();
        run(&folder.path().join(name), "plain", &attempts)
    };
    let runs = [of("one", 30), of("other", 10)];
    let drawn = |sample: &str, seed| sample.parse::<Sample>().unwrap().of(&runs, seed).unwrap();
    let sizes = |sample: &str| drawn(sample, 1).iter().map(std::collections::BTreeSet::len).sum::<usize>();
    assert_eq!(["5%", "1%", "100%", "7", "99"].map(sizes), [2, 1, 40, 7, 40], "a share is rounded up");
    assert_eq!(drawn("25%", 1), drawn("25%", 1));
    assert_ne!(drawn("25%", 1), drawn("25%", 2));
    for wrong in ["0", "0%", "101%", "x%", "", "-1", "NaN%"] {
        assert!(wrong.parse::<Sample>().is_err(), "{wrong}");
    }
    let (judges, judge, only) = (judges(folder.path()), ByContent::default(), &drawn("12", 3)[0]);
    let how = How { only: Some(only), ..how(1, false) };
    let done = regrade(&runs[0], &judges, &judge, how, &|| ()).await.unwrap();
    assert_eq!((done.regraded.len(), judge.0.load(Ordering::SeqCst)), (only.len(), only.len()));
    let again = judged_again(&runs[0], &judges).unwrap();
    assert_eq!((again.of, again.judged, again.differ), (30, only.len(), only.len()), "each passes now");
}

/// A grade by the current judge that calls an attempt passed, as whoever packs a bundle may write one.
fn forged(run: &RunDir, judges: &CurrentJudges, attempt: &str) {
    let judge = judges.judge(judges.tasks.find(TASK).unwrap(), None).unwrap();
    let (format, version, verdict) = (RUN_FORMAT, "0".to_owned(), Some(verdict(Outcome::Passed, 3)));
    let (graded_at, outcome, error) = (1.0, Outcome::Passed, None);
    let grade = crate::model::GradeRecord { format, judge, version, graded_at, outcome, error, verdict };
    run.keep_grade(attempt, &grade).unwrap();
}

#[tokio::test]
async fn a_grade_counts_only_in_the_checkout_that_gave_it() {
    use Outcome::{Failed, Passed};
    let folder = tempfile::tempdir().unwrap();
    let attempts: [(Outcome, Ending, u32, &[u8]); 4] = [
        (Passed, Ending::Done, 3, b"1"),
        (Failed, Ending::Done, 1, b"3"),
        (Passed, Ending::Done, 3, b"no project"),
        (Passed, Ending::InfraError, 3, b"3"),
    ];
    let made = run(folder.path(), "plain", &attempts);
    let (here, elsewhere) = (judges(&folder.path().join("here")), judges(&folder.path().join("elsewhere")));
    for attempt in 1..=3 {
        forged(&made, &here, &format!("{TASK}.{attempt}"));
    }
    let file = folder.path().join("bundle.zip");
    pack_runs(&[&made], &[], &file, &|| ()).unwrap();
    let opened = open_runs(&file).unwrap();
    let run = &opened.runs[0];
    assert_eq!(judged_again(run, &here).unwrap().judged, 0, "the grades in it are claims");
    assert_eq!(graded_tries(run, Grading::Current(&here)).unwrap_err().code(), "not_regraded");
    let judge = ByContent::default();
    let done = regrade(run, &here, &judge, how(1, false), &|| ()).await.unwrap();
    assert_eq!((done.claimed, done.regraded.len(), judge.0.load(Ordering::SeqCst)), (true, 3, 3), "{done:?}");
    assert!(done.regraded.iter().all(|one| !one.kept), "{done:?}");
    let graded = graded_tries(run, Grading::Current(&here)).unwrap();
    let outcomes: Vec<_> =
        graded.iter().map(|one| (one.record.outcome, one.record.detail.passed_tests, one.verdict.is_some())).collect();
    let nothing = (Failed, 0, false);
    assert_eq!(outcomes, [(Failed, 1, true), (Passed, 3, true), nothing, nothing]);
    // The grades that were written into it go nowhere else.
    assert_eq!(run.grade("kite_gusts.1", &done.regraded[0].judge).unwrap().unwrap().outcome, Failed);
    assert_eq!(judged_again(run, &elsewhere).unwrap().judged, 0);
    // What was judged here is not judged again, whatever became of the file.
    let again = regrade(&open_runs(&file).unwrap().runs[0], &here, &judge, how(1, false), &|| ()).await.unwrap();
    assert_eq!((again.regraded.iter().filter(|one| one.kept).count(), judge.0.load(Ordering::SeqCst)), (3, 3));
}
