//! Posted files are checked on threads of their own, a few at a time. Such work can't be broken off, so it goes on when its caller has
//! gone; what waits for it does not, and is let go when the server ends.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use scratchbed::http::Problem;
use scratchbed::http::host::checking;

/// Files that are checked at a time: each takes a thread, and reads the task set once for each arm.
const MOST: usize = 2;
/// How long a file waits for those before it.
const WAIT: Duration = Duration::from_secs(10);

/// Room for checks; clones share it.
#[derive(Debug, Clone)]
pub struct Checks {
    places: Arc<Semaphore>,
    wait: Duration,
    closing: CancellationToken,
}

impl Checks {
    /// Room for a server that ends when `closing` is cancelled.
    pub fn new(closing: &CancellationToken) -> Self {
        Self::with(closing, MOST, WAIT)
    }

    fn with(closing: &CancellationToken, most: usize, wait: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(most)), wait, closing: closing.clone() }
    }

    /// Does the work once there is a place, which is taken until the work is done.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
        tokio::select! {
            done = self.in_turn(work) => done,
            () = self.closing.cancelled() => Err(Problem::shutting_down()),
        }
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
        let place = tokio::time::timeout(self.wait, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else { return Err(checking()) };
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        done.await.map_err(|error| Problem::internal(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_more_are_checked_than_there_is_room_for_and_none_holds_a_server_that_ends() {
        let closing = CancellationToken::new();
        let checks = Checks::with(&closing, 1, Duration::ZERO);
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (free, held) = std::sync::mpsc::channel::<()>();
        let (own, work) = (checks.clone(), move || (begun.send(()), held.recv()));
        let first = tokio::spawn(async move { own.run(work).await.map(drop) });
        begins.await.unwrap();
        assert_eq!(checks.run(|| ()).await.unwrap_err().code, "busy");
        closing.cancel();
        assert_eq!(first.await.unwrap().unwrap_err().code, "shutting_down", "its thread still waits");
        drop(free);
    }
}
