//! `scratchbed drag`: scenes for single drags, and whether their regions are true.

use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::json;

use super::failure::{Failure, Status};
use super::fleet;
use super::output::{Output, bar};
use super::settings::Settings;
use super::table::table;
use crate::runner::drag::{DragError, Scene, SceneReport, read_scenes, verify};
use crate::session::{SessionOptions, Sessions};
use crate::taskset::TaskSet;

/// No scene leaves its session alone for so long.
const IDLE: Duration = Duration::from_secs(600);

/// What to do with scenes.
#[derive(Debug, Subcommand)]
pub enum DragCommand {
    /// Compare the regions of scenes with real mouse drags on both sides of their borders.
    Verify(VerifyArgs),
}

/// Exit code 0 only if every drag did what the regions say.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Scenes by name; all if none is given.
    scenes: Vec<String>,
    /// Drags a scene.
    #[arg(long, value_name = "N", default_value_t = 40)]
    points: usize,
}

/// Works in sessions of its own.
pub async fn run(command: DragCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let DragCommand::Verify(args) = command;
    let scenes = chosen(read_scenes(&settings.root.join("assets/drag"))?, &args.scenes)?;
    let tasks = TaskSet::read(&settings.root)?;
    let sessions = Sessions::new(fleet::start(settings, 0).await?, SessionOptions { limit: 1, idle: IDLE });
    let progress = bar("scenes", scenes.len() as u64);
    let cache = fleet::built_projects(settings);
    let mut reports = Vec::new();
    let mut failed = None;
    for scene in &scenes {
        match verify(&sessions, &tasks, &cache, scene, args.points).await {
            Ok(report) => reports.push(report),
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    sessions.shutdown().await;
    if let Some(error) = failed {
        return Err(error.into());
    }
    show(&reports, out);
    let agree = reports.iter().all(|report| report.disagreements.is_empty());
    out.answer(&json!({"scenes": reports, "agree": agree}));
    Ok(Status::of(agree))
}

fn chosen(scenes: Vec<Scene>, ids: &[String]) -> Result<Vec<Scene>, DragError> {
    if let Some(id) = ids.iter().find(|id| !scenes.iter().any(|scene| &scene.id == *id)) {
        return Err(DragError::UnknownScene { id: id.clone() });
    }
    Ok(scenes.into_iter().filter(|scene| ids.is_empty() || ids.contains(&scene.id)).collect())
}

fn show(reports: &[SceneReport], out: Output) {
    let rows = reports.iter().map(|report| {
        [
            report.id.clone(),
            report.kind.to_owned(),
            report.start_area.to_string(),
            report.end_area.to_string(),
            format!("{:.0}", report.timing.start_ms + report.timing.end_ms),
            report.drags.to_string(),
            report.connected.to_string(),
            report.disagreements.len().to_string(),
        ]
    });
    let head = ["scene", "kind", "start px", "end px", "ms", "drags", "connected", "disagree"];
    out.say(table(&head, rows).to_string());
    for report in reports {
        for miss in &report.disagreements {
            out.say(format!(
                "{}: from {:?} to {:?} foreseen {}, came {}",
                report.id, miss.start, miss.end, miss.foreseen, miss.came
            ));
        }
    }
}
