//! A trajectory from its probe to its record (EcoScratch, section 1): probe once, then attempts until one passes, there may be no more, or a
//! budget would be passed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::ask::Answers;
use super::compare::Compared;
use super::energy::Energy;
use super::images::Images;
use super::kept::{Kept, gold_key, probe_key};
use super::pass::{Pass, Passed};
use super::{outcome, spoiled};
use crate::experiment::{Ended, RunError};
use crate::json_patch::{Operation, difference};
use crate::meter::Meters;
use crate::model::{
    CaseSize, ControllerMode, Cost, EnergyRecord, Layer, PlanId, ProbeRecord, RepairAttempt, Signals,
    TRAJECTORY_FORMAT, Totals, Trajectory,
};
use crate::project::view::targets;
use crate::store::{AttemptDir, Lines};
use crate::trajectory::{
    Before, Case, Ids, Leak, OracleError, Plans, Probe, Profile, Prospect, Rules, Situation, Spent, Worth, moments,
    plan, prompts_digest, stop, ticks,
};

/// How trajectories are made.
#[derive(Debug, Clone)]
pub struct Manner {
    pub mode: ControllerMode,
    /// The plan of every attempt, whatever the controller would choose: for surveys of all plans, from which controllers are simulated.
    pub forced: Option<PlanId>,
    pub profile: Profile,
    pub plans: Arc<Plans>,
    pub rules: Rules,
    /// The highest leak level of evidence.
    pub max_leak: Leak,
    pub ids: Ids,
    /// Whether providers hold answers to the schema; it is in the prompt's words in any case.
    pub has_schema: bool,
    /// Whether modes share the answers to equal requests.
    pub shares_answers: bool,
    /// Whether the probe is made again for each trajectory, as in the paper; else once a case.
    pub fresh_probe: bool,
    /// Reads the host's energy.
    pub meters: Option<Arc<Meters>>,
    /// What says whether another attempt is worth its price; none where it is not asked.
    pub worth: Option<Arc<Worth>>,
    pub after: After,
}

/// What is done once attempts have ended; no model is asked for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct After {
    /// Leave out the operations that a patch which passed does not need.
    pub minimises: bool,
    /// Play the whole suite to the candidate that counts, and tell how far it is from gold.
    pub measures_drift: bool,
}

/// One trajectory in the making.
pub(super) struct Course<'a> {
    pub case: &'a Case,
    pub answers: &'a Answers,
    pub manner: &'a Manner,
    pub kept: &'a Kept,
    pub replicate: u32,
    pub dir: &'a AttemptDir,
}

/// What attempts have in common.
pub(super) struct Ground {
    pub probe: Probe,
    pub images: Images,
}

/// The log of a trajectory, and the time that it began.
pub(super) struct Log {
    lines: Lines,
    began: Instant,
}

impl Log {
    pub(super) fn note(&mut self, event: &str, more: &Value) -> Result<(), RunError> {
        let mut line = json!({"t_s": self.began.elapsed().as_secs_f64(), "event": event});
        if let (Some(line), Some(more)) = (line.as_object_mut(), more.as_object()) {
            line.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        Ok(self.lines.append(&line)?)
    }
}

/// Attempts, and what they add up to.
#[derive(Default)]
pub(super) struct Story {
    pub attempts: Vec<RepairAttempt>,
    /// Patches as they were applied, to see what comes again.
    pub patches: Vec<Vec<Operation>>,
    spent: Spent,
    cost: Cost,
    /// The candidate that counts: the strict pass, else the last that was applied.
    pub best: Option<(u32, Value)>,
}

impl Course<'_> {
    /// Makes the trajectory.
    ///
    /// # Errors
    /// When the run can't go on.
    pub(super) async fn run(&self) -> Result<Ended<Option<Trajectory>>, RunError> {
        let began = Instant::now();
        let mut log = Log { lines: self.dir.lines("trajectory.jsonl")?, began };
        let mut energy = Energy::begin(self.manner.meters.as_ref()).await;
        let (ground, record) = match self.probed(&mut log).await? {
            Ok(probed) => probed,
            Err(error) => return Ok(spoiled(&error, Cost::default())),
        };
        let mut story = Story::default();
        let stop = match self.attempts(&ground, &mut story, &mut log, &mut energy).await? {
            Ok(stop) => stop,
            Err(error) => return Ok(spoiled(&error, story.cost)),
        };
        log.note("stop", &json!({"stop": stop}))?;
        energy.stage("after").await;
        let compared = match self.compared(&story).await? {
            Ok(compared) => compared,
            Err(error) => return Ok(spoiled(&error, story.cost)),
        };
        let (cost, energy) = (story.cost, energy.end().await);
        let trajectory = self.record(record, story, (stop, energy), (compared, began));
        log.lines.end()?;
        let error = trajectory.attempts.is_empty().then(|| trajectory.stop.clone());
        let cost = Cost { seconds: began.elapsed().as_secs_f64(), ..cost };
        Ok(Ended { outcome: outcome(trajectory.layer), error, cost, detail: Some(trajectory) })
    }

    /// The probe, made once for all trajectories of the case; gold is checked before.
    async fn probed(&self, log: &mut Log) -> Result<Result<(Ground, ProbeRecord), OracleError>, RunError> {
        if let Err(error) = self.check_gold().await? {
            return Ok(Err(error));
        }
        let key = probe_key(self.case, &self.manner.plans, self.manner.profile);
        let known = if self.manner.fresh_probe { None } else { self.kept.probe(&key)? };
        let cached = known.is_some();
        let mut probe = match known {
            Some(probe) => probe,
            None => match self.probe().await {
                Ok(probe) => probe,
                Err(error) => return Ok(Err(error)),
            },
        };
        // One that was made before is not replaced.
        self.kept.keep_probe(&key, &probe)?;
        let images = Images::of(std::mem::take(&mut probe.moments), &self.case.buggy, &self.case.report);
        probe.signals.images_available = u32::try_from(images.all.len()).unwrap_or(u32::MAX);
        for ((_, png), number) in images.all.iter().zip(1..) {
            self.dir.keep(&format!("f{number}.png"), png.as_slice())?;
        }
        let record = ProbeRecord { key, cached, signals: probe.signals.clone() };
        log.note("probe", &json!({"cached": cached, "images": images.all.len(), "source": images.source}))?;
        log.note("signals", &json!(probe.signals))?;
        Ok(Ok((Ground { probe, images }, record)))
    }

    /// Runs both projects, and draws the stage where they part.
    async fn probe(&self) -> Result<Probe, OracleError> {
        let mut probe = self.case.oracle.probe(&self.manner.plans).await?;
        if self.manner.profile == Profile::Own
            && let Some(seen) = &probe.seen
            && let Some(shortest) = self.case.oracle.shortest(seen).await?
        {
            probe.seen = Some(shortest);
        }
        if let Some(seen) = &probe.seen {
            let drawn = self.case.oracle.frames(seen, &ticks(seen, probe.signals.div_tick)).await?;
            probe.moments = moments(&self.case.buggy, seen, drawn);
        }
        Ok(probe)
    }

    /// A gold that fails its own checks makes no case.
    async fn check_gold(&self) -> Result<Result<(), OracleError>, RunError> {
        let key = gold_key(self.case);
        if self.kept.is_checked(&key)? {
            return Ok(Ok(()));
        }
        let item = |reason: String| RunError::Item { item: self.case.id.clone(), reason };
        let gold = self.case.golden.pack().map_err(|error| item(error.to_string()))?;
        let verified = match self.case.oracle.verify(&gold, None).await {
            Ok(verified) => verified,
            Err(error) => return Ok(Err(error)),
        };
        if verified.is_strict() {
            self.kept.keep_checked(&key)?;
            return Ok(Ok(()));
        }
        let why = verified.unloadable.or_else(|| verified.full.and_then(|stage| stage.failures.first().cloned()));
        Ok(Err(OracleError::InvalidCase(why.unwrap_or_else(|| "it hangs".to_owned()))))
    }

    async fn attempts(
        &self,
        ground: &Ground,
        story: &mut Story,
        log: &mut Log,
        energy: &mut Energy,
    ) -> Result<Result<String, OracleError>, RunError> {
        let began = Instant::now();
        loop {
            let before = story.attempts.last().map(|last| Before {
                plan: last.plan,
                layer: last.layer,
                is_no_change: last.code.as_deref() == Some("no_change"),
            });
            let id = self.plan(&ground.probe.signals, before);
            if let (Some(before), Some(last)) = (before, story.attempts.last())
                && !self.is_worth_it(&ground.probe.signals, (id, before), last)
            {
                return Ok(Ok("not_worth_it".to_owned()));
            }
            log.note("plan", &json!({"a": story.attempts.len(), "plan": id}))?;
            story.spent.wall_s = began.elapsed().as_secs_f64();
            let pass = Pass { course: self, ground, id, earlier: &story.attempts };
            let passed = match pass.run(&story.spent, log, energy).await? {
                Ok(passed) => passed,
                Err(error) => return Ok(Err(error)),
            };
            let Passed { attempt, patch, candidate, cost } = match passed {
                Ok(passed) => passed,
                Err(budget) => return Ok(Ok(format!("budget:{budget}"))),
            };
            story.cost += cost;
            story.spent = story.spent.plus(&attempt.usage, (attempt.images.inserted, attempt.images.bytes));
            if let Some(candidate) = candidate {
                story.best = Some((attempt.a, candidate));
            }
            let is_repeat = patch.as_ref().is_some_and(|patch| story.patches.contains(patch));
            story.patches.extend(patch);
            let layer = attempt.layer;
            story.attempts.push(attempt);
            let made = u32::try_from(story.attempts.len()).unwrap_or(u32::MAX);
            if let Some(why) = stop(self.manner.rules, made, layer, is_repeat) {
                return Ok(Ok(why.to_owned()));
            }
        }
    }

    /// The plan of the next attempt.
    fn plan(&self, signals: &Signals, before: Option<Before>) -> PlanId {
        let now = Situation::of(self.manner.mode, signals, self.manner.profile, before);
        self.manner.forced.unwrap_or_else(|| plan(now))
    }

    /// Whether another attempt is worth its price; it is where nobody asks.
    fn is_worth_it(&self, signals: &Signals, (plan, before): (PlanId, Before), last: &RepairAttempt) -> bool {
        let (mode, level, usd) = (self.manner.mode, signals.level, last.usage.usd.unwrap_or_default());
        let next = Prospect { mode, plan, last: before.layer, level, usd };
        self.manner.worth.as_ref().is_none_or(|worth| worth.allows(&next))
    }

    fn record(
        &self,
        probe: ProbeRecord,
        story: Story,
        (stop, energy): (String, Option<EnergyRecord>),
        (compared, began): (Compared, Instant),
    ) -> Trajectory {
        let (attempts, Compared { distance, minimal }) = (story.attempts, compared);
        let layer = Trajectory::furthest(&attempts);
        let mut hashes: BTreeMap<String, String> = self.case.hashes.clone();
        hashes.insert("plans".to_owned(), self.manner.plans.digest.clone());
        hashes.insert("prompts".to_owned(), prompts_digest());
        Trajectory {
            format: TRAJECTORY_FORMAT,
            case: self.case.id.clone(),
            mechanism: self.case.mechanism.clone(),
            mode: self.manner.mode,
            profile: self.manner.profile.to_string(),
            replicate: self.replicate,
            probe,
            totals: totals(&attempts, began),
            generation_success: attempts.iter().any(|attempt| attempt.layer.is_generated()),
            strict_verify_success: layer == Layer::StrictSuccess,
            layer,
            attempts,
            stop,
            size: Some(size(self.case)),
            distance,
            minimal,
            best_attempt: story.best.map(|(a, _)| a),
            energy,
            hashes,
        }
    }
}

/// How large a case is, and how many operations its repair takes.
fn size(case: &Case) -> CaseSize {
    let counted = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let all = || targets(&case.buggy.json);
    CaseSize {
        targets: counted(all().count()),
        scripts: counted(all().map(|target| target.scripts().len()).sum()),
        blocks: counted(all().map(|target| target.blocks().count()).sum()),
        gold_ops: difference(&case.buggy.json, &case.golden.json).ok().map(|operations| counted(operations.len())),
    }
}

fn totals(attempts: &[RepairAttempt], began: Instant) -> Totals {
    let mut totals = Totals { wall_s: began.elapsed().as_secs_f64(), ..Totals::default() };
    for attempt in attempts {
        totals.attempts += 1;
        totals.tries += attempt.response.as_ref().map_or(0, |response| response.tries);
        totals.input += attempt.usage.input;
        totals.cached_input += attempt.usage.cached_input;
        totals.output += attempt.usage.output;
        totals.images_inserted += attempt.images.inserted;
        totals.image_bytes += attempt.images.bytes;
    }
    // One price that is unknown makes the sum unknown.
    totals.usd = attempts.iter().map(|attempt| attempt.usage.usd).sum();
    totals
}
