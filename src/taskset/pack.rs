//! Task packs: folders of tasks besides the bundled ones, with the same layout and a `pack.json` that names their
//! source and rules.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::import_report::ImportReport;
use super::{Problem, TasksetError, read};
use crate::model::StageSize;

/// The file that makes a folder a pack.
pub const PACK_FILE: &str = "pack.json";
/// The composite calls that solve a task, beside its task.json, where this program writes them.
pub const ORACLE_FILE: &str = "oracle.composite.json";
/// Version of it that this program reads and writes.
pub const PACK_FORMAT: u32 = 1;

/// What evaluation scripts are promised and must keep to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contract {
    /// Our own: helpers to `require`, a strict report, and all that makes a task worth certifying.
    #[default]
    Scratchbed,
    /// ScratchWorld's: `window.EvaluationUtils` where the pack has it, defaults inside the scripts, reports that
    /// need not add up.
    ScratchWorld,
}

/// The content of a `pack.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    /// Version of this format; 1.
    pub format: u32,
    /// A few words for lists.
    pub name: String,
    /// Where the tasks come from.
    pub source: String,
    /// Which rules hold for them.
    #[serde(default)]
    pub contract: Contract,
    /// Size of the stage that they are worked on and judged with; each `task.json` has the same.
    #[serde(default)]
    pub stage: StageSize,
    /// A file in `eval-scripts` that runs before each script with the same globals.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prelude: Option<String>,
    /// What the import found and missed, for packs that were imported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub import: Option<ImportReport>,
}

impl Pack {
    /// Reads and checks the `pack.json` of a folder.
    ///
    /// # Errors
    /// [`TasksetError::NoPack`] without one, [`TasksetError::Invalid`] for one with faults.
    pub fn read(folder: &Path) -> Result<Self, TasksetError> {
        let file = folder.join(PACK_FILE);
        if !file.is_file() {
            return Err(TasksetError::NoPack { folder: folder.to_owned() });
        }
        let pack: Self = read::json(&file)?.map_err(|problem| TasksetError::Invalid { problems: vec![problem] })?;
        let problem = |field: &str, message: String| Problem { file: file.clone(), field: field.to_owned(), message };
        let mut problems = Vec::new();
        if pack.format != PACK_FORMAT {
            problems.push(problem("format", format!("is {}; this program reads {PACK_FORMAT}", pack.format)));
        }
        if let Some(prelude) = &pack.prelude
            && !(is_plain_name(prelude) && folder.join("eval-scripts").join(prelude).is_file())
        {
            problems.push(problem("prelude", format!("there is no eval-scripts/{prelude}")));
        }
        if problems.is_empty() { Ok(pack) } else { Err(TasksetError::Invalid { problems }) }
    }
}

/// Whether a text names a file right in its folder.
pub fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(std::path::Component::Normal(_)), None)) && !name.contains('\\')
}

/// Whether a path leads to something below a folder, links followed.
pub fn is_inside(folder: &Path, path: &Path) -> bool {
    let real = path.canonicalize().ok().zip(folder.canonicalize().ok());
    real.is_some_and(|(path, folder)| path.starts_with(folder))
}

/// Whether a path names a project file rather than a project text.
pub fn is_sb3(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sb3"))
}
