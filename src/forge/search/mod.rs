//! Inputs that reach what the templates leave unreached: a search guided by coverage on the virtual clock (ScratchEval, section 10.5).
//!
//! An archive keeps, for each live statement that no run has executed, the inputs that came nearest to it (MIO, Arcuri 2018); new ones
//! are made from these, or from nothing. A run is a pure function of its inputs here, so nothing in the archive goes stale, and leaving
//! inputs out is exact. `goals` says how near a run came, `distance` how far a condition was, `genes` what inputs are.

mod distance;
mod genes;
mod goals;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::join_all;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use self::genes::{Alphabet, Genes};
use self::goals::{Goals, Place, Ran};
use super::gold::Gold;
use super::plays::{Part, Plays};
use super::rules::Rules;
use crate::judge::{PlayError, Played};
use crate::model::{Scenario, sha256_hex};

/// Runs that are made from one state of the archive, whatever the number of lanes: what is found does not depend on it.
const BATCH: usize = 6;
/// The share of runs that are made from nothing.
const FROM_NOTHING: f64 = 0.3;
/// Scenarios that are found at most.
const MOST: usize = 4;
/// Batches without anything nearer, after which the search ends before its budget.
const MOST_IDLE: u32 = 40;

/// What a search came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Searched {
    /// Live statements, those that ran in a scenario of the templates, and those that ran in one that was found.
    pub live: usize,
    pub ran: usize,
    pub found: usize,
    /// Ticks that were played.
    pub ticks: u64,
}

/// Inputs with their run.
type Made = (Genes, Arc<Played>);

/// The inputs that came nearest to a statement.
struct Nearest {
    fitness: f64,
    genes: Genes,
}

struct Search<'a> {
    gold: &'a Gold,
    plays: &'a Plays,
    rules: &'a Rules,
    alphabet: Alphabet,
    goals: Goals<'a>,
    random: Pcg64,
    open: BTreeMap<Place, Nearest>,
    ticks: u64,
}

/// Looks for scenarios that run what those of a project leave out, and says what ran before and after. The project's runs are there.
///
/// # Errors
/// When no page holds.
pub async fn search(
    gold: &Gold,
    plays: &Plays,
    rules: &Rules,
) -> Result<(Searched, Vec<(Scenario, Arc<Played>)>), PlayError> {
    let goals = Goals::of(&gold.project.json, &gold.reach);
    let live = goals.all().count();
    let ran = Ran::of(gold.first.values().map(|run| &**run));
    let open: BTreeMap<Place, Nearest> = goals
        .all()
        .filter(|goal| !ran.has(goal))
        .map(|goal| (goal.clone(), Nearest { fitness: f64::INFINITY, genes: Vec::new() }))
        .collect();
    let mut searched = Searched { live, ran: live - open.len(), ..Searched::default() };
    let alphabet = Alphabet::of(&gold.facts);
    if open.is_empty() || alphabet.is_empty() || rules.search == 0 {
        return Ok((searched, Vec::new()));
    }
    let random = random_of(rules.seed, &gold.id);
    let mut search = Search { gold, plays, rules, alphabet, goals, random, open, ticks: 0 };
    let found = search.run().await?;
    searched.found = live - searched.ran - search.open.len();
    searched.ticks = search.ticks;
    Ok((searched, found))
}

/// What is drawn of a project under a seed: the same on any machine.
fn random_of(seed: u64, project: &str) -> Pcg64 {
    let digest = sha256_hex(format!("{seed} {project}").as_bytes());
    Pcg64::seed_from_u64(u64::from_str_radix(&digest[..16], 16).unwrap_or_default())
}

impl Search<'_> {
    /// Until all is reached, the budget is used up, or nothing comes nearer any more.
    async fn run(&mut self) -> Result<Vec<(Scenario, Arc<Played>)>, PlayError> {
        let (mut found, mut idle) = (Vec::new(), 0);
        while self.ticks < self.rules.search && !self.open.is_empty() && found.len() < MOST && idle < MOST_IDLE {
            idle += 1;
            let batch: Vec<Genes> = (0..BATCH).map(|_| self.next()).collect();
            for (genes, run) in self.played(batch).await? {
                let reached = self.reached(&run);
                if !reached.is_empty() && found.len() < MOST {
                    let (genes, run) = self.shortened(genes, run, &reached).await?;
                    let id = format!("s{}", self.gold.scenarios.len() + found.len() + 1);
                    let scenario = Scenario { id, ..self.alphabet.scenario(&genes, self.rules.horizon) };
                    self.close(&run);
                    found.push((scenario, run));
                    idle = 0;
                } else if self.note(&genes, &run) {
                    idle = 0;
                }
            }
        }
        Ok(found)
    }

    /// Inputs from nothing, or like those that came nearest to some statement.
    fn next(&mut self) -> Genes {
        let from_nothing = self.random.random_bool(FROM_NOTHING);
        let known: Vec<&Nearest> = self.open.values().filter(|nearest| nearest.fitness.is_finite()).collect();
        match known.choose(&mut self.random) {
            Some(nearest) if !from_nothing => {
                let genes = nearest.genes.clone();
                self.alphabet.mutated(&genes, &mut self.random)
            }
            _ => self.alphabet.random(&mut self.random),
        }
    }

    /// Plays inputs; those that the program does not bear are left out.
    async fn played(&mut self, batch: Vec<Genes>) -> Result<Vec<Made>, PlayError> {
        let scenarios: Vec<Scenario> =
            batch.iter().map(|genes| self.alphabet.scenario(genes, self.rules.horizon)).collect();
        let runs = scenarios.iter().map(|scenario| self.plays.play(Part::Search, &self.gold.sb3, scenario, 1));
        let mut made = Vec::new();
        for (genes, run) in batch.into_iter().zip(join_all(runs).await) {
            match run {
                Ok(run) => {
                    self.ticks += run.run().ticks;
                    made.push((genes, run));
                }
                Err(error) if error.is_of_project() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }

    /// Open statements that ran.
    fn reached(&self, run: &Played) -> Vec<Place> {
        let ran = Ran::of([run]);
        self.open.keys().filter(|goal| ran.has(goal)).cloned().collect()
    }

    /// Statements that ran are open no longer.
    fn close(&mut self, run: &Played) {
        let ran = Ran::of([run]);
        self.open.retain(|goal, _| !ran.has(goal));
    }

    /// Keeps inputs that came nearer to a statement, or as near with fewer of them; whether any came nearer.
    fn note(&mut self, genes: &Genes, run: &Played) -> bool {
        let (ran, mut nearer) = (Ran::of([run]), false);
        for (goal, nearest) in &mut self.open {
            let fitness = self.goals.fitness(goal, run, &ran);
            nearer |= fitness < nearest.fitness;
            if fitness < nearest.fitness || (fitness <= nearest.fitness && genes.len() < nearest.genes.len()) {
                *nearest = Nearest { fitness, genes: genes.clone() };
            }
        }
        nearer
    }

    /// Fewer inputs that reach the same: halves, then quarters and so on are left out as long as the budget lasts.
    async fn shortened(
        &mut self,
        mut genes: Genes,
        mut run: Arc<Played>,
        reached: &[Place],
    ) -> Result<Made, PlayError> {
        let mut size = genes.len().div_ceil(2);
        while size > 0 && self.ticks < self.rules.search {
            let begins = (0..genes.len()).step_by(size);
            let without = |begin: usize| [&genes[..begin], &genes[(begin + size).min(genes.len())..]].concat();
            let shorter: Vec<Genes> = begins.map(without).collect();
            let good = self.played(shorter).await?.into_iter().find(|(_, run)| {
                let ran = Ran::of([&**run]);
                reached.iter().all(|goal| ran.has(goal))
            });
            match good {
                Some((fewer, of_fewer)) => {
                    (genes, run) = (fewer, of_fewer);
                    size = size.min(genes.len().div_ceil(2));
                }
                None => size /= 2,
            }
        }
        Ok((genes, run))
    }
}
