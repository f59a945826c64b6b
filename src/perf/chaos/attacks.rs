//! Attacks on the server and its browsers while agents use it. Harms to its processes and files come in storms, with
//! calm between them in which whatever goes wrong is an agent's doing; floods, silent connections and sabotaged
//! verdicts come all the time.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use super::foreign;
use super::server::Server;
use crate::meter::process_tree::{self, Process};

/// Pause between two attacks, in milliseconds.
const PAUSE_MS: std::ops::Range<u64> = 3000..14000;
/// So often a storm of harms begins, and so long it lasts.
const STORMS: (Duration, Duration) = (Duration::from_secs(240), Duration::from_secs(60));
/// Calls of a flood.
const MANY: usize = 40;
/// Connections that say nothing: more than strangers at one address may have.
const SILENT: usize = 150;
/// Where they come from, so that they take no places from agents by their mere address.
const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 0, 1, 1);
/// How long a silent connection is held, in milliseconds.
const SILENCE_MS: std::ops::Range<u64> = 500..8000;
/// A verdict on sabotage is not waited for longer.
const VERDICT_LIMIT: Duration = Duration::from_secs(90);

/// The kinds of attack, in the order in which they are drawn: first what callers do, then harms to processes and files.
const KINDS: [&str; 9] = [
    "mcp flood",
    "silent connections",
    "sabotaged verdicts",
    "kill browser",
    "stop browser",
    "kill renderer",
    "stop renderer",
    "kill guard",
    "records away",
];
/// So many of them are what callers do.
const OF_CALLERS: usize = 3;

/// Attacks until the time is up; returns how often each kind was done.
pub(super) async fn attack(server: &Server, seed: u64, until: Instant) -> Vec<(&'static str, u32)> {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut counts = KINDS.map(|kind| (kind, 0));
    let began = Instant::now();
    while Instant::now() < until {
        let pause = Duration::from_millis(random.random_range(PAUSE_MS));
        tokio::time::sleep(pause.min(until.saturating_duration_since(Instant::now()))).await;
        server.harms.look();
        let kind = random.random_range(0..if is_stormy(began.elapsed()) { KINDS.len() } else { OF_CALLERS });
        if Instant::now() < until && do_one(server, kind, &mut random).await {
            tracing::info!(harm = KINDS[kind], "chaos");
            counts[kind].1 += 1;
        }
    }
    counts.to_vec()
}

/// Whether there is a storm at this time after the beginning.
const fn is_stormy(elapsed: Duration) -> bool {
    elapsed.as_secs() % STORMS.0.as_secs() < STORMS.1.as_secs()
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
    let Some(process) = found.choose(random).map(|process| process.id) else { return false };
    let Ok(id) = i32::try_from(process) else { return false };
    let number = server.harms.begin();
    let is_done = kill(Pid::from_raw(id), signal).is_ok();
    if is_done && signal == Signal::SIGSTOP {
        server.harms.last_while_stopped(number, process);
    } else {
        server.harms.end(number);
    }
    is_done
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
    for number in 0..SILENT {
        let Ok(mut stream) = connect(server).await else { continue };
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

/// A connection of a stranger.
async fn connect(server: &Server) -> std::io::Result<TcpStream> {
    let to: SocketAddr = server.address().parse().map_err(std::io::Error::other)?;
    let socket = TcpSocket::new_v4()?;
    socket.bind((STRANGER, 0).into())?;
    socket.connect(to).await
}

/// Has files judged that are made to break the judge, and disconnects during every other.
async fn sabotage(server: &Server, random: &mut Pcg64) -> bool {
    let (_, sb3) = foreign::any(random);
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
    let number = server.harms.begin();
    if std::fs::rename(&records, &away).is_err() {
        server.harms.end(number);
        return false;
    }
    let _ = std::fs::write(&records, b"");
    tokio::time::sleep(Duration::from_millis(random.random_range(300..2000))).await;
    let _ = std::fs::remove_file(&records);
    let is_back = std::fs::rename(&away, &records).is_ok();
    server.harms.end(number);
    is_back
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storms_begin_every_four_minutes_and_last_one() {
        let stormy = [0, 59, 60, 239, 240, 299, 300, 1799].map(|seconds| is_stormy(Duration::from_secs(seconds)));
        assert_eq!(stormy, [true, true, false, false, true, true, false, false]);
        assert_eq!(KINDS[..OF_CALLERS].last(), Some(&"sabotaged verdicts"));
    }
}
