//! Predictions judged without a browser: who counts, what a resumed run keeps, and what it refuses.

use std::path::Path;
use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use crate::experiment::fakes::{judged, run_dir, task};
use crate::model::RunRecord;
use crate::project::ProjectError;
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
    let task = TaskEntry { task: task("a", 9, 9), folder: "/".into(), scripts: "/".into(), pack: None };
    Prediction { place: format!("line {attempt}"), task, project, attempt }
}

async fn outcomes(judge: &ByContent, dir: &RunDir, all: &[Prediction]) -> (Vec<Outcome>, usize) {
    let run = PredictionRun { judge, dir, mode: Mode::Composite, jobs: 2 };
    let before = Mutex::new(0);
    let on_end = |one: Judged<'_>| *before.lock().unwrap() += usize::from(one.before);
    let records = judge_predictions(all, run, &on_end).await.unwrap();
    (records.iter().map(|record| record.outcome).collect(), before.into_inner().unwrap())
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
    let dir = run_dir(runs.path());
    let judge = ByContent::default();
    let (ends, _) = outcomes(&judge, &dir, &all).await;
    assert_eq!(ends, [Outcome::Passed, Outcome::Failed, Outcome::InfraError, Outcome::Failed]);
    let given = judge.0.lock().unwrap().clone();
    assert_eq!(given.iter().filter(|text| *text == "page gone").count(), TRIES as usize);
    assert_eq!(given.len(), 3 + TRIES as usize);
    assert_eq!(dir.attempts().unwrap().len(), 4);

    let again = ByContent::default();
    let (resumed, before) = outcomes(&again, &dir, &all).await;
    assert_eq!((resumed, before), (ends, 3));
    assert!(again.0.lock().unwrap().iter().all(|text| text == "page gone"));
}

#[tokio::test]
async fn a_run_goes_on_with_the_projects_that_it_has_judged_and_with_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let all = [prediction(folder.path(), 1, "fine"), prediction(folder.path(), 2, "half")];
    let runs = tempfile::tempdir().unwrap();
    let record = run_dir(&runs.path().join("other")).record().clone();
    let dir = RunDir::create(runs.path(), RunRecord { tasks: tasks_of(&all), ..record }).unwrap();
    outcomes(&ByContent::default(), &dir, &all).await;
    assert_eq!(check_run(&dir, &all).unwrap(), None);
    let gone = check_run(&dir, &all[..1]).unwrap().unwrap();
    assert!(gone.contains("project 2"), "{gone}");
    prediction(folder.path(), 2, "another");
    let other = check_run(&dir, &all).unwrap().unwrap();
    assert!(other.contains("line 2"), "{other}");
    let mut elsewhere = all.to_vec();
    elsewhere[1].task.task.id = "b".parse().unwrap();
    assert!(check_run(&dir, &elsewhere).unwrap().unwrap().contains("other tasks"));
}
