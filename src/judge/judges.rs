//! Pages that judge one project after another.
//!
//! Opening a page takes longer than most judgements, so a page judges many projects, each in a VM and a
//! script realm of its own. One that had to be stopped, that has judged its share, that could not load a project, or in
//! which a project or a script altered what outlives it, is released.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::alone::{Company, Spoilt, Tries, again_alone, spoilt};
use super::broken_script::located;
use super::original::{self, Original};
use super::page_run::{self, Frame, PageRun};
use super::play::{self, Play, PlayError, Played};
use super::verdict::{blank, conclude, failed};
use super::{Conditions, JudgeError, Judgement, Trouble};
use crate::model::Verdict;
use crate::page::{Loss, PageError, PageFn};
use crate::page_fn;
use crate::session::{Fleet, Lease, read_project};
use crate::taskset::{EvaluationSources, TaskEntry};

/// Projects that one page judges before it is replaced: what a VM leaves behind stays small.
const SHARE: u32 = 200;

/// What was altered in the page since the first call.
const INTEGRITY: PageFn<(), Vec<String>> = page_fn!("page", "page-integrity");

/// Judges over a fleet, at most a given number at the same time. Clones share the pages.
#[derive(Debug, Clone)]
pub struct Judges {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    fleet: Fleet,
    width: usize,
    lanes: Semaphore,
    /// A judgement takes one permit while its page works; opening a page takes so many that a core is left for
    /// it: among many busy pages the editor was seen to take half a minute to load.
    work: Semaphore,
    opening_share: u32,
    ready: Mutex<Vec<JudgePage>>,
}

/// A page with the number of projects that it has judged.
#[derive(Debug)]
struct JudgePage {
    lease: Lease,
    judged: u32,
}

/// What is judged, in whichever page.
struct Case<'a> {
    entry: &'a TaskEntry,
    sources: &'a EvaluationSources,
    packed: &'a [u8],
    blank: Verdict,
}

impl Judges {
    /// Judges in pages of this fleet, at most `lanes` (at least one) at the same time.
    pub fn new(fleet: Fleet, lanes: usize) -> Self {
        let width = lanes.max(1);
        let inner = Inner {
            fleet,
            width,
            lanes: Semaphore::new(width),
            work: Semaphore::new(width),
            opening_share: opening_share(width),
            ready: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Judges a project file for a task; after trouble of the testbed again, alone and in a page of its own.
    ///
    /// A broken script gives the outcome `judge_error`, a testbed that stays broken `infra_error`; both are
    /// verdicts, so that a batch can record and retry them.
    ///
    /// # Errors
    /// When the file is not a project that can be loaded, or the script can't be read.
    pub async fn judge(&self, entry: &TaskEntry, sb3: &[u8], how: &Conditions) -> Result<Judgement, JudgeError> {
        let checked = read_project(sb3).await?;
        let sources = entry.evaluation()?;
        let case = Case { entry, sources: &sources, packed: &checked.packed, blank: blank(entry, &sources, sb3, how) };
        let tries = Tries::after(how.spent);
        let attempt = |company| self.judge_in(&case, how, &tries, company);
        let judged = again_alone("a judgement", Spoilt::is_tried_again, attempt).await;
        let judgement = judged.unwrap_or_else(|Spoilt(judgement)| Ok(*judgement))?;
        let processor = tries.spent().saturating_sub(how.spent);
        Ok(Judgement { processor, ..judgement })
    }

    /// One try, with what is left of the processor time that all tries have together.
    async fn judge_in(
        &self,
        case: &Case<'_>,
        how: &Conditions,
        tries: &Tries,
        company: Company,
    ) -> Result<Result<Judgement, JudgeError>, Spoilt> {
        let mut verdict = case.blank.clone();
        let company = if how.alone { Company::Alone } else { company };
        let Ok(_lane) = self.inner.lanes.acquire().await else {
            return Err(spoilt(verdict, Trouble::NoPage, "the judges have ended".to_owned()));
        };
        let page = if how.fresh_page { self.new_page().await } else { self.page_in(company).await };
        let page = match page {
            Ok(page) => page,
            Err(error) => return Err(spoilt(verdict, Trouble::NoPage, error.to_string())),
        };
        page.lease.browser_product().clone_into(&mut verdict.hashes.browser);
        let how = Conditions { spent: tries.spent(), ..*how };
        let begin = page.lease.page.processor_time();
        let run = {
            let _work = self.inner.work.acquire_many(self.permits(company)).await;
            let frame = Frame::of(&case.entry.task, case.sources);
            Box::pin(page_run::run(&page.lease.page, &frame, case.packed, &how)).await
        };
        let run = match run {
            Ok(run) => Ok(located(&page.lease.page, case.entry, case.sources, run).await),
            Err(error) => Err(error),
        };
        let used = page.lease.page.processor_time().saturating_sub(begin);
        self.give_back(page, run.as_ref().is_ok_and(PageRun::is_clean)).await;
        match run {
            Ok(run) => {
                tries.ended(used);
                Ok(conclude(verdict, run, case.entry.contract()))
            }
            Err(error) => Err(spoilt(verdict, tries.broke(used, &error), error.to_string())),
        }
    }

    /// Plays a scenario to a project and judges nothing; after trouble of the testbed again, alone and in a page of its own. The file is
    /// one that was checked and packed, as [`read_project`] gives it.
    ///
    /// # Errors
    /// When no page holds, which says nothing of the project, or the program can't be loaded or does not let the page go on.
    pub async fn play(&self, sb3: &[u8], play: &Play<'_>) -> Result<Played, PlayError> {
        let tries = Tries::after(Duration::ZERO);
        again_alone("a scenario", PlayError::is_trouble, |company| self.play_in(sb3, play, &tries, company)).await
    }

    async fn play_in(&self, sb3: &[u8], play: &Play<'_>, tries: &Tries, company: Company) -> Result<Played, PlayError> {
        let Ok(_lane) = self.inner.lanes.acquire().await else {
            return Err(PlayError::Ended);
        };
        let page = self.page_in(company).await?;
        let run = {
            let _work = self.inner.work.acquire_many(self.permits(company)).await;
            Box::pin(page_run::run(&page.lease.page, &play.frame(), sb3, &play.conditions())).await
        };
        self.give_back(page, run.as_ref().is_ok_and(PageRun::is_clean)).await;
        match run {
            // As when it is judged: a page may be lost by chance, and a second one, alone, is lost for its own sake.
            Err(error @ PageError::Lost(Loss::Renderer)) if tries.broke(Duration::ZERO, &error) == Trouble::Page => {
                Err(PlayError::Hung(format!("two pages were lost while it was played: {error}")))
            }
            run => play::played(run?),
        }
    }

    /// Loads a project of any version of Scratch and runs nothing. The file may be anything.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub async fn load(&self, file: &[u8]) -> Result<Original, PlayError> {
        again_alone("a project", PlayError::is_trouble, |company| self.load_in(file, company)).await
    }

    async fn load_in(&self, file: &[u8], company: Company) -> Result<Original, PlayError> {
        let Ok(_lane) = self.inner.lanes.acquire().await else {
            return Err(PlayError::Ended);
        };
        let page = self.page_in(company).await?;
        let loaded = {
            let _work = self.inner.work.acquire_many(self.permits(company)).await;
            Box::pin(original::load(&page.lease.page, file)).await
        };
        self.give_back(page, loaded.is_ok()).await;
        loaded
    }

    /// The judgement of a project on which no test can be run, for this reason, in words.
    ///
    /// # Errors
    /// When the script can't be read.
    pub fn refusal(
        &self,
        entry: &TaskEntry,
        sb3: &[u8],
        how: &Conditions,
        reason: String,
    ) -> Result<Judgement, JudgeError> {
        Ok(failed(blank(entry, &entry.evaluation()?, sb3, how), reason))
    }

    /// Where the pages come from.
    pub fn fleet(&self) -> &Fleet {
        &self.inner.fleet
    }

    /// Opens all pages ahead of the first judgement. They get shares of different length, so that later they
    /// are not replaced all at once.
    ///
    /// # Errors
    /// When no page is available.
    pub async fn warm_up(&self) -> Result<(), PageError> {
        for lane in 0..self.inner.width {
            let mut page = self.new_page().await?;
            page.judged = u32::try_from(lane * SHARE as usize / self.inner.width).unwrap_or_default();
            self.inner.ready.lock().unwrap_or_else(PoisonError::into_inner).push(page);
        }
        Ok(())
    }

    /// Releases all pages; judging continues with new ones.
    pub async fn close(&self) {
        let ready = std::mem::take(&mut *self.inner.ready.lock().unwrap_or_else(PoisonError::into_inner));
        for page in ready {
            self.inner.fleet.release(page.lease).await;
        }
    }

    /// Who works alone does so in a page that has judged nothing.
    async fn page_in(&self, company: Company) -> Result<JudgePage, PageError> {
        match company {
            Company::Others => self.ready_page().await,
            Company::Alone => self.new_page().await,
        }
    }

    /// Permits to work; who has all of them works alone.
    fn permits(&self, company: Company) -> u32 {
        match company {
            Company::Others => 1,
            Company::Alone => u32::try_from(self.inner.width).unwrap_or(1),
        }
    }

    async fn ready_page(&self) -> Result<JudgePage, PageError> {
        let ready = self.inner.ready.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match ready {
            Some(page) if page.lease.page.loss().is_none() => Ok(page),
            Some(lost) => {
                self.inner.fleet.release(lost.lease).await;
                self.new_page().await
            }
            None => self.new_page().await,
        }
    }

    async fn new_page(&self) -> Result<JudgePage, PageError> {
        let _quiet = self.inner.work.acquire_many(self.inner.opening_share).await;
        let mut lease = self.inner.fleet.acquire_player().await?;
        lease.watch_processor().await?;
        lease.page.watch_execution().await?;
        lease.page.call(&INTEGRITY, &()).await?;
        Ok(JudgePage { lease, judged: 0 })
    }

    /// Keeps a page for the next project if the last one left it as it was, and no more pages than there are lanes: those that were
    /// opened for one project would pile up.
    async fn give_back(&self, mut page: JudgePage, is_clean: bool) {
        page.judged += 1;
        let is_kept = is_clean && page.judged < SHARE && is_unaltered(&page).await;
        if let Some(page) = if is_kept { self.keep(page) } else { Some(page) } {
            self.inner.fleet.release(page.lease).await;
        }
    }

    /// The page again, if there are enough already.
    fn keep(&self, page: JudgePage) -> Option<JudgePage> {
        let mut ready = self.inner.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.len() >= self.inner.width {
            return Some(page);
        }
        ready.push(page);
        None
    }
}

/// Whether the page is as it was before it judged.
async fn is_unaltered(page: &JudgePage) -> bool {
    match page.lease.page.call(&INTEGRITY, &()).await {
        Ok(altered) if altered.is_empty() => true,
        Ok(altered) => {
            let altered = altered.join(", ");
            tracing::warn!(altered, "a project or its script altered its page, which judges no more");
            false
        }
        Err(_) => false,
    }
}

/// Permits out of `width` that opening a page takes: those left keep all cores but one busy.
fn opening_share(width: usize) -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    u32::try_from(width.saturating_sub(cores - 1).clamp(1, width)).unwrap_or(1)
}
