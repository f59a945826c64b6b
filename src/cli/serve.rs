//! `scratchbed serve`: the editor for a person, and the API for agents.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::builder::FalseyValueParser;
use clap::{ArgAction, Args};
use serde::Deserialize;
use serde_json::json;

use super::mcp;
use super::reference::{Doors, ReferenceArgs, bound};
use crate::arms::browsers::{Browsers, ShownArgs};
use crate::arms::desk::DeskArgs;
use crate::arms::hosting::HostingArgs;
use crate::arms::interrupts::Interrupts;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::repairing::RepairingArgs;
use crate::arms::{browsers, signs};
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::trajectories::RepairHost;
use scratchbed::compile::{BuiltProjects, Stages};
use scratchbed::files::{Checkout, make_private_folders};
use scratchbed::http::editor::EditorFiles;
use scratchbed::http::{Access, AccessError, Api, Host, Scope, ServeLimits, editor_app, serve_with};
use scratchbed::ledger::Ledger;
use scratchbed::session::{SessionOptions, Sessions, Viewer};
use scratchbed::store::Runs;

/// What to serve, and to whom.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The port; 0 takes a free one.
    #[arg(long, default_value_t = 8601)]
    port: u16,
    /// The port of the editor for a person, which has an origin of its own; 0 takes a free one.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    editor_port: u16,
    /// The address to listen on; any but a loopback address needs a token.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    bind: IpAddr,
    /// What callers must send as `Authorization: Bearer TOKEN`; 16 characters at least.
    #[arg(long, env = env::TOKEN, hide_env = true, hide_env_values = true)]
    token: Option<String>,
    /// Give verdicts on projects to callers with this token; agents must not know it.
    #[arg(long, env = env::JUDGE_TOKEN, value_name = "TOKEN", hide_env = true, hide_env_values = true)]
    judge_token: Option<String>,
    /// Give verdicts, figures and finished runs to callers with this token, who may also use all sessions.
    #[arg(long, env = env::RESEARCHER_TOKEN, value_name = "TOKEN", hide_env = true, hide_env_values = true)]
    researcher_token: Option<String>,
    /// Let callers with this token end any session.
    #[arg(long, env = env::ADMIN_TOKEN, value_name = "TOKEN", hide_env = true, hide_env_values = true)]
    admin_token: Option<String>,
    /// A TOML file with more tokens: `[[token]]` with `scope` (agent, researcher or admin), `sha256`, the token's digest in
    /// hexadecimal, and, if you like, `name`, by which orders and experiments of its holder are noted.
    #[arg(long, env = env::TOKENS, value_name = "FILE", hide_env = true)]
    tokens: Option<PathBuf>,
    /// Requests a second that one caller may make; 0 for no limit.
    #[arg(long, default_value_t = 500, value_name = "N")]
    rate_limit: u32,
    #[command(flatten)]
    reference: ReferenceArgs,
    #[command(flatten)]
    shown: ShownArgs,
    /// How many sessions may live at once.
    #[arg(long, default_value_t = 8, value_name = "N")]
    max_sessions: usize,
    /// How many of them one caller may have; by default all, or half where several tokens for agents are known.
    #[arg(long, value_name = "N")]
    sessions_per_caller: Option<usize>,
    /// Seconds without a call after which a session ends.
    #[arg(long, default_value_t = 1800, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    idle: u64,
    /// Ready pages to keep in reserve.
    #[arg(long, default_value_t = 1, value_name = "N")]
    warm: usize,
    /// Keep the event log of every session in a folder of its own below this one.
    #[arg(long, value_name = "FOLDER")]
    record_dir: Option<PathBuf>,
    /// The folder of finished runs that the live view shows to researchers; `runs` of the checkout if it is there.
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Show finished runs, with their verdicts and solutions, and the figures to every caller, agents included. Without any
    /// token, whoever reaches the port may also create, order and cancel what --experiments and --repairs offer.
    #[arg(long)]
    open_runs: bool,
    /// Run as root, although whatever an agent's program then breaks out of Chromium into has the whole machine.
    #[arg(long, env = env::ALLOW_ROOT, hide_env = true, value_parser = FalseyValueParser::new(), action = ArgAction::SetTrue)]
    allow_root: bool,
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    hosting: HostingArgs,
    #[command(flatten)]
    repairing: RepairingArgs,
    #[command(flatten)]
    structure: mcp::StructureArgs,
    #[command(flatten)]
    pack: PackArgs,
    #[command(flatten)]
    desk: DeskArgs,
}

/// Serves until SIGINT or SIGTERM.
pub async fn run(args: &ServeArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    no_root(args.allow_root)?;
    let tasks = args.pack.tasks(settings, &[])?;
    let wanted = SocketAddr::new(args.bind, args.port);
    let offered = args.desk.open(settings)?;
    let access = access(args, wanted)?;
    let runs = runs(args, &access, &settings.root)?;
    args.hosting.check(&args.ledger, &access)?;
    let ledger = ledger(args, &access, settings).await?;
    let repairing = args.repairing.open(&access, &args.ledger, settings)?;
    let (listener, address) = bound(wanted, "--port").await?;
    let (editor_listener, editor_address) =
        bound(SocketAddr::new(args.bind, args.editor_port), "--editor-port").await?;
    let doors = Doors::open(&args.reference, args.bind).await?;
    let mut interrupts = Interrupts::listen()?;

    let Browsers { shown: fleet, workshop } = Browsers::start(args.shown, settings, args.warm).await?;
    let projects = BuiltProjects::ahead_of(workshop.clone(), browsers::built_projects(settings), tasks.all());
    let stages = Stages::new(workshop.clone(), projects.clone(), settings.root.stages());
    let sessions_editor = fleet.editor_url().to_owned();
    let options = SessionOptions { limit: args.max_sessions, idle: Duration::from_secs(args.idle) };
    Viewer::strangers_may_call();
    let sessions = Sessions::new(fleet, options).sharing(share(args, &access));
    let sessions = match &args.record_dir {
        Some(folder) => sessions.logging_below(folder),
        None => sessions,
    };
    let editor = EditorFiles::of_checkout(&settings.root, args.shown.editor);
    let host = args.hosting.open(ledger.as_ref(), &args.ledger, settings)?;
    let api = Api::new(sessions, tasks, projects, editor, access)
        .showing_runs(runs)
        .drawing_stages(stages)
        .showing_experiments(ledger)
        .hosting_experiments(host.map(|host| Arc::new(host) as Arc<dyn Host>))
        .making_repairs(repairing.map(|host| Arc::new(host) as Arc<dyn RepairHost>));
    let api = if args.shown.editor.is_current() { api } else { api.judging_in(workshop) };
    let desk = offered.map(|offered| offered.desk(&api.judges));
    let api = api.offering_bugs(desk);
    let api = Arc::new(mcp::mounted(api.with_editor_at(editor_address.port()), args.structure));
    let editor = format!("http://{editor_address}/editor");
    let url = format!("http://{address}");
    out.say(format!("editor    {editor}"));
    out.say(format!("API       {url}/docs"));
    out.say(format!("sessions  {url}/sessions"));
    out.say(format!("live      {url}/live"));
    out.say(format!("MCP       {url}/mcp/primitive and {url}/mcp/composite"));
    let mut answer = json!({"url": url, "editor": editor, "docs": format!("{url}/docs")});
    // It has no API; printed so that every open port is listed here.
    answer["sessions_editor"] = sessions_editor.into();
    answer["live"] = format!("{url}/live").into();
    answer["mcp"] = format!("{url}/mcp").into();
    let mut more = match doors {
        Some(doors) => doors.serve(&api, &mut answer, out),
        None => Vec::new(),
    };
    more.push((editor_listener, editor_app(api.clone())));
    if api.desk.is_some() {
        out.say(format!("faults    {url}/bugs"));
        answer["bugs"] = format!("{url}/bugs").into();
    }
    out.answer(&answer);
    let stop = async move {
        interrupts.next().await;
        signs::progress("finishing calls in flight; once more ends them");
        tokio::spawn(async move {
            interrupts.next().await;
            // Chromium's guards see us go and end it.
            std::process::exit(i32::from(Status::Infrastructure as u8));
        });
    };
    serve_with(listener, api, more, ServeLimits::default(), stop)
        .await
        .map_err(|error| Failure::infrastructure("server_failed", &error))?;
    Ok(Status::Success)
}

/// The ledger whose experiments are shown, if there is anybody to show them to; one to host experiments in is made.
async fn ledger(args: &ServeArgs, access: &Access, settings: &Settings) -> Result<Option<Ledger>, Failure> {
    if args.hosting.hosts() {
        return args.ledger.open(settings).await.map(Some);
    }
    if access.shows_runs() { args.ledger.existing(settings).await } else { Ok(None) }
}

/// Refuses to serve as root: for root Chromium has no sandbox, and every file is readable.
fn no_root(allowed: bool) -> Result<(), Failure> {
    if allowed || !nix::unistd::geteuid().is_root() {
        return Ok(());
    }
    let detail = "agents' programs must not run in a browser of root's: it has no sandbox and may read every file";
    let hint = format!(
        "serve as a user of its own or in a container; where root is confined already, as there, pass --allow-root or set {}=1",
        env::ALLOW_ROOT
    );
    Err(Failure::new(Status::Usage, "runs_as_root", detail).hinted(hint))
}

/// The finished runs to show, if there is anybody to show them to. A folder that was asked for must be there.
fn runs(args: &ServeArgs, access: &Access, checkout: &Checkout) -> Result<Option<Runs>, Failure> {
    match &args.runs {
        Some(_) if !access.shows_runs() => {
            let detail = "--runs names a folder that no one could see";
            Err(Failure::new(Status::Usage, "runs_for_nobody", detail)
                .hinted("add --researcher-token TOKEN, or --open-runs to show it to every caller"))
        }
        Some(folder) if !folder.is_dir() => {
            let detail = format!("{} is no folder", folder.display());
            Err(Failure::new(Status::Usage, "no_runs", detail).hinted("name the folder that holds the runs' folders"))
        }
        Some(folder) => Ok(Some(Runs::new(folder))),
        None if access.shows_runs() => {
            let folder = checkout.runs();
            if args.hosting.hosts() {
                // A server that will have runs shows the first one, too. What can't be written is reported by that run.
                let _ = make_private_folders(&folder);
            }
            Ok(Some(folder).filter(|folder| folder.is_dir()).map(Runs::new))
        }
        None => Ok(None),
    }
}

/// How many sessions one caller may have.
fn share(args: &ServeArgs, access: &Access) -> usize {
    let half = args.max_sessions.div_ceil(2);
    args.sessions_per_caller.unwrap_or(if access.distinguishes_agents() { half } else { args.max_sessions })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokensFile {
    #[serde(default)]
    token: Vec<TokenEntry>,
}

/// One token of the file, by its digest: reading the file gives no access.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenEntry {
    scope: Scope,
    sha256: String,
    /// Who holds it, for the log of orders.
    name: Option<String>,
}

fn access(args: &ServeArgs, address: SocketAddr) -> Result<Access, Failure> {
    let file = args.tokens.as_deref().map(read_tokens).transpose()?.unwrap_or(TokensFile { token: Vec::new() });
    let named = [
        (Scope::Researcher, &args.judge_token),
        (Scope::Researcher, &args.researcher_token),
        (Scope::Admin, &args.admin_token),
    ];
    // A file with a token for agents keeps others out as well as the flag does.
    let guarded = file.token.iter().any(|entry| entry.scope == Scope::Agent);
    let judged_at = if guarded { SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()) } else { address };
    let mut access = Access::new(judged_at, args.token.as_deref()).map_err(refused)?;
    for (scope, token) in named {
        if let Some(token) = token {
            access = access.admitting(scope, token).map_err(refused)?;
        }
    }
    for TokenEntry { scope, sha256, name } in file.token {
        access = access.admitting_digest(scope, sha256.to_ascii_lowercase(), name).map_err(refused)?;
    }
    if args.open_runs {
        access = access.opening_runs();
    }
    Ok(match NonZeroU32::new(args.rate_limit) {
        Some(limit) => access.limited(limit),
        None => access,
    })
}

fn read_tokens(path: &Path) -> Result<TokensFile, Failure> {
    let bad = |reason: String| {
        Failure::new(Status::Usage, "tokens_unreadable", format!("{}: {reason}", path.display()))
            .hinted("each `[[token]]` needs `scope` and `sha256`, such as `printf TOKEN | sha256sum` prints")
    };
    let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let file: TokensFile = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
    let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_name = |name: &String| (1..=60).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    for (place, entry) in (1..).zip(&file.token) {
        if !is_digest(&entry.sha256) {
            return Err(bad(format!("token {place}: `sha256` is no digest")));
        }
        if entry.name.as_ref().is_some_and(|name| !is_name(name)) {
            return Err(bad(format!("token {place}: `name` has 1 to 60 characters in one line")));
        }
    }
    Ok(file)
}

fn refused(error: AccessError) -> Failure {
    Failure::from(error).hinted(format!("set --token or {}, --judge-token or {}", env::TOKEN, env::JUDGE_TOKEN))
}
