//! How many connections there may be at once: in all, and from one address. What comes over them is not known here.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Bytes, HttpBody};
use axum::http::Request;
use axum::response::Response;
use axum::routing::future::RouteFuture;
use axum::{BoxError, Router};
use tower::Service;

/// How many connections a server keeps. One more is closed without a word, which costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crowd {
    /// In all, over all ports.
    pub all: usize,
    pub each: usize,
}

impl Default for Crowd {
    /// Well below the thousand files that a process may usually have open.
    fn default() -> Self {
        Self { all: 512, each: 256 }
    }
}

/// Lets connections in; clones count together.
#[derive(Debug, Clone)]
pub struct Door(Arc<Hall>);

#[derive(Debug)]
struct Hall {
    crowd: Crowd,
    here: Mutex<HashMap<IpAddr, usize>>,
}

/// A connection that was let in; the place is given back with it.
#[derive(Debug)]
struct Place {
    hall: Arc<Hall>,
    address: IpAddr,
}

/// There is no room for another connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many connections")]
pub struct TooMany;

impl Door {
    pub fn new(crowd: Crowd) -> Self {
        Self(Arc::new(Hall { crowd, here: Mutex::default() }))
    }

    /// What serves one connection each, with an application behind it.
    pub fn before(self, app: Router) -> Entrance {
        Entrance { door: self, app }
    }

    fn enter(&self, address: IpAddr) -> Result<Place, TooMany> {
        let mut here = self.0.here.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, of_address) = (here.values().sum::<usize>(), here.get(&address).copied().unwrap_or_default());
        if all >= self.0.crowd.all || of_address >= self.0.crowd.each {
            tracing::warn!(%address, connections = all, "a connection was closed: there are too many");
            return Err(TooMany);
        }
        here.insert(address, of_address + 1);
        Ok(Place { hall: Arc::clone(&self.0), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut here = self.hall.here.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = here.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                here.remove(&self.address);
            }
        }
    }
}

/// Makes the service of each connection that there is room for.
#[derive(Debug, Clone)]
pub struct Entrance {
    door: Door,
    app: Router,
}

impl Service<SocketAddr> for Entrance {
    type Response = Visit;
    type Error = TooMany;
    type Future = Ready<Result<Visit, TooMany>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TooMany>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, address: SocketAddr) -> Self::Future {
        let place = self.door.enter(address.ip());
        ready(place.map(|place| Visit { app: self.app.clone(), _place: Arc::new(place) }))
    }
}

/// The application as one connection has it.
#[derive(Debug, Clone)]
pub struct Visit {
    app: Router,
    _place: Arc<Place>,
}

impl<B> Service<Request<B>> for Visit
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = RouteFuture<Infallible>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request<B>>::poll_ready(&mut self.app, context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        self.app.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_can_not_take_all_places_and_each_is_given_back() {
        let door = Door::new(Crowd { all: 3, each: 2 });
        let [one, other, third] = [[127, 0, 0, 1], [10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let first = door.enter(one).unwrap();
        let _second = door.enter(one).unwrap();
        assert_eq!(door.enter(one).unwrap_err(), TooMany);
        let _others = door.enter(other).unwrap();
        assert_eq!(door.enter(third).unwrap_err(), TooMany, "the server is full");
        drop(first);
        let _again = door.enter(third).unwrap();
    }
}
