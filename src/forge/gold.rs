//! A gold project with its scenarios, and its runs under the first seed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Mutex;

use super::choice;
use super::choosing;
use super::differing::Differing;
use super::plays::{FirstRuns, Part, Plays, Seeded, runs};
use super::rules::Rules;
use super::search::{Searched, search};
use super::synthesis::{Compared, Telling, synthesise};
use super::templates::instances;
use crate::bugs::Facts;
use crate::inject::{Candidate, Pattern};
use crate::judge::{PlayError, Played};
use crate::model::{Assertion, Scenario};
use crate::mutants::benign;
use crate::patches::effects::Influence;
use crate::project::reach::Reach;
use crate::project::{Project, ProjectError};

/// Values of a signal that are kept for `never`.
const MOST_VALUES: usize = 40;
/// Rewrites of a project that an assertion must accept.
const MOST_BENIGN: usize = 6;

/// A project that does the same as gold.
#[derive(Debug, Clone)]
struct Rewrite {
    name: String,
    sb3: Vec<u8>,
    differing: Differing,
}

/// A gold project, ready for faults.
#[derive(Debug)]
pub struct Gold {
    pub id: String,
    pub project: Project,
    pub sb3: Vec<u8>,
    pub reach: Reach,
    pub facts: Facts,
    pub scenarios: Vec<Scenario>,
    /// Its run under the first seed, by scenario.
    pub first: FirstRuns,
    /// Values of signals in any of these runs.
    pub values: BTreeMap<String, Vec<Value>>,
    /// Rewrites that do the same: right repairs look like them.
    rewrites: Vec<Rewrite>,
    /// Their runs, by scenario, as they are needed.
    benign_runs: Mutex<BTreeMap<String, Seeded>>,
}

impl Gold {
    /// Chooses scenarios for a project.
    ///
    /// # Errors
    /// When it can't be packed.
    pub fn of(id: &str, project: Project, rules: &Rules) -> Result<Self, ProjectError> {
        let reach = Reach::of(&project.json);
        let facts = Facts::of(&project.json, &reach);
        let scenarios = choice::choose(instances(&facts, rules.horizon), &reach);
        let sb3 = project.pack()?;
        let rewrites = benign(&project, &project, "", MOST_BENIGN, rules.seed).mutants.into_iter();
        let rewrites = rewrites.map(|one| {
            let rewritten = one.project(&project);
            let differing = Differing::between(&project.json, &rewritten.json);
            Ok(Rewrite { name: one.id, sb3: rewritten.pack()?, differing })
        });
        let rewrites = rewrites.collect::<Result<_, ProjectError>>()?;
        let (first, values, benign_runs) = (BTreeMap::new(), BTreeMap::new(), Mutex::default());
        Ok(Self { id: id.to_owned(), project, sb3, reach, facts, scenarios, first, values, rewrites, benign_runs })
    }

    /// Rewrites that do the same, by their names: project files.
    pub fn rewrites(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.rewrites.iter().map(|rewrite| (rewrite.name.as_str(), rewrite.sb3.as_slice()))
    }

    /// What rewrites that do the same show in a scenario, under the first seed; those that show what gold does in any case are left out.
    /// Those that can't be played count for nothing.
    ///
    /// # Errors
    /// When no page holds.
    pub async fn benign(&self, plays: &Plays, scenario: &Scenario) -> Result<Seeded, PlayError> {
        let mut known = self.benign_runs.lock().await;
        if let Some(runs) = known.get(&scenario.id) {
            return Ok(runs.clone());
        }
        let others = self.rewrites.iter().filter(|rewrite| self.may_show(&rewrite.differing, scenario));
        let others: Vec<&[u8]> = others.map(|rewrite| rewrite.sb3.as_slice()).collect();
        let runs = plays.those_that_run(Part::Benign, others, scenario).await?;
        known.insert(scenario.id.clone(), runs.clone());
        Ok(runs)
    }

    /// Whether what differs may show in a scenario, which gold was played.
    pub(super) fn may_show(&self, differing: &Differing, scenario: &Scenario) -> bool {
        self.first.get(&scenario.id).is_none_or(|played| differing.may_show(&played.covered))
    }

    /// What tells it from another project in a scenario: the runs of both under all seeds.
    pub fn telling(
        &self,
        scenario: &Scenario,
        (golden, other): (&Seeded, &Seeded),
        candidate: &Candidate,
        rules: &Rules,
    ) -> Vec<Telling> {
        let (golden, other) = (runs(golden), runs(other));
        let silent = candidate.messages.iter().cloned().collect();
        let (length, values) = (scenario.length, &self.values);
        synthesise(&Compared { golden: &golden, buggy: &other, length, silent: &silent, values }, rules)
    }

    /// The best of what tells another project from it, which has this fault or a wrong repair of it. What differs by timing alone is no
    /// symptom: a script may run a tick later because another sprite is drawn or not.
    pub fn chosen(&self, mut found: Vec<(&Scenario, Telling)>, other: &Value, candidate: &Candidate) -> Vec<Assertion> {
        let influence = Influence::between(&self.project.json, other);
        found.retain(|(_, telling)| influence.reaches(&telling.feature.signal()));
        let ends = candidate.pattern == Pattern::NonTerminatingLoop;
        choosing::choose(found, &self.facts.state_signals, ends)
    }

    /// The same gold for one fault, with a scenario of its own if there is one: its run is that under the first seed.
    pub(super) async fn and(&self, own: Option<(Scenario, Arc<Played>)>) -> Self {
        let mut gold = Self {
            id: self.id.clone(),
            project: self.project.clone(),
            sb3: self.sb3.clone(),
            reach: self.reach.clone(),
            facts: self.facts.clone(),
            scenarios: self.scenarios.clone(),
            first: self.first.clone(),
            values: self.values.clone(),
            rewrites: self.rewrites.clone(),
            benign_runs: Mutex::new(self.benign_runs.lock().await.clone()),
        };
        if let Some((scenario, played)) = own {
            gold.keep(scenario.id.clone(), played);
            gold.scenarios.push(scenario);
        }
        gold
    }

    /// Plays all scenarios under the first seed, and searches for more of them if the rules say so. What of the program ran is told.
    ///
    /// # Errors
    /// When it can't be played.
    pub async fn play(&mut self, plays: &Plays, rules: &Rules) -> Result<Searched, PlayError> {
        self.play_others(&[], plays, rules).await
    }

    /// The same where this very file was played before: scenarios that it was played in are not played again.
    ///
    /// # Errors
    /// When it can't be played.
    pub(super) async fn play_others(
        &mut self,
        known: &[(&Scenario, &Arc<Played>)],
        plays: &Plays,
        rules: &Rules,
    ) -> Result<Searched, PlayError> {
        let missing = missing(&self.scenarios, known);
        let played = plays.first(Part::Gold, &self.sb3, &missing).await?;
        for (id, played) in in_their_order(&self.scenarios, known, played) {
            self.keep(id, played);
        }
        let (searched, found) = search(self, plays, rules).await?;
        for (scenario, played) in found {
            self.keep(scenario.id.clone(), played);
            self.scenarios.push(scenario);
        }
        Ok(searched)
    }

    fn keep(&mut self, scenario: String, played: Arc<Played>) {
        for (signal, column) in &played.run().signals {
            let known = self.values.entry(signal.clone()).or_default();
            for value in &column.v {
                if known.len() < MOST_VALUES && !known.contains(value) {
                    known.push(value.clone());
                }
            }
        }
        self.first.insert(scenario, played);
    }

    /// The scenarios in whose runs a statement ran, the shortest first.
    pub fn reaching(&self, sprite: &str, statement: &str) -> Vec<&Scenario> {
        let ran = |scenario: &&Scenario| {
            let covered = self.first.get(&scenario.id).and_then(|played| played.covered.get(sprite));
            covered.is_some_and(|ids| ids.iter().any(|id| id == statement))
        };
        let mut found: Vec<&Scenario> = self.scenarios.iter().filter(ran).collect();
        found.sort_by_key(|scenario| (scenario.length, scenario.id.clone()));
        found
    }

    /// Ids of blocks that ran in any scenario, by target.
    pub fn covered(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut all: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for played in self.first.values() {
            for (sprite, ids) in &played.covered {
                all.entry(sprite).or_default().extend(ids.iter().map(String::as_str));
            }
        }
        all
    }

    /// The scenario of this id.
    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|scenario| scenario.id == id)
    }
}

/// The run of a scenario that was played before. The same name stands for other inputs where other figures were in force.
fn known_run(known: &[(&Scenario, &Arc<Played>)], scenario: &Scenario) -> Option<Arc<Played>> {
    known.iter().find(|(one, _)| *one == scenario).map(|(_, played)| Arc::clone(played))
}

/// The scenarios that are left to play.
fn missing<'a>(scenarios: &'a [Scenario], known: &[(&Scenario, &Arc<Played>)]) -> Vec<&'a Scenario> {
    scenarios.iter().filter(|scenario| known_run(known, scenario).is_none()).collect()
}

/// The runs of all scenarios in their order, of which those that were missing have been played now.
fn in_their_order(
    scenarios: &[Scenario],
    known: &[(&Scenario, &Arc<Played>)],
    played: Seeded,
) -> Vec<(String, Arc<Played>)> {
    let mut played = played.into_iter();
    let run = |scenario: &Scenario| {
        let run = known_run(known, scenario).or_else(|| played.next())?;
        Some((scenario.id.clone(), run))
    };
    scenarios.iter().filter_map(run).collect()
}

#[cfg(test)]
#[path = "gold_tests.rs"]
mod tests;
