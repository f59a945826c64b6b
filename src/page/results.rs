//! Argument and result types of the page functions that serve every session: projects in and out, settling.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::model::{InputEvent, StageSize, VmEvent, WorkspaceEvent};
use crate::perceive::Seen;

/// Result of `ready.js`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Readiness {
    /// The editor is not there yet.
    Mounting,
    /// The editor has mounted and waits for the project that it is to begin with.
    AwaitsProject,
    /// The editor shows a project; a page with the player alone can show one.
    Ready,
}

/// Arguments of `load-project.js`.
#[derive(Debug, Clone, Serialize)]
pub struct LoadProject {
    /// The .sb3 file in base64; `None` is the editor's default project, with which only a page that waits for its first
    /// project can begin.
    pub sb3: Option<String>,
    /// Name of the target to edit afterwards; `None` leaves the editor's choice.
    pub editing_target: Option<String>,
}

impl LoadProject {
    /// Loads this .sb3 file.
    pub fn file(sb3: &[u8], editing_target: Option<String>) -> Self {
        Self { sb3: Some(STANDARD.encode(sb3)), editing_target }
    }
}

/// Result of `load-project.js`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadedProject {
    /// Names of the targets, stage first.
    pub targets: Vec<String>,
    /// Costumes and sounds whose data is nowhere: `target: name (md5.ext)`.
    pub missing_assets: Vec<String>,
}

/// Arguments of `stage-size.js`.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ShowStage {
    pub size: StageSize,
}

/// Arguments of `snapshot.js`.
#[derive(Debug, Clone, Serialize)]
pub struct SnapshotRequest {
    /// The revision that the caller has; `None` asks for the project in any case.
    pub revision: Option<u64>,
    /// Assets that the caller has, as `<md5>.<ext>`.
    pub known: Vec<String>,
}

/// Result of `snapshot.js`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageState {
    /// The project; absent when the caller has this revision.
    pub project: Option<ProjectSnapshot>,
    /// What was noted since the last call.
    pub record: PageRecord,
}

/// What a page noted between two calls.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageRecord {
    /// The page's time at the end of the call, in milliseconds since its document began.
    pub now: f64,
    /// In the order in which they were noted.
    pub notes: Vec<PageNote>,
    /// How many more there were than the page keeps.
    pub dropped: u64,
}

/// Something that a page noted.
#[derive(Debug, Clone, Deserialize)]
pub struct PageNote {
    /// The page's time, in milliseconds since its document began.
    pub at: f64,
    #[serde(flatten)]
    pub what: Noted,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Noted {
    Input(InputEvent),
    /// A change that the workspace reported to the VM.
    Workspace(WorkspaceEvent),
    /// Another change of the VM.
    Vm(VmEvent),
}

/// The project part of [`PageState`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectSnapshot {
    /// Counts the changes of this page's project.
    pub revision: u64,
    /// project.json as the VM writes it.
    pub json: String,
    /// Name of the target being edited.
    pub editing_target: String,
    /// Every asset in use by `<md5>.<ext>`; base64 data for those that the caller does not have.
    pub assets: BTreeMap<String, Option<String>>,
}

/// Arguments of `settle.js`.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SettleRequest {
    /// Milliseconds to wait at most.
    pub deadline_ms: f64,
}

/// Result of `settle.js`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settled {
    /// Why the wait ended.
    pub reason: SettledBecause,
    /// How long it took.
    pub waited_ms: f64,
    /// What still moved at the deadline.
    pub pending: Vec<String>,
}

/// Why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettledBecause {
    /// Nothing was left to happen.
    Quiet,
    Deadline,
}

/// Result of `list-elements.js`: in the order of the list, elements by kind, then text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementsSeen {
    /// What can be operated or read in the viewport.
    pub elements: Vec<Seen>,
}
