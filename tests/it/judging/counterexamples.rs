//! Programs that a judge once took for what they are not, or that it might: each stands in
//! `tests/fixtures/counterexamples/<task>/` as the text of a whole project that uses the task's assets, named
//! `accept_<name>.txt` if it does what the instruction asks, else `refuse_<name>.txt`. The name says what the program does otherwise, and
//! where that is not enough, so does a remark before the first line.

use std::fs;
use std::path::{Path, PathBuf};

use scratchbed::compile::{Source, compile};
use scratchbed::model::{Hashes, Outcome, Verdict};
use scratchbed::page::Page;
use scratchbed::taskset::{TaskEntry, TaskSet};
use serde_json::json;

use super::verdict_file::{JudgingEnvironment, SourceDigests, VerdictFile, VerdictRecord};
use crate::support::root;

/// A program with the verdict that its name asks for.
pub struct Counterexample {
    pub entry: TaskEntry,
    text: PathBuf,
    wanted: Outcome,
}

impl Counterexample {
    /// Task and file.
    pub fn name(&self) -> String {
        format!("{}/{}", self.entry.task.id, self.text.file_name().unwrap().to_string_lossy())
    }

    /// The seed that it is judged under.
    pub fn seed(&self) -> u64 {
        self.entry.task.seeds.first().copied().unwrap_or_default()
    }

    /// The digests of what it is judged by.
    pub fn digests(&self) -> SourceDigests {
        SourceDigests::of(&self.entry, &self.text, self.seed())
    }

    /// Builds the project file.
    pub async fn build(&self, page: &Page) -> Vec<u8> {
        let source = Source::read_with(&self.text, self.entry.asset_folders()).unwrap();
        let project = compile(page, &source).await.unwrap_or_else(|error| panic!("{}: {error}", self.name()));
        project.write().unwrap()
    }

    /// What is wrong with a recorded verdict, if anything is.
    pub fn complaint_about_record(&self, record: &VerdictRecord) -> Option<String> {
        (record.outcome != self.wanted).then(|| format!("{}: recorded as {}", self.name(), record.summary()))
    }

    /// What is wrong with a verdict, if anything is.
    pub fn complaint(&self, verdict: &Verdict) -> Option<String> {
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

/// The folder of the committed counterexamples.
pub fn fixtures() -> PathBuf {
    root().join("tests/fixtures/counterexamples")
}

fn name_of(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

/// The counterexamples below a folder, sorted by name.
pub fn counterexamples(folder: &Path) -> Vec<Counterexample> {
    let set = TaskSet::read(root()).unwrap();
    let mut found = Vec::new();
    for folder in sorted(folder) {
        let entry = set.find(name_of(&folder)).unwrap();
        for text in sorted(&folder) {
            let wanted = if name_of(&text).starts_with("accept_") { Outcome::Passed } else { Outcome::Failed };
            found.push(Counterexample { entry: entry.clone(), text, wanted });
        }
    }
    found
}

#[test]
fn each_counterexample_is_one_of_a_task_with_its_verdict_and_its_reason_in_its_name() {
    let set = TaskSet::read(root()).unwrap();
    let folders = sorted(&fixtures());
    assert!(!folders.is_empty());
    for folder in folders {
        assert!(set.find(name_of(&folder)).is_ok(), "{} names no task", folder.display());
        for text in sorted(&folder) {
            let reason = ["accept_", "refuse_"].iter().find_map(|verdict| name_of(&text).strip_prefix(verdict));
            let is_text = text.extension().is_some_and(|kind| kind == "txt");
            assert!(is_text && reason.is_some_and(|reason| reason.len() >= 4), "{}", text.display());
        }
    }
}

/// The counterexamples of two tasks in copies of their files, all recorded.
struct RecordedCopy {
    folder: tempfile::TempDir,
    all: Vec<Counterexample>,
    file: VerdictFile,
    now: JudgingEnvironment,
}

impl RecordedCopy {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let scripts = folder.path().join("eval-scripts");
        copy(&root().join("eval-scripts/lib"), &scripts.join("lib"));
        for task in ["kite_gusts", "stuck_ferry"] {
            copy(&fixtures().join(task), &folder.path().join("texts").join(task));
            let script = format!("{task}.js");
            fs::copy(root().join("eval-scripts").join(&script), scripts.join(script)).unwrap();
        }
        let mut all = counterexamples(&folder.path().join("texts"));
        for one in &mut all {
            one.entry.scripts.clone_from(&scripts);
        }
        let now = JudgingEnvironment::with_browser("Chrome/1");
        let verdict: Verdict = serde_json::from_value(json!({
            "task": "kite_gusts", "outcome": "passed", "passed_tests": 1, "total_tests": 1, "details": [], "seed": 1,
            "clock": "virtual", "trace_hash": null, "hashes": Hashes::default(),
        }))
        .unwrap();
        let records = all.iter().map(|one| (one.name(), VerdictRecord::of(&one.digests(), b"", &verdict)));
        let file = VerdictFile::new(now.clone(), records.collect());
        Self { folder, all, file, now }
    }

    /// The names of those that are built and judged on a day that no sample is taken.
    fn anew(&self) -> Vec<String> {
        let is_open = |one: &&Counterexample| self.file.of_text(&one.name(), &self.now, &one.digests()).is_none();
        self.all.iter().filter(is_open).map(Counterexample::name).collect()
    }

    fn of_task(&self, task: &str) -> Vec<String> {
        self.all.iter().filter(|one| one.entry.task.id.as_str() == task).map(Counterexample::name).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in sorted(from) {
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

/// Changes one byte in the middle of a file.
fn change_a_byte(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] = if bytes[middle] == b'x' { b'y' } else { b'x' };
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_changed_byte_of_a_script_has_the_counterexamples_of_its_task_judged_again_and_no_others() {
    let copy = RecordedCopy::new();
    assert_eq!(copy.anew(), [""; 0]);
    change_a_byte(&copy.folder.path().join("eval-scripts/kite_gusts.js"));
    assert_eq!(copy.anew(), copy.of_task("kite_gusts"));
    assert!(copy.of_task("kite_gusts").len() < copy.all.len());
}

#[test]
fn a_changed_byte_of_a_text_has_this_one_judged_again_and_no_other() {
    let copy = RecordedCopy::new();
    change_a_byte(&copy.folder.path().join("texts/kite_gusts/refuse_think.txt"));
    assert_eq!(copy.anew(), ["kite_gusts/refuse_think.txt"]);
}

#[test]
fn a_changed_limit_or_helper_has_counterexamples_judged_again() {
    let mut copy = RecordedCopy::new();
    copy.all[0].entry.task.limits.case_ms += 1;
    assert_eq!(copy.anew(), [copy.all[0].name()]);
    change_a_byte(&copy.folder.path().join("eval-scripts/lib/suite.js"));
    assert_eq!(copy.anew().len(), copy.all.len());
}
