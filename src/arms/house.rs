//! What all arms of a process share: browsers and judges.

use super::browsers;
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::judge::Judges;
use scratchbed::session::Fleet;

/// Browsers and judges: all arms of an experiment share them.
pub struct House {
    pub fleet: Fleet,
    pub judges: Judges,
    pub settings: Settings,
    /// Attempts at a time.
    pub jobs: usize,
}

impl House {
    /// Starts what a process needs to make so many attempts at a time.
    pub async fn start(settings: &Settings, jobs: usize) -> Result<Self, Failure> {
        let fleet = browsers::start(settings, 0).await?;
        Ok(Self { judges: Judges::new(fleet.clone(), jobs), fleet, settings: settings.clone(), jobs })
    }

    /// Ends it.
    pub async fn close(self) {
        self.judges.close().await;
        self.fleet.shutdown().await;
    }
}
