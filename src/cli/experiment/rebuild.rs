//! `scratchbed experiment rebuild`: the ledger's rows of an experiment anew, from the folders of its arms. Needs neither browser nor
//! key: what an arm is stands in the record of its run.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::status;
use crate::arms::arm::command;
use crate::arms::judge_seeds::with_own_seeds;
use crate::arms::output::Output;
use crate::arms::plan::of_file;
use crate::arms::signs::spinner;
use crate::flags::budget::PricesArgs;
use crate::flags::experiment::{ExperimentFile, arm_flags, kept_file};
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::{KeptArm, KeptExperiment};
use scratchbed::ledger::{ELSEWHERE, LedgerError};
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::store::{RunDir, VerdictStore};

/// Which folder. Attempts that were completed count by the same rule as before, what was broken off is owed, and `experiment run
/// FILE` goes on. Orders are lost with the ledger: limits are those of the file, and a verdict that was voided counts again unless a
/// newer attempt was begun. Attempts of an experiment that was not begun in this checkout are entered with the grades that came with
/// them, which its tables say, and what is still to be judged gets a secret seed of this checkout.
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
    let (dirs, missing) = arms(&args.folder, &file)?;
    let ledger = args.ledger.open(settings).await?;
    if ledger.experiments().await?.contains(&file.name) {
        return Err(LedgerError::Exists(file.name).into());
    }
    let arms = kept(dirs, &file, settings)?;
    let progress = spinner("reading attempts");
    let found = KeptExperiment::read(&arms, file.epochs, file.seed);
    progress.finish_and_clear();
    let found = found?;
    let plan = of_file(&file, text, found.pins, (found.arms, found.cells))?;
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
    let came = found.attempts.iter().filter(|attempt| attempt.worker == ELSEWHERE).count();
    if came > 0 {
        let came = pluralise(came, "attempt");
        out.say(format!("claimed   {came} came with the folder, grades and all: `experiment regrade` judges"));
        out.say("          the projects here; what is owed is judged under a secret seed of this checkout");
    }
    for arm in &missing {
        out.say(format!("no folder {arm}: `experiment run` begins it"));
    }
    let home = settings.root.experiments().join(&file.name);
    if home.canonicalize().ok() != args.folder.canonicalize().ok() {
        out.say(format!("note      `experiment run` works in {}: move the folder there", home.display()));
    }
    out.answer(&json!({
        "experiment": file.name, "file": path, "attempts": rebuilt.attempts, "broken_off": rebuilt.broken_off,
        "left_out": rebuilt.left_out, "claimed": came, "arms_without_folder": missing, "status": now,
    }));
    Ok(Status::Success)
}

/// An arm with a folder: its run, and whom it asks.
type Arm = (RunDir, String);

/// The arms of the file that have a folder, which nobody works on; and the labels of those that have none.
fn arms(folder: &Path, file: &ExperimentFile) -> Result<(Vec<Arm>, Vec<String>), Failure> {
    let command = command(file.benchmark);
    let (mut arms, mut missing) = (Vec::new(), Vec::new());
    for entry in file.arms()? {
        let flags = arm_flags(file, &entry, &command)?;
        let place = folder.join(&flags.label);
        if place.join("run.json").is_file() {
            arms.push((RunDir::resume(&place)?, flags.lane));
        } else {
            missing.push(flags.label);
        }
    }
    if arms.is_empty() {
        let message = format!("{} holds no arm of `{}`", folder.display(), file.name);
        let failure = Failure::new(Status::Input, "nothing_to_rebuild", message);
        return Err(failure.hinted("name the folder of the experiment, such as runs/experiments/NAME"));
    }
    Ok((arms, missing))
}

/// The arms as they are entered: what was begun elsewhere is taken over with a secret seed of this checkout.
fn kept(arms: Vec<Arm>, file: &ExperimentFile, settings: &Settings) -> Result<Vec<KeptArm>, Failure> {
    let (caps, prices) = (file.caps()?, PricesArgs::of(file.prices()?).table()?);
    let (dirs, lanes): (Vec<_>, Vec<_>) = arms.into_iter().unzip();
    let dirs = with_own_seeds(dirs, &VerdictStore::new(settings.root.verdicts()))?;
    let arm = |(dir, lane): (RunDir, String)| {
        let pricing = prices.pricing(dir.record());
        KeptArm { dir, lane, pricing, caps }
    };
    Ok(dirs.into_iter().zip(lanes).map(arm).collect())
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
