//! The layer over the API proper: who calls, which decides what the call may see.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::attempt;
use super::connection_places::Connection;
use crate::http::extract::authorization;
use crate::http::state::AppState;

/// Asks for the token where one is set, and keeps to the rate.
pub async fn token_holders_only(State(api): State<AppState>, mut request: Request, next: Next) -> Response {
    match api.access.admit(authorization(request.headers())) {
        Ok(viewer) => {
            // In tests there is no connection.
            let connection = request.extensions().get::<Connection>();
            if let Some(Err(problem)) = connection.map(|connection| connection.admit(viewer.owner.as_deref())) {
                return problem.into_response();
            }
            // For adapters that answer in tasks of their own.
            request.extensions_mut().insert(viewer.clone());
            match viewer.pass.clone() {
                Some(pass) => attempt::answer(&pass, viewer, request, next).await,
                None => viewer.scope(next.run(request)).await,
            }
        }
        Err(problem) => {
            let unknown = problem.status() == StatusCode::UNAUTHORIZED;
            let mut response = problem.into_response();
            if unknown {
                response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            response
        }
    }
}
