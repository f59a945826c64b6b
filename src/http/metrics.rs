//! The figures of the server and its sessions, as Prometheus and OpenMetrics collectors read them.

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use super::problem::Problem;
use crate::session::Sessions;

pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A request by its route, not its address: names of sessions would each be a series.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct Answered {
    method: String,
    route: String,
    status: u16,
}

/// How often requests were answered.
pub type Requests = Family<Answered, Counter>;

/// What the server counts, and what it looks up on request.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    pub(super) requests: Requests,
    gauges: Gauges,
}

#[derive(Debug, Default)]
struct Gauges {
    sessions: Gauge,
    session_limit: Gauge,
    browsers: Gauge,
    warm_pages: Gauge,
    waiting: Gauge,
    turns: Gauge,
    input_turns: Gauge,
}

impl Metrics {
    /// The figures of a server over these sessions.
    pub(super) fn of(sessions: &Sessions) -> Self {
        let mut registry = Registry::with_prefix("scratchbed");
        let (requests, gauges) = (Requests::default(), Gauges::default());
        registry.register("build", "The running program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        registry.register("http_requests", "Requests, by route and status", requests.clone());
        for (name, help, gauge) in [
            ("sessions", "Living sessions", &gauges.sessions),
            ("session_limit", "Sessions that may live at once", &gauges.session_limit),
            ("browsers", "Living Chromium processes", &gauges.browsers),
            ("warm_pages", "Ready pages in reserve", &gauges.warm_pages),
            ("calls_waiting", "Calls that wait for their turn", &gauges.waiting),
            ("turns_in_use", "Turns in use, of all kinds", &gauges.turns),
            ("input_turns_in_use", "Turns for mouse and keyboard in use", &gauges.input_turns),
        ] {
            registry.register(name, help, gauge.clone());
        }
        sessions.fleet().figures().register(&mut registry);
        Self { registry, requests, gauges }
    }

    /// All figures as they are now.
    ///
    /// # Errors
    /// When they can't be written, which is a fault of ours.
    pub(super) async fn text(&self, sessions: &Sessions) -> Result<String, Problem> {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let fleet = sessions.fleet();
        let (status, turns) = (fleet.status(), fleet.turns().status());
        self.gauges.sessions.set(count(sessions.count().await));
        self.gauges.session_limit.set(count(sessions.limit()));
        self.gauges.browsers.set(count(status.browsers));
        self.gauges.warm_pages.set(count(status.warm));
        self.gauges.waiting.set(count(turns.waiting));
        self.gauges.turns.set(count(turns.work.0));
        self.gauges.input_turns.set(count(turns.input.0));
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(|error| Problem::internal(error.to_string()))?;
        Ok(text)
    }
}

/// The method by its name. Those that callers make up share one, or each would be a series for ever.
fn known(method: &Method) -> &str {
    const KNOWN: [Method; 7] =
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    if KNOWN.contains(method) { method.as_str() } else { "OTHER" }
}

/// Layer over the routes: counts each request by its route.
pub async fn count(State(requests): State<Requests>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned()).unwrap_or_default();
    let method = known(request.method()).to_owned();
    let response = next.run(request).await;
    let answered = Answered { method, route, status: response.status().as_u16() };
    requests.get_or_create(&answered).inc();
    response
}
