//! The page that is being opened for the reserve, and who gets it.

use tokio::sync::oneshot;

use super::lease::Lease;

/// The page that is being opened for the pool.
#[derive(Debug, Default)]
pub(super) enum Filling {
    #[default]
    None,
    /// It goes into the pool.
    ForPool,
    /// It goes to a caller who came before it was ready: a second page beside it would only slow both.
    ForCaller(oneshot::Sender<Lease>),
}

impl Filling {
    /// Gives the page to the caller who waits for it; `None` when that was done.
    pub(super) fn hand_to_caller(self, lease: Lease) -> Option<Lease> {
        match self {
            Self::ForCaller(caller) => caller.send(lease).err(),
            Self::None | Self::ForPool => Some(lease),
        }
    }
}
