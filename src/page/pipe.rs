//! Communication with Chromium over a pair of pipes that only our own processes hold, never over a port.
//!
//! Chromium reads commands from descriptor 3 and writes answers to descriptor 4, each message in CBOR
//! (`--remote-debugging-pipe=cbor`), which is what Chromium works with inside. The DevTools client speaks JSON over WebSocket
//! over TCP and nothing else, so messages are carried between the two inside this process. For that a loopback listener
//! exists for the moment of one handshake: it takes only the caller that knows the secret in the address, and is closed
//! before Chromium hears its first command.
//! Chromium is started in `launch.rs`.

use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;
use std::time::Duration;

use async_tungstenite::WebSocketStream;
use async_tungstenite::tokio::{TokioAdapter, accept_hdr_async_with_config};
use async_tungstenite::tungstenite::Message;
use async_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use async_tungstenite::tungstenite::http::StatusCode;
use async_tungstenite::tungstenite::protocol::WebSocketConfig;
use chromiumoxide::handler::HandlerConfig;
use chromiumoxide::{Browser, Handler};
use futures::StreamExt;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::pipe2;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use super::PageError;
use super::code_cache::{REPLY_PREFIX, SeedCommand};
use crate::devtools::{HEADER, frame_length, to_cbor, to_json};

/// Descriptors on which Chromium expects its pipe.
pub(super) const CHROMIUM_READS: i32 = 3;
/// See [`CHROMIUM_READS`].
pub(super) const CHROMIUM_WRITES: i32 = 4;
/// A handshake within this process takes a millisecond; a stranger that connects meanwhile must not delay it.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(1);
/// How long connecting may take in all.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// Bytes that a pipe holds: a picture in one piece, and the most that Linux grants to every user.
const ROOM: i32 = 1 << 20;
/// Pictures are a few hundred kilobytes; read in as few pieces as the pipe allows.
const READ_BUFFER: usize = 256 * 1024;

/// Our end of the line to a Chromium that is yet to be started, and its end.
pub(super) struct DevToolsPipe {
    /// Ours, for commands and for answers.
    pub(super) ours: (Sender, Receiver),
    /// Chromium's, for reading and for writing.
    pub(super) theirs: [OwnedFd; 2],
}

impl DevToolsPipe {
    /// A new pair.
    ///
    /// # Errors
    /// When the process may open no more descriptors.
    pub(super) fn new() -> std::io::Result<Self> {
        let (reads, commands) = roomy_pipe()?;
        let (answers, writes) = roomy_pipe()?;
        let ours = (Sender::from_owned_fd(commands)?, Receiver::from_owned_fd(answers)?);
        Ok(Self { ours, theirs: [reads, writes] })
    }
}

/// A pipe, its end to read from first.
fn roomy_pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (reads, writes) = pipe2(OFlag::O_CLOEXEC)?;
    // Where the system grants less, pictures come in more pieces.
    let _ = fcntl(&writes, FcntlArg::F_SETPIPE_SZ(ROOM));
    Ok((reads, writes))
}

/// Connects the DevTools client to Chromium's pipe. Nothing of this waits for Chromium. Commands from `seeds` go into the
/// pipe, too, before what the client sends after them.
///
/// # Errors
/// When no loopback connection can be made.
pub(super) async fn connect(
    pipe: (Sender, Receiver),
    seeds: mpsc::UnboundedReceiver<SeedCommand>,
    config: HandlerConfig,
) -> Result<(Browser, Handler), PageError> {
    let failed =
        |source: std::io::Error| PageError::LaunchFailed { reason: format!("no loopback connection: {source}") };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let path = format!("/{}", uuid::Uuid::new_v4().simple());
    let address = format!("ws://127.0.0.1:{port}{path}");
    let both = futures::future::join(accept(listener, &path), Browser::connect_with_config(address, config));
    let slow = |_| PageError::LaunchFailed { reason: format!("no loopback connection within {CONNECT_LIMIT:?}") };
    let (accepted, connected) = tokio::time::timeout(CONNECT_LIMIT, both).await.map_err(slow)?;
    let connected = connected.map_err(PageError::protocol("connecting"))?;
    tokio::spawn(relay(accepted.map_err(failed)?, pipe, seeds));
    Ok(connected)
}

/// Waits for the caller that knows `path`; the listener is gone when it returns.
async fn accept(listener: TcpListener, path: &str) -> std::io::Result<WebSocketStream<TokioAdapter<TcpStream>>> {
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let handshake = accept_hdr_async_with_config(
            stream,
            |asked: &Request, answer| admit(asked, answer, path),
            Some(unbounded()),
        );
        if let Ok(Ok(socket)) = tokio::time::timeout(HANDSHAKE_LIMIT, handshake).await {
            return Ok(socket);
        }
    }
}

fn admit(asked: &Request, answer: Response, path: &str) -> Result<Response, ErrorResponse> {
    if asked.uri().path() == path {
        return Ok(answer);
    }
    let mut refused = ErrorResponse::new(None);
    *refused.status_mut() = StatusCode::NOT_FOUND;
    Err(refused)
}

/// The client sets no bounds on messages, so neither may we: pictures have any size.
fn unbounded() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(None).max_frame_size(None)
}

/// Carries messages both ways until either side ends; then both are closed.
async fn relay(
    socket: WebSocketStream<TokioAdapter<TcpStream>>,
    (mut to_chromium, from_chromium): (Sender, Receiver),
    mut seeds: mpsc::UnboundedReceiver<SeedCommand>,
) {
    let (mut answers, mut commands) = socket.split();
    let down = async {
        loop {
            let written = tokio::select! {
                biased;
                Some(seed) = seeds.recv() => write(&mut to_chromium, &seed.parts()).await,
                command = commands.next() => match command {
                    Some(Ok(Message::Text(command))) => forward(&mut to_chromium, &command).await,
                    _ => break,
                },
            };
            if written.is_err() {
                break;
            }
        }
    };
    let up = async {
        let mut lines = BufReader::with_capacity(READ_BUFFER, from_chromium);
        while let Some(answer) = next_answer(&mut lines).await {
            if !answer.starts_with(REPLY_PREFIX) && answers.send(Message::text(answer)).await.is_err() {
                break;
            }
        }
    };
    tokio::select! { () = down => {}, () = up => {} }
}

/// Writes a command of the client's.
async fn forward(pipe: &mut (impl AsyncWrite + Unpin), command: &str) -> std::io::Result<()> {
    match to_cbor(command) {
        Ok(message) => write(pipe, &[&message]).await,
        // As with answers: the caller learns that none comes, and the others go on.
        Err(error) => {
            tracing::warn!(%error, "a command can't be sent to Chromium");
            Ok(())
        }
    }
}

/// Writes one message.
async fn write(pipe: &mut (impl AsyncWrite + Unpin), parts: &[&[u8]]) -> std::io::Result<()> {
    for part in parts {
        pipe.write_all(part).await?;
    }
    Ok(())
}

/// The next message that can be read; `None` at the end, or after anything that is none.
async fn next_answer(line: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    loop {
        let mut message = vec![0; HEADER];
        line.read_exact(&mut message).await.ok()?;
        let length = frame_length(&message).ok()?;
        let rest = u64::try_from(length.checked_sub(HEADER)?).ok()?;
        if line.take(rest).read_to_end(&mut message).await.ok()? as u64 != rest {
            return None;
        }
        match to_json(&message) {
            Ok(answer) => return Some(answer),
            // Whoever waits for it learns that no answer comes.
            Err(error) => tracing::warn!(%error, "a message of Chromium's can't be read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_caller_that_knows_the_secret_gets_the_line() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = tokio::spawn(async move { accept(listener, "/secret").await });
        let wrong = Browser::connect(format!("ws://{address}/guess")).await;
        assert!(wrong.is_err(), "a stranger was admitted");
        // A silent one delays the right caller by the handshake's limit and no more.
        let silent = TcpStream::connect(address).await.unwrap();
        let _connected = Browser::connect(format!("ws://{address}/secret")).await.unwrap();
        accepting.await.unwrap().unwrap();
        drop(silent);
        assert!(TcpStream::connect(address).await.is_err(), "the listener outlived the handshake");
    }

    #[tokio::test]
    async fn a_message_has_a_length_and_one_that_is_cut_off_is_none() {
        let [one, two] = [r#"{"id":1}"#, r#"{"id":2}"#].map(|json| to_cbor(json).unwrap());
        // The inside of a message that has the right length, and is none.
        let mut odd = one.clone();
        odd[HEADER + 1] = 0x1c;
        let mut line = BufReader::new([one.as_slice(), &odd, &two, &two[..9]].concat().leak() as &[u8]);
        assert_eq!(next_answer(&mut line).await.as_deref(), Some("{\"id\":1}"));
        assert_eq!(next_answer(&mut line).await.as_deref(), Some("{\"id\":2}"));
        assert_eq!(next_answer(&mut line).await, None);
    }

    #[tokio::test]
    async fn a_command_that_cannot_be_sent_is_left_out_and_the_next_one_is_sent() {
        let mut sent = Vec::new();
        let deep = format!("{{\"id\":1,\"params\":{}{}}}", "[".repeat(400), "]".repeat(400));
        for command in [&deep, "{\"id\":2}"] {
            forward(&mut sent, command).await.unwrap();
        }
        assert_eq!(to_json(&sent).unwrap(), "{\"id\":2}");
    }
}
