//! Recorded verdicts on fixed projects: a run of the tests judges those whose digests have changed, and a sample.
//!
//! A verdict depends on the project, the evaluation script with its helpers and limits, the seed, the judge's page scripts, and the
//! versions of editor and browser. The file has one environment for all verdicts, with each browser under which all of them came out the
//! same. Where the browser, the editor or the judge is another one, every project is judged, which is correct and takes longer. Where only
//! the builder is another one, every project is built, and those with the recorded digest are not judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scratchbed::compile::{Source, fingerprint};
use scratchbed::judge::{editor, engine};
use scratchbed::model::{Outcome, Verdict, sha256_hex};
use scratchbed::notation::{parse_all, skeleton_all};
use scratchbed::taskset::TaskEntry;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Hexadecimal digits of a digest in the file.
const DIGITS: usize = 16;
/// Days within which every project is judged again.
const CYCLE: usize = 14;
/// Projects of a day's sample at least, if there are as many.
const SMALLEST_SAMPLE: usize = 10;

const ABOUT: &str = "Written by tests/it/judging/browser_counterexamples.rs (`make gen`), which judges a project only if a digest differs \
    or the date chooses it. With a browser that is not recorded every project is judged: correct, and slower.";

/// The programs that a verdict depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgingEnvironment {
    builder: String,
    judge: String,
    editor: String,
    /// All that judged alike, by their product strings.
    browsers: BTreeSet<String>,
}

impl JudgingEnvironment {
    /// The environment of this checkout with a browser, by its product string.
    pub fn with_browser(browser: &str) -> Self {
        let (builder, judge) = (shortened(&fingerprint()), shortened(&engine()));
        Self { builder, judge, editor: editor(), browsers: [browser.to_owned()].into() }
    }

    /// Returns true if this environment, with the browsers that are recorded, judges as that of a checkout, whatever builds their projects.
    fn judges_like(&self, now: &Self) -> bool {
        (&self.judge, &self.editor) == (&now.judge, &now.editor) && self.browsers.is_superset(&now.browsers)
    }
}

/// The digests of a project and its script that can be had without a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceDigests {
    /// The project text and the assets that it names.
    text: String,
    /// The evaluation script, its helpers, its limits and the seed.
    script: String,
}

impl SourceDigests {
    /// The digests of a project text that is judged for a task under a seed.
    pub fn of(entry: &TaskEntry, text: &Path, seed: u64) -> Self {
        let source = Source::read_with(text, entry.asset_folders()).unwrap();
        let (project, _) = skeleton_all(&parse_all(&source.text).0, &|file| source.asset(file));
        // The name of an asset is the digest of its content.
        let text = json!([source.text, project.assets.keys().collect::<Vec<_>>()]);
        let (task, script) = (&entry.task, entry.evaluation().unwrap().digest());
        let script = json!([script, task.limits.case_ms, task.limits.task_ms, task.stage, entry.contract(), seed]);
        Self { text: digest(text.to_string().as_bytes()), script: digest(script.to_string().as_bytes()) }
    }
}

/// A verdict with the digests that it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictRecord {
    text: String,
    script: String,
    project: String,
    pub outcome: Outcome,
    passed: u32,
    total: u32,
    trace: Option<String>,
}

impl VerdictRecord {
    /// The record of a verdict on a project file.
    pub fn of(sources: &SourceDigests, sb3: &[u8], verdict: &Verdict) -> Self {
        Self {
            text: sources.text.clone(),
            script: sources.script.clone(),
            project: digest(sb3),
            outcome: verdict.outcome,
            passed: verdict.passed_tests,
            total: verdict.total_tests,
            trace: verdict.trace_hash.as_deref().map(shortened),
        }
    }

    /// The same verdict on the same project of another text or builder.
    fn with_text(&self, sources: &SourceDigests) -> Self {
        Self { text: sources.text.clone(), ..self.clone() }
    }

    /// The verdict in a few words.
    pub fn summary(&self) -> String {
        let Self { outcome, passed, total, trace, .. } = self;
        format!("{}, {passed} of {total} tests, trace {}", outcome.name(), trace.as_deref().unwrap_or("none"))
    }
}

/// What the file says about a project that has been built.
#[derive(Debug, PartialEq, Eq)]
pub enum BuiltProjectStatus {
    /// The verdict is recorded, and the project is not of the day's sample.
    Recorded(VerdictRecord),
    /// The project is to be judged; the recorded verdict, if there is one, must come out again.
    Open(Option<VerdictRecord>),
}

/// The content of a file of verdicts.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictFile {
    about: String,
    environment: JudgingEnvironment,
    verdicts: BTreeMap<String, VerdictRecord>,
}

impl VerdictFile {
    /// A file of these verdicts.
    pub fn new(environment: JudgingEnvironment, verdicts: BTreeMap<String, VerdictRecord>) -> Self {
        Self { about: ABOUT.to_owned(), environment, verdicts }
    }

    /// This file with the browsers of an earlier one in which all else is the same.
    pub fn with_browsers_of(mut self, earlier: &Self) -> Self {
        let (mine, its) = (&self.environment, &earlier.environment);
        if (&mine.judge, &mine.editor, &self.verdicts) == (&its.judge, &its.editor, &earlier.verdicts) {
            self.environment.browsers.extend(its.browsers.iter().cloned());
        }
        self
    }

    /// Reads a file; a missing one has no verdicts.
    pub fn read(file: &Path) -> Self {
        std::fs::read_to_string(file).map(|text| serde_json::from_str(&text).unwrap()).unwrap_or_default()
    }

    /// Writes the file, one verdict a line.
    pub fn write(&self, file: &Path) {
        let line = |(name, verdict): (&String, &VerdictRecord)| format!("{}: {}", json!(name), json!(verdict));
        let verdicts: Vec<String> = self.verdicts.iter().map(line).collect();
        let head = format!("\"about\": {},\n\"environment\": {},\n", json!(self.about), json!(self.environment));
        let text = format!("{{\n{head}\"verdicts\": {{\n{}\n}}\n}}\n", verdicts.join(",\n"));
        std::fs::write(file, text).unwrap();
    }

    /// The names of those verdicts whose project does not exist any more.
    pub fn stale<'a>(&'a self, names: &[String]) -> Vec<&'a str> {
        self.verdicts.keys().filter(|name| !names.contains(name)).map(String::as_str).collect()
    }

    /// The recorded verdict on a project text, if nothing has changed that it depends on.
    pub fn of_text(&self, name: &str, now: &JudgingEnvironment, sources: &SourceDigests) -> Option<&VerdictRecord> {
        let found = self.verdicts.get(name).filter(|_| self.environment.judges_like(now))?;
        let is_known = self.environment.builder == now.builder;
        (is_known && found.text == sources.text && found.script == sources.script).then_some(found)
    }

    /// Whether a built project is to be judged: if its verdict is not recorded, or if it `is_due`.
    pub fn of_project(
        &self,
        name: &str,
        now: &JudgingEnvironment,
        sources: &SourceDigests,
        (sb3, is_due): (&[u8], bool),
    ) -> BuiltProjectStatus {
        let found = self.verdicts.get(name).filter(|_| self.environment.judges_like(now));
        let found = found.filter(|found| found.script == sources.script && found.project == digest(sb3));
        match found.map(|found| found.with_text(sources)) {
            Some(found) if !is_due => BuiltProjectStatus::Recorded(found),
            found => BuiltProjectStatus::Open(found),
        }
    }
}

/// Which of a sorted list of projects are judged on a day whatever is recorded.
#[derive(Debug, Clone, Copy)]
pub enum DueProjects {
    /// A sample by the number of the day.
    Sample {
        day: usize,
    },
    All,
}

impl DueProjects {
    /// Returns true if the project at this index of `count` is judged.
    pub fn has(self, index: usize, count: usize) -> bool {
        match self {
            Self::All => true,
            Self::Sample { day } => {
                let stride = (count / SMALLEST_SAMPLE).clamp(1, CYCLE);
                index % stride == day % stride
            }
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    shortened(&sha256_hex(bytes))
}

fn shortened(digest: &str) -> String {
    digest.chars().take(DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str, script: &str) -> SourceDigests {
        SourceDigests { text: text.to_owned(), script: script.to_owned() }
    }

    fn environment(builder: &str, browser: &str) -> JudgingEnvironment {
        let [builder, browser] = [builder, browser].map(str::to_owned);
        JudgingEnvironment { builder, browsers: [browser].into(), ..JudgingEnvironment::default() }
    }

    fn record(text: &str, sb3: &[u8]) -> VerdictRecord {
        let (text, script, project) = (text.to_owned(), "s".to_owned(), digest(sb3));
        VerdictRecord { text, script, project, outcome: Outcome::Passed, passed: 3, total: 3, trace: None }
    }

    fn file() -> VerdictFile {
        VerdictFile::new(environment("b", "Chrome/1"), [("a/accept_x.txt".to_owned(), record("t", b"sb3"))].into())
    }

    #[test]
    fn a_verdict_is_taken_only_if_nothing_has_changed() {
        let (file, now) = (file(), environment("b", "Chrome/1"));
        let of =
            |name, now: &JudgingEnvironment, text, script| file.of_text(name, now, &sources(text, script)).is_some();
        assert!(of("a/accept_x.txt", &now, "t", "s"));
        assert!(!of("a/accept_y.txt", &now, "t", "s"));
        assert!(!of("a/accept_x.txt", &now, "other", "s") && !of("a/accept_x.txt", &now, "t", "other"));
        assert!(!of("a/accept_x.txt", &environment("other", "Chrome/1"), "t", "s"));
        assert!(!of("a/accept_x.txt", &environment("b", "Chrome/2"), "t", "s"));
    }

    #[test]
    fn a_project_that_is_built_as_before_is_not_judged_whatever_built_it() {
        let file = file();
        let of = |now: &JudgingEnvironment, script, sb3: &[u8], is_due| {
            file.of_project("a/accept_x.txt", now, &sources("new", script), (sb3, is_due))
        };
        let (known, other) = (environment("other", "Chrome/1"), environment("b", "Chrome/2"));
        let found = record("new", b"sb3");
        assert_eq!(of(&known, "s", b"sb3", false), BuiltProjectStatus::Recorded(found.clone()));
        assert_eq!(of(&known, "s", b"sb3", true), BuiltProjectStatus::Open(Some(found)));
        for status in [of(&other, "s", b"sb3", false), of(&known, "s", b"4", false), of(&known, "t", b"sb3", false)] {
            assert_eq!(status, BuiltProjectStatus::Open(None));
        }
    }

    #[test]
    fn browsers_under_which_all_verdicts_are_the_same_are_recorded_side_by_side() {
        let verdict = |sb3| [("a/accept_x.txt".to_owned(), record("t", sb3))].into();
        let same = VerdictFile::new(environment("b", "Chrome/2"), verdict(b"sb3")).with_browsers_of(&file());
        let is_known = |file: &VerdictFile, browser| {
            file.of_text("a/accept_x.txt", &environment("b", browser), &sources("t", "s")).is_some()
        };
        assert!(is_known(&same, "Chrome/1") && is_known(&same, "Chrome/2") && !is_known(&same, "Chrome/3"));
        let other = VerdictFile::new(environment("b", "Chrome/2"), verdict(b"4")).with_browsers_of(&file());
        assert!(!is_known(&other, "Chrome/1") && is_known(&other, "Chrome/2"));
    }

    #[test]
    fn a_file_is_read_as_it_was_written_and_its_stale_verdicts_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("verdicts.json");
        assert_eq!(VerdictFile::read(&place), VerdictFile::default());
        file().write(&place);
        assert_eq!(VerdictFile::read(&place), file());
        let text = std::fs::read_to_string(&place).unwrap();
        assert!(text.lines().any(|line| line.starts_with("\"a/accept_x.txt\": {")), "{text}");
        assert_eq!(file().stale(&["a/accept_x.txt".to_owned()]), [""; 0]);
        assert_eq!(file().stale(&["a/accept_y.txt".to_owned()]), ["a/accept_x.txt"]);
    }

    #[test]
    fn every_project_is_judged_within_two_weeks_and_ten_a_day() {
        for count in [0, 1, 9, 10, 25, 139, 199, 1000] {
            let of_day = |day| (0..count).filter(move |index| DueProjects::Sample { day }.has(*index, count));
            for first in [0, 20_000] {
                let mut judged: Vec<usize> = (first..first + CYCLE).flat_map(of_day).collect();
                judged.sort_unstable();
                judged.dedup();
                assert_eq!(judged.len(), count);
                assert!((first..first + CYCLE).all(|day| of_day(day).count() >= count.min(SMALLEST_SAMPLE)), "{count}");
            }
        }
        assert!((0..30).all(|index| DueProjects::All.has(index, 30)));
    }
}
