//! Finds out when an attempt of a program is over: it says so, it reaches a limit, or it ends.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout_at};

use crate::agent::FreeProgram;
use crate::model::{AttemptState, Ending};
use crate::session::{Pass, SessionHandle};

/// How long a program that has said `done` or `failed` may take to end, to write down what it needed.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Why an attempt is over.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The agent said so, or a limit was reached.
    Ended(Ending),
    /// The program ended without saying how it went.
    Exited(ExitStatus),
}

/// What is watched.
pub(super) struct Watched<'a> {
    pub(super) handle: &'a SessionHandle,
    pub(super) pass: &'a Pass,
    pub(super) deadline: Instant,
}

impl Watched<'_> {
    /// Waits until the attempt is over.
    ///
    /// # Errors
    /// When the operating system does not say how the program ended.
    pub(super) async fn over(&self, program: &mut FreeProgram) -> std::io::Result<Over> {
        let (mut activity, mut calls) = (self.handle.activity(), self.pass.calls());
        loop {
            if let Some(ending) = self.ending() {
                if matches!(ending, Ending::Done | Ending::GaveUp) {
                    let until = self.deadline.min(Instant::now() + LAST_WORDS);
                    let _ = timeout_at(until, program.ended()).await;
                }
                return Ok(Over::Ended(ending));
            }
            tokio::select! {
                status = program.ended() => {
                    let status = status?;
                    return Ok(self.ending().map_or(Over::Exited(status), Over::Ended));
                }
                Ok(()) = activity.changed() => {}
                Ok(()) = calls.changed() => {}
                () = sleep_until(self.deadline) => return Ok(Over::Ended(Ending::WallLimit)),
            }
        }
    }

    /// How the session says that it is over. Using the last step is no end: `done` costs none.
    fn ending(&self) -> Option<Ending> {
        match self.handle.standing() {
            Some(AttemptState::Done | AttemptState::Submitted) => Some(Ending::Done),
            Some(AttemptState::GaveUp) => Some(Ending::GaveUp),
            Some(AttemptState::WallLimit) => Some(Ending::WallLimit),
            _ => self.pass.reached_limit().then_some(Ending::StepLimit),
        }
    }
}
