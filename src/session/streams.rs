//! What callers keep open: streams of events, and calls that wait for news. Each takes a connection from the others for
//! as long as its reader likes, so one caller may have only so many, and only so many of one session, experiment or
//! repair.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures::Stream;

use super::error::SessionError;
use super::sessions::Sessions;
use super::viewer::Viewer;

/// How a call is kept open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A stream, which lasts until its subject or its reader is gone.
    Stream,
    /// The stream of a connection that its client keeps. Clients open one for each connection, unasked.
    Connection,
    /// A call that waits for news for half a minute at most. A page that shows a session makes two of them.
    Wait,
}

/// How many there may be at a time.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Of one caller.
    caller: usize,
    /// Of one caller at one subject.
    subject: usize,
    /// Of all callers without a token together, who can't be told apart.
    nameless: usize,
}

impl Kind {
    /// The bounds of a server on which so many sessions may live.
    fn bounds(self, sessions: usize) -> Bounds {
        match self {
            Self::Stream => Bounds { caller: 8, subject: 4, nameless: 64 },
            Self::Connection => Bounds { caller: sessions.max(8), subject: 4, nameless: sessions.max(64) },
            Self::Wait => Bounds { caller: 32, subject: 8, nameless: 64 },
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    kind: Kind,
    owner: Option<String>,
    subject: String,
}

/// Everything that is kept open; clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Streams(Arc<Mutex<Vec<Entry>>>);

/// A place for one that is kept open; dropping it gives the place back.
#[derive(Debug)]
pub struct OpenStream {
    entry: Entry,
    streams: Streams,
}

impl Sessions {
    /// A place for a stream of this caller. `subject` is what it tells of, such as `sessions/ID`.
    ///
    /// # Errors
    /// [`SessionError::TooManyStreams`] when the caller has too many open, in all or of this subject.
    pub fn open_stream(&self, viewer: &Viewer, subject: String) -> Result<OpenStream, SessionError> {
        self.keep_open(Kind::Stream, viewer, subject)
    }

    /// A place for the stream of a connection that a client of this caller keeps, by the connection's name.
    ///
    /// # Errors
    /// As [`Sessions::open_stream`].
    pub fn open_connection(&self, viewer: &Viewer, name: String) -> Result<OpenStream, SessionError> {
        self.keep_open(Kind::Connection, viewer, name)
    }

    /// A place for a call of this caller that waits so many milliseconds for news; none is needed where it does not
    /// wait.
    ///
    /// # Errors
    /// As [`Sessions::open_stream`].
    pub fn begin_wait(
        &self,
        wait_ms: u64,
        viewer: &Viewer,
        subject: String,
    ) -> Result<Option<OpenStream>, SessionError> {
        (wait_ms > 0).then(|| self.keep_open(Kind::Wait, viewer, subject)).transpose()
    }

    fn keep_open(&self, kind: Kind, viewer: &Viewer, subject: String) -> Result<OpenStream, SessionError> {
        let entry = Entry { kind, owner: viewer.owner.clone(), subject };
        self.shared.streams.open(entry, kind.bounds(self.limit()))
    }
}

impl Streams {
    fn open(&self, entry: Entry, bounds: Bounds) -> Result<OpenStream, SessionError> {
        let mut all = self.entries();
        let is_own = |one: &&Entry| one.kind == entry.kind && one.owner == entry.owner;
        let limit = if entry.owner.is_some() { bounds.caller } else { bounds.nameless };
        let too_many = |limit, whose| Err(SessionError::TooManyStreams { limit, whose });
        if all.iter().filter(is_own).count() >= limit {
            return too_many(limit, "of one caller");
        }
        // Callers without a token are many.
        let at_subject = if entry.owner.is_some() { bounds.subject } else { bounds.nameless };
        if all.iter().filter(is_own).filter(|one| one.subject == entry.subject).count() >= at_subject {
            return too_many(at_subject, "of one caller at the same subject");
        }
        all.push(entry.clone());
        drop(all);
        Ok(OpenStream { entry, streams: self.clone() })
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenStream {
    /// The same stream, which keeps this place until it is dropped.
    pub fn hold<S: Stream>(self, stream: S) -> HeldStream<S> {
        HeldStream { stream: Box::pin(stream), _place: self }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut all = self.streams.entries();
        if let Some(at) = all.iter().position(|one| *one == self.entry) {
            all.swap_remove(at);
        }
    }
}

/// A stream with its place.
#[derive(Debug)]
pub struct HeldStream<S> {
    stream: Pin<Box<S>>,
    _place: OpenStream,
}

impl<S: Stream> Stream for HeldStream<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.stream.as_mut().poll_next(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded as _;

    fn open(streams: &Streams, kind: Kind, owner: Option<&str>, subject: &str) -> Result<OpenStream, SessionError> {
        let entry = Entry { kind, owner: owner.map(str::to_owned), subject: subject.to_owned() };
        streams.open(entry, kind.bounds(1))
    }

    #[test]
    fn a_caller_has_eight_streams_and_four_of_one_session_and_takes_none_from_others() {
        let streams = Streams::default();
        let mine = |subject: &str| open(&streams, Kind::Stream, Some("me"), subject);
        let mut opened: Vec<_> = (0..4).map(|_| mine("sessions/a").unwrap()).collect();
        assert_eq!(mine("sessions/a").unwrap_err().code(), "too_many_streams", "the fifth of one session");
        opened.extend((0..4).map(|_| mine("sessions/b").unwrap()));
        assert!(mine("sessions/c").is_err(), "the ninth of one caller");
        let _theirs = open(&streams, Kind::Stream, Some("you"), "sessions/a").unwrap();
        let _waiting = open(&streams, Kind::Wait, Some("me"), "sessions/a").unwrap();
        drop(opened.pop());
        let _again = mine("sessions/c").unwrap();
    }

    #[test]
    fn a_client_of_each_session_has_its_connection() {
        assert_eq!(Kind::Connection.bounds(1).caller, 8);
        assert_eq!(Kind::Connection.bounds(100).caller, 100);
        assert_eq!(Kind::Stream.bounds(100).caller, 8);
    }

    #[test]
    fn callers_without_a_token_share_a_bound() {
        let streams = Streams::default();
        let nameless = |at: usize| open(&streams, Kind::Stream, None, &format!("sessions/{at}"));
        let all: Vec<_> = (0..64).map(|at| nameless(at).unwrap()).collect();
        assert!(nameless(64).is_err());
        drop(all);
        assert_eq!(streams.entries().len(), 0);
    }

    #[tokio::test]
    async fn a_stream_keeps_its_place_until_it_is_dropped() {
        use futures::StreamExt as _;
        let streams = Streams::default();
        let place = open(&streams, Kind::Stream, None, "sessions/a").unwrap();
        let mut held = place.hold(futures::stream::iter([1, 2]));
        assert_eq!((held.next().await, streams.entries().len()), (Some(1), 1));
        drop(held);
        assert_eq!(streams.entries().len(), 0);
    }
}
