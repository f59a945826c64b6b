//! `scratchbed experiment archive`: an experiment as files, and out of the ledger.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::results::folders;
use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::cli::export::KnownArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::NamedArgs;
use crate::flags::settings::Settings;
use scratchbed::export::{Format, export};
use scratchbed::files::write_private;
use scratchbed::ledger::{Ledger, ROWS_FORMAT};
use scratchbed::model::pluralise;
use scratchbed::store::RunDir;

/// The file of the ledger's rows in an archive.
const ROWS: &str = "ledger.jsonl";

/// Which experiment, and where to. The folder of its arms stays; delete it by hand when the archive is safe.
#[derive(Debug, Args)]
pub struct ArchiveArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// The folder to write to, new or empty; runs/archives/NAME by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Leave the experiment in the ledger.
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    known: KnownArgs,
}

/// Writes the archive; when all of it is on the disk, the rows go.
pub async fn run(args: &ArchiveArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let (ledger, name) = (args.named.ledger.open(settings).await?, &args.named.name);
    let status = ledger.status(name).await?;
    let folders = folders(&status, settings);
    // Whoever works on an arm holds its lock.
    let runs = folders.iter().map(|folder| RunDir::resume(folder)).collect::<Result<Vec<_>, _>>()?;
    let rows = at_rest(&ledger, name).await?;
    let folder = args.out.clone().unwrap_or_else(|| settings.root.archives().join(name));
    let progress = spinner("packing");
    let exported = export(&runs, Format::Bundle, &args.known.known(settings)?, &folder);
    progress.finish_and_clear();
    let exported = exported?;
    let head = json!({"archive": ROWS_FORMAT, "experiment": name, "version": env!("CARGO_PKG_VERSION")});
    let text: String = std::iter::once(head.to_string()).chain(rows.iter().cloned()).map(|line| line + "\n").collect();
    // The pins among them have the secret seeds of its arms.
    write_private(&folder.join(ROWS), text.as_bytes())
        .map_err(|error| Failure::infrastructure("archive_not_written", &error))?;
    if !args.keep {
        ledger.remove(name, &rows).await?;
    }
    let (attempts, lines) = (pluralise(exported.attempts, "attempt"), pluralise(rows.len(), "row"));
    out.say(format!("written   {attempts} and {lines} in {}", folder.display()));
    if exported.attempts > 0 {
        out.say(format!("read it   scratchbed report {}", folder.join("bundle.zip").display()));
    }
    out.say(if args.keep {
        format!("kept      `{name}` is in the ledger as before")
    } else {
        let place = status.run.map_or_else(|| settings.root.experiments().join(name), PathBuf::from);
        format!("removed   `{name}` is no more in the ledger; its files in {} stay", place.display())
    });
    out.answer(&json!({
        "experiment": name, "out": folder, "exported": exported, "rows": rows.len(), "removed": !args.keep,
    }));
    Ok(Status::Success)
}

/// The rows of an experiment that nobody works on. A process of this machine that died may have left cells on their way: its locks
/// are free.
async fn at_rest(ledger: &Ledger, name: &str) -> Result<Vec<String>, Failure> {
    ledger.reap().await?;
    if !ledger.is_shared() {
        ledger.interrupted(name).await?;
    }
    ledger.refuse_busy(name).await?;
    Ok(ledger.rows(name).await?)
}
