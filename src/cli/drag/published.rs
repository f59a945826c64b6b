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
use scratchbed::benchmarks::drag::{DragError, ReplayReport, Share, import, published_points, replay};
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
    out.say(format!("{}: {} scenes", pack.folder().display(), pack.scenes().len()));
    out.say(
        "`drag run` asks the editor whether a drag passed; starts and ends go by the published points, and beside them by our \
         regions of the present editor.",
    );
    out.answer(&json!({"pack": pack.folder(), "scenes": pack.scenes().len(), "gaps": gaps}));
    Ok(Status::of(gaps.is_empty()))
}

/// Makes the published drags; the status is positive only if each did what our regions foresee.
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
    let rows = reports.iter().map(|report| {
        let share = |share: Share| format!("{} of {}", share.inside, share.of);
        [
            report.id.to_string(),
            report.connected.to_string(),
            report.foreseen.to_string(),
            report.start_in_region.to_string(),
            report.end_in_region.to_string(),
            share(report.starts),
            share(report.ends),
            format!("{:.0}", report.timing.start_ms + report.timing.end_ms),
        ]
    });
    let head =
        ["task", "connected", "foreseen", "start in ours", "end in ours", "starts in ours", "ends in ours", "ms"];
    out.say(table(&head, rows).to_string());
    let count = |is: &dyn Fn(&ReplayReport) -> bool| reports.iter().filter(|report| is(report)).count();
    let connected = count(&|report| report.connected);
    let inside = count(&|report| report.start_in_region && report.end_in_region);
    out.say(format!("{connected} of {} connected, {inside} lie in our regions", reports.len()));
    let agree = reports.iter().all(|report| report.connected == report.foreseen);
    out.answer(
        &json!({"connected": connected, "of": reports.len(), "in_regions": inside, "agree": agree, "tasks": reports}),
    );
    Ok(Status::of(agree))
}
