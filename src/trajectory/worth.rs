//! Whether another attempt is worth its price (EcoScratch, section 12.5), the rule of the mode `value`: go on if, and only if, the chance of
//! a strict success times what a repaired project is worth is more than what an attempt costs on average. Chance and price are learned
//! from trajectories that were made before, and are fixed before a run.

use serde::{Deserialize, Serialize};

use crate::model::{ControllerMode, Layer, PlanId, Trajectory, sha256_hex};

/// Attempts that a cell needs; a coarser one is taken below.
const ENOUGH: usize = 20;
/// Beta(1, 1): without any attempt the chance is a half.
const PRIOR: (f64, f64) = (1.0, 1.0);

/// An attempt that was made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    pub mode: ControllerMode,
    pub plan: PlanId,
    /// Where the attempt before ended; none of a first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Layer>,
    /// Flags of the case's signals, 0 to 3.
    pub level: u8,
    pub is_strict: bool,
    /// US dollars, where the price was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
}

/// What a decision rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worth {
    /// What a repaired project is worth, in US dollars, above 0.
    pub usd: f64,
    /// In the order of the runs that they come from.
    pub learned: Vec<Transition>,
}

/// An attempt that may be made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    pub mode: ControllerMode,
    pub plan: PlanId,
    pub last: Layer,
    pub level: u8,
    /// What the attempt before it cost: its price, as long as none was learned.
    pub usd: f64,
}

impl Transition {
    /// The attempts of a trajectory.
    pub fn of(trajectory: &Trajectory) -> Vec<Self> {
        let befores = std::iter::once(None).chain(trajectory.attempts.iter().map(|attempt| Some(attempt.layer)));
        let (mode, level) = (trajectory.mode, trajectory.probe.signals.level);
        let each = trajectory.attempts.iter().zip(befores).map(|(attempt, last)| Self {
            mode,
            plan: attempt.plan,
            last,
            level,
            is_strict: attempt.layer.is_strict(),
            usd: attempt.usage.usd,
        });
        each.collect()
    }
}

impl Worth {
    /// The chance of a strict success: the mean of the posterior over the attempts that are most like it.
    pub fn chance(&self, next: &Prospect) -> f64 {
        let cells: [&dyn Fn(&Transition) -> bool; 4] = [
            &|one| {
                one.mode == next.mode && one.plan == next.plan && one.last == Some(next.last) && one.level == next.level
            },
            &|one| one.plan == next.plan && one.last == Some(next.last) && one.level == next.level,
            &|one| one.plan == next.plan && one.last == Some(next.last),
            &|one| one.plan == next.plan,
        ];
        let found = cells.iter().map(|cell| self.learned.iter().filter(|one| cell(one)).collect::<Vec<_>>());
        let cell = found.into_iter().find(|cell| cell.len() >= ENOUGH).unwrap_or_else(|| self.learned.iter().collect());
        let strict = cell.iter().filter(|one| one.is_strict).count();
        (as_f64(strict) + PRIOR.0) / (as_f64(cell.len()) + PRIOR.0 + PRIOR.1)
    }

    /// What an attempt under its plan costs, in US dollars: the mean of those that were learned, else what the one before it cost.
    pub fn price(&self, next: &Prospect) -> f64 {
        let of_plan: Vec<f64> =
            self.learned.iter().filter(|one| one.plan == next.plan).filter_map(|one| one.usd).collect();
        if of_plan.is_empty() { next.usd } else { of_plan.iter().sum::<f64>() / as_f64(of_plan.len()) }
    }

    /// Whether it is worth making.
    pub fn allows(&self, next: &Prospect) -> bool {
        self.chance(next) * self.usd > self.price(next)
    }

    /// A digest of it, for records.
    pub fn digest(&self) -> String {
        sha256_hex(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }
}

#[expect(clippy::cast_precision_loss, reason = "attempts are far below 2^52")]
const fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempts(count: usize, plan: PlanId, level: u8, strict: usize) -> Vec<Transition> {
        let one = |at| Transition {
            mode: ControllerMode::Heuristic,
            plan,
            last: Some(Layer::Full),
            level,
            is_strict: at < strict,
            usd: Some(0.01),
        };
        (0..count).map(one).collect()
    }

    fn next(plan: PlanId, level: u8) -> Prospect {
        Prospect { mode: ControllerMode::Value, plan, last: Layer::Full, level, usd: 0.02 }
    }

    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-12, "{one} is not {other}");
    }

    #[test]
    fn a_cell_with_too_few_attempts_gives_way_to_a_coarser_one() {
        let worth = |learned| Worth { usd: 1.0, learned };
        near(worth(Vec::new()).chance(&next(PlanId::M1, 1)), 0.5);
        let same = attempts(20, PlanId::M1, 1, 4);
        near(worth(same.clone()).chance(&next(PlanId::M1, 1)), 5.0 / 22.0);
        let others = [same, attempts(20, PlanId::M1, 2, 20)].concat();
        near(worth(others.clone()).chance(&next(PlanId::M1, 1)), 5.0 / 22.0);
        near(worth(others.clone()).chance(&next(PlanId::M1, 3)), 25.0 / 42.0);
        near(worth(others).chance(&next(PlanId::T2, 3)), 25.0 / 42.0);
    }

    #[test]
    fn an_attempt_is_worth_it_if_the_expected_gain_is_above_its_price() {
        let learned = attempts(38, PlanId::M1, 1, 3);
        let allows = |usd| Worth { usd, learned: learned.clone() }.allows(&next(PlanId::M1, 1));
        near(Worth { usd: 1.0, learned: learned.clone() }.price(&next(PlanId::M1, 1)), 0.01);
        assert_eq!([allows(0.099), allows(0.101)], [false, true], "a chance of 1 in 10, and a cent a time");
        near(Worth { usd: 1.0, learned: Vec::new() }.price(&next(PlanId::M1, 1)), 0.02);
    }
}
