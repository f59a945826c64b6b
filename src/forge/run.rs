//! From a pool of projects to a benchmark: which project gets which pattern, one project after another, so that a run that was killed goes
//! on where it was and ends with the same bytes (ScratchEval, section 3.4). `plan` says which faults fit before anything is played, and
//! no project costs more than its `budget`.

use std::collections::BTreeMap;

use serde_json::json;

use super::budget::Budget;
use super::error::ForgeError;
use super::gold::Gold;
use super::guards::guarded;
use super::harden::hardened;
use super::literal::attempt_by_letter;
use super::outcome::{Done, Forged, News, Step};
use super::plan::{Planned, plan};
use super::plays::Plays;
use super::ranking::{Turns, ranked};
use super::report;
use super::rules::Rules;
use super::search::Searched;
use super::sighting::{drawn, shortened};
use super::text_search::is_found;
use super::trials::{Accepted, Tried, attempt};
use crate::bugs::{
    Bench, BugPictures, BugReport, CANARY, Difficulty, Instance, InstanceEntry, OF_HUNDRED, Pool, RecordStatus,
    ReferenceRecord, mark,
};
use crate::inject::Pattern;
use crate::judge::{editor, engine};
use crate::model::sha256_hex;

/// Forges a benchmark.
pub struct Run<'a> {
    pub pool: &'a Pool,
    pub bench: &'a mut Bench,
    pub plays: &'a Plays,
    pub rules: &'a Rules,
    /// Instances at most.
    pub count: usize,
    /// Told of everything.
    pub told: &'a (dyn Fn(News) + Sync),
}

/// Accepted faults so far.
#[derive(Debug, Default)]
struct Counts {
    patterns: BTreeMap<Pattern, usize>,
    operators: Turns,
}

impl Run<'_> {
    /// Goes through all projects.
    ///
    /// # Errors
    /// When files fail, or no page holds. What was forged stays, and the same again goes on.
    pub async fn run(mut self) -> Result<Forged, ForgeError> {
        let plan = plan(self.pool, self.rules)?;
        (self.told)(News::Planned { projects: plan.len() });
        let mut forged = Forged { projects: plan.len(), ..Forged::default() };
        let mut counts = Counts::default();
        for (planned, number) in plan.into_iter().zip(1..) {
            if forged.instances >= self.count {
                break;
            }
            let left = self.count - forged.instances;
            (self.told)(News::Project { project: planned.id.clone(), number });
            let done = self.project(&planned, &counts, left).await?;
            for entry in &done.instances {
                if let Ok(pattern) = entry.pattern.parse() {
                    *counts.patterns.entry(pattern).or_default() += 1;
                }
                *counts.operators.entry(entry.operator.clone()).or_default() += 1;
            }
            forged.add(&planned.id, &done);
        }
        Ok(forged)
    }

    async fn project(&mut self, planned: &Planned, counts: &Counts, left: usize) -> Result<Done, ForgeError> {
        let key = self.key(planned, counts, left)?;
        if let Some(done) = self.bench.done::<Done>(&planned.id)?.filter(|done| done.key == key) {
            let instances = done.instances.iter().map(|entry| entry.id.clone()).collect();
            (self.told)(News::Kept { project: planned.id.clone(), instances });
            return Ok(done);
        }
        let mut done = Done::new(key);
        let mut is_kept = true;
        if let Some(why) = planned.unfit {
            done.without = Some(why.to_owned());
        } else if planned.feasible.is_empty() {
            done.count_unsound(&planned.unsound);
        } else {
            is_kept = self.played(planned, counts, left, &mut done).await?;
        }
        if done.instances.is_empty() && done.without.is_none() {
            let why =
                if done.spent { "its budget was spent before a fault was accepted" } else { "no fault was accepted" };
            done.without = Some(why.to_owned());
        }
        if let Some(why) = &done.without {
            (self.told)(News::Without { project: planned.id.clone(), why: why.clone() });
        }
        if is_kept {
            self.bench.note_done(&planned.id, &done)?;
        }
        Ok(done)
    }

    /// Plays a project's scenarios, and tries faults in it until its budget is spent. Whether what came of it is the project's own doing:
    /// what our own script met is tried again by the next run.
    async fn played(
        &mut self,
        planned: &Planned,
        counts: &Counts,
        left: usize,
        done: &mut Done,
    ) -> Result<bool, ForgeError> {
        let mut project = self.rules.gold(self.pool.golden(&planned.id)?);
        // Both projects of an instance have the canary, so that an inverse gives gold back to the byte.
        mark(&mut project.json);
        let mut gold = Gold::of(&planned.id, project, self.rules)?;
        if let Some(record) = planned.record.as_ref().filter(|record| record.status == RecordStatus::Confirmed) {
            gold.facts.state_signals.clone_from(&record.state_signals);
            gold.facts.state_variables.clear();
        }
        // What playing gold costs is the project's own.
        let budget = Budget::of(self.rules, self.plays);
        match gold.play(self.plays, self.rules).await {
            Ok(Searched { live, ran, found, .. }) => {
                (self.told)(News::Covered { project: planned.id.clone(), live, ran, found });
                self.patterns(planned, (&gold, budget.priced(&gold)), counts, left, done).await?;
                if done.spent {
                    (self.told)(News::Spent { project: planned.id.clone() });
                }
                Ok(true)
            }
            Err(error) if error.is_of_project() => {
                done.without = Some(error.to_string());
                Ok(error.is_property_of_project())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Digest of all that a project's instances depend on: the files, the rules, what judges, and which patterns there are already.
    fn key(&self, planned: &Planned, counts: &Counts, left: usize) -> Result<String, ForgeError> {
        let entry = self.pool.entries().iter().find(|entry| entry.id == planned.id);
        let licence = self.pool.licence(&planned.id)?;
        let patterns: BTreeMap<String, usize> =
            counts.patterns.iter().map(|(pattern, count)| (pattern.to_string(), *count)).collect();
        let wanted = left.min(self.rules.per_project);
        let golden = entry.map(|entry| &entry.sha256);
        let parts = json!([
            golden,
            planned.record,
            self.rules,
            patterns,
            counts.operators,
            wanted,
            self.most_of_pattern(),
            engine(),
            editor(),
            licence,
            CANARY,
            env!("CARGO_PKG_VERSION")
        ]);
        Ok(sha256_hex(parts.to_string().as_bytes()))
    }

    /// Instances of one pattern at most.
    fn most_of_pattern(&self) -> usize {
        OF_HUNDRED.1 * self.count.div_ceil(100).max(1)
    }

    /// The project's feasible patterns, the rarest so far first, until enough faults are accepted.
    async fn patterns(
        &mut self,
        planned: &Planned,
        (gold, budget): (&Gold, Budget),
        counts: &Counts,
        left: usize,
        done: &mut Done,
    ) -> Result<(), ForgeError> {
        let count = |pattern: &Pattern| counts.patterns.get(pattern).copied().unwrap_or_default();
        let most = self.most_of_pattern();
        let mut open: Vec<Pattern> = planned.feasible.iter().copied().filter(|pattern| count(pattern) < most).collect();
        open.sort_by_key(|pattern| (count(pattern), *pattern));
        let wanted = left.min(self.rules.per_project);
        for pattern in open {
            let mut tried = Vec::new();
            if let Some(mut accepted) =
                self.trials((planned, gold, budget), (pattern, &counts.operators), done, &mut tried).await?
            {
                let step = |step| (self.told)(News::Step { project: planned.id.clone(), step });
                if self.rules.harden {
                    step(Step::Hardening);
                    accepted.suite = hardened(gold, &accepted, (self.plays, budget), self.rules).await?;
                }
                let mut forge = json!({"tried": tried});
                if !self.rules.literal {
                    step(Step::Guarding);
                    let (guards, sifted) = guarded(gold, &accepted, self.plays, self.rules).await?;
                    (accepted.suite.guards, forge["guards"]) = (guards, json!(sifted));
                }
                step(Step::Shrinking);
                accepted.sighting = shortened(gold, &accepted, self.plays, self.rules.every).await?;
                let pictures = drawn((gold, &accepted), self.plays).await?;
                step(Step::Searching);
                let report = report::report(&accepted.sighting);
                let (both, number) = ((&accepted.buggy, &gold.project.json), done.instances.len() + 1);
                let search = is_found(both, &report, &accepted.suite, self.plays).await?;
                let written = (number, report, pictures, search);
                let entry = self.write((gold, planned.record.as_ref()), &accepted, written, forge)?;
                done.instances.push(entry);
            }
            if done.instances.len() == wanted || done.spent {
                break;
            }
        }
        Ok(())
    }

    async fn trials(
        &self,
        (planned, gold, budget): (&Planned, &Gold, Budget),
        (pattern, turns): (Pattern, &Turns),
        done: &mut Done,
        tried: &mut Vec<serde_json::Value>,
    ) -> Result<Option<Accepted>, ForgeError> {
        for candidate in ranked(gold, &planned.candidates, pattern, self.rules, turns) {
            if budget.is_spent(self.plays) {
                done.spent = true;
                break;
            }
            let became = if self.rules.literal {
                attempt_by_letter(gold, self.plays, self.rules, &candidate).await?
            } else {
                attempt(gold, self.plays, self.rules, &candidate).await?
            };
            let (discarded, detail) = became.discarded().unzip();
            let detail = detail.unwrap_or_default();
            tried.push(json!({"fault": candidate.id(), "discarded": discarded, "detail": detail}));
            let (project, fault) = (gold.id.clone(), candidate.id());
            (self.told)(News::Trial { project, fault, discarded, detail });
            done.count(&became);
            if let Tried::Accepted(accepted) = became {
                return Ok(Some(*accepted));
            }
        }
        Ok(None)
    }

    fn write(
        &mut self,
        (gold, record): (&Gold, Option<&ReferenceRecord>),
        accepted: &Accepted,
        (number, report, pictures, search): (usize, BugReport, Option<BugPictures>, bool),
        forge: serde_json::Value,
    ) -> Result<InstanceEntry, ForgeError> {
        // A name is seen by whoever mends the fault, and says nothing of it.
        let id = self.rules.named(&gold.id);
        let id = if self.rules.per_project == 1 { id } else { format!("{id}-{number}") };
        let mut truth = report::truth(gold, accepted, &id);
        if search {
            truth.difficulty = Difficulty::Trivial;
        }
        let group = self.pool.entries().iter().find(|entry| entry.id == gold.id).map(|entry| entry.group.clone());
        let suite = serde_json::to_string(&accepted.suite).unwrap_or_default();
        let mut licence = self.pool.licence(&gold.id)?;
        licence.changes.push("fault injected".to_owned());
        let instance = Instance {
            entry: InstanceEntry {
                id,
                project: gold.id.clone(),
                group: group.unwrap_or_default(),
                pattern: truth.pattern.clone(),
                operator: truth.operator.clone(),
                difficulty: truth.difficulty,
                search: Some(search),
                buggy: truth.hashes.buggy.clone(),
                suite: sha256_hex(suite.as_bytes()),
            },
            buggy: accepted.sb3.clone(),
            golden: gold.sb3.clone(),
            report,
            pictures,
            truth,
            suite: accepted.suite.clone(),
            record: record.cloned(),
            licence,
            forge,
        };
        self.bench.add(&instance)?;
        Ok(instance.entry)
    }
}
