//! The findings of a check on a task, and the reasons against certifying it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::table::TableTrial;
use super::unseen::UnseenTrial;
use crate::model::{Category, Outcome, TaskId};

/// Version of certificates. Raise it with any change that an older reader would misread.
pub const CERTIFICATE_FORMAT: u32 = 3;
/// The oldest format whose parts are still good; it lacks those that came later.
pub(super) const OLDEST_FORMAT: u32 = 2;
/// Name of the file beside `task.json` that a certificate is kept in.
pub const CERTIFICATE_FILE: &str = "certificate.json";

/// More equivalent mutants than this share of the sample need reasons.
const UNEXPLAINED_EQUIVALENT: f64 = 0.15;

/// Below this mutation score it is not asked why mutants are equivalent.
const BLIND: f64 = 0.5;

/// The result of checking one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Version of this format; [`CERTIFICATE_FORMAT`].
    pub format: u32,
    pub task: TaskId,
    pub category: Category,
    /// Whether everything was checked and nothing speaks against the task.
    pub certified: bool,
    /// The reasons against certifying it.
    pub reasons: Vec<String>,
    /// Digests of what was checked.
    pub hashes: ProjectHashes,
    /// Version of the Scratch editor package.
    pub editor: String,
    /// Product string of the browser.
    pub browser: String,
    /// The seeds that the golden project must pass under; the first one judges mutants.
    pub seeds: Vec<u64>,
    /// How the golden project did under each seed.
    pub golden: Vec<GoldenRun>,
    /// Whether the initial project failed under every seed.
    pub initial_failed: bool,
    /// Whether the sprites without code failed.
    pub empty_failed: bool,
    /// Tests that pass on the sprites without code. Only tasks that start from a program may have any: tests that
    /// something stays as it was.
    pub passing_when_empty: Vec<String>,
    /// For each second solution, whether it passed under every seed.
    pub second_solutions_passed: Vec<bool>,
    /// For each slow solution, whether it passed under every seed.
    pub slow_solutions_passed: Vec<bool>,
    /// Share of results, tests and trace hashes, that differed when a judgement was repeated; 0 to 1.
    pub flake_rate: f64,
    /// How many blocks lie between the initial and the golden project.
    #[serde(default)]
    pub changed_blocks: usize,
    /// Results for the mutants with one fault in a block; absent if they were not requested, or the golden project failed.
    pub mutation: Option<Mutation>,
    /// Results for the behavioural mutants; absent likewise.
    pub behaviour: Option<Mutation>,
    /// Results for the mutants that damage what the solution should leave alone; absent likewise, and empty where there is nothing.
    #[serde(default)]
    pub collateral: Option<Mutation>,
    /// Results for rewritten golden projects; absent likewise.
    #[serde(default)]
    pub benign: Option<Benign>,
    /// How a program did that knows what is asked under the first seed; absent likewise, and where the script draws nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub table: Option<TableTrial>,
    /// How it did with each sprite that shows in it never seen; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unseen: Option<UnseenTrial>,
    /// What each test of the script is good for.
    #[serde(default)]
    pub tests: Option<TestReport>,
    /// The oracle's composite list that was found to solve the task; absent without a list, or if it does not solve the task.
    #[serde(default)]
    pub oracle: Option<OracleTrial>,
    /// How long the check took, in seconds; what was kept from an earlier one took none.
    pub seconds: f64,
}

/// A list of composite calls that was carried out in the editor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OracleTrial {
    /// How many calls it has.
    pub calls: usize,
    /// Digest of the calls, SHA-256 in hexadecimal.
    pub list: String,
}

/// SHA-256 digests in hexadecimal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectHashes {
    /// All files that a check of the task depends on.
    pub sources: String,
    /// The part of the judge that runs in the page.
    pub engine: String,
    /// The evaluation script with its helpers.
    pub script: String,
    pub golden: String,
    pub initial: String,
    /// The files of the second solutions.
    pub second_solutions: Vec<String>,
    /// The files of the slow solutions.
    pub slow_solutions: Vec<String>,
}

/// The golden project under one seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldenRun {
    pub seed: u64,
    pub outcome: Outcome,
    pub passed_tests: u32,
    pub total_tests: u32,
    pub trace_hash: Option<String>,
}

/// Results for the mutants of a golden project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mutation {
    /// Killed over those that are neither equivalent nor allowed nor unjudged, 0 to 1; absent if there are none.
    pub score: Option<f64>,
    /// How many mutants there are in all.
    pub population: usize,
    /// How many there are of each operator.
    pub operators: BTreeMap<String, usize>,
    /// How many were judged.
    pub sample: usize,
    /// How many would have been judged at most.
    pub limit: usize,
    pub seed: u64,
    /// How many had each outcome.
    pub outcomes: BTreeMap<MutantOutcome, usize>,
    /// Each test of the script, with the mutants that it was the first to fail on.
    pub tests: Vec<TestKills>,
    /// The judged mutants, in the order of their places in the project.
    pub mutants: Vec<MutantRecord>,
}

/// Golden projects that are written otherwise and do the same. Each must pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Benign {
    /// How many such rewrites there are in all.
    pub population: usize,
    /// How many there are of each kind.
    pub operators: BTreeMap<String, usize>,
    /// How many were judged.
    pub judged: usize,
    /// How many of these passed.
    pub passed: usize,
    /// How many would have been judged at most.
    pub limit: usize,
    pub seed: u64,
    /// Those that were judged.
    pub mutants: Vec<BenignRecord>,
}

/// One rewritten golden project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenignRecord {
    /// Its name: `benign:kind:target:path:variant`.
    pub id: String,
    /// The changed block, as notation.
    pub block: String,
    pub became: String,
    /// Whether the judge passed it, as it must.
    pub passed: bool,
    /// The first test that failed with its message, or what went wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trouble: Option<String>,
}

/// What the tests of a script are good for, over mutants of all sorts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    /// How many mutants that a test killed were judged on to the last test, at most, beside the collateral ones, which all are.
    pub limit: usize,
    /// The tests in their order.
    pub tests: Vec<TestUse>,
}

/// What one test is good for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestUse {
    pub name: String,
    /// On how many mutants it was the first to fail.
    pub first: usize,
    /// On how many it is known to fail, first or later.
    pub kills: usize,
    /// How many mutants it was tried on to the end.
    pub tried: usize,
}

impl TestReport {
    /// Tests that fail on no mutant that they were tried on: needless ones, or such as look at what no mutant alters.
    pub fn idle(&self) -> Vec<&str> {
        self.tests.iter().filter(|test| test.kills == 0).map(|test| test.name.as_str()).collect()
    }

    /// Tests that notice something, and always after another one.
    pub fn late(&self) -> Vec<&str> {
        self.tests.iter().filter(|test| test.kills > 0 && test.first == 0).map(|test| test.name.as_str()).collect()
    }
}

/// What a test was good for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestKills {
    pub name: String,
    /// Names of the mutants it killed.
    pub kills: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantRecord {
    /// Its name: `operator:target:path:variant`.
    pub id: String,
    pub operator: String,
    pub target: String,
    /// To which block, as notation.
    pub block: String,
    pub outcome: MutantOutcome,
    /// The first test that failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub killer: Option<String>,
    /// The numbers of all tests that failed, from 1, where they were all tried.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failed: Vec<usize>,
    /// What the block became, of one that survived.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub became: Option<String>,
    /// The line of the golden project's text that the block stands on, from 1, of one that survived.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<usize>,
    /// Why it is equivalent or allowed, as the task's author says, or why it could not be judged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The result for a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MutantOutcome {
    Killed,
    /// All tests passed, though it does not do what the golden project does.
    Survived,
    /// Under all seeds it does what the golden project does, tick by tick.
    Equivalent,
    /// A behavioural or collateral mutant that passed all tests, and that the instruction allows, as the task's author says.
    Allowed,
    /// The evaluation script broke on it.
    JudgeError,
    /// The testbed broke on it; it does not count.
    Unjudged,
}

impl Certificate {
    /// The names of the script's tests.
    pub(super) fn test_names(&self) -> Vec<String> {
        self.mutation.iter().flat_map(|part| &part.tests).map(|test| test.name.clone()).collect()
    }

    /// Whether other reasons kept its mutants from being judged, so that missing parts are no further reason.
    pub(super) fn is_refused_unscored(&self) -> bool {
        self.mutation.is_none() && !self.reasons.is_empty()
    }

    pub fn all_mutants(&self) -> impl Iterator<Item = &Mutation> {
        self.mutation.iter().chain(&self.behaviour).chain(&self.collateral)
    }

    /// Reasons against the task from its mutants. A pack's judge may reject benign ones or be passed by a table; the certificate
    /// says so.
    pub(super) fn part_reasons(&self, ours: bool) -> Vec<String> {
        let mut reasons: Vec<String> = self.mutation.iter().flat_map(Mutation::reasons).collect();
        reasons.extend(self.behaviour.as_ref().and_then(|part| part.trouble("behavioural mutants")));
        reasons.extend(self.collateral.as_ref().and_then(|part| part.trouble("collateral mutants")));
        reasons.extend(self.benign.iter().filter(|_| ours).flat_map(Benign::reasons));
        reasons.extend(self.table.iter().filter(|_| ours).flat_map(TableTrial::reasons));
        reasons.extend(self.unseen.iter().filter(|_| ours).flat_map(UnseenTrial::reasons));
        reasons
    }
}

impl Mutation {
    /// Counts and lists the results for mutants. `tests` are the names of all tests of the script.
    pub(super) fn count(&mut self, tests: &[String]) {
        self.sample = self.mutants.len();
        self.outcomes.clear();
        for mutant in &self.mutants {
            *self.outcomes.entry(mutant.outcome).or_default() += 1;
        }
        let kills = |name: &String| {
            let killed = self.mutants.iter().filter(|mutant| mutant.killer.as_ref() == Some(name));
            TestKills { name: name.clone(), kills: killed.map(|mutant| mutant.id.clone()).collect() }
        };
        self.tests = tests.iter().map(kills).collect();
        let of = |outcome| self.outcomes.get(&outcome).copied().unwrap_or_default();
        let counted =
            self.sample - of(MutantOutcome::Equivalent) - of(MutantOutcome::Allowed) - of(MutantOutcome::Unjudged);
        self.score = (counted > 0).then(|| share(of(MutantOutcome::Killed), counted));
    }

    /// Reasons against the task from mutants with faults.
    pub(super) fn reasons(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        let of = |outcome| self.mutants.iter().filter(move |mutant| mutant.outcome == outcome);
        match self.score {
            None => reasons.push("no mutant of the golden project could be distinguished from it".to_owned()),
            Some(score) if score <= 0.0 => reasons.push("mutation score 0: the tests kill no mutant".to_owned()),
            Some(_) => {}
        }
        reasons.extend(self.trouble("mutants"));
        let equivalent: Vec<_> = of(MutantOutcome::Equivalent).collect();
        let unexplained = equivalent.iter().filter(|mutant| mutant.reason.is_none()).count();
        // A judge that notices nothing must be fixed first: mutants that it can't distinguish need not be equivalent.
        let blind = self.score.is_none_or(|score| score < BLIND);
        if !blind && share(equivalent.len(), self.sample) > UNEXPLAINED_EQUIVALENT && unexplained > 0 {
            let names = equivalent.iter().filter(|mutant| mutant.reason.is_none()).map(|mutant| mutant.id.as_str());
            reasons.push(format!(
                "{} of {} mutants are equivalent, and equivalent.json lists no reason for {unexplained} of them: {}",
                equivalent.len(),
                self.sample,
                names.collect::<Vec<_>>().join(", ")
            ));
        }
        reasons
    }

    /// Whether nothing could be judged since there is nothing to be judged.
    pub const fn is_empty(&self) -> bool {
        self.population == 0
    }

    /// What speaks against the task, of mutants of any sort, which `words` names: some have no verdict.
    pub(super) fn trouble(&self, words: &str) -> Option<String> {
        let unjudged = self.mutants.iter().filter(|mutant| mutant.outcome == MutantOutcome::Unjudged).count();
        (unjudged > 0).then(|| format!("{unjudged} {words} could not be judged"))
    }
}

impl Benign {
    /// Reasons against the judge: it refuses programs that do what the golden project does.
    pub(super) fn reasons(&self) -> Vec<String> {
        let refused = self.mutants.iter().filter(|mutant| !mutant.passed);
        let words = |mutant: &BenignRecord| {
            let BenignRecord { id, block, became, trouble, .. } = mutant;
            format!("{id} must pass ({block} became {became}): {}", trouble.as_deref().unwrap_or("it failed"))
        };
        refused.map(words).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of mutants are small")]
fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}
