//! One connection as rmcp sees it.

use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use super::backend::Backend;
use super::call::{Call, Connection, SWITCH};
use super::resources;
use super::tools::{Offer, Toolbox, without_connection};
use crate::model::Mode;
use crate::session::{Reach, Viewer};

/// The header by which a client of an older protocol keeps its connection over HTTP.
pub(super) const MCP_SESSION: &str = "mcp-session-id";

/// An unknown caller.
pub(super) const NOBODY: Viewer = Viewer { owner: None, reach: Reach::Own, pass: None };

/// Answers the requests of a connection.
#[derive(Debug)]
pub(super) struct Server {
    connection: Connection,
}

impl Server {
    /// A server with tools that others have too.
    pub fn new(backend: Arc<Backend>, toolbox: Toolbox) -> Self {
        Self { connection: Connection::new(backend, toolbox) }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().enable_resources();
        ServerConfig::new(capabilities.build())
            .with_server_info(Implementation::new("scratchbed", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions(self.connection.toolbox().offer()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.connection.tools().await.to_vec();
        let tools = if is_kept(&context) { tools } else { without_connection(tools) };
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        // A tool of the other mode is reported as unavailable now.
        let toolbox = self.connection.toolbox();
        let tools = [Mode::Primitive, Mode::Composite].into_iter().flat_map(|mode| toolbox.of(mode).iter());
        tools.into_iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // Over stdio there are no headers, and one process is one connection.
        let parts = context.extensions.get::<axum::http::request::Parts>();
        let header = |name: &str| parts.and_then(|parts| parts.headers.get(name)?.to_str().ok());
        let call = Call {
            name: request.name.to_string(),
            args: request.arguments.unwrap_or_default(),
            authorization: header("authorization").map(str::to_owned),
            keeps: is_kept(&context),
        };
        let switches = request.name == SWITCH;
        let result = viewer_of(&context).scope(self.connection.call(call)).await;
        if switches && result.is_error != Some(true) {
            // A host that does not listen still has the list in the answer.
            let _ = context.peer.notify_tool_list_changed().await;
        }
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(resources::list(&self.connection.backend))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(pass) = viewer_of(&context).pass {
            // A resource shows the initial project as a text, which is not how every mode sees it.
            pass.refused(&format!("mcp {}", request.uri), "not_in_attempt");
            return Err(ErrorData::resource_not_found("resources are no part of this attempt", None));
        }
        resources::read(&self.connection.backend, &request.uri, self.connection.mode().await)
            .map(ReadResourceResponse::from)
    }
}

/// The caller. The library answers in tasks of its own, so its identity comes with the request.
fn viewer_of(context: &RequestContext<RoleServer>) -> Viewer {
    match context.extensions.get::<axum::http::request::Parts>() {
        Some(parts) => parts.extensions.get::<Viewer>().cloned().unwrap_or(NOBODY),
        None => Viewer::current(),
    }
}

/// Whether the same connection is there in the next call: over stdio always, over HTTP with the older protocols.
fn is_kept(context: &RequestContext<RoleServer>) -> bool {
    let parts = context.extensions.get::<axum::http::request::Parts>();
    parts.is_none_or(|parts| parts.headers.contains_key(MCP_SESSION))
}

/// How to work with the server, for the model.
fn instructions(offer: Offer) -> String {
    let switching = if offer == Offer::Both {
        " `switch_mode` changes between mouse and keyboard (`primitive`) and operations on blocks (`composite`)."
    } else {
        ""
    };
    let how = match offer.first() {
        Mode::Primitive => {
            "You see the Scratch editor as a picture with a numbered list of elements, and act with mouse and keyboard. \
             Coordinates are viewport pixels (1280x720) whatever the picture's size. Observe after acting: the page has \
             changed. To save tokens, observe with `elements: \"changed\"`, `types`, `region`, `picture: \"webp\"` or \
             `\"off\"`, `scale` or `crop`; `sizes` in the reply says what each part took."
        }
        Mode::Composite => {
            "You see the program as numbered pseudocode and edit it by operations on blocks. Indexes refer to the numbering \
             that the last observation or the last successful edit returned. `block_catalogue` lists the blocks."
        }
    };
    format!(
        "A testbed for programming in Scratch. Call `start_task` (`list_tasks` names the tasks, `task://ID` describes one); \
         pass the `session` that it returns to every other tool. {how}{switching} A failed action is an error with `code` and \
         `hint`. `done` or `failed` ends the attempt; `submit` hands the project in and returns the verdict where judging \
         is offered."
    )
}
