//! Admits connections to the places that there are for them, and tells the places what each is used for.

use std::convert::Infallible;
use std::fs::File;
use std::future::{Future, Ready, ready};
use std::io;
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use axum::response::Response;
use axum::{BoxError, Router};
use axum_server::accept::Accept;
use http_body_util::BodyExt as _;
use tokio::net::TcpStream;
use tower::Service;

use super::closable::Closable;
use super::connection_places::{Call, Connection, Place, Places, TooMany, WeakPlaces};
use super::request_body::RequestBody;
use crate::files::most_open_files;

/// With fewer file descriptors left than this, a new connection has another one give way.
const SPARE: u64 = 16;
/// How often it is looked whether there are.
const LOOK: Duration = Duration::from_millis(100);
/// So many are for no connection.
const KEPT_BACK: u64 = 4;

/// Makes the service of each connection that is admitted.
#[derive(Debug, Clone)]
pub struct MakeConnection {
    places: Places,
    app: Router,
}

impl MakeConnection {
    /// Connections to an application, which take these places.
    pub const fn new(places: Places, app: Router) -> Self {
        Self { places, app }
    }
}

impl Service<SocketAddr> for MakeConnection {
    type Response = ConnectionService;
    type Error = TooMany;
    type Future = Ready<Result<ConnectionService, TooMany>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TooMany>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, address: SocketAddr) -> Self::Future {
        let place = self.places.take(address.ip());
        ready(place.map(|place| ConnectionService { app: self.app.clone(), place: Arc::new(place) }))
    }
}

/// Answers the requests of a connection.
#[derive(Debug, Clone)]
pub struct ConnectionService {
    app: Router,
    place: Arc<Place>,
}

impl<B> Service<Request<B>> for ConnectionService
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request<B>>::poll_ready(&mut self.app, context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let call = Call::begin(Arc::clone(&self.place));
        let connection = Connection::of(&self.place);
        request.extensions_mut().insert(connection.clone());
        let reply = self.app.call(request.map(|body| RequestBody::new(body, connection)));
        Box::pin(async move {
            let reply = reply.await?;
            // The call goes on until the last of its reply is taken, or the reply is given up.
            Ok(reply.map(|body| Body::new(body.inspect_err(move |error| call.broke(error)))))
        })
    }
}

/// Makes connections closable, and sees to it that they do not take the last file descriptors.
#[derive(Debug, Clone, Copy)]
pub struct Admission;

impl Accept<TcpStream, ConnectionService> for Admission {
    type Stream = Closable<TcpStream>;
    type Service = ConnectionService;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: ConnectionService) -> Self::Future {
        let left = descriptors_left(&stream);
        let is_relieved = left >= SPARE || service.place.relieve();
        if !is_relieved && left < KEPT_BACK {
            tracing::warn!(left, "a connection was closed: the process may not have more files open");
            return ready(Err(io::Error::other(TooMany)));
        }
        let stream = Closable::new(stream, service.place.close());
        ready(Ok((stream, service)))
    }
}

/// The places of all servers of this process.
static WATCHED: Mutex<Vec<WeakPlaces>> = Mutex::new(Vec::new());
static LOOKING: Once = Once::new();

/// From now on connections at these places, too, give way for as long as the process may have few more files open. A burst of them
/// may take the last descriptor before the first has given way, and nothing is accepted then that another one could give way to:
/// listeners wait for 50 ms and try again. One thread looks for all servers, since they share the descriptors.
pub fn relieve_when_files_are_few(places: &Places) {
    let mut watched = lock(&WATCHED);
    watched.retain(|known| known.upgrade().is_some());
    if !watched.iter().any(|known| known.are(places)) {
        watched.push(places.downgrade());
    }
    drop(watched);
    LOOKING.call_once(|| {
        let begun = std::thread::Builder::new().name("few-files".to_owned()).spawn(keep_looking);
        if let Err(error) = begun {
            tracing::warn!(%error, "connections do not give way where few files may be open");
        }
    });
}

fn keep_looking() {
    loop {
        std::thread::sleep(LOOK);
        relieve();
    }
}

fn relieve() {
    let left = File::open("/dev/null").map_or(0, |file| descriptors_left(&file));
    if left >= SPARE {
        return;
    }
    let all: Vec<Places> = lock(&WATCHED).iter().filter_map(WeakPlaces::upgrade).collect();
    for _ in left..SPARE {
        if !all.iter().any(Places::relieve) {
            return;
        }
    }
}

fn lock(watched: &Mutex<Vec<WeakPlaces>>) -> MutexGuard<'_, Vec<WeakPlaces>> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many more descriptors this process may have, at most: a new one gets the lowest number that is free.
fn descriptors_left(newest: &impl AsRawFd) -> u64 {
    let taken = u64::try_from(newest.as_raw_fd()).map_or(0, |number| number + 1);
    most_open_files().map_or(u64::MAX, |most| most.saturating_sub(taken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::layers::connection_places::ConnectionLimits;

    #[test]
    fn the_places_of_all_listeners_are_looked_at_once_and_as_long_as_they_are_there() {
        let (one, other) = (Places::new(ConnectionLimits::default()), Places::new(ConnectionLimits::default()));
        for places in [&one, &one.clone(), &other] {
            relieve_when_files_are_few(places);
        }
        let count = |places: &Places| lock(&WATCHED).iter().filter(|known| known.are(places)).count();
        assert_eq!((count(&one), count(&other)), (1, 1));
        let gone = one.downgrade();
        drop(one);
        assert!(gone.upgrade().is_none(), "being watched keeps no places");
    }
}
