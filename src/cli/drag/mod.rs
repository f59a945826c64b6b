//! `scratchbed drag`: scenes for single drags, their regions, and whether these are true.

mod bfs;
mod generate;
mod list;
mod published;
mod regions;
mod run;
mod trials;
mod verify;

use clap::Subcommand;

use crate::arms::drags::DragsArgs;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;

/// What to do with scenes.
#[derive(Debug, Subcommand)]
pub enum DragCommand {
    /// List scenes with what they ask for.
    List(list::ListArgs),
    /// Show one scene: its instruction, and a picture with its regions.
    Show(list::ShowArgs),
    /// Compare the regions of scenes with real mouse drags on both sides of their borders.
    Verify(verify::VerifyArgs),
    /// Have an agent make the drags, and measure them.
    Run(Box<DragsArgs>),
    /// Make scenes from the scripts of the tasks' projects, any number from a seed.
    Generate(generate::GenerateArgs),
    /// Compute where the drags of scenes must begin and end, and keep that with them or draw it.
    Regions(regions::RegionsArgs),
    /// Make scenes of the published single drags in a checkout of their repository.
    Import(published::ImportArgs),
    /// Make the published drags of an imported pack again, and compare our regions with the published ones.
    Replay(published::ReplayArgs),
}

/// Works in sessions of its own.
pub async fn run(command: DragCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        DragCommand::List(args) => list::list(&args, settings, out),
        DragCommand::Show(args) => list::show(args, settings, out).await,
        DragCommand::Verify(args) => verify::run(&args, settings, out).await,
        DragCommand::Run(args) => run::run(*args, settings, out).await,
        DragCommand::Generate(args) => generate::run(&args, settings, out).await,
        DragCommand::Import(args) => published::import_pack(&args, out),
        DragCommand::Replay(args) => published::replay_pack(&args, settings, out).await,
        DragCommand::Regions(args) => regions::run(&args, settings, out).await,
    }
}
