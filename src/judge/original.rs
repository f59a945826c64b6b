//! Projects of any version of Scratch, as the editor's own loader understands them: loaded in a VM apart from the editor's, and given as
//! the editor would save them. What should come of a project that does not load is not decided here.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::PlayError;
use super::limits::{LEAST_WORK, LOADING, POLL_LIMIT, POLL_WAIT_MS};
use crate::page::{Idleness, Page, PageError, PageFn};
use crate::page_fn;
use crate::project::Project;

/// Begins to load a project, waits for it for a while, and tells what became of it; nothing as long as it goes on.
const LOAD_ORIGINAL: PageFn<LoadOriginal, Option<Answer>> = page_fn!("judge", "load-original");

#[derive(Debug, Serialize)]
struct LoadOriginal {
    /// A file in base64; none to wait for the one that is being loaded.
    project: Option<String>,
    wait_ms: u64,
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
    let Some(answer) = page.while_working(LOADING, answered(page, file)).await? else {
        return Err(PlayError::Hung(format!("the project did not load within {LOADING:?} of processor time")));
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

/// Asks the page until it has loaded the project, however long that takes on a busy machine.
async fn answered(page: &Page, file: &[u8]) -> Result<Answer, PageError> {
    let mut args = LoadOriginal { project: Some(STANDARD.encode(file)), wait_ms: POLL_WAIT_MS };
    let mut idleness = Idleness::of(page, LEAST_WORK);
    loop {
        let told = page.call_within(&LOAD_ORIGINAL, &args, POLL_LIMIT).await;
        match told {
            Ok(Some(answer)) => return Ok(answer),
            // It has the file.
            Ok(None) => args.project = None,
            // A busy machine, or a page that is blocked: it is asked again. One that has the file already takes no other.
            Err(PageError::Timeout { .. }) => {}
            Err(error) => return Err(error),
        }
        idleness.check(page)?;
    }
}
