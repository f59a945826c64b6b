//! `scratchbed drag generate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::{Generated, Scene, ScenePack, generate};
use scratchbed::compile::texts_of;
use scratchbed::session::{SessionOptions, Sessions};
use scratchbed::taskset::TaskSet;

/// No sprite is visited for so long.
const IDLE: Duration = Duration::from_secs(3600);

/// How many scenes, and which.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// How many scenes; half of them connect blocks directly, half insert into mouths and slots.
    #[arg(long, value_name = "N", default_value_t = 60)]
    n: usize,
    /// The same seed gives the same scenes.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Where the scenes go, with their regions.
    #[arg(long, value_name = "DIR", default_value = "drag-scenes")]
    out: PathBuf,
}

pub async fn run(args: &GenerateArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    // A folder that can't be used is reported before the work.
    ScenePack::write(&args.out, &[])?;
    let tasks = TaskSet::read(&settings.root)?;
    let sessions = Sessions::new(browsers::start(settings, 0).await?, SessionOptions { limit: 1, idle: IDLE });
    let cache = browsers::built_projects(settings);
    browsers::build_ahead(sessions.fleet(), &cache, &texts_of(tasks.all())).await;
    let progress = bar("scenes", args.n as u64);
    let show = |made: usize| progress.set_position(made as u64);
    let generated = generate(&sessions, &tasks, &cache, args.n, args.seed, show).await;
    progress.finish_and_clear();
    sessions.shutdown().await;
    let generated: Generated = generated?;
    let scenes: Vec<Scene> = generated.made.iter().map(|made| made.scene.clone()).collect();
    let pack = ScenePack::write(&args.out, &scenes)?;
    for made in &generated.made {
        pack.keep_regions(&made.scene.id, &made.regions)?;
    }
    for (class, count) in &generated.classes {
        out.say(format!("{count:4} {class}"));
    }
    let Generated { palette, elsewhere, .. } = generated;
    out.say(format!(
        "{palette} from the palette, {elsewhere} with another sprite, zoom or scroll; {}",
        args.out.display()
    ));
    out.answer(&json!({
        "scenes": generated.made.len(),
        "classes": generated.classes,
        "palette": palette,
        "elsewhere": elsewhere,
        "out": args.out,
    }));
    Ok(Status::of(true))
}
