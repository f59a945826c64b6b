//! Rates of a run of trajectories (EcoScratch, section 9): generation and strict success over those that count, layers that add up, means.

use std::collections::BTreeMap;

use serde::Serialize;

use super::CaseItem;
use crate::grade::budgeted::{CaseKey, CaseRow, Group};
use crate::grade::{LeftOut, Proportion, left_out};
use crate::model::{AttemptRecord, Layer, Trajectory};

type Record = AttemptRecord<Option<Trajectory>>;

/// How many trajectories ended in a layer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerCount {
    pub layer: Layer,
    pub count: u32,
}

/// The figures of one run: one model in one mode.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// A candidate was built and loaded.
    pub generated: Proportion,
    /// It passed the strict verifier.
    pub strict: Proportion,
    /// Strict successes of those that were generated.
    pub conversion: Proportion,
    /// Trajectories that showed pictures.
    pub with_images: Proportion,
    /// Means over trajectories; absent of none. US dollars are absent where a price is unknown.
    pub mean_usd: Option<f64>,
    pub mean_images: Option<f64>,
    pub mean_attempts: Option<f64>,
    /// All of them: they add up to the trajectories that count.
    pub layers: Vec<LayerCount>,
    /// Strict successes by mechanism.
    pub mechanisms: BTreeMap<String, Proportion>,
    /// Strict successes by level of the signals, 0 to 3.
    pub levels: BTreeMap<u8, Proportion>,
    /// Trajectories that do not count, and why.
    pub left_out: Vec<LeftOut>,
    /// Cases none of whose trajectories counts.
    pub missing: usize,
}

/// Scores the trajectories of a run, which has one model and one mode.
pub fn score(items: &[CaseItem], records: &[Record]) -> Score {
    let (counted, others): (Vec<&Record>, Vec<&Record>) = records.iter().partition(|record| record.outcome.counts());
    let rows: Vec<CaseRow> = counted.iter().filter_map(|record| record.detail.as_ref()).map(row).collect();
    let all: Vec<&CaseRow> = rows.iter().collect();
    let Group { generated, strict, conversion, with_images, usd, images, attempts, layers, .. } = Group::of(&all, 0);
    let is_there = |item: &&CaseItem| !rows.iter().any(|row| row.key.case == item.id.as_str());
    Score {
        generated,
        strict,
        conversion,
        with_images,
        mean_usd: usd,
        mean_images: images,
        mean_attempts: attempts,
        layers: layers.into_iter().map(|(layer, count)| LayerCount { layer, count }).collect(),
        mechanisms: strict_by(&rows, |row| Some(row.mechanism.clone())),
        levels: strict_by(&rows, |row| row.level),
        left_out: left_out(others.iter().map(|record| record.outcome.name())),
        missing: items.iter().filter(is_there).count(),
    }
}

/// A trajectory as it is counted within its run.
fn row(trajectory: &Trajectory) -> CaseRow {
    let key = CaseKey {
        case: trajectory.case.clone(),
        model: String::new(),
        provider: String::new(),
        mode: trajectory.mode,
        replicate: trajectory.replicate,
    };
    CaseRow::of(key, trajectory, None)
}

/// Strict successes by what trajectories have in common.
fn strict_by<K: Ord>(rows: &[CaseRow], of: impl Fn(&CaseRow) -> Option<K>) -> BTreeMap<K, Proportion> {
    let mut groups: BTreeMap<K, Vec<&CaseRow>> = BTreeMap::new();
    for row in rows {
        if let Some(name) = of(row) {
            groups.entry(name).or_default().push(row);
        }
    }
    groups.into_iter().map(|(name, group)| (name, Group::of(&group, 0).strict)).collect()
}
