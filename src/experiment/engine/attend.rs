//! This process is the steward of an experiment that workers work on: it releases cells, and looks how far they are.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::local::closed;
use super::{EngineError, Stop};
use crate::ledger::{Bound, Counts, Gate, Ledger, Status, Steward};

/// How often cells are released.
const ROUND: Duration = Duration::from_secs(1);
/// How often workers say that they live.
const BEAT: Duration = Duration::from_secs(15);

/// Attends to an experiment until it is over, its budget is spent and nothing runs any more, or it is drained. Another process
/// may be the steward meanwhile; then this one looks on.
///
/// # Errors
/// When the ledger fails, other than for a while.
pub async fn attend(
    ledger: &Ledger,
    experiment: &str,
    drain: &CancellationToken,
    on_counts: &(dyn Fn(&Counts) + Send + Sync),
) -> Result<(Stop, Status), EngineError> {
    let holder = format!("attending-{}", uuid::Uuid::new_v4().simple());
    let mut steward = Steward::new(ledger.clone(), holder, None, BEAT);
    loop {
        let bounds = match steward.tend().await {
            Ok(tended) => tended.map(|tended| tended.released.bounds).unwrap_or_default(),
            Err(error) if error.is_passing() => {
                tracing::warn!(%error, "a round of the steward failed");
                Vec::new()
            }
            Err(error) => return Err(error.into()),
        };
        let status = ledger.status(experiment).await?;
        on_counts(&status.cells);
        let rests = status.cells.running + status.cells.released == 0;
        let spent = bounds.contains(&Bound::Budget(experiment.to_owned()));
        let stop = if status.cells.is_over() {
            Some(Stop::Over)
        } else if drain.is_cancelled() || rests && status.state == Gate::Draining {
            Some(Stop::Drained)
        } else if rests && spent {
            Some(Stop::Budget(format!("{} of {} cells are decided", status.cells.decided, status.cells.all())))
        } else {
            None
        };
        if let Some(stop) = stop {
            return closed(ledger, experiment, stop).await;
        }
        tokio::select! {
            () = tokio::time::sleep(ROUND) => {}
            () = drain.cancelled() => {}
        }
    }
}
