//! The HTTP API of this process's own sessions, for programs of the user's: on a free port of this machine, as long as a run
//! goes on.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::compile::ProjectSource;
use scratchbed::http::editor::EditorFiles;
use scratchbed::http::{Access, Api, serve};
use scratchbed::mcp::Backend;
use scratchbed::model::EditorGeneration;
use scratchbed::session::Sessions;
use scratchbed::taskset::TaskSet;

/// A server that runs beside a run.
#[derive(Debug)]
pub struct ServedDoor {
    /// Address of the API, without a final slash.
    pub url: String,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

/// What is served.
pub struct Behind {
    pub sessions: Sessions,
    pub tasks: TaskSet,
    pub projects: ProjectSource,
}

impl ServedDoor {
    /// Serves; `access` says who may call the server at an address, and `furnish` adds other adapters.
    pub async fn open(
        Behind { sessions, tasks, projects }: Behind,
        access: impl FnOnce(SocketAddr) -> Result<Access, Failure>,
        furnish: impl FnOnce(Api) -> Api,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let no_port = |error: std::io::Error| Failure::infrastructure("no_port", &error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(no_port)?;
        let address = listener.local_addr().map_err(no_port)?;
        let editor = EditorFiles::of_checkout(&settings.root, EditorGeneration::Current);
        let api = furnish(Api::new(sessions, tasks, projects, editor, access(address)?));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve(listener, api.into(), async move {
            // Whether somebody says so or is gone: it is time.
            let _ = stopped.await;
        }));
        Ok(Self { url: format!("http://{address}"), stop, serving })
    }

    /// Stops serving, and ends the sessions.
    pub async fn close(self) {
        let _ = self.stop.send(());
        if let Ok(Err(error)) = self.serving.await {
            tracing::warn!(%error, "the door for programs did not close well");
        }
    }
}

/// Offers MCP at `/mcp` of a server, in its sessions; with structured content, and with the tools of extended sessions.
pub fn with_mcp(api: Api, structured: bool, extended: bool) -> Api {
    let access = api.access.clone();
    let may_judge = Arc::new(move |authorization: Option<&str>| access.may_judge(authorization));
    let judge = api.judge.clone();
    let backend = Backend::new(api.sessions.clone(), api.tasks.clone(), api.projects.clone(), judge, may_judge);
    let backend = backend.sending_structure(structured).extending(extended).offering_bugs(api.desk.clone());
    api.mounting(scratchbed::mcp::routes(&Arc::new(backend)))
}
