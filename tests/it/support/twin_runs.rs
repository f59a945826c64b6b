//! Plays two projects the same inputs under one seed.

use scratchbed::judge::{Judges, Play, Played};
use scratchbed::model::{Scenario, Step};
use scratchbed::session::Fleet;
use scratchbed::taskset::{EvaluationSources, player};

use crate::support::root;

/// Ticks between two looks at a program, and of a run.
const EVERY: u64 = 5;
const LENGTH: u64 = 90;

pub struct TwinRuns {
    judges: Judges,
    sources: EvaluationSources,
    scenario: Scenario,
}

impl TwinRuns {
    pub fn new(fleet: Fleet) -> Self {
        let key = |at: u64, key: &str| Step::Key { at, key: key.to_owned(), ticks: 3 };
        let steps = vec![
            Step::Flag { at: 0 },
            key(20, "space"),
            Step::Mouse { at: 30, x: 40.0, y: -20.0 },
            Step::ClickStage { at: 35 },
            key(40, "up arrow"),
            key(50, "a"),
            Step::Flag { at: 60 },
        ];
        let answers = vec!["7".to_owned(), "moth".to_owned()];
        let (id, template) = ("s1".to_owned(), "keys".to_owned());
        let scenario = Scenario { id, template, length: LENGTH, answers, steps };
        Self { judges: Judges::new(fleet, 1), sources: player(root()).unwrap(), scenario }
    }

    /// In what the runs of two projects differ; nothing where neither can be played.
    pub async fn difference(&self, one: &[u8], other: &[u8]) -> Option<String> {
        let [one, other] = [self.told(one).await, self.told(other).await];
        (one != other).then(|| {
            let lines = one.lines().zip(other.lines());
            let found = lines.into_iter().find(|(one, other)| one != other);
            found.map_or_else(
                || "one run is longer".to_owned(),
                |(one, other)| format!("\n  before: {one}\n  after:  {other}"),
            )
        })
    }

    pub async fn close(self) {
        self.judges.close().await;
    }

    /// What is seen of a project, a line a signal; of a program that can't be played only that.
    pub async fn told(&self, sb3: &[u8]) -> String {
        let play = Play { sources: &self.sources, scenario: &self.scenario, seed: 1, every: EVERY, pictures: &[] };
        match self.judges.play(sb3, &play).await {
            Ok(played) => told(&played),
            Err(error) if error.is_of_project() => format!("can't be played: {error}"),
            Err(error) => panic!("{error}"),
        }
    }
}

fn told(played: &Played) -> String {
    let run = played.run();
    let lines = run.signals.iter().map(|(name, column)| format!("{name}: {:?} {:?}", column.t, column.v));
    let ticks = format!("{} ticks, {} random numbers", run.ticks, played.draws);
    std::iter::once(ticks).chain(lines).collect::<Vec<_>>().join("\n")
}
