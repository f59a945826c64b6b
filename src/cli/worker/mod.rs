//! `scratchbed worker`: makes attempts of the experiments of a ledger, on this machine, until it is told to stop.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;

use crate::arms::house::House;
use crate::arms::interrupts::Interrupts;
use crate::arms::machine::ThisMachine;
use crate::arms::output::Output;
use crate::arms::pins::{self, build, pins};
use crate::arms::signs::progress;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::connect;
use crate::flags::settings::Settings;
use crate::flags::worker::{WorkerArgs, plain_name};
use scratchbed::experiment::engine::FleetWork;
use scratchbed::ledger::{Pace, Stop, Worker, serve};
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::store::Artefacts;

/// Works until a signal: the first lets what runs end, the second gives it back.
pub async fn run(args: &WorkerArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let interrupts = Interrupts::listen()?;
    let host = host();
    let name = args.name.clone().unwrap_or_else(|| host.clone());
    let ledger = Box::pin(connect(&args.queue)).await?;
    pins::check(&ledger, settings).await?;
    let folder = settings.root.workers().join(&name);
    let place = args.artefacts.clone().unwrap_or_else(|| settings.root.artefacts().display().to_string());
    let artefacts = Artefacts::open(&place)?;
    let worker = Worker {
        id: format!("{name}-{}", uuid::Uuid::new_v4().simple()),
        host,
        build: build()?,
        pins: pins()?.into(),
        slots: args.slots,
    };
    let house = House::start(settings, args.slots as usize).await?;
    let machine = ThisMachine::new(house, ledger.clone(), folder, (artefacts, args.keep));
    let arms = machine.arms();
    let work = Arc::new(FleetWork::new(ledger.clone(), machine));
    let handed_in = work.hand_in(|place| arms.is_here(place)).await?;
    if handed_in > 0 {
        let ended = pluralise_as(handed_in, "attempt that had ended before was", "attempts that had ended before were");
        progress(format!("{ended} handed in"));
    }
    let slots = pluralise(worker.slots, "slot");
    progress(format!("worker    {} with {slots}; artefacts go to {place}", worker.id));
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
    out.say(pluralise(served.attempts, "attempt"));
    if let Some(why) = &served.unfit {
        out.say(format!("stopped by itself: {why}"));
    }
    out.answer(&json!({"worker": worker.id, "attempts": served.attempts, "unfit": served.unfit}));
    Ok(if served.unfit.is_some() { Status::Infrastructure } else { Status::Success })
}

/// How often it is looked whether a worker is idle.
const LOOK: Duration = Duration::from_secs(1);

/// The machine's name.
fn host() -> String {
    let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    name.filter(|name| plain_name(name).is_ok()).unwrap_or_else(|| "worker".to_owned())
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
