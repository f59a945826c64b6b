//! A session's page with its project: loading, snapshots, export, recovery.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SessionError;
use super::events::SessionLog;
use super::fleet::{Fleet, Lease};
use super::memory::Memory;
use super::reading::read_project;
use super::recorder::Recorder;
use super::turns::{Share, Turn};
use crate::model::StageSize;
use crate::ocr::Reader;
use crate::page::results::{LoadProject, ShowStage, SnapshotRequest};
use crate::page::{Loss, Page, PageError, scripts};
use crate::project::{Project, ProjectError};

/// The state of a project at one moment, enough to bring it back in another page.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The project with its assets.
    pub project: Project,
    /// Name of the target being edited; the one that the editor chooses if nobody has chosen.
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
    lease: Lease,
    fleet: Fleet,
    /// What actions refer to.
    pub memory: Memory,
    snapshot: Option<Snapshot>,
    revision: Option<u64>,
    reader: Option<Reader>,
    /// Notes what happens.
    pub recorder: Recorder,
    /// Whether the page has the project that it should have. Not so while one is being loaded, and from then on if that was
    /// broken off.
    settled: bool,
    /// The right to work on the page, while a job does.
    turn: Option<Turn>,
    /// A loss of the page that no call was told yet.
    untold: Option<Loss>,
    /// How large the stage is shown; a new page gets it too.
    stage: StageSize,
    /// How large it was shown when the session began.
    first_stage: StageSize,
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
            untold: None,
            stage,
            first_stage: stage,
        }
    }

    /// Shows the stage in the size that the session begins with. Fresh pages have the large one.
    pub(super) async fn begin_with_stage(&mut self, size: StageSize) -> Result<(), SessionError> {
        self.stage = size;
        self.first_stage = size;
        self.show_stage().await
    }

    /// Notes that the stage was made smaller or larger in the editor, so that a new page shows it so too.
    pub const fn stage_is(&mut self, size: StageSize) {
        self.stage = size;
    }

    /// Brings a page that nobody used to the session's size of the stage.
    async fn show_stage(&mut self) -> Result<(), SessionError> {
        if self.stage == StageSize::default() {
            return Ok(());
        }
        Ok(self.lease.page.call(&scripts::STAGE_SIZE, &ShowStage { size: self.stage }).await?)
    }

    /// The page.
    pub const fn page(&mut self) -> &mut Page {
        &mut self.lease.page
    }

    /// Whether the page is there and has the project that it should have.
    pub(super) fn is_fit(&self) -> bool {
        self.settled && self.lease.page.loss().is_none()
    }

    /// Whether there is something to read text with.
    #[must_use]
    pub const fn has_reader(&self) -> bool {
        self.reader.is_some()
    }

    /// Waits until this session may work; what it had before is given up first.
    pub(super) async fn take_turn(&mut self, share: Share) {
        self.give_up_turn();
        self.turn = Some(self.fleet.turns().take(share).await);
    }

    /// Lets the next session work.
    pub(super) fn give_up_turn(&mut self) {
        self.turn = None;
    }

    /// What reads text in the session's pictures, to be put back after use: reading runs on a thread of its
    /// own. `None` when the testbed has no text recognition, or the last reading broke.
    pub const fn take_reader(&mut self) -> Option<Reader> {
        self.reader.take()
    }

    /// Puts the reader back.
    pub fn put_reader(&mut self, reader: Reader) {
        self.reader = Some(reader);
    }

    /// Product string of the browser.
    #[must_use]
    pub fn browser_product(&self) -> &str {
        self.lease.browser_product()
    }

    /// Process id of the browser.
    #[must_use]
    pub fn browser_process_id(&self) -> u32 {
        self.lease.browser_process_id()
    }

    /// Loads a project file in place of the current project.
    ///
    /// # Errors
    /// When the file is no project or the editor refuses it; the current project then stays.
    pub async fn load(&mut self, sb3: &[u8]) -> Result<LoadReport, SessionError> {
        let checked = read_project(sb3).await?;
        let mut report = self.put(&checked.packed, None).await?;
        report.warnings = checked.warnings;
        Ok(report)
    }

    /// The same as a call of its own, whose answer the log has.
    pub(super) async fn load_and_tell(&mut self, sb3: &[u8]) -> Result<LoadReport, SessionError> {
        let result = self.load(sb3).await;
        self.recorder.answer_result(&result);
        result
    }

    /// Begins the log, once the first project is there; in a folder if it is to be kept.
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
        self.recorder.opened((task, self.first_stage), self.lease.browser_product(), project);
        Ok(())
    }

    /// Takes a picture for the recording.
    pub(super) async fn film(&mut self) {
        match self.lease.page.screenshot().await {
            Ok(png) => self.recorder.frame("image/png", &png),
            Err(error) => tracing::warn!(%error, "could not take a picture for the recording"),
        }
    }

    async fn put(&mut self, sb3: &[u8], editing_target: Option<String>) -> Result<LoadReport, SessionError> {
        self.memory.forget();
        let args = LoadProject { sb3: STANDARD.encode(sb3), editing_target };
        let was_settled = std::mem::replace(&mut self.settled, false);
        let loaded = match self.lease.page.call(&scripts::LOAD_PROJECT, &args).await {
            Ok(loaded) => loaded,
            Err(PageError::Refused { message, .. }) => {
                self.settled = was_settled;
                return Err(SessionError::LoadFailed { message });
            }
            Err(error) => return Err(error.into()),
        };
        self.revision = None;
        self.take_snapshot().await?;
        self.settled = true;
        self.untold = None;
        Ok(LoadReport { targets: loaded.targets, missing_assets: loaded.missing_assets, warnings: Vec::new() })
    }

    /// Notes that the page was lost while no call was there to fail by it.
    pub(super) const fn owe(&mut self, loss: Loss) {
        self.untold = Some(loss);
    }

    /// A loss of the page that nobody was told yet; it counts as told from now on. The project is back, but what was
    /// open, scrolled or selected in the editor is not, so the next call must not go on as if nothing had happened.
    pub const fn take_untold_loss(&mut self) -> Option<Loss> {
        self.untold.take()
    }

    /// Brings the snapshot up to date if the project changed since.
    ///
    /// # Errors
    /// When the page is lost or does not answer, or the project has outgrown all bounds; the last snapshot stays.
    pub async fn take_snapshot(&mut self) -> Result<(), SessionError> {
        let args = SnapshotRequest { revision: self.revision, known: self.known_assets() };
        let sent = self.recorder.log().now();
        let reply = self.lease.page.call(&scripts::SNAPSHOT, &args).await.map_err(too_large)?;
        self.recorder.page(reply.record, sent, self.recorder.log().now());
        let Some(fresh) = reply.project else { return Ok(()) };
        let mut assets = self.snapshot.take().map(|old| old.project.assets).unwrap_or_default();
        let mut needed = BTreeMap::new();
        for (name, data) in fresh.assets {
            let data = match data {
                Some(data) => STANDARD.decode(data).unwrap_or_default(),
                None => assets.remove(&name).unwrap_or_default(),
            };
            needed.insert(name, data);
        }
        let project = Project::from_json(&fresh.json, needed)?;
        self.recorder.program_is(&project);
        self.snapshot = Some(Snapshot { project, editing_target: Some(fresh.editing_target) });
        self.revision = Some(fresh.revision);
        Ok(())
    }

    fn known_assets(&self) -> Vec<String> {
        self.snapshot.iter().flat_map(|snapshot| snapshot.project.assets.keys().cloned()).collect()
    }

    /// The last snapshot.
    #[must_use]
    pub const fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// The project as it is now, with all values that a running program has changed.
    ///
    /// # Errors
    /// When the page is lost or does not answer.
    pub async fn export(&mut self) -> Result<Project, SessionError> {
        self.revision = None;
        self.take_snapshot().await?;
        self.snapshot
            .as_ref()
            .map(|snapshot| snapshot.project.clone())
            .ok_or_else(|| SessionError::LoadFailed { message: "the editor has no project".into() })
    }

    /// Moves to a page that nobody used and loads a project there; `None` is the editor's default project.
    ///
    /// # Errors
    /// When no page can be had or the project can't be loaded.
    pub async fn reset(&mut self, sb3: Option<&[u8]>) -> Result<LoadReport, SessionError> {
        let checked = match sb3 {
            Some(sb3) => Some(read_project(sb3).await?),
            None => None,
        };
        self.stage = self.first_stage;
        let warnings = checked.as_ref().map(|checked| checked.warnings.clone()).unwrap_or_default();
        let first = checked.map(|checked| Snapshot { project: checked.project, editing_target: None });
        let report = self.move_with(first).await?;
        Ok(LoadReport { warnings, ..report })
    }

    /// Counts the page as lost, because it does not answer; its browser too if that does not answer either.
    pub(super) async fn give_up_page(&self) {
        self.lease.give_up().await;
    }

    /// Moves to a new page and brings the last snapshot back. Numbering is forgotten.
    pub(super) async fn recover(&mut self) -> Result<(), SessionError> {
        self.move_with(self.snapshot.clone()).await.map(|_| ())
    }

    /// Moves to a page that nobody used and puts this project there; `None` is the editor's default project. Whenever
    /// this is broken off, the session still has its page and project, or is not fit and has this one to recover.
    async fn move_with(&mut self, snapshot: Option<Snapshot>) -> Result<LoadReport, SessionError> {
        // Opening a page takes a turn of its own: were this one kept, a few sessions that do the same at once
        // would wait for each other for ever.
        self.give_up_turn();
        let packed = snapshot.as_ref().map(|snapshot| snapshot.project.pack()).transpose()?;
        let fresh = self.fleet.acquire().await.map_err(|source| SessionError::NotRecovered { source })?;
        // The lost one goes back by itself: nobody needs to wait for it.
        drop(std::mem::replace(&mut self.lease, fresh));
        let target = snapshot.as_ref().and_then(|snapshot| snapshot.editing_target.clone());
        (self.settled, self.snapshot, self.revision) = (false, snapshot, None);
        self.memory.forget();
        self.take_turn(Share::Page).await;
        self.recorder.page_changed("replaced", None);
        self.show_stage().await?;
        if let Some(packed) = packed {
            return self.put(&packed, target).await;
        }
        self.take_snapshot().await?;
        self.settled = true;
        Ok(LoadReport::default())
    }

    pub(super) fn into_lease(self) -> Lease {
        self.lease
    }
}

/// A project that a program made too large is the project's trouble, not the page's.
fn too_large(error: PageError) -> SessionError {
    match error {
        PageError::Refused { code, message, .. } if code == "project_too_large" => {
            ProjectError::TooLarge(message).into()
        }
        error => error.into(),
    }
}
