//! `scratchbed experiment rebuild`: the ledger's rows of an experiment anew, from the folders of its arms. Needs neither browser nor
//! key: what an arm is stands in the record of its run.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::status;
use crate::arms::arm::command;
use crate::arms::output::Output;
use crate::arms::plan::of_file;
use crate::arms::signs::spinner;
use crate::flags::budget::PricesArgs;
use crate::flags::experiment::{ExperimentFile, arm_flags, kept_file};
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::{KeptArm, KeptExperiment};
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::store::RunDir;

/// Which folder. Attempts that were completed count by the same rule as before, what was broken off is owed, and `experiment run
/// FILE` goes on. Orders are lost with the ledger: limits are those of the file, and a verdict that was voided counts again unless a
/// newer attempt was begun.
#[derive(Debug, Args)]
pub struct RebuildArgs {
    /// The experiment's folder, such as runs/experiments/NAME.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The experiment's file; the newest in the folder's inputs by default.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    ledger: LedgerArgs,
}

/// Reads the folder and enters what it holds.
pub async fn run(args: &RebuildArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let path = args.file.clone().map_or_else(|| kept_file(&args.folder), Ok)?;
    let (file, text) = ExperimentFile::read(&path)?;
    named_alike(&args.folder, &file.name)?;
    let (arms, missing) = kept(&args.folder, &file)?;
    let progress = spinner("reading attempts");
    let found = KeptExperiment::read(&arms, file.epochs, file.seed);
    progress.finish_and_clear();
    let found = found?;
    let plan = of_file(&file, text, found.pins, (found.arms, found.cells))?;
    let ledger = args.ledger.open(settings).await?;
    let rebuilt = ledger.rebuild(&plan, found.begun_ms, &found.attempts).await?;
    let now = ledger.status(&file.name).await?;
    status::show(&now, &[], &[], out);
    out.say(format!(
        "rebuilt   {} by {}, {} of them broken off; {} left out",
        pluralise(rebuilt.attempts, "attempt"),
        path.display(),
        rebuilt.broken_off,
        pluralise_as(rebuilt.left_out, "at an item that is no more was", "at items that are no more were")
    ));
    for arm in &missing {
        out.say(format!("no folder {arm}: `experiment run` begins it"));
    }
    let home = settings.root.experiments().join(&file.name);
    if home.canonicalize().ok() != args.folder.canonicalize().ok() {
        out.say(format!("note      `experiment run` works in {}: move the folder there", home.display()));
    }
    out.answer(&json!({
        "experiment": file.name, "file": path, "attempts": rebuilt.attempts, "broken_off": rebuilt.broken_off,
        "left_out": rebuilt.left_out, "arms_without_folder": missing, "status": now,
    }));
    Ok(Status::Success)
}

/// The arms of the file that have a folder, which nobody works on; and the labels of those that have none.
fn kept(folder: &Path, file: &ExperimentFile) -> Result<(Vec<KeptArm>, Vec<String>), Failure> {
    let (command, caps) = (command(file.benchmark), file.caps()?);
    let prices = PricesArgs::of(file.prices()?).table()?;
    let (mut arms, mut missing) = (Vec::new(), Vec::new());
    for entry in file.arms()? {
        let flags = arm_flags(file, &entry, &command)?;
        let place = folder.join(&flags.label);
        if !place.join("run.json").is_file() {
            missing.push(flags.label);
            continue;
        }
        let dir = RunDir::resume(&place)?;
        let pricing = prices.pricing(dir.record());
        arms.push(KeptArm { dir, lane: flags.lane, pricing, caps });
    }
    if arms.is_empty() {
        let message = format!("{} holds no arm of `{}`", folder.display(), file.name);
        let failure = Failure::new(Status::Input, "nothing_to_rebuild", message);
        return Err(failure.hinted("name the folder of the experiment, such as runs/experiments/NAME"));
    }
    Ok((arms, missing))
}

/// The folder must bear the experiment's name: `run` would work in another one.
fn named_alike(folder: &Path, name: &str) -> Result<(), Failure> {
    let own = folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    if own.as_deref() == Some(name) {
        return Ok(());
    }
    let message = format!("{} is not named like its experiment, `{name}`", folder.display());
    Err(Failure::new(Status::Input, "folder_of_another_name", message)
        .hinted("give the folder the experiment's name, or name the right file with --file"))
}
