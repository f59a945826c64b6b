//! Measures the design's budgets: one thin file per benchmark, one list of results.
//!
//! Figures are medians in the unit of the budget. They are meaningful only on an otherwise
//! idle machine.

mod actions;
pub mod archives;
pub mod building;
mod error;
mod footprint;
pub mod judging;
mod observation;
mod pool;

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::perform;
use crate::model::{ActionCall, Mode};
use crate::perf::median;
use crate::session::{SessionHandle, SessionInfo, Sessions, Start};

pub use error::BenchError;

/// How often a short thing is measured.
const REPEATS: usize = 15;
/// How long the pool may take to fill while nothing else runs.
const FILL_LIMIT: Duration = Duration::from_secs(60);
/// How often the pool is polled.
const FILL_POLL: Duration = Duration::from_millis(20);

/// One budget and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    /// What was measured.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// Unit of the figure and of the budget.
    pub unit: String,
    /// The figure may be this at most.
    pub budget: f64,
}

impl Budget {
    fn new(name: &str, value: f64, unit: &str, budget: f64) -> Self {
        Self { name: name.to_owned(), value: (value * 1000.0).round() / 1000.0, unit: unit.to_owned(), budget }
    }

    /// The median of `times`, in milliseconds.
    fn median_ms(name: &str, times: Vec<Duration>, budget: f64) -> Self {
        Self::new(name, median(times).as_secs_f64() * 1000.0, "ms", budget)
    }

    /// Whether the budget is met.
    pub fn is_met(&self) -> bool {
        self.value <= self.budget
    }
}

/// Measures everything. `sessions` must be made with a warm pool of one page, room for eight sessions and
/// nothing else to do; `progress` gets what is being measured.
///
/// # Errors
/// When a session, an action or an observation fails: a figure from a failing call is meaningless.
pub async fn run(sessions: &Sessions, progress: impl Fn(&str)) -> Result<Vec<Budget>, BenchError> {
    let mut budgets = Vec::new();
    progress("session from the warm pool");
    budgets.push(pool::measure(sessions).await?);
    progress("actions");
    budgets.extend(actions::measure(sessions).await?);
    progress("observations");
    budgets.extend(observation::measure(sessions).await?);
    progress("memory and idle load of eight sessions");
    budgets.extend(footprint::measure(sessions).await?);
    Ok(budgets)
}

/// Measures what sessions do in every editor: opening, drags and other input, memory, idle load. `sessions` as for [`run`].
///
/// # Errors
/// As [`run`].
pub async fn run_in_any_editor(sessions: &Sessions, progress: impl Fn(&str)) -> Result<Vec<Budget>, BenchError> {
    progress("session from the warm pool");
    let mut budgets = vec![pool::measure(sessions).await?];
    progress("actions");
    budgets.extend(actions::measure_input(sessions).await?);
    progress("memory and idle load of eight sessions");
    budgets.extend(footprint::measure(sessions).await?);
    Ok(budgets)
}

/// A session of the default project, measured while the pool is at rest.
async fn open(sessions: &Sessions) -> Result<(SessionInfo, SessionHandle), BenchError> {
    let info = sessions.create(Start::default()).await?;
    let handle = sessions.get(&info.id).await?;
    wait_for_pool(sessions).await?;
    Ok((info, handle))
}

/// Waits until the pool has its page: while it is being opened, everything else is slower.
async fn wait_for_pool(sessions: &Sessions) -> Result<(), BenchError> {
    let deadline = Instant::now() + FILL_LIMIT;
    while sessions.fleet().status().warm == 0 {
        if Instant::now() > deadline {
            return Err(BenchError::PoolNotFilled { limit: FILL_LIMIT });
        }
        tokio::time::sleep(FILL_POLL).await;
    }
    Ok(())
}

/// Carries out a call that must succeed, and says how long it took with settling.
async fn timed(session: &SessionHandle, mode: Mode, api: &'static str, args: Value) -> Result<Duration, BenchError> {
    let Value::Object(args) = args else { return Err(BenchError::ActionFailed { api, reason: "no object".into() }) };
    let started = Instant::now();
    let reply = perform(session, mode, ActionCall::new(api, args)).await?;
    match reply.error {
        None => Ok(started.elapsed()),
        Some(error) => Err(BenchError::ActionFailed { api, reason: format!("{}: {}", error.code, error.message) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_met_up_to_its_figure() {
        assert!(Budget::new("x", 120.0, "ms", 120.0).is_met());
        assert!(!Budget::median_ms("x", vec![Duration::from_millis(121)], 120.0).is_met());
    }
}
