//! One Chromium process: flags, launch through the guard, the DevTools connection, contexts and pages.
//!
//! How many processes there are and who gets which page is the `session` room's business.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::{
    BrowserContextId, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide::cdp::browser_protocol::target::{
    CreateBrowserContextParams, CreateTargetParams, EventTargetCrashed, EventTargetDestroyed, TargetId,
};
use chromiumoxide::handler::HandlerConfig;
use chromiumoxide::handler::viewport::Viewport;
use chromiumoxide::{Browser, Handler};
use futures::StreamExt;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::{broadcast, watch};

use super::guard::{ADDRESS_PREFIX, FAILURE_PREFIX};
use super::{Loss, Page, PageError};
use crate::model::VIEWPORT;

/// Where Chromium is looked for when nothing is configured.
const USUAL_PLACES: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/opt/google/chrome/chrome"];
/// Chromium announces its address in about a second; a loaded machine needs more.
const LAUNCH_LIMIT: Duration = Duration::from_secs(30);

/// Flags that every launch gets: headless, software WebGL, sound allowed, nothing that phones home.
///
/// Without a GPU it is faster to paint and compose the page on the processor than through software GL:
/// pictures take 0.4 of the time and moves 0.6. Debian's package asks for the opposite, so it is said here.
/// The two omnibox features would each keep a renderer alive for an address bar that nobody sees.
const FLAGS: [&str; 27] = [
    "--headless=new",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // No name but our own resolves: what a project or a page script asks for elsewhere is not there.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    "--disable-breakpad",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,CalculateNativeWinOcclusion,\
     WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
    // What is painted anew in part may differ by a shade at its edges, depending on what was painted before.
    "--disable-partial-raster",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--autoplay-policy=no-user-gesture-required",
    "--force-color-profile=srgb",
    // Published coordinates were taken without native scroll bars: they move what is centred beside them.
    "--hide-scrollbars",
];

/// What a launch needs to know.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The Chromium program; `None` looks at the usual places.
    pub chromium: Option<PathBuf>,
    /// Our own binary, which has the `guard` subcommand.
    pub guard: PathBuf,
}

impl LaunchOptions {
    /// The Chromium that would be started.
    ///
    /// # Errors
    /// [`PageError::ChromiumMissing`] when there is none.
    pub fn find_chromium(&self) -> Result<PathBuf, PageError> {
        let candidates: Vec<PathBuf> =
            self.chromium.clone().map_or_else(|| USUAL_PLACES.iter().map(PathBuf::from).collect(), |path| vec![path]);
        let found = candidates.iter().find(|path| path.is_file()).cloned();
        found.ok_or_else(|| PageError::ChromiumMissing {
            looked_for: candidates.iter().map(|path| path.display().to_string()).collect(),
        })
    }
}

/// One running Chromium. Dropping it ends the process through its guard.
#[derive(Debug)]
pub struct Chromium {
    browser: Browser,
    lost: watch::Receiver<bool>,
    ended_targets: broadcast::Sender<(TargetId, Loss)>,
    /// Its standard input is the leash: when it closes, the guard kills Chromium.
    guard: Child,
    process_id: u32,
    product: String,
}

impl Chromium {
    /// Starts Chromium and connects to it.
    ///
    /// # Errors
    /// When Chromium is missing, does not start, or can't be reached.
    pub async fn launch(options: &LaunchOptions) -> Result<Self, PageError> {
        let chromium = options.find_chromium()?;
        let (guard, announced) = start_guard(&options.guard, &chromium).await?;
        let Announcement { process_id, address, silence } = announced;
        let config = HandlerConfig {
            ignore_invalid_messages: true,
            viewport: Some(Viewport {
                width: VIEWPORT.0,
                height: VIEWPORT.1,
                device_scale_factor: Some(1.0),
                ..Viewport::default()
            }),
            ..HandlerConfig::default()
        };
        let (browser, handler) =
            Browser::connect_with_config(address, config).await.map_err(PageError::protocol("connecting"))?;
        let lost = drive(handler, silence);
        let ended_targets = watch_targets(&browser).await?;
        let product = browser.version().await.map_err(PageError::protocol("reading the version"))?.product;
        Ok(Self { browser, lost, ended_targets, guard, process_id, product })
    }

    /// The browser's product string, for example `Chrome/156.0.8078.79`.
    #[must_use]
    pub fn product(&self) -> &str {
        &self.product
    }

    /// Process id of Chromium itself, which leads a process group of its own.
    #[must_use]
    pub const fn process_id(&self) -> u32 {
        self.process_id
    }

    /// Whether the process or the connection has ended.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        *self.lost.borrow()
    }

    /// Becomes true when the process or the connection ends.
    #[must_use]
    pub fn lost(&self) -> watch::Receiver<bool> {
        self.lost.clone()
    }

    /// Opens `url` in a browser context of its own, so that nothing is shared with other pages.
    ///
    /// # Errors
    /// When Chromium is gone or refuses.
    pub async fn open(&self, url: &str) -> Result<Page, PageError> {
        let context = self
            .browser
            .create_browser_context(CreateBrowserContextParams { dispose_on_detach: Some(true), ..Default::default() })
            .await
            .map_err(PageError::protocol("creating a context"))?;
        let deny = SetDownloadBehaviorParams::builder()
            .behavior(SetDownloadBehaviorBehavior::Deny)
            .browser_context_id(context.clone())
            .build();
        if let Ok(deny) = deny {
            self.browser.execute(deny).await.map_err(PageError::protocol("refusing downloads"))?;
        }
        let target = CreateTargetParams {
            browser_context_id: Some(context.clone()),
            width: Some(VIEWPORT.0.into()),
            height: Some(VIEWPORT.1.into()),
            ..CreateTargetParams::new("about:blank")
        };
        let opened = match self.browser.new_page(target).await {
            Ok(tab) => {
                let ended = self.ended_targets.subscribe();
                Page::prepare(tab, context.clone(), url, self.lost.clone(), ended).await
            }
            Err(error) => Err(PageError::protocol("opening a page")(error)),
        };
        if opened.is_err() {
            self.dispose(context).await;
        }
        opened
    }

    /// Disposes a page's context with all that is in it. A page that is already gone is no error.
    pub async fn close(&self, page: Page) {
        self.dispose(page.context().clone()).await;
    }

    async fn dispose(&self, context: BrowserContextId) {
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

/// What the guard tells about the Chromium that it started.
struct Announcement {
    process_id: u32,
    address: String,
    /// The guard's output; it ends when Chromium does.
    silence: Lines<BufReader<ChildStdout>>,
}

/// Starts the guard and waits for Chromium's address.
async fn start_guard(guard: &Path, chromium: &Path) -> Result<(Child, Announcement), PageError> {
    // Short, because the path of a socket in it may have no more than 108 characters.
    let (name, ..) = uuid::Uuid::new_v4().as_fields();
    let profile = std::env::temp_dir().join(format!("scratchbed-profile-{name:08x}"));
    let mut command = Command::new(guard);
    command.arg("guard").arg("--chromium").arg(chromium).arg("--profile").arg(&profile).arg("--").args(FLAGS);
    if nix::unistd::geteuid().is_root() {
        // Chromium's sandbox refuses to run as root.
        command.arg("--no-sandbox");
    }
    // A group of its own: Ctrl-C in a terminal must not end Chromium before we have ended its sessions.
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|source| PageError::GuardFailed { program: guard.to_owned(), source })?;
    let Some(stdout) = child.stdout.take() else {
        return Err(PageError::LaunchFailed { reason: "the guard has no output".into() });
    };
    let mut lines = BufReader::new(stdout).lines();
    let line = tokio::time::timeout(LAUNCH_LIMIT, lines.next_line())
        .await
        .map_err(|_| PageError::LaunchFailed { reason: format!("no DevTools address within {LAUNCH_LIMIT:?}") })?;
    let line = line.ok().flatten().unwrap_or_default();
    match (parse_announcement(&line), line.strip_prefix(FAILURE_PREFIX)) {
        (Some((process_id, address)), _) => Ok((child, Announcement { process_id, address, silence: lines })),
        (None, Some(reason)) => Err(PageError::LaunchFailed { reason: reason.to_owned() }),
        (None, None) => Err(PageError::LaunchFailed { reason: "the guard ended without a word".into() }),
    }
}

/// Process id and address from the guard's line.
fn parse_announcement(line: &str) -> Option<(u32, String)> {
    let (id, address) = line.strip_prefix(ADDRESS_PREFIX)?.split_once(' ')?;
    Some((id.parse().ok()?, address.to_owned()))
}

/// Runs the client's event loop; the receiver turns true when it ends, or when the guard falls silent,
/// which is the surer sign: the client may not notice a connection that was cut.
fn drive(mut handler: Handler, mut silence: Lines<BufReader<ChildStdout>>) -> watch::Receiver<bool> {
    let (tell, lost) = watch::channel(false);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                event = handler.next() => match event {
                    // Events that the client does not know are no reason to stop.
                    Some(Err(error)) => tracing::trace!(%error, "DevTools event"),
                    Some(Ok(())) => {}
                    None => break,
                },
                line = silence.next_line() => if !matches!(line, Ok(Some(_))) { break },
            }
        }
        let _ = tell.send(true);
    });
    lost
}

/// Reports crashed and closed targets to whoever waits for them.
async fn watch_targets(browser: &Browser) -> Result<broadcast::Sender<(TargetId, Loss)>, PageError> {
    let what = "listening to targets";
    let mut crashed = browser.event_listener::<EventTargetCrashed>().await.map_err(PageError::protocol(what))?;
    let mut closed = browser.event_listener::<EventTargetDestroyed>().await.map_err(PageError::protocol(what))?;
    let (sender, _) = broadcast::channel(256);
    let tell = sender.clone();
    tokio::spawn(async move {
        loop {
            let ended = tokio::select! {
                Some(event) = crashed.next() => (event.target_id.clone(), Loss::Renderer),
                Some(event) = closed.next() => (event.target_id.clone(), Loss::Closed),
                else => break,
            };
            let _ = tell.send(ended);
        }
    });
    Ok(sender)
}
