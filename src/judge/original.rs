//! Projects of any version of Scratch, as the editor's own loader understands them: loaded in a VM apart from the editor's, and given as
//! the editor would save them. What should come of a project that does not load is not decided here.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::PlayError;
use crate::page::{Page, PageFn};
use crate::page_fn;
use crate::project::Project;

/// Loads a project and tells what became of it.
const LOAD_ORIGINAL: PageFn<LoadOriginal, Answer> = page_fn!("judge", "load-original");

/// Processor time that a project may take to load; costumes alone may take a quarter of a minute.
const LIMIT: Duration = Duration::from_secs(25);

#[derive(Debug, Serialize)]
struct LoadOriginal {
    /// A file in base64.
    project: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    load_ms: f64,
    error: Option<String>,
    original: Option<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    targets: usize,
    broken: Vec<String>,
    json: String,
    assets: BTreeMap<String, String>,
}

/// A project as the editor's loader understands it.
#[derive(Debug, Clone, PartialEq)]
pub struct Original {
    /// As the editor would save it.
    pub project: Project,
    /// The stage and the sprites that there are after loading.
    pub targets: usize,
    /// Costumes that can't be shown, with their sprites.
    pub broken: Vec<String>,
    /// Milliseconds that loading took.
    pub load_ms: f64,
}

/// Loads a project in this page. After an error of the page itself the page must be discarded.
pub(super) async fn load(page: &Page, file: &[u8]) -> Result<Original, PlayError> {
    let args = LoadOriginal { project: STANDARD.encode(file) };
    let Some(answer) = page.call_while_working(&LOAD_ORIGINAL, &args, LIMIT).await? else {
        return Err(PlayError::Hung(format!("the project did not load within {LIMIT:?} of processor time")));
    };
    let unloadable = |what: String| PlayError::Unloadable(what);
    let Some(content) = answer.original else {
        return Err(unloadable(answer.error.unwrap_or_else(|| "the page gave no reason".to_owned())));
    };
    let assets = content.assets.into_iter().map(|(name, data)| Ok((name, STANDARD.decode(data)?)));
    let assets: Result<BTreeMap<_, _>, base64::DecodeError> = assets.collect();
    let assets = assets.map_err(|error| unloadable(error.to_string()))?;
    let project = Project::from_json(&content.json, assets).map_err(|error| unloadable(error.to_string()))?;
    Ok(Original { project, targets: content.targets, broken: content.broken, load_ms: answer.load_ms })
}
