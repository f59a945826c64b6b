//! One page: opening it, its dialogs, and the signal that it is lost.
//!
//! Page functions are called in `call.rs`. Mouse and keyboard are in `input.rs`, pictures in `picture.rs`. Nothing here knows sessions or actions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::page::{
    AddScriptToEvaluateOnNewDocumentParams, EventFrameNavigated, EventJavascriptDialogOpening,
    HandleJavaScriptDialogParams, NavigateParams, SetInterceptFileChooserDialogParams,
};
use chromiumoxide::cdp::browser_protocol::target::TargetId;
use chromiumoxide::cdp::js_protocol::runtime::{EvaluateParams, RemoteObjectId, TerminateExecutionParams};
use chromiumoxide::error::CdpError;
use chromiumoxide::{Command, Page as Tab};
use futures::StreamExt;
use serde::Serialize;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::Instant;

use super::input::Held;
use super::interrupt::ScriptNames;
use super::results::{LoadProject, Readiness};
use super::scripts;
use super::{Loss, PageError};

/// How long the editor may take to mount; 2 to 3 s when idle, more while others load.
const EDITOR_LIMIT: Duration = Duration::from_secs(60);
/// How often readiness is polled while the editor mounts.
const EDITOR_POLL: Duration = Duration::from_millis(50);
/// How long after a broken connection the end of the browser may become known.
const LOSS_LIMIT: Duration = Duration::from_secs(2);
/// How many answered dialogs are remembered.
const KEPT_DIALOGS: usize = 100;

/// A JavaScript dialog that was answered so that it could not freeze the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DialogRecord {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    pub message: String,
}

/// Identifies the browser context of a page, which has no other pages.
pub type ContextId = BrowserContextId;

/// One page with the editor in it.
#[derive(Debug)]
pub struct Page {
    pub(super) tab: Tab,
    context: BrowserContextId,
    /// How long a command may take.
    pub(super) command_limit: Duration,
    /// The process that renders it, once it was found.
    pub(super) process: Option<i32>,
    /// Milliseconds of processor time that this process was last seen to have used.
    pub(super) used_ms: AtomicU64,
    pub(super) global: RemoteObjectId,
    lost: watch::Receiver<Option<Loss>>,
    pub(super) lose: mpsc::Sender<Loss>,
    /// Whether a command was not answered in time since the last call of this.
    pub(super) doubtful: AtomicBool,
    dialogs: Arc<std::sync::Mutex<Vec<DialogRecord>>>,
    pub(super) scripts: ScriptNames,
    pub(super) held: Held,
    /// Whether the editor waited for its first project when the page was opened.
    awaits_project: bool,
}

impl Page {
    /// Makes a blank page into one that can't be frozen, opens the editor in it and waits until it is ready, or
    /// waits for the project that it is to begin with.
    pub(super) async fn prepare(
        tab: Tab,
        context: BrowserContextId,
        url: &str,
        command_limit: Duration,
        browser_lost: watch::Receiver<bool>,
        ended: broadcast::Receiver<(TargetId, Loss)>,
    ) -> Result<Self, PageError> {
        let (lose, losses) = mpsc::channel(1);
        let lost = watch_loss(tab.target_id().clone(), browser_lost, ended, losses);
        let dialogs = answer_dialogs(&tab).await?;
        let mut page = Self {
            tab,
            context,
            command_limit,
            process: None,
            used_ms: AtomicU64::new(0),
            global: RemoteObjectId::new(String::new()),
            lost,
            lose,
            doubtful: AtomicBool::new(false),
            dialogs,
            scripts: ScriptNames::default(),
            held: Held::default(),
            awaits_project: false,
        };
        let choosers = SetInterceptFileChooserDialogParams { enabled: true, cancel: Some(true) };
        page.send("blocking file choosers", choosers).await?;
        page.send("installing the prelude", AddScriptToEvaluateOnNewDocumentParams::new(scripts::prelude())).await?;
        let reached = page.send("navigating", NavigateParams::new(url)).await?;
        if let Some(reason) = reached.error_text.clone() {
            return Err(PageError::NotReached { reason });
        }
        page.wait_for_editor().await?;
        page.stay_here().await?;
        Ok(page)
    }

    async fn wait_for_editor(&mut self) -> Result<(), PageError> {
        let deadline = Instant::now() + EDITOR_LIMIT;
        loop {
            // The document is replaced while it loads, so the global object is looked up each time.
            let ready = match self.find_global().await {
                Ok(()) => self.call(&scripts::READY, &()).await,
                Err(error) => Err(error),
            };
            match ready {
                Ok(Readiness::Ready) => return Ok(()),
                Ok(Readiness::AwaitsProject) => {
                    self.awaits_project = true;
                    return Ok(());
                }
                Err(error) if error.is_lost() => return Err(error),
                // No script of the editor's keeps a page busy for so long: its renderer hangs.
                Err(error @ PageError::Timeout { .. }) => return Err(error),
                Ok(Readiness::Mounting) | Err(_) if Instant::now() < deadline => tokio::time::sleep(EDITOR_POLL).await,
                Ok(Readiness::Mounting) => return Err(PageError::EditorNotReady { limit: EDITOR_LIMIT }),
                Err(error) => return Err(error),
            }
        }
    }

    /// Has an editor that waits for its first project begin with its default one.
    ///
    /// # Errors
    /// When the page is lost or does not answer.
    pub async fn begin_with_default(&self) -> Result<(), PageError> {
        if !self.awaits_project {
            return Ok(());
        }
        let default = LoadProject { sb3: None, editing_target: None };
        self.call(&scripts::LOAD_PROJECT, &default).await.map(|_| ())
    }

    /// From now on the page is lost when its tab goes anywhere else: what was done in it is gone then.
    async fn stay_here(&self) -> Result<(), PageError> {
        let what = "listening to navigation";
        let mut gone = self.tab.event_listener::<EventFrameNavigated>().await.map_err(PageError::protocol(what))?;
        let lose = self.lose.clone();
        tokio::spawn(async move {
            while let Some(event) = gone.next().await {
                if event.frame.parent_id.is_none() {
                    let _ = lose.try_send(Loss::Left);
                }
            }
        });
        Ok(())
    }

    async fn find_global(&mut self) -> Result<(), PageError> {
        let result = self.send("finding the page", EvaluateParams::new("globalThis")).await?;
        self.global = result.result.object_id.ok_or(PageError::EditorNotReady { limit: EDITOR_LIMIT })?;
        Ok(())
    }

    /// Stops the JavaScript that the page is running, even an endless loop.
    ///
    /// # Errors
    /// When the page is lost, or too busy to answer.
    pub async fn terminate_execution(&self) -> Result<(), PageError> {
        self.send("stopping the page's script", TerminateExecutionParams::default()).await.map(|_| ())
    }

    /// Dialogs that were answered since the last call.
    pub fn take_dialogs(&self) -> Vec<DialogRecord> {
        self.dialogs.lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default()
    }

    /// Why the page is gone, if it is.
    pub fn loss(&self) -> Option<Loss> {
        *self.lost.borrow()
    }

    /// Whether a command was not answered in time since the last call of this: the page may hang.
    pub fn take_doubt(&self) -> bool {
        self.doubtful.swap(false, Ordering::Relaxed)
    }

    /// Counts the page as lost from now on, because it does not answer.
    pub async fn give_up(&self) {
        let _ = self.lose.try_send(Loss::Hung);
        self.wait_lost().await;
    }

    /// Resolves when the page is lost.
    pub async fn wait_lost(&self) -> Loss {
        let mut lost = self.lost.clone();
        let loss = lost.wait_for(Option::is_some).await.map_or(None, |loss| *loss);
        loss.unwrap_or(Loss::Browser)
    }

    /// Identifier of the page's target.
    pub(super) fn target(&self) -> TargetId {
        self.tab.target_id().clone()
    }

    /// Identifier of the page's browser context.
    pub fn context(&self) -> &ContextId {
        &self.context
    }

    /// Sends one command; a loss of the page ends the wait at once.
    pub(super) async fn send<T: Command>(&self, what: &'static str, command: T) -> Result<T::Response, PageError> {
        self.send_within(what, command, self.command_limit).await
    }

    /// As [`Page::send`], for a command that may take longer.
    pub(super) async fn send_within<T: Command>(
        &self,
        what: &'static str,
        command: T,
        limit: Duration,
    ) -> Result<T::Response, PageError> {
        if let Some(loss) = self.loss() {
            return Err(PageError::Lost(loss));
        }
        tokio::select! {
            reply = tokio::time::timeout(limit, self.tab.execute(command)) => match reply {
                Ok(Ok(reply)) => Ok(reply.result),
                Ok(Err(source)) => Err(self.trouble(what, source).await),
                Err(_) => Err(self.trouble(what, CdpError::Timeout).await),
            },
            loss = self.wait_lost() => Err(PageError::Lost(loss)),
        }
    }
}

impl Page {
    /// Why a command failed; one that was not answered in time puts the page in doubt.
    async fn trouble(&self, what: &'static str, source: CdpError) -> PageError {
        if let Some(loss) = self.loss_behind(&source).await {
            return PageError::Lost(loss);
        }
        self.doubtful.fetch_or(matches!(source, CdpError::Timeout), Ordering::Relaxed);
        PageError::protocol(what)(source)
    }

    /// The loss of the page that made a command fail. The connection to a killed browser breaks before its
    /// end is reported, so this waits for the report.
    async fn loss_behind(&self, error: &CdpError) -> Option<Loss> {
        let broken =
            matches!(error, CdpError::Ws(_) | CdpError::Io(_) | CdpError::NoResponse | CdpError::ChannelSendError(_));
        if broken {
            return tokio::time::timeout(LOSS_LIMIT, self.wait_lost()).await.ok();
        }
        self.loss()
    }
}

/// Merges "the browser ended", "this target ended" and the other `losses` into one signal. The first stays: a page that was given up
/// is lost for its own sake, also if its browser ends next.
fn watch_loss(
    target: TargetId,
    mut browser: watch::Receiver<bool>,
    mut ended: broadcast::Receiver<(TargetId, Loss)>,
    mut losses: mpsc::Receiver<Loss>,
) -> watch::Receiver<Option<Loss>> {
    let (sender, lost) = watch::channel(None);
    tokio::spawn(async move {
        loop {
            let loss = tokio::select! {
                _ = browser.wait_for(|lost| *lost) => Loss::Browser,
                event = ended.recv() => match event {
                    Ok((id, loss)) if id == target => loss,
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => continue,
                    Err(broadcast::error::RecvError::Closed) => Loss::Browser,
                },
                Some(loss) = losses.recv() => loss,
                () = sender.closed() => break,
            };
            let _ = sender.send(Some(loss));
            break;
        }
    });
    lost
}

/// Accepts every dialog at once: an open one would block evaluation and screenshots.
async fn answer_dialogs(tab: &Tab) -> Result<Arc<std::sync::Mutex<Vec<DialogRecord>>>, PageError> {
    let mut opening = tab
        .event_listener::<EventJavascriptDialogOpening>()
        .await
        .map_err(PageError::protocol("listening to dialogs"))?;
    let kept = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (record, answer) = (Arc::clone(&kept), tab.clone());
    tokio::spawn(async move {
        while let Some(dialog) = opening.next().await {
            if let Ok(mut list) = record.lock()
                && list.len() < KEPT_DIALOGS
            {
                list.push(DialogRecord {
                    kind: dialog.r#type.as_ref().to_lowercase(),
                    message: dialog.message.clone(),
                });
            }
            if let Err(error) = answer.execute(HandleJavaScriptDialogParams::new(true)).await {
                tracing::debug!(%error, "dialog was already closed");
            }
        }
    });
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::codes::voids;

    /// What a page is lost by when it was given up or not, and its browser is killed next.
    async fn loss_with_its_browser(is_given_up: bool) -> Loss {
        let (ended, _) = broadcast::channel(1);
        let (kill, browser) = watch::channel(false);
        let (lose, losses) = mpsc::channel(1);
        let mut lost = watch_loss(TargetId::new("t"), browser, ended.subscribe(), losses);
        if is_given_up {
            lose.try_send(Loss::Hung).unwrap();
            lost.wait_for(Option::is_some).await.unwrap();
        }
        kill.send_replace(true);
        let loss = *lost.wait_for(Option::is_some).await.unwrap();
        loss.unwrap()
    }

    #[tokio::test]
    async fn a_page_that_hung_is_lost_for_its_own_sake_and_the_others_with_their_browser() {
        let (hung, other) = (loss_with_its_browser(true).await, loss_with_its_browser(false).await);
        assert_eq!((hung, other), (Loss::Hung, Loss::Browser));
        assert!(!voids(hung.code()) && voids(other.code()));
    }
}
