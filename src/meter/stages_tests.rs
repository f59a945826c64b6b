//! Stages with a meter that a file stands for.

use std::num::NonZeroU32;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::meter::{Coefficients, MeterChoice, MeterSettings};
use crate::model::{Coded as _, EnergyQuality};

/// A meter whose display is a file.
struct Plug {
    _folder: TempDir,
    file: PathBuf,
}

impl Plug {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let plug = Self { file: folder.path().join("joules"), _folder: folder };
        plug.shows("36000");
        plug
    }

    fn shows(&self, joules: &str) {
        std::fs::write(&self.file, joules).unwrap();
    }

    fn track(&self, first_stage: &str) -> EnergyTracker {
        let command = Some(format!("cat {}", self.file.display()));
        let coefficients = Coefficients::bundled().unwrap();
        let settings = MeterSettings { choice: MeterChoice::External, command, ..MeterSettings::new(coefficients) };
        Meters::choose(settings).unwrap().track(first_stage).unwrap()
    }
}

fn with(choice: MeterChoice, jobs: u32) -> Meters {
    let jobs = NonZeroU32::new(jobs).unwrap();
    Meters::choose(MeterSettings { choice, jobs, ..MeterSettings::new(Coefficients::bundled().unwrap()) }).unwrap()
}

#[tokio::test]
async fn what_was_used_before_a_border_is_the_stages_that_ended() {
    let plug = Plug::new();
    let mut tracker = plug.track("probe");
    assert_eq!(tracker.wh(), Some(0.0));
    plug.shows("39600");
    tracker.stage("call").await.unwrap();
    assert_eq!(tracker.wh(), Some(1.0));
    plug.shows("46800");
    tracker.stage("full").await.unwrap();
    tracker.stage("call").await.unwrap();
    plug.shows("50400");
    let record = tracker.finish().await.unwrap().unwrap();
    let by_stage = [("call", 3.0), ("full", 0.0), ("probe", 1.0)].map(|(name, wh)| (name.to_owned(), wh));
    assert_eq!(record.by_stage, BTreeMap::from(by_stage));
    assert_eq!((record.wh, record.marginal_wh), (4.0, None));
    let kind = (record.method, record.quality, record.scope);
    assert_eq!(kind, (EnergyMethod::External, EnergyQuality::Measured, EnergyScope::Host));
    assert_eq!(record.coefficients, Coefficients::bundled().unwrap().digest());
    assert!(record.wall_s > 0.0 && record.cpu_s >= 0.0);
}

#[tokio::test]
async fn a_border_that_was_missed_leaves_no_figure() {
    let plug = Plug::new();
    let mut tracker = plug.track("probe");
    plug.shows("offline");
    assert_eq!(tracker.stage("call").await.unwrap_err().code(), "meter_not_joules");
    plug.shows("50400");
    let error = tracker.stage("full").await.unwrap_err();
    assert_eq!(error.to_string(), "the meter was not read at the end of stage `probe`");
    assert_eq!(tracker.finish().await.unwrap_err().code(), "stage_border_missed");
}

#[tokio::test]
async fn stages_of_estimates_add_up() {
    let mut tracker = with(MeterChoice::Vcpu, 1).track("probe").unwrap();
    for stage in ["call", "precheck", "call", "full"] {
        tracker.stage(stage).await.unwrap();
    }
    let record = tracker.finish().await.unwrap().unwrap();
    assert!((record.by_stage.values().sum::<f64>() - record.wh).abs() < 1e-12, "{record:?}");
    assert!(record.by_stage.len() == 4 && record.by_stage.values().all(|wh| *wh > 0.0), "{record:?}");
    assert!(record.marginal_wh.is_some_and(|marginal| marginal < record.wh), "{record:?}");
    assert_eq!((record.scope, record.quality), (EnergyScope::ProcessTree, EnergyQuality::Estimated));
}

#[tokio::test]
async fn several_jobs_share_and_off_records_nothing() {
    let shared = with(MeterChoice::Tdp, 3).track("probe").unwrap().finish().await.unwrap().unwrap();
    assert_eq!((shared.scope, shared.method), (EnergyScope::Shared, EnergyMethod::Tdp));
    let mut off = with(MeterChoice::Off, 1).track("probe").unwrap();
    off.stage("call").await.unwrap();
    assert_eq!((off.wh(), off.finish().await.unwrap()), (None, None));
}
