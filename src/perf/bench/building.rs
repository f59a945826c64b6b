//! Time to build projects from their texts without the cache.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Budget;
use crate::compile::BuildError;
use crate::compile::Workbench;
use crate::perf::median;
use crate::session::Fleet;

/// Milliseconds that a project may take: median.
const PROJECT_MS: f64 = 200.0;
/// Seconds that all bundled projects may take, with opening the page.
const ALL_S: f64 = 20.0;

/// What was seen over all texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BuildingReport {
    /// Projects built.
    pub projects: usize,
    /// Milliseconds of the first one, for which the browser is started and the page is opened.
    pub first_ms: f64,
    /// Milliseconds of each of the others: median.
    pub median_ms: f64,
    /// The longest of them.
    pub longest_ms: f64,
    /// Seconds in all.
    pub total_s: f64,
}

impl BuildingReport {
    /// The figures that have a budget; that of the total is for the bundled projects.
    pub fn budgets(&self) -> [Budget; 2] {
        [
            Budget::new("project from text, cold", self.median_ms, "ms", PROJECT_MS),
            Budget::new("all projects from text, cold", self.total_s, "s", ALL_S),
        ]
    }

    fn of(times: &[Duration], total: Duration) -> Self {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let others = times.get(1..).unwrap_or_default();
        Self {
            projects: times.len(),
            first_ms: ms(times.first().copied().unwrap_or_default()),
            median_ms: ms(median(others.to_vec())),
            longest_ms: ms(others.iter().copied().max().unwrap_or_default()),
            total_s: total.as_secs_f64(),
        }
    }
}

/// Builds each text once; `cache` must be empty. `progress` gets the number done.
///
/// # Errors
/// When one can't be built.
pub async fn run(
    fleet: &Fleet,
    cache: &Path,
    texts: &BTreeSet<PathBuf>,
    progress: impl Fn(usize),
) -> Result<BuildingReport, BuildError> {
    let bench = Workbench::new(fleet.clone(), cache.to_owned());
    let started = Instant::now();
    let mut times = Vec::new();
    for text in texts {
        let begun = Instant::now();
        bench.build(text).await?;
        times.push(begun.elapsed());
        progress(times.len());
    }
    let total = started.elapsed();
    bench.clear().await;
    Ok(BuildingReport::of(&times, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_project_which_waits_for_the_page_is_no_part_of_the_median() {
        let times = [2000, 10, 30, 20].map(Duration::from_millis);
        let report = BuildingReport::of(&times, Duration::from_millis(2060));
        assert_eq!((report.projects, report.first_ms, report.median_ms, report.longest_ms), (4, 2000.0, 20.0, 30.0));
        assert!(report.budgets().iter().all(Budget::is_met));
        let slow = BuildingReport::of(&times, Duration::from_secs(21));
        assert!(!slow.budgets().iter().all(Budget::is_met));
    }
}
