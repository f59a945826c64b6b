//! A caller that tries to bring trouble about, for itself or for others: many long calls at once, calls that it drops,
//! streams that it does not read, calls that wait, creations with broken bodies. All of it must be refused as its own
//! fault or be done, and none may void anything.

use std::time::{Duration, Instant};

use futures::future::join_all;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::answers::Reply;
use super::foreign;
use super::server::Server;
use super::standing::is_gone;
use super::tally::{Tally, Whose};

/// Attempts at trouble in one session.
const ATTEMPTS: std::ops::Range<usize> = 3..9;
/// Letters that one call may type.
const LETTERS: usize = 300;
/// Long calls at once: together they take longer than a call may wait.
const LONG: usize = 16;
/// More calls at once than may wait for one session.
const SHORT: usize = 40;
/// More streams than one caller may have of a session.
const STREAMS: usize = 10;
/// More waiting calls than one caller may have of a session.
const WAITING: usize = 12;
/// When a call is dropped, in milliseconds after it was sent.
const DROP_MS: std::ops::Range<u64> = 0..600;
/// How long streams stay unread, in milliseconds.
const UNREAD_MS: std::ops::Range<u64> = 1000..8000;
const PAUSE_MS: std::ops::Range<u64> = 200..1000;
const SB3: &str = "application/x.scratch.sb3";

/// What is tried in a session.
const KINDS: [&str; 5] = ["type at once", "click at once", "drop calls", "leave streams unread", "wait at once"];

pub(super) struct HostileCaller<'a> {
    number: usize,
    server: &'a Server,
    random: Pcg64,
    tally: Tally,
}

impl<'a> HostileCaller<'a> {
    /// The agent of this number.
    pub(super) fn new(number: usize, server: &'a Server, seed: u64) -> Self {
        let random = Pcg64::seed_from_u64(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number as u64);
        Self { number, server, random, tally: Tally::default() }
    }

    /// Calls until the time is up.
    pub(super) async fn visit(mut self, until: Instant) -> Tally {
        while Instant::now() < until {
            self.create_brokenly().await;
            let request = self.ask(Method::POST, "/sessions").json(&json!({}));
            let created = self.send("create", request).await;
            match created.json()["id"].as_str() {
                Some(id) if created.status() == Some(201) => self.misuse(id, until).await,
                _ => self.end_all().await,
            }
            self.pause().await;
        }
        self.end_all().await;
        self.tally
    }

    fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.server.ask(self.number, method, path)
    }

    fn note(&mut self, what: &str, reply: &Reply) {
        let who = format!("hostile caller {}", self.number);
        self.tally.note(&who, what, reply, Whose::OwnCalls, &self.server.harms);
    }

    async fn send(&mut self, what: &str, request: RequestBuilder) -> Reply {
        let reply = Reply::to(request).await;
        self.note(what, &reply);
        reply
    }

    /// Creations that no session can come of; where one does, it is ended.
    async fn create_brokenly(&mut self) {
        let truncated = foreign::file("clone storm", &mut self.random);
        let files = [
            foreign::file("noise", &mut self.random),
            foreign::file("loud volume", &mut self.random),
            truncated[..truncated.len() / 2].to_vec(),
        ];
        let texts = [
            ("application/json", "{"),
            ("application/json", r#"{"task": 7}"#),
            ("application/json", r#"{"task": "no such task"}"#),
            ("application/json", r#"{"lease_s": -1}"#),
            ("text/plain", "a session, please"),
        ];
        let texts = texts.map(|(kind, text)| (kind, text.as_bytes().to_vec()));
        for (kind, body) in texts.into_iter().chain(files.map(|file| (SB3, file))) {
            let request = self.ask(Method::POST, "/sessions").header("content-type", kind).body(body);
            let reply = self.send("create from a broken body", request).await;
            if reply.status() == Some(201) {
                self.end_all().await;
            }
        }
    }

    /// Tries what it can in a session of its own, and looks each time whether that still answers.
    async fn misuse(&mut self, id: &str, until: Instant) {
        for _ in 0..self.random.random_range(ATTEMPTS) {
            if Instant::now() >= until {
                break;
            }
            let kind = KINDS.choose(&mut self.random).copied().unwrap_or_default();
            match kind {
                "type at once" => self.type_at_once(id).await,
                "click at once" => self.at_once(kind, SHORT, &click(id, 640, 300)).await,
                "drop calls" => self.drop_calls(id).await,
                "leave streams unread" => self.leave_unread(id).await,
                _ => self.at_once(kind, WAITING, &wait(id)).await,
            }
            let request = self.ask(Method::GET, &format!("/sessions/{id}/observation/primitive?ocr=off"));
            if is_gone(&self.send("observe after misuse", request).await) {
                self.tally.lose_session(&format!("hostile caller {}", self.number), id);
                break;
            }
        }
        self.end_all().await;
        self.tally.sessions += 1;
    }

    /// The same call many times at once.
    async fn at_once(&mut self, what: &str, times: usize, call: &Call) {
        let calls = (0..times).map(|_| Reply::to(call.request(self.server, self.number)));
        for reply in join_all(calls).await {
            self.note(what, &reply);
        }
    }

    async fn type_at_once(&mut self, id: &str) {
        // The sprite's name, which takes text.
        self.at_once("click", 1, &click(id, 900, 492)).await;
        let text = |letters: usize| act(id, json!({"api": "type", "args": {"text": "scratch ".repeat(letters / 8)}}));
        self.at_once("type at once", LONG, &text(LETTERS)).await;
        self.at_once("type too much", 1, &text(100 * LETTERS)).await;
    }

    async fn drop_calls(&mut self, id: &str) {
        let loud = foreign::file("loud volume", &mut self.random);
        let text = json!({"api": "type", "args": {"text": "x".repeat(LETTERS)}});
        let to = |method, rest: &str| self.ask(method, &format!("/sessions/{id}{rest}"));
        let calls = [
            ("observe", to(Method::GET, "/observation/primitive")),
            ("type", to(Method::POST, "/act/primitive").json(&text)),
            ("put loud volume", to(Method::PUT, "/project").header("content-type", SB3).body(loud)),
            ("screenshot", to(Method::GET, "/screenshot")),
            ("reset", to(Method::POST, "/reset")),
            ("export", to(Method::GET, "/project")),
        ];
        for (what, request) in calls {
            let patience = Duration::from_millis(self.random.random_range(DROP_MS));
            match tokio::time::timeout(patience, Reply::to(request)).await {
                Ok(reply) => self.note(what, &reply),
                Err(_) => self.tally.cut(what),
            }
        }
    }

    /// Opens streams and reads none of them, while the session tells of many clicks.
    async fn leave_unread(&mut self, id: &str) {
        let path = format!("/sessions/{id}/events/stream");
        let opened = join_all((0..STREAMS).map(|_| Reply::unread(self.ask(Method::GET, &path)))).await;
        let mut held = Vec::new();
        for (reply, response) in opened {
            self.note("open a stream", &reply);
            held.extend(response);
        }
        self.at_once("click", 8, &click(id, 640, 300)).await;
        tokio::time::sleep(Duration::from_millis(self.random.random_range(UNREAD_MS))).await;
        drop(held);
    }

    /// Ends all its sessions, also those of which it was not told.
    async fn end_all(&mut self) {
        let request = self.ask(Method::GET, "/sessions");
        let listed = self.send("list", request).await.json();
        for id in listed["sessions"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()) {
            let request = self.ask(Method::DELETE, &format!("/sessions/{id}"));
            self.send("delete", request).await;
        }
    }

    async fn pause(&mut self) {
        tokio::time::sleep(Duration::from_millis(self.random.random_range(PAUSE_MS))).await;
    }
}

/// A call that can be made many times.
struct Call {
    method: Method,
    path: String,
    body: Option<Value>,
}

impl Call {
    fn request(&self, server: &Server, agent: usize) -> RequestBuilder {
        let request = server.ask(agent, self.method.clone(), &self.path);
        match &self.body {
            Some(body) => request.json(body),
            None => request,
        }
    }
}

/// A primitive action in a session.
fn act(id: &str, action: Value) -> Call {
    Call { method: Method::POST, path: format!("/sessions/{id}/act/primitive"), body: Some(action) }
}

fn click(id: &str, x: u32, y: u32) -> Call {
    act(id, json!({"api": "click", "args": {"x": x, "y": y}}))
}

/// Waits for an event that does not come.
fn wait(id: &str) -> Call {
    let path = format!("/sessions/{id}/events?after=1000000&wait_ms=4000");
    Call { method: Method::GET, path, body: None }
}
