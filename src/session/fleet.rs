//! The fleet, which assigns pages.
//!
//! Each browser carries a few pages, each in a context of its own; a killed browser loses only those.
//! The warm pool is filled one page at a time, so that filling it does not slow the pages in use.
//! A leased page comes back by itself, even if its borrower is dropped.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::browsers::{BrowserPool, Browsers};
use super::figures::Figures;
use super::filling::Filling;
use super::lease::{Beginning, Lease, Returned};
use super::places::SessionPlace;
use super::recognition::Recognition;
use super::turns::{TurnKind, Turns};
use crate::model::EditorGeneration;
use crate::ocr::Recognizer;
use crate::page::{Loss, PageError};

/// How long after a page could not be prepared the next is tried; doubled after each failure in a row.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How many pages with waiting callers are opened at a time: more would only slow each other down.
const OPENING: usize = 2;

/// What the fleet's pages show, and how many it keeps; how its browsers are launched is their [`BrowserPool`]'s.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// Address of the page that mounts the editor.
    pub editor_url: String,
    /// Which editor that is.
    pub editor: EditorGeneration,
    /// Ready pages to keep in reserve, until another number is asked for.
    pub warm: usize,
}

/// What the fleet has at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetStatus {
    pub browsers: usize,
    /// Ready pages in reserve.
    pub warm: usize,
    /// Pages lent out, being opened or being closed.
    pub lent: usize,
}

/// Lends pages; cheap to clone.
#[derive(Debug, Clone)]
pub struct Fleet {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: FleetOptions,
    browsers: Browsers,
    /// Ready pages to keep in reserve.
    spare: AtomicUsize,
    warm: Mutex<VecDeque<Lease>>,
    opening: Semaphore,
    wanted: Arc<Notify>,
    closed: AtomicBool,
    filler: Mutex<Option<JoinHandle<()>>>,
    filling: Mutex<Filling>,
    returns: mpsc::UnboundedSender<Returned>,
    recognition: Recognition,
    turns: Turns,
    figures: Figures,
}

impl Shared {
    fn filling(&self) -> MutexGuard<'_, Filling> {
        self.filling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page that is being opened for the pool, if there is one and no other caller waits for it.
    fn claim_filling(&self) -> Option<oneshot::Receiver<Lease>> {
        let mut filling = self.filling();
        if !matches!(*filling, Filling::ForPool) {
            return None;
        }
        let (sender, receiver) = oneshot::channel();
        *filling = Filling::ForCaller(sender);
        Some(receiver)
    }

    fn warm(&self) -> MutexGuard<'_, VecDeque<Lease>> {
        self.warm.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn filler(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.filler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Closes returned pages. Pages are never used twice.
    async fn take_back(&self, returned: Returned) {
        let Returned { context, loss, reservation, place } = returned;
        if loss != Some(Loss::Browser) && !reservation.chromium().is_lost() {
            reservation.chromium().close_context(context).await;
        }
        drop(reservation);
        drop(place);
        self.browsers.retire();
        self.wanted.notify_one();
    }
}

impl Fleet {
    /// Starts a fleet with browsers of its own and begins to fill its pool of spare pages. Browsers are launched as they are
    /// needed, and end with the fleet.
    pub fn start(pool: BrowserPool, options: FleetOptions) -> Self {
        Self::start_over(pool, false, options)
    }

    /// Starts a fleet whose pages are in browsers that other fleets use, too: the pool outlives the fleet.
    pub fn start_in(pool: &BrowserPool, options: FleetOptions) -> Self {
        Self::start_over(pool.clone(), true, options)
    }

    fn start_over(pool: BrowserPool, is_shared: bool, options: FleetOptions) -> Self {
        let wanted = Arc::new(Notify::new());
        let (returns, returned) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            browsers: Browsers::of(pool, is_shared, &wanted),
            spare: AtomicUsize::new(options.warm),
            options,
            warm: Mutex::default(),
            opening: Semaphore::new(OPENING),
            wanted,
            closed: AtomicBool::new(false),
            filler: Mutex::default(),
            filling: Mutex::default(),
            returns,
            recognition: Recognition::default(),
            turns: Turns::for_cores(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
            figures: Figures::default(),
        });
        let fleet = Self { shared };
        tokio::spawn(take_back_all(Arc::downgrade(&fleet.shared), returned));
        *fleet.shared.filler() = Some(tokio::spawn(fill(fleet.clone())));
        fleet.shared.wanted.notify_one();
        fleet
    }

    /// Lets the sessions read text in their pictures; without it they go without. Given once.
    pub fn reading_with(self, recognizer: Arc<Recognizer>) -> Self {
        self.shared.recognition.give(recognizer);
        self
    }

    /// The same with what this loads, once there is a session.
    pub fn reading_by(self, load: impl Fn() -> Option<Arc<Recognizer>> + Send + Sync + 'static) -> Self {
        self.shared.recognition.load_by(Box::new(load));
        self
    }

    /// Address of the page that mounts the editor, which sessions' browsers ask for.
    pub fn editor_url(&self) -> &str {
        &self.shared.options.editor_url
    }

    /// The editor that its pages show.
    pub fn editor(&self) -> EditorGeneration {
        self.shared.options.editor
    }

    /// The turns for work on this fleet's pages.
    pub fn turns(&self) -> &Turns {
        &self.shared.turns
    }

    /// What the sessions of this fleet add up to.
    pub fn figures(&self) -> &Figures {
        &self.shared.figures
    }

    /// What reads text, if this testbed has it.
    pub fn recognizer(&self) -> Option<Arc<Recognizer>> {
        self.shared.recognition.get()
    }

    /// A ready page: from the pool when it has one, else freshly opened. The pool is filled again only after
    /// [`Fleet::refill`] or the next release, so that opening pages does not slow the one just lent.
    ///
    /// # Errors
    /// When no browser can be started or the editor does not mount.
    pub async fn acquire(&self) -> Result<Lease, PageError> {
        self.acquire_for(None, Beginning::Default).await
    }

    /// A page of its own, never from the pool, with the player instead of the editor: the VM, its renderer and the stage, at
    /// two thirds of the cost. It is for judging.
    ///
    /// # Errors
    /// When no browser can be started or the player does not mount.
    pub async fn acquire_player(&self) -> Result<Lease, PageError> {
        let url = &self.shared.options.editor_url;
        let separator = if url.contains('?') { '&' } else { '?' };
        self.open(format!("{url}{separator}player"), None, Beginning::Default).await
    }

    /// A ready page for a session's place. One from the pool has begun, because its session is to come soon. The place is not free before the page is closed, even if no one waits for the
    /// page any more while it is being opened.
    pub(super) async fn acquire_for(
        &self,
        place: Option<Arc<SessionPlace>>,
        beginning: Beginning,
    ) -> Result<Lease, PageError> {
        loop {
            let ready = self.shared.warm().pop_front();
            let lease = match ready {
                Some(lease) => Some(lease),
                None => match self.shared.claim_filling() {
                    // It may fail to open.
                    Some(coming) => coming.await.ok(),
                    None => return self.open(self.editor_url().to_owned(), place, beginning).await,
                },
            };
            // A lost one is returned by itself.
            if let Some(lease) = lease.filter(|lease| lease.page.loss().is_none()) {
                return Ok(lease.lent_for(place));
            }
        }
    }

    /// Refills the pool once the session that took a page has finished its first work.
    pub fn refill(&self) {
        self.shared.wanted.notify_one();
    }

    /// Keeps so many pages in reserve from the next refill on: none for the last session, behind which no one comes.
    pub fn keep_spare(&self, pages: usize) {
        self.shared.spare.store(pages, Ordering::SeqCst);
    }

    /// Takes a page back and waits until its context is disposed.
    pub async fn release(&self, mut lease: Lease) {
        if let Some(returned) = lease.hand_over() {
            drop(lease);
            // On a task of its own, so that it is done even if the caller goes away.
            let shared = Arc::clone(&self.shared);
            let _ = tokio::spawn(async move { shared.take_back(returned).await }).await;
        }
    }

    /// What there is at the moment.
    pub fn status(&self) -> FleetStatus {
        let warm = self.shared.warm().len();
        let (browsers, pages) = (self.shared.browsers.living(), self.shared.browsers.pages());
        FleetStatus { browsers, warm, lent: pages.saturating_sub(warm) }
    }

    /// Whether no page is lent out or being opened and the pool is full.
    pub fn is_at_rest(&self) -> bool {
        let FleetStatus { warm, lent, .. } = self.status();
        lent == 0 && warm >= self.shared.spare.load(Ordering::SeqCst)
    }

    /// Ends all browsers, unless other fleets use them. Pages still on loan are lost with their browser.
    pub async fn shutdown(&self) {
        self.shared.closed.store(true, Ordering::SeqCst);
        let filler = self.shared.filler().take();
        if let Some(filler) = filler {
            filler.abort();
            let _ = filler.await;
        }
        // Whoever waits for its page learns that there is none.
        *self.shared.filling() = Filling::None;
        let warm = std::mem::take(&mut *self.shared.warm());
        for mut lease in warm {
            if self.shared.browsers.is_shared() {
                self.release(lease).await;
            } else {
                // The whole browser is given up.
                drop(lease.hand_over());
            }
        }
        self.shared.browsers.shutdown().await;
    }

    /// Opens a page in a spawned task: if the caller goes away before its turn has come, nothing is opened;
    /// when later, the page goes back.
    async fn open(
        &self,
        url: String,
        place: Option<Arc<SessionPlace>>,
        beginning: Beginning,
    ) -> Result<Lease, PageError> {
        let (mut answer, opened) = oneshot::channel();
        let fleet = self.clone();
        tokio::spawn(async move {
            let (_permit, _turn) = tokio::select! {
                turn = fleet.opening_turn() => turn,
                () = answer.closed() => return,
            };
            let opened = fleet.open_in_turn(&url, beginning).await;
            let _ = answer.send(opened.map(|lease| lease.lent_for(place)));
        });
        opened.await.unwrap_or_else(|_| Err(PageError::LaunchFailed { reason: "the fleet is closed".into() }))
    }

    async fn opening_turn(&self) -> (Option<tokio::sync::SemaphorePermit<'_>>, super::turns::Turn) {
        // The semaphore is never closed.
        let permit = self.shared.opening.acquire().await.ok();
        (permit, self.shared.turns.take(TurnKind::Page).await)
    }

    async fn open_in_turn(&self, url: &str, beginning: Beginning) -> Result<Lease, PageError> {
        match self.open_once(url, beginning).await {
            Ok(lease) => Ok(lease),
            // A machine under heavy load can miss the client's fixed limit; a page that was never used costs
            // nothing to open again.
            Err(error) => {
                let error = crate::model::with_causes(&error);
                tracing::warn!(error, "opening a page failed; once more");
                self.open_once(url, beginning).await
            }
        }
    }

    async fn open_once(&self, url: &str, beginning: Beginning) -> Result<Lease, PageError> {
        if self.shared.is_closed() {
            return Err(PageError::LaunchFailed { reason: "the fleet is closed".into() });
        }
        let reservation = self.shared.browsers.reserve().await?;
        let chromium = reservation.chromium();
        let opened = match beginning {
            Beginning::Default => chromium.open(url).await,
            Beginning::Awaited => chromium.open_to_begin(url).await,
        };
        let page = match opened {
            Ok(page) => page,
            Err(error) => {
                // The next try must not meet the same hung browser.
                chromium.give_up_unless_it_answers().await;
                return Err(error);
            }
        };
        Ok(Lease::new(page, reservation, self.shared.returns.clone()))
    }
}

/// Closes pages whose borrowers are gone, each on a task of its own: a slow one delays no other.
async fn take_back_all(shared: Weak<Shared>, mut returned: mpsc::UnboundedReceiver<Returned>) {
    while let Some(returned) = returned.recv().await {
        if let Some(shared) = shared.upgrade() {
            tokio::spawn(async move { shared.take_back(returned).await });
        }
    }
}

/// Keeps the pool full, one page at a time, until the fleet is closed.
async fn fill(fleet: Fleet) {
    let mut pause = FIRST_PAUSE;
    loop {
        fleet.shared.wanted.notified().await;
        while !fleet.shared.is_closed() && needs_more(&fleet) {
            *fleet.shared.filling() = Filling::ForPool;
            let opened = fleet.open(fleet.editor_url().to_owned(), None, Beginning::Default).await;
            let filling = std::mem::take(&mut *fleet.shared.filling());
            match opened {
                Ok(lease) => {
                    pause = FIRST_PAUSE;
                    if let Some(lease) = filling.hand_to_caller(lease) {
                        fleet.shared.warm().push_back(lease);
                    } else {
                        // The caller's first work comes before the next page.
                        break;
                    }
                }
                Err(error) => {
                    let error = crate::model::with_causes(&error);
                    tracing::warn!(error, ?pause, "could not prepare a page");
                    // The caller who waits for it opens one.
                    drop(filling);
                    tokio::time::sleep(pause).await;
                    pause = LONGEST_PAUSE.min(pause * 2);
                }
            }
        }
    }
}

/// Drops lost pages from the pool and returns whether it has room.
fn needs_more(fleet: &Fleet) -> bool {
    let mut warm = fleet.shared.warm();
    warm.retain(|lease| lease.page.loss().is_none());
    warm.len() < fleet.shared.spare.load(Ordering::SeqCst)
}
