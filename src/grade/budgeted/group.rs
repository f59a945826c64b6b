//! The figures of some trajectories (EcoScratch, section 9). All means are over trajectories, not over means of models.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::CaseRow;
use crate::grade::Proportion;
use crate::model::Layer;

/// A sum divided by what was reached; absent where nothing was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Per {
    /// By strict successes.
    pub success: Option<f64>,
    /// By generation successes.
    pub generation: Option<f64>,
}

impl Per {
    fn of(sum: Option<f64>, success: u32, generation: u32) -> Self {
        let by = |count: u32| sum.filter(|_| count > 0).map(|sum| sum / f64::from(count));
        Self { success: by(success), generation: by(generation) }
    }
}

/// Figures over trajectories that count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Trajectories that count, and those that the testbed broke.
    pub n: u32,
    pub not_counted: u32,
    /// Generation successes and strict ones, of all. Trajectories at one case are no independent observations, and intervals say so; with
    /// one trajectory a case they are Wilson's.
    pub generated: Proportion,
    pub strict: Proportion,
    /// Strict successes of generation successes.
    pub conversion: Proportion,
    /// Trajectories that used pictures.
    pub with_images: Proportion,
    /// Means of a trajectory. Money and energy are absent where those of any trajectory are unknown: the mean of the others would favour
    /// whoever failed early.
    pub usd: Option<f64>,
    pub wh: Option<f64>,
    pub images: Option<f64>,
    pub attempts: Option<f64>,
    /// Whether any energy is estimated.
    pub is_estimated: bool,
    pub usd_per: Per,
    pub wh_per: Per,
    /// How many ended at each layer, zeros included: they add up to `n`.
    pub layers: Vec<(Layer, u32)>,
    /// How many took so many attempts.
    pub by_attempts: Vec<(u32, u32)>,
}

impl Group {
    /// Of these trajectories; of as many more the testbed broke.
    pub fn of(rows: &[&CaseRow], not_counted: u32) -> Self {
        let share = |is: fn(&CaseRow) -> bool| Proportion::clustered(rows.iter().map(|row| (&row.key.case, is(row))));
        let (generated, strict) = (share(|row| row.generated), share(|row| row.strict));
        let n = generated.n;
        let usd: Option<f64> = rows.iter().map(|row| row.usd).sum();
        let wh: Option<f64> = rows.iter().map(|row| row.energy.map(|energy| energy.wh)).sum();
        let mean = |sum: f64| (n > 0).then(|| sum / f64::from(n));
        let converted = rows.iter().filter(|row| row.generated).map(|row| (&row.key.case, row.strict));
        Self {
            n,
            not_counted,
            generated,
            strict,
            conversion: Proportion::clustered(converted),
            with_images: share(|row| row.images > 0),
            usd: usd.and_then(mean),
            wh: wh.and_then(mean),
            images: mean(rows.iter().map(|row| f64::from(row.images)).sum()),
            attempts: mean(rows.iter().map(|row| f64::from(row.attempts)).sum()),
            is_estimated: rows.iter().any(|row| row.energy.is_some_and(|energy| energy.is_estimated)),
            usd_per: Per::of(usd, strict.hits, generated.hits),
            wh_per: Per::of(wh, strict.hits, generated.hits),
            layers: layers(rows),
            by_attempts: by_attempts(rows),
        }
    }
}

fn layers(rows: &[&CaseRow]) -> Vec<(Layer, u32)> {
    let count = |layer: Layer| rows.iter().map(|row| u32::from(row.layer == layer)).sum();
    Layer::iter().map(|layer| (layer, count(layer))).collect()
}

fn by_attempts(rows: &[&CaseRow]) -> Vec<(u32, u32)> {
    let mut found: BTreeMap<u32, u32> = BTreeMap::new();
    for row in rows {
        *found.entry(row.attempts).or_default() += 1;
    }
    found.into_iter().collect()
}
