//! A running Chromium: its connection, its end, contexts and pages.
//!
//! How it is started is in `launch.rs`. The `session` room decides how many processes there are and assigns pages.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::{
    BrowserContextId, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide::cdp::browser_protocol::target::{
    CloseTargetParams, CreateBrowserContextParams, CreateTargetParams, EventTargetCrashed, EventTargetCreated,
    EventTargetDestroyed, GetTargetsParams, TargetId, TargetInfo,
};
use chromiumoxide::error::CdpError;
use chromiumoxide::handler::HandlerConfig;
use chromiumoxide::handler::viewport::Viewport;
use chromiumoxide::{Browser, Handler};
use futures::StreamExt;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::Child;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::task::AbortHandle;

use super::code_cache::Seeder;
use super::launch::{self, LAUNCH_LIMIT, LaunchOptions, Started};
use super::pipe::{self, DevToolsPipe};
use super::{ContextId, Loss, Page, PageError};
use crate::model::VIEWPORT;

/// How long Chromium may take to report its version.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How long each step to a blank tab may take; its browser or renderer hangs if it takes longer.
const TAB_LIMIT: Duration = Duration::from_secs(10);
/// How often the client looks at the age of its commands. It forgets to wake itself after the first time: on a connection
/// that has fallen silent no command would ever end.
const CLIENT_WAKES: Duration = Duration::from_secs(5);
/// How long the client keeps a command that was not answered.
const CLIENT_FORGETS: Duration = Duration::from_secs(600);
/// How long it may take to close a page.
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

/// One running Chromium. Dropping it ends the process through its guard.
#[derive(Debug)]
pub struct Chromium {
    browser: Arc<Browser>,
    lost: watch::Receiver<bool>,
    ended_targets: broadcast::Sender<(TargetId, Loss)>,
    /// Its standard input is the leash: when it closes, the guard kills Chromium.
    guard: Child,
    process_id: u32,
    product: String,
    profile: PathBuf,
    /// Compiled code for its pages.
    seeder: Option<Seeder>,
    /// Contexts of our pages; true until the one tab that we open in each has appeared.
    contexts: Contexts,
    tabs_closed: Arc<AtomicU64>,
    /// How long its pages may take to answer a command.
    command_limit: Duration,
}

type Contexts = Arc<Mutex<HashMap<ContextId, bool>>>;

impl Chromium {
    /// Starts Chromium and connects to it.
    ///
    /// # Errors
    /// When Chromium is missing, does not start, or can't be reached.
    pub async fn launch(options: &LaunchOptions) -> Result<Self, PageError> {
        let pipe = DevToolsPipe::new()
            .map_err(|error| PageError::LaunchFailed { reason: format!("no pipe to Chromium: {error}") })?;
        // Read while Chromium starts.
        let code = options.code.clone();
        let reading = tokio::spawn(async move { code?.read().await });
        let Started { guard, process_id, mut words, profile } = launch::start(options, pipe.theirs).await?;
        let mut running = Running { process_id: Some(process_id), client: None };
        let (seed_commands, seeds) = mpsc::unbounded_channel();
        let (browser, handler) = Box::pin(pipe::connect(pipe.ours, seeds, handler_config())).await?;
        let browser = Arc::new(browser);
        let client = tokio::spawn(turn(handler));
        running.client = Some(client.abort_handle());
        // Its answer is the sign that Chromium runs.
        let version = tokio::select! {
            version = tokio::time::timeout(LAUNCH_LIMIT, browser.version()) => version,
            end = words.end() => {
                let reason = end.last_words.unwrap_or_else(|| "it ended without output".to_owned());
                return Err(PageError::LaunchFailed { reason });
            }
        };
        let version = version
            .map_err(|_| PageError::LaunchFailed { reason: format!("no answer within {LAUNCH_LIMIT:?}") })?
            .map_err(PageError::protocol("reading the version"))?;
        let ended_targets = watch_targets(&browser).await?;
        let contexts = Contexts::default();
        let tabs_closed = close_new_tabs(&browser, Arc::clone(&contexts)).await?;
        let (lost_sender, lost) = watch::channel(false);
        tokio::spawn(async move {
            // The guard's silence is the surer sign: the client does not notice a connection that was cut.
            let killed = tokio::select! { _ = client => false, end = words.end() => end.killed };
            let _ = lost_sender.send(true);
            if killed {
                // Its number may be another's by now.
                running.process_id = None;
            }
            drop(running);
        });
        let product = version.product;
        let _ = reading.await;
        let seeder = Seeder::new(options.code.as_ref(), &product, seed_commands).await;
        Ok(Self {
            browser,
            lost,
            ended_targets,
            guard,
            process_id,
            product,
            profile,
            seeder,
            contexts,
            tabs_closed,
            command_limit: options.command_limit,
        })
    }

    /// The browser's product string, for example `Chrome/156.0.8078.79`.
    pub fn product(&self) -> &str {
        &self.product
    }

    /// Process id of Chromium itself, which leads a process group of its own.
    pub const fn process_id(&self) -> u32 {
        self.process_id
    }

    /// Whether the process or the connection has ended.
    pub fn is_lost(&self) -> bool {
        *self.lost.borrow()
    }

    /// Becomes true when the process or the connection ends.
    pub fn lost(&self) -> watch::Receiver<bool> {
        self.lost.clone()
    }

    /// How many tabs were closed because they had been opened next to a page.
    pub fn tabs_closed(&self) -> u64 {
        self.tabs_closed.load(Ordering::Relaxed)
    }

    /// How many tabs are open in all contexts.
    ///
    /// # Errors
    /// When Chromium is gone or does not answer.
    pub async fn open_tabs(&self) -> Result<usize, PageError> {
        let what = "listing targets";
        let targets = self.browser.execute(GetTargetsParams::default()).await.map_err(PageError::protocol(what))?;
        Ok(targets.target_infos.iter().filter(|target| target.r#type == "page").count())
    }

    /// Opens `url` in a context of its own, so that nothing is shared with other pages; the editor shows its default project.
    ///
    /// # Errors
    /// When Chromium is gone or refuses.
    pub async fn open(&self, url: &str) -> Result<Page, PageError> {
        let page = self.open_to_begin(url).await?;
        if let Err(error) = page.begin_with_default().await {
            self.close(page).await;
            return Err(error);
        }
        Ok(page)
    }

    /// The same with an editor that waits for the project that it is to begin with.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_to_begin(&self, url: &str) -> Result<Page, PageError> {
        let wanted = CreateBrowserContextParams { dispose_on_detach: Some(true), ..Default::default() };
        let context = in_time("creating a context", self.browser.create_browser_context(wanted)).await?;
        self.contexts().insert(context.clone(), true);
        let deny = SetDownloadBehaviorParams::builder()
            .behavior(SetDownloadBehaviorBehavior::Deny)
            .browser_context_id(context.clone())
            .build();
        if let Ok(deny) = deny {
            in_time("refusing downloads", self.browser.execute(deny)).await?;
        }
        let target = CreateTargetParams {
            browser_context_id: Some(context.clone()),
            width: Some(VIEWPORT.0.into()),
            height: Some(VIEWPORT.1.into()),
            ..CreateTargetParams::new("about:blank")
        };
        let opened = match in_time("opening a page", self.browser.new_page(target)).await {
            Ok(tab) => {
                if let Some(seeder) = &self.seeder {
                    seeder.seed(tab.session_id().as_ref(), url);
                }
                self.prepare(tab, context.clone(), url).await
            }
            Err(error) => Err(error),
        };
        if opened.is_err() {
            self.close_context(context).await;
        }
        opened
    }

    async fn prepare(&self, tab: chromiumoxide::Page, context: ContextId, url: &str) -> Result<Page, PageError> {
        Page::prepare(tab, context, url, self.command_limit, self.lost.clone(), self.ended_targets.subscribe()).await
    }

    /// Opens `url` in the browser's own context, which all such pages share and whose caches are on the disk.
    ///
    /// # Errors
    /// When Chromium is gone or refuses.
    pub(super) async fn open_unisolated(&self, url: &str) -> Result<Page, PageError> {
        let tab = in_time("opening a page", self.browser.new_page(CreateTargetParams::new("about:blank"))).await?;
        let page = self.prepare(tab, ContextId::new(String::new()), url).await?;
        page.begin_with_default().await.map(|()| page)
    }

    /// Closes such a page.
    pub(super) async fn close_unisolated(&self, page: &Page) {
        let close = CloseTargetParams::new(page.target());
        let _ = tokio::time::timeout(CLOSE_LIMIT, self.browser.execute(close)).await;
    }

    /// The DevTools client.
    pub(super) fn client(&self) -> &Browser {
        &self.browser
    }

    /// Where Chromium keeps its user data as long as it runs.
    pub(super) fn profile(&self) -> &Path {
        &self.profile
    }

    /// Disposes a page's context with all that is in it. A page that is already gone is not an error.
    pub async fn close(&self, page: Page) {
        self.close_context(page.context().clone()).await;
    }

    /// The same for a page that is not at hand any more.
    pub async fn close_context(&self, context: ContextId) {
        if tokio::time::timeout(CLOSE_LIMIT, self.dispose(context)).await.is_err() {
            tracing::warn!(process = self.process_id, "a page could not be closed in time");
            self.give_up_unless_it_answers().await;
        }
    }

    /// Kills Chromium if it does not answer a simple question in 5 s: hung is as good as dead.
    pub async fn give_up_unless_it_answers(&self) {
        if self.is_lost() || matches!(tokio::time::timeout(ANSWER_LIMIT, self.browser.version()).await, Ok(Ok(_))) {
            return;
        }
        if !self.is_lost() {
            tracing::warn!(process = self.process_id, "a Chromium does not answer and is killed");
            kill_group(self.process_id);
            let mut lost = self.lost.clone();
            let _ = tokio::time::timeout(ANSWER_LIMIT, lost.wait_for(|lost| *lost)).await;
        }
    }

    fn contexts(&self) -> MutexGuard<'_, HashMap<ContextId, bool>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn dispose(&self, context: BrowserContextId) {
        self.contexts().remove(&context);
        if let Err(error) = self.browser.dispose_browser_context(context).await {
            tracing::debug!(%error, "context was already gone");
        }
    }

    /// Ends the process and waits until it and its profile are gone.
    pub async fn shutdown(mut self) {
        drop(self.guard.stdin.take());
        if let Err(error) = self.guard.wait().await {
            tracing::warn!(%error, "could not wait for the browser guard");
        }
    }
}

/// One step to a blank tab.
async fn in_time<T>(what: &'static str, step: impl Future<Output = Result<T, CdpError>>) -> Result<T, PageError> {
    match tokio::time::timeout(TAB_LIMIT, step).await {
        Ok(done) => done.map_err(PageError::protocol(what)),
        Err(_) => Err(PageError::Timeout { what: what.to_owned(), limit: TAB_LIMIT }),
    }
}

fn handler_config() -> HandlerConfig {
    let viewport =
        Viewport { width: VIEWPORT.0, height: VIEWPORT.1, device_scale_factor: Some(1.0), ..Viewport::default() };
    // Each command has a limit of its own; this one only keeps abandoned commands from piling up.
    HandlerConfig {
        ignore_invalid_messages: true,
        viewport: Some(viewport),
        request_timeout: CLIENT_FORGETS,
        ..HandlerConfig::default()
    }
}

/// A Chromium that was started, with the client that speaks to it. Dropping it ends both, even if the guard fails.
struct Running {
    /// `None` when it has ended.
    process_id: Option<u32>,
    client: Option<AbortHandle>,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(client) = &self.client {
            client.abort();
        }
        if let Some(process_id) = self.process_id {
            kill_group(process_id);
        }
    }
}

/// Runs the client's event loop until the connection ends.
async fn turn(mut handler: Handler) {
    loop {
        let event = match tokio::time::timeout(CLIENT_WAKES, handler.next()).await {
            Ok(Some(event)) => event,
            Ok(None) => return,
            Err(_) => continue,
        };
        if let Err(error) = event {
            // Events that the client does not know do not end the connection.
            tracing::trace!(%error, "DevTools event");
        }
    }
}

/// Ends a Chromium whose guard can't: it was killed itself, or Chromium is cut off and still runs.
fn kill_group(process_id: u32) {
    if let Ok(id) = i32::try_from(process_id) {
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

/// Closes tabs that are opened next to pages, for example by a link in the editor's help: nothing would count them.
/// The figure that is returned goes up with each.
async fn close_new_tabs(browser: &Arc<Browser>, contexts: Contexts) -> Result<Arc<AtomicU64>, PageError> {
    let what = "listening to targets";
    let mut created = browser.event_listener::<EventTargetCreated>().await.map_err(PageError::protocol(what))?;
    let browser = Arc::downgrade(browser);
    let closed = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&closed);
    tokio::spawn(async move {
        while let Some(event) = created.next().await {
            let target = &event.target_info;
            let Some(browser) = browser.upgrade() else { break };
            if target.r#type == "page" && is_beside(target, &contexts) {
                let _ = browser.execute(CloseTargetParams::new(target.target_id.clone())).await;
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    Ok(closed)
}

/// Whether a tab is neither our own nor Chromium's first one. Our own are opened by no page, and are the first of their
/// contexts.
fn is_beside(tab: &TargetInfo, contexts: &Contexts) -> bool {
    if tab.opener_id.is_some() || tab.opener_frame_id.is_some() {
        return true;
    }
    let mut contexts = contexts.lock().unwrap_or_else(PoisonError::into_inner);
    let awaited = tab.browser_context_id.as_ref().and_then(|context| contexts.get_mut(context));
    awaited.is_some_and(|awaited| !std::mem::take(awaited))
}

/// Reports crashed and closed targets to their waiters.
async fn watch_targets(browser: &Browser) -> Result<broadcast::Sender<(TargetId, Loss)>, PageError> {
    let what = "listening to targets";
    let mut crashed = browser.event_listener::<EventTargetCrashed>().await.map_err(PageError::protocol(what))?;
    let mut closed = browser.event_listener::<EventTargetDestroyed>().await.map_err(PageError::protocol(what))?;
    let (sender, _) = broadcast::channel(256);
    let losses = sender.clone();
    tokio::spawn(async move {
        loop {
            let ended = tokio::select! {
                Some(event) = crashed.next() => (event.target_id.clone(), Loss::Renderer),
                Some(event) = closed.next() => (event.target_id.clone(), Loss::Closed),
                else => break,
            };
            let _ = losses.send(ended);
        }
    });
    Ok(sender)
}
