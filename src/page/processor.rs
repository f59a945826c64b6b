//! The processor time of a page. On a busy machine it passes as slowly as the page works, so that what a project is given
//! to use up does not depend on what else goes on.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::performance::{EnableParams, GetMetricsParams};
use chromiumoxide::cdp::browser_protocol::system_info::GetProcessInfoParams;
use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use procfs::process::Process;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::{Chromium, Page, PageError, PageFn};

/// How often the process of a page is looked for.
const LOOKS: usize = 400;
/// What the page does before each look.
const WORK: &str = "for (const end = performance.now() + 20; performance.now() < end;);";
/// Seconds that the page must have worked before it is looked for: many times what the kernel's times are off.
const ENOUGH: f64 = 0.06;
/// Seconds that the kernel's times may be off: it tells them in steps of 10 ms, user and system apart.
const STEPS: f64 = 0.025;
/// The page rests for so long where another one has worked as much: that one goes on.
const REST: Duration = Duration::from_millis(30);
/// How often the clock is read.
const READING: Duration = Duration::from_millis(100);
/// A page that works less than it should for so long does not work: what it waits for does not come.
const STALL: Duration = Duration::from_secs(60);
/// What a page that waits for nothing uses in such a time at least, on however busy a machine.
const LEAST_WORK: Duration = Duration::from_millis(50);
/// The client gives up any command by itself (chromiumoxide 0.9.1, `REQUEST_TIMEOUT`). That is trouble, and says nothing of the page.
const CLIENT_LIMIT: Duration = Duration::from_secs(30);

impl Chromium {
    /// Finds out which process renders a page, so that [`Page::processor_time`] is known from now on: the one whose main thread works
    /// as long as the page's does. In its sandbox the page can't tell more about itself than that.
    ///
    /// # Errors
    /// When the browser or the page does not answer, or no process can be told from the others.
    pub async fn watch_processor(&self, page: &mut Page) -> Result<(), PageError> {
        let what = "measuring the page";
        page.send(what, EnableParams::default()).await?;
        let (begin, before) = (thread_time(page).await?, self.main_threads().await?);
        for _ in 0..LOOKS {
            page.send(what, EvaluateParams::new(WORK)).await?;
            let worked = thread_time(page).await? - begin;
            if worked < ENOUGH {
                continue;
            }
            if let Some(found) = only_match(&before, worked, &self.main_threads().await?) {
                page.process = Some(found);
                return Ok(());
            }
            tokio::time::sleep(REST).await;
        }
        Err(PageError::ProcessUnknown)
    }

    /// Seconds that the main threads of all renderers have worked, by the numbers of their processes.
    async fn main_threads(&self) -> Result<BTreeMap<i32, f64>, PageError> {
        let what = "listing processes";
        let answer = self.client().execute(GetProcessInfoParams::default()).await.map_err(PageError::protocol(what))?;
        let renderers = answer.result.process_info.into_iter().filter(|process| process.r#type == "renderer");
        let ids = renderers.filter_map(|process| i32::try_from(process.id).ok());
        Ok(ids.filter_map(|id| Some((id, main_thread(id)?))).collect())
    }
}

impl Page {
    /// The processor time that the page's process has used so far, on all its threads; what it was last seen to have used if it is
    /// gone. Nothing unless [`Chromium::watch_processor`] has found the process.
    pub fn processor_time(&self) -> Duration {
        if let Some(stat) = self.process.and_then(|id| Process::new(id).and_then(|process| process.stat()).ok()) {
            self.used_ms.store((stat.utime + stat.stime) * 1000 / procfs::ticks_per_second(), Ordering::Relaxed);
        }
        Duration::from_millis(self.used_ms.load(Ordering::Relaxed))
    }

    /// Waits for work in this page; nothing if the page has used up an amount of processor time before it was done. A page that is
    /// lost is for the work itself to notice.
    ///
    /// # Errors
    /// Those of the work; [`PageError::Timeout`] when the page has hardly worked for a minute.
    pub async fn while_working<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, PageError>>,
    ) -> Result<Option<T>, PageError> {
        tokio::select! {
            biased;
            done = work => done.map(Some),
            spent = self.spends(limit) => spent.map(|()| None),
        }
    }

    /// Calls a page function that may use so much processor time; nothing if it used it up.
    ///
    /// # Errors
    /// As [`Page::call`] and [`Page::while_working`].
    pub async fn call_while_working<A: Serialize, R: DeserializeOwned>(
        &self,
        function: &PageFn<A, R>,
        args: &A,
        limit: Duration,
    ) -> Result<Option<R>, PageError> {
        self.while_working(limit, self.call_within(function, args, CLIENT_LIMIT)).await
    }

    /// Resolves when the page has used this much more.
    async fn spends(&self, limit: Duration) -> Result<(), PageError> {
        let begin = self.processor_time();
        let mut idleness = Idleness::of(self, LEAST_WORK);
        loop {
            tokio::time::sleep(READING).await;
            if self.processor_time().saturating_sub(begin) >= limit {
                return Ok(());
            }
            idleness.check(self)?;
        }
    }
}

/// How long a page has done hardly anything.
#[derive(Debug)]
pub struct Idleness {
    least: Duration,
    worked: Duration,
    since: Instant,
}

impl Idleness {
    /// Of a page that begins to work, and should work at least this much a minute.
    pub fn of(page: &Page, least: Duration) -> Self {
        Self { least, worked: page.processor_time(), since: Instant::now() }
    }

    /// Looks at the page again.
    ///
    /// # Errors
    /// [`PageError::Timeout`] when it has worked less than it should for a minute.
    pub fn check(&mut self, page: &Page) -> Result<(), PageError> {
        let now = page.processor_time();
        if now.saturating_sub(self.worked) >= self.least {
            (self.worked, self.since) = (now, Instant::now());
        }
        if self.since.elapsed() < STALL {
            return Ok(());
        }
        Err(PageError::Timeout { what: "the page's work".to_owned(), limit: STALL })
    }
}

/// Seconds that the main thread of a process has worked.
fn main_thread(id: i32) -> Option<f64> {
    let stat = Process::new(id).ok()?.task_main_thread().ok()?.stat().ok()?;
    #[expect(clippy::cast_precision_loss, reason = "some minutes in hundredths of a second")]
    let seconds = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
    Some(seconds)
}

/// Seconds that the main thread of a page has worked since this was first asked.
async fn thread_time(page: &Page) -> Result<f64, PageError> {
    let metrics = page.send("measuring the page", GetMetricsParams::default()).await?.metrics;
    Ok(metrics.iter().find(|metric| metric.name == "ThreadTime").map_or(f64::NAN, |metric| metric.value))
}

/// The one process that has worked so many seconds between two looks.
fn only_match(before: &BTreeMap<i32, f64>, worked: f64, after: &BTreeMap<i32, f64>) -> Option<i32> {
    let fits = |(id, time): &(&i32, &f64)| {
        let has_worked = **time - before.get(*id).copied().unwrap_or_default();
        (has_worked - worked).abs() <= STEPS
    };
    let mut found = after.iter().filter(fits);
    let only = found.next().filter(|_| found.next().is_none())?;
    Some(*only.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_in_the_process_that_fits_and_in_none_if_two_do() {
        let before = BTreeMap::from([(7, 2.31), (8, 0.4), (9, 0.0)]);
        let after = BTreeMap::from([(7, 2.31), (8, 0.47), (9, 0.01), (10, 0.3)]);
        assert_eq!(only_match(&before, 0.062, &after), Some(8));
        assert_eq!(only_match(&before, 0.093, &after), Some(8), "the kernel lags");
        assert_eq!(only_match(&before, 0.31, &after), Some(10), "it is new");
        assert_eq!(only_match(&before, 1.0, &after), None);
        assert_eq!(only_match(&before, f64::NAN, &after), None);
        let both = BTreeMap::from([(7, 2.38), (8, 0.47)]);
        assert_eq!(only_match(&before, 0.07, &both), None, "two pages work");
        let one_goes_on = BTreeMap::from([(7, 2.42), (8, 0.48)]);
        assert_eq!(only_match(&before, 0.072, &one_goes_on), Some(8), "the other one rested");
    }

    #[test]
    fn our_own_main_thread_has_a_time() {
        let id = i32::try_from(std::process::id()).unwrap();
        assert!(main_thread(id).is_some_and(|time| time >= 0.0));
    }
}
