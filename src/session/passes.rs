//! Passes: tokens that open one session in one mode, until they are ended. They are made while a server runs, one for each
//! attempt of a program that works over a transport, and keep a record of what was refused to it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::model::codes::voids;
use crate::model::{Mode, sha256_hex, unix_seconds};

/// Refusals that are kept word by word; more are only counted.
const KEPT: usize = 1000;
/// Letters of a call that are kept.
const LONGEST: usize = 300;
/// Ended passes that are remembered, so that a late caller learns what happened.
const REMEMBERED: usize = 4096;

/// A call that was refused: a line of `refusals.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// When, in seconds since 1970.
    pub at: f64,
    /// Method and address, or `mcp` and the tool.
    pub call: String,
    /// Stable code of the reason.
    pub code: String,
}

/// The passes of a process; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Passes {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    /// By the token's digest.
    passes: BTreeMap<String, Pass>,
    /// Digests of ended ones, oldest first.
    ended: Vec<String>,
}

/// What a token allows; clones share it.
#[derive(Clone)]
pub struct Pass {
    shared: Arc<Shared>,
}

struct Shared {
    /// Digest of the token, which the session is marked with.
    owner: String,
    mode: Mode,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    session: Option<String>,
    is_over: bool,
    refusals: Vec<Refusal>,
    count: u32,
    limited: bool,
    voided_by: Option<String>,
}

/// A pass with its token, which is known here only. Dropping it ends the pass.
#[derive(Debug)]
pub struct IssuedPass {
    pub token: String,
    pub pass: Pass,
    passes: Passes,
}

impl Passes {
    /// Makes a pass for one mode; the session is to be created with its owner, then named.
    pub fn issue(&self, mode: Mode) -> IssuedPass {
        let token = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
        let owner = sha256_hex(token.as_bytes());
        let state = Mutex::default();
        let shared = Shared { owner: owner.clone(), mode, state, changed: watch::Sender::new(0) };
        let pass = Pass { shared: Arc::new(shared) };
        lock(&self.known).passes.insert(owner, pass.clone());
        IssuedPass { token, pass, passes: self.clone() }
    }

    /// The pass whose token has this digest, ended ones included.
    pub fn find(&self, digest: &str) -> Option<Pass> {
        lock(&self.known).passes.get(digest).cloned()
    }

    fn end(&self, pass: &Pass) {
        let mut known = lock(&self.known);
        if std::mem::replace(&mut lock(&pass.shared.state).is_over, true) {
            return;
        }
        known.ended.push(pass.owner().to_owned());
        if known.ended.len() > REMEMBERED {
            let oldest = known.ended.remove(0);
            known.passes.remove(&oldest);
        }
    }
}

impl IssuedPass {
    /// From now on the token opens nothing.
    pub fn end(&self) {
        self.passes.end(&self.pass);
    }
}

impl Drop for IssuedPass {
    fn drop(&mut self) {
        self.end();
    }
}

impl Pass {
    pub fn owner(&self) -> &str {
        &self.shared.owner
    }

    pub fn mode(&self) -> Mode {
        self.shared.mode
    }

    /// The session that it opens, once there is one.
    pub fn session(&self) -> Option<String> {
        self.state().session.clone()
    }

    /// Names the session that it opens.
    pub fn opens(&self, session: &str) {
        self.state().session = Some(session.to_owned());
    }

    /// Whether it was ended.
    pub fn is_over(&self) -> bool {
        self.state().is_over
    }

    /// Notes a call that was refused.
    pub fn refused(&self, call: &str, code: &str) {
        let mut state = self.state();
        state.count = state.count.saturating_add(1);
        state.limited |= code == "limit_reached";
        if state.refusals.len() < KEPT {
            let call = call.chars().take(LONGEST).collect();
            state.refusals.push(Refusal { at: unix_seconds(), call, code: code.to_owned() });
        }
    }

    /// Notes that a call failed, by the code of its error. The first one that voids the attempt stays.
    pub fn failed(&self, code: &str) {
        if voids(code) {
            self.state().voided_by.get_or_insert_with(|| code.to_owned());
        }
    }

    /// The code with which the testbed failed a call so that the attempt is void, if it did.
    pub fn voided_by(&self) -> Option<String> {
        self.state().voided_by.clone()
    }

    /// Whether an action was refused because a limit was reached.
    pub fn reached_limit(&self) -> bool {
        self.state().limited
    }

    /// The refused calls, the first 1000 of them, and how many there were.
    pub fn refusals(&self) -> (Vec<Refusal>, u32) {
        let state = self.state();
        (state.refusals.clone(), state.count)
    }

    /// A call has been answered.
    pub fn answered(&self) {
        self.shared.changed.send_modify(|count| *count += 1);
    }

    /// Changes whenever a call has been answered.
    pub fn calls(&self) -> watch::Receiver<u64> {
        self.shared.changed.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared.state)
    }
}

impl fmt::Debug for Pass {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Pass")
            .field("owner", &self.shared.owner)
            .field("mode", &self.shared.mode)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl Eq for Pass {}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_found_by_its_digest_and_ends_with_its_attempt() {
        let passes = Passes::default();
        let issued = passes.issue(Mode::Composite);
        let other = passes.issue(Mode::Composite);
        assert_ne!(issued.token, other.token);
        let found = passes.find(&sha256_hex(issued.token.as_bytes())).unwrap();
        assert_eq!(found, issued.pass);
        found.opens("s");
        assert_eq!((issued.pass.session().as_deref(), found.is_over()), (Some("s"), false));
        drop(issued);
        assert!(found.is_over() && !other.pass.is_over());
        assert_eq!(passes.find(&sha256_hex(b"guessed")), None);
    }

    #[test]
    fn the_first_error_that_voids_stays_and_what_a_caller_can_bring_about_is_none() {
        let pass = Passes::default().issue(Mode::Primitive).pass.clone();
        for code in ["session_busy", "deadline_exceeded", "page_lost", "internal_error"] {
            pass.failed(code);
            assert_eq!(pass.voided_by(), None);
        }
        pass.failed("disk_full");
        pass.failed("browser_lost");
        assert_eq!(pass.voided_by().as_deref(), Some("disk_full"));
    }

    #[test]
    fn refusals_are_kept_and_floods_of_them_counted() {
        let pass = Passes::default().issue(Mode::Primitive).pass.clone();
        pass.refused(&"x".repeat(5000), "mode_not_allowed");
        assert!(!pass.reached_limit());
        (0..5000).for_each(|_| pass.refused("POST /sessions", "limit_reached"));
        let (kept, count) = pass.refusals();
        assert_eq!((kept.len(), count, kept[0].call.len()), (KEPT, 5001, LONGEST));
        assert!(pass.reached_limit());
    }
}
