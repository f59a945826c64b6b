//! A session's page and everything attached to it.
//!
//! How projects get into it and out of it, and from a page that is gone into another, is in `projects.rs`.

use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SessionError;
use super::events::SessionLog;
use super::fleet::Fleet;
use super::lease::Lease;
use super::memory::Memory;
use super::recorder::Recorder;
use super::turns::{Turn, TurnKind};
use crate::model::{EditorGeneration, Extras, StageSize};
use crate::ocr::Reader;
use crate::page::results::ShowStage;
use crate::page::{Loss, Page, scripts};
use crate::project::Project;

/// The state of a project at one moment, enough to restore it in another page.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The project with its assets.
    pub project: Project,
    /// Name of the target being edited; the one that the editor chooses by default.
    pub editing_target: Option<String>,
}

/// What loading a project showed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoadReport {
    /// Names of the targets, stage first.
    pub targets: Vec<String>,
    /// Costumes and sounds whose data is nowhere: `target: name (md5.ext)`.
    pub missing_assets: Vec<String>,
    /// What is odd about the project but does not keep it from loading.
    pub warnings: Vec<String>,
}

/// A session's page and what belongs to it. Jobs get it one after another.
#[derive(Debug)]
pub struct Live {
    pub(super) lease: Lease,
    pub(super) fleet: Fleet,
    /// What actions refer to.
    pub memory: Memory,
    pub(super) snapshot: Option<Snapshot>,
    pub(super) revision: Option<u64>,
    reader: Option<Reader>,
    pub recorder: Recorder,
    /// Whether the page has the project that it should have. Not so while one is being loaded, and from then on if that was
    /// broken off.
    pub(super) settled: bool,
    /// The right to work on the page, while a job does.
    turn: Option<Turn>,
    /// A loss of the page that no call has reported yet.
    pub(super) unreported_loss: Option<Loss>,
    /// What the session has beyond the published benchmark.
    pub extras: Extras,
    /// How large the stage is shown; a new page gets it too.
    pub(super) stage: StageSize,
    /// How large it was shown when the session began.
    pub(super) first_stage: StageSize,
}

impl Live {
    pub(super) fn new(lease: Lease, fleet: Fleet, log: SessionLog) -> Self {
        let reader = fleet.recognizer().map(Reader::new);
        let recorder = Recorder::new(log);
        let memory = Memory::default();
        let stage = StageSize::default();
        Self {
            lease,
            fleet,
            memory,
            snapshot: None,
            revision: None,
            reader,
            recorder,
            settled: true,
            turn: None,
            unreported_loss: None,
            extras: Extras::default(),
            stage,
            first_stage: stage,
        }
    }

    /// Shows the stage in the size that the session begins with. Fresh pages have the large one.
    pub(super) async fn begin_with_stage(&mut self, size: StageSize) -> Result<(), SessionError> {
        self.stage = size;
        self.first_stage = size;
        self.ready_page().await
    }

    /// Notes that the stage was made smaller or larger in the editor, so that a new page shows it so too.
    pub const fn stage_is(&mut self, size: StageSize) {
        self.stage = size;
    }

    /// Gives the page the scripts of block actions ahead of the first one. Otherwise the first
    /// action brings them, so that errors are reported there.
    pub(super) async fn bring_ahead(&self) {
        if let Err(error) = self.lease.page.bring(&scripts::COMPOSITE).await {
            tracing::debug!(%error, "the scripts of block actions were not brought ahead");
        }
    }

    /// Prepares a fresh page: sets the session's stage size.
    pub(super) async fn ready_page(&mut self) -> Result<(), SessionError> {
        if self.stage == StageSize::default() {
            return Ok(());
        }
        Ok(self.lease.page.call(&scripts::STAGE_SIZE, &ShowStage { size: self.stage }).await?)
    }

    pub const fn page(&mut self) -> &mut Page {
        &mut self.lease.page
    }

    /// Whether the page is there and has the project that it should have.
    pub(super) fn is_fit(&self) -> bool {
        self.settled && self.lease.page.loss().is_none()
    }

    /// The editor that the page shows.
    pub fn editor(&self) -> EditorGeneration {
        self.fleet.editor()
    }

    /// Whether text recognition is available.
    pub const fn has_reader(&self) -> bool {
        self.reader.is_some()
    }

    /// Waits for a turn; gives up the previous one first.
    pub(super) async fn take_turn(&mut self, kind: TurnKind) {
        self.give_up_turn();
        self.turn = Some(self.fleet.turns().take(kind).await);
    }

    /// Gives the turn to the next session.
    pub(super) fn give_up_turn(&mut self) {
        self.turn = None;
    }

    /// The text recognizer for the session's pictures, to be put back after use: reading runs on a thread of its
    /// own. `None` when the testbed has no text recognition, or the last reading panicked.
    pub const fn take_reader(&mut self) -> Option<Reader> {
        self.reader.take()
    }

    pub fn put_reader(&mut self, reader: Reader) {
        self.reader = Some(reader);
    }

    pub fn browser_product(&self) -> &str {
        self.lease.browser_product()
    }

    pub fn browser_process_id(&self) -> u32 {
        self.lease.browser_process_id()
    }

    /// Begins the log, once the first project is there; in a folder if it must be kept.
    pub(super) fn begin_log(
        &mut self,
        task: Option<&str>,
        folder: Option<&std::path::Path>,
    ) -> Result<(), SessionError> {
        if let Some(folder) = folder {
            let figures = self.fleet.figures().clone();
            self.recorder.log().keep_in(folder, move || figures.log_write_failed())?;
        }
        let project = self.snapshot.as_ref().map(|snapshot| &snapshot.project);
        let shown = (self.fleet.editor(), self.lease.browser_product());
        self.recorder.opened((task, self.first_stage, self.extras), shown, project);
        Ok(())
    }

    /// Records a frame: a picture of the page.
    pub(super) async fn take_frame(&mut self) {
        let began = Instant::now();
        match self.lease.page.screenshot().await {
            Ok(png) => self.recorder.frame(png, began).await,
            Err(error) => {
                tracing::warn!(%error, "could not take a picture for the recording");
                self.recorder.give_up_frame();
            }
        }
    }

    /// Notes that the page was lost while no call was running that could report it.
    pub(super) const fn note_unreported_loss(&mut self, loss: Loss) {
        self.unreported_loss = Some(loss);
    }

    /// A loss of the page that no call has reported yet; it counts as reported from now on. The project is back, but what was
    /// open, scrolled or selected in the editor is not, so the next call must not continue as if nothing had happened.
    pub const fn take_unreported_loss(&mut self) -> Option<Loss> {
        self.unreported_loss.take()
    }

    pub const fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// Counts the page as lost, because it does not answer; its browser too if that does not answer either.
    pub(super) async fn give_up_page(&self) {
        self.lease.give_up().await;
    }

    pub(super) fn into_lease(self) -> Lease {
        self.lease
    }
}
