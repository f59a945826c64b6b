//! The page on which a person rates explanations: an application of its own, on this machine alone, at an address that nobody can
//! guess. What is rated and where scores go, `benchmarks::explain::ratings` knows.
//!
//! Parts: `page` has the page's files; here are the sheet as the page reads it, and its three calls.

mod page;

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::middleware::from_fn;
use axum::routing::{get, post};
use axum::{Json, Router};
use axum_server::Handle;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::benchmarks::explain::ratings::{Distribution, RatingError, Sheet};
use crate::bugs::Bench;
use crate::explain::{Level, rubric};
use crate::http::extract::JsonBody;
use crate::http::layers::connection_places::Places;
use crate::http::layers::origin;
use crate::http::{CLOSE_LIMIT, ServeLimits, listen};
use crate::model::with_causes;

/// A person's sheet, and where it is served.
#[derive(Debug)]
pub struct Desk {
    sheet: Mutex<Sheet>,
    rater: String,
    /// The truths of the sheet's explanations, in their order.
    truths: Vec<String>,
    /// Part of every address: other users of this machine do not know it.
    token: String,
    /// The person is done.
    done: CancellationToken,
}

/// The sheet as the page reads it. Who wrote the explanations is no part of it.
#[derive(Debug, Serialize)]
struct Shown {
    rater: String,
    levels: Vec<Level>,
    cards: Vec<Card>,
}

#[derive(Debug, Serialize)]
struct Card {
    item: String,
    truth: String,
    explanation: String,
    score: Option<u8>,
    evidence: String,
}

/// A score for the card at a place; none takes it back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    place: usize,
    score: Option<u8>,
    #[serde(default)]
    evidence: String,
}

type Refusal = (StatusCode, String);

impl Desk {
    /// A desk for a sheet of this benchmark.
    ///
    /// # Errors
    /// When a truth can't be read.
    pub fn new(sheet: Sheet, rater: &str, bench: &Bench) -> Result<Self, RatingError> {
        let truths = sheet.subjects().iter().map(|subject| subject.truth(bench)).collect::<Result<_, _>>()?;
        let token = uuid::Uuid::new_v4().simple().to_string();
        Ok(Self { sheet: Mutex::new(sheet), rater: rater.to_owned(), truths, token, done: CancellationToken::new() })
    }

    /// The path of its page.
    pub fn path(&self) -> String {
        format!("/{}/", self.token)
    }

    /// How scores are spread, and how many explanations have none.
    pub fn figures(&self) -> (Distribution, usize) {
        let sheet = self.sheet();
        (sheet.distribution(), sheet.left())
    }

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shown(&self) -> Shown {
        let sheet = self.sheet();
        let cards = sheet.subjects().iter().zip(&self.truths).enumerate().map(|(place, (subject, truth))| {
            let scored = sheet.scored(place);
            Card {
                item: subject.key.item.to_string(),
                truth: truth.clone(),
                explanation: subject.explanation.clone(),
                score: scored.and_then(|scored| scored.score),
                evidence: scored.map(|scored| scored.evidence.clone()).unwrap_or_default(),
            }
        });
        Shown { rater: self.rater.clone(), levels: rubric(), cards: cards.collect() }
    }
}

/// The application of a desk.
pub fn desk_app(desk: Arc<Desk>) -> Router {
    let at = |name: &str| format!("{}{name}", desk.path());
    let calls = Router::new()
        .route(&at("sheet"), get(async |State(desk): State<Arc<Desk>>| Json(desk.shown())))
        .route(&at("score"), post(score))
        .route(&at("end"), post(end))
        .route_layer(from_fn(origin::no_foreign_call))
        .layer(SetResponseHeaderLayer::overriding(CACHE_CONTROL, HeaderValue::from_static("no-store")));
    let pages = page::pages(&desk.path()).layer(from_fn(origin::no_foreign_part));
    Router::new()
        .merge(calls)
        .merge(pages)
        .layer(from_fn(origin::own_name_only))
        .layer(origin::for_own_pages())
        .with_state(desk)
}

async fn score(State(desk): State<Arc<Desk>>, JsonBody(given): JsonBody<Given>) -> Result<StatusCode, Refusal> {
    match desk.sheet().score(given.place, given.score, given.evidence) {
        Ok(true) => Ok(StatusCode::NO_CONTENT),
        Ok(false) => Err((StatusCode::BAD_REQUEST, "there is no such explanation or score".to_owned())),
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, with_causes(&error))),
    }
}

async fn end(State(desk): State<Arc<Desk>>) -> Result<StatusCode, Refusal> {
    match desk.sheet().left() {
        0 => {
            desk.done.cancel();
            Ok(StatusCode::NO_CONTENT)
        }
        left => Err((StatusCode::CONFLICT, format!("not rated yet: {left}"))),
    }
}

/// Serves a desk until the person is done or `stop` is.
///
/// # Errors
/// When the listener fails.
pub async fn serve_desk(listener: TcpListener, desk: Arc<Desk>, stop: impl Future<Output = ()>) -> std::io::Result<()> {
    let (handle, limits) = (Handle::new(), ServeLimits::default());
    let places = Places::new(limits.connections);
    let mut server = tokio::spawn(listen(listener, desk_app(Arc::clone(&desk)), limits, places, handle.clone())?);
    tokio::select! {
        () = stop => {}
        () = desk.done.cancelled() => {}
        ended = &mut server => return ended.unwrap_or_else(|error| Err(std::io::Error::other(error))),
    }
    handle.graceful_shutdown(Some(CLOSE_LIMIT));
    server.await.unwrap_or_else(|error| Err(std::io::Error::other(error)))
}
