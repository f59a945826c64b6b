//! The open connections of a server, and which of them gives way to a new one where all places are taken.
//!
//! One that carries no call gives way, strangers' first and of these the oldest, so that nobody who keeps connections open
//! and silent keeps anybody out. One that was opened just now has a moment for its first call: while there are places for others, a
//! burst of connections does not close itself. Where no place is left at all, the oldest one over which no whole request has come
//! gives way, whoever calls: one that was opened just now, and one that still sends the rest of its request. One that carries a
//! call that was admitted, and whose request is here, stays.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::connection_places::{ConnectionLimits, half};

/// A call that nobody was admitted for gives way once it has gone on for this long: it gets nothing that takes more than a moment,
/// unless it does not read it.
pub(super) const STALLED: Duration = Duration::from_secs(10);
/// So long a new connection has for its first call before it counts as silent.
pub(super) const SETTLING: Duration = Duration::from_millis(500);

#[derive(Debug, Default)]
pub(super) struct Table {
    /// The number of the next connection.
    next: u64,
    pub(super) open: Vec<Entry>,
}

/// An open connection.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: u64,
    pub(super) address: IpAddr,
    pub(super) caller: Caller,
    /// Calls that it carries: from the end of a request's head to the end of the reply.
    pub(super) calls: usize,
    /// Whether it has carried one.
    pub(super) has_called: bool,
    /// Whether its call waits for more of the request.
    pub(super) is_awaited: bool,
    /// Whether its last call was admitted.
    pub(super) is_admitted: bool,
    /// When its last call began or ended; without one, when it was opened.
    pub(super) since: Instant,
    close: CancellationToken,
}

/// Who called over a connection last.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Caller {
    /// Nobody who was let in.
    Stranger,
    /// The holder of a token, by its digest; none where none is wanted.
    Known(Option<String>),
}

/// Why a connection may give way; the first ones do most readily.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reluctance {
    /// A stranger's without a call, which has had time for one.
    Silent,
    /// A stranger's that was opened just now. It gives way where no place is left, and where files are few.
    New,
    /// A known caller's without a call.
    Idle,
    /// It carries a call that nobody was admitted for, and that does not end.
    Stalled,
    /// It carries a call whose request is not whole: the server waits for the rest. It gives way where no place is left, and where files
    /// are few.
    Sending,
}

impl Table {
    /// Whether there is a place for another connection from this address; others may give way to it.
    pub(super) fn admits(&mut self, address: IpAddr, limits: ConnectionLimits) -> bool {
        self.make_room(limits.per_address, move |entry| entry.address == address)
            && (self.make_room(limits.total, |_| true) || self.close_unfinished(address, limits.total))
    }

    /// Adds a connection from this address; its number, and what is cancelled once it has to give way.
    pub(super) fn add(&mut self, address: IpAddr) -> (u64, CancellationToken) {
        let (id, close) = (self.next, CancellationToken::new());
        self.next += 1;
        self.open.push(Entry {
            id,
            address,
            caller: Caller::Stranger,
            calls: 0,
            has_called: false,
            is_awaited: false,
            is_admitted: false,
            since: Instant::now(),
            close: close.clone(),
        });
        (id, close)
    }

    /// Whether there are fewer of these connections than `limit`, or one of them gave way. Half of the places are for strangers; only
    /// new connections may be more.
    fn make_room(&mut self, limit: usize, among: impl Fn(&Entry) -> bool) -> bool {
        let now = Instant::now();
        let count =
            |which: &dyn Fn(&Entry) -> bool| self.open.iter().filter(|entry| among(entry) && which(entry)).count();
        let (all, strangers) = (count(&|_| true), count(&Entry::is_strangers));
        let settled = count(&|entry| entry.is_strangers() && !entry.is_new(now));
        if settled < half(limit) && all < limit {
            return true;
        }
        // From half of the places on, strangers' take none of known callers.
        let spares_known = strangers >= half(limit);
        self.close_one(|entry| {
            let is_whole = !entry.is_new(now) && entry.reluctance(now) != Some(Reluctance::Sending);
            among(entry) && is_whole && (!spares_known || entry.is_strangers())
        })
    }

    /// Has one without a whole request give way where that is not had otherwise. A stranger's connection of the address that has the
    /// most of them does so to one of an address that has fewer. Where all places are taken, a crowd closes its own oldest one, and
    /// nobody else's; without a crowd's, it is that of whoever is left, unless strangers have half of the places.
    fn close_unfinished(&mut self, address: IpAddr, total: usize) -> bool {
        let mut counts = BTreeMap::<IpAddr, usize>::new();
        for entry in self.open.iter().filter(|entry| entry.is_strangers()) {
            *counts.entry(entry.address).or_default() += 1;
        }
        let own = counts.get(&address).copied().unwrap_or_default();
        let most = counts.values().copied().max().unwrap_or_default();
        let is_full = self.open.len() >= total;
        let is_of_crowd = |entry: &Entry| entry.is_strangers() && counts.get(&entry.address) == Some(&most);
        // From half of the places on, strangers' take none of known callers here, either.
        let spares_known = counts.values().sum::<usize>() >= half(total);
        ((most > own || is_full) && self.close_one(is_of_crowd))
            || (is_full && self.close_one(|entry| !spares_known || entry.is_strangers()))
    }

    /// Closes the one of these connections that gives way most readily, if any does.
    pub(super) fn close_one(&mut self, among: impl Fn(&Entry) -> bool) -> bool {
        let now = Instant::now();
        let all = self.open.iter().enumerate().filter(|(_, entry)| among(entry));
        let first = all.filter_map(|(at, entry)| Some((entry.reluctance(now)?, entry.since, entry.id, at))).min();
        let Some((.., at)) = first else { return false };
        let entry = self.open.swap_remove(at);
        tracing::debug!(address = %entry.address, "a connection gives way to a new one");
        entry.close.cancel();
        true
    }

    pub(super) fn entry(&mut self, id: u64) -> Option<&mut Entry> {
        self.open.iter_mut().find(|entry| entry.id == id)
    }
}

impl Entry {
    fn is_strangers(&self) -> bool {
        self.caller == Caller::Stranger
    }

    /// Whether it was opened just now and has not called yet.
    fn is_new(&self, now: Instant) -> bool {
        !self.has_called && now.saturating_duration_since(self.since) < SETTLING
    }

    /// How reluctant it is to give way; none if it stays.
    pub(super) fn reluctance(&self, now: Instant) -> Option<Reluctance> {
        match (&self.caller, self.calls) {
            (Caller::Stranger, 0) if self.is_new(now) => Some(Reluctance::New),
            (Caller::Stranger, 0) => Some(Reluctance::Silent),
            (Caller::Known(_), 0) => Some(Reluctance::Idle),
            _ if !self.is_admitted && now.saturating_duration_since(self.since) > STALLED => Some(Reluctance::Stalled),
            _ if self.is_awaited => Some(Reluctance::Sending),
            _ => None,
        }
    }
}
