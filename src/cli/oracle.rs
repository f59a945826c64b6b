//! `scratchbed task oracle`: solutions in composite calls, derived from the initial and the golden projects.

use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use crate::arms::browsers;
use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::certify::build;
use scratchbed::certify::solution;
use scratchbed::compile::texts_of;
use scratchbed::model::{ActionCall, Coded};
use scratchbed::report::plain_table as table;
use scratchbed::session::{Fleet, SessionOptions, Sessions};
use scratchbed::taskset::{ORACLE_FILE, Selection, TaskEntry};

/// Sessions are ended by the command itself, long before this.
const IDLE: Duration = Duration::from_secs(3600);

/// Which tasks, and what to do with what is found.
///
/// Each list is tried in the editor before it counts: it must lead from the initial project to the blocks of the
/// golden one. Exit code 0 only if every task has one.
#[derive(Debug, Args)]
pub struct OracleArgs {
    /// Names of tasks; all of them without any.
    ids: Vec<String>,
    /// Write each list to oracle.composite.json in the task's folder; without it one task's list is printed.
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    pack: PackArgs,
}

/// What became of one task.
struct Found {
    id: String,
    calls: Result<Vec<ActionCall>, (String, String)>,
}

/// Derives the lists one after another.
pub async fn run(args: &OracleArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = args.pack.tasks(settings, &args.ids)?;
    let entries = set.select(&Selection { ids: args.ids.clone(), ..Selection::default() })?;
    let fleet = browsers::start(settings, 1).await?;
    let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 1, idle: IDLE });
    browsers::build_ahead(&fleet, &browsers::built_projects(settings), &texts_of(entries.iter().copied())).await;
    let progress = bar("solutions", entries.len() as u64);
    let mut found = Vec::new();
    for (entry, number) in entries.iter().zip(1..) {
        fleet.keep_spare(usize::from(number < entries.len()));
        let calls = one(&fleet, &sessions, settings, entry).await;
        if let (Ok(calls), true) = (&calls, args.write) {
            files::write(&entry.folder.join(ORACLE_FILE), listing(calls).as_bytes())?;
        }
        found.push(Found { id: entry.task.id.to_string(), calls });
        progress.inc(1);
    }
    progress.finish_and_clear();
    sessions.shutdown().await;
    show(&found, args.write, out);
    Ok(Status::of(found.iter().all(|one| one.calls.is_ok())))
}

async fn one(
    fleet: &Fleet,
    sessions: &Sessions,
    settings: &Settings,
    entry: &TaskEntry,
) -> Result<Vec<ActionCall>, (String, String)> {
    let projects = build(fleet, &browsers::built_projects(settings), entry).await;
    let projects = projects.map_err(|error| (error.code().to_owned(), error.to_string()))?;
    let calls = solution(sessions, &projects.initial, &projects.golden).await;
    calls.map_err(|error| (error.code().to_owned(), error.to_string()))
}

/// A JSON list with a call a line, as people read and compare it.
fn listing(calls: &[ActionCall]) -> String {
    let mut text = String::from("[");
    for (at, call) in calls.iter().enumerate() {
        let separator = if at == 0 { "" } else { "," };
        // Writing to a String can't fail.
        let _ = write!(text, "{separator}\n  {}", json!({"api": call.api, "args": call.args}));
    }
    text.push_str("\n]\n");
    text
}

fn show(found: &[Found], is_written: bool, out: Output) {
    if let ([Found { calls: Ok(calls), .. }], false) = (found, is_written) {
        out.say(listing(calls).trim_end());
    } else {
        let rows = found.iter().map(|one| match &one.calls {
            Ok(calls) => [one.id.clone(), calls.len().to_string(), "tried".to_owned()],
            Err((code, message)) => [one.id.clone(), "-".to_owned(), format!("{message} ({code})")],
        });
        out.say(table(&["task", "calls", "result"], rows).to_string());
    }
    let tasks: Vec<Value> = found
        .iter()
        .map(|one| match &one.calls {
            Ok(calls) => json!({"task": one.id, "calls": calls}),
            Err((code, message)) => json!({"task": one.id, "error": {"code": code, "message": message}}),
        })
        .collect();
    out.answer(&json!({"solutions": tasks}));
}
