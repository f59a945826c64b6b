//! How certificates are listed: the cells of a table, and the short form for programs.

use serde_json::{Value, json};

use super::{Certificate, MutantOutcome, MutantRecord, Mutation, TestReport};
use crate::model::Outcome;

const COLUMNS: usize = 17;
/// The heads of [`cells`].
pub const HEAD: [&str; COLUMNS] = [
    "task",
    "golden",
    "initial",
    "mutation",
    "killed",
    "survived",
    "equivalent",
    "behaviour",
    "killed",
    "survived",
    "collateral",
    "killed",
    "survived",
    "benign",
    "flaky",
    "seconds",
    "",
];

/// The mutants that no test noticed.
fn survivors(mutation: &Mutation) -> impl Iterator<Item = &MutantRecord> {
    mutation.mutants.iter().filter(|mutant| mutant.outcome == MutantOutcome::Survived)
}

/// What is to be said of a certificate: what speaks against the task, tests that are of no use, and which mutants survived.
pub fn remarks(certificate: &Certificate) -> Vec<String> {
    let mut remarks = certificate.reasons.clone();
    if let Some(tests) = &certificate.tests {
        let oddities = [("failed on no mutant", tests.idle()), ("failed, but never first", tests.late())];
        let told = oddities.into_iter().filter(|(_, names)| !names.is_empty());
        remarks.extend(told.map(|(words, names)| format!("{words}: {}", names.join("; "))));
    }
    let survived = certificate.all_mutants().flat_map(survivors);
    remarks.extend(survived.map(|mutant| format!("survived: {}", survivor(mutant))));
    remarks
}

/// A surviving mutant with what was done, and where.
fn survivor(mutant: &MutantRecord) -> String {
    let MutantRecord { id, block, became, line, .. } = mutant;
    let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
    let became = became.as_ref().map(|became| format!(" became: {became}")).unwrap_or_default();
    format!("{id}{line}: {block}{became}")
}

/// Under how many seeds the golden project passed.
fn passed(certificate: &Certificate) -> usize {
    certificate.golden.iter().filter(|run| run.outcome == Outcome::Passed).count()
}

/// The cells of a task without a certificate.
pub fn no_cells(task: &str, verdict: &str) -> Vec<String> {
    let mut cells = vec!["-".to_owned(); COLUMNS];
    task.clone_into(&mut cells[0]);
    verdict.clone_into(&mut cells[COLUMNS - 1]);
    cells
}

/// The cells of a certificate; `verdict` says in a word or two what it came to.
pub fn cells(certificate: &Certificate, verdict: &str) -> Vec<String> {
    let passed = passed(certificate);
    let (mutation, behaviour) = (certificate.mutation.as_ref(), certificate.behaviour.as_ref());
    let collateral = certificate.collateral.as_ref();
    let benign = certificate.benign.as_ref().map(|benign| format!("{}/{}", benign.passed, benign.judged));
    let count = |mutants: Option<&Mutation>, outcome| {
        mutants.map_or_else(|| "-".to_owned(), |found| found.outcomes.get(&outcome).copied().unwrap_or(0).to_string())
    };
    let score = |mutants: Option<&Mutation>| {
        mutants.and_then(|found| found.score).map_or_else(|| "-".to_owned(), |score| format!("{score:.2}"))
    };
    vec![
        certificate.task.to_string(),
        format!("{passed}/{} seeds", certificate.seeds.len()),
        if certificate.initial_failed { "fails" } else { "PASSES" }.to_owned(),
        score(mutation),
        count(mutation, MutantOutcome::Killed),
        count(mutation, MutantOutcome::Survived),
        count(mutation, MutantOutcome::Equivalent),
        score(behaviour),
        count(behaviour, MutantOutcome::Killed),
        count(behaviour, MutantOutcome::Survived),
        score(collateral),
        count(collateral, MutantOutcome::Killed),
        count(collateral, MutantOutcome::Survived),
        benign.unwrap_or_else(|| "-".to_owned()),
        format!("{:.2}", certificate.flake_rate),
        format!("{:.1}", certificate.seconds),
        verdict.to_owned(),
    ]
}

/// The short form; `unchanged` says that it was kept and is current.
pub fn short(certificate: &Certificate, unchanged: bool) -> Value {
    let (mutation, behaviour) = (certificate.mutation.as_ref(), certificate.behaviour.as_ref());
    let goldens = passed(certificate);
    json!({
        "id": certificate.task,
        "category": certificate.category,
        "certified": certificate.certified,
        "unchanged": unchanged,
        "reasons": certificate.reasons,
        "golden_passed": goldens == certificate.seeds.len(),
        "initial_failed": certificate.initial_failed,
        "empty_failed": certificate.empty_failed,
        "second_solutions_passed": certificate.second_solutions_passed,
        "slow_solutions_passed": certificate.slow_solutions_passed,
        "mutation_score": mutation.and_then(|mutation| mutation.score),
        "mutants": mutation.map(outcomes),
        "behaviour_score": behaviour.and_then(|behaviour| behaviour.score),
        "behaviours": behaviour.map(outcomes),
        "collateral_score": certificate.collateral.as_ref().and_then(|collateral| collateral.score),
        "collateral": certificate.collateral.as_ref().map(outcomes),
        "benign": certificate.benign.as_ref().map(|benign| json!({"judged": benign.judged, "passed": benign.passed})),
        "table": certificate.table,
        "unseen": certificate.unseen,
        "tests": certificate.tests.as_ref().map(|report| &report.tests),
        "idle_tests": certificate.tests.as_ref().map(TestReport::idle),
        "late_tests": certificate.tests.as_ref().map(TestReport::late),
        "flake_rate": certificate.flake_rate,
        "seconds": certificate.seconds,
    })
}

fn outcomes(mutation: &Mutation) -> Value {
    json!({"population": mutation.population, "sample": mutation.sample, "outcomes": mutation.outcomes,
        "survivors": survivors(mutation).map(|mutant| &mutant.id).collect::<Vec<_>>()})
}
