//! The oracle of a forged fault: its suite, played in the judging page (ScratchEval, section 4; EcoScratch, section 6).

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use tokio::sync::OnceCell;

use super::oracle::{CaseOracle, HUNG, OracleError, PASS, Probe, Seen, Verified, fresh};
use super::plans::{Plans, Precheck, ProbeSchedule};
use super::shrink::Apart;
use super::suite_stages::{Made, check, conclude};
use crate::bugs::Instance;
use crate::forge::{Part, Plays, SuiteRuns, says};
use crate::grade::signals::{MISSED, Probed, of_hung, signals};
use crate::grade::suite::holds;
use crate::judge::{PlayError, Played};
use crate::mend::Reference;
use crate::model::{Assertion, Scenario, StageRecord, Suite, TraceRun, sha256_hex};
use crate::session::read_project;

/// What is looked at beside the suite: another number wherever a candidate may come out otherwise.
const CHECKS: u32 = 2;

/// A suite, with the project that it was made for.
#[derive(Debug)]
pub struct SuiteOracle {
    plays: Plays,
    instance: Instance,
    /// Gold's runs of the whole suite, made when a candidate first writes errors to the console.
    golden: OnceCell<SuiteRuns>,
    /// What drift is measured from, made when first asked for.
    reference: OnceCell<Reference>,
}

impl SuiteOracle {
    /// The oracle of an instance.
    pub fn of(instance: Instance, plays: Plays) -> Self {
        Self { plays, instance, golden: OnceCell::new(), reference: OnceCell::new() }
    }

    const fn suite(&self) -> &Suite {
        &self.instance.suite
    }

    /// Scenarios that something is asserted of until that is decided, those with the most assertions first, then by name.
    fn asserted(&self) -> Vec<Scenario> {
        let count =
            |scenario: &Scenario| self.suite().assertions.iter().filter(|one| one.scenario == scenario.id).count();
        let mut found = self.suite().asserted();
        found.sort_by(|one, other| count(other).cmp(&count(one)).then_with(|| one.id.cmp(&other.id)));
        found
    }

    /// A run up to so many ticks.
    async fn play(&self, sb3: &[u8], scenario: &Scenario, (until, seed): (u64, u64)) -> Result<Arc<Played>, PlayError> {
        let short = Scenario { length: scenario.length.min(until), ..scenario.clone() };
        self.plays.play(Part::Repair, sb3, &short, seed).await
    }

    /// The runs of a probe, of the buggy project or gold.
    async fn runs(&self, sb3: &[u8], schedule: &ProbeSchedule) -> Result<Vec<Vec<Arc<Played>>>, PlayError> {
        let mut all = Vec::new();
        for scenario in self.asserted().into_iter().take(schedule.scenarios) {
            let first = self.play(sb3, &scenario, (schedule.horizon, 1)).await?;
            let mut runs = vec![Arc::clone(&first)];
            for seed in 2..=schedule.seeds {
                // Without chance, one run stands for all seeds.
                let run = if first.draws == 0 {
                    Arc::clone(&first)
                } else {
                    self.play(sb3, &scenario, (schedule.horizon, seed)).await?
                };
                runs.push(run);
            }
            all.push(runs);
        }
        Ok(all)
    }

    async fn probe_on(&self, plans: &Plans, schedule: &ProbeSchedule) -> Result<Probe, OracleError> {
        let golden = self.runs(&self.instance.golden, schedule).await.map_err(|error| of_gold(&error))?;
        let buggy = match self.runs(&self.instance.buggy, schedule).await {
            Ok(buggy) => buggy,
            Err(error) if error.is_of_project() => return Ok(Probe { signals: of_hung(1.0), ..Probe::default() }),
            Err(error) => return Err(testbed(&error)),
        };
        let scenarios: Vec<Scenario> = self.asserted().into_iter().take(schedule.scenarios).collect();
        let of =
            |runs: &'_ [Arc<Played>]| -> Vec<TraceRun> { runs.iter().map(|played| played.run().clone()).collect() };
        let pairs: Vec<(Vec<TraceRun>, Vec<TraceRun>)> =
            golden.iter().zip(&buggy).map(|(golden, buggy)| (of(golden), of(buggy))).collect();
        let probes: Vec<Probed<'_>> = scenarios
            .iter()
            .zip(&pairs)
            .map(|(scenario, (golden, buggy))| Probed {
                scenario: &scenario.id,
                length: scenario.length.min(schedule.horizon),
                buggy: buggy.iter().collect(),
                golden: golden.iter().collect(),
            })
            .collect();
        let found = signals(&probes, &self.suite().assertions, self.suite().every, plans.cutoffs);
        let seen = self.seen(&probes, &buggy, found.div_tick, plans);
        Ok(Probe { signals: found, seen, ..Probe::default() })
    }

    /// The run that is shown: the one of the scenario that parts first.
    fn seen(
        &self,
        probes: &[Probed<'_>],
        buggy: &[Vec<Arc<Played>>],
        first: Option<u64>,
        plans: &Plans,
    ) -> Option<Seen> {
        let parts =
            |probe: &Probed<'_>| signals(std::slice::from_ref(probe), &[], self.suite().every, plans.cutoffs).div_tick;
        let at = first.and_then(|first| probes.iter().position(|probe| parts(probe) == Some(first))).unwrap_or(0);
        let (probe, runs) = (probes.get(at)?, buggy.get(at)?);
        let scenario = self.asserted().into_iter().find(|scenario| scenario.id == probe.scenario)?;
        let play = Scenario { length: scenario.length.min(probe.length), ..scenario };
        Some(self.seen_in(play, &runs[0]))
    }

    fn seen_in(&self, play: Scenario, played: &Played) -> Seen {
        let failed = self.failing(&play, played.run()).and_then(|one| one.feature.decided_after());
        Seen {
            scenario: play.id.clone(),
            length: play.length,
            inputs: says::reproduce(&play, play.length),
            run: played.run().clone(),
            hash: played.hash.clone(),
            failed_after: failed,
            play: Some(play),
        }
    }

    /// The first assertion that a run fails.
    fn failing(&self, play: &Scenario, run: &TraceRun) -> Option<&Assertion> {
        self.suite().assertions.iter().filter(|one| one.scenario == play.id).find(|one| {
            let decided = one.feature.decided_after().unwrap_or(play.length);
            decided <= play.length && !holds(&one.feature, run, self.suite().every)
        })
    }

    /// Gold's runs of the whole suite.
    async fn golden(&self) -> Result<&SuiteRuns, OracleError> {
        let made = || SuiteRuns::whole(&self.instance.golden, self.suite(), &self.plays, Part::Repair);
        self.golden.get_or_try_init(made).await.map_err(|error| of_gold(&error))
    }

    /// Decides about a project that keeps all assertions, as its score does: by all that it does under the first seed, with what was made
    /// under the others.
    async fn rest(&self, sb3: &[u8], stage: &mut StageRecord, made: &Made) -> Result<(), OracleError> {
        let suite = self.suite();
        let rest = match SuiteRuns::rest(sb3, suite, &self.plays, Part::Repair).await {
            Ok(rest) => rest,
            Err(error) if error.is_of_project() => {
                HUNG.clone_into(&mut stage.outcome);
                stage.failures.push(error.to_string());
                return Ok(());
            }
            Err(error) => return Err(testbed(&error)),
        };
        stage.runs += u32::try_from(rest.len()).unwrap_or(u32::MAX);
        stage.trace_hashes.extend(rest.values().map(|played| played.hash.clone()));
        let runs = made.asserted(suite).with_first(rest);
        // Where there is no error at all, none is new: gold need not be played for it.
        let golden = if runs.has_error() { self.golden().await? } else { &runs };
        conclude(stage, suite, &runs, golden);
        Ok(())
    }

    async fn stage(
        &self,
        sb3: &[u8],
        plan: &[(&Scenario, u64, u64)],
        made: &mut Made,
    ) -> Result<Result<StageRecord, String>, OracleError> {
        let mut stage = fresh();
        let mut failed_in: Option<&str> = None;
        for (scenario, until, seed) in plan {
            // The scenario is finished for feedback; others are not begun.
            if failed_in.is_some_and(|failed| failed != scenario.id) {
                break;
            }
            let length = scenario.length.min(*until);
            let played = match made.run(&scenario.id, length, *seed) {
                Some(played) => played,
                None => match self.play(sb3, scenario, (*until, *seed)).await {
                    Ok(played) => {
                        stage.runs += 1;
                        stage.trace_hashes.push(played.hash.clone());
                        made.keep(&scenario.id, length, *seed, &played);
                        played
                    }
                    Err(PlayError::Unloadable(message)) => return Ok(Err(message)),
                    Err(error) if error.is_of_project() => {
                        HUNG.clone_into(&mut stage.outcome);
                        stage.failures.push(error.to_string());
                        return Ok(Ok(stage));
                    }
                    Err(error) => return Err(testbed(&error)),
                },
            };
            check(&mut stage, self.suite(), scenario, length, &played);
            if stage.failed > 0 {
                failed_in = Some(&scenario.id);
            }
        }
        Ok(Ok(stage))
    }
}

/// The project as a page may load it, or why none may. One that was packed here comes back byte for byte.
async fn checked(sb3: &[u8]) -> Result<Vec<u8>, String> {
    read_project(sb3).await.map(|checked| checked.packed).map_err(|error| error.to_string())
}

fn testbed(error: &PlayError) -> OracleError {
    OracleError::Testbed(error.to_string())
}

fn of_gold(error: &PlayError) -> OracleError {
    if error.is_of_project() { OracleError::InvalidCase(error.to_string()) } else { testbed(error) }
}

#[async_trait]
impl CaseOracle for SuiteOracle {
    fn digest(&self) -> String {
        let suite = serde_json::to_string(self.suite()).unwrap_or_default();
        sha256_hex(format!("{CHECKS} {suite}").as_bytes())
    }

    async fn probe(&self, plans: &Plans) -> Result<Probe, OracleError> {
        let probe = self.probe_on(plans, &plans.probe).await?;
        if probe.signals.gap >= MISSED || probe.signals.hung {
            return Ok(probe);
        }
        let whole = ProbeSchedule {
            scenarios: self.suite().scenarios.len(),
            seeds: self.suite().seeds.len() as u64,
            horizon: self.suite().horizon,
        };
        let mut probe = self.probe_on(plans, &whole).await?;
        probe.signals.whole = true;
        Ok(probe)
    }

    async fn verify(&self, sb3: &[u8], precheck: Option<Precheck>) -> Result<Verified, OracleError> {
        // A run that others made may hand any file over: a page gets only what was checked.
        let packed = match checked(sb3).await {
            Ok(packed) => packed,
            Err(message) => return Ok(Verified { unloadable: Some(message), ..Verified::default() }),
        };
        let sb3 = packed.as_slice();
        let (mut verified, mut made) = (Verified::default(), Made::default());
        let scenarios = self.asserted();
        if let Some(precheck) = precheck {
            let began = Instant::now();
            let count = if precheck.scenarios == 0 { scenarios.len() } else { precheck.scenarios };
            let plan: Vec<_> = scenarios.iter().take(count).map(|scenario| (scenario, precheck.horizon, 1)).collect();
            let stage = self.stage(sb3, &plan, &mut made).await?;
            verified.seconds[0] = began.elapsed().as_secs_f64();
            match stage {
                Err(message) => return Ok(Verified { unloadable: Some(message), ..verified }),
                Ok(stage) => {
                    let is_passed = stage.outcome == PASS;
                    verified.precheck = Some(stage);
                    if !is_passed {
                        return Ok(verified);
                    }
                }
            }
        }
        let began = Instant::now();
        let seeds = &self.suite().seeds;
        let plan: Vec<_> = scenarios
            .iter()
            .flat_map(|scenario| seeds.iter().map(move |seed| (scenario, self.suite().horizon, *seed)))
            .collect();
        let mut stage = self.stage(sb3, &plan, &mut made).await?;
        if let Ok(stage) = &mut stage
            && stage.outcome == PASS
        {
            self.rest(sb3, stage, &made).await?;
        }
        verified.seconds[1] = began.elapsed().as_secs_f64();
        match stage {
            Err(message) => verified.unloadable = Some(message),
            Ok(stage) => verified.full = Some(stage),
        }
        Ok(verified)
    }

    async fn frames(&self, seen: &Seen, ticks: &[u64]) -> Result<Vec<(u64, Vec<u8>)>, OracleError> {
        let Some(play) = &seen.play else { return Ok(Vec::new()) };
        let drawn = self.plays.drawn(&self.instance.buggy, play, ticks).await.map_err(|error| testbed(&error))?;
        if drawn.hash != seen.hash {
            return Err(OracleError::Testbed("the trace is another one where frames are drawn".to_owned()));
        }
        Ok(drawn.pictures.into_iter().collect())
    }

    async fn shortest(&self, seen: &Seen) -> Result<Option<Seen>, OracleError> {
        let Some(play) = &seen.play else { return Ok(None) };
        let Some(assertion) = self.failing(play, &seen.run) else { return Ok(None) };
        let (golden, buggy, every) = (&self.instance.golden, &self.instance.buggy, self.suite().every);
        let apart = Apart { golden, buggy, assertion, every, plays: &self.plays, part: Part::Repair };
        let shown = apart.shortest(play).await.map_err(|error| testbed(&error))?;
        Ok(shown.map(|shown| self.seen_in(shown.scenario, &shown.buggy)))
    }

    async fn drift(&self, sb3: &[u8]) -> Result<Option<f64>, OracleError> {
        let made = || Reference::of(&self.instance, &self.plays);
        let reference = self.reference.get_or_try_init(made).await.map_err(|error| of_gold(&error))?;
        reference.drift_of(sb3, self.suite(), &self.plays).await.map_err(|error| testbed(&error))
    }
}

#[cfg(test)]
#[path = "suite_oracle_tests.rs"]
mod tests;
