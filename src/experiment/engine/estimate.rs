//! What an experiment may cost and take, from some attempts that were made.

use std::collections::BTreeMap;

use serde::Serialize;

/// An attempt that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Absent where the price is unknown.
    pub micro_usd: Option<u64>,
    pub tokens: u64,
    /// Milliseconds from beginning to end.
    pub took_ms: u64,
}

/// An arm with what was measured of it.
#[derive(Debug, Clone)]
pub struct MeasuredArm {
    pub label: String,
    pub lane: String,
    /// Cells that it has in all.
    pub cells: u64,
    /// Attempts that were made, those that did not count included.
    pub attempts: Vec<Measured>,
    /// Cells that they decided.
    pub decided: u64,
    /// Bytes of all their files.
    pub bytes: u64,
}

/// What an arm, or all of them, will need.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Need {
    /// Absent where the price is unknown.
    pub micro_usd: Option<u64>,
    pub tokens: u64,
    /// Milliseconds of all attempts, one after another.
    pub work_ms: u64,
    pub bytes: u64,
}

/// What an experiment will need.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// By the labels of arms; arms of which nothing was decided have none.
    pub arms: BTreeMap<String, Need>,
    /// Of all arms that have one.
    pub all: Need,
    /// Milliseconds by the clock: as many attempts at a time as there are jobs, and no lane beyond what it bears.
    pub wall_ms: u64,
    /// Arms of which nothing is known.
    pub unknown: Vec<String>,
}

impl Estimate {
    /// From what was measured, for so many attempts at a time; `lanes` has how many attempts each bears at a time.
    pub fn of(arms: &[MeasuredArm], lanes: &BTreeMap<String, u32>, jobs: u32) -> Self {
        let mut estimate = Self {
            arms: BTreeMap::new(),
            all: Need { micro_usd: Some(0), ..Need::default() },
            wall_ms: 0,
            unknown: Vec::new(),
        };
        let mut by_lane: BTreeMap<&str, u64> = BTreeMap::new();
        for arm in arms {
            let Some(need) = arm.need() else {
                estimate.unknown.push(arm.label.clone());
                continue;
            };
            let all = &mut estimate.all;
            all.micro_usd = all.micro_usd.zip(need.micro_usd).map(|(sum, more)| sum + more);
            all.tokens += need.tokens;
            all.work_ms += need.work_ms;
            all.bytes += need.bytes;
            *by_lane.entry(&arm.lane).or_default() += need.work_ms;
            estimate.arms.insert(arm.label.clone(), need);
        }
        let of_lane = |(lane, work): (&str, u64)| work / u64::from(lanes.get(lane).copied().unwrap_or(u32::MAX).max(1));
        let slowest = by_lane.into_iter().map(of_lane).max().unwrap_or_default();
        estimate.wall_ms = slowest.max(estimate.all.work_ms / u64::from(jobs.max(1)));
        estimate
    }
}

impl MeasuredArm {
    /// What all cells need, if each needs what those that were decided did. Attempts that did not count are part of it.
    fn need(&self) -> Option<Need> {
        let for_all = |sum: u64| {
            let all = u128::from(sum) * u128::from(self.cells) / u128::from(self.decided.max(1));
            u64::try_from(all).unwrap_or(u64::MAX)
        };
        let sum = |of: fn(&Measured) -> u64| for_all(self.attempts.iter().map(of).sum());
        let micro_usd: Option<u64> = self.attempts.iter().map(|attempt| attempt.micro_usd).sum();
        (self.decided > 0).then(|| Need {
            micro_usd: micro_usd.map(for_all),
            tokens: sum(|attempt| attempt.tokens),
            work_ms: sum(|attempt| attempt.took_ms),
            bytes: for_all(self.bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(label: &str, lane: &str, attempts: &[(Option<u64>, u64)], decided: u64) -> MeasuredArm {
        let measured = |(micro_usd, took_ms): &(Option<u64>, u64)| Measured {
            micro_usd: *micro_usd,
            tokens: 10,
            took_ms: *took_ms,
        };
        MeasuredArm {
            label: label.to_owned(),
            lane: lane.to_owned(),
            cells: 100,
            attempts: attempts.iter().map(measured).collect(),
            decided,
            bytes: 1_000,
        }
    }

    #[test]
    fn all_cells_need_what_the_decided_ones_did() {
        let arms = [
            arm("a", "cloud", &[(Some(5), 1_000), (Some(7), 3_000), (Some(1), 500)], 2),
            arm("b", "local", &[(Some(0), 200)], 1),
        ];
        let lanes = BTreeMap::from([("cloud".to_owned(), 2), ("local".to_owned(), 999)]);
        let found = Estimate::of(&arms, &lanes, 10);
        let need = &found.arms["a"];
        assert_eq!((need.micro_usd, need.tokens, need.work_ms, need.bytes), (Some(650), 1_500, 225_000, 50_000));
        assert_eq!((found.all.micro_usd, found.all.work_ms), (Some(650), 245_000));
        assert_eq!(found.wall_ms, 112_500, "the lane bears two at a time");
        assert_eq!(Estimate::of(&arms, &lanes, 1).wall_ms, 245_000, "one after another");
    }

    #[test]
    fn what_is_unknown_is_told() {
        let arms = [arm("a", "cloud", &[(None, 1_000), (Some(7), 3_000)], 2), arm("b", "cloud", &[(Some(9), 200)], 0)];
        let found = Estimate::of(&arms, &BTreeMap::new(), 1);
        assert_eq!((found.all.micro_usd, found.unknown), (None, vec!["b".to_owned()]));
    }
}
