//! Argument and result types of the page functions that move projects in and out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Arguments of `load-project.js`.
#[derive(Debug, Clone, Serialize)]
pub struct LoadProject {
    /// The .sb3 file in base64.
    pub sb3: String,
    /// Name of the target to edit afterwards; `None` leaves the editor's choice.
    pub editing_target: Option<String>,
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
