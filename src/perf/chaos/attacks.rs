//! Attacks on the server and its browsers while agents use it: kills, stops, floods, silent connections, truncated
//! requests, and a record folder that disappears.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::programs;
use super::server::Server;
use crate::meter::process_tree::{self, Process};

/// Pause between two attacks, in milliseconds.
const PAUSE_MS: std::ops::Range<u64> = 3000..14000;
/// Connections that say nothing, and calls of a flood.
const MANY: usize = 40;
/// How long a silent connection is held, in milliseconds.
const SILENCE_MS: std::ops::Range<u64> = 500..8000;
/// A verdict on sabotage is not waited for longer.
const VERDICT_LIMIT: Duration = Duration::from_secs(90);

/// The kinds of attack, in the order in which they are drawn.
const KINDS: [&str; 9] = [
    "kill browser",
    "stop browser",
    "kill renderer",
    "stop renderer",
    "kill guard",
    "mcp flood",
    "silent connections",
    "sabotaged verdicts",
    "records away",
];

/// Attacks until the time is up; returns how often each kind was done.
pub(super) async fn attack(server: &Server, seed: u64, until: Instant) -> Vec<(&'static str, u32)> {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut counts = KINDS.map(|kind| (kind, 0));
    while Instant::now() < until {
        let pause = Duration::from_millis(random.random_range(PAUSE_MS));
        tokio::time::sleep(pause.min(until.saturating_duration_since(Instant::now()))).await;
        let kind = random.random_range(0..KINDS.len());
        if Instant::now() < until && do_one(server, kind, &mut random).await {
            tracing::info!(harm = KINDS[kind], "chaos");
            counts[kind].1 += 1;
        }
    }
    counts.to_vec()
}

/// Whether there was something to attack.
async fn do_one(server: &Server, kind: usize, random: &mut Pcg64) -> bool {
    match KINDS[kind] {
        "kill browser" => signal(server, random, is_browser, Signal::SIGKILL),
        "stop browser" => signal(server, random, is_browser, Signal::SIGSTOP),
        "kill renderer" => signal(server, random, is_renderer, Signal::SIGKILL),
        "stop renderer" => signal(server, random, is_renderer, Signal::SIGSTOP),
        "kill guard" => signal(server, random, is_guard, Signal::SIGKILL),
        "mcp flood" => flood(server).await,
        "silent connections" => say_nothing(server, random).await,
        "sabotaged verdicts" => sabotage(server, random).await,
        _ => hide_records(server, random).await,
    }
}

/// Sends a signal to one of the server's own descendants.
fn signal(server: &Server, random: &mut Pcg64, wanted: fn(&str) -> bool, signal: Signal) -> bool {
    let tree = process_tree::tree(server.process_id());
    let found: Vec<&Process> = tree.iter().skip(1).filter(|process| wanted(&command_line(process.id))).collect();
    let id = found.choose(random).and_then(|process| i32::try_from(process.id).ok());
    id.is_some_and(|id| kill(Pid::from_raw(id), signal).is_ok())
}

/// The arguments of a process, each after a space.
fn command_line(process: u32) -> String {
    std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default().replace('\0', " ")
}

fn is_guard(line: &str) -> bool {
    line.contains(" guard --chromium ")
}

fn is_browser(line: &str) -> bool {
    line.contains("--user-data-dir=") && !line.contains("--type=") && !is_guard(line)
}

fn is_renderer(line: &str) -> bool {
    line.contains("--type=renderer")
}

/// Opens MCP connections and forgets them.
async fn flood(server: &Server) -> bool {
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x".repeat(4000), "version": "1"}}
    });
    let calls = (0..MANY).map(|_| {
        let request = server.ask(0, Method::POST, "/mcp/primitive").json(&hello);
        request.header("accept", "application/json, text/event-stream").send()
    });
    futures::future::join_all(calls).await.iter().any(Result::is_ok)
}

/// Connects and says nothing, or half a request.
async fn say_nothing(server: &Server, random: &mut Pcg64) -> bool {
    let mut held = Vec::new();
    for number in 0..MANY {
        let Ok(mut stream) = TcpStream::connect(server.address()).await else { continue };
        if number % 2 == 0 {
            let _ =
                stream.write_all(b"POST /sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 900\r\n\r\n{").await;
        }
        held.push(stream);
    }
    let patience = Duration::from_millis(random.random_range(SILENCE_MS));
    let any = !held.is_empty();
    tokio::spawn(async move {
        tokio::time::sleep(patience).await;
        drop(held);
    });
    any
}

/// Has programs judged that are made to break the judge, and disconnects during every other.
async fn sabotage(server: &Server, random: &mut Pcg64) -> bool {
    let (_, sb3) = programs::any(random);
    let request = server.ask_as_judge(Method::POST, "/tasks/kite_gusts/verdict");
    let request = request.header("content-type", "application/x.scratch.sb3").body(sb3);
    let patience =
        if random.random_bool(0.5) { Duration::from_millis(random.random_range(0..2000)) } else { VERDICT_LIMIT };
    let _ = tokio::time::timeout(patience, request.send()).await;
    true
}

/// Takes the folder of records away for a while and puts a file in its place.
async fn hide_records(server: &Server, random: &mut Pcg64) -> bool {
    let (records, away) = (server.records(), server.records().with_extension("away"));
    if std::fs::rename(&records, &away).is_err() {
        return false;
    }
    let _ = std::fs::write(&records, b"");
    tokio::time::sleep(Duration::from_millis(random.random_range(300..2000))).await;
    let _ = std::fs::remove_file(&records);
    std::fs::rename(&away, &records).is_ok()
}
