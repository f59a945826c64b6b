//! Verdicts that this checkout has given itself, apart from the runs whose projects they are on. Whoever hands over a
//! run can write any grade into it and renew all digests, so a grade counts only if its verdict is here.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{ByDigest, RunDir, StoreError};
use crate::model::{JudgeSeed, TaskId, VerdictRecord, sha256_hex};

/// What the secret key of a checkout is kept under.
const KEY: &[u8] = b"key of judge seeds";

/// What is kept of a run that was begun here.
#[derive(Debug, Serialize, Deserialize)]
struct BegunRun {
    judge_seed: Option<u64>,
}

/// The folder of these verdicts, by the digests of task, project and judge.
#[derive(Debug, Clone)]
pub struct VerdictStore {
    records: ByDigest,
}

impl VerdictStore {
    /// The verdicts in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { records: ByDigest::private(folder) }
    }

    /// Returns the verdict of a judge on a project, both by their digests, under this secret seed; `None` if this checkout has not given
    /// it.
    ///
    /// # Errors
    /// When its file can't be read.
    pub fn find(
        &self,
        task: &TaskId,
        project: &str,
        judge: &str,
        judge_seed: Option<u64>,
    ) -> Result<Option<VerdictRecord>, StoreError> {
        let found: Option<VerdictRecord> = self.records.get(&key(task, project, judge, judge_seed))?;
        let is_it =
            |found: &VerdictRecord| found.task == *task && found.project == project && found.grade.judge == judge;
        Ok(found.filter(|found| is_it(found) && found.judge_seed == judge_seed))
    }

    /// Returns the secret seed under which this checkout judges a project that was made elsewhere, by its digest. Each project has its
    /// own, so that what one may read out of its seed, test by test, is of no use to another. The key to all of them is drawn when it is
    /// first asked for.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn judge_seed(&self, project: &str) -> Result<u64, StoreError> {
        let place = sha256_hex(KEY);
        let mut key: Option<String> = self.records.get(&place)?;
        if key.is_none() {
            let drawn = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
            self.records.put(&place, &drawn)?;
            // That of another process, if it was first.
            key = self.records.get(&place)?.or(Some(drawn));
        }
        Ok(JudgeSeed::keyed(&key.unwrap_or_default(), project))
    }

    /// Keeps that a run was begun here, and with which secret seed. A run that has attempts already keeps what is known of it: nothing
    /// if it was begun elsewhere.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_begun(&self, run: &RunDir) -> Result<(), StoreError> {
        if RunDir::has_attempts(run.path()) {
            return Ok(());
        }
        self.records.replace(&self.place(run), &BegunRun { judge_seed: run.record().judge_seed })
    }

    /// Whether the run in this folder was begun here, with the secret seed that its record names. Whoever hands over a folder can write
    /// any seed into it, or none.
    ///
    /// # Errors
    /// When what is kept can't be read.
    pub fn has_begun(&self, run: &RunDir) -> Result<bool, StoreError> {
        let begun: Option<BegunRun> = self.records.get(&self.place(run))?;
        Ok(begun.is_some_and(|begun| begun.judge_seed == run.record().judge_seed))
    }

    /// The run with a secret seed that is drawn now, if nothing was judged in it and it was not begun here: the seed in its record, or
    /// that there is none, may be the choice of whoever handed it over. Any other run as it is.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn with_own_seed(&self, run: RunDir) -> Result<RunDir, StoreError> {
        if RunDir::has_attempts(run.path()) || self.has_begun(&run)? {
            return Ok(run);
        }
        run.with_judge_seed(Some(JudgeSeed::draw()))
    }

    /// Keeps the secret seed under which an attempt was judged that is brought from one run to another, where the first was begun here;
    /// what the files of either say is nothing to go by. `attempt` is the name of its folder. An attempt that was there before under this
    /// name is no longer what is kept.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_taken(&self, from: &RunDir, to: &Path, attempt: &str) -> Result<(), StoreError> {
        if !self.has_begun(from)? {
            return Ok(());
        }
        self.records.replace(&self.place_taken(to, attempt), &BegunRun { judge_seed: from.record().judge_seed })
    }

    /// The secret seed under which an attempt was judged that was brought to this run; `None` where that was not kept here.
    ///
    /// # Errors
    /// When what is kept can't be read.
    pub fn taken(&self, run: &Path, attempt: &str) -> Result<Option<JudgeSeed>, StoreError> {
        let kept: Option<BegunRun> = self.records.get(&self.place_taken(run, attempt))?;
        Ok(kept.map(|kept| kept.judge_seed.map_or(JudgeSeed::Absent, JudgeSeed::Given)))
    }

    fn place(&self, run: &RunDir) -> String {
        sha256_hex(format!("run\n{}", self.within(run.path())).as_bytes())
    }

    fn place_taken(&self, run: &Path, attempt: &str) -> String {
        sha256_hex(format!("taken\n{}\n{attempt}", self.within(run)).as_bytes())
    }

    /// What a run is known by: where it lies, seen from the folder that has these verdicts, so that a checkout may be moved.
    fn within(&self, run: &Path) -> String {
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let path = whole(run);
        let around = self.records.folder().parent().map(whole);
        let within = around.as_deref().and_then(|around| path.strip_prefix(around).ok()).unwrap_or(&path);
        within.display().to_string()
    }

    /// Keeps a verdict, in place of an earlier one of the same judge on the same project.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, verdict: &VerdictRecord) -> Result<(), StoreError> {
        let VerdictRecord { task, project, judge_seed, grade } = verdict;
        self.records.replace(&key(task, project, &grade.judge, *judge_seed), verdict)
    }
}

fn key(task: &TaskId, project: &str, judge: &str, judge_seed: Option<u64>) -> String {
    sha256_hex(format!("{task}\n{project}\n{judge}\n{judge_seed:?}").as_bytes())
}

#[cfg(test)]
mod tests {
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
        let begun = run("begun", Some(5));
        store.keep_begun(&begun).unwrap();
        assert_eq!(store.with_own_seed(begun).unwrap().record().judge_seed, Some(5), "as it was given");
        let judged = run("judged", Some(5));
        let dir = judged.begin(&"a".parse().unwrap(), 1, 0).unwrap();
        std::fs::write(dir.path().join("attempt.json"), "{}").unwrap();
        assert_eq!(store.with_own_seed(judged).unwrap().record().judge_seed, Some(5), "what was judged stays");
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
}
