//! The smoke run: the flag, 300 ticks, the flag, 300 ticks; the original once, and the normalised project twice. All three must do the same.

use serde::{Deserialize, Serialize};

use super::kept::Fault;
use crate::grade::alike;
use crate::judge::{Judges, Original, Play, PlayError, Played};
use crate::model::{Scenario, Step};
use crate::session::retry::while_broken;
use crate::taskset::EvaluationSources;

/// Ticks between the flags, and of the whole.
const AGAIN: u64 = 300;
const LENGTH: u64 = 600;
/// Milliseconds of a mean tick above which a project is slow, and above which it is not taken.
const SLOW: f64 = 5.0;
const TOO_SLOW: f64 = 20.0;

/// What the smoke run showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smoke {
    /// SHA-256 of the trace.
    pub hash: String,
    pub ticks: u64,
    /// Whether it came to rest by itself.
    pub rest: bool,
    /// Random numbers drawn.
    pub draws: u64,
    /// Statements and hats that ran.
    pub ran: u64,
    /// Milliseconds of loading, and of a tick in the mean, on the machine that measured; the least of three runs.
    pub load_ms: f64,
    pub tick_ms: f64,
}

impl Smoke {
    /// Whether it takes more time than most.
    pub fn is_slow(&self) -> bool {
        self.tick_ms > SLOW
    }
}

/// Result of a run, with the stage at its end.
#[derive(Debug)]
pub(super) struct Smoked {
    pub smoke: Option<Smoke>,
    pub faults: Vec<Fault>,
    pub picture: Option<Vec<u8>>,
}

/// Plays with this script in these pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Player<'a> {
    pub judges: &'a Judges,
    pub sources: &'a EvaluationSources,
}

impl Player<'_> {
    /// A scenario, once more where a page was lost.
    pub(super) async fn play(&self, sb3: &[u8], play: &Play<'_>) -> Result<Played, PlayError> {
        while_broken("a scenario", PlayError::is_passing, || self.judges.play(sb3, play)).await
    }

    /// Loads a file, once more where a page was lost.
    pub(super) async fn load(&self, file: &[u8]) -> Result<Original, PlayError> {
        while_broken("a project", PlayError::is_passing, || self.judges.load(file)).await
    }

    /// The smoke run.
    ///
    /// # Errors
    /// When no page holds, which says nothing of the project.
    pub(super) async fn smoke(&self, original: &[u8], golden: &[u8]) -> Result<Smoked, PlayError> {
        let scenario = scenario();
        let play = Play { sources: self.sources, scenario: &scenario, seed: 1, every: 1, pictures: &[] };
        let mut first = match told(self.play(golden, &Play { pictures: &[scenario.length], ..play }).await)? {
            Ok(first) => first,
            Err(fault) => return Ok(Smoked { smoke: None, faults: vec![fault], picture: None }),
        };
        let mut faults = Vec::new();
        let mut smoke = figures(&first);
        for (file, code, what) in [
            (golden, "not_repeatable", "two runs with the same seed differ"),
            (original, "normalised_differs", "the normalised project does not do what the original does"),
        ] {
            match told(self.play(file, &play).await)? {
                Ok(run) => {
                    // What else the machine does makes runs slower, never faster.
                    smoke.load_ms = smoke.load_ms.min(run.load_ms);
                    smoke.tick_ms = smoke.tick_ms.min(run.tick_ms);
                    // Numbers that the original has in its slots are texts in the normalised project.
                    if run.hash != first.hash && (file == golden || !alike(run.run(), first.run())) {
                        faults.push(Fault::new(code, what));
                    }
                }
                Err(fault) => faults.push(fault),
            }
        }
        if smoke.ran == 0 {
            faults.push(Fault::new("nothing_ran", "no block ran after the flag"));
        }
        if smoke.tick_ms > TOO_SLOW {
            faults.push(Fault::new("too_slow", format!("a tick takes {:.1} ms, at most {TOO_SLOW}", smoke.tick_ms)));
        }
        Ok(Smoked { smoke: Some(smoke), faults, picture: first.pictures.remove(&scenario.length) })
    }
}

fn scenario() -> Scenario {
    Scenario {
        id: "smoke".to_owned(),
        template: "smoke".to_owned(),
        length: LENGTH,
        answers: Vec::new(),
        steps: vec![Step::Flag { at: 0 }, Step::Flag { at: AGAIN }],
    }
}

fn figures(played: &Played) -> Smoke {
    let ran: usize = played.covered.values().map(Vec::len).sum();
    Smoke {
        hash: played.hash.clone(),
        ticks: played.run().ticks,
        rest: played.rest,
        draws: played.draws,
        ran: ran as u64,
        load_ms: played.load_ms,
        tick_ms: played.tick_ms,
    }
}

/// A run, or what the project failed at. Only what says nothing of the project stays an error.
pub(super) fn told<T>(played: Result<T, PlayError>) -> Result<Result<T, Fault>, PlayError> {
    use crate::model::Coded as _;
    match played {
        Ok(played) => Ok(Ok(played)),
        Err(error) if error.is_of_project() => Ok(Err(Fault::new(error.code(), error.to_string()))),
        Err(error) => Err(error),
    }
}
