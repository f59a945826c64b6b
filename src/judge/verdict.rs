//! Turns the ending of a page run into a verdict.

use std::time::Duration;

use super::hashes::hashes;
use super::page_run::{Ending, PageRun};
use super::{Conditions, JudgeError, Judgement, Trouble, report};
use crate::model::{Outcome, Verdict};
use crate::taskset::{Contract, EvaluationSources, TaskEntry};

/// The verdict before anything is known.
pub(super) fn blank(entry: &TaskEntry, sources: &EvaluationSources, sb3: &[u8], how: &Conditions) -> Verdict {
    Verdict {
        task: entry.task.id.clone(),
        outcome: Outcome::InfraError,
        passed_tests: 0,
        total_tests: 0,
        details: Vec::new(),
        error: None,
        warnings: Vec::new(),
        console: Vec::new(),
        seed: how.seed,
        seed_results: Vec::new(),
        clock: how.clock,
        clock_parameters: None,
        project_ms: None,
        trace_hash: None,
        hashes: hashes(sb3, sources, ""),
    }
}

/// The testbed broke; nothing is known about the project.
pub(super) fn infra(verdict: Verdict, trouble: Trouble, error: String) -> Judgement {
    let verdict = Verdict { outcome: Outcome::InfraError, error: Some(error), ..verdict };
    Judgement { verdict, trace: None, trouble: Some(trouble), processor: Duration::ZERO }
}

/// No test could be run, and that is the project's fault.
pub(super) fn failed(verdict: Verdict, error: String) -> Judgement {
    let verdict = Verdict { outcome: Outcome::Failed, error: Some(error), ..verdict };
    Judgement { verdict, trace: None, trouble: None, processor: Duration::ZERO }
}

/// Puts what the page run showed into the verdict.
pub(super) fn conclude(mut verdict: Verdict, run: PageRun, contract: Contract) -> Result<Judgement, JudgeError> {
    verdict.console = run.console;
    let record = run.record.unwrap_or_default();
    verdict.trace_hash = record.hash;
    verdict.clock_parameters = record.clock;
    verdict.project_ms = record.elapsed_ms;
    let mut trouble = None;
    match run.ending {
        Ending::Unloadable(message) => return Err(JudgeError::Unloadable { message }),
        Ending::Broke(message) | Ending::Tripped(message) => {
            trouble = Some(Trouble::Script);
            verdict.error = Some(message);
        }
        Ending::Spent(message) => {
            trouble = Some(Trouble::Spent);
            verdict.error = Some(message);
        }
        // The program is at fault, and passed none of its tests.
        Ending::Hung(message) => {
            verdict.outcome = Outcome::Failed;
            verdict.error = Some(message);
        }
        Ending::Reported(value) => match report::decode(&value, contract) {
            Ok(report) => {
                verdict.outcome = if report.success { Outcome::Passed } else { Outcome::Failed };
                verdict.passed_tests = report.passed_tests;
                verdict.total_tests = report.total_tests;
                verdict.details = report.details;
                verdict.warnings = report.warnings;
            }
            Err(fault) => {
                trouble = Some(Trouble::Script);
                verdict.error = Some(fault.to_string());
            }
        },
    }
    if trouble.is_some() {
        verdict.outcome = Outcome::JudgeError;
    }
    Ok(Judgement { verdict, trace: record.trace, trouble, processor: Duration::ZERO })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::model::Coded;
    use crate::taskset::TaskSet;

    fn concluded(ending: Ending) -> Result<Verdict, JudgeError> {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let entry = set.find("kite_gusts").unwrap();
        let blank = blank(entry, &entry.evaluation().unwrap(), b"", &Conditions::seeded(1));
        let run = PageRun { ending, console: vec!["log: hello".to_owned()], record: None };
        conclude(blank, run, entry.contract()).map(|judgement| judgement.verdict)
    }

    #[test]
    fn each_ending_has_its_outcome() {
        let report = |passed: bool| {
            let n = u32::from(passed);
            let details = [json!({"name": "waves", "passed": passed})];
            json!({"success": passed, "passed_tests": n, "total_tests": 1, "details": details})
        };
        for (ending, outcome) in [
            (Ending::Reported(report(true)), Outcome::Passed),
            (Ending::Reported(report(false)), Outcome::Failed),
            (Ending::Reported(json!("fine")), Outcome::JudgeError),
            (Ending::Broke("TypeError".to_owned()), Outcome::JudgeError),
            (Ending::Tripped("RangeError".to_owned()), Outcome::JudgeError),
            (Ending::Spent("60 s".to_owned()), Outcome::JudgeError),
            (Ending::Hung("busy".to_owned()), Outcome::Failed),
        ] {
            let verdict = concluded(ending).unwrap();
            assert_eq!(verdict.outcome, outcome);
            assert_eq!(verdict.console, ["log: hello"]);
        }
    }

    #[test]
    fn a_project_that_does_not_load_has_no_verdict() {
        let error = concluded(Ending::Unloadable("no targets".to_owned())).unwrap_err();
        assert_eq!(error.code(), "project_unloadable");
    }
}
