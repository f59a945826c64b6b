//! From a pool of projects to a benchmark: which project gets which pattern, one project after another, so that a run that was killed goes
//! on where it was and ends with the same bytes (ScratchEval, section 3.4). `plan` says which faults fit before anything is played, and
//! no project costs more than its `budget`. Where suites must be adequate, faults are `rivals` of one another.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::adequacy::damage_score;
use super::budget::Budget;
use super::counts::Counts;
use super::error::ForgeError;
use super::finishing::{Finished, finished};
use super::gold::Gold;
use super::literal::attempt_by_letter;
use super::outcome::{Done, Forged, News, Step};
use super::plan::{Planned, plan};
use super::plays::Plays;
use super::ranking::ranked;
use super::report;
use super::rivals::{Rivals, Weak};
use super::rules::Rules;
use super::search::Searched;
use super::trials::{Accepted, Discard, Tried, attempt};
use crate::bugs::{Bench, CANARY, Difficulty, Instance, InstanceEntry, Pool, ReferenceRecord, mark, most_of_pattern};
use crate::inject::{Candidate, Pattern};
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

/// A fault that gave way: what an instance is written of, and what was tried up to it.
type Rival = (Finished, Vec<Value>);

/// Version of how faults are chosen, guarded and reported: what a project became under another one is not kept.
const METHOD: u32 = 4;

/// Why a fault is not taken that a text search repairs.
const GIVEN_AWAY: &str = "a text search repairs it, and more than a tenth of the instances would be such";

impl Run<'_> {
    /// Goes through all projects.
    ///
    /// # Errors
    /// When files fail, or no page holds. What was forged stays, and the same again goes on.
    pub async fn run(mut self) -> Result<Forged, ForgeError> {
        let plan = plan(self.pool, self.rules, &|number| (self.told)(News::Planning { number }))?;
        (self.told)(News::Planned { projects: plan.len() });
        let mut forged = Forged { projects: plan.len(), adequate: self.rules.adequate, ..Forged::default() };
        let feasible: BTreeSet<Pattern> = plan.iter().flat_map(|planned| planned.feasible.iter().copied()).collect();
        let mut counts = Counts::of_pattern_at_most(most_of_pattern(self.count, feasible.len()));
        for (planned, number) in plan.into_iter().zip(1..) {
            if forged.instances >= self.count {
                break;
            }
            let left = self.count - forged.instances;
            (self.told)(News::Project { project: planned.id.clone(), number });
            let done = self.project(&planned, &counts, left).await?;
            done.instances.iter().for_each(|entry| counts.add(entry));
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
        if let Some(why) = planned.unfit {
            done.without = Some(why.to_owned());
        } else if planned.feasible.is_empty() {
            done.count_unsound(&planned.unsound);
        } else {
            self.played(planned, counts, left, &mut done).await?;
        }
        if done.instances.is_empty() && done.without.is_none() {
            let why =
                if done.spent { "its budget was spent before a fault was accepted" } else { "no fault was accepted" };
            done.without = Some(why.to_owned());
        }
        if let Some(why) = &done.without {
            (self.told)(News::Without { project: planned.id.clone(), why: why.clone() });
        }
        // An earlier run may have accepted what this one does not.
        let ids: Vec<&str> = done.instances.iter().map(|entry| entry.id.as_str()).collect();
        self.bench.keep_of(&planned.id, &ids)?;
        self.bench.note_done(&planned.id, &done)?;
        Ok(done)
    }

    /// Plays a project's scenarios, and tries faults in it until its budget is spent. What says nothing of the project
    /// or of a fault ends the run: nothing of it is kept, and the next run goes on there.
    async fn played(
        &mut self,
        planned: &Planned,
        counts: &Counts,
        left: usize,
        done: &mut Done,
    ) -> Result<(), ForgeError> {
        let mut project = self.rules.gold(self.pool.golden(&planned.id)?);
        // Both projects of an instance have the canary, so that an inverse gives gold back to the byte.
        mark(&mut project.json);
        let mut gold = Gold::of(&planned.id, project, self.rules)?;
        if let Some(record) = planned.record.as_ref().filter(|record| record.status.is_by_people()) {
            gold.facts.state_signals.clone_from(&record.state_signals);
            gold.facts.state_variables.clear();
        }
        (self.told)(News::Step { project: planned.id.clone(), step: Step::Playing });
        // What playing gold costs is the project's own.
        let budget = Budget::of(self.rules, self.plays);
        match gold.play(self.plays, self.rules).await {
            Ok(Searched { live, ran, found, .. }) => {
                (self.told)(News::Covered { project: planned.id.clone(), live, ran, found });
                self.patterns(planned, (&gold, budget.priced(&gold)), counts, left, done).await?;
                if done.spent {
                    (self.told)(News::Spent { project: planned.id.clone() });
                }
                Ok(())
            }
            Err(error) if error.is_of_project() => {
                done.without = Some(error.to_string());
                Ok(())
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
            counts.trivial,
            wanted,
            counts.full(),
            engine(),
            editor(),
            licence,
            CANARY,
            METHOD,
            env!("CARGO_PKG_VERSION")
        ]);
        Ok(sha256_hex(parts.to_string().as_bytes()))
    }

    /// The project's feasible patterns, the rarest so far first, until enough faults are accepted.
    async fn patterns(
        &mut self,
        planned: &Planned,
        (gold, mut budget): (&Gold, Budget),
        counts: &Counts,
        left: usize,
        done: &mut Done,
    ) -> Result<(), ForgeError> {
        let count = |pattern: &Pattern| counts.patterns.get(pattern).copied().unwrap_or_default();
        let mut open: Vec<Pattern> =
            planned.feasible.iter().copied().filter(|pattern| counts.admits(*pattern)).collect();
        open.sort_by_key(|pattern| (count(pattern), *pattern));
        let wanted = left.min(self.rules.per_project);
        let mut rivals: Option<Rivals<Rival>> = self.rules.adequate.map(|share| Rivals::of(share, wanted));
        for pattern in open {
            let mut tried = Vec::new();
            let candidates = ranked(gold, &planned.candidates, pattern, self.rules, &counts.operators);
            let mut candidates = candidates.into_iter();
            while let Some(accepted) = self.trials((gold, budget), &mut candidates, done, &mut tried).await? {
                let fault = accepted.candidate.id();
                let step = |step| (self.told)(News::Step { project: planned.id.clone(), step });
                let how = (self.rules, self.may_be_trivial(counts, done));
                let found = finished(gold, accepted, (self.plays, budget), how, &step).await?;
                let taken = match found {
                    Some(found) => self.measured((found, &tried), &mut rivals, &mut budget).await?,
                    None => Err(Tried::Discarded(Discard::Trivial, GIVEN_AWAY.to_owned())),
                };
                match taken {
                    Ok(finished) => {
                        self.enter(planned, finished, &tried, done)?;
                        break;
                    }
                    Err(became) => {
                        // It was noted as accepted.
                        tried.pop();
                        self.note((&gold.id, fault), &became, done, &mut tried);
                    }
                }
                if is_over(rivals.as_ref()) {
                    break;
                }
            }
            if done.instances.len() == wanted || done.spent || is_over(rivals.as_ref()) {
                break;
            }
        }
        rivals.map_or(Ok(()), |rivals| self.fill(planned, rivals, (counts, wanted), done))
    }

    /// Whether one more instance of a project may be one that a text search repairs.
    fn may_be_trivial(&self, counts: &Counts, done: &Done) -> bool {
        self.rules.literal || counts.admit_trivial(&done.instances)
    }

    /// Measures how much damage elsewhere the suite of a fault rejects, if that is asked for. The inner error says why it gives way to the
    /// next one, which may cost as much as all before it. What measuring costs counts against no budget.
    async fn measured(
        &self,
        (mut finished, tried): (Finished, &[Value]),
        rivals: &mut Option<Rivals<Rival>>,
        budget: &mut Budget,
    ) -> Result<Result<Finished, Tried>, ForgeError> {
        let Some(rivals) = rivals else { return Ok(Ok(finished)) };
        let (gold, candidate) = (&finished.gold, &finished.accepted.candidate);
        let project = gold.id.clone();
        let (fault, pattern, wanted) = (candidate.id(), candidate.pattern, rivals.wanted);
        (self.told)(News::Step { project: project.clone(), step: Step::Measuring });
        let before = self.plays.asked();
        let told = |tried, all| (self.told)(News::Measuring { project: project.clone(), tried, all });
        let share = damage_score(gold, &finished.accepted, self.plays, &told).await?;
        (self.told)(News::Measured { project: project.clone(), fault, share, wanted });
        finished.adequacy = Some(share);
        if let Some((finished, _)) = rivals.measured(pattern, share, (finished, tried.to_vec())) {
            *budget = budget.without(self.plays.asked() - before);
            return Ok(Ok(finished));
        }
        *budget = budget.renewed(self.plays);
        let why = format!("its suite rejects {share:.3} of damage elsewhere, wanted {wanted}");
        Ok(Err(Tried::Discarded(Discard::Inadequate, why)))
    }

    /// Where faults gave way and too few others took their place, the best of them are instances all the same.
    fn fill(
        &mut self,
        planned: &Planned,
        rivals: Rivals<Rival>,
        (counts, most): (&Counts, usize),
        done: &mut Done,
    ) -> Result<(), ForgeError> {
        let wanted = rivals.wanted;
        for Weak { pattern, share, what: (finished, tried) } in rivals.best() {
            let is_new = done.instances.iter().all(|entry| entry.pattern != pattern.to_string());
            let may_be_taken = !finished.search || self.may_be_trivial(counts, done);
            if done.instances.len() < most && is_new && may_be_taken {
                done.uncount(Discard::Inadequate);
                let (project, fault) = (planned.id.clone(), finished.accepted.candidate.id());
                (self.told)(News::Best { project, fault, share, wanted });
                self.enter(planned, finished, &tried, done)?;
            }
        }
        Ok(())
    }

    /// Writes a finished fault as the next instance of its project.
    fn enter(
        &mut self,
        planned: &Planned,
        finished: Finished,
        tried: &[Value],
        done: &mut Done,
    ) -> Result<(), ForgeError> {
        let number = done.instances.len() + 1;
        let entry = self.write(planned.record.as_ref(), finished, number, tried)?;
        done.instances.push(entry);
        Ok(())
    }

    /// Tries faults until one is accepted, or the budget is spent.
    async fn trials(
        &self,
        (gold, budget): (&Gold, Budget),
        candidates: &mut impl Iterator<Item = Candidate>,
        done: &mut Done,
        tried: &mut Vec<Value>,
    ) -> Result<Option<Accepted>, ForgeError> {
        for candidate in candidates {
            if budget.is_spent(self.plays) {
                done.spent = true;
                break;
            }
            let became = if self.rules.literal {
                attempt_by_letter(gold, self.plays, self.rules, &candidate).await?
            } else {
                attempt(gold, self.plays, self.rules, &candidate).await?
            };
            self.note((&gold.id, candidate.id()), &became, done, tried);
            if let Tried::Accepted(accepted) = became {
                return Ok(Some(*accepted));
            }
        }
        Ok(None)
    }

    /// Tells and counts what became of a fault.
    fn note(&self, (project, fault): (&str, String), became: &Tried, done: &mut Done, tried: &mut Vec<Value>) {
        let (discarded, detail) = became.discarded().unzip();
        let detail = detail.unwrap_or_default();
        tried.push(json!({"fault": fault, "discarded": discarded, "detail": detail}));
        (self.told)(News::Trial { project: project.to_owned(), fault, discarded, detail });
        done.count(became);
    }

    fn write(
        &mut self,
        record: Option<&ReferenceRecord>,
        finished: Finished,
        number: usize,
        tried: &[Value],
    ) -> Result<InstanceEntry, ForgeError> {
        let Finished { gold, accepted, report, pictures, search, sifted, adequacy } = finished;
        let mut forge = json!({"tried": tried});
        if let Some(sifted) = sifted {
            forge["guards"] = json!(sifted);
        }
        if let Some((share, wanted)) = adequacy.zip(self.rules.adequate) {
            forge["adequacy"] = json!({"share": share, "wanted": wanted, "reached": share >= wanted});
        }
        // A name is seen by whoever mends the fault, and says nothing of it.
        let id = self.rules.named(&gold.id);
        let id = if self.rules.per_project == 1 { id } else { format!("{id}-{number}") };
        let mut truth = report::truth(&gold, &accepted, &id);
        if search {
            truth.difficulty = Difficulty::Trivial;
        }
        let group = self.pool.entries().iter().find(|entry| entry.id == gold.id).map(|entry| entry.group.clone());
        let suite = serde_json::to_string(&accepted.suite).unwrap_or_default();
        let record = record.map(|record| record.clone().of_copy(&truth.hashes.golden));
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
                adequacy,
                buggy: truth.hashes.buggy.clone(),
                suite: sha256_hex(suite.as_bytes()),
            },
            buggy: accepted.sb3,
            golden: gold.sb3.clone(),
            report,
            pictures,
            truth,
            suite: accepted.suite,
            record,
            licence,
            forge,
        };
        self.bench.add(&instance)?;
        Ok(instance.entry)
    }
}

/// Whether so many faults of a project have given way that no further one is tried.
fn is_over(rivals: Option<&Rivals<Rival>>) -> bool {
    rivals.is_some_and(Rivals::is_over)
}
