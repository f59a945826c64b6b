//! The judge of this process, for projects that agents made. It decides whose fault it is when no test could be run:
//! were that always the testbed's or the script's, an agent could void an attempt by a program that brings the judge
//! down. Certifying judges without it: a script that breaks on a mutant has not noticed the fault.
//!
//! It also decides under which seeds a project is judged: where the script draws what it asks, under a secret one too.

use std::collections::HashSet;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use crate::certify::kept_certificate;
use crate::compile::{BuildError, build_file, build_kept};
use crate::judge::{Conditions, JudgeError, Judgement, Judges, Trouble, engine, under_both_seeds};
use crate::model::{Clock, JudgeSeed, Outcome, Verdict, with_causes};
use crate::taskset::TaskEntry;

/// Judges a project for a task. Always in this process: agents reach servers, and must not reach judges.
#[async_trait]
pub trait Judging: Debug + Send + Sync {
    /// The verdict on an .sb3 file. A project that can't be judged because of what is in it has failed.
    ///
    /// # Errors
    /// When there is no verdict at all: the file is not a project, or the evaluation script can't be read.
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError>;

    /// The same under another secret seed than the judge's own, or under none: as an earlier run has judged it. Judges that have no
    /// seeds judge as ever.
    ///
    /// # Errors
    /// As [`Self::judge`].
    async fn judge_as(&self, task: &TaskEntry, sb3: &[u8], _secret: Option<u64>) -> Result<Verdict, JudgeError> {
        self.judge(task, sb3).await
    }
}

/// Where the secret seed of a judgement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretSeed {
    /// There is none: the public seed decides alone.
    Absent,
    /// This one, which serves other judgements too and is told in no verdict.
    Shared(u64),
    /// One that is drawn for this judgement alone, which its verdict tells. An agent that gets a verdict may make its project
    /// read the seed out, a bit a test, which is of no use for the next one.
    Fresh,
}

impl SecretSeed {
    /// The seed, and what a verdict tells of it.
    fn chosen(self) -> Option<(u64, Option<u64>)> {
        match self {
            Self::Absent => None,
            Self::Shared(seed) => Some((seed, None)),
            Self::Fresh => {
                let seed = JudgeSeed::draw();
                Some((seed, Some(seed)))
            }
        }
    }
}

impl From<Option<u64>> for SecretSeed {
    /// That of a run.
    fn from(seed: Option<u64>) -> Self {
        seed.map_or(Self::Absent, Self::Shared)
    }
}

/// Judges what agents made. A project that causes trouble is judged in another page as well, and if it
/// breaks that too while the task's own solution passes, it has failed.
#[derive(Debug)]
pub struct LocalJudge {
    judges: Judges,
    secret: SecretSeed,
    /// Where built projects are kept, if anywhere.
    cache: Option<PathBuf>,
    /// Under which conditions which solutions were seen to pass.
    passed: Mutex<HashSet<String>>,
}

impl LocalJudge {
    /// A judge that draws a secret seed for each judgement.
    pub fn with(judges: Judges) -> Arc<Self> {
        Self::seeded(judges, SecretSeed::Fresh)
    }

    /// A judge whose secret seeds come from there.
    pub fn seeded(judges: Judges, secret: SecretSeed) -> Arc<Self> {
        Arc::new(Self { judges, secret, cache: None, passed: Mutex::default() })
    }

    /// The same, which takes the tasks' own solutions from the folder where built projects are kept: to build one takes a page with
    /// the editor.
    pub fn over(judges: Judges, secret: SecretSeed, cache: PathBuf) -> Arc<Self> {
        Arc::new(Self { judges, secret, cache: Some(cache), passed: Mutex::default() })
    }

    /// The judgement of an attempt: under these conditions, whose seed is public, and, where the script draws what it asks, under a
    /// secret seed too. Trace and processor time are those of the first.
    ///
    /// # Errors
    /// As [`Self::judge_under`].
    pub async fn judge_attempt(
        &self,
        entry: &TaskEntry,
        sb3: &[u8],
        how: &Conditions,
        secret: SecretSeed,
    ) -> Result<Judgement, JudgeError> {
        let public = self.judge_under(entry, sb3, how).await?;
        // Where no test could be run there is nothing to ask again.
        let has_result = public.verdict.outcome.counts() && !public.verdict.details.is_empty();
        let Some((seed, told)) = secret.chosen().filter(|_| has_result) else { return Ok(public) };
        if !entry.evaluation()?.draws() {
            return Ok(public);
        }
        let how = Conditions { seed, trace: false, ..*how };
        let mut other = self.judge_under(entry, sb3, &how).await?.verdict;
        let is_apart = other.outcome == Outcome::Failed && other.passed_tests < public.verdict.passed_tests;
        if is_apart && !self.solution_passes(entry, &how, Trouble::Script).await {
            tracing::error!(task = %entry.task.id, "the task's own solution fails under a secret seed");
            other.outcome = Outcome::JudgeError;
        }
        let Judgement { verdict, .. } = public;
        Ok(Judgement { verdict: under_both_seeds(verdict, &other, told), ..public })
    }

    /// Judges a project under these conditions.
    ///
    /// # Errors
    /// When the file is not a project, or the evaluation script can't be read; also when a project can't be loaded, and
    /// the task's own solution can't either.
    pub async fn judge_under(&self, entry: &TaskEntry, sb3: &[u8], how: &Conditions) -> Result<Judgement, JudgeError> {
        let first = self.judges.judge(entry, sb3, how).await;
        if let Err(JudgeError::Project(error)) = &first
            && !error.is_no_project()
        {
            return self.judges.refusal(
                entry,
                sb3,
                how,
                format!("the project can't be judged: {}", with_causes(error)),
            );
        }
        if trouble(&first).is_none() {
            return first;
        }
        let again = self.again(entry, sb3, how, first).await;
        let Some(trouble) = trouble(&again) else { return again };
        if !self.solution_passes(entry, how, trouble).await {
            return again;
        }
        self.judges.refusal(entry, sb3, how, blamed(trouble, &reason(&again)))
    }

    /// Judges a project once more, alone and in a fresh page, with what is left of its processor time. Nothing is left if that was the
    /// trouble, and what has brought down two pages is not given another one.
    async fn again(
        &self,
        entry: &TaskEntry,
        sb3: &[u8],
        how: &Conditions,
        first: Result<Judgement, JudgeError>,
    ) -> Result<Judgement, JudgeError> {
        if matches!(&first, Ok(judgement) if matches!(judgement.trouble, Some(Trouble::Spent | Trouble::Page))) {
            return first;
        }
        tracing::warn!(task = %entry.task.id, why = %reason(&first), "a project is judged again in a fresh page");
        let spent = first.map_or(how.spent, |judgement| how.spent + judgement.processor);
        self.judges.judge(entry, sb3, &Conditions { alone: true, spent, ..*how }).await
    }

    /// Whether the task's own solution passes: then script and machine are well, and the project is at fault. That a
    /// script is well need not be seen twice; that pages stay alive must be seen now.
    async fn solution_passes(&self, entry: &TaskEntry, how: &Conditions, trouble: Trouble) -> bool {
        let key = key(entry, how);
        let seen = || self.passed.lock().unwrap_or_else(PoisonError::into_inner).contains(&key);
        if matches!(trouble, Trouble::Script | Trouble::Spent) && (seen() || is_certified(entry, how)) {
            return true;
        }
        let golden = match self.solution(entry).await {
            Ok(golden) => golden,
            Err(error) => {
                tracing::warn!(%error, task = %entry.task.id, "the solution could not be built to compare");
                return false;
            }
        };
        // Nothing that a project did to a page may speak for it.
        let how = Conditions { trace: false, fresh_page: true, spent: Duration::ZERO, ..*how };
        let judged = self.judges.judge(entry, &golden, &how).await;
        let passed = judged.is_ok_and(|judgement| judgement.verdict.outcome == Outcome::Passed);
        if passed {
            self.passed.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        }
        passed
    }

    /// The task's own solution.
    async fn solution(&self, entry: &TaskEntry) -> Result<Vec<u8>, BuildError> {
        let (fleet, text) = (self.judges.fleet(), entry.golden());
        match &self.cache {
            Some(cache) => build_kept(fleet, cache, &text).await,
            None => build_file(fleet, &text).await,
        }
    }
}

#[async_trait]
impl Judging for LocalJudge {
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError> {
        Ok(self.judge_attempt(task, sb3, &public(task), self.secret).await?.verdict)
    }

    async fn judge_as(&self, task: &TaskEntry, sb3: &[u8], secret: Option<u64>) -> Result<Verdict, JudgeError> {
        Ok(self.judge_attempt(task, sb3, &public(task), secret.into()).await?.verdict)
    }
}

/// The usual conditions under the first seed of a task, which everybody can read.
fn public(entry: &TaskEntry) -> Conditions {
    Conditions::seeded(entry.task.seeds.first().copied().unwrap_or_default())
}

/// What may be the project's fault. That of the testbed is not: a busy machine must not fail a project.
fn trouble(judged: &Result<Judgement, JudgeError>) -> Option<Trouble> {
    match judged {
        Ok(judgement) => judgement.trouble.filter(|trouble| !matches!(trouble, Trouble::NoPage | Trouble::Testbed)),
        Err(JudgeError::Unloadable { .. }) => Some(Trouble::Page),
        Err(_) => None,
    }
}

fn reason(judged: &Result<Judgement, JudgeError>) -> String {
    match judged {
        Ok(judgement) => judgement.verdict.error.clone().unwrap_or_default(),
        Err(error) => error.to_string(),
    }
}

fn blamed(trouble: Trouble, reason: &str) -> String {
    match trouble {
        Trouble::Script => {
            format!("the evaluation script can't deal with this project, only with the solution: {reason}")
        }
        Trouble::Spent => format!("the project is too slow to be judged, unlike the solution: {reason}"),
        Trouble::Page | Trouble::NoPage | Trouble::Testbed => {
            format!("two pages could not judge this project: {reason}")
        }
    }
}

fn key(entry: &TaskEntry, how: &Conditions) -> String {
    let sources = entry.sources_digest().unwrap_or_default();
    format!("{} {sources} {} {:?}", entry.task.id, how.seed, how.clock)
}

/// Whether a certificate shows that the solution passes.
fn is_certified(entry: &TaskEntry, how: &Conditions) -> bool {
    let Ok(certificate) = kept_certificate(&entry.folder) else { return false };
    let is_same = certificate.task == entry.task.id
        && certificate.hashes.engine == engine()
        && entry.sources_digest().is_ok_and(|sources| sources == certificate.hashes.sources);
    certificate.certified && is_same && certificate.seeds.contains(&how.seed) && how.clock == Clock::Virtual
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Hashes;

    fn met(met: Trouble) -> Option<Trouble> {
        let verdict: Verdict = serde_json::from_value(json!({
            "task": "kite_gusts", "outcome": Outcome::InfraError, "passed_tests": 0, "total_tests": 0, "details": [], "seed": 1,
            "clock": "virtual", "console": [], "hashes": Hashes::default(),
        }))
        .unwrap();
        trouble(&Ok(Judgement { verdict, trace: None, trouble: Some(met), processor: Duration::ZERO }))
    }

    #[test]
    fn trouble_of_the_testbed_is_never_held_against_a_project() {
        assert_eq!((met(Trouble::Testbed), met(Trouble::NoPage)), (None, None));
        for own in [Trouble::Page, Trouble::Script, Trouble::Spent] {
            assert_eq!(met(own), Some(own));
        }
    }
}
