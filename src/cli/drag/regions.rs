//! `scratchbed drag regions`.

use clap::Args;
use serde_json::json;

use super::SceneArgs;
use super::bed::Bed;
use crate::cli::failure::{Failure, Status};
use crate::cli::output::Output;
use crate::cli::settings::Settings;
use crate::cli::table::table;
use crate::runner::drag::{Computed, Stage};

/// Which regions, and what becomes of them.
#[derive(Debug, Args)]
pub struct RegionsArgs {
    #[command(flatten)]
    which: SceneArgs,
    /// Keep the regions with their scenes.
    #[arg(long)]
    write: bool,
}

/// Computes.
pub async fn run(args: &RegionsArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let bed = Bed::start(&args.which, settings).await?;
    let computed = bed
        .each(&args.which, async |visit| {
            let mut stage = Stage::new(visit.handle, visit.scene, visit.sb3);
            stage.set_up().await?;
            let computed = stage.regions().await?;
            if args.write {
                bed.pack.keep_regions(&visit.scene.id, &computed.regions)?;
            }
            Ok((visit.scene.id.clone(), computed))
        })
        .await?;
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
