//! Signals to stop: SIGINT (Ctrl+C) and SIGTERM. The response is the subcommand's own.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::arms::signs::progress;
use crate::flags::failure::{Failure, Status};

/// Both signals, listened to from the moment this is made: one that comes before the wait is not lost.
pub struct Interrupts {
    interrupt: Signal,
    terminate: Signal,
}

impl Interrupts {
    pub fn listen() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(|error| Failure::infrastructure("no_signals", &error));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    /// Waits for the next of either.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// The first signal lets what runs end, the second ends the process: what was cut off is owed, and is made again later.
pub async fn drain_when_asked(drain: CancellationToken, mut interrupts: Interrupts) {
    interrupts.next().await;
    progress("what runs may end; a second signal stops at once");
    drain.cancel();
    interrupts.next().await;
    std::process::exit(i32::from(Status::Negative as u8));
}
