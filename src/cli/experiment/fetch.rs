//! `scratchbed experiment fetch`: brings the attempts that workers made into the folders of the experiment's arms, where reports
//! and exports look for them.

use clap::Args;
use serde_json::json;

use crate::arms::machine::archive_name;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::NamedArgs;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::{CellRef, bring};
use scratchbed::ledger::AttemptState;
use scratchbed::model::pluralise;
use scratchbed::store::{Artefacts, VerdictStore, unpack_attempt};

/// Which experiment, and where its artefacts are.
#[derive(Debug, Args)]
pub struct FetchArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// Where the workers put finished attempts; runs/artefacts by default.
    #[arg(long, value_name = "FOLDER|s3://BUCKET")]
    artefacts: Option<String>,
}

/// Fetches what is not there yet.
pub async fn run(args: &FetchArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let ledger = args.named.ledger.open(settings).await?;
    let name = &args.named.name;
    let status = ledger.status(name).await?;
    let from = args.artefacts.clone().unwrap_or_else(|| settings.root.artefacts().display().to_string());
    let artefacts = Artefacts::open(&from)?;
    let attempts = ledger.attempts(name).await?;
    let done: Vec<_> = attempts.iter().filter(|attempt| attempt.state == AttemptState::Done).collect();
    let progress = bar("attempts", done.len() as u64);
    let (mut fetched, mut missing) = (0, Vec::new());
    for attempt in done {
        let place = ledger.place(&attempt.cell).await?;
        let run = settings.root.experiments().join(&status.id).join(&place.arm);
        let local = CellRef::of(&place.item, place.epoch, attempt.number).folder();
        if !run.join(local).exists() {
            match artefacts.get(&archive_name(&place, attempt.number)).await {
                Ok(archive) => fetched += u64::from(unpack_attempt(&archive, &run)?),
                Err(error) => missing.push(format!("{} {} {}: {error}", place.arm, place.item, place.epoch)),
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let (experiments, verdicts) = (settings.root.experiments(), VerdictStore::new(settings.root.verdicts()));
    let brought = bring(&experiments, name, &ledger.reused(name).await?, &verdicts)?;
    fetched += brought.new;
    missing.extend(brought.missing.into_iter().map(|one| format!("{one}: fetch the experiment that it was made for")));
    out.say(format!("{} fetched, {} missing", pluralise(fetched, "attempt"), missing.len()));
    for one in &missing {
        out.say(format!("missing   {one}"));
    }
    out.answer(&json!({"experiment": name, "fetched": fetched, "missing": missing}));
    Ok(Status::of(missing.is_empty()))
}
