//! The fleet: how many Chromium processes there are, and who gets which page.
//!
//! Each browser carries a few pages, each in a context of its own; a killed browser loses only those.
//! The warm pool is filled one page at a time, so that filling it does not slow the pages in use.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Mutex, Notify, Semaphore};
use tokio::task::JoinHandle;

use super::figures::Figures;
use super::turns::{Share, Turns};
use crate::ocr::Recognizer;
use crate::page::{Chromium, LaunchOptions, Page, PageError};

/// How long after a page could not be prepared the next is tried; doubled after each failure in a row.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest such pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How the fleet is built.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// Address of the page that mounts the editor.
    pub editor_url: String,
    /// How Chromium is started.
    pub launch: LaunchOptions,
    /// Pages a browser carries at most (design decision 2.3: 4).
    pub sessions_per_browser: usize,
    /// Ready pages to keep in reserve.
    pub warm: usize,
}

/// What the fleet has at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetStatus {
    /// Living browsers.
    pub browsers: usize,
    /// Ready pages in reserve.
    pub warm: usize,
}

/// A page on loan. Give it back with [`Fleet::release`].
#[derive(Debug)]
pub struct Lease {
    /// The page, ready for use.
    pub page: Page,
    slot: Arc<Slot>,
}

impl Lease {
    /// Product string of the browser that shows the page.
    #[must_use]
    pub fn browser_product(&self) -> &str {
        self.slot.chromium.product()
    }

    /// Process id of the browser that shows the page.
    #[must_use]
    pub fn browser_process_id(&self) -> u32 {
        self.slot.chromium.process_id()
    }
}

/// One browser with its number of pages, being opened or open.
#[derive(Debug)]
struct Slot {
    chromium: Chromium,
    pages: AtomicUsize,
}

/// Lends pages; cheap to clone.
#[derive(Debug, Clone)]
pub struct Fleet {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: FleetOptions,
    browsers: Mutex<Vec<Arc<Slot>>>,
    warm: Mutex<VecDeque<Lease>>,
    /// Pages that someone waits for are opened at most two at a time: more would only slow each other.
    opening: Semaphore,
    wanted: Notify,
    closed: AtomicBool,
    filler: Mutex<Option<JoinHandle<()>>>,
    recognizer: OnceLock<Arc<Recognizer>>,
    turns: Turns,
    figures: Figures,
}

impl Fleet {
    /// Starts a fleet and begins to fill its pool. Browsers are launched as they are needed.
    #[must_use]
    pub fn start(options: FleetOptions) -> Self {
        let shared = Arc::new(Shared {
            options,
            browsers: Mutex::default(),
            warm: Mutex::default(),
            opening: Semaphore::new(2),
            wanted: Notify::new(),
            closed: AtomicBool::new(false),
            filler: Mutex::default(),
            recognizer: OnceLock::new(),
            turns: Turns::for_cores(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
            figures: Figures::default(),
        });
        let fleet = Self { shared };
        let filler = tokio::spawn(fill(fleet.clone()));
        if let Ok(mut place) = fleet.shared.filler.try_lock() {
            *place = Some(filler);
        }
        fleet.shared.wanted.notify_one();
        fleet
    }

    /// Lets the sessions read text in their pictures; without it they go without. Given once.
    #[must_use]
    pub fn reading_with(self, recognizer: Arc<Recognizer>) -> Self {
        // A second one would be the same: the models belong to the checkout.
        let _ = self.shared.recognizer.set(recognizer);
        self
    }

    /// The turns of whoever works on this fleet's pages.
    #[must_use]
    pub fn turns(&self) -> &Turns {
        &self.shared.turns
    }

    /// What the sessions of this fleet add up to.
    #[must_use]
    pub fn figures(&self) -> &Figures {
        &self.shared.figures
    }

    /// What reads text, if this testbed has it.
    #[must_use]
    pub fn recognizer(&self) -> Option<Arc<Recognizer>> {
        self.shared.recognizer.get().cloned()
    }

    /// A ready page: from the pool when it has one, else freshly opened. The pool is filled again only after
    /// [`Fleet::refill`] or the next release, so that opening pages does not slow the one just lent.
    ///
    /// # Errors
    /// When no browser can be started or the editor does not mount.
    pub async fn acquire(&self) -> Result<Lease, PageError> {
        loop {
            let lease = self.shared.warm.lock().await.pop_front();
            match lease {
                Some(lease) if lease.page.loss().is_none() => return Ok(lease),
                Some(lost) => self.release(lost).await,
                None => return self.open().await,
            }
        }
    }

    /// Has the pool filled again, when whoever took a page from it is done with its first work.
    pub fn refill(&self) {
        self.shared.wanted.notify_one();
    }

    /// Takes a page back and disposes its context: pages are never used twice.
    pub async fn release(&self, lease: Lease) {
        let Lease { page, slot } = lease;
        if page.loss().is_none_or(|loss| loss != crate::page::Loss::Browser) {
            slot.chromium.close(page).await;
        }
        slot.pages.fetch_sub(1, Ordering::SeqCst);
        self.retire().await;
        self.shared.wanted.notify_one();
    }

    /// What there is at the moment.
    pub async fn status(&self) -> FleetStatus {
        let browsers = self.shared.browsers.lock().await.iter().filter(|slot| !slot.chromium.is_lost()).count();
        FleetStatus { browsers, warm: self.shared.warm.lock().await.len() }
    }

    /// Whether no page is lent out or being opened and the pool is full.
    pub async fn is_at_rest(&self) -> bool {
        let warm = self.shared.warm.lock().await.len();
        let browsers = self.shared.browsers.lock().await;
        let pages: usize = browsers.iter().map(|slot| slot.pages.load(Ordering::SeqCst)).sum();
        pages == warm && warm >= self.shared.options.warm
    }

    /// Ends all browsers. Pages still on loan are lost.
    pub async fn shutdown(&self) {
        self.shared.closed.store(true, Ordering::SeqCst);
        if let Some(filler) = self.shared.filler.lock().await.take() {
            filler.abort();
            let _ = filler.await;
        }
        self.shared.warm.lock().await.clear();
        let browsers = std::mem::take(&mut *self.shared.browsers.lock().await);
        for slot in browsers {
            // A slot that is still lent out ends when its last lease does; its guard sees to that.
            if let Ok(slot) = Arc::try_unwrap(slot) {
                slot.chromium.shutdown().await;
            }
        }
    }

    async fn open(&self) -> Result<Lease, PageError> {
        let Ok(_turn) = self.shared.opening.acquire().await else {
            return Err(PageError::LaunchFailed { reason: "the fleet is closed".into() });
        };
        let _turn = self.shared.turns.take(Share::Page).await;
        match self.open_once().await {
            Ok(lease) => Ok(lease),
            // A machine under heavy load can miss the client's fixed limit; a page that was never used costs
            // nothing to open again.
            Err(error) => {
                tracing::warn!(%error, "opening a page failed; once more");
                self.open_once().await
            }
        }
    }

    async fn open_once(&self) -> Result<Lease, PageError> {
        let slot = self.slot().await?;
        match slot.chromium.open(&self.shared.options.editor_url).await {
            Ok(page) => Ok(Lease { page, slot }),
            Err(error) => {
                slot.pages.fetch_sub(1, Ordering::SeqCst);
                Err(error)
            }
        }
    }

    /// A living browser with a free place, which is taken for the caller.
    async fn slot(&self) -> Result<Arc<Slot>, PageError> {
        let mut browsers = self.shared.browsers.lock().await;
        browsers.retain(|slot| !slot.chromium.is_lost());
        let limit = self.shared.options.sessions_per_browser.max(1);
        // The fullest browser with room: emptier ones can then be retired.
        let roomy = browsers.iter().filter(|slot| slot.pages.load(Ordering::SeqCst) < limit);
        if let Some(slot) = roomy.max_by_key(|slot| slot.pages.load(Ordering::SeqCst)) {
            slot.pages.fetch_add(1, Ordering::SeqCst);
            return Ok(Arc::clone(slot));
        }
        if self.shared.closed.load(Ordering::SeqCst) {
            return Err(PageError::LaunchFailed { reason: "the fleet is closed".into() });
        }
        let chromium = Chromium::launch(&self.shared.options.launch).await?;
        let slot = Arc::new(Slot { chromium, pages: AtomicUsize::new(1) });
        browsers.push(Arc::clone(&slot));
        let (mut lost, fleet) = (slot.chromium.lost(), self.clone());
        tokio::spawn(async move {
            // Whoever lost pages asks for new ones; the pool does so here.
            let _ = lost.wait_for(|lost| *lost).await;
            fleet.shared.wanted.notify_one();
        });
        Ok(slot)
    }

    /// Ends browsers that carry nothing any more. One is kept where all others are full: starting one takes seconds.
    async fn retire(&self) {
        let mut browsers = self.shared.browsers.lock().await;
        browsers.retain(|slot| !slot.chromium.is_lost());
        let pages = |slot: &Slot| slot.pages.load(Ordering::SeqCst);
        let room = 1..self.shared.options.sessions_per_browser.max(1);
        let mut spare = browsers.iter().any(|slot| room.contains(&pages(slot)));
        let mut idle = Vec::new();
        browsers.retain(|slot| {
            let needed = pages(slot) > 0 || !std::mem::replace(&mut spare, true);
            if !needed {
                idle.push(Arc::clone(slot));
            }
            needed
        });
        drop(browsers);
        // Dropping closes the guard's leash.
        drop(idle);
    }
}

/// Keeps the pool full, one page at a time, until the fleet is closed.
async fn fill(fleet: Fleet) {
    let mut pause = FIRST_PAUSE;
    loop {
        fleet.shared.wanted.notified().await;
        while !fleet.shared.closed.load(Ordering::SeqCst) && needs_more(&fleet).await {
            match fleet.open().await {
                Ok(lease) => {
                    pause = FIRST_PAUSE;
                    fleet.shared.warm.lock().await.push_back(lease);
                }
                Err(error) => {
                    tracing::warn!(%error, ?pause, "could not prepare a page");
                    tokio::time::sleep(pause).await;
                    pause = LONGEST_PAUSE.min(pause * 2);
                }
            }
        }
    }
}

/// Drops lost pages from the pool and says whether it has room.
async fn needs_more(fleet: &Fleet) -> bool {
    let mut warm = fleet.shared.warm.lock().await;
    let (living, lost): (VecDeque<_>, VecDeque<_>) = warm.drain(..).partition(|lease| lease.page.loss().is_none());
    *warm = living;
    for lease in lost {
        lease.slot.pages.fetch_sub(1, Ordering::SeqCst);
    }
    warm.len() < fleet.shared.options.warm
}
