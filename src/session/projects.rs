//! Projects of a session: loading, snapshots, export, and moving to another page.
//!
//! The page itself and what else belongs to a session is in `live.rs`.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::SessionError;
use super::lease::{Beginning, Lease};
use super::live::{Live, LoadReport, Snapshot};
use super::reading::{PackedProject, read_packed, read_project};
use super::turns::TurnKind;
use crate::page::results::{LoadProject, SnapshotRequest};
use crate::page::{Loss, PageError, scripts};
use crate::project::{Project, ProjectError};

impl Live {
    /// Loads a project file in place of the current project, in a fresh page: one that had a project has kept something of it, such as
    /// extensions and what they wrote into the stage.
    ///
    /// # Errors
    /// When the file is not a project or the editor refuses it; the session then keeps the project that it had, in a new page if the
    /// editor had begun to load.
    pub async fn load(&mut self, sb3: &[u8]) -> Result<LoadReport, SessionError> {
        self.load_packed(read_packed(sb3).await?).await
    }

    /// The same with a file that was read before the page was taken.
    pub(super) async fn load_packed(&mut self, project: PackedProject) -> Result<LoadReport, SessionError> {
        let report = match self.snapshot.clone() {
            None => self.put(&project.sb3, None).await?,
            // Until the new project is there, the session has the one before to recover.
            before => self.move_to_fresh_page(before, Some((project.sb3, None))).await?,
        };
        Ok(LoadReport { warnings: project.warnings, ..report })
    }

    /// The same as a call of its own, whose answer the log has.
    pub(super) async fn load_and_tell(&mut self, project: PackedProject) -> Result<LoadReport, SessionError> {
        let result = self.load_packed(project).await;
        self.recorder.answer_result(&result);
        result
    }

    async fn put(&mut self, sb3: &[u8], editing_target: Option<String>) -> Result<LoadReport, SessionError> {
        self.memory.forget();
        let args = LoadProject::file(sb3, editing_target);
        // A load that is broken off may leave anything behind: the session is fit again in a new page.
        self.settled = false;
        let loaded = self.lease.page.call(&scripts::LOAD_PROJECT, &args).await.map_err(|error| match error {
            PageError::Refused { message, .. } => SessionError::LoadFailed { message },
            error => error.into(),
        })?;
        self.revision = None;
        self.take_snapshot().await?;
        self.settled = true;
        self.unreported_loss = None;
        Ok(LoadReport { targets: loaded.targets, missing_assets: loaded.missing_assets, warnings: Vec::new() })
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

    /// The project as it is now, with all values that a running program has changed.
    ///
    /// # Errors
    /// When the page is lost or does not answer, or could not be given the project of the one before.
    pub async fn export(&mut self) -> Result<Project, SessionError> {
        if !self.is_fit() {
            // Such a page has another project.
            return Err(PageError::Lost(self.lease.page.loss().unwrap_or(Loss::Hung)).into());
        }
        self.revision = None;
        self.take_snapshot().await?;
        self.snapshot
            .as_ref()
            .map(|snapshot| snapshot.project.clone())
            .ok_or_else(|| SessionError::LoadFailed { message: "the editor has no project".into() })
    }

    /// The same, or the last snapshot if the page gives none: the project as it would be in a new page.
    ///
    /// # Errors
    /// When there is no snapshot either, or the project has outgrown all bounds.
    pub async fn export_or_last(&mut self) -> Result<Project, SessionError> {
        match (self.export().await, &self.snapshot) {
            (Err(SessionError::Page(error)), Some(last)) => {
                tracing::warn!(%error, "the project is exported as it was last seen");
                Ok(last.project.clone())
            }
            (exported, _) => exported,
        }
    }

    /// Moves to a fresh page and loads a project there; `None` is the editor's default project.
    ///
    /// # Errors
    /// When no page is available or the project can't be loaded.
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

    /// Moves to a new page and restores the last snapshot. Numbering is forgotten.
    pub(super) async fn recover(&mut self) -> Result<(), SessionError> {
        self.move_with(self.snapshot.clone()).await.map(|_| ())
    }

    /// Moves to a fresh page and puts this project there; `None` is the editor's default project. Whenever
    /// this is broken off, the session still has its page and project, or is not fit and has this one to recover.
    async fn move_with(&mut self, snapshot: Option<Snapshot>) -> Result<LoadReport, SessionError> {
        let packed = snapshot.as_ref().map(|snapshot| snapshot.project.pack()).transpose()?;
        let target = snapshot.as_ref().and_then(|snapshot| snapshot.editing_target.clone());
        self.move_to_fresh_page(snapshot, packed.map(|packed| (packed, target))).await
    }

    /// Moves to a fresh page and puts a project file with its editing target there; `snapshot` is what the session recovers if this
    /// is broken off.
    async fn move_to_fresh_page(
        &mut self,
        snapshot: Option<Snapshot>,
        project: Option<(Vec<u8>, Option<String>)>,
    ) -> Result<LoadReport, SessionError> {
        let old = self.change_pages(snapshot).await?;
        // The old page is closed while the project is loaded, and gone when the session continues: it has one page.
        let fleet = self.fleet.clone();
        let (loaded, ()) = tokio::join!(self.load_into_fresh_page(project), fleet.release(old));
        loaded
    }

    /// Takes a fresh page, and returns the previous one.
    async fn change_pages(&mut self, snapshot: Option<Snapshot>) -> Result<Lease, SessionError> {
        // Opening a page takes a turn of its own: if this one were kept, sessions that do the same at once
        // could deadlock.
        self.give_up_turn();
        let beginning = Beginning::of(snapshot.as_ref());
        let fresh = self.fleet.acquire_for(self.lease.place(), beginning).await;
        let fresh = fresh.map_err(|source| SessionError::NotRecovered { source })?;
        let old = std::mem::replace(&mut self.lease, fresh);
        (self.settled, self.snapshot, self.revision) = (false, snapshot, None);
        self.memory.forget();
        Ok(old)
    }

    /// Puts a project into the session's new page; the editor's default one without any.
    async fn load_into_fresh_page(
        &mut self,
        project: Option<(Vec<u8>, Option<String>)>,
    ) -> Result<LoadReport, SessionError> {
        self.take_turn(TurnKind::Page).await;
        self.recorder.page_changed("replaced", None);
        self.ready_page().await?;
        if let Some((packed, target)) = project {
            return self.put(&packed, target).await;
        }
        self.take_snapshot().await?;
        self.settled = true;
        Ok(LoadReport::default())
    }
}

/// A project that a program made too large is the project's fault, not the page's.
fn too_large(error: PageError) -> SessionError {
    match error {
        PageError::Refused { code, message, .. } if code == "project_too_large" => {
            ProjectError::TooLarge(message).into()
        }
        error => error.into(),
    }
}
