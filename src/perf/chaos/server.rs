//! The server under attack: a child process with tokens, records and temporary files in a folder of its own, and what
//! was done to it.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::harms::Harms;
use super::{ChaosError, ChaosPlan};
use crate::agent::http_client;
use crate::model::sha256_hex;

/// How long the server may take to announce itself.
const START_LIMIT: Duration = Duration::from_secs(60);
/// No answer may take longer, whatever happens meanwhile; what is slower counts as none.
const ANSWER_LIMIT: Duration = Duration::from_secs(180);
const JUDGE_TOKEN: &str = "chaos-judge-token-0000";

/// A running server and its address.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    process_id: u32,
    base: String,
    /// The agents' clients. Each calls from an address of its own, as agents on other machines do.
    agents: Vec<Client>,
    /// The researcher's.
    judge: Client,
    folder: tempfile::TempDir,
    pub(super) harms: Harms,
}

impl Server {
    /// Starts `serve` for as many agents as planned, each with a token of its own.
    pub(super) async fn start(plan: &ChaosPlan) -> Result<Self, ChaosError> {
        let agents = plan.agents;
        let folder = tempfile::tempdir().map_err(ChaosError::Folder)?;
        let temporary = folder.path().join("tmp");
        std::fs::create_dir_all(&temporary).map_err(ChaosError::Folder)?;
        let tokens = folder.path().join("tokens.toml");
        std::fs::write(&tokens, tokens_file(agents)).map_err(ChaosError::Folder)?;
        let log = std::fs::File::create(&plan.log).map_err(ChaosError::Folder)?;
        let mut command = Command::new(&plan.program);
        command
            .arg("--root")
            .arg(&plan.root)
            .args(["--log", "info"])
            .args(["serve", "--json", "--port", "0", "--warm", "1", "--max-sessions", &agents.to_string()])
            .arg("--tokens")
            .arg(&tokens)
            .arg("--record-dir")
            .arg(folder.path().join("records"))
            .env("TMPDIR", &temporary)
            .env("SCRATCHBED_ALLOW_ROOT", "true")
            .env("SCRATCHBED_JUDGE_TOKEN", JUDGE_TOKEN)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(ChaosError::NotStarted)?;
        let silent = || ChaosError::NotStarted(std::io::Error::other("it announced no address"));
        let process_id = child.id().ok_or_else(silent)?;
        let mut lines = BufReader::new(child.stdout.take().ok_or_else(silent)?).lines();
        let line = tokio::time::timeout(START_LIMIT, lines.next_line()).await.map_err(|_| silent())?;
        let line = line.ok().flatten().ok_or_else(silent)?;
        let answer: Value = serde_json::from_str(&line).map_err(|_| silent())?;
        let base = answer["url"].as_str().ok_or_else(silent)?.to_owned();
        let clients = (0..agents).map(|agent| client(address(agent))).collect::<Result<_, _>>()?;
        let judge = client(Ipv4Addr::LOCALHOST)?;
        Ok(Self { child, process_id, base, agents: clients, judge, folder, harms: Harms::default() })
    }

    pub(super) const fn process_id(&self) -> u32 {
        self.process_id
    }

    pub(super) fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    pub(super) fn ask(&self, agent: usize, method: Method, path: &str) -> RequestBuilder {
        self.agents[agent].request(method, format!("{}{path}", self.base)).bearer_auth(token(agent))
    }

    /// A request of the researcher.
    pub(super) fn ask_as_judge(&self, method: Method, path: &str) -> RequestBuilder {
        self.judge.request(method, format!("{}{path}", self.base)).bearer_auth(JUDGE_TOKEN)
    }

    /// Where the sessions' logs are kept.
    pub(super) fn records(&self) -> PathBuf {
        self.folder.path().join("records")
    }

    /// Where files are put that are nothing to the server.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Existing profiles and other temporary files.
    pub(super) fn temporary_files(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("tmp")).into_iter().flatten().count()
    }

    /// Whether the process still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it; its guards notice.
    pub(super) async fn stop(mut self) {
        let _ = self.child.kill().await;
    }
}

/// A client that calls from this address of the machine.
fn client(address: Ipv4Addr) -> Result<Client, ChaosError> {
    let builder = http_client().no_proxy().timeout(ANSWER_LIMIT).local_address(IpAddr::V4(address));
    builder.build().map_err(ChaosError::NoClient)
}

/// Where an agent calls from: an address that means this machine too.
fn address(agent: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, 2 + u8::try_from(agent % 250).unwrap_or_default())
}

fn token(agent: usize) -> String {
    format!("chaos-agent-token-{agent:04}")
}

fn tokens_file(agents: usize) -> String {
    let entry = |agent: usize| {
        let digest = sha256_hex(token(agent).as_bytes());
        format!("[[token]]\nscope = \"agent\"\nsha256 = \"{digest}\"\n")
    };
    (0..agents).map(entry).collect()
}
