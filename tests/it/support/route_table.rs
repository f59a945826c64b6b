//! Who gets an answer where: a row for every route of both dialects and every MCP tool. The tests that go by it fail
//! when a route or tool has no row.

use std::collections::BTreeMap;

/// Who may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum May {
    /// Whoever may call at all: nothing of a session is at this address but the caller's own.
    Caller,
    /// Whoever may use the session; for the others it does not exist.
    UserOfSession,
    /// Whoever may end the session.
    EnderOfSession,
    /// Researchers and above.
    Researcher,
}

/// A caller in relation to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    Nobody,
    OtherAgent,
    Owner,
    Researcher,
    Admin,
}

pub const CALLERS: [Caller; 5] = [Caller::Nobody, Caller::OtherAgent, Caller::Owner, Caller::Researcher, Caller::Admin];

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// 401.
    TokenRequired,
    /// 403.
    Forbidden,
    /// 404, as if the session had never been.
    NoSession,
    /// Anything else: the caller may, whatever comes of it.
    Answered,
}

impl May {
    /// What becomes of calls by [`CALLERS`].
    pub const fn fates(self) -> [Fate; 5] {
        use Fate::{Answered, Forbidden, NoSession, TokenRequired};
        match self {
            Self::Caller => [TokenRequired, Answered, Answered, Answered, Answered],
            Self::UserOfSession => [TokenRequired, NoSession, Answered, Answered, Answered],
            Self::EnderOfSession => [TokenRequired, NoSession, Answered, Forbidden, Answered],
            Self::Researcher => [TokenRequired, Forbidden, Forbidden, Answered, Answered],
        }
    }
}

/// Our own API.
pub const ROUTES: &[(May, &str)] = &[
    (May::Caller, "GET /health"),
    (May::Caller, "GET /tasks"),
    (May::Caller, "GET /tasks/{id}"),
    (May::Caller, "GET /tasks/{id}/picture"),
    (May::Caller, "POST /sessions"),
    (May::Caller, "GET /sessions"),
    (May::Caller, "GET /live/sessions"),
    (May::UserOfSession, "GET /sessions/{id}"),
    (May::EnderOfSession, "DELETE /sessions/{id}"),
    (May::UserOfSession, "POST /sessions/{id}/keep-alive"),
    (May::UserOfSession, "POST /sessions/{id}/usage"),
    (May::UserOfSession, "POST /sessions/{id}/reset"),
    (May::UserOfSession, "PUT /sessions/{id}/project"),
    (May::UserOfSession, "GET /sessions/{id}/project"),
    (May::UserOfSession, "GET /sessions/{id}/screenshot"),
    (May::UserOfSession, "POST /sessions/{id}/act/primitive"),
    (May::UserOfSession, "POST /sessions/{id}/act/composite"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/observe"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/click"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/double_click"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/drag_and_drop"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/scroll"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/type"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/key"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/hotkey"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/done"),
    (May::UserOfSession, "POST /sessions/{id}/primitive/failed"),
    (May::UserOfSession, "POST /sessions/{id}/composite/select_sprite"),
    (May::UserOfSession, "POST /sessions/{id}/composite/select_stage"),
    (May::UserOfSession, "POST /sessions/{id}/composite/add_variable"),
    (May::UserOfSession, "POST /sessions/{id}/composite/add_list"),
    (May::UserOfSession, "POST /sessions/{id}/composite/add_block"),
    (May::UserOfSession, "POST /sessions/{id}/composite/connect_blocks"),
    (May::UserOfSession, "POST /sessions/{id}/composite/detach_blocks"),
    (May::UserOfSession, "POST /sessions/{id}/composite/set_block_field"),
    (May::UserOfSession, "POST /sessions/{id}/composite/delete_block"),
    (May::UserOfSession, "POST /sessions/{id}/composite/add_script"),
    (May::UserOfSession, "POST /sessions/{id}/composite/green_flag"),
    (May::UserOfSession, "POST /sessions/{id}/composite/stop"),
    (May::UserOfSession, "POST /sessions/{id}/composite/done"),
    (May::UserOfSession, "POST /sessions/{id}/composite/failed"),
    (May::UserOfSession, "POST /sessions/{id}/composite/observe"),
    (May::UserOfSession, "POST /sessions/{id}/composite/block_catalogue"),
    (May::UserOfSession, "GET /sessions/{id}/observation/primitive"),
    (May::UserOfSession, "GET /sessions/{id}/observation/composite"),
    (May::UserOfSession, "GET /sessions/{id}/observation/composite/block_catalogue"),
    (May::UserOfSession, "GET /sessions/{id}/events"),
    (May::UserOfSession, "GET /sessions/{id}/events/stream"),
    (May::UserOfSession, "GET /sessions/{id}/images/{sha}"),
    (May::UserOfSession, "GET /sessions/{id}/live"),
    (May::UserOfSession, "GET /sessions/{id}/live/picture"),
    (May::UserOfSession, "GET /sessions/{id}/live/program"),
    (May::Researcher, "GET /metrics"),
    (May::Researcher, "POST /tasks/{id}/verdict"),
    (May::Caller, "GET /bugs"),
    (May::Caller, "GET /bugs/{id}"),
    (May::Caller, "GET /bugs/{id}/project"),
    (May::Caller, "POST /bugs/{id}/patch"),
    (May::Researcher, "GET /repairs"),
    (May::Researcher, "POST /repairs"),
    (May::Researcher, "GET /repairs/{id}"),
    (May::Researcher, "GET /repairs/{id}/events"),
    (May::Researcher, "DELETE /repairs/{id}"),
    (May::Researcher, "GET /experiments"),
    (May::Researcher, "POST /experiments"),
    (May::Researcher, "GET /experiments/{id}"),
    (May::Researcher, "GET /experiments/{id}/cells"),
    (May::Researcher, "GET /experiments/{id}/curves"),
    (May::Researcher, "GET /experiments/{id}/events"),
    (May::Researcher, "POST /experiments/{id}/orders"),
    (May::Researcher, "GET /runs"),
    (May::Researcher, "GET /runs/{id}"),
    (May::Researcher, "GET /runs/{id}/attempts/{attempt}"),
    (May::Researcher, "GET /runs/{id}/attempts/{attempt}/pictures/{call}"),
    (May::Researcher, "GET /runs/{id}/attempts/{attempt}/program"),
    (May::Researcher, "GET /runs/{id}/attempts/{attempt}/file"),
    (May::Researcher, "GET /runs/{id}/attempts/{attempt}/turns"),
    (May::Researcher, "GET /runs/{id}/attempts/{attempt}/turns/{turn}/messages"),
    (May::Researcher, "POST /runs/{id}/attempts/{attempt}/verdict"),
];

/// The reference's dialect. What it does without a session's name it does in a session of the caller's own.
pub const DIALECT: &[(May, &str)] = &[
    (May::Caller, "GET /"),
    (May::Caller, "GET /health"),
    (May::Caller, "GET /info"),
    (May::Caller, "POST /ocr/detect"),
    (May::Caller, "GET /sessions"),
    (May::Caller, "POST /sessions"),
    (May::Caller, "DELETE /sessions"),
    (May::Caller, "GET /sessions/count"),
    (May::Caller, "POST /reset_environment"),
    (May::Caller, "POST /shutdown"),
    (May::Caller, "POST /start_recording"),
    (May::Caller, "POST /end_recording"),
    (May::Caller, "GET /check_file"),
    (May::Caller, "POST /copy_file"),
    (May::Caller, "GET /screenshot"),
    (May::Caller, "GET /html"),
    (May::Caller, "GET /viewport_size"),
    (May::Caller, "GET /elements"),
    (May::Caller, "GET /elements_batch"),
    (May::Caller, "POST /load_project"),
    (May::Caller, "POST /export_project"),
    (May::Caller, "POST /composite/execute"),
    (May::Researcher, "POST /evaluate"),
    (May::Caller, "POST /click"),
    (May::Caller, "POST /double_click"),
    (May::Caller, "POST /move_to"),
    (May::Caller, "POST /drag_and_drop"),
    (May::Caller, "POST /scroll"),
    (May::Caller, "POST /type"),
    (May::Caller, "POST /key"),
    (May::Caller, "POST /hold_key"),
    (May::Caller, "POST /release_key"),
    (May::Caller, "POST /hotkey"),
    (May::UserOfSession, "GET /sessions/{id}"),
    (May::EnderOfSession, "DELETE /sessions/{id}"),
    (May::UserOfSession, "POST /sessions/{id}/toggle_stage"),
    (May::UserOfSession, "GET /sessions/{id}/screenshot"),
    (May::UserOfSession, "GET /sessions/{id}/html"),
    (May::UserOfSession, "GET /sessions/{id}/viewport_size"),
    (May::UserOfSession, "GET /sessions/{id}/elements"),
    (May::UserOfSession, "GET /sessions/{id}/elements_batch"),
    (May::UserOfSession, "POST /sessions/{id}/load_project"),
    (May::UserOfSession, "POST /sessions/{id}/export_project"),
    (May::UserOfSession, "POST /sessions/{id}/composite/execute"),
    (May::Researcher, "POST /sessions/{id}/evaluate"),
    (May::UserOfSession, "POST /sessions/{id}/click"),
    (May::UserOfSession, "POST /sessions/{id}/double_click"),
    (May::UserOfSession, "POST /sessions/{id}/move_to"),
    (May::UserOfSession, "POST /sessions/{id}/drag_and_drop"),
    (May::UserOfSession, "POST /sessions/{id}/scroll"),
    (May::UserOfSession, "POST /sessions/{id}/type"),
    (May::UserOfSession, "POST /sessions/{id}/key"),
    (May::UserOfSession, "POST /sessions/{id}/hold_key"),
    (May::UserOfSession, "POST /sessions/{id}/release_key"),
    (May::UserOfSession, "POST /sessions/{id}/hotkey"),
];

/// The tools of both modes.
pub const TOOLS: &[(May, &str)] = &[
    (May::Caller, "primitive list_tasks"),
    (May::Caller, "primitive start_task"),
    (May::UserOfSession, "primitive submit"),
    (May::EnderOfSession, "primitive end_session"),
    (May::UserOfSession, "primitive observe"),
    (May::UserOfSession, "primitive click"),
    (May::UserOfSession, "primitive double_click"),
    (May::UserOfSession, "primitive drag_and_drop"),
    (May::UserOfSession, "primitive scroll"),
    (May::UserOfSession, "primitive type"),
    (May::UserOfSession, "primitive key"),
    (May::UserOfSession, "primitive hotkey"),
    (May::UserOfSession, "primitive done"),
    (May::UserOfSession, "primitive failed"),
    (May::Caller, "composite list_tasks"),
    (May::Caller, "composite start_task"),
    (May::UserOfSession, "composite submit"),
    (May::EnderOfSession, "composite end_session"),
    (May::UserOfSession, "composite select_sprite"),
    (May::UserOfSession, "composite select_stage"),
    (May::UserOfSession, "composite add_variable"),
    (May::UserOfSession, "composite add_list"),
    (May::UserOfSession, "composite add_block"),
    (May::UserOfSession, "composite connect_blocks"),
    (May::UserOfSession, "composite detach_blocks"),
    (May::UserOfSession, "composite set_block_field"),
    (May::UserOfSession, "composite delete_block"),
    (May::UserOfSession, "composite add_script"),
    (May::UserOfSession, "composite green_flag"),
    (May::UserOfSession, "composite stop"),
    (May::UserOfSession, "composite done"),
    (May::UserOfSession, "composite failed"),
    (May::UserOfSession, "composite observe"),
    (May::UserOfSession, "composite block_catalogue"),
];

/// The rows by what they are for; a second row for the same is a mistake.
pub fn by_name(rows: &[(May, &'static str)]) -> BTreeMap<&'static str, May> {
    let named: BTreeMap<&str, May> = rows.iter().map(|(may, name)| (*name, *may)).collect();
    assert_eq!(named.len(), rows.len(), "something has two rows");
    named
}
