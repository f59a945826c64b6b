//! Which meter is taken, and why not another.

use std::num::NonZeroU32;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::meter::Coefficients;
use crate::model::Coded as _;

/// A folder without counters.
fn settings(folder: &TempDir, choice: MeterChoice) -> MeterSettings {
    MeterSettings {
        choice,
        powercap: folder.path().to_owned(),
        still_limit: Duration::from_millis(50),
        ..MeterSettings::new(Coefficients::bundled().unwrap())
    }
}

fn passed_over(meters: &Meters) -> Vec<(EnergyMethod, &str)> {
    meters.passed_over().iter().map(|(method, error)| (*method, error.code())).collect()
}

#[test]
fn the_first_that_works_is_taken_and_the_others_say_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let meters = Meters::choose(settings(&folder, MeterChoice::Auto)).unwrap();
    assert_eq!((meters.method(), meters.scope()), (Some(EnergyMethod::Vcpu), Some(EnergyScope::ProcessTree)));
    let none = [(EnergyMethod::External, "no_meter_command"), (EnergyMethod::Rapl, "no_energy_counters")];
    assert_eq!(passed_over(&meters), none);

    let command = Some("echo 7".to_owned());
    let meters = Meters::choose(MeterSettings { command, ..settings(&folder, MeterChoice::Auto) }).unwrap();
    assert_eq!((meters.method(), meters.scope()), (Some(EnergyMethod::External), Some(EnergyScope::Host)));
    assert!(meters.passed_over().is_empty());
}

#[test]
fn a_counter_that_stands_still_is_absent() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("intel-rapl:0");
    std::fs::create_dir(&package).unwrap();
    for (file, text) in [("name", "package-0"), ("max_energy_range_uj", "1000"), ("energy_uj", "0")] {
        std::fs::write(package.join(file), text).unwrap();
    }
    let meters = Meters::choose(settings(&folder, MeterChoice::Auto)).unwrap();
    assert_eq!(passed_over(&meters)[1], (EnergyMethod::Rapl, "energy_counter_still"));
    let error = Meters::choose(settings(&folder, MeterChoice::Rapl)).unwrap_err();
    assert_eq!(error.code(), "energy_counter_still");
}

#[test]
fn a_chosen_meter_is_taken_or_nothing_is() {
    let folder = tempfile::tempdir().unwrap();
    let error = Meters::choose(settings(&folder, MeterChoice::External)).unwrap_err();
    assert_eq!(error.code(), "no_meter_command");
    let meters = Meters::choose(settings(&folder, MeterChoice::Tdp)).unwrap();
    assert_eq!((meters.method(), meters.coefficients().len()), (Some(EnergyMethod::Tdp), 64));
    // No process has this number.
    for choice in [MeterChoice::Vcpu, MeterChoice::Tdp, MeterChoice::Auto] {
        let error = Meters::choose(MeterSettings { root: u32::MAX, ..settings(&folder, choice) }).unwrap_err();
        assert_eq!(error.code(), "no_process", "{choice}");
    }
}

#[test]
fn several_jobs_share_their_energy_and_off_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = NonZeroU32::new(2).unwrap();
    let meters = Meters::choose(MeterSettings { jobs, ..settings(&folder, MeterChoice::Vcpu) }).unwrap();
    assert_eq!(meters.scope(), Some(EnergyScope::Shared));
    let off = Meters::choose(settings(&folder, MeterChoice::Off)).unwrap();
    assert_eq!((off.method(), off.scope()), (None, None));
    assert!(off.begin().unwrap().is_none());
}

#[test]
fn estimates_count_time_that_passes_and_measurements_tell_no_margin() {
    let folder = tempfile::tempdir().unwrap();
    let mut meter = Meters::choose(settings(&folder, MeterChoice::Vcpu)).unwrap().begin().unwrap().unwrap();
    let (first, second) = (meter.read().unwrap(), meter.read().unwrap());
    assert!(second.wh > first.wh && first.wh > 0.0, "{first:?} {second:?}");
    assert!(second.marginal_wh.unwrap() < second.wh, "{second:?}");
    // A counter that grows by 3.6 kJ with each reading.
    let file = folder.path().join("joules");
    std::fs::write(&file, "0").unwrap();
    let command = Some(format!("read j < {0}; echo $((j + 3600)) > {0}; echo $j", file.display()));
    let meters = Meters::choose(MeterSettings { command, ..settings(&folder, MeterChoice::External) }).unwrap();
    let mut meter = meters.begin().unwrap().unwrap();
    let readings = [meter.read().unwrap(), meter.read().unwrap()];
    assert_eq!(readings.map(|reading| (reading.wh, reading.marginal_wh)), [(1.0, None), (2.0, None)]);
}
