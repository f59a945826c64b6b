//! From a project file to a verdict.

use super::hashes::hashes;
use super::page_run::{self, Ending, PageRun};
use super::{JudgeError, report};
use crate::model::{Clock, Outcome, Verdict};
use crate::page::PageError;
use crate::project::Project;
use crate::session::Fleet;
use crate::taskset::TaskEntry;

/// Judges a project file for a task in a page of its own, in real time.
///
/// A script that breaks gives the outcome `judge_error`, a browser that breaks `infra_error`; both are
/// verdicts, so that a batch can record and retry them.
///
/// # Errors
/// When the file is no project that can be loaded, or the script can't be read.
pub async fn judge(fleet: &Fleet, entry: &TaskEntry, sb3: &[u8], seed: u64) -> Result<Verdict, JudgeError> {
    Project::read(sb3)?.check()?;
    let sources = entry.evaluation()?;
    let mut verdict = Verdict {
        task: entry.task.id.clone(),
        outcome: Outcome::InfraError,
        passed_tests: 0,
        total_tests: 0,
        details: Vec::new(),
        error: None,
        warnings: Vec::new(),
        console: Vec::new(),
        seed,
        clock: Clock::Real,
        trace_hash: None,
        hashes: hashes(sb3, &sources, ""),
    };
    let lease = match fleet.acquire().await {
        Ok(lease) => lease,
        Err(error) => return Ok(infra(verdict, &error)),
    };
    lease.browser_product().clone_into(&mut verdict.hashes.browser);
    let run = page_run::run(&lease.page, &entry.task, &sources, sb3, seed).await;
    fleet.release(lease).await;
    match run {
        Ok(run) => conclude(verdict, run),
        Err(error) => Ok(infra(verdict, &error)),
    }
}

fn infra(mut verdict: Verdict, error: &PageError) -> Verdict {
    verdict.outcome = Outcome::InfraError;
    verdict.error = Some(error.to_string());
    verdict
}

/// Puts what the page run showed into the verdict.
fn conclude(mut verdict: Verdict, run: PageRun) -> Result<Verdict, JudgeError> {
    verdict.console = run.console;
    match run.ending {
        Ending::Unloadable(message) => return Err(JudgeError::Unloadable { message }),
        Ending::Broke(message) => {
            verdict.outcome = Outcome::JudgeError;
            verdict.error = Some(message);
        }
        // The program is at fault, and none of its tests was passed.
        Ending::Hung(message) => {
            verdict.outcome = Outcome::Failed;
            verdict.error = Some(message);
        }
        Ending::Reported(value) => match report::decode(&value) {
            Ok(report) => {
                verdict.outcome = if report.success { Outcome::Passed } else { Outcome::Failed };
                verdict.passed_tests = report.passed_tests;
                verdict.total_tests = report.total_tests;
                verdict.details = report.details;
                verdict.warnings = report.warnings;
            }
            Err(fault) => {
                verdict.outcome = Outcome::JudgeError;
                verdict.error = Some(fault.to_string());
            }
        },
    }
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Hashes;

    fn concluded(ending: Ending) -> Result<Verdict, JudgeError> {
        let blank = Verdict {
            task: "wave".parse().unwrap(),
            outcome: Outcome::InfraError,
            passed_tests: 0,
            total_tests: 0,
            details: Vec::new(),
            error: None,
            warnings: Vec::new(),
            console: Vec::new(),
            seed: 1,
            clock: Clock::Real,
            trace_hash: None,
            hashes: Hashes::default(),
        };
        conclude(blank, PageRun { ending, console: vec!["log: hello".to_owned()] })
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
