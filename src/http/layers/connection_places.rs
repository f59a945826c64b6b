//! Places for connections: how many there may be, and which one gives way to a new one where all are taken.
//!
//! A connection over which a call was admitted is known, with the holder of the call's token; all others are
//! strangers', who have half of the places at most. One that carries no call gives way, strangers' first and of these
//! the oldest, so that nobody who keeps connections open and silent keeps anybody out. One that carries a call that was
//! admitted stays.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio_util::sync::CancellationToken;

use crate::http::problem::Problem;

/// A call that nobody was admitted for gives way once it has gone on for this long: it gets nothing that takes more than a moment,
/// unless it does not read it.
const STALLED: Duration = Duration::from_secs(10);

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

#[derive(Debug, Default)]
struct Table {
    /// The number of the next connection.
    next: u64,
    open: Vec<Entry>,
}

/// An open connection.
#[derive(Debug)]
struct Entry {
    id: u64,
    address: IpAddr,
    caller: Caller,
    /// Calls that it carries: from the end of a request's head to the end of the reply.
    calls: usize,
    /// Whether its last call was admitted.
    is_admitted: bool,
    /// When its last call began or ended; without one, when it was opened.
    since: Instant,
    close: CancellationToken,
}

/// Who called over a connection last.
#[derive(Debug, PartialEq, Eq)]
enum Caller {
    /// Nobody who was let in.
    Stranger,
    /// The holder of a token, by its digest; none where none is wanted.
    Known(Option<String>),
}

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
const fn half(limit: usize) -> usize {
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
        let limits = self.0.limits;
        let mut table = self.table();
        let near = move |entry: &Entry| entry.address == address;
        let has_room = table.make_room(half(limits.per_address), |entry| near(entry) && entry.is_strangers())
            && table.make_room(limits.per_address, near)
            && table.make_room(half(limits.total), Entry::is_strangers)
            && table.make_room(limits.total, |_| true);
        if !has_room {
            tracing::warn!(%address, connections = table.open.len(), "a connection was closed: there are too many");
            return Err(TooMany);
        }
        let (id, close) = (table.next, CancellationToken::new());
        table.next += 1;
        let (caller, since) = (Caller::Stranger, Instant::now());
        table.open.push(Entry { id, address, caller, calls: 0, is_admitted: false, since, close: close.clone() });
        drop(table);
        Ok(Place { id, places: self.clone(), close })
    }

    /// Has a connection give way, if one does.
    pub(super) fn relieve(&self) {
        self.table().close_one(|_| true);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Whether there are fewer of these connections than `limit`, or one of them gave way.
    fn make_room(&mut self, limit: usize, among: impl Fn(&Entry) -> bool) -> bool {
        self.open.iter().filter(|entry| among(entry)).count() < limit || self.close_one(among)
    }

    /// Closes the one of these connections that gives way most readily, if any does.
    fn close_one(&mut self, among: impl Fn(&Entry) -> bool) -> bool {
        let now = Instant::now();
        let all = self.open.iter().enumerate().filter(|(_, entry)| among(entry));
        let first = all.filter_map(|(at, entry)| Some((entry.reluctance(now)?, entry.since, entry.id, at))).min();
        let Some((.., at)) = first else { return false };
        let entry = self.open.swap_remove(at);
        tracing::debug!(address = %entry.address, "a connection gives way to a new one");
        entry.close.cancel();
        true
    }

    fn entry(&mut self, id: u64) -> Option<&mut Entry> {
        self.open.iter_mut().find(|entry| entry.id == id)
    }
}

impl Entry {
    fn is_strangers(&self) -> bool {
        self.caller == Caller::Stranger
    }

    /// How reluctant it is to give way, 0 the least; none if it stays.
    fn reluctance(&self, now: Instant) -> Option<u8> {
        match (&self.caller, self.calls) {
            (Caller::Stranger, 0) => Some(0),
            (Caller::Known(_), 0) => Some(1),
            _ if !self.is_admitted && now.saturating_duration_since(self.since) > STALLED => Some(2),
            _ => None,
        }
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
        place.note(|entry| (entry.calls, entry.is_admitted) = (entry.calls + 1, false));
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
