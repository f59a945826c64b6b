//! Whose trouble it was that a session broke: the testbed's, or that of the program that the agent built. Without
//! this an agent that is losing could void its attempt with a program that brings the editor down.

use std::path::Path;

use super::testbed::{TaskSession, Testbed, TestbedError};
use crate::agent::Observing;
use crate::model::{Outcome, Verdict, sha256_hex};
use crate::project::Project;
use crate::project::text::from_project;
use crate::taskset::TaskEntry;

/// A session with the initial project, opened to compare.
const COMPARED: &str = "compared";

/// The project as the agent left it. The first call after a loss may be the one that fails; the session then
/// has its last snapshot in a new page.
pub(super) async fn exported(session: &mut dyn TaskSession) -> Result<Vec<u8>, TestbedError> {
    match session.export().await {
        Err(error) if !error.is_the_projects() => {
            tracing::warn!(%error, "the project is exported once more");
            session.export().await
        }
        result => result,
    }
}

/// A digest of what the scripts of a project say, SHA-256 in hexadecimal, by sprite. Ids, places and values are no part
/// of it, so the programs of two attempts can be compared. `None` when the file can't be read.
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

/// Whether a program, and not the testbed, broke the session that had it: the judge finds that no test can be run on
/// it, or a try `before` broke with the same program, which is not the initial one. That one is looked
/// up in a session of this testbed, which logs to this folder.
pub(super) async fn is_the_programs(
    verdict: Option<&Verdict>,
    program: &str,
    before: &[&str],
    compared: (&dyn Testbed, &TaskEntry, &Path),
) -> bool {
    if verdict.is_some_and(|verdict| verdict.outcome == Outcome::Failed && verdict.details.is_empty()) {
        return true;
    }
    before.contains(&program) && initial_program(compared).await.is_some_and(|initial| initial != program)
}

/// Also shows that the testbed is well now: none when it can't open a session.
async fn initial_program((testbed, task, folder): (&dyn Testbed, &TaskEntry, &Path)) -> Option<String> {
    let mut session = testbed.open(task, Observing::Native, &folder.join(COMPARED)).await.ok()?;
    let sb3 = session.export().await;
    session.close().await;
    program_digest(&sb3.ok()?)
}
