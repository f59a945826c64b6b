//! Callers with more rights than agents, as extractors: a handler that takes one is for them alone.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::http::problem::Problem;
use crate::http::state::AppState;
use crate::session::Viewer;

/// The `Authorization` header; one that is not text counts as absent.
pub fn authorization(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()
}

/// A caller who may see finished runs and figures.
#[derive(Debug)]
pub struct Researcher {
    /// Whether it may see what agents did in sessions, or why not.
    pub attempts: Result<(), Problem>,
    /// Whether it may give orders, for pages that offer them.
    pub may_order: bool,
    pub may_judge: bool,
}

impl FromRequestParts<AppState> for Researcher {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &AppState) -> Result<Self, Problem> {
        let authorization = authorization(&parts.headers);
        api.access.check_researcher(authorization)?;
        Ok(Self {
            attempts: api.access.check_attempts(authorization),
            may_order: api.access.check_orders(authorization).is_ok(),
            may_judge: api.access.check_judge(authorization).is_ok(),
        })
    }
}

/// A caller who may have the server begin, change and end work: experiments, orders to them, repairs.
#[derive(Debug)]
pub struct OrderAccess {
    /// What the log of orders calls it.
    pub who: String,
}

impl FromRequestParts<AppState> for OrderAccess {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &AppState) -> Result<Self, Problem> {
        let authorization = authorization(&parts.headers);
        api.access.check_orders(authorization)?;
        Ok(Self { who: api.access.who(authorization) })
    }
}

/// A caller who may create sessions. Before the options and the body, so that nothing is read of those who may not.
#[derive(Debug)]
pub struct CreateAccess;

impl FromRequestParts<AppState> for CreateAccess {
    type Rejection = Problem;

    async fn from_request_parts(_: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        Ok(Viewer::current().check_may_create().map(|()| Self)?)
    }
}

/// A caller who gets verdicts.
#[derive(Debug)]
pub struct JudgeAccess;

impl FromRequestParts<AppState> for JudgeAccess {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &AppState) -> Result<Self, Problem> {
        api.access.check_judge(authorization(&parts.headers)).map(|()| Self)
    }
}
