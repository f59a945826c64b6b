//! The memory of the server's process tree during the chaos, and when it counts as level.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::server::Server;
use crate::meter::process_tree;
use crate::perf::median;

/// How often memory is read.
const SAMPLE: Duration = Duration::from_secs(5);
/// The first part of the time, in which pages and caches fill.
const WARM_UP: f64 = 0.1;
/// Memory is level if the median of the last third after the warm-up is at most this many times that of the first.
const LEVEL: f64 = 1.1;
/// Fewer samples after the warm-up tell nothing: between two of them a browser may come or go.
const LEAST: usize = 30;

/// Memory at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySample {
    /// Seconds after the attacks began.
    pub seconds: f64,
    /// Memory of all the server's processes, shared pages once, in MB.
    pub mb: f64,
}

/// How memory went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryReport {
    /// At the start, after each quarter of the time, and at the end.
    pub points: Vec<MemorySample>,
    /// Median of the first third of the time after the warm-up, in MB.
    pub first_third_mb: f64,
    /// Median of the last third, in MB.
    pub last_third_mb: f64,
    /// How much it grew an hour, from the middle of the first third to the middle of the last.
    pub slope_mb_per_h: f64,
    /// Whether the last third's median is at most a tenth above the first one's; absent where the time was too short to
    /// tell.
    pub is_level: Option<bool>,
}

impl MemoryReport {
    /// The report on these samples, earliest first.
    pub(super) fn of(samples: &[MemorySample]) -> Self {
        let end = samples.last().map_or(0.0, |last| last.seconds);
        let points = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| nearest(samples, part * end));
        let warm: Vec<MemorySample> =
            samples.iter().copied().filter(|sample| sample.seconds >= end * WARM_UP).collect();
        let (first, last) = (median_mb(&warm[..warm.len() / 3]), median_mb(&warm[warm.len() - warm.len() / 3..]));
        // From the middle of the first third to the middle of the last.
        let hours = end * (1.0 - WARM_UP) * 2.0 / 3.0 / 3600.0;
        Self {
            points: points.into_iter().flatten().collect(),
            first_third_mb: first,
            last_third_mb: last,
            slope_mb_per_h: if hours > 0.0 { (last - first) / hours } else { 0.0 },
            is_level: (warm.len() >= LEAST).then_some(last <= first * LEVEL),
        }
    }

    /// What is wrong, if it is not level.
    pub(super) fn breach(&self) -> Option<String> {
        let (first, last, slope) = (self.first_third_mb, self.last_third_mb, self.slope_mb_per_h);
        (self.is_level == Some(false))
            .then(|| format!("memory is not level: {first:.0} MB early, {last:.0} MB late, {slope:+.0} MB an hour"))
    }
}

fn nearest(samples: &[MemorySample], seconds: f64) -> Option<MemorySample> {
    let distance = |sample: &MemorySample| (sample.seconds - seconds).abs();
    samples.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn median_mb(samples: &[MemorySample]) -> f64 {
    median(samples.iter().map(|sample| sample.mb).collect())
}

/// Reads memory until the time is up.
pub(super) async fn watch(server: &Server, until: Instant) -> MemoryReport {
    let (began, root) = (Instant::now(), server.process_id());
    let mut samples = Vec::new();
    loop {
        let memory = tokio::task::spawn_blocking(move || process_tree::memory(root)).await.unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "megabytes for people")]
        let mb = memory as f64 / 1e6;
        samples.push(MemorySample { seconds: began.elapsed().as_secs_f64(), mb });
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return MemoryReport::of(&samples);
        }
        tokio::time::sleep(SAMPLE.min(left)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half an hour of samples, with memory as told by the number of the sample, up to 360.
    fn half_an_hour(mb: impl Fn(u32) -> f64) -> Vec<MemorySample> {
        (0..=360).map(|at| MemorySample { seconds: f64::from(at) * 5.0, mb: mb(at) }).collect()
    }

    fn growing(at: u32) -> f64 {
        1000.0 + f64::from(at) / 360.0 * 500.0
    }

    #[test]
    fn memory_is_level_whatever_the_warm_up_and_single_samples_show() {
        let filling = |at: u32| if at < 36 { 1000.0 + f64::from(at) * 50.0 } else { 3000.0 };
        let spiky = |at: u32| filling(at) + if at.is_multiple_of(9) { 4000.0 } else { 0.0 };
        let report = MemoryReport::of(&half_an_hour(spiky));
        assert_eq!((report.first_third_mb, report.last_third_mb, report.slope_mb_per_h), (3000.0, 3000.0, 0.0));
        assert_eq!((report.is_level, report.breach()), (Some(true), None));
    }

    #[test]
    fn memory_that_grows_is_not_level_and_its_slope_is_told() {
        let report = MemoryReport::of(&half_an_hour(growing));
        // 500 MB in half an hour.
        assert!((report.slope_mb_per_h - 1000.0).abs() < 20.0, "{report:?}");
        assert_eq!(report.is_level, Some(false));
        assert!(report.breach().is_some_and(|breach| breach.contains("not level")));
        let points: Vec<f64> = report.points.iter().map(|sample| sample.mb).collect();
        assert_eq!(points, [1000.0, 1125.0, 1250.0, 1375.0, 1500.0]);
    }

    #[test]
    fn a_short_time_tells_nothing() {
        let report = MemoryReport::of(&half_an_hour(growing)[..12]);
        assert_eq!((report.is_level, report.breach(), report.points.len()), (None, None, 5));
        assert_eq!(MemoryReport::of(&[]), MemoryReport::default());
    }
}
