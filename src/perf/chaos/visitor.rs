//! One agent during the chaos: it uses one session after another over HTTP. A wild one sometimes disconnects in the
//! middle of a request, and loads hostile projects and runs them; a steady one does nothing wrong, and so shows what
//! others do to it.
//!
//! What it sends is drawn from its seed. It notes every answer, and what its session must still have.

use std::time::{Duration, Instant};

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::answers::{Meaning, Reply};
use super::foreign;
use super::server::Server;
use super::standing::{Standing, is_gone};
use super::tally::{Tally, Whose};

/// One request in so many is cut off.
const CUT: f64 = 0.05;
/// A request that is cut is cut within so many milliseconds.
const CUT_MS: u64 = 400;
const CALLS: std::ops::Range<usize> = 4..24;
/// Pause after a refusal, in milliseconds.
const PAUSE_MS: std::ops::Range<u64> = 200..1000;
/// Tasks that sessions begin with, none of them slow to build.
const TASKS: [&str; 3] = ["kite_gusts", "stuck_ferry", "apple_sort"];
/// Nothing is clicked above this: the menus there replace the project.
const BELOW_MENUS: i32 = 48;
/// One hostile project in so many is run.
const RUN: f64 = 0.4;

pub(super) struct Visitor<'a> {
    number: usize,
    server: &'a Server,
    random: Pcg64,
    tally: Tally,
    /// Whether requests are cut off and hostile projects loaded.
    wild: bool,
    standing: Standing,
}

impl<'a> Visitor<'a> {
    /// The agent of this number.
    pub(super) fn new(number: usize, server: &'a Server, seed: u64, wild: bool) -> Self {
        let random = Pcg64::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64);
        Self { number, server, random, tally: Tally::default(), wild, standing: Standing::default() }
    }

    /// Uses sessions until the time is up, at least one.
    pub(super) async fn visit(mut self, until: Instant) -> Tally {
        loop {
            self.live_once().await;
            if Instant::now() >= until {
                self.end_unheard_of().await;
                return self.tally;
            }
        }
    }

    /// Ends sessions of its own whose creation was answered after it had disconnected: a server can't know that an
    /// answer was not read, but it can list its sessions.
    async fn end_unheard_of(&mut self) {
        let request = self.server.ask(self.number, Method::GET, "/sessions");
        let listed = Reply::to(request).await.json();
        for id in listed["sessions"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()) {
            self.tally.unheard_of += 1;
            self.end(id).await;
        }
    }

    async fn live_once(&mut self) {
        self.standing = Standing::default();
        let mut start = match TASKS.choose(&mut self.random) {
            Some(task) if self.random.random_bool(0.3) => json!({"task": task}),
            _ => json!({}),
        };
        // Hostile projects are run by an action that only extended sessions have.
        start["extended"] = self.wild.into();
        let request = self.server.ask(self.number, Method::POST, "/sessions").json(&start);
        let created = self.send("create", request).await.filter(|reply| reply.status() == Some(201));
        let Some(id) = created.and_then(|reply| reply.json()["id"].as_str().map(str::to_owned)) else {
            self.end_unheard_of().await;
            return self.pause().await;
        };
        for _ in 0..self.random.random_range(CALLS) {
            self.call(&id).await;
            if self.standing.is_gone {
                return self.tally.lose_session(&self.name(), &id);
            }
        }
        self.end(&id).await;
        self.tally.sessions += 1;
    }

    /// Ends the session, and asks again when the request was cut off or told to come back.
    async fn end(&mut self, id: &str) {
        let path = format!("/sessions/{id}");
        loop {
            let request = self.server.ask(self.number, Method::DELETE, &path);
            let Some(reply) = self.send("delete", request).await else { continue };
            match reply.status() {
                Some(429) => self.pause().await,
                Some(204 | 404 | 410) | None => return,
                Some(status) => return self.breach(&format!("delete: status {status}")),
            }
        }
    }

    async fn call(&mut self, id: &str) {
        let path = |rest: &str| format!("/sessions/{id}{rest}");
        let ask = |method, rest: &str| self.server.ask(self.number, method, &path(rest));
        let (what, request) = match self.random.random_range(0..13) {
            0 => ("observe", ask(Method::GET, "/observation/primitive?ocr=off")),
            1 => ("read blocks", ask(Method::GET, "/observation/composite")),
            2 => ("screenshot", ask(Method::GET, "/screenshot")),
            3 | 4 => return self.export(id).await,
            5 => ("events", ask(Method::GET, "/events?after=0")),
            // Each takes a fresh page, and opening pages is what takes longest.
            6 if self.random.random_bool(0.2) => return self.reset(id).await,
            7 if self.wild => return self.load_hostile(id).await,
            8 => return self.watch(id).await,
            9 => return self.add_variable(id).await,
            10 => {
                let (from, to) = (point(&mut self.random), point(&mut self.random));
                let args = json!({"start_x": from.0, "start_y": from.1, "end_x": to.0, "end_y": to.1});
                ("drag", ask(Method::POST, "/act/primitive").json(&json!({"api": "drag_and_drop", "args": args})))
            }
            _ => {
                let (x, y) = point(&mut self.random);
                let click = json!({"api": "click", "args": {"x": x, "y": y}});
                ("click", ask(Method::POST, "/act/primitive").json(&click))
            }
        };
        self.send_in_session(what, request).await;
    }

    /// Sends a call in the session, and notes if that is gone.
    async fn send_in_session(&mut self, what: &str, request: RequestBuilder) -> Option<Reply> {
        let reply = self.send(what, request).await?;
        self.standing.is_gone |= is_gone(&reply);
        Some(reply)
    }

    async fn export(&mut self, id: &str) {
        let request = self.server.ask(self.number, Method::GET, &format!("/sessions/{id}/project"));
        let Some(Reply { answer: Ok((200, sb3)), .. }) = self.send_in_session("export", request).await else { return };
        if let Err(lost) = self.standing.exported(&sb3) {
            self.tally.lost.projects += 1;
            self.breach(&lost);
        }
    }

    async fn add_variable(&mut self, id: &str) {
        let name = format!("v{}", self.random.random_range(0..1000));
        let edit = json!({"api": "add_variable", "args": {"name": name, "scope": "all"}});
        let request = self.server.ask(self.number, Method::POST, &format!("/sessions/{id}/act/composite")).json(&edit);
        if self.send_in_session("edit", request).await.is_some_and(|reply| reply.meaning() == Meaning::Done) {
            self.standing.added(&name);
        }
    }

    async fn reset(&mut self, id: &str) {
        let request = self.server.ask(self.number, Method::POST, &format!("/sessions/{id}/reset"));
        match self.send_in_session("reset", request).await.map(|reply| reply.meaning()) {
            Some(Meaning::Done) => self.standing.restart(),
            Some(Meaning::Refused | Meaning::TurnedAway) => {}
            _ => self.standing.doubt(),
        }
    }

    /// Loads a hostile project; if the editor takes it, it may be run.
    async fn load_hostile(&mut self, id: &str) {
        let (kind, sb3) = foreign::any(&mut self.random);
        let request = self.server.ask(self.number, Method::PUT, &format!("/sessions/{id}/project"));
        let request = request.header("content-type", "application/x.scratch.sb3").body(sb3);
        match self.send_in_session(&format!("put {kind}"), request).await.map(|reply| reply.meaning()) {
            // The session keeps what it had.
            Some(Meaning::Refused | Meaning::TurnedAway) => {}
            Some(Meaning::Done) if self.random.random_bool(RUN) => {
                self.standing.doubt();
                let run = json!({"api": "green_flag", "args": {"seconds": 0.2}});
                let request = self.server.ask(self.number, Method::POST, &format!("/sessions/{id}/act/composite"));
                self.send_in_session(&format!("run {kind}"), request.json(&run)).await;
            }
            _ => self.standing.doubt(),
        }
    }

    /// Opens the stream of events and disconnects from it.
    async fn watch(&mut self, id: &str) {
        let request = self.server.ask(self.number, Method::GET, &format!("/sessions/{id}/events/stream"));
        let patience = Duration::from_millis(self.random.random_range(1..300));
        let _ = tokio::time::timeout(patience, async {
            let mut stream = request.send().await.ok()?;
            while let Ok(Some(_)) = stream.chunk().await {}
            Some(())
        })
        .await;
    }

    /// Sends a request and notes the answer; there is none if it was cut off.
    async fn send(&mut self, what: &str, request: RequestBuilder) -> Option<Reply> {
        if self.wild && self.random.random_bool(CUT) {
            let patience = Duration::from_millis(self.random.random_range(0..CUT_MS));
            self.tally.cut(what);
            let _ = tokio::time::timeout(patience, request.send()).await;
            return None;
        }
        let reply = Reply::to(request).await;
        self.tally.note(&self.name(), what, &reply, self.whose(), &self.server.harms);
        Some(reply)
    }

    /// Whose doing trouble in its session would be.
    const fn whose(&self) -> Whose {
        match (self.wild, self.standing.is_in_doubt) {
            (true, true) => Whose::OwnProgram,
            (true, false) => Whose::OwnCalls,
            (false, _) => Whose::Others,
        }
    }

    fn name(&self) -> String {
        format!("{} agent {}", if self.wild { "wild" } else { "steady" }, self.number)
    }

    fn breach(&mut self, what: &str) {
        self.tally.breach(&self.name(), what);
    }

    async fn pause(&mut self) {
        tokio::time::sleep(Duration::from_millis(self.random.random_range(PAUSE_MS))).await;
    }
}

/// A place in the page, for the mouse.
fn point(random: &mut Pcg64) -> (i32, i32) {
    (random.random_range(0..1280), random.random_range(BELOW_MENUS..720))
}
