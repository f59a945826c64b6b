//! Room for request bodies: how many bytes of them may be held at the same time, by all callers together.
//!
//! Bytes are counted as they arrive, not as they are announced: a caller that announces much and sends nothing takes no
//! room. What a body means is not known here.

use std::ops::Deref;
use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::problem::Problem;

/// Bytes per permit.
const UNIT: usize = 1024;
/// Bytes of large bodies, which are projects and pictures: four of the largest.
const LARGE: usize = 256 << 20;
/// Bytes of small ones. They have their own room, so that calls continue while projects are sent.
const SMALL: usize = 64 << 20;

/// Room for the bodies of all requests; clones share it.
#[derive(Debug, Clone)]
pub struct Bodies {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Default for Bodies {
    fn default() -> Self {
        Self::with(SMALL, LARGE)
    }
}

impl Bodies {
    fn with(small: usize, large: usize) -> Self {
        let room = |bytes: usize| Arc::new(Semaphore::new(bytes / UNIT));
        Self { small: room(small), large: room(large) }
    }

    /// An empty body that may grow to `limit` bytes; up to `small` bytes it is a small one.
    pub fn begin(&self, limit: usize, small: usize) -> Held {
        let room = if limit <= small { &self.small } else { &self.large };
        Held { bytes: Vec::new(), room: Some((Arc::clone(room), None)) }
    }
}

/// The bytes of a body, with the room that they take.
#[derive(Debug, Default)]
pub struct Held {
    bytes: Vec<u8>,
    room: Option<(Arc<Semaphore>, Option<OwnedSemaphorePermit>)>,
}

/// The room of a body, to be kept as long as its bytes are.
#[derive(Debug)]
pub struct Room {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Held {
    /// Adds a part.
    ///
    /// # Errors
    /// `too_many_bytes` when all bodies together take too much.
    pub fn push(&mut self, part: &[u8]) -> Result<(), Problem> {
        if let Some((room, held)) = &mut self.room {
            let wanted = (self.bytes.len() + part.len()).div_ceil(UNIT);
            let more = wanted.saturating_sub(held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits));
            let more = Arc::clone(room).try_acquire_many_owned(u32::try_from(more).unwrap_or(u32::MAX));
            let more = more.map_err(|_| {
                Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_bytes", "too much is being sent at the same time")
                    .hinted("send it again once other uploads are done")
                    .retry_after(1)
            })?;
            match held {
                Some(held) => held.merge(more),
                None => *held = Some(more),
            }
        }
        self.bytes.extend_from_slice(part);
        Ok(())
    }

    /// The bytes and their room apart.
    pub fn into_parts(self) -> (Vec<u8>, Room) {
        (self.bytes, Room { _permit: self.room.and_then(|(_, permit)| permit) })
    }
}

impl Deref for Held {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_share_their_room_and_give_it_back() {
        let bodies = Bodies::with(4 * UNIT, 8 * UNIT);
        let (mut one, mut other, mut small) = (bodies.begin(9999, 10), bodies.begin(9999, 10), bodies.begin(9, 10));
        for _ in 0..10 {
            one.push(&[1; 512]).unwrap();
        }
        other.push(&[2; 3 * UNIT]).unwrap();
        assert_eq!(other.push(&[2; 1]).unwrap_err().code, "too_many_bytes");
        small.push(&[3; 4 * UNIT]).unwrap();
        let (bytes, room) = one.into_parts();
        assert_eq!(bytes.len(), 5120);
        assert!(other.push(&[2; 1]).is_err(), "the room is taken as long as the bytes are there");
        drop(room);
        other.push(&[2; 1]).unwrap();
        assert_eq!(other.len(), 3 * UNIT + 1);
    }
}
