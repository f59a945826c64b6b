//! Scenarios played to projects: under all seeds where chance has a part, and counted.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::future::{join_all, try_join_all};

use super::rules::Rules;
use crate::judge::{Judges, Play, PlayError, Played};
use crate::model::{Scenario, Suite, TraceRun};
use crate::taskset::EvaluationSources;

/// What runs are made for (section 11.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumIter)]
#[strum(serialize_all = "snake_case")]
pub enum Part {
    /// Whether a project runs, and runs the same twice.
    Smoke,
    /// Gold under the first seed.
    Gold,
    /// A fault under the first seed.
    Trial,
    /// Gold and fault under the other seeds.
    Seeds,
    /// Gold and fault once more, for equal traces.
    Repetition,
    /// Rewrites of gold that do the same.
    Benign,
    /// Inputs that run what the templates leave out.
    Search,
    /// Wrong repairs that a suite should reject.
    Harden,
    /// Gold and what does the same, for behaviour that must survive.
    Guard,
    /// Fewer inputs that still show a fault.
    Shrink,
    /// Instances and wrong fixes against their suites.
    Adequacy,
    /// Repairs that are scored, and what they are compared with.
    Repair,
}

/// Ticks that a load counts as where the cost of runs is limited.
const LOAD: u64 = 200;

/// Number of [`Part`]s.
const PARTS: usize = 12;

/// What runs have cost so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    pub loads: u64,
    pub ticks: u64,
    /// Seconds with loading, summed over runs at the same time.
    pub seconds: f64,
}

#[derive(Debug, Default)]
struct Counter {
    loads: AtomicU64,
    ticks: AtomicU64,
    micros: AtomicU64,
}

/// Plays scenarios in the judges' pages.
#[derive(Debug)]
pub struct Plays {
    judges: Judges,
    sources: EvaluationSources,
    every: u64,
    seeds: u64,
    counters: [Counter; PARTS],
    asked: AtomicU64,
}

/// The runs of a scenario, one a seed; runs without chance stand for all seeds.
pub type Seeded = Vec<Arc<Played>>;
/// The run of each scenario under the first seed.
pub type FirstRuns = BTreeMap<String, Arc<Played>>;

impl Plays {
    /// Plays with this script under these rules.
    pub fn new(judges: Judges, sources: EvaluationSources, rules: &Rules) -> Self {
        let (every, seeds) = (rules.every, rules.reruns);
        Self { judges, sources, every, seeds, counters: Default::default(), asked: AtomicU64::default() }
    }

    /// Plays as a suite was made: looked at as often, under as many seeds.
    pub fn of_suite(judges: Judges, sources: EvaluationSources, suite: &Suite) -> Self {
        Self::new(judges, sources, &Rules::of_suite(suite))
    }

    /// The judges whose pages are used.
    pub const fn judges(&self) -> &Judges {
        &self.judges
    }

    /// One run.
    ///
    /// # Errors
    /// When the project can't be played, or no page holds.
    pub async fn play(&self, part: Part, sb3: &[u8], scenario: &Scenario, seed: u64) -> Result<Arc<Played>, PlayError> {
        // Counted before it is played: how far runs come that fail together differs from time to time.
        if part != Part::Search {
            self.asked.fetch_add(LOAD + scenario.length, Ordering::Relaxed);
        }
        let began = Instant::now();
        let play = Play { sources: &self.sources, scenario, seed, every: self.every, pictures: &[] };
        let played = self.judges.play(sb3, &play).await?;
        self.count(part, played.run().ticks, began.elapsed());
        Ok(Arc::new(played))
    }

    /// A run under the first seed, with the stage as PNGs after so many ticks. Its trace is the same as without.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub async fn drawn(&self, sb3: &[u8], scenario: &Scenario, ticks: &[u64]) -> Result<Played, PlayError> {
        let play = Play { sources: &self.sources, scenario, seed: 1, every: self.every, pictures: ticks };
        self.judges.play(sb3, &play).await
    }

    /// One scenario each to a project, under the first seed.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub async fn first(&self, part: Part, sb3: &[u8], scenarios: &[&Scenario]) -> Result<Seeded, PlayError> {
        try_join_all(scenarios.iter().map(|scenario| self.play(part, sb3, scenario, 1))).await
    }

    /// One scenario to each of several projects, under the first seed. Those that can't be played are left out.
    ///
    /// # Errors
    /// When no page holds.
    pub async fn those_that_run<'a>(
        &self,
        part: Part,
        projects: impl IntoIterator<Item = &'a [u8]>,
        scenario: &Scenario,
    ) -> Result<Seeded, PlayError> {
        let played = join_all(projects.into_iter().map(|sb3| self.play(part, sb3, scenario, 1))).await;
        played.into_iter().filter(|one| !one.as_ref().is_err_and(PlayError::is_of_project)).collect()
    }

    /// All seeds of a scenario, of which the first was played.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub async fn all_seeds(
        &self,
        part: Part,
        sb3: &[u8],
        scenario: &Scenario,
        first: Arc<Played>,
    ) -> Result<Seeded, PlayError> {
        if first.draws == 0 {
            return Ok(vec![first; usize::try_from(self.seeds).unwrap_or(1)]);
        }
        let others = try_join_all((2..=self.seeds).map(|seed| self.play(part, sb3, scenario, seed))).await?;
        Ok(std::iter::once(first).chain(others).collect())
    }

    fn count(&self, part: Part, ticks: u64, took: Duration) {
        let counter = &self.counters[part as usize];
        counter.loads.fetch_add(1, Ordering::Relaxed);
        counter.ticks.fetch_add(ticks, Ordering::Relaxed);
        counter.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Ticks that were asked for so far with their loads, but for those of a search: the same for the same runs, on any machine.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// What runs of a kind have cost so far.
    pub fn spent(&self, part: Part) -> Spent {
        let counter = &self.counters[part as usize];
        Spent {
            loads: counter.loads.load(Ordering::Relaxed),
            ticks: counter.ticks.load(Ordering::Relaxed),
            seconds: Duration::from_micros(counter.micros.load(Ordering::Relaxed)).as_secs_f64(),
        }
    }
}

/// The programs of runs, as assertions look at them.
pub fn runs(seeded: &Seeded) -> Vec<&TraceRun> {
    seeded.iter().map(|played| played.run()).collect()
}
