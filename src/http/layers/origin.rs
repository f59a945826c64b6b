//! Which requests are accepted from any caller: those that come by this machine's own name and that no page
//! of another origin made.
//!
//! A web page must not drive the testbed, neither directly nor by a name that it lets point at this machine (DNS
//! rebinding). `Host` and `Origin` are checked on every request. A picture or a link sends no `Origin`, but says by
//! `Sec-Fetch-Site` where it comes from: only pages for a person may be opened from elsewhere. Tokens are checked
//! elsewhere.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower::layer::util::Stack;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::http::problem::Problem;
use crate::http::state::AppState;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Layer over everything: `Host` and `Origin`.
pub async fn own_origin_only(State(api): State<AppState>, request: Request, next: Next) -> Response {
    match check(request.headers(), request.uri().authority(), api.access.needs_token()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// The same for an application of this machine alone, which has no tokens for other names.
pub async fn own_name_only(request: Request, next: Next) -> Response {
    match check(request.headers(), request.uri().authority(), false) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Layer over what pages call: nothing of it is for pages of another origin, however they ask.
pub async fn no_foreign_call(request: Request, next: Next) -> Response {
    if is_foreign(request.headers()) { cross_origin().into_response() } else { next.run(request).await }
}

/// Layer over pages for people: a link elsewhere may open them, but other pages can't embed them.
pub async fn no_foreign_part(request: Request, next: Next) -> Response {
    let is_refused = is_foreign(request.headers()) && !opens(request.headers());
    if is_refused { cross_origin().into_response() } else { next.run(request).await }
}

/// What makes browsers keep replies from pages of other origins, and treat them as nothing but what they are declared
/// to be.
pub fn for_own_pages() -> Stack<Overriding, Overriding> {
    let set = |name, value| Overriding::overriding(name, HeaderValue::from_static(value));
    Stack::new(set(X_CONTENT_TYPE_OPTIONS, "nosniff"), set(RESOURCE_POLICY, "same-origin"))
}

type Overriding = SetResponseHeaderLayer<HeaderValue>;

/// Whether a browser asks for a page of its own, not for a frame in another one.
fn opens(headers: &HeaderMap) -> bool {
    let is = |name: &HeaderName, value: &str| headers.get(name).is_some_and(|given| given == value);
    is(&FETCH_MODE, "navigate") && is(&FETCH_DEST, "document")
}

/// Whether a browser declares a request of another origin's page. Other programs declare nothing.
fn is_foreign(headers: &HeaderMap) -> bool {
    headers.get_all(FETCH_SITE).iter().any(|site| site != "same-origin" && site != "none")
}

fn cross_origin() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "cross_origin", "requests from pages of another origin are refused")
}

/// Refuses requests that come by a foreign name or from a page of another origin.
fn check(headers: &HeaderMap, authority: Option<&Authority>, has_tokens: bool) -> Result<(), Problem> {
    let refused = |detail: &str| Problem::new(StatusCode::FORBIDDEN, "host_not_allowed", detail);
    let unusable = || refused("the request has no usable Host header");
    let host = match only(headers, &HOST).map_err(|Unclear| unusable())? {
        Some(host) => host.parse::<Authority>().map_err(|_| unusable())?,
        None => authority.cloned().ok_or_else(unusable)?,
    };
    // With a token any name is fine: a foreign page can't know it.
    if !has_tokens && !is_loopback(host.host()) {
        return Err(
            refused("the request came by a name that is not this machine's own").hinted("call 127.0.0.1 or localhost")
        );
    }
    let own = |origin: &str| {
        origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) == Some(host.as_str())
    };
    match only(headers, &ORIGIN) {
        Ok(origin) if origin.is_none_or(own) => Ok(()),
        _ => Err(cross_origin()),
    }
}

/// A repeated header, or one that is not text.
struct Unclear;

/// The one value of a header. Of two, proxies and servers may believe different ones.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Unclear> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Unclear),
        _ => Err(Unclear),
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code with which these headers are refused without tokens.
    fn code(headers: &[(&HeaderName, &'static str)]) -> Option<String> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        check(&map, None, false).err().map(|problem| problem.code)
    }

    #[test]
    fn names_of_other_machines_and_pages_of_other_origins_are_refused() {
        assert_eq!(code(&[(&HOST, "127.0.0.1:80")]), None);
        assert_eq!(code(&[(&HOST, "[::1]:80"), (&ORIGIN, "http://[::1]:80")]), None);
        assert_eq!(code(&[(&HOST, "rebound.example:80")]).as_deref(), Some("host_not_allowed"));
        assert_eq!(code(&[]).as_deref(), Some("host_not_allowed"));
        for foreign in ["http://localhost:81", "null"] {
            assert_eq!(code(&[(&HOST, "localhost:80"), (&ORIGIN, foreign)]).as_deref(), Some("cross_origin"));
        }
    }

    #[test]
    fn headers_that_can_be_read_in_two_ways_are_refused() {
        let here = (&HOST, "localhost:80");
        assert_eq!(code(&[here, (&HOST, "rebound.example")]).as_deref(), Some("host_not_allowed"));
        let own = (&ORIGIN, "http://localhost:80");
        assert_eq!(code(&[here, own]), None);
        assert_eq!(code(&[here, own, (&ORIGIN, "http://elsewhere.example")]).as_deref(), Some("cross_origin"));
        let mut headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static("localhost:80"))]);
        headers.insert(ORIGIN, HeaderValue::from_bytes("http://müller.example".as_bytes()).unwrap());
        assert_eq!(check(&headers, None, false).unwrap_err().code, "cross_origin");
    }
}
