//! The judge of this process, for projects that agents made. It decides whose fault it is when no test could be run:
//! were that always the testbed's or the script's, an agent could void an attempt by a program that brings the judge
//! down. Certifying judges without it: a script that breaks on a mutant has not noticed the fault.

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::certify::kept_certificate;
use crate::compile::build_file;
use crate::judge::{Conditions, JudgeError, Judgement, Judges, Trouble, engine};
use crate::model::{Clock, Outcome, Verdict, with_causes};
use crate::taskset::TaskEntry;

/// Judges a project for a task. Always in this process: agents reach servers, and must not reach judges.
#[async_trait]
pub trait Judging: Debug + Send + Sync {
    /// The verdict on an .sb3 file. A project that can't be judged because of what is in it has failed.
    ///
    /// # Errors
    /// When there is no verdict at all: the file is not a project, or the evaluation script can't be read.
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError>;
}

/// Judges what agents made. A project that causes trouble is judged once more in another page, and if it
/// breaks that too while the task's own solution passes, it has failed.
#[derive(Debug)]
pub struct LocalJudge {
    judges: Judges,
    /// Under which conditions which solutions were seen to pass.
    passed: Mutex<HashSet<String>>,
}

impl LocalJudge {
    pub fn with(judges: Judges) -> Arc<Self> {
        Arc::new(Self { judges, passed: Mutex::default() })
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
        tracing::warn!(task = %entry.task.id, why = %reason(&first), "a project is judged again in another page");
        let again = self.judges.judge(entry, sb3, how).await;
        let Some(trouble) = trouble(&again) else { return again };
        if !self.solution_passes(entry, how, trouble).await {
            return again;
        }
        self.judges.refusal(entry, sb3, how, blamed(trouble, &reason(&again)))
    }

    /// Whether the task's own solution passes: then script and machine are well, and the project is at fault. That a
    /// script is well need not be seen twice; that pages stay alive must be seen now.
    async fn solution_passes(&self, entry: &TaskEntry, how: &Conditions, trouble: Trouble) -> bool {
        let key = key(entry, how);
        let seen = || self.passed.lock().unwrap_or_else(PoisonError::into_inner).contains(&key);
        if trouble == Trouble::Script && (seen() || is_certified(entry, how)) {
            return true;
        }
        let golden = match build_file(self.judges.fleet(), &entry.golden()).await {
            Ok(golden) => golden,
            Err(error) => {
                tracing::warn!(%error, task = %entry.task.id, "the solution could not be built to compare");
                return false;
            }
        };
        let how = Conditions { trace: false, ..*how };
        let judged = self.judges.judge(entry, &golden, &how).await;
        let passed = judged.is_ok_and(|judgement| judgement.verdict.outcome == Outcome::Passed);
        if passed {
            self.passed.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        }
        passed
    }
}

#[async_trait]
impl Judging for LocalJudge {
    /// Judges with the first seed of the task.
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError> {
        let seed = task.task.seeds.first().copied().unwrap_or_default();
        Ok(self.judge_under(task, sb3, &Conditions::seeded(seed)).await?.verdict)
    }
}

/// What may be the project's fault.
fn trouble(judged: &Result<Judgement, JudgeError>) -> Option<Trouble> {
    match judged {
        Ok(judgement) => judgement.trouble.filter(|trouble| *trouble != Trouble::NoPage),
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
        Trouble::Page | Trouble::NoPage => format!("two pages could not judge this project: {reason}"),
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
