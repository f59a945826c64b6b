//! From a pool of projects to a benchmark: which project gets which pattern, one project after another, so that a run that was killed goes
//! on where it was and ends with the same bytes (ScratchEval, section 3.4).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use strum::IntoEnumIterator as _;

use super::error::ForgeError;
use super::gold::Gold;
use super::harden::hardened;
use super::plays::Plays;
use super::ranking::{Turns, ranked};
use super::report;
use super::rules::Rules;
use super::search::Searched;
use super::shrink::{Shown, shrunk};
use super::trials::{Accepted, Discard, Tried, attempt};
use crate::bugs::{Bench, Instance, InstanceEntry, Pool, RECORD, RecordStatus, ReferenceRecord};
use crate::inject::{Candidate, Pattern, sites};
use crate::judge::{editor, engine};
use crate::model::sha256_hex;

/// Instances of one pattern at most, for each hundred (the paper has 10 to 17).
const MOST_OF_PATTERN: usize = 17;

/// What is told while it runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// So many projects are gone through.
    Planned { projects: usize },
    /// A project is begun.
    Project { project: String, number: usize },
    /// It was done before, by a run that was killed.
    Kept { project: String, instances: Vec<String> },
    /// Its scenarios were played: how many of its live statements run in those of the templates, and in those that were searched for.
    Covered { project: String, live: usize, ran: usize, found: usize },
    /// A fault was tried.
    Trial { project: String, fault: String, discarded: Option<Discard>, detail: String },
    /// A project gave nothing.
    Without { project: String, why: String },
}

/// What a project came to; its file is what a killed run goes on from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    /// Digest of all that it depends on.
    key: String,
    instances: Vec<InstanceEntry>,
    /// Discarded faults by reason.
    discarded: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    without: Option<String>,
}

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Forged {
    pub projects: usize,
    pub instances: usize,
    /// Instances by pattern.
    pub patterns: BTreeMap<String, usize>,
    /// Discarded faults by reason.
    pub discarded: BTreeMap<String, u64>,
    /// Projects without an instance, with the reason.
    pub without: BTreeMap<String, String>,
}

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

/// A project with the patterns that it has sites for.
struct Planned {
    id: String,
    feasible: Vec<Pattern>,
    candidates: Vec<Candidate>,
    /// Its reference record, if it has one: a confirmed one says which signals the state is in.
    record: Option<ReferenceRecord>,
    tie: String,
}

impl Run<'_> {
    /// Goes through all projects.
    ///
    /// # Errors
    /// When files fail, or no page holds. What was forged stays, and the same again goes on.
    pub async fn run(mut self) -> Result<Forged, ForgeError> {
        let plan = self.plan()?;
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
                *forged.patterns.entry(entry.pattern.clone()).or_default() += 1;
            }
            forged.instances += done.instances.len();
            for (why, number) in done.discarded {
                *forged.discarded.entry(why).or_default() += number;
            }
            if let Some(why) = done.without {
                forged.without.insert(planned.id, why);
            }
        }
        Ok(forged)
    }

    /// Projects with the fewest feasible patterns come first.
    fn plan(&self) -> Result<Vec<Planned>, ForgeError> {
        let mut plan = Vec::new();
        for entry in self.pool.entries() {
            let project = self.pool.golden(&entry.id)?;
            let candidates = sites(&project.json);
            let has = |pattern: &Pattern| {
                let mut own = candidates.iter().filter(|candidate| candidate.pattern == *pattern);
                own.any(|candidate| candidate.applies_to(&project.json))
            };
            let feasible = Pattern::iter().filter(has).collect();
            let tie = sha256_hex(format!("{} {}", self.rules.seed, entry.id).as_bytes());
            let record = self.pool.noted(&entry.id, RECORD)?;
            plan.push(Planned { id: entry.id.clone(), feasible, candidates, record, tie });
        }
        plan.sort_by(|one, other| (one.feasible.len(), &one.tie).cmp(&(other.feasible.len(), &other.tie)));
        Ok(plan)
    }

    async fn project(&mut self, planned: &Planned, counts: &Counts, left: usize) -> Result<Done, ForgeError> {
        let key = self.key(planned, counts, left)?;
        if let Some(done) = self.bench.done::<Done>(&planned.id)?.filter(|done| done.key == key) {
            let instances = done.instances.iter().map(|entry| entry.id.clone()).collect();
            (self.told)(News::Kept { project: planned.id.clone(), instances });
            return Ok(done);
        }
        let mut done = Done { key, instances: Vec::new(), discarded: BTreeMap::new(), without: None };
        let project = self.pool.golden(&planned.id)?;
        let mut gold = Gold::of(&planned.id, project, self.rules)?;
        if let Some(record) = planned.record.as_ref().filter(|record| record.status == RecordStatus::Confirmed) {
            gold.facts.state_signals.clone_from(&record.state_signals);
        }
        match gold.play(self.plays, self.rules).await {
            Ok(Searched { live, ran, found, .. }) => {
                (self.told)(News::Covered { project: planned.id.clone(), live, ran, found });
                self.patterns(planned, &gold, counts, left, &mut done).await?;
            }
            Err(error) if error.is_of_project() => done.without = Some(error.to_string()),
            Err(error) => return Err(error.into()),
        }
        if done.instances.is_empty() && done.without.is_none() {
            done.without = Some("no fault was accepted".to_owned());
        }
        if let Some(why) = &done.without {
            (self.told)(News::Without { project: planned.id.clone(), why: why.clone() });
        }
        self.bench.note_done(&planned.id, &done)?;
        Ok(done)
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
            engine(),
            editor(),
            licence,
            env!("CARGO_PKG_VERSION")
        ]);
        Ok(sha256_hex(parts.to_string().as_bytes()))
    }

    /// The project's feasible patterns, the rarest so far first, until enough faults are accepted.
    async fn patterns(
        &mut self,
        planned: &Planned,
        gold: &Gold,
        counts: &Counts,
        left: usize,
        done: &mut Done,
    ) -> Result<(), ForgeError> {
        let count = |pattern: &Pattern| counts.patterns.get(pattern).copied().unwrap_or_default();
        let most = MOST_OF_PATTERN * self.count.div_ceil(100).max(1);
        let mut open: Vec<Pattern> = planned.feasible.iter().copied().filter(|pattern| count(pattern) < most).collect();
        open.sort_by_key(|pattern| (count(pattern), *pattern));
        let wanted = left.min(self.rules.per_project);
        for pattern in open {
            let mut tried = Vec::new();
            if let Some(mut accepted) =
                self.trials((planned, gold), pattern, &counts.operators, done, &mut tried).await?
            {
                if self.rules.harden {
                    accepted.suite = hardened(gold, &accepted, self.plays, self.rules).await?;
                }
                let shown = shrunk(gold, &accepted, self.plays, self.rules).await?;
                let number = done.instances.len() + 1;
                let entry = self.write((gold, planned.record.as_ref()), &accepted, (number, shown.as_ref()), &tried)?;
                done.instances.push(entry);
            }
            if done.instances.len() == wanted {
                break;
            }
        }
        Ok(())
    }

    async fn trials(
        &self,
        (planned, gold): (&Planned, &Gold),
        pattern: Pattern,
        turns: &Turns,
        done: &mut Done,
        tried: &mut Vec<serde_json::Value>,
    ) -> Result<Option<Accepted>, ForgeError> {
        for candidate in ranked(gold, &planned.candidates, pattern, self.rules, turns) {
            let became = attempt(gold, self.plays, self.rules, &candidate).await?;
            let (discarded, detail) = match &became {
                Tried::Accepted(_) => (None, String::new()),
                Tried::Discarded(why, detail) => (Some(*why), detail.clone()),
            };
            tried.push(json!({"fault": candidate.id(), "discarded": discarded, "detail": detail}));
            let (project, fault) = (gold.id.clone(), candidate.id());
            (self.told)(News::Trial { project, fault, discarded, detail });
            match became {
                Tried::Accepted(accepted) => return Ok(Some(*accepted)),
                Tried::Discarded(why, _) => *done.discarded.entry(why.to_string()).or_default() += 1,
            }
        }
        Ok(None)
    }

    fn write(
        &mut self,
        (gold, record): (&Gold, Option<&ReferenceRecord>),
        accepted: &Accepted,
        (number, shown): (usize, Option<&Shown>),
        tried: &[serde_json::Value],
    ) -> Result<InstanceEntry, ForgeError> {
        // A name is seen by whoever mends the fault, and says nothing of it.
        let id = if self.rules.per_project == 1 { gold.id.clone() } else { format!("{}-{number}", gold.id) };
        let truth = report::truth(gold, accepted, &id);
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
                buggy: truth.hashes.buggy.clone(),
                suite: sha256_hex(suite.as_bytes()),
            },
            buggy: accepted.sb3.clone(),
            golden: gold.sb3.clone(),
            report: report::report(gold, accepted, shown),
            truth,
            suite: accepted.suite.clone(),
            record: record.cloned(),
            licence,
            forge: json!({"tried": tried}),
        };
        self.bench.add(&instance)?;
        Ok(instance.entry)
    }
}
