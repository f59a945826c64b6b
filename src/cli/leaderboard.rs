//! `scratchbed leaderboard`: a static page of complete runs.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::flags::budget::PricesArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::run_folders::{RunFolders, UnpackingArgs, current_judges};
use crate::flags::settings::Settings;
use scratchbed::leaderboard::Leaderboard;
use scratchbed::model::{pluralise, pluralise_as};

/// Runs of which attempts are owed or dead are refused. Where `scratchbed regrade` has judged the projects again in this
/// checkout, the new grade is shown beside the first. What a bundle says of itself is a claim, and is kept apart until
/// this checkout has judged it.
#[derive(Debug, Args)]
pub struct LeaderboardArgs {
    /// Bundles, or folders of runs or experiments.
    #[arg(required = true, value_name = "BUNDLE")]
    bundles: Vec<PathBuf>,
    #[command(flatten)]
    unpacking: UnpackingArgs,
    /// The folder for the page; files of the same names are replaced.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What the page is called.
    #[arg(long, value_name = "TEXT", default_value = "Leaderboard")]
    title: String,
    #[command(flatten)]
    pack: PackArgs,
    #[command(flatten)]
    prices: PricesArgs,
}

pub fn run(args: &LeaderboardArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let (judges, prices) = (current_judges(args.pack.tasks(settings, &[])?, settings), args.prices.table()?);
    let opened = RunFolders::open(&args.bundles, args.unpacking, settings)?;
    let board = Leaderboard::of(&args.title, &opened.runs(), &judges, &prices)?;
    let page = board.write(&args.out)?;
    out.say(format!("{}; open {}", pluralise(board.len(), "entry"), page.display()));
    if board.not_regraded() > 0 {
        out.say(format!(
            "note: {} first grades only; `scratchbed regrade RUN` judges the attempts again",
            pluralise_as(board.not_regraded(), "entry has its", "entries have their")
        ));
    }
    if board.claimed() > 0 {
        out.say(format!(
            "note: entries as claimed by their files, which stand apart: {}; `scratchbed regrade BUNDLE` judges them here",
            board.claimed()
        ));
    }
    out.answer(&json!({"page": page, "leaderboard": board}));
    Ok(Status::Success)
}
