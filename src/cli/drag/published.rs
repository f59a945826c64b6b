//! `scratchbed drag import` and `scratchbed drag replay`: the published single drags.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::drags::SceneArgs;
use crate::arms::drags::sessions::SceneSessions;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::run::JobsArgs;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::{DragError, InOurs, ReplayReport, Share, import, published_points, replay};
use scratchbed::model::{EditorGeneration, pluralise};
use scratchbed::report::plain_table as table;

/// From where to where.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// A checkout laid out like the ScratchWorld repository: `single_step_drag_benchmark/tasks` and
    /// `scratch-gui/static`.
    checkout: PathBuf,
    /// Where the pack goes.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Which drags are made again.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    which: SceneArgs,
    #[command(flatten)]
    jobs: JobsArgs,
}

/// Imports; the status is positive only if nothing was missing.
pub fn import_pack(args: &ImportArgs, out: Output) -> Result<Status, Failure> {
    let (pack, gaps) = import(&args.checkout, &args.out)?;
    for gap in &gaps {
        out.say(gap);
    }
    out.say(format!("{}: {}", pack.folder().display(), pluralise(pack.scenes().len(), "scene")));
    out.say(
        "`drag replay` and `drag run` show them in the editor that they were made in, and check drags as the published runner \
         does; starts and ends go by the published points. `--editor current` shows how they fare today.",
    );
    out.answer(&json!({"pack": pack.folder(), "scenes": pack.scenes().len(), "gaps": gaps}));
    Ok(Status::of(gaps.is_empty()))
}

/// Makes the published drags; the status is positive only if each connected, or did what our regions of the current editor
/// foresee.
pub async fn replay_pack(args: &ReplayArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let sessions = SceneSessions::start(&args.which, args.jobs.jobs.into(), settings).await?;
    let scenes = sessions.pack.chosen(&args.which.scenes)?;
    let reports = sessions
        .each(&scenes, async |visit| {
            let points = published_points(&sessions.pack, &visit.scene.id)?
                .ok_or_else(|| DragError::Unpublished { id: visit.scene.id.to_string() })?;
            replay(visit.handle, visit.scene, visit.sb3, &points).await
        })
        .await?;
    let editor = sessions.editor();
    out.say(shown(&reports, editor));
    let count = |is: &dyn Fn(&ReplayReport) -> bool| reports.iter().filter(|report| is(report)).count();
    let connected = count(&|report| report.connected);
    let missed: Vec<&str> =
        reports.iter().filter(|report| !report.connected).map(|report| report.id.as_str()).collect();
    out.say(format!("{connected} of {} connected in the {editor} editor", reports.len()));
    let inside = editor.is_current().then(|| count(&|report| report.ours.as_ref().is_some_and(InOurs::is_inside)));
    if let Some(inside) = inside {
        out.say(format!("{inside} lie in our regions"));
    } else if !missed.is_empty() {
        out.say(format!(
            "{} did not; `drag regions --method bfs` finds out by real drags where they do",
            missed.join(", ")
        ));
    }
    let expected = |report: &ReplayReport| report.ours.as_ref().is_none_or(|ours| ours.foreseen);
    let agree = reports.iter().all(|report| report.connected == expected(report));
    out.answer(&json!({
        "editor": editor,
        "connected": connected,
        "of": reports.len(),
        "missed": missed,
        "in_regions": inside,
        "agree": agree,
        "tasks": reports,
    }));
    Ok(Status::of(agree))
}

/// A row for each task; only the current editor tells regions.
fn shown(reports: &[ReplayReport], editor: EditorGeneration) -> String {
    if !editor.is_current() {
        let rows =
            reports.iter().map(|report| [report.id.to_string(), editor.to_string(), report.connected.to_string()]);
        return table(&["task", "editor", "connected"], rows).to_string();
    }
    let share = |share: Share| format!("{} of {}", share.inside, share.of);
    let rows = reports.iter().filter_map(|report| {
        let ours = report.ours.as_ref()?;
        Some([
            report.id.to_string(),
            editor.to_string(),
            report.connected.to_string(),
            ours.foreseen.to_string(),
            ours.start_in_region.to_string(),
            ours.end_in_region.to_string(),
            share(ours.starts),
            share(ours.ends),
            format!("{:.0}", ours.timing.start_ms + ours.timing.end_ms),
        ])
    });
    let head = [
        "task",
        "editor",
        "connected",
        "foreseen",
        "start in ours",
        "end in ours",
        "starts in ours",
        "ends in ours",
        "ms",
    ];
    table(&head, rows).to_string()
}
