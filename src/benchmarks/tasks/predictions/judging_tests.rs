//! Predictions judged without a browser: what counts, what a resumed run keeps, and what it refuses.

use std::path::Path;
use std::sync::Mutex;

use tokio_util::sync::CancellationToken;

use super::*;
use crate::benchmarks::tasks::fakes::{entry, judged, run_dir};
use crate::experiment::engine::Noted;
use crate::experiment::fakes::{arm, ledger};
use crate::experiment::{RunOptions, run};
use crate::model::Verdict;
use crate::project::ProjectError;
use crate::store::RunDir;
use crate::taskset::TaskEntry;

/// Judges by what is in the file, and notes what it was given.
#[derive(Debug, Default)]
struct ByContent(Mutex<Vec<String>>);

#[async_trait]
impl Judging for ByContent {
    async fn judge(&self, _: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError> {
        let text = String::from_utf8_lossy(sb3).into_owned();
        self.0.lock().unwrap().push(text.clone());
        match text.as_str() {
            "no project" => Err(ProjectError::NoProjectJson.into()),
            "page gone" => Ok(judged(Outcome::InfraError, 0)),
            "half" => Ok(judged(Outcome::Failed, 1)),
            _ => Ok(judged(Outcome::Passed, 3)),
        }
    }
}

fn prediction(folder: &Path, attempt: u32, content: &str) -> Prediction {
    let project = folder.join(format!("{attempt}.sb3"));
    fs::write(&project, content).unwrap();
    Prediction { place: format!("line {attempt}"), task: entry("a"), project, attempt }
}

fn predicted(judge: &Arc<ByContent>, predictions: &[Prediction]) -> Predicted {
    Predicted { judge: judge.clone(), mode: Mode::Composite, predictions: predictions.to_vec() }
}

async fn outcomes(judge: &Arc<ByContent>, dir: &RunDir, all: &[Prediction]) -> (Vec<Outcome>, u64) {
    let known = Mutex::new(0);
    let note = |noted: Noted<'_>| {
        if let Noted::Began(cells) = noted {
            *known.lock().unwrap() = cells.decided;
        }
    };
    let manner = RunOptions { jobs: 2, retries: 2, retry_failed_calls: false };
    let arm = arm(predicted(judge, all), dir);
    let records = run(&ledger(dir).await, &arm, manner, &CancellationToken::new(), &note).await.unwrap();
    (records.iter().map(|record| record.outcome).collect(), known.into_inner().unwrap())
}

#[tokio::test]
async fn each_project_is_judged_once_and_only_what_the_testbed_spoiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<Prediction> = ["fine", "no project", "page gone", "half"]
        .into_iter()
        .zip(1..)
        .map(|(content, attempt)| prediction(folder.path(), attempt, content))
        .collect();
    let runs = tempfile::tempdir().unwrap();
    let record = crate::model::RunRecord { attempts: 5, ..crate::store::fakes::run(&["a"]) };
    let dir = RunDir::create(runs.path(), record).unwrap();
    let judge = Arc::new(ByContent::default());
    let (ends, _) = outcomes(&judge, &dir, &all).await;
    assert_eq!(ends, [Outcome::Passed, Outcome::Failed, Outcome::InfraError, Outcome::Failed]);
    let given = judge.0.lock().unwrap().clone();
    assert_eq!(given.iter().filter(|text| *text == "page gone").count(), 3);
    assert_eq!((given.len(), dir.attempts::<TaskDetail>().unwrap().len()), (6, 6), "each try is recorded");

    let again = Arc::new(ByContent::default());
    let (resumed, before) = outcomes(&again, &dir, &all).await;
    assert_eq!((resumed, before), (ends, 3));
    assert!(again.0.lock().unwrap().iter().all(|text| text == "page gone"));
}

#[tokio::test]
async fn other_projects_have_another_digest() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Arc::new(ByContent::default());
    let all = [prediction(folder.path(), 1, "fine"), prediction(folder.path(), 2, "half")];
    let digest = |all: &[Prediction]| predicted(&judge, all).digest();
    let first = digest(&all);
    assert_eq!(digest(&all), first);
    assert_ne!(digest(&all[..1]), first);
    let mut elsewhere = all.to_vec();
    elsewhere[1].task.task.id = "b".parse().unwrap();
    assert_ne!(digest(&elsewhere), first);
    prediction(folder.path(), 2, "another");
    assert_ne!(digest(&all), first);
    let runs = tempfile::tempdir().unwrap();
    let (ends, _) = outcomes(&judge, &run_dir(runs.path(), &["a"]), &all).await;
    assert_eq!(ends, [Outcome::Passed], "a run has as many attempts as it says");
}
