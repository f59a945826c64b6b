//! How the results of `scratchbed check` are shown, in a table and as JSON.

use serde_json::{Value, json};

use super::output::Output;
use super::table::table;
use crate::flags::failure::Failure;
use scratchbed::certify::{Certificate, MutantOutcome, MutantRecord, Mutation, TestReport};
use scratchbed::model::{Category, Outcome, TaskId};

const COLUMNS: usize = 17;
const HEAD: [&str; COLUMNS] = [
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

/// What became of one task.
pub struct Checked {
    pub id: TaskId,
    pub category: Category,
    /// The certificate, or what stood in the way.
    pub finding: Finding,
}

/// What a check of one task came to.
pub enum Finding {
    /// It was checked now.
    Judged(Certificate),
    /// It was not judged: this certificate was kept beside it and is current.
    Unchanged(Certificate),
    /// It could not be checked.
    Broken(Failure),
}

impl Checked {
    /// The certificate, if there is one.
    pub const fn certificate(&self) -> Option<&Certificate> {
        match &self.finding {
            Finding::Judged(certificate) | Finding::Unchanged(certificate) => Some(certificate),
            Finding::Broken(_) => None,
        }
    }

    /// What it came to, in a word or two.
    pub fn verdict(&self) -> &'static str {
        match (&self.finding, self.certificate()) {
            (Finding::Unchanged(_), _) => "certified, unchanged",
            (_, Some(certificate)) if certificate.certified => "certified",
            (_, Some(certificate)) if certificate.reasons.is_empty() => "not certified",
            (_, Some(_)) => "REFUSED",
            (_, None) => "BROKEN",
        }
    }

    /// Whether nothing speaks against it.
    pub fn is_sound(&self) -> bool {
        self.certificate().is_some_and(|certificate| certificate.reasons.is_empty())
    }
}

/// Prints a table, what speaks against each task, and which mutants survived.
pub fn show(checked: &[Checked], missed: &[String], out: Output) {
    out.say(table(&HEAD, checked.iter().map(row)).to_string());
    for Checked { id: task, finding, .. } in checked {
        let certificate = match finding {
            Finding::Broken(failure) => {
                out.say(format!("{task}: {}", failure.text()));
                continue;
            }
            Finding::Judged(certificate) | Finding::Unchanged(certificate) => certificate,
        };
        for reason in &certificate.reasons {
            out.say(format!("{task}: {reason}"));
        }
        if let Some(tests) = &certificate.tests {
            let oddities = [("failed on no mutant", tests.idle()), ("failed, but never first", tests.late())];
            for (words, names) in oddities.into_iter().filter(|(_, names)| !names.is_empty()) {
                out.say(format!("{task}: {words}: {}", names.join("; ")));
            }
        }
        for mutant in certificate.all_mutants().flat_map(survivors) {
            out.say(format!("{task}: survived: {}", survivor(mutant)));
        }
    }
    for missed in missed {
        out.say(missed);
    }
}

fn survivors(mutation: &Mutation) -> impl Iterator<Item = &MutantRecord> {
    mutation.mutants.iter().filter(|mutant| mutant.outcome == MutantOutcome::Survived)
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

fn row(checked: &Checked) -> Vec<String> {
    let Some(certificate) = checked.certificate() else {
        let mut cells = vec!["-".to_owned(); COLUMNS];
        cells[0] = checked.id.to_string();
        checked.verdict().clone_into(&mut cells[COLUMNS - 1]);
        return cells;
    };
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
        checked.verdict().to_owned(),
    ]
}

/// What `--json` prints of a task.
pub fn summary(checked: &Checked) -> Value {
    let certificate = match &checked.finding {
        Finding::Broken(failure) => {
            let reasons = [failure.text()];
            return json!({"id": checked.id, "category": checked.category, "certified": false, "reasons": reasons});
        }
        Finding::Judged(certificate) | Finding::Unchanged(certificate) => certificate,
    };
    let (mutation, behaviour) = (certificate.mutation.as_ref(), certificate.behaviour.as_ref());
    let goldens = passed(certificate);
    json!({
        "id": certificate.task,
        "category": certificate.category,
        "certified": certificate.certified,
        "unchanged": matches!(checked.finding, Finding::Unchanged(_)),
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
