//! Sessions behind an HTTP server: the public API, as any agent would use it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde::Deserialize;
use serde_json::json;

use super::testbed::{TaskSession, Testbed, TestbedError};
use crate::agent::{Observing, http_client};
use crate::model::{ActionCall, ActionReply, Extras, Mode};
use crate::taskset::TaskEntry;

/// Longer than the server lets any call take.
const REQUEST_LIMIT: Duration = Duration::from_secs(180);

/// Sessions of a server.
#[derive(Debug)]
pub struct RemoteTestbed {
    server: Arc<Server>,
    extras: Extras,
}

#[derive(Debug)]
struct Server {
    client: Client,
    /// Without a final slash.
    base: String,
    token: Option<String>,
}

/// What we need of a session's description.
#[derive(Debug, Deserialize)]
struct Created {
    id: String,
}

/// What we need of a problem document.
#[derive(Debug, Default, Deserialize)]
struct Problem {
    #[serde(default)]
    code: String,
    #[serde(default)]
    detail: String,
}

impl RemoteTestbed {
    /// The server at `base`, such as `http://127.0.0.1:8601`, with its token if it has one.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub fn new(base: &str, token: Option<String>) -> Result<Arc<Self>, TestbedError> {
        Self::with(base, token, Extras::default())
    }

    /// The same with what its sessions have beyond the published benchmark.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub fn with(base: &str, token: Option<String>, extras: Extras) -> Result<Arc<Self>, TestbedError> {
        // The server is local; a proxy from the environment must not get in between.
        let client = http_client().no_proxy().timeout(REQUEST_LIMIT).build().map_err(TestbedError::Transport)?;
        let server = Server { client, base: base.trim_end_matches('/').to_owned(), token };
        Ok(Arc::new(Self { server: Arc::new(server), extras }))
    }

    /// Whether the server answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn check(&self) -> Result<(), TestbedError> {
        self.server.send(self.server.to(Method::GET, "/health")).await.map(drop)
    }
}

impl Server {
    fn to(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, TestbedError> {
        let response = request.send().await.map_err(TestbedError::Transport)?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let Problem { code, detail } = response.json().await.unwrap_or_default();
        Err(TestbedError::Refused { status: status.as_u16(), code, detail })
    }
}

#[async_trait]
impl Testbed for RemoteTestbed {
    async fn open(
        &self,
        task: &TaskEntry,
        observing: Observing,
        _log: &Path,
    ) -> Result<Box<dyn TaskSession>, TestbedError> {
        if observing != Observing::Native {
            return Err(TestbedError::NotNative(observing));
        }
        let Extras { extended, report } = self.extras;
        // No extras are sent when there are none: the server may be an older one.
        let wanted = if self.extras.is_none() {
            json!({"task": task.task.id})
        } else {
            json!({"task": task.task.id, "extended": extended, "report": report})
        };
        let request = self.server.to(Method::POST, "/sessions").json(&wanted);
        let created: Created = self.server.send(request).await?.json().await.map_err(TestbedError::Transport)?;
        Ok(Box::new(RemoteSession { server: Arc::clone(&self.server), path: format!("/sessions/{}", created.id) }))
    }
}

struct RemoteSession {
    server: Arc<Server>,
    /// Address of the session below the server's.
    path: String,
}

#[async_trait]
impl TaskSession for RemoteSession {
    async fn call(&mut self, mode: Mode, call: &ActionCall) -> Result<ActionReply, TestbedError> {
        let request = self.server.to(Method::POST, &format!("{}/act/{mode}", self.path)).json(call);
        self.server.send(request).await?.json().await.map_err(TestbedError::Transport)
    }

    async fn export(&mut self) -> Result<Vec<u8>, TestbedError> {
        let request = self.server.to(Method::GET, &format!("{}/project", self.path));
        let bytes = self.server.send(request).await?.bytes().await.map_err(TestbedError::Transport)?;
        Ok(bytes.to_vec())
    }

    async fn close(self: Box<Self>) {
        if let Err(error) = self.server.send(self.server.to(Method::DELETE, &self.path)).await {
            tracing::warn!(%error, "could not delete the session");
        }
    }
}
