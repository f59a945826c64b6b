//! `scratchbed drag verify`.

use clap::Args;
use serde_json::json;

use super::bfs;
use crate::arms::drags::SceneArgs;
use crate::arms::drags::sessions::SceneSessions;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::run::JobsArgs;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::{Kept, SceneReport, verify};
use scratchbed::report::plain_table as table;

/// Exit code 0 only if every drag did what the regions say, and the regions are those that are kept.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub(super) which: SceneArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Drags a scene.
    #[arg(long, value_name = "N", default_value_t = 40)]
    points: usize,
    /// Search for the regions by real drags instead, as appendix J of the paper does, and compare; in five scenes of
    /// the set unless some are named. Slow.
    #[arg(long)]
    pub(super) bfs: bool,
    /// Pixels between the points that --bfs tries; 5 in the published set.
    #[arg(long, value_name = "PIXELS", default_value_t = 5, value_parser = clap::value_parser!(i32).range(1..=50))]
    pub(super) step: i32,
}

pub async fn run(args: &VerifyArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let sessions = SceneSessions::start(&args.which, args.jobs.jobs.into(), settings).await?;
    if args.bfs {
        return bfs::run(&sessions, args, out).await;
    }
    let scenes = sessions.pack.chosen(&args.which.scenes)?;
    let reports = sessions
        .each(&scenes, async |visit| {
            let kept = sessions.pack.regions(&visit.scene.id)?;
            verify(visit.handle, visit.scene, visit.sb3, kept.as_ref(), args.points).await
        })
        .await?;
    show(&reports, out);
    let agree = reports.iter().all(SceneReport::agrees);
    out.answer(&json!({
        "scenes": reports,
        "drags": reports.iter().map(|report| report.drags).sum::<usize>(),
        "disagreements": reports.iter().map(|report| report.disagreements.len()).sum::<usize>(),
        "agree": agree,
    }));
    Ok(Status::of(agree))
}

fn show(reports: &[SceneReport], out: Output) {
    let rows = reports.iter().map(|report| {
        [
            report.id.to_string(),
            report.kind.to_owned(),
            report.start_area.to_string(),
            report.end_area.to_string(),
            format!("{:.0}", report.timing.start_ms + report.timing.end_ms),
            report.drags.to_string(),
            report.connected.to_string(),
            report.resets.to_string(),
            report.disagreements.len().to_string(),
        ]
    });
    let head = ["scene", "kind", "start px", "end px", "ms", "drags", "connected", "resets", "disagree"];
    out.say(table(&head, rows).to_string());
    for report in reports {
        for miss in &report.disagreements {
            out.say(format!(
                "{}: at the {:?} border from {:?} to {:?} foreseen {}, came {}",
                report.id, miss.border, miss.start, miss.end, miss.foreseen, miss.came
            ));
        }
        if report.kept == Kept::Differ {
            out.say(format!("{}: the regions that are kept with it are others", report.id));
        }
        if !report.untouched {
            out.say(format!("{}: computing the regions altered the editor", report.id));
        }
    }
}
