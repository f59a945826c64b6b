//! Rates of a run of trajectories (EcoScratch, section 9): generation and strict success over those that count, layers that add up, means.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::CaseItem;
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

/// Scores the trajectories of a run.
pub fn score(items: &[CaseItem], records: &[Record]) -> Score {
    let counted: Vec<&Trajectory> =
        records.iter().filter(|record| record.outcome.counts()).filter_map(|record| record.detail.as_ref()).collect();
    let share =
        |is: &dyn Fn(&Trajectory) -> bool| Proportion::clustered(counted.iter().map(|one| (&one.case, is(one))));
    let grouped = |of: &dyn Fn(&Trajectory) -> String| -> BTreeMap<String, Proportion> {
        let mut groups: BTreeMap<String, Vec<&Trajectory>> = BTreeMap::new();
        for one in &counted {
            groups.entry(of(one)).or_default().push(one);
        }
        let rate = |group: Vec<&Trajectory>| {
            Proportion::clustered(group.into_iter().map(|one| (&one.case, one.strict_verify_success)))
        };
        groups.into_iter().map(|(name, group)| (name, rate(group))).collect()
    };
    let generated: Vec<&&Trajectory> = counted.iter().filter(|one| one.generation_success).collect();
    let count = |layer: Layer| counted.iter().filter(|one| one.layer == layer).count();
    let is_there = |item: &&CaseItem| !counted.iter().any(|one| one.case == item.id.as_str());
    Score {
        generated: share(&|one| one.generation_success),
        strict: share(&|one| one.strict_verify_success),
        conversion: Proportion::clustered(generated.iter().map(|one| (&one.case, one.strict_verify_success))),
        with_images: share(&|one| one.totals.images_inserted > 0),
        mean_usd: mean(counted.iter().map(|one| one.totals.usd)),
        mean_images: mean(counted.iter().map(|one| Some(f64::from(one.totals.images_inserted)))),
        mean_attempts: mean(counted.iter().map(|one| Some(f64::from(one.totals.attempts)))),
        layers: Layer::iter()
            .map(|layer| LayerCount { layer, count: u32::try_from(count(layer)).unwrap_or(u32::MAX) })
            .collect(),
        mechanisms: grouped(&|one| one.mechanism.clone()),
        levels: grouped(&|one| one.probe.signals.level.to_string())
            .into_iter()
            .filter_map(|(level, rate)| Some((level.parse().ok()?, rate)))
            .collect(),
        left_out: left_out(
            records.iter().filter(|record| !record.outcome.counts()).map(|record| record.outcome.name()),
        ),
        missing: items.iter().filter(is_there).count(),
    }
}

/// The mean; absent of nothing, and where one value is.
#[expect(clippy::cast_precision_loss, reason = "trajectories are few")]
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
