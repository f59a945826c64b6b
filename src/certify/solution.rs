//! Derives a task's solution and tries it in the editor: it counts only if it leads to the golden project.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::action::composite::Catalogue;
use crate::action::perform;
use crate::model::{ActionCall, ActionReply, Blame, Coded, Mode};
use crate::notation::diff::{TargetDiff, diff};
use crate::project::view::targets;
use crate::project::{Project, ProjectError};
use crate::session::retry::while_broken;
use crate::session::{SessionError, SessionHandle, Sessions, Start};
use crate::solver::{DeriveError, Oracle, derive};

/// How long one look at a session may take.
const LIMIT: Duration = Duration::from_secs(60);
/// Extensions whose blocks `add_block` can make.
const EXTENSIONS: [&str; 2] = ["pen", "music"];

/// Why a task has no derived solution.
#[derive(Debug, thiserror::Error)]
pub enum SolutionError {
    /// The projects differ in what calls can't alter.
    #[error(transparent)]
    Underivable(#[from] DeriveError),
    /// A project file has a fault.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The editor is in trouble.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The editor does not report its blocks.
    #[error("the block catalogue of {target:?} could not be read: {reason}")]
    NoCatalogue { target: String, reason: String },
    #[error("the calls are refused: {0}")]
    Refused(String),
    /// The derived calls lead elsewhere.
    #[error("the derived calls lead to other blocks than the golden project's: {0}")]
    Astray(String),
}

impl Coded for SolutionError {
    fn code(&self) -> &str {
        match self {
            Self::Underivable(error) => error.code(),
            Self::Project(_) => "project_invalid",
            Self::Session(_) => "session_failed",
            Self::NoCatalogue { .. } => "no_catalogue",
            Self::Refused(_) => "call_refused",
            Self::Astray(_) => "not_the_golden",
        }
    }

    fn blame(&self) -> Blame {
        if matches!(self, Self::Session(_)) { Blame::Testbed } else { Blame::Input }
    }
}

/// Composite calls that lead from the initial to the golden project, tried in a session of their own, and in another
/// when the testbed breaks.
///
/// # Errors
/// When they can't be derived, or don't lead there in the editor.
pub async fn solution(sessions: &Sessions, initial: &[u8], golden: &[u8]) -> Result<Vec<ActionCall>, SolutionError> {
    let is_broken = |error: &SolutionError| matches!(error, SolutionError::Session(_));
    while_broken("deriving a solution", is_broken, || once(sessions, initial, golden)).await
}

async fn once(sessions: &Sessions, initial: &[u8], golden: &[u8]) -> Result<Vec<ActionCall>, SolutionError> {
    let start = Start { project: Some(initial.to_vec()), ..Start::default() };
    let id = sessions.create(start).await?.id;
    let found = derived(sessions, &id, initial, golden).await;
    end(sessions, &id).await;
    found
}

/// The project that calls lead to from the initial one, in a session of their own, and in another when the testbed
/// breaks.
pub(super) async fn followed(
    sessions: &Sessions,
    initial: &[u8],
    calls: &[ActionCall],
) -> Result<Project, SolutionError> {
    let is_broken = |error: &SolutionError| matches!(error, SolutionError::Session(_));
    let once = || async {
        let start = Start { project: Some(initial.to_vec()), ..Start::default() };
        let id = sessions.create(start).await?.id;
        let made = async {
            let session = sessions.get(&id).await?;
            play(&session, calls).await?;
            Ok(session.run(LIMIT, |live| Box::pin(live.export())).await??)
        }
        .await;
        end(sessions, &id).await;
        made
    };
    while_broken("trying an oracle's list", is_broken, once).await
}

/// What was found counts, even if the session can't be ended any more.
async fn end(sessions: &Sessions, id: &str) {
    if let Err(error) = sessions.delete(id).await {
        tracing::warn!(%error, "a session of a solution was not ended");
    }
}

async fn derived(
    sessions: &Sessions,
    id: &str,
    initial: &[u8],
    golden: &[u8],
) -> Result<Vec<ActionCall>, SolutionError> {
    let session = sessions.get(id).await?;
    let (before, after) = (Project::read(initial)?, Project::read(golden)?);
    let palettes = palettes(&session, &before).await?;
    let calls = derive(&before, &after, &palettes)?;
    // The extensions that were loaded for the catalogue must not help the trial.
    sessions.reset(id).await?;
    play(&session, &calls).await?;
    let result = session.run(LIMIT, |live| Box::pin(live.export())).await??;
    match diff(&result, &after).as_slice() {
        [] => Ok(calls),
        differences => Err(SolutionError::Astray(described(differences))),
    }
}

/// The block catalogue of each target.
async fn palettes(session: &SessionHandle, project: &Project) -> Result<BTreeMap<String, Catalogue>, SolutionError> {
    let mut palettes = BTreeMap::new();
    for target in targets(&project.json) {
        let name = target.name().to_owned();
        let select = if target.is_stage() { "select_stage" } else { "select_sprite" };
        let args = if target.is_stage() { json!({}) } else { json!({"name": name}) };
        made(session, select, args).await?;
        let reply = made(session, "block_catalogue", json!({"extensions": EXTENSIONS})).await?;
        let catalogue = serde_json::from_value(reply.data)
            .map_err(|error| SolutionError::NoCatalogue { target: name.clone(), reason: error.to_string() })?;
        palettes.insert(name, catalogue);
    }
    Ok(palettes)
}

async fn made(session: &SessionHandle, api: &str, args: Value) -> Result<ActionReply, SolutionError> {
    let args = if let Value::Object(args) = args { args } else { Map::new() };
    let reply = perform(session, Mode::Composite, ActionCall::new(api, args)).await?;
    match &reply.error {
        None => Ok(reply),
        Some(error) => Err(SolutionError::Refused(format!("{api}: {} ({})", error.message, error.code))),
    }
}

async fn play(session: &SessionHandle, calls: &[ActionCall]) -> Result<(), SolutionError> {
    made(session, "observe", json!({})).await?;
    let mut oracle = Oracle::of(calls.to_vec());
    let mut call = oracle.next(None);
    while call.api != "done" && call.api != "failed" {
        let reply = perform(session, Mode::Composite, call).await?;
        call = oracle.next(Some(&reply));
    }
    match call.args.get("reason").and_then(Value::as_str) {
        None => Ok(()),
        Some(reason) => Err(SolutionError::Refused(reason.to_owned())),
    }
}

/// The first differing target with its changed lines.
fn described(differences: &[TargetDiff]) -> String {
    let Some(first) = differences.first() else { return String::new() };
    let lines = first.scripts.iter().flat_map(|script| &script.lines);
    let changed: Vec<String> =
        lines.filter_map(|(change, line)| Some(format!("{} {}", change.sign()?, line.trim()))).collect();
    format!("{}: {}", first.target, changed.join("; "))
}
