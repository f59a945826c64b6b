//! `scratchbed mcp`: the testbed as an MCP server on standard input and output, for one host.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::arms::browsers::{self, Browsers, ShownArgs};
use crate::arms::desk::DeskArgs;
use crate::arms::door::with_mcp;
use crate::arms::interrupts::Interrupts;
use crate::arms::pack::PackArgs;
use crate::arms::signs::progress;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::{LocalJudge, SecretSeed};
use scratchbed::compile::BuiltProjects;
use scratchbed::http::Api;
use scratchbed::judge::Judges;
use scratchbed::mcp::{Backend, Offer, serve_stdio};
use scratchbed::model::ErrorBody;
use scratchbed::session::{SessionOptions, Sessions};

/// A session of a host that is still there never expires within a working day.
const IDLE: Duration = Duration::from_secs(12 * 3600);

/// What MCP answers consist of.
#[derive(Debug, Clone, Copy, Args)]
pub struct StructureArgs {
    /// Send MCP answers as structured content too, and the schemas of that. Some hosts then drop the rest, pictures
    /// included.
    #[arg(long)]
    structured: bool,
    /// Let MCP's agents add whole scripts, run the project and see the stage in composite mode: no setting of the published
    /// benchmark. Over HTTP each session says whether it is extended.
    #[arg(long)]
    extended: bool,
}

/// Which tools to offer.
///
/// MCP messages go over standard input and output; logs go to standard error. Ends when the host closes the
/// connection. docs/MCP.md shows how to configure hosts to start it.
#[derive(Debug, Args)]
pub struct McpArgs {
    /// How the agent acts: mouse and keyboard, or operations on blocks.
    #[arg(long, value_parser = named::<Offer>(), default_value_t = Offer::Primitive)]
    mode: Offer,
    /// The task that sessions begin with when the agent asks for none.
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Tell the agent the verdict on what it hands in; without it the attempt only ends.
    #[arg(long)]
    judge: bool,
    #[command(flatten)]
    structure: StructureArgs,
    #[command(flatten)]
    shown: ShownArgs,
    /// How many sessions may live at once.
    #[arg(long, default_value_t = 4, value_name = "N")]
    max_sessions: usize,
    #[command(flatten)]
    pack: PackArgs,
    #[command(flatten)]
    desk: DeskArgs,
}

/// Serves one host until it closes the connection, or SIGINT or SIGTERM.
pub async fn run(args: &McpArgs, settings: &Settings) -> Result<Status, Failure> {
    let tasks = args.pack.tasks(settings, &[])?;
    if let Some(task) = &args.task {
        tasks.find(task)?;
    }
    let offered = args.desk.open(settings)?;
    let mut interrupts = Interrupts::listen()?;
    let Browsers { shown, workshop } = Browsers::start(args.shown, settings, 1).await?;
    let sessions = Sessions::new(shown, SessionOptions { limit: args.max_sessions, idle: IDLE });
    let projects = BuiltProjects::ahead_of(workshop.clone(), browsers::built_projects(settings), tasks.all());
    let judges = Judges::new(workshop.clone(), 1);
    let may = args.judge;
    let may_judge = Arc::new(move |_: Option<&str>| if may { Ok(()) } else { Err(no_verdicts()) });
    let judge = LocalJudge::over(judges.clone(), SecretSeed::Fresh, browsers::built_projects(settings));
    let backend =
        Backend::new(sessions.clone(), tasks, projects, judge, may_judge).beginning_with(args.task.clone())?;
    let desk = offered.map(|offered| offered.desk(&judges));
    let backend = backend.sending_structure(args.structure.structured).extending(args.structure.extended);
    let backend = backend.offering_bugs(desk);
    progress(format!("MCP server ({}) on standard input and output", args.mode));
    let served = tokio::select! {
        served = serve_stdio(Arc::new(backend), args.mode) => served,
        () = interrupts.next() => Ok(()),
    };
    judges.close().await;
    sessions.shutdown().await;
    workshop.shutdown().await;
    served?;
    Ok(Status::Success)
}

fn no_verdicts() -> ErrorBody {
    ErrorBody {
        code: "judging_not_offered".to_owned(),
        message: "this server gives no verdicts".to_owned(),
        hint: Some("start it with --judge".to_owned()),
        infrastructure: false,
    }
}

/// Offers MCP at `/mcp` of a server, in its sessions.
pub fn mounted(api: Api, structure: StructureArgs) -> Api {
    with_mcp(api, structure.structured, structure.extended)
}
