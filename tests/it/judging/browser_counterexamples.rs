//! Programs that a judge once took for what they are not, or that it might: each stands in
//! `tests/fixtures/counterexamples/<task>/` as the text of a whole project that uses the task's assets, named
//! `accept_<name>.txt` if it does what the instruction asks, else `refuse_<name>.txt`. The name says what the program does otherwise, and
//! where that is not enough, so does a remark before the first line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use futures::stream;
use futures::{StreamExt, TryStreamExt};
use scratchbed::compile::{BuildError, Source, compile};
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{Outcome, Verdict};
use scratchbed::session::Fleet;
use scratchbed::taskset::{TaskEntry, TaskSet};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;

/// Pages at work at the same time; the tests' machine has two cores.
const LANES: usize = 2;

struct Counterexample<'a> {
    entry: &'a TaskEntry,
    text: PathBuf,
    wanted: Outcome,
}

impl Counterexample<'_> {
    fn name(&self) -> String {
        format!("{}/{}", self.entry.task.id, self.text.file_name().unwrap().to_string_lossy())
    }

    /// Says what is wrong with the verdict, if anything is.
    fn complaint(&self, verdict: &Verdict) -> Option<String> {
        let Verdict { outcome, details, error, .. } = verdict;
        let failed = details.iter().filter(|test| !test.passed);
        let tests: Vec<_> =
            failed.map(|test| format!("{}: {}", test.name, test.error.as_deref().unwrap_or_default())).collect();
        (*outcome != self.wanted).then(|| format!("{}: {} {error:?} {tests:#?}", self.name(), outcome.name()))
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn folders() -> Vec<PathBuf> {
    sorted(&root().join("tests/fixtures/counterexamples"))
}

fn name_of(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

fn counterexamples(set: &TaskSet) -> Vec<Counterexample<'_>> {
    let mut found = Vec::new();
    for folder in folders() {
        let entry = set.find(name_of(&folder)).unwrap();
        for text in sorted(&folder) {
            let wanted = if name_of(&text).starts_with("accept_") { Outcome::Passed } else { Outcome::Failed };
            found.push(Counterexample { entry, text, wanted });
        }
    }
    found
}

#[test]
fn each_counterexample_is_one_of_a_task_with_its_verdict_and_its_reason_in_its_name() {
    let set = TaskSet::read(root()).unwrap();
    assert!(!folders().is_empty());
    for folder in folders() {
        assert!(set.find(name_of(&folder)).is_ok(), "{} names no task", folder.display());
        for text in sorted(&folder) {
            let reason = ["accept_", "refuse_"].iter().find_map(|verdict| name_of(&text).strip_prefix(verdict));
            let is_text = text.extension().is_some_and(|kind| kind == "txt");
            assert!(is_text && reason.is_some_and(|reason| reason.len() >= 4), "{}", text.display());
        }
    }
}

/// Builds some of them, one after another in one page.
async fn build(fleet: &Fleet, some: Vec<&Counterexample<'_>>) -> Result<Vec<Vec<u8>>, BuildError> {
    let lease = fleet.acquire().await?;
    let mut built = Vec::new();
    for one in some {
        let source = Source::read_with(&one.text, one.entry.asset_folders())?;
        let project = compile(&lease.page, &source).await;
        built.push(project.unwrap_or_else(|error| panic!("{}: {error}", one.name())).write().unwrap());
    }
    fleet.release(lease).await;
    Ok(built)
}

#[test]
fn every_counterexample_gets_the_verdict_in_its_name() {
    in_shared_browsers(async {
    let set = TaskSet::read(root()).unwrap();
    let all = counterexamples(&set);
    let fleet = fleet().await;
    let shares = all.chunks(all.len().div_ceil(LANES)).map(|share| build(&fleet, share.iter().collect()));
    let built: Vec<Vec<Vec<u8>>> = stream::iter(shares).buffered(LANES).try_collect().await.unwrap();
    let judges = Judges::new(fleet.clone(), LANES);
    let verdicts = all.iter().zip(built.concat()).map(|(one, sb3)| {
        let judges = judges.clone();
        async move {
            let seed = one.entry.task.seeds.first().copied().unwrap_or_default();
            let verdict = judges.judge(one.entry, &sb3, &Conditions::seeded(seed)).await.unwrap().verdict;
            one.complaint(&verdict)
        }
    });
    let complaints: Vec<Option<String>> = stream::iter(verdicts).buffered(LANES).collect().await;
    judges.close().await;
    fleet.shutdown().await;
    assert_eq!(complaints.len(), all.len());
    let complaints: BTreeSet<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "judged otherwise than their names say:\n{}", Vec::from_iter(complaints).join("\n"));
    });
}
