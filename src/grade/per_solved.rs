//! What a solved task took, all attempts included, and how far chance may have moved that.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Bootstrapped;
use super::bootstrap::{TABLES, bootstrap_ratio};

/// Cost and time of all attempts divided by those that solved their task, each with the 95 % interval of a bootstrap in which
/// tasks are drawn anew with all their attempts. Absent where nothing was solved; an upper bound that is absent in JSON is infinite,
/// since too many samples solve nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PerSolved {
    /// Micro-dollars; absent where the price is unknown.
    pub micro_usd: Option<Bootstrapped>,
    pub minutes: Option<Bootstrapped>,
}

/// An attempt as this counts it.
#[derive(Debug, Clone, Copy)]
pub struct Taken<'a> {
    pub task: &'a str,
    /// Absent where unknown.
    pub micro_usd: Option<u64>,
    pub seconds: f64,
    pub solved: bool,
}

impl PerSolved {
    /// Of these attempts. One whose cost is unknown, as of a call that failed, adds nothing to what others cost; where no cost is
    /// known, neither is the sum.
    pub fn of<'a>(attempts: impl IntoIterator<Item = Taken<'a>>) -> Self {
        let mut tasks: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
        let mut is_priced = false;
        for one in attempts {
            let (micro_usd, minutes, solved) = tasks.entry(one.task).or_default();
            is_priced |= one.micro_usd.is_some();
            *micro_usd += amount(one.micro_usd.unwrap_or_default());
            *minutes += if one.seconds.is_finite() { one.seconds.max(0.0) / 60.0 } else { 0.0 };
            *solved += f64::from(u8::from(one.solved));
        }
        let of = |over: fn(&(f64, f64, f64)) -> f64| {
            let items: Vec<(f64, f64)> = tasks.values().map(|task| (over(task), task.2)).collect();
            bootstrap_ratio(&items, TABLES)
        };
        Self { micro_usd: is_priced.then(|| of(|task| task.0)).flatten(), minutes: of(|task| task.1) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "amounts of money are far below 2^53 micro-dollars")]
const fn amount(micro_usd: u64) -> f64 {
    micro_usd as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(task: &str, micro_usd: Option<u64>, solved: bool) -> Taken<'_> {
        Taken { task, micro_usd, seconds: 90.0, solved }
    }

    #[test]
    fn solved_tasks_bear_all_attempts_and_attempts_at_a_task_stay_together() {
        let names: Vec<String> = (0..30).map(|at| format!("t{at}")).collect();
        let once = |times: usize| {
            let all = (0..times).flat_map(|_| names.iter().enumerate());
            let attempts = all.map(|(at, name)| attempt(name, Some(100 * (at as u64 % 5)), at % 3 == 0));
            PerSolved::of(attempts.collect::<Vec<_>>())
        };
        let (one, thrice) = (once(1), once(3));
        let (usd, minutes) = (one.micro_usd.unwrap(), one.minutes.unwrap());
        assert!((usd.value - 600.0).abs() < 1e-9 && (minutes.value - 4.5).abs() < 1e-9, "{one:?}");
        assert!(usd.low < usd.value && usd.value < usd.high, "{usd:?}");
        let same = |one: Bootstrapped, other: Bootstrapped| {
            [(one.value, other.value), (one.low, other.low), (one.high, other.high)]
                .iter()
                .all(|(one, other)| (one - other).abs() < 1e-6)
        };
        assert!(same(usd, thrice.micro_usd.unwrap()), "three equal attempts are worth one");
    }

    #[test]
    fn what_is_unknown_or_unsolved_has_no_figure_and_few_solved_ones_have_no_bound() {
        let unknown = PerSolved::of([attempt("a", None, true), attempt("b", None, true)]);
        assert_eq!((unknown.micro_usd, unknown.minutes.map(|minutes| minutes.value)), (None, Some(1.5)));
        let none = PerSolved::of([attempt("a", Some(1), false)]);
        assert_eq!((none.micro_usd, none.minutes, PerSolved::of([])), (None, None, PerSolved::default()));
        let rare =
            PerSolved::of([attempt("a", Some(1), true), attempt("b", Some(1), false), attempt("c", Some(1), false)]);
        assert!(rare.micro_usd.unwrap().high.is_infinite(), "{rare:?}");
    }
}
