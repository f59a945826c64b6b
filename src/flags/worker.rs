//! How a worker works: flags of `worker`.

use std::time::Duration;

use clap::Args;

/// How this machine works.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// The ledger: `env:VARIABLE` with the address of a Postgres database in that variable.
    #[arg(long, value_name = "env:VARIABLE")]
    pub queue: String,
    /// Attempts at a time: a number, or `auto` for what cores and memory bear.
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = slots)]
    pub slots: u32,
    /// The name of this worker, by which its files are kept; the machine's name by default. Two workers on one machine need
    /// different ones.
    #[arg(long, value_name = "NAME", value_parser = plain_name)]
    pub name: Option<String>,
    /// Where finished attempts are put, a folder or s3://bucket/prefix: the same for all workers.
    /// runs/artefacts by default.
    #[arg(long, value_name = "FOLDER|s3://BUCKET")]
    pub artefacts: Option<String>,
    /// Keep the folders of attempts on this machine when they were delivered. Attempts that others learn from are kept anyway.
    #[arg(long)]
    pub keep: bool,
    /// How long attempts may go on after the first signal to stop, such as 9m; then they are given back.
    #[arg(long, value_name = "TIME", default_value = "9m", value_parser = humantime::parse_duration)]
    pub grace: Duration,
    /// Stop when nothing was to be done for so long, such as 1m.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub until_idle: Option<Duration>,
}

/// Memory of a page with its share of a browser, in KiB: the pages were measured at 180 to 235 MB.
const SLOT_KIB: u64 = 350 * 1024;
/// Slots of a core: the mouse keeps a third of one busy.
const SLOTS_PER_CORE: u64 = 3;

fn slots(text: &str) -> Result<u32, String> {
    if text == "auto" {
        return Ok(automatic_slots());
    }
    let given = text.parse().ok().filter(|slots| (1..=1000).contains(slots));
    given.ok_or_else(|| "give a number from 1 to 1000, or `auto`".to_owned())
}

/// As many as memory and cores bear.
fn automatic_slots() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available =
        memory.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.split_whitespace().next()?.parse().ok());
    let fitting = available.map_or(u64::MAX, |kib: u64| kib / SLOT_KIB);
    u32::try_from(fitting.min(cores * SLOTS_PER_CORE).max(1)).unwrap_or(u32::MAX)
}

/// Whether a text can be a part of paths.
pub fn plain_name(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_name = !text.is_empty() && text.len() <= 60 && !text.starts_with('.') && text.chars().all(is_plain);
    if is_name { Ok(text.to_owned()) } else { Err("give up to 60 letters, digits, `-`, `_` or `.`".to_owned()) }
}
