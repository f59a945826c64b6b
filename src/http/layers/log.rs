//! The outermost layers: a name for every request, one line in the log for every failure, an answer in
//! problem details for every failure, and none once the server is stopping.

use std::any::Any;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CONNECTION, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderName, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument as _;

use crate::http::problem::{Logged, MEDIA_TYPE, Problem};
use crate::http::state::AppState;

/// The reply header that carries a request's name.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Names the request, and logs its failure once. Every failure is answered in problem details.
pub async fn log_failures(request: Request, next: Next) -> Response {
    log_as(request, next, as_problem).await
}

/// The same for routes with an error format of their own.
pub async fn log_only(request: Request, next: Next) -> Response {
    log_as(request, next, |response| response).await
}

async fn log_as(request: Request, next: Next, format: fn(Response) -> Response) -> Response {
    let id = uuid::Uuid::new_v4().simple().to_string();
    let span = tracing::info_span!("request", id = %id, method = %request.method(), path = request.uri().path());
    let started = Instant::now();
    let mut response = async { format(next.run(request).await) }.instrument(span.clone()).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    if leaves_body_unread(response.status()) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let _entered = span.entered();
    report(&response, started);
    response
}

/// Refusals that come before the body is read. The connection ends with them, and a client that does not know this
/// would send its next request into it.
const fn leaves_body_unread(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::TOO_MANY_REQUESTS
    )
}

fn report(response: &Response, started: Instant) {
    let duration_ms = started.elapsed().as_secs_f64() * 1000.0;
    let status = response.status();
    match response.extensions().get::<Logged>() {
        Some(Logged { code, cause }) if status.is_server_error() => {
            tracing::error!(status = status.as_u16(), code, cause, duration_ms, "request failed");
        }
        Some(Logged { code, cause }) => {
            tracing::info!(status = status.as_u16(), code, cause, duration_ms, "request refused");
        }
        None => tracing::debug!(status = status.as_u16(), duration_ms, "request done"),
    }
}

/// Marks replies whose protocol has a form of its own for errors.
#[derive(Debug, Clone, Copy)]
struct OwnWords;

/// Leaves the errors of these routes as they are.
pub async fn in_own_words(mut response: Response) -> Response {
    response.extensions_mut().insert(OwnWords);
    response
}

/// Errors that axum and the file service answer by themselves become problem details too.
fn as_problem(response: Response) -> Response {
    let status = response.status();
    if response.extensions().get::<OwnWords>().is_some() {
        return response;
    }
    let is_problem = response.headers().get(CONTENT_TYPE).is_some_and(|value| value == MEDIA_TYPE);
    if is_problem || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let allow = response.headers().get(ALLOW).cloned();
    let problem = match status {
        StatusCode::NOT_FOUND => {
            Problem::new(status, "not_found", "there is nothing at this address").hinted("see /docs for what there is")
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            let problem = Problem::new(status, "method_not_allowed", "this address does not take this method");
            match allow.as_ref().and_then(|value| value.to_str().ok()) {
                Some(methods) => problem.hinted(format!("it takes {methods}")),
                None => problem,
            }
        }
        status if status.is_server_error() => Problem::internal(status.to_string()),
        status => Problem::new(status, "bad_request", "the request can't be understood"),
    };
    let mut response = problem.into_response();
    if let Some(allow) = allow {
        response.headers_mut().insert(ALLOW, allow);
    }
    response
}

/// Counts the calls in flight, hands them the room for bodies, and refuses new ones once the server is stopping.
pub async fn admit(State(api): State<AppState>, mut request: Request, next: Next) -> Response {
    let _in_flight = api.calls.token();
    if api.closing.is_cancelled() {
        let mut response = Problem::shutting_down().into_response();
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return response;
    }
    request.extensions_mut().insert(api.bodies.clone());
    next.run(request).await
}

/// A panic in a handler: logged in full, answered without internals.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands the panic over by value")]
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response<Body> {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    Problem::internal(format!("panic: {message}")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::routing::get;
    use tower::ServiceExt as _;
    use tower_http::catch_panic::CatchPanicLayer;

    async fn fall() -> StatusCode {
        panic!("the inner workings")
    }

    #[tokio::test]
    async fn a_panic_is_answered_without_internals() {
        let app = Router::new()
            .route("/fall", get(fall))
            .layer(CatchPanicLayer::custom(panicked))
            .layer(axum::middleware::from_fn(log_failures));
        let response = app.oneshot(Request::get("/fall").body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(response.headers().contains_key(REQUEST_ID));
        let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(text.contains("internal_error") && !text.contains("workings"), "{text}");
    }
}
