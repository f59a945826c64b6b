//! Energy by stages of a piece of work: the meter is read at each border, and what was used since the border before is the
//! stage's that ended.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::spawn_blocking;

use super::{Meter, MeterError, Meters, Reading};
use crate::model::{EnergyMethod, EnergyRecord, EnergyScope};

/// Books the energy of one piece of work by its stages.
#[derive(Debug)]
pub struct EnergyTracker {
    meter: Option<Metered>,
    /// A reading failed, so that there is a gap.
    has_gap: bool,
    book: Book,
}

/// The meter, and what the record says of it.
#[derive(Debug)]
struct Metered {
    meter: Arc<Mutex<Meter>>,
    method: EnergyMethod,
    scope: EnergyScope,
    coefficients: String,
}

/// What was booked.
#[derive(Debug)]
struct Book {
    /// The stage that is open.
    stage: String,
    by_stage: BTreeMap<String, f64>,
    last: Reading,
}

impl Book {
    fn open(stage: &str) -> Self {
        Self { stage: stage.to_owned(), by_stage: BTreeMap::new(), last: Reading::default() }
    }

    /// Ends the open stage. One that was there before goes on with its sum.
    fn close(&mut self, reading: Reading) {
        *self.by_stage.entry(self.stage.clone()).or_default() += reading.wh - self.last.wh;
        self.last = reading;
    }
}

impl EnergyTracker {
    pub(super) fn new(meters: &Meters, meter: Option<Meter>, first_stage: &str) -> Self {
        let metered = |(meter, method, scope)| Metered {
            meter: Arc::new(Mutex::new(meter)),
            method,
            scope,
            coefficients: meters.coefficients().to_owned(),
        };
        let all = meter.zip(meters.method()).zip(meters.scope());
        let meter = all.map(|((meter, method), scope)| metered((meter, method, scope)));
        Self { meter, has_gap: false, book: Book::open(first_stage) }
    }

    /// Ends the open stage and opens this one. A name that was there before goes on.
    ///
    /// # Errors
    /// When the meter can't be read. What was used since the last border then belongs to no stage, so that all that follows
    /// fails too, [`Self::finish`] included: a figure with a gap is none. The work itself may go on.
    pub async fn stage(&mut self, name: &str) -> Result<(), MeterError> {
        self.border().await?;
        name.clone_into(&mut self.book.stage);
        Ok(())
    }

    /// Watt-hours up to the last border, for budgets; `None` if energy is not recorded, or shared with other jobs.
    pub fn wh(&self) -> Option<f64> {
        let own = self.meter.as_ref().filter(|metered| metered.scope != EnergyScope::Shared);
        own.map(|_| self.book.last.wh)
    }

    /// Ends the last stage. `None` if energy is not recorded.
    ///
    /// # Errors
    /// As [`Self::stage`].
    pub async fn finish(mut self) -> Result<Option<EnergyRecord>, MeterError> {
        self.border().await?;
        let Book { by_stage, last, .. } = self.book;
        Ok(self.meter.map(|Metered { method, scope, coefficients, .. }| EnergyRecord {
            method,
            quality: method.quality(),
            scope,
            wh: last.wh,
            marginal_wh: last.marginal_wh,
            by_stage,
            cpu_s: last.cpu_s,
            wall_s: last.wall_s,
            coefficients,
        }))
    }

    async fn border(&mut self) -> Result<(), MeterError> {
        let Some(metered) = &self.meter else { return Ok(()) };
        if self.has_gap {
            return Err(MeterError::BorderMissed { stage: self.book.stage.clone() });
        }
        // Should this be dropped while it waits, the border is missed as well.
        self.has_gap = true;
        let meter = Arc::clone(&metered.meter);
        let read = move || meter.lock().unwrap_or_else(PoisonError::into_inner).read();
        let reading = spawn_blocking(read).await.map_err(|source| MeterError::BrokenOff { source })??;
        self.has_gap = false;
        self.book.close(reading);
        Ok(())
    }
}

#[cfg(test)]
#[path = "stages_tests.rs"]
mod tests;
