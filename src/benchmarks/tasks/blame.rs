//! Who answers for a session that broke: the testbed, or the agent. Without this an agent that is losing could void its
//! attempts with a program that brings the editor down.

use super::testbed::{TaskSession, TestbedError};
use crate::agent::AgentError;
use crate::model::codes::voids;
use crate::model::{Ending, Outcome, TaskDetail, TaskRecord, Verdict, sha256_hex};
use crate::notation::from_project;
use crate::project::Project;

/// Codes of the end of a session, for which no agent in a run has a call; the last is what a client says in place of a server that
/// is gone.
pub(super) const OF_THE_SESSION: [&str; 4] =
    ["unknown_session", "session_ended", "session_expired", "server_unreachable"];

/// Whether an error that a call of an agent met is the testbed's own doing, so that the attempt is void: where the table of codes
/// says so, or the session was ended, or the server named no code, as no testbed answers. All other errors an agent can bring about
/// by what it calls or builds. This holds for agents in this process and for programs alike.
pub(super) fn is_ours(code: &str) -> bool {
    voids(code) || OF_THE_SESSION.contains(&code) || code.is_empty()
}

/// How an agent that can't go on ends an attempt. None of it is the testbed's trouble; only a model's provider that gives no answer
/// says nothing of the agent.
pub(super) const fn ending_of(error: &AgentError) -> Ending {
    match error {
        AgentError::Provider(_) => Ending::ProviderError,
        AgentError::CapReached(_) => Ending::CostLimit,
        _ => Ending::AgentError,
    }
}

/// The project as the agent left it. The first call after a loss may be the one that fails; the session then
/// has its last snapshot, in a new page or in none.
pub(super) async fn exported(session: &mut dyn TaskSession) -> Result<Vec<u8>, TestbedError> {
    match session.export().await {
        Err(error) if !error.is_the_projects() => {
            tracing::warn!(%error, "the project is exported once more");
            session.export_or_last().await
        }
        result => result,
    }
}

/// A digest of what the scripts of a project say, SHA-256 in hexadecimal, by sprite. Ids, places and values are no part
/// of it, so the programs of two attempts can be compared. `None` when the file can't be read. A record has it for those who
/// look for what broke a session.
pub(super) fn program_digest(sb3: &[u8]) -> Option<String> {
    let document = from_project(&Project::read(sb3).ok()?).document;
    let mut lines = Vec::new();
    for target in &document.targets {
        let mut scripts: Vec<&str> = target.scripts.iter().map(|script| script.text.as_str()).collect();
        scripts.sort_unstable();
        lines.push(format!("{:?} {scripts:?}", target.name));
    }
    Some(sha256_hex(lines.join("\n").as_bytes()))
}

/// Whether the agent, and not the testbed, answers for a session that broke: the judge finds that no test can be run on
/// the program that it built, or an earlier try was voided while it acted. What breaks twice at one task may be of the agent's
/// making, in a way that nobody has thought of; what breaks all attempts alike is not.
pub(super) fn is_the_agents(verdict: Option<&Verdict>, earlier: &[TaskRecord]) -> bool {
    let is_untestable = verdict.is_some_and(|verdict| verdict.outcome == Outcome::Failed && verdict.details.is_empty());
    is_untestable || earlier.iter().any(was_voided_in_action)
}

/// Codes of trouble of the machine or its operator, which attempts at all tasks meet at the time.
pub(super) const OF_THE_MACHINE: [&str; 7] =
    ["shutting_down", "server_unreachable", "disk_full", "log_broken", "log_unwritable", "no_editor", "task_not_built"];

/// Older records have the program that was lost instead.
fn was_voided_in_action(record: &TaskRecord) -> bool {
    let TaskDetail { voided, lost_program, .. } = &record.detail;
    let may_be_the_agents = voided
        .as_ref()
        .map_or(lost_program.is_some(), |voided| voided.acting && !OF_THE_MACHINE.contains(&voided.code.as_str()));
    record.outcome == Outcome::InfraError && may_be_the_agents
}
