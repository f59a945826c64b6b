//! `scratchbed log …`: what a session's event log says, whether its program was made through the user interface,
//! and whether the session comes out the same again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;
use serde_json::{Value, json};

use super::replay_page;
use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::arms::{browsers, signs};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::model::{Event, EventKind, pluralise};
use scratchbed::recording::{CallDifference, Comparison, compare, editor_of, provenance, replay, video};
use scratchbed::session::{SessionOptions, Sessions};
use scratchbed::store::StoredLog;

/// A replayed session belongs to this process; none expires under it.
const IDLE: Duration = Duration::from_secs(24 * 3600);

/// What to do with a session's log.
#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Show the events, one a line.
    Show {
        /// The folder of the log, or of the attempt that it belongs to.
        folder: PathBuf,
        /// Only events of this kind, such as `request`, `input` or `workspace`; may be given several times.
        #[arg(long, value_name = "KIND")]
        kind: Vec<String>,
    },
    /// Check that the log was not altered, and that each change of the program follows from real input. Exit code 0
    /// if both hold.
    Check {
        /// The folder of the log, or of the attempt that it belongs to.
        folder: PathBuf,
    },
    /// Make all calls again in a fresh session with the same first project, and compare. Exit code 0 if all came out
    /// the same.
    Replay {
        /// The folder of the log, or of the attempt that it belongs to.
        folder: PathBuf,
        /// Keep the log of the new session in this folder.
        #[arg(long, value_name = "FOLDER")]
        keep: Option<PathBuf>,
    },
    /// Make a video of a session: WebM or MP4 through ffmpeg, or a zip of frames where that is missing.
    Video {
        /// The folder of the log, or of the attempt that it belongs to.
        folder: PathBuf,
        /// The file to write; its name ends in .webm, .mp4 or .zip.
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Make one HTML file of an attempt, to go through step by step and to hand on: pictures, actions, notes, programs, the
    /// verdict. It needs no other file and loads nothing.
    Page {
        /// The folder of the log, or of the attempt that it belongs to.
        folder: PathBuf,
        /// The file to write.
        #[arg(short, long, value_name = "FILE", default_value = "replay.html")]
        out: PathBuf,
    },
    /// Compare two logs: calls, answers, and the programs in the end. Exit code 0 if they are equal.
    Compare {
        /// The folder of a log, or of the attempt that it belongs to.
        left: PathBuf,
        /// That of the log to compare it with.
        right: PathBuf,
    },
}

/// Carries out one of them.
pub async fn run(command: &LogCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        LogCommand::Show { folder, kind } => show(&open(folder)?, kind, out),
        LogCommand::Check { folder } => check(&open(folder)?, out),
        LogCommand::Replay { folder, keep } => replayed(&open(folder)?, keep.as_deref(), settings, out).await,
        LogCommand::Video { folder, output } => film(&open(folder)?, output, out),
        LogCommand::Page { folder, out: file } => replay_page::write(folder, file, settings, out),
        LogCommand::Compare { left, right } => compared(&open(left)?, &open(right)?, out),
    }
}

fn open(folder: &Path) -> Result<StoredLog, Failure> {
    StoredLog::open(folder).map_err(|error| {
        Failure::of(Status::Input, "log_unreadable", &error)
            .hinted("name a folder with a log.jsonl, as `scratchbed serve --record-dir` and `scratchbed run` make them")
    })
}

fn show(log: &StoredLog, kinds: &[String], out: Output) -> Result<Status, Failure> {
    let mut shown = Vec::new();
    for event in &log.events {
        let value = serde_json::to_value(event).map_err(|error| Failure::infrastructure("log_not_shown", &error))?;
        if kinds.is_empty() || kinds.iter().any(|kind| value["kind"] == kind.as_str()) {
            out.say(line(event, &value));
            shown.push(value);
        }
    }
    out.answer(&json!({"events": shown}));
    Ok(Status::Success)
}

/// An event for a person: number, time, kind, and the rest as it is.
fn line(event: &Event, value: &Value) -> String {
    let mut rest = value.clone();
    if let Some(fields) = rest.as_object_mut() {
        fields.retain(|name, _| !matches!(name.as_str(), "seq" | "at_ms" | "kind" | "request"));
        if let EventKind::Observation(seen) = &event.what
            && let Some(elements) = &seen.elements
        {
            fields.insert("elements".to_owned(), elements.len().into());
        }
    }
    let kind = value["kind"].as_str().unwrap_or_default();
    let request = event.request.map_or_else(String::new, |request| format!("({request})"));
    format!("{:>6} {:>11.2} {kind:<11} {request:<7} {rest}", event.seq, event.at_ms)
}

fn check(log: &StoredLog, out: Output) -> Result<Status, Failure> {
    let found = provenance(&log.events);
    for fault in &log.faults {
        let fault = serde_json::to_value(fault).map_err(|error| Failure::infrastructure("log_not_shown", &error))?;
        out.say(format!("altered: {fault}"));
    }
    for breach in &found.breaches {
        let why = serde_json::to_value(breach.why).map_err(|error| Failure::infrastructure("log_not_shown", &error))?;
        out.say(format!("event {}: {} ({})", breach.seq, breach.what, why.as_str().unwrap_or_default()));
    }
    out.say(format!(
        "{} of primitive mode, {}, {} of the program",
        pluralise(found.actions, "action"),
        pluralise(found.trusted_inputs, "real input event"),
        pluralise(found.changes, "change")
    ));
    let (intact, made) = (log.faults.is_empty(), found.through_the_gui);
    out.say(if intact { "the log is as the session left it" } else { "the log was altered, or is not complete" });
    out.say(if made { "made through the user interface" } else { "NOT made through the user interface alone" });
    out.answer(&json!({"intact": intact, "faults": log.faults, "provenance": found}));
    Ok(Status::of(intact && made))
}

async fn replayed(log: &StoredLog, keep: Option<&Path>, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let scratch = tempfile::tempdir().map_err(|error| Failure::infrastructure("no_folder", &error))?;
    let folder = keep.unwrap_or(scratch.path());
    let fleet = browsers::start_in(editor_of(log), settings, 0).await?;
    let sessions = Sessions::new(fleet, SessionOptions { limit: 1, idle: IDLE });
    let progress = spinner("replaying");
    let done = replay(log, &sessions, folder).await;
    progress.finish_and_clear();
    sessions.shutdown().await;
    let done = done?;
    for (seq, api) in &done.left_out {
        signs::progress(format!("event {seq}: `{api}` is left out; a log does not say how to do it again"));
    }
    compared(log, &open(folder)?, out)
}

fn film(log: &StoredLog, file: &Path, out: Output) -> Result<Status, Failure> {
    let wants_zip = file.extension().is_some_and(|ending| ending == "zip");
    let archive = if wants_zip || video::has_encoder() { file.to_owned() } else { file.with_extension("zip") };
    if archive != file {
        signs::progress("ffmpeg is not installed: the frames go to a zip, with index.json for their times");
    }
    let progress = spinner("drawing");
    let zipped = wants_zip || archive != file;
    let made = if zipped { video::write_archive(log, &archive) } else { video::encode(log, file) };
    progress.finish_and_clear();
    let frames = made?;
    out.say(format!("{frames} frames in {}", archive.display()));
    out.answer(&json!({"file": archive, "frames": frames, "encoded": !zipped}));
    Ok(Status::Success)
}

fn compared(left: &StoredLog, right: &StoredLog, out: Output) -> Result<Status, Failure> {
    let found = compare(left, right).map_err(|error| Failure::of(Status::Input, "logs_not_compared", &error))?;
    let Comparison { equal, calls, first, program } = &found;
    if let Some(CallDifference { call, api, what, left, right }) = first {
        out.say(format!("call {call} ({api}): {what} is {left} in the first log and {right} in the second"));
    }
    for sprite in program {
        out.say(format!("program: {sprite}"));
    }
    let compared = pluralise(*calls, "call");
    out.say(format!("{compared} compared: {}", if *equal { "all the same" } else { "they differ" }));
    let answer = serde_json::to_value(&found).map_err(|error| Failure::infrastructure("log_not_shown", &error))?;
    out.answer(&answer);
    Ok(Status::of(*equal))
}
