//! Places for connections: how many there may be, and what each is used for.
//!
//! A connection over which a call was admitted is known, with the holder of the call's token; all others are strangers', who
//! have half of the places at most. Which one gives way where places are short is in [`super::connection_table`].

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use axum::http::StatusCode;
use tokio_util::sync::CancellationToken;

use super::connection_table::{Caller, Entry, Table};
use crate::http::problem::Problem;

/// How many connections a server keeps open. Half of either number is for strangers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In total, over all ports.
    pub total: usize,
    pub per_address: usize,
}

impl Default for ConnectionLimits {
    /// Well below the thousand files that a process may usually have open.
    fn default() -> Self {
        Self { total: 512, per_address: 256 }
    }
}

/// The limit on connections is reached, and none gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many connections")]
pub struct TooMany;

/// The places of a server; clones share them.
#[derive(Debug, Clone)]
pub struct Places(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: ConnectionLimits,
    table: Mutex<Table>,
}

/// The places of a server, as long as there are any.
#[derive(Debug)]
pub(super) struct WeakPlaces(Weak<Shared>);

/// The place of a connection; dropping it gives it back.
#[derive(Debug)]
pub(super) struct Place {
    id: u64,
    places: Places,
    close: CancellationToken,
}

/// A call that a connection carries, until this is dropped.
#[derive(Debug)]
pub(super) struct Call(Arc<Place>);

/// The connection that a request came over, among its extensions. It does not keep the place: requests may be kept for
/// longer.
#[derive(Debug, Clone)]
pub(super) struct Connection(Weak<Place>);

/// Half of a limit, and one at least.
pub(super) const fn half(limit: usize) -> usize {
    limit.div_ceil(2)
}

impl Places {
    pub fn new(limits: ConnectionLimits) -> Self {
        Self(Arc::new(Shared { limits, table: Mutex::default() }))
    }

    /// A place for a new connection from this address.
    ///
    /// # Errors
    /// When there is none, and no other connection gives way.
    pub(super) fn take(&self, address: IpAddr) -> Result<Place, TooMany> {
        let mut table = self.table();
        if !table.admits(address, self.0.limits) {
            tracing::warn!(%address, connections = table.open.len(), "a connection was closed: there are too many");
            return Err(TooMany);
        }
        let (id, close) = table.add(address);
        drop(table);
        Ok(Place { id, places: self.clone(), close })
    }

    /// Has a connection give way; whether one did.
    pub(super) fn relieve(&self) -> bool {
        self.table().close_one(|_| true)
    }

    pub(super) fn downgrade(&self) -> WeakPlaces {
        WeakPlaces(Arc::downgrade(&self.0))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WeakPlaces {
    pub(super) fn upgrade(&self) -> Option<Places> {
        self.0.upgrade().map(Places)
    }

    pub(super) fn are(&self, places: &Places) -> bool {
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&places.0))
    }
}

impl Place {
    /// Cancelled once the connection has to give way.
    pub(super) fn close(&self) -> CancellationToken {
        self.close.clone()
    }

    /// Has another connection give way; whether one did.
    pub(super) fn relieve(&self) -> bool {
        self.places.table().close_one(|entry| entry.id != self.id)
    }

    /// Notes that a call begins or ends.
    fn note(&self, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.places.table().entry(self.id) {
            change(entry);
            entry.since = Instant::now();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.table().open.retain(|entry| entry.id != self.id);
    }
}

impl Call {
    pub(super) fn begin(place: Arc<Place>) -> Self {
        place.note(|entry| (entry.calls, entry.has_called, entry.is_admitted) = (entry.calls + 1, true, false));
        Self(place)
    }

    /// Its reply broke off.
    pub(super) fn broke(&self, error: &axum::Error) {
        tracing::debug!(%error, connection = self.0.id, "a reply broke off");
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.note(|entry| entry.calls = entry.calls.saturating_sub(1));
    }
}

impl Connection {
    pub(super) fn of(place: &Arc<Place>) -> Self {
        Self(Arc::downgrade(place))
    }

    /// Notes whether its call waits for more of the request, which the caller has not sent yet.
    pub(super) fn awaits(&self, is_awaited: bool) {
        let Some(place) = self.0.upgrade() else { return };
        let mut table = place.places.table();
        // The call is no younger for it: a caller who sends a letter now and then stays where it is in the order.
        if let Some(entry) = table.entry(place.id) {
            entry.is_awaited = is_awaited;
        }
    }

    /// A call over this connection is admitted. One caller's calls may be carried by half of an address's places, so
    /// that its slow bodies and unread replies take none from others.
    ///
    /// # Errors
    /// `busy` when they are.
    pub(super) fn admit(&self, owner: Option<&str>) -> Result<(), Problem> {
        let Some(place) = self.0.upgrade() else { return Ok(()) };
        let mut table = place.places.table();
        let caller = Caller::Known(owner.map(str::to_owned));
        let Some(address) = table.entry(place.id).map(|entry| entry.address) else { return Ok(()) };
        let others = table.open.iter().filter(|entry| {
            entry.id != place.id && entry.address == address && entry.calls > 0 && entry.caller == caller
        });
        if owner.is_some() && others.count() >= half(place.places.0.limits.per_address) {
            let detail = "too many calls of this caller are being answered";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", detail)
                .hinted("wait for the calls that you have in flight, then call again")
                .retry_after(1));
        }
        if let Some(entry) = table.entry(place.id) {
            (entry.caller, entry.is_admitted) = (caller, true);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "connection_places_tests.rs"]
mod tests;
