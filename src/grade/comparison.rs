//! Two arms at the same tasks and epochs: how SR and PSR differ, whether chance explains it, and which difference so many tasks can
//! tell at all.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Graded, Paired, bootstrap_test, holm, paired};

/// Seed of the bootstrap: the same runs give the same figures.
const SEED: u64 = 1;

/// Which test gave a p.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Exact, two-sided: for yes and no, once a task.
    Mcnemar,
    /// The share of samples of tasks in which the difference vanishes or turns, doubled.
    PairedBootstrap,
}

/// How one rate differs between two arms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// The rate of each, in percent, over what both have; the mean over tasks.
    pub first: f64,
    pub second: f64,
    /// By how many points the first is ahead.
    pub points: f64,
    /// 95 % percentile interval of the points, with tasks drawn anew.
    pub low: f64,
    pub high: f64,
    pub test: Test,
    pub p: f64,
    /// The same after Holm's correction for all pairs that are compared together.
    pub p_holm: f64,
    /// The smallest difference in points that would have been significant at 5 %, given how much the two differ task by task;
    /// absent where none would.
    pub least: Option<f64>,
}

/// Two arms at what both have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// Tasks at which both have an attempt that counts.
    pub tasks: usize,
    /// Attempts of each that are compared: same task, same epoch.
    pub pairs: usize,
    /// Attempts that count in one arm and have no counterpart that counts in the other.
    pub only_first: usize,
    pub only_second: usize,
    /// Tasks that only one of them solved, where each has one attempt a task.
    pub discordant: Option<(u32, u32)>,
    pub sr: Difference,
    pub psr: Difference,
}

/// The attempts of an arm that count, by task and epoch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ArmGrades(BTreeMap<(String, u32), Graded>);

impl ArmGrades {
    /// From attempts with their tasks and their numbers from 1; what does not count is left out.
    pub fn of<'a>(attempts: impl IntoIterator<Item = (&'a str, u32, Graded)>) -> Self {
        let counted = attempts.into_iter().filter(|(.., graded)| graded.counts());
        Self(counted.map(|(task, epoch, graded)| ((task.to_owned(), epoch), graded)).collect())
    }

    fn lacking(&self, other: &Self) -> usize {
        self.0.keys().filter(|key| !other.0.contains_key(*key)).count()
    }
}

/// The values of a task: those of the first arm, those of the second.
type Both = (Vec<f64>, Vec<f64>);
type Values = Vec<Both>;

/// Compares two arms; `None` where they share nothing. Holm's correction is that of one pair until [`correct`] is called.
pub fn compared(first: &ArmGrades, second: &ArmGrades) -> Option<Compared> {
    let mut shared: BTreeMap<&str, Vec<(Graded, Graded)>> = BTreeMap::new();
    for ((task, epoch), one) in &first.0 {
        if let Some(other) = second.0.get(&(task.clone(), *epoch)) {
            shared.entry(task.as_str()).or_default().push((*one, *other));
        }
    }
    let values = |of: fn(&Graded) -> f64| -> Values {
        let each = |pairs: &Vec<(Graded, Graded)>| pairs.iter().map(|(one, other)| (of(one), of(other))).unzip();
        shared.values().map(each).collect()
    };
    let is_once = shared.values().all(|pairs| pairs.len() == 1);
    let solved = |pair: &(Graded, Graded)| (pair.0.succeeded(), pair.1.succeeded());
    let exact = is_once.then(|| paired(shared.values().flatten().map(solved)));
    let sr = values(|graded| f64::from(u8::from(graded.succeeded())));
    Some(Compared {
        tasks: shared.len(),
        pairs: shared.values().map(Vec::len).sum(),
        only_first: first.lacking(second),
        only_second: second.lacking(first),
        discordant: exact.map(|exact| (exact.only_first, exact.only_second)),
        sr: difference(&sr, exact)?,
        psr: difference(&values(Graded::partial), None)?,
    })
}

/// How a rate differs; `exact` is what McNemar's test says, where it can be asked.
fn difference(values: &Values, exact: Option<Paired>) -> Option<Difference> {
    let tested = bootstrap_test(values, SEED)?;
    let rate =
        |of: fn(&Both) -> &Vec<f64>| 100.0 * mean(&values.iter().map(|both| mean(of(both))).collect::<Vec<f64>>());
    let (first, second) = (rate(|both| &both.0), rate(|both| &both.1));
    let (low, high) = (100.0 * tested.estimate.low, 100.0 * tested.estimate.high);
    let (test, p, least) = match exact {
        Some(exact) => (Test::Mcnemar, exact.p, exact.least),
        // Half of the interval: as far as a difference must lie from nothing for the interval to leave it out.
        None => (Test::PairedBootstrap, tested.p, Some((high - low) / 2.0).filter(|least| *least > 0.0)),
    };
    Some(Difference { first, second, points: 100.0 * tested.estimate.value, low, high, test, p, p_holm: p, least })
}

/// Corrects the p of all pairs that are compared together, SR and PSR each as a family (Holm).
pub fn correct(pairs: &mut [&mut Compared]) {
    let adjusted = |of: fn(&Compared) -> f64, pairs: &[&mut Compared]| {
        holm(&pairs.iter().map(|pair| of(pair)).collect::<Vec<f64>>())
    };
    let (sr, psr) = (adjusted(|pair| pair.sr.p, pairs), adjusted(|pair| pair.psr.p, pairs));
    for ((pair, sr), psr) in pairs.iter_mut().zip(sr).zip(psr) {
        pair.sr.p_holm = sr;
        pair.psr.p_holm = psr;
    }
}

fn mean(values: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of tasks are small")]
    let count = values.len() as f64;
    values.iter().sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Category, Outcome};

    fn graded(outcome: Outcome, passed_tests: u32) -> Graded {
        Graded { category: Category::Debug, outcome, passed_tests, total_tests: 4 }
    }

    /// An arm that solves so many of the tasks, from a place on, in each epoch.
    fn arm(tasks: usize, solved: std::ops::Range<usize>, epochs: u32) -> ArmGrades {
        let names: Vec<String> = (0..tasks).map(|task| format!("t{task:02}")).collect();
        let grade = |at: usize| {
            if solved.contains(&at) { graded(Outcome::Passed, 4) } else { graded(Outcome::Failed, 2) }
        };
        let all = names.iter().enumerate();
        ArmGrades::of(all.flat_map(|(at, name)| (1..=epochs).map(move |epoch| (name.as_str(), epoch, grade(at)))))
    }

    #[test]
    fn once_a_task_the_exact_test_decides_and_says_what_could_be_told() {
        // 18 tasks that only the first solved, 7 that only the second did.
        let found = compared(&arm(83, 0..48, 1), &arm(83, 18..55, 1)).unwrap();
        assert_eq!((found.tasks, found.pairs, found.discordant), (83, 83, Some((18, 7))));
        assert_eq!(found.sr.test, Test::Mcnemar);
        assert!((found.sr.p - 0.043_285).abs() < 1e-5, "{found:?}");
        assert!((found.sr.points - 1100.0 / 83.0).abs() < 1e-9 && found.sr.least.unwrap() <= found.sr.points + 1e-9);
        assert!((found.psr.points - found.sr.points / 2.0).abs() < 1e-9, "half of the tests passed anyway");
    }

    #[test]
    fn only_what_both_have_is_compared_and_the_rest_is_counted() {
        let mut lacking = arm(4, 0..4, 2);
        lacking.0.remove(&("t00".to_owned(), 1));
        lacking.0.remove(&("t01".to_owned(), 1));
        lacking.0.remove(&("t01".to_owned(), 2));
        let found = compared(&arm(4, 0..2, 2), &lacking).unwrap();
        assert_eq!((found.tasks, found.pairs, found.only_first, found.only_second), (3, 5, 3, 0));
        assert_eq!((found.sr.test, found.discordant), (Test::PairedBootstrap, None));
        assert!((found.sr.points + 200.0 / 3.0).abs() < 1e-9, "t00 is equal, t02 and t03 are not: {found:?}");
        let broken = ArmGrades::of([("t00", 1, graded(Outcome::InfraError, 0))]);
        assert_eq!(compared(&broken, &arm(4, 0..2, 1)), None);
    }

    #[test]
    fn attempts_at_one_task_are_not_more_tasks() {
        let (once, thrice) = (
            compared(&arm(20, 0..12, 2), &arm(20, 4..12, 2)).unwrap(),
            compared(&arm(20, 0..12, 6), &arm(20, 4..12, 6)).unwrap(),
        );
        assert_eq!((once.sr.low, once.sr.high, once.sr.p), (thrice.sr.low, thrice.sr.high, thrice.sr.p));
        let same = compared(&arm(20, 0..12, 2), &arm(20, 0..12, 2)).unwrap();
        assert_eq!((same.sr.p, same.sr.points, same.sr.least), (1.0, 0.0, None));
    }

    #[test]
    fn many_pairs_are_corrected_together() {
        let (mut one, mut other) = (
            compared(&arm(83, 0..48, 1), &arm(83, 18..55, 1)).unwrap(),
            compared(&arm(83, 0..30, 1), &arm(83, 0..29, 1)).unwrap(),
        );
        correct(&mut [&mut one, &mut other]);
        assert!((one.sr.p_holm - 2.0 * one.sr.p).abs() < 1e-12 && other.sr.p_holm >= other.sr.p);
    }
}
