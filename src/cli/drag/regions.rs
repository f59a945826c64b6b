//! `scratchbed drag regions`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;

use super::trials;
use crate::arms::drags::SceneArgs;
use crate::arms::drags::sessions::{SceneSessions, Visit};
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::run::JobsArgs;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::{Computed, DragError, RegionTimes, Stage, Steps, picture, search};
use scratchbed::report::plain_table as table;

/// Which regions, and what becomes of them.
#[derive(Debug, Args)]
pub struct RegionsArgs {
    #[command(flatten)]
    which: SceneArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Keep the regions with their scenes.
    #[arg(long, conflicts_with = "method")]
    write: bool,
    /// Draw them on a screenshot with one way of the mouse, into this file; for several scenes into this folder.
    #[arg(long, value_name = "PNG")]
    picture: Option<PathBuf>,
    /// Ask the editor where connections would be made, or find out by real drags from point to point, as appendix J of
    /// the paper does.
    #[arg(long, value_enum, default_value_t = Method::Editor)]
    method: Method,
    /// Pixels between the points that bfs tries; 5 by default, and for published scenes those between the published points.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(i32).range(1..=50))]
    step: Option<i32>,
    /// Make the drags of bfs in published scenes again, whose results are kept beside their pack.
    #[arg(long)]
    fresh: bool,
}

/// Pixels between the points that bfs tries.
const STEP: i32 = 5;

/// How regions are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// From the editor's own hit testing and search for connections.
    Editor,
    /// By real drags.
    Bfs,
}

pub async fn run(args: &RegionsArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let sessions = SceneSessions::start(&args.which, args.jobs.jobs.into(), settings).await?;
    let scenes = sessions.pack.chosen(&args.which.scenes)?;
    if args.method == Method::Bfs && scenes.iter().all(|scene| scene.is_published()) {
        return trials::run(&sessions, &scenes, (args.step, args.fresh), out).await;
    }
    let computed = sessions.each(&scenes, async |visit| one(&sessions, args, visit, scenes.len() > 1).await).await?;
    let milliseconds = |computed: &Computed| computed.timing.start_ms + computed.timing.end_ms;
    let rows = computed.iter().map(|(id, computed)| {
        let Computed { regions, previews, .. } = computed;
        let (start, ends) = (regions.start.area().to_string(), regions.ends.area().to_string());
        [id.clone(), start, ends, previews.to_string(), format!("{:.0}", milliseconds(computed))]
    });
    out.say(table(&["scene", "start px", "end px", "previews", "ms"], rows).to_string());
    let objects = computed.iter().map(|(id, computed)| {
        json!({"id": id, "regions": computed.regions, "previews": computed.previews, "timing": computed.timing})
    });
    out.answer(&json!({"scenes": objects.collect::<Vec<_>>(), "written": args.write}));
    Ok(Status::of(true))
}

async fn one(
    sessions: &SceneSessions,
    args: &RegionsArgs,
    visit: Visit<'_>,
    many: bool,
) -> Result<(String, Computed), DragError> {
    let id = visit.scene.id.clone();
    let mut stage = Stage::new(visit.handle, visit.scene, visit.sb3);
    stage.set_up().await?;
    let mut computed = stage.regions().await?;
    if args.method == Method::Bfs {
        let steps = Steps::same(args.step.unwrap_or(STEP));
        let searched = search(&mut stage, (&computed.regions, computed.seeds), steps, (&[], &[])).await?;
        computed.regions = searched.regions(&computed.regions);
        computed.timing = RegionTimes { start_ms: 0.0, end_ms: searched.took.as_secs_f64() * 1000.0 };
        stage.reset().await?;
    }
    if args.write {
        sessions.pack.keep_regions(&id, &computed.regions)?;
    }
    if let Some(path) = &args.picture {
        let path = if many { path.join(format!("{id}.png")) } else { path.clone() };
        let png = picture(&stage.picture().await?, &computed.regions)?;
        keep_picture(&path, &png)
            .map_err(|error| DragError::Write { path: path.clone(), reason: error.to_string() })?;
    }
    Ok((id.to_string(), computed))
}

fn keep_picture(path: &Path, png: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, png)
}
