//! Which modes no other beats in everything, and what a budget buys.

use serde::Serialize;

use super::CaseRow;
use crate::model::ControllerMode;

/// What a mode reaches, and for how much.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// The larger the better.
    pub success: f64,
    /// Means of a trajectory, the smaller the better; absent where unknown.
    pub usd: Option<f64>,
    pub wh: Option<f64>,
}

impl Point {
    /// Whether it is no worse in anything that both have, and better in something.
    fn dominates(&self, other: &Self) -> bool {
        let costs = [(self.usd, other.usd), (self.wh, other.wh)];
        let pairs = || costs.iter().filter_map(|(one, other)| Some(((*one)?, (*other)?)));
        let no_worse = self.success >= other.success && pairs().all(|(one, other)| one <= other);
        no_worse && (self.success > other.success || pairs().any(|(one, other)| one < other))
    }
}

/// Whether each is on the Pareto front: no other dominates it.
pub fn front(points: &[Point]) -> Vec<bool> {
    points.iter().map(|point| !points.iter().any(|other| other.dominates(point))).collect()
}

/// How many trajectories of a mode pass within a budget for each.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    pub mode: ControllerMode,
    /// Trajectories whose cost is known.
    pub n: u32,
    /// US dollars with the strict successes that cost no more, by money.
    pub steps: Vec<(f64, u32)>,
}

/// The budget curve of a mode: trajectories by cost, and the strict successes among the cheaper ones.
pub fn curve(mode: ControllerMode, rows: &[&CaseRow]) -> Curve {
    let priced = || rows.iter().filter_map(|row| Some((row.usd?, row.strict)));
    let mut costs: Vec<f64> = priced().filter(|(_, strict)| *strict).map(|(usd, _)| usd).collect();
    costs.sort_by(f64::total_cmp);
    let mut steps: Vec<(f64, u32)> = Vec::new();
    for (usd, passed) in costs.into_iter().zip(1..) {
        match steps.last_mut() {
            Some((last, count)) if usd.total_cmp(last).is_eq() => *count = passed,
            _ => steps.push((usd, passed)),
        }
    }
    Curve { mode, n: priced().map(|_| 1).sum(), steps }
}
