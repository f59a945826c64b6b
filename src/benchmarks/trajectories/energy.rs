//! The host's energy over a trajectory, by its stages. A meter that fails leaves no figure, and spoils nothing else.

use std::sync::Arc;

use crate::meter::{EnergyTracker, Meters};
use crate::model::EnergyRecord;

/// Energy by stages; what can't be read is said once and leaves no figure.
pub(super) struct Energy(Option<EnergyTracker>);

impl Energy {
    pub(super) async fn begin(meters: Option<&Arc<Meters>>) -> Self {
        let Some(meters) = meters.cloned() else { return Self(None) };
        let tracker = tokio::task::spawn_blocking(move || meters.track("probe")).await;
        match tracker {
            Ok(Ok(tracker)) => Self(Some(tracker)),
            Ok(Err(error)) => Self::lost(&error.to_string()),
            Err(error) => Self::lost(&error.to_string()),
        }
    }

    fn lost(error: &str) -> Self {
        tracing::warn!(error, "energy is not recorded");
        Self(None)
    }

    pub(super) async fn stage(&mut self, name: &str) {
        if let Some(tracker) = &mut self.0
            && let Err(error) = tracker.stage(name).await
        {
            *self = Self::lost(&error.to_string());
        }
    }

    /// Watt-hours so far, for budgets; none where nobody knows them, or whose they are.
    pub(super) fn wh(&self) -> Option<f64> {
        self.0.as_ref().and_then(EnergyTracker::wh)
    }

    pub(super) async fn end(self) -> Option<EnergyRecord> {
        self.0?.finish().await.ok().flatten()
    }
}
