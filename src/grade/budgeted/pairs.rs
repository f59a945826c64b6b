//! Two modes at the same cases under the same models (EcoScratch, Tables 5 and 6): gains, savings, wins, and how far chance may have moved
//! them. Only trajectories that both have are compared, with full cells all.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{CaseKey, CaseRow};
use crate::grade::{Bootstrapped, Test, bootstrap_ratio, bootstrap_test, holm, paired};
use crate::model::ControllerMode;

/// Seed of the bootstrap: the same trajectories give the same figures.
const SEED: u64 = 1;
/// A smaller difference of means is a tie (EcoScratch, section 9).
const TIE: f64 = 1e-9;

/// A 95 % percentile interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// By how much one mode is better than another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Delta {
    /// Trajectories of each that are compared.
    pub pairs: u32,
    /// Percentage points of generation success and of strict success.
    pub generated: f64,
    pub strict: f64,
    /// Percent of money and of energy saved, from unrounded means; absent where one is unknown or nothing was spent.
    pub usd: Option<f64>,
    pub wh: Option<f64>,
}

/// The same for one model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelDelta {
    pub model: String,
    pub provider: String,
    pub delta: Delta,
    /// Strict outcomes: exact two-sided McNemar with one pair a case, else a bootstrap over cases.
    pub test: Test,
    pub p: f64,
    /// After Holm's correction over the models.
    pub p_holm: f64,
}

/// Models by which mode is better for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Wins {
    pub better: u32,
    pub ties: u32,
    pub worse: u32,
}

impl Wins {
    /// Of gains or savings, one a model.
    fn of(gains: impl IntoIterator<Item = f64>) -> Self {
        let mut wins = Self::default();
        for gain in gains {
            let counter = match gain {
                gain if gain > TIE => &mut wins.better,
                gain if gain < -TIE => &mut wins.worse,
                _ => &mut wins.ties,
            };
            *counter += 1;
        }
        wins
    }

    /// Models in all.
    pub const fn n(&self) -> u32 {
        self.better + self.ties + self.worse
    }
}

/// Two modes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub mode: ControllerMode,
    pub baseline: ControllerMode,
    /// Over all models, with intervals of a bootstrap in which cases are drawn anew with all their models and replicates.
    pub all: Delta,
    pub generated_interval: Option<Interval>,
    pub strict_interval: Option<Interval>,
    pub usd_interval: Option<Interval>,
    pub wh_interval: Option<Interval>,
    /// By provider and name.
    pub models: Vec<ModelDelta>,
    pub generated_wins: Wins,
    pub strict_wins: Wins,
    /// Models whose costs, and energies, are unknown are not among these.
    pub usd_wins: Wins,
    pub wh_wins: Wins,
}

/// One trajectory of each mode.
type Pair<'a> = (&'a CaseRow, &'a CaseRow);

/// Compares a mode with a baseline; `None` where they share no trajectory.
pub fn compare(rows: &[CaseRow], mode: ControllerMode, baseline: ControllerMode) -> Option<Comparison> {
    let pairs = pairs(rows, mode, baseline);
    if pairs.is_empty() {
        return None;
    }
    let models = model_deltas(&pairs);
    let wins = |of: fn(&Delta) -> Option<f64>| Wins::of(models.iter().filter_map(|model| of(&model.delta)));
    let cases = by(&pairs, |key| key.case.clone());
    Some(Comparison {
        mode,
        baseline,
        all: delta(&pairs),
        generated_interval: points(&cases, |row| row.generated),
        strict_interval: points(&cases, |row| row.strict),
        usd_interval: saved(&cases, |row| row.usd),
        wh_interval: saved(&cases, wh),
        generated_wins: wins(|delta| Some(delta.generated)),
        strict_wins: wins(|delta| Some(delta.strict)),
        usd_wins: wins(|delta| delta.usd),
        wh_wins: wins(|delta| delta.wh),
        models,
    })
}

/// Trajectories of both modes at the same case, model and replicate.
fn pairs(rows: &[CaseRow], mode: ControllerMode, baseline: ControllerMode) -> Vec<Pair<'_>> {
    let place = |row: &CaseRow| (row.key.case.clone(), row.key.model.clone(), row.key.replicate);
    let others: BTreeMap<_, _> =
        rows.iter().filter(|row| row.key.mode == baseline).map(|row| (place(row), row)).collect();
    let own = rows.iter().filter(|row| row.key.mode == mode);
    own.filter_map(|row| Some((row, *others.get(&place(row))?))).collect()
}

fn by<'a, K: Ord>(pairs: &[Pair<'a>], key: impl Fn(&CaseKey) -> K) -> BTreeMap<K, Vec<Pair<'a>>> {
    let mut groups: BTreeMap<K, Vec<Pair<'a>>> = BTreeMap::new();
    for pair in pairs {
        groups.entry(key(&pair.0.key)).or_default().push(*pair);
    }
    groups
}

fn wh(row: &CaseRow) -> Option<f64> {
    row.energy.map(|energy| energy.wh)
}

fn delta(pairs: &[Pair<'_>]) -> Delta {
    let gain = |is: fn(&CaseRow) -> bool| {
        let sum: f64 = pairs.iter().map(|(own, other)| number(is(own)) - number(is(other))).sum();
        100.0 * sum / float(pairs.len())
    };
    Delta {
        pairs: pairs.iter().map(|_| 1).sum(),
        generated: gain(|row| row.generated),
        strict: gain(|row| row.strict),
        usd: saving(pairs, |row| row.usd),
        wh: saving(pairs, wh),
    }
}

/// Percent saved.
fn saving(pairs: &[Pair<'_>], of: fn(&CaseRow) -> Option<f64>) -> Option<f64> {
    let own: f64 = pairs.iter().map(|(own, _)| of(own)).sum::<Option<f64>>()?;
    let other: f64 = pairs.iter().map(|(_, other)| of(other)).sum::<Option<f64>>()?;
    (other > 0.0).then(|| 100.0 * (1.0 - own / other))
}

fn model_deltas(pairs: &[Pair<'_>]) -> Vec<ModelDelta> {
    let of = |((provider, model), pairs): ((String, String), Vec<Pair<'_>>)| {
        let (test, p) = tested(&pairs);
        ModelDelta { model, provider, delta: delta(&pairs), test, p, p_holm: p }
    };
    let models = by(pairs, |key| (key.provider.clone(), key.model.clone()));
    let mut deltas: Vec<ModelDelta> = models.into_iter().map(of).collect();
    let corrected = holm(&deltas.iter().map(|model| model.p).collect::<Vec<_>>());
    for (model, p) in deltas.iter_mut().zip(corrected) {
        model.p_holm = p;
    }
    deltas
}

/// The p of strict outcomes of one model.
fn tested(pairs: &[Pair<'_>]) -> (Test, f64) {
    let cases = by(pairs, |key| key.case.clone());
    if cases.len() == pairs.len() {
        return (Test::Mcnemar, paired(pairs.iter().map(|(own, other)| (own.strict, other.strict))).p);
    }
    let tested = bootstrap_test(&values(&cases, |row| row.strict), SEED);
    (Test::PairedBootstrap, tested.map_or(1.0, |tested| tested.p))
}

type Cases<'a> = BTreeMap<String, Vec<Pair<'a>>>;

/// The outcomes of each case, of both modes.
fn values(cases: &Cases<'_>, is: fn(&CaseRow) -> bool) -> Vec<(Vec<f64>, Vec<f64>)> {
    let both = |pairs: &Vec<Pair<'_>>| pairs.iter().map(|(own, other)| (number(is(own)), number(is(other)))).unzip();
    cases.values().map(both).collect()
}

/// The interval of a gain in percentage points.
fn points(cases: &Cases<'_>, is: fn(&CaseRow) -> bool) -> Option<Interval> {
    let Bootstrapped { low, high, .. } = bootstrap_test(&values(cases, is), SEED)?.estimate;
    Some(Interval { low: 100.0 * low, high: 100.0 * high })
}

/// The interval of a saving in percent; absent where an amount is unknown, or nothing was spent.
fn saved(cases: &Cases<'_>, of: fn(&CaseRow) -> Option<f64>) -> Option<Interval> {
    let sums = |pairs: &Vec<Pair<'_>>| {
        let own = pairs.iter().map(|(own, _)| of(own)).sum::<Option<f64>>()?;
        Some((own, pairs.iter().map(|(_, other)| of(other)).sum::<Option<f64>>()?))
    };
    let sums: Vec<(f64, f64)> = cases.values().map(sums).collect::<Option<_>>()?;
    let Bootstrapped { low, high, .. } = bootstrap_ratio(&sums, SEED)?;
    let saved = |ratio: f64| 100.0 * (1.0 - ratio);
    Some(Interval { low: saved(high), high: saved(low) })
}

const fn number(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "trajectories are few")]
const fn float(count: usize) -> f64 {
    count as f64
}
