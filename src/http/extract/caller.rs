//! Callers who may do more than agents, as extractors: a handler that takes one is for them alone.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::http::problem::Problem;
use crate::http::state::AppState;

/// The `Authorization` header; one that is no text is as good as none.
pub fn authorization(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()
}

/// A caller who may see finished runs and figures.
#[derive(Debug)]
pub struct Researcher;

impl FromRequestParts<AppState> for Researcher {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &AppState) -> Result<Self, Problem> {
        api.access.check_researcher(authorization(&parts.headers)).map(|()| Self)
    }
}

/// A caller who gets verdicts.
#[derive(Debug)]
pub struct JudgeToken;

impl FromRequestParts<AppState> for JudgeToken {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &AppState) -> Result<Self, Problem> {
        api.access.check_judge(authorization(&parts.headers)).map(|()| Self)
    }
}
