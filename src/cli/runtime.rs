//! Runs asynchronous subcommands to their end.

use std::future::Future;
use std::time::Duration;

use tokio::runtime::Runtime;

use crate::flags::failure::{Failure, Status};

/// How long a server that has ended waits for work on threads of its own. That can't be broken off, and what is left of it by then is
/// for callers who are gone.
const LEFT_BEHIND: Duration = Duration::from_secs(1);

/// Runs a subcommand, and all that it has begun.
pub fn wait(work: impl Future<Output = Result<Status, Failure>>) -> Result<Status, Failure> {
    runtime()?.block_on(work)
}

/// Runs a server; what callers have begun ends with it.
pub fn serve(work: impl Future<Output = Result<Status, Failure>>) -> Result<Status, Failure> {
    let runtime = runtime()?;
    let served = runtime.block_on(work);
    runtime.shutdown_timeout(LEFT_BEHIND);
    served
}

fn runtime() -> Result<Runtime, Failure> {
    Runtime::new().map_err(|error| Failure::infrastructure("no_runtime", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_never_ends_does_not_hold_a_server_that_has() {
        let (free, held) = std::sync::mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let work = async move {
            tokio::task::spawn_blocking(move || (begun.send(()), held.recv()));
            begins.await.unwrap();
            Ok::<_, Failure>(Status::Success)
        };
        assert_eq!(serve(work).unwrap(), Status::Success, "it would wait for ever");
        drop(free);
    }
}
