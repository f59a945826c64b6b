//! Under which secret seeds recorded attempts are judged again.

use std::path::Path;
use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::json;

use super::{CurrentJudges, How, regrade};
use crate::benchmarks::tasks::Judging;
use crate::judge::JudgeError;
use crate::model::{
    AttemptRecord, Cost, Hashes, ItemId, Outcome, RUN_FORMAT, RunRecord, TaskDetail, TaskRecord, Verdict, sha256_hex,
};
use crate::store::{RunDir, TakenFrom, VerdictStore, fakes, open_runs, pack_runs};
use crate::taskset::{TaskEntry, TaskSet};

/// A task whose script draws what it asks, and one whose script does not.
const DRAWING: &str = "day_of_year";
const FIXED: &str = "kite_gusts";

/// Notes the secret seeds that it is given, and passes everything.
#[derive(Debug, Default)]
struct Noting(Mutex<Vec<Option<u64>>>);

impl Noting {
    fn take(&self) -> Vec<Option<u64>> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[async_trait]
impl Judging for Noting {
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError> {
        self.judge_as(task, sb3, None).await
    }

    async fn judge_as(&self, task: &TaskEntry, _: &[u8], secret: Option<u64>) -> Result<Verdict, JudgeError> {
        self.0.lock().unwrap().push(secret);
        let details = [json!({"name": "a test", "passed": true})];
        let verdict = json!({
            "task": task.task.id, "outcome": Outcome::Passed, "passed_tests": 1, "total_tests": 1, "details": details,
            "seed": 1, "clock": "virtual", "hashes": Hashes::default(),
        });
        Ok(serde_json::from_value(verdict).unwrap())
    }
}

/// The verdicts of the checkout whose runs lie in this folder.
fn store(folder: &Path) -> VerdictStore {
    VerdictStore::new(folder.join("verdicts"))
}

/// A run of that checkout with this secret seed and one attempt, which left the same project as all others.
fn run(folder: &Path, id: &str, task: &str, judge_seed: Option<u64>) -> RunDir {
    let record = RunRecord { id: id.to_owned(), judge_seed, ..fakes::run(&[task]) };
    let run = RunDir::create(folder, record).unwrap();
    store(folder).keep_begun(&run).unwrap();
    attempt(&run, task, 1);
    run
}

/// Completes an attempt, which leaves the same project as all others.
fn attempt(run: &RunDir, task: &str, attempt: u32) {
    let item: ItemId = task.parse().unwrap();
    let dir = run.begin(&item, attempt, 0).unwrap();
    dir.keep_project(b"sb3").unwrap();
    let detail: TaskDetail = serde_json::from_value(json!({
        "category": "compute", "mode": "composite", "ending": "done", "steps": 2, "passed_tests": 1, "total_tests": 1,
        "judging_s": 1.0,
    }))
    .unwrap();
    let (format, outcome, cost) = (RUN_FORMAT, Outcome::Passed, Cost::default());
    let record: TaskRecord = AttemptRecord { format, item, attempt, retry: 0, outcome, error: None, cost, detail };
    dir.complete(&record).unwrap();
}

#[tokio::test]
async fn an_attempt_is_judged_again_under_the_seed_of_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let store = store(folder.path());
    let (judges, judge) = (CurrentJudges::new(tasks, store.clone()), Noting::default());
    let how = How { jobs: 1, fresh: false, only: None };
    let noted = async |run: &RunDir| {
        regrade(run, &judges, &judge, how, &|| ()).await.unwrap();
        judge.take()
    };
    let (one, other) = (run(folder.path(), "one", DRAWING, Some(5)), run(folder.path(), "other", DRAWING, Some(6)));
    assert_eq!(noted(&one).await, [Some(5)]);
    assert!(noted(&one).await.is_empty(), "the verdict is known");
    assert_eq!(noted(&other).await, [Some(6)], "the one under another seed says nothing of this one");
    assert_eq!(noted(&run(folder.path(), "older", DRAWING, None)).await, [None], "as it was judged at first");

    assert_eq!(noted(&run(folder.path(), "fixed", FIXED, Some(5))).await, [None]);
    let again = noted(&run(folder.path(), "again", FIXED, Some(6))).await;
    assert!(again.is_empty(), "where nothing is drawn, all seeds are one: {again:?}");

    let file = folder.path().join("bundle.zip");
    pack_runs(&[&one], &[], &file, &|| ()).unwrap();
    let own = store.judge_seed(&sha256_hex(b"sb3")).unwrap();
    assert_eq!(noted(&open_runs(&file).unwrap().runs[0]).await, [Some(own)], "not the seed that its maker names");
    assert!(own > 6);

    let elsewhere = tempfile::tempdir().unwrap();
    for (id, seed) in [("handed_over", Some(5)), ("without", None)] {
        let made = run(elsewhere.path(), id, DRAWING, seed);
        assert_eq!(noted_fresh(&made, &judges, &judge).await, [Some(own)], "{id}: it was not begun here");
        std::fs::rename(made.path(), folder.path().join(id)).unwrap();
        let moved = RunDir::open(&folder.path().join(id)).unwrap();
        assert_eq!(noted_fresh(&moved, &judges, &judge).await, [Some(own)], "{id}: nor was it as a folder of ours");
    }
}

#[tokio::test]
async fn no_file_of_an_attempt_decides_under_which_seed_it_is_judged_again() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let tasks = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let store = store(folder.path());
    let (judges, judge) = (CurrentJudges::new(tasks, store.clone()), Noting::default());
    let (from, to) = (run(folder.path(), "from", DRAWING, Some(5)), run(folder.path(), "to", DRAWING, Some(6)));
    let name = format!("{DRAWING}.1");
    let file = to.path().join("attempts").join(&name).join("taken_from.json");
    let write = |judge_seed| {
        let (experiment, arm, attempt) = ("e".to_owned(), "from".to_owned(), "e:1#1".to_owned());
        let taken = TakenFrom { experiment, arm, attempt, judge_seed };
        std::fs::write(&file, serde_json::to_vec(&taken).unwrap()).unwrap();
    };
    let own = store.judge_seed(&sha256_hex(b"sb3")).unwrap();
    store.keep_taken(&run(elsewhere.path(), "theirs", DRAWING, Some(8)), to.path(), &name).unwrap();
    for written in [None, Some(6), Some(8)] {
        write(written);
        assert_eq!(noted_fresh(&to, &judges, &judge).await, [Some(own)], "{written:?}: none of ours was kept");
    }
    store.keep_taken(&from, to.path(), &name).unwrap();
    for written in [None, Some(5), Some(8)] {
        write(written);
        assert_eq!(noted_fresh(&to, &judges, &judge).await, [Some(5)], "{written:?}: as it was judged at first");
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(noted_fresh(&to, &judges, &judge).await, [Some(6)]);
}

#[tokio::test]
async fn what_came_with_a_run_is_never_judged_under_the_seed_of_what_follows() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let tasks = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let store = store(folder.path());
    let (judges, judge) = (CurrentJudges::new(tasks, store.clone()), Noting::default());
    let place = folder.path().join("theirs");
    std::fs::rename(run(elsewhere.path(), "theirs", DRAWING, Some(5)).path(), &place).unwrap();
    let own = store.with_own_seed(RunDir::resume(&place).unwrap()).unwrap();
    attempt(&own, DRAWING, 2);
    let drawn = own.record().judge_seed;
    let of_project = Some(store.judge_seed(&sha256_hex(b"sb3")).unwrap());
    assert!(drawn > Some(5) && drawn != of_project);
    assert_eq!(noted_fresh(&own, &judges, &judge).await, [of_project, drawn]);
    assert!(own.is_claimed(&format!("{DRAWING}.1")) && !own.is_claimed(&format!("{DRAWING}.2")));
}

/// The seeds under which a run is judged again, whatever is known of it.
async fn noted_fresh(run: &RunDir, judges: &CurrentJudges, judge: &Noting) -> Vec<Option<u64>> {
    regrade(run, judges, judge, How { jobs: 1, fresh: true, only: None }, &|| ()).await.unwrap();
    judge.take()
}
