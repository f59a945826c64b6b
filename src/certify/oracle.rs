//! Whether a task's composite oracle solves it: its list is executed in the editor, and must lead to the golden project
//! or to one that the judge passes. How a list is derived is `solution`'s work.

use super::certificate::{Certificate, OracleTrial};
use super::evidence::Projects;
use super::judging::{JudgeProject, Trial, judged};
use super::solution::{SolutionError, followed};
use crate::model::{ActionCall, Mode, Outcome, sha256_hex};
use crate::notation::diff::diff;
use crate::project::Project;
use crate::session::Sessions;
use crate::taskset::TaskEntry;

/// The list as a certificate names it; none for a task without one, as those of packs may be.
pub(super) fn listed(entry: &TaskEntry) -> Option<OracleTrial> {
    Some(named(&entry.oracle(Mode::Composite).ok().flatten()?))
}

fn named(calls: &[ActionCall]) -> OracleTrial {
    let lines: Vec<String> =
        calls.iter().map(|call| format!("{} {}", call.api, serde_json::json!(call.args))).collect();
    OracleTrial { calls: calls.len(), list: sha256_hex(lines.join("\n").as_bytes()) }
}

/// A certificate that also records that the oracle's list was tried, and refuses its task if it does not solve it. A
/// list that was tried before, between the same projects, is not tried again.
pub async fn with_oracle(
    mut certificate: Certificate,
    entry: &TaskEntry,
    projects: &Projects,
    sessions: &Sessions,
    judge: &dyn JudgeProject,
) -> Certificate {
    let Ok(Some(calls)) = entry.oracle(Mode::Composite) else { return certificate };
    let trial = named(&calls);
    if certificate.oracle.as_ref() == Some(&trial) {
        return certificate;
    }
    certificate.oracle = None;
    match solves(entry, projects, sessions, judge, &calls).await {
        Ok(()) => certificate.oracle = Some(trial),
        Err(trouble) => certificate.reasons.push(format!(
            "its oracle.composite.json does not solve it: {trouble}; `scratchbed task oracle {} --write` derives it",
            entry.task.id
        )),
    }
    certificate.certified &= certificate.reasons.is_empty();
    certificate
}

/// Carries a list out and looks at what it made.
async fn solves(
    entry: &TaskEntry,
    projects: &Projects,
    sessions: &Sessions,
    judge: &dyn JudgeProject,
    calls: &[ActionCall],
) -> Result<(), String> {
    let words = |error: SolutionError| error.to_string();
    let made = followed(sessions, &projects.initial, calls).await.map_err(words)?;
    let golden = Project::read(&projects.golden).map_err(|error| error.to_string())?;
    if diff(&made, &golden).is_empty() {
        return Ok(());
    }
    let sb3 = made.write().map_err(|error| error.to_string())?;
    let seed = entry.task.seeds.first().copied().unwrap_or(1);
    let verdict = judged(judge, entry, &sb3, Trial::seeded(seed)).await?;
    if verdict.outcome == Outcome::Passed { Ok(()) } else { Err(super::evidence::shortfall(Some(&Ok(verdict)))) }
}
