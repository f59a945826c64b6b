//! The trajectories of some runs, as far as they go together: each place of the matrix is taken once, and what decides a record is the same
//! everywhere (EcoScratch, section 8).

use std::collections::{BTreeMap, BTreeSet};

use super::family::family;
use crate::export::ExportError;
use crate::export::source::Who;
use crate::grade::budgeted::{CaseKey, CaseRow, Energy};
use crate::meter::comparable_wh;
use crate::model::{ControllerMode, EnergyQuality, ItemId, Outcome, Trajectory};
use crate::store::{RunDir, Try};

/// What is the same in the whole matrix; other digests are of a case.
const OF_ALL: [&str; 7] = ["profile", "plans", "prompts", "prices", "engine", "editor", "browser"];

/// A trajectory, or one that the testbed broke.
#[derive(Debug)]
pub(super) struct Entry {
    /// The name of its run.
    pub run: String,
    pub key: CaseKey,
    pub outcome: Outcome,
    /// Absent where the testbed broke.
    pub trajectory: Option<Trajectory>,
}

impl Entry {
    /// The trajectory, if it counts.
    fn counted(&self) -> Option<&Trajectory> {
        self.trajectory.as_ref().filter(|_| self.outcome.counts())
    }
}

/// The trajectories of some runs.
#[derive(Debug)]
pub struct Matrix {
    entries: Vec<Entry>,
    missing: Vec<CaseKey>,
}

impl Matrix {
    /// Reads runs of budgeted repair, each of one model and one mode.
    ///
    /// # Errors
    /// When a run can't be read, or is of another benchmark or set; when two have a trajectory of the same case, model, mode and replicate;
    /// when digests differ that decide a record.
    pub fn read(runs: &[RunDir]) -> Result<Self, ExportError> {
        let mut entries = Vec::new();
        for run in runs {
            if let Some(first) = runs.first().filter(|first| first.record().set != run.record().set) {
                return Err(mixed("sets of cases", &first.record().id, &run.record().id));
            }
            entries.extend(entries_of(run)?);
        }
        check_single(&entries)?;
        check_digests(&entries)?;
        let missing = missing(runs, &entries)?;
        Ok(Self { entries, missing })
    }

    /// Rows of what counts, for `grade::budgeted`.
    pub fn rows(&self) -> Vec<CaseRow> {
        self.counted().map(|(entry, trajectory)| row(entry, trajectory)).collect()
    }

    /// What was begun and does not count.
    pub fn not_counted(&self) -> Vec<CaseKey> {
        self.entries.iter().filter(|entry| entry.counted().is_none()).map(|entry| entry.key.clone()).collect()
    }

    /// Places of the matrix, all cases by all models, modes and replicates, at which nothing counts.
    pub fn missing(&self) -> &[CaseKey] {
        &self.missing
    }

    /// What counts, in the order of runs.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&Entry, &Trajectory)> {
        self.entries.iter().filter_map(|entry| Some((entry, entry.counted()?)))
    }

    /// Why others do not count.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().filter(|entry| entry.counted().is_none()).map(|entry| entry.outcome.name())
    }
}

fn mode_of(run: &RunDir) -> Result<ControllerMode, ExportError> {
    let record = run.record();
    record
        .setting
        .parse()
        .map_err(|_| ExportError::NoMode { path: run.path().to_owned(), mode: record.setting.clone() })
}

fn key_of(run: &RunDir, case: &str, replicate: u32) -> Result<CaseKey, ExportError> {
    let who = Who::of(run.record());
    Ok(CaseKey {
        case: case.to_owned(),
        model: who.model_or_agent().to_owned(),
        provider: family(run.record()),
        mode: mode_of(run)?,
        replicate,
    })
}

fn entries_of(run: &RunDir) -> Result<Vec<Entry>, ExportError> {
    // Before any record is read: those of another benchmark would only be unreadable.
    mode_of(run)?;
    let entry = |Try { record, .. }: Try<Option<Trajectory>>| {
        Ok(Entry {
            run: run.record().id.clone(),
            key: key_of(run, record.item.as_str(), record.attempt)?,
            outcome: record.outcome,
            trajectory: record.detail,
        })
    };
    run.last_tries()?.into_iter().map(entry).collect()
}

fn check_single(entries: &[Entry]) -> Result<(), ExportError> {
    let mut taken: BTreeMap<&CaseKey, &str> = BTreeMap::new();
    for entry in entries {
        if let Some(first) = taken.insert(&entry.key, &entry.run) {
            let (first, second) = (first.to_owned(), entry.run.clone());
            return Err(ExportError::TrajectoryTwice { trajectory: entry.key.to_string(), first, second });
        }
    }
    Ok(())
}

/// Digests of the matrix are the same in all records, those of a case in all records of the case.
fn check_digests(entries: &[Entry]) -> Result<(), ExportError> {
    let mut known: BTreeMap<(&str, &str), (&str, &Entry)> = BTreeMap::new();
    for entry in entries {
        let Some(trajectory) = entry.counted() else { continue };
        let digests = trajectory.hashes.iter().map(|(name, digest)| (name.as_str(), digest.as_str()));
        for (name, digest) in digests.chain([("profile", trajectory.profile.as_str())]) {
            let of = if OF_ALL.contains(&name) { "" } else { entry.key.case.as_str() };
            let (first, earlier) = *known.entry((name, of)).or_insert((digest, entry));
            if first != digest {
                let place = |entry: &Entry| format!("{} ({})", entry.run, entry.key);
                return Err(mixed(name, &place(earlier), &place(entry)));
            }
        }
    }
    Ok(())
}

fn mixed(what: &str, first: &str, second: &str) -> ExportError {
    ExportError::MixedDigests { what: what.to_owned(), first: first.to_owned(), second: second.to_owned() }
}

/// Each case of any run belongs to each model, mode and replicate.
fn missing(runs: &[RunDir], entries: &[Entry]) -> Result<Vec<CaseKey>, ExportError> {
    let counted: BTreeSet<&CaseKey> =
        entries.iter().filter(|entry| entry.counted().is_some()).map(|entry| &entry.key).collect();
    let cases: BTreeSet<&str> = runs.iter().flat_map(|run| &run.record().items).map(ItemId::as_str).collect();
    let cells: BTreeSet<CaseKey> = runs.iter().map(|run| key_of(run, "", 0)).collect::<Result<_, _>>()?;
    let models: BTreeSet<(&str, &str)> =
        cells.iter().map(|cell| (cell.model.as_str(), cell.provider.as_str())).collect();
    let modes: BTreeSet<ControllerMode> = cells.iter().map(|cell| cell.mode).collect();
    let replicates = runs.iter().map(|run| run.record().attempts).max().unwrap_or_default();
    let mut missing = Vec::new();
    for (model, provider) in models {
        for mode in &modes {
            for case in &cases {
                let key = |replicate| CaseKey {
                    case: (*case).to_owned(),
                    model: model.to_owned(),
                    provider: provider.to_owned(),
                    mode: *mode,
                    replicate,
                };
                missing.extend((1..=replicates).map(key).filter(|key| !counted.contains(key)));
            }
        }
    }
    Ok(missing)
}

fn row(entry: &Entry, trajectory: &Trajectory) -> CaseRow {
    let energy = trajectory.energy.as_ref().and_then(|energy| {
        let is_estimated = energy.quality == EnergyQuality::Estimated;
        comparable_wh(energy).map(|wh| Energy { wh, is_estimated })
    });
    CaseRow::of(entry.key.clone(), trajectory, energy)
}
