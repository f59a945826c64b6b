//! Another try after trouble of the testbed: alone, so that nothing of ours is in its way. Only what then comes again is told.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::verdict::infra;
use super::{Judgement, Trouble};
use crate::model::Verdict;
use crate::page::{Loss, PageError};
use crate::session::retry::while_broken;

/// Who else works while a project is loaded, played or judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// As many as there are lanes.
    Others,
    /// Nobody, in a page that has judged nothing.
    Alone,
}

/// Tries something beside others, and alone whenever it met what `is_trouble` says is no doing of the project.
///
/// # Errors
/// The last error.
pub(super) async fn again_alone<T, E: Display, F: Future<Output = Result<T, E>>>(
    what: &str,
    is_trouble: impl FnMut(&E) -> bool,
    mut attempt: impl FnMut(Company) -> F,
) -> Result<T, E> {
    let mut company = Company::Others;
    while_broken(what, is_trouble, || attempt(std::mem::replace(&mut company, Company::Alone))).await
}

/// A judgement that the testbed has spoilt, with its trouble.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.verdict.error.as_deref().unwrap_or("the testbed broke"))]
pub(super) struct Spoilt(pub(super) Box<Judgement>);

/// What is told of a judgement that met this trouble, if it stays.
pub(super) fn spoilt(verdict: Verdict, trouble: Trouble, error: String) -> Spoilt {
    Spoilt(Box::new(infra(verdict, trouble, error)))
}

impl Spoilt {
    /// Whether it is tried again. A project that has brought down two pages gets no third one: whose fault that is, the caller finds out.
    pub(super) fn is_tried_again(&self) -> bool {
        self.0.trouble != Some(Trouble::Page)
    }
}

/// What the tries at one judgement, of which each comes after the other, have come to so far.
#[derive(Debug)]
pub(super) struct Tries(Mutex<SoFar>);

#[derive(Debug)]
struct SoFar {
    spent: Duration,
    /// Pages that were lost for their own sake, or broke.
    lost: u32,
}

impl Tries {
    /// None so far; this was spent before.
    pub(super) const fn after(spent: Duration) -> Self {
        Self(Mutex::new(SoFar { spent, lost: 0 }))
    }

    /// Processor time that the project has used up of what all tries have together. What a clock of ours has ended used up nothing: on a
    /// busy machine, too, each project has all of it.
    pub(super) fn spent(&self) -> Duration {
        self.so_far().spent
    }

    /// A page has used so much and come to an end.
    pub(super) fn ended(&self, used: Duration) {
        self.so_far().spent += used;
    }

    /// What an error of a page that has used so much is to the judgement. What a clock of ours has ended says nothing of the project, a
    /// browser is lost for all its pages, and one page may break by chance.
    pub(super) fn broke(&self, used: Duration, error: &PageError) -> Trouble {
        if error.is_by_the_clock() || matches!(error, PageError::Lost(Loss::Browser)) {
            return Trouble::Testbed;
        }
        let mut so_far = self.so_far();
        so_far.spent += used;
        so_far.lost += 1;
        if so_far.lost < 2 { Trouble::Testbed } else { Trouble::Page }
    }

    fn so_far(&self) -> MutexGuard<'_, SoFar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "alone_tests.rs"]
mod tests;
