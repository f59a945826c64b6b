//! `scratchbed explain rate` and `agreement`: people rate the explanations of a run on a page of this machine, and are compared with
//! each other and with judges.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::arms::interrupts::Interrupts;
use crate::arms::output::Output;
use crate::arms::signs::progress;
use crate::flags::failure::{Failure, Status};
use scratchbed::benchmarks::explain::ratings::{Distribution, Ratings, Sheet, Subjects, compare, ratings, sample};
use scratchbed::bugs::Bench;
use scratchbed::export::claims;
use scratchbed::model::ItemId;
use scratchbed::rating::{Desk, serve_desk};
use scratchbed::report::{agreement_text, distributions_text};
use scratchbed::store::{RunDir, StoreError};

/// The exit code is 0 when all of the sample is rated, and 1 when some of it is left.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// The benchmark that the run is of.
    bench: PathBuf,
    /// The folder of the run; scores go to `ratings/NAME.jsonl` in it.
    run: PathBuf,
    /// Who rates: letters, digits, `-`, `_` and `.`.
    #[arg(long, value_name = "NAME", default_value = "rater", value_parser = rater)]
    rater: ItemId,
    /// Instances that are rated, of all mechanisms alike.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// Decides which instances: all who rate a run give the same one.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The port of the page; 0 for a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

/// A name that a file can have.
fn rater(text: &str) -> Result<ItemId, String> {
    text.parse()
        .map_err(|_| "use 1 to 100 letters, digits, `-`, `_` and `.`, and begin with none of the dots".to_owned())
}

/// Of which run.
#[derive(Debug, Args)]
pub struct AgreementArgs {
    /// The folder of the run.
    run: PathBuf,
}

/// The run in a folder.
pub(super) fn opened(path: &Path) -> Result<RunDir, Failure> {
    if !path.join("run.json").is_file() {
        return Err(StoreError::NoRun { path: path.to_owned() }.into());
    }
    let dir = RunDir::open(path)?;
    if let Some(note) = claims([&dir]) {
        progress(format!("note: {note}"));
    }
    Ok(dir)
}

/// Serves the page until all is rated and the person ends it, or until Ctrl+C.
pub async fn rate(args: &RateArgs, out: Output) -> Result<Status, Failure> {
    let (bench, dir) = (Bench::open(&args.bench)?, opened(&args.run)?);
    let subjects = Subjects::of(&bench, &dir)?;
    let chosen = sample(&subjects.all, args.count.into(), args.seed);
    let all = chosen.len();
    let desk = Arc::new(Desk::new(Sheet::open(&dir, &args.rater, chosen)?, args.rater.as_str(), &bench)?);
    let listener = TcpListener::bind(("127.0.0.1", args.port)).await.map_err(|error| {
        let failure = Failure::of(Status::Machine, "port_taken", &error);
        failure.hinted("leave --port out for a free one")
    })?;
    let address = listener.local_addr().map_err(|error| Failure::infrastructure("no_address", &error))?;
    let mut interrupts = Interrupts::listen()?;
    out.say(format!(
        "rate {all} explanations at http://{address}{}  (Ctrl+C ends; each score is saved at once)",
        desk.path()
    ));
    serve_desk(listener, Arc::clone(&desk), interrupts.next())
        .await
        .map_err(|error| Failure::infrastructure("page_not_served", &error))?;
    let (spread, left) = desk.figures();
    out.say(distributions_text([(args.rater.as_str(), &spread)]));
    if left > 0 {
        out.say(format!("not rated yet: {left} of {all}; the same call goes on there"));
    }
    out.answer(&json!({"run": dir.path(), "rater": args.rater, "scores": spread, "sample": all, "left": left}));
    Ok(Status::of(left == 0))
}

/// Prints how the scores of each are spread, and how far each two agree.
pub fn agreement(args: &AgreementArgs, out: Output) -> Result<Status, Failure> {
    let dir = opened(&args.run)?;
    let found = ratings(&dir)?;
    let compared = compare(&dir, &found)?;
    let spread = |one: &Ratings| (one.shown(), Distribution::of(one.scores.values().copied()));
    let spreads: Vec<(String, Distribution)> = found.iter().map(spread).collect();
    out.say(distributions_text(spreads.iter().map(|(name, spread)| (name.as_str(), spread))));
    out.say(format!("\n{}", agreement_text(&compared)));
    let raters: Vec<Value> = found
        .iter()
        .zip(&spreads)
        .map(|(one, (_, spread))| json!({"name": one.name, "judge": one.is_judge, "scores": spread}))
        .collect();
    out.answer(&json!({"run": dir.path(), "raters": raters, "pairs": compared}));
    Ok(Status::Success)
}
