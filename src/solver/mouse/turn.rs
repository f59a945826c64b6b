//! A coroutine without a runtime: a program that reads sequentially, and stops at every action until the next
//! observation.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::model::ActionCall;

/// The result of the last action.
#[derive(Debug, Clone, Default)]
pub(super) struct Sight<S> {
    pub seen: S,
    /// Why the action was refused.
    pub error: Option<String>,
}

#[derive(Debug)]
struct ChannelState<S> {
    sight: Option<Sight<S>>,
    call: Option<ActionCall>,
}

/// The program's side: it requests an action and gets the observation after it.
#[derive(Debug)]
pub(super) struct Channel<S>(Arc<Mutex<ChannelState<S>>>);

impl<S> Channel<S> {
    /// Has an action carried out.
    pub async fn act(&self, call: ActionCall) -> Sight<S> {
        self.state().call = Some(call);
        self.wait().await
    }

    /// What is seen before the first action.
    pub async fn wait(&self) -> Sight<S> {
        poll_fn(|_| self.state().sight.take().map_or(Poll::Pending, Poll::Ready)).await
    }

    fn state(&self) -> std::sync::MutexGuard<'_, ChannelState<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The other side, which executes actions.
pub(super) struct Turns<S, R> {
    channel: Channel<S>,
    program: Pin<Box<dyn Future<Output = R> + Send>>,
}

/// What the program does with a sight.
pub(super) enum Step<R> {
    Act(ActionCall),
    End(R),
}

impl<S: Send + 'static, R> Turns<S, R> {
    pub fn begin<F>(program: impl FnOnce(Channel<S>) -> F) -> Self
    where
        F: Future<Output = R> + Send + 'static,
    {
        let state = Arc::new(Mutex::new(ChannelState { sight: None, call: None }));
        Self { channel: Channel(state.clone()), program: Box::pin(program(Channel(state))) }
    }

    /// Shows the program what is seen; `None` when it waits for anything but a sight, which is a bug in the
    /// program. Must not be called after the end.
    pub fn next(&mut self, sight: Sight<S>) -> Option<Step<R>> {
        self.channel.state().sight = Some(sight);
        let mut context = Context::from_waker(Waker::noop());
        match self.program.as_mut().poll(&mut context) {
            Poll::Ready(end) => Some(Step::End(end)),
            Poll::Pending => self.channel.state().call.take().map(Step::Act),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    #[test]
    fn a_program_is_carried_on_from_sight_to_sight() {
        let mut turns = Turns::begin(|channel: Channel<u32>| async move {
            let first = channel.wait().await.seen;
            let second = channel.act(ActionCall::new("click", Map::new())).await.seen;
            first + second
        });
        let sight = |seen| Sight { seen, error: None };
        assert!(matches!(turns.next(sight(1)), Some(Step::Act(call)) if call.api == "click"));
        assert!(matches!(turns.next(sight(2)), Some(Step::End(3))));
    }
}
