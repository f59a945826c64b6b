//! One agent during the chaos: it uses one session after another over HTTP, and sometimes disconnects in the middle of
//! a request.
//!
//! What it sends is drawn from its seed. It notes every wrong answer.

use std::time::{Duration, Instant};

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::programs;
use super::report::Tally;
use super::server::Server;

/// One request in so many is cut off.
const CUT: f64 = 0.05;
/// A request that is cut is cut within so many milliseconds.
const CUT_MS: u64 = 400;
const CALLS: std::ops::Range<usize> = 4..24;
/// Pause after a refusal, in milliseconds.
const PAUSE_MS: std::ops::Range<u64> = 200..1000;
/// Tasks that sessions begin with, none of them slow to build.
const TASKS: [&str; 3] = ["kite_gusts", "stuck_ferry", "apple_sort"];
/// Answers with these codes are infrastructure errors, and nothing else with a status of 500 and above is.
const INFRASTRUCTURE: [&str; 11] = [
    "page_lost",
    // The browser did not answer in time.
    "page_error",
    "page_not_recovered",
    "deadline_exceeded",
    "not_in_time",
    "task_not_built",
    "shutting_down",
    "log_broken",
    "log_unwritable",
    "disk_full",
    "no_page",
];

pub(super) struct Visitor<'a> {
    number: usize,
    server: &'a Server,
    random: Pcg64,
    pub(super) tally: Tally,
    /// Whether requests are cut off and files sabotaged.
    wild: bool,
}

impl<'a> Visitor<'a> {
    /// The agent of this number; a tame one cuts nothing off.
    pub(super) fn new(number: usize, server: &'a Server, seed: u64, wild: bool) -> Self {
        let random = Pcg64::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64);
        Self { number, server, random, tally: Tally::default(), wild }
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

    /// Ends sessions of its own whose creation was answered after it had disconnected: a server can't know that an answer
    /// was not read, but it can list its sessions.
    async fn end_unheard_of(&mut self) {
        let request = self.server.ask(self.number, Method::GET, "/sessions");
        let listed = async { request.send().await.ok()?.json::<Value>().await.ok() };
        let listed = listed.await.unwrap_or_default();
        for id in listed["sessions"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()) {
            self.tally.unheard_of += 1;
            self.end(id).await;
        }
    }

    async fn live_once(&mut self) {
        let start = match TASKS.choose(&mut self.random) {
            Some(task) if self.random.random_bool(0.3) => json!({"task": task}),
            _ => json!({}),
        };
        let request = self.server.ask(self.number, Method::POST, "/sessions").json(&start);
        let Some((201, created)) = self.send("create", request).await else {
            return self.pause().await;
        };
        let Some(id) = created["id"].as_str().map(str::to_owned) else {
            return self.breach("create: an answer without an id");
        };
        for _ in 0..self.random.random_range(CALLS) {
            self.call(&id).await;
        }
        self.end(&id).await;
        self.tally.sessions += 1;
    }

    /// Ends the session, and asks again when the request was cut off.
    async fn end(&mut self, id: &str) {
        let path = format!("/sessions/{id}");
        loop {
            let request = self.server.ask(self.number, Method::DELETE, &path);
            if let Some((status, _)) = self.send("delete", request).await {
                if !matches!(status, 204 | 404 | 410 | 429) {
                    self.breach(&format!("delete: status {status}"));
                }
                if status != 429 {
                    return;
                }
                self.pause().await;
            }
        }
    }

    async fn call(&mut self, id: &str) {
        let path = |rest: &str| format!("/sessions/{id}{rest}");
        let ask = |method, rest: &str| self.server.ask(self.number, method, &path(rest));
        let (what, request) = match self.random.random_range(0..12) {
            0 => ("observe", ask(Method::GET, "/observation/primitive?ocr=off")),
            1 => ("read blocks", ask(Method::GET, "/observation/composite")),
            2 => ("screenshot", ask(Method::GET, "/screenshot")),
            3 => ("export", ask(Method::GET, "/project")),
            4 => ("events", ask(Method::GET, "/events?after=0")),
            // Each takes a fresh page, and opening pages is what takes longest.
            5 if self.random.random_bool(0.2) => ("reset", ask(Method::POST, "/reset")),
            6 if self.wild => {
                let (name, sb3) = programs::any(&mut self.random);
                let request = ask(Method::PUT, "/project").header("content-type", "application/x.scratch.sb3");
                (name, request.body(sb3))
            }
            7 => return self.watch(id).await,
            8 => {
                let args = json!({"name": format!("v{}", self.random.random_range(0..100)), "scope": "all"});
                ("edit", ask(Method::POST, "/act/composite").json(&json!({"api": "add_variable", "args": args})))
            }
            9 => {
                let mut at = |limit: i32| self.random.random_range(0..limit);
                let args = json!({"start_x": at(1280), "start_y": at(720), "end_x": at(1280), "end_y": at(720)});
                ("drag", ask(Method::POST, "/act/primitive").json(&json!({"api": "drag_and_drop", "args": args})))
            }
            _ => {
                let args = json!({"x": self.random.random_range(0..1280), "y": self.random.random_range(0..720)});
                ("click", ask(Method::POST, "/act/primitive").json(&json!({"api": "click", "args": args})))
            }
        };
        self.send(what, request).await;
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

    /// Sends a request; the status and the body, unless it was cut off or there was no answer.
    async fn send(&mut self, what: &str, request: RequestBuilder) -> Option<(u16, Value)> {
        if self.wild && self.random.random_bool(CUT) {
            let patience = Duration::from_millis(self.random.random_range(0..CUT_MS));
            self.tally.cut += 1;
            let _ = tokio::time::timeout(patience, request.send()).await;
            return None;
        }
        self.tally.calls += 1;
        let answer = async {
            let response = request.send().await?;
            Ok::<_, reqwest::Error>((response.status().as_u16(), response.bytes().await?))
        };
        match answer.await {
            Ok((status, body)) => {
                let body: Value = serde_json::from_slice(&body).unwrap_or_default();
                self.note(what, status, &body);
                Some((status, body))
            }
            Err(error) => {
                self.breach(&format!("{what}: not answered: {}", crate::model::with_causes(&error)));
                None
            }
        }
    }

    fn note(&mut self, what: &str, status: u16, body: &Value) {
        self.tally.answered += 1;
        let code = body["code"].as_str().unwrap_or_default();
        if status >= 500 && !INFRASTRUCTURE.contains(&code) {
            return self.breach(&format!("{what}: status {status}, code {code:?}: {}", body["detail"]));
        }
        if status >= 500 || body["error"]["infrastructure"] == true {
            self.tally.infrastructure += 1;
        } else if status == 429 {
            self.tally.turned_away += 1;
        }
    }

    fn breach(&mut self, what: &str) {
        self.tally.breaches.push(format!("agent {}: {what}", self.number));
    }

    async fn pause(&mut self) {
        tokio::time::sleep(Duration::from_millis(self.random.random_range(PAUSE_MS))).await;
    }
}
