//! A server with its reference port, and a client written from the reference server's contract alone.

use std::sync::Arc;

use reqwest::{Client, Method};
use scratchbed::benchmarks::drag::ScenePack;
use scratchbed::benchmarks::tasks::LocalJudge;
use scratchbed::compile::BuiltProjects;
use scratchbed::files::Checkout;
use scratchbed::http::editor::EditorFiles;
use scratchbed::http::{Access, Api, AppState, ServeLimits, serve_with};
use scratchbed::mcp::Backend;
use scratchbed::model::EditorGeneration;
use scratchbed::scratchworld::{ScratchWorld, ScratchWorldOptions, app, ocr_app};
use scratchbed::session::{SessionOptions, Sessions};
use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::editor::ocr_read;
use crate::support::browsers::{fleet, fleet_of};
use crate::support::root;

/// What the reference's clients list, in their order.
const SELECTORS: &str = "stage::[data-testid='stage'],canvas::.blocklyMainBackground,inputs::input,\
    sprites::.sprite-selector_sprite-wrapper_df7cJ,blocks::.blocklyDraggable,flyout_buttons::.blocklyFlyoutButton,\
    category_menu_item::.scratchCategoryMenuItem";

/// A server with its own port and those of clients of the reference.
pub struct Server {
    pub state: AppState,
    /// Our own API.
    pub main: String,
    /// The reference's dialect.
    pub base: String,
    /// Text recognition alone.
    pub ocr: String,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub async fn start(options: ScratchWorldOptions) -> Self {
        Self::in_editor(EditorGeneration::Current, options).await
    }

    /// The same whose sessions show an editor of that generation.
    pub async fn in_editor(editor: EditorGeneration, options: ScratchWorldOptions) -> Self {
        Self::with((editor, TaskSet::read(root()).unwrap()), None, options).await
    }

    pub async fn over(tasks: TaskSet, drags: Option<ScenePack>, options: ScratchWorldOptions) -> Self {
        Self::with((EditorGeneration::Current, tasks), drags, options).await
    }

    async fn with(
        (editor, tasks): (EditorGeneration, TaskSet),
        drags: Option<ScenePack>,
        options: ScratchWorldOptions,
    ) -> Self {
        let shown = fleet_of(editor).await.reading_with(Arc::new(ocr_read::recognizer()));
        let fleet = fleet().await;
        let projects = BuiltProjects::over(fleet.clone(), Checkout::at(root()).projects());
        let limits = SessionOptions { limit: 2, idle: std::time::Duration::from_secs(600) };
        let access = Access::new("127.0.0.1:0".parse().unwrap(), None).unwrap();
        let api =
            Api::new(Sessions::new(shown, limits), tasks, projects, EditorFiles::of_checkout(root(), editor), access)
                .judging_in(fleet);
        let judge = LocalJudge::with(api.judges.clone());
        let (sessions, projects) = (api.sessions.clone(), api.projects.clone());
        let backend = Backend::new(sessions, api.tasks.clone(), projects, judge, Arc::new(|_: Option<&str>| Ok(())));
        let state = Arc::new(api.mounting(scratchbed::mcp::routes(&Arc::new(backend))));
        let port = async || {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let base = format!("http://{}", listener.local_addr().unwrap());
            (listener, base)
        };
        let ((own, main), (other, base), (reading, ocr)) = (port().await, port().await, port().await);
        let (stop, stopped) = oneshot::channel::<()>();
        let dialect = ScratchWorld::with_drags(state.clone(), options, drags);
        let more = vec![(other, app(Arc::clone(&dialect))), (reading, ocr_app(dialect))];
        let ended = tokio::spawn(serve_with(own, state.clone(), more, ServeLimits::default(), async move {
            let _ = stopped.await;
        }));
        Self { state, main, base, ocr, stop, ended }
    }

    pub fn client(&self) -> Reference {
        Reference {
            base: self.base.clone(),
            http: scratchbed::agent::http_client().no_proxy().build().unwrap(),
            session: None,
        }
    }

    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

/// The client: addresses, parameters and shapes are those of the contract's sections 1 to 4.
pub struct Reference {
    pub base: String,
    pub http: Client,
    pub session: Option<String>,
}

impl Reference {
    pub async fn send(&self, method: Method, path: &str, query: &[(&str, &str)], body: Option<Value>) -> (u16, String) {
        let at = match (&self.session, path.starts_with('/')) {
            (_, true) | (None, _) => format!("{}/{}", self.base, path.trim_start_matches('/')),
            (Some(id), false) => format!("{}/sessions/{id}/{path}", self.base),
        };
        let url = reqwest::Url::parse_with_params(&at, query).unwrap();
        let request = self.http.request(method, url);
        let request = if let Some(body) = body { request.json(&body) } else { request };
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    pub async fn json(&self, method: Method, path: &str, query: &[(&str, &str)], body: Option<Value>) -> Value {
        let (status, text) = self.send(method, path, query, body).await;
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    pub async fn create(&mut self) -> String {
        let query = [("record", "true"), ("quality", "low"), ("task_name", "a task")];
        let made = self.json(Method::POST, "/sessions", &query, None).await;
        assert!(made["created_at"].is_f64() && made["is_recording"].is_boolean(), "{made}");
        let id = made["session_id"].as_str().unwrap().to_owned();
        assert!(id.len() == 32 && id.chars().all(|c| c.is_ascii_hexdigit()));
        self.session = Some(id.clone());
        id
    }

    pub async fn open(&mut self, project: &str) {
        self.create().await;
        let loaded = self.json(Method::POST, "load_project", &[("project_name", project)], None).await;
        assert_eq!((&loaded["status"], &loaded["details"]["ok"]), (&json!("success"), &json!(true)), "{loaded}");
        let small = self.json(Method::POST, "toggle_stage", &[], None).await;
        assert_eq!(small["success"], true, "{small}");
        assert!(small["current_state"]["title"].as_str().unwrap().contains("small stage"), "{small}");
    }

    pub async fn close(&mut self) {
        let id = self.session.take().unwrap();
        let closed = self.json(Method::DELETE, &format!("/sessions/{id}"), &[], None).await;
        assert_eq!(closed, json!({"status": "closed", "recording": null}));
    }

    /// An action's reply, checked for the envelope's shape as the reference's client does.
    pub async fn act(&self, path: &str, body: Value) -> Value {
        let reply = self.json(Method::POST, path, &[], Some(body)).await;
        let keys: Vec<&String> = reply.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["success", "requested_action", "executed_action", "data", "error", "meta"]);
        assert!(["requested_action", "executed_action"].iter().all(|part| reply[part]["args"].is_object()), "{reply}");
        let (meta, failed) = (&reply["meta"], reply["success"] == false);
        assert_eq!(meta["session_id"], json!(self.session));
        assert!(meta["timestamp"].as_str().unwrap().ends_with('Z') && meta["duration_ms"].is_u64());
        assert_eq!(failed, reply["error"]["code"].is_string() && reply["error"]["message"].is_string(), "{reply}");
        reply
    }

    pub async fn acted(&self, path: &str, body: Value) -> Value {
        let reply = self.act(path, body).await;
        assert_eq!(reply["success"], true, "{path}: {reply:#}");
        reply
    }

    pub async fn composite(&self, api: &str, args: Value) -> Value {
        let reply = self.act("composite/execute", json!({"api": api, "args": args})).await;
        assert_eq!(reply["success"], true, "{api} {args}: {reply:#}");
        reply["data"].clone()
    }

    pub async fn refused(&self, api: &str, args: Value) -> String {
        let reply = self.act("composite/execute", json!({"api": api, "args": args})).await;
        assert_eq!((&reply["success"], &reply["data"]), (&json!(false), &json!({})), "{api}: {reply:#}");
        reply["error"]["code"].as_str().unwrap().to_owned()
    }

    pub async fn pseudocode(&self) -> String {
        self.composite("get_blocks_pseudocode", json!({})).await["pseudocode"].as_str().unwrap().to_owned()
    }

    /// Adds a block, and returns its number: the last script's first block of this type.
    pub async fn add(&self, block_type: &str, creation: Value) -> u64 {
        let added = self.composite("add_block", json!({"blockType": block_type, "creation": creation})).await;
        assert_eq!(added["connected"], false);
        self.number_of(added["blockId"].as_str().unwrap()).await
    }

    pub async fn number_of(&self, id: &str) -> u64 {
        let blocks = self.composite("get_blocks_pseudocode", json!({})).await;
        let of_id = blocks["idxToBlock"].as_object().unwrap().iter().find(|(_, block)| block["id"] == id);
        of_id.unwrap().0.parse().unwrap()
    }

    /// Connects, and reads the blocks again: an edit ends what the numbers stand for.
    pub async fn connect(&self, source: u64, target: u64, kind: &str, input: Option<&str>) -> String {
        let placement = json!({"kind": kind, "inputName": input});
        let args = json!({"sourceBlockIndex": source, "targetBlockIndex": target, "placement": placement});
        self.composite("connect_blocks", args).await;
        self.pseudocode().await
    }

    pub async fn set(&self, index: u64, field: &str, value: Value) {
        let args = json!({"blockIndex": index, "fieldName": field, "value": value});
        let set = self.composite("set_block_field", args).await;
        assert_eq!((&set["updated"], &set["blockIndex"], &set["originalValue"]), (&json!(1), &json!(index), &value));
    }

    pub async fn rows(&self) -> Vec<Value> {
        let batch = self.json(Method::GET, "elements_batch", &[("selectors", SELECTORS)], None).await;
        assert_eq!(batch["total_selectors"], 7);
        assert!(batch["elapsed_time"].is_f64());
        let rows = batch["elements"].as_array().unwrap().clone();
        assert!(rows.iter().enumerate().all(|(at, row)| row["index"] == at));
        rows
    }

    pub async fn evaluate(&self, task: &str) -> Value {
        let body =
            json!({"task_name": task, "evaluation_method": "browser", "sb3_file_name": "x.sb3", "timeout": "60"});
        let reply = self.json(Method::POST, "evaluate", &[], Some(body)).await;
        assert_eq!(
            (&reply["status"], &reply["evaluation_method"]),
            (&json!("success"), &json!("browser")),
            "{reply:#}"
        );
        reply["result"].clone()
    }
}

/// The box of the row that has this text or block name.
pub fn place(rows: &[Value], kind: &str, name: &str) -> [i64; 4] {
    let named = |row: &&Value| row["type"] == kind && (row["block_name"] == name || row["text"] == name);
    let row = rows.iter().find(named).unwrap_or_else(|| panic!("no {kind} {name} in {rows:#?}"));
    ["x", "y", "width", "height"].map(|side| row["position"][side].as_i64().unwrap())
}
