//! What all arms of a process share: browsers and judges.

use super::browsers;
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::judge::Judges;
use scratchbed::model::EditorGeneration;
use scratchbed::session::Fleet;
use tokio::sync::OnceCell;

/// Browsers and judges: all arms of an experiment share them.
pub struct House {
    pub fleet: Fleet,
    /// The browsers with the reference editor, once an arm needs them.
    reference: OnceCell<Fleet>,
    pub judges: Judges,
    pub settings: Settings,
    /// Attempts at a time.
    pub jobs: usize,
}

impl House {
    /// Starts what a process needs to make so many attempts at a time.
    pub async fn start(settings: &Settings, jobs: usize) -> Result<Self, Failure> {
        let fleet = browsers::start(settings, 0).await?;
        let judges = Judges::new(fleet.clone(), jobs);
        Ok(Self { judges, fleet, reference: OnceCell::new(), settings: settings.clone(), jobs })
    }

    /// The browsers with that editor.
    pub async fn fleet_of(&self, editor: EditorGeneration) -> Result<Fleet, Failure> {
        if editor.is_current() {
            return Ok(self.fleet.clone());
        }
        let start = || browsers::start_in(editor, &self.settings, 0);
        Ok(self.reference.get_or_try_init(start).await?.clone())
    }

    /// Ends it.
    pub async fn close(self) {
        self.judges.close().await;
        self.fleet.shutdown().await;
        if let Some(fleet) = self.reference.get() {
            fleet.shutdown().await;
        }
    }
}
