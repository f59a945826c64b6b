//! `scratchbed worker`: makes attempts of the experiments of a ledger, on this machine, until it is told to stop.

mod machine;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use tokio::sync::watch;

use super::interrupts::Interrupts;
use super::output::{Output, progress};
use super::run::House;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use machine::ThisMachine;
pub use machine::archive_name;
use scratchbed::experiment::engine::FleetWork;
use scratchbed::ledger::{Ledger, Pace, Stop, Worker, serve};
use scratchbed::model::sha256_hex;
use scratchbed::store::Artefacts;

/// How this machine works.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// The ledger: `env:VARIABLE` with the address of a Postgres database in that variable.
    #[arg(long, value_name = "env:VARIABLE")]
    queue: String,
    /// Attempts at a time: a number, or `auto` for what cores and memory bear.
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = slots)]
    slots: u32,
    /// The name of this worker, by which its files are kept; the machine's name by default. Two workers on one machine need
    /// different ones.
    #[arg(long, value_name = "NAME", value_parser = plain_name)]
    name: Option<String>,
    /// Where finished attempts are put, a folder or s3://bucket/prefix: the same for all workers.
    /// runs/artefacts by default.
    #[arg(long, value_name = "FOLDER|s3://BUCKET")]
    artefacts: Option<String>,
    /// How long attempts may go on after the first signal to stop, such as 9m; then they are given back.
    #[arg(long, value_name = "TIME", default_value = "9m", value_parser = humantime::parse_duration)]
    grace: Duration,
    /// Stop when nothing was to be done for so long, such as 1m.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    until_idle: Option<Duration>,
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

fn plain_name(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_name = !text.is_empty() && text.len() <= 60 && !text.starts_with('.') && text.chars().all(is_plain);
    if is_name { Ok(text.to_owned()) } else { Err("give up to 60 letters, digits, `-`, `_` or `.`".to_owned()) }
}

/// Works until a signal: the first lets what runs end, the second gives it back.
pub async fn run(args: &WorkerArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let interrupts = Interrupts::listen()?;
    let host = host();
    let name = args.name.clone().unwrap_or_else(|| host.clone());
    let ledger = Box::pin(connect(&args.queue)).await?;
    let folder = settings.root.workers().join(&name);
    let place = args.artefacts.clone().unwrap_or_else(|| settings.root.artefacts().display().to_string());
    let artefacts = Artefacts::open(&place)?;
    let worker = Worker {
        id: format!("{name}-{}", uuid::Uuid::new_v4().simple()),
        host,
        build: build()?,
        pins: json!({"version": env!("CARGO_PKG_VERSION")}),
        slots: args.slots,
    };
    let house = House::start(settings, args.slots as usize).await?;
    let machine = ThisMachine::new(house, ledger.clone(), folder, artefacts);
    let arms = machine.arms();
    let work = Arc::new(FleetWork::new(ledger.clone(), worker.id.clone(), machine));
    let handed_in = work.hand_in(|place| arms.is_here(place)).await?;
    if handed_in > 0 {
        progress(format!("{handed_in} attempts that had ended before were handed in"));
    }
    progress(format!("worker    {} with {} slots; artefacts go to {place}", worker.id, worker.slots));
    let (tell, stop) = watch::channel(Stop::GoOn);
    let stopping = tokio::spawn(stop_when_asked(tell.clone(), interrupts));
    let idling = args.until_idle.map(|most| tokio::spawn(stop_when_idle(Arc::clone(&work), most, tell)));
    let pace = Pace { grace: args.grace, ..Pace::default() };
    let served = serve(&ledger, &worker, &work, pace, stop).await;
    stopping.abort();
    if let Some(idling) = idling {
        idling.abort();
    }
    arms.close().await;
    let served = served?;
    out.say(format!("{} attempts", served.attempts));
    if served.is_unfit {
        out.say("stopped by itself: too many attempts in a row were spoiled on this machine; see the log");
    }
    out.answer(&json!({"worker": worker.id, "attempts": served.attempts, "is_unfit": served.is_unfit}));
    Ok(if served.is_unfit { Status::Infrastructure } else { Status::Success })
}

/// The ledger of a fleet, whose tickets a queue delivers.
pub async fn connect(queue: &str) -> Result<Ledger, Failure> {
    let Some(variable) = queue.strip_prefix("env:") else {
        let message = "the address of a database holds its password, so it is no argument";
        return Err(Failure::new(Status::Usage, "address_in_argument", message)
            .hinted("put it into an environment variable, and name that: --queue env:SCRATCHBED_QUEUE"));
    };
    let address = std::env::var(variable).map_err(|_| {
        Failure::new(Status::Input, "variable_not_set", format!("{variable} is not set"))
            .hinted("put the address of the database into it, such as postgres://user:password@host/name")
    })?;
    Ok(Ledger::connect(&address, None).await?.with_queue(&address, QUEUE_CONNECTIONS).await?)
}

/// How often it is looked whether a worker is idle.
const LOOK: Duration = Duration::from_secs(1);
/// Connections of the queue of one process.
const QUEUE_CONNECTIONS: u32 = 2;

/// The machine's name.
fn host() -> String {
    let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    name.filter(|name| plain_name(name).is_ok()).unwrap_or_else(|| "worker".to_owned())
}

/// Digest of the program that runs.
fn build() -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::infrastructure("own_binary_unknown", &error);
    let program: PathBuf = std::env::current_exe().map_err(unreadable)?;
    Ok(sha256_hex(&std::fs::read(program).map_err(unreadable)?))
}

/// Stops the worker when nothing was attempted for so long.
async fn stop_when_idle(work: Arc<FleetWork<ThisMachine>>, most: Duration, tell: watch::Sender<Stop>) {
    while work.idle() < most {
        tokio::time::sleep(LOOK).await;
    }
    tell.send_replace(Stop::Drain);
}

async fn stop_when_asked(tell: watch::Sender<Stop>, mut interrupts: Interrupts) {
    interrupts.next().await;
    progress("what runs may end; a second signal gives it back");
    tell.send_replace(Stop::Drain);
    interrupts.next().await;
    tell.send_replace(Stop::Now);
    // Whoever asks a third time does not want to wait for anything.
    interrupts.next().await;
    std::process::exit(i32::from(Status::Negative as u8));
}
