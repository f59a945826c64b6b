//! Who may call: programs on this machine, or, when bound to other addresses, whoever holds the token.
//!
//! A web page of another origin must not drive the testbed, neither directly nor by a name that it lets
//! point at this machine (DNS rebinding): `Host` and `Origin` are checked on every request.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN, WWW_AUTHENTICATE};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use super::state::AppState;
use crate::model::{ErrorBody, sha256_hex};

/// Characters a token must have at least: 16 random bytes in base64 are 22.
pub const MIN_TOKEN: usize = 16;

/// Why the server must not start.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// Others could reach it and nothing would keep them out.
    #[error("{0} can be reached from other machines, so a token is required")]
    TokenRequired(SocketAddr),
    /// The token can be guessed.
    #[error("the token is too short: {MIN_TOKEN} characters at least")]
    TokenTooShort,
    /// Agents would get verdicts.
    #[error("the judge's token must not be the one that agents have")]
    SameTokens,
}

/// Who may call.
#[derive(Debug, Clone)]
pub struct Access {
    /// Digest of the token, so that comparing takes the same time for every wrong one.
    token: Option<String>,
    /// Digest of the token for verdicts; none are given without it.
    judge_token: Option<String>,
}

impl Access {
    /// The rule for a server at `address`.
    ///
    /// # Errors
    /// When other machines could reach it without a token, or the token is too short.
    pub fn new(address: SocketAddr, token: Option<&str>) -> Result<Self, AccessError> {
        match token {
            Some(token) if token.len() < MIN_TOKEN => Err(AccessError::TokenTooShort),
            None if !address.ip().is_loopback() => Err(AccessError::TokenRequired(address)),
            token => Ok(Self { token: token.map(|token| sha256_hex(token.as_bytes())), judge_token: None }),
        }
    }

    /// Gives verdicts to whoever holds this token, who may then do everything else too.
    ///
    /// # Errors
    /// When the token is too short, or the one that agents have.
    pub fn judging(mut self, token: &str) -> Result<Self, AccessError> {
        let digest = sha256_hex(token.as_bytes());
        if token.len() < MIN_TOKEN {
            return Err(AccessError::TokenTooShort);
        }
        if self.token.as_ref() == Some(&digest) {
            return Err(AccessError::SameTokens);
        }
        self.judge_token = Some(digest);
        Ok(self)
    }

    /// Refuses everybody but the holder of the judge's token.
    pub(super) fn check_judge(&self, authorization: Option<&str>) -> Result<(), Problem> {
        let refused = |code, detail: &str| Problem::new(StatusCode::FORBIDDEN, code, detail);
        let Some(expected) = &self.judge_token else {
            return Err(refused("judging_not_offered", "this server gives no verdicts")
                .hinted("start it with --judge-token TOKEN"));
        };
        if digest_of(authorization).as_ref() == Some(expected) {
            return Ok(());
        }
        Err(refused("judge_token_required", "verdicts need the judge's token")
            .hinted("send `Authorization: Bearer TOKEN` with the token of --judge-token"))
    }

    /// Refuses whoever must not see finished runs: where there is any token, all but the holder of the judge's.
    pub(super) fn check_researcher(&self, authorization: Option<&str>) -> Result<(), Problem> {
        if self.token.is_none() && self.judge_token.is_none() {
            return Ok(());
        }
        if self.judge_token.is_some() && digest_of(authorization) == self.judge_token {
            return Ok(());
        }
        Err(Problem::new(StatusCode::FORBIDDEN, "judge_token_required", "finished runs need the judge's token")
            .hinted("send `Authorization: Bearer TOKEN` with the token of --judge-token"))
    }

    /// Whether a caller with this `Authorization` header gets verdicts, for adapters that have no problem documents.
    ///
    /// # Errors
    /// Why not.
    pub fn may_judge(&self, authorization: Option<&str>) -> Result<(), ErrorBody> {
        self.check_judge(authorization).map_err(|problem| ErrorBody {
            code: problem.code,
            message: problem.detail,
            hint: problem.hint,
            infrastructure: false,
        })
    }

    /// Refuses requests that come by a foreign name or from a page of another origin.
    fn check_origin(&self, host: Option<&str>, origin: Option<&str>) -> Result<(), Problem> {
        let refused = |code, detail: &str| Problem::new(StatusCode::FORBIDDEN, code, detail);
        let Some(host) = host.and_then(|host| host.parse::<Authority>().ok()) else {
            return Err(refused("host_not_allowed", "the request has no usable Host header"));
        };
        // With a token any name is fine: a foreign page can't know it.
        if self.token.is_none() && !is_loopback(host.host()) {
            return Err(refused("host_not_allowed", "the request came by a name that is not this machine's own")
                .hinted("call 127.0.0.1 or localhost"));
        }
        let own = |origin: &str| {
            origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) == Some(host.as_str())
        };
        match origin {
            Some(origin) if !own(origin) => {
                Err(refused("cross_origin", "requests from pages of another origin are refused"))
            }
            _ => Ok(()),
        }
    }

    fn check_token(&self, authorization: Option<&str>) -> Result<(), Problem> {
        let Some(expected) = &self.token else { return Ok(()) };
        let given = digest_of(authorization);
        if given.is_some() && (given.as_ref() == Some(expected) || given == self.judge_token) {
            return Ok(());
        }
        Err(Problem::new(StatusCode::UNAUTHORIZED, "token_required", "this call needs the server's token")
            .hinted("send `Authorization: Bearer TOKEN`"))
    }
}

/// Digest of the token in a header `Bearer TOKEN`.
fn digest_of(authorization: Option<&str>) -> Option<String> {
    let given = authorization?.strip_prefix("Bearer ")?;
    Some(sha256_hex(given.trim().as_bytes()))
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Layer over everything: `Host` and `Origin`.
pub async fn own_origin_only(State(api): State<AppState>, request: Request, next: Next) -> Response {
    // HTTP/2 puts the host into the URI.
    let host = header(&request, &HOST).or_else(|| request.uri().authority().map(Authority::as_str));
    match api.access.check_origin(host, header(&request, &ORIGIN)) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Layer over the API proper: the token, where one is set.
pub async fn token_holders_only(State(api): State<AppState>, request: Request, next: Next) -> Response {
    match api.access.check_token(header(&request, &AUTHORIZATION)) {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            let mut response = problem.into_response();
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
    }
}

fn header<'a>(request: &'a Request, name: &HeaderName) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn verdicts_need_a_token_of_their_own() {
        let here = address("127.0.0.1:1");
        let (agents, judges) = ("0123456789abcdef", "fedcba9876543210");
        let code = |access: &Access, given: Option<&str>| access.check_judge(given).map_err(|problem| problem.code);
        let open = Access::new(here, None).unwrap();
        assert_eq!(code(&open, Some("Bearer x")), Err("judging_not_offered".into()));
        let access = Access::new(here, Some(agents)).unwrap();
        assert_eq!(access.clone().judging(agents).unwrap_err(), AccessError::SameTokens);
        assert_eq!(access.clone().judging("short").unwrap_err(), AccessError::TokenTooShort);
        let access = access.judging(judges).unwrap();
        let bearer = |token| format!("Bearer {token}");
        assert_eq!(code(&access, Some(&bearer(agents))), Err("judge_token_required".into()));
        assert_eq!(code(&access, None), Err("judge_token_required".into()));
        assert_eq!(code(&access, Some(&bearer(judges))), Ok(()));
        assert!(access.check_token(Some(&bearer(judges))).is_ok(), "judges may do everything");
        assert!(access.check_token(Some(&bearer(agents))).is_ok());
    }

    #[test]
    fn other_addresses_need_a_token() {
        let open = address("0.0.0.0:1");
        assert_eq!(Access::new(open, None).unwrap_err(), AccessError::TokenRequired(open));
        assert_eq!(Access::new(open, Some("short")).unwrap_err(), AccessError::TokenTooShort);
        assert!(Access::new(open, Some("0123456789abcdef")).is_ok());
        assert!(Access::new(address("[::1]:1"), None).is_ok());
    }

    #[test]
    fn names_of_other_machines_and_pages_of_other_origins_are_refused() {
        let access = Access::new(address("127.0.0.1:80"), None).unwrap();
        let code = |host, origin| access.check_origin(host, origin).map_err(|problem| problem.code);
        assert_eq!(code(Some("127.0.0.1:80"), None), Ok(()));
        assert_eq!(code(Some("[::1]:80"), Some("http://[::1]:80")), Ok(()));
        assert_eq!(code(Some("rebound.example:80"), None), Err("host_not_allowed".into()));
        assert_eq!(code(None, None), Err("host_not_allowed".into()));
        assert_eq!(code(Some("localhost:80"), Some("http://localhost:81")), Err("cross_origin".into()));
        assert_eq!(code(Some("localhost:80"), Some("null")), Err("cross_origin".into()));
    }

    #[test]
    fn only_the_right_token_opens() {
        let access = Access::new(address("10.0.0.1:80"), Some("0123456789abcdef")).unwrap();
        assert!(access.check_token(Some("Bearer 0123456789abcdef")).is_ok());
        for wrong in [None, Some("Bearer 0123456789abcdeg"), Some("0123456789abcdef")] {
            assert_eq!(access.check_token(wrong).unwrap_err().code, "token_required");
        }
    }
}
