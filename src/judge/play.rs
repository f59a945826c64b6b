//! A scenario played to a project: what is asked for, and what was seen. Nothing is judged here.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::Conditions;
use super::limits::scenario_ms;
use super::page_run::{Ending, Frame, PageRun, SeenRun};
use crate::model::{Blame, Coded, Scenario, StageSize, Trace, TraceRun};
use crate::page::PageError;
use crate::taskset::EvaluationSources;

/// A run of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Play<'a> {
    /// The script that plays scenarios ([`player`](crate::taskset::player)).
    pub sources: &'a EvaluationSources,
    pub scenario: &'a Scenario,
    /// Seed of the random streams.
    pub seed: u64,
    /// Ticks between two looks at the program, from 1; events keep their ticks, and clones are counted.
    pub every: u64,
    /// Ended ticks, from 1, after which the stage is drawn; those after the end show the stage at the end. The trace is the same with
    /// and without.
    pub pictures: &'a [u64],
}

/// What was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    pub trace: Trace,
    /// SHA-256 of the trace.
    pub hash: String,
    /// Random numbers that the program drew. Without any, every seed gives the same trace.
    pub draws: u64,
    /// Ids of statements that ran and of hats that started, by the names of targets.
    pub covered: BTreeMap<String, Vec<String>>,
    /// Inputs that could not be made, in words.
    pub misses: Vec<String>,
    /// Whether it ended early, because nothing could happen any more.
    pub rest: bool,
    /// What the program wrote to the console.
    pub console: Vec<String>,
    /// Blocks that ran, with those that ask the stage counted as what they take: the same on every machine.
    pub work: u64,
    /// Milliseconds that loading took, and that a tick took in the mean without what watches it: the machine's time, on which nothing
    /// depends.
    pub load_ms: f64,
    pub tick_ms: f64,
    /// The stage as a PNG, by the ticks that were asked for.
    pub pictures: BTreeMap<u64, Vec<u8>>,
}

#[cfg(test)]
impl Played {
    /// What is seen of a run that drew nothing, wrote nothing, and of which no picture was asked for.
    pub fn of_run(run: TraceRun) -> Self {
        Self {
            trace: Trace { format: 1, clock: serde_json::Value::Null, seed: 1, runs: vec![run] },
            hash: String::new(),
            draws: 0,
            covered: BTreeMap::new(),
            misses: Vec::new(),
            rest: false,
            console: Vec::new(),
            work: 0,
            load_ms: 0.0,
            tick_ms: 0.0,
            pictures: BTreeMap::new(),
        }
    }
}

/// Why nothing was seen.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The judges have ended.
    #[error("the judges have ended")]
    Ended,
    /// No page, or a page that was lost: nothing is known of the project.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The VM could not load the project.
    #[error("the project can't be loaded: {0}")]
    Unloadable(String),
    /// The program kept the page busy for good, by the processor time of the page, threw in its own tick, or brought two pages down.
    #[error("{0}")]
    Hung(String),
    /// The script that plays broke, or what the page told can't be read: trouble of ours, which says nothing of the project.
    #[error("the scenario could not be played: {0}")]
    Broke(String),
}

impl Played {
    /// The only program that ran.
    pub fn run(&self) -> &TraceRun {
        &self.trace.runs[0]
    }
}

impl PlayError {
    /// Whether it says something of the project: the page itself has told it, or counted work has. The same again would end in the same
    /// way, so it may be kept. All else is trouble of ours, which decides nothing.
    pub const fn is_of_project(&self) -> bool {
        matches!(self, Self::Unloadable(_) | Self::Hung(_))
    }

    /// Whether the same may go better at another time. What our own functions throw, or tell in another shape, would come again; they
    /// refuse only where a page does not have what it was given.
    pub const fn is_passing(&self) -> bool {
        let is_ours = matches!(self, Self::Page(PageError::Script { .. } | PageError::Shape { .. }));
        matches!(self, Self::Page(_)) && !is_ours
    }

    /// Whether it is tried again, alone and in a page of its own: whatever says nothing of the project.
    pub(super) const fn is_trouble(&self) -> bool {
        !self.is_of_project() && !matches!(self, Self::Ended)
    }
}

impl Coded for PlayError {
    fn code(&self) -> &str {
        match self {
            Self::Ended => "shutting_down",
            Self::Page(error) => error.code(),
            Self::Unloadable(_) => "project_unloadable",
            Self::Hung(_) => "program_hung",
            Self::Broke(_) => "scenario_broke",
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Unloadable(_) | Self::Hung(_) => Blame::Input,
            _ => Blame::Testbed,
        }
    }
}

impl<'a> Play<'a> {
    pub(super) fn frame(&self) -> Frame<'a> {
        let ms = scenario_ms(self.scenario);
        let play = Some(*self);
        Frame { sources: self.sources, case_ms: ms, task_ms: ms, stage: StageSize::Large, play }
    }

    pub(super) const fn conditions(&self) -> Conditions {
        Conditions { trace: true, ..Conditions::seeded(self.seed) }
    }
}

/// What the script reports.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    misses: Vec<String>,
    rest: bool,
}

/// What a run has shown.
pub(super) fn played(run: PageRun) -> Result<Played, PlayError> {
    let broke = |what: &str| PlayError::Broke(what.to_owned());
    let report: Report = match run.ending {
        Ending::Reported(report) => serde_json::from_value(report).map_err(|error| broke(&error.to_string()))?,
        Ending::Unloadable(message) => return Err(PlayError::Unloadable(message)),
        Ending::Hung(message) | Ending::Spent(message) | Ending::Tripped(message) => {
            return Err(PlayError::Hung(message));
        }
        Ending::Broke(message) => return Err(PlayError::Broke(message)),
    };
    let record = run.record.ok_or_else(|| broke("there is no record of it"))?;
    let trace = record.trace.ok_or_else(|| broke("there is no trace of it"))?;
    let trace = Trace::of(trace).map_err(|error| broke(&error.to_string()))?;
    if trace.runs.len() != 1 {
        return Err(broke(&format!("{} programs ran", trace.runs.len())));
    }
    let SeenRun { draws, covered, work, load_ms, tick_ms, pictures } = record.played.unwrap_or_default();
    let decoded = pictures.into_iter().map(|(tick, png)| STANDARD.decode(png).map(|png| (tick, png)));
    let pictures = decoded.collect::<Result<_, _>>().map_err(|error| broke(&error.to_string()))?;
    let hash = record.hash.unwrap_or_default();
    let Report { misses, rest } = report;
    let console = run.console;
    Ok(Played { trace, hash, draws, covered, misses, rest, console, work, load_ms, tick_ms, pictures })
}
