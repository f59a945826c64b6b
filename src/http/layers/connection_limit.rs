//! Limits the number of open connections: in total, and from one address.

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

/// How many connections a server keeps open. Further ones are closed without a reply, which costs nothing.
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

/// Admits connections; clones share one count.
#[derive(Debug, Clone)]
pub struct ConnectionLimiter(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: ConnectionLimits,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// An admitted connection; dropping it frees its place.
#[derive(Debug)]
struct ConnectionGuard {
    shared: Arc<Shared>,
    address: IpAddr,
}

/// The limit on connections is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many connections")]
pub struct TooMany;

impl ConnectionLimiter {
    pub fn new(limits: ConnectionLimits) -> Self {
        Self(Arc::new(Shared { limits, open: Mutex::default() }))
    }

    pub fn wrap(self, app: Router) -> MakeConnection {
        MakeConnection { limiter: self, app }
    }

    fn admit(&self, address: IpAddr) -> Result<ConnectionGuard, TooMany> {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (total, of_address) = (open.values().sum::<usize>(), open.get(&address).copied().unwrap_or_default());
        if total >= self.0.limits.total || of_address >= self.0.limits.per_address {
            tracing::warn!(%address, connections = total, "a connection was closed: there are too many");
            return Err(TooMany);
        }
        open.insert(address, of_address + 1);
        Ok(ConnectionGuard { shared: Arc::clone(&self.0), address })
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut open = self.shared.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// Makes the service of each connection that is admitted.
#[derive(Debug, Clone)]
pub struct MakeConnection {
    limiter: ConnectionLimiter,
    app: Router,
}

impl Service<SocketAddr> for MakeConnection {
    type Response = ConnectionService;
    type Error = TooMany;
    type Future = Ready<Result<ConnectionService, TooMany>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TooMany>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, address: SocketAddr) -> Self::Future {
        let guard = self.limiter.admit(address.ip());
        ready(guard.map(|guard| ConnectionService { app: self.app.clone(), _guard: Arc::new(guard) }))
    }
}

#[derive(Debug, Clone)]
pub struct ConnectionService {
    app: Router,
    _guard: Arc<ConnectionGuard>,
}

impl<B> Service<Request<B>> for ConnectionService
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
        let limiter = ConnectionLimiter::new(ConnectionLimits { total: 3, per_address: 2 });
        let [one, other, third] = [[127, 0, 0, 1], [10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let first = limiter.admit(one).unwrap();
        let _second = limiter.admit(one).unwrap();
        assert_eq!(limiter.admit(one).unwrap_err(), TooMany);
        let _others = limiter.admit(other).unwrap();
        assert_eq!(limiter.admit(third).unwrap_err(), TooMany, "the server is full");
        drop(first);
        let _again = limiter.admit(third).unwrap();
    }
}
