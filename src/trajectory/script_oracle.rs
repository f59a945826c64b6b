//! The oracle of a debug task: its evaluation script, whose tests are the assertions (EcoScratch, section 6). The script plays the inputs,
//! so that they are the same for the buggy project, gold and candidates.

use std::time::Instant;

use async_trait::async_trait;

use super::oracle::{CaseOracle, FAILED, OracleError, PASS, Probe, Seen, Verified, fresh, tell};
use super::plans::{Plans, Precheck};
use crate::grade::signals::{Probed, flag, of_hung, signals};
use crate::judge::{Conditions, JudgeError, Judgement, Judges};
use crate::model::{CaseResult, Outcome, StageRecord, Trace, TraceRun, Verdict, sha256_hex};
use crate::taskset::TaskEntry;

/// Seeds that a strict pass needs.
const SEEDS: u64 = 3;
/// Ticks between checkpoints, as suites have them.
const EVERY: u64 = 10;

/// A task with its projects.
pub struct ScriptOracle {
    judges: Judges,
    entry: TaskEntry,
    buggy: Vec<u8>,
    golden: Vec<u8>,
}

/// A judgement with its trace.
struct Judged {
    verdict: Verdict,
    runs: Vec<TraceRun>,
}

impl ScriptOracle {
    /// The oracle of a task, with its initial and its golden project.
    pub const fn of(entry: TaskEntry, buggy: Vec<u8>, golden: Vec<u8>, judges: Judges) -> Self {
        Self { judges, entry, buggy, golden }
    }

    /// Judges; a project that can't be loaded is told apart. The judge itself tries again, alone, when the testbed breaks.
    async fn judge(&self, sb3: &[u8], how: Conditions) -> Result<Result<Judgement, String>, OracleError> {
        match self.judges.judge(&self.entry, sb3, &how).await {
            // A candidate on which the script breaks has not passed: the task's own projects do not break it.
            Ok(judgement) if judgement.verdict.outcome == Outcome::InfraError => {
                let why = judgement.verdict.error.unwrap_or_else(|| "the judge failed".to_owned());
                Err(OracleError::Testbed(why))
            }
            Ok(judgement) => Ok(Ok(judgement)),
            Err(JudgeError::Script(error)) => Err(OracleError::Testbed(error.to_string())),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    async fn traced(&self, sb3: &[u8], seed: u64) -> Result<Option<Judged>, OracleError> {
        let how = Conditions { trace: true, ..Conditions::seeded(seed) };
        let Ok(Judgement { verdict, trace, .. }) = self.judge(sb3, how).await? else { return Ok(None) };
        let trace = trace.map(Trace::of).transpose().map_err(|error| OracleError::Testbed(error.to_string()))?;
        Ok(trace.map(|trace| Judged { verdict, runs: trace.runs }))
    }

    async fn all(&self, sb3: &[u8], seeds: u64) -> Result<Option<Vec<Judged>>, OracleError> {
        let mut all = Vec::new();
        for seed in 1..=seeds {
            match self.traced(sb3, seed).await? {
                Some(judged) => all.push(judged),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }
}

/// The share of tests that hold, over seeds.
fn passed(judged: &[Judged]) -> f64 {
    let sum = |of: fn(&Verdict) -> u32| judged.iter().map(|one| of(&one.verdict)).sum::<u32>();
    let (held, all) = (sum(|verdict| verdict.passed_tests), sum(|verdict| verdict.total_tests));
    if all == 0 { 0.0 } else { f64::from(held) / f64::from(all) }
}

/// The share of tests whose result hangs on the seed.
#[expect(clippy::cast_precision_loss, reason = "tests are few")]
fn unstable(judged: &[Judged]) -> f64 {
    let Some(first) = judged.first() else { return 0.0 };
    let results = |one: &Judged| one.verdict.details.iter().map(|case| case.passed).collect::<Vec<_>>();
    let firsts = results(first);
    let differs = (0..firsts.len()).filter(|at| judged.iter().any(|one| results(one).get(*at) != firsts.get(*at)));
    if firsts.is_empty() { 0.0 } else { differs.count() as f64 / firsts.len() as f64 }
}

fn staged(verdict: &Verdict, stage: &mut StageRecord) {
    stage.runs += 1;
    stage.checked += verdict.total_tests;
    stage.failed += verdict.total_tests - verdict.passed_tests;
    stage.trace_hashes.extend(verdict.trace_hash.clone());
    if verdict.outcome != Outcome::Passed {
        FAILED.clone_into(&mut stage.outcome);
        let words = |case: &CaseResult| match &case.error {
            Some(error) => format!("{}: {error}", case.name),
            None => case.name.clone(),
        };
        let failures = verdict.details.iter().filter(|case| !case.passed).map(words);
        failures.chain(verdict.error.clone()).for_each(|words| tell(stage, words));
    }
}

#[async_trait]
impl CaseOracle for ScriptOracle {
    fn digest(&self) -> String {
        self.entry.sources_digest().unwrap_or_else(|_| sha256_hex(self.entry.task.id.as_str().as_bytes()))
    }

    async fn probe(&self, plans: &Plans) -> Result<Probe, OracleError> {
        let seeds = plans.probe.seeds;
        let Some(golden) = self.all(&self.golden, seeds).await? else {
            return Err(OracleError::InvalidCase("gold can't be loaded".to_owned()));
        };
        let Some(buggy) = self.all(&self.buggy, seeds).await? else {
            return Ok(Probe { signals: of_hung(passed(&golden)), ..Probe::default() });
        };
        let programs = golden.iter().chain(&buggy).map(|one| one.runs.len()).min().unwrap_or(0);
        let names: Vec<String> = (0..programs).map(|at| format!("program {}", at + 1)).collect();
        let of = |judged: &'_ [Judged], at: usize| -> Vec<TraceRun> {
            judged.iter().map(|one| one.runs[at].clone()).collect()
        };
        let pairs: Vec<_> = (0..programs).map(|at| (of(&golden, at), of(&buggy, at))).collect();
        let probes: Vec<Probed<'_>> = pairs
            .iter()
            .zip(&names)
            .map(|((golden, buggy), name)| Probed {
                scenario: name,
                // A script may end a run early: what both have is compared.
                length: golden.iter().chain(buggy).map(|run| run.ticks).min().unwrap_or(0),
                buggy: buggy.iter().collect(),
                golden: golden.iter().collect(),
            })
            .collect();
        let mut found = signals(&probes, &[], EVERY, plans.cutoffs);
        (found.p_b, found.p_g) = (passed(&buggy), passed(&golden));
        (found.gap, found.inst) = (found.p_g - found.p_b, unstable(&buggy));
        flag(&mut found, plans.cutoffs);
        let seen = pairs.first().zip(names.first()).map(|((_, runs), name)| Seen {
            scenario: name.clone(),
            play: None,
            length: runs[0].ticks,
            inputs: Vec::new(),
            run: runs[0].clone(),
            hash: buggy[0].verdict.trace_hash.clone().unwrap_or_default(),
            failed_after: None,
        });
        Ok(Probe { signals: found, seen, ..Probe::default() })
    }

    async fn verify(&self, sb3: &[u8], precheck: Option<Precheck>) -> Result<Verified, OracleError> {
        let mut verified = Verified::default();
        if precheck.is_some() {
            let began = Instant::now();
            let how = Conditions { stop_at_first_failure: true, ..Conditions::seeded(1) };
            let judged = self.judge(sb3, how).await?;
            verified.seconds[0] = began.elapsed().as_secs_f64();
            let verdict = match judged {
                Ok(judgement) => judgement.verdict,
                Err(message) => return Ok(Verified { unloadable: Some(message), ..verified }),
            };
            let mut stage = fresh();
            staged(&verdict, &mut stage);
            let is_passed = stage.outcome == PASS;
            verified.precheck = Some(stage);
            if !is_passed {
                return Ok(verified);
            }
        }
        let (began, mut stage) = (Instant::now(), fresh());
        for seed in 1..=SEEDS {
            match self.judge(sb3, Conditions::seeded(seed)).await? {
                Ok(judgement) => staged(&judgement.verdict, &mut stage),
                Err(message) => return Ok(Verified { unloadable: Some(message), ..verified }),
            }
            if stage.outcome != PASS {
                break;
            }
        }
        verified.seconds[1] = began.elapsed().as_secs_f64();
        verified.full = Some(stage);
        Ok(verified)
    }

    /// Scripts play several programs one after another, and none of them is drawn: costumes stand in for frames.
    async fn frames(&self, _: &Seen, _: &[u64]) -> Result<Vec<(u64, Vec<u8>)>, OracleError> {
        Ok(Vec::new())
    }
}
