//! Stops JavaScript that does not stop by itself, and reports where it was.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chromiumoxide::cdp::js_protocol::debugger::{
    EnableParams, EventPaused, EventScriptParsed, PauseParams, PausedReason, ResumeParams,
};
use chromiumoxide::cdp::js_protocol::runtime::ScriptId;
use futures::StreamExt;

use super::{Loss, Page, PageError};

/// Processor time in which a page comes to a halt: between two instructions of a loop, not of one long call.
const HALT_WORK: Duration = Duration::from_secs(2);

/// Names of the scripts that a page has compiled, by the engine's ids.
pub(super) type ScriptNames = Arc<Mutex<HashMap<ScriptId, String>>>;

impl Page {
    /// Makes it possible to find out where [`Page::interrupt`] stopped; must be called while nothing blocks. The page is lost
    /// when its memory runs out: V8 halts a page that is watched, which would else have crashed.
    ///
    /// # Errors
    /// When the page is lost.
    pub async fn watch_execution(&self) -> Result<(), PageError> {
        let what = "watching the page's scripts";
        let mut compiled = self.tab.event_listener::<EventScriptParsed>().await.map_err(PageError::protocol(what))?;
        let mut halted = self.tab.event_listener::<EventPaused>().await.map_err(PageError::protocol(what))?;
        let lose = self.lose.clone();
        tokio::spawn(async move {
            while let Some(event) = halted.next().await {
                if event.reason == PausedReason::Oom {
                    let _ = lose.try_send(Loss::Renderer);
                }
            }
        });
        let names = Arc::clone(&self.scripts);
        tokio::spawn(async move {
            while let Some(script) = compiled.next().await {
                names
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(script.script_id.clone(), script.url.clone());
            }
        });
        self.send(what, EnableParams::default()).await.map(|_| ())
    }

    /// Stops the JavaScript that the page is running and returns where it was: `file:line` of each function on
    /// the stack, the innermost first, lines from 1. Empty when the page was at rest, or could not be halted
    /// in two seconds of processor time.
    ///
    /// # Errors
    /// When the page is lost, or too busy to answer: in one call of the engine's it is halted only at its end.
    pub async fn interrupt(&self) -> Result<Vec<String>, PageError> {
        let what = "halting the page's script";
        let mut paused = self.tab.event_listener::<EventPaused>().await.map_err(PageError::protocol(what))?;
        self.send(what, PauseParams::default()).await?;
        // On a busy machine it comes late, and all the same before the page has worked for so long.
        let halted = match self.while_working(HALT_WORK, async { Ok(paused.next().await) }).await {
            Err(error) if !error.is_by_the_clock() || error.is_lost() => return Err(error),
            halted => halted.ok().flatten().flatten(),
        };
        let Some(halted) = halted else {
            self.terminate_execution().await?;
            return Ok(Vec::new());
        };
        // A halted page ends its script, and answers, only when it is resumed.
        let (ended, resumed) = tokio::join!(self.terminate_execution(), self.send("resuming", ResumeParams::default()));
        ended?;
        resumed?;
        let names = self.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        let places = halted.call_frames.iter().map(|frame| {
            let name = names.get(&frame.location.script_id).map_or("", String::as_str);
            format!("{name}:{}", frame.location.line_number + 1)
        });
        Ok(places.collect())
    }
}
