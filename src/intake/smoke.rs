//! The smoke run: the flag, 300 ticks, the flag, 300 ticks; the original once, and the normalised project twice. All three must do the same.

use serde::{Deserialize, Serialize};

use super::kept::Fault;
use crate::grade::alike;
use crate::judge::{Judges, Play, PlayError, Played, SLOW_TICK, SLOWEST_TICK};
use crate::model::{Scenario, Step};
use crate::taskset::EvaluationSources;

/// Ticks between the flags, and of the whole.
const AGAIN: u64 = 300;
const LENGTH: u64 = 600;

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
    /// Blocks of a tick in the mean, those that look at pixels counted as what they take: the same on every machine.
    pub tick_work: u64,
}

impl Smoke {
    /// Whether it takes more time than most.
    pub fn is_slow(&self) -> bool {
        self.tick_work > SLOW_TICK
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
    /// The smoke run.
    ///
    /// # Errors
    /// When no page holds, which says nothing of the project.
    pub(super) async fn smoke(&self, original: &[u8], golden: &[u8]) -> Result<Smoked, PlayError> {
        let scenario = scenario();
        let play = Play { sources: self.sources, scenario: &scenario, seed: 1, every: 1, pictures: &[] };
        let mut first = match told(self.judges.play(golden, &Play { pictures: &[scenario.length], ..play }).await)? {
            Ok(first) => first,
            Err(fault) => return Ok(Smoked { smoke: None, faults: vec![fault], picture: None }),
        };
        let mut faults = Vec::new();
        let smoke = figures(&first);
        for (file, code, what) in [
            (golden, "not_repeatable", "two runs with the same seed differ"),
            (original, "normalised_differs", "the normalised project does not do what the original does"),
        ] {
            match told(self.judges.play(file, &play).await)? {
                Ok(run) => {
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
        tracing::debug!(work = smoke.tick_work, ms = first.tick_ms, load_ms = first.load_ms, "what a tick took");
        faults.extend(too_slow(smoke.tick_work));
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

/// What a project fails at whose mean tick has so much work.
fn too_slow(work: u64) -> Option<Fault> {
    let reason = || format!("a tick has the work of {work} blocks, at most {SLOWEST_TICK}");
    (work > SLOWEST_TICK).then(|| Fault::new("too_slow", reason()))
}

fn figures(played: &Played) -> Smoke {
    let ran: usize = played.covered.values().map(Vec::len).sum();
    Smoke {
        hash: played.hash.clone(),
        ticks: played.run().ticks,
        rest: played.rest,
        draws: played.draws,
        ran: ran as u64,
        tick_work: played.work / played.run().ticks.max(1),
    }
}

/// A run, or what the project failed at. What says nothing of the project stays an error, as does what our own script met: neither is
/// kept.
pub(super) fn told<T>(played: Result<T, PlayError>) -> Result<Result<T, Fault>, PlayError> {
    use crate::model::Coded as _;
    match played {
        Ok(played) => Ok(Ok(played)),
        Err(error) if error.is_of_project() => Ok(Err(Fault::new(error.code(), error.to_string()))),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::page::PageError;

    #[test]
    fn only_what_the_project_did_is_told_of_it_and_trouble_of_ours_is_none_of_its_faults() {
        let code = |error: PlayError| told::<()>(Err(error)).map(|played| played.unwrap_err().code);
        assert_eq!(code(PlayError::Hung("busy for 10s of processor time".to_owned())).unwrap(), "program_hung");
        assert_eq!(code(PlayError::Unloadable("no targets".to_owned())).unwrap(), "project_unloadable");
        let watchdog = PageError::Timeout { what: "the page's work".to_owned(), limit: Duration::from_secs(60) };
        assert!(code(watchdog.into()).unwrap_err().is_passing());
        assert!(matches!(code(PlayError::Broke("no report".to_owned())), Err(PlayError::Broke(_))));
        assert!(matches!(code(PlayError::Ended), Err(PlayError::Ended)));
    }

    #[test]
    fn a_project_is_slow_by_the_work_of_its_ticks_and_not_by_the_machines_time() {
        let of = |work: u64, tick_ms: f64| figures(&Played { work, tick_ms, ..played(600) });
        assert_eq!(of(600 * SLOWEST_TICK, 900.0), of(600 * SLOWEST_TICK, 0.1), "the same on a busy machine");
        let codes = |work: u64| too_slow(of(work, 0.1).tick_work).map(|fault| fault.code);
        assert_eq!(codes(600 * SLOWEST_TICK), None);
        assert_eq!(codes(600 * (SLOWEST_TICK + 1)).as_deref(), Some("too_slow"));
        assert!(!of(600 * SLOW_TICK, 900.0).is_slow() && of(600 * (SLOW_TICK + 1), 0.1).is_slow());
    }

    /// A run in which nothing was seen.
    fn played(ticks: u64) -> Played {
        let run = crate::model::TraceRun { ticks, signals: std::collections::BTreeMap::new() };
        Played {
            trace: crate::model::Trace { format: 1, clock: serde_json::Value::Null, seed: 1, runs: vec![run] },
            hash: String::new(),
            draws: 0,
            covered: std::collections::BTreeMap::new(),
            misses: Vec::new(),
            rest: false,
            console: Vec::new(),
            work: 0,
            load_ms: 0.0,
            tick_ms: 0.0,
            pictures: std::collections::BTreeMap::new(),
        }
    }
}
