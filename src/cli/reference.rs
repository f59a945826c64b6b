//! The part of `scratchbed serve` that clients of the ScratchWorld reference server use: its ports, and what is open there.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgGroup, Args};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::benchmarks::drag::ScenePack;
use scratchbed::http::{AppState, Served};
use scratchbed::scratchworld::{self, ScratchWorld, ScratchWorldOptions};

/// What clients of the reference server get.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("dialect").args(["reference", "reference_port"]).multiple(true)))]
pub struct ReferenceArgs {
    /// Serve the published clients of the ScratchWorld reference server as they come: its dialect on port 8081, text
    /// recognition on port 9090, and verdicts to everyone who reaches the port if only this machine can.
    #[arg(long)]
    reference: bool,
    /// Serve the dialect of the ScratchWorld reference server too, on this port; 0 takes a free one.
    #[arg(long, value_name = "PORT")]
    reference_port: Option<u16>,
    /// Serve text recognition on this port too, where clients of the reference look for it; 0 takes a free one.
    #[arg(long, value_name = "PORT", requires = "dialect")]
    ocr_port: Option<u16>,
    /// Give verdicts to everyone who reaches the reference port, as the reference does; otherwise only with a researcher's token.
    #[arg(long, requires = "dialect")]
    reference_evaluate: bool,
    /// Let callers of the reference port run JavaScript of their own in their sessions' pages.
    #[arg(long, requires = "dialect")]
    allow_page_scripts: bool,
    /// Let callers of the reference port load the projects of these drag scenes too, by their files' names.
    #[arg(long, value_name = "DIR", requires = "dialect")]
    drag_pack: Option<PathBuf>,
}

/// Where the reference server listens.
const REFERENCE_PORT: u16 = 8081;
/// Where its clients look for text recognition; that can't be configured.
const OCR_PORT: u16 = 9090;

impl ReferenceArgs {
    /// The port of the reference's dialect, if it is served.
    fn dialect_port(&self) -> Option<u16> {
        self.reference_port.or_else(|| self.reference.then_some(REFERENCE_PORT))
    }

    /// The port of text recognition, if it has one of its own.
    fn recognition_port(&self) -> Option<u16> {
        self.ocr_port.or_else(|| self.reference.then_some(OCR_PORT))
    }

    /// Whether verdicts are for everybody who reaches the reference port. Other machines need a word of their own.
    fn is_open_for_verdicts(&self, bind: IpAddr) -> bool {
        self.reference_evaluate || (self.reference && bind.is_loopback())
    }
}

/// The listeners of clients of the reference, with their addresses.
pub struct Doors {
    dialect: (TcpListener, SocketAddr),
    ocr: Option<(TcpListener, SocketAddr)>,
    options: ScratchWorldOptions,
    drags: Option<ScenePack>,
}

impl Doors {
    /// Opens those that were asked for.
    pub async fn open(args: &ReferenceArgs, bind: IpAddr) -> Result<Option<Self>, Failure> {
        let Some(port) = args.dialect_port() else { return Ok(None) };
        let drags = args.drag_pack.as_deref().map(ScenePack::read).transpose()?;
        let dialect = bound(SocketAddr::new(bind, port), "--reference-port").await?;
        let ocr = match args.recognition_port() {
            Some(port) => Some(bound(SocketAddr::new(bind, port), "--ocr-port").await?),
            None => None,
        };
        let options =
            ScratchWorldOptions { page_scripts: args.allow_page_scripts, evaluate: args.is_open_for_verdicts(bind) };
        Ok(Some(Self { dialect, ocr, options, drags }))
    }

    /// The applications behind the listeners; with their addresses.
    pub fn serve(self, api: &AppState, answer: &mut Value, out: Output) -> Vec<Served> {
        let dialect = ScratchWorld::with_drags(api.clone(), self.options, self.drags);
        let mut tell = |name: &str, address: SocketAddr| {
            let url = format!("http://{address}");
            out.say(format!("{name:<9} {url}"));
            answer[name] = url.into();
        };
        let mut served = Vec::new();
        let (listener, address) = self.dialect;
        tell("reference", address);
        served.push((listener, scratchworld::app(Arc::clone(&dialect))));
        if let Some((listener, address)) = self.ocr {
            tell("ocr", address);
            served.push((listener, scratchworld::ocr_app(dialect)));
        }
        served
    }
}

/// A listener with the address that it got; `flag` is what says another port.
pub async fn bound(wanted: SocketAddr, flag: &str) -> Result<(TcpListener, SocketAddr), Failure> {
    let listener = TcpListener::bind(wanted).await.map_err(|error| {
        let taken = error.kind() == ErrorKind::AddrInUse;
        let reason = if taken { "the port is taken by another program".to_owned() } else { error.to_string() };
        Failure::new(Status::Infrastructure, "no_port", format!("{wanted}: {reason}"))
            .hinted(format!("choose another port with {flag}; 0 takes a free one"))
    })?;
    let address = listener.local_addr().map_err(|error| Failure::infrastructure("no_port", &error))?;
    Ok((listener, address))
}

#[cfg(test)]
#[path = "reference_tests.rs"]
mod tests;
