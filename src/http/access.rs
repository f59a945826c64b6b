//! Who may call: programs on this machine, or, on other addresses, holders of a token; and who may see results.
//! Where a request comes from is checked in [`super::layers::origin`].

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::http::StatusCode;
use governor::{DefaultKeyedRateLimiter, Quota};
use serde::Deserialize;

use super::problem::Problem;
use crate::model::{Blame, Coded, ErrorBody, sha256_hex};
use crate::session::{Pass, Passes, Reach, Viewer};

/// Characters a token must have at least: 16 random bytes in base64 are 22.
pub const MIN_TOKEN: usize = 16;

/// Who gives orders with a token that has no name, or without one.
const NAMELESS: &str = "researcher over HTTP";

/// Why the server must not start.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// Others could reach it and nothing would keep them out.
    #[error("{0} can be reached from other machines, so a token is required")]
    TokenRequired(SocketAddr),
    /// The token can be guessed.
    #[error("the token is too short: {MIN_TOKEN} characters at least")]
    TokenTooShort,
    /// One scope would get the rights of another: agents would get verdicts, for example.
    #[error("each scope needs its own token: a researcher's token must differ from the agents' token")]
    SameTokens,
}

impl Coded for AccessError {
    fn code(&self) -> &str {
        match self {
            Self::TokenRequired(_) => "token_required",
            Self::TokenTooShort => "token_too_short",
            Self::SameTokens => "tokens_equal",
        }
    }

    fn blame(&self) -> Blame {
        Blame::Caller
    }
}

/// What the holder of a token may do. Each scope may do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Work in the one session that was made for it. No file gives it.
    #[serde(skip)]
    Guest,
    /// Work in sessions that it created itself.
    Agent,
    /// Get verdicts, figures and finished runs; look at and use all sessions.
    Researcher,
    Admin,
}

#[derive(Debug, Clone)]
struct Holder {
    /// Digest of the token, so that comparing takes the same time for every wrong one.
    digest: String,
    scope: Scope,
    /// What the log of orders calls whoever sends it.
    name: Option<String>,
}

/// Requests a second of one caller.
type Limiter = DefaultKeyedRateLimiter<Option<String>>;

/// Who may call, what, and how often.
#[derive(Debug, Clone)]
pub struct Access {
    holders: Vec<Holder>,
    limiter: Option<Arc<Limiter>>,
    /// Whether every caller sees finished runs and figures.
    open_runs: bool,
    /// Passes for attempts, if the server has any.
    passes: Option<Passes>,
}

impl Access {
    /// The rule for a server at `address`, with a token for agents if there is one.
    ///
    /// # Errors
    /// When other machines could reach it without a token, or the token is too short.
    pub fn new(address: SocketAddr, token: Option<&str>) -> Result<Self, AccessError> {
        let access = Self { holders: Vec::new(), limiter: None, open_runs: false, passes: None };
        match token {
            Some(token) => access.admitting(Scope::Agent, token),
            None if !address.ip().is_loopback() => Err(AccessError::TokenRequired(address)),
            None => Ok(access),
        }
    }

    /// Also admits holders of this token.
    ///
    /// # Errors
    /// When the token is too short, or already stands for another scope.
    pub fn admitting(self, scope: Scope, token: &str) -> Result<Self, AccessError> {
        if token.len() < MIN_TOKEN {
            return Err(AccessError::TokenTooShort);
        }
        self.admitting_digest(scope, sha256_hex(token.as_bytes()), None)
    }

    /// As [`Access::admitting`], by the token's SHA-256 digest in hexadecimal, and with the name of its holder, if it has one.
    ///
    /// # Errors
    /// When the token already stands for another scope.
    pub fn admitting_digest(mut self, scope: Scope, digest: String, name: Option<String>) -> Result<Self, AccessError> {
        if self.holders.iter().any(|holder| holder.digest == digest && holder.scope != scope) {
            return Err(AccessError::SameTokens);
        }
        self.holders.push(Holder { digest, scope, name });
        Ok(self)
    }

    /// Gives holders of this token the scope of researchers, which includes verdicts.
    ///
    /// # Errors
    /// As [`Access::admitting`].
    pub fn judging(self, token: &str) -> Result<Self, AccessError> {
        self.admitting(Scope::Researcher, token)
    }

    /// Also admits holders of these passes, each to its own session as long as its attempt goes on. The server is then closed
    /// to callers without a token.
    pub fn admitting_passes(mut self, passes: Passes) -> Self {
        self.passes = Some(passes);
        self
    }

    /// Shows finished runs and figures to every caller. They contain verdicts and solutions. Where there is no token at
    /// all, every caller may also give orders.
    pub fn opening_runs(mut self) -> Self {
        self.open_runs = true;
        self
    }

    /// Whether any caller may see finished runs and figures.
    pub fn shows_runs(&self) -> bool {
        self.open_runs || self.has_researchers()
    }

    /// Whether any caller may have the server begin, change and end work.
    pub fn takes_orders(&self) -> bool {
        self.has_researchers() || (self.open_runs && !self.has_tokens())
    }

    /// Whether there is a token of any scope.
    fn has_tokens(&self) -> bool {
        self.passes.is_some() || !self.holders.is_empty()
    }

    fn has_researchers(&self) -> bool {
        self.holders.iter().any(|holder| holder.scope >= Scope::Researcher)
    }

    /// Whether agents are distinguished, by more than one token.
    pub fn distinguishes_agents(&self) -> bool {
        self.holders.iter().filter(|holder| holder.scope == Scope::Agent).count() > 1
    }

    /// Limits each caller to this many requests a second, and twice as many in a burst.
    pub fn limited(mut self, per_second: NonZeroU32) -> Self {
        let burst = per_second.saturating_mul(NonZeroU32::MIN.saturating_add(1));
        self.limiter = Some(Arc::new(Limiter::keyed(Quota::per_second(per_second).allow_burst(burst))));
        self
    }

    /// The holder of the token in a header, if it is known.
    fn holder(&self, authorization: Option<&str>) -> Option<&Holder> {
        let given = digest_of(authorization)?;
        self.holders.iter().find(|holder| holder.digest == given)
    }

    /// What the log of orders calls a caller: the name of its token. A token is no name, so those without one share another.
    pub(super) fn who(&self, authorization: Option<&str>) -> String {
        self.holder(authorization).and_then(|holder| holder.name.clone()).unwrap_or_else(|| NAMELESS.to_owned())
    }

    /// The scope of a caller; `None` without a known token.
    fn scope(&self, authorization: Option<&str>) -> Option<Scope> {
        self.holder(authorization).map(|holder| holder.scope)
    }

    /// Whether agents need a token.
    pub(super) fn needs_token(&self) -> bool {
        self.passes.is_some() || self.holders.iter().any(|holder| holder.scope <= Scope::Agent)
    }

    /// Refuses scopes below researcher.
    pub(crate) fn check_judge(&self, authorization: Option<&str>) -> Result<(), Problem> {
        if !self.has_researchers() {
            let refused = Problem::new(StatusCode::FORBIDDEN, "judging_not_offered", "this server gives no verdicts");
            return Err(refused.hinted("start it with --judge-token TOKEN"));
        }
        self.check_scope(authorization, Scope::Researcher, "verdicts need")
    }

    /// Refuses callers that must not see finished runs and figures: scopes below researcher, unless the operator opened
    /// them. A server without tokens has no researchers.
    pub(super) fn check_researcher(&self, authorization: Option<&str>) -> Result<(), Problem> {
        if self.open_runs {
            return Ok(());
        }
        if !self.has_researchers() {
            let detail = "this server does not show finished runs and figures";
            return Err(Problem::new(StatusCode::FORBIDDEN, "runs_not_offered", detail)
                .hinted("start it with --researcher-token TOKEN, or with --open-runs to show them to every caller"));
        }
        self.check_scope(authorization, Scope::Researcher, "finished runs and figures need")
    }

    /// As [`Access::check_researcher`], but also refuses agents' tokens: even where runs are open, an agent must not
    /// see what other agents did or how that was judged.
    pub(super) fn check_attempts(&self, authorization: Option<&str>) -> Result<(), Problem> {
        if self.needs_token() {
            return self.check_scope(authorization, Scope::Researcher, "attempts of agents need");
        }
        self.check_researcher(authorization)
    }

    /// Refuses callers that must not have the server begin, change or end work, which spends its time and its operator's
    /// money: experiments, orders to them, repairs. Wherever there is a token of any scope that takes a researcher's,
    /// whether runs are open or not. A server without any token is for whoever reaches it, if its operator has opened it.
    pub(super) fn check_orders(&self, authorization: Option<&str>) -> Result<(), Problem> {
        if self.has_tokens() {
            return self.check_scope(authorization, Scope::Researcher, "experiments, orders and repairs need");
        }
        self.check_researcher(authorization)
    }

    fn check_scope(&self, authorization: Option<&str>, scope: Scope, what: &str) -> Result<(), Problem> {
        if self.scope(authorization) >= Some(scope) {
            return Ok(());
        }
        let detail = format!("{what} a researcher's token");
        Err(Problem::new(StatusCode::FORBIDDEN, "judge_token_required", detail)
            .hinted("send `Authorization: Bearer TOKEN` with the token of --judge-token or --researcher-token"))
    }

    /// Whether a caller with this `Authorization` header gets verdicts, for adapters without problem documents.
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

    /// The pass that the token in a header stands for.
    fn pass(&self, authorization: Option<&str>) -> Option<Pass> {
        self.passes.as_ref()?.find(&digest_of(authorization)?)
    }

    /// The caller and its rights; counts as one request.
    pub(super) fn admit(&self, authorization: Option<&str>) -> Result<Viewer, Problem> {
        if let Some(pass) = self.pass(authorization) {
            return bound(pass);
        }
        let holder = self.holder(authorization);
        if holder.is_none() && self.needs_token() {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "token_required", "this call needs the server's token")
                .hinted("send `Authorization: Bearer TOKEN`"));
        }
        let reach = match holder.map(|holder| holder.scope) {
            Some(Scope::Guest) => Reach::Guest,
            None | Some(Scope::Agent) => Reach::Own,
            Some(Scope::Researcher) => Reach::Use,
            Some(Scope::Admin) => Reach::End,
        };
        let viewer = Viewer { owner: holder.map(|holder| holder.digest.clone()), reach, pass: None };
        match &self.limiter {
            Some(limiter) if limiter.check_key(&viewer.owner).is_err() => {
                Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "too many requests a second")
                    .hinted("slow down; `serve --rate-limit` says how many are allowed")
                    .retry_after(1))
            }
            _ => Ok(viewer),
        }
    }
}

/// What a refusal names as the action where none was looked at.
const ANY_CALL: &str = "any";

/// The holder of a pass, unless its attempt is over.
fn bound(pass: Pass) -> Result<Viewer, Problem> {
    if pass.is_over() {
        pass.refused(ANY_CALL, "token_ended");
        let problem = Problem::new(StatusCode::UNAUTHORIZED, "token_ended", "the attempt of this token is over");
        return Err(problem.hinted("stop: nothing counts any more"));
    }
    Ok(Viewer { owner: Some(pass.owner().to_owned()), reach: Reach::Guest, pass: Some(pass) })
}

/// Digest of the token in a header `Bearer TOKEN`.
fn digest_of(authorization: Option<&str>) -> Option<String> {
    let given = authorization?.strip_prefix("Bearer ")?;
    Some(sha256_hex(given.trim().as_bytes()))
}

#[cfg(test)]
#[path = "access_tests.rs"]
mod tests;
