//! A session driven by composite calls, for the tests of that mode: it checks each answer as it goes.

use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::model::{ActionCall, ActionReply, EditorGeneration, Mode};
use scratchbed::session::{SessionHandle, SessionOptions, Sessions, Start};
use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use crate::support::browsers::fleet_of;
use crate::support::of_the_day;

/// How long the editor may take to hand out its project.
const LIMIT: Duration = Duration::from_secs(20);

/// A session with an empty sprite open, and what its last successful call showed.
pub struct Editor {
    sessions: Sessions,
    session: SessionHandle,
    pub pseudocode: String,
}

/// The generation of the editor whose day it is; all of them with `SCRATCHBED_TESTS=all`.
pub fn todays_editors() -> Vec<EditorGeneration> {
    of_the_day(&EditorGeneration::iter().collect::<Vec<_>>(), 1).into_iter().copied().collect()
}

/// Makes a session in each of today's editors, one after another, and has `test` use it.
pub async fn in_todays_editors(test: impl AsyncFn(&mut Editor)) {
    for generation in todays_editors() {
        let mut editor = Editor::open_in(generation).await;
        test(&mut editor).await;
        editor.close().await;
    }
}

impl Editor {
    async fn open_in(generation: EditorGeneration) -> Self {
        let options = SessionOptions { limit: 1, idle: Duration::from_secs(600) };
        let sessions = Sessions::new(fleet_of(generation).await, options);
        let info = sessions.create(Start::default()).await.unwrap();
        let session = sessions.get(&info.id).await.unwrap();
        Self { sessions, session, pseudocode: String::new() }
    }

    /// Changes the project by hand and loads it again.
    pub async fn reload(&mut self, change: impl FnOnce(&mut Value)) {
        let mut project = self.session.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
        change(&mut project.json);
        self.sessions.load(self.session.id(), project.write().unwrap()).await.unwrap();
        self.ok("observe", json!({})).await;
    }

    async fn close(self) {
        self.sessions.shutdown().await;
    }

    pub async fn call(&mut self, mode: Mode, api: &str, args: Value) -> ActionReply {
        let Value::Object(args) = args else { panic!("arguments are an object") };
        let reply = perform(&self.session, mode, ActionCall::new(api, args)).await.unwrap();
        if let Some(text) = reply.data.get("pseudocode").and_then(Value::as_str) {
            text.clone_into(&mut self.pseudocode);
        }
        reply
    }

    /// Carries out a call that must succeed.
    pub async fn ok(&mut self, api: &str, args: Value) -> Value {
        let reply = self.call(Mode::Composite, api, args.clone()).await;
        assert!(reply.success, "{api} {args}: {:?}", reply.error);
        reply.data
    }

    /// Carries out a call that must be refused with a code, and must change nothing.
    pub async fn refused(&mut self, code: &str, api: &str, args: Value) {
        let before = self.project().await;
        let reply = self.call(Mode::Composite, api, args.clone()).await;
        let error = reply.error.unwrap_or_else(|| panic!("{api} {args} succeeded: {}", reply.data));
        assert_eq!(error.code, code, "{api} {args}: {error:?}");
        assert_eq!(before, self.project().await, "{api} {args} was refused but changed the project");
    }

    pub async fn add(&mut self, block_type: &str) -> u64 {
        self.add_with(block_type, json!({})).await
    }

    pub async fn add_with(&mut self, block_type: &str, creation: Value) -> u64 {
        let data = self.ok("add_block", json!({"blockType": block_type, "creation": creation})).await;
        data["index"].as_u64().unwrap()
    }

    pub async fn connect(&mut self, source: u64, target: u64, kind: &str, input: Option<&str>) -> Value {
        self.ok("connect_blocks", connection(source, target, kind, input)).await
    }

    pub async fn set(&mut self, index: u64, field: &str, value: impl Into<Value>) -> Value {
        self.ok("set_block_field", field_args(index, field, value)).await
    }

    /// Builds a script of stack blocks and returns the index of its first one.
    pub async fn stack(&mut self, types: &[&str]) -> u64 {
        let first = self.add(types[0]).await;
        let mut last = first;
        for block_type in &types[1..] {
            let index = self.add(block_type).await;
            last = self.connect(index, last, "stack_after", None).await["sourceIndex"].as_u64().unwrap();
        }
        first
    }

    /// The block lines of the pseudocode, without indexes and category names, one a line.
    pub fn blocks(&self) -> Vec<String> {
        let lines = self.pseudocode.lines().filter(|line| line.trim_start().starts_with('#'));
        lines
            .map(|line| {
                let indent = line.len() - line.trim_start().len();
                let top = if line.contains("[top]") { "^" } else { "" };
                let opcode = line.rsplit(' ').next().unwrap();
                format!("{}{top}{}", " ".repeat(indent), opcode.split_once('_').map_or(opcode, |(_, name)| name))
            })
            .collect()
    }

    #[track_caller]
    pub fn shows(&self, expected: &[&str]) {
        assert_eq!(self.blocks(), expected, "\n{}", self.pseudocode);
    }

    #[track_caller]
    pub fn says(&self, line: &str) {
        assert!(
            self.pseudocode.lines().any(|each| each.trim_start() == line),
            "no line {line:?} in\n{}",
            self.pseudocode
        );
    }

    /// Ctrl+Z as a person presses it: the keys reach the blocks once the canvas was clicked.
    pub async fn press_undo(&mut self) {
        for (api, args) in [("click", json!({"x": 640, "y": 640})), ("hotkey", json!({"keys": ["ctrl", "z"]}))] {
            let reply = self.call(Mode::Primitive, api, args).await;
            assert!(reply.success, "{api}: {:?}", reply.error);
        }
    }

    pub async fn undo(&mut self) {
        self.press_undo().await;
        self.ok("observe", json!({})).await;
    }

    /// What the VM would save for the targets: blocks, variables, messages.
    pub async fn project(&self) -> Value {
        let project = self.session.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
        json!(
            project.json["targets"]
                .as_array()
                .unwrap()
                .iter()
                .map(|target| json!({
                    "blocks": target["blocks"], "variables": target["variables"], "lists": target["lists"],
                    "broadcasts": target["broadcasts"],
                }))
                .collect::<Vec<_>>()
        )
    }

    /// The sprite's blocks as the VM would save them.
    pub async fn program(&self) -> Vec<Value> {
        let project = self.project().await;
        project[1]["blocks"].as_object().unwrap().values().cloned().collect()
    }
}

pub fn connection(source: u64, target: u64, kind: &str, input: Option<&str>) -> Value {
    let mut placement = json!({"kind": kind});
    if let Some(input) = input {
        placement["inputName"] = input.into();
    }
    json!({"sourceBlockIndex": source, "targetBlockIndex": target, "placement": placement})
}

pub fn field_args(index: u64, field: &str, value: impl Into<Value>) -> Value {
    json!({"blockIndex": index, "fieldName": field, "value": value.into()})
}
